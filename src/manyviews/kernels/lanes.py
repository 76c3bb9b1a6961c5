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
from numba.core import cgutils

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
