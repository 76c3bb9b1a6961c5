"""A plan that remembers finds the hashes that a plan without memory finds."""

import os
import subprocess
import sys

import pytest

from reproduction import closure
from reproduction.results.jobs import jobs_of
from reproduction.rooms import paper_keys
from reproduction.workflow.snapshot import Remembered

HASHES = """
import json, sys
from reproduction import closure
from reproduction.results.custody import job_code
from reproduction.results.jobs import jobs_of
from reproduction.rooms import paper_keys
from reproduction.workflow.snapshot import look_once
if sys.argv[1:] == ["remember"]:
    look_once()
    look_once()  # a workflow that is read twice
print(json.dumps({f"{p} {j.place}": job_code(j) for p in paper_keys() for j in jobs_of(p)}))
"""


def hashes(*words):
    done = subprocess.run(
        [sys.executable, "-c", HASHES, *words], capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_job_has_the_same_hash_with_and_without_memory():
    plain = hashes()
    assert sum(len(jobs_of(paper)) for paper in paper_keys()) == plain.count('": "') > 0
    assert hashes("remember") == plain  # writes what it saw, if nobody did
    assert hashes("remember") == plain  # reads it


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.py"
    path.write_text("import os\nX = 1\n")
    return path


def test_facts_are_those_of_the_file_and_are_read_again(source, tmp_path, monkeypatch):
    first = Remembered(tmp_path / "facts.json")
    assert first.facts(source) == closure._facts(source)
    first.save()
    monkeypatch.setattr(closure, "_read_facts", None)  # nobody parses again
    again = Remembered(tmp_path / "facts.json")
    assert again.facts(source).names == {"os"}


def test_a_changed_file_is_read_anew_whatever_its_time(source, tmp_path):
    remembered = Remembered(tmp_path / "facts.json")
    before, when = remembered.facts(source), source.stat()
    source.write_text("import re\nX = 2\n")
    os.utime(source, ns=(when.st_atime_ns, when.st_mtime_ns + 1))
    assert remembered.facts(source) == closure._facts(source) != before


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"a'])
def test_a_damaged_memory_is_none(source, tmp_path, damaged):
    path = tmp_path / "facts.json"
    path.write_text(damaged)
    remembered = Remembered(path)
    assert remembered.facts(source) == closure._facts(source)
    remembered.save()
    assert Remembered(path).known == remembered.known != {}


def test_a_folder_that_cannot_be_written_is_no_fault(source, tmp_path):
    (tmp_path / "file").write_text("")
    remembered = Remembered(tmp_path / "file" / "facts.json")
    remembered.facts(source)
    remembered.save()
