"""Image features: RGB histogram, local binary patterns, bags of SIFT words.

Everything runs on one thread and from seeded samples, so the same images give the same counts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import scipy.sparse as sp
from sklearn.cluster import MiniBatchKMeans
from threadpoolctl import threadpool_limits

from multiview.seeding import generator, integer_seed

#: Descriptors of an image (n x 128, unsigned bytes) and where they sit (n x 2: x, y).
Descriptors = tuple[np.ndarray, np.ndarray]
#: What turns a grey image into descriptors.
Extractor = Callable[[np.ndarray], Descriptors]

_CELLS = 4
_ORIENTATIONS = 8
#: A patch whose mean gradient (grey levels per pixel) is below this is flat: noise, not structure.
FLAT = 0.5


def decode(content: bytes, name: str = "image") -> np.ndarray:
    """Return the image as an array of height x width x 3 (blue, green, red)."""
    cv2.setNumThreads(1)
    image = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{name} is no readable image; fetch it again")
    return np.asarray(image)


def grey(image: np.ndarray) -> np.ndarray:
    """Return the grey image (unsigned bytes)."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def rgb_histogram(image: np.ndarray, bins: int = 6) -> np.ndarray:
    """Count pixels by colour: bin ``bins^2 r + bins g + b``, each channel ``bins * v // 256``."""
    level = image.astype(np.int64) * bins // 256
    index = (level[..., 2] * bins + level[..., 1]) * bins + level[..., 0]
    return np.bincount(index.ravel(), minlength=bins**3)


def lbp_histogram(image: np.ndarray) -> np.ndarray:
    """Count the 8-neighbour local binary patterns of the interior pixels of a grey image.

    Bit k is set when the k-th neighbour, clockwise from the top left, is at least the centre.
    """
    centre = image[1:-1, 1:-1]
    height, width = image.shape
    offsets = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
    code = np.zeros(centre.shape, dtype=np.int64)
    for bit, (dy, dx) in enumerate(offsets):
        neighbour = image[dy : height - 2 + dy, dx : width - 2 + dx]
        code |= (neighbour >= centre).astype(np.int64) << bit
    return np.bincount(code.ravel(), minlength=256)


def _orientation_maps(image: np.ndarray, sigma: float) -> np.ndarray:
    """Spread each pixel's gradient over the two nearest of eight orientations (h x w x 8)."""
    smooth = cv2.GaussianBlur(image.astype(np.float32), (0, 0), sigma)
    right = cv2.filter2D(smooth, -1, np.array([[-0.5, 0, 0.5]], dtype=np.float32))
    up = cv2.filter2D(smooth, -1, np.array([[0.5], [0], [-0.5]], dtype=np.float32))
    size, angle = cv2.cartToPolar(right, up)
    turn = (angle * (_ORIENTATIONS / (2 * np.pi))).ravel()
    low = turn.astype(np.int32)
    share = turn - low
    first = np.arange(0, turn.size * _ORIENTATIONS, _ORIENTATIONS, dtype=np.int32)
    maps = np.zeros(turn.size * _ORIENTATIONS, dtype=np.float32)
    maps[first + low % _ORIENTATIONS] = size.ravel() * (1 - share)
    maps[first + (low + 1) % _ORIENTATIONS] = size.ravel() * share
    return maps.reshape(*image.shape, _ORIENTATIONS)


def dense_sift(image: np.ndarray, cell: int, step: int) -> Descriptors:
    """Return upright SIFT descriptors on a grid.

    The descriptor is Lowe's: 4 x 4 cells of ``cell`` pixels, 8 orientations, bilinear in space and
    orientation, Gaussian weight, unit length, values clipped at 0.2, unit length again. Pooling
    the orientation maps once for the whole image makes it ten times as fast as asking OpenCV for
    one key point after the other (the Gaussian weight is taken at the centre of a cell; the
    cosine with OpenCV's descriptor is about 0.96). Flat patches (see :data:`FLAT`) get the zero
    descriptor, hence a word of their own, in place of amplified noise.
    """
    height, width = image.shape
    side = _CELLS * cell
    if height < side or width < side:
        raise ValueError(f"an image of {width} x {height} has no patch of {side} x {side} pixels")
    ramp = np.arange(1, cell + 1, dtype=np.float32)
    triangle = np.concatenate([ramp, ramp[-2::-1]]) / cell
    pooled = cv2.sepFilter2D(_orientation_maps(image, cell / 6), -1, triangle, triangle)
    rows, columns = (height - side) // step + 1, (width - side) // step + 1
    top = (height - side - (rows - 1) * step) // 2
    left = (width - side - (columns - 1) * step) // 2
    found = np.empty((rows, columns, _CELLS, _CELLS, _ORIENTATIONS), dtype=np.float32)
    for i in range(_CELLS):
        for j in range(_CELLS):
            y, x = top + cell // 2 + i * cell, left + cell // 2 + j * cell
            found[:, :, i, j] = pooled[
                y : y + (rows - 1) * step + 1 : step, x : x + (columns - 1) * step + 1 : step
            ]
    strength = found.sum(axis=(2, 3, 4)).ravel() / side**2
    weight = np.exp(-((np.arange(_CELLS) - 1.5) ** 2) / 8).astype(np.float32)
    found *= np.outer(weight, weight)[:, :, None]
    vectors = found.reshape(rows * columns, -1)
    _unit_rows(vectors)
    np.minimum(vectors, 0.2, out=vectors)
    _unit_rows(vectors)
    vectors[strength < FLAT] = 0.0
    y_at = top + side / 2 + step * np.arange(rows)
    x_at = left + side / 2 + step * np.arange(columns)
    places = np.stack([np.tile(x_at, rows), np.repeat(y_at, columns)], axis=1)
    return np.minimum(np.rint(vectors * 512), 255).astype(np.uint8), places


def _unit_rows(vectors: np.ndarray) -> None:
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    vectors /= np.maximum(length, 1e-6)[:, None]


@dataclass(frozen=True)
class DenseSift:
    """Dense SIFT on several grids: pairs of (cell size, step) in pixels."""

    grids: tuple[tuple[int, int], ...]

    def __call__(self, image: np.ndarray) -> Descriptors:
        """Return the descriptors of all grids."""
        parts = [dense_sift(image, cell, step) for cell, step in self.grids]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


@dataclass(frozen=True)
class KeypointSift:
    """OpenCV's SIFT at difference-of-Gaussian key points."""

    contrast: float = 0.02

    def __call__(self, image: np.ndarray) -> Descriptors:
        """Return the descriptors at the key points; there may be none."""
        cv2.setNumThreads(1)
        detector = cv2.SIFT_create(contrastThreshold=self.contrast)  # type: ignore[attr-defined]
        points, vectors = detector.detectAndCompute(image, None)
        if vectors is None:
            return np.zeros((0, 128), dtype=np.uint8), np.zeros((0, 2))
        # OpenCV may list points in another order on another machine; counts must not care.
        return np.rint(vectors).astype(np.uint8), np.array([p.pt for p in points])


def codebook(sample: np.ndarray, words: int, seed: int) -> np.ndarray:
    """Return ``words`` centres of the descriptors by mini-batch k-means."""
    if len(sample) < words:
        raise ValueError(
            f"{len(sample)} descriptors cannot make {words} visual words; "
            "use more images or fewer words"
        )
    means = MiniBatchKMeans(
        words, random_state=seed, batch_size=4096, n_init=1, max_iter=20, init_size=3 * words
    )
    with threadpool_limits(1):
        means.fit(sample.astype(np.float32))
    return np.asarray(means.cluster_centers_, dtype=np.float32)


def nearest_words(vectors: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the nearest centre of each descriptor: argmax of ``v.c - |c|^2 / 2``."""
    offset = 0.5 * np.einsum("ij,ij->i", centres, centres)
    return np.asarray((vectors.astype(np.float32) @ centres.T - offset).argmax(axis=1))


def _sample(found: Sequence[np.ndarray], size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw descriptors of all images without replacement, in image order."""
    ends = np.cumsum([len(vectors) for vectors in found])
    total = int(ends[-1]) if len(ends) else 0
    if total == 0:
        return np.zeros((0, 128), dtype=np.uint8)
    chosen = np.sort(rng.choice(total, size=min(size, total), replace=False))
    parts = np.split(chosen, np.searchsorted(chosen, ends[:-1]))
    starts = ends - np.array([len(vectors) for vectors in found])
    return np.concatenate(
        [vectors[part - start] for vectors, part, start in zip(found, parts, starts, strict=True)]
    )


@dataclass
class BagOfWords:
    """Visual words of a collection.

    Attributes
    ----------
    counts
        Images x words.
    halves
        The same counts for the left and the right half of each image, for label-free judgement.
    """

    counts: np.ndarray
    halves: tuple[np.ndarray, np.ndarray]


def bag_of_visual_words(
    images: Sequence[np.ndarray],
    extract: Extractor,
    *,
    words: int,
    seed_names: tuple[str, ...],
    train: np.ndarray | None = None,
    sample_size: int = 100_000,
) -> BagOfWords:
    """Cluster a random sample of descriptors and count the nearest words of each image.

    Parameters
    ----------
    images
        Grey images.
    extract
        Where and how descriptors are taken.
    words
        Size of the vocabulary.
    seed_names
        Names of the random stream (see :mod:`multiview.seeding`).
    train
        Which images the vocabulary may be learned from; default all.
    sample_size
        Number of descriptors clustered.
    """
    found = [extract(image) for image in images]
    pool = range(len(images)) if train is None else [int(i) for i in np.flatnonzero(train)]
    sample = _sample([found[i][0] for i in pool], sample_size, generator(*seed_names, "sample"))
    centres = codebook(sample, words, integer_seed(*seed_names, "codebook"))
    counts = np.zeros((len(images), words), dtype=np.int64)
    left = np.zeros_like(counts)
    with threadpool_limits(1):
        for i, (vectors, places) in enumerate(found):
            index = nearest_words(vectors, centres)
            counts[i] = np.bincount(index, minlength=words)
            west = places[:, 0] < images[i].shape[1] / 2
            left[i] = np.bincount(index[west], minlength=words)
    return BagOfWords(counts, (left, counts - left))


def half_retrieval(bag: BagOfWords) -> float:
    """Score a vocabulary without labels: does an image's left half find its right half?

    Both halves are made square-rooted distributions (Hellinger); each left half ranks all right
    halves by their inner product. Returned is the mean reciprocal rank of the image's own right
    half, which is high when the words tell one scene from another and occur all over it.
    """
    west, east = (np.sqrt(h / np.maximum(h.sum(axis=1, keepdims=True), 1)) for h in bag.halves)
    rank = np.empty(len(west))
    with threadpool_limits(1):
        for start in range(0, len(west), 512):
            stop = min(start + 512, len(west))
            similarity = west[start:stop] @ east.T
            own = similarity[np.arange(stop - start), np.arange(start, stop)]
            rank[start:stop] = (similarity > own[:, None]).sum(axis=1) + 1
    return float(np.mean(1.0 / rank))


def visual_words(
    pictures: Sequence[bytes], *, train: np.ndarray, words: int, seed_names: tuple[str, ...]
) -> sp.csr_matrix:
    """Count SIFT words of encoded images, clustering the training images' descriptors alone.

    Images are scaled down to at most 320 pixels on the longer side; descriptors on a grid of
    step 10 with cells of 4 and 8 pixels.
    """
    shrunk = []
    for number, content in enumerate(pictures):
        image = grey(decode(content, f"image {number}"))
        scale = 320 / max(image.shape)
        if scale < 1:
            size = tuple(max(1, round(s * scale)) for s in reversed(image.shape))
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
        shrunk.append(image)
    bag = bag_of_visual_words(
        shrunk, DenseSift(((4, 10), (8, 10))), words=words, seed_names=seed_names, train=train
    )
    return sp.csr_matrix(bag.counts.astype(np.float64))
