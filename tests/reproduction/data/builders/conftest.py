"""Tiny raw folders, packed in the way the real ones are."""

import tempfile
from pathlib import Path

import pytest
from toys import fill, raw_files

from reproduction.data.format import MultiViewData


@pytest.fixture
def raw(tmp_path):
    """Write the files of a raw folder, name -> content, and return the folder."""

    def write(files):
        return fill(Path(tempfile.mkdtemp(dir=tmp_path)), files)

    return write


@pytest.fixture
def made(raw):
    """Hand a builder its files (or a folder) and options; return what a view file would hold."""

    def make(build, files, key="toy", **options):
        folder = files if isinstance(files, Path) else raw(files)
        return MultiViewData(**{"name": key, **build(raw_files(folder), key=key, **options)})

    return make
