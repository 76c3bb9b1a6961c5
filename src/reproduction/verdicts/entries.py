"""Lists in a paper's YAML files: claims, open choices, hypotheses, each with an id of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from reproduction.files import read_yaml

Entry = TypeVar("Entry")


def load_entries(
    source: Path, what: str, error: type[ValueError], make: Callable[[dict[str, Any]], Entry]
) -> list[Entry]:
    """Read a list and make each entry; an ``error`` names file, entry and field."""
    content = read_yaml(source)
    if not isinstance(content, list):
        raise error(f"{source}: holds no list of {what}s; begin each with a dash")
    made: dict[str, Entry] = {}
    for entry in content:
        if not isinstance(entry, dict) or "id" not in entry:
            raise error(f"{source}: {entry!r} is no {what}; give it an id")
        name = str(entry["id"])
        if name in made:
            raise error(f"{source}: {what} {name} is there twice; ids must be unique")
        try:
            made[name] = make(entry)
        except ValidationError as wrong:
            first = wrong.errors()[0]
            place = "".join(f" {part}:" for part in [".".join(map(str, first["loc"]))] if part)
            text = first["msg"].removeprefix("Value error, ")
            raise error(f"{source}: {what} {name}:{place} {text}") from None
    return list(made.values())
