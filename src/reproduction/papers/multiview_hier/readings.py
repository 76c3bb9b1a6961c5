"""Where the paper is silent: the same cells under every sensible reading.

Each topic is a table ``silent:<topic>`` whose rows carry the reading; the one marked by
``chosen`` in the details is what Table 2 uses. Scores are over all points, as in Table 2; the rows
``...,scored=unlabelled`` beside them are over the unlabelled ones.
"""

from collections.abc import Iterable, Iterator

import numpy as np
import scipy.sparse as sp

from manyviews.models.spherical_view import SphericalView, concatenated
from manyviews.preprocessing.sparse import binarise, document_frequency
from manyviews.seeding import generator
from reproduction.papers.multiview_hier.common import (
    Fit,
    Prepared,
    fit,
    fit_flat,
    partition,
    score,
    setting_name,
)
from reproduction.papers.multiview_hier.constants import (
    FLAT_METHODS,
    PAPER,
    VIEWS,
)
from reproduction.results.jobs import Context, Result, Row

ALL = tuple(FLAT_METHODS)
WITH_CONTENT = ("V1", "V12", "SUMSCORE")
WITH_LINKS = ("V2", "V12", "COTRAIN", "PRODSCORE", "SUMSCORE")


def one_plus_idf(X: sp.csr_matrix) -> sp.csr_matrix:
    """Return X with columns weighted 1 + log(n / df)."""
    frequency = np.maximum(document_frequency(X), 1)
    return sp.csr_matrix(X @ sp.diags(1.0 + np.log(X.shape[0] / frequency)))


def raw_sums(Xs: Iterable[sp.csr_matrix]) -> Prepared:
    """Return views whose centroids are sums of the rows as they are, not of unit rows."""
    pair = [SphericalView(X, sum_raw=True) for X in Xs]
    both = SphericalView(concatenated(pair).raw, sum_raw=True)
    return Prepared(pair, both)


class Runner:
    """All topics of one data set; collects rows."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.dataset = context.job.dataset
        self.data = context.data
        self.first, self.second = self.data.Xs(*VIEWS[self.dataset])
        self.base = Prepared.of([self.first, self.second])
        self.max_iter = int(context.settings["max_iter"])
        self.rows: list[Row] = []
        self._fits: dict[tuple[str, float, int], Fit] = {}
        self.chosen: dict[str, str] = {}

    def cases(self) -> Iterator[tuple[float, int, np.ndarray]]:
        """Yield share, run and labelled mask: the same partitions as Table 2."""
        for percent in self.context.settings["train"]:
            for run in range(self.context.settings["reading_runs"]):
                known = partition(self.dataset, percent, run, self.data.labels)
                yield percent, run, known

    def declared(self, method: str, percent: float, run: int, known: np.ndarray) -> Fit:
        """Return the fit of Table 2's own reading, made once for all topics."""
        key = (method, percent, run)
        if key not in self._fits:
            fits = fit_flat(self.base, self.data.labels, known, self.max_iter, (method,))
            self._fits[key] = fits[method]
        return self._fits[key]

    def add(
        self,
        topic: str,
        reading: str,
        prepared: Prepared,
        methods: Iterable[str],
        **options: object,
    ) -> None:
        """Run methods on all cases under one reading."""
        y = self.data.labels
        for percent, run, known in self.cases():
            for name in methods:
                if prepared is self.base and not options:
                    done = self.declared(name, percent, run, known)
                else:
                    part = fit_flat(prepared, y, known, self.max_iter, (name,), **options)
                    done = part[name]
                self.score(topic, reading, percent, run, name, y, done.labels, known)

    def score(
        self,
        topic: str,
        reading: str,
        percent: float,
        run: int,
        method: str,
        y: np.ndarray,
        guess: np.ndarray,
        known: np.ndarray,
    ) -> None:
        """Add the rows of one prediction."""
        self.rows += score(
            f"silent:{topic}", setting_name(percent), method, y, guess, known,
            run=run, reading=reading,
        )  # fmt: skip

    def cotrain(self) -> None:
        """Order of the exchange, and from what the final label is read."""
        self.chosen["cotrain"] = "readout=view2,order=simultaneous"
        y = self.data.labels
        for percent, run, known in self.cases():
            given = np.where(known, y, -1)
            for order in ("simultaneous", "alternating"):
                if order == "simultaneous":
                    done = self.declared("COTRAIN", percent, run, known)
                else:
                    done = fit(
                        "cotrain", self.base, given, max_iter=self.max_iter, cotrain_order=order
                    )
                for how in ("view1", "view2", "sum"):
                    reading = f"readout={how},order={order}"
                    guess = done.model.read_labels(how)
                    self.score("cotrain", reading, percent, run, "COTRAIN", y, guess, known)

    def readouts(self) -> None:
        """Read-out of MAXAGREE where its views disagree."""
        self.chosen["readout"] = "readout=sum"
        y = self.data.labels
        for percent, run, known in self.cases():
            done = self.declared("MAXAGREE", percent, run, known)
            for how in ("sum", "view1", "view2"):
                guess = done.model.read_labels(how)
                self.score("readout", f"readout={how}", percent, run, "MAXAGREE", y, guess, known)

    def links(self) -> None:
        """Direction of the link view."""
        self.chosen["link"] = f"link={VIEWS[self.dataset][1]}"
        for view in ("cited", "cites", "links"):
            if view == VIEWS[self.dataset][1]:
                prepared = self.base
            else:
                prepared = Prepared.of([self.first, self.data.views[view]])
            self.add("link", f"link={view}", prepared, WITH_LINKS)

    def weights(self) -> None:
        """Weights of the words, and whether centroids sum unit rows."""
        self.chosen["weights"] = "words=as released"
        variants = {
            "words=as released": self.base,
            "words=0/1": Prepared.of([binarise(self.first), self.second]),
            "words=1+idf": Prepared.of([one_plus_idf(self.first), self.second]),
            "centroids=raw rows": raw_sums([self.first, self.second]),
        }
        for reading, prepared in variants.items():
            self.add("weights", reading, prepared, WITH_CONTENT)

    def small(self) -> None:
        """V12 of scaled views, and PRODSCORE that falls back to the sum."""
        self.chosen |= {"concat": "concat=raw", "zero_products": "zero products=lowest class"}
        scaled = Prepared(self.base.pair, concatenated(self.base.pair, scaled=True))
        self.add("concat", "concat=raw", self.base, ("V12",))
        self.add("concat", "concat=scaled views", scaled, ("V12",))
        for name, options in (("lowest class", {}), ("sum", {"zero_products": "sum"})):
            reading = f"zero products={name}"
            self.add("zero_products", reading, self.base, ("PRODSCORE",), **options)

    def draws(self) -> None:
        """Labelled points drawn over all classes together (one per class made sure)."""
        self.chosen["draw"] = "draw=per class"
        self.add("draw", "draw=per class", self.base, ("V1", "SUMSCORE"))
        y = self.data.labels
        for percent, run, _ in self.cases():
            rng = generator(PAPER, self.dataset, f"uniform {percent:g}%", run)
            order = rng.permutation(y.size)
            known = np.zeros(y.size, dtype=bool)
            known[order[: round(percent / 100 * y.size)]] = True
            for c in np.setdiff1d(np.unique(y), np.unique(y[known])):
                known[order[np.flatnonzero(y[order] == c)[0]]] = True
            fits = fit_flat(self.base, y, known, self.max_iter, ("V1", "SUMSCORE"))
            for name, done in fits.items():
                self.score("draw", "draw=uniform", percent, run, name, y, done.labels, known)

    def class_order(self) -> None:
        """Rows without links all fall to the first class: which class comes first matters."""
        names = self.data.class_names
        self.chosen["class_order"] = f"first class={names[0]}"
        y = self.data.labels
        for c, name in enumerate(names):
            turned = (y - c) % len(names)  # class c becomes class 0
            for percent, run, known in self.cases():
                methods = ("V1", "V2", "V12", "COTRAIN", "PRODSCORE", "SUMSCORE")
                fits = fit_flat(self.base, turned, known, self.max_iter, methods)
                for method, done in fits.items():
                    guess = (done.labels + c) % len(names)
                    self.score(
                        "class_order", f"first class={name}", percent, run, method, y, guess, known
                    )

    def leaves(self) -> None:
        """Which two of the three descriptors, joined by class name or by line."""
        self.chosen["leaves"] = "views=margin+texture,join=class"
        for join, key in (("class", "leaves"), ("line", "leaves.by_line")):
            data = self.context.views[key]
            for pair in (("margin", "texture"), ("shape", "texture"), ("margin", "shape")):
                same = (join, pair) == ("class", VIEWS["leaves"])
                prepared = self.base if same else Prepared.of(data.Xs(*pair))
                self.add("leaves", f"views={'+'.join(pair)},join={join}", prepared, ALL)


def run(context: Context) -> Result:
    """Run every topic that concerns a data set."""
    runner = Runner(context)
    topics = [runner.cotrain, runner.readouts, runner.small, runner.draws]
    if "links" in context.data.views:
        topics += [runner.links, runner.weights]
    if context.job.dataset == "pubmed":
        topics.append(runner.class_order)
    if context.job.dataset == "leaves":
        topics.append(runner.leaves)
    for topic in context.progress(topics, f"{context.job.dataset} readings"):
        topic()
    return Result(runner.rows, {"chosen": runner.chosen})
