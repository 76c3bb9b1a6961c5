"""Let the tests here import ``results_tree``, the invented results they share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
