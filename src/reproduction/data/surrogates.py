"""Surrogates: seeded synthetic data sets, for runs without the real one; never counted.

A surrogate has the views, variants, row facts and ontology the real data set promises, at its
published size. It is told published statistics (section ``surrogate`` of the registry) and nothing
of any result; its constants are the same for all data sets.

Words (``counts``, ``binary``, ``tfidf``). Features follow b_f ~ 1 / (rank_f + 2.7). Every node of
the class tree but the root (every class, if there is no tree) owns a random share of the features,
the most frequent ones excepted. A document has Poisson many tokens; each is drawn from b, or with
probability s_d ~ Beta(2, 6), whose mean is ``SIGNAL``, from b restricted to the features of its
class or of one of the ancestors.

Histograms: proportions ~ Dirichlet(20 m_c) with m_c = (1 - ``SIGNAL``) b + ``SIGNAL`` q_c, where b
and q_c ~ Dirichlet(1/2, ..., 1/2); counts ~ Multinomial(total). Measurements (``positive``,
``signed``): a feature's mean moves with the class by a normal effect of standard deviation
``EFFECT``, on the log scale of Gamma(4) noise or in units of normal noise.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from manyviews.preprocessing.sparse import row_normalise, tfidf
from manyviews.seeding import generator
from manyviews.validation import check_real
from reproduction.data.builders.linqs import link_views
from reproduction.data.entry import Dataset
from reproduction.data.format import MultiViewData
from reproduction.data.provenance import make_provenance

#: Mean share of a document's tokens that tell its class.
SIGNAL = 0.25
#: Class effect on a measurement, in units of its noise (positive: on the log scale).
EFFECT = 0.25
#: Share of links that stay within a class; no paper prints it.
HOMOPHILY = 0.7
#: Smallest class of a surrogate drawn at a scale below 1 (if the class has as many).
SMALLEST_CLASS = 6
_MANDELBROT = 2.7
#: Tokens handled at once; bounds the memory of the largest surrogate.
_BLOCK = 2_000_000
Told = Mapping[str, Any]
Ontology = dict[str, tuple[str, ...]]


class Frame(NamedTuple):
    """What all views share: the seed's first name, classes, nodes of each class, all nodes."""

    key: str
    labels: np.ndarray
    paths: list[list[int]]
    n_nodes: int


def build_surrogate(
    dataset: Dataset, *, variant: str | None = None, scale: float | None = None,
    provenance: Told | None = None,
) -> MultiViewData:  # fmt: skip
    """Draw the surrogate of a data set (a variant shares all draws with the base).

    ``scale`` is the share of the published size, 0 < scale <= 1: fewer documents in every class and
    fewer words in every view; default: what the provenance of the fetch step says, else 1.
    """
    told = dataset.surrogate_parameters(variant)
    if scale is None:
        scale = float((provenance or {}).get("scale", 1.0))
    scale = check_real("scale of the surrogate", scale, np.nextafter(0, 1), 1.0)
    key, ontology = dataset.key, ontology_of(told)
    sizes, full = class_sizes(told, scale), sum(class_sizes(told).values())
    labels = np.repeat(np.arange(len(sizes)), list(sizes.values()))
    labels = generator("surrogate", key, "order").permutation(labels)
    frame = Frame(key, labels, *class_paths(list(sizes), ontology))
    ids = [f"{key}-{i:05d}" for i in range(len(labels))]
    views: dict[str, sp.csr_matrix] = {}
    for name, given in told["views"].items():
        if given["kind"] == "copy":
            views[name] = views[given["of"]]
        else:
            views[name] = draw_view(frame, name, _shrunk(given, scale, frame.n_nodes))
    feature_names: dict[str, list[str]] = {}
    if "graph" in told:
        pairs = draw_links(key, labels, told["graph"], full)
        links, feature_names = link_views(ids, [(ids[a], ids[b]) for a, b in pairs])
        views |= links
    known = dict(provenance or make_provenance(dataset, "surrogate", "drawn directly", scale=scale))
    constants = {"signal": SIGNAL, "effect": EFFECT, "homophily": HOMOPHILY}
    known["surrogate"] = {"scale": scale, **constants}
    return MultiViewData(
        name=key if variant is None else f"{key}.{variant}",
        views={name: views[name] for name in dataset.views},
        labels=labels,
        class_names=list(sizes),
        ids=ids,
        feature_names=feature_names,
        ontology=ontology,
        rows={name: _row_fact(name, frame, told, full) for name in dataset.rows},
        provenance=known,
    )


def _shrunk(told: Told, scale: float, n_nodes: int) -> Told:
    """Return the parameters of a view of words with fewer words; other kinds stay as they are."""
    if scale == 1.0 or told["kind"] not in ("counts", "binary", "tfidf"):
        return told
    full, row = int(told["features"]), float(told.get("nonzeros_per_row", 0))
    features = max(min(full, 4 * n_nodes + 100), round(full * scale))
    # Ordinary rows keep their length; the very long ones (NELL_mv) shrink too.
    shorter = min(max(row * scale, min(row, 200)), features / 4)
    return {**told, "features": features, "nonzeros_per_row": shorter}


def class_sizes(told: Told, scale: float = 1.0) -> dict[str, int]:
    """Return the size of each class; a scale below 1 shrinks every class.

    Sizes are the registry's where they are published. Else ``documents`` are shared out in
    proportion to 1 / rank^skew (largest remainders first) among the leaves of the ontology, the
    given names, or ``class 1``, ``class 2``, ...
    """
    sizes = told.get("classes")
    if sizes is None:
        ontology = ontology_of(told) or {}
        above = {parent for parents in ontology.values() for parent in parents}
        names = [node for node in ontology if node not in above] or told.get("class_names")
        names = names or [f"class {c}" for c in range(1, int(told["n_classes"]) + 1)]
        weight = np.arange(1, len(names) + 1) ** -float(told.get("skew", 0.0))
        exact = int(told["documents"]) * weight / weight.sum()
        whole = np.floor(exact).astype(np.int64)
        rest = int(told["documents"]) - int(whole.sum())
        whole[np.argsort(whole - exact, kind="stable")[:rest]] += 1
        sizes = dict(zip(names, whole.tolist(), strict=True))
    return {
        str(name): size if scale == 1.0 else max(min(size, SMALLEST_CLASS), round(size * scale))
        for name, size in sizes.items()
    }


def ontology_of(told: Told) -> Ontology | None:
    """Return label to parents, as given or as a tree with the given number of nodes per level.

    The nodes of a level are dealt to those above in turn and named by their path: ``1/7/69``.
    """
    if "ontology" in told:
        return {str(node): tuple(parents) for node, parents in told["ontology"].items()}
    if "ontology_levels" not in told:
        return None
    tree: Ontology = {"root": ()}
    above = ["root"]
    for size in told["ontology_levels"]:
        parents = [above[i % len(above)] for i in range(int(size))]
        above = [f"{p}/{i}".removeprefix("root/") for i, p in enumerate(parents, start=1)]
        tree |= {name: (parent,) for name, parent in zip(above, parents, strict=True)}
    return tree


def class_paths(names: list[str], ontology: Ontology | None) -> tuple[list[list[int]], int]:
    """Return for each class itself and its ancestors (roots left out) as numbers, and all nodes."""
    if ontology is None:
        return [[c] for c in range(len(names))], len(names)
    number = {n: i for i, n in enumerate(node for node, parents in ontology.items() if parents)}
    paths = []
    for name in names:
        path, waiting = [], [name]
        while waiting:
            node = waiting.pop()
            if node in number and number[node] not in path:
                path.append(number[node])
                waiting.extend(ontology[node])
        paths.append(path)
    return paths, len(number)


def draw_links(key: str, labels: np.ndarray, told: Told, full: int) -> list[tuple[int, int]]:
    """Draw distinct (citing, cited) pairs of documents; every citing document cites at least once.

    What it cites follows a Zipf law, within its class with probability :data:`HOMOPHILY`. The
    numbers of links, citing documents and self-links shrink with the documents.
    """
    rng = generator("surrogate", key, "links")
    n, shrink = len(labels), len(labels) / full
    loops = round(int(told.get("self_links", 0)) * shrink)
    wanted = max(1, round(int(told["edges"]) * shrink) - loops)
    size = min(n, wanted, max(1, round(int(told.get("citing", full)) * shrink)))
    citing = rng.permutation(n)[:size].tolist()
    anyone = 1.0 / (rng.permutation(n) + 1.0)
    pairs = [(node, node) for node in citing[:loops]]
    more = rng.multinomial(wanted - size, np.full(size, 1 / size))
    for node, further in zip(citing, more, strict=True):
        own = anyone * (labels == labels[node])
        law = HOMOPHILY * own / own.sum() + (1 - HOMOPHILY) * anyone / anyone.sum()
        law[node] = 0.0  # self-links are drawn apart
        cited = rng.choice(n, min(1 + further, n - 1), replace=False, p=law / law.sum())
        pairs += [(node, other) for other in cited.tolist()]
    return sorted(pairs)


def _row_fact(name: str, frame: Frame, told: Told, full: int) -> np.ndarray:
    """Return a fact about every document that the real data set has."""
    rng, labels = generator("surrogate", frame.key, "rows", name), frame.labels
    n = len(labels)
    if name == "is_test":  # a random part of the published size
        chosen = rng.permutation(n)[: max(1, round(int(told["test"]) * n / full))]
        return np.isin(np.arange(n), chosen)
    if name == "article":  # documents of one class share as many articles as published
        values = np.empty(n, dtype="U16")
        for c in np.unique(labels):
            rows = rng.permutation(np.flatnonzero(labels == c))
            articles = max(1, round(int(told["articles"]) / full * len(rows)))
            values[rows] = [f"{c}-{i % articles}" for i in range(len(rows))]
        return values
    if name == "fold":
        return np.asarray(rng.permutation(np.arange(n) % 5) + 1)
    if name == "split":  # a twentieth to learn from, two fifths to test on
        return np.searchsorted([0.35, 0.4, 0.6], rng.permutation(np.arange(n)) / n, "right")
    if name == "positive":
        return rng.permutation(np.arange(n) % 2).astype(bool)
    return np.ones(n, dtype=bool)  # counted, present, with an image


def draw_view(frame: Frame, name: str, told: Told) -> sp.csr_matrix:
    """Draw one view; its name is part of the seed, ``told`` what the registry says of it."""
    rng = generator("surrogate", frame.key, name)
    kind, features = told["kind"], int(told["features"])
    if kind == "histogram":
        view = _histogram(frame, int(told["total"]), features, rng)
    elif kind in ("signed", "positive"):
        view = _measurements(frame, features, rng, signed=kind == "signed")
    else:
        view = _bag(frame, told, features, rng)
    n = len(frame.labels)
    empty = rng.permutation(n)[: round(float(told.get("zero_rows", 0.0)) * n)]
    view = sp.csr_matrix(sp.diags(1.0 - np.isin(np.arange(n), empty)) @ view)
    view.eliminate_zeros()
    if kind == "binary":
        view.data[:] = 1.0
    elif kind == "tfidf":
        view = tfidf(view)
    if told.get("unit_rows"):
        view = row_normalise(view, "l1" if kind == "histogram" else "l2")
    return view


def mean_length(features: int, n_nodes: int, nonzeros: float) -> float:
    """Return the Poisson mean of tokens that gives ``nonzeros`` distinct features a document.

    Solves sum_f 1 - exp(-length p_f) = nonzeros, p_f being the probability of feature f given an
    average class, by bisection; the sum runs over logarithmic bins of the rank.
    """
    edges = np.unique(np.round(np.geomspace(1, features + 1, 2000)).astype(np.int64))
    weight = np.diff(edges).astype(np.float64)
    b = 1.0 / ((edges[:-1] + edges[1:] - 1) / 2 - 1 + _MANDELBROT)
    b /= (b * weight).sum()
    # Of the features that tell a class, each node owns a share of the number and of the mass.
    owned = edges[:-1] > _common(features)
    share = owned / n_nodes
    own = (1 - SIGNAL) * b + SIGNAL * b / ((b * weight * owned).sum() / n_nodes)

    def distinct(length: float) -> float:
        missed = (1 - share) * np.exp(-length * (1 - SIGNAL) * b) + share * np.exp(-length * own)
        return float((weight * (1 - missed)).sum())

    low, high = 0.0, nonzeros
    while distinct(high) < nonzeros:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if distinct(middle) < nonzeros else (low, middle)
    return high


def _bag(frame: Frame, told: Told, features: int, rng: np.random.Generator) -> sp.csr_matrix:
    """Draw a matrix of counts."""
    n = len(frame.labels)
    mean = told.get("tokens_per_row") or mean_length(
        features, frame.n_nodes, float(told["nonzeros_per_row"])
    )
    law = 1.0 / (np.arange(features) + _MANDELBROT)
    law /= law.sum()
    column = rng.permutation(features)  # rank -> column
    owner = _owners(features, frame.n_nodes, rng)
    order = np.argsort(owner, kind="stable")  # ranks grouped by owner, -1 (nobody) first
    grouped = np.cumsum(law[order])
    borders = np.searchsorted(owner[order], np.arange(frame.n_nodes + 1))
    start = np.concatenate([[0.0], grouped])[borders]
    background = np.cumsum(law)
    depth = np.array([len(path) for path in frame.paths])
    table = np.array([np.resize(path, depth.max()) for path in frame.paths])
    lengths = np.maximum(1, rng.poisson(mean, size=n))
    signal = rng.beta(2.0, 6.0, size=n)
    blocks, first, ends = [], 0, np.cumsum(lengths)
    while first < n:
        base = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, base + _BLOCK, side="right")))
        rows = np.repeat(np.arange(first, last), lengths[first:last])
        u = rng.random(len(rows))
        tells = rng.random(len(rows)) < signal[rows]
        rank = np.minimum(np.searchsorted(background, u), features - 1)
        classes = frame.labels[rows[tells]]  # each token of a node of its class's path
        node = table[classes, (rng.random(len(classes)) * depth[classes]).astype(np.int64)]
        low, high = start[node], start[node + 1]
        place = np.searchsorted(grouped, low + u[tells] * (high - low), side="right")
        # Rounding may step over the border of the node's own features.
        place = np.clip(place, borders[node], np.maximum(borders[node], borders[node + 1] - 1))
        rank[tells] = order[place]
        cells, counts = np.unique((rows - first) * features + column[rank], return_counts=True)
        where, shape = (cells // features, cells % features), (last - first, features)
        blocks.append(sp.csr_matrix((counts.astype(np.float64), where), shape=shape))
        first = last
    return sp.csr_matrix(sp.vstack(blocks, format="csr"))


def _common(features: int) -> int:
    """Return how many of the most frequent features tell no class."""
    return min(50, features // 20)


def _owners(features: int, n_nodes: int, rng: np.random.Generator) -> np.ndarray:
    """Return the node that owns each rank; -1 for the most frequent ranks, which tell nothing."""
    common = _common(features)
    # Dealing in shuffled rounds gives every node its share of frequent and rare features.
    rounds = -(-(features - common) // n_nodes)
    dealt = rng.permuted(np.tile(np.arange(n_nodes), (rounds, 1)), axis=1).ravel()
    if rounds == 1:  # an incomplete round would leave some node without features
        dealt = np.arange(features) % n_nodes
    return np.concatenate([np.full(common, -1), dealt[: features - common]])


def _histogram(frame: Frame, total: int, features: int, rng: np.random.Generator) -> sp.csr_matrix:
    """Draw Dirichlet-multinomial rows; ``total`` 0 gives strictly positive proportions."""
    profile = (1 - SIGNAL) * rng.dirichlet(np.full(features, 0.5))
    profile = profile + SIGNAL * rng.dirichlet(np.full(features, 0.5), size=len(frame.paths))
    amounts = rng.standard_gamma(np.maximum(20.0 * profile, 1e-3)[frame.labels]) + 1e-12
    proportions = amounts / amounts.sum(axis=1, keepdims=True)
    if total == 0:
        floored = proportions + 0.1 / features
        return sp.csr_matrix(floored / floored.sum(axis=1, keepdims=True))
    return sp.csr_matrix(rng.multinomial(total, proportions).astype(np.float64))


def _measurements(
    frame: Frame, features: int, rng: np.random.Generator, *, signed: bool
) -> sp.csr_matrix:
    """Draw dense measurements whose means depend on the class."""
    effect = EFFECT * rng.standard_normal((len(frame.paths), features))[frame.labels]
    shape = (len(frame.labels), features)
    if signed:
        return sp.csr_matrix(effect + rng.standard_normal(shape))
    level = np.exp(rng.standard_normal(features))
    return sp.csr_matrix(level * np.exp(effect) * rng.standard_gamma(4.0, size=shape) / 4.0)
