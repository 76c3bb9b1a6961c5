"""Jiang et al. (2012): co-regularised PLSA for clustering, on texts, photographs and digits.

All jobs but that of k-means come after it: they read which view it found best.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from reproduction.papers.coplsa_clustering import protocol
from reproduction.papers.coplsa_clustering import settings as cc
from reproduction.papers.coplsa_clustering.methods import COUNTED, PULL, VIEW, extras, study
from reproduction.results.rows import INFERRED
from reproduction.results.search import search_reading, search_table
from reproduction.results.tables import Column, number, text

#: Found after seeing print: PLSA from k-means on square roots, besides with other SIFT words.
FROM_KMEANS = "square roots, k-means start"
OPPONENT = "opponent SIFT, square roots, k-means start"
#: Search for a construction of SIFT words under which they do better than colour.
SIFT, ON_COLOUR = "sift_best", "K-means on colour"
CONSTRUCTIONS = ("sift_dense", "sift_multi", "sift_dog", "sift_opponent")
#: Runs in which PLSA says how much of a view it explains.
LIKELIHOOD_RUNS = 2

SCALE = text("scale", "scale={}")
SHARE = number("share", "share={:g}")
LAMBDA = number("lambda_", "lambda={:g}")
STEPS = number("steps", "iterations={:g}")

# fmt: off
# -- Table 1


def first(count: int) -> Callable[..., Sequence[str]]:
    """Return the values of ``read`` that are the first views of a data set."""
    return lambda data, dataset_kind, sift: protocol.names_of(data, dataset_kind, sift)[:count]


def by_rule(rule: str) -> Callable[..., float]:
    """Return what scores a view in a search: a rule's own score, in the runs that have one."""
    runs = LIKELIHOOD_RUNS if rule == "likelihood" else math.inf
    return lambda part, answer, read, run: part.score(rule, read) if run < runs else math.nan


TABLE: dict[str, Any] = {"runs": "runs", "metrics": protocol.SCORES}
PULLED: dict[str, Any] = {"name": "extra:diagnostics", "runs": "runs", "metrics": PULL}
EVERY: dict[str, Any] = {"name": "choice:view", "columns": {"read": VIEW}, **TABLE}
BEST = {"read": "accuracy"}

KMEANS = {"K-means + BOVF": "K-means"}
for _rule, _reading in cc.RULES.items():
    study.table("1", KMEANS, vary={"read": first(2)}, best=("read", by_rule(_rule)),
                reading=_reading, job="kmeans", **TABLE)
study.table(methods=KMEANS, vary={"read": first(3)}, job="kmeans", **EVERY)
study.table("1", ["K-means + CTVF", "random"], given=BEST, job="kmeans", **TABLE)
study.table("1", ["majority"], given=BEST, job="kmeans", **{**TABLE, "runs": 1})
for _method, _runs in (("K-means", "runs"), ("PLSA", LIKELIHOOD_RUNS)):
    study.table("choice:best_view", {_method: f"rules of {_method}"}, runs=_runs,
                metrics=["score"], job="kmeans")

_given = {"graph": ""}
for _method, _own, _job, _count in (
    ("PLSA + BOVF", "PLSA", "plsa", 2), ("CCAMC", "CCAMC", "baselines", 2),
    ("PCoSC", "PCoSC", "baselines", 2), (cc.TWO, cc.TWO, "coplsa", 2),
    (cc.THREE, cc.THREE, "coplsa", 3),
):
    study.table(methods={_method: _own}, given=_given, vary={"read": first(_count)}, job=_job,
                **EVERY)
    _table = study.table("1", {_method: _own}, given={**BEST, **_given}, job=_job, **TABLE)
    for _rule, _reading in list(cc.RULES.items())[1:]:
        study.reading(_reading, {"read": _rule}, [_table], job="{}")

joined = study.table("1", ["PLSA + CTVF", "VPLSA"], given=BEST, job="plsa", **TABLE)
study.table("1", ["CCAMC"], given={"read": "both projections"}, reading="both projections",
            job="baselines", **TABLE)
for _reading, _datasets in {
    "square-root scale": ["reuters", "digits", "corel5k"], "neighbour graph": ["reuters", "digits"],
    "cosine affinity": ["reuters"], "released example": ["reuters", "corel5k"],
}.items():
    _graph = {"scale": "sqrt", "graph": ""} if "scale" in _reading else {"graph": _reading}
    study.table("1", ["PCoSC"], given={**BEST, **_graph}, reading=_reading, job="baselines",
                datasets=_datasets, **TABLE)


def per_document(lambda_: float, documents: int | None, data: Any) -> list[float]:
    """Return lambda as it acted in the paper: through the pairs per document, 5 % of 1,876."""
    return [lambda_ * (1876 / min(data.n_rows, documents or data.n_rows))]


def felt(strong_lambda: float) -> list[float]:
    """Return a lambda that is felt, if there is one."""
    return [strong_lambda] if strong_lambda else []


SAFE = {name: f"{name} safeguarded" for name in (cc.TWO, cc.THREE)}
_placebo: dict[str, Any] = {**TABLE, "runs": "placebo_runs", "given": BEST, "job": "coplsa"}
study.table(methods=[cc.TWO, cc.THREE], job="coplsa", **PULLED)
study.table(methods=SAFE, reading=cc.SAFEGUARDED, job="coplsa", **PULLED)
study.table("1", SAFE, given=BEST, reading=cc.SAFEGUARDED, job="coplsa", **TABLE)
study.table("1", [cc.PLACEBO], **_placebo)
for _reading, _lambda, _datasets in (
    (cc.RESCALED, {"lambda_": per_document}, ["reuters"]),
    (cc.STRONG, {"lambda_": felt}, list(cc.VIEWS)),
):
    _other: dict[str, Any] = {"reading": _reading, "datasets": _datasets, "job": "coplsa"}
    study.table("1", [cc.TWO, cc.THREE], given=BEST, vary=_lambda, **_other, **TABLE)
    study.table(methods=[cc.TWO, cc.THREE], vary=_lambda, **_other, **PULLED)
    for _method, _count in ((cc.TWO, 2), (cc.THREE, 3)):
        study.table(methods=[_method], vary={"read": first(_count), **_lambda}, **_other, **EVERY)
    study.table("1", [cc.PLACEBO], vary=_lambda, **{**_placebo, **_other})
for _dataset in ("corel5k", "nus_wide"):  # thousands of images: two cores share the work evenly
    _parts = {"coplsa2": ([cc.TWO], 1), "coplsa3": ([cc.THREE], 1), "placebo": ([cc.PLACEBO], 1)}
    study.divide(_dataset, "coplsa", _parts)


@study.rival(joined, kind="clusterer")
def rival(part: protocol.Run, model: Any) -> protocol.Clusters:
    """Return the clusters that an estimator of the library finds; it may change its copies."""
    Xs = [X.copy() for X in part.task.views(2)]
    fitted = model.set_params(n_clusters=part.task.clusters).fit(Xs)
    return protocol.always(np.asarray(fitted.labels_))


# -- Figure 2, and what the paper leaves open

UPDATES = {INFERRED: cc.TWO, cc.SAFEGUARDED: SAFE[cc.TWO]}
SMALL = ["reuters", "digits"]


def panel(table: str, columns: Mapping[str, Column], method: str = "{}", **more: Any) -> None:
    """Declare a panel of CoPLSA(2) with both updates, on the first starts of Table 1."""
    for reading, own in UPDATES.items():
        study.table(table, {cc.TWO: method.format(own)}, runs="choice_runs", reading=reading,
                    metrics=(*protocol.SCORES, *PULL), given=BEST, columns=columns, **more)


_curve = {"lambda_": LAMBDA, "scale": SCALE}
_raw = {"lambda_": "lambda_grid", "scale": ["raw"]}
# on rows that sum to one the paper's lambda is no longer small
_unit = {"lambda_": "unit_lambda_grid", "scale": ["l1"]}
panel("fig2", _curve, vary=_raw, job="fig2")
panel("fig2", _curve, vary=_unit, datasets=[*SMALL, "nus_wide"], job="fig2")
panel("fig2", _curve, vary=_unit, datasets=["corel5k"], job="fig2_unit")
for _vary in (_raw, _unit):  # where data are small enough: what is not information
    study.table("fig2", [cc.PLACEBO], runs="choice_runs", metrics=protocol.SCORES, given=BEST,
                vary=_vary, columns=_curve, datasets=SMALL, job="fig2")

_paper = {"strength": ["paper"], "lambda_": lambda lambda_: [lambda_]}
_strong = {"strength": ["strong"], "lambda_": felt}
_columns = {"strength": text("strength"), "lambda_": LAMBDA}
_reuters: dict[str, Any] = {"datasets": ["reuters"], "job": "choices"}
for _strength, (_column, _tried) in product((_paper, _strong), (
    (number("sigma", "sigma={:g}"), "sigma_grid"), (text("width", "sigma={}"), ["mean"]),
)):
    panel("choice:sigma", {"sigma": _column, **_columns}, vary={"sigma": _tried, **_strength},
          **_reuters)
panel("choice:pairs", {"pair_share": SHARE, **_columns},
      vary={"pair_share": "share_grid", **_paper}, **_reuters)
panel("choice:pairs", {"share": SHARE, **_columns}, "{} per pair",
      vary={"share": "share_grid", **_strong, "strength": ["strong per pair"]}, **_reuters)

FEW: dict[str, Any] = {"runs": "scale_runs", "metrics": protocol.SCORES}
_further: dict[str, Any] = {
    "vary": {"read": lambda iteration_grid: sorted(iteration_grid)}, "columns": {"read": STEPS},
    "datasets": [*SMALL, "corel5k"], "job": "choice_iterations",
}
study.table("choice:iterations", {"PLSA + BOVF": "PLSA taken further",
                                  cc.TWO: f"{cc.TWO} taken further"}, **FEW, **_further)

_scales: dict[str, Any] = {"job": "choice_scale", "columns": {"scale": SCALE, "read": VIEW}}
study.table("choice:scale", ["K-means", "PLSA"], **FEW, **_scales,
            vary={"scale": "scales", "read": first(2)})
study.table("choice:scale", {name: f"{name} + CTVF" for name in ("K-means", "PLSA")}, **FEW,
            vary={"scale": "scales", "read": [protocol.FIRST_TWO]}, **_scales)
for _reading, _own in UPDATES.items():
    study.table("choice:scale", {cc.TWO: _own}, reading=_reading, **FEW, **_scales,
                vary={"scale": "scales", "read": first(2)})

# all views that there are: every construction of SIFT words, colour, texture
_every: dict[str, Any] = {"read": lambda data: list(data.views), "scale": ["raw", "sqrt"]}
_sift: dict[str, Any] = {"columns": {"read": VIEW, "scale": SCALE}, "datasets": ["corel5k"],
                         "job": "choice_sift"}
study.table("choice:sift", ["K-means", "PLSA"], vary=_every, **FEW, **_sift)
for _method, _free in (("K-means", "silhouette"), ("PLSA", "nats_per_word")):
    study.table("choice:sift", [_method], runs=1, metrics=[_free], vary=_every, **_sift)
# the start that comes nearest to print, on square roots alone
study.table("choice:sift", ["PLSA from k-means"], vary={**_every, "scale": ["sqrt"]}, role="ours",
            **FEW, **_sift)

# -- searches: what would explain PCoSC's NMI, and SIFT as the best view

SEARCHED: dict[str, Any] = {"name": search_table("1"), "job": "search", "role": "ours", **FEW}
for _scale, _nearest, _read in product(
    ("raw", "sqrt"), (10, 50), ("best view", "other view", "both views")
):
    _rows = "square roots" if _scale == "sqrt" else "as distributed"
    _name = search_reading("pcosc_nmi", f"{_rows}, {_nearest} neighbours, {_read}")
    study.table(methods={"PCoSC": "PCoSC by what is clustered"}, reading=_name,
                datasets=["reuters", "corel5k"], **SEARCHED,
                given={"scale": _scale, "graph": _nearest, "read": _read})
for _construction, _scale in product(CONSTRUCTIONS, cc.SCALES):
    for _method, _view in (("K-means + BOVF", _construction), (ON_COLOUR, "rgb")):
        study.table(methods={_method: "K-means"}, given={"scale": _scale, "read": _view},
                    reading=search_reading(SIFT, f"{_construction}, {_scale}"),
                    datasets=["corel5k"], **SEARCHED)

# -- PLSA from k-means on square roots; the view that counts is again that of the best k-means

_corel: dict[str, Any] = {"runs": "short_run.runs", "metrics": protocol.SCORES,
                          "datasets": ["corel5k"], "job": "hypotheses"}
_rest = {"CCAMC": "CCAMC"}
for _method in (cc.TWO, cc.THREE):
    _alone = f"PLSA from the start of {_method}"
    _rest |= {_method: f"{_method} from k-means", _alone: _alone}
for _reading, _words, _more, _both in (
    (FROM_KMEANS, "sift", _rest, protocol.FIRST_TWO), (OPPONENT, "sift_opponent", {}, "both"),
):
    _seen = {"scale": "sqrt", "sift": _words}
    study.table("1", {**KMEANS, "PLSA + BOVF": "PLSA from k-means", **_more}, given=_seen,
                vary={"read": ["rgb", _words]}, best=("read", by_rule("accuracy")),
                reading=_reading, **_corel)
    study.table("1", {"K-means + CTVF": "K-means", "PLSA + CTVF": "PLSA from k-means"},
                given={**_seen, "read": _both}, reading=_reading, **_corel)
study.table("1", {"VPLSA": "VPLSA from k-means"}, given={"scale": "sqrt", **BEST},
            reading=FROM_KMEANS, **_corel)

# -- beyond the paper

for _sweep in ("pairs", "words"):
    extras.table("extra:cost", {cc.TWO: "cost"}, runs=1, metrics=COUNTED, datasets=["corel5k"],
                 vary={"sweep": [_sweep], "share": f"cost_grid.{_sweep}"}, job="cost",
                 columns={"sweep": text("sweep"), "share": SHARE})
study.include(extras)
# fmt: on
