"""The shape of the paper's tables."""

from reproduction.results.tables import Table, Tables, number

#: Level of the class tree (the root is 1); flat data sets have none.
LEVEL = number("level", "level={:g}", optional=True, part=True)
#: Labelled share in per cent; ranks over all shares have none.
TRAIN = number("train", "train={:g}%", optional=True)

TABLES = Tables(
    Table("2", (LEVEL, TRAIN)),
    Table("3"),
    Table("4", (TRAIN,)),
)
