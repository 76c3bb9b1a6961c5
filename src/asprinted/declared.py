"""Checks that are declared: which rows, in which cases, which side is above which other.

Parameters of a claim that are named as columns choose its rows (a list means "one of"); ``pairs``,
or ``methods`` and ``others``, say what is compared, ``margin`` by how much.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import pandas as pd

from asprinted.claims import PLACE, better, margin_of, select, trend
from asprinted.parts import Part, every
from asprinted.words import PRINT

Params = Mapping[str, Any]
#: Two sides and by how much the first is ahead.
Pairs = list[tuple[Any, Any, float]]
Check = Callable[[pd.DataFrame, Params], Part]


def chosen(rows: pd.DataFrame, params: Params, **fixed: Any) -> pd.DataFrame:
    """Rows that a claim asks for; print says nothing of choices for which it has no column."""
    asked = {**fixed, **{key: value for key, value in params.items() if key in rows.columns}}
    if params["reading"] == PRINT:
        asked = {key: value for key, value in asked.items() if rows[key].notna().any()}
    return select(rows, **asked)


def cases(
    table: pd.DataFrame, params: Params, each: Sequence[str]
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Values of columns, in the claim's order or sorted, and the rows that have them."""
    listed = [
        params[name] if isinstance(params.get(name), list) else sorted({*table[name].dropna()})
        for name in each
    ]
    for values in product(*listed):
        at = dict(zip(each, values, strict=True))
        yield at, select(table, **{"reading": None, "role": None, **at})


def declared_pairs(params: Params, dataset: Any, there: Collection[Any]) -> Pairs:
    """Pairs as the claim has them, for this data set; without ``others`` all that are there."""
    own: dict[str, Any] = {
        key: given[dataset] if isinstance(given := params.get(key), Mapping) else given
        for key in ("pairs", "methods")
    }
    if own["pairs"]:
        return [(one, two, float(sum(ahead))) for one, two, *ahead in own["pairs"]]
    others = params.get("others") or sorted({*there} - {*own["methods"]})
    margins = others if isinstance(others, Mapping) else dict.fromkeys(others, 0.0)
    both = product(own["methods"], margins)
    return [(one, two, float(margins[two])) for one, two in both if one != two]


def the_only(parts: Mapping[str, Part]) -> Part:
    """Part of a claim that has one."""
    (part,) = parts.values()
    return part


def compared(
    name: Callable[..., str] = "{one}, {two}".format,
    *,
    by: str = "method",
    each: Sequence[str] = (),
    on: Sequence[str] = PLACE,
    margins: int = 0,
    test: Callable[..., Part] = better,
    join: Callable[[Mapping[str, Part]], Part] = every,
    pairs: Callable[[Params, Any, Collection[Any]], Pairs] = declared_pairs,
    shown: Callable[[Any], str] = str,
    called: Mapping[str, str] | None = None,
    choose: Callable[..., pd.DataFrame] = chosen,
    **fixed: Any,
) -> Check:
    """Check "the first of every pair is better than the second", in every case.

    Sides differ in the column ``by`` and are ``shown`` by name; there is a case for every value of
    the columns ``each``, and a part, called ``name``, for every pair in it (data sets by what they
    are ``called``). The first must be ahead by more than the pair's margin, or so many ``margins``:
    the claim's or else the unit's. Sides are compared on the data sets that have both. ``fixed``
    chooses rows, as parameters do.
    """

    def check(rows: pd.DataFrame, params: Params) -> Part:
        parts = {}
        for at, case in cases(choose(rows, params, **fixed), params, each):
            units = [margin_of(str(metric)) for metric in set(case["metric"])]
            dataset: Any = at.get("dataset")
            here = {**at, "dataset": (called or {}).get(dataset, dataset)}
            for one, two, ahead in pairs(params, dataset, set(case[by])):
                left, right = (case[case[by] == side] for side in (one, two))
                both = set(left["dataset"]) & set(right["dataset"])
                left, right = (side[side["dataset"].isin(both)] for side in (left, right))
                names = shown(one), shown(two)
                margin = ahead + margins * float(params.get("margin", max(units, default=0.0)))
                parts[name(one=names[0], two=names[1], **here)] = test(
                    left, right, on=on, margin=margin, names=names
                )
        return join(parts)

    return check


def rising(x: str, **fixed: Any) -> Check:
    """Check "the value rises with ``x``", a part for every method."""

    def check(rows: pd.DataFrame, params: Params) -> Part:
        groups = chosen(rows, params, **fixed).groupby("method", sort=True)
        return every({str(method): trend(part, x) for method, part in groups})

    return check
