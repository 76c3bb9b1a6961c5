import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from reproduction.data import archives
from reproduction.data.archives import (
    ArchiveError,
    Limits,
    check_archive,
    gunzip_bytes,
    is_archive,
    read_members,
)

FILES = {"set/a.txt": b"alpha\n" * 50, "set/b/c.bin": bytes(range(256)), "set/empty": b""}


def make_tar(path, files=FILES, extra=(), mode="w:gz"):
    with tarfile.open(path, mode) as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        for info in extra:
            tar.addfile(info)
    return path


def make_zip(path, files=FILES):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def link(name, target, kind=tarfile.SYMTYPE):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


def left_over(tmp_path, *known):
    return sorted(p.name for p in tmp_path.iterdir() if p.name not in known)


@pytest.mark.parametrize(
    ("name", "mode"),
    [("x.tar", "w"), ("x.tgz", "w:gz"), ("x.tar.gz", "w:gz"), ("x.tar.bz2", "w:bz2"),
     ("x.tar.xz", "w:xz")],
)  # fmt: skip
def test_tar_round_trip(tmp_path, name, mode):
    path = make_tar(tmp_path / name, mode=mode)
    assert is_archive(path)
    assert read_members(path) == FILES
    assert check_archive(path) == 3


@pytest.mark.parametrize("name", ["x.zip", "x.whl"])
def test_zip_round_trip_and_selection(tmp_path, name):
    path = make_zip(tmp_path / name)
    assert read_members(path) == FILES
    assert read_members(path, select=lambda n: n.endswith(".bin")) == {
        "set/b/c.bin": FILES["set/b/c.bin"]
    }


def test_plain_gz_is_no_archive_but_is_read(tmp_path):
    path = tmp_path / "mfeat-fac.gz"
    path.write_bytes(gzip.compress(b"1 2 3\n" * 100))
    assert not is_archive(path)
    assert gunzip_bytes(path) == b"1 2 3\n" * 100
    with pytest.raises(ArchiveError, match="no archive"):
        read_members(path)


HOSTILE = {
    "absolute": ("/etc/passwd", "absolute path"),
    "parent": ("set/../../evil", "parent folder"),
    "plain_parent": ("../evil", "parent folder"),
    "windows": ("..\\evil", "parent folder"),
    "drive": ("C:/evil", "absolute path"),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("make", [make_tar, make_zip])
def test_names_that_leave_the_folder_are_refused(tmp_path, make, case):
    name, message = HOSTILE[case]
    path = tmp_path / ("x.tgz" if make is make_tar else "x.zip")
    make(path, {"set/good": b"x", name: b"evil"})
    for select in (None, lambda member: member == "set/good"):
        with pytest.raises(ArchiveError, match=message):
            read_members(path, select=select)
    assert left_over(tmp_path, path.name) == []


@pytest.mark.parametrize(
    "info",
    [link("set/l", "/etc/passwd"), link("set/l", "../../evil"), link("l", "set/../../evil"),
     link("set/l", "../evil", tarfile.LNKTYPE)],
)  # fmt: skip
def test_links_out_are_refused(tmp_path, info):
    path = make_tar(tmp_path / "x.tgz", extra=[info])
    with pytest.raises(ArchiveError, match="link out of the archive"):
        read_members(path)
    assert left_over(tmp_path, "x.tgz") == []


def test_links_inside_are_left_out(tmp_path):
    path = make_tar(tmp_path / "x.tgz", extra=[link("set/l", "a.txt")])
    assert read_members(path) == FILES


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_devices_are_refused(tmp_path, kind):
    info = tarfile.TarInfo("set/dev")
    info.type = kind
    with pytest.raises(ArchiveError, match="device or pipe"):
        read_members(make_tar(tmp_path / "x.tgz", extra=[info]))


def test_zip_links_are_refused(tmp_path):
    path = tmp_path / "x.zip"
    info = zipfile.ZipInfo("set/l")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(ArchiveError, match="link or device"):
        read_members(path)
    assert left_over(tmp_path, "x.zip") == []


@pytest.mark.parametrize("name", ["x.tgz", "x.zip", "x.tar"])
def test_truncated_archives_are_refused_at_any_cut(tmp_path, rng, name):
    files = {f"set/{i}": rng.bytes(3000) for i in range(20)}
    whole = tmp_path / name
    make = make_zip if name.endswith("zip") else make_tar
    if name == "x.tar":
        make_tar(whole, files, mode="w")
    else:
        make(whole, files)
    content = whole.read_bytes()
    cuts = [*rng.integers(1, int(0.8 * len(content)), size=4), 3584 * 3, 200]
    for cut in cuts:
        path = tmp_path / f"cut-{name}"
        path.write_bytes(content[: int(cut)])
        with pytest.raises(ArchiveError, match=r"truncated|damaged"):
            read_members(path)
        assert left_over(tmp_path, name, path.name) == []


def test_truncated_gz_leaves_nothing(tmp_path, rng):
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(rng.bytes(5000))[:-300])
    with pytest.raises(ArchiveError, match=r"x\.gz is truncated or damaged"):
        gunzip_bytes(path)
    assert left_over(tmp_path, "x.gz") == []


@pytest.mark.parametrize("make", [make_tar, make_zip])
def test_limits(tmp_path, make):
    path = tmp_path / ("x.tgz" if make is make_tar else "x.zip")
    make(path, {f"f{i}": b"x" * 100 for i in range(30)})
    with pytest.raises(ArchiveError, match="more than 10 members"):
        read_members(path, limits=Limits(members=10))
    with pytest.raises(ArchiveError, match="more than 1000 bytes"):
        read_members(path, limits=Limits(bytes=1000))
    assert left_over(tmp_path, path.name) == []


def test_a_bomb_is_refused_by_its_ratio(tmp_path):
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", compresslevel=9) as stream:
        for _ in range(80):
            stream.write(b"\0" * (1 << 20))
    with pytest.raises(ArchiveError, match="500 times its size"):
        gunzip_bytes(path, limits=Limits(ratio=500))
    assert left_over(tmp_path, "bomb.gz") == []


@pytest.mark.parametrize("ending", ["tar.bz2", "tar.xz", "tar.gz"])
def test_a_bomb_without_members_is_refused(tmp_path, ending):
    """Zeros after the end mark belong to no member, and count all the same."""
    packers = {"tar.bz2": bz2.BZ2File, "tar.xz": lzma.LZMAFile, "tar.gz": gzip.GzipFile}
    path = tmp_path / f"bomb.{ending}"
    with packers[ending](path, "wb") as stream:
        for _ in range(80):
            stream.write(b"\0" * (1 << 20))
    with pytest.raises(ArchiveError, match="500 times its size"):
        read_members(path, limits=Limits(ratio=500))


def test_plain_names_are_what_the_slow_way_makes_of_them(rng):
    """Most names are taken as they are: each must be one the other way would not change."""
    plain = 0
    for _ in range(5000):
        name = "".join(rng.choice(list("ab7_.+-/\\: \0\né"), int(rng.integers(1, 9))))
        if archives._PLAIN_NAME.fullmatch(name):
            plain += 1
            assert archives._mended_name(Path("x.zip"), name) == name
    assert plain > 100
    assert archives._PLAIN_NAME.fullmatch("20news-bydate-train/comp.os.ms-windows.misc/10000")
