"""What the two-view PA page says beyond its tables, from invented rows whose answers are known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from reproduction.pages.wording import signed
from reproduction.papers.twoview_pa import page
from reproduction.papers.twoview_pa import protocol as pa
from reproduction.papers.twoview_pa.front import front

KIND = {"opinion_spam": "stand-in"}
SCALINGS, PASSES, GAMMAS, CS = ("binary", "unit", "idf"), (1, 5), (0.05, 0.5), (0.1, 1.0)


def row(dataset, table, at, method, value, reading="inferred", run=0):
    return {
        "dataset": dataset, "table": table, **at, "method": method, "role": pa.role_of(method),
        "metric": "f1_pct", "reading": reading, "run": run, "value": value,
        "provenance": KIND.get(dataset, "same"),
    }  # fmt: skip


def combined_rows(dataset, lead):
    """Two-view PA is ahead by ``lead(scaling, gamma)`` of Cat, which every choice moves."""
    for scaling, order, passes, C, run in itertools.product(
        SCALINGS, ("shuffled", "given"), PASSES, CS, range(2)
    ):
        at = {"scaling": scaling, "order": order, "passes": float(passes), "C": C}
        cat = 80 + run + passes + C
        yield row(dataset, pa.COMBINED, at, pa.CAT, cat, "combined", run)
        for gamma, empty in itertools.product(GAMMAS, ("zero", "limit")):
            # rows as they come are left out of the shares
            value = cat + lead(scaling, gamma) - 50 * (empty == "limit" or order == "given")
            point = {**at, "gamma": gamma, "empty": empty}
            yield row(dataset, pa.COMBINED, point, pa.TWO_VIEW, value, "combined", run)


def tuned_rows(dataset, lead, rng):
    inner = {"tuned": pa.INNER, "scaling": "unit"}
    places = {1: {"tuned": pa.EVERYTHING}, 2: {**inner, "passes": 5}, 9: {**inner, "passes": 1}}
    for (times, at), run in itertools.product(places.items(), range(10)):
        base = 80 + rng.normal()
        ahead = times * lead + 0.1 * rng.uniform(-1, 1)
        for method, value in ((pa.CAT, base), (pa.TWO_VIEW, base + ahead)):
            yield row(dataset, pa.NESTED, {"folds": 5.0, **at}, method, value, "tuned", run)


@pytest.fixture
def rows(rng):
    records = []
    for dataset, sign in (("ads", -1.0), ("webkb_course", 1.0), ("opinion_spam", 0.5)):
        records += combined_rows(
            dataset, lambda r, g, s=sign: s * (2 if g < 0.5 else 4) + (r == "idf") * 10
        )
        records += tuned_rows(dataset, sign, rng)
        for k, method in enumerate([*pa.PRINTED, pa.SUM]):
            records.append(row(dataset, "2", {"folds": 5.0}, method, 70.0 + k))
    at = {"C": 0.1, "gamma": 0.5, "single": "C/2"}
    for run in range(3):
        records.append(row("ads", "extra:identical views", at, pa.TWO_VIEW, run / 10, "own", run))
    return pd.DataFrame(records)


def test_advantage_is_two_view_minus_cat_at_the_same_c(rows):
    table = page.advantage(rows)
    ads = table[table["dataset"] == "ads"]
    expected = np.where(ads["gamma"] < 0.5, -2.0, -4.0) + (ads["scaling"] == "idf") * 10
    np.testing.assert_allclose(ads["mean"], expected - 50 * (ads["empty"] == "limit"))


def test_the_conclusion_and_the_front_page(rows):
    text = page.conclusion(rows)
    assert "17 % of them on Ads" in text
    assert "50 % of them on WebKB" in text
    assert f"{signed(page.tuned_difference(rows, 'ads')[0], '.1f')} points on Ads" in text
    said = front(rows)
    (exchanged,) = said.findings
    assert (exchanged.said.numbers["cat"], exchanged.said.numbers["cat_print"]) == (72.0, 81.08)
    assert said.today.numbers["ads"] == 74.0
    assert said.today.numbers["webkb_two"] == 73.0


def test_tuned_difference_is_paired_and_two_sided(rows):
    gap, p_value, draws = page.tuned_difference(rows, "ads")
    assert draws == 2
    assert gap == pytest.approx(-1.0, abs=0.2)
    assert p_value < 0.05
    given = page.tuned_difference(rows, "webkb_course", tuned=pa.INNER, scaling="unit", passes=5)
    assert given[0] == pytest.approx(2.0, abs=0.2)
    assert np.isnan(page.tuned_difference(rows, "ads", tuned=pa.INNER, scaling="none", passes=1)[0])
