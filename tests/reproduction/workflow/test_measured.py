"""Jobs ask for the memory that runs have measured, and the longest start first."""

from types import SimpleNamespace

import pytest

from reproduction.data.registry import load_registry
from reproduction.results.jobs import jobs_of
from reproduction.rooms import paper_keys
from reproduction.workflow.measured import (
    MEASURED,
    Used,
    gather,
    kept,
    memory,
    priorities,
    write_measured,
)
from reproduction.workflow.needs import needs
from reproduction.workflow.usage import Usage, write_usage


def used(folder, place, memory, seconds=1.0):
    """Write what a job used, as the workflow does."""
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    given = SimpleNamespace(log=[str(folder / f"{place}.log")])
    write_usage(given, Usage(0.0, 2 * seconds, seconds, memory, "fork"))


def test_peaks_are_gathered_kept_and_asked_for(tmp_path):
    logs, file = tmp_path / "logs", tmp_path / "measured.csv"
    used(logs, "fit/p/d/heavy", 1200.6, 7.04)
    used(logs, "fit/p/d/light", 20)
    assert write_measured(logs, file) == 2
    known = kept(file)
    assert known == {"fit/p/d/heavy": Used(1201.0, 7.0), "fit/p/d/light": Used(20.0, 1.0)}
    assert memory("fit/p/d/heavy", 7, known) == 1900
    assert memory("fit/p/d/light", 7, known) == 500
    assert memory("page/p", 7, known) == 7


def test_small_changes_leave_the_file_alone(tmp_path):
    logs, file = tmp_path / "logs", tmp_path / "measured.csv"
    used(logs, "views/a", 1000, 10)
    used(logs, "views/b", 1000, 1)
    write_measured(logs, file)
    before = file.read_text()
    used(logs, "views/a", 950, 12)
    used(logs, "views/b", 1000, 2.5)
    write_measured(logs, file)
    assert file.read_text() == before
    used(logs, "views/a", 500, 13)
    used(logs, "views/b", 1001, 5)
    write_measured(logs, file)
    assert kept(file) == {"views/a": Used(500.0, 13.0), "views/b": Used(1001.0, 5.0)}


def test_what_is_no_measurement_is_named(tmp_path):
    with pytest.raises(ValueError, match="no measured jobs below"):
        gather(tmp_path)
    (tmp_path / "x.usage.tsv").write_text("a\tb\n1\t2\n")
    with pytest.raises(ValueError, match=r"x\.usage\.tsv does not say what a job used"):
        gather(tmp_path)


def longest_way(place, needs, seconds):
    """The longest way from a job to the end, by walking every way there is."""
    after = [other for other, before in needs.items() if place in before]
    return seconds[place] + max((longest_way(a, needs, seconds) for a in after), default=0)


def test_priorities_are_the_longest_ways_to_the_end(rng):
    for _ in range(50):
        names = [f"fit/p/d/{number}" for number in range(int(rng.integers(1, 9)))]
        needs = {
            name: [earlier for earlier in names[:place] if rng.random() < 0.4]
            for place, name in enumerate(names)
        }
        seconds = {name: int(rng.integers(0, 50)) for name in names}
        known = {name: Used(1.0, second) for name, second in seconds.items()}
        expected = {name: longest_way(name, needs, seconds) for name in names}
        assert priorities(needs, known) == expected


def test_unmeasured_jobs_count_as_the_longest_of_their_station():
    known = {"fit/a": Used(1, 30), "fit/b": Used(1, 4), "views/x": Used(1, 9)}
    needs = {"fit/a": ["views/x"], "fit/b": ["views/y"], "fit/new": ["views/x"], "page/p": []}
    assert priorities(needs, known) == {
        "fit/a": 30, "fit/b": 4, "fit/new": 30, "views/x": 39, "views/y": 13, "page/p": 0
    }  # fmt: skip


def test_what_is_kept_is_plausible():
    known = kept(MEASURED)
    assert known, "run `python -m reproduction measured` after a full run"
    assert all(10 < used.peak_mb < 64_000 for used in known.values())
    assert all(0 <= used.seconds < 3600 for used in known.values())
    assert list(known) == sorted(known)
    assert max(used.seconds for used in known.values()) > 0


def test_every_fit_and_its_views_have_a_priority():
    registry, papers = load_registry(), paper_keys()
    ways = priorities(needs(papers, registry))
    for paper in papers:
        for job in jobs_of(paper):
            own = ways[f"fit/{paper}/{job.place}"]
            assert own >= ways[f"score/{paper}"] >= ways[f"page/{paper}"]
            for key in job.view_keys:
                assert ways[f"views/{key}"] >= own
                assert ways[f"fetch/{key.partition('.')[0]}"] >= ways[f"views/{key}"]
            for before in job.after:
                assert ways[f"fit/{paper}/{before}"] >= own
