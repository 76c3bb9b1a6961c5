"""Surrogates: seeded synthetic data sets told only published statistics.

A surrogate has the views, variants, row facts and ontology the real data set promises, at its
published size, so that every rule runs anywhere. It knows the numbers of documents, classes,
features and non-zeros (section ``surrogate`` of the registry) and nothing of any result; the model
is in :mod:`reproduction.data.surrogates.views`. Nothing computed on it is a reproduction.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.seeding import generator
from manyviews.validation import check_real
from reproduction.data.builders.links import link_views
from reproduction.data.entry import Dataset
from reproduction.data.format import MultiViewData
from reproduction.data.provenance import make_provenance
from reproduction.data.surrogates.structure import (
    HOMOPHILY,
    class_paths,
    class_sizes,
    draw_links,
    ontology_of,
    row_facts,
)
from reproduction.data.surrogates.views import EFFECT, SIGNAL, Frame, draw_view


def build_surrogate(
    dataset: Dataset,
    *,
    variant: str | None = None,
    scale: float | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> MultiViewData:
    """Draw the surrogate of a data set.

    Parameters
    ----------
    dataset
        Entry of the registry.
    variant
        One of its variants; it shares all random draws with the base.
    scale
        Share of the published size, 0 < scale <= 1; fewer documents in every class and fewer words
        in every view, for quick runs. Default: what the provenance says, else 1.
    provenance
        What the fetch step wrote; made here if not given.

    Returns
    -------
    MultiViewData
        The same on every machine.
    """
    parameters = dataset.surrogate_parameters(variant)
    if scale is None:
        scale = float((provenance or {}).get("scale", 1.0))
    scale = check_real("scale of the surrogate", scale, 0.0, 1.0)
    if scale == 0:
        raise ValueError("scale of the surrogate must be above 0")
    key = dataset.key
    ontology = ontology_of(parameters)
    sizes = class_sizes(parameters, scale)
    full_size = sum(class_sizes(parameters).values())
    names = list(sizes)
    labels = np.repeat(np.arange(len(names)), list(sizes.values()))
    labels = generator("surrogate", key, "order").permutation(labels)
    paths, n_nodes = class_paths(names, ontology)
    frame = Frame(key, labels, paths, n_nodes)
    ids = [f"{key}-{i:05d}" for i in range(len(labels))]
    views = _draw_views(frame, parameters["views"], scale)
    feature_names: dict[str, list[str]] = {}
    if "graph" in parameters:
        pairs = draw_links(key, labels, parameters["graph"], full_size)
        links, feature_names = link_views(ids, [(ids[a], ids[b]) for a, b in pairs])
        views |= links
    known = dict(provenance or make_provenance(dataset, "surrogate", "drawn directly", scale=scale))
    known["surrogate"] = {
        "scale": scale, "signal": SIGNAL, "effect": EFFECT, "homophily": HOMOPHILY,
    }  # fmt: skip
    return MultiViewData(
        name=key if variant is None else f"{key}.{variant}",
        views={name: views[name] for name in dataset.views},
        labels=labels,
        class_names=names,
        ids=ids,
        feature_names=feature_names,
        ontology=ontology,
        rows=row_facts(key, dataset.rows, labels, parameters, full_size),
        provenance=known,
    )


def _draw_views(
    frame: Frame, wanted: Mapping[str, Mapping[str, Any]], scale: float
) -> dict[str, sp.csr_matrix]:
    views: dict[str, sp.csr_matrix] = {}
    for name, given in wanted.items():
        if given["kind"] == "copy":
            views[name] = views[given["of"]].copy()
        else:
            views[name] = draw_view(frame, name, _shrunk(given, scale, frame.n_nodes))
    return views


def _shrunk(given: Mapping[str, Any], scale: float, n_nodes: int) -> dict[str, Any]:
    """Return the parameters of a view of words with fewer words; other kinds stay as they are."""
    parameters = dict(given)
    if scale == 1.0 or parameters["kind"] not in ("counts", "binary", "tfidf"):
        return parameters
    full = int(parameters["features"])
    features = max(min(full, 4 * n_nodes + 100), round(full * scale))
    parameters["features"] = features
    if "nonzeros_per_row" in parameters:
        full_row = float(parameters["nonzeros_per_row"])
        # Ordinary rows keep their length; the very long ones (NELL_mv) shrink too.
        parameters["nonzeros_per_row"] = min(
            max(full_row * scale, min(full_row, 200)), features / 4
        )
    return parameters
