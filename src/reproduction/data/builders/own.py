"""A user's own files as views, read by the library's reader of own files."""

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.files import read_view_file
from manyviews.compare.reading.own import joined_files
from manyviews.compare.reading.spec import Spec, ViewSpec
from reproduction.data.builders.raw import Parts, RawFiles
from reproduction.data.entry import OwnFile
from reproduction.data.errors import ReadError


def build_own(files: RawFiles, *, own_files: list[OwnFile], **_: Any) -> Parts:
    """Build the views of an own data set from its files.

    Files that name their rows are joined by these names, others by line; every file needs all
    rows. Classes are the distinct labels in sorted order; an empty label is an unlabelled row. A
    label that a file names goes before the classes an svmlight file carries.
    """
    found, spec = [], Spec(files.folder / "data.yaml", "own")
    named = any(file.label is not None for file in own_files)
    for file in own_files:
        said = replace(spec, label=file.label, id=file.id)
        if file.view is None:
            spec = replace(said, label_file=file.path)
            continue
        view = ViewSpec(file.path, file.view, array=file.array, kind="numbers", ignore=file.ignore)
        said.label_file = ""  # so that no column is taken for the classes unasked
        one = read_view_file(files.folder / file.path, view, said)
        if file.label is not None and not one.labels:
            raise ReadError(f"{file.path}: has no column or array {file.label!r}; correct `label`")
        if named and file.label is None:
            one.labels = []
        found.append(one)
    read = joined_files(spec, found)
    ids = [str(name) for name in read.views.ids] if read.views.ids is not None else []
    for part, there in zip(read.parts, read.views.observed.T, strict=True):
        if not there.all():
            lacking = ids[int(np.flatnonzero(~there)[0])]
            raise ReadError(f"{part.source}: lacks the row {lacking!r}; add it, or leave it out")
    labels = read.labels or [""] * len(read)
    classes = sorted({label for label in labels if label})
    return {
        "views": {part.name: sp.csr_matrix(view) for part, view in
                  zip(read.parts, read.views.matrices, strict=True)},
        "labels": np.array([classes.index(label) if label else -1 for label in labels]),
        "class_names": classes,
        "ids": ids,
        "feature_names": {part.name: part.columns for part in read.parts},
    }  # fmt: skip
