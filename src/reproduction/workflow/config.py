"""Reading and checking the configuration.

``config/config.yaml`` holds the papers' own settings; other files (``config/quick.yaml``) overlay
it. The schema describes every key; unknown keys are refused with a hint.
"""

import copy
import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from reproduction.files import ROOT

if TYPE_CHECKING:
    import jsonschema

DEFAULT_CONFIG = ROOT / "config" / "config.yaml"
SCHEMA = ROOT / "workflow" / "schemas" / "config.schema.yaml"


class ConfigError(ValueError):
    """The configuration breaks the schema; the text says where and how to mend it."""


def read_yaml(path: str | Path) -> Any:
    """Read a YAML file; syntax errors become :class:`ConfigError` with file and line."""
    try:
        return yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"there is no file {path}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not valid YAML: {error}") from error


def overlay(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with the keys of ``top`` put over it, mappings merged, lists replaced."""
    merged = dict(copy.deepcopy(base))
    for key, value in top.items():
        below = merged.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            merged[key] = overlay(below, value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def load_config(
    path: str | Path = DEFAULT_CONFIG, *, base: Path = DEFAULT_CONFIG
) -> dict[str, Any]:
    """Return a checked configuration: ``path`` over the papers' settings."""
    config = read_yaml(base)
    if Path(path).resolve() != base.resolve():
        config = overlay(config, read_yaml(path) or {})
    check_config(config)
    return config


def check_config(config: Mapping[str, Any], schema: Mapping[str, Any] | None = None) -> None:
    """Raise :class:`ConfigError` with one line per problem if ``config`` breaks the schema."""
    import jsonschema  # slow to import: only those who check should pay

    rules = read_yaml(SCHEMA) if schema is None else schema
    validator = jsonschema.Draft202012Validator(rules)
    problems = sorted(validator.iter_errors(config), key=lambda error: list(error.path))
    if problems:
        lines = [line for problem in problems for line in _explain(problem)]
        raise ConfigError(
            "the configuration has problems:\n  "
            + "\n  ".join(lines)
            + "\nconfig/README.md explains every key."
        )


def _explain(error: "jsonschema.ValidationError") -> list[str]:
    """Return readable lines for one schema error."""
    place = ".".join(str(part) for part in error.path) or "(top level)"
    rule: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = sorted(rule.get("properties", {}))
        unknown = sorted(set(error.instance) - set(known))
        return [f"{place}: {_unknown_key(key, known)}" for key in unknown]
    if error.validator == "required":
        return [f"{place}: {error.message}; add it (see config/config.yaml)"]
    described = rule.get("description", "")
    hint = f" ({described})" if described else ""
    return [f"{place}: {error.message}{hint}"]


def _unknown_key(key: str, known: list[str]) -> str:
    """Return what to say about an unknown key."""
    close = difflib.get_close_matches(key, known, n=1)
    if close:
        return f"unknown key {key!r}; did you mean {close[0]!r}?"
    return f"unknown key {key!r}; remove it or use one of: {', '.join(known)}"
