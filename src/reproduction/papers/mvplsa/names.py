"""Names of the paper's data sets for readers."""

from reproduction.pages.data_names import DataNames
from reproduction.rooms import find_paper

NAMES = DataNames("mvplsa", find_paper("mvplsa").datasets)
