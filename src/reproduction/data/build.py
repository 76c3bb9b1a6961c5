"""From fetched files to views: the one entry that knows which builder serves which data set."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduction.closure import closure_hash
from reproduction.data.builders.raw import RawFiles
from reproduction.data.content import stored_name
from reproduction.data.custody import view_stamp
from reproduction.data.entry import Dataset
from reproduction.data.format import MultiViewData
from reproduction.data.provenance import without_source
from reproduction.data.registry import views_hash


def builder_module(builder: str) -> str:
    """Return the full name of the module behind a registry's ``builder`` (``module:function``)."""
    return f"reproduction.data.builders.{builder.partition(':')[0]}"


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
    """Build the views of one data set, stamped with what they are made from.

    ``provenance`` is checked already; a surrogate is drawn here. ``options`` go on top of the
    registry's and the variant's; views do not depend on ``threads``.
    """
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
        builder = str(registry_entry.builder)  # which every data set that has files has
        build = getattr(importlib.import_module(builder_module(builder)), builder.partition(":")[2])
        stored = [stored_name(record["path"]) for record in facts["files"]]
        parts = build(RawFiles(raw_dir, stored), **{"key": key, **wanted})
        parts["provenance"] = {**facts, **parts.get("provenance", {})}
        data = MultiViewData(name=key if variant is None else f"{key}.{variant}", **parts)
    if sorted(data.views) != sorted(registry_entry.views):
        raise ValueError(
            f"the builder of {key!r} made the views {', '.join(data.views)}; "
            f"the registry promises {', '.join(registry_entry.views)}"
        )
    stamp = view_stamp(provenance, views_code(registry_entry), given)
    data.provenance = {**data.provenance, "made_from": stamp}
    return data
