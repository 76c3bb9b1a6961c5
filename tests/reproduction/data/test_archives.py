"""Archives of any address: read into memory, and whatever is wrong with one is said by name."""

import gzip
import io
import tarfile
import zipfile

import pytest

from reproduction.data.archives import ArchiveError, gunzip, is_archive, read_members

FILES = {"set/a.txt": b"alpha\n" * 50, "set/b/c.bin": bytes(range(256)), "set/empty": b""}


def make(path, files=FILES):
    if path.suffix in (".zip", ".whl", ".npz"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return path
    with tarfile.open(path, f"w:{path.suffix[1:].replace('tgz', 'gz').replace('tar', '')}") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        link = tarfile.TarInfo("set/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)  # which is no member
    return path


@pytest.mark.parametrize(
    "name", ["x.tar", "x.tgz", "x.tar.gz", "x.tar.bz2", "x.tar.xz", "x.zip", "x.whl", "x.npz"]
)
def test_members_are_read_as_they_were_packed(tmp_path, name):
    path = make(tmp_path / name)
    assert is_archive(path) != name.endswith("npz")
    assert read_members(path) == FILES
    assert list(read_members(path, lambda n: n.endswith(".bin"))) == ["set/b/c.bin"]
    content = path.read_bytes()
    path.unlink()
    assert read_members(path, content=content) == FILES


@pytest.mark.parametrize("name", ["/etc/passwd", "set/../../evil", "..\\evil"])
@pytest.mark.parametrize("packed", ["x.tgz", "x.zip"])
def test_names_that_leave_the_folder_are_refused(tmp_path, packed, name):
    path = make(tmp_path / packed, {"set/good": b"x", name: b"evil"})
    with pytest.raises(ArchiveError, match=f"{packed} is damaged or refused"):
        read_members(path, lambda member: member == "set/good")


@pytest.mark.parametrize("name", ["x.tgz", "x.zip", "x.gz", "x.rar"])
def test_cut_and_unknown_archives_are_refused(tmp_path, rng, name):
    files = {f"set/{i}": rng.bytes(3000) for i in range(20)}
    content = gzip.compress(rng.bytes(5000))
    if name in ("x.tgz", "x.zip"):
        content = make(tmp_path / name, files).read_bytes()
    for cut in rng.integers(0, int(0.8 * len(content)), size=5):
        part = content[:cut]
        with pytest.raises(ArchiveError, match=rf"{name} is damaged or refused"):
            gunzip(part, name) if name == "x.gz" else read_members(name, content=part)


@pytest.mark.parametrize("name", ["x.tgz", "x.zip"])
def test_only_what_is_taken_out_counts_against_the_limit(tmp_path, name):
    path = make(tmp_path / name, {"bomb": bytes(1 << 20), "small": b"x"})
    with pytest.raises(ArchiveError, match="1000 bytes"):
        read_members(path, most=1000)
    assert read_members(path, lambda member: member == "small", most=1000) == {"small": b"x"}
