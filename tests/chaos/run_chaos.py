"""Everything that may go wrong, tried on purpose: ``make chaos``, or ``make chaos ARGS=kills``.

Each part is a module here whose ``run`` returns figures; they go to ``tests/evidence/``, and the
page on reliability shows them.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from reproduction.pages.evidence import commit, record

PARTS = ("tampering", "hostile", "mutations", "malformed", "disk", "kills")


def main(words: list[str]) -> int:
    unknown = [word for word in words if word not in PARTS]
    if unknown:
        print(f"there is no {unknown[0]!r}; the parts are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    failed = []
    for part in words or PARTS:
        print(f"== {part}", flush=True)
        state = commit()
        figures = importlib.import_module(part).run()
        print(*(f"{name}: {value}" for name, value in figures.items()), sep="\n")
        record(part, f"make chaos ARGS={part}", figures, state)
        failed += [part] if figures["wrong"] else []
    print(f"failed: {', '.join(failed)}" if failed else "all as it should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    sys.exit(main(sys.argv[1:]))
