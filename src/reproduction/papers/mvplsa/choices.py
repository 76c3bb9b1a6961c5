"""What the paper leaves open: labels, links, start, floor, weights, smoothing, length, text.

Every topic is a table "choice:<topic>" with a column for what is chosen; the other choices are
those of the paper's tables. Draws are those of Table 3 unless the topic is the draws.

Of NewsGv2's text: in comp.os.ms-windows.misc a few uuencoded files hold most of the tokens. Four
treatments: skip what rainbow takes for uuencoded (the tables' choice); keep all messages; drop
those over 20 kB in that group; keep the tables' choice but scale every row to length one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from manyviews.parts.naive_bayes import combine_posteriors, naive_bayes_posterior
from manyviews.preprocessing.sparse import hstack_csr, row_normalise
from reproduction.data.format import MultiViewData
from reproduction.papers.mvplsa.columns import (
    JOINT_START,
    MEAN_START,
    OVER_ALL,
    OWN_START,
    PER_CLASS,
)
from reproduction.papers.mvplsa.protocol import (
    Draw,
    Task,
    accuracy_row,
    draw,
    fit,
    seed_of,
    task_of,
)
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

MODELS: tuple[type[MVPLSA], ...] = (MVPLSA, DPLSA)


@dataclass(frozen=True)
class _Trial:
    """One run at one rate: fits with one thing changed, as rows."""

    task: Task
    drawn: Draw

    def classes(
        self, model: type[MVPLSA], Xs: Sequence[sp.csr_matrix] | None = None, **changes: Any
    ) -> np.ndarray:
        """Classes found with the paper's settings, changed as told."""
        seed = seed_of(self.task, model.__name__, self.drawn)
        views = self.task.Xs if Xs is None else Xs
        return fit(self.task, model, views, seed, self.drawn.labels, **changes).labels

    @cached_property
    def mvplsa(self) -> np.ndarray:
        """Classes that MVPLSA finds with nothing changed."""
        return self.classes(MVPLSA)

    def row(self, topic: str, method: str, predicted: np.ndarray, **at: Any) -> Row:
        """One value of a topic; ``at`` says what was chosen."""
        return accuracy_row(self.task, self.drawn, f"choice:{topic}", method, predicted, at)

    def floors(self) -> Iterator[Row]:
        """Smallest probability in the start of p(z|d)."""
        usual = self.task.settings.floor
        yield self.row("floor", "MVPLSA", self.mvplsa, floor=usual)
        for floor in self.task.settings.floor_grid:
            if floor != usual:
                yield self.row("floor", "MVPLSA", self.classes(MVPLSA, floor=floor), floor=floor)

    def weights(self) -> Iterator[Row]:
        """Balance of the views."""
        flat = [row_normalise(X, "l1") for X in self.task.Xs]
        found = {
            "none": self.mvplsa,
            "equal view totals": self.classes(MVPLSA, view_weights="balanced"),
            "rows sum to one": self.classes(MVPLSA, flat, init=self._mean_posterior()),
        }
        for weights, predicted in found.items():
            yield self.row("weights", "MVPLSA", predicted, weights=weights)

    def _mean_posterior(self, alpha: float = 1.0) -> np.ndarray:
        labels, count = self.drawn.labels, self.task.n_classes
        return combine_posteriors(
            [naive_bayes_posterior(X, labels, count, alpha) for X in self.task.Xs]
        )

    def smoothing(self) -> Iterator[Row]:
        """Smoothing of naive Bayes, as a baseline and as the start."""
        for alpha in self.task.settings.smoothing_grid:
            bayes = self._mean_posterior(alpha).argmax(axis=1)
            yield self.row("smoothing", "NBC_E", bayes, smoothing=alpha)
            found = self.mvplsa if alpha == 1.0 else self.classes(MVPLSA, alpha=alpha)
            yield self.row("smoothing", "MVPLSA", found, smoothing=alpha)

    def starts(self) -> Iterator[Row]:
        """Start of p(z|d), of MVPLSA and of DPLSA."""
        joint = naive_bayes_posterior(
            hstack_csr(self.task.Xs), self.drawn.labels, self.task.n_classes
        )
        yield self.row("start", "MVPLSA", self.mvplsa, start=MEAN_START)
        yield self.row("start", "DPLSA", self.classes(DPLSA), start=MEAN_START)
        for init in ("product", "uniform", "random"):
            yield self.row("start", "MVPLSA", self.classes(MVPLSA, init=init), start=init)
        for model in MODELS:
            found = self.classes(model, init=joint)
            yield self.row("start", model.__name__, found, start=JOINT_START)
        ensemble = self._mean_posterior()
        for v, X in enumerate(self.task.Xs):
            name = f"DPLSA_V{v + 1}"
            yield self.row("start", name, self.classes(DPLSA, [X], init=ensemble), start=MEAN_START)
            yield self.row("start", name, self.classes(DPLSA, [X]), start=OWN_START)

    def lengths(self) -> Iterator[Row]:
        """Number of EM iterations (Algorithm 1 as printed runs T - 1)."""
        usual = self.task.settings.iterations
        yield self.row("iterations", "MVPLSA", self.mvplsa, steps=usual)
        for count in self.task.settings.iteration_grid:
            if count != usual:
                found = self.classes(MVPLSA, max_iter=count)
                yield self.row("iterations", "MVPLSA", found, steps=count)

    def links(self, data: MultiViewData) -> Iterator[Row]:
        """Direction of the links."""
        for name in ("links", "cites", "cited"):
            Xs = [data.views["content"], data.views[name]]
            found = self.mvplsa if name == "links" else self.classes(MVPLSA, Xs)
            yield self.row("links", "MVPLSA", found, link=name)
            model = NaiveBayesEnsemble().fit(Xs[1:], self.drawn.labels)
            yield self.row("links", "NBC_V2", model.predict(Xs[1:]), link=name)


def sampling_rows(task: Task, rate: float, run: int) -> Iterator[Row]:
    """Naive Bayes on the content view and MVPLSA under both samplings."""
    for sampling in (PER_CLASS, OVER_ALL):
        changed = replace(task, reading=replace(task.reading, sampling=sampling))
        trial = _Trial(task, draw(changed, rate, run))
        labels = trial.drawn.labels
        bayes = naive_bayes_posterior(task.Xs[0], labels, task.n_classes).argmax(axis=1)
        yield trial.row("sampling", "NBC_V1", bayes, sampling=sampling)
        yield trial.row("sampling", "MVPLSA", trial.mvplsa, sampling=sampling)


def run(context: Context) -> Result:
    """All topics: small data sets at the smallest and largest rate, news at the smallest."""
    task = task_of(context)
    rates = task.settings.rates
    chosen = [min(rates), max(rates)] if task.is_webkb else [min(rates)]
    runs = range(task.own(task.settings.choice_runs))
    rows: list[Row] = []
    for number in context.progress(runs, "choices"):
        for rate in dict.fromkeys(chosen):
            trial = _Trial(task, draw(task, rate, number))
            for part in (trial.floors, trial.weights, trial.smoothing, trial.starts):
                rows += part()
            if task.is_webkb:
                rows += trial.links(context.data)
                rows += trial.lengths()
                rows += sampling_rows(task, rate, number)
    return Result(rows)


@dataclass(frozen=True)
class Treatment:
    """One way to treat the text: its topic and name, the view file, and how rows are scaled."""

    topic: str
    name: str
    variant: str = ""  # the tables' own file
    unit_rows: bool = False


TREATMENTS = (
    Treatment("huge", "uuencoded messages skipped"),
    Treatment("huge", "all messages kept", "all_messages"),
    Treatment("huge", "messages over 20 kB dropped in one group", "over_20kb"),
    Treatment("huge", "rows of unit length", unit_rows=True),
    Treatment("text", "as in the tables"),
    Treatment("text", "headers kept, words with digits", "headers"),
    Treatment("text", "plain counts", "counts"),
)


def text(context: Context) -> Result:
    """MVPLSA and DPLSA on every treatment of the text, at the smallest rate."""
    key = context.job.dataset
    tasks = {name: task_of(context, data) for name, data in context.views.items()}
    rate = min(tasks[key].settings.rates)
    runs = range(tasks[key].settings.text_runs)
    rows: list[Row] = []
    done: dict[tuple[str, bool, int], dict[str, np.ndarray]] = {}
    plan = [(treatment, number) for treatment in TREATMENTS for number in runs]
    for treatment, number in context.progress(plan, "treatments of the text"):
        file = f"{key}.{treatment.variant}" if treatment.variant else key
        task = tasks[file]
        trial = _Trial(task, draw(task, rate, number))
        place = (file, treatment.unit_rows, number)
        if place not in done:
            Xs = [row_normalise(X) for X in task.Xs] if treatment.unit_rows else task.Xs
            done[place] = {model.__name__: trial.classes(model, Xs) for model in MODELS}
        rows += [
            trial.row(treatment.topic, method, found, treatment=treatment.name)
            for method, found in done[place].items()
        ]
    return Result(rows)
