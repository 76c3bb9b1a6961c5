"""Yeast genes in three views, with the FunCat tree of functions."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.raw import Parts, RawFiles, coded
from reproduction.data.builders.trees import ontology_of

#: View -> beginning of its files' names.
FILES = {"sequence": "seq", "structure": "struc", "homology": "hom"}
PARTS = ("train", "valid", "test")


def _kinds(lines: list[bytes]) -> list[list[str] | None]:
    """Return the values each feature may have (None: numbers), in order; class and key are none."""
    declared = (words for words in (line.split(None, 2) for line in lines) if len(words) == 3)
    kinds = [
        kind.strip()
        for word, name, kind in declared
        if word.lower() == b"@attribute" and name.lower() not in (b"class", b"key")
    ]
    return [
        kind.strip(b"{}").decode("ascii").split(",") if kind.startswith(b"{") else None
        for kind in kinds
    ]


def _numbers(features: bytes, kinds: list[list[str] | None], *, binary: bool) -> np.ndarray:
    """Return the numbers of a row; a choice is its place in the list, ``?`` is NaN.

    ``binary`` says that all features are 0 or 1: then every second byte is one.
    """
    if binary and len(features) == 2 * len(kinds) - 1:
        return (np.frombuffer(features, dtype=np.uint8)[::2] == ord("1")).astype(np.float64)
    return np.array(
        [
            np.nan if v == "?" else float(v) if kind is None else float(kind.index(v))
            for v, kind in zip(features.decode("ascii").split(","), kinds, strict=True)
        ]
    )


def _genes(files: RawFiles, view: str) -> Iterator[tuple[str, str, Any, bool]]:
    """Yield key, classes, features and whether it is a test gene, one file in memory at a time.

    The key stands after ``%`` in some files, as the last field in others.
    """
    for part in PARTS:
        name = f"{FILES[view]}_yeast_FUN.{part}.arff"
        lines = RawFiles(files.folder, lambda n, name=name: n == name).read(name).split(b"\n")  # type: ignore[misc]
        start = next(i for i, line in enumerate(lines) if line.strip().lower() == b"@data")
        kinds = _kinds(lines[:start])
        binary = all(kind == ["0", "1"] for kind in kinds)
        for line in filter(bytes.strip, lines[start + 1 :]):
            rest, _, key = line.rpartition(b"%" if b"%" in line else b",")
            features, _, classes = rest.strip().rpartition(b",")
            row = _numbers(features, kinds, binary=binary)
            yield (
                key.strip().decode("ascii"),
                classes.strip().decode("ascii"),
                row if view == "sequence" else sp.csr_matrix(row),
                part == "test",
            )


def _path(name: str) -> str:
    """Return a class without the zeros that fill up its path."""
    parts = name.split("/")
    while len(parts) > 1 and parts[-1] == "0":
        parts.pop()
    return "/".join(parts)


def _mean_filled(values: np.ndarray) -> np.ndarray:
    """Put a column's mean in place of what is unknown in it."""
    known = np.where(np.isnan(values), 0.0, values)
    counts = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    return np.where(np.isnan(values), known.sum(axis=0) / counts, values)


def build_yeast(files: RawFiles, **_: Any) -> Parts:
    """Build the genes that all three views have, joined by key, in the order of their keys.

    Views: ``sequence`` (numbers; unknown ones are the column's mean), ``structure`` and
    ``homology`` (0/1). A gene has several classes: ``labels`` is the deepest, the first by name of
    those; ``rows["labels_all"]`` lists all, joined by ``@``.
    """
    rows: dict[str, dict[str, Any]] = {view: {} for view in FILES}
    facts: dict[str, tuple[list[str], bool]] = {}
    for view, found in rows.items():
        for key, names, features, is_test in _genes(files, view):
            found[key] = features
            facts.setdefault(key, (sorted({_path(name) for name in names.split("@")}), is_test))
    genes = sorted(set.intersection(*map(set, rows.values())))
    every = [facts[gene][0] for gene in genes]
    chosen = [min(names, key=lambda name: (-name.count("/"), name)) for names in every]
    stacked = {view: [rows[view][gene] for gene in genes] for view in FILES}
    sequence = _mean_filled(np.array(stacked.pop("sequence")))
    return {
        "views": {
            "sequence": sp.csr_matrix(sequence),
            **{view: sp.csr_matrix(sp.vstack(found)) for view, found in stacked.items()},
        },
        **coded(chosen),
        "ids": genes,
        "ontology": ontology_of([name.split("/") for names in every for name in names], "/"),
        "rows": {
            "is_test": np.array([facts[gene][1] for gene in genes]),
            "labels_all": np.array(["@".join(names) for names in every]),
        },
    }
