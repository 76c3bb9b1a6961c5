import pytest
from bs4 import BeautifulSoup
from results_tree import ROOT

from reproduction.pages.cells import counts_markdown
from reproduction.pages.claims import false_words
from reproduction.pages.overview import README_END, README_START, readme_block, update_readme
from reproduction.results.published import load_published
from reproduction.results.rows import read_table
from reproduction.rooms import controls, paper_keys
from reproduction.verdicts.headline import headline
from reproduction.workflow.commands import main

pytestmark = pytest.mark.xdist_group("report")  # the report is made once


def tables_in(folder):
    """Ledger, gaps and claims of a report."""
    return [read_table(folder / "tables" / f"{name}.csv") for name in ("ledger", "gaps", "claims")]


@pytest.fixture(scope="module")
def tables(reports):
    return tables_in(reports)


def soup_of(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@pytest.fixture(scope="module")
def index(reports):
    return soup_of(reports / "index.html")


@pytest.fixture(scope="module")
def words(reports):
    """The page that defines the words and counts them in full."""
    return soup_of(reports / "reading.html")


def rows_of(soup, name):
    head = [th.text for th in soup.select(f"#table-{name} thead th")]
    return [
        dict(zip(head, (c.text for c in tr.find_all(["th", "td"])), strict=True))
        for tr in soup.select(f"#table-{name} tbody tr")
    ]


def counted_on_the_page(words, ledger):
    """Counts on the page are those of the table: own data, each number once, both readings."""
    own = ledger[(ledger["data"] == "same") & (ledger["repeats"] == "")]
    own = own[~own["agreement"].isin(["not run", "not comparable"])]
    shown = rows_of(words, "verdicts")
    papers = dict.fromkeys(ledger["paper"])
    order = [(paper, name) for paper in [*papers, None] for name in ("text_", "")]
    for row, (paper, prefix) in zip(shown, order, strict=True):
        part = own[~own["paper"].isin(controls()) if paper is None else own["paper"] == paper]
        assert int(row["cells"]) == len(part)
        for word in ("equivalent", "compatible", "near", "different", "not run"):
            assert int(row[word]) == (part[f"{prefix}agreement"] == word).sum()


def test_the_counts_on_the_page_are_those_of_the_csv(words, tables):
    counted_on_the_page(words, tables[0])


def test_every_cell_and_claim_is_reached(index, reports, tables):
    ledger, _, claims = tables
    assert len(ledger) == sum(len(load_published(paper)) for paper in paper_keys())
    rows = soup_of(reports / "ledger.html").select("#cells > li")
    assert [row["id"] for row in rows] == [f"cell/{cell}" for cell in ledger["cell"]]
    assert [row.select_one(".badge").text.split(" ", 1)[1] for row in rows] == list(
        ledger["agreement"]
    )
    for paper in paper_keys():
        own = claims[(claims["paper"] == paper) & (claims["origin"] == "published")]
        marks = index.select(f"#paper-{paper} .claim-strip a")
        links = [f"{paper}.html#claim-{name.partition('.')[2]}" for name in own["id"]]
        assert [mark["href"] for mark in marks] == 3 * links
        told = [mark["title"].partition(":")[0] for mark in marks]
        titles = {"in_print": "in print", "text": "text", "inferred": "inferred"}
        assert told == [f"{title} {word}" for name, title in titles.items() for word in own[name]]


def test_the_counts_of_claims_are_those_of_the_table(tables):
    ledger, _, claims = tables
    own = claims[(claims["counts"] == "yes") & ~claims["paper"].isin(controls())]
    tested = (own["text"] != "untestable").sum()
    assert f"{0.05 * tested:.1f} of {tested}" in false_words(claims)
    last = counts_markdown(ledger, claims)[-1]
    hold = " / ".join(str((own[name] == "holds").sum()) for name in ("text", "inferred"))
    assert f"{hold} of {len(own)}" in last


def test_readme_is_updated_between_its_markers(tmp_path, tables, capsys):
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


#: Minus signs and fixed spaces of the page as sentences write them.
PLAIN = str.maketrans({"−": "-", "\u00a0": " "})


def numbers_follow(folder):
    """Every number in a sentence of the front page is that of the ledger or of the findings."""
    index = soup_of(folder / "index.html")
    for said in headline(*tables_in(folder)):
        assert said in index.select_one("main .lead").text.translate(PLAIN)
    found = read_table(folder / "tables" / "findings.csv", ["value"])
    for paper, part in found.groupby("paper"):
        for text, numbers in part.groupby("text"):
            places = [
                place
                for place in index.select(f"#paper-{paper} .lead, .findings li")
                if text in place.text.translate(PLAIN)
            ]
            assert places, f"the page lacks: {text}"
            shown = {e["data-n"]: float(e["value"]) for e in places[0].select("data")}
            assert shown == dict(zip(numbers["name"], numbers["value"], strict=True))
    told = set(found["text"])
    for place in index.select(".papers .lead, .findings li"):
        assert any(text in place.text.translate(PLAIN) for text in told), place.text


def test_numbers_in_sentences_are_those_of_the_tables(reports):
    numbers_follow(reports)


def test_the_committed_readme_agrees_with_the_committed_ledger():
    """Holds when no run is committed yet: README then shows no numbers either."""
    folder = ROOT / "reports" / "tables"
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    if not (folder / "ledger.csv").is_file():
        between = text.partition(README_START)[2].partition(README_END)[0]
        assert "equivalent" not in between
        return
    assert readme_block(*tables_in(folder.parent)) in text, "run `python -m reproduction readme`"


def test_the_committed_page_agrees_with_the_committed_ledger():
    folder = ROOT / "reports"
    pages = [folder / "index.html", folder / "tables" / "ledger.csv"]
    there = [path.is_file() for path in pages]
    assert all(there) or not any(there), "commit the overview and its tables together"
    if not all(there):
        return
    ledger = read_table(folder / "tables" / "ledger.csv")
    counted_on_the_page(soup_of(folder / "reading.html"), ledger)
    numbers_follow(folder)
    assert len(ledger) == sum(len(load_published(paper)) for paper in paper_keys())
