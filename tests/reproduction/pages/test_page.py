import json
import re

import nbformat
import pytest
from bs4 import BeautifulSoup

from reproduction.pages.data_names import data_name
from reproduction.pages.notebooks import NotebookError
from reproduction.pages.page import (
    check_names,
    notebook_html,
    page_html,
    pages,
    write_page,
)
from reproduction.pages.prose import Contents

pytestmark = pytest.mark.xdist_group("report")  # the report is made once


def notebook_of(*cells):
    return nbformat.v4.new_notebook(cells=list(cells))


def code(source, *outputs, tags=()):
    cell = nbformat.v4.new_code_cell(source, outputs=list(outputs))
    cell.metadata["tags"] = list(tags)
    return cell


def data(**mime):
    return nbformat.v4.new_output(
        "display_data", {k.replace("__", "/"): v for k, v in mime.items()}
    )


def test_outputs_become_html():
    shown = notebook_html(
        notebook_of(
            code("a", data(text__html="<b>x</b>")),
            code("b", data(text__markdown="**y** $z$")),
            code("c", data(text__plain="<z>")),
            code("d", nbformat.v4.new_output("stream", name="stdout", text="out <o>")),
            code("e", nbformat.v4.new_output("stream", name="stderr", text="warning")),
        ),
        Contents(),
    )
    for part in ('<div class="plain-output"><b>x</b></div>', "<strong>y</strong>", "&lt;z&gt;"):
        assert part in shown
    assert "out &lt;o&gt;" in shown
    assert "warning" not in shown


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"image__png": "x"}, "show_figure"),
        ({"image__svg+xml": "x"}, "show_figure"),
        ({"text__plain": "<matplotlib.lines.Line2D at 0x7f3a2b1c0d90>"}, "address in memory"),
        ({"text__html": '<table id="T_a1b2c">'}, "random ids"),
        ({"text__markdown": r"$\frac{a$"}, "formula"),
    ],
)
def test_what_has_no_words_or_differs_from_run_to_run_is_refused(output, text):
    with pytest.raises(ValueError, match=rf"cell 1 of the notebook.*{text}"):
        notebook_html(notebook_of(code("x", data(**output))), Contents())


def test_two_tables_of_one_name_are_refused():
    check_names('<p id="a"></p><p id="b"></p>')
    with pytest.raises(ValueError, match="called 'table-x'"):
        check_names('<p id="table-x"></p><p id="table-x"></p>')


def test_a_failing_notebook_leaves_no_page(tmp_path, tree):
    path = tmp_path / "bad.ipynb"
    nbformat.write(notebook_of(nbformat.v4.new_code_cell("raise RuntimeError('no rows')")), path)
    with pytest.raises(NotebookError, match=r"(?s)bad.ipynb: .*RuntimeError: no rows"):
        write_page(path, tmp_path / "bad.html", results=tree.results, stamp={})
    assert not (tmp_path / "bad.html").exists()


def test_the_page_is_the_same_twice(reports, paper_notebook, tree, tmp_path):
    again = tmp_path / "mvplsa.html"
    stamp = {"Code": "feedface", "Configuration": "invented"}
    write_page(paper_notebook, again, results=tree.results, stamp=stamp)
    assert again.read_bytes() == (reports / "mvplsa.html").read_bytes()


def test_a_page_needs_nothing_from_elsewhere(reports):
    for name in ("index", "mvplsa"):
        soup = BeautifulSoup((reports / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        assert not soup.select("script[src], link[rel=stylesheet], img, iframe")
        for tag in soup.find_all(href=True):
            assert re.match(
                r"#|data:|[a-z_]+\.html|MANIFEST\.json|tables/|https://", tag["href"]
            ), tag["href"][:80]
        assert "url(http" not in str(soup)


def test_a_page_says_where_it_stands_and_what_made_it(reports):
    soup = BeautifulSoup((reports / "mvplsa.html").read_text(encoding="utf-8"), "html.parser")
    links = soup.select("nav.bar a")
    assert [a["href"] for a in links] == [f"{name}.html" for name in pages()]
    assert [a.text for a in links if a.has_attr("aria-current")] == ["MVPLSA"]
    assert soup.title.text == "A paper"
    stamp = soup.select_one("footer").text
    for told in ("feedface", "invented", "4 same"):
        assert told in stamp
    made = page_html("<p>x</p>", page="x", contents=[], stamp={"Paper": "See https://doi.org/1."})
    link = BeautifulSoup(made, "html.parser").select_one("footer dd a")
    assert link["href"] == "https://doi.org/1"


def test_surrogates_are_named_at_the_end(reports):
    text = (reports / "reading.html").read_text(encoding="utf-8")
    note = BeautifulSoup(text, "html.parser").select_one(".text > p.surrogates:last-child")
    names = [name.text for name in note.select("b")]
    assert data_name("product_review") in names
    assert "all" not in names  # a result over several data sets is none itself
    assert "never count as a reproduction" in note.text
    whole = (reports / "mvplsa.html").read_text(encoding="utf-8")
    assert not BeautifulSoup(whole, "html.parser").select("p.surrogates")


def test_the_data_page_goes_by_what_was_fetched(tree, tmp_path):
    """It may be written before the papers are scored, and must not depend on which are."""
    path = tmp_path / "data.ipynb"
    nbformat.write(notebook_of(nbformat.v4.new_markdown_cell("# Data")), path)
    files = []
    for key, source in (("cornell", "mirror"), ("nell_mv", "surrogate"), ("leaves", "surrogate")):
        files.append(tmp_path / "raw" / key / "PROVENANCE.json")
        files[-1].parent.mkdir(parents=True)
        files[-1].write_text(json.dumps({"source": source}))
    page = tmp_path / "data.html"
    write_page(path, page, results=tree.results, stamp={}, provenance=files)
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    assert [name.text for name in soup.select("p.surrogates b")] == [
        data_name("leaves"),
        data_name("nell_mv"),
    ]
    assert "1 same, 2 surrogate" in soup.text


def test_headings_have_names_and_the_appendix_is_folded():
    """Also where its sections come from several cells; code and figures between them are inside."""
    contents = Contents()
    cells = [
        nbformat.v4.new_markdown_cell("# A $x$ b\n\n## B\n\n### Seen\n\n## B\n\n$$y=1$$"),
        nbformat.v4.new_markdown_cell("## Appendix\n\nopening\n\n### First\n\none"),
        code("x", data(text__markdown="two\n\n### Second\n\nthree")),
    ]
    text = notebook_html(notebook_of(*cells), contents)
    assert [entry["id"] for entry in contents] == [
        "a-x-b", "b", "seen", "b-2", "appendix", "first", "second"
    ]  # fmt: skip
    soup = BeautifulSoup(text, "html.parser")
    folded = soup.select("details.appendix")
    assert [part.summary.text for part in folded] == ["Appendix", "First", "Second"]
    assert "two" in folded[1].text
    assert "three" in folded[2].text
    assert [part.summary.text for part in folded[0]("details")] == ["First", "Second"]
    listed = BeautifulSoup(page_html(text, page="x", contents=contents, stamp={}), "html.parser")
    assert [a.text for a in listed.select(".contents a")] == ["B", "Seen", "B", "Appendix"]
    assert text.count("<math") == 2
