"""``python -m manyviews.compare``: the same as the command ``manyviews``."""

import sys

from manyviews.compare.command import main

if __name__ == "__main__":  # workers of a process pool import this module too
    sys.exit(main())
