"""Vector loops of PLSA's EM step (:mod:`manyviews.kernels.lanes`)."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from manyviews.kernels.lanes import DOUBLE, PARTS, add_up, at, fused, load, pointer, splat, steps


def _mixtures(typingctx: Any, h: Any, b: Any, w: Any, words: Any, n: Any) -> Any:
    """Dot products of ``h[b : b + n]`` with ``w[f : f + n]`` for every start f in ``words``.

    ``h`` and ``w`` are flat arrays, n a multiple of :data:`PARTS`: four partial sums each.
    """
    count = len(words)
    result = types.UniTuple(types.float64, count)
    signature = result(h, types.intp, w, words, types.intp)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        row, column = (pointer(context, builder, sig, args, k) for k in (0, 2))
        starts = [builder.extract_value(args[3], k) for k in range(count)]
        zero = ir.Constant(ir.VectorType(DOUBLE, PARTS), [0.0] * PARTS)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(count)]
        with steps(builder, args[4]) as shift:
            value = load(builder, row, builder.add(args[1], shift))
            for start, place in zip(starts, sums, strict=True):
                other = load(builder, column, builder.add(start, shift))
                builder.store(fused(builder, value, other, builder.load(place)), place)
        totals = [add_up(builder, builder.load(place)) for place in sums]
        return context.make_tuple(builder, result, totals)

    return signature, generate


def _shares(
    typingctx: Any, h: Any, b: Any, w: Any, words: Any, ratios: Any, q: Any, m: Any, n: Any
) -> Any:
    """Add ``ratio * w[f:]`` to ``q[b:]`` and ``ratio * h[b:]`` to ``m[f:]``, all words in one pass.

    n columns, a multiple of :data:`PARTS`. With ``None`` for ``m`` only q is added to.
    """
    count = len(words)
    with_words = not isinstance(m, types.NoneType)
    signature = types.void(h, types.intp, w, words, ratios, q, m, types.intp)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        row, column, total = (pointer(context, builder, sig, args, k) for k in (0, 2, 5))
        starts = [builder.extract_value(args[3], k) for k in range(count)]
        factors = [splat(builder, builder.extract_value(args[4], k)) for k in range(count)]
        with steps(builder, args[7]) as shift:
            mine = builder.add(args[1], shift)
            target = at(builder, total, mine)
            value = builder.load(target, align=8)
            for start, factor in zip(starts, factors, strict=True):
                other = load(builder, column, builder.add(start, shift))
                value = fused(builder, factor, other, value)
            builder.store(value, target, align=8)
            if with_words:
                counts = pointer(context, builder, sig, args, 6)
                share = load(builder, row, mine)
                for start, factor in zip(starts, factors, strict=True):
                    target = at(builder, counts, builder.add(start, shift))
                    old = builder.load(target, align=8)
                    builder.store(fused(builder, factor, share, old), target, align=8)
        return context.get_dummy_value()

    return signature, generate


mixtures: Any = intrinsic(_mixtures)
shares: Any = intrinsic(_shares)
