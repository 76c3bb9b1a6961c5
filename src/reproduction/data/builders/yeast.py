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


def parse_attributes(lines: list[bytes]) -> list[list[str] | None]:
    """Return the values each feature may have (None: numbers), in order; class and key are none."""
    found: list[list[str] | None] = []
    for line in lines:
        words = line.split(None, 2)
        if len(words) < 3 or words[0].lower() != b"@attribute":
            continue
        if words[1].lower() in (b"class", b"key"):
            continue
        kind = words[2].strip()
        choices = kind.startswith(b"{")
        found.append(kind.strip(b"{}").decode("ascii").split(",") if choices else None)
    return found


def split_row(line: bytes) -> tuple[bytes, str, str]:
    """Return the features, the classes and the gene's key of a data line.

    The key stands after ``%`` in some files, as the last field in others.
    """
    if b"%" in line:
        rest, _, key = line.rpartition(b"%")
    else:
        rest, _, key = line.rpartition(b",")
    features, _, classes = rest.strip().rpartition(b",")
    return features, classes.strip().decode("ascii"), key.strip().decode("ascii")


def parse_row(features: bytes, kinds: list[list[str] | None], *, binary: bool) -> np.ndarray:
    """Return the numbers of a row; a choice is its place in the list, ``?`` is NaN.

    ``binary`` says that all features are 0 or 1: then every second byte is one.
    """
    if binary and len(features) == 2 * len(kinds) - 1:
        return (np.frombuffer(features, dtype=np.uint8)[::2] == ord("1")).astype(np.float64)
    values = features.decode("ascii").split(",")
    if len(values) != len(kinds):
        raise ValueError(f"a gene has {len(values)} features, {len(kinds)} are declared")
    return np.array(
        [
            np.nan if v == "?" else float(v) if kind is None else float(kind.index(v))
            for v, kind in zip(values, kinds, strict=True)
        ]
    )


def _genes(files: RawFiles, view: str) -> Iterator[tuple[str, str, Any, bool]]:
    """Yield key, classes, features and whether it is a test gene, one file in memory at a time."""
    for part in PARTS:
        name = f"{FILES[view]}_yeast_FUN.{part}.arff"
        lines = RawFiles(files.folder, lambda n, name=name: n == name).read(name).split(b"\n")  # type: ignore[misc]
        start = next(i for i, line in enumerate(lines) if line.strip().lower() == b"@data")
        kinds = parse_attributes(lines[:start])
        binary = all(kind == ["0", "1"] for kind in kinds)
        for line in filter(bytes.strip, lines[start + 1 :]):
            features, classes, key = split_row(line)
            row = parse_row(features, kinds, binary=binary)
            yield key, classes, row if view == "sequence" else sp.csr_matrix(row), part == "test"


def _classes(listed: str) -> list[str]:
    """Return the classes of a gene without the zeros that fill up their paths."""
    return sorted({_path(name) for name in listed.split("@")})


def _path(name: str) -> str:
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
    rows: dict[str, dict[str, Any]] = {}
    listed: dict[str, str] = {}
    tested: dict[str, bool] = {}
    for view in FILES:
        rows[view] = {}
        for key, names, features, is_test in _genes(files, view):
            rows[view][key] = features
            listed.setdefault(key, names)
            tested.setdefault(key, is_test)
    genes = sorted(set.intersection(*(set(found) for found in rows.values())))
    every = [_classes(listed[gene]) for gene in genes]
    chosen = [min(found, key=lambda name: (-name.count("/"), name)) for found in every]
    paths = sorted({name for found in every for name in found})
    stacked = {view: [rows[view][gene] for gene in genes] for view in FILES}
    return {
        "views": {
            view: sp.csr_matrix(_mean_filled(np.array(values)))
            if view == "sequence"
            else sp.csr_matrix(sp.vstack(values))
            for view, values in stacked.items()
        },
        **coded(chosen),
        "ids": genes,
        "ontology": ontology_of([name.split("/") for name in paths], "/"),
        "rows": {
            "is_test": np.array([tested[gene] for gene in genes]),
            "labels_all": np.array(["@".join(found) for found in every]),
        },
    }
