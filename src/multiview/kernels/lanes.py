"""Short vectors for the dense loops of EM.

The compiler may not reorder a floating-point sum, so it leaves dot products scalar, and it does
not fuse loops over several rows. Both are spelled out here in vectors of four numbers. A dot
product has four partial sums, added up in a fixed order: every processor, whatever the width of its
registers, gets the same bits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

#: Partial sums of a dot product.
PARTS = 4
#: Columns handled together in a sweep; no sum depends on it.
WIDTH = 4
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


def _sweep(
    typingctx: Any, P: Any, Q: Any, W: Any, M: Any, B: Any, y: Any, s: Any, n: Any, classes: Any
) -> Any:
    """Multiply four rows of P from ``y`` on by W'M and add Q times them to B, in one pass.

    Columns ``s`` to ``s + n``, n a multiple of :data:`WIDTH`; ``len(classes)`` is the number of
    rows of Q, W, M and B.
    """
    n_classes = len(classes)
    signature = types.void(P, Q, W, M, B, types.intp, types.intp, types.intp, classes)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        y, s, n = args[5:8]
        vector = ir.VectorType(_DOUBLE, WIDTH)
        arrays = [context.make_array(sig.args[k])(context, builder, args[k]) for k in range(5)]
        rows, shares, scales, counts, totals = arrays
        width = builder.extract_value(rows.shape, 1)
        topics = builder.extract_value(shares.shape, 1)

        def number(value: int) -> Any:
            return ir.Constant(y.type, value)

        def scalar(array: Any, z: int, k: int) -> Any:
            offset = builder.add(builder.mul(number(z), topics), builder.add(y, number(k)))
            return _splat(builder, builder.load(builder.gep(array.data, [offset])), WIDTH)

        q = [[scalar(shares, z, k) for k in range(4)] for z in range(n_classes)]
        w = [[scalar(scales, z, k) for k in range(4)] for z in range(n_classes)]
        starts = [builder.add(builder.mul(builder.add(y, number(k)), width), s) for k in range(4)]
        sides = [builder.add(builder.mul(number(z), width), s) for z in range(n_classes)]
        steps = builder.udiv(n, number(WIDTH))
        with cgutils.for_range(builder, steps) as loop:
            shift = builder.mul(loop.index, number(WIDTH))

            def place(array: Any, start: Any) -> Any:
                return _at(builder, array.data, builder.add(start, shift), vector)

            m = [builder.load(place(counts, side), align=8) for side in sides]
            targets = [place(totals, side) for side in sides]
            b = [builder.load(target, align=8) for target in targets]
            for k in range(4):
                factor = builder.fmul(m[0], w[0][k])
                for z in range(1, n_classes):
                    factor = _fma(builder, m[z], w[z][k], factor)
                spot = place(rows, starts[k])
                new = builder.fmul(builder.load(spot, align=8), factor)
                builder.store(new, spot, align=8)
                for z in range(n_classes):
                    b[z] = _fma(builder, new, q[z][k], b[z])
            for z in range(n_classes):
                builder.store(b[z], targets[z], align=8)
        return context.get_dummy_value()

    return signature, generate


def _mixtures(typingctx: Any, h: Any, b: Any, w: Any, words: Any, n: Any) -> Any:
    """Dot products of ``h[b : b + n]`` with ``w[f : f + n]`` for every start f in ``words``.

    ``h`` and ``w`` are flat arrays, n a multiple of :data:`PARTS`: four partial sums each.
    """
    count = len(words)
    result = types.UniTuple(types.float64, count)
    signature = result(h, types.intp, w, words, types.intp)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = ir.VectorType(_DOUBLE, PARTS)
        row, column = (_pointer(context, builder, sig, args, k) for k in (0, 2))
        starts = [builder.extract_value(args[3], k) for k in range(count)]
        zero = ir.Constant(vector, [0.0] * PARTS)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(count)]
        with _steps(builder, args[4]) as shift:
            value = _load(builder, row, args[1], shift)
            for start, place in zip(starts, sums, strict=True):
                other = _load(builder, column, start, shift)
                builder.store(_fma(builder, value, other, builder.load(place)), place)
        totals = [_add_up(builder, builder.load(place)) for place in sums]
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
        row, column, total = (_pointer(context, builder, sig, args, k) for k in (0, 2, 5))
        starts = [builder.extract_value(args[3], k) for k in range(count)]
        factors = [_splat(builder, builder.extract_value(args[4], k), PARTS) for k in range(count)]
        with _steps(builder, args[7]) as shift:
            target = _at_shift(builder, total, args[1], shift)
            value = builder.load(target, align=8)
            for start, factor in zip(starts, factors, strict=True):
                value = _fma(builder, factor, _load(builder, column, start, shift), value)
            builder.store(value, target, align=8)
            if with_words:
                counts = _pointer(context, builder, sig, args, 6)
                share = _load(builder, row, args[1], shift)
                for start, factor in zip(starts, factors, strict=True):
                    target = _at_shift(builder, counts, start, shift)
                    old = builder.load(target, align=8)
                    builder.store(_fma(builder, factor, share, old), target, align=8)
        return context.get_dummy_value()

    return signature, generate


def _pointer(context: Any, builder: Any, sig: Any, args: Any, k: int) -> Any:
    return context.make_array(sig.args[k])(context, builder, args[k]).data


def _at_shift(builder: Any, data: Any, start: Any, shift: Any) -> Any:
    return _at(builder, data, builder.add(start, shift), ir.VectorType(_DOUBLE, PARTS))


def _load(builder: Any, data: Any, start: Any, shift: Any) -> Any:
    return builder.load(_at_shift(builder, data, start, shift), align=8)


@contextmanager
def _steps(builder: Any, n: Any) -> Iterator[Any]:
    """Loop over n columns, :data:`PARTS` at a time; yields the first of the step."""
    with cgutils.for_range(builder, builder.udiv(n, ir.Constant(n.type, PARTS))) as loop:
        yield builder.mul(loop.index, ir.Constant(n.type, PARTS))


def _splat(builder: Any, value: Any, count: int) -> Any:
    vector = ir.Constant(ir.VectorType(_DOUBLE, count), ir.Undefined)
    for k in range(count):
        vector = builder.insert_element(vector, value, ir.Constant(ir.IntType(32), k))
    return vector


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
sweep: Any = intrinsic(_sweep)
mixtures: Any = intrinsic(_mixtures)
shares: Any = intrinsic(_shares)
