"""Tiny raw folders, packed in the way the real ones are."""

import gzip
import io
import json
import pickle
import tempfile
from pathlib import Path

import numpy as np
import pytest
import scipy.io
from toys import fill, tar_gz, zipped

from reproduction.data.builders.raw import RawFiles
from reproduction.data.format import MultiViewData


def stored(name, content):
    """Return some content as the bytes of a file of that name."""
    if isinstance(content, str | bytes):
        plain = content.encode() if isinstance(content, str) else content
        return gzip.compress(plain, mtime=0) if name.endswith(".gz") else plain
    out = io.BytesIO()
    if name.endswith(".json"):
        return json.dumps(content).encode()
    if name.endswith((".zip", "gz")):
        pack = zipped if name.endswith(".zip") else tar_gz
        return pack({member: stored(member, part) for member, part in content.items()})
    if name.endswith(".mat"):
        scipy.io.savemat(out, content)
    elif name.endswith(".npz"):
        np.savez(out, **content)
    elif name.endswith(".npy"):
        np.save(out, content)
    else:
        return pickle.dumps(content, protocol=2)
    return out.getvalue()


@pytest.fixture
def raw(tmp_path):
    """Write the files of a raw folder, name -> content, and return the folder."""

    def write(files):
        contents = {name: stored(name, content) for name, content in files.items()}
        return fill(Path(tempfile.mkdtemp(dir=tmp_path)), contents)

    return write


@pytest.fixture
def made(raw):
    """Hand a builder its files (or a folder) and options; return what a view file would hold."""

    def make(build, files, key="toy", **options):
        folder = files if isinstance(files, Path) else raw(files)
        return MultiViewData(**{"name": key, **build(RawFiles(folder), key=key, **options)})

    return make
