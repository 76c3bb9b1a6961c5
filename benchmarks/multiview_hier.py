"""Exact label-set solvers against the integer programmes they replace, as ratios of one run.

    python benchmarks/multiview_hier.py [--csv FILE] [--points N]

Milliseconds per datapoint of cvxpy (rebuilt for every point, and parametrised), of block-diagonal
batches in HiGHS, and of the exact solvers, on the same random cosines; the objectives must agree.
Then one E-step on data of PubMed's size. Times are of the processor (one thread), so that a busy
machine does not distort them.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from manyviews.assignment.mip import CvxpyReference, solve_batch
from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import LabelSetProblem
from manyviews.assignment.solvers import solve
from manyviews.models.multiview_estep import EStep
from manyviews.models.spherical_view import SphericalView, ViewState

TREE = Ontology(
    {
        "root": (), "a": ("root",), "b": ("root",),
        "a1": ("a",), "a2": ("a",), "b1": ("b",), "b2": ("b",),
    }
)  # fmt: skip


def per_point(function, n, repeats=3):
    """Return the best processor time per point in ms, and the last result."""
    best, result = np.inf, None
    for _ in range(repeats):
        start = time.process_time()
        result = function()
        best = min(best, time.process_time() - start)
    return 1e3 * best / n, result


def compare(name, problem, solvers, points, rng):
    """Yield (case, solver, ms per point, times faster than parametrised cvxpy)."""
    few = rng.random((points, problem.n_views, problem.n_labels))
    many = rng.random((20_000, problem.n_views, problem.n_labels))
    reference = CvxpyReference(problem)
    reference.solve(few[:1])
    slow, labels = per_point(lambda: reference.solve(few), points, 1)
    optimum = problem.objective(few, labels)
    rebuilt, _ = per_point(
        lambda: CvxpyReference(problem, parametrised=False).solve(few[:10]), 10, 1
    )
    batched, labels = per_point(lambda: solve_batch(problem, few), points, 1)
    assert np.abs(problem.objective(few, labels) - optimum).max() < 1e-9
    yield name, "cvxpy, rebuilt", rebuilt, slow / rebuilt
    yield name, "cvxpy, parametrised", slow, 1.0
    yield name, "batched MIP", batched, slow / batched
    for solver in solvers:
        found = solve(problem, few, solver=solver)
        assert np.abs(found.objective - optimum).max() < 1e-9
        fast, _ = per_point(lambda s=solver: solve(problem, many, solver=s), len(many))
        yield name, f"exact: {solver}", fast, slow / fast


def pubmed_estep(rng):
    """Seconds of one E-step (cosines and assignment) on 19,717 x (500 + 17,671) with 3 classes."""
    n = 19_717
    words = sp.random(n, 500, 0.1, random_state=1, format="csr")
    links = sp.random(n, 17_671, 44_338 / (n * 17_671), random_state=2, format="csr")
    members = np.eye(3, dtype=bool)[rng.integers(3, size=n)]
    other = np.eye(3, dtype=bool)[rng.integers(3, size=n)]
    states = [ViewState(SphericalView(X), 3) for X in (words, links)]
    step = EStep("maxagree")
    times = []
    for turn in range(4):
        start = time.process_time()
        for state in states:
            state.update(members if turn % 2 else other)
        step.assign(np.stack([state.scores for state in states], axis=1))
        times.append(time.process_time() - start)
    return min(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--csv", type=Path, help="write the rows here too")
    parser.add_argument("--points", type=int, default=100, help="points cvxpy solves per case")
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    edges = {"subset": "parents", "mutex": "siblings"}
    cases = [
        ("MAXAGREE, 7 labels", LabelSetProblem.flat(7), ("flat", "enumerate")),
        ("MAXAGREE, 100 labels", LabelSetProblem.flat(100), ("flat",)),
        ("MAXAGREE, 3 views", LabelSetProblem.flat(7, 3), ("flat",)),
        ("Hier-SUMSCORE, 7 labels", LabelSetProblem.hierarchical(TREE, 1), ("enumerate", "tree")),
        (
            "Hier-MAXAGREE, 7 labels", LabelSetProblem.hierarchical(TREE, 2),
            ("paths", "enumerate"),
        ),
        (
            "Hier-MAXAGREE, parents and siblings",
            LabelSetProblem.hierarchical(TREE, 2, **edges), ("enumerate", "tree"),
        ),
    ]  # fmt: skip
    rows = [row for case in cases for row in compare(*case, arguments.points, rng)]
    rows.append(("PubMed-sized E-step, s", "exact: flat", pubmed_estep(rng), float("nan")))
    print(f"{'case':36s} {'solver':22s} {'ms per point':>14s} {'times faster':>13s}")
    for case, solver, ms, ratio in rows:
        print(f"{case:36s} {solver:22s} {ms:14.5f} {ratio:13.1f}")
    if arguments.csv:
        with arguments.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["case", "solver", "ms_per_point", "times_faster_than_cvxpy"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
