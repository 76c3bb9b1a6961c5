"""Parts of pairwise co-regularised PLSA: a view's state, the pairs, clipping, missing rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels import pair_similarity as pair_kernels
from manyviews.kernels import plsa as plsa_kernels
from manyviews.validation import check_real

_TILE = 256  # documents to a tile of the pair list: two tiles of topics fit a core's cache


#: Up to so many pairs numpy may shuffle them all to draw some; above it would fill the memory.
_SHUFFLED = 1 << 27


def draw_pairs(
    n_rows: int, share: float | int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return random unordered pairs (i < j), a share of all or so many, without repetition.

    The pairs are ordered by tiles of documents, so that the rows a loop over them touches stay
    in the cache. Time and memory go with the pairs drawn, not with all there are.
    """
    total = n_rows * (n_rows - 1) // 2
    wanted = share if isinstance(share, int | np.integer) else round(share * total)
    count = min(total, max(1, int(wanted))) if total else 0
    if count == total:
        index = np.arange(total)
    elif total <= _SHUFFLED:
        index = np.sort(rng.choice(total, size=count, replace=False))
    else:
        index = distinct_numbers(total, count, rng)
    left, right = pair_kernels.decode_pairs(index.astype(np.int64), n_rows)
    tiles = n_rows // _TILE + 1
    order = np.argsort((left // _TILE) * tiles + right // _TILE, kind="stable")
    return left[order], right[order]


def distinct_numbers(total: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return ``count`` different numbers below ``total``, sorted; every set is equally likely.

    Numbers are drawn until enough different ones are there, and what is too many is dropped at
    random. Where more than half are wanted, those to leave out are drawn instead.
    """
    if 2 * count > total:
        rest = distinct_numbers(total, total - count, rng)
        return np.delete(np.arange(total), rest)
    found = np.empty(0, dtype=np.int64)
    while found.size < count:
        lacking = count - found.size
        more = rng.integers(total, size=lacking + lacking // 8 + 16)
        found = np.union1d(found, more)
    extra = rng.choice(found.size, size=found.size - count, replace=False)
    return np.delete(found, extra)


@dataclass
class ViewState:
    """One view's data, parameters and buffers."""

    counts: sp.csr_matrix
    present: np.ndarray
    tau: float
    doc_topic: np.ndarray
    word_topic: np.ndarray
    doc_counts: np.ndarray
    word_counts: np.ndarray
    similarity: np.ndarray

    def expect(self) -> float:
        """E-step (9) and the sums of (12), (13); returns the view's log-likelihood."""
        return plsa_kernels.em_step(
            self.counts.indptr, self.counts.indices, self.counts.data,
            self.doc_topic, self.word_topic, self.doc_counts, self.word_counts,
        )  # fmt: skip


@dataclass
class PairState:
    """The fixed document pairs, which of them count for which views, and work space."""

    left: np.ndarray
    right: np.ndarray
    use: dict[tuple[int, int], np.ndarray]
    coefficient: np.ndarray
    trial: np.ndarray
    sigma: float = 1.0

    def compare(self, doc_topic: np.ndarray, out: np.ndarray) -> None:
        """Write the similarity (7) of every pair of documents into ``out``."""
        pair_kernels.gaussian_pairs(doc_topic, self.left, self.right, self.sigma, out)

    def penalty(self, views: Sequence[ViewState], v: int, own: np.ndarray) -> float:
        """Sum of R over the pairs of views with ``v``, its similarities being ``own``."""
        return sum(
            pair_kernels.penalty(own, views[w].similarity, self.use[min(v, w), max(v, w)])
            for w in range(len(views))
            if w != v
        )

    def total(self, views: Sequence[ViewState]) -> float:
        """Sum of R over all unordered pairs of views."""
        return sum(
            pair_kernels.penalty(views[v].similarity, views[w].similarity, use)
            for (v, w), use in self.use.items()
        )

    def gradient(self, views: Sequence[ViewState], v: int) -> tuple[np.ndarray, float]:
        """Gradient (14) of the penalty with respect to the topics of view ``v``, and its value."""
        self.coefficient[:] = 0.0
        value = 0.0
        own = views[v].similarity
        for w in range(len(views)):
            if w != v:
                use = self.use[min(v, w), max(v, w)]
                value += pair_kernels.add_coefficients(
                    own, views[w].similarity, use, self.coefficient
                )
        out = np.empty_like(views[v].doc_topic)
        pair_kernels.laplacian_gradient(
            views[v].doc_topic, self.left, self.right, self.coefficient, self.sigma, out
        )
        return out, value


def check_weights(view_weights: Sequence[float] | None, n_views: int) -> list[float]:
    """Return the view weights; they are positive and sum to one (5)."""
    if view_weights is None:
        return [1.0 / n_views] * n_views
    if len(view_weights) != n_views:
        raise ValueError(f"view_weights has {len(view_weights)} entries for {n_views} views")
    weights = [check_real(f"view_weights[{v}]", t) for v, t in enumerate(view_weights)]
    if min(weights) <= 0 or abs(sum(weights) - 1.0) > 0.02:
        raise ValueError(f"view_weights must be positive and sum to 1, got {weights}")
    return weights


def presence(counts: Sequence[sp.csr_matrix], observed: Any) -> list[np.ndarray]:
    """Return which documents each view has: observed and not all zero."""
    n_rows = counts[0].shape[0]
    masks = [None] * len(counts) if observed is None else list(observed)
    if len(masks) != len(counts):
        raise ValueError(f"observed has {len(masks)} masks for {len(counts)} views")
    present = []
    for v, (X, mask) in enumerate(zip(counts, masks, strict=True)):
        here = np.diff(X.indptr) > 0
        if mask is not None:
            given = np.asarray(mask)
            if given.dtype != bool or given.shape != (n_rows,):
                raise ValueError(
                    f"observed[{v}] must be a boolean mask of {n_rows} documents, "
                    f"got {given.dtype} of shape {given.shape}"
                )
            here &= given
        if not here.any():
            raise ValueError(f"view {v} has no document with words; leave the view out")
        present.append(here)
    lost = ~np.any(present, axis=0)
    if lost.any():
        raise ValueError(
            f"document {int(np.flatnonzero(lost)[0])} is missing or all zero in every view; "
            "remove such documents"
        )
    return present


def fill_missing(
    topics: Sequence[np.ndarray], present: Sequence[np.ndarray], sigma: float
) -> list[np.ndarray]:
    """Topics of missing rows: similarity-weighted mean over the documents that have the view."""
    filled = [h.copy() for h in topics]
    for v, here in enumerate(present):
        for i in np.flatnonzero(~here):
            weight = np.zeros(here.size)
            for w, there in enumerate(present):
                if w != v and there[i]:
                    distance = ((topics[w] - topics[w][i]) ** 2).sum(axis=1)
                    weight += np.where(here & there, np.exp(-distance / sigma), 0.0)
            if weight.sum() > 0:
                filled[v][i] = weight @ topics[v] / weight.sum()
    return filled
