"""Claims as cards."""

import math

import pandas as pd
from bs4 import BeautifulSoup

from reproduction.pages.claims import claim_cards, claim_link
from reproduction.verdicts.claim_scores import CLAIM_COLUMNS, PART_COLUMNS


def answer(reading, effect):
    found = {
        "reason": f"All parts of {reading} go that way.", "effect": effect, "low": effect - 1,
        "high": effect + 1, "p_holds": 0.01, "p_refuted": 0.99, "n": 5, "unit": "run",
        "runs_needed": math.nan,
    }  # fmt: skip
    return {f"{reading}_{name}": value for name, value in found.items()}


def claim(**changes):
    return {
        "id": "paper.best", "paper": "paper", "origin": "published", "scope": "universal",
        "about": "these data",
        "where": "section 4, paragraph 1, sentence 2", "statement": "A < B.", "check": "best",
        "in_print": "no practical difference", "in_print_tested": "open", "text": "holds",
        "inferred": "refuted", "data": "same", "counts": "yes", **answer("text", 1.5),
        **answer("inferred", -1.5), "readings_run": 7, "readings_hold": 3, **changes,
    }  # fmt: skip


def part(name, effect, low, high, p_holds, **changes):
    return {
        "id": "paper.best", "reading": "text", "group": "", "part": name, "state": "tested",
        "word": "holds", "effect": effect, "low": low, "high": high, "p_holds": p_holds, "n": 10,
        "test": "t-test", "reason": "a longer sentence", **changes,
    }  # fmt: skip


def soup_of(*claims, parts=()):
    frame = pd.DataFrame(claims, columns=list(CLAIM_COLUMNS))
    made_of = pd.DataFrame(parts, columns=list(PART_COLUMNS))
    return BeautifulSoup(claim_cards(frame, made_of), "html.parser")


def test_a_card_has_three_words_and_the_numbers_of_each_reading():
    own = claim(id="paper.own", origin="ours", counts="no", text="open", text_runs_needed=1234.0)
    soup = soup_of(claim(), own)
    card, other = soup.select("li.claim")
    assert (card["id"], other["id"]) == ("claim-best", "claim-own")
    assert claim_link("paper.best") == "paper.html#claim-best"
    words = [mark.text.split(": ")[1].strip(" .") for mark in card.select("summary .mark")]
    assert words == ["no practical difference", "holds", "refuted"]
    first, second = (numbers.text for numbers in card.select("details dl"))
    assert "1.50" in first
    assert "-2.50 to -0.500" in second
    assert "3 of 7 readings" in card.text
    assert ["not counted" in each.text for each in (card, other)] == [False, True]
    assert "1,234 runs" in other.text


def test_parts_are_a_table_with_all_their_numbers():
    untestable = {"state": "untestable", "word": "untestable", "reason": "no rows; two needed"}
    parts = [
        part("nell_mv at train=10%, V1", 5.3912, 3.2799, 7.5051, 0.000132),
        part("WebKB, V2", -0.1, -0.2, 0.3, 0.5),
        part("WebKB, V3", *[math.nan] * 4, **untestable),
    ]
    other = [{**each, "reading": "inferred", "part": f"other {each['part']}"} for each in parts]
    soup = soup_of(claim(), parts=[*parts, *other])
    assert "p (t-test)" in soup.select_one(".parts").decode()
    rows = [[cell.text for cell in row("td")] for row in soup.select(".parts tbody tr")]
    assert rows[0][0].endswith(" at 10 % labelled, V1")
    assert rows[0][1:] == ["✓ holds", "+5.39", "3.28 to 7.51", "10", "0.00013"]
    assert rows[1] == ["WebKB, V2", "✓ holds", "-0.100", "-0.200 to 0.300", "10", "0.50"]
    assert rows[2] == ["WebKB, V3", "– untestable", "no rows; two needed"]
    assert ["other" in row[0] for row in rows[3:]] == [True] * 3  # below their own reading
