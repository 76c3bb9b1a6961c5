"""Claims about simple graph convolution: tests of ours, not counted."""

import pandas as pd

from asprinted.claims import better, select
from asprinted.declared import Params
from asprinted.parts import Part


def beats_words(rows: pd.DataFrame, params: Params) -> Part:
    """The accuracy after two steps along the links is above that after none."""
    two = select(rows, table="2", method="SGC", reading=params["reading"])
    none = select(rows, table="choice:steps", method="SGC", reading=None)
    names = ("two steps", "words alone")
    return better(two, none[none["steps"] == 0], on=("dataset", "run"), names=names)
