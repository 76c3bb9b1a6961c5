"""What the leak tests of all papers share: spies on metrics, draws that are replayed.

A leak test runs a protocol twice: on the data, and on the data with the labels poisoned that no
method may see. What the methods answer must not move by a bit.
"""

import numpy as np


class Spy:
    """Stands in for a metric; keeps what it was given, and answers as the metric does."""

    def __init__(self, monkeypatch, module, *names):
        self.calls = []
        for name in names:
            monkeypatch.setattr(module, name, self._around(getattr(module, name)))

    def _around(self, metric):
        def measure(truth, guess, *rest, **options):
            self.calls.append((np.array(truth), np.array(guess)))
            return metric(truth, guess, *rest, **options)

        return measure

    def take(self):
        """Return what was kept so far, and forget it."""
        calls, self.calls = self.calls, []
        return calls


class Draws:
    """Keeps the masks that a protocol draws, then hands out the same ones again."""

    def __init__(self, monkeypatch, module, name="draw_per_class"):
        self.masks, self.replayed = [], None
        draw = getattr(module, name)

        def drawn(*arguments, **options):
            if self.replayed is not None:
                return next(self.replayed).copy()
            self.masks.append(draw(*arguments, **options))
            return self.masks[-1].copy()

        monkeypatch.setattr(module, name, drawn)

    def replay(self):
        self.replayed = iter(self.masks)


def same_answers(clean, poisoned):
    """Assert that two runs gave the same predictions, call by call."""
    assert len(clean) == len(poisoned) > 0
    for (_, before), (_, after) in zip(clean, poisoned, strict=True):
        np.testing.assert_array_equal(before, after)
