"""Archives of any address: read into memory, and whatever is wrong with one is said by name."""

import gzip
import io
import stat
import tarfile
import zipfile

import pytest

from reproduction.data.archives import ArchiveError, gunzip, is_archive, read_members

FILES = {"set/a.txt": b"alpha\n" * 50, "set/b/c.bin": bytes(range(256)), "set/empty": b""}


def make(path, files=FILES, extra=()):
    if path.suffix in (".zip", ".whl"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return path
    with tarfile.open(path, f"w:{path.suffix[1:].replace('tgz', 'gz').replace('tar', '')}") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        for info in extra:
            tar.addfile(info)
    return path


def special(kind, target=""):
    info = tarfile.TarInfo("set/x")
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    "name", ["x.tar", "x.tgz", "x.tar.gz", "x.tar.bz2", "x.tar.xz", "x.zip", "x.whl"]
)
def test_members_are_read_as_they_were_packed(tmp_path, name):
    path = make(tmp_path / name)
    assert is_archive(path)
    assert read_members(path) == FILES
    assert list(read_members(path, lambda n: n.endswith(".bin"))) == ["set/b/c.bin"]


@pytest.mark.parametrize("name", ["/etc/passwd", "set/../../evil", "..\\evil", "C:/evil"])
@pytest.mark.parametrize("packed", ["x.tgz", "x.zip"])
def test_names_that_leave_the_folder_are_refused(tmp_path, packed, name):
    path = make(tmp_path / packed, {"set/good": b"x", name: b"evil"})
    with pytest.raises(ArchiveError, match=f"{packed} is damaged or refused"):
        read_members(path, lambda member: member == "set/good")


@pytest.mark.parametrize(
    "info",
    [special(tarfile.SYMTYPE, "/etc/passwd"), special(tarfile.SYMTYPE, "../../evil"),
     special(tarfile.LNKTYPE, "../evil"), special(tarfile.CHRTYPE), special(tarfile.FIFOTYPE)],
)  # fmt: skip
def test_links_out_and_devices_are_refused(tmp_path, info):
    with pytest.raises(ArchiveError, match=r"x\.tgz is damaged or refused"):
        read_members(make(tmp_path / "x.tgz", extra=[info]))


def test_zip_links_are_refused(tmp_path):
    info = zipfile.ZipInfo("set/l")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(ArchiveError, match="link or device"):
        read_members(tmp_path / "x.zip")


@pytest.mark.parametrize("name", ["x.tgz", "x.zip", "x.gz"])
def test_cut_archives_are_refused(tmp_path, rng, name):
    files = {f"set/{i}": rng.bytes(3000) for i in range(20)}
    path = tmp_path / name
    content = gzip.compress(rng.bytes(5000)) if name == "x.gz" else make(path, files).read_bytes()
    for cut in rng.integers(0, int(0.8 * len(content)), size=5):
        path.write_bytes(content[:cut])
        with pytest.raises(ArchiveError, match=rf"{name} is damaged or refused"):
            gunzip(path.read_bytes(), name) if name == "x.gz" else read_members(path)


@pytest.mark.parametrize("name", ["x.tgz", "x.zip"])
def test_only_what_is_taken_out_counts_against_the_limit(tmp_path, name):
    path = make(tmp_path / name, {"bomb": bytes(1 << 20), "small": b"x"})
    with pytest.raises(ArchiveError, match="1000 bytes"):
        read_members(path, most=1000)
    assert read_members(path, lambda member: member == "small", most=1000) == {"small": b"x"}
