import itertools
from functools import partial

import cv2
import numpy as np
import pytest

from reproduction.data import images


def noise(seed, height=64, width=72):
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, size=(height // 4, width // 4), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))


def test_rgb_histogram_bins():
    image = np.zeros((1, 3, 3), dtype=np.uint8)
    image[0, 1] = (255, 0, 0)
    image[0, 2] = (0, 43, 255)
    counts = images.rgb_histogram(image)
    assert counts.sum() == 3
    # blue is the last digit, red the first: 5, then 36 * 5 + 6 * 1
    assert counts[[0, 5, 186]].tolist() == [1, 1, 1]


def test_opponent_channels_of_pure_colours():
    # blue, green, red; grey is in the middle of both colour channels
    image = np.array([[(0, 0, 255), (0, 255, 0), (255, 0, 0), (90, 90, 90)]], dtype=np.uint8)
    against_green, against_blue, light = images.opponent(image)
    assert against_green[0].tolist() == [255, 0, 128, 128]
    assert against_blue[0].tolist() == [191, 191, 0, 128]
    assert light[0].tolist() == [85, 85, 85, 90]


def test_opponent_sift_describes_each_channel_where_grey_sift_does(rng):
    image = np.dstack([noise(int(seed)) for seed in rng.integers(0, 1000, 3)])
    plain = partial(images.dense_sift, grids=((4, 8),))
    found = images.opponent_sift(image, ((4, 8),))
    grey = plain(images.grey(image))
    assert np.array_equal(found.places, grey.places)
    for place, channel in enumerate(images.opponent(image)):
        part = found.vectors[:, 128 * place : 128 * (place + 1)]
        assert np.array_equal(part, plain(channel).vectors)
    flat = images.opponent_sift(np.dstack([noise(1)] * 3), ((4, 8),))  # grey: nothing to describe
    assert not flat.vectors[:, :256].any()


def test_lbp_against_a_loop():
    image = np.random.default_rng(0).integers(0, 6, size=(7, 9), dtype=np.uint8)
    expected = np.zeros(256, dtype=int)
    around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    for y in range(1, 6):
        for x in range(1, 8):
            bits = [image[y + dy, x + dx] >= image[y, x] for dy, dx in around]
            expected[sum(int(bit) << k for k, bit in enumerate(bits))] += 1
    assert np.array_equal(images.lbp_histogram(image), expected)


def slow_upright_sift(image, x, y, cell):
    """Lowe's descriptor, pixel by pixel: 4 x 4 cells, 8 orientations, trilinear, Gaussian."""
    smooth = cv2.GaussianBlur(image.astype(np.float32), (0, 0), np.sqrt(1.6**2 - 0.5**2))
    bins = np.zeros((4, 4, 8))
    reach = 3 * cell
    for dy, dx in itertools.product(range(-reach, reach + 1), repeat=2):
        py, px = y + dy, x + dx
        if not (0 < px < image.shape[1] - 1 and 0 < py < image.shape[0] - 1):
            continue
        row, column = dy / cell + 1.5, dx / cell + 1.5
        if not (-1 < row < 4 and -1 < column < 4):
            continue
        gx = smooth[py, px + 1] - smooth[py, px - 1]
        gy = smooth[py - 1, px] - smooth[py + 1, px]
        weight = np.hypot(gx, gy) * np.exp(-((dy / cell) ** 2 + (dx / cell) ** 2) / 8)
        turn = (np.arctan2(gy, gx) % (2 * np.pi)) * 8 / (2 * np.pi)
        parts = [int(np.floor(v)) for v in (row, column, turn)]
        shares = [v - p for v, p in zip((row, column, turn), parts, strict=True)]
        for corner in itertools.product((0, 1), repeat=3):
            r, c, o = (p + k for p, k in zip(parts, corner, strict=True))
            if 0 <= r < 4 and 0 <= c < 4:
                share = np.prod([s if k else 1 - s for s, k in zip(shares, corner, strict=True)])
                bins[r, c, o % 8] += weight * share
    vector = bins.ravel() / np.linalg.norm(bins)
    vector = np.minimum(vector, 0.2)
    return vector / np.linalg.norm(vector)


def test_grid_descriptors_have_the_stated_patch_size(rng):
    texture = cv2.GaussianBlur(rng.integers(0, 256, (64, 80)).astype(np.float32), (0, 0), 2)
    image = cv2.normalize(texture, None, 0, 255, cv2.NORM_MINMAX).astype(np.uint8)
    cell = 4
    found, places, _, _ = images.dense_sift(image, ((cell, 8),))
    for vector, (x, y) in list(zip(found, places, strict=True))[::7]:
        expected = slow_upright_sift(image, int(x), int(y), cell)
        cosine = vector @ expected / np.linalg.norm(vector)
        assert cosine > 0.97


def test_flat_patches_get_the_zero_descriptor():
    image = np.full((40, 40), 90, dtype=np.uint8)
    image[::2, ::2] += 1
    found, places, _, _ = images.dense_sift(image, ((4, 8),))
    assert not found.any()
    assert len(places) == len(found) == 16


def test_bag_counts_every_descriptor_and_repeats():
    pictures = [noise(seed) for seed in range(4)]
    found = [images.dense_sift(picture, ((3, 8), (4, 8))) for picture in pictures]

    def bag():
        return images.bag_of_visual_words(found, words=10, seed_names=("test",))

    counts, left = bag()
    assert counts.sum(axis=1).tolist() == [len(image.vectors) for image in found]
    west = [(image.places[:, 0] < 36).sum() for image in found]
    assert left.sum(axis=1).tolist() == west
    assert (left <= counts).all()
    assert np.array_equal(bag(), (counts, left))


def test_vocabulary_is_learned_from_training_images_alone():
    pictures = [noise(seed) for seed in range(3)]
    train = np.array([True, True, False])

    def counts(last):
        found = [images.dense_sift(picture, ((4, 6),)) for picture in (*pictures[:2], last)]
        return images.bag_of_visual_words(found, words=6, seed_names=("test",), train=train)[0][:2]

    assert np.array_equal(counts(pictures[2]), counts(255 - pictures[0]))


def test_half_retrieval_is_one_for_perfect_halves_and_low_for_shuffled_ones():
    half = np.eye(50, dtype=int) * 7
    assert images.half_retrieval(half, half) == 1.0
    assert images.half_retrieval(half, np.roll(half, 1, axis=0)) < 0.6


def test_damaged_image_is_named():
    with pytest.raises(ValueError, match=r"train/7\.jpeg is no picture"):
        images.decode(b"\xff\xd8\xff not an image", "train/7.jpeg")
