"""Checks of the papers' claims: one module per paper, shared tests in :mod:`.base`.

Nothing is imported here: ``data/published/claims.yaml`` names the function of every claim.
"""
