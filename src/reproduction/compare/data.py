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


def largest_classes(content: MultiViewData, most: int) -> tuple[MultiViewData, list[str]]:
    """Return the rows of the largest classes, and a note if there are more classes than that."""
    counts = np.bincount(content.labels[content.labels >= 0], minlength=1)
    used = int((counts > 0).sum())
    if used <= most:
        return content, []
    kept = np.argsort(-counts, kind="stable")[:most]
    note = f"{content.name}: the {most} largest of {used} classes"
    return content.subset(np.isin(content.labels, kept)), [note]


def from_views(
    data: MultiViewData, names: Sequence[str] = (), most: int = MOST_ROWS,
    classes: int | None = None,
) -> OwnData:  # fmt: skip
    """Return a view file as own data.

    Parameters
    ----------
    data
        Views, labels and ids of a data set.
    names
        Views to use; all by default.
    most
        Rows at most; more are sampled at random, and a note says so.
    classes
        Classes at most: the largest are kept, with their rows alone, and a note says so.
    """
    notes: list[str] = []
    everyone = set(data.ids)
    if classes is not None:
        data, notes = largest_classes(data, classes)
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
        part.graph = name in data.feature_names and everyone.issuperset(columns)
        if part.graph:  # links to rows outside a sample are cut
            inside = [j for j, column in enumerate(columns) if column in known]
            part.matrix = sp.csr_matrix(part.matrix)[:, inside]
            part.columns = [columns[j] for j in inside]
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
