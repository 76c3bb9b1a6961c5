"""A run on one machine looks for jobs when one ends; no timer of Snakemake's outlives a look."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from reproduction.workflow.scheduling import look_when_a_job_ends

RUN = """
import threading
from reproduction.workflow.scheduling import look_when_a_job_ends


onstart:
    {start}


onsuccess:
    timers = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    print(f"timers left: {{len(timers)}}")


rule all:
    input:
        expand("{{name}}.txt", name=list("abc")),


rule one:
    output:
        "{{name}}.txt",
    shell:
        "touch {{output}}"
"""


@pytest.mark.parametrize(
    ("start", "left"), [("look_when_a_job_ends(workflow)", False), ("pass", True)]
)
def test_no_timer_is_left(tmp_path, start, left):
    """Without the lifted limit there are timers: else this test would notice nothing."""
    (tmp_path / "Snakefile").write_text(RUN.format(start=start), encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--scheduler", "greedy"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert len(list(tmp_path.glob("?.txt"))) == 3
    assert ("timers left: 0" not in said) == left, said
    assert "timers left: " in said


def test_a_batch_system_keeps_the_limit():
    limiter = object()
    for local in (True, False):
        scheduler = SimpleNamespace(job_rate_limiter=limiter)
        look_when_a_job_ends(SimpleNamespace(local_exec=local, scheduler=scheduler))
        assert scheduler.job_rate_limiter is (None if local else limiter)
