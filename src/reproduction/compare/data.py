"""View files as data of the comparison engine."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.columns import kind_of
from manyviews.compare.reading.join import as_graph, joined
from manyviews.compare.reading.own import OwnData
from manyviews.compare.reading.parts import Part
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData

#: Rows from which a random sample stands for a data set.
MOST_ROWS = 20_000


def from_views(data: MultiViewData, names: Sequence[str] = (), most: int = MOST_ROWS) -> OwnData:
    """Return a view file as own data.

    Parameters
    ----------
    data
        Views, labels and ids of a data set.
    names
        Views to use; all by default.
    most
        Rows at most; more are sampled at random, and a note says so.
    """
    notes: list[str] = []
    if data.n_rows > most:
        rng = generator("compare", "rows", data.name)
        data = data.subset(np.sort(rng.permutation(data.n_rows)[:most]))
        notes.append(f"{data.name}: a random {most} rows")
    parts, known = [], set(data.ids)
    for name, matrix in zip(names or data.views, data.Xs(*names), strict=True):
        columns = data.feature_names.get(name) or [str(j) for j in range(matrix.shape[1])]
        # rows that lack the view hold zeros there, and a mark beside
        here = np.asarray(data.rows.get(f"{name}_present", np.ones(data.n_rows)), dtype=bool)
        ids = [key for key, given in zip(data.ids, here, strict=True) if given]
        part = Part(name, sp.csr_matrix(matrix)[here], list(columns), data.name, ids,
                    kind_of(matrix))  # fmt: skip
        # a link view lists the ids that are linked to; square matrices of features are no links
        part.graph = name in data.feature_names and known.issuperset(columns)
        parts.append(as_graph(part, data.ids, notes) if part.graph else part)
    used = sorted(set(data.labels.tolist()) - {-1})
    place = {old: new for new, old in enumerate(used)}
    return OwnData(
        name=data.name,
        views=joined(parts, data.ids, notes),
        kinds=[part.kind for part in parts],
        graphs=[part.graph for part in parts],
        codes=np.array([place.get(int(label), -1) for label in data.labels]),
        classes=[data.class_names[old] for old in used],
        columns=[part.columns for part in parts],
        notes=notes,
    )
