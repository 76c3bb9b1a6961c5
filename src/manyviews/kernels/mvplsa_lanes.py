"""Vector loops of MVPLSA's EM (:mod:`manyviews.kernels.lanes`)."""

from collections.abc import Iterator
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from manyviews.kernels.lanes import (
    DOUBLE,
    PARTS,
    add_up,
    at,
    fused,
    gather,
    index,
    load,
    pick,
    pointer,
    row_of,
    splat,
    spread,
    steps,
    zeros,
)

#: A predicted probability below this counts as 0 and its non-zero is skipped (0/0 := 0).
TINY = 1e-300


def _dots(
    typingctx: Any, P: Any, y: Any, M: Any, first: Any, n: Any, topics: Any, classes: Any
) -> Any:
    """Dot products of rows ``y`` ... of P with rows ``first`` ... of M.

    ``len(topics)`` rows of P, ``len(classes)`` rows of M, and of all rows the first ``n`` columns,
    a multiple of four: four partial sums each, added pairwise. Returns row y's products, then the
    next row's.
    """
    n_topics, n_classes = len(topics), len(classes)
    result = types.UniTuple(types.float64, n_topics * n_classes)
    signature = result(P, types.intp, M, types.intp, types.intp, topics, classes)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        y, first, n = args[1], args[3], args[4]
        rows = context.make_array(sig.args[0])(context, builder, args[0])
        counts = pointer(context, builder, sig, args, 2)
        width = builder.extract_value(rows.shape, 1)

        def starts(first: Any, count: int) -> list[Any]:
            return [builder.mul(builder.add(first, index(k)), width) for k in range(count)]

        ours, theirs = starts(y, n_topics), starts(first, n_classes)
        sums = zeros(builder, n_topics * n_classes)
        with steps(builder, n) as shift:
            values = [load(builder, rows.data, builder.add(start, shift)) for start in ours]
            for z, start in enumerate(theirs):
                other = load(builder, counts, builder.add(start, shift))
                for k, value in enumerate(values):
                    place = sums[k * n_classes + z]
                    builder.store(fused(builder, value, other, builder.load(place)), place)
        totals = [add_up(builder, builder.load(place)) for place in sums]
        return context.make_tuple(builder, result, totals)

    return signature, generate


class _Sweep:
    """Where the numbers of :func:`_sweep` stand, as code for one compilation."""

    def __init__(self, context: Any, builder: Any, sig: Any, args: Any, n_topics: int) -> None:
        self.builder, self.every = builder, range(n_topics)
        self.y, self.s, self.n = args[5:8]
        arrays = [context.make_array(sig.args[k])(context, builder, args[k]) for k in range(5)]
        self.rows, self.shares, self.scales, self.counts, self.totals = arrays

    def place(self, array: Any, row: Any, shift: Any) -> Any:
        """Return where a column of a row of an array stands."""
        width = self.builder.extract_value(array.shape, 1)
        return self.builder.add(self.builder.mul(row, width), shift)

    def repeated(self, array: Any, z: Any) -> Iterator[Any]:
        """Give row z's number of every topic as a vector that repeats it.

        The numbers are held two to a register: single ones would not fit.
        """
        start = self.place(array, z, self.y)
        pairs = [
            load(self.builder, array.data, self.builder.add(start, index(k)), 2)
            for k in self.every[::2]
        ]
        for k in self.every:
            yield pick(self.builder, pairs[k // 2], [k % 2] * PARTS)

    def multiplied(self, k: int, shift: Any, factor: Any) -> Any:
        """Multiply the columns of the k-th topic; return the new ones."""
        row = self.builder.add(self.y, index(k))
        column = self.place(self.rows, row, self.builder.add(self.s, shift))
        spot = at(self.builder, self.rows.data, column)
        new = self.builder.fmul(self.builder.load(spot, align=8), factor)
        self.builder.store(new, spot, align=8)
        return new

    def write(self) -> None:
        """Emit the loop: the topics in registers, the classes one after another."""
        builder, every = self.builder, self.every
        n_classes = builder.extract_value(self.shares.shape, 0)
        places = zeros(builder, len(every))
        with steps(builder, self.n) as shift:
            m = load(builder, self.counts.data, self.place(self.counts, index(0), shift))
            for place, w in zip(places, self.repeated(self.scales, index(0)), strict=True):
                builder.store(builder.fmul(m, w), place)
            with cgutils.for_range(builder, n_classes, start=index(1)) as loop:
                m = load(builder, self.counts.data, self.place(self.counts, loop.index, shift))
                for place, w in zip(places, self.repeated(self.scales, loop.index), strict=True):
                    builder.store(fused(builder, m, w, builder.load(place)), place)
            new = [self.multiplied(k, shift, builder.load(places[k])) for k in every]
            with cgutils.for_range(builder, n_classes) as loop:
                target = at(builder, self.totals.data, self.place(self.counts, loop.index, shift))
                total = builder.load(target, align=8)
                for row, q in zip(new, self.repeated(self.shares, loop.index), strict=True):
                    total = fused(builder, row, q, total)
                builder.store(total, target, align=8)


def _sweep(
    typingctx: Any, P: Any, Q: Any, W: Any, M: Any, B: Any, y: Any, s: Any, n: Any, topics: Any
) -> Any:
    """Multiply rows ``y`` ... of P by W'M and add Q times them to B, in one pass.

    ``len(topics)`` rows, an even number; n columns, a multiple of :data:`PARTS`, which start at
    ``s`` in P and at 0 in M and B.
    """
    place = types.intp
    signature = types.void(P, Q, W, M, B, place, place, place, topics)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        _Sweep(context, builder, sig, args, len(topics)).write()
        return context.get_dummy_value()

    return signature, generate


def _visit(
    typingctx: Any, indices: Any, data: Any, first: Any, last: Any, own: Any, table: Any
) -> Any:
    """E-step over the non-zeros ``first:last`` of one row of counts.

    ``own`` is the row's vector of 2 or 4 numbers (its tuple type says how many), ``table`` a flat
    array with a pair of vectors (b, m) for every column. Each non-zero x of column j has the ratio
    ``r = x / (own . b_j)``, 0 where nothing was predicted; ``r own`` is added up into ``m_j`` and
    ``r b_j`` into the sums that are returned.
    """
    count = len(own)
    result = types.UniTuple(types.float64, count)
    signature = result(indices, data, types.intp, types.intp, own, table)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        columns, values, pairs = (pointer(context, builder, sig, args, k) for k in (0, 1, 5))
        first, last = args[2:4]
        mine = gather(builder, [builder.extract_value(args[4], k) for k in range(count)])
        (total,) = zeros(builder, 1, count)

        def handle(start: Any, together: int) -> None:
            places = [builder.add(start, index(k)) for k in range(together)]
            rows = [row_of(builder, columns, place, index(2 * count)) for place in places]
            theirs = [load(builder, pairs, row, count) for row in rows]
            mixtures = [_dot(builder, mine, b) for b in theirs]
            for row, b, ratio in zip(
                rows, theirs, _ratios(builder, values, places, mixtures), strict=True
            ):
                factor = splat(builder, ratio, count)
                builder.store(fused(builder, factor, b, builder.load(total)), total)
                spot = at(builder, pairs, builder.add(row, index(count)), count)
                old = builder.load(spot, align=8)
                builder.store(fused(builder, factor, mine, old), spot, align=8)

        # As many non-zeros at a time as a vector has numbers: measured fastest for both.
        n = builder.sub(last, first)
        groups = builder.udiv(n, index(count))
        with cgutils.for_range(builder, groups) as loop:
            handle(builder.add(first, builder.mul(loop.index, index(count))), count)
        done = builder.mul(groups, index(count))
        with cgutils.for_range(builder, builder.sub(n, done)) as loop:
            handle(builder.add(first, builder.add(done, loop.index)), 1)
        return context.make_tuple(builder, result, spread(builder, builder.load(total)))

    return signature, generate


def _ratios(builder: Any, values: Any, places: list[Any], mixtures: list[Any]) -> list[Any]:
    """Counts over mixtures; division by infinity makes 0 of what was not predicted.

    Choosing the divisor, not the ratio, keeps the compiler from branching around the division.
    Two quotients are one instruction; four in two instructions were slower than four alone.
    """
    if len(places) == 2:
        limit, infinity = (
            ir.Constant(ir.VectorType(DOUBLE, 2), [value] * 2) for value in (TINY, float("inf"))
        )
        divisor = gather(builder, mixtures)
        known = builder.fcmp_ordered(">", divisor, limit)
        counts = load(builder, values, places[0], 2)
        return spread(builder, builder.fdiv(counts, builder.select(known, divisor, infinity)))
    limit, infinity = (ir.Constant(DOUBLE, value) for value in (TINY, float("inf")))
    ratios = []
    for place, mixture in zip(places, mixtures, strict=True):
        known = builder.fcmp_ordered(">", mixture, limit)
        divisor = builder.select(known, mixture, infinity)
        ratios.append(builder.fdiv(builder.load(builder.gep(values, [place])), divisor))
    return ratios


def _dot(builder: Any, a: Any, b: Any) -> Any:
    """Dot product of two short vectors: pairs of lanes first, then the two sums."""
    total = builder.fmul(pick(builder, a, [0, 1]), pick(builder, b, [0, 1]))
    for k in range(2, a.type.count, 2):
        total = fused(builder, pick(builder, a, [k, k + 1]), pick(builder, b, [k, k + 1]), total)
    return add_up(builder, total)


dots: Any = intrinsic(_dots)
sweep: Any = intrinsic(_sweep)
visit: Any = intrinsic(_visit)
