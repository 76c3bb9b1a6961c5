"""Foreign files with a few bytes changed: a value or a refusal by name, never anything else."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from foreign import formats, outcome
from own_files import own_formats


def mutate(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a content with some bytes changed, cut out, doubled or put in."""
    made = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        if not made:
            break
        place, kind = int(rng.integers(len(made))), int(rng.integers(6))
        length = int(rng.integers(1, 9))
        if kind == 0:
            made[place] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            made[place] = int(rng.choice([0, 1, 127, 128, 255]))
        elif kind == 2:
            made[place : place + length] = rng.bytes(length)
        elif kind == 3:
            del made[place : place + length]
        elif kind == 4:
            made[place:place] = made[place : place + length]
        elif rng.random() < 0.2:
            del made[place:]
    return bytes(made)


def run(each: int = 1500, rng: np.random.Generator | None = None) -> dict[str, object]:
    """Try so many mutations of each format; return the figures."""
    rng = rng or np.random.default_rng(0)
    found: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as other:
        folder = Path(name)
        known = {**formats(Path(other)), **own_formats()}
        count = each * len(known)
        for form in known.values():
            assert outcome(form, form.content, folder) == "value", form.file
        for number in range(count):
            title = list(known)[number % len(known)]
            content = mutate(known[title].content, rng)
            answer = outcome(known[title], content, folder)
            found[answer if answer in ("value", "refused") else "wrong"] += 1
            if answer not in ("value", "refused"):
                wrong.append(f"{title}: {answer[:200]}")
    return {
        "mutations": count, "formats": len(known), "refused": found["refused"],
        "read all the same": found["value"], "crashes and bare errors": len(wrong),
        "wrong": sorted(set(wrong))[:20],
    }  # fmt: skip
