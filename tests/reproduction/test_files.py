import os

import pytest

from reproduction.files import write_json


@pytest.mark.parametrize("mask", [0o002, 0o022, 0o077])
def test_rights_of_a_written_file_follow_the_umask(mask, tmp_path):
    before = os.umask(mask)
    try:
        write_json(tmp_path / "a.json", {})
    finally:
        os.umask(before)
    assert (tmp_path / "a.json").stat().st_mode & 0o777 == 0o666 & ~mask
