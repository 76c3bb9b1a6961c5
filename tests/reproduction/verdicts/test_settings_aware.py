"""Whatever differs from the papers' settings is said, and judged as nothing."""

import numpy as np
import pytest
from results_tree import Tree

from manyviews.seeding import generator, integer_seed, reseeded
from reproduction.results.jobs import find_job, jobs_of, not_the_papers, only_read
from reproduction.results.rows import read_table
from reproduction.results.settings import documented
from reproduction.rooms import paper_keys, study_of
from reproduction.workflow.config import load_config, read_config

PAPER = "cotraining"


@pytest.mark.parametrize("paper", paper_keys())
def test_the_papers_own_settings_differ_in_nothing_and_each_changed_one_is_named(paper):
    own = load_config().settings(paper).model_dump()
    assert not any(any(not_the_papers(job, own).values()) for job in jobs_of(paper))
    entry = next(e for e in documented(study_of(paper).settings) if e.quick != e.full)
    value = entry.quick
    for part in reversed(entry.key.split(".")):
        value = {part: value}
    config = read_config({"papers": {paper: value}})
    assert config.title == "changed settings"
    changed = config.settings(paper).model_dump()
    found = [table for job in jobs_of(paper) for table in not_the_papers(job, changed).values()]
    assert {key for table in found for key in table} == {entry.key}


def test_a_table_is_not_touched_by_settings_it_does_not_read():
    values = read_config({"papers": {PAPER: {"choice_draws": 2}}}).settings(PAPER).model_dump()
    table, choices = (find_job(PAPER, "webkb_course", name) for name in ("table2", "choices"))
    assert not any(not_the_papers(table, values).values())
    assert ["choice_draws" in only_read(job, values) for job in (table, choices)] == [False, True]
    assert not_the_papers(choices, values)[""] == {"choice_draws": "2 in place of 20"}


def test_the_word_full_follows_from_settings_and_not_from_a_name():
    assert load_config().title == read_config({"name": "mine"}).title == "full"
    assert read_config({"seed": 7}).title == "full, seed 7"
    assert read_config({"name": "mine", "size": "quick"}).title == "mine"
    assert read_config({"data": {"options": {"newsgv2": {"per_class": 50}}}}).title != "full"


def test_cells_gaps_and_claims_under_other_settings_are_not_comparable(tmp_path):
    tree = Tree(tmp_path, papers=("mvplsa",))
    sound, claims = tree.score("mvplsa")
    assert claims["inferred"].tolist() == ["holds", "untestable"]
    tree.jobs["mvplsa"]["cornell/main"]["changed"] = {"": {"runs": "2 in place of 160"}, "4": {}}
    ledger, claims = tree.score("mvplsa")
    once = ledger["repeats"] == ""
    own = (ledger["data_key"] == "cornell") & (ledger["table"] != "4") & once
    assert set(ledger.loc[own, "agreement"]) == {"not comparable"}
    assert set(ledger.loc[own, "reason"]) == {"runs: 2 in place of 160"}
    assert ledger[once & ~own].equals(sound[once & ~own])
    gaps = read_table(tree.results / "mvplsa" / "gaps.csv")
    here, lost = gaps["dataset"] == "Cornell", gaps["agreement"] == "not comparable"
    assert lost[here & (gaps["table"] != "4")].all()
    assert not lost[~here].any()
    assert claims["text"].tolist() == ["untestable", "untestable"]
    assert claims["text_reason"][0].startswith("not comparable (")


def test_another_seed_changes_every_draw_and_none_changes_nothing():
    before = generator("toy", 1).random(3), integer_seed("toy", 1)
    with reseeded(0):
        assert integer_seed("toy", 1) == before[1]
    drawn = []
    for seed in (1, 2):
        with reseeded(seed):
            drawn.append((generator("toy", 1).random(3), integer_seed("toy", 1)))
    assert len({before[1], *(one for _, one in drawn)}) == 3
    assert not np.isin(drawn[0][0], [before[0], drawn[1][0]]).any()
    assert integer_seed("toy", 1) == before[1]
