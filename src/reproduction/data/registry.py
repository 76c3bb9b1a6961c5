"""The registry of data sets: ``data/registry.yaml``, validated and typed.

The registry says for each data set what it is, where its files are had (with their sha256), how it
compares with the paper's and what a surrogate of it is told. Everything else in
:mod:`reproduction.data` takes its facts from here.
"""

import difflib
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from reproduction.files import ROOT

if TYPE_CHECKING:
    import jsonschema

DEFAULT_REGISTRY = ROOT / "data" / "registry.yaml"
DEFAULT_SCHEMA = ROOT / "workflow" / "schemas" / "registry.schema.yaml"


class RegistryError(ValueError):
    """The registry is not readable, breaks its schema, or lacks what was asked for."""


@dataclass(frozen=True)
class Dataset:
    """One data set of the registry.

    Attributes
    ----------
    key
        Name used everywhere in the project.
    entry
        The entry as it stands in the file, a plain dictionary.
    """

    key: str
    entry: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.entry[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Return a part of the entry, or ``default``."""
        return self.entry.get(name, default)

    @property
    def sources(self) -> list[dict[str, Any]]:
        """Sources in the order they are tried."""
        return list(self.entry["sources"])

    @property
    def variants(self) -> list[str]:
        """Names of the further view files."""
        return list(self.entry["variants"])

    @property
    def view_keys(self) -> list[str]:
        """Keys of its view files, the base first."""
        return [self.key, *(f"{self.key}.{variant}" for variant in self.variants)]

    @property
    def is_stand_in(self) -> bool:
        """Whether it is real data in place of a paper's data set that is not to be had."""
        return bool(self.entry["role"] == "stand_in")

    def options(
        self, variant: str | None = None, source: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the builder's options: the entry's, then the source's, then the variant's."""
        merged = dict(self.entry["options"])
        merged.update((source or {}).get("options", {}))
        if variant is not None:
            merged.update(self._variant(variant)["options"])
        return merged

    def surrogate(self, variant: str | None = None) -> dict[str, Any]:
        """Return the surrogate's parameters, with the variant's own in place of the entry's."""
        merged = dict(self.entry["surrogate"])
        if variant is not None:
            merged.update(self._variant(variant).get("surrogate", {}))
        return merged

    def _variant(self, variant: str) -> dict[str, Any]:
        if variant not in self.entry["variants"]:
            raise RegistryError(
                f"data set {self.key!r} has no variant {variant!r}; "
                f"it has: {', '.join(self.variants) or 'none'}"
            )
        return dict(self.entry["variants"][variant])


@dataclass(frozen=True)
class Registry:
    """All data sets by key; made by :func:`load_registry`."""

    datasets: Mapping[str, Dataset]
    path: Path
    digest: str

    def __getitem__(self, key: str) -> Dataset:
        if key not in self.datasets:
            raise RegistryError(_unknown("data set", key, list(self.datasets), self.path))
        return self.datasets[key]

    def __contains__(self, key: object) -> bool:
        return key in self.datasets

    def __iter__(self) -> Iterator[str]:
        return iter(self.datasets)

    def __len__(self) -> int:
        return len(self.datasets)

    def view_keys(self) -> list[str]:
        """Return all ``<dataset>`` and ``<dataset>.<variant>``, in the file's order."""
        return [key for dataset in self.datasets.values() for key in dataset.view_keys]

    def entry_hash(self, key: str) -> str:
        """Return a hash of one entry: what is fetched and built depends on nothing else here."""
        text = json.dumps(dict(self[key].entry), sort_keys=True, default=str)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]

    def resolve(self, view_key: str) -> tuple[Dataset, str | None]:
        """Return the data set and the variant (or None) of a key of :meth:`view_keys`."""
        key, _, variant = view_key.partition(".")
        dataset = self[key]
        if variant and variant not in dataset.variants:
            raise RegistryError(_unknown("view file", view_key, self.view_keys(), self.path))
        return dataset, variant or None


def load_registry(
    path: str | Path | None = None, schema: str | Path | None = None, *, check: bool = True
) -> Registry:
    """Read and check the registry.

    Parameters
    ----------
    path
        The registry; default is the project's ``data/registry.yaml``.
    schema
        The JSON schema; default is the project's.
    check
        Whether to check against the schema; a job of the workflow need not do again what the
        workflow has done at its start (the import alone takes seconds).

    Raises
    ------
    RegistryError
        When the file is missing, is not YAML, or breaks the schema or the rules between its
        entries. The text names the place in the file and what is expected there.
    """
    source = Path(path) if path is not None else DEFAULT_REGISTRY
    content, text = _read_yaml(source, "registry")
    if check:
        _check_schema(content, source, Path(schema) if schema is not None else DEFAULT_SCHEMA)
    datasets = {key: Dataset(key, entry) for key, entry in content["datasets"].items()}
    _check_between(datasets, source)
    return Registry(datasets, source, hashlib.sha256(text.encode("utf-8")).hexdigest())


def _check_schema(content: Any, source: Path, schema: Path) -> None:
    """Raise one error that shows the first five places where the registry breaks its schema."""
    import jsonschema

    rules, _ = _read_yaml(schema, "schema")
    validator = jsonschema.Draft202012Validator(rules)
    errors = sorted(validator.iter_errors(content), key=lambda e: [str(p) for p in e.absolute_path])
    if errors:
        shown = "\n".join(f"  - {_explain(error)}" for error in errors[:5])
        more = f"\n  and {len(errors) - 5} more" if len(errors) > 5 else ""
        raise RegistryError(f"{source} breaks the registry's schema:\n{shown}{more}")


def _read_yaml(path: Path, what: str) -> tuple[Any, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or error
        raise RegistryError(f"cannot read the {what} {path}: {reason}") from error
    try:
        return yaml.load(text, Loader=_UniqueKeyLoader), text
    except yaml.YAMLError as error:
        raise RegistryError(f"the {what} {path} is not valid YAML: {error}") from error


class _UniqueKeyLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Refuse repeated keys, which plain YAML loading would silently drop."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is given twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def _explain(error: "jsonschema.ValidationError") -> str:
    """Return one line that names the place and the rule."""
    # An error inside a branch says more than "is not valid under any of the given schemas".
    while error.context:
        error = min(error.context, key=lambda inner: len(inner.absolute_schema_path))
    place = ".".join(str(part) for part in error.absolute_path) or "top level"
    message = error.message if len(error.message) < 300 else error.message[:300] + " ..."
    return f"{place}: {message}"


def _check_between(datasets: Mapping[str, Dataset], path: Path) -> None:
    """Check what a schema cannot say: references between entries and names of views."""
    for key, dataset in datasets.items():
        target = dataset["stands_in_for"]
        if target is not None and target not in datasets:
            raise RegistryError(
                f"{path}: {key}.stands_in_for: " + _unknown("data set", target, list(datasets))
            )
        promised = set(dataset["views"])
        drawn = set(dataset["surrogate"]["views"])
        if "graph" in dataset["surrogate"]:
            drawn |= {"cited", "cites", "links"}
        if promised != drawn:
            raise RegistryError(
                f"{path}: {key}: `views` and the surrogate's views differ "
                f"({', '.join(sorted(promised ^ drawn))}); list the same names in both"
            )
        kinds = [source["kind"] for source in dataset.sources]
        if kinds[-1] != "surrogate" or kinds.count("surrogate") != 1:
            raise RegistryError(f"{path}: {key}.sources: `surrogate` must be listed once, and last")
        if dataset["builder"] is None and kinds != ["surrogate"]:
            raise RegistryError(f"{path}: {key}: real sources need a `builder`")


def _unknown(what: str, name: str, known: list[str], path: Path | None = None) -> str:
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"known are: {', '.join(known)}"
    where = f" in {path}" if path is not None else ""
    return f"unknown {what} {name!r}{where}; {hint}"
