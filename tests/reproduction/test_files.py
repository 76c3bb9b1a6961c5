import json

import pytest

from reproduction.files import atomic_path, write_json, write_text


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "a.txt"
    write_text(target, "old")

    def fail_half_way():
        with atomic_path(target) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_json_is_sorted_and_refuses_nan(tmp_path):
    write_json(tmp_path / "a.json", {"b": 1, "a": [1.5]})
    assert list(json.loads((tmp_path / "a.json").read_text())) == ["a", "b"]
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "b.json", {"a": float("nan")})
    assert not (tmp_path / "b.json").exists()
