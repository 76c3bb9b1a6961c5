"""Parts of a claim, how they make a whole, and the verdict on it."""

import math
from itertools import permutations

import pytest

from reproduction.verdicts.parts import (
    PARTITION,
    RUN,
    Part,
    by_test,
    every,
    exact,
    lines,
    shorten,
    some,
    uninformative,
    untestable,
    verdict_of,
)
from reproduction.verdicts.statistics import Outcome


def part(effect, p_value, half=0.5, data="same", unit=RUN):
    outcome = Outcome(10, effect, effect - half, effect + half, p_value, "t-test")
    return by_test(outcome, unit, data, f"effect {effect:g}")


GOOD, WEAK = part(3.0, 0.01), part(0.3, 0.2)
WRONG, DOUBTFUL = part(-2.0, 0.99), part(-0.3, 0.8)
SAME, NONE = uninformative("all 0", data="same", n=5), untestable("no rows")


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (GOOD, "holds"),
        (part(1.0, 0.05), "holds"),
        (part(1.0, 0.051), "undecided"),
        (WEAK, "undecided"),
        (DOUBTFUL, "undecided"),
        (WRONG, "refuted"),
        (part(0.0, 0.001, half=0.0), "undecided"),
        (SAME, "uninformative"),
        (NONE, "untestable"),
        (exact(True, "so", data="same", n=1), "holds"),
        (exact(False, "not so", data="same", n=1), "refuted"),
    ],
)
def test_the_words(found, verdict):
    assert verdict_of(found) == verdict


def test_the_adjusted_p_value_decides():
    assert verdict_of(GOOD, 0.04) == "holds"
    assert verdict_of(GOOD, 0.06) == "undecided"
    assert verdict_of(WRONG, 1.0) == "refuted"


@pytest.mark.parametrize(
    ("parts", "verdict", "p_value"),
    [
        ([GOOD, GOOD], "holds", 0.01),
        ([GOOD, WEAK], "undecided", 0.2),
        ([GOOD, DOUBTFUL], "undecided", 0.8),
        ([GOOD, GOOD, WRONG], "refuted", 0.99),
        ([GOOD, NONE], "holds", 0.01),
        ([GOOD, SAME], "undecided", 0.01),
        ([SAME, SAME], "uninformative", math.nan),
        ([SAME, NONE], "uninformative", math.nan),
        ([NONE, NONE], "untestable", math.nan),
        ([WRONG, SAME], "refuted", 0.99),
        ([exact(True, "so", data="same", n=1), GOOD], "holds", 0.01),
        ([exact(False, "no", data="same", n=1), GOOD], "refuted", 0.01),
    ],
)
def test_a_universal_statement(parts, verdict, p_value):
    """One part the other way refutes; identical methods keep it from holding; no order matters."""
    for order in permutations(parts):
        whole = every({str(i): each for i, each in enumerate(order)})
        assert verdict_of(whole) == verdict
        assert whole.p_value == pytest.approx(p_value, nan_ok=True)


@pytest.mark.parametrize(
    ("parts", "verdict", "p_value"),
    [
        ([GOOD, WRONG], "holds", 0.02),
        ([WEAK, DOUBTFUL], "undecided", 0.4),
        ([WRONG, WRONG], "refuted", 1.0),
        ([WRONG, NONE], "refuted", 0.99),
        ([SAME, GOOD], "holds", 0.01),
        ([part(1.0, 0.03), WRONG], "undecided", 0.06),
        ([NONE], "untestable", math.nan),
        ([SAME], "uninformative", math.nan),
        ([exact(True, "so", data="same", n=1), WRONG], "holds", math.nan),
        ([exact(False, "no", data="same", n=1)] * 2, "refuted", math.nan),
    ],
)
def test_an_existence(parts, verdict, p_value):
    for order in permutations(parts):
        whole = some({str(i): each for i, each in enumerate(order)})
        assert verdict_of(whole) == verdict
        assert whole.p_value == pytest.approx(p_value, nan_ok=True)


def test_the_whole_is_as_good_as_its_worst_data_that_voted():
    stand_in = part(2.0, 0.01, data="stand-in")
    assert every({"a": GOOD, "b": stand_in}).data == "stand-in"
    assert every({"a": GOOD, "b": NONE}).data == "same"
    assert some({"a": GOOD, "b": part(2.0, 0.01, data="subset")}).data == "subset"


def test_the_worst_part_gives_the_reason():
    whole = every({"cora": GOOD, "webkb": WRONG, "leaves": WEAK})
    assert whole.reason == "1 of 3 parts go the other way; webkb: effect -2"
    assert whole.n == 30
    assert every({"cora": GOOD, "leaves": WEAK}).reason == "leaves: effect 0.3"
    assert every({"cora": GOOD, "webkb": SAME}).reason.startswith("no difference at all in 1 of 2")
    assert every({}).reason == "no part of the claim has rows"


def test_a_part_is_checked():
    with pytest.raises(ValueError, match="'yes'"):
        Part("yes", "so")
    with pytest.raises(ValueError, match="reason"):
        Part("untestable", "  ")
    with pytest.raises(ValueError, match="unit 'fold'"):
        part(1.0, 0.1, unit="fold")
    with pytest.raises(ValueError, match="'original'"):
        part(1.0, 0.1, data="original")
    with pytest.raises(ValueError, match="units partition, run"):
        every({"a": GOOD, "b": part(1.0, 0.1, unit=PARTITION)})
    with pytest.raises(ValueError, match="decides nothing"):
        part(math.nan, 0.1)


def test_reasons_are_short():
    text = shorten("word " * 100)
    assert len(text) <= 200
    assert text.endswith("word…")
    assert shorten("two  words") == "two words"


def drawn_part(rng):
    """A single part and the text of it, written without the code under test."""
    number = f"{rng.normal() * 10.0 ** rng.integers(-6, 6):.12g}"
    kind = rng.integers(4)
    if kind == 0:
        effect = float(number)
        low, high = effect - rng.random(), effect + rng.random()
        n, p_value = int(rng.integers(2, 99)), rng.random() ** 9
        name = str(rng.choice(["t-test", "corrected t-test"]))
        found = by_test(Outcome(n, effect, low, high, p_value, name), RUN, "same", "tested")
        interval = f"[{low:.3g}, {high:.3g}]"
        return found, f"{effect:+.3g} {interval}, n {n}, {name} p {p_value:.2g}"
    reason = f"only {number}; found: no more"
    if kind == 1:
        return exact(bool(rng.integers(2)), reason, data="same", n=1), reason
    return (untestable(reason) if kind == 2 else uninformative(reason, data="same")), reason


def drawn_whole(rng, depth=2):
    """Parts made of parts: the whole, its text, and its single parts in order."""
    children, texts, single = {}, [], []
    for place in range(rng.integers(1, 4)):
        key = "" if rng.random() < 0.1 else f"part {place}"
        name = key or "all"
        if depth and rng.random() < 0.4:
            children[key], text, inner = drawn_whole(rng, depth - 1)
            single += [((name, *names), part) for names, part in inner]
        else:
            children[key], text = drawn_part(rng)
            single.append(((name,), children[key]))
        if len(children) <= len(texts):  # two parts without a name: the second replaces the first
            return drawn_whole(rng, depth)
        texts.append(f"{name}: {text}")
    return (every, some)[rng.integers(2)](children), "; ".join(texts), single


def test_the_text_follows_from_the_parts(rng):
    tested = nested = 0
    for _ in range(300):
        whole, text, single = drawn_whole(rng)
        assert whole.detail == text
        found = list(lines(whole))
        assert [line.part for line in found] == [part for _, part in single]
        assert [(line.group, line.name) for line in found] == [
            (": ".join(names[:-1]), names[-1]) for names, _ in single
        ]
        tested += any(part.test for _, part in single)
        nested += any(len(names) > 1 for names, _ in single)
    assert min(tested, nested) > 30


def test_a_single_part_is_its_own_line(rng):
    for _ in range(50):
        found, text = drawn_part(rng)
        assert found.detail == text
        assert list(lines(found)) == [("", "", found)]
