"""The shape of the paper's tables."""

from reproduction.results.tables import Table, Tables

TABLES = Tables(Table("1"))
