"""Archives of any address: read into memory, and whatever is wrong with one is said by name."""

import gzip
import io
import tarfile

import pytest
import toys

from reproduction.data import archives
from reproduction.data.archives import gunzip, is_archive, read_members
from reproduction.data.errors import ReadError

FILES = {"set/a.txt": b"alpha\n" * 50, "set/b/c.bin": bytes(range(256)), "set/empty": b""}


@pytest.fixture
def packed():
    """The files as a zip archive, and as a tar archive that holds a link besides."""
    out = io.BytesIO(gzip.decompress(toys.tar_gz(FILES)))
    with tarfile.open(fileobj=out, mode="a") as archive:
        link = tarfile.TarInfo("set/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return {"x.zip": toys.zipped(FILES), "x.tgz": gzip.compress(out.getvalue())}


@pytest.mark.parametrize("name", ["x.zip", "x.tgz"])
def test_members_are_read_as_they_were_packed_up_to_a_limit(tmp_path, packed, name, monkeypatch):
    (tmp_path / name).write_bytes(packed[name])
    assert is_archive(name)
    assert read_members(tmp_path / name) == read_members(name, content=packed[name]) == FILES
    binary = {"set/b/c.bin": FILES["set/b/c.bin"]}
    select = {"select": lambda member: member.endswith(".bin"), "content": packed[name]}
    monkeypatch.setattr(archives, "MOST_BYTES", 256)
    assert read_members(name, **select) == binary  # only what is taken out counts
    monkeypatch.setattr(archives, "MOST_BYTES", 255)
    with pytest.raises(ReadError, match=f"{name} is damaged or refused.*over 255 bytes"):
        read_members(name, **select)
    with pytest.raises(ReadError, match=r"b\.gz is damaged or refused.*over 255 bytes"):
        gunzip(gzip.compress(bytes(256)), "b.gz")


@pytest.mark.parametrize("name", ["x.tgz", "x.zip", "x.gz", "x.rar"])
def test_cut_and_unknown_archives_are_refused(rng, packed, name):
    content = packed.get(name, gzip.compress(rng.bytes(5000)))
    for cut in rng.integers(1, int(0.8 * len(content)), size=5):
        part = content[:cut]
        with pytest.raises(ReadError, match=rf"^{name} is damaged or refused[^\n]*$"):
            gunzip(part, name) if name == "x.gz" else read_members(name, content=part)
