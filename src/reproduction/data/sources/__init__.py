"""Where files are had, one module per kind of place; all return content that was compared."""
