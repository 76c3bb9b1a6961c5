"""Tests of this folder share a web server and the toys that it serves."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
