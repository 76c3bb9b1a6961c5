"""Compiled loops on plain arrays: no classes, no I/O, float64, fixed order of sums.

numba compiles a loop when it is first called with arrays of some type and keeps the result on
disk (:mod:`manyviews.kernels.cache`). That takes seconds, so the first compilation of a process
is announced.
"""

import sys
from typing import Any

from numba.core import event

from manyviews.kernels.cache import FOLDER

ANNOUNCEMENT = "manyviews compiles its loops on first use: some seconds, " + (
    "once for this machine"
    if FOLDER
    else "in every process, since no folder for them can be written (set NUMBA_CACHE_DIR to one)"
)


class _Announcer(event.Listener):
    """Say once that loops are compiled; loops that come from the disk are silent."""

    said = False

    def on_start(self, event: Any) -> None:
        # a function that was made from text may belong to no module
        module = getattr(event.data["dispatcher"].py_func, "__module__", None) or ""
        if not self.said and module.startswith("manyviews."):
            self.said = True
            print(ANNOUNCEMENT, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Nothing to say."""


event.register("numba:compile", _Announcer())
