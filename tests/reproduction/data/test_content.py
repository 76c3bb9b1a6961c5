"""Folders kept as one archive: what was written is read, and damage is seen."""

import zipfile

import pytest

from reproduction.data.content import describe, difference, read_content, write_content

NAME = "messages/"


def some_files(rng):
    """Return files with short, empty and nested names and contents."""
    names = [f"{group}/{'x' * int(rng.integers(1, 90))}{i}" for group in "ab" for i in range(6)]
    return {name: rng.bytes(int(rng.choice([0, 1, 70, 4000]))) for name in names}


def slowly(path):
    """Read an archive as :class:`zipfile.ZipFile` does, member by member; None if it cannot."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {n.removeprefix(NAME): archive.read(n) for n in archive.namelist()}
    except Exception:  # damaged archives raise almost anything
        return None


@pytest.fixture
def stored(tmp_path, rng):
    """A folder that was written, and its one archive."""
    files = some_files(rng)
    write_content(tmp_path, NAME, files)
    return files, tmp_path / "messages.zip"


def test_what_was_written_is_read(stored):
    files, path = stored
    assert read_content(path.parent, NAME) == slowly(path) == files


def test_bytes_in_front_and_further_fields_do_no_harm(stored, rng):
    files, path = stored
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(NAME + name)
            info.extra = b"\x99\x99\x04\x00" + rng.bytes(4)
            archive.writestr(info, content)
    path.write_bytes(rng.bytes(37) + path.read_bytes())
    assert read_content(path.parent, NAME) == slowly(path) == files


def test_a_packed_archive_is_not_ours(stored):
    files, path = stored
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(NAME + name, content)
    assert read_content(path.parent, NAME) is None


def test_damage_is_seen(tmp_path, rng):
    """Whatever byte is changed or cut: no error, and what is read is refused or still right."""
    files = {f"a/{i}": rng.bytes(i) for i in range(4)}
    write_content(tmp_path, NAME, files)
    path, wanted = tmp_path / "messages.zip", describe(files)
    whole = path.read_bytes()
    for place in [*range(len(whole))] * 2:
        spoilt = bytearray(whole)
        spoilt[place] ^= int(rng.integers(1, 256))
        path.write_bytes(spoilt[:place] if rng.random() < 0.2 else spoilt)
        found, slow = read_content(tmp_path, NAME), slowly(path)
        if found is not None and slow is not None:
            assert found == slow
        if found is not None and found != files:
            assert difference(wanted, found)


def test_no_archive_at_all(tmp_path):
    assert read_content(tmp_path, NAME) is None
    (tmp_path / "messages.zip").write_bytes(b"no archive")
    assert read_content(tmp_path, NAME) is None
