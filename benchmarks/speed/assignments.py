"""Label sets: the exact solvers beside the programmes they replace, time of one point."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, milp

from manyviews.assignment.mip import CvxpyReference, _Block, solve_batch
from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import LabelSetProblem
from manyviews.assignment.solvers import solve
from speed.measure import Comparison, Entry, runs, take_turns

PART = "Label sets"
TREE = Ontology(
    {
        "root": (), "a": ("root",), "b": ("root",),
        "a1": ("a",), "a2": ("a",), "b1": ("b",), "b2": ("b",),
    }
)  # fmt: skip


def dag(n_labels: int, seed: int = 0) -> Ontology:
    """Labels of which most have one parent and every third two."""
    rng = np.random.default_rng(seed)
    parents: dict[str, tuple[str, ...]] = {"l0": ()}
    for i in range(1, n_labels):
        count = 2 if i % 3 == 0 and i > 3 else 1
        chosen = rng.choice(np.arange(max(0, i // 3 - 2), max(1, i // 2)), count, replace=True)
        parents[f"l{i}"] = tuple(f"l{j}" for j in sorted(set(chosen.tolist())))
    return Ontology(parents)


class Programme:
    """One point's mixed integer programme as plain arrays, to be minimised."""

    def __init__(self, problem: LabelSetProblem) -> None:
        block = _Block(problem)
        self.problem, self.n_y = problem, block.n_y
        self.matrix = sp.csr_matrix(block.matrix)
        self.upper = np.array(block.upper)
        self.low, self.high = (np.array([row[k] for row in block.rows]) for k in (2, 3))
        self._cost = np.array(block.cost)

    def costs(self, point: np.ndarray) -> np.ndarray:
        """Costs of all columns; the labels come first."""
        cost = self._cost.copy()
        cost[: self.n_y] = -self.problem.alphas[0] * point.ravel()
        return cost

    def solve(self, solver: Callable[["Programme", np.ndarray], object], scores: np.ndarray):
        """Return the label sets of points, one after the other."""
        found = [np.asarray(solver(self, point))[: self.n_y] > 0.5 for point in scores]
        return np.array(found).reshape(scores.shape)


def with_scipy(programme: Programme, point: np.ndarray) -> np.ndarray:
    whole = np.arange(programme.upper.size) < programme.n_y
    return milp(
        programme.costs(point), integrality=whole, bounds=Bounds(0.0, programme.upper),
        constraints=LinearConstraint(programme.matrix, programme.low, programme.high),
        options={"mip_rel_gap": 0.0},
    ).x  # fmt: skip


def with_scip(programme: Programme, point: np.ndarray) -> list[float]:
    from pyscipopt import Model, quicksum

    model, matrix = Model(), programme.matrix
    model.hideOutput()
    columns = [
        model.addVar(vtype="B" if j < programme.n_y else "C", lb=0.0, ub=min(top, 1e3))
        for j, top in enumerate(programme.upper.tolist())
    ]
    for i, (low, high) in enumerate(zip(programme.low, programme.high, strict=True)):
        span = range(matrix.indptr[i], matrix.indptr[i + 1])
        total = quicksum(float(matrix.data[e]) * columns[matrix.indices[e]] for e in span)
        if np.isfinite(low):
            model.addCons(total >= float(low))
        if np.isfinite(high):
            model.addCons(total <= float(high))
    costs = zip(programme.costs(point), columns, strict=True)
    model.setObjective(quicksum(float(cost) * column for cost, column in costs), "minimize")
    model.optimize()
    return [model.getVal(column) for column in columns]


def cp_sat(
    programme: Programme, scores: np.ndarray, repeats: int
) -> tuple[list[float], np.ndarray]:
    """Return OR-tools' seconds for all points in every repeat, and its label sets.

    In a process of its own, after the others: its HiGHS breaks highspy's in one process.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "programme.npz"
        np.savez(
            path, data=programme.matrix.data, indices=programme.matrix.indices,
            indptr=programme.matrix.indptr, low=programme.low, high=programme.high,
            upper=programme.upper, costs=[programme.costs(point) for point in scores],
        )  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", "speed.cp_sat", path, str(repeats)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    answer = json.loads(done.stdout.splitlines()[-1])
    chosen = np.array(answer["columns"])[:, : programme.n_y] > 0.5
    return answer["seconds"], chosen.reshape(scores.shape)


def _case(
    name: str, problem: LabelSetProblem, goal: float, points: int, peers: set[str]
) -> Comparison:
    rng = np.random.default_rng(0)
    few = rng.random((points, problem.n_views, problem.n_labels))
    many = rng.random((20_000, problem.n_views, problem.n_labels))
    best = solve(problem, few).objective
    fast = take_turns({"ours": lambda: solve(problem, many)}, 5)["ours"]
    entries = [Entry("exact solver", [t / len(many) for t in fast], f"{best.mean():.6f}")]
    reference = CvxpyReference(problem)
    rebuilt = CvxpyReference(problem, parametrised=False)
    programme = Programme(problem)
    solvers: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "cvxpy, stated once": reference.solve,
        "cvxpy, stated anew": rebuilt.solve,
        "HiGHS, many points at once": lambda s: solve_batch(problem, s),
        "SciPy milp (HiGHS)": lambda s: programme.solve(with_scipy, s),
    }
    if "pyscipopt" in peers and runs("pyscipopt", lambda: programme.solve(with_scip, few[:1])):
        solvers["SCIP"] = lambda s: programme.solve(with_scip, s)
    found = take_turns({peer: (lambda f=f: f(few)) for peer, f in solvers.items()}, 3)
    labels = {peer: f(few) for peer, f in solvers.items()}
    if "ortools.sat.python.cp_model" in peers and runs(
        "ortools", lambda: cp_sat(programme, few, 1)
    ):
        found["OR-tools CP-SAT"], labels["OR-tools CP-SAT"] = cp_sat(programme, few, 3)
    for peer, seconds in found.items():
        value = problem.objective(few, labels[peer])
        apart = float(np.abs(value - best).max())
        same = (
            f"objective within {max(apart, 1e-16):.0e}"
            if apart < 1e-6
            else f"objective off by {apart:.1g}"
        )
        entries.append(Entry(peer, [t / points for t in seconds], f"{value.mean():.6f}", same))
    return Comparison(PART, name, entries, "ms", 1e3, {"cvxpy, stated once": goal})


def compare(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    points = 3 if quick else 12
    soft = LabelSetProblem.hierarchical(TREE)
    hard = LabelSetProblem.hierarchical(TREE, consistency="hard")
    cases = [
        ("flat MAXAGREE, 7 labels, 2 views: one point", LabelSetProblem.flat(7), 60_000.0),
        ("flat MAXAGREE, 100 labels, 2 views: one point", LabelSetProblem.flat(100), 20_000.0),
        ("Hier-MAXAGREE, 7 labels, hard: one point", hard, 25_000.0),
        ("Hier-MAXAGREE, 7 labels, soft: one point", soft, 10_000.0),
    ]
    for name, problem, goal in cases[:1] if quick else cases:
        yield _case(name, problem, goal, points, peers)
    if not quick:
        graph = LabelSetProblem.hierarchical(dag(40), consistency="hard")
        name = "Hier-MAXAGREE, 40 labels of a general graph, hard: one point"
        yield _case(name, graph, 20.0, 4, peers)
