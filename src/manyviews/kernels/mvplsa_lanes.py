"""Vector loops of MVPLSA's EM (:mod:`manyviews.kernels.lanes`)."""

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
    splat,
    spread,
    steps,
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
        zero = ir.Constant(ir.VectorType(DOUBLE, PARTS), [0.0] * PARTS)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(n_topics * n_classes)]
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
    """The parts of :func:`_sweep`, as code for one compilation."""

    def __init__(self, context: Any, builder: Any, sig: Any, args: Any, n_topics: int) -> None:
        self.builder, self.n_topics = builder, n_topics
        self.y, self.s, self.t, self.n = args[5:9]
        arrays = [context.make_array(sig.args[k])(context, builder, args[k]) for k in range(5)]
        self.rows, self.shares, self.scales, self.counts, self.totals = arrays
        self.row_length = builder.extract_value(self.shares.shape, 1)

    def pairs(self, array: Any, z: Any) -> list[Any]:
        """Row z's numbers of the topics, two to a register: single ones would not fit."""
        start = self.builder.add(self.builder.mul(z, self.row_length), self.y)
        return [
            load(self.builder, array.data, self.builder.add(start, index(k)), 2)
            for k in range(0, self.n_topics, 2)
        ]

    def repeat(self, numbers: list[Any], k: int) -> Any:
        """Return a vector that repeats the k-th of the numbers."""
        return pick(self.builder, numbers[k // 2], [k % 2] * PARTS)

    def column(self, array: Any, row: Any, start: Any, shift: Any) -> Any:
        """Return where a step's columns of a row of an array stand."""
        width = self.builder.extract_value(array.shape, 1)
        begin = self.builder.add(self.builder.mul(row, width), start)
        return self.builder.add(begin, shift)

    def of_class(self, z: Any, shift: Any) -> Any:
        """Return where a step's columns of class z stand, in M and B alike."""
        return self.column(self.counts, z, self.t, shift)

    def multiplied(self, k: int, shift: Any, factor: Any) -> Any:
        """Multiply the columns of the k-th topic; return the new ones."""
        row = self.builder.add(self.y, index(k))
        spot = at(self.builder, self.rows.data, self.column(self.rows, row, self.s, shift))
        new = self.builder.fmul(self.builder.load(spot, align=8), factor)
        self.builder.store(new, spot, align=8)
        return new

    def few(self, n_classes: int) -> None:
        """All classes in registers."""
        builder = self.builder
        q = [self.pairs(self.shares, index(z)) for z in range(n_classes)]
        w = [self.pairs(self.scales, index(z)) for z in range(n_classes)]
        with steps(builder, self.n) as shift:
            columns = [self.of_class(index(z), shift) for z in range(n_classes)]
            m = [load(builder, self.counts.data, column) for column in columns]
            targets = [at(builder, self.totals.data, column) for column in columns]
            b = [builder.load(target, align=8) for target in targets]
            for k in range(self.n_topics):
                factor = builder.fmul(m[0], self.repeat(w[0], k))
                for z in range(1, n_classes):
                    factor = fused(builder, m[z], self.repeat(w[z], k), factor)
                new = self.multiplied(k, shift, factor)
                for z in range(n_classes):
                    b[z] = fused(builder, new, self.repeat(q[z], k), b[z])
            for target, total in zip(targets, b, strict=True):
                builder.store(total, target, align=8)

    def many(self) -> None:
        """The topics in registers, the classes one after another."""
        builder, every = self.builder, range(self.n_topics)
        n_classes = builder.extract_value(self.shares.shape, 0)
        zero = ir.Constant(ir.VectorType(DOUBLE, PARTS), [0.0] * PARTS)
        places = [cgutils.alloca_once_value(builder, zero) for _ in every]
        with steps(builder, self.n) as shift:
            m = load(builder, self.counts.data, self.of_class(index(0), shift))
            w = self.pairs(self.scales, index(0))
            for k in every:
                builder.store(builder.fmul(m, self.repeat(w, k)), places[k])
            with cgutils.for_range(builder, n_classes, start=index(1)) as loop:
                m = load(builder, self.counts.data, self.of_class(loop.index, shift))
                w = self.pairs(self.scales, loop.index)
                for k in every:
                    old = builder.load(places[k])
                    builder.store(fused(builder, m, self.repeat(w, k), old), places[k])
            new = [self.multiplied(k, shift, builder.load(places[k])) for k in every]
            with cgutils.for_range(builder, n_classes) as loop:
                target = at(builder, self.totals.data, self.of_class(loop.index, shift))
                total, q = builder.load(target, align=8), self.pairs(self.shares, loop.index)
                for k in every:
                    total = fused(builder, new[k], self.repeat(q, k), total)
                builder.store(total, target, align=8)


def _sweep(
    typingctx: Any, P: Any, Q: Any, W: Any, M: Any, B: Any, y: Any, s: Any, t: Any, n: Any,
    topics: Any, classes: Any,
) -> Any:  # fmt: skip
    """Multiply rows ``y`` ... of P by W'M and add Q times them to B, in one pass.

    ``len(topics)`` rows, an even number; n columns, a multiple of :data:`PARTS`, which start at
    ``s`` in P and at ``t`` in M and B. ``len(classes)`` is the number of rows of Q, W, M and B; an
    empty tuple leaves their number open until the call. Either way the bits are the same.
    """
    place = types.intp
    signature = types.void(P, Q, W, M, B, place, place, place, place, topics, classes)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = _Sweep(context, builder, sig, args, len(topics))
        parts.few(len(classes)) if len(classes) else parts.many()
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
        zero = ir.Constant(ir.VectorType(DOUBLE, count), [0.0] * count)
        total = cgutils.alloca_once_value(builder, zero)

        def handle(start: Any, together: int) -> None:
            places = [builder.add(start, index(k)) for k in range(together)]
            rows = [_row_of(builder, columns, place, 2 * count) for place in places]
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


def _row_of(builder: Any, columns: Any, place: Any, length: int) -> Any:
    """Where the table's row of a non-zero starts."""
    column = builder.load(builder.gep(columns, [place]))
    column = builder.sext(column, place.type) if column.type.width < 64 else column
    return builder.mul(column, index(length))


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
