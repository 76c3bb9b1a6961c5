"""Synthetic data sets told only published statistics, where the real ones are lacking."""
