"""The one view format: :class:`MultiViewData` in memory, a deterministic ``.npz`` on disk.

Everything after view construction knows only this format. The file is a plain npz archive (no
pickles) whose members are written in sorted order with a fixed time stamp, so the same content
always gives the same bytes. It carries a digest of its content: of all it holds except the hash of
the code that built it. An edited file is refused; equal views of other code make no result stale.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.errors import ReadError
from reproduction.files import atomic_path

FORMAT_VERSION = 3
#: Fields that are kept as text; the others are arrays.
_META = ("name", "class_names", "ids", "feature_names", "ontology", "provenance")


class ViewFormatError(ReadError):
    """A view file, or what was to become one, breaks the format's rules."""


@dataclass
class MultiViewData:
    """Documents seen through several views."""

    #: Registry key, with the variant after a dot where there is one.
    name: str
    #: View name to CSR matrix (documents x features), all with the same rows.
    views: dict[str, sp.csr_matrix]
    #: Class index of each document, -1 where unknown.
    labels: np.ndarray
    #: Name of each class index (for hierarchies: the leaves).
    class_names: list[str]
    #: One identifier per document, unique.
    ids: list[str]
    #: View name to column names, for the views where they are known.
    feature_names: dict[str, list[str]] = field(default_factory=dict)
    #: Label name to its parents, for all nodes (roots have none); None if flat.
    ontology: dict[str, tuple[str, ...]] | None = None
    #: Further facts per document, e.g. ``is_test``.
    rows: dict[str, np.ndarray] = field(default_factory=dict)
    #: Where the data came from (see :mod:`reproduction.data.provenance`).
    provenance: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.views = {name: _canonical(view) for name, view in self.views.items()}
        self.labels = np.asarray(self.labels, dtype=np.int64)
        self.rows = {name: np.asarray(values) for name, values in self.rows.items()}
        self.validate()

    @property
    def n_rows(self) -> int:
        """Number of documents."""
        return len(self.ids)

    def Xs(self, *names: str) -> list[sp.csr_matrix]:  # noqa: N802 - the estimators' own name
        """Return the named views (all of them if none is named) as a list for an estimator."""
        for name in names:
            if name not in self.views:
                known = ", ".join(self.views)
                raise ViewFormatError(f"{self.name} has no view {name!r}; it has: {known}")
        return [self.views[name] for name in names or self.views]

    def subset(self, index: np.ndarray) -> "MultiViewData":
        """Return the documents at ``index`` (boolean mask or positions)."""
        positions = np.arange(self.n_rows)[index]
        return replace(
            self,
            views={name: view[positions] for name, view in self.views.items()},
            labels=self.labels[positions],
            ids=[self.ids[i] for i in positions],
            rows={name: values[positions] for name, values in self.rows.items()},
        )

    def require_nonnegative(self, *names: str) -> None:
        """Raise if one of the named views (default: any) holds a negative value."""
        for name in names or tuple(self.views):
            data = self.views[name].data
            if data.size and data.min() < 0:
                raise ViewFormatError(
                    f"view {name!r} of {self.name} holds negative values; "
                    "choose another view or a transformation that removes them"
                )

    def validate(self) -> None:
        """Check every rule of the format; the error names the part that breaks it."""
        where = f"data set {self.name!r}"
        if not self.views:
            raise ViewFormatError(f"{where} has no views")
        n = len(self.ids)
        if len(set(self.ids)) != n:
            raise ViewFormatError(f"{where}: document ids are not unique")
        for name, view in self.views.items():
            if view.shape[0] != n:
                raise ViewFormatError(f"{where}: view {name!r} has {view.shape[0]} rows, not {n}")
            if not np.isfinite(view.data).all():
                raise ViewFormatError(f"{where}: view {name!r} holds NaN or infinity")
        if self.labels.shape != (n,):
            raise ViewFormatError(f"{where}: labels have shape {self.labels.shape}, not ({n},)")
        if n and not -1 <= self.labels.min() <= self.labels.max() < len(self.class_names):
            raise ViewFormatError(f"{where}: labels lie outside -1 .. {len(self.class_names) - 1}")
        for name, columns in self.feature_names.items():
            if name not in self.views or len(columns) != self.views[name].shape[1]:
                raise ViewFormatError(f"{where}: feature names of {name!r} do not fit its columns")
        for name, values in self.rows.items():
            if values.shape[:1] != (n,):
                raise ViewFormatError(f"{where}: row facts {name!r} do not have {n} entries")
        if self.ontology is not None:
            _check_ontology(where, self.ontology, self.class_names)

    def save(self, path: str | Path) -> None:
        """Write the data to ``path`` atomically; equal data give equal bytes."""
        arrays: dict[str, np.ndarray] = {"labels": self.labels}
        for name, view in self.views.items():
            wide = max(view.shape[1], view.nnz) > np.iinfo(np.int32).max
            kind = np.int64 if wide else np.int32
            arrays[f"view/{name}/data"] = view.data
            arrays[f"view/{name}/indices"] = view.indices.astype(kind)
            arrays[f"view/{name}/indptr"] = view.indptr.astype(np.int64)
            arrays[f"view/{name}/shape"] = np.asarray(view.shape, dtype=np.int64)
        for name, values in self.rows.items():
            arrays[f"rows/{name}"] = values.astype("U") if values.dtype.kind == "O" else values
        meta: dict[str, Any] = {name: getattr(self, name) for name in _META}
        meta |= {"format": FORMAT_VERSION, "views": list(self.views)}
        members = {f"{key}.npy": _array_bytes(arrays[key]) for key in sorted(arrays)}
        meta["digest"] = _digest(meta, members)
        with atomic_path(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
            for name, content in {"meta.json": _meta_bytes(meta), **members}.items():
                info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
                info.create_system = 3  # Unix, whatever this is: the bytes must not depend on it
                info.external_attr = 0o644 << 16
                archive.writestr(info, content, zipfile.ZIP_DEFLATED, compresslevel=1)

    @classmethod
    def load(cls, path: str | Path) -> "MultiViewData":
        """Read and validate a view file; pickled objects are refused."""
        with _opened(path) as (archive, meta):
            names = sorted(name for name in archive.namelist() if name.endswith(".npy"))
            members = {name: archive.read(name) for name in names}
            arrays = {
                name.removesuffix(".npy"): np.load(io.BytesIO(content), allow_pickle=False)
                for name, content in members.items()
            }
        if meta.pop("digest", None) != _digest(meta, members):
            raise ViewFormatError(
                f"{path} was changed after it was built; delete it and build it again"
            )
        tree = meta["ontology"]
        if tree is not None:
            meta["ontology"] = {node: tuple(parents) for node, parents in tree.items()}
        views = {}
        for view in meta["views"]:
            *parts, shape = (
                arrays[f"view/{view}/{part}"] for part in ("data", "indices", "indptr", "shape")
            )
            views[view] = sp.csr_matrix(tuple(parts), shape=tuple(shape))
            views[view].check_format(full_check=True)
        rows = {name[5:]: values for name, values in arrays.items() if name.startswith("rows/")}
        facts = {name: meta[name] for name in _META}
        return cls(views=views, labels=arrays["labels"], rows=rows, **facts)


def content_digest(path: str | Path) -> str:
    """Return what a view file says its content is; whoever loads the file compares it."""
    with _opened(path) as (_, meta):
        return str(meta["digest"])


@contextmanager
def _opened(path: str | Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, Any]]]:
    """Open a view file of this format; what cannot be read is named with what to do."""
    try:
        with zipfile.ZipFile(path) as archive:
            meta = dict(json.loads(archive.read("meta.json").decode("utf-8")))
            if meta.get("format") != FORMAT_VERSION:
                raise ValueError(f"format {meta.get('format')}, this code reads {FORMAT_VERSION}")
            yield archive, meta
    except FileNotFoundError:
        raise ViewFormatError(
            f"view file {path} does not exist; build it with `snakemake --cores 1 {path}`"
        ) from None
    except Exception as error:  # damaged archives raise almost anything
        raise ViewFormatError(
            f"{path} is not a readable view file ({error}); delete it and build it again"
        ) from error


def _canonical(view: Any) -> sp.csr_matrix:
    """Return a canonical float64 CSR copy (sorted, no duplicates, no stored zeros)."""
    matrix = sp.csr_matrix(view, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


def _array_bytes(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


def _meta_bytes(meta: Mapping[str, Any]) -> bytes:
    return json.dumps(meta, sort_keys=True, ensure_ascii=False, allow_nan=False).encode("utf-8")


def _digest(meta: Mapping[str, Any], members: Mapping[str, bytes]) -> str:
    """Return the digest of everything a view file holds, whatever code built it."""
    made_from = {**meta["provenance"].get("made_from", {}), "code": ""}
    plain = {**meta, "provenance": {**meta["provenance"], "made_from": made_from}}
    digest = hashlib.sha256(_meta_bytes(plain))
    for name, content in members.items():
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _check_ontology(
    where: str, ontology: Mapping[str, tuple[str, ...]], class_names: list[str]
) -> None:
    """Refuse unknown parents, classes outside the ontology, and cycles."""
    for node, parents in ontology.items():
        for parent in parents:
            if parent not in ontology:
                raise ViewFormatError(f"{where}: {node!r} names the unknown parent {parent!r}")
    for name in class_names:
        if name not in ontology:
            raise ViewFormatError(f"{where}: class {name!r} is not in the ontology")
    try:
        TopologicalSorter(ontology).prepare()
    except CycleError as error:
        cycle = " -> ".join(error.args[1])
        raise ViewFormatError(f"{where}: the ontology has a cycle: {cycle}") from None
