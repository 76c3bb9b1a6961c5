"""Verdicts for people and programs: one page of HTML, one JSON document."""

import html
import json
import math
from typing import Any

import pandas as pd

from asprinted.tables import Verdicts

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}caption{text-align:left;font-weight:600}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ccc;vertical-align:top}
"""

_NOTE = """Equivalent: a test shows that the means differ by less than the margin. Compatible: no
difference is shown, but the runs are too few to tell. Near, different: they differ, by at most or
by more than 2.5 margins. The interval is that of the difference, 95 %. More runs: how many further
runs would decide with 80 % power; 0 where the word is decided, "none" where no number would, empty
where it cannot be known. A wrong ledger exchanges methods, or prints medians, and is counted too."""


def _plain(value: Any) -> Any:
    """A value as JSON has it: nothing for NaN, text for what has no end."""
    if isinstance(value, float):
        return (
            None if math.isnan(value) else "none" if math.isinf(value) else float(f"{value:.12g}")
        )
    return value


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    plain = frame.astype(object).to_dict("records")
    return [{str(key): _plain(value) for key, value in row.items()} for row in plain]


def to_json(verdicts: Verdicts) -> str:
    """Return all cells and sentences, with base rates, as JSON text."""
    rate = verdicts.base_rate
    counts = None if rate is None else {**rate._asdict(), "chance": rate.chance}
    document = {
        "name": verdicts.name,
        "headline": verdicts.headline,
        "base_rate": counts and {key: _plain(value) for key, value in counts.items()},
        "cells": _records(verdicts.cells),
        "claims": _records(verdicts.claims),
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _table(frame: pd.DataFrame, caption: str) -> str:
    def shown(value: Any) -> str:
        plain = _plain(value)
        text = "" if plain is None else f"{plain:.4g}" if isinstance(plain, float) else str(plain)
        return html.escape(text)

    frame = frame[[name for name in frame if not (frame[name].isna() | (frame[name] == "")).all()]]
    head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in frame)
    rows = (
        "<tr>" + "".join(f"<td>{shown(value)}</td>" for value in row) + "</tr>"
        for row in frame.astype(object).to_numpy()
    )
    body = "\n".join(rows)
    return f"<table><caption>{caption}</caption><tr>{head}</tr>\n{body}\n</table>\n"


def to_html(verdicts: Verdicts) -> str:
    """Return one page with all cells and sentences."""
    name = html.escape(verdicts.name)
    tables = _table(verdicts.cells, "Published numbers")
    if len(verdicts.claims):
        tables += _table(verdicts.claims, "Sentences")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{name}</title>'
        f"<style>{_STYLE}</style><h1>{name}</h1>\n<p>{html.escape(verdicts.headline)}</p>\n"
        f"{tables}<p>{_NOTE}</p></html>\n"
    )
