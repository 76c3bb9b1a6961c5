"""Figures of single papers, one module a paper."""
