"""Every printed value against a second transcription, made by someone else from the papers."""

from collections import defaultdict
from pathlib import Path

import pandas as pd
import pytest

from reproduction.data.registry import load_registry
from reproduction.results.published import load_published
from reproduction.rooms import tables_of
from reproduction.verdicts.data_facts import published_name

SECOND = pd.read_csv(Path(__file__).parents[2] / "fixtures" / "printed.csv", dtype={"table": str})


def ours(paper):
    frame, registry = load_published(paper), load_registry()
    names = {
        key: published_name(registry[key], key) if key in registry else key
        for key in set(frame["dataset"])
    }
    return frame.assign(
        dataset=frame["dataset"].map(names), setting=tables_of(paper).written(frame)
    )


@pytest.mark.parametrize("paper", sorted(set(SECOND["paper"])))
def test_both_transcriptions_print_the_same(paper):
    """By setting where both name one (``r=0.01``); else the values of a method, whatever order."""
    first, second = ours(paper), SECOND[SECOND["paper"] == paper]
    found = []
    for frame in (first, second):
        values = defaultdict(list)
        for cell in frame.fillna({"setting": ""}).itertuples():
            dataset, _, level = cell.dataset.partition(" level=")
            setting = cell.setting if "=" in cell.setting else ""
            setting = f"level={level};{setting}" if level else setting
            place = (cell.table, dataset, setting, cell.method, cell.metric)
            values[place].append((cell.mean, -1.0 if pd.isna(cell.std) else cell.std))
        found.append({place: sorted(pairs) for place, pairs in values.items()})
    assert found[0] == found[1]
