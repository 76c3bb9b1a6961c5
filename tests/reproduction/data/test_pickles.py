import collections
import io
import os
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data import pickles
from reproduction.data.errors import ReadError


def python2(value) -> bytes:
    """The bytes Python 2 with the numpy and scipy of 2016 would have written."""
    content = pickle.dumps(value, protocol=2)
    return content.replace(b"cnumpy._core.", b"cnumpy.core.").replace(b"sparse._csr", b"sparse.csr")


def test_arrays_matrices_and_graphs_round_trip(rng):
    for dtype in ("f4", "i8", "?", ">f8"):
        array = np.asfortranarray(rng.integers(0, 2, size=(4, 3)).astype(dtype))
        assert np.array_equal(pickles.loads(python2(array)), array)
    matrix = sp.random(7, 9, density=0.3, format="csr", rng=rng, dtype=np.float32)
    box, out = np.empty((), dtype=object), io.BytesIO()
    box[()] = matrix
    np.save(out, box)  # as an .npz keeps one
    for loaded in (pickles.loads(python2(matrix)), pickles.load_npy(out.getvalue())):
        assert loaded.shape == matrix.shape
        assert (loaded != matrix).nnz == 0
    graph = collections.defaultdict(list, {0: [1, 2], 1: [0], 5: []})
    assert pickles.loads(python2(graph)) == dict(graph)


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_hostile_pickles_are_refused_and_run_nothing(tmp_path, protocol):
    class Hostile:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path / 'flag'}",)

    for hostile in (Hostile(), {"x": [Hostile()]}, np.array([Hostile()], dtype=object)):
        with pytest.raises(ReadError, match=r"it names .*system"):
            pickles.loads(pickle.dumps(hostile, protocol=protocol))
    assert list(tmp_path.iterdir()) == []
