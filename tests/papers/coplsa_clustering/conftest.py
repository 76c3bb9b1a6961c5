"""Rows as a run leaves them: checked at the door, typed, with their text."""

import pandas as pd
import pytest

from reproduction.papers.coplsa_clustering.paper import study
from reproduction.papers.coplsa_clustering.settings import PAPER
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames

TABLES = study.tables


@pytest.fixture(scope="session")
def as_rows():
    """Return a function from rows of each data set to the frame that claims and page see."""

    def make(by_dataset, provenance="subset"):
        frames = []
        for dataset, rows in by_dataset.items():
            frame, _ = result_frames(PAPER, dataset, rows, TABLES, printed_methods(PAPER))
            frames.append(frame.assign(setting=TABLES.written(frame), provenance=provenance))
        rows = pd.concat(frames, ignore_index=True)
        # the rows of a whole paper have every column
        return rows.reindex(columns=[*dict.fromkeys([*rows.columns, *TABLES.columns])])

    return make
