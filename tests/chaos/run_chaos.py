"""Everything that may go wrong, tried on purpose: ``make chaos``, or ``make chaos ARGS=kills``.

Each part is a script of its own here, and writes its figures to ``tests/evidence/``; the page on
reliability shows them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTS = ("tampering", "hostile", "mutations", "malformed", "disk", "kills")


def main(words: list[str]) -> int:
    unknown = [word for word in words if word not in PARTS]
    if unknown:
        print(f"there is no {unknown[0]!r}; the parts are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    failed = []
    for part in words or PARTS:
        print(f"== {part}", flush=True)
        if subprocess.run([sys.executable, str(HERE / f"{part}.py")], check=False).returncode:
            failed.append(part)
    print(f"failed: {', '.join(failed)}" if failed else "all as it should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
