"""The methods that are compared, as tables: classifiers, clusterers, searchers."""
