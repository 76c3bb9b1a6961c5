"""The shape of the paper's tables."""

from reproduction.results.tables import Table, Tables, number, text

CLASSIFIER = text("classifier")
ROUND = number("round", "round {:g}")

TABLES = Tables(
    Table("2", (CLASSIFIER,)),
    Table("fig2", (CLASSIFIER, ROUND), methods=("co-training",)),
    # the same on more draws, recorded along one run
    Table("trajectory", (CLASSIFIER, ROUND)),
    Table("choice:*", (CLASSIFIER,)),
)
