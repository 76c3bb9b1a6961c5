"""Claims as cards."""

import math

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from reproduction.pages.claim_cards import claim_cards, claim_link, interval
from reproduction.verdicts.claim_scores import CLAIM_COLUMNS, PART_COLUMNS


def claim(**changes):
    row = {
        "id": "paper.best", "paper": "paper", "origin": "published", "scope": "universal",
        "about": "these data", "where": "section 4, paragraph 1, sentence 2",
        "statement": "A < B.", "in_print": "no practical difference", "in_print_tested": "open",
        "text": "holds", "inferred": "refuted", "data": "same", "counts": "yes",
        **answer("text", 1.5), **answer("inferred", -1.5), "readings_run": 7, "readings_hold": 3,
        "check": "best",
    }  # fmt: skip
    return {**row, **changes}


def answer(reading, effect):
    found = {
        "reason": f"All parts of {reading} go that way.", "effect": effect, "low": effect - 1,
        "high": effect + 1, "p_holds": 0.01, "p_refuted": 0.99, "n": 5, "unit": "run",
        "runs_needed": math.nan,
    }  # fmt: skip
    return {f"{reading}_{name}": value for name, value in found.items()}


def part_by_test(part, effect, low, high, p_holds, test="t-test", group=""):
    return {
        "id": "paper.best", "reading": "text", "group": group, "part": part, "state": "tested",
        "word": "holds", "effect": effect, "low": low, "high": high, "p_holds": p_holds, "n": 10,
        "test": test, "reason": "a longer sentence",
    }  # fmt: skip


def part_in_words(part, reason):
    return {
        **part_by_test(part, *[math.nan] * 4, ""),
        "state": "untestable",
        "word": "untestable",
        "n": 0,
        "reason": reason,
    }


def soup_of(*claims, parts=()):
    frame = pd.DataFrame(claims, columns=list(CLAIM_COLUMNS))
    made_of = pd.DataFrame(parts, columns=list(PART_COLUMNS))
    return BeautifulSoup(claim_cards(frame, made_of), "html.parser")


def test_a_card_has_three_words_and_the_reasons_of_each_reading():
    card = soup_of(claim()).select_one("li.claim")
    assert card["id"] == "claim-best"
    assert claim_link("paper.best") == "paper.html#claim-best"
    words = [(cell.dt.text, cell.dd.text) for cell in card.select(".three > div")]
    assert words == [
        ("in print", "= no practical differenceby its own deviations: open"),
        ("text", "✓ holds"), ("inferred", "✗ refuted"),
    ]  # fmt: skip
    assert "holds in 3 of 7 readings run" in card.text
    folded = card.select_one("details")
    assert not folded.has_attr("open")
    badges = [badge.text for badge in folded.select(".badge")]
    assert badges == ["✓ holds", "✗ refuted"]
    reasons = [reason.text for reason in folded.select(".reason")]
    assert reasons == [f"All parts of {name} go that way." for name in ("text", "inferred")]
    assert len(folded.select("svg.interval")) == 2
    for part in ("A < B.", "section 4", "these data", "same data"):
        assert part in card.text
    assert "not counted" not in card.text


def test_readings_with_one_answer_tell_it_once():
    same = {key.replace("text", "inferred"): value for key, value in answer("text", 1.5).items()}
    card = soup_of(claim(inferred="holds", **same)).select_one("li.claim")
    assert len(card.select(".three .badge")) == 3
    assert len(card.select("details .reason")) == 1


@pytest.mark.parametrize(("runs", "told"), [(1234.0, "about 1,234 runs"), (math.nan, "cannot")])
def test_an_open_claim_says_what_would_decide_it(runs, told):
    row = claim(text="open", text_runs_needed=runs)
    cells = soup_of(row).select(".three > div")
    assert told in cells[1].text
    assert "runs" not in cells[0].text + cells[2].text


PARTS = [
    part_by_test("nell_mv at train=10%, V1", 5.3912, 3.2799, 7.5051, 0.000132),
    part_by_test("WebKB, V2", -0.1, -0.2, 0.3, 0.5),
    part_by_test("WebKB, V12", 1e-05, 0.0, 2e-05, 1.0),
    part_in_words("WebKB, V3", "no rows on real data; two needed"),
]


def rows_of(soup):
    rows = soup.select(".parts tbody tr")
    return [[cell.text for cell in row.select("td")] for row in rows]


def test_parts_are_a_table_with_all_their_numbers():
    soup = soup_of(claim(), parts=PARTS)
    assert "p (t-test)" in soup.select_one(".parts").decode()
    first, *others = rows_of(soup)
    assert first[0].endswith(" at 10 % labelled, V1")
    assert first[1:] == ["✓ holds", "+5.39", "3.28 to 7.51", "10", "0.00013"]
    assert [row[0] for row in others] == ["WebKB, V2", "WebKB, V12", "WebKB, V3"]
    assert others[1][2:] == ["+0.00001", "0 to 0.00002", "10", "1.0"]
    assert others[2][1:] == ["– untestable", "no rows on real data; two needed"]


def test_the_table_says_what_the_tests_found(rng):
    for _ in range(30):
        parts = []
        for place in range(rng.integers(3, 9)):
            effect, *ends = rng.normal(size=3) * 10.0 ** rng.integers(-2, 3)
            group = f"group {place // 3}"
            parts.append(
                part_by_test(
                    f"part {place}", effect, *sorted(ends), rng.uniform(0.01, 1), group=group
                )
            )
        rows = rows_of(soup_of(claim(), parts=parts))
        for place, (part, row) in enumerate(zip(parts, rows, strict=True)):
            # the name of a group stands at its first part
            group = "" if place % 3 else f"{part['group']}: "
            assert row[0] == group + part["part"]
            shown = [float(number) for number in (row[2], *row[3].split(" to "))]
            assert shown == pytest.approx([part[k] for k in ("effect", "low", "high")], rel=0.006)
            assert float(row[5]) == pytest.approx(part["p_holds"], abs=0.006)


def test_parts_stand_below_their_own_reading():
    elsewhere = [{**part, "reading": "inferred", "part": f"other {part['part']}"} for part in PARTS]
    tables = soup_of(claim(), parts=[*PARTS, *elsewhere]).select(".parts")
    assert len(tables) == 2
    assert "other" not in tables[0].text
    assert tables[1].text.count("other") == len(PARTS)


def test_our_own_tests_stand_apart_and_are_not_counted():
    soup = soup_of(claim(), claim(id="paper.own", origin="ours", counts="no"))
    assert [h.text for h in soup.select("h3")] == [
        "Sentences of the authors", "Our own tests, never counted",
    ]  # fmt: skip
    assert "not counted" in soup.select_one("#claim-own").text


def test_the_interval_is_drawn_in_proportion():
    found = interval(1.0, -1.0, 3.0)
    zero, dot, low, high = 110.0, float(found["effect"]), *map(float, found["ends"])
    assert low < zero < dot < high
    assert dot - zero == pytest.approx(zero - low, abs=0.2)
    assert high - zero == pytest.approx(3 * (dot - zero), abs=0.4)
    assert interval(2.0, math.nan, math.nan)["ends"] == []
    for nothing in (math.nan, 0.0, math.inf):
        assert interval(nothing, math.nan, math.nan) is None
