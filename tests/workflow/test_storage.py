"""A run where machines share no folder: files come from a store and go back into it."""

import shutil

import pytest
from kills import digests

pytestmark = pytest.mark.workflow
TARGETS = ("build/quick/reports/cotraining.html", "build/quick/results/cotraining/ledger.csv")


@pytest.mark.skipif(shutil.which("rsync") is None, reason="the storage plugin copies with rsync")
def test_one_paper_without_a_shared_folder(project, built_root, tmp_path):
    store = tmp_path / "store"
    words = ("--default-storage-provider", "fs", "--default-storage-prefix", str(store))
    project.quick(*words, "--shared-fs-usage", "none", "--cores", "2", "--", *TARGETS)
    found, expected = digests(store), digests(built_root)
    assert found
    assert found == {name: expected[name] for name in found}
    assert not digests(project.root / "build")
