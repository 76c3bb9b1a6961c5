"""Fused multiply-add for compiled loops.

Without ``fastmath`` the compiler may not merge ``a * b + c``. Asking for the merged operation by
name is exact in the IEEE sense (one rounding), gives the same bits on every processor that has it,
and halves the arithmetic of the dense loops.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic


def _fma(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """Return ``a * b + c`` with one rounding (use inside compiled functions only)."""
    signature = types.float64(types.float64, types.float64, types.float64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fma(*args)

    return signature, generate


fma: Any = intrinsic(_fma)
