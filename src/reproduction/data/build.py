"""From fetched files to views: the one entry that knows which builder serves which data set."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduction.closure import closure_hash
from reproduction.data.custody import check_raw, stamp_views
from reproduction.data.entry import Dataset
from reproduction.data.format import MultiViewData
from reproduction.data.provenance import without_source
from reproduction.data.registry import views_hash

_PACKAGE = "reproduction.data.builders"


def builder_module(builder: str) -> str:
    """Return the full name of the module behind a registry's ``builder`` (``module:function``)."""
    return f"{_PACKAGE}.{builder.partition(':')[0]}"


def views_code(dataset: Dataset) -> str:
    """Return the hash of what the registry says about views and of the code that builds them."""
    modules = [__name__, *([builder_module(dataset.builder)] if dataset.builder else [])]
    return views_hash(dataset) + closure_hash(modules)


def build_views(
    key: str,
    *,
    raw_dir: Path,
    registry_entry: Dataset,
    variant: str | None = None,
    provenance: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
    threads: int = 1,
) -> MultiViewData:
    """Build the views of one data set from its raw files, stamped with what they are made from.

    Parameters
    ----------
    key
        Registry key.
    raw_dir
        Folder with the fetched files (``data/raw/<key>``).
    registry_entry
        The :class:`~reproduction.data.entry.Dataset` of the key.
    variant
        Name of a variant of the registry, or None.
    provenance
        What the fetch step wrote; raw files that changed since then are refused. A surrogate has
        no raw files: it is drawn here.
    options
        Builder options on top of the registry's and the variant's own.
    threads
        Threads it may use, for builders that the registry gives more than one; the views do not
        depend on it.
    """
    check_raw(provenance, Path(raw_dir))
    facts = without_source(provenance)
    data = _build(key, raw_dir, registry_entry, variant, facts, dict(options or {}), threads)
    stamp_views(data, provenance, views_code(registry_entry), options or {})
    return data


def _build(
    key: str,
    raw_dir: Path,
    registry_entry: Dataset,
    variant: str | None,
    facts: dict[str, Any],
    options: dict[str, Any],
    threads: int,
) -> MultiViewData:
    if facts["source"] == "surrogate":
        from reproduction.data.surrogates.draw import build_surrogate

        scale = options.get("scale")
        return build_surrogate(registry_entry, variant=variant, scale=scale, provenance=facts)
    builder = registry_entry.builder
    if not builder:
        raise ValueError(f"data set {key!r} has no builder; it exists as a surrogate only")
    module, _, function = builder.partition(":")
    try:
        build = getattr(importlib.import_module(f"{_PACKAGE}.{module}"), function)
    except (ImportError, AttributeError) as error:
        raise ValueError(
            f"the builder {builder!r} of data set {key!r} does not exist ({error}); "
            "correct it in the registry"
        ) from error
    served = facts.get("options", {})
    wanted = {**registry_entry.builder_options(variant, served), **options}
    if registry_entry.threads > 1:
        wanted["threads"] = min(threads, registry_entry.threads)
    data: MultiViewData = build(
        Path(raw_dir),
        entry=registry_entry,
        variant=variant,
        provenance=facts,
        **{"key": key, **wanted},
    )
    promised = registry_entry.views
    if sorted(data.views) != sorted(promised):
        raise ValueError(
            f"the builder of {key!r} made the views {', '.join(data.views)}; "
            f"the registry promises {', '.join(promised)}"
        )
    return data
