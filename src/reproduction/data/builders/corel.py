"""Photographs as three histograms: Corel5K from its images, NUS-WIDE from a user's features."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby, islice
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.seeding import generator
from reproduction.data import images
from reproduction.data.builders.raw import Parts, RawFiles, guarded

#: Descriptors clustered for each vocabulary of SIFT words: more where descriptors vary more.
#: Three ways to take them, since the papers name none: patches of 16 x 16 pixels every 8 pixels;
#: patches of 12, 16 and 24 pixels every 8 pixels; difference-of-Gaussian key points.
CONSTRUCTIONS = {"sift_dense": 100_000, "sift_multi": 150_000, "sift_dog": 100_000}
#: A further construction, which is never the chosen one: opponent colours on the first grid.
OPPONENT = "sift_opponent"
_OPPONENT_SAMPLE = 60_000
#: Cell sizes (a patch is 4 x 4 cells) and steps of the three grids.
_GRIDS = ((3, 8), (4, 8), (6, 8))
#: The lists of the original split, and whether they are the test photographs.
_LABELS = {"labels/training_label": False, "labels/test_label": True}


def build_corel5k(
    files: RawFiles,
    *,
    photographs: int | None = None,
    words: int | None = None,
    threads: int = 1,
    **_: Any,
) -> Parts:
    """Build Corel5K: ``rgb`` (216), ``lbp`` (256), SIFT words (500) in four constructions.

    The class is the Corel folder, ``id // 1000``. ``sift`` is the construction with the best
    :func:`~reproduction.data.images.half_retrieval`, which needs no labels (the scores are in
    ``provenance["sift"]``); never that of the opponent colours, no view of its own beside ``rgb``.
    Vocabularies use all photographs, test ones too, as clustering does. ``photographs`` keeps the
    first so many of each group. Counts do not depend on ``threads``.
    """
    found = files.matching(r"(?:.*/)?(?:train|test)/\d+\.jpe?g")
    number = {name: int(PurePosixPath(name).stem) for name in found}
    ordered = sorted(found, key=lambda name: number[name])
    groups = groupby(ordered, key=lambda name: number[name] // 1000)
    names = [name for _, group in groups for name in islice(group, photographs)]
    ids = np.array([number[name] for name in names])
    listed = {
        int(line.split()[0]): test for name, test in _LABELS.items() for line in files.lines(name)
    }
    colour = [images.decode(found[name], name) for name in names]
    grey = [images.grey(image) for image in colour]
    views = {
        "rgb": np.array(images.each(images.rgb_histogram, colour, threads)),
        "lbp": np.array(images.each(images.lbp_histogram, grey, threads)),
    }
    scores = {}
    for name, described in _constructions(colour, grey, threads):
        views[name], left = images.bag_of_visual_words(
            described,
            words=int(words or 500),
            seed_names=("datasets", "corel5k", name),
            sample_size=CONSTRUCTIONS.get(name, _OPPONENT_SAMPLE),
            threads=threads,
        )
        if name in CONSTRUCTIONS:
            scores[name] = round(images.half_retrieval(left, views[name] - left), 6)
    chosen = max(CONSTRUCTIONS, key=lambda name: scores[name])
    views["sift"] = views[chosen]
    folders = np.unique(ids // 1000)
    return {
        "views": {
            view: sp.csr_matrix(views[view].astype(np.float64))
            for view in ("rgb", "sift", "lbp", *CONSTRUCTIONS, OPPONENT)
        },
        "labels": np.searchsorted(folders, ids // 1000),
        "class_names": [str(folder) for folder in folders],
        "ids": [str(i) for i in ids],
        "rows": {"is_test": np.array([listed[number] for number in ids])},
        "provenance": {"sift": {"chosen": chosen, "half_retrieval": scores}},
    }


def _constructions(
    colour: list[np.ndarray], grey: list[np.ndarray], threads: int
) -> Iterator[tuple[str, list[images.Descriptors]]]:
    """Describe all photographs in each way; the single grid is one of the three."""
    yield OPPONENT, images.each(partial(images.opponent_sift, grids=_GRIDS[1:2]), colour, threads)
    described = images.each(partial(images.dense_sift, grids=_GRIDS), grey, threads)
    yield "sift_multi", described
    yield "sift_dense", [image.of_cell(4) for image in described]
    del described
    yield "sift_dog", images.each(images.keypoint_sift, grey, threads)


def build_nus_wide(files: RawFiles, **_: Any) -> Parts:
    """Build NUS-WIDE Object from a user's ``nus_wide.npz``.

    The file holds ``rgb`` (n x 216), ``sift`` (n x 500), ``lbp`` (n x 256), ``label`` (n; -1 for
    images of more than one category, which are left out) and ``class_names``. A random 20 % of the
    images is drawn, as in the paper.
    """
    name = "nus_wide.npz"
    stored = guarded("manyviews.compare.reading.parsers:npz", files.read(name), name)
    lacking = {"rgb", "sift", "lbp", "label", "class_names"} - stored.keys()
    if lacking:
        raise ValueError(f"{name} lacks {', '.join(sorted(lacking))}; add them")
    pool = np.flatnonzero(stored["label"] >= 0)
    order = generator("datasets", "nus_wide").permutation(len(pool))
    rows = np.sort(pool[order[: max(1, round(0.2 * len(pool)))]])
    views = {view: stored[view][rows].astype(np.float64) for view in ("rgb", "sift", "lbp")}
    if any(view.min() < 0 for view in views.values()):
        raise ValueError(f"{name} holds negative values; histograms have none")
    return {
        "views": {name: sp.csr_matrix(view) for name, view in views.items()},
        "labels": stored["label"][rows],
        "class_names": [str(name) for name in stored["class_names"]],
        "ids": [str(i) for i in rows],
    }
