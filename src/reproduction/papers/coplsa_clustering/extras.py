"""Beyond the paper: missing rows, and what an iteration costs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from reproduction.papers.coplsa_clustering.protocol import (
    SCORES,
    Run,
    coplsa,
    integer,
    measure,
    start,
    views,
)
from reproduction.papers.coplsa_clustering.settings import (
    PAPER,
    TWO,
    VIEWS,
    CostGrid,
    PaperSettings,
)
from reproduction.results.study import Protocol
from reproduction.results.tables import number, text

_ITERATIONS, _REPEATS = 3, 2

extras = Protocol(PAPER, tuple(VIEWS), PaperSettings)
extras.views(views)
extras.split(start)


#: Clusters, and the documents whose row of the best view was hidden.
Hidden = tuple[np.ndarray, np.ndarray]


@extras.method("missing rows")
def with_missing(
    part: Run, run: int, seeded: Any, missing: float, strong_lambda: float, sigma: float,
    pair_share: float, iterations: int, tolerance: float,
) -> Hidden:  # fmt: skip
    """Hide rows of the best view; those documents take its topics from the other view."""
    size, best = part.task.truth.size, part.task.best
    hidden = np.zeros(size, dtype=bool)
    hidden[seeded("missing", run).permutation(size)[: round(missing * size)]] = True
    observed: list[np.ndarray | None] = [None, None]
    observed[best] = ~hidden
    model = coplsa(
        part, part.task.views(2), observed, lam=strong_lambda, sigma=sigma, pair_share=pair_share,
        max_iter=iterations, tol=tolerance, update="safeguarded",
    )  # fmt: skip
    return model.labels_by_view_[best], hidden


def scored(part: Run, answer: Hidden) -> Iterator[tuple[dict[str, str], np.ndarray, np.ndarray]]:
    """Yield truth and clusters of all documents, of those hidden and of the rest."""
    labels, hidden = answer
    for name, kept in (("all", hidden | True), ("hidden", hidden), ("seen", ~hidden)):
        if kept.any():
            yield {"scored": name}, part.task.truth[kept], labels[kept]


for _name in SCORES:
    extras.metric(_name, text("scored"))(
        lambda part, answer, _name=_name: [
            (place, measure(_name, *both)) for place, *both in scored(part, answer)
        ]
    )


@extras.method("cost")
def cost(
    part: Run, seeded: Any, sweep: str, share: float, cost_grid: CostGrid, lambda_: float,
    sigma: float,
) -> dict[str, float]:  # fmt: skip
    """Return least seconds an iteration (start-up subtracted) and the size of the work.

    The work is K (non-zeros + views x pairs), beside the printed K N M (W + N).
    """
    Xs, k, n = part.task.views(2), part.task.clusters, part.task.truth.size
    if sweep == "words":
        Xs, share = fewer_words(Xs, share, seeded("columns")), cost_grid.pairs[0]
    options = {"lam": lambda_, "sigma": sigma, "pair_share": share, "tol": 0.0}
    starts = [part.random_start(X, seeded("start", f"cost{v}", 0)) for v, X in enumerate(Xs)]
    seconds = []
    more = [integer(seeded("pairs", repeat)) for repeat in range(1, _REPEATS)]
    for seed in (part.seeds["pairs",], *more):
        times = []
        for iterations in (1, 1 + _ITERATIONS):
            begun = time.process_time()  # of the processor: a busy machine must not bend the line
            how = {"max_iter": iterations, "random_state": seed, "init": starts}
            model = coplsa(part, Xs, **how, **options)
            times.append(time.process_time() - begun)
        seconds.append((times[1] - times[0]) / _ITERATIONS)
    pairs, words, width = len(model.pairs_), sum(X.nnz for X in Xs), sum(X.shape[1] for X in Xs)
    return {
        "seconds": min(seconds), "pairs": pairs, "words": words,
        "work": k * (words + len(Xs) * pairs), "bound": k * n * (width + len(Xs) * n),
    }  # fmt: skip


def fewer_words(Xs: list[Any], share: float, rng: np.random.Generator) -> list[Any]:
    """Return a random share of the words of every view.

    Documents that lost all words in every view get one word, so that all stay in the fit.
    """
    import scipy.sparse as sp

    kept = []
    for X, order in zip(Xs, [rng.permutation(X.shape[1]) for X in Xs], strict=True):
        chosen = np.sort(order[: max(1, round(share * X.shape[1]))])
        kept.append(sp.csr_matrix(X[:, chosen]))
    empty = np.flatnonzero(np.all([np.diff(X.indptr) == 0 for X in kept], axis=0))
    if empty.size:
        where = (empty, np.zeros(empty.size, dtype=int))
        patch = sp.csr_matrix((np.ones(empty.size), where), kept[0].shape)
        kept[0] = sp.csr_matrix(kept[0] + patch)
    return kept


SIZES = ("pairs", "words", "work", "bound")
for _name in (*SIZES, "seconds"):
    extras.metric(_name)(lambda part, answer, _name=_name: answer[_name])

extras.table(
    "extra:missing", {TWO: "missing rows"}, runs="choice_runs", metrics=SCORES,
    vary={"missing": "missing_grid"}, columns={"missing": number("missing", "missing={:g}")},
    datasets=["reuters", "digits"], job="missing",
)  # fmt: skip
for _sweep, _shares in (("pairs", "cost_grid.pairs"), ("words", "cost_grid.words")):
    for _table, _metrics, _timed in (
        ("extra:cost", SIZES, False), ("extra:cost_time", ["seconds"], True),
    ):  # fmt: skip
        extras.table(
            _table, {TWO: "cost"}, runs=1, metrics=_metrics, timed=_timed, datasets=["corel5k"],
            vary={"sweep": [_sweep], "share": _shares}, job="cost",
            columns={"sweep": text("sweep"), "share": number("share", "share={:g}")},
        )  # fmt: skip
