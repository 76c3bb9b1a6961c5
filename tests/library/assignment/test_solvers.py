"""Every solver against an oracle that shares no code with it, and against the MIP."""

import itertools

import numpy as np
import pytest
from problems import TREE as PARENTS

from manyviews.assignment import enumeration, flat, hard_paths, tree_dp
from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import ALPHAS, SHARED_ALPHAS, LabelSetProblem
from manyviews.assignment.solvers import SOLVERS, choose, solve
from manyviews.kernels.assignment_flat import extremes

READINGS = [(s, m) for s in ("parents", "ancestors") for m in ("siblings", "disjoint", "declared")]
TREE = Ontology(PARENTS)
EDGES = LabelSetProblem.hierarchical(TREE, 2, subset="parents", mutex="siblings")
SMALL = {"root": (), "a": ("root",), "b": ("root",), "a1": ("a",), "a2": ("a",), "b1": ("b",)}
#: Scores in [0, 1]: with ties, zero rows, 0/1 rows, few large ones.
KINDS = (
    lambda rng, s: s,
    lambda rng, s: np.round(s * 4) / 4,
    lambda rng, s: s * (rng.random(s.shape[:2]) >= 0.4)[:, :, None],
    lambda rng, s: (s < 0.5).astype(float),
    lambda rng, s: s**6,
    lambda rng, s: s * 0.3,
)


def random_scores(rng, n, views, labels):
    return KINDS[rng.integers(len(KINDS))](rng, rng.random((n, views, labels)))


def random_ontology(rng, size, shape, declared=False):
    """A random tree, chain, star, forest or DAG; some disjoint pairs declared."""
    parents = {"n0": ()}
    for i in range(1, size):
        above = {
            "chain": [i - 1] if rng.random() < 0.9 else [max(0, i - 2)],
            "star": [0],
            "forest": [] if rng.random() < 0.3 else [rng.integers(i)],
            "dag": rng.choice(i, size=min(i, int(rng.integers(1, 3))), replace=False),
            "tree": [rng.integers(i)],
        }[shape]
        parents[f"n{i}"] = tuple(f"n{j}" for j in sorted(above))
    every = naive_pairs(parents, "parents", "disjoint")[1] if declared else ()
    return Ontology(parents, tuple(pair for pair in every if rng.random() < 0.5))


def ancestors(parents, name):
    return set(parents[name]).union(*(ancestors(parents, p) for p in parents[name]))


def naive_pairs(parents, subset, mutex, disjoint=()):
    """Constraint pairs by their definitions, on names."""
    up = {name: ancestors(parents, name) for name in parents}
    below = {name: {m for m in parents if name in up[m] or m == name} for name in parents}
    sub = [(a, b) for a in parents for b in (up[a] if subset == "ancestors" else parents[a])]
    out = []
    for a, b in itertools.combinations(parents, 2):
        declared = (a, b) in disjoint or (b, a) in disjoint
        apart = not below[a] & below[b]
        share = set(parents[a]) & set(parents[b]) or not (parents[a] or parents[b])
        holds = {"declared": declared, "disjoint": apart, "siblings": apart and share}
        if holds[mutex]:
            out.append((a, b))
    return sub, out


class Oracle:
    """All joint label sets with their cost, from the printed slack variables."""

    def __init__(self, names, views, alphas, *, sub=(), mut=(), flat=False, hard=False):
        at = {name: i for i, name in enumerate(names)}
        bits = np.array(list(itertools.product((0, 1), repeat=len(names))), dtype=float)
        pen = np.abs(bits.sum(axis=1) - 1) if flat else np.zeros(len(bits))
        for a, b in sub:
            pen += np.maximum(0, bits[:, at[a]] - bits[:, at[b]])
        for a, b in mut:
            pen += np.maximum(0, bits[:, at[a]] + bits[:, at[b]] - 1)
        index = np.array(list(itertools.product(range(len(bits)), repeat=views)))
        self.sets = bits[index]  # (joint, views, labels)
        self.apart = np.zeros(len(index))
        for v, w in itertools.combinations(range(views), 2):
            self.apart += np.abs(self.sets[:, v] - self.sets[:, w]).sum(axis=1)
        broken = pen[index].sum(axis=1)
        self.alphas = alphas
        cost = np.where(broken > 0, np.inf, 0.0) if hard else alphas[2] * broken
        self.cost = cost + alphas[1] * self.apart

    def best(self, point, ties):
        """Best objective, then fewest disagreements, then the largest tie score of one point."""
        value = self.alphas[0] * np.einsum("jvk,vk->j", self.sets, point) - self.cost
        top = np.flatnonzero(value >= value.max() - 1e-11)
        apart = self.apart[top].min()
        top = top[self.apart[top] <= apart]
        return value.max(), apart, np.einsum("jvk,vk->j", self.sets[top], ties).max()


def test_order_depth_and_leaves():
    o = Ontology({name: SMALL[name] for name in ("a1", "b1", "root", "a", "a2", "b")})
    position = {name: i for i, name in enumerate(o.names)}
    assert all(position[p] < position[n] for n, above in SMALL.items() for p in above)
    assert {o.names[i] for i in o.leaves} == {"a1", "a2", "b1"}
    assert o.is_tree
    depth = {"root": 0, "a": 1, "b": 1, "a1": 2, "a2": 2, "b1": 2}
    assert dict(zip(o.names, o.depth, strict=True)) == depth


@pytest.mark.parametrize("shape", ["tree", "chain", "star", "forest", "dag"])
@pytest.mark.parametrize("mutex", ["siblings", "disjoint", "declared"])
def test_pairs_and_consistent_sets_follow_their_definitions(rng, shape, mutex):
    for _ in range(15):
        size = int(rng.integers(1, 8))
        o = random_ontology(rng, size, shape, declared=True)
        for subset in ("parents", "ancestors"):
            sub, mut = naive_pairs(o.parents, subset, mutex, o.disjoint)
            got = {(o.names[i], o.names[j]) for i, j in o.subset_pairs(subset)}
            assert got == set(sub)
            got = {frozenset((o.names[i], o.names[j])) for i, j in o.mutex_pairs(mutex)}
            assert got == {frozenset(pair) for pair in mut}
        every = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1 == 1
        fine = every[o.violations(every, "ancestors", mutex) == 0]
        found = o.consistent_sets(mutex)
        assert {tuple(row) for row in found} == {tuple(row) for row in fine}
        assert len(found) == len(fine)


def test_closures_add_ancestors():
    o = Ontology(SMALL)
    sets = [o.closure(given) for given in (["a1"], [], ["b"])]
    named = [{o.names[i] for i in np.flatnonzero(row)} for row in sets]
    assert named == [{"a1", "a", "root"}, set(), {"b", "root"}]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Ontology(SMALL).closure(["nosuch"]), "'nosuch' is not in the ontology"),
        (lambda: Ontology({"root": (), "a": ("b",), "b": ("a",)}), "cycle through 'a'"),
        (lambda: Ontology({"a": ("x",)}), "unknown parent 'x'"),
        (lambda: Ontology({**SMALL, "a1": ("a", "b")}, disjoint=(("a", "b"),)),
         r"declared disjoint, but 'a1' is a subset of both"),
        (lambda: Ontology(SMALL, disjoint=(("a", "a1"),)), "declared disjoint"),
        (lambda: Ontology(SMALL, disjoint=(("a", "z"),)), "names unknown 'z'"),
        (lambda: Ontology({f"c{i}": () for i in range(18)}).consistent_sets("declared"),
         "consistent label sets"),
    ],
)  # fmt: skip
def test_wrong_ontologies_are_explained(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def compare(problem, oracle, scores, labels, ties=None):
    """Assert optimal objective and the tie rule for all points."""
    ties = scores if ties is None else ties
    found = problem.objective(scores, labels), problem.disagreements(labels)
    second = (labels * ties).sum(axis=(1, 2))
    expected = [oracle.best(point, tie) for point, tie in zip(scores, ties, strict=True)]
    np.testing.assert_allclose(np.array([*found, second]).T, expected, rtol=0, atol=1e-9)


def same_objective(problem, s, one, two):
    values = problem.objective(s, one), problem.objective(s, two)
    np.testing.assert_allclose(*values, rtol=0, atol=1e-9)


def same_optimum(problem, s, ties, one, two):
    """Assert that two label sets are equally good, by the tie rule too."""
    same_objective(problem, s, one, two)
    np.testing.assert_array_equal(problem.disagreements(one), problem.disagreements(two))
    ends = ((labels * ties).sum(axis=(1, 2)) for labels in (one, two))
    np.testing.assert_allclose(*ends, atol=1e-9)


@pytest.mark.parametrize(("views", "labels"), [(2, 2), (2, 5), (3, 4), (4, 2), (5, 2), (1, 6)])
@pytest.mark.parametrize("consistency", ["soft", "hard"])
def test_flat_closed_form_is_optimal(rng, views, labels, consistency):
    problem = LabelSetProblem.flat(labels, views, consistency=consistency)
    oracle = Oracle(range(labels), views, ALPHAS, flat=True, hard=consistency == "hard")
    for _ in range(3):
        s = random_scores(rng, 20, views, labels)
        compare(problem, oracle, s, flat.solve_flat(problem, s))
    assert choose(problem, s) == "flat"


@pytest.mark.parametrize(("views", "size"), [(1, 7), (2, 5), (3, 3), (4, 3), (5, 2)])
@pytest.mark.parametrize("consistency", ["soft", "hard"])
def test_enumeration_is_optimal_on_any_ontology(rng, views, size, consistency):
    for _ in range(6 if views < 4 else 2):
        o = random_ontology(rng, size, "dag", declared=True)
        subset, mutex = READINGS[rng.integers(len(READINGS))]
        how = {"subset": subset, "mutex": mutex, "consistency": consistency}
        problem = LabelSetProblem.hierarchical(o, views, **how)
        sub, mut = naive_pairs(o.parents, subset, mutex, o.disjoint)
        hard = consistency == "hard"
        oracle = Oracle(o.names, views, problem.alphas, sub=sub, mut=mut, hard=hard)
        s = random_scores(rng, 20, views, size) * (2 if views == 1 else 1)
        # of labels that do not help, those with a negative tie score are left out
        ties = rng.standard_normal(s.shape) - rng.integers(3) if rng.random() < 0.7 else None
        compare(problem, oracle, s, enumeration.solve_enumeration(problem, s, ties), ties)


@pytest.mark.parametrize("views", [1, 2, 3, 4, 5])
def test_tree_programme_and_hard_paths_equal_enumeration(rng, views):
    for _ in range({1: 20, 2: 12, 3: 8}.get(views, 2)):
        shape = ("tree", "chain", "star", "forest")[rng.integers(4)]
        size = int(rng.integers(1, {1: 10, 2: 8, 3: 5, 4: 4, 5: 4}[views]))
        o = random_ontology(rng, size, shape)
        alphas = (1.0, 0.1, 0.3) if rng.random() < 0.5 else None  # cheap violations happen often
        literal = views == 1 and rng.random() < 0.6
        subset, mutex = ("ancestors", "disjoint") if literal else ("parents", "siblings")
        problem = LabelSetProblem.hierarchical(o, views, alphas, subset=subset, mutex=mutex)
        s = random_scores(rng, 20, views, size) * (2 if views == 1 else 1)
        ties = rng.random(s.shape)
        by_sets = enumeration.solve_enumeration(problem, s, ties)
        same_optimum(problem, s, ties, tree_dp.solve_tree(problem, s, ties), by_sets)
        o = random_ontology(rng, size, ("tree", "forest", "dag")[rng.integers(3)])
        mutex = ("siblings", "disjoint")[rng.integers(2)]
        problem = LabelSetProblem.hierarchical(o, views, mutex=mutex, consistency="hard")
        s = random_scores(rng, 20, views, size)
        by_sets = enumeration.solve_enumeration(problem, s, ties)
        same_optimum(problem, s, ties, hard_paths.solve_hard(problem, s, ties), by_sets)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda s: solve(LabelSetProblem.hierarchical(TREE, 2), s, solver="flat"), "an ontology"),
        (lambda s: solve(EDGES, s, solver="paths"), "soft optima may violate"),
        (lambda s: solve(LabelSetProblem.flat(16), np.ones((1, 2, 16)), solver="enumerate"),
         "too many to enumerate"),
        (lambda s: solve(LabelSetProblem.flat(7, 2), s * 4, solver="flat"),
         "a second label worth its penalty"),
        (lambda s: solve(LabelSetProblem.flat(7, 2), s * -2, solver="flat"),
         "an empty view worth its penalty"),
        (lambda s: EDGES.check_scores(s * np.nan), "label 0 in view 0 of point 0"),
        (lambda s: LabelSetProblem.flat(3, 2, (1.0, -0.1, 1.0)), "alpha2 must be at least 0"),
        (lambda s: LabelSetProblem(3, 1, SHARED_ALPHAS, TREE), "the ontology has 7 labels"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_explained(call, text, rng):
    with pytest.raises(ValueError, match=text):
        call(0.9 + 0.1 * rng.random((2, 2, 7)))


@pytest.mark.parametrize("views", [1, 2])
def test_soft_optima_are_consistent_where_the_theorem_says_so(rng, views):
    covered = 0
    for _ in range(60):
        o = random_ontology(rng, int(rng.integers(2, 8)), ("tree", "dag")[rng.integers(2)])
        problem = LabelSetProblem.hierarchical(o, views)
        s = random_scores(rng, 20, views, len(o)) * (1.5 if views == 1 else 1.0)
        s = s[hard_paths.soft_is_hard(problem, s)]
        if len(s):
            soft = enumeration.solve_enumeration(problem, s)
            same_objective(problem, s, soft, hard_paths.solve_hard(problem, s))
        covered += len(s)
    assert covered


@pytest.mark.mip
@pytest.mark.parametrize("consistency", ["soft", "hard"])
@pytest.mark.parametrize("views", [1, 2])
def test_every_solver_is_right_wherever_it_says_it_can_be_used(rng, views, consistency):
    hard = {"consistency": consistency}
    problems = [LabelSetProblem.flat(4, 2 * views - 1, **hard)]
    for (subset, mutex), shape in itertools.product(READINGS, ("tree", "chain", "dag")):
        o = random_ontology(rng, int(rng.integers(3, 6)), shape)
        alphas = (1.0, 0.1, 0.3) if rng.random() < 0.7 else None  # cheap violations happen often
        how = {"subset": subset, "mutex": mutex, **hard}
        problems.append(LabelSetProblem.hierarchical(o, views, alphas, **how))
    for problem in problems:
        s = rng.standard_normal((4, problem.n_views, problem.n_labels))
        exact = enumeration.solve_enumeration(problem, s)
        able = [name for name, (_, obstacle) in SOLVERS.items() if not obstacle(problem, s)]
        assert {"enumerate", "batch", "cvxpy"} <= set(able)
        for name in ["auto", *able]:
            same_objective(problem, s, solve(problem, s, solver=name).labels, exact)


def test_the_closed_form_is_taken_up_to_the_edge_of_its_proof():
    problem = LabelSetProblem.flat(3, 3, (1.0, 0.25, 1.0))
    s = np.zeros((1, 3, 3))
    for edge, beyond in ((0.5, 0.51), (-0.5, -0.51)):  # both proofs end at 1 - 2 x 0.25
        s[0, 0, 0] = edge
        assert choose(problem, s) == "flat"
        s[0, 0, 0] = beyond
        assert choose(problem, s) == "enumerate"


def test_extremes_are_those_of_all_scores_and_0(rng):
    for size in range(11):
        for shift in (-2.0, 0.0, 2.0):
            s = shift + rng.standard_normal(size)
            assert extremes(s) == (min(0.0, *s), max(0.0, *s)) if size else (0.0, 0.0)


@pytest.mark.mip
def test_what_no_other_solver_covers_is_left_to_the_mip(rng):
    wide = rng.random((8, 2, 30))
    wide[0] = 3.0  # too many labels to enumerate and outside the proof
    assert solve(LabelSetProblem.flat(30, 2), wide).solver == "batch"
    dag = {f"n{i}": (f"n{i - 1}", f"n{i - 2}") if i > 1 else () for i in range(18)}
    general = LabelSetProblem.hierarchical(
        Ontology(dag), 2, (0.5, 0.1, 0.2), subset="parents", mutex="siblings"
    )
    assert solve(general, rng.random((3, 2, 18))).solver == "batch"


def test_auto_splits_points_and_uses_every_solver(rng):
    literal = LabelSetProblem.hierarchical(TREE, 1)
    s = rng.random((50, 7)) * 2
    s[:10, 1:] *= 0.4
    assert solve(literal, s).solver == "paths+tree"
    assert solve(EDGES, rng.random((4, 2, 7))).solver == "tree"
    hard = LabelSetProblem.hierarchical(TREE, 2, consistency="hard")
    assert solve(hard, rng.random((4, 2, 7))).solver == "paths"
    assert solve(literal, np.zeros((0, 7))).labels.shape == (0, 1, 7)
