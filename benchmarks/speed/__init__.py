"""The speed board: every kernel beside its peers, measured in turns in one process."""
