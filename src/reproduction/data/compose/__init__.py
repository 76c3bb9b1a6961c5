"""Files made of other files: the steps from what repositories hold to what builders read.

Every function takes the content of its inputs by name and returns the content of its outputs; the
registry pins both, so a step that goes wrong anywhere is noticed.
"""
