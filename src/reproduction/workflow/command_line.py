"""Mend what Snakemake's command line does to targets and to settings."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml

_CONFIG_FILE_FLAGS = ("--configfile", "--configfiles")


def refuse_swallowed_targets(arguments: Sequence[str]) -> None:
    """End with one line if a target was taken for a configuration file.

    ``--configfile FILE TARGET`` reads both as files. Snakemake would end in a traceback, before it
    reads a Snakefile; a profile is read earlier, so ``profiles/default`` calls this.
    """
    for start, flag in enumerate(arguments):
        if flag not in _CONFIG_FILE_FLAGS:
            continue
        words = list(takewhile(lambda word: not word.startswith("-"), arguments[start + 1 :]))
        files = list(takewhile(_is_config_file, words))
        targets = words[len(files) :]
        if files and targets:
            raise SystemExit(
                f"{flag} takes every word up to the next flag for a configuration file, "
                f"{targets[0]!r} too; put -- between them: "
                f"{flag} {' '.join(files)} -- {' '.join(targets)}"
            )


def _is_config_file(word: str) -> bool:
    return Path(word).suffix in (".yaml", ".yml", ".json")


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
