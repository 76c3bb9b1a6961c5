import cv2
import numpy as np
import pytest

from multiview.datasets import images


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


def test_lbp_against_a_loop():
    image = np.random.default_rng(0).integers(0, 6, size=(7, 9), dtype=np.uint8)
    expected = np.zeros(256, dtype=int)
    around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    for y in range(1, 6):
        for x in range(1, 8):
            bits = [image[y + dy, x + dx] >= image[y, x] for dy, dx in around]
            expected[sum(int(bit) << k for k, bit in enumerate(bits))] += 1
    assert np.array_equal(images.lbp_histogram(image), expected)


def test_dense_sift_agrees_with_opencv():
    image, cell, step = noise(1), 6, 8
    found, places = images.dense_sift(image, cell, step)
    points = [cv2.KeyPoint(x - 0.5, y - 0.5, cell * 2 / 3, 0) for x, y in places]
    _, theirs = cv2.SIFT_create().compute(image, points)
    ours = found / np.linalg.norm(found.astype(float), axis=1, keepdims=True)
    theirs = theirs / np.linalg.norm(theirs, axis=1, keepdims=True)
    # Not the same rounding, nor the same weight inside a cell; shuffled, the cosine is 0.5.
    assert (ours * theirs).sum(axis=1).mean() > 0.9
    assert (ours * theirs[::-1]).sum(axis=1).mean() < 0.75


def test_flat_patches_get_the_zero_descriptor():
    image = np.full((40, 40), 90, dtype=np.uint8)
    image[::2, ::2] += 1
    found, places = images.dense_sift(image, 4, 8)
    assert not found.any()
    assert len(places) == len(found) == 16
    with pytest.raises(ValueError, match="no patch of 64 x 64"):
        images.dense_sift(image, 16, 8)


def test_key_points_may_be_none():
    vectors, places = images.KeypointSift()(np.full((40, 40), 90, dtype=np.uint8))
    assert vectors.shape == (0, 128)
    assert places.shape == (0, 2)


def test_bag_counts_every_descriptor_and_repeats(monkeypatch):
    pictures = [noise(seed) for seed in range(4)]
    extract = images.DenseSift(((3, 8), (4, 8)))

    def bag():
        return images.bag_of_visual_words(pictures, extract, words=10, seed_names=("test",))

    first = bag()
    assert first.counts.sum(axis=1).tolist() == [len(extract(p)[0]) for p in pictures]
    assert np.array_equal(sum(first.halves), first.counts)
    assert np.array_equal(bag().counts, first.counts)
    with pytest.raises(ValueError, match="cannot make 100000 visual words"):
        images.bag_of_visual_words(pictures, extract, words=100_000, seed_names=("test",))


def test_vocabulary_is_learned_from_training_images_alone():
    pictures = [noise(seed) for seed in range(3)]
    extract = images.DenseSift(((4, 6),))
    train = np.array([True, True, False])

    def counts(last):
        return images.bag_of_visual_words(
            [*pictures[:2], last], extract, words=6, seed_names=("test",), train=train
        ).counts[:2]

    assert np.array_equal(counts(pictures[2]), counts(255 - pictures[0]))


def test_half_retrieval_is_one_for_perfect_halves_and_low_for_shuffled_ones():
    half = np.eye(50, dtype=int) * 7
    perfect = images.BagOfWords(2 * half, (half, half))
    assert images.half_retrieval(perfect) == 1.0
    shifted = images.BagOfWords(half, (half, np.roll(half, 1, axis=0)))
    assert images.half_retrieval(shifted) < 0.6


def test_damaged_image_is_named():
    with pytest.raises(ValueError, match=r"train/7\.jpeg is no readable image"):
        images.decode(b"\xff\xd8\xff not an image", "train/7.jpeg")
