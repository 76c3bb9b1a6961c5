"""Vector loop of spherical k-means (:mod:`manyviews.kernels.lanes`)."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from manyviews.kernels.lanes import DOUBLE, PARTS, fused, index, load, pointer, splat, spread


def _weighted_rows(
    typingctx: Any, indices: Any, data: Any, first: Any, last: Any, table: Any, start: Any,
    stride: Any, lanes: Any,
) -> Any:  # fmt: skip
    """Sum of ``data[e]`` times ``table[start + indices[e] * stride :]``, ``first <= e < last``.

    ``table`` is flat; ``len(lanes)`` numbers, a multiple of :data:`PARTS`, are summed side by side
    in registers, in the order of e. Product and sum are rounded once.
    """
    count = len(lanes)
    result = types.UniTuple(types.float64, count)
    signature = result(indices, data, types.intp, types.intp, table, types.intp, types.intp, lanes)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        columns, values, flat = (pointer(context, builder, sig, args, k) for k in (0, 1, 4))
        first, last, start, stride = args[2], args[3], args[5], args[6]
        zero = ir.Constant(ir.VectorType(DOUBLE, PARTS), [0.0] * PARTS)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(count // PARTS)]
        with cgutils.for_range(builder, builder.sub(last, first)) as loop:
            place = builder.add(first, loop.index)
            column = builder.load(builder.gep(columns, [place]))
            column = builder.sext(column, place.type) if column.type.width < 64 else column
            factor = splat(builder, builder.load(builder.gep(values, [place])))
            row = builder.add(start, builder.mul(column, stride))
            for k, total in enumerate(sums):
                part = load(builder, flat, builder.add(row, index(k * PARTS)))
                new = fused(builder, factor, part, builder.load(total))
                builder.store(new, total)
        totals = [value for total in sums for value in spread(builder, builder.load(total))]
        return context.make_tuple(builder, result, totals)

    return signature, generate


weighted_rows: Any = intrinsic(_weighted_rows)
