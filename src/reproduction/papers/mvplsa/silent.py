"""Where the paper is silent: choices about labels, links, start, floor, weights, smoothing.

Every panel is a table "silent:<topic>" whose readings are the alternatives; the choice of the
tables comes first in each. Draws are those of Table 3 unless the panel is about the draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from manyviews.parts.naive_bayes import combine_posteriors, naive_bayes_posterior
from manyviews.preprocessing.sparse import hstack_csr, row_normalise
from manyviews.seeding import generator
from reproduction.papers.mvplsa.protocol import Draw, Task, draw, percent, seed_of, task_of
from reproduction.results.jobs import Context, Result, Row

SAMPLINGS = ("per class", "both present", "any")


class _Panel:
    """One run at one rate: fits with changed settings, rows for the panels."""

    def __init__(self, context: Context, task: Task, drawn: Draw) -> None:
        self.context, self.task, self.drawn = context, task, drawn
        self.base = {
            "MVPLSA": self.fit(MVPLSA, task.Xs),
            "DPLSA": self.fit(DPLSA, task.Xs),
        }

    def fit(self, model: type[MVPLSA], Xs: Any, **changes: Any) -> float:
        """Accuracy in percent with the paper's settings, changed as told."""
        settings = {
            "n_topics": self.task.n_topics,
            "n_iter": int(self.context.settings["iterations"]),
            "floor": float(self.context.settings["floor"]),
            "track_loglik": False,
            "random_state": seed_of(self.task, model.__name__, self.drawn.setting, self.drawn.run),
            **changes,
        }
        found = model(**settings).fit(Xs, self.drawn.labels).labels_
        return percent(self.task, self.drawn, found)

    def row(self, topic: str, method: str, reading: str, value: float) -> Row:
        """One value of a panel."""
        return Row(
            f"silent:{topic}", self.drawn.setting, method, "accuracy_pct", value,
            reading=reading, run=self.drawn.run,
        )  # fmt: skip

    def floors(self) -> Iterator[Row]:
        """Smallest probability in the start of p(z|d)."""
        usual = float(self.context.settings["floor"])
        yield self.row("floor", "MVPLSA", f"floor={usual:g}", self.base["MVPLSA"])
        for floor in self.context.settings["floor_grid"]:
            if float(floor) != usual:
                value = self.fit(MVPLSA, self.task.Xs, floor=float(floor))
                yield self.row("floor", "MVPLSA", f"floor={float(floor):g}", value)

    def weights(self) -> Iterator[Row]:
        """Balance of the views."""
        yield self.row("weights", "MVPLSA", "weights=none", self.base["MVPLSA"])
        value = self.fit(MVPLSA, self.task.Xs, view_weights="balanced")
        yield self.row("weights", "MVPLSA", "weights=equal view totals", value)
        flat = [row_normalise(X, "l1") for X in self.task.Xs]
        start = self._mean_posterior()
        value = self.fit(MVPLSA, flat, init=start)
        yield self.row("weights", "MVPLSA", "weights=rows sum to one", value)

    def _mean_posterior(self, alpha: float = 1.0) -> np.ndarray:
        labels, count = self.drawn.labels, self.task.n_classes
        return combine_posteriors(
            [naive_bayes_posterior(X, labels, count, alpha) for X in self.task.Xs]
        )

    def smoothing(self) -> Iterator[Row]:
        """Smoothing of naive Bayes, as a rival and as the start."""
        for alpha in self.context.settings["smoothing_grid"]:
            reading = f"alpha={float(alpha):g}"
            posterior = self._mean_posterior(float(alpha)).argmax(axis=1)
            yield self.row("smoothing", "NBC_E", reading, percent(self.task, self.drawn, posterior))
            usual = float(alpha) == 1.0
            value = (
                self.base["MVPLSA"] if usual else self.fit(MVPLSA, self.task.Xs, alpha=float(alpha))
            )
            yield self.row("smoothing", "MVPLSA", reading, value)

    def starts(self) -> Iterator[Row]:
        """Start of p(z|d), of MVPLSA and of DPLSA."""
        yield self.row("start", "MVPLSA", "start=mean of posteriors", self.base["MVPLSA"])
        for init in ("product", "uniform", "random"):
            value = self.fit(MVPLSA, self.task.Xs, init=init)
            yield self.row("start", "MVPLSA", f"start={init}", value)
        joint = naive_bayes_posterior(
            hstack_csr(self.task.Xs), self.drawn.labels, self.task.n_classes
        )
        yield self.row("start", "DPLSA", "start=mean of posteriors", self.base["DPLSA"])
        for model in (MVPLSA, DPLSA):
            value = self.fit(model, self.task.Xs, init=joint)
            yield self.row("start", model.__name__, "start=posterior of all features", value)
        ensemble = self._mean_posterior()
        for v, X in enumerate(self.task.Xs):
            value = self.fit(DPLSA, [X], init=ensemble)
            yield self.row("start", f"DPLSA_V{v + 1}", "start=mean of posteriors", value)
            yield self.row("start", f"DPLSA_V{v + 1}", "start=own view", self.fit(DPLSA, [X]))

    def lengths(self) -> Iterator[Row]:
        """Number of EM iterations (Algorithm 1 as printed runs T - 1)."""
        usual = int(self.context.settings["iterations"])
        yield self.row("iterations", "MVPLSA", f"T={usual}", self.base["MVPLSA"])
        for count in self.context.settings["iteration_grid"]:
            if int(count) != usual:
                value = self.fit(MVPLSA, self.task.Xs, n_iter=int(count))
                yield self.row("iterations", "MVPLSA", f"T={int(count)}", value)

    def links(self) -> Iterator[Row]:
        """Direction of the links."""
        views = self.context.data.views
        for name in ("links", "cites", "cited"):
            Xs = [views["content"], views[name]]
            value = self.base["MVPLSA"] if name == "links" else self.fit(MVPLSA, Xs)
            yield self.row("links", "MVPLSA", f"link={name}", value)
            model = NaiveBayesEnsemble().fit([views[name]], self.drawn.labels)
            found = percent(self.task, self.drawn, model.predict([views[name]]))
            yield self.row("links", "NBC_V2", f"link={name}", found)


def draw_by(task: Task, rate: float, run: int, sampling: str) -> Draw:
    """Labelled documents under one reading of "randomly sample with the rate r"."""
    if sampling == "per class":
        return draw(task, rate, run)
    setting = f"r={rate:.2f}"
    rng = generator("mvplsa", task.name, f"labels:{sampling}", setting, run)
    least = 1 if sampling == "any" else task.n_classes  # fewer could never hold every class
    count = max(least, round(rate * task.y.size))
    while True:
        chosen = rng.choice(task.y.size, size=count, replace=False)
        labels = np.full(task.y.size, -1)
        labels[chosen] = task.y[chosen]
        if sampling == "any" or np.unique(labels[chosen]).size == task.n_classes:
            return Draw(setting, rate, run, labels)


def sampling_rows(context: Context, task: Task, rate: float, run: int) -> list[Row]:
    """Naive Bayes on the content view and MVPLSA under the three samplings.

    A draw without one of the classes leaves nothing to learn: the class that is there is the
    answer for all documents, for both methods.
    """
    rows = []
    for sampling in SAMPLINGS:
        drawn = draw_by(task, rate, run, sampling)
        known = drawn.labels[drawn.labels >= 0]
        if np.unique(known).size < task.n_classes:
            only = percent(task, drawn, np.full(task.y.size, known[0]))
            values = {"NBC_V1": only, "MVPLSA": only}
        else:
            posterior = naive_bayes_posterior(task.Xs[0], drawn.labels, task.n_classes)
            found = (
                MVPLSA(
                    task.n_topics,
                    n_iter=int(context.settings["iterations"]),
                    floor=float(context.settings["floor"]),
                    track_loglik=False,
                    random_state=seed_of(task, "MVPLSA", drawn.setting, run),
                )
                .fit(task.Xs, drawn.labels)
                .labels_
            )
            values = {
                "NBC_V1": percent(task, drawn, posterior.argmax(axis=1)),
                "MVPLSA": percent(task, drawn, found),
            }
        rows += [
            Row("silent:sampling", drawn.setting, method, "accuracy_pct", value,
                reading=f"sampling={sampling}", run=run)
            for method, value in values.items()
        ]  # fmt: skip
    return rows


def run(context: Context) -> Result:
    """All panels: small data sets at the smallest and largest rate, news at the smallest."""
    task = task_of(context)
    rates = context.settings["rates"]
    chosen = [min(rates), max(rates)] if task.is_webkb else [min(rates)]
    runs = context.settings["choice_runs"]["webkb" if task.is_webkb else "news"]
    rows: list[Row] = []
    for number in context.progress(range(int(runs)), "silent choices"):
        for rate in dict.fromkeys(chosen):
            panel = _Panel(context, task, draw(task, rate, number))
            for part in (panel.floors, panel.weights, panel.smoothing, panel.starts):
                rows += part()
            if task.is_webkb:
                rows += panel.links()
                rows += panel.lengths()
                rows += sampling_rows(context, task, rate, number)
    return Result(rows)
