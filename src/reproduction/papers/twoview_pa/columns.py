"""The shape of the paper's tables, of the choices it leaves open, and of our additions."""

from dataclasses import replace

from reproduction.papers.twoview_pa.methods import ALONE, TWO_VIEW
from reproduction.results.tables import Column, Table, Tables, number, text

FOLDS = number("folds", "{:g}-fold")
C = number("C", "C={:g}")
GAMMA = number("gamma", "gamma={:g}")
PLACE = number("place", "view {:g}", optional=True)
VIEW = text("view", optional=True)
ROUND = number("round", "round={:g}", optional=True)
PASSES = number("passes", "passes={:g}")
SCALING = text("scaling", "rows={}")
ORDER = text("order", "order={}")
SCORED = text("scored", "scored={}")
EMPTY = text("empty", "empty={}")
TUNED = text("tuned", "{} tuned")
#: Aggressiveness of the single-view PA-I that identical views are compared with.
SINGLE = text("single", "PA-I({})")

#: Choices changed one at a time, in the order pages show them.
ONE_AT_A_TIME = {column.name: column for column in (PASSES, SCALING, ORDER, SCORED, EMPTY)}
COMBINED, NESTED = "choice:combined", "choice:tuned"

#: Readings that are not compared with print.
ONE_OTHER, ALL_TOGETHER, CHOSEN = "one other choice", "combined", "tuned"
#: What was tuned: C and gamma for given rows and passes, or these too.
INNER, EVERYTHING = "C and gamma", "everything"


def _if_any(*columns: Column) -> tuple[Column, ...]:
    """Return columns that a row may lack: single-view methods have no gamma, for example."""
    return tuple(replace(column, optional=True) for column in columns)


TABLES = Tables(
    Table("1", (PLACE, VIEW)),
    Table("2", (FOLDS, C, GAMMA)),
    # readings of a declared search that stand for cells of Table 2
    Table("search:2", (FOLDS, C, GAMMA)),
    *(Table(f"fig{n}", (SCALING, ROUND), methods=(TWO_VIEW, ALONE)) for n in (1, 2, 3)),
    *(Table(f"choice:{name}", (FOLDS, C, GAMMA, column)) for name, column in ONE_AT_A_TIME.items()),
    Table("choice:gamma", (FOLDS, C, GAMMA)),
    Table(COMBINED, (SCALING, ORDER, PASSES, C, *_if_any(GAMMA, EMPTY))),
    Table(NESTED, (FOLDS, TUNED, *_if_any(SCALING, PASSES))),
    Table("extra:identical views", (C, GAMMA, SINGLE)),
    Table("extra:more views", (C, GAMMA)),
    Table("extra:more classes", (C, GAMMA)),
)
