"""Figure 2: clustering without labels, NMI and pairwise F."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from reproduction.papers.mvplsa.protocol import integer, plsa, view_names, views
from reproduction.papers.mvplsa.settings import GROUPS, KINDS, PAGES, TEXT, PaperSettings
from reproduction.results.study import Protocol

#: Clusterings, and what is taken of their scores.
Clustered = tuple[list[np.ndarray], Callable[[list[float]], Any]]


@dataclass
class Unlabelled:
    """Views, the truth, and seeds by name; clusterings that others start from."""

    Xs: list[Any]
    truth: np.ndarray
    seed: Callable[[str], int]

    @property
    def classes(self) -> int:
        """Number of classes, which is told."""
        return int(self.truth.max()) + 1

    def clustered(self, Xs: Sequence[Any], name: str) -> dict[str, Clustered]:
        """Cluster every view by cosine k-means.

        The figure's best view must have been chosen by the score itself, measure by measure; the
        one chosen by k-means' own criterion needs no label.
        """
        from manyviews.baselines.spherical_kmeans import SphericalKMeans

        seeds = [self.seed(f"kmeans:{name}:{v}") for v in range(len(Xs))]
        fits = [
            SphericalKMeans(self.classes, random_state=seed).fit(X)
            for seed, X in zip(seeds, Xs, strict=True)
        ]
        labels = [fitted.labels_ for fitted in fits]
        chosen = int(np.argmax([fitted.criterion_ for fitted in fits]))
        views = zip(view_names("Kmeans", len(labels)), labels, strict=True)
        return {
            "Kmeans_Best": (labels, max),
            "Kmeans_Avg": (labels, np.mean),
            "by criterion": ([labels[chosen]], max),
            **{view: ([found], max) for view, found in views},
        }

    @cached_property
    def kmeans(self) -> dict[str, Clustered]:
        """K-means on the views as they are."""
        return self.clustered(self.Xs, "paper")

    @cached_property
    def joined(self) -> Any:
        """MVC, which joins the views' k-means."""
        from manyviews.baselines.mvc import MultiViewClustering

        model = MultiViewClustering(self.classes, random_state=self.seed("MVC"))
        return model.fit(self.Xs, view_labels=self.kmeans["Kmeans_Best"][0])


clusters = Protocol("mvplsa", tuple(KINDS), PaperSettings)
clusters.views(views)


@clusters.split
def unlabelled(views: Any, run: int, seeded: Any) -> Unlabelled:
    """Take all documents; runs differ by their random starts."""
    Xs, truth = views
    return Unlabelled(Xs, truth, lambda name: integer(seeded(name, "clustering", run)))


BEST, AVERAGE = "Kmeans_Best", "Kmeans_Avg"
clusters.several([BEST, AVERAGE, "by criterion"])(lambda part: part.kmeans)
clusters.several(view_names("Kmeans", 4), role="ours")(lambda part: part.kmeans)
clusters.method("MVC")(lambda part: ([part.joined.labels_], max))


@clusters.several({f"{name} with idf": name for name in (BEST, AVERAGE)})
def weighted(part: Unlabelled) -> dict[str, Clustered]:
    """Cluster views with idf weights, which CLUTO adds by default."""
    from manyviews.preprocessing.sparse import idf_weight

    return part.clustered([idf_weight(X) for X in part.Xs], "columns=idf")


def clustering_of(model: str, from_mvc: bool = True) -> Callable[..., Clustered]:
    """Return the fit of a model that starts from MVC's pattern, or at random."""
    # the names of the first runs, so that their numbers stay
    seed = f"{model}:paper" if from_mvc else f"{model}:start=random"

    def fit(
        part: Unlabelled, run: int, seeded: Any, topics: int, iterations: int, floor: float
    ) -> Clustered:
        found = plsa(
            model, part.Xs, None, seeded(seed, "clustering", run), n_classes=part.classes,
            n_topics=topics, max_iter=iterations, floor=floor,
            init=part.joined.pattern_ if from_mvc else "random",
        )  # fmt: skip
        return [found], max

    return fit


clusters.method("MVPLSA")(clustering_of("MVPLSA"))
clusters.method("MVPLSA at random")(clustering_of("MVPLSA", from_mvc=False))
clusters.method("DPLSA", role="ours")(clustering_of("DPLSA"))


@clusters.method("random", role="control")
def shuffled(part: Unlabelled, run: int, seeded: Any) -> Clustered:
    """Shuffle the truth."""
    return [seeded("control:random", "clustering", run).permutation(part.truth)], max


def score_of(name: str) -> Callable[[Unlabelled, Clustered], float]:
    """Return a measure of clusterings, in per cent."""

    def score(part: Unlabelled, answer: Clustered) -> float:
        from manyviews import metrics

        found, taken = answer
        return float(taken([100.0 * getattr(metrics, name)(part.truth, one) for one in found]))

    return score


clusters.metric("NMI")(score_of("nmi"))
clusters.metric("PF")(score_of("pairwise_f"))

_always: dict[str, Any] = {"runs": "clustering_runs", "job": "clustering"}
for _datasets, _count in GROUPS.items():
    _methods = [BEST, AVERAGE, "MVC", "MVPLSA", *view_names("Kmeans", _count), "random"]
    _figure = clusters.table("fig2", _methods, datasets=_datasets, **_always)
    # nothing is drawn, so the news are the same under both readings
    _changed = {"links": "cites"} if KINDS[_datasets[0]] == PAGES else {}
    clusters.reading(TEXT, _changed, [_figure], job="clustering")
clusters.table("fig2", {BEST: "by criterion"}, reading="best by criterion", **_always)
clusters.table(  # the news views carry idf already
    "fig2", {name: f"{name} with idf" for name in (BEST, AVERAGE)}, reading="idf weights",
    datasets=["cornell", "washington"], **_always,
)  # fmt: skip
_always["runs"] = "extra_runs"
clusters.table("fig2", ["DPLSA"], **_always)
clusters.table("fig2", {"MVPLSA": "MVPLSA at random"}, reading="random start", **_always)
