"""A job depends on the settings it reads, and on no others."""

import pickle

import pytest

from reproduction.results.jobs import find_job, jobs_of
from reproduction.results.reads import ReadSettings, only_read, settings_read
from reproduction.rooms import paper_keys, settings_of

TABLE = ("cotraining", "webkb_course", "table2")
CHOICES = ("cotraining", "webkb_course", "choices")


def test_what_only_another_job_reads_is_not_read():
    table, choices = (set(settings_read(find_job(*place))) for place in (TABLE, CHOICES))
    assert {"draws", "rounds", "smoothing"} <= table
    assert {"choice_draws", "smoothing_grid", "rounds"} <= choices
    assert not {"choice_draws", "smoothing_grid"} & table
    assert "draws" not in choices


@pytest.mark.parametrize("paper", paper_keys())
def test_every_setting_is_read_by_some_job(paper):
    known = set(settings_of(paper, {}).model_dump())
    read = {name for job in jobs_of(paper) for name in settings_read(job)}
    assert read == known, f"no job reads {sorted(known - read)}"


def test_only_what_is_read_decides():
    values = settings_of("cotraining", {}).model_dump()
    kept = only_read(find_job(*TABLE), values)
    assert "smoothing_grid" not in kept
    assert kept["rounds"] == values["rounds"]


def test_a_setting_that_was_not_found_is_refused_while_a_job_runs():
    settings = settings_of("cotraining", {})
    held = ReadSettings(settings, find_job(*TABLE))
    assert held.rounds == settings.rounds
    with pytest.raises(ValueError, match="reads the setting 'smoothing_grid'"):
        _ = held.smoothing_grid
    with pytest.raises(AttributeError):
        _ = held.no_such_setting
    assert pickle.loads(pickle.dumps(held)).rounds == settings.rounds
