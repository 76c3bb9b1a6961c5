"""The rival that people copy runs in every paper that has one."""

import importlib

import pytest

from reproduction.data.registry import load_registry
from reproduction.data.surrogates import build_surrogate
from reproduction.results.jobs import Context, Job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete
from reproduction.rooms import module_name, open_module, paper_keys, room, settings_class, tables_of

WITH_EXAMPLE = [key for key in paper_keys() if (room(key) / "rivals" / "_example.py").is_file()]


@pytest.mark.parametrize("paper", WITH_EXAMPLE)
def test_the_example_runs_beside_the_papers_methods(paper):
    key = open_module(paper, "rivals").DATASETS[0]
    data = build_surrogate(load_registry()[key], scale=0.3)
    example = importlib.import_module(module_name(paper, "rivals._example"))
    job = Job(paper, key, "rival_example", "")
    settings = complete(settings_class(paper), {}, size="quick")
    made = example.run(Context(job, {key: data}, settings)).rows
    frame, _ = result_frames(paper, key, made, tables_of(paper), printed_methods(paper))
    assert set(frame["role"]) == {"ours"}
    assert frame["value"].notna().all()
