"""Let the tests here import ``results_tree``, the invented results they share."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """Invented results of all papers: their folder, and the ledger of each."""
    from results_tree import Tree

    tree = Tree(tmp_path_factory.mktemp("whole"))
    return tree.results, {paper: tree.score(paper)[0] for paper in tree.papers}
