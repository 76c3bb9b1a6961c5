"""Sets of plain matrices: Reuters in two packings, leaves joined two ways, digits."""

import io

import numpy as np
import pytest
import scipy.io

from reproduction.data.builders import matrices


def reuters_mat(raw, variables):
    buffer = io.BytesIO()
    scipy.io.savemat(buffer, variables)
    raw.file("reuters.mat", buffer.getvalue())


def test_reuters_drops_negative_weights_in_either_packing(raw, made, rng):
    triplets = [
        np.column_stack([rng.integers(1, 6, 9), np.arange(1, 10), rng.normal(size=9)])
        for _ in matrices.REUTERS_CELLS
    ]
    truth = rng.integers(1, 7, (5, 1))
    cells = np.empty((1, len(triplets)), dtype=object)
    cells[0] = triplets
    named = dict(zip(matrices.REUTERS_CELLS, triplets, strict=True))
    both = {"truth": truth, **{f"EN_{name}_sample": part for name, part in named.items()}}
    for variables in (both, {"X": cells, "Y": truth}):
        reuters_mat(raw, variables)
        data = made(matrices.build_reuters, raw, key="reuters")
        assert [int(n) for n in data.labels] == (truth.ravel() - 1).tolist()
        for view, words in matrices.REUTERS_WORDS.items():
            expected = np.zeros((5, words))
            for row, column, weight in named[view]:
                expected[int(row) - 1, int(column) - 1] = max(weight, 0)
            assert np.array_equal(data.views[view].toarray(), expected)


@pytest.mark.parametrize(
    ("join", "shape", "texture"),
    [("class", [10, 20, 30, 40], [0, 200, 300, 400]),
     ("line", [30, 40, 10, 20], [200, 200, 300, 400])],
)  # fmt: skip
def test_leaves_join_by_species_or_by_line(raw, made, join, shape, texture):
    """Species a, b with two leaves; the shape file starts with b; texture lacks one leaf of a."""

    def lines(rows):
        return "\n".join(",".join([name, str(v), "0"]) for name, v in rows).encode() + b"\n"

    raw.file("data_Mar_64.txt", lines([("a", 1), ("a", 2), ("b", 3), ("b", 4)]))
    raw.file("data_Sha_64.txt", lines([("b", 30), ("b", 40), ("a", 10), ("a", 20)]))
    raw.file("data_Tex_64.txt", lines([("a", 200), ("b", 300), ("b", 400)]))
    data = made(matrices.build_leaves, raw, key="leaves", join=join)
    assert data.ids == ["a/1", "a/2", "b/1", "b/2"]
    found = {name: view.toarray()[:, 0].tolist() for name, view in data.views.items()}
    assert found == {"margin": [1, 2, 3, 4], "shape": shape, "texture": texture}
    assert data.rows["texture_present"].tolist() == [False, True, True, True]


def test_digits_come_in_blocks(raw, made):
    values = np.arange(40.0).reshape(20, 2) - 3
    for view in matrices.DIGIT_VIEWS:
        raw.file(f"mfeat-{view}.gz", "\n".join("  ".join(map(str, row)) for row in values).encode())
    data = made(matrices.build_digits, raw, key="digits")
    assert data.labels.tolist() == list(np.repeat(np.arange(10), 2))
    assert data.ids[:3] == ["0-0", "0-1", "1-0"]
    assert data.views["kar"].toarray().tolist() == values.tolist()
