"""Words and links together: what every set of documents that cite one another is made of."""

from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.raw import Parts, coded, matrix_of


def link_views(
    ids: Sequence[str],
    pairs: Iterable[tuple[str, str]],
    *,
    self_links: bool = True,
    unknown_ids: bool = False,
) -> tuple[dict[str, sp.csr_matrix], dict[str, list[str]]]:
    """Turn (citing, cited) pairs into the binary views ``cited``, ``cites``, ``links``.

    Repeated pairs count once. ``self_links`` keeps links from a document to itself (the published
    link counts include them), ``unknown_ids`` ids that are no document of the set as features (they
    are never rows). Returned with the names of the columns: ids in row order, unknown ones after.
    """
    known = set(ids)
    kept = {
        (citing, cited)
        for citing, cited in pairs
        if (citing in known) + (cited in known) > (0 if unknown_ids else 1)
        and (self_links or citing != cited)
    }
    turned = {(cited, citing) for citing, cited in kept}
    views: dict[str, sp.csr_matrix] = {}
    names: dict[str, list[str]] = {}
    for view, entries in {"cited": turned, "cites": kept, "links": kept | turned}.items():
        rows: dict[str, dict[str, float]] = {name: {} for name in ids}
        for document, feature in entries:
            if document in known:
                rows[document][feature] = 1.0
        features = {feature for row in rows.values() for feature in row}
        names[view] = [name for name in ids if name in features] + sorted(features - known)
        views[view] = matrix_of(list(rows.values()), names[view])
    return views, names


def assemble(
    ids: list[str],
    words: sp.csr_matrix,
    labels: Sequence[str],
    pairs: Iterable[tuple[str, str]],
    *,
    class_names: list[str] | None = None,
    rows: dict[str, np.ndarray] | None = None,
    **link_options: bool,
) -> Parts:
    """Put words, labels and links together; classes are sorted by name unless given."""
    views, feature_names = link_views(ids, pairs, **link_options)
    return {
        "views": {"content": words, **views},
        **coded(labels, class_names),
        "ids": ids,
        "feature_names": feature_names,
        "rows": rows or {},
    }
