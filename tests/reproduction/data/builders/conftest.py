"""Tiny raw folders, packed in the way the real ones are."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

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
        with tarfile.open(self.path / name, "w:gz") as archive:
            for member, content in members.items():
                info = tarfile.TarInfo(member)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))

    def zip(self, name: str, members: dict[str, bytes]) -> None:
        with zipfile.ZipFile(self.path / name, "w") as archive:
            for member, content in members.items():
                archive.writestr(member, content)


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
