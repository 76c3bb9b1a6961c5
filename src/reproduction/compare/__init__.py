"""The comparison engine of the library on the data sets of the papers: then and now."""
