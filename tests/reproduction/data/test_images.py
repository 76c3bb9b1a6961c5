from functools import partial

import cv2
import numpy as np

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


def test_lbp_against_a_loop():
    image = np.random.default_rng(0).integers(0, 6, size=(7, 9), dtype=np.uint8)
    expected = np.zeros(256, dtype=int)
    around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    for y in range(1, 6):
        for x in range(1, 8):
            bits = [image[y + dy, x + dx] >= image[y, x] for dy, dx in around]
            expected[sum(int(bit) << k for k, bit in enumerate(bits))] += 1
    assert np.array_equal(images.lbp_histogram(image), expected)


def test_a_patch_is_four_cells_wide_in_the_middle_of_the_image(rng):
    """Lowe's window of a patch of 64 pixels reaches 40 to either side, and 8 more when blurred."""
    image = noise(int(rng.integers(1000)), 160, 160)
    vectors, places, cells, width = images.dense_sift(image, ((16, 200),))
    assert (places.tolist(), cells.tolist(), width) == ([[80, 80]], [16], 160)
    for distance, same in ((49, True), (38, False)):
        for axis in (0, 1):
            other = image.swapaxes(0, axis).copy()
            other[: 80 - distance] = 0
            other[80 + distance :] = 255
            other = np.ascontiguousarray(other.swapaxes(0, axis))
            assert np.array_equal(images.dense_sift(other, ((16, 200),)).vectors, vectors) == same


def test_bag_counts_every_descriptor_and_repeats():
    found = [images.dense_sift(noise(seed), ((3, 8), (4, 8))) for seed in range(4)]
    bag = partial(images.bag_of_visual_words, found, words=10, seed_names=("test",))
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
