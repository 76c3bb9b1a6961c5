"""Blum and Mitchell (1998): co-training, on the course pages.

The library is imported where it is called: every plan reads this file, few need the estimators.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from reproduction.data.format import MultiViewData
from reproduction.results.settings import Settings, setting
from reproduction.results.study import Study
from reproduction.results.tables import number, text

COURSE = 1

Smoothing = Annotated[float, Field(gt=0, le=10)]
Draws = Annotated[int, Field(ge=1, le=1000)]
Labels = Annotated[int, Field(ge=1, le=50)]
#: Posteriors of the pages held out, by classifier.
Answer = dict[str, np.ndarray]


class PaperSettings(Settings):
    """Settings of the co-training paper; defaults are the paper's."""

    draws: int = setting(
        40, "Draws of test and labelled pages in Table 2 (the paper has 5).", quick=5, ge=2, le=1000
    )
    figure_draws: Draws = setting(5, "The first draws, on which Figure 2 is run (the paper has 5).")
    choice_draws: Draws = setting(20, "Draws behind what the paper leaves open.", quick=2)
    held_out: float = setting(0.25, "Share of pages for testing (as in the paper).", gt=0, lt=1)
    positive: int = setting(3, "Labelled course pages (the paper has 3).", ge=1, le=100)
    negative: int = setting(9, "Labelled other pages (the paper has 9).", ge=1, le=400)
    rounds: int = setting(30, "Rounds of co-training (the paper has 30).", quick=5, ge=1, le=500)
    pool: int = setting(75, "Pages in the pool (the paper has 75).", ge=1, le=1000)
    label_positive: Labels = setting(1, "Course pages either labels in a round (the paper has 1).")
    label_negative: Labels = setting(3, "Other pages either labels in a round (the paper has 3).")
    smoothing: Smoothing = setting(1.0, "Additive smoothing of naive Bayes.")
    smoothing_grid: list[Smoothing] = setting(
        [0.01, 0.1, 1.0], "Smoothings tried.", quick=[0.1, 1.0], min_length=1
    )
    words: Literal["presence", "as released"] = setting(
        "presence", "What stands for the words of a page: their presence, or weights as released."
    )


study = Study("cotraining", ("webkb_course",), PaperSettings)


@dataclass
class Draw:
    """Pages that methods see, few with a label; pages held out, whose classes they do not see."""

    Xs: list[Any]
    given: np.ndarray
    held_out: list[Any]
    truth: np.ndarray
    course_share: float


@study.split
def draw(
    data: MultiViewData, run: int, seeded: Any,
    words: str, held_out: float, positive: int, negative: int,
) -> Draw:  # fmt: skip
    """Hold out a share of the pages, label a few of the others, all at random."""
    from manyviews.preprocessing.sparse import binarise

    Xs, truth = data.Xs("page", "link"), data.labels
    if words == "presence":
        Xs = [binarise(X) for X in Xs]
    order, size = seeded(run).permutation(truth.size), round(held_out * truth.size)
    test, given = np.isin(np.arange(truth.size), order[:size]), np.full(truth.size, -1)
    for label, count in ((COURSE, positive), (1 - COURSE, negative)):
        members = order[size:][truth[order[size:]] == label]
        if members.size < count:
            raise ValueError(f"{count} labelled pages of class {label} asked, {members.size} left")
        given[members[:count]] = label
    seen = ~test
    share = float((truth[seen] == COURSE).mean())
    return Draw([X[seen] for X in Xs], given[seen], [X[test] for X in Xs], truth[test], share)


def classifiers(page: np.ndarray, links: np.ndarray) -> Answer:
    """Return both classifiers and their product; with two of two classes the mean decides alike."""
    from manyviews.parts.naive_bayes import combine_posteriors

    return {"page": page, "links": links, "combined": combine_posteriors([page, links], "product")}


@study.method("supervised")
def supervised(part: Draw, smoothing: float) -> Answer:
    """Learn from the labelled pages alone."""
    from manyviews.baselines.naive_bayes import NaiveBayesEnsemble

    model = NaiveBayesEnsemble(alpha=smoothing).fit(part.Xs, part.given)
    return classifiers(*model.view_posteriors(part.held_out))


@study.method("co-training", along="rounds")
def cotrained(
    part: Draw, run: int, seeded: Any,
    pool: int, label_negative: int, label_positive: int, smoothing: float,
) -> Iterator[Answer]:  # fmt: skip
    """Label pages for each other, round by round (Table 1 of the paper)."""
    from manyviews.baselines.cotraining import cotrain_rounds

    wanted, most = np.array([label_negative, label_positive]), part.given.size
    for model in cotrain_rounds(
        part.Xs, part.given, wanted, pool, most, smoothing, seeded(run, "pool")
    ):
        yield classifiers(*model.posteriors(part.held_out))


@study.method("majority", role="control")
def majority(part: Draw) -> Answer:
    """Name the larger class of the pages seen."""
    guess = np.tile([1 - part.course_share, part.course_share], (part.truth.size, 1))
    return classifiers(guess, guess)


@study.metric("error_pct", text("classifier"))
def errors(part: Draw, answer: Answer) -> Iterator[tuple[dict[str, str], float]]:
    """Yield the share of the pages held out that a classifier names wrong, in per cent."""
    for name, found in answer.items():
        yield {"classifier": name}, 100 * float(np.mean(found.argmax(axis=1) != part.truth))


table_2 = study.table("2", runs="draws", job="table2")
study.table(
    "fig2", ["co-training"], runs="figure_draws", job="table2", along=number("round", "round {:g}")
)
study.choice("words", of=table_2, runs="choice_draws")
study.choice("smoothing", "smoothing_grid", of=table_2, runs="choice_draws")


@study.rival(table_2)
def rival(part: Draw, model: Any) -> Answer:
    """Answer as the combined classifier does."""
    return {"combined": np.eye(2)[model.fit(part.Xs, part.given).predict(part.held_out)]}


@study.details("table2")
def details(data: MultiViewData, held_out: float) -> dict[str, Any]:
    """Return what the page says about the data."""
    return {
        "pages": int(data.labels.size),
        "course pages": int((data.labels == COURSE).sum()),
        "features": [int(X.shape[1]) for X in data.Xs("page", "link")],
        "test pages": round(held_out * data.labels.size),
    }
