"""The front page, the explorer's rows and README say what the tables beside them hold."""

import re
import shutil

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from results_tree import ROOT

from reproduction.compare.ranks import standing_of
from reproduction.pages.claims import false_words
from reproduction.pages.front import outcome, outcome_figure
from reproduction.pages.markup import write_block
from reproduction.pages.overview import readme_block
from reproduction.results.published import load_published
from reproduction.results.rows import read_table
from reproduction.rooms import controls, find_papers, paper_keys
from reproduction.verdicts.replication import headline
from reproduction.workflow.commands import main

pytestmark = pytest.mark.xdist_group("report")  # the report is made once
COMMITTED = ROOT / "reports"
ABSENT = ("not run", "not comparable")
#: Minus signs and fixed spaces of the page as sentences write them.
PLAIN = str.maketrans({"−": "-", "\u00a0": " "})


def tables_in(folder):
    """Ledger, gaps and claims of a report."""
    return [read_table(folder / "tables" / f"{name}.csv") for name in ("ledger", "gaps", "claims")]


def soup_of(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@pytest.mark.parametrize("made", ["invented", "committed"])
def test_the_counts_on_the_page_are_those_of_the_csv(reports, made):
    """Own data, each number once, both readings."""
    report = reports if made == "invented" else COMMITTED
    ledger = tables_in(report)[0]
    assert len(ledger) == sum(len(load_published(paper)) for paper in paper_keys())
    own = ledger[(ledger["data"] == "same") & (ledger["repeats"] == "")]
    own = own[~own["agreement"].isin(["not run", "not comparable"])]
    words = soup_of(report / "reading.html")
    head = [th.text for th in words.select("#table-verdicts thead th")]
    rows = words.select("#table-verdicts tbody tr")
    papers = [*dict.fromkeys(ledger["paper"]), None]
    order = [(paper, prefix) for paper in papers for prefix in ("text_", "")]
    for row, (paper, prefix) in zip(rows, order, strict=True):
        shown = dict(zip(head, (cell.text for cell in row(["th", "td"])), strict=True))
        part = own[~own["paper"].isin(controls()) if paper is None else own["paper"] == paper]
        assert int(shown["cells"]) == len(part)
        for word in ("equivalent", "compatible", "near", "different", "not run"):
            assert int(shown[word]) == (part[f"{prefix}agreement"] == word).sum()


def test_numbers_in_sentences_are_those_of_the_tables(reports):
    """Every number in a sentence or picture of the front page is in the table of findings."""
    index, said = soup_of(reports / "index.html"), headline(*tables_in(reports))
    summary = (reports / "SUMMARY.md").read_text(encoding="utf-8")
    top = " ".join(part.text for part in index.select("main h1, main .lead, main .note"))
    for sentence in said:
        assert sentence in summary
        assert sentence in top.translate(PLAIN)
    found = read_table(reports / "tables" / "findings.csv", ["value"])
    places = index.select("#paper-by-paper ~ .papers td:last-child, .finding p:not(.links)")
    for place in places:
        shown = {e["data-n"]: float(e["value"]) for e in place.select("data")}
        text = place.text.translate(PLAIN).strip()
        numbers = found[found["text"] == text]
        assert shown == dict(zip(numbers["name"], numbers["value"], strict=True)), text
    for box in index.select(".finding"):
        lines = found[(found["part"] == box.h3.text) & found["name"].str.contains(": ")]
        assert len(lines), box.h3.text
        for name, value in zip(lines["name"], lines["value"], strict=True):
            assert f"{name.replace(': ', ' (')}) {value:.3g}" in box.svg["aria-label"]


@pytest.mark.parametrize("made", ["invented", "committed"])
def test_wins_and_losses_in_print_are_counted_apart(reports, made):
    ledger, gaps, claims = tables_in(reports if made == "invented" else COMMITTED)
    told = headline(ledger, gaps, claims)
    for sentence, prefix in ((told[0], ""), (told[3], "text_")):
        back = {True: [], False: []}
        for gap in gaps.to_dict("records"):
            own = gap["data"] == "same" and not gap["repeats"] and gap["paper"] not in controls()
            if own and gap["published"] and gap[f"{prefix}agreement"] not in ABSENT:
                won = (gap["published"] > 0) != (gap["metric"] == "error_pct")
                back[won].append(gap[f"{prefix}same_sign"] == "yes")
        numbers = [int(word) for word in re.findall(r"\d+", sentence)]
        won, lost = (sum(back[key]) for key in (True, False))
        known = [won, lost] if prefix else [won, len(back[True]), lost, len(back[False])]
        assert numbers[: len(known)] == known


def test_bars_of_the_outcome_are_shares_and_carry_their_words():
    ledger, _, claims = tables_in(COMMITTED)
    (axes,) = outcome_figure(ledger, claims).axes
    bars = [bar for container in axes.containers for bar in container]
    for place, (words, luck) in enumerate(outcome(ledger, claims).values()):
        drawn = [bar for bar in bars if round(bar.get_y() + bar.get_height() / 2) == place]
        shares = 100 * words[words > 0] / words.sum()
        assert [bar.get_width() for bar in drawn] == pytest.approx(shares.tolist())
        assert [bar.get_x() for bar in drawn] == pytest.approx([0, *shares.cumsum()[:-1]])
        told = {text.get_position()[0]: text.get_text() for text in axes.texts
                if text.get_position()[1] == place}  # fmt: skip
        for bar, number in zip(drawn, words[words > 0], strict=True):
            middle = bar.get_x() + bar.get_width() / 2
            near = [said for at, said in told.items() if at == pytest.approx(middle)]
            assert bar.get_width() < 4 or near[0].split()[0] == str(number)
        lines = [line.get_xdata()[0] for line in axes.lines
                 if abs(np.mean(line.get_ydata()) - place) < 0.5]  # fmt: skip
        marks = 2 if np.isfinite(luck) else 0  # above and below the bar
        assert lines == pytest.approx([100 * luck / words.sum()] * marks)


def test_every_cell_and_main_claim_is_reached(reports):
    ledger, _, claims = tables_in(reports)
    rows = soup_of(reports / "ledger.html").select("#cells > li")
    assert [row["id"] for row in rows] == [f"cell/{cell}" for cell in ledger["cell"]]
    words = [row.select_one(".badge").text.split(" ", 1)[1] for row in rows]
    assert words == list(ledger["agreement"])
    index, told = soup_of(reports / "index.html"), claims.set_index("id")
    own = claims[(claims["counts"] == "yes") & ~claims["paper"].isin(controls())]
    tested = (own["text"] != "untestable").sum()
    assert f"{0.05 * tested:.1f} of {tested}" in false_words(claims)
    for key, card in find_papers().items():
        cell = index.select(f"#paper-{key} td")[1]
        run = [name for name in card.main_claims if f"{key}.{name}" in told.index]
        names, links = ([f"{key}{mid}{n}" for n in run] for mid in (".", ".html#claim-"))
        assert [link["href"] for link in cell.select("a")] == links
        badges = [badge.text.split(" ", 1)[1] for badge in cell.select(".badge")]
        words = [list(dict.fromkeys(told.loc[n, ["text", "inferred"]])) for n in names]
        assert badges == [word for both in words for word in both]


def test_readme_is_updated_between_its_markers(tmp_path, reports):
    text, readme = readme_block(*tables_in(reports)), tmp_path / "README.md"
    start, end = (f"<!-- ledger:{name} -->" for name in ("start", "end"))
    readme.write_text(f"before\n{start}\nstale\n{end}\nafter\n")
    assert write_block(readme, "ledger", text)
    assert readme.read_text() == f"before\n{start}\n{text}\n{end}\nafter\n"
    assert all(said in text for said in headline(*tables_in(reports)))
    assert not write_block(readme, "ledger", text)
    with pytest.raises(ValueError, match="lacks the markers"):
        write_block(readme, "other", text)


def test_the_committed_readme_agrees_with_the_committed_ledger(tmp_path, monkeypatch, capsys):
    for part in ("docs", "reports/tables"):
        shutil.copytree(ROOT / part, tmp_path / part)
    shutil.copy(ROOT / "README.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["readme"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in ("README.md", "choosing.md", "mvplsa.md"))
    assert "updated" not in said, "run `python -m reproduction readme`"


def test_a_method_of_a_paper_that_never_leads_is_marked():
    """Counted by hand: ranks of three methods on five data sets, ties shared."""
    rows = [
        {"comparison": f"c{i}", "asked": "draws", "kind": "method", "name": name, "title": name,
         "family": family, "score": score}
        for i in range(5)
        for name, family, score in (
            ("a", "paper", 0.5), ("b", "plain", 0.9), ("c", "paper", 0.9 if i == 4 else 0.1),
        )
    ]  # fmt: skip
    scores = pd.DataFrame(rows)
    assert standing_of(scores, "a") == (
        "a. **Of the paper, not for use**: it is never the best. Few labels, rank 2.2 of 3.0 "
        "methods on the mean of 5 data sets, best on 0."
    )
    assert "not for use" not in standing_of(scores, "c") + standing_of(scores, "b")
    assert "not for use" not in standing_of(scores[scores["comparison"] != "c4"], "a")
