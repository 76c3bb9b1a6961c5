"""Claims as cards."""

import math
import re

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from reproduction.pages.claim_cards import claim_cards, claim_link, interval_svg
from reproduction.verdicts.claim_scores import CLAIM_COLUMNS


def claim(**changes):
    row = {
        "id": "paper.best", "paper": "paper", "origin": "published", "scope": "universal",
        "where": "section 4, paragraph 1, sentence 2", "statement": "A < B.", "verdict": "holds",
        "verdict_inferred": "refuted", "data": "same", "protocol": "text", "counts": "yes",
        "reason": "All parts go that way.", "effect": 1.5, "low": 0.5, "high": 2.5,
        "p_value": 0.01, "p_holm": 0.02, "n": 5, "unit": "run", "detail": "much", "check": "best",
    }  # fmt: skip
    return {**row, **changes}


def soup_of(*claims):
    frame = pd.DataFrame(claims, columns=list(CLAIM_COLUMNS))
    return BeautifulSoup(claim_cards(frame), "html.parser")


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
    "nell_mv at train=10%, V1: +5.39 [3.28, 7.51], n 10, corrected t-test p 0.00013",
    "WebKB, V2: -0.1 [-0.2, 0.3], n 10, corrected t-test p 0.5",
    "WebKB, V12: +1e-05 [0, 2e-05], n 10, corrected t-test p 1",
    "WebKB, V3: no rows on real data",
]


def test_many_parts_are_a_table_with_all_their_numbers():
    markup = soup_of(claim(detail="; ".join(PARTS))).select_one(".parts").decode()
    assert "p (corrected t-test)" in markup
    # cells and rows are not closed: what stands between their tags is their text
    rows = [re.split("<td[^>]*>", row)[1:] for row in markup.partition("<tbody>")[2].split("<tr>")]
    first, *others = [[re.sub("<[^>]+>", "", cell) for cell in row] for row in rows if row]
    assert first[0].endswith(" at 10 % labelled, V1")
    assert first[1:] == ["+5.39", "3.28 to 7.51", "10", "0.00013"]
    assert [row[0] for row in others] == ["WebKB, V2", "WebKB, V12", "WebKB, V3"]
    assert others[2][1:] == ["no rows on real data"]


@pytest.mark.parametrize("detail", ["; ".join(PARTS[:2]), "one sentence; and another; and more"])
def test_few_parts_and_sentences_stay_text(detail):
    soup = soup_of(claim(detail=detail))
    assert not soup.select("table")
    assert detail.split("; ")[-1] in soup.select_one("details").text


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
