"""The shape of the paper's tables: which settings place a value."""

from reproduction.results.tables import Table, Tables, number

TRAIN = number("train", "train={:g}%", shown="{:g} % labelled")

TABLES = Tables(
    Table("1", (TRAIN,)),
    Table("choice:*", (TRAIN,)),
)
