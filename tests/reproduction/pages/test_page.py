"""Notebooks become pages that say what made them, and refuse what cannot be shown."""

import nbformat
import pytest
from bs4 import BeautifulSoup

from reproduction.pages.page import NotebookError, notebook_html, page_html, pages, write_page
from reproduction.pages.prose import Contents
from reproduction.verdicts.data_facts import data_name

pytestmark = pytest.mark.xdist_group("report")  # the report is made once
MARKDOWN = nbformat.v4.new_markdown_cell


def html_of(*cells, contents=None):
    contents = Contents() if contents is None else contents
    return notebook_html(nbformat.v4.new_notebook(cells=list(cells)), contents)


def code(kind="display_data", data=None, **output):
    output |= {} if data is None else {"data": data}
    return nbformat.v4.new_code_cell("x", outputs=[nbformat.v4.new_output(kind, **output)])


def soup_of(folder, name):
    return BeautifulSoup((folder / f"{name}.html").read_text(encoding="utf-8"), "html.parser")


def test_outputs_become_html():
    shown = html_of(
        code(data={"text/html": "<b>x</b>"}),
        code(data={"text/markdown": "**y** $z$"}),
        code(data={"text/plain": "<z>"}),
        code("stream", name="stdout", text="out <o>"),
        code("stream", name="stderr", text="warning"),
    )
    for part in ('<div class="plain-output"><b>x</b></div>', "<strong>y</strong>", "&lt;z&gt;"):
        assert part in shown
    assert "out &lt;o&gt;" in shown
    assert "warning" not in shown


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"image/png": "x"}, "show_figure"),
        ({"text/plain": "<matplotlib.lines.Line2D at 0x7f3a2b1c0d90>"}, "address in memory"),
        ({"text/html": '<table id="T_a1b2c">'}, "random ids"),
        ({"text/markdown": r"$\frac{a$"}, "formula"),
    ],
)
def test_what_has_no_words_or_differs_from_run_to_run_is_refused(output, text):
    with pytest.raises(ValueError, match=rf"cell 1 of the notebook.*{text}"):
        html_of(code(data=output))


def test_a_failing_notebook_leaves_no_page(tmp_path, tree):
    path = tmp_path / "bad.ipynb"
    cell = nbformat.v4.new_code_cell("raise RuntimeError('no rows')")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    with pytest.raises(NotebookError, match=r"(?s)bad.ipynb: .*RuntimeError: no rows"):
        write_page(path, tmp_path / "bad.html", results=tree.results, stamp={})
    assert not (tmp_path / "bad.html").exists()


def test_a_page_says_where_it_stands_and_what_made_it(reports):
    soup = soup_of(reports, "mvplsa")
    links = soup.select("nav.bar a")
    assert [a["href"] for a in links] == [f"{name}.html" for name in pages()]
    assert [a.text for a in links if a.has_attr("aria-current")] == ["MVPLSA"]
    assert soup.title.text == "A paper"
    for told in ("feedface", "invented", "4 same"):
        assert told in soup.select_one("footer").text
    assert not soup.select("p.surrogates")
    names = [name.text for name in soup_of(reports, "reading").select(".text > p.surrogates b")]
    assert data_name("product_review") in names
    assert "all" not in names  # a result over several data sets is none itself


def test_headings_have_names_and_the_appendix_is_folded():
    """Also where its sections come from several cells; code and figures between them are inside."""
    contents = Contents()
    text = html_of(
        MARKDOWN("# A $x$ b\n\n## B\n\n### Seen\n\n## B\n\n$$y=1$$"),
        MARKDOWN("## Appendix\n\nopening\n\n### First\n\none"),
        code(data={"text/markdown": "two\n\n### Second\n\nthree"}),
        contents=contents,
    )
    ids = ["a-x-b", "b", "seen", "b-2", "appendix", "first", "second"]
    assert [entry["id"] for entry in contents] == ids
    folded = BeautifulSoup(text, "html.parser").select("details.appendix")
    assert [part.summary.text for part in folded] == ["Appendix", "First", "Second"]
    assert "two" in folded[1].text
    assert "three" in folded[2].text
    assert [part.summary.text for part in folded[0]("details")] == ["First", "Second"]
    listed = BeautifulSoup(page_html(text, page="x", contents=contents, stamp={}), "html.parser")
    assert [a.text for a in listed.select(".contents a")] == ["B", "Seen", "B", "Appendix"]
