"""Names and settings; labelled draws, fits and clusterings of the multi-view PLSA paper.

The library is imported where it is called: every plan reads this file, few need the estimators.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Generic, Literal, TypeVar

import numpy as np
from pydantic import Field

from manyviews.seeding import integer_of
from reproduction.data.format import MultiViewData
from reproduction.results.settings import PerKind, Runs, Settings, setting

PAGES, NEWS = "webkb", "news"
KINDS = {"cornell": PAGES, "washington": PAGES, "newsgv2": NEWS, "newsgv4": NEWS}
TWO_VIEWS = ("cornell", "washington", "newsgv2")
#: Data sets with the same views and jobs -> number of views.
GROUPS = {("cornell", "washington"): 2, ("newsgv2",): 2, ("newsgv4",): 4}

#: Readings of co-training's parameters chosen without the labels it is scored on, by its authors or
#: by the agreement of its classifiers.
HONEST, AGREEMENT = "honest", "agreement"
PER_CLASS, OVER_ALL = "per class", "over all documents"
BALANCED, FLAT, UNIT = "equal view totals", "rows sum to one", "rows of unit length"
AS_IN_TABLES, PLAIN_COUNTS = "as in the tables", "plain counts"
#: Treatments of the news' text -> variant of the views. A few uuencoded messages of one group hold
#: most of its tokens; the tables skip them, as rainbow does.
HUGE = {
    "uuencoded messages skipped": "", "all messages kept": "all_messages",
    "messages over 20 kB dropped in one group": "over_20kb", UNIT: "",
}  # fmt: skip
WORDS = {AS_IN_TABLES: "", "headers kept, words with digits": "headers", PLAIN_COUNTS: "counts"}

MEAN_START, JOINT_START, OWN_START = "mean of posteriors", "posterior of all features", "own view"
COTRAINED = ("CoTr_V1", "CoTr_V2", "CoTr_E")
BEST, AVERAGE = "Kmeans_Best", "Kmeans_Avg"

T = TypeVar("T")
Count = Annotated[int, Field(ge=1, le=100_000)]
Counts = Annotated[list[Count], Field(min_length=1, max_length=100)]
Share = Annotated[float, Field(gt=0, le=1)]
Floor = Annotated[float, Field(ge=0, le=0.3)]
Smoothing = Annotated[float, Field(gt=0, le=100)]


class ByKind(PerKind, Generic[T]):
    """A value for web pages and one for news."""

    webkb: T
    news: T


class DrawCounts(PerKind):
    """Random draws; jobs of NewsGv4 take a quarter of them each, so there are four at least."""

    webkb: Annotated[int, Field(ge=2, le=1000)]
    news: Annotated[int, Field(ge=4, le=1000)]


def each(pages: Any, news: Any) -> dict[str, Any]:
    """Return a value for either kind of documents."""
    return {PAGES: pages, NEWS: news}


# fmt: off
class PaperSettings(Settings):
    """Settings of the multi-view PLSA paper; what is tried beside its own values is ours."""

    runs: DrawCounts = setting(
        each(160, 40), "Draws of labelled documents per rate (the paper has 20).", quick=each(2, 4))
    clustering_runs: ByKind[Runs] = setting(
        each(160, 20), "Random starts in Figure 2 (the paper has 20).", quick=each(2, 2))
    topic_runs: ByKind[Runs] = setting(
        each(640, 20), "Runs behind Figure 3; 100 left open three sentences that 500 decide.",
        quick=each(2, 2))
    choice_runs: ByKind[Runs] = setting(
        each(20, 2), "Runs behind what the paper leaves open.", quick=each(2, 1))
    round_runs: ByKind[Runs] = setting(
        each(20, 4), "Draws per rate of co-training with few rounds.", quick=each(2, 1))
    extra_runs: Runs = setting(2, "Runs of what goes beyond the paper's tables.", quick=1)
    text_runs: Runs = setting(2, "Runs per treatment of NewsGv2's text.")
    rates: list[Annotated[float, Field(gt=0, lt=1)]] = setting(
        [0.01, 0.02, 0.03, 0.04, 0.05], "Shares r of labelled documents (as in the paper).",
        quick=[0.01, 0.03, 0.05], min_length=1, max_length=99)
    sampling: Literal["per class", "over all documents"] = setting(
        PER_CLASS, "Whether labelled documents are a share of every class, or of all together.")
    links: Literal["links", "cites", "cited"] = setting(
        "links", "Links of a web page: of both directions, those it has, those to it.")
    scored: Literal["unlabelled documents", "all documents"] = setting(
        "unlabelled documents", "Documents over which accuracy is taken.")
    topics: ByKind[Count] = setting(
        each(12, 128), "Topics Y per view (as in the paper).", quick=each(12, 16))
    topic_grid: ByKind[Counts] = setting(
        each([2, 4, 8, 12, 16, 20, 24], [8, 16, 32, 64, 128, 256, 512]),
        "Values of Y in Figure 3; the number of classes is always added.",
        quick=each([4, 12], [8, 16]))
    iterations: Count = setting(150, "EM iterations T (the paper has 150).", quick=25)
    iteration_grid: Counts = setting([50, 149, 150, 500], "Iterations tried.", quick=[10, 25])
    start: Literal["mean of posteriors", "product", "uniform", "random",
                   "posterior of all features", "own view"] = setting(
        MEAN_START, "Start of p(z|d) of unlabelled documents.")
    floor: Floor = setting(1e-3, "Smallest probability in that start.")
    floor_grid: list[Floor] = setting(
        [1e-12, 1e-6, 1e-3, 1e-2, 1e-1], "Floors tried.", quick=[1e-6, 1e-3], min_length=1)
    weights: Literal["none", "equal view totals", "rows sum to one"] = setting(
        "none", "Balance of MVPLSA's views.")
    smoothing: Smoothing = setting(1.0, "Additive smoothing of naive Bayes.")
    smoothing_grid: list[Smoothing] = setting(
        [0.01, 0.1, 1.0], "Smoothings tried.", quick=[0.1, 1.0], min_length=1)
    treatment: Literal["as in the tables", "rows of unit length"] = setting(
        AS_IN_TABLES, "Treatment of the text; others have view files of their own.")
    cut: Share = setting(1.0, "Words in this share of the documents are left out; 1 keeps all.")
    cut_grid: list[Share] = setting(
        [0.3, 0.5, 0.7, 1.0], "Cuts tried for naive Bayes.", quick=[0.5, 1.0], min_length=1)
    counts_cut: Share = setting(0.5, "Cut of the reading with counts, inferred from print.")
    cotraining: Annotated[list[Count], Field(min_length=3, max_length=3)] = setting(
        [75, 1, 3], "Co-training's pool u, and positive p and negative n documents labelled a "
        "round, as its authors had them.")
    pools: Counts = setting([50, 75, 100], "Values of u searched.", quick=[75])
    positives: Counts = setting([1, 2, 3], "Values of p searched.", quick=[1, 2])
    negatives: Counts = setting([1, 3, 5], "Values of n searched.", quick=[1, 3])
    rounds: Count = setting(30, "Rounds of co-training (its authors have 30).", quick=10)
    few_rounds: Count = setting(3, "Rounds of a reading inferred from print.", quick=2)
# fmt: on


def view_names(method: str, count: int) -> list[str]:
    """Return the names of a method on every view."""
    return [f"{method}_V{v + 1}" for v in range(count)]


def named(rate: float) -> str:
    """Return the name of a rate in seeds; its form decides the draws and stays as it is."""
    return f"r={rate:.2f}"


def views(
    files: dict[str, MultiViewData], dataset_kind: str, links: str, treatment: str, cut: float
) -> tuple[list[Any], np.ndarray]:
    """Return the views in the paper's order, and the classes."""
    from manyviews.preprocessing.sparse import document_frequency, row_normalise

    data = files[{**HUGE, **WORDS}[treatment]]
    Xs = data.Xs("content", links) if dataset_kind == PAGES else data.Xs(*sorted(data.views))
    if treatment == UNIT:
        Xs = [row_normalise(X) for X in Xs]
    if cut < 1:
        Xs = [X[:, np.flatnonzero(document_frequency(X) < cut * X.shape[0])] for X in Xs]
    return Xs, data.labels


@dataclass
class Draw:
    """Views, classes of the labelled documents (-1 elsewhere), and the truth."""

    Xs: list[Any]
    given: np.ndarray
    truth: np.ndarray
    known: dict[float, list[np.ndarray]] = field(default_factory=dict)

    @property
    def labelled(self) -> np.ndarray:
        """Labelled documents of every class."""
        return np.bincount(self.given[self.given >= 0])

    def posteriors(self, smoothing: float) -> list[np.ndarray]:
        """Return naive Bayes' posterior of every view."""
        from manyviews.baselines.naive_bayes import NaiveBayesEnsemble

        if smoothing not in self.known:
            model = NaiveBayesEnsemble(alpha=smoothing).fit(self.Xs, self.given)
            self.known[smoothing] = model.view_posteriors(self.Xs)
        return self.known[smoothing]

    def start(self, how: str, smoothing: float) -> Any:
        """Return the start of p(z|d): what the model has a name for, or probabilities."""
        from manyviews.parts.naive_bayes import combine_posteriors, naive_bayes_posterior
        from manyviews.preprocessing.sparse import hstack_csr

        if how == JOINT_START:
            joined, classes = hstack_csr(self.Xs), self.labelled.size
            return naive_bayes_posterior(joined, self.given, classes, smoothing)
        if how == MEAN_START:
            return combine_posteriors(self.posteriors(smoothing))
        return "naive_bayes" if how == OWN_START else how


def draw_over_all(y: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Return a mask of round(r n) labelled documents, drawn again until every class has one.

    Fewer documents than classes could never hold every class: then there are as many as classes.
    """
    classes = np.unique(y).size
    count = max(classes, round(rate * y.size))
    while True:
        mask = np.zeros(y.size, dtype=bool)
        mask[rng.choice(y.size, size=count, replace=False)] = True
        if np.unique(y[mask]).size == classes:
            return mask


def plsa(model: str, Xs: Sequence[Any], given: Any, rng: Any, **options: Any) -> np.ndarray:
    """Return the classes that MVPLSA or DPLSA finds."""
    from manyviews.models.dplsa import DPLSA
    from manyviews.models.mvplsa import MVPLSA

    kind = MVPLSA if model == "MVPLSA" else DPLSA
    fitted = kind(track_loglik=False, random_state=integer_of(rng), **options).fit(list(Xs), given)
    return fitted.labels_


def deal_columns(X: Any, parts: int, rng: np.random.Generator) -> list[Any]:
    """Deal the columns of a view at random into views of (nearly) equal width."""
    by_column = X.tocsc()
    dealt = np.array_split(rng.permutation(X.shape[1]), parts)
    return [by_column[:, np.sort(columns)].tocsr() for columns in dealt]


#: Clusterings, and what is taken of their scores.
Clustered = tuple[list[np.ndarray], Callable[[list[float]], Any]]


@dataclass
class Unlabelled:
    """Views, the truth, and seeds by name; clusterings that others start from."""

    Xs: list[Any]
    truth: np.ndarray
    seed: Callable[[str], int]

    @property
    def classes(self) -> int:
        """Number of classes, which is told."""
        return int(self.truth.max()) + 1

    def clustered(self, Xs: Sequence[Any], name: str) -> dict[str, Clustered]:
        """Cluster every view by cosine k-means.

        The figure's best view must have been chosen by the score itself, measure by measure; the
        one chosen by k-means' own criterion needs no label.
        """
        from manyviews.baselines.spherical_kmeans import SphericalKMeans

        fits = [
            SphericalKMeans(self.classes, random_state=self.seed(f"kmeans:{name}:{v}")).fit(X)
            for v, X in enumerate(Xs)
        ]
        labels = [fitted.labels_ for fitted in fits]
        chosen = int(np.argmax([fitted.criterion_ for fitted in fits]))
        views = zip(view_names("Kmeans", len(labels)), labels, strict=True)
        return {
            BEST: (labels, max),
            AVERAGE: (labels, np.mean),
            "by criterion": ([labels[chosen]], max),
            **{view: ([found], max) for view, found in views},
        }

    @cached_property
    def kmeans(self) -> dict[str, Clustered]:
        """K-means on the views as they are."""
        return self.clustered(self.Xs, "paper")

    @cached_property
    def joined(self) -> Any:
        """MVC, which joins the views' k-means."""
        from manyviews.baselines.mvc import MultiViewClustering

        model = MultiViewClustering(self.classes, random_state=self.seed("MVC"))
        return model.fit(self.Xs, view_labels=self.kmeans[BEST][0])
