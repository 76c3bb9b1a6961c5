"""Claims as cards."""

import math
import re

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from reproduction.pages.claim_cards import claim_cards, claim_link, interval_svg
from reproduction.pages.wording import in_words
from reproduction.verdicts.claim_scores import CLAIM_COLUMNS, PART_COLUMNS
from reproduction.verdicts.statistics import Outcome


def claim(**changes):
    row = {
        "id": "paper.best", "paper": "paper", "origin": "published", "scope": "universal",
        "where": "section 4, paragraph 1, sentence 2", "statement": "A < B.", "verdict": "holds",
        "verdict_inferred": "refuted", "data": "same", "protocol": "text", "counts": "yes",
        "reason": "All parts go that way.", "effect": 1.5, "low": 0.5, "high": 2.5,
        "p_value": 0.01, "p_holm": 0.02, "n": 5, "unit": "run", "detail": "much", "check": "best",
    }  # fmt: skip
    return {**row, **changes}


def part_by_test(part, effect, low, high, p_value, test="corrected t-test", group=""):
    return {
        "id": "paper.best", "group": group, "part": part, "state": "tested", "effect": effect,
        "low": low, "high": high, "p_value": p_value, "n": 10, "test": test,
        "reason": "a longer sentence",
    }  # fmt: skip


def part_in_words(part, reason):
    return {
        **part_by_test(part, *[math.nan] * 4, ""),
        "state": "untestable",
        "n": 0,
        "reason": reason,
    }


def soup_of(*claims, parts=()):
    frame = pd.DataFrame(claims, columns=list(CLAIM_COLUMNS))
    made_of = pd.DataFrame(parts, columns=list(PART_COLUMNS))
    return BeautifulSoup(claim_cards(frame, made_of), "html.parser")


def test_a_card_says_all_a_reader_asks():
    card = soup_of(claim()).select_one("li.claim")
    assert card["id"] == "claim-best"
    assert claim_link("paper.best") == "paper.html#claim-best"
    words = [badge.text for badge in card.select(".badge")]
    assert words == ["✓ holds", "✗ refuted"]
    text = card.text
    for part in ("A < B.", "section 4", "All parts go that way.", "same · text"):
        assert part in text
    assert "not counted" not in text
    folded = card.select_one("details")
    assert "much" in folded.text
    assert not folded.has_attr("open")


PARTS = [
    part_by_test("nell_mv at train=10%, V1", 5.3912, 3.2799, 7.5051, 0.000132),
    part_by_test("WebKB, V2", -0.1, -0.2, 0.3, 0.5),
    part_by_test("WebKB, V12", 1e-05, 0.0, 2e-05, 1.0),
    part_in_words("WebKB, V3", "no rows on real data; two needed"),
]


def rows_of(soup):
    """Rows of the table of parts; cells and rows are not closed: between their tags is text."""
    body = soup.select_one(".parts").decode().partition("<tbody>")[2]
    rows = [re.split("<td[^>]*>", row)[1:] for row in body.split("<tr>")]
    return [[re.sub("<[^>]+>", "", cell) for cell in row] for row in rows if row]


def test_many_parts_are_a_table_with_all_their_numbers():
    soup = soup_of(claim(), parts=PARTS)
    assert "p (corrected t-test)" in soup.select_one(".parts").decode()
    first, *others = rows_of(soup)
    assert first[0].endswith(" at 10 % labelled, V1")
    assert first[1:] == ["+5.39", "3.28 to 7.51", "10", "0.00013"]
    assert [row[0] for row in others] == ["WebKB, V2", "WebKB, V12", "WebKB, V3"]
    assert others[1][1:] == ["+0.00001", "0 to 0.00002", "10", "1.0"]
    assert others[2][1:] == ["no rows on real data; two needed"]


def test_the_table_says_what_the_tests_found(rng):
    for _ in range(30):
        parts = []
        for place in range(rng.integers(3, 9)):
            effect, *ends = rng.normal(size=3) * 10.0 ** rng.integers(-2, 3)
            test = str(rng.choice(["t-test", "Welch's test"]))
            group = f"group {place // 3}"
            parts.append(
                part_by_test(
                    f"part {place}", effect, *sorted(ends), rng.uniform(0.01, 1), test, group
                )
            )
        rows = rows_of(soup_of(claim(), parts=parts))
        for place, (part, row) in enumerate(zip(parts, rows, strict=True)):
            # the name of a group stands at its first part
            group = "" if place % 3 else f"{part['group']}: "
            assert row[0] == group + part["part"]
            effect, low, high, _ = Outcome(
                10, *(part[key] for key in ("effect", "low", "high", "p_value")), part["test"]
            ).texts()
            assert row[1:4] == [in_words(effect), in_words(f"{low} to {high}"), "10"]
            shared = len({each["test"] for each in parts}) == 1
            assert row[4].startswith(part["test"]) != shared
            chance = float(row[4].removeprefix(part["test"]))
            assert chance == pytest.approx(part["p_value"], abs=0.006)


def test_parts_of_other_claims_stay_away():
    parts = [{**part, "id": "paper.other"} for part in PARTS]
    assert not soup_of(claim(), parts=parts).select("table")


@pytest.mark.parametrize(
    "parts",
    [
        PARTS[:2],
        PARTS[2:],
        [*PARTS[:3], *[part_in_words(f"V{n}", "no rows") for n in range(4)]],
        [],
    ],
)
def test_few_parts_and_sentences_stay_text(parts):
    soup = soup_of(claim(detail="one sentence; and another"), parts=parts)
    assert not soup.select("table")
    assert "one sentence; and another" in soup.select_one("details").text


@pytest.mark.parametrize(
    ("n", "unit", "told"), [(20.0, "partition", "20 (partition)"), (3, "none", "3")]
)
def test_units_are_whole_and_named(n, unit, told):
    terms = {
        d.dt.text: d.dd.text for d in soup_of(claim(n=n, unit=unit)).select("details dl > div")
    }
    assert terms["units"] == told


def test_our_own_tests_stand_apart_and_are_not_counted():
    soup = soup_of(claim(), claim(id="paper.own", origin="ours", counts="no"))
    assert [h.text for h in soup.select("h3")] == [
        "Sentences of the authors", "Our own tests, never counted",
    ]  # fmt: skip
    assert "not counted" in soup.select_one("#claim-own").text


def test_the_same_verdict_is_said_once():
    assert len(soup_of(claim(verdict_inferred="holds")).select(".badge")) == 1


def places(svg):
    dot = float(re.search(r'cx="([\d.]+)"', svg).group(1))
    line = [float(x) for x in re.search(r'whisker" d="M([\d.]+),12H([\d.]+)"', svg).groups()]
    return dot, line


def test_the_interval_is_drawn_in_proportion():
    dot, (low, high) = places(interval_svg(1.0, -1.0, 3.0))
    zero = 110.0
    assert low < zero < dot < high
    assert dot - zero == pytest.approx(zero - low, abs=0.2)
    assert high - zero == pytest.approx(3 * (dot - zero), abs=0.4)


@pytest.mark.parametrize("effect", [math.nan, 0.0, math.inf])
def test_without_an_effect_there_is_no_picture(effect):
    assert interval_svg(effect, math.nan, math.nan) == ""


def test_an_exact_effect_has_no_line():
    assert "whisker" not in interval_svg(2.0, math.nan, math.nan)
