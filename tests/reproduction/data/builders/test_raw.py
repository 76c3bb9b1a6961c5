import pytest

from reproduction.data.builders.raw import RawFiles


def test_finds_files_loose_gzipped_and_in_archives(raw):
    raw.file("a/loose.txt", b"one\r\n\r\ntwo\n")
    raw.file("table.csv.gz", b"x,y\n")
    raw.tar("pack.tgz", {"inner/deep.txt": b"tar"})
    raw.zip("pack.zip", {"other/flat.dat": b"zip"})
    raw.file("PROVENANCE.json", b"{}")
    files = RawFiles(raw.path)
    assert files.names() == ["a/loose.txt", "inner/deep.txt", "other/flat.dat", "table.csv.gz"]
    assert files.lines("loose.txt") == ["one", "two"]
    assert files.read("deep.txt") == b"tar"
    assert files.read("nothing.txt", "other/flat.dat") == b"zip"
    assert files.read("table.csv") == b"x,y\n"
    assert files.matching(r".*\.txt").keys() == {"a/loose.txt", "inner/deep.txt"}


def test_a_name_must_end_at_a_folder_border(raw):
    raw.file("mycora.content", b"")
    with pytest.raises(ValueError, match=r"no file cora\.content; it holds: mycora\.content"):
        RawFiles(raw.path).read("cora.content")
