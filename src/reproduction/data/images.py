"""Image features: RGB histogram, local binary patterns, bags of SIFT words.

One image is described on one thread and samples are seeded, so the same images give the same
counts, whatever the number of threads.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np
import scipy.sparse as sp
from sklearn.cluster import MiniBatchKMeans
from threadpoolctl import threadpool_limits

from manyviews.seeding import generator, integer_seed
from reproduction.data.errors import ReadError


class Descriptors(NamedTuple):
    """Descriptors of one image."""

    #: n x 128 unsigned bytes for each channel that was described.
    vectors: np.ndarray
    #: Where they sit, n x 2: x, y.
    places: np.ndarray
    #: Cell size in pixels on a grid, 0 at key points.
    cells: np.ndarray
    #: Width of the image.
    width: int

    def of_cell(self, cell: int) -> "Descriptors":
        """Return the descriptors of one cell size."""
        kept = self.cells == cell
        return Descriptors(self.vectors[kept], self.places[kept], self.cells[kept], self.width)


#: Pairs of cell size and step in pixels.
Grids = tuple[tuple[int, int], ...]
_CELLS = 4
#: A patch whose mean gradient (grey levels per pixel) is below this is flat: noise, not structure.
FLAT = 0.5


def each(function: Callable[[Any], Any], items: Sequence[Any], threads: int = 1) -> list[Any]:
    """Apply a function to every item, on several threads; OpenCV and BLAS let others compute."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, items))


def decode(content: bytes, name: str = "image") -> np.ndarray:
    """Return the image as an array of height x width x 3 (blue, green, red)."""
    image = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ReadError(f"{name} is no picture that can be decoded; fetch it again")
    return np.asarray(image)


def decoded(content: bytes) -> dict[str, np.ndarray]:
    """Do the same in a process apart, for pictures that nobody has pinned."""
    return {"": decode(content)}


def grey(image: np.ndarray) -> np.ndarray:
    """Return the grey image (unsigned bytes)."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def opponent(image: np.ndarray) -> list[np.ndarray]:
    """Return the opponent channels (van de Sande et al. 2010) stretched over unsigned bytes."""
    blue, green, red = (image[..., channel].astype(np.float64) for channel in range(3))
    yellow = red + green
    stretched = ((red - green + 255) / 2, (yellow - 2 * blue + 510) / 4, (yellow + blue) / 3)
    return [np.rint(channel).astype(np.uint8) for channel in stretched]


def rgb_histogram(image: np.ndarray) -> np.ndarray:
    """Count pixels by colour: bin ``36 r + 6 g + b``, each channel ``6 * v // 256``."""
    index = image.astype(np.int64) * 6 // 256 @ [1, 6, 36]
    return np.bincount(index.ravel(), minlength=216)


def lbp_histogram(image: np.ndarray) -> np.ndarray:
    """Count local binary patterns; bits of bright neighbours, clockwise from the top left."""
    centre = image[1:-1, 1:-1]
    height, width = image.shape
    offsets = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
    code = np.zeros(centre.shape, dtype=np.int64)
    for bit, (dy, dx) in enumerate(offsets):
        neighbour = image[dy : height - 2 + dy, dx : width - 2 + dx]
        code |= (neighbour >= centre).astype(np.int64) << bit
    return np.bincount(code.ravel(), minlength=256)


@cache
def _key_points(
    shape: tuple[int, ...], grids: Grids
) -> tuple[list[cv2.KeyPoint], list[np.ndarray]]:
    """Return the key points of all grids, and the centres (x, y) of each: images share shapes."""
    points: list[cv2.KeyPoint] = []
    places: list[np.ndarray] = []
    for cell, step in grids:
        side = _CELLS * cell
        rows, columns = (
            np.arange((size - side) % step // 2 + side // 2, size - side // 2 + 1, step)
            for size in shape
        )
        places.append(
            np.stack([np.tile(columns, len(rows)), np.repeat(rows, len(columns))], axis=1)
        )
        points += [
            cv2.KeyPoint(float(x), float(y), 2 * cell / 3, 0.0, 0.0, 0) for x, y in places[-1]
        ]
    return points, places


def dense_sift(image: np.ndarray, grids: Grids) -> Descriptors:
    """Return OpenCV's SIFT descriptors, upright, on grids: pairs of (cell size, step) in pixels.

    OpenCV makes a cell 1.5 key-point sizes wide, so patches of 4 x 4 cells of ``cell`` pixels are
    key points of size ``2 * cell / 3``, taken in the first octave without enlarging the image.
    Flat patches (see :data:`FLAT`) get the zero descriptor, hence a word of their own, in place of
    amplified noise.
    """
    cv2.setNumThreads(1)
    points, places = _key_points(image.shape, grids)
    levels = image.astype(np.float32)
    right, down = (
        cv2.Sobel(levels, cv2.CV_32F, *along, ksize=1, scale=0.5) for along in ((1, 0), (0, 1))
    )
    gradient = cv2.magnitude(right, down)
    cells, flat = [], []
    for (cell, _), at in zip(grids, places, strict=True):
        strength = np.asarray(cv2.boxFilter(gradient, -1, (_CELLS * cell, _CELLS * cell)))
        # the last patch may be centred on the image's edge
        nearest = np.minimum(at[:, ::-1], np.array(image.shape) - 1)
        flat.append(strength[nearest[:, 0], nearest[:, 1]] < FLAT)
        cells.append(np.full(len(at), cell))
    # one layer an octave is all that key points of the first layer need
    finder = cv2.SIFT_create(nOctaveLayers=1)  # type: ignore[attr-defined]
    _, vectors = finder.compute(image, points)
    descriptors = np.rint(vectors).astype(np.uint8)
    descriptors[np.concatenate(flat)] = 0
    at = np.concatenate(places).astype(np.float64)
    return Descriptors(descriptors, at, np.concatenate(cells), image.shape[1])


def keypoint_sift(image: np.ndarray) -> Descriptors:
    """Return OpenCV's SIFT at difference-of-Gaussian key points; there may be none."""
    cv2.setNumThreads(1)
    detector = cv2.SIFT_create(contrastThreshold=0.02)  # type: ignore[attr-defined]
    points, vectors = detector.detectAndCompute(image, None)
    if vectors is None:
        vectors = np.zeros((0, 128))
    # OpenCV may list points in another order on another machine; counts must not care.
    return Descriptors(
        np.rint(vectors).astype(np.uint8),
        np.array([p.pt for p in points]).reshape(-1, 2),
        np.zeros(len(points), dtype=np.int64),
        image.shape[1],
    )


def opponent_sift(image: np.ndarray, grids: Grids) -> Descriptors:
    """Return SIFT on the three opponent channels of a colour image, side by side."""
    found = [dense_sift(channel, grids) for channel in opponent(image)]
    return found[0]._replace(vectors=np.hstack([channel.vectors for channel in found]))


def _sample(found: Sequence[np.ndarray], size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw descriptors of all images without replacement, in image order."""
    ends = np.cumsum([0, *map(len, found)])
    total = int(ends[-1])
    chosen = np.sort(rng.choice(total, size=min(size, total), replace=False))
    parts = np.split(chosen, np.searchsorted(chosen, ends[1:-1]))
    return np.concatenate(
        [vectors[part - start] for vectors, part, start in zip(found, parts, ends, strict=False)]
    )


def bag_of_visual_words(
    found: Sequence[Descriptors],
    *,
    words: int,
    seed_names: tuple[str, ...],
    train: np.ndarray | None = None,
    sample_size: int = 100_000,
    threads: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """Cluster random descriptors; count the nearest words of each image, and of its left half.

    The vocabulary is learned from the images in ``train`` (default all); counts do not depend on
    ``threads``.
    """
    pool = range(len(found)) if train is None else [int(i) for i in np.flatnonzero(train)]
    sample = _sample(
        [found[i].vectors for i in pool], sample_size, generator(*seed_names, "sample")
    )
    seed = integer_seed(*seed_names, "codebook")
    means = MiniBatchKMeans(
        words, random_state=seed, batch_size=4096, n_init=1, max_iter=20, init_size=3 * words
    )
    with threadpool_limits(1):
        means.fit(sample.astype(np.float32))
    centres = np.asarray(means.cluster_centers_, dtype=np.float32)
    offset = 0.5 * np.einsum("ij,ij->i", centres, centres)

    def count(image: Descriptors) -> tuple[np.ndarray, np.ndarray]:
        # the nearest centre c of a descriptor v has the largest v.c - |c|^2 / 2
        index = (image.vectors.astype(np.float32) @ centres.T - offset).argmax(axis=1)
        west = image.places[:, 0] < image.width / 2
        return np.bincount(index, minlength=words), np.bincount(index[west], minlength=words)

    with threadpool_limits(1):
        counts, left = map(np.array, zip(*each(count, found, threads), strict=True))
    return counts, left


def half_retrieval(left: np.ndarray, right: np.ndarray) -> float:
    """Score a vocabulary without labels: does an image's left half find its right half?

    Left halves rank all right halves by the inner product of square-rooted distributions
    (Hellinger); the score is the mean reciprocal rank of the image's own right half.
    """
    west, east = (np.sqrt(h / np.maximum(h.sum(axis=1, keepdims=True), 1)) for h in (left, right))
    rank = np.empty(len(west))
    with threadpool_limits(1):
        for start in range(0, len(west), 512):
            stop = min(start + 512, len(west))
            similarity = west[start:stop] @ east.T
            own = similarity[np.arange(stop - start), np.arange(start, stop)]
            rank[start:stop] = (similarity > own[:, None]).sum(axis=1) + 1
    return float(np.mean(1.0 / rank))


def visual_words(
    pictures: Iterable[np.ndarray], *, train: np.ndarray, words: int, seed_names: tuple[str, ...]
) -> sp.csr_matrix:
    """Count SIFT words of images of at most 320 pixels, clustering the training images' alone."""
    found = []
    for picture in pictures:
        image = grey(picture)
        scale = 320 / max(image.shape)
        if scale < 1:
            size = tuple(max(1, round(s * scale)) for s in reversed(image.shape))
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
        found.append(dense_sift(image, ((4, 10), (8, 10))))
    counts, _ = bag_of_visual_words(found, words=words, seed_names=seed_names, train=train)
    return sp.csr_matrix(counts.astype(np.float64))
