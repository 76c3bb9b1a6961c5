"""Compiled loops on plain arrays: no classes, no I/O, float64, fixed order of sums."""
