"""What a method of the comparison is: a line of the tables of :mod:`manyviews.compare.methods`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import scipy.sparse as sp

from manyviews.compare.reading.own import OwnData, lowest

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class ViewFacts:
    """What a view is like; a ``graph`` has the rows for columns."""

    name: str
    width: int
    kind: str
    sparse: bool
    graph: bool
    negative: bool


@dataclass(frozen=True)
class Facts:
    """What a method may know about the data before it is fitted: nothing of any label."""

    n_rows: int
    n_classes: int
    views: tuple[ViewFacts, ...]
    kind: str = "classify"

    def only(self, v: int) -> "Facts":
        """Return the facts of one view alone."""
        return replace(self, views=(self.views[v],))

    @property
    def width(self) -> int:
        """Columns of all views."""
        return sum(view.width for view in self.views)

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters, where rows are clustered."""
        return self.n_classes if self.kind == "cluster" else None


#: ``build(facts, settings, seed)`` returns an unfitted estimator on views.
Build = Callable[[Facts, Settings, int], Any]


@dataclass(frozen=True)
class Method:
    """One method.

    Attributes
    ----------
    title, key
        What the report calls it; its name in files, on the command line and in seeds.
    tasks
        Some of ``"classify"``, ``"cluster"`` and ``"retrieve"``.
    family
        ``"control"``, ``"paper"`` (published in one of the papers here) or ``"plain"``.
    build
        ``build(facts, settings, seed)`` returns an unfitted estimator on views. To classify and
        cluster it has ``fit`` and ``predict`` (or ``labels_``); to retrieve ``fit`` and
        ``embed(v, X)``, the coordinates of rows seen through view ``v`` alone.
    grid
        Settings that nested validation chooses from; the first is used where nothing is tuned.
    transductive
        Whether it learns from the features of rows without a label. It is then fitted to all
        rows, their labels hidden, and answers with ``labels_``.
    unfit
        ``unfit(facts)`` returns why the method cannot run on the data, or nothing.
    one_table
        Whether it sees the views side by side as one table: the best of these is what the others
        must beat. To retrieve there is no such table, and CCA stands for it.
    """

    title: str
    tasks: tuple[str, ...]
    family: str
    build: Build
    grid: Sequence[Settings] = ({},)
    transductive: bool = False
    unfit: Callable[[Facts], str] = lambda facts: ""
    one_table: bool = False
    key: str = ""


def facts_of(data: OwnData, n_classes: int, kind: str = "classify") -> Facts:
    """Return what methods may know about own data, for a kind of task."""
    views = zip(data.views.names, data.views.matrices, data.kinds, data.graphs, strict=True)
    told = (
        ViewFacts(name, X.shape[1], view_kind, sp.issparse(X), graph, lowest(X) < 0)
        for name, X, view_kind, graph in views
    )
    return Facts(len(data), n_classes, tuple(told), kind)


def grid(**values: Sequence[Any]) -> tuple[Settings, ...]:
    """Return every combination of some values; the last name changes fastest."""
    return tuple(dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))


def several(facts: Facts) -> str:
    """Say when there is nothing to combine."""
    return "" if len(facts.views) > 1 else "there is one view only"


def two_views(facts: Facts) -> str:
    """Say when there are not two views."""
    return "" if len(facts.views) == 2 else f"needs two views, there are {len(facts.views)}"


def most(limit: int, things: str = "rows") -> Callable[[Facts], str]:
    """Return what says when there are more rows (or classes), which would take too long."""

    def said(facts: Facts) -> str:
        number = facts.n_rows if things == "rows" else facts.n_classes
        return f"takes {limit:,} {things} at most, there are {number:,}" if number > limit else ""

    return said
