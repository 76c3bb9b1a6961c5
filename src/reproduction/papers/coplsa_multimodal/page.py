"""Tables and sentences of the cross-modal retrieval page; every number comes from the rows."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from reproduction.pages.data_names import DataNames
from reproduction.pages.tables import method_name
from reproduction.papers.coplsa_multimodal import DATASETS, PAPER
from reproduction.papers.coplsa_multimodal.columns import (
    DIRECTIONS,
    LINK,
    METHODS,
    READINGS,
    RELEASED_TOPICS,
    SCM,
    SKL,
    SPACES,
    TOPIC_MODELS,
    WORDS,
)
from reproduction.papers.coplsa_multimodal.retrieval import KINDS
from reproduction.results.published import load_published
from reproduction.results.summary import mean_and_deviation
from reproduction.verdicts.claims import select

NAMES = DataNames(PAPER, DATASETS)
WIKIPEDIA = "wikipedia_pairs"
PLACES = tuple(product(SPACES, DIRECTIONS))
MAP_DECIMALS = 3
#: How readers are told which precisions are averaged.
PRECISIONS = {
    "full": "full list",
    "11point": "eleven recall points",
    "top10": "among the first ten",
    "first10relevant": "first ten relevant",
}

Published = Mapping[tuple[str, str, str, str], float]


def published_values() -> Published:
    """Published figures by (data set, space, direction, method)."""
    cells = load_published(PAPER)
    keys = cells[["dataset", "space", "direction", "method"]].itertuples(index=False, name=None)
    return dict(zip(keys, cells["mean"], strict=True))


def values(
    rows: pd.DataFrame,
    dataset: str,
    place: tuple[str, str],
    method: str,
    protocol: str = "joint",
    **criteria: Any,
) -> pd.Series:
    """Values of all runs of a method in one space and direction (of Table 1 unless told)."""
    found = select(
        rows,
        dataset=dataset,
        space=place[0],
        direction=place[1],
        method=method,
        reading=READINGS[protocol],
        **{"table": "1", **criteria},
    )
    return found.sort_values("run")["value"]


def precision_values(
    rows: pd.DataFrame,
    dataset: str,
    place: tuple[str, str],
    method: str,
    protocol: str,
    precision: str,
) -> pd.Series:
    """Values of one cell with one definition of average precision."""
    if precision == KINDS[0]:
        return values(rows, dataset, place, method, protocol)
    chosen = {"table": "choice:precision", "precision": precision}
    return values(rows, dataset, place, method, protocol, **chosen)


def named(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows whose methods have the names readers see."""
    shown = [method_name(m, r) for m, r in zip(rows["method"], rows["role"], strict=True)]
    return rows.assign(method=shown)


def mean_of(
    rows: pd.DataFrame,
    dataset: str,
    method: str,
    protocol: str,
    space: str,
    role: str = "published",
) -> float:
    """Mean over directions and runs."""
    both = [values(rows, dataset, (space, d), method, protocol, role=role) for d in DIRECTIONS]
    return float(np.mean(np.concatenate(both)))


def _text(found: pd.Series) -> str:
    return mean_and_deviation(found, MAP_DECIMALS)


def _column(place: tuple[str, str]) -> str:
    return ", ".join(place)


def _with_published(
    record: dict[str, Any], known: Published, dataset: str, place: tuple[str, str]
) -> dict[str, Any]:
    """Add the published figure where the paper has the data set."""
    cell = (dataset, *place, record["method"])
    return {**record, "published": known[cell]} if cell in known else record


def protocols_table(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Every cell of Table 1 under both protocols, beside the published figure."""
    known = published_values()
    records = []
    for method, place in product(METHODS, PLACES):
        record = {"method": method, "space": place[0], "task": place[1]}
        record = _with_published(record, known, dataset, place)
        for protocol in READINGS:
            found = values(rows, dataset, place, method, protocol)
            record[f"{protocol} protocol"] = _text(found)
        records.append(record)
    return pd.DataFrame(records)


def bounds_table(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Controls beside the methods under the honest protocol."""
    honest = READINGS["honest"]
    controls = select(rows, table="1", dataset=dataset, reading=honest, role="control")
    shown = [(method, "published") for method in METHODS]
    shown += [(method, "control") for method in sorted(set(controls["method"]))]
    records = []
    for method, role in shown:
        texts = {
            _column(place): _text(values(rows, dataset, place, method, "honest", role=role))
            for place in PLACES
        }
        records.append({"method": method_name(method, role), **texts})
    return pd.DataFrame(records)


def map_table(rows: pd.DataFrame, dataset: str, protocol: str = "joint") -> pd.DataFrame:
    """Mean of the runs under every definition of average precision."""
    known = published_values()
    records = []
    for method, place in product(METHODS, PLACES):
        record: dict[str, Any] = {"method": method, "column": _column(place)}
        record = _with_published(record, known, dataset, place)
        for precision in KINDS:
            found = precision_values(rows, dataset, place, method, protocol, precision)
            record[PRECISIONS[precision]] = float(found.mean())
        records.append(record)
    return pd.DataFrame(records)


def articles_table(rows: pd.DataFrame) -> pd.DataFrame:
    """MAP with and without the queries whose article has sections in training."""
    parts = []
    for protocol, reading in READINGS.items():
        part = select(rows, table="extra:articles", dataset=WIKIPEDIA, reading=reading, role=None)
        column = part["space"] + ", " + part["direction"]
        parts.append(named(part).assign(protocol=protocol, column=column))
    wide = pd.concat(parts).pivot_table(
        index=["protocol", "method", "column"], columns="article", values="value", sort=False
    )
    wide["difference"] = wide.iloc[:, 0] - wide.iloc[:, 1]
    return wide.reset_index().rename_axis(columns=None)


def text_view_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Words against the released topics as the text view (Wikipedia)."""
    records = []
    for method, place in product(METHODS, PLACES):
        record = {"method": method, "column": _column(place)}
        in_table = RELEASED_TOPICS if method == SCM else WORDS
        for protocol, view in product(READINGS, (WORDS, RELEASED_TOPICS)):
            chosen = {"table": "choice:text_view", "text_view": view, "precision": KINDS[0]}
            criteria = {} if view == in_table else chosen
            found = values(rows, WIKIPEDIA, place, method, protocol, **criteria)
            record[f"{protocol}, {view}"] = _text(found)
        records.append(record)
    return pd.DataFrame(records)


def lambda_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Lambda chosen on training data."""
    part = rows[rows["table"] == "choice:lambda_chosen"]
    wide = part.pivot_table(index="dataset", columns="method", values="value")
    wide.index = wide.index.map(lambda key: NAMES[str(key)])
    return wide.rename_axis(index="data set", columns=None)


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


def convergence_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Sweeps to most of the gain, and Newton steps for a multiplier."""
    part = named(rows[rows["table"] == "extra:convergence"])
    what = [
        "Newton steps" if metric == "newton_steps" else f"sweeps to {100 * share:g} %"
        for metric, share in zip(part["metric"], part["share"], strict=True)
    ]
    wide = part.assign(what=what).pivot_table(
        index="method", columns="what", values="value", sort=False
    )
    return wide.reset_index().rename_axis(columns=None)


def words_table(details: Mapping[str, Any]) -> pd.DataFrame:
    """Leading words of every topic."""
    words = [", ".join(words) for words in details["top_words"]]
    return pd.DataFrame({"topic": range(len(words)), "leading words": words})


def headline(rows: pd.DataFrame) -> str:
    """What a reader should know first."""
    known = published_values()
    joint = mean_of(rows, WIKIPEDIA, SKL, "joint", "semantic")
    honest = mean_of(rows, WIKIPEDIA, SKL, "honest", "semantic")
    theirs = np.mean([known[WIKIPEDIA, "semantic", d, SKL] for d in DIRECTIONS])
    alone = mean_of(rows, WIKIPEDIA, "independent PLSA", "honest", "semantic", "control")
    link = mean_of(rows, WIKIPEDIA, LINK, "honest", "semantic")
    return (
        f"On the {NAMES.mark(WIKIPEDIA, 'Wikipedia pairs')}, in the semantic space, "
        f"the best method of the paper reaches a mean average precision of {theirs:.3f} in print. "
        f"We get {joint:.3f} when the text and the image of a test pair are folded in *together*, "
        f"and {honest:.3f} when each is folded in from its own modality, as the paper's text "
        f"describes and as a user who has only a query would have to. Under that honest protocol "
        f"Link PLSA reaches {link:.3f} and two PLSAs that never saw each other {alone:.3f}; the "
        f"coupling, the paper's subject, is worth {honest - alone:+.3f} there."
    )


def scm_precision(rows: pd.DataFrame) -> str:
    """Which definition of average precision gives SCM its published figures back."""
    known = published_values()
    distance = {}
    for precision in KINDS:
        gaps = [
            precision_values(rows, WIKIPEDIA, place, SCM, "joint", precision).mean()
            - known[WIKIPEDIA, *place, SCM]
            for place in PLACES
        ]
        distance[precision] = float(np.sqrt(np.mean(np.square(gaps))))
    best = min(distance, key=lambda precision: distance[precision])
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
    for protocol, space in product(READINGS, SPACES):
        gaps = [
            values(rows, WIKIPEDIA, (space, direction), method, protocol).mean()
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
