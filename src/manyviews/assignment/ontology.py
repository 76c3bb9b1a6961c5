r"""Class ontologies: any directed acyclic graph of labels, with its constraint pairs.

Section 3 of the paper knows two relations between labels: ``Subset`` = {(i, j): C_i inside C_j}
and ``Mutex`` = {(i, j): C_i and C_j disjoint}. The sets as defined there hold *all* ancestors and
*all* disjoint pairs; the usual short form keeps the parent edges and the siblings only. Both are
offered, because the penalties of (9) and (10) count pairs and so depend on the choice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from manyviews.kernels.assignment_sets import quadratic_counts
from manyviews.validation import check_choice

__all__ = ["Ontology"]

SUBSET_KINDS = ("parents", "ancestors")
MUTEX_KINDS = ("siblings", "disjoint", "declared")
MAX_CONSISTENT_SETS = 50_000


def _topological(parents: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the labels with every parent before its children, otherwise in the given order."""
    waiting = {name: set(above) for name, above in parents.items()}
    order: list[str] = []
    while waiting:
        free = [name for name, above in waiting.items() if not above]
        if not free:
            raise ValueError(
                f"the ontology has a cycle through {min(waiting)!r}; a label cannot be "
                "its own ancestor: remove one of the parent links of that cycle"
            )
        order.extend(free)
        for name in free:
            del waiting[name]
        for above in waiting.values():
            above.difference_update(free)
    return order


@dataclass(frozen=True)
class Ontology:
    """Labels, their parents and declared disjoint pairs.

    Parameters
    ----------
    parents
        Label name to the names of its parents; roots have none. Any DAG.
    disjoint
        Pairs of labels declared mutually exclusive, used with ``mutex="declared"``.

    Notes
    -----
    Labels are numbered in topological order (parents first, otherwise as given); ``names`` gives
    the order of the columns of every label-set matrix. The roots of a forest count as siblings.
    """

    parents: Mapping[str, Sequence[str]]
    disjoint: Sequence[tuple[str, str]] = field(default=())

    def __post_init__(self) -> None:
        if not self.parents:
            raise ValueError("the ontology has no labels; give at least one")
        for name, above in self.parents.items():
            for parent in above:
                if parent not in self.parents:
                    raise ValueError(
                        f"label {name!r} names the unknown parent {parent!r}; add {parent!r} "
                        "to the ontology (with no parents if it is a root)"
                    )
        _ = self.names  # finds cycles
        for pair in self.disjoint:
            for name in pair:
                if name not in self.parents:
                    raise ValueError(f"the disjoint pair {tuple(pair)} names unknown {name!r}")
            both = np.logical_and(*(self.below[self.index[name]] for name in pair))
            for at in np.flatnonzero(both):
                raise ValueError(
                    f"{pair[0]!r} and {pair[1]!r} are declared disjoint, but {self.names[at]!r} is "
                    "a subset of both; drop the pair or one of the subset links"
                )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Label names in column order."""
        return tuple(_topological(self.parents))

    @cached_property
    def index(self) -> dict[str, int]:
        """Label name to column."""
        return {name: i for i, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def parent_index(self) -> tuple[tuple[int, ...], ...]:
        """Columns of every label's parents."""
        return tuple(
            tuple(sorted({self.index[p] for p in self.parents[name]})) for name in self.names
        )

    @cached_property
    def above(self) -> np.ndarray:
        """``above[i, j]``: j is i itself or an ancestor of i."""
        closure = np.eye(len(self), dtype=bool)
        for i, parents in enumerate(self.parent_index):
            for p in parents:
                closure[i] |= closure[p]
        return closure

    @property
    def below(self) -> np.ndarray:
        """``below[i, j]``: j is i itself or a descendant of i."""
        return self.above.T

    @cached_property
    def is_tree(self) -> bool:
        """Whether every label has at most one parent (a forest counts)."""
        return all(len(parents) <= 1 for parents in self.parent_index)

    @cached_property
    def depth(self) -> np.ndarray:
        """Longest way from a root to each label (roots: 0)."""
        depth = np.zeros(len(self), dtype=np.int64)
        for i, parents in enumerate(self.parent_index):
            depth[i] = max((depth[p] + 1 for p in parents), default=0)
        return depth

    @cached_property
    def leaves(self) -> np.ndarray:
        """Columns of the labels without children."""
        return np.flatnonzero(self.below.sum(axis=1) == 1)

    def subset_pairs(self, kind: str = "ancestors") -> np.ndarray:
        """Return (label, label above it) for all ``ancestors`` or the ``parents`` only."""
        check_choice("subset", kind, SUBSET_KINDS)
        if kind not in self._pairs:
            strictly = self._link[:, :-1]
            if kind == "ancestors":
                strictly = self.above & ~np.eye(len(self), dtype=bool)
            self._pairs[kind] = np.argwhere(strictly)
        return self._pairs[kind]

    @cached_property
    def _link(self) -> np.ndarray:
        """``link[i, j]``: j is a parent of i; the last column marks the roots."""
        link = np.zeros((len(self), len(self) + 1), dtype=bool)
        for i, parents in enumerate(self.parent_index):
            link[i, list(parents) or [len(self)]] = True
        return link

    def mutex_pairs(self, kind: str = "disjoint") -> np.ndarray:
        """Return mutually exclusive pairs (i < j).

        ``disjoint``: all pairs with no common label below them; ``siblings``: those of them that
        share a parent (or are both roots); ``declared``: what the ontology was given.
        """
        check_choice("mutex", kind, MUTEX_KINDS)
        if kind not in self._pairs:
            if kind == "declared":
                apart = np.zeros((len(self), len(self)), dtype=bool)
                for a, b in self.disjoint:
                    apart[self.index[a], self.index[b]] = apart[self.index[b], self.index[a]] = True
            else:
                apart = ~(self.below @ self.below.T)
            if kind == "siblings":
                apart &= self._link @ self._link.T
            self._pairs[kind] = np.argwhere(np.triu(apart, 1))
        return self._pairs[kind]

    def closure(self, labels: Iterable[str | int]) -> np.ndarray:
        """Return the label set that holds the given labels and everything above them."""
        chosen = np.zeros(len(self), dtype=bool)
        for label in labels:
            if isinstance(label, str) and label not in self.index:
                raise ValueError(f"label {label!r} is not in the ontology")
            chosen |= self.above[self.index[label] if isinstance(label, str) else label]
        return chosen

    def violations(self, sets: np.ndarray, subset: str, mutex: str) -> np.ndarray:
        """Return how many constraint pairs each label set (last axis) violates."""
        y = np.ascontiguousarray(sets, dtype=bool)
        count = quadratic_counts(y.reshape(-1, len(self)), *self._form(subset, mutex))
        return np.rint(count).astype(np.int64).reshape(y.shape[:-1])

    def _form(self, subset: str, mutex: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the linear and quadratic coefficients of the violation count."""
        key = f"{subset}/{mutex}"
        if key not in self._pairs:
            linear = np.zeros(len(self))
            quadratic = np.zeros((len(self), len(self)))
            below, above = self.subset_pairs(subset).T
            np.add.at(linear, below, 1.0)
            np.add.at(quadratic, (below, above), -1.0)
            one, two = self.mutex_pairs(mutex).T
            np.add.at(quadratic, (one, two), 1.0)
            self._pairs[key] = (linear, quadratic)
        return self._pairs[key]

    @cached_property
    def _pairs(self) -> dict[str, Any]:
        """What was found so far, by kind."""
        return {}

    def consistent_sets(self, mutex: str = "disjoint") -> np.ndarray:
        """Return all label sets that are closed upwards and hold no exclusive pair.

        On a tree these are the empty set and the paths from a root to a node, in label order.
        """
        if self.is_tree and mutex != "declared":
            return np.vstack([np.zeros((1, len(self)), dtype=bool), self.above])
        exclusive = np.zeros((len(self), len(self)), dtype=bool)
        one, two = self.mutex_pairs(mutex).T
        exclusive[one, two] = exclusive[two, one] = True
        found = [np.zeros(len(self), dtype=bool)]
        for i, parents in enumerate(self.parent_index):
            fresh = []
            for chosen in found:
                if all(chosen[p] for p in parents) and not (exclusive[i] & chosen).any():
                    larger = chosen.copy()
                    larger[i] = True
                    fresh.append(larger)
            found.extend(fresh)
            if len(found) > MAX_CONSISTENT_SETS:
                raise ValueError(
                    f"the ontology allows more than {MAX_CONSISTENT_SETS} consistent label sets; "
                    "use the mixed integer programme (solver='batch') instead"
                )
        return np.array(found)
