"""Synthetic data sets told only published statistics, for want of the real ones."""
