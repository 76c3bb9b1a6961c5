"""Dot products with a fixed number of partial sums, for compiled loops.

The compiler may not reorder a floating-point sum, so it leaves dot products scalar. Here the order
is chosen by us instead: four lanes, added up in a fixed order at the end. Every processor, whatever
the width of its registers, gets the same bits, in half the time.
"""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

#: Partial sums of a dot product.
PARTS = 4
_DOUBLE = ir.DoubleType()


def _fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    kind = a.type
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind] * 3), f"llvm.fma.v{kind.count}f64"
    )
    return builder.call(function, [a, b, c])


def _at(builder: Any, data: Any, offset: Any, kind: Any) -> Any:
    return builder.bitcast(builder.gep(data, [offset]), kind.as_pointer())


def _dots(typingctx: Any, P: Any, y: Any, M: Any, first: Any, n: Any, classes: Any) -> Any:
    """Dot products of rows ``y`` and ``y + 1`` of P with rows ``first`` ... of M.

    ``len(classes)`` rows of M are used, and of all rows the first ``n`` columns, a multiple of
    four: four partial sums each, added pairwise. Returns row y's products, then row y + 1's.
    """
    n_classes = len(classes)
    result = types.UniTuple(types.float64, 2 * n_classes)
    signature = result(P, types.intp, M, types.intp, types.intp, classes)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        p, y, m, first, n, _ = args
        vector = ir.VectorType(_DOUBLE, PARTS)
        rows = context.make_array(sig.args[0])(context, builder, p)
        counts = context.make_array(sig.args[2])(context, builder, m)
        width = builder.extract_value(rows.shape, 1)
        ours = [builder.mul(y, width)]
        ours.append(builder.add(ours[0], width))
        theirs = [
            builder.mul(builder.add(first, ir.Constant(y.type, z)), width) for z in range(n_classes)
        ]
        zero = ir.Constant(vector, [0.0] * PARTS)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(2 * n_classes)]
        steps = builder.udiv(n, ir.Constant(n.type, PARTS))
        with cgutils.for_range(builder, steps) as loop:
            offset = builder.mul(loop.index, ir.Constant(n.type, PARTS))

            def read(data: Any, start: Any) -> Any:
                place = _at(builder, data, builder.add(start, offset), vector)
                return builder.load(place, align=8)

            values = [read(rows.data, start) for start in ours]
            for z, start in enumerate(theirs):
                other = read(counts.data, start)
                for k, value in enumerate(values):
                    place = sums[k * n_classes + z]
                    builder.store(_fma(builder, value, other, builder.load(place)), place)
        totals = [_add_up(builder, builder.load(place)) for place in sums]
        return context.make_tuple(builder, result, totals)

    return signature, generate


def _add_up(builder: Any, vector: Any) -> Any:
    """Sum of the lanes: neighbours first, then pairs."""
    parts = [
        builder.extract_element(vector, ir.Constant(ir.IntType(32), k))
        for k in range(vector.type.count)
    ]
    while len(parts) > 1:
        parts = [builder.fadd(parts[k], parts[k + 1]) for k in range(0, len(parts), 2)]
    return parts[0]


dots: Any = intrinsic(_dots)
