"""Which methods can run on given data: those of the tables, and a user's own."""

from collections.abc import Sequence
from typing import Any

from sklearn.cluster import KMeans

from manyviews.compare.method import Facts, Method
from manyviews.compare.methods import classifiers, clusterers, searchers
from manyviews.compare.prepare import prepared
from manyviews.compare.reading.guard import DataError

_ALONE: tuple[tuple[str, str, str, Any, Any], ...] = (
    ("single_view", "logistic regression", "classify", classifiers.regression, classifiers.C),
    ("single_view_kmeans", "k-means", "cluster", clusterers.seeded(KMeans, n_init=3), ({},)),
)


def stem_of(key: str) -> str:
    """Return what a method is asked for by: ``single_view`` means every view's, by any model."""
    return "single_view" if key.startswith("single_view") else key.partition(".")[0]


def find_methods(
    facts: Facts, more: Sequence[Method] = (), only: Sequence[str] | None = None
) -> tuple[dict[str, Method], list[str]]:
    """Return the methods that can run on the data, ``more`` included, and a line for each other."""
    offered = [*classifiers.METHODS, *clusterers.METHODS, *searchers.METHODS, *more]
    for v, name in enumerate(view.name for view in facts.views if len(facts.views) > 1):
        offered += [
            Method(f"View '{name}' alone, {words}", (kind,), "control",
                   prepared(make, table=True, view=v), grid, key=f"{stem}.{name}")
            for stem, words, kind, make, grid in _ALONE
        ]  # fmt: skip
    known = {stem_of(method.key) for method in offered} | {"single_view"}
    unknown = [key for key in only or () if key not in known]
    if unknown:
        raise DataError(f"there is no method {unknown[0]!r}; known: {', '.join(sorted(known))}")
    found: dict[str, Method] = {}
    skipped: list[str] = []
    for method in sorted(offered, key=lambda method: method.key):
        if facts.kind not in method.tasks or (only is not None and stem_of(method.key) not in only):
            continue
        reason = method.unfit(facts)
        if reason:
            skipped.append(f"{method.title}: {reason}")
        else:
            found[method.key] = method
    return found, skipped
