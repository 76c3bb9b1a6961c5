"""Where files come from, one module per kind of place; all return content that was compared."""
