"""When Snakemake looks for the next jobs of a run on one machine."""

from typing import Any


def look_when_a_job_ends(workflow: Any) -> None:
    """Let a run on this machine look for jobs when one ends, and at no other time.

    Snakemake limits how many jobs start in a span of time. After every look it starts a timer and
    looks again when that rings, so each finished job adds a timer that never stops: with 240 jobs
    done and a span of three seconds it looks 80 times a second at the files of every job that
    waits, a third of a core. Nothing here needs the limit; a batch system may, and keeps it.
    """
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
