"""Pages run their own script and nothing else; a browser is asked."""

import re

import pytest
from browser import start
from playwright.sync_api import sync_playwright

from reproduction.pages.page import page_html
from reproduction.pages.policy import with_policy

FOREIGN = "<script>document.title = 'taken over'</script>"


@pytest.fixture(scope="module")
def page():
    return page_html("<h1>Page</h1>", page="index", contents=[], stamp={})


def test_the_policy_stands_before_what_it_rules(page):
    place = page.index("Content-Security-Policy")
    assert place < page.index("<style")
    assert place < page.index("<script")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert not re.search(r"https?:|\*|script-src[^;]*unsafe", policy)


def test_equal_styles_are_named_once():
    head = '<meta charset="utf-8">\n'
    text = with_policy(head + "<style>a {}</style><svg><style type='x'>a {}</style></svg>")
    assert text.count("'sha256-") == 1
    assert "script-src 'none'" in text


def test_a_page_without_a_place_is_refused():
    with pytest.raises(ValueError, match="no place"):
        with_policy("<html></html>")


@pytest.mark.browser
def test_a_foreign_script_does_not_run(page, tmp_path):
    """The page's own script works (see test_browser); one that came in later does not run."""
    path = tmp_path / "page.html"
    path.write_text(page.replace("</main>", f"{FOREIGN}</main>"), encoding="utf-8")
    unruled = tmp_path / "unruled.html"
    unruled.write_text(re.sub(r"<meta http-equiv.*\n", "", path.read_text(encoding="utf-8")))
    with sync_playwright() as playwright:
        browser = start(playwright)
        titles = []
        for file in (path, unruled):
            opened = browser.new_page()
            opened.goto(file.as_uri())
            titles.append(opened.title())
        browser.close()
    assert titles[0] != "taken over"
    assert titles[1] == "taken over", "the test would not notice a missing policy"
