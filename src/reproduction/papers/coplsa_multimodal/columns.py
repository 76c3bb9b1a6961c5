"""The shape of the paper's tables."""

from reproduction.results.tables import Table, Tables, text

SPACE = text("space")
DIRECTION = text("direction")

TABLES = Tables(Table("1", (SPACE, DIRECTION)))
