import json

import pytest

from reproduction.files import write_json


def test_json_is_sorted_and_refuses_nan(tmp_path):
    write_json(tmp_path / "a.json", {"b": 1, "a": [1.5]})
    assert list(json.loads((tmp_path / "a.json").read_text())) == ["a", "b"]
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "b.json", {"a": float("nan")})
    assert not (tmp_path / "b.json").exists()
