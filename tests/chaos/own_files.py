"""Small files of a user's own of every format that the library reads, each with what lies beside.

They go through ``manyviews compare``'s reader, which answers with a value or a ``DataError``.
"""

from __future__ import annotations

import gzip
import io
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse as sp

from manyviews.compare.reading.own import read_own

N = 24
X = np.random.default_rng(0).integers(0, 3, size=(N, 9)).astype(np.float64)
LINES = ["id,a,b,when,kind,label"] + [
    f"p{i},{i},{i % 3}.5,2020-01-{i % 9 + 1:02d},{'st'[i % 2]},{'xy'[i // 2 % 2]}" for i in range(N)
]
TABLE = ("\n".join(LINES) + "\n").encode()


@dataclass(frozen=True)
class OwnFormat:
    """One format: the name of a file, a sound content, sound files beside it."""

    file: str
    content: bytes
    beside: dict[str, bytes] = field(default_factory=dict)

    def read(self, path: Path) -> object:
        """Read the folder of the file."""
        for name, content in self.beside.items():
            (path.parent / name).write_bytes(content)
        try:
            return read_own(path.parent)
        finally:
            for name in self.beside:
                (path.parent / name).unlink()


def _mat(packed: bool) -> bytes:
    cells = np.empty((1, 2), dtype=object)
    cells[0, 0], cells[0, 1] = X.T, sp.csc_matrix(X[:, :4].T)
    stream = io.BytesIO()
    variables = {"X": cells, "gt": np.arange(N) % 3 + 1, "names": ["a", "bc"], "s": {"k": 3}}
    scipy.io.savemat(stream, variables, do_compression=packed)
    return stream.getvalue()


def _saved(save: object, *values: object, **named: object) -> bytes:
    stream = io.BytesIO()
    save(stream, *values, **named)  # type: ignore[operator]
    return stream.getvalue()


def _parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {f"w{j}": X[:, j] for j in range(4)} | {"label": list("xy" * (N // 2))}
    return _saved(lambda stream: pq.write_table(pa.table(columns), stream))


def _workbook() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["a", "b", "c"], *X[:, :3].tolist()):
        book.active.append(row)
    return _saved(book.save)


def _hdf5() -> bytes:
    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file["X"], file["y"] = X, np.arange(N) % 2
    return stream.getvalue()


#: Package -> format that needs it.
_MORE = {
    "pyarrow": ("parquet", "own.parquet", _parquet),
    "openpyxl": ("xlsx", "own.xlsx", _workbook),
    "h5py": ("HDF5", "own.h5", _hdf5),
}


def own_formats() -> dict[str, OwnFormat]:
    """Return every format by name; those of packages that are not there are left out."""
    svm = "".join(f"{i % 2} 1:{i} 3:{i + 1}\n" for i in range(N)).encode()
    says = (
        b"name: mine\nviews:\n  left: {file: own.csv, columns: [a, b], kind: numbers}\n"
        b"  right: {file: own.csv, columns: 'k*', graph: false}\nlabels: label\nid: id\n"
        b"task: few labels\nlabel_share: 0.25\nignore: [when]\n"
    )
    found = {
        "own mat": OwnFormat("own.mat", _mat(False)),
        "own mat, packed": OwnFormat("own.mat", _mat(True)),
        "own mtx": OwnFormat("own.mtx", _saved(scipy.io.mmwrite, sp.coo_matrix(X))),
        "own npz": OwnFormat("own.npz", _saved(np.savez, words=X, y=np.arange(N) % 2)),
        "own npz, sparse": OwnFormat("own.npz", _saved(sp.save_npz, sp.csr_matrix(X))),
        "own npy": OwnFormat("own.npy", _saved(np.save, X)),
        "own svmlight": OwnFormat("own.svmlight", svm),
        "own csv": OwnFormat("own.csv", TABLE),
        "own csv.gz": OwnFormat("own.csv.gz", gzip.compress(TABLE)),
        "own yaml": OwnFormat("data.yaml", says, {"own.csv": TABLE}),
        "own json": OwnFormat(
            "tree.json", b'{"x": ["u", "v"], "y": "u", "u": null}', {"own.csv": TABLE}
        ),
    }
    for package, (title, file, make) in _MORE.items():
        if find_spec(package) is not None:
            found[f"own {title}"] = OwnFormat(file, make())
    return found
