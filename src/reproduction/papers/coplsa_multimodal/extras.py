"""Figure 2, number of topics, objective traces, and the released topics as text view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from manyviews.kernels import coplsa as steps
from manyviews.kernels import plsa as kernels
from manyviews.models.coplsa import CoPLSA
from manyviews.models.link_plsa import LinkPLSA
from manyviews.seeding import generator
from reproduction.papers.coplsa_multimodal.protocol import (
    PAPER,
    Split,
    load_split,
    start,
    table_rows,
)
from reproduction.papers.coplsa_multimodal.table import (
    LINK,
    METHODS,
    fit,
    fit_link,
    folded,
    spaces,
)
from reproduction.results.jobs import Context, Result, Row


def chosen_lambda(context: Context, divergence: str) -> float:
    """Lambda chosen by the table's own job."""
    rows = context.results[f"{context.job.dataset}/{divergence}"]
    return float(rows.loc[rows["table"] == "extra:lambda_chosen", "value"].iloc[0])


def run_topics(context: Context) -> Result:
    """MAP against the number of topics, one seed, sKL and Link PLSA."""
    settings = context.settings
    split = load_split(context.data, settings)
    lam = chosen_lambda(context, "skl")
    rows: list[Row] = []
    for n_topics in context.progress(settings["topic_grid"], "number of topics"):
        models: dict[str, CoPLSA | LinkPLSA] = {
            METHODS["skl"]: fit(split, settings, 0, divergence="skl", lam=lam, n_topics=n_topics),
            LINK: fit_link(split, settings, 0, n_topics=n_topics),
        }
        for method, model in models.items():
            for protocol in ("joint", "honest"):
                rankings = spaces(model, split, protocol, settings).rankings(split.test_labels)
                for row in table_rows(rankings, method, protocol, 0, kinds=("full",)):
                    row.table = "extra:topics"
                    row.setting = f"topics={n_topics};{row.setting}"
                    rows.append(row)
    return Result(rows, {"lambda": lam})


TRACED = {
    "sKL coPLSA": ("skl", "exact"),
    "l2 coPLSA": ("l2", "exact"),
    "l2, two-step update": ("l2", "two_step"),
    "l1 coPLSA": ("l1", "exact"),
    "l1, joint step": ("l1", "joint"),
}


def _sweeps_to(trace: np.ndarray, share: float) -> int:
    """Sweeps after which this share of the whole gain is made."""
    reached = trace[0] + share * (trace[-1] - trace[0])
    return int(np.argmax(trace >= reached))


def _trace_rows(method: str, setting: str, trace: np.ndarray, run: int, n: int) -> list[Row]:
    falls = int((np.diff(trace) < -1e-9 * np.abs(trace[:-1])).sum())
    rows = [
        Row("extra:objective", f"{setting};sweep={i}", method, "objective_per_pair", v / n, run=run)
        for i, v in enumerate(trace.tolist())
    ]
    rows.append(Row("extra:monotone", setting, method, "falls", falls, run=run))
    largest = float(max(0.0, (trace[:-1] - trace[1:]).max())) / n
    rows.append(Row("extra:monotone", setting, method, "largest_fall", largest, run=run))
    return rows


def run_objective(context: Context) -> Result:
    """Objective (8) sweep by sweep, for the exact steps, the criticised one and the joint l1."""
    settings = context.settings
    split = load_split(context.data, settings)
    n = split.train[0].shape[0]
    n_topics, sweeps = settings["topics"][split.name], settings["trace"]["iterations"]
    rows: list[Row] = []
    for run in context.progress(range(settings["trace"]["runs"]), "objective traces"):
        h, ws = start(split, n_topics, run)
        for method, (divergence, h_step) in TRACED.items():
            lam = chosen_lambda(context, divergence)
            options: dict[str, Any] = {"divergence": divergence, "lam": lam, "tol": 0.0}
            model = CoPLSA(n_topics, h_step=h_step, max_iter=sweeps, init=([h, h], ws), **options)
            model.fit(split.train)
            rows += _trace_rows(method, "random start", model.objective_, run, n)
            for share in (0.9, 0.99):
                count = _sweeps_to(model.objective_, share)
                rows.append(
                    Row("extra:convergence", f"share={share:g}", method, "sweeps", count, run=run)
                )
            if method == "l2 coPLSA":
                rows += _from_optimum(model, split, options, run)
            if h_step == "exact" and divergence != "l1":
                count_steps = _newton_steps(model, split)
                rows.append(
                    Row("extra:convergence", "root", method, "newton_steps", count_steps, run=run)
                )
    return Result(rows, {"sweeps": sweeps})


def _from_optimum(model: CoPLSA, split: Split, options: Mapping[str, Any], run: int) -> list[Row]:
    """Both l2 updates started where the exact one has arrived: an ascent method must not fall."""
    rows: list[Row] = []
    warm = (model.doc_topics_, model.topic_words_)
    for method, h_step in (("l2 coPLSA", "exact"), ("l2, two-step update", "two_step")):
        again = CoPLSA(model.n_topics, h_step=h_step, max_iter=5, init=warm, **options)
        again.fit(split.train)
        n = split.train[0].shape[0]
        rows += _trace_rows(method, "from the exact solution", again.objective_, run, n)
    return rows


def _newton_steps(model: CoPLSA, split: Split) -> float:
    """Mean number of Newton steps a column takes without a warm start."""
    text, image = model.doc_topics_
    counts = np.empty_like(text)
    X = split.train[0]
    w = np.ascontiguousarray(model.topic_words_[0].T)
    kernels.fold_in_step(X.indptr, X.indices, X.data, text, w, counts)
    n = len(text)
    eta, out, weight = np.full(n, np.nan), np.empty_like(text), np.full(n, float(model.lam))
    if model.divergence == "skl":
        used = steps.h_step_skl(counts, image, np.log(image), weight, model.floor, eta, out)
    else:
        used = steps.h_step_l2(counts, image, weight, eta, out)
    return used / n


def run_figure(context: Context) -> Result:
    """Figure 2: topic compositions of test images, tags sampled from them, the topics' words."""
    settings = context.settings
    split = load_split(context.data, settings)
    lam = chosen_lambda(context, "skl")
    model = fit(split, settings, 0, divergence="skl", lam=lam)
    unnamed = [f"word{i}" for i in range(split.train[0].shape[1])]  # a surrogate has no words
    words = np.array(context.data.feature_names.get("text", unnamed))
    text_topics = model.topic_words_[0]
    top_words = [words[np.argsort(-t, kind="stable")[:10]].tolist() for t in text_topics]
    rng = generator(PAPER, split.name, "figure 2")
    classes = rng.permutation(np.unique(split.test_labels))
    rows: list[Row] = []
    examples = []
    shares = {
        p: folded(model, split, p, settings["fold_iterations"])[1] for p in ("joint", "honest")
    }
    for label in classes[: settings["figure_images"]]:
        image = int(rng.choice(np.flatnonzero(split.test_labels == label)))
        example: dict[str, Any] = {
            "id": split.test_ids[image],
            "category": split.class_names[label],
        }
        for protocol in ("joint", "honest"):
            h = shares[protocol][1][image]
            leading = np.argsort(-h, kind="stable")[:8]
            tags = rng.choice(words, size=12, p=(h @ text_topics) / (h @ text_topics).sum())
            example[protocol] = {
                "topics": [int(k) for k in leading],
                "shares": [round(float(h[k]), 4) for k in leading],
                "tags": [str(t) for t in tags],
            }
            reading = "paper" if protocol == "joint" else "protocol=honest"
            for k in leading:
                setting = f"image={split.test_ids[image]};topic={k}"
                rows.append(Row("fig2", setting, METHODS["skl"], "share", float(h[k]), reading))
        examples.append(example)
    return Result(rows, {"lambda": lam, "top_words": top_words, "examples": examples})


def run_released_topics(context: Context) -> Result:
    """The released 10-d text topics in place of the words, as a further reading."""
    settings = context.settings
    split = load_split(context.data, settings, ("topics", "image"))
    rows: list[Row] = []
    for run in context.progress(range(settings["control_runs"]), "released topics"):
        for divergence, method in METHODS.items():
            lam = chosen_lambda(context, divergence)
            model = fit(split, settings, run, divergence=divergence, lam=lam)
            rows += _variant_rows(model, split, method, run, settings)
        rows += _variant_rows(fit_link(split, settings, run), split, LINK, run, settings)
    return Result(rows)


def _variant_rows(
    model: Any, split: Split, method: str, run: int, settings: Mapping[str, Any]
) -> list[Row]:
    rows = []
    for protocol in ("joint", "honest"):
        rankings = spaces(model, split, protocol, settings).rankings(split.test_labels)
        extra = "text=released topics"
        rows += table_rows(rankings, method, protocol, run, extra=extra, kinds=("full",))
    return rows
