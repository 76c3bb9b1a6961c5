"""Sets of plain matrices: Reuters in two packings, leaves joined two ways, digits in two."""

import io

import numpy as np
import pytest
import scipy.io

from reproduction.data.builders import matrices


def test_reuters_drops_negative_weights_and_may_come_in_cells(raw, made):
    parts = {
        language: np.array([[1, 1, -3.5], [1, 3, 2.0 + i], [2, 1, -1.0], [2, 7, 0.5]])
        for i, language in enumerate(matrices.REUTERS_CELLS)
    }
    truth = np.array([[6], [1]])
    cells = np.empty((1, len(parts)), dtype=object)
    cells[0] = list(parts.values())
    named = {f"EN_{language}_sample": part for language, part in parts.items()}
    for variables in ({**named, "truth": truth}, {"X": cells, "Y": truth}):
        buffer = io.BytesIO()
        scipy.io.savemat(buffer, variables)
        raw.file("reuters.mat", buffer.getvalue())
        data = made(matrices.build_reuters, raw, key="reuters")
        assert {name: view.shape[1] for name, view in data.views.items()} == matrices.REUTERS_WORDS
        assert [view[0, 2] for view in data.views.values()] == [2.0, 3.0, 6.0]
        assert [view.nnz for view in data.views.values()] == [2, 2, 2]
        assert [data.class_names[label] for label in data.labels] == ["M11", "C15"]


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


def test_digits_from_uci_and_from_the_wheel_are_the_same(tmp_path, raw, made):
    values = np.arange(40.0).reshape(20, 2) - 3
    blanks = "\n".join("  ".join(map(str, row)) for row in values).encode()
    table = "0,1,0\n" + "\n".join(f"{a},{b},{i // 2}" for i, (a, b) in enumerate(values))
    wheel = tmp_path / "wheel"
    wheel.mkdir()
    for view in matrices.DIGIT_VIEWS:
        raw.file(f"mfeat-{view}.gz", blanks)
        (wheel / f"mfeat-{view}.csv").write_bytes(table.encode())
    ours = made(matrices.build_digits, raw, key="digits")
    made(matrices.build_digits, wheel, key="digits").save(tmp_path / "2.npz")
    ours.save(tmp_path / "1.npz")
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()
    assert ours.labels.tolist() == list(np.repeat(np.arange(10), 2))
    assert ours.ids[:3] == ["0-0", "0-1", "1-0"]
    assert ours.views["kar"].min() == -3
