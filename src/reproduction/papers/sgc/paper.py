"""Wu et al. (2019): simple graph convolution, on the Planetoid splits. A positive control.

Its figures are known to come back, so it shows that the verdicts here can say yes.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

import numpy as np
import scipy.sparse as sp
from pydantic import Field

from manyviews.preprocessing.sparse import row_normalise
from reproduction.data.format import MultiViewData
from reproduction.results.settings import PerKind, Settings, setting
from reproduction.results.study import Study
from reproduction.results.tables import number

#: Values of the fact ``split`` of a document; the others are in no part.
TRAINING, TEST = 1, 3
#: Decay of Adam's two means, and what keeps it from dividing by zero: PyTorch's defaults.
MEAN_DECAY, SQUARE_DECAY, TINY = 0.9, 0.999, 1e-8

T = TypeVar("T")
Steps = Annotated[int, Field(ge=0, le=20)]


class Each(PerKind, Generic[T]):
    """A value for either data set."""

    cora: T
    citeseer: T


class PaperSettings(Settings):
    """Settings of simple graph convolution; defaults are the authors' own."""

    runs: int = setting(40, "Random starts (the paper has 10).", quick=3, ge=2, le=1000)
    choice_runs: int = setting(5, "Starts behind what is tried besides.", quick=1, ge=1, le=1000)
    steps: Steps = setting(2, "Steps of propagation along the links (the paper has 2).")
    step_grid: list[Steps] = setting([0, 1, 3], "Steps tried.", quick=[0], min_length=1)
    self_links: Literal["added", "none"] = setting(
        "added", "Whether every document gets a link to itself (in the paper it does)."
    )
    seen: Literal["training documents", "half the test documents too"] = setting(
        "training documents", "Documents whose classes are learned from; the second is a fault."
    )
    weight_decay: Each[Annotated[float, Field(ge=0, le=1)]] = setting(
        {"cora": 1.3026973714043257e-05, "citeseer": 2.3545587233182368e-05},
        "Penalty on squared weights, as the authors found it on the validation documents.",
    )
    epochs: Each[Annotated[int, Field(ge=1, le=10_000)]] = setting(
        {"cora": 100, "citeseer": 150}, "Steps of Adam (as in the authors' commands)."
    )
    rate: float = setting(0.2, "Learning rate of Adam (the authors' default).", gt=0, le=10)


KINDS = {"cora_planetoid": "cora", "citeseer_planetoid": "citeseer"}
study = Study("sgc", tuple(KINDS), PaperSettings, kinds=KINDS)


@dataclass
class Part:
    """Propagated words and classes of the documents learned from, and of the test documents."""

    X: np.ndarray
    y: np.ndarray
    test: np.ndarray
    truth: np.ndarray
    n_classes: int


@study.views
def propagated(data: MultiViewData, steps: int, self_links: str) -> tuple[np.ndarray, ...]:
    """Average words, scaled to sum 1, over neighbours; a link counts by both ends' degrees."""
    row, links = {name: i for i, name in enumerate(data.ids)}, sp.coo_matrix(data.views["links"])
    columns = np.array([row[name] for name in data.feature_names["links"]])[links.col]
    square = sp.csr_matrix((np.ones(links.nnz), (links.row, columns)), shape=(len(row), len(row)))
    graph = square + (self_links == "added") * sp.identity(len(row))
    degree = np.asarray(graph.sum(axis=1)).ravel()
    scale = sp.diags(1 / np.sqrt(np.maximum(degree, 1)))
    spread, words = scale @ graph @ scale, row_normalise(data.views["content"], "l1")
    for _ in range(steps):
        words = spread @ words
    return words.toarray(), data.labels, data.rows["split"]


@study.split
def official(views: tuple[np.ndarray, ...], seen: str) -> Part:
    """Take the official split."""
    X, y, split = views
    test = np.flatnonzero(split == TEST)
    known = split == TRAINING
    if seen != "training documents":
        known[test[::2]] = True
    return Part(X[known], y[known], X[test], y[test], int(y.max()) + 1)


@study.method("SGC")
def sgc(
    part: Part, run: int, seeded: Any, weight_decay: float, epochs: int, rate: float
) -> np.ndarray:
    """Fit logistic regression by so many steps of Adam, from a start as PyTorch's layers have."""
    X = np.column_stack([part.X, np.ones(len(part.X))])
    Y = np.eye(part.n_classes)[part.y]
    bound = 1 / np.sqrt(part.X.shape[1])
    W = seeded("start", run).uniform(-bound, bound, (X.shape[1], part.n_classes))
    first, second = np.zeros_like(W), np.zeros_like(W)
    for epoch in range(1, epochs + 1):
        posterior = np.exp(X @ W - (X @ W).max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        gradient = X.T @ (posterior - Y) / len(Y) + weight_decay * W
        first = MEAN_DECAY * first + (1 - MEAN_DECAY) * gradient
        second = SQUARE_DECAY * second + (1 - SQUARE_DECAY) * gradient**2
        slope = np.sqrt(second / (1 - SQUARE_DECAY**epoch)) + TINY
        W -= rate * first / (1 - MEAN_DECAY**epoch) / slope
    return np.argmax(part.test @ W[:-1] + W[-1], axis=1)


@study.method("majority", role="control")
def majority(part: Part) -> np.ndarray:
    """Name the largest class of the documents learned from."""
    return np.full(part.truth.size, np.bincount(part.y).argmax())


@study.metric("accuracy_pct")
def accuracy(part: Part, answer: np.ndarray) -> float:
    """Return the share of test documents named right, in per cent."""
    return 100 * float(np.mean(answer == part.truth))


table_2 = study.table("2", runs="runs")
study.choice(
    "steps", lambda step_grid: sorted(set(step_grid)), of=table_2, runs="choice_runs",
    column=number("steps", "K={:g}"),
)  # fmt: skip
study.choice("self_links", ["none"], of=table_2, runs="choice_runs")
study.choice("seen", ["half the test documents too"], of=table_2, runs="choice_runs")
