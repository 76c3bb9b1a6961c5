"""Every word of the published tables recomputed by plain code that shares nothing with the rule.

It reads what a reader downloads: ``reports/tables``. Cells follow decision 14, claims decision 21.
"""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reproduction.files import ROOT

TABLES = ROOT / "reports" / "tables"


def read(name):
    path = TABLES / f"{name}.csv"
    return pd.read_csv(path, keep_default_na=False, na_values={}, dtype=str)


def number(text):
    return float(text) if text else math.nan


def cell_word(cell, mean, std, runs):
    """Decision 14 in plain steps, one cell."""
    margin = number(cell["margin"])
    p, s_p, n_p = (number(cell[k]) for k in ("published", "published_std", "published_runs"))
    o, s_o, n_o = (number(cell[k]) for k in (mean, std, runs))
    if cell["unit"] == "probability":
        p, s_p, o, s_o = (
            np.log10(max(p, 1e-4)),
            math.nan,
            np.log10(max(o, 1e-4)),
            (s_o / (max(o, 1e-4) * math.log(10))),
        )
    difference = o - p
    if math.isnan(s_p) and math.isnan(s_o):
        half90 = half95 = 0.0
    else:
        first = (s_o if math.isnan(s_p) else s_p) ** 2 / n_p
        second = (s_p if math.isnan(s_o) else s_o) ** 2 / n_o
        se = math.sqrt(first + second)
        if math.isnan(s_p):
            freedom = n_o - 1
        elif math.isnan(s_o):
            freedom = n_p - 1
        elif se == 0:
            freedom = 1
        else:
            freedom = (first + second) ** 2 / (first**2 / (n_p - 1) + second**2 / (n_o - 1))
        half90, half95 = (se * stats.t.ppf(q, freedom) if se else 0.0 for q in (0.95, 0.975))
    if abs(difference) + half90 <= margin + 1e-9:
        return "equivalent"
    if abs(difference) <= half95:
        return "compatible"
    return "near" if abs(difference) <= 2.5 * margin + 1e-9 else "different"


@pytest.mark.parametrize(
    ("word", "figures"),
    [
        ("agreement", ("ours", "ours_std", "runs")),
        ("text_agreement", ("text_ours", "text_std", "text_runs")),
    ],
)
def test_every_cell(word, figures):
    ledger = read("ledger")
    first = {cell["cell"]: cell for cell in ledger.to_dict("records")}
    wrong = []
    for cell in ledger.to_dict("records"):
        if cell[word] in ("not comparable", "not run"):
            assert cell[word] == "not run" or cell["data"] in ("stand-in", "surrogate")
            continue
        # a repeated cell has the value and the word of the first place
        source = first[cell["repeats"]] if cell["repeats"] else cell
        if cell_word(source, *figures) != cell[word]:
            wrong.append(cell["cell"])
    assert not wrong


def part_word(part):
    """Decision 21 from the figures of a single part."""
    if part["state"] == "untestable":
        return "untestable"
    p_holds, p_refuted = number(part["p_holds"]), number(part["p_refuted"])
    if p_holds <= 0.05:
        return "holds"
    if part["word"] == "no practical difference":
        # the difference's 95 % interval cannot lie wholly outside what a tie allows
        assert number(part["low"]) <= 2.0
        return "no practical difference"
    return "refuted" if p_refuted <= 0.05 else "open"


def test_every_part_and_its_interval():
    for part in read("claim_parts").to_dict("records"):
        assert part_word(part) == part["word"], (part["id"], part["part"])
        if part["state"] == "tested" and part["test"] == "t-test for skewed differences":
            low, high = number(part["low"]), number(part["high"])
            assert low <= number(part["effect"]) <= high
            # 95 % two-sided above 0 means 2.5 % one-sided
            assert (low > 0) == (number(part["p_holds"]) < 0.025)
            assert (high < 0) == (number(part["p_refuted"]) < 0.025)


def holm(p_values):
    order = np.argsort(p_values)
    adjusted, largest = np.empty(len(p_values)), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def whole_word(scope, parts):
    """A sentence from its single parts (sentences whose parts have parts of their own aside)."""
    voting = [part for part in parts if part["state"] != "untestable"]
    if not voting:
        return "untestable"
    if len(voting) == 1:
        return voting[0]["word"]
    words = Counter(part["word"] for part in voting)
    if words["holds"] == len(voting):
        return "holds"
    against = holm(
        [
            1.0 if part["word"] == "no practical difference" else number(part["p_refuted"])
            for part in voting
        ]
    )
    if (against <= 0.05).any():
        return "refuted"
    if words["holds"] + words["no practical difference"] == len(voting):
        return "no practical difference"
    return "open"


@pytest.mark.parametrize("reading", ["text", "inferred"])
def test_every_sentence(reading):
    claims, parts = read("claims"), read("claim_parts")
    parts = parts[parts["reading"] == reading]
    for claim in claims.to_dict("records"):
        own = parts[parts["id"] == claim["id"]].to_dict("records")
        if claim["scope"] == "existence" or any(part["group"] for part in own):
            continue
        assert whole_word(claim["scope"], own) == claim[reading], claim["id"]
