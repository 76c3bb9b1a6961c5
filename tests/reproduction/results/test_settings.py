import math

import pytest

from reproduction.results.settings import (
    PerKind,
    Settings,
    SettingsError,
    changed,
    complete,
    defaults,
    section,
    setting,
)


class Grid(Settings):
    sizes: list[int] = setting([1, 2], "Sizes tried.", quick=[1], min_length=1)


class Toy(Settings):
    runs: int = setting(20, "Random draws.", quick=2, ge=1, le=100)
    rate: float = setting(0.1, "Share of labels.", gt=0, lt=1)
    grid: Grid = section(Grid, "What is searched.")


def test_defaults_follow_the_size():
    assert defaults(Toy) == {"runs": 20, "rate": 0.1, "grid": {"sizes": [1, 2]}}
    assert defaults(Toy, "quick") == {"runs": 2, "rate": 0.1, "grid": {"sizes": [1]}}
    defaults(Toy)["grid"]["sizes"].append(3)
    assert defaults(Toy)["grid"]["sizes"] == [1, 2]


class ByKind(PerKind):
    pages: int
    news: int


class Kinds(Settings):
    steps: ByKind = setting({"pages": 1, "news": 2}, "Steps.")
    grid: Grid = section(Grid, "What is searched.")


def test_values_for_another_kind_of_data_are_no_change():
    values = {"steps": {"pages": 9, "news": 2}, "grid": {"sizes": [7]}}
    grid = {"grid.sizes": "[7] in place of [1, 2]"}
    pages = {"steps.pages": "9 in place of 1"}
    assert changed(Kinds, values) == changed(Kinds, values, "pages") == pages | grid
    assert changed(Kinds, values, "news") == grid


def test_what_is_given_lies_over_the_defaults():
    found = complete(Toy, {"grid": {"sizes": [5]}}, size="quick")
    assert found.model_dump() == {"runs": 2, "rate": 0.1, "grid": {"sizes": [5]}}


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ({"runs": 1000}, ["p.runs: 1000", "less than or equal to 100", "Random draws."]),
        ({"runs": "20"}, ["p.runs: '20'", "valid integer"]),
        ({"rate": math.inf}, ["p.rate: inf", "finite number"]),
        ({"run": 3}, ["p.run: unknown key; did you mean 'runs'?"]),
        ({"zzz": 3}, ["p.zzz: unknown key; known: runs, rate, grid"]),
        ({"grid": {"size": [1]}}, ["p.grid.size: unknown key; did you mean 'sizes'?"]),
        ({"runs": -1, "rate": 2.0}, ["p.runs", "p.rate"]),
    ],
)
def test_what_is_wrong_is_named_with_its_range(given, texts):
    with pytest.raises(SettingsError) as caught:
        complete(Toy, given, place="p")
    for text in texts:
        assert text in str(caught.value)
