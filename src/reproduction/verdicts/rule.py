"""Which rule gave a verdict: a digest of its code and margins, for the ledger."""

from __future__ import annotations

from pathlib import Path

from reproduction.closure import closure_hash, module_path
from reproduction.data.provenance import sha256_of
from reproduction.verdicts.margins import MARGINS

#: Modules that decide the word of a cell.
RULE = tuple(f"reproduction.verdicts.{name}" for name in ("agreement", "readings", "repeats"))


def rule_digest() -> str:
    """Return a short digest of the code of the rule and of its margins."""
    return f"{closure_hash(RULE)}-{sha256_of(MARGINS)[:8]}"


def rule_files() -> list[Path]:
    """Return the files that hold the rule, for the commit that last changed it."""
    found = (module_path(name) for name in RULE)
    return [*(path for path in found if path is not None), MARGINS]
