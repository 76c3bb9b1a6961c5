"""The registry of data sets: one YAML file each, found by looking, typed and checked.

``data/registry/<key>.yaml`` says what a data set is, where its files come from (with their sha256),
how it compares with the paper's and what a surrogate of it is told. A user's own files may lie in
further folders (``data.registries`` of the configuration, or the environment variable
``MANYVIEWS_REGISTRIES``). Everything else in :mod:`reproduction.data` takes its facts from here.
"""

import difflib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from reproduction.data import entry, origin
from reproduction.data.entry import Dataset
from reproduction.files import ROOT, YamlError, read_yaml

#: The project's own registry files.
PROJECT_REGISTRY = ROOT / "data" / "registry"
#: Names further folders or files, separated as in ``PATH``.
REGISTRIES_VARIABLE = "MANYVIEWS_REGISTRIES"
#: What the fetched files and their provenance follow from.
_FETCHED: Any = {
    **dict.fromkeys(("key", "role", "stands_in_for", "licence", "comparable", "differences"), True),
    **dict.fromkeys(("user_extras", "files", "own_files"), True),
    # not the addresses: whichever serves, the files are the same
    "editions": {"__all__": {"name", "comparable", "differences", "options", "files", "unpinned"}},
}
#: What the views follow from besides.
_BUILT: Any = {"key", "builder", "options", "views", "rows", "variants", "own_files", "surrogate"}


class RegistryError(ValueError):
    """A registry file is not readable, breaks the rules, or lacks what was asked for."""


class Registry(dict[str, Dataset]):
    """All data sets by key, in the order of their keys; made by :func:`load_registry`."""

    def __missing__(self, key: str) -> Dataset:
        raise RegistryError(f"unknown data set {key!r}; {_nearest(key, list(self))}")

    def view_keys(self) -> list[str]:
        """Return all ``<dataset>`` and ``<dataset>.<variant>``."""
        return [key for dataset in self.values() for key in dataset.view_keys]

    def resolve(self, view_key: str) -> tuple[Dataset, str | None]:
        """Return the data set and the variant (or None) of a key of :meth:`view_keys`."""
        key, _, variant = view_key.partition(".")
        dataset = self[key]
        if variant and variant not in dataset.variants:
            hint = _nearest(view_key, self.view_keys())
            raise RegistryError(f"unknown view file {view_key!r}; {hint}")
        return dataset, variant or None


def published_statistics(dataset: Dataset) -> list[tuple[str, Any, str]]:
    """Return (statistic, value, where) of every printed number, ``features:<view>`` and so on."""
    found: list[tuple[str, Any, str]] = []
    for where, group in dataset.statistics.items():
        for name, value in group.items():
            if isinstance(value, dict):
                found += [(f"{name}:{item}", number, where) for item, number in value.items()]
            elif not isinstance(value, list):
                found.append((name, value, where))
    return found


def check_options(registry: Registry, options: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse options of the configuration that no data set offers, or outside their range."""
    for key, given in options.items():
        offered = registry[key].configurable
        for name, value in given.items():
            place = f"data.options.{key}.{name}"
            if name not in offered:
                raise RegistryError(f"{place}: unknown option; {_nearest(name, list(offered))}")
            low, high = offered[name].minimum, offered[name].maximum
            if value is None or (low is None and high is None):
                continue
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise RegistryError(f"{place}: must be a number or null (given: {value!r})")
            if (low is not None and value < low) or (high is not None and value > high):
                bounds = f"{'' if low is None else low} .. {'' if high is None else high}"
                raise RegistryError(
                    f"{place}: {value} is outside {bounds}; {offered[name].description}"
                )


def fetch_hash(dataset: Dataset) -> str:
    """Return a hash of what the fetched files and their provenance follow from."""
    return _hash_of(dataset, _FETCHED)


def views_hash(dataset: Dataset) -> str:
    """Return a hash of what the views follow from, beside the fetched files."""
    return _hash_of(dataset, _BUILT)


def _hash_of(dataset: Dataset, parts: Any) -> str:
    content = dataset.model_dump(mode="json", include=parts, exclude_unset=True)
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def load_registry(places: Sequence[str | Path] | None = None) -> Registry:
    """Read and check all registry files.

    ``places`` are folders (every ``*.yaml`` in them) or single files; default: the project's folder
    and what ``MANYVIEWS_REGISTRIES`` names. A file that is missing, no YAML, breaks a rule or gives
    a key again raises a ``RegistryError`` that names the place and what is expected there.
    """
    if places is None:
        further = os.environ.get(REGISTRIES_VARIABLE, "").split(os.pathsep)
        places = [PROJECT_REGISTRY, *(name for name in further if name)]
    paths: list[Path] = []
    for place in map(Path, places):
        if not place.exists():
            raise RegistryError(f"no registry at {place}; name a folder or a .yaml file")
        paths += sorted(place.glob("*.yaml")) if place.is_dir() else [place]
    datasets: dict[str, Dataset] = {}
    read_from: dict[str, Path] = {}
    for path in paths:
        state = path.stat()
        dataset = _read_entry(path, state.st_mtime_ns, state.st_size)
        if dataset.key in datasets:
            raise RegistryError(
                f"{path}: the data set {dataset.key!r} is already in {read_from[dataset.key]}; "
                "rename one of the two files"
            )
        datasets[dataset.key], read_from[dataset.key] = dataset, path
    for key, dataset in datasets.items():
        target = dataset.stands_in_for
        if target is not None and target not in datasets:
            hint = _nearest(target, list(datasets))
            raise RegistryError(f"{read_from[key]}: stands_in_for: unknown {target!r}; {hint}")
    return Registry(dict(sorted(datasets.items())))


@cache  # once for every time it changed: pages ask for the registry hundreds of times
def _read_entry(path: Path, changed: int, size: int) -> Dataset:
    """Return what a registry file says; its name without ``.yaml`` is the data set's key."""
    try:
        content = read_yaml(path)
    except YamlError as error:
        raise RegistryError(str(error)) from None
    if not isinstance(content, dict):
        raise RegistryError(f"{path}: must be a mapping; start with `name:` and `role:`")
    try:
        folder = str(path.resolve().parent)
        return Dataset.model_validate({"key": path.stem, **content, "folder": folder})
    except ValidationError as error:
        raise RegistryError("\n".join(_explain(path, error))) from None


def _explain(path: Path, error: ValidationError) -> list[str]:
    """Return one line per problem: file, place, what is wrong and how to mend it."""
    lines = []
    for problem in error.errors(include_url=False):
        parts, given = _without_tags(problem["loc"]), problem["input"]
        place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in parts).lstrip(".")
        shown = "" if isinstance(given, dict | list) else f" (given: {given!r})"
        mend = problem["msg"][0].lower() + problem["msg"][1:] + shown
        if problem["type"] == "extra_forbidden":
            mend = f"unknown key; {_nearest(str(parts[-1]), sorted(_field_names()))}"
        elif problem["type"] == "missing":
            mend = "is missing; add it"
        elif problem["type"] == "value_error":
            mend = str(problem["ctx"]["error"])
        lines.append(f"{path}: {place + ': ' if place else ''}{mend}")
    return list(dict.fromkeys(lines))


def _without_tags(loc: tuple[int | str, ...]) -> list[int | str]:
    """Drop what pydantic adds to a place: the kind of a source, the branch of a union."""
    kept: list[int | str] = []
    for i, part in enumerate(loc):
        tag = isinstance(part, str) and i >= 2 and loc[i - 2] == "sources"
        if not tag and part not in ("int", "float", "Blob", "Tree"):
            kept.append("files" if part == "own_files" else part)
    return kept


def _field_names() -> set[str]:
    kinds = (*vars(entry).values(), *vars(origin).values())
    models = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, origin.Part)]
    return {name for model in models for name in model.model_fields}


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    listed = ", ".join(known) or "none"
    return f"did you mean {' or '.join(close)}?" if close else f"known are: {listed}"
