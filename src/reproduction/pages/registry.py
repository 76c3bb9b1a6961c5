"""The registry as pages ask for it: hundreds of times, so its files are read once."""

from __future__ import annotations

import os
from functools import cache

from reproduction.data import registry
from reproduction.data.registry import REGISTRIES_VARIABLE, Registry


def load_registry() -> Registry:
    """Return the registry of this run."""
    return _read(os.environ.get(REGISTRIES_VARIABLE, ""))


@cache
def _read(further: str) -> Registry:
    """Read the project's files and those that a variable names."""
    return registry.load_registry()
