"""Metrics, the ledger of published cells, and the claims with their tests."""
