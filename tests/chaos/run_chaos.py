"""Everything that may go wrong, tried on purpose: ``make chaos``, or ``make chaos ARGS=kills``.

The figures of each part go to ``tests/evidence/``, and the page on reliability shows them.
"""

import sys

from cluster import slurm
from files import mutations
from kills import kills
from tampering import tampering

from reproduction.pages.evidence import commit, record

PARTS = {part.__name__: part for part in (tampering, mutations, kills, slurm)}


def main() -> int:
    words, failed = sys.argv[1:] or [part for part in PARTS if part != "slurm"], []
    if not set(words) <= set(PARTS):
        sys.exit(f"the parts are: {', '.join(PARTS)}")
    for part in words:
        print(f"== {part}", flush=True)
        state = commit()
        figures = PARTS[part]()
        print(*(f"{name}: {value}" for name, value in figures.items()), sep="\n")
        command = "make slurm" if part == "slurm" else f"make chaos ARGS={part}"
        record(part, command, figures, state)
        failed += [part] if figures["wrong"] else []
    print(f"failed: {', '.join(failed)}" if failed else "all as it should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
