"""The invented results every test here reads, and the pages made of them once a session."""

import os

import browser
import nbformat
import pytest
from playwright.sync_api import sync_playwright
from results_tree import ROOT, Tree

PAPER_CELL = """
from IPython.display import HTML, Markdown, display
from reproduction.pages.figures import curve, new_figure, show_figure
from reproduction.pages.results import load_results
from reproduction.pages import tables
from reproduction.pages.claims import claims_table

rows = load_results("mvplsa")
display(Markdown(f"Rows: **{len(rows)}**, and $P(z\\\\mid d)$."))
tables.published_table("mvplsa", "3")
tables.published_table("twoview_pa", "2")
claims_table("mvplsa")
display(HTML(tables.provenance_table("mvplsa").__html__()))
figure, axes = new_figure()
part = rows[rows["method"] == "MVPLSA"]
curve(axes, part, "rate", label="MVPLSA")
show_figure(figure, "curve", "accuracy over r", "Accuracy over the labelled share.")
"""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Skip here and not in a fixture: one line then stands for all tests, and no page is made."""
    if item.get_closest_marker("browser"):
        problem = browser.problem()
        if problem and os.environ.get(browser.REQUIRED, "0") not in ("", "0"):
            pytest.fail(problem, pytrace=False)
        elif problem:
            pytest.skip(problem)


@pytest.fixture(scope="session")
def tree(tmp_path_factory):
    made = Tree(tmp_path_factory.mktemp("tree"))
    made.score_all()
    return made


@pytest.fixture(autouse=True)
def no_results_of_ones_own(tmp_path, monkeypatch):
    """Whatever lies in results/ after a run must not show in a test."""
    empty = tmp_path / "no results"
    empty.mkdir()
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(empty))


@pytest.fixture
def results(tree, monkeypatch):
    """Notebook functions read the invented results."""
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tree.results))
    return tree.results


@pytest.fixture(scope="session")
def paper_notebook(tmp_path_factory):
    prose = "# A paper\n\nProse with $x^2$.\n\n$$\\frac{a}{b} = \\sum_i x_i$$\n\n## Tables\n"
    cells = [nbformat.v4.new_markdown_cell(prose), nbformat.v4.new_code_cell(PAPER_CELL)]
    path = tmp_path_factory.mktemp("notebooks") / "mvplsa.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


@pytest.fixture(scope="session")
def reports(tree, paper_notebook, tmp_path_factory):
    """A whole report: the real overview, one paper's page, and frames for the other pages."""
    from reproduction.pages.overview import write_overview
    from reproduction.pages.page import page_html, pages, write_page

    folder = tmp_path_factory.mktemp("reports")
    stamp = {"Code": "feedface", "Configuration": "invented"}
    for name in pages():
        text = page_html("<h1>Empty</h1>", page=name, contents=[], stamp=stamp)
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    for notebook in (paper_notebook, ROOT / "notebooks" / "reading.ipynb"):
        page = folder / f"{notebook.stem}.html"
        write_page(notebook, page, results=tree.results, stamp=stamp)
    write_overview(folder / "index.html", results=tree.results, stamp=stamp)
    (folder / "MANIFEST.json").write_text("{}\n")
    return folder


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        opened = browser.start(playwright)
        yield opened
        opened.close()


@pytest.fixture
def open_page(chromium):
    pages = []

    def opener(*args, **options):
        pages.append(browser.open_in(chromium, *args, **options))
        return pages[-1]

    yield opener
    for page in pages:
        page.context.close()
