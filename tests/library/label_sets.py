"""Random label-set problems and a slow oracle that shares no code with the solvers."""

import itertools

import numpy as np

from manyviews.assignment.ontology import Ontology

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
    """Scores of a random kind."""
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

    def __init__(self, names, views, alphas, *, sub=(), mut=(), flat=False, hard=False, free=()):
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
        counted = [v for v in range(views) if v not in free]
        broken = pen[index][:, counted].sum(axis=1)
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
