import json
import os

import pytest

from reproduction.files import write_json


def test_json_is_sorted_and_legible_and_refuses_nan(tmp_path):
    write_json(tmp_path / "a.json", {"b": "Müller", "a": [1.5]})
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert list(json.loads(text)) == ["a", "b"]
    assert "Müller" in text
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "b.json", {"a": float("nan")})
    assert not (tmp_path / "b.json").exists()


@pytest.mark.parametrize("mask", [0o002, 0o022, 0o077])
def test_rights_of_a_written_file_follow_the_umask(mask, tmp_path):
    before = os.umask(mask)
    try:
        write_json(tmp_path / "a.json", {})
    finally:
        os.umask(before)
    assert (tmp_path / "a.json").stat().st_mode & 0o777 == 0o666 & ~mask
