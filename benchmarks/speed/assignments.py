"""Label sets: the exact solvers beside the programmes they replace, time of one point."""

from collections.abc import Callable, Iterator

import numpy as np

from manyviews.assignment.mip import CvxpyReference, solve_batch
from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import LabelSetProblem
from manyviews.assignment.solvers import solve
from speed.measure import Comparison, Entry, take_turns

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


def _case(name: str, problem: LabelSetProblem, goal: float, points: int) -> Comparison:
    rng = np.random.default_rng(0)
    few = rng.random((points, problem.n_views, problem.n_labels))
    many = rng.random((20_000, problem.n_views, problem.n_labels))
    best = solve(problem, few).objective
    fast = take_turns({"ours": lambda: solve(problem, many)}, 5)["ours"]
    entries = [Entry("exact solver", [t / len(many) for t in fast], f"{best.mean():.6f}")]
    solvers: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "cvxpy, stated once": CvxpyReference(problem).solve,
        "cvxpy, stated anew": CvxpyReference(problem, parametrised=False).solve,
        "HiGHS, many points at once": lambda s: solve_batch(problem, s),
    }
    found = take_turns({peer: (lambda f=f: f(few)) for peer, f in solvers.items()}, 3)
    for peer, seconds in found.items():
        value = problem.objective(few, solvers[peer](few))
        same = f"objective within {max(float(np.abs(value - best).max()), 1e-16):.0e}"
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
        yield _case(name, problem, goal, points)
    if not quick:
        graph = LabelSetProblem.hierarchical(dag(40), consistency="hard")
        name = "Hier-MAXAGREE, 40 labels of a general graph, hard: one point"
        yield _case(name, graph, 20.0, 4)
