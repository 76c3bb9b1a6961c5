"""Verdicts for people and programs: one page of HTML, one JSON document."""

import html
import json
from typing import Any

import pandas as pd

from asprinted.tables import Verdicts

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left!important;padding:.25rem .6rem;border-bottom:1px solid #ccc}
"""

_NOTE = """Equivalent: a test shows that the means differ by less than the margin. Compatible: no
difference is shown, but the runs are too few to tell. Near, different: they differ, by at most or
by more than 2.5 margins. The interval is that of the difference, 95 %. More runs: how many more
runs would decide with 80 % power; 0 where the word is decided, inf where no number would, empty
where it cannot be known. A wrong ledger exchanges methods, or prints medians; it is counted too."""


def _records(frame: pd.DataFrame) -> Any:
    return json.loads(frame.to_json(orient="records", double_precision=12))


def to_json(verdicts: Verdicts) -> str:
    """Return all cells and sentences, with base rates, as JSON text; NaN and inf are null."""
    rate = verdicts.base_rate
    counts = None if rate is None else pd.DataFrame([{**rate._asdict(), "chance": rate.chance}])
    document = {
        "name": verdicts.name,
        "headline": verdicts.headline,
        "base_rate": None if counts is None else _records(counts)[0],
        "cells": _records(verdicts.cells),
        "claims": _records(verdicts.claims),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _table(frame: pd.DataFrame, heading: str) -> str:
    there = frame.loc[:, frame.notna().any() & (frame != "").any()]
    shown = there.rename(columns=lambda name: name.replace("_", " "))
    drawn = shown.to_html(index=False, border=0, na_rep="", float_format="{:.4g}".format)
    return f"<h2>{heading}</h2>\n{drawn}\n" if len(frame) else ""


def to_html(verdicts: Verdicts) -> str:
    """Return one page with all cells and sentences."""
    name = html.escape(verdicts.name)
    tables = _table(verdicts.cells, "Published numbers") + _table(verdicts.claims, "Sentences")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{name}</title>'
        f"<style>{_STYLE}</style><h1>{name}</h1>\n<p>{html.escape(verdicts.headline)}</p>\n"
        f"{tables}<p>{_NOTE}</p></html>\n"
    )
