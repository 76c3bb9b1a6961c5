"""The papers' protocols, one package a paper; each yields tidy rows.

The library is imported where it is called: every plan reads these files, few need its estimators
and compiled loops.
"""
