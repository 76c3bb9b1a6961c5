import cv2
import numpy as np
import pytest

from reproduction.data.builders import corel


def photographs(ids):
    members, lines = {}, {"train": "", "test": ""}
    for number in ids:
        rng = np.random.default_rng(number)
        coarse = rng.integers(0, 256, size=(16, 24, 3), dtype=np.uint8)
        image = cv2.resize(coarse, (96, 64), interpolation=cv2.INTER_CUBIC)
        part = "test" if number % 1000 == 9 else "train"
        members[f"{part}/{number}.jpeg"] = cv2.imencode(".jpeg", image)[1].tobytes()
        lines[part] += f"{number} 3 4\r\n"
    return {"corel5k_images.zip": members, "labels/training_label": lines["train"],
            "labels/test_label": lines["test"]}  # fmt: skip


def test_corel_views(made, tmp_path):
    files = photographs([12000, 1005, 1009, 12009, 296001])
    data = made(corel.build_corel5k, files, words=7)
    assert data.ids == ["1005", "1009", "12000", "12009", "296001"]
    assert data.class_names == ["1", "12", "296"]
    assert data.labels.tolist() == [0, 0, 1, 1, 2]
    assert data.rows["is_test"].tolist() == [False, True, False, True, False]
    sizes = {name: view.shape[1] for name, view in data.views.items()}
    words = dict.fromkeys([*corel.CONSTRUCTIONS, corel.OPPONENT], 7)
    assert sizes == {"rgb": 216, "sift": 7, "lbp": 256} | words
    assert (data.views[corel.OPPONENT] != data.views["sift_dense"]).nnz  # colour adds something
    assert corel.OPPONENT not in data.provenance["sift"]["half_retrieval"]  # and is never chosen
    scores = data.provenance["sift"]["half_retrieval"]
    chosen = data.provenance["sift"]["chosen"]
    assert scores[chosen] == max(scores.values())
    assert (data.views["sift"] != data.views[chosen]).nnz == 0
    data.save(tmp_path / "1.npz")
    for threads in (1, 3):  # again, and on several threads
        made(corel.build_corel5k, files, words=7, threads=threads).save(tmp_path / "2.npz")
        assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()


def test_the_first_photographs_of_each_group(made):
    files = photographs([12000, 1005, 1009, 1001, 12009, 296001])
    data = made(corel.build_corel5k, files, words=7, photographs=2)
    assert data.ids == ["1001", "1005", "12000", "12009", "296001"]


def test_nus_wide_draws_images_of_one_category(made):
    arrays = {
        "rgb": np.ones((20, 216)), "sift": np.ones((20, 500)), "lbp": np.ones((20, 256)),
        "label": np.array([0, 1, -1, 1] * 5), "class_names": np.array(["bear", "toy"]),
    }  # fmt: skip
    data = made(corel.build_nus_wide, {"nus_wide.npz": arrays})
    assert data.n_rows == 3
    assert not {int(i) % 4 for i in data.ids} & {2}
    arrays["lbp"] = -arrays["lbp"]
    with pytest.raises(ValueError, match="negative"):
        made(corel.build_nus_wide, {"nus_wide.npz": arrays})
