"""One number printed twice is one number."""

from itertools import combinations

from reproduction.results.tables import Table, Tables, number
from reproduction.rooms import SecondName
from reproduction.verdicts.repeats import find_repeats

TABLES = Tables(
    Table("1", (number("rate", optional=True),)),
    Table("2", (number("rate", optional=True), number("view", optional=True))),
    Table("3", (number("view", optional=True),)),
)
NAN = float("nan")


def cell(table, mean, *, std=NAN, rate=NAN, view=NAN, method="m", dataset="d"):
    return {"table": table, "mean": mean, "std": std, "rate": rate, "view": view,
            "method": method, "dataset": dataset, "metric": "accuracy_pct"}  # fmt: skip


def test_what_contradicts_is_no_repeat():
    first = cell("1", 50.0, std=2.0, rate=0.1)
    assert find_repeats([first, cell("2", 50.0, std=2.0, rate=0.1)], TABLES) == {1: 0}
    assert find_repeats([first, cell("2", 50.0, rate=0.1, view=1)], TABLES) == {1: 0}
    for other in (
        cell("2", 50.1, std=2.0, rate=0.1),
        cell("2", 50.0, std=2.1, rate=0.1),
        cell("2", 50.0, std=2.0, rate=0.2),
        cell("2", 50.0, std=2.0, rate=0.1, method="n"),
        cell("2", 50.0, std=2.0, rate=0.1, dataset="e"),
        cell("1", 50.0, std=2.0, rate=0.1),  # another cell of the same table
    ):
        assert find_repeats([first, other], TABLES) == {}


def test_a_second_name_is_the_same_method_at_its_settings_alone():
    name = SecondName(table="3", method="short", at={"view": 1}, same_as="long_1")
    cells = [
        cell("1", 50.0, std=2.0, method="long_1"),
        cell("3", 50.0, view=1, method="short"),
        cell("3", 50.0, view=2, method="short"),
    ]
    assert find_repeats(cells, TABLES, [name]) == {1: 0}
    assert find_repeats(cells, TABLES) == {}


def test_it_is_what_comparing_all_pairs_gives(rng):
    """Against every pair of cells, on random tables with many equal numbers."""

    def agree(a, b):
        for key in ("std", "rate", "view"):
            if a[key] == a[key] and b[key] == b[key] and a[key] != b[key]:
                return False
        same = all(a[key] == b[key] for key in ("mean", "method", "dataset", "metric"))
        return same and a["table"] != b["table"]

    seen = 0
    for _ in range(50):
        cells = [
            cell(
                str(rng.integers(1, 4)), float(rng.integers(3)), std=rng.choice([NAN, 1.0, 2.0]),
                rate=rng.choice([NAN, 0.1, 0.2]), method=str(rng.integers(2)),
            )
            for _ in range(8)
        ]  # fmt: skip
        found = find_repeats(cells, TABLES)
        seen += len(found)
        for later, first in found.items():
            assert first < later
            assert first not in found
            assert agree(cells[first], cells[later])
        for first, later in combinations(range(len(cells)), 2):
            if agree(cells[first], cells[later]) and first not in found:
                assert later in found
    assert seen
