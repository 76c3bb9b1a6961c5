"""Wang et al. (2016): co-regularised PLSA for cross-modal retrieval (Table 1 and Figure 2).

Every cell is run under two protocols: the two sides of an evaluated pair are folded in together, or
each from its own modality. Published figures are compared with the first, by average precision over
the full list; lambda is chosen on training pairs set aside.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from manyviews.seeding import integer_seed
from reproduction.papers.coplsa_multimodal import protocol as base
from reproduction.papers.coplsa_multimodal import settings as cm
from reproduction.papers.coplsa_multimodal.baselines import matching, whatever
from reproduction.papers.coplsa_multimodal.extras import compositions, short, traces
from reproduction.results.cases import Plan
from reproduction.results.rows import INFERRED
from reproduction.results.study import Protocol, Study
from reproduction.results.tables import number, text

study = Study(cm.PAPER, cm.DATASETS, cm.PaperSettings, kinds={key: key for key in cm.DATASETS})
base.with_models(study)


@study.method(cm.RANDOM, role="control")
def random_order(part: base.Split, run: int) -> base.Answer:
    """Rank at random."""
    rng = np.random.default_rng(integer_seed(cm.PAPER, part.data.name, "random order", run))
    found: dict[tuple[str, str], Any] = {}
    for space in cm.SPACES:
        similarity = rng.random((part.test_labels.size, part.test_labels.size))
        found |= base.directions(space, similarity, part.test_labels)
    return whatever(found)


# -- metrics

study.metric(cm.METRIC, *cm.PLACE)(base.mean_precision)


@study.metric("precision", *cm.PLACE, number("recall", "recall={:.1f}"))
def interpolated(
    part: base.Split, answer: base.Answer, protocol: str, fold_iterations: int, regression_C: float
) -> Iterator[tuple[dict[str, Any], float]]:
    """Yield precision at eleven levels of recall."""
    from manyviews.metrics import RECALL_LEVELS

    for (space, direction), ranking in answer(protocol, fold_iterations, regression_C).items():
        means = ranking.interpolated().mean(axis=0)
        for level, value in zip(RECALL_LEVELS.tolist(), means, strict=True):
            yield {"space": space, "direction": direction, "recall": level}, value


def scored_by(column: str, groups: Callable[[base.Split], dict[str, np.ndarray]]) -> Protocol:
    """Return a protocol that scores groups of queries apart."""
    own = Protocol(cm.PAPER, cm.DATASETS, cm.PaperSettings)
    base.with_models(own)

    @own.metric(cm.METRIC, *cm.PLACE, text(column))
    def by_group(
        part: base.Split, answer: base.Answer, protocol: str, fold_iterations: int,
        regression_C: float,
    ) -> Iterator[tuple[dict[str, str], float]]:  # fmt: skip
        for (space, direction), ranking in answer(protocol, fold_iterations, regression_C).items():
            precision = ranking.average_precision(cm.KINDS[0])
            for name, mask in groups(part).items():
                if mask.any():
                    place = {"space": space, "direction": direction, column: name}
                    yield place, precision[mask].mean()

    return own


def by_article(part: base.Split) -> dict[str, np.ndarray]:
    """Return the queries whose article has training pairs, and the others."""
    if "article" not in part.data.rows:
        return {}
    seen = np.isin(*(part.data.rows["article"][rows] for rows in reversed(part.rows)))
    return {"article in training": seen, "article not in training": ~seen}


def by_category(part: base.Split) -> dict[str, np.ndarray]:
    """Return the queries of every category."""
    return {name: part.test_labels == k for k, name in enumerate(part.data.class_names)}


articles, categories = scored_by("article", by_article), scored_by("category", by_category)


# -- Table 1, and what else its models tell


def both(
    name: str, methods: Sequence[str], of: Protocol = study, *,
    ways: Mapping[str, str] = cm.READINGS, vary: Mapping[str, Any], **how: Any,
) -> list[Plan]:  # fmt: skip
    """Declare a table under both protocols, by average precision over the full list."""
    how = {"metrics": [cm.METRIC], "vary": {"precision": cm.KINDS[:1], **vary}, **how}
    return [
        of.table(name, methods, given={"protocol": way}, reading=reading, **how)
        for way, reading in ways.items()
    ]


def everything(
    job: str, method: str, runs: str = "runs", ways: Mapping[str, str] = cm.READINGS, **vary: Any
) -> Plan:
    """Declare all tables of a method; return Table 1."""
    how: dict[str, Any] = {"ways": ways, "job": job, "runs": runs}
    precisions = {**vary, "precision": cm.KINDS[1:]}
    shown = {"precision": cm.PRECISION}
    both("choice:precision", [method], vary=precisions, columns=shown, **how)
    if method != cm.RANDOM:
        both("extra:articles", [method], articles, vary=vary, **how)
        how["runs"] = "detail_runs"
        both("extra:categories", [method], categories, vary=vary, **how)
        both("extra:precision_recall", [method], vary=vary, **how, metrics=["precision"])
    return both("1", [method], vary=vary, **{**how, "runs": runs})[0]


table_1 = everything("link", cm.LINK)
everything("link", cm.ALONE, "control_runs", {"honest": cm.READINGS["honest"]})
everything("link", cm.RANDOM)
for _divergence, _name in cm.DIVERGENCES.items():
    everything(_divergence, _name, lam=base.CHOSEN[_divergence])


@study.rival(table_1)
def rival(part: base.Split, model: Any, regression_C: float) -> base.Answer:
    """Describe every item by the class its own modality suggests, the other left empty."""
    model.fit([X.copy() for X in part.train], part.train_labels.copy())

    def suggested(views: Sequence[Any]) -> list[np.ndarray]:
        alone = [[X.copy() if v is X else 0 * v for v in views] for X in views]
        return [np.eye(len(part.data.class_names))[model.predict(Xs)] for Xs in alone]

    return whatever(base.ranked(suggested(part.train), suggested(part.test), part, regression_C))


# -- what the paper leaves open: lambda, the number of topics, the text view

choosing = Protocol(cm.PAPER, cm.DATASETS, cm.PaperSettings)
choosing.views(base.Pairs)
choosing.split(lambda views: views)
choosing.metric(cm.METRIC, *cm.PLACE)(base.mean_precision)
choosing.metric("lambda")(lambda part, answer, lam: lam)


def validated(
    part: base.Pairs, lam: float, topics: int, iterations: int, *, divergence: str
) -> base.Trained:
    """Train a model that does not see the pairs set aside."""
    return part.validated(divergence, lam, topics, iterations)


for _divergence, _name in cm.DIVERGENCES.items():
    choosing.method(_name)(partial(validated, divergence=_divergence))
    _tried: dict[str, Any] = {"lam": f"lambda_grid.{_divergence}"}
    _how: dict[str, Any] = {"runs": 1, "columns": {"lam": cm.LAMBDA}}
    # the curves of the page need both protocols, on Wikipedia alone
    for _ways, _datasets in ((cm.READINGS, [cm.WIKIPEDIA]), ({"joint": INFERRED}, cm.DATASETS[1:])):
        both(
            "choice:lambda", [_name], choosing, ways=_ways, datasets=_datasets, vary=_tried,
            job=_divergence, **_how,
        )  # fmt: skip
    choosing.table(
        "choice:lambda_chosen", [_name], runs=1, metrics=["lambda"], job=_divergence,
        vary={"lam": base.CHOSEN[_divergence]},
    )  # fmt: skip

released = Protocol(cm.PAPER, (cm.WIKIPEDIA,), cm.PaperSettings)
base.with_models(released, lambda views: views.published(("topics", "image")))
released.metric(cm.METRIC, *cm.PLACE)(base.mean_precision)
_lambdas: dict[str, dict[str, Any]] = {cm.LINK: {}}
_lambdas |= {name: {"lam": base.CHOSEN[key]} for key, name in cm.DIVERGENCES.items()}
for _name, _own in _lambdas.items():
    both(
        "choice:text_view", [_name], released, runs="choice_runs", job="choices",
        vary={**_own, "text_view": [cm.RELEASED_TOPICS]},
        columns={"text_view": cm.TEXT_VIEW, "precision": cm.PRECISION},
    )  # fmt: skip
for _name in (cm.SKL, cm.LINK):
    both(
        "choice:topics", [_name], runs=1, datasets=[cm.WIKIPEDIA], job="choices",
        vary={**_lambdas[_name], "topics": "topic_grid"},
        columns={"topics": number("topics", "topics={:g}")},
    )  # fmt: skip

study.include(articles, categories, choosing, released, matching, short, traces, compositions)

study.details("figure2")(lambda views: views.told)
