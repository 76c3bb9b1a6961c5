"""Tables 1 and 2: statistics, F1 of every method in the declared reading and in others."""

from typing import Any

import numpy as np

from manyviews.kernels.passive_aggressive import (
    EMPTY_RULES,
    GATES,
    MODES,
    VARIANTS,
    pa_pass,
    two_view_pass,
)
from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.protocol import (
    CAT,
    SUM,
    TWO_VIEW_METHODS,
    VIEW_1,
    VIEW_2,
    Fold,
    Views,
    f1_pct,
    folds,
    has_empty_rows,
    kept_passes,
    orders,
    published_setting,
    scale_views,
    signs,
    single_scores,
    two_view_scores,
)
from reproduction.results.jobs import Context, Result, Row

PRINTED = "Two-view PA"


def run(context: Context) -> Result:
    """Measure Tables 1 and 2, the readings that change one thing, and identical views."""
    data, settings = context.data, context.settings
    y = signs(data)
    rows = statistics(data)
    setting = published_setting(settings)
    splits = list(folds(y, settings["folds"], settings["repetitions"], data.name))
    for fold in context.progress(splits, f"{data.name} Table 2"):
        number = fold.repetition * settings["folds"] + fold.number
        for reading, method, value, where in _fold_values(data, y, fold, settings):
            rows.append(
                Row("2", where or setting, method, "f1_pct", value, reading=reading, run=number)
            )
    rows += identical_views(data, y, splits[: settings["folds"]], settings)
    return Result(rows)


def statistics(data: MultiViewData) -> list[Row]:
    """Return the figures of Table 1, and the rows that are empty in a view."""
    rows = []
    for number, (name, view) in enumerate(data.views.items(), start=1):
        empty = int((np.diff(view.indptr) == 0).sum())
        facts = {"dimension": view.shape[1], "empty_rows": empty, "nonzeros": view.nnz}
        rows += [Row("1", name, f"View {number}", metric, float(v)) for metric, v in facts.items()]
    counts = {"positive": int((data.labels == 1).sum()), "negative": int((data.labels == 0).sum())}
    counts["total"] = data.n_rows
    rows += [Row("1", "all", "data set", metric, float(v)) for metric, v in counts.items()]
    return rows


def _fold_values(
    data: MultiViewData, y: np.ndarray, fold: Fold, settings: Any
) -> list[tuple[str, str, float, str]]:
    """Return (reading, method, F1, setting) of one fold; an empty setting is the published one."""
    C, gamma = settings["C"], settings["gamma"]
    passes = settings["grid"]["passes"]
    positive = y[fold.test] > 0
    out: list[tuple[str, str, float, str]] = []
    for rows in settings["grid"]["rows"]:
        views = scale_views(data, rows, fold.train)
        for order in settings["grid"]["orders"] if rows == "binary" else ["shuffled"]:
            sequence = orders(fold, max(passes), order, data.name)
            scores = _all_methods(views, y, sequence, kept_passes(passes), fold.test, C, gamma)
            for k, count in enumerate(sorted(passes)):
                reading = _reading(rows, order, count)
                # one thing at a time: the full product is the grid's business
                if reading is not None:
                    out += [
                        (reading, method, float(f1_pct(value[0, k], positive)), "")
                        for method, value in scores.items()
                    ]
            if rows == "binary" and order == "shuffled":
                out += _empty_rules(data, views, y, sequence[:1], fold, C, gamma)
                out += _progressive(views, y, sequence[0], settings)
                small = C / 2
                exact = two_view_scores(
                    views, y, sequence[:1], np.ones(1, bool), fold.test, [(C, small)], "exact"
                )
                where = f"{settings['folds']}-fold;C={C:g};gamma={small:g}"
                value = float(f1_pct(exact[0, 0], positive))
                out.append(("gamma=C/2", "Two-view PA, exact", value, where))
    everything = float(f1_pct(np.ones(positive.size), positive))
    majority = everything if (y[fold.train] > 0).mean() > 0.5 else 0.0
    out.append(("paper", "control:majority", majority, ""))
    out.append(("paper", "control:all positive", everything, ""))
    return out


def _reading(rows: str, order: str, passes: int) -> str | None:
    """Return the name of a reading that differs in at most one thing; None for the others."""
    changes = []
    if rows != "binary":
        changes.append(f"rows={rows}")
    if order != "shuffled":
        changes.append(f"order={order}")
    if passes != 1:
        changes.append(f"passes={passes}")
    if len(changes) > 1:
        return None
    return changes[0] if changes else "paper"


def _all_methods(
    views: Views,
    y: np.ndarray,
    sequence: np.ndarray,
    keep: np.ndarray,
    test: np.ndarray,
    C: float,
    gamma: float,
) -> dict[str, np.ndarray]:
    scores = single_scores(views, y, sequence, keep, test, C)
    for method, (variant, gate) in TWO_VIEW_METHODS.items():
        scores[method] = two_view_scores(
            views, y, sequence, keep, test, [(C, gamma)], variant, gate
        )
    return scores


def _empty_rules(
    data: MultiViewData,
    views: Views,
    y: np.ndarray,
    sequence: np.ndarray,
    fold: Fold,
    C: float,
    gamma: float,
) -> list[tuple[str, str, float, str]]:
    """Return the printed update under every rule for rows that are empty in a view."""
    if not has_empty_rows(data):
        return []
    out = []
    for rule in EMPTY_RULES:
        scores = two_view_scores(
            views, y, sequence, np.ones(1, bool), fold.test, [(C, gamma)], "printed", empty=rule
        )
        value = float(f1_pct(scores[0, 0], y[fold.test] > 0))
        out.append((f"empty={rule}", PRINTED, value, ""))
    return out


def _progressive(
    views: Views, y: np.ndarray, order: np.ndarray, settings: Any
) -> list[tuple[str, str, float, str]]:
    """Return F1 of the predictions made during training, each before its own update."""
    C, gamma = settings["C"], settings["gamma"]
    traces = {}
    for which, method in enumerate((VIEW_1, VIEW_2, CAT)):
        trace = np.empty(order.size)
        weights = np.zeros(views.width(which))
        pa_pass(*views.arrays(which), y, order, weights, C, MODES["PA-I"], trace)
        traces[method] = trace
    traces[SUM] = traces[VIEW_1] + traces[VIEW_2]
    for method, (variant, gate) in TWO_VIEW_METHODS.items():
        traces[method] = joint_trace(views, y, order, C, gamma, variant, gate).sum(axis=1)
    positive = y[order] > 0
    return [
        ("scored=progressive", method, float(f1_pct(trace, positive)), "")
        for method, trace in traces.items()
    ]


def joint_trace(
    views: Views, y: np.ndarray, order: np.ndarray, C: float, gamma: float, variant: str, gate: str
) -> np.ndarray:
    """Return both views' scores before each round of two-view PA, shape (rounds, 2)."""
    trace = np.empty((order.size, 2))
    weights = [np.zeros(views.width(v)) for v in range(2)]
    rule = EMPTY_RULES["exact" if variant == "exact" else "zero"]
    two_view_pass(
        *views.arrays(0), *views.arrays(1), y, order, weights[0], weights[1],
        C, gamma, VARIANTS[variant], GATES[gate], rule, trace,
    )  # fmt: skip
    return trace


def identical_views(
    data: MultiViewData, y: np.ndarray, splits: list[Fold], settings: Any
) -> list[Row]:
    """Give view 1 as both views and compare the weights with those of single-view PA-I.

    The paper's section 5 says that two-view PA then becomes single-view PA.
    """
    gamma = settings["gamma"]
    rows = []
    for C in (settings["C"], 100 * settings["C"]):
        for fold in splits:
            views = scale_views(data, "binary", fold.train)
            order = orders(fold, 1, "shuffled", data.name)[0]
            single = {}
            for name, value in (("C", C), ("C/2", C / 2)):
                single[name] = np.zeros(views.width(0))
                pa_pass(*views.arrays(0), y, order, single[name], value, MODES["PA-I"], np.empty(0))
            for variant in VARIANTS:
                both = [np.zeros(views.width(0)) for _ in range(2)]
                two_view_pass(
                    *views.arrays(0), *views.arrays(0), y, order, both[0], both[1],
                    C, gamma, VARIANTS[variant], GATES["loss"], EMPTY_RULES["exact"],
                    np.empty((0, 2)),
                )  # fmt: skip
                for name, weights in single.items():
                    gap = max(float(np.abs(part - weights).max()) for part in both)
                    rows.append(
                        Row(
                            "extra:identical views",
                            f"C={C:g};gamma={gamma:g}",
                            f"{variant} against PA-I({name})",
                            "max_weight_difference",
                            gap if gap > 1e-9 else 0.0,  # rounding, not a difference
                            reading="own",
                            run=fold.number,
                        )
                    )
    return rows
