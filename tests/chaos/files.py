"""Foreign files: sound ones of every format, hostile or damaged ones, and ones with bytes changed.

Archives of any address, pictures of a user and view files go through readers of
``reproduction.data``, a user's own files through that of ``manyviews compare``. A reader answers
with a value or with a refusal that names the file; :func:`outcome` says which, and what else.
"""

import gzip
import io
import lzma
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import scipy.io
import scipy.sparse as sp

from manyviews.compare.reading.guard import DataError
from manyviews.compare.reading.own import read_own
from reproduction.data.archives import read_members
from reproduction.data.builders.raw import guarded
from reproduction.data.errors import ReadError
from reproduction.data.format import MultiViewData

N = 24
X = np.random.default_rng(0).integers(0, 3, size=(N, 9)).astype(np.float64)
Y = np.arange(N) % 2
LINES = ["id,a,b,when,kind,label"] + [
    f"p{i},{i},{i % 3}.5,2020-01-{i % 9 + 1:02d},{'st'[i % 2]},{'xy'[i // 2 % 2]}" for i in range(N)
]
TABLE = ("\n".join(LINES) + "\n").encode()
SAYS = b"""name: mine
views:
  left: {file: own.csv, columns: [a, b], kind: numbers}
  right: {file: own.csv, columns: 'k*', graph: false}
labels: label
id: id
task: few labels
label_share: 0.25
ignore: [when]
"""


@dataclass(frozen=True)
class Format:
    """One format: the name of a file, a sound content, the reader, sound files beside it."""

    file: str
    content: bytes
    read: Callable[[Path], object] = lambda path: read_own(path.parent)
    beside: dict[str, bytes] = field(default_factory=dict)


def saved(save, *values, **named):
    stream = io.BytesIO()
    save(stream, *values, **named)
    return stream.getvalue()


def tar(stream):
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name in ("set/a.txt", "set/b/c.txt"):
            info = tarfile.TarInfo(name)
            info.size = 300
            archive.addfile(info, io.BytesIO(b"words\n" * 50))


def zipped(stream, *names):
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, b"words\n" * 50)


def hdf5(stream):
    import h5py

    with h5py.File(stream, "w") as file:
        file["X"], file["y"] = X, Y


def formats() -> dict[str, Format]:
    """Return every format by name; those of packages that are not there are left out."""
    pixels = np.random.default_rng(1).integers(0, 255, size=(24, 32, 3), dtype=np.uint8)
    views = MultiViewData(
        "toy", {"words": sp.csr_matrix(X)}, Y, ["a", "b"], list(map(str, range(N)))
    )
    with tempfile.TemporaryDirectory() as folder:
        views.save(Path(folder) / "made.npz")
        view_file = (Path(folder) / "made.npz").read_bytes()
    cells = np.empty((1, 2), dtype=object)
    cells[0, 0], cells[0, 1] = X.T, sp.csc_matrix(X[:, :4].T)
    mat = {"X": cells, "gt": np.arange(N) % 3 + 1, "names": ["a", "bc"], "s": {"k": 3}}
    svm = "".join(f"{i % 2} 1:{i} 3:{i + 1}\n" for i in range(N)).encode()

    def decode(path):
        return guarded("reproduction.data.images:decoded", path.read_bytes(), path.name)

    found = {
        "PNG": Format("x.png", cv2.imencode(".png", pixels)[1].tobytes(), decode),
        "JPEG": Format("x.jpg", cv2.imencode(".jpg", pixels)[1].tobytes(), decode),
        "zip": Format("x.zip", saved(zipped, "set/a.txt", "set/b/c.txt"), read_members),
        "tar": Format("x.tar", saved(tar), read_members),
        "tar.gz": Format("x.tar.gz", gzip.compress(saved(tar)), read_members),
        "tar.xz": Format("x.tar.xz", lzma.compress(saved(tar)), read_members),
        "view file": Format("x.npz", view_file, MultiViewData.load),
        "own mat": Format("own.mat", saved(scipy.io.savemat, mat)),
        "own mat, packed": Format("own.mat", saved(scipy.io.savemat, mat, do_compression=True)),
        "own mtx": Format("own.mtx", saved(scipy.io.mmwrite, sp.coo_matrix(X))),
        "own npz": Format("own.npz", saved(np.savez, words=X, y=Y)),
        "own npz, sparse": Format("own.npz", saved(sp.save_npz, sp.csr_matrix(X))),
        "own npy": Format("own.npy", saved(np.save, X)),
        "own svmlight": Format("own.svmlight", svm),
        "own csv": Format("own.csv", TABLE),
        "own csv.gz": Format("own.csv.gz", gzip.compress(TABLE)),
        "own yaml": Format("data.yaml", SAYS, beside={"own.csv": TABLE}),
    }
    if find_spec("pyarrow"):
        frame = pd.DataFrame(X).add_prefix("w")
        found["own parquet"] = Format("own.parquet", saved(frame.to_parquet))
    if find_spec("h5py"):
        found["own HDF5"] = Format("own.h5", saved(hdf5))
    return found


def outcome(form: Format, content: bytes, folder: Path) -> str:
    """Read some content in place of a sound one; return ``value``, ``refused`` or what is wrong.

    A refusal that is neither ``ReadError`` nor ``DataError``, or does not name the file, is wrong.
    """
    files = {**form.beside, form.file: content}
    for name, text in files.items():
        (folder / name).write_bytes(text)
    try:
        form.read(folder / form.file)
    except (ReadError, DataError) as error:
        named = any(name.removesuffix(".gz") in str(error) for name in files)
        return "refused" if named else f"no name: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        for name in files:
            (folder / name).unlink()
    return "value"


#: Damage that any file may have suffered.
DAMAGE = {
    "empty": lambda c: b"",
    "cut in half": lambda c: c[: len(c) // 2],
    "a page of HTML in its place": lambda c: b"<!DOCTYPE html><html><h1>404 Not Found</h1></html>",
    "zeros in its place": lambda c: bytes(len(c)),
    "noise in its place": lambda c: np.random.default_rng(0).bytes(len(c)),
}


def mutate(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a content with some bytes replaced, cut out, doubled, or all after them cut."""
    made = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        place = int(rng.integers(len(made) + 1))
        end = place + int(rng.integers(1, 9))
        special = bytes(rng.choice([0, 1, 127, 128, 255], 1).tolist())
        kinds = [rng.bytes(end - place), special, b"", 2 * made[place:end], rng.bytes(3)]
        made[place:end] = kinds[int(rng.integers(len(kinds)))]
        if rng.random() < 0.05:
            del made[place:]
    return bytes(made)


def mutations(each: int = 1500, rng: np.random.Generator | None = None) -> dict[str, object]:
    """Read so many mutations of each format; return the figures."""
    rng = rng or np.random.default_rng(0)
    known, found, wrong = formats(), Counter(), set()
    with tempfile.TemporaryDirectory() as name:
        for title, form in known.items():
            if (answer := outcome(form, form.content, Path(name))) != "value":
                wrong.add(f"{title}, sound: {answer[:200]}")
            damaged = [spoil(form.content) for spoil in DAMAGE.values()]
            damaged += [mutate(form.content, rng) for _ in range(each - len(damaged))]
            for answer in (outcome(form, content, Path(name)) for content in damaged):
                found[answer if answer in ("value", "refused") else "wrong"] += 1
                if answer not in ("value", "refused"):
                    wrong.add(f"{title}: {answer[:200]}")
    return {
        "mutations": each * len(known), "formats": len(known), "refused": found["refused"],
        "read all the same": found["value"], "crashes and bare errors": found["wrong"],
        "wrong": sorted(wrong)[:20],
    }  # fmt: skip
