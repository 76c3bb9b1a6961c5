"""A page follows the modules that its notebook calls."""

import json

import pytest

from reproduction.closure import imported_modules
from reproduction.files import ROOT

CODE = """import numpy
import reproduction.rooms
from reproduction.pages import page as p, nothing_like_it
if True:
    from reproduction.pages.tables import anything
"""


def test_modules_of_this_project_are_found(tmp_path):
    notebook = tmp_path / "some.ipynb"
    cells = [
        {"cell_type": "markdown", "source": ["import reproduction.files"]},
        {"cell_type": "code", "source": CODE.splitlines(keepends=True)},
        {"cell_type": "code", "source": "import reproduction.closure"},
    ]
    notebook.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert imported_modules(notebook) == {
        "reproduction.closure",
        "reproduction.pages",
        "reproduction.pages.page",
        "reproduction.pages.tables",
        "reproduction.rooms",
    }


@pytest.mark.parametrize("page", sorted((ROOT / "src").glob("reproduction/papers/*/page.py")))
def test_code_of_a_papers_page_is_followed(page):
    key = page.parent.name
    found = imported_modules(ROOT / "notebooks" / f"{key}.ipynb")
    assert f"reproduction.papers.{key}.page" in found
