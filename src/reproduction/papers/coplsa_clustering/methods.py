"""Methods of the clustering paper and what is measured of them.

Every table reads one of an answer's clusterings: ``read`` names a view, or a rule that chooses
one, or what else tells clusterings of an answer apart.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from reproduction.papers.coplsa_clustering import settings as cc
from reproduction.papers.coplsa_clustering.protocol import (
    ALL_THREE,
    CONCATENATION,
    FIRST_TWO,
    SCORES,
    Clusters,
    Found,
    Run,
    Task,
    always,
    kmeans,
    measure,
    start,
    views,
)
from reproduction.results.study import Protocol, Study
from reproduction.results.tables import text

VIEW = text("view")

kinds = dict(zip(cc.VIEWS, cc.VIEWS, strict=True))
study = Study(cc.PAPER, tuple(cc.VIEWS), cc.PaperSettings, kinds=kinds, first="kmeans")
study.views(views)
study.split(start)

# -- what is measured


def agreement(part: Run, answer: Clusters, read: Any, *, score: str) -> float:
    """Score the clusters that count: those of a rule's view, or the ones named."""
    labels = answer.labels[part.task.choice.get(read, read)]
    return measure(score, part.task.truth, labels)


for _name in SCORES:
    study.metric(_name)(partial(agreement, score=_name))
PULL = ("rho_mean", "rho_max", "negative_pct", "decreases", "unsafe_steps")
for _name in PULL:
    study.metric(_name)(lambda part, answer, _name=_name: answer.told[_name])
study.metric("silhouette")(lambda part, answer, read: part.score("silhouette", read))
study.metric("nats_per_word")(lambda part, answer, read: part.score("likelihood", read))


@study.metric("score", text("rule"), VIEW)
def score(part: Run, answer: Sequence[str]) -> Iterator[tuple[dict[str, str], float]]:
    """Yield the scores by which some rules choose a view."""
    for rule, view in product(answer, part.task.names):
        yield {"rule": rule, "view": view}, part.score(rule, view)


# -- fits


def coplsa(part: Run, Xs: Sequence[Any], **options: Any) -> Any:
    """Return CoPLSA from the starts and on the pairs of a run, fitted."""
    from manyviews.models.pairwise_coplsa import PairwiseCoPLSA

    if "init" not in options:
        options["init"] = [part.starts[name] for name in part.task.names[: len(Xs)]]
    if "random_state" not in options:
        options["random_state"] = part.seeds["pairs",]
    return PairwiseCoPLSA(part.task.clusters, **options).fit(list(Xs))


def both_updates(fit: Callable[[str], Any], names: Sequence[str]) -> Found:
    """Return the clusters of the printed and of the safeguarded update, fitted when asked for.

    As long as every printed step passes the safeguard's test the two are the same computation, so
    the second fit is made only when one did not.
    """

    def make(update: str) -> Any:
        safe = update == "safeguarded" and not models["printed"].unsafe_steps_
        return models["printed"] if safe else fit(update)

    models = Found(make)
    return Found(lambda update: by_view(models[update], names))


def by_view(model: Any, names: Sequence[str]) -> Clusters:
    """Return the clusters of every view, how strongly the penalty pulled, and if O ever fell."""
    slack = 1e-12 * np.abs(model.objective_[:-1])
    told = {
        "rho_mean": float(model.rho_.mean()),
        "rho_max": float(model.rho_.max()),
        "negative_pct": 100 * float(model.negative_share_.max()),
        "decreases": float((np.diff(model.objective_) < -slack).sum()),
        "unsafe_steps": float(model.unsafe_steps_),
    }
    return Clusters(dict(zip(names, model.labels_by_view_, strict=True)), told)


def graph_of(task: Task, graph: str | int, spectral: cc.Spectral, neighbours: int) -> Any:
    """Return the embedding of PCoSC in a reading: the name of one, or the neighbours kept."""
    options: dict[str, Any] = {"lam": spectral.lambda_, "max_iter": spectral.rounds}
    if isinstance(graph, int) or graph == "neighbour graph":
        nearest = graph if isinstance(graph, int) else neighbours
        options["n_neighbors"] = min(nearest, task.truth.size - 1)
    elif graph == "cosine affinity":
        options["affinity"] = "cosine"
    elif graph:
        options |= {"lam": spectral.released_lambda, "max_iter": spectral.released_rounds}
    return task.embedded[tuple(options.items())]


def taken_further(
    fit: Callable[[Any, int], Any], start: Any, totals: Iterable[int]
) -> Iterator[tuple[int, Any]]:
    """Yield fits of more and more iterations, each going on from where the shorter one stopped.

    The document pairs are the same, so the numbers of iterations are those of one long fit.
    """
    done = 0
    for total in sorted(set(totals)):
        model = fit(start, total - done)
        yield total, model
        topics = model.doc_topic_, model.topic_word_
        several = isinstance(model.doc_topic_, list)
        start, done = list(zip(*topics, strict=True)) if several else topics, total


# -- methods of Table 1; those of one view answer for any

study.method("rules of K-means")(lambda part: ("accuracy", "silhouette"))
study.method("rules of PLSA")(lambda part: ("likelihood",))
study.method("K-means")(lambda part: Clusters(part.kmeans))
study.method("PLSA")(lambda part: Clusters(Found(lambda name: part.plsa[name].labels_)))
study.method("K-means + CTVF")(lambda part: always(part.kmeans[CONCATENATION]))
study.method("PLSA + CTVF")(lambda part: always(part.plsa[CONCATENATION].labels_))
study.method("majority", role="control")(lambda part: always(np.zeros_like(part.task.truth)))


@study.method("random", role="control")
def guess(part: Run, run: int, seeded: Any) -> Clusters:
    """Guess."""
    rng = seeded("random labels", run)
    return always(rng.integers(part.task.clusters, size=part.task.truth.size))


def vote(part: Run, fits: Sequence[Any], iterations: int, tolerance: float) -> Clusters:
    """Return vote-based PLSA from fits of the first two views."""
    from manyviews.baselines.vote_plsa import VotePLSA

    model = VotePLSA(part.task.clusters, max_iter=iterations, tol=tolerance)
    model.fit(part.task.views(2), doc_topics=[fit.doc_topic_ for fit in fits])
    return always(model.labels_)


@study.method("VPLSA")
def voted(part: Run, iterations: int, tolerance: float) -> Clusters:
    """Vote-based PLSA from the fits of single views."""
    return vote(part, [part.plsa[name] for name in part.task.names[:2]], iterations, tolerance)


@study.method("CCAMC")
def correlated(part: Run, dataset_kind: str, cca_ridge: float, reduction: cc.Reduction) -> Clusters:
    """CCA on the first two views (Reuters first reduced to topics), then k-means."""
    from manyviews.baselines.cca_kmeans import CCAKMeans

    task, seed = part.task, part.seeds["ccamc",]
    model = CCAKMeans(
        task.clusters, reg=cca_ridge, plsa_iter=reduction.iterations, random_state=seed,
        n_topics=reduction.topics if dataset_kind == "reuters" else None,
        n_init=1,  # means are over starts
    ).fit(task.views(2))  # fmt: skip
    labels = dict(zip(task.names[:2], model.labels_by_view_, strict=True))
    joined = np.hstack(model.projections_)
    return Clusters(Found(lambda _: kmeans(joined, task.clusters, seed), labels))


@study.method("PCoSC")
def pcosc(part: Run, graph: str | int, spectral: cc.Spectral, neighbours: int) -> Clusters:
    """Co-regularised spectral clustering; the embedding is fixed, only k-means is random."""
    task, seed = part.task, part.seeds["pcosc",]
    model = graph_of(task, graph, spectral, neighbours)
    return Clusters(Found(lambda name: model.cluster(task.names.index(name), seed)))


def tied(
    part: Run, lambda_: float, sigma: float | str, pair_share: float, iterations: int,
    tolerance: float, *, count: int = 2, shuffled: bool = False,
) -> Found:  # fmt: skip
    """Fit CoPLSA on the first views, with either update."""
    Xs = part.shuffled_partner if shuffled else part.task.views(count)
    how = {"lam": lambda_, "sigma": sigma, "pair_share": pair_share, "max_iter": iterations}
    return both_updates(
        lambda update: coplsa(part, Xs, update=update, tol=tolerance, **how),
        part.task.names[:count],
    )


_both = {cc.TWO: "printed", f"{cc.TWO} safeguarded": "safeguarded"}
study.several(_both)(tied)
study.several({name.replace(cc.TWO, cc.THREE): own for name, own in _both.items()})(
    partial(tied, count=3)
)
study.several({cc.PLACEBO: "printed"}, role="control")(partial(tied, shuffled=True))


@study.several({f"{name} per pair": own for name, own in _both.items()})
def per_pair(
    part: Run, share: float, lambda_: float, sigma: float, pair_share: float, iterations: int,
    tolerance: float,
) -> Found:  # fmt: skip
    """Divide lambda by the share of the pairs, so that all pairs together pull alike."""
    return tied(part, lambda_ * pair_share / share, sigma, share, iterations, tolerance)


# -- methods of what the paper leaves open


@study.method("PLSA taken further")
def further(part: Run, iteration_grid: list[int]) -> Clusters:
    """Take PLSA of the best view further than the cap; nothing stops early."""
    name = part.task.names[part.task.best]
    fits = taken_further(partial(part.fitted, name), part.starts[name], iteration_grid)
    return Clusters({total: model.labels_ for total, model in fits})


@study.method(f"{cc.TWO} taken further")
def tied_further(
    part: Run, iteration_grid: list[int], lambda_: float, sigma: float, pair_share: float
) -> Clusters:
    """Take CoPLSA further than the cap; nothing stops early."""
    how = {"lam": lambda_, "sigma": sigma, "pair_share": pair_share, "tol": 0.0}
    fits = taken_further(
        lambda init, more: coplsa(part, part.task.views(2), init=init, max_iter=more, **how),
        [part.starts[name] for name in part.task.names[:2]], iteration_grid,
    )  # fmt: skip
    return Clusters({total: model.labels_by_view_[part.task.best] for total, model in fits})


@study.method("PCoSC by what is clustered", role="ours")
def pcosc_read(part: Run, graph: str | int, spectral: cc.Spectral, neighbours: int) -> Clusters:
    """Cluster the best view's embedding, the other's, or both side by side."""
    task, model = part.task, graph_of(part.task, graph, spectral, neighbours)
    one, other = model.embeddings_[task.best], model.embeddings_[1 - task.best]
    found = {"best view": one, "other view": other, "both views": np.hstack([one, other])}
    return Clusters(Found(lambda name: kmeans(found[name], task.clusters, part.seeds["pcosc",])))


# -- PLSA from k-means, on square roots: an inference, found after seeing print


@study.method("PLSA from k-means")
def from_kmeans(part: Run, short_run: cc.ShortRun) -> Clusters:
    """Start PLSA of an input from its own k-means clusters and take few steps."""
    return Clusters(Found(lambda name: part.from_kmeans(name, short_run).labels_))


@study.method("VPLSA from k-means")
def voted_from_kmeans(part: Run, short_run: cc.ShortRun, tolerance: float) -> Clusters:
    """Vote-based PLSA from such fits."""
    fits = [part.from_kmeans(name, short_run) for name in part.task.names[:2]]
    return vote(part, fits, short_run.steps, tolerance)


def tied_from_kmeans(
    part: Run, short_run: cc.ShortRun, lambda_: float, sigma: float, pair_share: float, *,
    count: int, partition: str,
) -> dict[str, Clusters]:  # fmt: skip
    """Fit CoPLSA from k-means of all its views, and PLSA from the same start."""
    names, steps, own = part.task.names[:count], short_run.steps, short_run.own_cluster
    starts = {name: part.soft_start(name, partition, own) for name in names}
    model = coplsa(
        part, part.task.views(count), init=list(starts.values()), max_iter=steps, tol=0.0,
        lam=lambda_, sigma=sigma, pair_share=pair_share,
    )  # fmt: skip
    alone = Found(lambda name: part.fitted(name, starts[name], steps, track_loglik=False).labels_)
    return {"tied": by_view(model, names), "alone": Clusters(alone)}


for _method, _count, _partition in ((cc.TWO, 2, FIRST_TWO), (cc.THREE, 3, ALL_THREE)):
    _fit = partial(tied_from_kmeans, count=_count, partition=_partition)
    study.several({f"{_method} from k-means": "tied"})(_fit)
    # what the penalty itself adds
    study.several({f"PLSA from the start of {_method}": "alone"}, role="control")(_fit)


# -- beyond the paper: the work of an iteration

extras = Protocol(cc.PAPER, tuple(cc.VIEWS), cc.PaperSettings)
extras.views(views)
extras.split(start)


@extras.method("cost")
def cost(
    part: Run, seeded: Any, sweep: str, share: float, cost_grid: cc.CostGrid
) -> dict[str, int]:
    """Count the work of an iteration, K (non-zeros + views x pairs), beside K N M (W + N)."""
    Xs, k, n = part.task.views(2), part.task.clusters, part.task.truth.size
    if sweep == "words":
        rng = seeded("columns")
        orders = [rng.permutation(X.shape[1])[: round(share * X.shape[1])] for X in Xs]
        Xs, share = [X[:, order] for X, order in zip(Xs, orders, strict=True)], cost_grid.pairs[0]
    pairs, words = round(share * (n * (n - 1) // 2)), sum(X.nnz for X in Xs)
    bound = k * n * (sum(X.shape[1] for X in Xs) + len(Xs) * n)
    work = k * (words + len(Xs) * pairs)
    return {"pairs": pairs, "words": words, "work": work, "bound": bound}


COUNTED = ("pairs", "words", "work", "bound")
for _name in COUNTED:
    extras.metric(_name)(lambda part, answer, _name=_name: answer[_name])
