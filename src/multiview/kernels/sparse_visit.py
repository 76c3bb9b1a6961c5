"""The E-step of MVPLSA over one sparse row, in short vectors (:mod:`multiview.kernels.lanes`)."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from multiview.kernels.lanes import _add_up, _at, _fma, _pointer, _splat

#: A predicted probability below this counts as 0 and its non-zero is skipped (0/0 := 0).
TINY = 1e-300
_DOUBLE = ir.DoubleType()


def _visit(
    typingctx: Any, indices: Any, data: Any, first: Any, last: Any, own: Any, table: Any, out: Any
) -> Any:
    """E-step over the non-zeros ``first:last`` of one row of counts.

    ``own`` is the row's vector of 2 or 4 numbers (its tuple type says how many), ``table`` a flat
    array with a pair of vectors (b, m) for every column. Each non-zero x of column j has the ratio
    ``r = x / (own . b_j)``, 0 where nothing was predicted; ``r b_j`` is added up into ``out`` and
    ``r own`` into ``m_j``.
    """
    count = len(own)
    signature = types.void(indices, data, types.intp, types.intp, own, table, out)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.VectorType(_DOUBLE, count)
        columns, values, pairs, target = (
            _pointer(context, builder, sig, args, k) for k in (0, 1, 5, 6)
        )
        first, last = args[2:4]
        mine = ir.Constant(kind, ir.Undefined)
        for k in range(count):
            value = builder.extract_value(args[4], k)
            mine = builder.insert_element(mine, value, ir.Constant(ir.IntType(32), k))
        total = cgutils.alloca_once_value(builder, ir.Constant(kind, [0.0] * count))
        with cgutils.for_range(builder, builder.sub(last, first)) as loop:
            place = builder.add(first, loop.index)
            column = builder.load(builder.gep(columns, [place]))
            column = builder.sext(column, first.type) if column.type.width < 64 else column
            start = builder.mul(column, ir.Constant(first.type, 2 * count))
            counts = _at(builder, pairs, builder.add(start, ir.Constant(first.type, count)), kind)
            b = builder.load(_at(builder, pairs, start, kind), align=8)
            mixture = _dot(builder, mine, b)
            ratio = builder.fdiv(builder.load(builder.gep(values, [place])), mixture)
            known = builder.fcmp_ordered(">", mixture, ir.Constant(_DOUBLE, TINY))
            ratio = builder.select(known, ratio, ir.Constant(_DOUBLE, 0.0))
            factor = _splat(builder, ratio, count)
            builder.store(_fma(builder, factor, b, builder.load(total)), total)
            old = builder.load(counts, align=8)
            builder.store(_fma(builder, factor, mine, old), counts, align=8)
        spot = builder.bitcast(target, kind.as_pointer())
        builder.store(builder.load(total), spot, align=8)
        return context.get_dummy_value()

    return signature, generate


def _dot(builder: Any, a: Any, b: Any) -> Any:
    """Dot product of two short vectors: pairs of lanes first, then the two sums."""

    def pair(vector: Any, k: int) -> Any:
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), 2), [k, k + 1])
        return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), lanes)

    total = builder.fmul(pair(a, 0), pair(b, 0))
    for k in range(2, a.type.count, 2):
        total = _fma(builder, pair(a, k), pair(b, k), total)
    return _add_up(builder, total)


visit: Any = intrinsic(_visit)
