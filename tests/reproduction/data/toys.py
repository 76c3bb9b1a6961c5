"""A small data set of two files, one with a folder of many, and the registry that knows it."""

import gzip
import io
import json
import pickle
import tarfile
import zipfile

import numpy as np
import scipy.io

from reproduction.data.builders.raw import RawFiles
from reproduction.data.content import listing, sha256
from reproduction.data.entry import Dataset
from reproduction.data.origin import Blob, Tree
from reproduction.data.registry import Registry, load_registry


def describe(content):
    """What the registry would say of some content."""
    if isinstance(content, bytes):
        return Blob(bytes=len(content), sha256=sha256(content))
    size = sum(map(len, content.values()))
    return Tree(files=len(content), bytes=size, listing=listing(content))


CONTENT = {"a.txt": b"alpha\n", "sub/b.bin": bytes(range(99))}
FILES = {name: describe(content).model_dump(exclude_none=True) for name, content in CONTENT.items()}
MANY = {"x/1": b"one", "x/2:3": b"two", "y": b"three"}
TREE = {"many/": describe(MANY).model_dump(exclude_none=True)}
#: Both, as paths.
ALL = {**CONTENT, **{f"many/{name}": content for name, content in MANY.items()}}
COMMIT = "0123456789" * 4
MIRROR = {"kind": "mirror", "folder": "toyset"}
USER = {"kind": "user"}
PUBLIC = {"kind": "public", "repository": "one/toys", "commit": COMMIT}
SECOND = {"kind": "public", "repository": "two/toys", "commit": COMMIT}
PUBLISHER = {"kind": "publisher", "url": "https://publisher.example/toys.zip"}
RAW = "https://raw.githubusercontent.com"
_CORA = load_registry()["cora"].model_dump(exclude_unset=True)


def registry_of(*sources, files=FILES, key="toy", **changes):
    entry = {**_CORA, "key": key, "files": files, "sources": list(sources), "editions": []}
    return Registry({key: Dataset.model_validate({**entry, **changes})})


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


def fill(folder, content=CONTENT):
    for path, data in content.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(stored(path, data))
    return folder


def tar_gz(members, *, date=0, backwards=False):
    """An archive; order and dates as asked."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
        for name in sorted(members, reverse=backwards):
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(members[name]), date
            archive.addfile(info, io.BytesIO(members[name]))
    return out.getvalue()


def zipped(members):
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in sorted(members):
            archive.writestr(name, members[name])
    return out.getvalue()


def raw_files(folder):
    """What a builder is handed of a folder."""
    return RawFiles(folder, everything(folder))


def everything(folder):
    """All files below a folder, with their content."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def holds(data, **expected):
    """Compare what views hold, by name: a view, a fact of the rows, a field, each row's class."""
    for name, value in expected.items():
        if name == "classes":
            found = [data.class_names[label] for label in data.labels]
        else:
            found = data.views.get(name, data.rows.get(name, getattr(data, name, None)))
            found = found.toarray() if hasattr(found, "toarray") else found
        assert (found.tolist() if hasattr(found, "tolist") else found) == value, name
