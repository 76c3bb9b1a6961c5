"""Names of data sets for readers: surrogates and stand-ins say so wherever they are named."""

from collections.abc import Iterable

from asprinted.words import STAND_IN, SURROGATE
from reproduction.data.registry import load_registry
from reproduction.verdicts.data_facts import published_name


def data_name(key: str) -> str:
    """Return the name readers know a data set by; what is none keeps its own."""
    registry = load_registry()
    base, _, variant = key.partition(".")
    if base not in registry:
        return key
    return f"{registry[base].name}, {variant.replace('_', ' ')}" if variant else registry[base].name


def marked(name: str, kind: str) -> str:
    """Return a name that says what the data is, such as ``Reuters (600, stand-in)``."""
    if kind not in (SURROGATE, STAND_IN) or kind in name:
        return name
    return f"{name[:-1]}, {kind})" if name.endswith(")") else f"{name} ({kind})"


def published_names(keys: Iterable[str]) -> dict[str, str]:
    """Data set key -> name in print, whatever the data were."""
    registry = load_registry()
    return {key: published_name(registry[key], key) for key in keys}
