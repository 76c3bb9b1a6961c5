"""Figure 2 and what the paper does not say: sigma, pairs, iterations, the scale of the input."""

from typing import Any

from manyviews.baselines.one_table import PLSAClustering
from manyviews.preprocessing.sparse import hstack_csr
from reproduction.papers.coplsa_clustering.coplsa import (
    PLACEBO,
    fit_both,
    shuffled_partner,
)
from reproduction.papers.coplsa_clustering.protocol import (
    Place,
    Recorder,
    Task,
    diagnostics,
    make_task,
    merge,
    recorder,
    scale_runs,
    sensitivity_runs,
)
from reproduction.results.jobs import Context, Result

METHOD = "CoPLSA(2)"


def run_lambda(context: Context) -> Result:
    """Figure 2 on the views as distributed, and (Reuters) on rows that sum to one."""
    task = make_task(context)
    record = recorder(context, task)
    _lambda_curve(context, task, record, "raw")
    if task.dataset == "reuters":
        _lambda_curve(context, task.scaled("l1"), record, "l1")
    return Result(record.rows, {"runs": sensitivity_runs(task)})


def run_lambda_unit(context: Context) -> Result:
    """Figure 2 on rows that sum to one, where the paper's lambda is no longer small."""
    task = make_task(context)
    record = recorder(context, task)
    _lambda_curve(context, task.scaled("l1"), record, "l1")
    return Result(record.rows, {"runs": sensitivity_runs(task)})


def _lambda_curve(context: Context, task: Task, record: Recorder, scale: str) -> None:
    grid = task.settings["lambda_grid"][task.dataset][scale]
    prefix = "" if scale == "raw" else f"scale={scale}"
    settings = [(f"lambda={lam:g}", {"lam": float(lam)}) for lam in grid]
    _panel(context, task, record, "fig2", settings, prefix)
    if task.dataset in ("reuters", "digits"):
        _placebo_curve(context, task, record, settings, prefix or "paper")


def _placebo_curve(
    context: Context,
    task: Task,
    record: Recorder,
    settings: list[tuple[str, dict[str, Any]]],
    reading: str,
) -> None:
    """The same curve with the partner view's rows shuffled: what is not information."""
    best = task.names.index(record.choice["accuracy"])
    for run in context.progress(range(sensitivity_runs(task)), "fig2 placebo"):
        Xs = shuffled_partner(task, best, run)
        for setting, changes in settings:
            model = task.coplsa(run, 2, **changes).fit(Xs)
            place = Place(reading, "fig2", setting)
            record.add(PLACEBO, model.labels_by_view_[best], run, place)


def _panel(
    context: Context,
    task: Task,
    record: Recorder,
    table: str,
    settings: list[tuple[str, dict[str, Any]]],
    prefix: str = "",
) -> None:
    """Fit every setting with both updates, on the first starts of Table 1."""
    best = task.names.index(record.choice["accuracy"])
    for run in context.progress(range(sensitivity_runs(task)), f"{table} {prefix}".strip()):
        for setting, changes in settings:
            for reading, model in fit_both(task, run, 2, **changes).items():
                place = Place(_join(prefix, reading), table, setting)
                record.add(METHOD, model.labels_by_view_[best], run, place)
                found = {**diagnostics(model), "sigma": model.sigma_}
                record.values(METHOD, found, run, place)


def _join(prefix: str, reading: str) -> str:
    """Reading "paper" stays itself without a prefix, and is left out after one."""
    if not prefix:
        return reading
    return prefix if reading == "paper" else f"{prefix} {reading}"


def run_silent(context: Context) -> Result:
    """What the paper does not say about the penalty: the width of the Gaussian, the pairs."""
    return merge(run_sigma(context), run_share(context))


def run_sigma(context: Context) -> Result:
    """Effect of the width of the Gaussian, which the paper does not give."""
    task = make_task(context)
    record = recorder(context, task)
    settings = [(f"sigma={sigma}", {"sigma": sigma}) for sigma in task.settings["sigma_grid"]]
    _panel(context, task, record, "silent:sigma", settings)
    strong = float(task.settings["strong_lambda"][task.dataset])
    loud = [(setting, {**changes, "lam": strong}) for setting, changes in settings]
    _panel(context, task, record, "silent:sigma", loud, f"lambda={strong:g}")
    return Result(record.rows, {"runs": sensitivity_runs(task), "strong lambda": strong})


def run_share(context: Context) -> Result:
    """Effect of the share of document pairs, lambda as printed and per pair."""
    task = make_task(context)
    record = recorder(context, task)
    grid = task.settings["share_grid"]
    settings = [(f"share={share:g}", {"pair_share": float(share)}) for share in grid]
    _panel(context, task, record, "silent:pairs", settings)
    base = float(task.settings["pair_share"])
    strong = float(task.settings["strong_lambda"][task.dataset])
    level = [
        (setting, {**changes, "lam": strong * base / changes["pair_share"]})
        for setting, changes in settings
    ]
    _panel(context, task, record, "silent:pairs", level, f"lambda={strong:g} per pair")
    return Result(record.rows, {"runs": sensitivity_runs(task), "strong lambda": strong})


def run_iterations(context: Context) -> Result:
    """How far the capped fits of Table 1 are from convergence: the same starts, more iterations.

    Every fit goes on from where the shorter one stopped, with the same document pairs, so the
    numbers of iterations are those of one long fit. ``tol=0``: nothing stops early.
    """
    task = make_task(context)
    record = recorder(context, task)
    best = task.names.index(record.choice["accuracy"])
    X, Xs = task.Xs[best], task.Xs[:2]
    for run in context.progress(range(scale_runs(task)), "iterations"):
        init = task.start(task.names[best], X, run)
        inits = task.starts(run, 2)
        done = 0
        for total in sorted(task.settings["iteration_grid"]):
            more = {"max_iter": total - done, "tol": 0.0}
            plsa = PLSAClustering(task.n_clusters, init=init, **more).fit(X)
            tied = task.coplsa(run, 2, init=inits, **more).fit(Xs)
            place = Place(table="silent:iterations", setting=f"iterations={total}")
            record.add("PLSA + BOVF", plsa.labels_, run, place)
            record.add(METHOD, tied.labels_by_view_[best], run, place)
            record.values("PLSA + BOVF", {"loglik": plsa.loglik_[-1]}, run, place)
            init = (plsa.doc_topic_, plsa.topic_word_)
            inits = [*zip(tied.doc_topic_, tied.topic_word_, strict=True)]
            done = total
    return Result(record.rows, {"runs": scale_runs(task), "cap": task.iterations})


def run_scale(context: Context) -> Result:
    """The input's scale decides the baselines: raw, rows summing to 1, L2, square root, binary."""
    task = make_task(context)
    record = recorder(context, task)
    for scale in task.settings["scales"]:
        scaled = task.scaled(scale)
        for run in context.progress(range(scale_runs(task)), f"scale {scale}"):
            _scale_row(scaled, record, scale, run)
    return Result(record.rows, {"scale runs": scale_runs(task), "choice": record.choice})


def _scale_row(task: Task, record: Recorder, scale: str, run: int) -> None:
    place = Place(table="silent:scale", setting=f"scale={scale}")
    options = {"max_iter": task.iterations, "tol": task.settings["tolerance"]}
    both = hstack_csr(task.Xs[:2])
    tables = [*zip(task.names[:2], task.names[:2], task.Xs[:2], strict=True)]
    for name, start, X in [*tables, ("first two", "concatenation", both)]:
        where = place.read(f"view={name}")
        record.add("K-means", task.kmeans(X, "kmeans", start, run), run, where)
        plsa = PLSAClustering(task.n_clusters, init=task.start(start, X, run), **options).fit(X)
        record.add("PLSA", plsa.labels_, run, where)
    for reading, model in fit_both(task, run, 2).items():
        for name, labels in zip(task.names, model.labels_by_view_, strict=False):
            full = f"view={name}" + ("" if reading == "paper" else f" {reading}")
            record.add(METHOD, labels, run, place.read(full))
        record.values(METHOD, diagnostics(model), run, place.read(reading))
