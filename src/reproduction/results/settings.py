"""Typed settings: every number a paper's experiments read, with its range and its meaning.

A paper declares ``class PaperSettings(Settings)`` and hands it to its ``Study``. Defaults are the
paper's own; ``setting(..., quick=...)`` gives the value of a run in minutes. Documentation,
schema and checks all come from the declaration.
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import getitem
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

Runs = Annotated[int, Field(ge=1, le=1000)]  #: how often an experiment is repeated


class SettingsError(ValueError):
    """Settings break their declaration; the text has one line per problem."""


class Settings(BaseModel):
    """Base of all settings: frozen, strict, no unknown keys, no NaN or infinity."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, validate_default=True
    )


class PerKind(Settings):
    """A value for each kind of data set; a study hands on the one of the data set's kind.

    A paper names its kinds in a generic subclass: ``pages: T`` and ``news: T``, say. A setting of
    this type has a mapping for its default.
    """


def setting(default: Any, description: str, *, quick: Any = ..., **limits: Any) -> Any:
    """Declare one setting: the paper's own value, and what it is, in a sentence.

    ``quick`` is the value in a run of minutes (default: the same); limits are pydantic's (``ge``).
    """
    extra = {} if quick is ... else {"quick": quick}
    return Field(default=default, description=description, json_schema_extra=extra, **limits)


def section(kind: type[Settings], description: str) -> Any:
    """Declare a group of settings that has a type of its own."""
    return Field(default_factory=kind, description=description)


def _section_of(field: FieldInfo) -> type[Settings] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Settings) else None


def defaults(kind: type[Settings], size: str = "full") -> dict[str, Any]:
    """Return plain default values of a declaration, for a full or a quick run."""
    values: dict[str, Any] = {}
    for name, field in kind.model_fields.items():
        inner = _section_of(field)
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        if inner is not None and not issubclass(inner, PerKind):
            values[name] = defaults(inner, size)
        elif size == "quick" and "quick" in extra:
            values[name] = copy.deepcopy(extra["quick"])
        else:
            values[name] = field.get_default(call_default_factory=True)
    return values


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


def complete(
    kind: type[Settings], given: Mapping[str, Any], *, size: str = "full", place: str = ""
) -> Settings:
    """Return checked settings: what is given, laid over the defaults of a size.

    ``place`` is where the values stand in the configuration, for error texts.
    """
    try:
        return kind.model_validate(overlay(defaults(kind, size), given))
    except ValidationError as error:
        lines = [_line(kind, details, place) for details in error.errors()]
        raise SettingsError("\n".join(lines)) from None


def _line(kind: type[Settings], details: ErrorDetails, place: str) -> str:
    """Return one readable line for one problem: key, what is wrong, meaning and range."""
    names = [str(part) for part in details["loc"]]
    where = ".".join(filter(None, [place, *names]))
    holder: type[Settings] | None = kind
    words = ""
    for name in names:
        if holder is None or name not in holder.model_fields:
            break
        field = holder.model_fields[name]
        words = field.description or words
        holder = _section_of(field)
    if details["type"] == "extra_forbidden":
        known = list(holder.model_fields) if holder is not None else []
        near = difflib.get_close_matches(names[-1], known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        return f"{where}: unknown key; {hint}"
    message = details["msg"][0].lower() + details["msg"][1:]
    described = f" ({words})" if words else ""
    return f"{where}: {details['input']!r}: {message}{described}"


class Documented(NamedTuple):
    """One setting as the documentation shows it."""

    key: str
    description: str
    full: Any
    quick: Any
    limits: str


def documented(kind: type[Settings]) -> Iterator[Documented]:
    """Yield every setting of a declaration, groups opened."""
    return _documented(kind, "", "", defaults(kind), defaults(kind, "quick"))


def changed(kind: type[Settings], values: Mapping[str, Any], of: str = "") -> dict[str, str]:
    """Return what is not the paper's: key -> our value in place of its own.

    Where settings have a value for each kind of data set, that ``of`` one kind counts alone.
    """
    found = {}
    for entry in documented(kind):
        name, *inner = entry.key.split(".")
        ours, holder = reduce(getitem, [name, *inner], values), _section_of(kind.model_fields[name])
        other_kind = holder is not None and issubclass(holder, PerKind) and inner != [of]
        if ours != entry.full and not (of and other_kind):
            found[entry.key] = f"{ours} in place of {entry.full}"
    return found


def _documented(
    kind: type[Settings], prefix: str, said: str, full: Mapping[str, Any], quick: Mapping[str, Any]
) -> Iterator[Documented]:
    for name, field in kind.model_fields.items():
        key, words, inner = f"{prefix}{name}", field.description or said, _section_of(field)
        if inner is None:
            yield Documented(key, words, full[name], quick[name], _limits(field))
        else:
            yield from _documented(inner, f"{key}.", words, full[name], quick[name])


def _limits(field: FieldInfo) -> str:
    words = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    return ", ".join(
        f"{word} {getattr(rule, name):g}"
        for rule in field.metadata
        for name, word in words.items()
        if getattr(rule, name, None) is not None
    )
