"""How time and memory grow: one process a point, so that its peak of memory is its own."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

CLASSES, SHARED = 10, 0.6
#: What grows -> sizes.
SIZES = {
    "rows": [1_000, 10_000, 100_000, 1_000_000],
    "non-zeros": [100_000, 1_000_000, 10_000_000, 100_000_000],
    "topics": [10, 50, 200, 500],
    "views": [2, 4, 8],
    "labels": [5, 20, 50, 100, 200],
}
#: Where two threads are compared with one.
THREADED = 10_000_000
#: Words drawn for a row, and non-zeros that are left of them, about: some are drawn twice.
DRAWN, LEFT = 330, 250


def draw_view(n_rows, n_features, per_row, classes, seed):
    """Draw counts row by row from the class's words, in blocks that stay small."""
    rng = np.random.default_rng(seed)
    zipf = 1.0 / np.arange(1, n_features + 1)
    laws = []
    for _ in range(CLASSES):
        own = zipf[rng.permutation(n_features)]
        laws.append(np.cumsum(SHARED * zipf / zipf.sum() + (1 - SHARED) * own / own.sum()))
    indices = np.empty((n_rows, per_row), dtype=np.int32)
    for first in range(0, n_rows, 50_000):
        rows = slice(first, min(n_rows, first + 50_000))
        drawn = rng.random((rows.stop - rows.start, per_row))
        for c in range(CLASSES):
            mine = classes[rows] == c
            found = np.searchsorted(laws[c], drawn[mine])
            indices[rows][mine] = np.minimum(found, n_features - 1)
    indptr = np.arange(0, n_rows * per_row + 1, per_row, dtype=np.int64)
    X = sp.csr_matrix((np.ones(n_rows * per_row), indices.ravel(), indptr))
    X.resize(n_rows, n_features)
    X.sum_duplicates()
    return X


def _views(rows: int, per_row: int, count: int) -> tuple[list[sp.csr_matrix], np.ndarray]:
    classes = np.random.default_rng(0).integers(0, CLASSES, rows)
    features = int(min(50_000, max(500, rows)))
    Xs = [draw_view(rows, features, per_row, classes, v) for v in range(count)]
    return Xs, np.where(np.arange(rows) % 10 == 0, classes, -1)


def text(nonzeros: int) -> sp.csr_matrix:
    """Draw rows of about that many non-zeros altogether."""
    return _views(nonzeros // LEFT, DRAWN, 1)[0][0]


def _fit(what: str, size: int, threads: int):
    """Return a function of the number of iterations that fits, and the size of what it fits."""
    from manyviews.models import MVPLSA, PLSA

    jobs = None if threads == 1 else threads
    if what in ("rows", "non-zeros", "topics"):
        rows = 2_000 if what == "topics" else size
        X = text(size) if what == "non-zeros" else _views(rows, 30, 1)[0][0]
        model = PLSA(size if what == "topics" else 10, tol=0.0, random_state=0, n_jobs=jobs)
        found = X.nnz if what == "non-zeros" else size
        return lambda n: model.set_params(max_iter=n).fit(X), found
    Xs, y = _views(2_000, 30, size)
    model = MVPLSA(16, tol=0.0, random_state=0, n_jobs=jobs)
    return lambda n: model.set_params(max_iter=n).fit(Xs, y), size


def _assign(size: int):
    from manyviews.assignment.problem import LabelSetProblem
    from manyviews.assignment.solvers import solve

    problem = LabelSetProblem.flat(size)
    scores = np.random.default_rng(0).random((20_000, 2, size))
    return lambda n: [solve(problem, scores) for _ in range(n)], size


def _peak_mb() -> float:
    """Return the largest memory of this process in MB.

    On Linux the usage that a process is told of begins with that of the process it was forked from.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**10 / (1024 if sys.platform == "darwin" else 1)


def one_point(what: str, size: int, threads: int) -> dict[str, object]:
    """Time an iteration at one size, in this process."""
    run, size = _assign(size) if what == "labels" else _fit(what, size, threads)
    run(1)
    times = {}
    for count in (1, 4):
        took = []
        for _ in range(3):
            start = time.perf_counter() if threads > 1 else time.process_time()
            run(count)
            took.append((time.perf_counter() if threads > 1 else time.process_time()) - start)
        times[count] = min(took)
    return {
        "what": what,
        "size": size,
        "threads": threads,
        "seconds": max(times[4] - times[1], 1e-9) / 3,
        "peak MB": _peak_mb(),
    }


def curves(quick: bool) -> Iterator[dict[str, object]]:
    """Yield a row for every size of everything that grows, and for two threads at one size."""
    for what, sizes in SIZES.items():
        for size in sizes[:2] if quick else sizes:
            yield _apart(what, size, 1)
    if not quick:
        yield _apart("non-zeros", THREADED, 2)


def _apart(what: str, size: int, threads: int) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "speed.growth", what, str(size), str(threads)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{what} = {size}: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps(one_point(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
