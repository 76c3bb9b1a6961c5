"""Classes, ontology, links and row facts of a surrogate."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from manyviews.seeding import generator

#: Smallest class of a surrogate drawn at a scale below 1 (if the class has as many).
SMALLEST_CLASS = 6
#: Share of links that stay within a class; no paper prints it.
HOMOPHILY = 0.7


def class_sizes(parameters: Mapping[str, Any], scale: float = 1.0) -> dict[str, int]:
    """Return the size of each class.

    Sizes are the registry's where they are published. Else ``documents`` are shared out in
    proportion to 1 / rank^skew (largest remainders first); class names are then the leaves of the
    ontology, the given ones, or ``class 1``, ``class 2``, ... A scale below 1 shrinks every class.
    """
    if "classes" in parameters:
        sizes = {str(name): int(size) for name, size in parameters["classes"].items()}
    else:
        names = leaves_of(ontology_of(parameters)) or list(parameters.get("class_names", ()))
        if not names:
            names = [f"class {c}" for c in range(1, int(parameters["n_classes"]) + 1)]
        weight = np.arange(1, len(names) + 1) ** -float(parameters.get("skew", 0.0))
        exact = int(parameters["documents"]) * weight / weight.sum()
        whole = np.floor(exact).astype(np.int64)
        rest = int(parameters["documents"]) - int(whole.sum())
        whole[np.argsort(whole - exact, kind="stable")[:rest]] += 1
        sizes = {name: int(size) for name, size in zip(names, whole, strict=True)}
    if scale == 1.0:
        return sizes
    return {
        name: max(min(size, SMALLEST_CLASS), round(size * scale)) for name, size in sizes.items()
    }


def ontology_of(parameters: Mapping[str, Any]) -> dict[str, tuple[str, ...]] | None:
    """Return label to parents, as given or as a tree with the given number of nodes per level.

    In a drawn tree the nodes of a level are dealt to the nodes above in turn and are named by their
    path, e.g. ``1/7/69``.
    """
    if "ontology" in parameters:
        return {str(node): tuple(parents) for node, parents in parameters["ontology"].items()}
    if "ontology_levels" not in parameters:
        return None
    tree: dict[str, tuple[str, ...]] = {"root": ()}
    above = ["root"]
    for size in parameters["ontology_levels"]:
        level = []
        for i in range(int(size)):
            parent = above[i % len(above)]
            name = str(i + 1) if parent == "root" else f"{parent}/{i + 1}"
            tree[name] = (parent,)
            level.append(name)
        above = level
    return tree


def leaves_of(ontology: Mapping[str, tuple[str, ...]] | None) -> list[str]:
    """Return the labels that are nobody's parent, in order."""
    if ontology is None:
        return []
    parents = {parent for above in ontology.values() for parent in above}
    return [node for node in ontology if node not in parents]


def class_paths(
    class_names: list[str], ontology: Mapping[str, tuple[str, ...]] | None
) -> tuple[list[list[int]], int]:
    """Return for each class itself and its ancestors (roots left out) as node numbers."""
    if ontology is None:
        return [[c] for c in range(len(class_names))], len(class_names)
    nodes = [node for node, parents in ontology.items() if parents]
    number = {node: i for i, node in enumerate(nodes)}
    paths = []
    for name in class_names:
        seen: list[str] = []
        waiting = [name]
        while waiting:
            node = waiting.pop()
            if node in number and node not in seen:
                seen.append(node)
                waiting.extend(ontology[node])
        paths.append([number[node] for node in seen])
    return paths, len(nodes)


def draw_links(
    key: str, labels: np.ndarray, parameters: Mapping[str, Any], full_size: int
) -> list[tuple[int, int]]:
    """Draw distinct (citing, cited) pairs of documents.

    Every citing document cites at least once; which one it cites follows a Zipf law over a random
    order, within its class with probability :data:`HOMOPHILY`. The numbers of links, of citing
    documents and of self-links are the registry's, shrunk with the number of documents.
    """
    rng = generator("surrogate", key, "links")
    n = len(labels)
    shrink = n / full_size
    loops = round(int(parameters.get("self_links", 0)) * shrink)
    wanted = max(1, round(int(parameters["edges"]) * shrink) - loops)
    citing_size = min(n, wanted, max(1, round(int(parameters.get("citing", full_size)) * shrink)))
    citing = rng.permutation(n)[:citing_size]
    popularity = 1.0 / (rng.permutation(n) + 1.0)
    found: dict[tuple[int, int], None] = {}
    for node in rng.permutation(citing)[:loops]:
        found[int(node), int(node)] = None
    wanted += len(found)
    source = citing  # the first round gives each citing document one link
    for _ in range(200):
        for pair in zip(source, _targets(labels, source, popularity, rng), strict=True):
            if len(found) < wanted:
                found[int(pair[0]), int(pair[1])] = None
        if len(found) >= wanted:
            break
        source = rng.choice(citing, size=max(64, 2 * (wanted - len(found))))
    return sorted(found)


def _targets(
    labels: np.ndarray, source: np.ndarray, popularity: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Draw a cited document for each citing one."""
    n = len(labels)
    target = rng.choice(n, size=len(source), p=popularity / popularity.sum())
    inside = rng.random(len(source)) < HOMOPHILY
    for c in np.unique(labels):
        rows = np.flatnonzero(inside & (labels[source] == c))
        members = np.flatnonzero(labels == c)
        weight = popularity[members]
        target[rows] = rng.choice(members, size=len(rows), p=weight / weight.sum())
    return np.where(target == source, (target + 1) % n, target)  # self-links are drawn apart


def row_facts(
    key: str, names: list[str], labels: np.ndarray, parameters: Mapping[str, Any], full_size: int
) -> dict[str, np.ndarray]:
    """Return the facts per document that the real data set has.

    ``is_test`` marks a random part of the published size; ``article`` groups documents of one class
    into as many articles as published; ``fold`` deals five folds; ``split`` has a
    twentieth to learn from and two fifths to test on; ``positive`` is a fair coin;
    facts that end in ``_present``, ``has_image`` and ``counted`` are true; ``labels_all`` names the
    class.
    """
    n = len(labels)
    facts: dict[str, np.ndarray] = {}
    for name in names:
        rng = generator("surrogate", key, "rows", name)
        if name == "is_test":
            size = max(1, round(int(parameters["test"]) * n / full_size))
            values = np.zeros(n, dtype=bool)
            values[rng.permutation(n)[:size]] = True
        elif name == "article":
            values = _articles(labels, int(parameters["articles"]) / full_size, rng)
        elif name == "fold":
            values = rng.permutation(np.arange(n) % 5) + 1
        elif name == "split":
            values = np.searchsorted([0.35, 0.4, 0.6], rng.permutation(np.arange(n)) / n, "right")
        elif name == "positive":
            values = rng.permutation(np.arange(n) % 2).astype(bool)
        elif name in ("has_image", "counted") or name.endswith("_present"):
            values = np.ones(n, dtype=bool)
        elif name == "labels_all":
            values = labels.astype("U")
        else:
            raise ValueError(f"no surrogate is defined for the row fact {name!r} of {key!r}")
        facts[name] = values
    return facts


def _articles(labels: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    values = np.empty(len(labels), dtype="U16")
    for c in np.unique(labels):
        rows = rng.permutation(np.flatnonzero(labels == c))
        articles = max(1, round(rate * len(rows)))
        for i, row in enumerate(rows):
            values[row] = f"{c}-{i % articles}"
    return values
