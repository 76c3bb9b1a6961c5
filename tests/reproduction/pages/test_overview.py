"""The front page, the explorer's rows and README say what the tables beside them hold."""

import pytest
from bs4 import BeautifulSoup
from results_tree import ROOT

from reproduction.pages.cells import counts_markdown
from reproduction.pages.claims import false_words
from reproduction.pages.overview import README_END, README_START, readme_block, update_readme
from reproduction.results.published import load_published
from reproduction.results.rows import read_table
from reproduction.rooms import controls, find_papers, paper_keys
from reproduction.verdicts.replication import headline
from reproduction.workflow.commands import main

pytestmark = pytest.mark.xdist_group("report")  # the report is made once
COMMITTED = ROOT / "reports"
#: Minus signs and fixed spaces of the page as sentences write them.
PLAIN = str.maketrans({"−": "-", "\u00a0": " "})


def tables_in(folder):
    """Ledger, gaps and claims of a report."""
    return [read_table(folder / "tables" / f"{name}.csv") for name in ("ledger", "gaps", "claims")]


def soup_of(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@pytest.fixture(params=["invented", "committed"])
def report(request, reports):
    """The invented report, and the committed one when there is one."""
    if request.param == "committed" and not (COMMITTED / "index.html").is_file():
        pytest.skip("no report is committed")
    return reports if request.param == "invented" else COMMITTED


def test_the_counts_on_the_page_are_those_of_the_csv(report):
    """Own data, each number once, both readings."""
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
    index = soup_of(reports / "index.html")
    assert headline(*tables_in(reports))[0] in index.select_one("main .lead").text.translate(PLAIN)
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


def test_every_cell_and_main_claim_is_reached(reports):
    ledger, _, claims = tables_in(reports)
    rows = soup_of(reports / "ledger.html").select("#cells > li")
    assert [row["id"] for row in rows] == [f"cell/{cell}" for cell in ledger["cell"]]
    words = [row.select_one(".badge").text.split(" ", 1)[1] for row in rows]
    assert words == list(ledger["agreement"])
    index, told = soup_of(reports / "index.html"), claims.set_index("id")
    for key, card in find_papers().items():
        cell = index.select(f"#paper-{key} td")[1]
        run = [name for name in card.main_claims if f"{key}.{name}" in told.index]
        names, links = ([f"{key}{mid}{n}" for n in run] for mid in (".", ".html#claim-"))
        assert [link["href"] for link in cell.select("a")] == links
        badges = [badge.text.split(" ", 1)[1] for badge in cell.select(".badge")]
        words = [list(dict.fromkeys(told.loc[n, ["text", "inferred"]])) for n in names]
        assert badges == [word for both in words for word in both]


def test_the_counts_of_claims_are_those_of_the_table(reports):
    ledger, _, claims = tables_in(reports)
    own = claims[(claims["counts"] == "yes") & ~claims["paper"].isin(controls())]
    tested = (own["text"] != "untestable").sum()
    assert f"{0.05 * tested:.1f} of {tested}" in false_words(claims)
    last = counts_markdown(ledger, claims).splitlines()[-1]
    hold = " / ".join(str((own[name] == "holds").sum()) for name in ("text", "inferred"))
    assert f"{hold} of {len(own)}" in last


def test_readme_is_updated_between_its_markers(tmp_path, reports, capsys):
    tables = tables_in(reports)
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{README_START}\nstale\n{README_END}\nafter\n")
    assert update_readme(readme, *tables)
    text = readme.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "stale" not in text
    assert all(said in text for said in headline(*tables))
    assert not update_readme(readme, *tables)
    readme.write_text("no markers")
    with pytest.raises(ValueError, match="lacks the markers"):
        update_readme(readme, *tables)
    assert main(["readme", "--readme", str(readme), "--tables", str(tmp_path)]) == 2
    assert "run the workflow first" in capsys.readouterr().err


def test_the_committed_readme_agrees_with_the_committed_ledger():
    """Holds when no run is committed yet: README then shows no numbers either."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    if (COMMITTED / "tables" / "ledger.csv").is_file():
        assert readme_block(*tables_in(COMMITTED)) in text, "run `python -m reproduction readme`"
    else:
        assert "equivalent" not in text.partition(README_START)[2].partition(README_END)[0]
