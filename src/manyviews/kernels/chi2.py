"""Chi-square distances between histograms, one side sparse."""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray


@compiled(error_model="numpy")
def harmonic_products(indptr: Array, indices: Array, data: Array, B: Array, out: Array) -> None:
    """Write ``out[i, j] = sum_k a_ik b_jk / (a_ik + b_jk)`` for CSR rows a > 0 and dense b >= 0.

    ``sum_k (a - b)^2 / (a + b) = sum_k (a + b) - 4 sum_k a b / (a + b)``, and the last sum needs
    the non-zeros of one side only.
    """
    for i in range(indptr.size - 1):
        for j in range(B.shape[0]):
            even = odd = 0.0
            p = indptr[i]
            last = indptr[i + 1] - 1
            while p < last:
                x, y = data[p], B[j, indices[p]]
                even += x * y / (x + y)
                x, y = data[p + 1], B[j, indices[p + 1]]
                odd += x * y / (x + y)
                p += 2
            if p == last:
                x, y = data[p], B[j, indices[p]]
                even += x * y / (x + y)
            out[i, j] = even + odd
