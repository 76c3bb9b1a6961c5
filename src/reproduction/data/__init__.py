"""Data sets: registry, fetching, surrogates, view construction and the view format."""
