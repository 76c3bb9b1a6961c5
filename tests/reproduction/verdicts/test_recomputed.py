"""Every word recomputed by plain code that shares nothing with the rule.

Cells follow decision 14, claims decision 21. The plain code judges what a reader downloads
(``reports/tables``), and random figures beside the rule's own code.
"""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from asprinted.agreement import WORDS, Figure, codes, compare, judge
from asprinted.margins import load_margins
from asprinted.parts import DATASET, by_test, every, exact, lines, some, untestable
from asprinted.statistics import Outcome
from reproduction.files import ROOT

TIE = "no practical difference"


def read(name):
    path = ROOT / "reports" / "tables" / f"{name}.csv"
    return pd.read_csv(path, keep_default_na=False, na_values={}, dtype=str)


def number(text):
    return float(text) if text else math.nan


def cell_word(unit, margin, published, ours):
    """Decision 14 in plain steps, one cell."""
    (p, s_p, n_p), (o, s_o, n_o) = published, ours
    if unit == "probability":
        s_p, s_o = (s / (max(m, 1e-4) * math.log(10)) for m, s in ((p, s_p), (o, s_o)))
        p, o = np.log10(max(p, 1e-4)), np.log10(max(o, 1e-4))
    difference = o - p
    first = (s_o if math.isnan(s_p) else s_p) ** 2 / n_p
    second = (s_p if math.isnan(s_o) else s_o) ** 2 / n_o
    se = 0.0 if math.isnan(first) else math.sqrt(first + second)
    if se == 0:
        freedom = 1
    elif math.isnan(s_p):
        freedom = n_o - 1
    elif math.isnan(s_o):
        freedom = n_p - 1
    else:
        freedom = (first + second) ** 2 / (first**2 / (n_p - 1) + second**2 / (n_o - 1))
    half90, half95 = (se * stats.t.ppf(q, freedom) for q in (0.95, 0.975))
    if abs(difference) + half90 <= margin + 1e-9:
        return "equivalent"
    if abs(difference) <= half95:
        return "compatible"
    return "near" if abs(difference) <= 2.5 * margin + 1e-9 else "different"


@pytest.mark.parametrize(
    ("word", "ours"),
    [
        ("agreement", ("ours", "ours_std", "runs")),
        ("text_agreement", ("text_ours", "text_std", "text_runs")),
    ],
)
def test_every_cell(word, ours):
    cells = {cell["cell"]: cell for cell in read("ledger").to_dict("records")}
    wrong = []
    for name, cell in cells.items():
        if cell[word] in ("not comparable", "not run"):
            assert cell[word] == "not run" or cell["data"] in ("stand-in", "surrogate")
            continue
        # a repeated cell has the value and the word of the first place
        source = cells[cell["repeats"] or name]
        sides = ("published", "published_std", "published_runs"), ours
        figures = ([number(source[column]) for column in side] for side in sides)
        if cell_word(source["unit"], number(source["margin"]), *figures) != cell[word]:
            wrong.append(name)
    assert not wrong


@pytest.mark.parametrize("metric", ["accuracy_pct", "map_at_10", "p_value"])
def test_the_rule_gives_the_plain_word(metric, rng):
    """One by one, and as arrays."""
    unit, size = load_margins().unit(metric), 400
    scale = 0.1 if metric == "p_value" else unit.margin
    middle = scale * rng.uniform(0, 20, size)
    published, ours = (
        Figure(
            np.abs(middle + scale * rng.normal(0, 2, size)),
            np.where(rng.random(size) < 0.2, math.nan, scale * rng.uniform(0, 4, size)),
            rng.integers(2, 30, size),
        )
        for _ in range(2)
    )
    pairs = [*zip(zip(*published, strict=True), zip(*ours, strict=True), strict=True)]
    plain = [cell_word(unit.name, unit.margin, *pair) for pair in pairs]
    assert plain == [judge(*(Figure(*side) for side in pair), unit).word for pair in pairs]
    together = codes(compare(published, ours, unit), unit.margin)
    assert plain == [WORDS[code] for code in together]
    assert len(set(plain)) > 2  # the cases reach several words


def part_word(state, p_holds, p_refuted, tie):
    """Decision 21 from the figures of a single part."""
    if state == "untestable":
        return state
    if p_holds <= 0.05:
        return "holds"
    if tie:
        return TIE
    return "refuted" if p_refuted <= 0.05 else "open"


def test_every_part_and_its_interval():
    for part in read("claim_parts").to_dict("records"):
        p_holds, p_refuted, low, high, effect = (
            number(part[name]) for name in ("p_holds", "p_refuted", "low", "high", "effect")
        )
        tie = part["word"] == TIE
        assert part_word(part["state"], p_holds, p_refuted, tie) == part["word"], part["id"]
        # the difference's 95 % interval cannot lie wholly outside what a tie allows
        assert not tie or low <= 2.0
        if part["state"] == "tested" and part["test"] == "t-test for skewed differences":
            assert low <= effect <= high
            # 95 % two-sided above 0 means 2.5 % one-sided
            assert (low > 0) == (p_holds < 0.025)
            assert (high < 0) == (p_refuted < 0.025)


def whole_word(parts):
    """A sentence from words and p-values against its single parts."""
    voting = [(word, p) for word, p in parts if word != "untestable"]
    if len(voting) < 2:
        return voting[0][0] if voting else "untestable"
    words = {word for word, _ in voting}
    if words == {"holds"}:
        return "holds"
    against = sorted(1.0 if word == TIE else p for word, p in voting)
    if len(against) * against[0] <= 0.05:
        return "refuted"  # Holm: one is refuted exactly when the smallest is, times their number
    return TIE if words <= {"holds", TIE} else "open"


def some_word(parts):
    """A sentence of which one part must hold, from words and both p-values of its parts."""
    voting = [part for part in parts if part[0] != "untestable"]
    words = {word for word, _, _ in voting}
    if not voting:
        return "untestable"
    if len(voting) * min(p for _, p, _ in voting) <= 0.05:
        return "holds"
    if TIE in words and words <= {TIE, "refuted"}:
        return TIE
    return "refuted" if max(p for _, _, p in voting) <= 0.05 else "open"


@pytest.mark.parametrize("reading", ["text", "inferred"])
def test_every_sentence(reading):
    claims, parts = read("claims"), read("claim_parts")
    parts = parts[parts["reading"] == reading]
    for claim in claims.to_dict("records"):
        own = parts[parts["id"] == claim["id"]].to_dict("records")
        # sentences whose parts have parts of their own aside
        if claim["scope"] != "existence" and not any(part["group"] for part in own):
            found = whole_word([(part["word"], number(part["p_refuted"])) for part in own])
            assert found == claim[reading], claim["id"]


def test_sentences_of_random_parts(rng):
    seen = Counter()
    for _ in range(1000):
        parts = {}
        for name in range(rng.integers(1, 6)):
            p = rng.choice([0.01, 0.04, 0.05, 0.051, 0.3, 0.949, 0.97, 0.999])
            state = rng.integers(8)
            outcome = Outcome(5, 0.5 - p, -1.0, 1.0, 0.5, p, 1 - p, bool(state > 5), "t-test")
            parts[str(name)] = by_test(outcome, "same", "so")
            if state < 2:
                parts[str(name)] = [untestable("-"), exact(p < 0.5, "-", data="same", n=1)][state]
        for part in parts.values():
            figures = part.state, part.p_holds, part.p_refuted, part.tie
            assert part.word == part_word(*figures)
        whole = every(parts)
        found = whole_word([(part.word, part.p_refuted) for _, _, part in lines(whole)])
        assert whole.word == found, parts
        one = some_word([(part.word, part.p_holds, part.p_refuted) for part in parts.values()])
        assert some(parts).word == one, parts
        seen.update([found, f"some: {one}"])
    assert len(seen) == 10  # the cases reach every word of both


def part(effect, p, data="same", **how):
    outcome = Outcome(10, effect, effect - 1, effect + 1, 0.5, p, 1 - p, False, "t-test")
    return by_test(outcome, data, f"effect {effect:g}", **how)


def test_what_a_whole_tells_of_its_parts():
    good, weak, wrong = part(3.0, 0.01), part(0.3, 0.2), part(-2.0, 0.999)
    whole = every({"a": good, "b": wrong, "c": part(2.0, 0.02, data="subset")})
    assert whole.reason == "1 of 3 parts goes the other way; b: effect -2"
    assert (whole.n, whole.unit, whole.data) == (30, "run", "subset")
    half = every({"a": good, "b": weak})
    assert half.reason == "1 of 2 parts holds; b: effect 0.3"
    assert half.runs_needed == weak.runs_needed
    assert math.isnan(every({"a": good, "b": part(0.0, 0.5)}).runs_needed)
    nested = every({"x": some({"a": good, "b": wrong}), "": good})
    assert [line[:2] for line in lines(nested)] == [("x", "a"), ("x", "b"), ("", "all")]
    assert list(lines(good)) == [("", "", good)]
    with pytest.raises(ValueError, match="data set and run"):  # parts count one thing
        every({"a": good, "b": part(1.0, 0.01, unit=DATASET)})
    assert math.isnan(part(1.0, 0.5, unit=DATASET).runs_needed)
