"""A job depends on the settings it reads, and on no others."""

import pytest

from reproduction.results.jobs import find_job, jobs_of, only_read
from reproduction.rooms import paper_keys, settings_of, study_of

TABLE = ("cotraining", "webkb_course", "table2")
CHOICES = ("cotraining", "webkb_course", "choices")


def test_what_only_another_job_reads_is_not_read():
    table, choices = (set(study_of(paper).reads(job)) for paper, _, job in (TABLE, CHOICES))
    assert {"draws", "rounds", "smoothing"} <= table
    assert {"choice_draws", "smoothing_grid", "rounds"} <= choices
    assert not {"choice_draws", "smoothing_grid"} & table
    assert "draws" not in choices


@pytest.mark.parametrize("paper", paper_keys())
def test_every_setting_is_read_by_some_job(paper):
    known = set(settings_of(paper, {}).model_dump())
    read = {name for job in jobs_of(paper) for name in study_of(paper).reads(job.name)}
    assert read == known, f"no job reads {sorted(known - read)}"


def test_only_what_is_read_decides():
    values = settings_of("cotraining", {}).model_dump()
    kept = only_read(find_job(*TABLE), values)
    assert "smoothing_grid" not in kept
    assert kept["rounds"] == values["rounds"]
