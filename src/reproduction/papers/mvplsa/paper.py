"""Zhuang et al. (2012): multi-view PLSA, on web pages and news.

Two readings share all but two choices. Labelled documents are drawn over all documents together,
again until every class has one (text), or per class, ceil(r n_c) of each (inferred); a web page's
second view is the pages it links to (text), or links of both directions (inferred).
"""

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from manyviews.seeding import integer_of
from reproduction.papers.mvplsa import protocol as mv
from reproduction.results.draws import draw_per_class
from reproduction.results.study import Protocol, Study
from reproduction.results.tables import Column, number, text

#: Besides the inferred reading.
TEXT, COUNTS = "text", "counts without common words"
RATE = number("rate", "r={:g}", shown="{:g} % labelled", times=100)
VIEW = number("view", "view={:g}", shown="view {:g}")
START = text("start", "start={}")

study = Study("mvplsa", tuple(mv.KINDS), mv.PaperSettings, kinds=mv.KINDS)
study.views(mv.views)

# -- Figure 2: clustering without labels, NMI and pairwise F

clusters = Protocol("mvplsa", tuple(mv.KINDS), mv.PaperSettings)
clusters.views(mv.views)


@clusters.split
def unlabelled(views: Any, run: int, seeded: Any) -> mv.Unlabelled:
    """Take all documents; runs differ by their random starts."""
    Xs, truth = views
    return mv.Unlabelled(Xs, truth, lambda name: integer_of(seeded(name, "clustering", run)))


def clustering(
    part: mv.Unlabelled, run: int, seeded: Any, topics: int, iterations: int, floor: float,
    model: str, seed: str,
) -> mv.Clustered:  # fmt: skip
    """Fit a model that starts from MVC's pattern, or at random."""
    found = mv.plsa(
        model, part.Xs, None, seeded(seed, "clustering", run), n_classes=part.classes,
        n_topics=topics, max_iter=iterations, floor=floor,
        init="random" if seed.endswith("random") else part.joined.pattern_,
    )  # fmt: skip
    return [found], max


@clusters.several({f"{name} with idf": name for name in (mv.BEST, mv.AVERAGE)})
def weighted(part: mv.Unlabelled) -> dict[str, mv.Clustered]:
    """Cluster views with idf weights, which CLUTO adds by default."""
    from manyviews.preprocessing.sparse import idf_weight

    return part.clustered([idf_weight(X) for X in part.Xs], "columns=idf")


clusters.several([mv.BEST, mv.AVERAGE, "by criterion"])(lambda part: part.kmeans)
clusters.several(mv.view_names("Kmeans", 4), role="ours")(lambda part: part.kmeans)
clusters.method("MVC")(lambda part: ([part.joined.labels_], max))
# the names of the first runs, so that their numbers stay
for _name, _model, _seed, _role in (
    ("MVPLSA", "MVPLSA", "MVPLSA:paper", "published"),
    ("MVPLSA at random", "MVPLSA", "MVPLSA:start=random", "published"),
    ("DPLSA", "DPLSA", "DPLSA:paper", "ours"),
):
    clusters.method(_name, _role)(partial(clustering, model=_model, seed=_seed))


@clusters.method("random", role="control")
def shuffled(part: mv.Unlabelled, run: int, seeded: Any) -> mv.Clustered:
    """Shuffle the truth."""
    return [seeded("control:random", "clustering", run).permutation(part.truth)], max


def score(part: mv.Unlabelled, answer: mv.Clustered, measure: str) -> float:
    """Return a measure of clusterings, in per cent."""
    from manyviews import metrics

    found, taken = answer
    return float(taken([100.0 * getattr(metrics, measure)(part.truth, one) for one in found]))


clusters.metric("NMI")(partial(score, measure="nmi"))
clusters.metric("PF")(partial(score, measure="pairwise_f"))

_always: dict[str, Any] = {"runs": "clustering_runs", "job": "clustering"}
for _datasets, _count in mv.GROUPS.items():
    _methods = [mv.BEST, mv.AVERAGE, "MVC", "MVPLSA", *mv.view_names("Kmeans", _count), "random"]
    _figure = clusters.table("fig2", _methods, datasets=_datasets, **_always)
    # nothing is drawn, so the news are the same under both readings
    _changed = {"links": "cites"} if mv.KINDS[_datasets[0]] == mv.PAGES else {}
    clusters.reading(TEXT, _changed, [_figure], job="clustering")
clusters.table("fig2", {mv.BEST: "by criterion"}, reading="best by criterion", **_always)
clusters.table(  # the news views carry idf already
    "fig2", {name: f"{name} with idf" for name in (mv.BEST, mv.AVERAGE)}, reading="idf weights",
    datasets=["cornell", "washington"], **_always,
)  # fmt: skip
_always["runs"] = "extra_runs"
clusters.table("fig2", ["DPLSA"], **_always)
clusters.table("fig2", {"MVPLSA": "MVPLSA at random"}, reading="random start", **_always)
study.include(clusters)

# -- draws of labelled documents, and methods of Tables 3 to 5 and Figure 3


@study.split
def draw(views: Any, run: int, seeded: Any, rate: float, sampling: str) -> mv.Draw:
    """Draw the labelled documents of one run; the same for every method and every job."""
    (Xs, y), per_class = views, sampling == mv.PER_CLASS
    rng = seeded("labels" if per_class else f"labels:{sampling}", mv.named(rate), run)
    known = draw_per_class(y, rate, rng) if per_class else mv.draw_over_all(y, rate, rng)
    return mv.Draw(Xs, np.where(known, y, -1), y)


@study.metric("accuracy_pct")
def accuracy_pct(part: mv.Draw, answer: np.ndarray, scored: str) -> float:
    """Return the share of documents named right, in per cent."""
    from manyviews.metrics import accuracy

    rows = part.given < 0 if scored == "unlabelled documents" else part.given >= -1
    return 100.0 * accuracy(part.truth[rows], answer[rows])


def fit(
    part: mv.Draw, run: int, seeded: Any, rate: float, topics: int, iterations: int, start: str,
    floor: float, smoothing: float, weights: str, model: str, seed: str, only: int | None = None,
) -> np.ndarray:  # fmt: skip
    """Fit a model to all views or one.

    The paper names the ensemble of naive Bayes and no other start: a model of one view has it too.
    """
    from manyviews.preprocessing.sparse import row_normalise

    Xs, init = part.Xs if only is None else [part.Xs[only]], part.start(start, smoothing)
    if weights == mv.FLAT:
        Xs = [row_normalise(X, "l1") for X in Xs]
    elif start == mv.MEAN_START and only is None:
        init = "naive_bayes"  # the same but for the last bits
    return mv.plsa(
        model, Xs, part.given, seeded(seed.format(topics), mv.named(rate), run), init=init,
        n_topics=topics, max_iter=iterations, floor=floor, alpha=smoothing,
        view_weights="balanced" if weights == mv.BALANCED else None,
    )  # fmt: skip


def split_fit(
    part: mv.Draw, run: int, seeded: Any, rate: float, view: int, topics: int, iterations: int,
    floor: float, smoothing: float, model: str,
) -> np.ndarray:  # fmt: skip
    """Fit a model to one view whose columns are dealt at random into four."""
    dealt = mv.deal_columns(part.Xs[view - 1], 4, seeded("split", view - 1, run))
    return mv.plsa(
        model, dealt, part.given, seeded(f"split:{model}:{view - 1}", mv.named(rate), run),
        n_topics=topics, max_iter=iterations, floor=floor, alpha=smoothing,
    )  # fmt: skip


for _model in ("MVPLSA", "DPLSA"):
    study.method(_model)(partial(fit, model=_model, seed=_model))
    study.method(f"{_model} on four parts")(partial(split_fit, model=_model))
study.method("MVPLSA by topics")(partial(fit, model="MVPLSA", seed="topics:{}"))
for _view, _name in enumerate(mv.view_names("DPLSA", 4)):
    for _more, _seed in (("", _name), (" with DPLSA's seed", "DPLSA")):
        study.method(f"{_name}{_more}")(partial(fit, model="DPLSA", seed=_seed, only=_view))


@study.several([*mv.view_names("NBC", 4), "NBC_E", "NBC_E by product"])
def naive_bayes(part: mv.Draw, smoothing: float) -> dict[str, np.ndarray]:
    """Return the classes of naive Bayes on every view, and together."""
    from manyviews.parts.naive_bayes import combine_posteriors

    found = part.posteriors(smoothing)
    by_name = dict(zip(mv.view_names("NBC", len(found)), found, strict=True))
    by_name["NBC_E"] = combine_posteriors(found)
    by_name["NBC_E by product"] = combine_posteriors(found, "product")
    return {name: posterior.argmax(axis=1) for name, posterior in by_name.items()}


study.method("NBC")(
    lambda part, smoothing, view: part.posteriors(smoothing)[view - 1].argmax(axis=1)
)
study.method("majority", role="control")(
    lambda part: np.full(part.given.size, part.labelled.argmax())
)


@study.method("random", role="control")
def guess(part: mv.Draw, run: int, seeded: Any, rate: float) -> np.ndarray:
    """Guess by the sizes of the labelled classes."""
    share, rng = part.labelled / part.labelled.sum(), seeded("control:random", mv.named(rate), run)
    return np.asarray(rng.choice(share.size, size=part.given.size, p=share))


@study.several(mv.COTRAINED)
def cotrained(
    part: mv.Draw, dataset_kind: str, run: int, seeded: Any, rate: float,
    cotraining: list[int], smoothing: float, rounds: int,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Label documents for each other; the first of p and n counts course pages, or class 0."""
    from manyviews.baselines.cotraining import cotrain_views
    from manyviews.parts.naive_bayes import combine_posteriors

    (u, p, n), seed = cotraining, integer_of(seeded("CoTr", mv.named(rate), run))
    wanted = np.array((n, p) if dataset_kind == mv.PAGES else (p, n))
    how = u, rounds, smoothing, np.random.default_rng(seed)
    model = cotrain_views(part.Xs, part.given, wanted, *how)
    one, two = model.posteriors(part.Xs)
    found = zip(mv.COTRAINED, (one, two, combine_posteriors([one, two])), strict=True)
    return {name: posterior.argmax(axis=1) for name, posterior in found}


# -- Tables 3 to 5, Figure 3

BY_RATE: dict[str, Any] = {"vary": {"rate": "rates"}, "columns": {"rate": RATE}}
BY_VIEW: dict[str, Any] = {
    "vary": {"rate": lambda rates: [min(rates)], "view": range(1, 5)}, "job": "split_views",
    "columns": {"rate": RATE, "view": VIEW}, "datasets": ["newsgv4"],
}  # fmt: skip
CONTROLS = ("majority", "random")
printed = []
for _datasets, _count in mv.GROUPS.items():
    for _table, _methods in {
        "3": ["MVPLSA", *mv.view_names("NBC", _count), "NBC_E"],
        "4": ["MVPLSA", "DPLSA", *mv.view_names("DPLSA", _count)],
    }.items():
        _own: dict[str, Any] = {"runs": "runs", "datasets": _datasets, **BY_RATE}
        printed.append(study.table(_table, [*_methods, *CONTROLS], **_own))
        _own |= {"given": {"scored": "all documents"}, "reading": "all documents scored"}
        study.table(_table, _methods, **_own)
study.table(
    "3", {"NBC_E": "NBC_E by product"}, runs="runs", reading="product of posteriors", **BY_RATE
)
_five = {"NBC": "NBC", "MVPLSA": "MVPLSA on four parts", **{name: name for name in CONTROLS}}
printed.append(study.table("5", _five, runs="runs", **BY_VIEW))
study.table(
    "extra:split", {"DPLSA": "DPLSA on four parts"}, runs="extra_runs", role="ours", **BY_VIEW
)
_three = study.table(
    "fig3", {"MVPLSA": "MVPLSA by topics"}, runs="topic_runs", datasets=["cornell", "newsgv2"],
    vary={
        "rate": lambda rates: [max(rates)],
        "topics": lambda data, topic_grid: sorted({int(data.labels.max()) + 1, *topic_grid}),
    },
    columns={"rate": RATE, "topics": number("topics", "Y={:g}")}, job="topics",
)  # fmt: skip


def ensemble_score(part: mv.Draw, answer: dict[str, np.ndarray], scored: str) -> float:
    """Score co-training by what its ensemble gets, on the labels it is reported with."""
    return accuracy_pct(part, answer["CoTr_E"], scored)


def agreement(part: mv.Draw, answer: dict[str, np.ndarray]) -> float:
    """Score co-training by how often its classifiers agree on unlabelled documents."""
    hidden = part.given < 0
    return float(np.mean(answer["CoTr_V1"][hidden] == answer["CoTr_V2"][hidden]))


def searched(
    pools: list[int], positives: list[int], negatives: list[int], cotraining: list[int]
) -> list[list[int]]:
    """Return the grid of u, p and n (the paper gives none), the authors' own always in it."""
    grid = [list(each) for each in dict.fromkeys(product(pools, positives, negatives))]
    return grid if cotraining in grid else [*grid, cotraining]


_tuned: dict[str, Any] = {
    "runs": "runs", "datasets": mv.TWO_VIEWS, "columns": {"rate": RATE},
    "vary": {"rate": "rates", "cotraining": searched},
}  # fmt: skip
_best = study.table("3", mv.COTRAINED, best=("cotraining", ensemble_score), **_tuned)
study.table("3", mv.COTRAINED, best=("cotraining", agreement), reading=mv.AGREEMENT, **_tuned)
study.table("3", mv.COTRAINED, runs="runs", datasets=mv.TWO_VIEWS, reading=mv.HONEST, **BY_RATE)
_text = {"sampling": mv.OVER_ALL, "links": "cites"}
study.reading(TEXT, _text, [*printed, _three, _best], job="text_{}")

_baselines = [*mv.view_names("NBC", 4), "NBC_E", *mv.COTRAINED, *CONTROLS]
_alone = {"mvplsa": (["MVPLSA"], 1), "dplsa": (["DPLSA"], 1), "baselines": (_baselines, 1)}
for _job, _name in (("tables", "{}"), ("text_tables", "text_{}")):
    _parts = {**_alone, "dplsa_views": (mv.view_names("DPLSA", 2), 1)}
    study.divide("newsgv2", _job, {_name.format(part): share for part, share in _parts.items()})
    _parts = {
        **_alone, "mvplsa": (["MVPLSA"], 4), "dplsa": (["DPLSA"], 4),
        "dplsa_views": (mv.view_names("DPLSA", 4), 4),
    }  # fmt: skip
    study.divide("newsgv4", _job, {_name.format(part): share for part, share in _parts.items()})
    _split = _name.format("split_views")
    study.divide("newsgv4", _split, {_split: ([*_five, "DPLSA"], 4)})
study.divide("newsgv4", "clustering", {"clustering": (list(clusters.methods), 2)})


@study.rival(printed[0])
def rival(part: mv.Draw, model: Any) -> np.ndarray:
    """Return the classes that a classifier of the library gives; it may change its copies."""
    Xs = [X.copy() for X in part.Xs]
    return np.asarray(model.fit(Xs, part.given.copy()).predict(Xs))


# -- what the paper leaves open; readings found after seeing print


def ends(rates: list[float], dataset_kind: str) -> list[float]:
    """Return the smallest and the largest rate; of the news, the smallest."""
    return list(
        dict.fromkeys([min(rates), max(rates)] if dataset_kind == mv.PAGES else [min(rates)])
    )


def choice(topic: str, methods: Any, tried: Any, column: Column) -> None:
    """Declare an open choice of a setting, at few rates and in few runs."""
    study.table(
        f"choice:{topic}", methods, runs="choice_runs", job="choices",
        datasets=mv.TWO_VIEWS[:2] if topic in ONLY_PAGES else mv.TWO_VIEWS,
        vary={"rate": ends, topic: tried}, columns={"rate": RATE, topic: column},
    )  # fmt: skip


ONLY_PAGES = ("links", "iterations", "sampling")
# fmt: off
choice("floor", ["MVPLSA"], lambda floor, floor_grid: sorted({floor, *floor_grid}),
       number("floor", "floor={:g}"))
choice("weights", ["MVPLSA"], ["none", mv.BALANCED, mv.FLAT],
       text("weights", "weights={}"))
choice("smoothing", ["NBC_E", "MVPLSA"], "smoothing_grid", number("smoothing", "alpha={:g}"))
_joint = mv.JOINT_START
choice("start", ["MVPLSA"], [mv.MEAN_START, "product", "uniform", "random", _joint], START)
choice("start", ["DPLSA"], [mv.MEAN_START, _joint], START)
choice("start", {name: f"{name} with DPLSA's seed" for name in mv.view_names("DPLSA", 2)},
       [mv.MEAN_START, mv.OWN_START], START)
choice("links", ["MVPLSA", "NBC_V2"], ["links", "cites", "cited"], text("link", "link={}"))
choice("iterations", ["MVPLSA"], lambda iterations, iteration_grid:
       sorted({iterations, *iteration_grid}), number("steps", "T={:g}"))
choice("sampling", ["NBC_V1", "MVPLSA"], [mv.PER_CLASS, mv.OVER_ALL],
       text("sampling", "sampling={}"))
for _topic, _tried in (("huge", mv.HUGE), ("text", mv.WORDS)):
    study.table(
        f"choice:{_topic}", ["MVPLSA", "DPLSA"], runs="text_runs", datasets=["newsgv2"],
        vary={"rate": lambda rates: [min(rates)], "treatment": list(_tried)},
        columns={"rate": RATE, "treatment": text("treatment")}, job="choices_text",
        files=[variant for variant in {**mv.HUGE, **mv.WORDS}.values() if variant],
    )

_counted: dict[str, Any] = {"runs": "runs", "given": {"treatment": mv.PLAIN_COUNTS},
                            "files": ["counts"]}
_one_cut = {"cut": lambda counts_cut: [counts_cut]}
for _dataset, _count in (("newsgv2", 2), ("newsgv4", 4)):
    _names, _here = [*mv.view_names("NBC", _count), "NBC_E"], {"datasets": [_dataset], **_counted}
    study.table(
        "choice:cut", _names, role="ours", job="readings",
        vary={"rate": "rates", "cut": lambda cut_grid, counts_cut: sorted({*cut_grid, counts_cut})},
        columns={"rate": RATE, "cut": number("cut", "cut={:g}")}, **_here,
    )
    study.table("3", _names, reading=COUNTS, columns={"rate": RATE}, job="readings",
                vary={"rate": "rates", **_one_cut}, **_here)
study.table("5", ["NBC"], reading=COUNTS, **_counted,
            **{**BY_VIEW, "vary": {**BY_VIEW["vary"], **_one_cut}, "job": "readings"})
study.table("3", mv.COTRAINED, reading="few rounds", runs="round_runs", datasets=mv.TWO_VIEWS,
            job="readings", columns={"rate": RATE},
            vary={"rate": "rates", "rounds": lambda few_rounds: [few_rounds]})
# fmt: on
