"""The command line of the reproduction: ``python -m reproduction --help``."""

import sys

from reproduction.workflow.commands import main

if __name__ == "__main__":
    sys.exit(main())
