"""The shape of the paper's tables."""

from reproduction.results.tables import Table, Tables, number

RATE = number("rate", "r={:g}")
VIEW = number("view", "view={:g}")

TABLES = Tables(
    Table("3", (RATE,)),
    Table("4", (RATE,)),
    Table("5", (RATE, VIEW)),
)
