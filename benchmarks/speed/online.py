"""Passive-aggressive learners: time of one pass over a stream, a row at a time."""

from collections.abc import Callable, Iterator

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import SGDClassifier

from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive
from speed.measure import Comparison, Entry, take_turns

PART = "Online learners"


def stream(n_rows: int, width: int, nonzeros: int, seed: int) -> tuple[sp.csr_matrix, np.ndarray]:
    """Random rows with a fixed number of non-zeros and a noisy linear label."""
    rng = np.random.default_rng(seed)
    block = width // nonzeros
    columns = np.arange(nonzeros) * block + rng.integers(block, size=(n_rows, nonzeros))
    data = rng.random(n_rows * nonzeros)
    indptr = np.arange(n_rows + 1) * nonzeros
    X = sp.csr_matrix((data, columns.ravel(), indptr), shape=(n_rows, width))
    score = X @ rng.normal(size=width)
    return X, np.where(score + 0.5 * score.std() * rng.normal(size=n_rows) > 0, 1, -1)


def _pa1(X: sp.csr_matrix, y: np.ndarray) -> SGDClassifier:
    return SGDClassifier(
        loss="hinge", penalty=None, learning_rate="pa1", eta0=0.1, fit_intercept=False,
        shuffle=False, max_iter=1, tol=None,
    ).fit(X, y)  # fmt: skip


def _river(X: sp.csr_matrix, y: np.ndarray) -> Callable[[], object]:
    """Return a pass of river, which takes dictionaries: made before the clock starts."""
    from river.linear_model import PAClassifier

    rows = [dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) for row in X]

    def learn() -> object:
        model = PAClassifier(C=0.1, mode=1, learn_intercept=False)
        for row, label in zip(rows, y, strict=True):
            model.learn_one(row, bool(label > 0))
        return model

    return learn


def compare(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    n = 2000 if quick else 20_000
    X, y = stream(n, 20_000, 100, 0)
    options = {"C": 0.1, "shuffle": False}
    names = ("PassiveAggressive", "scikit-learn SGD, pa1")
    found = take_turns(
        {
            names[0]: lambda: PassiveAggressive(**options).fit(X, y),
            names[1]: lambda: _pa1(X, y),
        },
        7,
    )
    ours, peer = PassiveAggressive(**options).fit(X, y), _pa1(X, y)
    apart = float(np.abs(np.ravel(ours.coef_) - np.ravel(peer.coef_)).max())
    entries = [
        Entry(names[0], [t / n for t in found[names[0]]]),
        Entry(names[1], [t / n for t in found[names[1]]], "", f"weights within {apart:.0e}"),
    ]
    if "river" in peers:
        few = n // 20
        seconds = take_turns({"river": _river(X[:few], y[:few])}, 3)["river"]
        entries.append(Entry("river PAClassifier", [t / few for t in seconds]))
    yield Comparison(
        PART, f"one view, {n:,} rows of 100 non-zeros: one row", entries, "µs", 1e6,
        {names[1]: 2.0, "river PAClassifier": 100.0},
    )  # fmt: skip
    views = [X[:, :10_000].tocsr(), X[:, 10_000:].tocsr()]
    both = {
        "MultiViewPassiveAggressive": lambda: MultiViewPassiveAggressive(gamma=0.05, **options).fit(
            views, y
        ),
        "TwoViewPassiveAggressive": lambda: TwoViewPassiveAggressive(
            variant="exact", gamma=0.05, **options
        ).fit(views, y),
        "scikit-learn SGD, pa1, once a view": lambda: [_pa1(V, y) for V in views],
    }
    found = take_turns(both, 7)
    one, two = both["MultiViewPassiveAggressive"](), both["TwoViewPassiveAggressive"]()
    gap = float(np.abs(np.ravel(one.coef_) - np.concatenate([w.ravel() for w in two.coef_])).max())
    same = ["", f"same problem, weights within {gap:.0e}", "no agreement between views"]
    yield Comparison(
        PART, f"two views, {n:,} rows of 50 + 50 non-zeros: one row",
        [
            Entry(name, [t / n for t in found[name]], "", told)
            for name, told in zip(both, same, strict=True)
        ],
        "µs", 1e6, {"scikit-learn SGD, pa1, once a view": 1.5},
    )  # fmt: skip
