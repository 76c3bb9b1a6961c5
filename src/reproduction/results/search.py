"""Names under which the rows of a declared search lie.

A search tries readings for cells that nothing explains. Its rows stand for cells of a printed
table, so they have that table's columns, in a table of their own: no verdict and no ledger reads
them.
"""

_BETWEEN = ": "


def search_table(printed: str) -> str:
    """Return the table that holds the rows of a search for cells of a printed table."""
    return f"search:{printed}"


def search_reading(search: str, reading: str) -> str:
    """Return the reading that rows of a search carry: its name and the reading's."""
    return f"{search}{_BETWEEN}{reading}"


def split_reading(text: str) -> tuple[str, str]:
    """Return the search and the reading that a row carries."""
    search, _, reading = text.partition(_BETWEEN)
    return search, reading
