"""Tables beside print hold every cell once; what is read is what was scored."""

import base64
import io
import shutil

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from results_tree import Tree, stamp_result

from reproduction.pages import results as reading
from reproduction.pages import tables
from reproduction.results.rows import read_table
from reproduction.verdicts.data_facts import data_name


@pytest.fixture
def shown(monkeypatch):
    """Return what a notebook showed last, parsed."""
    markups = []
    monkeypatch.setattr("IPython.display.display", lambda shown: markups.append(shown.data))
    return lambda: BeautifulSoup(markups[-1], "html.parser")


def rows_of(soup):
    return [[cell.text for cell in row(["th", "td"])] for row in soup.select("tbody tr")]


def test_a_table_downloads_what_it_shows(shown):
    frame = pd.DataFrame(
        {"a & b": ["x_1", "<i>"], "v": [1.23456789, None], "verdict": ["holds", "refuted"]}
    )
    tables.show_table(frame, "My table", "What it <shows>", targets=["results/x.csv"])
    soup = shown()
    assert soup.select_one("section")["id"] == "table-my-table"
    assert [th.text for th in soup.select("thead th")] == ["a & b", "v", "verdict"]
    assert rows_of(soup) == [["x_1", "1.23", "✓ holds"], ["<i>", "", "✗ refuted"]]
    (link,) = soup.select(".downloads a")
    assert link["download"] == "my-table.csv"
    kind, packed = link["href"].split(";base64,")
    assert kind == "data:text/csv;charset=utf-8"
    assert pd.read_csv(io.BytesIO(base64.b64decode(packed)))["v"].iloc[0] == 1.23456789
    assert "snakemake --cores all results/x.csv" in soup.select_one(".rerun").text


@pytest.mark.parametrize(
    ("paper", "table", "across"),
    [
        ("mvplsa", "3", [f"{share} % labelled" for share in range(1, 6)]),
        ("coplsa_clustering", "1", ["accuracy %", "NMI %"]),
        ("twoview_pa", "2", ["F1 %"]),
        ("multiview_hier", "2", ["10 % labelled", "30 % labelled", "average rank"]),
    ],
)
def test_a_published_table_shows_every_cell_once(results, shown, paper, table, across):
    tables.published_table(paper, table)
    soup = shown()
    ledger = reading.load_ledger(paper)
    ledger = ledger[ledger["table"] == table].set_index("cell")
    found = [td for td in soup.select("td.cell") if "v-none" not in td["class"]]
    names = [td["title"].split("\n")[0] for td in found]
    assert sorted(names) == sorted(ledger.index)
    assert [th.text for th in soup.select("thead")[-1]("th")][-len(across) :] == across
    for name, td in zip(names, found, strict=True):
        row = ledger.loc[name]
        assert "v-" + row["agreement"].replace(" ", "-") in td["class"]
        for column, css in (("ours", ".ours"), ("published", ".published")):
            told = tables.figure(row[column], row[f"{column}_std"], row["metric"])
            assert td.select_one(css).text == told.partition(" ")[0]
            assert row["agreement"] == "not run" or told in td["title"]
    commands = soup.select_one(".rerun pre").text
    assert all(f"snakemake --cores all {target}" in commands for target in ledger["target"])


def test_what_print_lacks_has_no_verdict_and_is_not_mixed_in(results, shown, monkeypatch):
    tables.published_table("twoview_pa", "2")
    folded = shown().select("details.appendix tbody tr")
    rows = {tuple(c.text for c in tr(["th", "td"])[:2]): tr for tr in folded}
    for key in ((data_name("opinion_spam"), "PA View 1"), ("Ads", "majority (control)")):
        assert "v-none" in rows[key].select("td.cell")[0]["class"]
    tables.published_table("twoview_pa", "2", extras=False)
    assert data_name("opinion_spam") not in shown().text
    with pytest.raises(ValueError, match="no published table '9'"):
        tables.published_table("mvplsa", "9")
    rows = tables.load_results("multiview_hier")  # nor what was run at other settings
    other = rows[rows["table"] == "3"].assign(scored="unlabelled", value=99.0)
    monkeypatch.setattr(tables, "load_results", lambda paper: pd.concat([rows, other]))
    tables.published_table("multiview_hier", "3")
    assert "99.0" not in shown().text


def test_cells_that_were_not_run_say_so(tmp_path, monkeypatch, shown):
    tree = Tree(tmp_path, papers=("twoview_pa",))
    path = tree.file("twoview_pa", "ads")
    rows = read_table(path)
    rows[rows["method"] != "PA Cat"].to_csv(path, index=False)
    stamp_result("twoview_pa", path)
    tree.score("twoview_pa", partial=True)
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tree.results))
    tables.published_table("twoview_pa", "2")
    assert [td.select_one(".ours").text for td in shown().select("td.v-not-run")] == ["not run"]
    assert shown().select(".note .tally")[-1].text == "· not run 1"


def test_provenance_says_what_is_compared(results):
    found = BeautifulSoup(tables.provenance_table("twoview_pa").__html__(), "html.parser")
    kinds = {row[0]: (row[2], row[4]) for row in rows_of(found)}
    assert kinds[data_name("opinion_spam")] == ("stand-in", "no")
    assert kinds[data_name("ads")] == ("same", "yes")


def test_what_lies_beside_a_ledger_is_made_in_the_folder_of_its_targets(monkeypatch):
    for targets, folder in (["", "build/quick/results/sgc/a/b.csv"], "build/quick/"), ([""], ""):
        frame = pd.DataFrame({"target": targets})
        monkeypatch.setattr(reading, "load_ledger", lambda paper, frame=frame: frame)
        assert reading.result_target("sgc", "gaps.csv") == f"{folder}results/sgc/gaps.csv"


def test_files_left_by_older_jobs_are_not_read(tmp_path, monkeypatch):
    tree = Tree(tmp_path, papers=("mvplsa",))
    tree.score("mvplsa")
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tree.results))
    before = [load("mvplsa") for load in (reading.load_results, reading.load_timings)]
    for ending in (".csv", ".json", ".timing.csv"):
        now = tree.file("mvplsa", "cornell").with_suffix(ending)
        shutil.copy(now, now.with_name(f"renamed{ending}"))
    for load, rows in zip((reading.load_results, reading.load_timings), before, strict=True):
        pd.testing.assert_frame_equal(load("mvplsa"), rows)


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path / "none"))
    with pytest.raises(ValueError, match=r"no folder .*none; run `make quick`"):
        reading.load_ledger()
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))
    for load, name in ((reading.load_ledger, "ledger.csv"), (reading.load_results, "scored.json")):
        with pytest.raises(ValueError, match=f"snakemake --cores all results/mvplsa/{name}"):
            load("mvplsa")
    with pytest.raises(ValueError, match="unknown paper 'plsa'"):
        reading.load_results("plsa")
    monkeypatch.delenv("MANYVIEWS_RESULTS")
    (tmp_path / "results" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "results" / "deep")
    assert reading.results_root() == tmp_path / "results"
    quick = tmp_path / "clone" / "build" / "quick" / "results"
    (tmp_path / "clone" / "notebooks").mkdir(parents=True)
    quick.mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "clone" / "notebooks")
    with pytest.warns(UserWarning, match="quick run"):
        assert reading.results_root() == quick
