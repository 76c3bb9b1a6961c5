"""Short vectors for the inner loops of EM: what the kernels' intrinsics are built from.

The compiler may not reorder a floating-point sum, so it leaves dot products scalar, and it does
not fuse loops over several rows. Both are spelled out in vectors of two or four numbers. A dot
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

#: Partial sums of a dot product, and the numbers of a vector.
PARTS = 4
DOUBLE = ir.DoubleType()


def index(value: int) -> Any:
    """Return a constant of the type of array positions."""
    return ir.Constant(ir.IntType(64), value)


def lane(k: int) -> Any:
    """Return the constant that names the k-th number of a vector."""
    return ir.Constant(ir.IntType(32), k)


def undefined(count: int) -> Any:
    """Return a vector that has not been filled."""
    return ir.Constant(ir.VectorType(DOUBLE, count), ir.Undefined)


def zeros(builder: Any, count: int, size: int = PARTS) -> list[Any]:
    """Return places for so many vectors of zeros."""
    zero = ir.Constant(ir.VectorType(DOUBLE, size), [0.0] * size)
    return [cgutils.alloca_once_value(builder, zero) for _ in range(count)]


def row_of(builder: Any, columns: Any, place: Any, length: Any) -> Any:
    """Return where the row of a non-zero's column starts, in a table of rows of that length."""
    column = builder.load(builder.gep(columns, [place]))
    column = builder.sext(column, place.type) if column.type.width < 64 else column
    return builder.mul(column, length)


def fused(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a b + c, rounded once."""
    kind = a.type
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind] * 3), f"llvm.fma.v{kind.count}f64"
    )
    return builder.call(function, [a, b, c])


def at(builder: Any, data: Any, offset: Any, count: int = PARTS) -> Any:
    """Return the place of the vector that starts at a position of flat data."""
    kind = ir.VectorType(DOUBLE, count)
    return builder.bitcast(builder.gep(data, [offset]), kind.as_pointer())


def load(builder: Any, data: Any, offset: Any, count: int = PARTS) -> Any:
    """Read the vector that starts at a position of flat data."""
    return builder.load(at(builder, data, offset, count), align=8)


def pointer(context: Any, builder: Any, sig: Any, args: Any, k: int) -> Any:
    """Return the data of the k-th argument, an array."""
    return context.make_array(sig.args[k])(context, builder, args[k]).data


@contextmanager
def steps(builder: Any, n: Any) -> Iterator[Any]:
    """Loop over n numbers, :data:`PARTS` at a time; yields the first of the step."""
    with cgutils.for_range(builder, builder.udiv(n, index(PARTS))) as loop:
        yield builder.mul(loop.index, index(PARTS))


def gather(builder: Any, values: list[Any]) -> Any:
    """Return a vector of the given numbers."""
    vector = undefined(len(values))
    for k, value in enumerate(values):
        vector = builder.insert_element(vector, value, lane(k))
    return vector


def splat(builder: Any, value: Any, count: int = PARTS) -> Any:
    """Return a vector that repeats a number."""
    return gather(builder, [value] * count)


def pick(builder: Any, vector: Any, lanes: list[int]) -> Any:
    """Return the named numbers of a vector as a vector."""
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes)
    return builder.shuffle_vector(vector, undefined(vector.type.count), mask)


def spread(builder: Any, vector: Any) -> list[Any]:
    """Return the numbers of a vector."""
    return [builder.extract_element(vector, lane(k)) for k in range(vector.type.count)]


def add_up(builder: Any, vector: Any) -> Any:
    """Return the sum of a vector: neighbours first, then pairs."""
    parts = spread(builder, vector)
    while len(parts) > 1:
        parts = [builder.fadd(parts[k], parts[k + 1]) for k in range(0, len(parts), 2)]
    return parts[0]


def _fma(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """Return ``a * b + c``, rounded once (inside compiled functions).

    Without ``fastmath`` the compiler may not merge the two. Asked for by name the merged operation
    has the same bits on every processor that has it, and halves the arithmetic of dense loops.
    """
    signature = types.float64(types.float64, types.float64, types.float64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fma(*args)

    return signature, generate


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
        sums = zeros(builder, count)
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
        sums = zeros(builder, count // PARTS)
        with cgutils.for_range(builder, builder.sub(last, first)) as loop:
            place = builder.add(first, loop.index)
            factor = splat(builder, builder.load(builder.gep(values, [place])))
            row = builder.add(start, row_of(builder, columns, place, stride))
            for k, total in enumerate(sums):
                part = load(builder, flat, builder.add(row, index(k * PARTS)))
                new = fused(builder, factor, part, builder.load(total))
                builder.store(new, total)
        totals = [value for total in sums for value in spread(builder, builder.load(total))]
        return context.make_tuple(builder, result, totals)

    return signature, generate


fma: Any = intrinsic(_fma)
mixtures: Any = intrinsic(_mixtures)
shares: Any = intrinsic(_shares)
weighted_rows: Any = intrinsic(_weighted_rows)
