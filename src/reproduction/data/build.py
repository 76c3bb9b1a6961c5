"""From fetched files to views: the one entry that knows which builder serves which data set."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduction.closure import closure_hash
from reproduction.data.builders.raw import RawFiles
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
    key, registry_entry, variant
        The data set, what the registry says of it, one of its variants or None.
    raw_dir
        Folder with the fetched files (``data/raw/<key>``).
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
    facts, given = without_source(provenance), dict(options or {})
    if facts["source"] == "surrogate":
        from reproduction.data.surrogates import build_surrogate

        data = build_surrogate(
            registry_entry, variant=variant, scale=given.get("scale"), provenance=facts
        )
    else:
        wanted = {**registry_entry.builder_options(variant, facts.get("options", {})), **given}
        if registry_entry.threads > 1:
            wanted["threads"] = min(threads, registry_entry.threads)
        if registry_entry.own_files:
            wanted["own_files"] = registry_entry.own_files
        parts = _builder(registry_entry)(RawFiles(Path(raw_dir)), **{"key": key, **wanted})
        parts["provenance"] = {**facts, **parts.get("provenance", {})}
        data = MultiViewData(name=key if variant is None else f"{key}.{variant}", **parts)
    if sorted(data.views) != sorted(registry_entry.views):
        raise ValueError(
            f"the builder of {key!r} made the views {', '.join(data.views)}; "
            f"the registry promises {', '.join(registry_entry.views)}"
        )
    stamp_views(data, provenance, views_code(registry_entry), given)
    return data


def _builder(dataset: Dataset) -> Any:
    if not dataset.builder:
        raise ValueError(f"data set {dataset.key!r} has no builder; it exists as a surrogate only")
    try:
        module = importlib.import_module(builder_module(dataset.builder))
        return getattr(module, dataset.builder.partition(":")[2])
    except (ImportError, AttributeError) as error:
        raise ValueError(
            f"the builder {dataset.builder!r} of data set {dataset.key!r} does not exist "
            f"({error}); correct it in the registry"
        ) from error
