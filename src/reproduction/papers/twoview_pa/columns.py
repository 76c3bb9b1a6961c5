"""The shape of the paper's tables."""

from reproduction.results.tables import Table, Tables, number

FOLDS = number("folds", "{:g}-fold")
C = number("C", "C={:g}")
GAMMA = number("gamma", "gamma={:g}")

TABLES = Tables(Table("2", (FOLDS, C, GAMMA)))
