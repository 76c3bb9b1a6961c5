"""Two-view PA against scikit-learn's SGD (pa1): time of one pass and memory, in one run.

    python benchmarks/twoview_pa.py [--rows 20000] [--csv build/twoview_pa.csv]

Every figure is a ratio of times taken alternately in this process; absolute times mean nothing
on a shared machine. The stream has 100 non-zeros a row (two views of 50 for the two-view model).
"""

import argparse
import csv
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import SGDClassifier

from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive


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


def alternate(tasks: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Best time of each task; they take turns, so a busy spell hits all of them."""
    best = dict.fromkeys(tasks, float("inf"))
    for task in tasks.values():
        task()  # compilation and caches
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def pass_times(n_rows: int, repeats: int) -> dict[str, float]:
    """Seconds of one pass, scikit-learn and ours."""
    X, y = stream(n_rows, 20_000, 100, 0)
    views = [X[:, :10_000].tocsr(), X[:, 10_000:].tocsr()]
    peer = SGDClassifier(
        loss="hinge", penalty=None, learning_rate="pa1", eta0=0.1, fit_intercept=False,
        shuffle=False, max_iter=1, tol=None,
    )  # fmt: skip
    options = {"C": 0.1, "shuffle": False}
    tasks: dict[str, Callable[[], object]] = {
        "scikit-learn SGD pa1": lambda: peer.fit(X, y),
        "PassiveAggressive": lambda: PassiveAggressive(**options).fit(X, y),
    }
    for variant in ("printed", "eq11", "exact"):
        model = TwoViewPassiveAggressive(variant=variant, gamma=0.05, **options)
        tasks[f"TwoViewPassiveAggressive {variant}"] = lambda model=model: model.fit(views, y)
    many = MultiViewPassiveAggressive(gamma=0.05, **options)
    tasks["MultiViewPassiveAggressive, 2 views"] = lambda: many.fit(views, y)
    return alternate(tasks, repeats)


def stream_memory(batches: int) -> float:
    """Peak of traced bytes while a stream of ``batches`` batches of 1000 rows goes by."""
    model = TwoViewPassiveAggressive()
    tracemalloc.start()
    for seed in range(batches):
        X, y = stream(1000, 2000, 100, seed)
        model.partial_fit([X[:, :1000].tocsr(), X[:, 1000:].tocsr()], y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return float(peak)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--csv", type=Path)
    arguments = parser.parse_args()
    times = pass_times(arguments.rows, arguments.repeats)
    base = times["scikit-learn SGD pa1"]
    lines: list[tuple[str, float, float]] = []
    for name, seconds in times.items():
        lines.append((f"one pass: {name}", seconds / arguments.rows * 1e6, seconds / base))
    stream_memory(2)  # first calls allocate what stays
    short, long = stream_memory(5), stream_memory(50)
    lines.append(("peak memory of 50 batches against 5", long / 1e6, long / short))
    print(f"{'what':60s} {'us a row / MB':>14s} {'ratio':>8s}")
    for what, value, ratio in lines:
        print(f"{what:60s} {value:14.3f} {ratio:8.2f}")
    if arguments.csv:
        arguments.csv.parent.mkdir(parents=True, exist_ok=True)
        with arguments.csv.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("what", "value", "ratio"))
            writer.writerows(lines)


if __name__ == "__main__":
    main()
