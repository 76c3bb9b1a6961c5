"""What Table 1's models tell besides: short runs, their objective, Figure 2.

The paper does not say how long it trained. Its figures lie near those of short runs under the joint
protocol: an inference, found after seeing print. Two readings of Table 1 come from it: "short run",
with equal weights in Link PLSA and lambda chosen under the same short training; and "short run,
fitted", with the weights and lambdas that bring the cells nearest to print.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from manyviews.seeding import generator
from reproduction.papers.coplsa_multimodal import protocol as base
from reproduction.papers.coplsa_multimodal import settings as cm
from reproduction.results.search import search_reading, search_table
from reproduction.results.study import Protocol
from reproduction.results.tables import number, text

WEIGHTED, SEARCHED = f"{cm.LINK}, weighted", f"{cm.L2}, searched"

short, traces, compositions = (
    Protocol(cm.PAPER, (cm.WIKIPEDIA,), cm.PaperSettings) for _ in range(3)
)
base.with_models(short)
short.metric(cm.METRIC, *cm.PLACE)(base.mean_precision)


@short.method(WEIGHTED)
def weighted(
    part: base.Split, run: int, topics: int, iterations: int, short_run: cm.ShortRun
) -> base.Trained:
    """Train Link PLSA with the image's weight that fits print."""
    return base.train_linked(part, run, topics, iterations, short_run.image_share)


JOINT = {"protocol": "joint", "precision": cm.KINDS[0]}
#: Fold-in steps of the short run, and its sweeps.
STEPS: dict[str, Any] = {"fold_iterations": lambda short_run: [short_run.steps]}
LENGTH: dict[str, Any] = {"iterations": lambda short_run: [short_run.sweeps], **STEPS}

_link: dict[str, Any] = {"runs": "short_run.runs", "given": JOINT, "job": "short_link"}
short.table("1", [cm.LINK], vary=LENGTH, reading=cm.SHORT, **_link)
short.table("1", {cm.LINK: WEIGHTED}, vary=LENGTH, reading=cm.FITTED, **_link)
short.table(
    cm.TRAINING, [cm.LINK], columns={"iterations": cm.SWEEP}, role="ours", **_link,
    vary={"iterations": lambda short_run: sorted({*short_run.curve, short_run.sweeps}), **STEPS},
)  # fmt: skip
for _key, _name in cm.DIVERGENCES.items():
    for _reading, _lam in (
        (cm.SHORT, partial(base.by_short_validation, divergence=_key)),
        (cm.FITTED, lambda short_run, _key=_key: [getattr(short_run.fitted_lambda, _key)]),
    ):
        short.table(
            "1", [_name], runs="short_run.runs", vary={"lam": _lam, **LENGTH}, given=JOINT,
            reading=_reading, job=f"short_{_key}",
        )  # fmt: skip


# -- a declared search: under which reading does l2 fall to .36 in topic space?
#
# Under short runs it is the one method that stays too high. The readings here were written down
# before any of them was run; all of them are shown. They change the strength of the coupling, the
# length of training and the start, of which the paper says nothing. Lambda and lengths are grids,
# not fits.

NAME = "l2_in_topic_space"
SHARED, APART, FLAT, WORDS, LINKED = (
    "one start for both modalities", "a start for each modality", "nearly equal topic shares",
    "topics are documents", "two sweeps of Link PLSA first",
)  # fmt: skip
#: How near to equal the shares of a flat start are: the weight of the uniform part.
EVEN = 0.9


@dataclass(frozen=True)
class Tried:
    """One reading: lambda, sweeps and start."""

    lam: float
    sweeps: int
    begin: str = SHARED

    def __str__(self) -> str:
        name = f"lambda {self.lam:g}, {self.sweeps} sweeps, {self.begin}"
        return search_reading(NAME, name)


def readings(short_run: cm.ShortRun) -> list[Tried]:
    """Return every reading of the search; where no length is tried it is the short run's."""
    usual = short_run.sweeps
    begins = [(lam, SHARED) for lam in (10, 30, 300, 1000)]
    begins += [(lam, APART) for lam in (10, 100, 1000)]
    begins += [(100, begin) for begin in (FLAT, WORDS, LINKED)]
    lengths = [Tried(100, sweeps) for sweeps in (6, 8, 10, 12)]
    return [*lengths, *(Tried(lam, usual, begin) for lam, begin in begins)]


def begin(split: base.Split, topics: int, run: int, kind: str) -> Any:
    """Return a start of the named kind: compositions and topics of both modalities."""
    from manyviews.models.plsa import random_doc_topic

    h, ws = split.start(topics, run)
    rng = generator(cm.PAPER, split.data.name, "search", kind, run)
    if kind == APART:
        return [h, random_doc_topic(h.shape[0], topics, rng)], ws
    if kind == FLAT:
        flat = EVEN / topics + (1 - EVEN) * h
        return [flat, flat], ws
    if kind == WORDS:
        rows = rng.choice(h.shape[0], size=topics, replace=h.shape[0] < topics)
        drawn = [np.asarray(X[rows].todense()) + 1.0 / X.shape[1] for X in split.train]
        return [h, h], [w / w.sum(axis=1, keepdims=True) for w in drawn]
    if kind == LINKED:
        model = base.train_linked(split, run, topics, 2, cm.EQUAL).model
        return [model.doc_topic_, model.doc_topic_], model.topic_word_
    return [h, h], ws


@short.method(SEARCHED)
def searched(part: base.Split, run: int, topics: int, tried: Tried) -> base.Trained:
    """Train l2 as a reading says."""
    init = begin(part, topics, run, tried.begin)
    return base.train(part, run, topics, tried.sweeps, "l2", tried.lam, init=init)


short.table(
    search_table("1"), {cm.L2: SEARCHED}, runs="choice_runs", role="ours", named="tried",
    vary={"tried": readings, **STEPS}, given=JOINT, job="search",
)  # fmt: skip


# -- objective (8) sweep by sweep: does it fall, how fast does it rise, how many Newton steps

SHARES = (0.9, 0.99)  # of the whole gain
SWEEPS_FROM_SOLUTION = 5

#: Trained models by where they started.
Traced = dict[str, Any]
At = dict[str, Any]

traces.views(base.Pairs)
traces.split(base.as_published)


def traced(
    part: base.Split, run: int, lam: float, topics: int, trace: cm.Trace, *, divergence: str,
    h_step: str = "exact",
) -> Traced:  # fmt: skip
    """Take an update from the common start."""
    made = base.train(part, run, topics, trace.iterations, divergence, lam, h_step)
    return {cm.RANDOM_START: made.model}


traces.method(cm.SKL)(partial(traced, divergence="skl"))
traces.method(cm.L1)(partial(traced, divergence="l1"))
traces.method(cm.JOINT_STEP, role="ours")(partial(traced, divergence="l1", h_step="joint"))


@traces.several([cm.L2, cm.TWO_STEP])
def squared(
    part: base.Split, run: int, lam: float, topics: int, trace: cm.Trace
) -> dict[str, Traced]:
    """Start both l2 updates again where the exact one arrived: an ascent method must not fall."""
    steps = {cm.L2: "exact", cm.TWO_STEP: "two_step"}
    found = {
        name: traced(part, run, lam, topics, trace, divergence="l2", h_step=step)
        for name, step in steps.items()
    }
    solved = found[cm.L2][cm.RANDOM_START]
    there = (solved.doc_topic_, solved.topic_word_)
    for name, step in steps.items():
        again = base.train(part, run, topics, SWEEPS_FROM_SOLUTION, "l2", lam, step, there)
        found[name][cm.EXACT_SOLUTION] = again.model
    return found


@traces.metric("objective_per_pair", cm.START, cm.SWEEP)
def objective(part: base.Split, answer: Traced) -> Iterator[tuple[At, float]]:
    """Yield the objective after every sweep."""
    for start, model in answer.items():
        for sweep, value in enumerate(model.objective_.tolist()):
            yield {"start": start, "sweep": sweep}, value / part.train[0].shape[0]


@traces.metric("falls", cm.START)
def falls(part: base.Split, answer: Traced) -> Iterator[tuple[At, float]]:
    """Yield the number of sweeps after which the objective is lower."""
    for start, model in answer.items():
        trace = model.objective_
        yield {"start": start}, (np.diff(trace) < -1e-9 * np.abs(trace[:-1])).sum()


@traces.metric("largest_fall", cm.START)
def largest_fall(part: base.Split, answer: Traced) -> Iterator[tuple[At, float]]:
    """Yield how far it falls at most."""
    for start, model in answer.items():
        fall = (model.objective_[:-1] - model.objective_[1:]).max()
        yield {"start": start}, float(max(0.0, fall)) / part.train[0].shape[0]


@traces.metric("sweeps", number("share", "share={:g}"))
def sweeps_to(part: base.Split, answer: Traced) -> Iterator[tuple[At, float]]:
    """Yield the sweeps after which a share of the whole gain is made."""
    trace = answer[cm.RANDOM_START].objective_
    for share in SHARES:
        reached = trace[0] + share * (trace[-1] - trace[0])
        yield {"share": share}, float(np.argmax(trace >= reached))


@traces.metric("newton_steps")
def newton_steps(part: base.Split, answer: Traced) -> float:
    """Return the mean number of Newton steps a column takes without a warm start."""
    from manyviews.kernels import coplsa as steps
    from manyviews.kernels import plsa as kernels

    model, X = answer[cm.RANDOM_START], part.train[0]
    text, image = model.doc_topic_
    counts = np.empty_like(text)
    w = np.ascontiguousarray(model.topic_word_[0].T)
    kernels.fold_in_step(X.indptr, X.indices, X.data, text, w, counts)
    n = len(text)
    eta, out, weight = np.full(n, np.nan), np.empty_like(text), np.full(n, float(model.lam))
    if model.divergence == "skl":
        used = steps.h_step_skl(counts, image, np.log(image), weight, model.floor, eta, out)
    else:
        used = steps.h_step_l2(counts, image, weight, eta, out)
    return float(used / n)


_always: dict[str, Any] = {"runs": "trace.runs", "job": "objective"}
for _divergence, _methods in {
    "skl": [cm.SKL],
    "l2": [cm.L2, cm.TWO_STEP],
    "l1": [cm.L1, cm.JOINT_STEP],
}.items():
    _always["vary"] = {"lam": base.CHOSEN[_divergence]}
    traces.table("extra:objective", _methods, metrics=["objective_per_pair"], **_always)
    traces.table("extra:monotone", _methods, metrics=["falls", "largest_fall"], **_always)
    traces.table("extra:convergence", _methods, metrics=["sweeps"], **_always)
    if _divergence != "l1":  # its step needs no multiplier
        traces.table("extra:convergence", _methods[:1], metrics=["newton_steps"], **_always)


# -- Figure 2: topic compositions of test images, tags sampled from them, the topics' words

TOPICS_SHOWN, TAGS_SHOWN, WORDS_SHOWN = 8, 12, 10
#: Protocol -> image, topic and share, as rows have them.
Shares = dict[str, list[tuple[dict[str, Any], float]]]

compositions.views(base.Pairs)
compositions.split(lambda views: views)


@compositions.method(cm.SKL)
def described(
    part: base.Pairs, run: int, lam: float, topics: int, iterations: int, fold_iterations: int,
    figure_images: int,
) -> Shares:  # fmt: skip
    """Describe some test images, one of each category drawn, under both protocols."""
    split = part.table
    trained = base.train(split, run, topics, iterations, "skl", lam)
    unnamed = [f"word{i}" for i in range(split.train[0].shape[1])]  # a surrogate has no words
    words = np.array(part.data.feature_names.get("text", unnamed))
    text_topics = trained.model.topic_word_[0]
    rng = generator(cm.PAPER, part.data.name, "figure 2")
    classes = rng.permutation(np.unique(split.test_labels))
    images = {way: trained.folded(split.test, way, fold_iterations)[1] for way in cm.READINGS}
    shares: Shares = {way: [] for way in cm.READINGS}
    examples = []
    for label in classes[:figure_images]:
        image = int(rng.choice(np.flatnonzero(split.test_labels == label)))
        name = part.data.ids[split.rows[1][image]]
        example: dict[str, Any] = {"id": name, "category": part.data.class_names[label]}
        for way, folded in images.items():
            h = folded[image]
            leading = np.argsort(-h, kind="stable")[:TOPICS_SHOWN].tolist()
            mixture = h @ text_topics
            tags = rng.choice(words, size=TAGS_SHOWN, p=mixture / mixture.sum())
            example[way] = {
                "topics": leading,
                "shares": [round(float(h[k]), 4) for k in leading],
                "tags": [str(t) for t in tags],
            }
            shares[way] += [({"image": name, "topic": k}, float(h[k])) for k in leading]
        examples.append(example)
    top = [words[np.argsort(-t, kind="stable")[:WORDS_SHOWN]].tolist() for t in text_topics]
    part.told.update({"top_words": top, "examples": examples})
    return shares


compositions.metric("share", text("image"), number("topic", "topic={:g}"))(
    lambda part, answer, protocol: answer[protocol]
)
for _protocol, _reading in cm.READINGS.items():
    compositions.table(
        "fig2", runs=1, vary={"lam": base.CHOSEN["skl"]}, given={"protocol": _protocol},
        reading=_reading, job="figure2",
    )  # fmt: skip
