"""Data sets, columns of the paper's tables, names of readings and tables of choices."""

from reproduction.results.tables import number, text

DATASETS = ("ads", "webkb_course", "product_review", "opinion_spam")
FOLDS = number("folds", "{:g}-fold")
C = number("C", "C={:g}")
GAMMA = number("gamma", "gamma={:g}")
PASSES = number("passes", "passes={:g}")
SCALING = text("scaling", "rows={}")
ORDER = text("order", "order={}")
SCORED = text("scored", "scored={}")
EMPTY = text("empty", "empty={}")
#: Choices changed one at a time, in the order pages show them.
ONE_AT_A_TIME = {column.name: column for column in (PASSES, SCALING, ORDER, SCORED, EMPTY)}
COMBINED, NESTED = "choice:combined", "choice:tuned"
#: Readings that are not compared with print.
ONE_OTHER, ALL_TOGETHER, CHOSEN, OWN = "one other choice", "combined", "tuned", "own"
#: What was tuned: C and gamma for given rows and passes, or these too.
INNER, EVERYTHING = "C and gamma", "everything"
