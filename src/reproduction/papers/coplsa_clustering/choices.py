"""What the paper leaves open: sigma, pairs, iterations, the scale of the input, SIFT words.

Which view is the best is such a choice too; its rows come with Table 1.
"""

from typing import Any

import scipy.sparse as sp

from manyviews.baselines.view_selection import information_per_word
from manyviews.preprocessing.sparse import hstack_csr
from reproduction.papers.coplsa_clustering.columns import TWO
from reproduction.papers.coplsa_clustering.protocol import (
    SCALES,
    Task,
    diagnostics,
    load_data,
    make_task,
    measured,
    scores,
)
from reproduction.papers.coplsa_clustering.settings import Scale
from reproduction.papers.coplsa_clustering.tables import fit_both, panel_rows
from reproduction.papers.coplsa_clustering.trajectory import from_partition
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

FROM_KMEANS = "PLSA from k-means"
_SIFT_SCALES: tuple[Scale, ...] = ("raw", "sqrt")


def run_penalty(context: Context) -> Result:
    """Effect of the width of the Gaussian, which the paper does not give, and of the pairs.

    Both at the paper's lambda and at a strong one; over shares of the pairs the strong one is
    divided by the share, so that all pairs together pull alike.
    """
    task = make_task(context)
    own, settings = task.own, task.settings
    paper = {"strength": "paper", "lambda_": own.lambda_}
    strong = {"strength": "strong", "lambda_": own.strong_lambda}
    widths: list[tuple[dict[str, Any], dict[str, Any]]] = [
        *(({"sigma": sigma}, {"sigma": sigma}) for sigma in settings.sigma_grid),
        ({"width": "mean"}, {"sigma": "mean"}),
    ]
    sigma = [
        ({**at, **strength}, {**changes, "lam": strength["lambda_"]})
        for strength in (paper, strong)
        for at, changes in widths
    ]
    per_pair = {"strength": "strong per pair", "lambda_": own.strong_lambda}
    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for share in settings.share_grid:
        level = own.strong_lambda * settings.pair_share / share
        pairs.append(({"share": share, **paper}, {"pair_share": share}))
        pairs.append(({"share": share, **per_pair}, {"pair_share": share, "lam": level}))
    rows = panel_rows(context, task, "choice:sigma", sigma)
    rows += panel_rows(context, task, "choice:pairs", pairs)
    return Result(rows, {"runs": own.choice_runs, "strong lambda": own.strong_lambda})


def run_iterations(context: Context) -> Result:
    """How far the capped fits of Table 1 are from convergence: the same starts, more iterations.

    Every fit goes on from where the shorter one stopped, with the same document pairs, so the
    numbers of iterations are those of one long fit. ``tol=0``: nothing stops early.
    """
    task = make_task(context)
    X, Xs = task.Xs[task.best], task.Xs[:2]
    name = task.names[task.best]
    rows: list[Row] = []
    for run in context.progress(range(task.own.scale_runs), "iterations"):
        init = task.start(name, X, run)
        inits = task.starts(run, 2)
        done = 0
        for total in sorted(task.settings.iteration_grid):
            more = {"max_iter": total - done, "tol": 0.0}
            plsa = task.plsa(name, X, run, init=init, **more).fit(X)
            tied = task.coplsa(run, 2, init=inits, **more).fit(Xs)
            alone = {**scores(task.y, plsa.labels_), "loglik": plsa.loglik_[-1]}
            both = scores(task.y, tied.labels_by_view_[task.best])
            for method, values in (("PLSA + BOVF", alone), (TWO, both)):
                rows += measured("choice:iterations", method, run, values, at={"steps": total})
            init = (plsa.doc_topic_, plsa.topic_word_)
            inits = [*zip(tied.doc_topic_, tied.topic_word_, strict=True)]
            done = total
    return Result(rows, {"runs": task.own.scale_runs, "cap": task.own.iterations})


def run_scale(context: Context) -> Result:
    """The input's scale decides the baselines: raw, rows summing to 1, L2, square root, binary."""
    task = make_task(context)
    rows: list[Row] = []
    for scale in task.settings.scales:
        scaled = task.scaled(scale)
        for run in context.progress(range(task.own.scale_runs), f"scale {scale}"):
            rows += _scale_rows(scaled, scale, run)
    return Result(rows, {"scale runs": task.own.scale_runs, "choice": task.choice})


def _scale_rows(task: Task, scale: Scale, run: int) -> list[Row]:
    both = hstack_csr(task.Xs[:2])
    inputs = [*zip(task.names[:2], task.names[:2], task.Xs[:2], strict=True)]
    rows: list[Row] = []
    for name, start, X in [*inputs, ("first two", "concatenation", both)]:
        at = {"scale": scale, "view": name}
        found = {
            "K-means": task.kmeans(X, "kmeans", start, run),
            "PLSA": task.plsa(start, X, run).fit(X).labels_,
        }
        for method, labels in found.items():
            rows += measured("choice:scale", method, run, scores(task.y, labels), at=at)
    for reading, model in fit_both(task, run, 2).items():
        place: dict[str, Any] = {"reading": reading, "at": {"scale": scale}}
        rows += measured("choice:scale", TWO, run, diagnostics(model), **place)
        for name, labels in zip(task.names[:2], model.labels_by_view_, strict=True):
            place["at"] = {"scale": scale, "view": name}
            rows += measured("choice:scale", TWO, run, scores(task.y, labels), **place)
    return rows


def run_sift(context: Context) -> Result:
    """K-means and PLSA on every construction of SIFT words, beside colour and texture."""
    task = make_task(context)
    views = load_data(context).views
    rows: list[Row] = []
    for name, X in context.progress(views.items(), "SIFT"):
        for scale in _SIFT_SCALES:
            rows += _construction(task, name, scale, SCALES[scale](X))
    return Result(rows, {"views": list(views), "runs": task.own.scale_runs})


def _construction(task: Task, name: str, scale: Scale, X: sp.csr_matrix) -> list[Row]:
    at = {"view": name, "scale": scale}
    rows: list[Row] = []
    for run in range(task.own.scale_runs):
        labels = task.kmeans(X, "kmeans", name, run)
        plsa = task.plsa(name, X, run).fit(X)
        means = scores(task.y, labels)
        topics = scores(task.y, plsa.labels_)
        if run == 0:
            means["silhouette"] = task.silhouette(X, labels, run)
            topics["nats_per_word"] = information_per_word(X, plsa.loglik_[-1])
        rows += measured("choice:sift", "K-means", run, means, at=at)
        rows += measured("choice:sift", "PLSA", run, topics, at=at)
        if scale == "sqrt":  # the start that comes nearest to print, on square roots alone
            tied = scores(task.y, from_partition(task, X, labels))
            rows += measured("choice:sift", FROM_KMEANS, run, tied, at=at, role="ours")
    return rows
