"""Own data from files: the one place of the library that reads any."""
