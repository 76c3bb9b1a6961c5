import base64
import io
import math
import re
import shutil
from importlib import resources

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from results_tree import Tree, stamp_result

from reproduction.pages import cells, tables
from reproduction.pages import results as reading
from reproduction.pages.claims import claims_table
from reproduction.pages.data_names import data_name
from reproduction.pages.markup import (
    Cell,
    Table,
    badge,
    slug,
    table_html,
)
from reproduction.results.rows import read_table
from reproduction.verdicts.words import AGREEMENT, CLAIM


@pytest.fixture
def shown(monkeypatch):
    """Markup that a notebook would show, parsed."""
    markups = []
    monkeypatch.setattr("IPython.display.display", lambda shown: markups.append(shown.data))
    return markups


def parsed(markups):
    return BeautifulSoup(markups[-1], "html.parser")


def download(soup, label):
    link = next(a for a in soup.select(".downloads a") if a.text == label)
    kind, packed = link["href"].split(";base64,")
    return link["download"], kind, base64.b64decode(packed).decode()


def test_a_table_downloads_what_it_shows(shown):
    frame = pd.DataFrame(
        {"a & b": ["x_1", "<i>"], "v": [1.23456789, None], "verdict": ["holds", "refuted"]}
    )
    tables.show_table(frame, "My table", "What it <shows>", targets=["results/x.csv"])
    soup = parsed(shown)
    assert soup.select_one("section")["id"] == "table-my-table"
    assert [th.text for th in soup.select("thead th")] == ["a & b", "v", "verdict"]
    assert [c.text for c in soup.select("tbody tr")[0].find_all(["th", "td"])] == [
        "x_1",
        "1.23",
        "✓ holds",
    ]
    assert soup.select("tbody tr")[1].find("th").text == "<i>"
    name, kind, text = download(soup, "CSV")
    assert (name, kind) == ("my-table.csv", "data:text/csv;charset=utf-8")
    assert pd.read_csv(io.StringIO(text))["v"].iloc[0] == 1.23456789
    assert "snakemake --cores all results/x.csv" in soup.select_one(".rerun").text


@pytest.mark.parametrize(
    ("mean", "deviation", "text"),
    [(-0.01, math.nan, "0.0"), (-0.06, math.nan, "-0.1"), (-0.01, 0.2, "0.0 ± 0.2")],
)
def test_what_rounds_to_nothing_has_no_sign(mean, deviation, text):
    assert tables.figure(mean, deviation, "accuracy_pct") == text


@pytest.mark.parametrize("verdict", [*AGREEMENT, *CLAIM])
def test_a_verdict_has_its_own_colour_and_mark(verdict):
    """Its class is the one the style sheet paints; no two words share a mark and a class."""
    found = badge(verdict)
    (shown,) = BeautifulSoup(found.markup, "html.parser").select("span.badge")
    assert shown["class"] == ["badge", "v-" + "-".join(verdict.split())]
    assert shown.text.endswith(verdict)
    style = (resources.files("reproduction.pages") / "assets" / "page.css").read_text()
    assert f".v-{'-'.join(verdict.split())}" in style


def test_a_ragged_table_is_refused():
    with pytest.raises(ValueError, match="1 cells, the header 2"):
        table_html(Table("t", "c", ["a", "b"], [[Cell("1", "1")]], ""))
    with pytest.raises(ValueError, match="letters or digits"):
        slug("§")


@pytest.mark.parametrize(
    ("paper", "table", "across"),
    [
        (
            "mvplsa",
            "3",
            ["1 % labelled", "2 % labelled", "3 % labelled", "4 % labelled", "5 % labelled"],
        ),
        ("coplsa_clustering", "1", ["accuracy %", "NMI %"]),
        ("twoview_pa", "2", ["F1 %"]),
        ("multiview_hier", "2", ["10 % labelled", "30 % labelled", "average rank"]),
    ],
)
def test_a_published_table_shows_every_cell_once(results, shown, paper, table, across):
    tables.published_table(paper, table)
    soup = parsed(shown)
    ledger = reading.load_ledger(paper)
    ledger = ledger[ledger["table"] == table]
    cells = [td for td in soup.select("td.cell") if "v-none" not in td["class"]]
    assert sorted(td["title"].split("\n")[0] for td in cells) == sorted(ledger["cell"])
    assert [th.text for th in soup.select("thead th")][-len(across) :] == across
    for word, count in ledger["agreement"].value_counts().items():
        css = "v-" + word.replace(" ", "-")
        assert len([td for td in cells if css in td["class"]]) == count
    commands = soup.select_one(".rerun pre").text
    for target in set(ledger["target"]):
        assert f"snakemake --cores all {target}" in commands


def test_controls_and_stand_ins_have_no_verdict(results, shown):
    tables.published_table("twoview_pa", "2")
    soup = parsed(shown)
    rows = {
        tuple(c.text for c in tr.find_all(["th", "td"])[:2]): tr for tr in soup.select("tbody tr")
    }
    for key in ((data_name("opinion_spam"), "PA View 1"), ("Ads", "majority (control)")):
        assert "v-none" in rows[key].select("td.cell")[0]["class"]
    tables.published_table("twoview_pa", "2", extras=False)
    assert data_name("opinion_spam") not in shown[-1]


def test_cells_that_were_not_run_say_so(tmp_path, monkeypatch, shown):
    tree = Tree(tmp_path, papers=("twoview_pa",))
    path = tree.file("twoview_pa", "ads")
    rows = read_table(path)
    rows[rows["method"] != "PA Cat"].to_csv(path, index=False)
    stamp_result("twoview_pa", path)
    tree.score("twoview_pa", partial=True)
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tree.results))
    tables.published_table("twoview_pa", "2")
    soup = parsed(shown)
    assert [td.select_one(".ours").text for td in soup.select("td.v-not-run")] == ["not run"]
    assert soup.select(".note .tally")[-1].text == "· not run 1"
    assert "left out by" not in soup.select_one(".note").text


def test_the_ledger_reads_as_percent_and_deviation(results, shown):
    tables.published_table("mvplsa", "3")
    first = parsed(shown).select_one("td.cell")
    assert first.select_one(".published").text == "82.1 ± 3.7"
    assert re.fullmatch(r"\d\d\.\d ± \d\.\d", first.select_one(".ours").text)


def test_an_unknown_table_is_named(results):
    with pytest.raises(ValueError, match="no published table '9'"):
        tables.published_table("mvplsa", "9")


def test_claims_provenance_and_run_times(results, shown):
    claims_table("mvplsa")
    badges = [b.text for b in parsed(shown).select(".three .badge")]
    assert badges == ["✓ holds"] * 3 + ["– untestable"] * 3
    tables.provenance_table()
    text = parsed(shown).text
    assert data_name("opinion_spam") in text
    assert "stand-in" in text


def test_files_left_by_older_jobs_are_not_read(tmp_path, monkeypatch):
    tree = Tree(tmp_path, papers=("mvplsa",))
    tree.score("mvplsa")
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tree.results))
    rows, timings = reading.load_results("mvplsa"), reading.load_timings("mvplsa")
    for ending in (".csv", ".json", ".timing.csv"):
        now = tree.file("mvplsa", "cornell").with_suffix(ending)
        shutil.copy(now, now.with_name(f"renamed{ending}"))
    pd.testing.assert_frame_equal(reading.load_results("mvplsa"), rows)
    pd.testing.assert_frame_equal(reading.load_timings("mvplsa"), timings)
    with pytest.raises(ValueError, match="no results of mvplsa cornell renamed"):
        reading.load_results("mvplsa", "cornell", "renamed")


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="MANYVIEWS_RESULTS names"):
        reading.load_ledger()
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))
    with pytest.raises(ValueError, match=r"snakemake --cores all results/mvplsa/ledger\.csv"):
        reading.load_ledger("mvplsa")
    with pytest.raises(ValueError, match="unknown paper 'plsa'"):
        reading.load_results("plsa")
    with pytest.raises(
        ValueError, match=r"scored\.json is not there; .*results/mvplsa/scored\.json"
    ):
        reading.load_results("mvplsa")
    monkeypatch.delenv("MANYVIEWS_RESULTS")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="no folder 'results'"):
        reading.results_root()
    (tmp_path / "results" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "results" / "deep")
    assert reading.results_root() == tmp_path / "results"


def test_rows_at_settings_that_print_lacks_are_not_mixed_in(results, shown, monkeypatch):
    rows = tables.load_results("multiview_hier")
    other = rows[rows["table"] == "3"].assign(scored="unlabelled", value=99.0)
    assert len(other)
    monkeypatch.setattr(tables, "load_results", lambda paper: pd.concat([rows, other]))
    tables.published_table("multiview_hier", "3")
    assert "99.0" not in parsed(shown).text


def test_a_gap_shows_the_interval_of_the_difference(results, shown, monkeypatch):
    """It is that of ours minus published, which holds their difference, not that of ours."""
    gap = {
        "table": "3", "dataset": "Cora", "setting": "train=10%", "metric": "accuracy",
        "method": "A", "other": "B", "published": 12.8, "ours": 11.9, "low": -2.71, "high": 0.867,
        "agreement": "compatible", "text_ours": 11.9, "text_agreement": "compatible",
        "data": "same",
    }  # fmt: skip
    lacking = gap | {"ours": math.nan, "low": math.nan, "high": math.nan}
    monkeypatch.setattr(cells, "load_gaps", lambda paper: pd.DataFrame([gap, lacking]))
    cells.gaps_table("multiview_hier")
    soup = parsed(shown)
    names = [th.text for th in soup.select("thead th")]
    rows = [[c.text for c in row.find_all(["th", "td"])] for row in soup.select("tbody tr")]
    assert [row[names.index("ours − published")] for row in rows] == ["-2.71 to 0.867", ""]
    # what all rows share is said once
    assert not {"table", "data set", "setting", "metric"} & set(names)
    assert "All rows: Table 3, Cora, 10 % labelled, accuracy." in soup.text
