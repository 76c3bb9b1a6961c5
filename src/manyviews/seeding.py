"""Random numbers keyed by names.

A run's seed depends on what the run *is* (paper, data set, method, run number), never on the order
in which jobs happen to be executed, so results do not change with the number of cores.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

#: What comes before all names; set for a while by :func:`reseeded`.
_before: list[str | int] = []


def _word(name: str | int) -> int:
    """Return a 64-bit integer for one name; integers and strings never collide by accident."""
    tagged = f"{type(name).__name__}:{name}".encode()
    return int.from_bytes(hashlib.sha256(tagged).digest()[:8], "little")


def seed_sequence(*names: str | int) -> np.random.SeedSequence:
    """Return the seed sequence of a path of names, e.g. ``("mvplsa", "cornell", "r=0.01", 3)``.

    The same names give the same sequence on every machine; any other names an independent one.
    """
    if not names:
        raise ValueError("seed_sequence needs at least one name, e.g. the paper's key")
    plain = [int(n) if isinstance(n, np.integer) else n for n in (*_before, *names)]
    return np.random.SeedSequence([_word(name) for name in plain])


def generator(*names: str | int) -> np.random.Generator:
    """Return a PCG64 generator for a path of names (see :func:`seed_sequence`)."""
    return np.random.Generator(np.random.PCG64(seed_sequence(*names)))


def integer_seed(*names: str | int) -> int:
    """Return a 31-bit integer for libraries that take an integer ``random_state``."""
    return integer_of(generator(*names))


def integer_of(rng: np.random.Generator) -> int:
    """Return the integer that the names of a generator have, whatever was drawn from it."""
    seeds: Any = rng.bit_generator.seed_seq
    return int(seeds.generate_state(1)[0] >> 1)


@contextmanager
def reseeded(seed: int) -> Iterator[None]:
    """Let all names mean other random numbers for a while; with seed 0 they mean the same."""
    kept = _before[:]
    _before[:] = ["seed", seed] if seed else []
    try:
        yield
    finally:
        _before[:] = kept
