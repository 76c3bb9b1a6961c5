"""Tiny raw folders, packed in the way the real ones are."""

import gzip
from pathlib import Path

import pytest
from toys import tar_gz, zipped

from reproduction.data.builders.raw import RawFiles
from reproduction.data.format import MultiViewData


class RawFolder:
    """Write loose files, gzip files, tar and zip archives into a data set's raw folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()

    def file(self, name: str, content: bytes) -> None:
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(gzip.compress(content, mtime=0) if name.endswith(".gz") else content)

    def tar(self, name: str, members: dict[str, bytes]) -> None:
        (self.path / name).write_bytes(tar_gz(members))

    def zip(self, name: str, members: dict[str, bytes]) -> None:
        (self.path / name).write_bytes(zipped(members))


@pytest.fixture
def raw(tmp_path):
    return RawFolder(tmp_path / "raw")


@pytest.fixture
def made():
    """Hand a builder its files and options; return what a view file would hold."""

    def make(build, raw, key="toy", **options):
        files = RawFiles(getattr(raw, "path", raw))
        return MultiViewData(**{"name": key, **build(files, key=key, **options)})

    return make
