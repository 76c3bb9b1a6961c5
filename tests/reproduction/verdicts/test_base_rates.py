"""What a wrong ledger scores, and the gaps between methods; planted faults must be seen."""

import math

import numpy as np
import pytest
from results_tree import Tree

from asprinted import base_rates
from asprinted.agreement import WORDS, Figure, codes, compare, judge
from asprinted.base_rates import count, counted
from asprinted.margins import load_margins
from asprinted.simulate import ANY, OTHER_METHOD, SAME_CODE, simulate
from reproduction.results.rows import read_table
from reproduction.rooms import find_paper, tables_of
from reproduction.verdicts.ledger import own_gap, same_sign
from reproduction.verdicts.readings import Found

MARGINS = load_margins()
PRINTED = ["published", "published_std", "published_runs"]
OURS = ["ours", "ours_std", "runs"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Print met up to noise: what a good reproduction looks like."""
    tree = Tree(tmp_path_factory.mktemp("good"), papers=("mvplsa",), runs=20, noise=0.2)
    tree.score("mvplsa")
    return tree.results / "mvplsa"


@pytest.fixture(scope="module")
def ledger(folder):
    return read_table(folder / "ledger.csv", tables_of("mvplsa").numbers)


def swapped(ledger, rng):
    """Plant the fault: our values change places within every column, and are judged again."""
    out = ledger.copy()
    for _, cells in out.groupby(["table", "dataset", "setting", "metric"]):
        order = rng.permutation(len(cells))
        while (order == np.arange(len(cells))).any():  # no method stays in its place
            order = rng.permutation(len(cells))
        out.loc[cells.index, OURS] = cells[OURS].to_numpy()[order]
    unit = MARGINS.unit("accuracy_pct")  # the one metric of this paper
    sides = (Figure(*out[names].to_numpy(dtype=float).T) for names in (PRINTED, OURS))
    found = codes(compare(*sides, unit), unit.margin)
    return out.assign(agreement=np.array(WORDS)[found])


def test_swapped_methods_score_at_their_base_rate(ledger, rng):
    good = count(ledger, "mvplsa", "inferred")[0]
    assert good.beyond_chance > 0.3
    found = []
    for _ in range(12):
        bad = count(swapped(ledger, rng), "mvplsa", "inferred")[0]
        assert bad.agree < good.agree
        found.append(bad.beyond_chance)
    assert np.mean(found) <= 0.05  # the strictest base rate may be above that of exchanged methods


def test_the_exchanged_count_is_that_of_plain_exchanges(ledger, rng):
    """A plain loop over exchanged methods has the same mean, up to its own error."""
    totals = base_rates.shuffled_counts(ledger, "inferred", "any name", MARGINS)
    assert (totals.sum(axis=1) == len(counted(ledger))).all()
    plain = [base_rates.word_counts(counted(swapped(ledger, rng)), "inferred") for _ in range(30)]
    for code, word in enumerate(WORDS):
        values = np.array([each[word] for each in plain])
        error = values.std(ddof=1) / math.sqrt(len(values)) + 1e-9
        assert abs(values.mean() - totals[:, code].mean()) < 5 * error + 0.5
    again = base_rates.shuffled_counts(ledger, "inferred", "any name", MARGINS)
    assert (again == totals).all()
    assert (base_rates.shuffled_counts(ledger, "inferred", "another", MARGINS) != totals).any()


def test_the_median_and_another_setting_by_hand(ledger):
    part = ledger[(ledger["table"] == "3") & (ledger["dataset"] == "Cornell")]
    words, shares = dict.fromkeys(WORDS, 0), []
    for _, row in part.iterrows():
        unit, print_ = MARGINS.unit(row["metric"]), Figure(*row[PRINTED])
        column = part[part["setting"] == row["setting"]]
        middle = Figure(column["published"].median(), row["ours_std"], row["runs"])
        words[judge(print_, middle, unit).word] += 1
        others = part[(part["method"] == row["method"]) & (part["setting"] != row["setting"])]
        here = [judge(print_, Figure(*o[OURS]), unit).word for _, o in others.iterrows()]
        shares.append([here.count(word) / len(here) for word in WORDS])
    assert list(base_rates.median_counts(part, "inferred", MARGINS)) == list(words.values())
    # one method alone: print is its own median, and nothing agrees by luck
    alone = part.drop_duplicates(["setting", "metric"])
    assert not base_rates.median_counts(alone, "inferred", MARGINS).any()
    assert base_rates.elsewhere_shares(part, "inferred", MARGINS) == pytest.approx(
        np.mean(shares, axis=0)
    )


def test_counts_are_of_the_papers_own_data_and_of_each_number_once(ledger):
    assert len(counted(ledger)) == len(ledger) - 24
    other = ledger.assign(data="subset")
    assert counted(other).empty
    assert len(base_rates.judged(other)) == len(ledger) - 24
    unrun = ledger.assign(agreement="not run")
    assert base_rates.judged(unrun).empty
    none = count(other, "x", "inferred")[0]
    assert (none.cells, none.agree) == (0, 0)
    assert math.isnan(none.beyond_chance)


def test_gaps_are_paired_by_run():
    def found(values, first=0):
        runs = np.arange(first, first + len(values))
        sources = np.array(["here"] * len(values))
        return Found(("1", "", "inferred"), runs, np.array(values), sources)

    left, right = found([50.0, 60.0, 70.0]), found([49.0, 59.0, 69.0])
    assert own_gap(left, right) == (Figure(1.0, 0.0, 3), True)
    # the runs they share, where the smaller number of runs is all shared
    assert own_gap(left, found([49.0, 58.0]))[0] == Figure(1.5, pytest.approx(0.5**0.5), 2)
    # folds of a repetition are one draw, and one draw tells nothing
    assert own_gap(left, right, folds=3) == (Figure(1.0, 0.0, 3), False)
    apart, clear = own_gap(left, found([49.0, 59.0], first=5))
    assert apart == Figure(6.0, pytest.approx(math.hypot(10.0, math.sqrt(50.0))), 2)
    assert not clear
    assert own_gap(left, None) == (None, None)
    signs = [same_sign(2.0, 1.0), same_sign(2.0, -1.0), same_sign(2.0, 0.0), same_sign(0.0, 1.0)]
    assert signs == ["yes", "no", "no", ""]


def test_the_gaps_of_a_paper(folder, ledger):
    gaps = read_table(folder / "gaps.csv")
    assert set(gaps["method"]) == set(find_paper("mvplsa").proposed)
    table = gaps[(gaps["table"] == "3") & (gaps["dataset"] == "Cornell")]
    assert len(table) == 5 * 6  # MVPLSA against six methods at five rates
    row = table.iloc[0]
    cells = ledger[(ledger["table"] == "3") & (ledger["dataset"] == "Cornell")]
    cells = cells[cells["setting"] == row["setting"]].set_index("method")
    own, other = (cells.loc[name] for name in ("MVPLSA", row["other"]))
    for name in ("published", "ours"):
        assert row[name] == pytest.approx(own[name] - other[name])
    std = math.hypot(own["published_std"], other["published_std"])
    assert row["published_std"] == pytest.approx(std)
    assert (gaps["same_sign"] == "yes").mean() > 0.9


def test_simulated_papers_have_the_error_rates_of_the_tests(ledger):
    found = simulate(ledger, papers=40)
    same = found[(found["truth behind print"] == SAME_CODE) & (found["cells"] > 0)]
    assert list(same["distance of the truths"]) == ["nowhere", ANY]
    # the same code is rejected in 5 % of the cells at most: a test at that level stands before
    assert same.iloc[0][["near", "different"]].sum() < 0.07
    # a sentence that is true, and is refuted; one that is false by far, and holds
    distance = found["distance of the truths"]
    assert (found.loc[distance == "nowhere", "refuted"] < 0.05).all()
    assert (found.loc[distance.str.contains("2.5"), "holds"].dropna() < 0.05).all()
    wrong = found["truth behind print"] == OTHER_METHOD
    far = found[wrong & distance.str.contains("beyond")].iloc[0]
    assert far["equivalent"] < 0.01
    assert far["different"] > 0.8
    assert simulate(ledger.iloc[:0]).empty
