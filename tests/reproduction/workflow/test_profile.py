"""The profile of a run: lanes, the longest chain, and every second accounted for."""

import itertools
import re
from types import SimpleNamespace

import pandas as pd
import pytest

from reproduction.data.registry import load_registry
from reproduction.pages.profile import by_purpose
from reproduction.workflow.commands import main
from reproduction.workflow.profile import (
    asked,
    critical_path,
    lanes,
    last_run,
    profile_of,
    read_jobs,
)
from reproduction.workflow.usage import Usage, write_usage

JOBS = {
    "views/cora": (100.0, 110.0, 8.0, 300.0, 0.0),
    "fit/multiview_hier/cora/table2": (111.0, 131.0, 19.0, 400.0, 2.0),
    "fit/multiview_hier/cora/choices": (112.0, 122.0, 10.0, 90_000.0, float("nan")),
    "score/multiview_hier": (131.5, 133.5, 1.0, 200.0, 0.0),
    "manifest": (134.0, 135.0, 1.0, 60.0, 0.0),
}


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    for place, (start, end, cpu, memory, compiling) in JOBS.items():
        given = SimpleNamespace(log=[str(folder / f"{place}.log")])
        write_usage(given, Usage(start, end, cpu, memory, "fork", compiling))
    return folder


def test_every_second_of_the_cores_is_accounted_for(logs):
    profile = profile_of(logs, load_registry())
    assert profile.cores == 2
    assert profile.wall == 35.0
    causes = profile.causes()
    assert sum(causes.values()) == pytest.approx(profile.cores * profile.wall)
    assert causes["compiling"] == 2
    assert causes["computing"] == 37
    assert causes["waiting for a core, the disk or a start"] == 4
    assert profile.path == ["views/cora", "fit/multiview_hier/cora/table2", "score/multiview_hier"]


def test_the_page_and_the_table_are_written(logs, tmp_path, capsys):
    reports = tmp_path / "reports"
    assert main(["profile", "--logs", str(logs), "--reports", str(reports)]) == 0
    assert capsys.readouterr().out.split() == [
        str(reports / f"profile.{e}") for e in ("html", "csv")
    ]
    page = (reports / "profile.html").read_text()
    assert len(re.findall("<rect ", page)) == len(JOBS)
    assert len(re.findall('stroke-width="2"', page)) == 3, "the longest chain is framed"
    assert "1 of 4 jobs used more than they asked for" in page
    table = pd.read_csv(reports / "profile.csv")
    assert list(table["job"]) == list(JOBS)
    assert table["start"].min() == 0


ROWS = {
    "tables and figures in print": ["2 inferred", "choice:x inferred", "2 text"],
    "the text reading": ["2 text", "2 other"],
    "recorded trajectories": ["trajectory recorded", "2 short"],
    "declared searches": ["search:2 anything"],
    "open choices, controls, additions": ["choice:x inferred", "extra:y own"],
}


@pytest.mark.parametrize("told", ROWS)
def test_what_a_fit_is_for_follows_from_its_rows(logs, tmp_path, told):
    for name, of in (("table2", told), ("choices", "declared searches")):
        table = tmp_path / f"multiview_hier/cora/{name}.csv"
        table.parent.mkdir(parents=True, exist_ok=True)
        rows = "".join(f"{row.replace(' ', ',')}\n" for row in ROWS[of])
        table.write_text(f"table,reading\n{rows}")
    jobs = profile_of(logs, load_registry()).jobs.set_index("job")["purpose"]
    assert jobs["fit/multiview_hier/cora/table2"] == told
    assert jobs["fit/multiview_hier/cora/choices"] == "declared searches"
    assert jobs["views/cora"] == ""


def test_what_jobs_are_for_adds_up(logs, tmp_path):
    table = tmp_path / "multiview_hier/cora/table2.csv"
    table.parent.mkdir(parents=True)
    table.write_text("table,reading\n2,paper\n")
    profile = profile_of(logs, load_registry())
    told = by_purpose(profile).set_index("what for")
    assert told["core seconds"].sum() == profile.jobs["cpu_seconds"].sum()
    assert told["core seconds"]["tables and figures in print"] == 19
    assert told["core seconds"]["fits"] == 10, "a fit whose table is gone"


def test_a_job_on_two_threads_holds_two_cores(logs):
    given = SimpleNamespace(log=[str(logs / "views/cora.log")])
    write_usage(given, Usage(100.0, 110.0, 18.0, 300.0, "fork", 0.0, 1.5))
    profile = profile_of(logs, load_registry())
    causes = profile.causes()
    assert sum(causes.values()) == pytest.approx(profile.cores * profile.wall)
    assert causes["reading views"] == 1.5


def test_a_run_begins_after_a_long_pause(logs):
    given = SimpleNamespace(log=[str(logs / "views/old.log")])
    write_usage(given, Usage(-5000.0, -4000.0, 1.0, 1.0, "fork"))
    jobs = read_jobs(logs)
    assert len(jobs) == len(JOBS) + 1
    assert list(last_run(jobs)["job"]) == list(JOBS)
    assert profile_of(logs, load_registry()).earlier == 1


def test_breaks_are_cut_out(logs):
    given = SimpleNamespace(log=[str(logs / "page/data.log")])
    write_usage(given, Usage(435.0, 437.0, 1.0, 1.0, "fork"))
    profile = profile_of(logs, load_registry())
    assert profile.breaks == 300
    assert profile.wall == 37
    assert sum(profile.causes().values()) == pytest.approx(profile.cores * profile.wall)


def test_no_lane_holds_two_jobs_at_a_time(rng):
    for _ in range(30):
        start = pd.Series(rng.uniform(0, 50, 40)).sort_values(ignore_index=True)
        jobs = pd.DataFrame({"start": start, "end": start + rng.uniform(0, 9, 40)})
        jobs["lane"] = lanes(jobs)
        at_once = max(((jobs["start"] <= t) & (jobs["end"] > t)).sum() for t in jobs["start"])
        assert jobs["lane"].max() + 1 == at_once
        for _, lane in jobs.groupby("lane"):
            assert (lane["start"].iloc[1:].to_numpy() >= lane["end"].iloc[:-1].to_numpy()).all()


def test_the_longest_chain_is_the_longest_of_all_chains(rng):
    for _ in range(30):
        names = [f"{number}" for number in range(int(rng.integers(1, 8)))]
        waits = {
            name: [earlier for earlier in names[:place] if rng.random() < 0.4]
            for place, name in enumerate(names)
        }
        seconds = {name: float(rng.uniform(0.1, 9)) for name in names}
        chains = [
            chain
            for size in range(1, len(names) + 1)
            for chain in itertools.combinations(names, size)
            if all(a in waits[b] for a, b in itertools.pairwise(chain))
        ]
        longest = max(chains, key=lambda chain: sum(seconds[name] for name in chain))
        assert critical_path(waits, seconds) == list(longest)


def test_what_a_job_asks_for():
    assert asked("views/never_built") == 3000
    assert asked("fit/multiview_hier/cora/no_such_job") != asked("views/never_built")
    assert pd.isna(asked("manifest"))


def test_what_is_no_measurement_is_named(tmp_path, capsys):
    assert main(["profile", "--logs", str(tmp_path)]) == 2
    assert "no measured jobs below" in capsys.readouterr().err
    (tmp_path / "x.usage.tsv").write_text("a\tb\n1\t2\n")
    with pytest.raises(ValueError, match=r"x\.usage\.tsv does not say what a job used"):
        read_jobs(tmp_path)
