"""The command line of the reproduction: ``python -m reproduction --help``."""

import sys

if __name__ == "__main__":
    try:
        from reproduction.workflow.commands import main

        status = main()
    except KeyboardInterrupt:  # also while packages are imported
        print("stopped; give the same command again: what is done is kept", file=sys.stderr)
        status = 130
    sys.exit(status)
