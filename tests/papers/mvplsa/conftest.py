"""Rows of mvplsa as the stations hand them on, made up by the tests."""

import pandas as pd
import pytest

from reproduction.papers.mvplsa.paper import study
from reproduction.results.published import printed_methods
from reproduction.results.rows import Row, result_frames

TABLES = study.tables


class Book:
    """Collects made-up runs and turns them into the frame that claims and pages are given."""

    def __init__(self, rng):
        self.rng = rng
        self.rows = {}

    def add(self, dataset, table, at, method, mean, *, noise=0.2, runs=8, **more):
        metric = more.pop("metric", "accuracy_pct")
        for run in range(runs):
            value = mean + noise * self.rng.standard_normal()
            row = Row(table, at, method, metric, value, run=run, **more)
            self.rows.setdefault(dataset, []).append(row)

    def frame(self):
        printed = printed_methods("mvplsa")
        parts = [
            result_frames("mvplsa", dataset, rows, TABLES, printed)[0]
            for dataset, rows in self.rows.items()
        ]
        rows = pd.concat(parts, ignore_index=True)
        return rows.assign(setting=TABLES.written(rows), provenance="same")


@pytest.fixture
def new_book(rng):
    return lambda: Book(rng)
