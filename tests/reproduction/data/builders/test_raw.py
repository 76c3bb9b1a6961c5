import pytest
from toys import raw_files


def test_finds_files_loose_gzipped_and_in_archives(raw):
    files = raw_files(raw({
        "a/loose.txt": "one\r\n\r\ntwo\n", "table.csv.gz": "x,y\n",
        "pack.tgz": {"inner/deep.txt": "tar"}, "pack.zip": {"other/flat.dat": "zip"},
    }))  # fmt: skip
    assert files.names() == ["a/loose.txt", "inner/deep.txt", "other/flat.dat", "table.csv.gz"]
    assert files.lines("loose.txt") == ["one", "two"]
    assert files.read("deep.txt") == b"tar"
    assert files.read("nothing.txt", "other/flat.dat") == b"zip"
    assert files.read("table.csv") == b"x,y\n"
    assert files.matching(r".*\.txt").keys() == {"a/loose.txt", "inner/deep.txt"}


def test_a_name_must_end_at_a_folder_border(raw):
    with pytest.raises(ValueError, match=r"no file cora\.content; it holds: mycora\.content"):
        raw_files(raw({"mycora.content": ""})).read("cora.content")
