"""What a run takes from packed rows."""

from reproduction.results.jobs import jobs_of
from reproduction.rooms import paper_keys, study_of
from reproduction.verdicts.readings import INFERRED, TEXT
from reproduction.workflow.rows import is_evidence


def test_what_is_printed_and_what_is_timed_is_fitted():
    for job in (job for paper in paper_keys() for job in jobs_of(paper)):
        work = study_of(job.paper).work.get((job.dataset, job.name))
        plans = work.plans if work else ()
        printed = any(":" not in p.name and p.reading in (INFERRED, TEXT) for p in plans)
        timed = any(plan.timed for plan in plans)
        assert is_evidence(job) is not (printed or timed or not plans), job
