"""Give values of Snakemake's command line the types that a file gives them."""

from collections.abc import Mapping
from typing import Any

import yaml


def with_types(config: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration in which values of the command line have their types.

    Snakemake reads ``--config data='{network: false}'`` as the text ``"false"``; a file's ``false``
    is a truth value.

    Parameters
    ----------
    config
        The whole configuration.
    given
        The part of it that comes from the command line.
    """
    mended = dict(config)
    for key, value in given.items():
        below = config.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            mended[key] = with_types(below, value)
        elif below == value:
            mended[key] = _typed(value)
    return mended


def _typed(value: Any) -> Any:
    """Read texts as YAML would, inside lists and mappings too."""
    if isinstance(value, Mapping):
        return {key: _typed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_typed(inner) for inner in value]
    if not isinstance(value, str):
        return value
    try:
        read = yaml.safe_load(value)
    except yaml.YAMLError:
        return value
    return read if isinstance(read, bool | int | float) or value in ("null", "~") else value
