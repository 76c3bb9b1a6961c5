"""From raw data to matrices: text and sparse weights."""
