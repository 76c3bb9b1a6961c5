"""Random label-set problems and a slow oracle that shares no code with the solvers."""

import itertools

import numpy as np
import pytest

from manyviews.assignment.ontology import Ontology

KINDS = ("uniform", "tied", "zero rows", "binary", "peaked", "small")


def random_scores(rng, n, views, labels):
    """Scores in [0, 1] of a random kind; ties, zero rows and 0/1 rows included."""
    s = rng.random((n, views, labels))
    kind = KINDS[rng.integers(len(KINDS))]
    if kind == "tied":
        s = np.round(s * 4) / 4
    elif kind == "zero rows":
        s[rng.random((n, views)) < 0.4] = 0.0
    elif kind == "binary":
        s = (s < 0.5).astype(float)
    elif kind == "peaked":
        s = s**6
    elif kind == "small":
        s *= 0.3
    return s


def random_parents(rng, size, shape):
    """Parents of a random tree, chain, star, forest or DAG with ``size`` labels."""
    parents = {"n0": ()}
    for i in range(1, size):
        if shape == "chain":
            above = [i - 1] if rng.random() < 0.9 else [max(0, i - 2)]
        elif shape == "star":
            above = [0]
        elif shape == "forest":
            above = [] if rng.random() < 0.3 else [int(rng.integers(i))]
        elif shape == "dag":
            above = sorted(
                {int(j) for j in rng.choice(i, size=min(i, int(rng.integers(1, 3))), replace=False)}
            )
        else:
            above = [int(rng.integers(i))]
        parents[f"n{i}"] = tuple(f"n{j}" for j in above)
    return parents


def ancestors(parents, name):
    found = set()
    for p in parents[name]:
        found |= {p} | ancestors(parents, p)
    return found


def naive_pairs(parents, subset, mutex, disjoint=()):
    """Constraint pairs by their definitions, on names."""
    up = {name: ancestors(parents, name) for name in parents}
    below = {name: {m for m in parents if name in up[m] or m == name} for name in parents}
    sub = [(a, b) for a in parents for b in (up[a] if subset == "ancestors" else parents[a])]
    out = []
    for a, b in itertools.combinations(parents, 2):
        if mutex == "declared":
            if (a, b) in disjoint or (b, a) in disjoint:
                out.append((a, b))
            continue
        if below[a] & below[b]:
            continue
        share = set(parents[a]) & set(parents[b]) or not (parents[a] or parents[b])
        if mutex == "disjoint" or share:
            out.append((a, b))
    return sub, out


class Oracle:
    """All joint label sets with their cost, from the printed slack variables."""

    def __init__(self, names, views, alphas, *, sub=(), mut=(), flat=False, hard=False, free=()):
        k = len(names)
        at = {name: i for i, name in enumerate(names)}
        bits = np.array(list(itertools.product((0, 1), repeat=k)), dtype=float)
        pen = np.zeros(len(bits))
        if flat:
            total = bits.sum(axis=1)
            pen += np.maximum(0, total - 1) + np.maximum(0, 1 - total)
        for a, b in sub:
            pen += np.maximum(0, bits[:, at[a]] - bits[:, at[b]])
        for a, b in mut:
            pen += np.maximum(0, bits[:, at[a]] + bits[:, at[b]] - 1)
        index = np.array(list(itertools.product(range(len(bits)), repeat=views)))
        self.sets = bits[index]  # (joint, views, labels)
        self.apart = np.zeros(len(index))
        for v, w in itertools.combinations(range(views), 2):
            self.apart += np.abs(self.sets[:, v] - self.sets[:, w]).sum(axis=1)
        counted = [v for v in range(views) if v not in free]
        broken = pen[index][:, counted].sum(axis=1)
        self.alphas = alphas
        cost = np.where(broken > 0, np.inf, 0.0) if hard else alphas[2] * broken
        self.cost = cost + alphas[1] * self.apart

    def best(self, point, ties=None):
        """Best objective, then fewest disagreements, then the largest tie score of one point."""
        value = self.alphas[0] * np.einsum("jvk,vk->j", self.sets, point) - self.cost
        top = np.flatnonzero(value >= value.max() - 1e-11)
        apart = self.apart[top].min()
        top = top[self.apart[top] <= apart]
        second = np.einsum("jvk,vk->j", self.sets[top], point if ties is None else ties).max()
        return value.max(), apart, second


@pytest.fixture
def make():
    """The factories above under one name."""

    class Make:
        scores = staticmethod(random_scores)
        parents = staticmethod(random_parents)
        pairs = staticmethod(naive_pairs)
        oracle = Oracle

        @staticmethod
        def ontology(rng, size, shape, declared=False):
            parents = random_parents(rng, size, shape)
            disjoint = ()
            if declared:
                _, every = naive_pairs(parents, "parents", "disjoint")
                disjoint = tuple(pair for pair in every if rng.random() < 0.5)
            return Ontology(parents, disjoint)

    return Make
