"""What is remembered of source files is what their text says."""

import os
import subprocess
import sys

import pytest

from reproduction import facts
from reproduction.facts import Memory, facts_of, parsed
from reproduction.results.jobs import jobs_of
from reproduction.rooms import paper_keys

HASHES = """
import json, sys
from reproduction import facts
from reproduction.results.custody import job_code
from reproduction.results.jobs import jobs_of
from reproduction.rooms import paper_keys
if sys.argv[1:] == ["forget"]:
    facts.Memory.facts = lambda self, content: facts.parsed(content)
print(json.dumps({f"{p} {j.place}": job_code(j) for p in paper_keys() for j in jobs_of(p)}))
"""


def hashes(*words):
    done = subprocess.run(
        [sys.executable, "-c", HASHES, *words], capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_job_has_the_same_hash_with_and_without_memory():
    plain = hashes("forget")
    assert sum(len(jobs_of(paper)) for paper in paper_keys()) == plain.count('": "') > 0
    assert hashes() == plain  # writes what it saw, if nobody did
    assert hashes() == plain  # reads it


@pytest.fixture
def content():
    return b"import os\nX = 1\n"


def test_facts_are_those_of_the_text_and_are_read_again(content, tmp_path, monkeypatch):
    first = Memory(tmp_path / "facts.json")
    assert first.facts(content) == parsed(content)
    first.save()
    monkeypatch.setattr(facts, "parsed", None)  # nobody parses again
    assert Memory(tmp_path / "facts.json").facts(content).names == {"os"}


def test_a_changed_file_is_read_anew(content, tmp_path):
    source = tmp_path / "source.py"
    source.write_bytes(content)
    before, when = facts_of(source), source.stat()
    source.write_bytes(b"import re\nX = 2\n")  # as long as before
    os.utime(source, ns=(when.st_atime_ns, when.st_mtime_ns + 1))
    assert facts_of(source) == parsed(source.read_bytes()) != before


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"a'])
def test_a_damaged_memory_is_none(content, tmp_path, damaged):
    path = tmp_path / "facts.json"
    path.write_text(damaged)
    memory = Memory(path)
    assert memory.facts(content) == parsed(content)
    memory.save()
    assert Memory(path).known == memory.known != {}
