"""A run where machines share no folder: files come from a store and go back into it."""

import shutil

import pytest

pytestmark = pytest.mark.workflow
ENDINGS = (".csv", ".json", ".npz", ".html")
TARGETS = ("build/quick/reports/cotraining.html", "build/quick/results/cotraining/ledger.csv")


def contents(root):
    """What is the same in every run; times are not."""
    return {
        path.relative_to(root): path.read_bytes()
        for path in root.rglob("build/quick/**/*")
        if path.suffix in ENDINGS and "timing" not in path.name
    }


@pytest.mark.skipif(shutil.which("rsync") is None, reason="the storage plugin copies with rsync")
def test_one_paper_without_a_shared_folder(project, built_root, tmp_path):
    store = tmp_path / "store"
    words = ("--default-storage-provider", "fs", "--default-storage-prefix", str(store))
    project.quick(*words, "--shared-fs-usage", "none", "--cores", "2", "--", *TARGETS)
    found, expected = contents(store), contents(built_root)
    assert found
    assert found == {name: expected[name] for name in found}
    assert not contents(project.root)
