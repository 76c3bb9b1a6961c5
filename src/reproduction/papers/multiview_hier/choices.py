"""What the paper leaves open: the same cells under every sensible choice.

Each topic is a table ``choice:<topic>`` whose own columns say what was chosen; rows of the choice
that Table 2 takes have the reading of print. Scores are over the same partitions as in Table 2.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.models.spherical_view import SphericalView, concatenated
from manyviews.preprocessing.sparse import binarise, document_frequency
from manyviews.seeding import generator
from reproduction.papers.multiview_hier import PAPER
from reproduction.papers.multiview_hier.methods import (
    FLAT_NAMES,
    VIEWS,
)
from reproduction.papers.multiview_hier.protocol import (
    Case,
    Fit,
    Prepared,
    Target,
    cases,
    fit_flat,
    score,
)
from reproduction.results.jobs import Context
from reproduction.results.rows import INFERRED, Result, Row

#: Reading of every choice that Table 2 does not take.
OTHER = "other"

WITH_CONTENT = ("V1", "V12", "SUMSCORE")
WITH_LINKS = ("V2", "V12", "COTRAIN", "PRODSCORE", "SUMSCORE")
DRAWN = ("V1", "SUMSCORE")
ORDERED = ("V1", "V2", "V12", "COTRAIN", "PRODSCORE", "SUMSCORE")


def one_plus_idf(X: sp.csr_matrix) -> sp.csr_matrix:
    """Return X with columns weighted 1 + log(n / df)."""
    frequency = np.maximum(document_frequency(X), 1)
    return sp.csr_matrix(X @ sp.diags(1.0 + np.log(X.shape[0] / frequency)))


def raw_sums(Xs: Iterable[sp.csr_matrix]) -> Prepared:
    """Return views whose centroids are sums of the rows as they are, not of unit rows."""
    pair = [SphericalView(X, sum_raw=True) for X in Xs]
    both = SphericalView(concatenated(pair).raw, sum_raw=True)
    return Prepared(pair, both)


def uniform_draw(dataset: str, percent: float, run: int, y: np.ndarray) -> np.ndarray:
    """Return labelled points drawn over all classes together (one per class made sure)."""
    rng = generator(PAPER, dataset, f"uniform {percent:g}%", run)
    order = rng.permutation(y.size)
    known = np.zeros(y.size, dtype=bool)
    known[order[: round(percent / 100 * y.size)]] = True
    for c in np.setdiff1d(np.unique(y), np.unique(y[known])):
        known[order[np.flatnonzero(y[order] == c)[0]]] = True
    return known


class Runner:
    """All topics of one data set; every topic yields its rows."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.dataset = context.job.dataset
        self.data = context.data
        self.first, self.second = self.data.Xs(*VIEWS[self.dataset])
        self.base = Prepared.of([self.first, self.second])
        self.max_iter = context.settings.max_iter
        self._fits: dict[tuple[str, float, int], Fit] = {}

    def cases(self) -> Iterator[Case]:
        """Yield the first partitions of Table 2."""
        settings = self.context.settings
        target = Target(None, self.data.labels, self.data.class_names)
        return cases(self.dataset, target, settings.train, range(settings.choice_runs))

    def declared(self, method: str, case: Case) -> Fit:
        """Return the fit of Table 2's own choice, made once for all topics."""
        key = (method, case.percent, case.run)
        if key not in self._fits:
            self._fits[key] = self.fit(method, case, self.base)
        return self._fits[key]

    def fit(self, method: str, case: Case, prepared: Prepared, **options: Any) -> Fit:
        """Fit one method on one partition."""
        return fit_flat(prepared, case.given, self.max_iter, (method,), **options)[method]

    def score(
        self, topic: str, chosen: dict[str, str], method: str, case: Case, guess: np.ndarray,
        *, as_declared: bool,
    ) -> list[Row]:  # fmt: skip
        """Return the rows of one prediction."""
        at = {**chosen, "train": case.percent}
        reading = INFERRED if as_declared else OTHER
        return score(
            f"choice:{topic}", at, method, case.y, guess, case.known, run=case.run, reading=reading
        )

    def compare(
        self, topic: str, chosen: dict[str, str], prepared: Prepared, methods: Iterable[str],
        **options: Any,
    ) -> Iterator[Row]:  # fmt: skip
        """Yield the rows of methods on all cases under one choice."""
        as_declared = prepared is self.base and not options
        for case in self.cases():
            for name in methods:
                if as_declared:
                    done = self.declared(name, case)
                else:
                    done = self.fit(name, case, prepared, **options)
                yield from self.score(
                    topic, chosen, name, case, done.labels, as_declared=as_declared
                )

    def cotrain(self) -> Iterator[Row]:
        """Order of the exchange, and from what the final label is read."""
        for case in self.cases():
            fits = {
                "simultaneous": self.declared("COTRAIN", case),
                "alternating": self.fit("COTRAIN", case, self.base, cotrain_order="alternating"),
            }
            for order, done in fits.items():
                for how in ("view1", "view2", "sum"):
                    yield from self.score(
                        "cotrain", {"readout": how, "order": order}, "COTRAIN", case,
                        done.model.read_labels(how),
                        as_declared=(how, order) == ("view2", "simultaneous"),
                    )  # fmt: skip

    def readouts(self) -> Iterator[Row]:
        """Read-out of MAXAGREE where its views disagree."""
        for case in self.cases():
            done = self.declared("MAXAGREE", case)
            for how in ("sum", "view1", "view2"):
                guess = done.model.read_labels(how)
                yield from self.score(
                    "readout", {"readout": how}, "MAXAGREE", case, guess, as_declared=how == "sum"
                )

    def links(self) -> Iterator[Row]:
        """Direction of the link view."""
        for view in ("cited", "cites", "links"):
            if view == VIEWS[self.dataset][1]:
                prepared = self.base
            else:
                prepared = Prepared.of([self.first, self.data.views[view]])
            yield from self.compare("link", {"link": view}, prepared, WITH_LINKS)

    def weights(self) -> Iterator[Row]:
        """Weights of the words, and whether centroids sum unit rows."""
        variants = {
            ("as released", "unit rows"): self.base,
            ("0/1", "unit rows"): Prepared.of([binarise(self.first), self.second]),
            ("1+idf", "unit rows"): Prepared.of([one_plus_idf(self.first), self.second]),
            ("as released", "raw rows"): raw_sums([self.first, self.second]),
        }
        for (words, centroids), prepared in variants.items():
            chosen = {"words": words, "centroids": centroids}
            yield from self.compare("weights", chosen, prepared, WITH_CONTENT)

    def concatenation(self) -> Iterator[Row]:
        """V12 of raw or of scaled views."""
        scaled = Prepared(self.base.pair, concatenated(self.base.pair, scaled=True))
        for name, prepared in (("raw", self.base), ("scaled views", scaled)):
            yield from self.compare("concat", {"concat": name}, prepared, ("V12",))

    def zero_products(self) -> Iterator[Row]:
        """PRODSCORE that takes the lowest class, or falls back to the sum."""
        options: dict[str, dict[str, str]] = {"lowest class": {}, "sum": {"zero_products": "sum"}}
        for name, given in options.items():
            chosen = {"zero_products": name}
            yield from self.compare("zero_products", chosen, self.base, ("PRODSCORE",), **given)

    def draws(self) -> Iterator[Row]:
        """Labelled points drawn class by class, or over all classes together."""
        yield from self.compare("draw", {"draw": "per class"}, self.base, DRAWN)
        for case in self.cases():
            known = uniform_draw(self.dataset, case.percent, case.run, case.y)
            other = Case(case.target, case.percent, case.run, known)
            for name in DRAWN:
                guess = self.fit(name, other, self.base).labels
                yield from self.score(
                    "draw", {"draw": "uniform"}, name, other, guess, as_declared=False
                )

    def class_order(self) -> Iterator[Row]:
        """Rows without links all fall to the first class: which class comes first matters."""
        names = self.data.class_names
        for c, first in enumerate(names):
            for case in self.cases():
                turned = (case.y - c) % len(names)  # class c becomes class 0
                given = np.where(case.known, turned, -1)
                fits = fit_flat(self.base, given, self.max_iter, ORDERED)
                for name, done in fits.items():
                    guess = (done.labels + c) % len(names)
                    yield from self.score(
                        "class_order", {"first_class": first}, name, case, guess,
                        as_declared=c == 0,
                    )  # fmt: skip

    def leaves(self) -> Iterator[Row]:
        """Which two of the three descriptors, joined by class name or by line."""
        for join, key in (("class", "leaves"), ("line", "leaves.by_line")):
            data = self.context.views[key]
            for pair in (("margin", "texture"), ("shape", "texture"), ("margin", "shape")):
                same = (join, pair) == ("class", VIEWS["leaves"])
                prepared = self.base if same else Prepared.of(data.Xs(*pair))
                chosen = {"views": "+".join(pair), "join": join}
                yield from self.compare("leaves", chosen, prepared, FLAT_NAMES)


def run(context: Context) -> Result:
    """Run every topic that concerns a data set."""
    runner = Runner(context)
    topics = [
        runner.cotrain, runner.readouts, runner.concatenation, runner.zero_products, runner.draws
    ]  # fmt: skip
    if "links" in context.data.views:
        topics += [runner.links, runner.weights]
    if context.job.dataset == "pubmed":
        topics.append(runner.class_order)
    if context.job.dataset == "leaves":
        topics.append(runner.leaves)
    rows: list[Row] = []
    for topic in context.progress(topics, f"{context.job.dataset} choices"):
        rows += topic()
    return Result(rows)
