"""The report: one HTML file that needs no network, and the same as CSV."""
