"""Tables and sentences of the cross-modal retrieval page; every number comes from the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from reproduction.pages.data_names import DataNames
from reproduction.pages.said import mean
from reproduction.pages.tables import method_name
from reproduction.papers.coplsa_multimodal.names import (
    DATASETS,
    DIRECTIONS,
    KINDS,
    METHODS,
    PAPER,
    READINGS,
    RELEASED_TOPICS,
    SCM,
    SPACES,
    TOPIC_MODELS,
    WIKIPEDIA,
    WORDS,
)
from reproduction.results.published import load_published
from reproduction.results.summary import mean_and_deviation
from reproduction.verdicts.claims import select

NAMES = DataNames(PAPER, DATASETS)
PLACES = tuple(product(SPACES, DIRECTIONS))
#: How readers are told which precisions are averaged.
PRECISIONS = {
    "full": "full list",
    "11point": "eleven recall points",
    "top10": "among the first ten",
    "first10relevant": "first ten relevant",
}

#: Column of a table -> which rows it has.
Criteria = Mapping[str, Mapping[str, Any]]


def published_values() -> Mapping[tuple[str, str, str, str], float]:
    """Published figures by (data set, space, direction, method)."""
    cells = load_published(PAPER)
    keys = cells[["dataset", "space", "direction", "method"]].itertuples(index=False, name=None)
    return dict(zip(keys, cells["mean"], strict=True))


def values(
    rows: pd.DataFrame, dataset: str, place: tuple[str, str], method: str, **criteria: Any
) -> pd.Series:
    """Values of all runs of a method in one space and direction (of Table 1 unless told)."""
    where = {"table": "1", "space": place[0], "direction": place[1], **criteria}
    return select(rows, dataset=dataset, method=method, **where).sort_values("run")["value"]


def of_precision(kind: str) -> dict[str, str]:
    """Which rows have an average precision."""
    return {} if kind == KINDS[0] else {"table": "choice:precision", "precision": kind}


def named(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows whose methods have the names readers see."""
    shown = [method_name(m, r) for m, r in zip(rows["method"], rows["role"], strict=True)]
    return rows.assign(method=shown)


def mean_of(
    rows: pd.DataFrame, method: str, protocol: str, space: str = "semantic",
    role: str = "published", dataset: str = WIKIPEDIA,
) -> float:  # fmt: skip
    """Mean over directions and runs; NaN where one of them was not run."""
    where = {"reading": READINGS[protocol], "role": role}
    found = [values(rows, dataset, (space, d), method, **where) for d in DIRECTIONS]
    return mean(pd.concat(found) if all(map(len, found)) else found[0][:0])


def cells_table(
    rows: pd.DataFrame, dataset: str, columns: Callable[[str], Criteria]
) -> pd.DataFrame:
    """Every cell of Table 1: published, and mean and deviation of what a method's columns have."""
    known = published_values()
    records = []
    for method, place in product(METHODS, PLACES):
        record: dict[str, Any] = {"method": method, "space": place[0], "task": place[1]}
        if (dataset, *place, method) in known:
            record["published"] = known[dataset, *place, method]
        for title, criteria in columns(method).items():
            found = values(rows, dataset, place, method, **criteria)
            record[title] = mean_and_deviation(found, 3)
        records.append(record)
    return pd.DataFrame(records)


def protocols_table(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Every cell of Table 1 under both protocols."""
    columns = {f"{name} protocol": {"reading": reading} for name, reading in READINGS.items()}
    return cells_table(rows, dataset, lambda method: columns)


def map_table(rows: pd.DataFrame, dataset: str, protocol: str = "joint") -> pd.DataFrame:
    """Every cell under every definition of average precision."""
    reading = {"reading": READINGS[protocol]}
    columns = {PRECISIONS[kind]: {**reading, **of_precision(kind)} for kind in KINDS}
    return cells_table(rows, dataset, lambda method: columns)


def text_view_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Words against the released topics as the text view (Wikipedia)."""

    def columns(method: str) -> Criteria:
        in_table = RELEASED_TOPICS if method == SCM else WORDS
        found: dict[str, dict[str, Any]] = {}
        for (protocol, reading), view in product(READINGS.items(), (WORDS, RELEASED_TOPICS)):
            other = {"table": "choice:text_view", "text_view": view, "precision": KINDS[0]}
            chosen = {} if view == in_table else other
            found[f"{protocol}, {view}"] = {"reading": reading, **chosen}
        return found

    return cells_table(rows, WIKIPEDIA, columns)


def bounds_table(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Controls beside the methods under the honest protocol."""
    honest = {"reading": READINGS["honest"]}
    controls = select(rows, table="1", dataset=dataset, role="control", **honest)["method"]
    shown = [(method, "published") for method in METHODS]
    shown += [(method, "control") for method in sorted(set(controls))]
    records = []
    for method, role in shown:
        found = {p: values(rows, dataset, p, method, role=role, **honest) for p in PLACES}
        texts = {", ".join(place): mean_and_deviation(runs, 3) for place, runs in found.items()}
        records.append({"method": method_name(method, role), **texts})
    return pd.DataFrame(records)


def articles_table(rows: pd.DataFrame) -> pd.DataFrame:
    """MAP with and without the queries whose article has sections in training."""
    part = named(select(rows, table="extra:articles", dataset=WIKIPEDIA, reading=None, role=None))
    protocols = {reading: protocol for protocol, reading in READINGS.items()}
    wide = part.assign(protocol=part["reading"].map(protocols)).pivot_table(
        index=["protocol", "method", "space", "direction"], columns="article", values="value"
    )
    wide["difference"] = wide.iloc[:, 0] - wide.iloc[:, 1]
    return wide.reset_index().rename_axis(columns=None)


def monotone_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Falls of the objective, per update and start."""
    part = named(rows[rows["table"] == "extra:monotone"])
    wide = part.pivot_table(
        index=["start", "method"], columns="metric", values="value", aggfunc="max", sort=False
    )
    wide["runs"] = part.groupby(["start", "method"], sort=False)["run"].nunique()
    names = {
        "falls": "sweeps with a fall (worst run)",
        "largest_fall": "largest fall per pair",
        "method": "update",
    }
    return wide.reset_index().rename(columns=names)


def words_table(details: Mapping[str, Any]) -> pd.DataFrame:
    """Leading words of every topic."""
    words = [", ".join(words) for words in details["top_words"]]
    return pd.DataFrame({"topic": range(len(words)), "leading words": words})


def scm_precision(rows: pd.DataFrame) -> str:
    """Which definition of average precision gives SCM its published figures back."""
    known = published_values()
    distance = {}
    for kind in KINDS:
        gaps = [
            values(rows, WIKIPEDIA, place, SCM, **of_precision(kind)).mean()
            - known[WIKIPEDIA, *place, SCM]
            for place in PLACES
        ]
        distance[kind] = float(np.sqrt(np.mean(np.square(gaps))))
    best = min(distance, key=lambda kind: distance[kind])
    listed = ", ".join(f"{PRECISIONS[name]} {value:.3f}" for name, value in distance.items())
    return (
        f"SCM's row is the one its own authors published, so it tells which average precision was "
        f"meant. Root mean square distance of our SCM to the four published figures: {listed}. "
        f"The nearest is the **{PRECISIONS[best]}**."
    )


def protocol_text(rows: pd.DataFrame, tolerance: float = 0.03) -> str:
    """How many published figures of the topic models each protocol meets, by space."""
    known = published_values()
    pieces = []
    for (protocol, reading), space in product(READINGS.items(), SPACES):
        gaps = [
            values(rows, WIKIPEDIA, (space, direction), method, reading=reading).mean()
            - known[WIKIPEDIA, space, direction, method]
            for method, direction in product(TOPIC_MODELS, DIRECTIONS)
        ]
        met = int((np.abs(gaps) <= tolerance).sum())
        pieces.append(
            f"{protocol} protocol, {space} space: {met} of {len(gaps)} within {tolerance:g}, "
            f"mean difference {np.mean(gaps):+.3f}"
        )
    return "Our means minus the published figures of the four topic models on Wikipedia: " + (
        "; ".join(pieces) + "."
    )
