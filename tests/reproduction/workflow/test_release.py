"""The release: one version everywhere, an archive that holds the library, an example that runs."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

from reproduction.files import ROOT
from reproduction.workflow import release
from reproduction.workflow.release import ReleaseError, check_versions, readme_example

NAMED = ("pyproject.toml", "CITATION.cff", "CHANGELOG.md", "src/manyviews/__init__.py")


@pytest.fixture
def copy(tmp_path):
    """The files that name the version, to be spoiled one by one."""
    for name in NAMED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_all_files_name_one_version():
    import manyviews

    assert check_versions() == manyviews.__version__


@pytest.mark.parametrize("name", NAMED)
def test_a_file_with_another_version_is_named(copy, name):
    version = check_versions(copy)
    path = copy / name
    path.write_text(path.read_text(encoding="utf-8").replace(version, "9.9.9", 1), encoding="utf-8")
    with pytest.raises(ReleaseError, match=re.escape(f"{name} says 9.9.9")):
        check_versions(copy)


def test_another_day_is_refused(copy):
    path = copy / "CITATION.cff"
    text = re.sub(r'date-released: ".*"', 'date-released: "1999-01-01"', path.read_text())
    path.write_text(text)
    with pytest.raises(ReleaseError, match="dated 1999-01-01"):
        check_versions(copy)


def test_a_changelog_without_a_date_is_refused(copy):
    path = copy / "CHANGELOG.md"
    path.write_text("# Changelog\n\n## 0.3.0 (unreleased)\n")
    with pytest.raises(ReleaseError, match="YYYY-MM-DD"):
        check_versions(copy)


def test_readmes_example_runs():
    code = [readme_example(), "import sys", "assert 'manyviews' in sys.modules"]
    subprocess.run([sys.executable, "-c", "\n".join(code)], check=True)


def test_the_archives_hold_the_library_and_are_the_same_each_time(tmp_path):
    first, second = (release.build(tmp_path / name) for name in ("first", "second"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    wheel = next(path for path in first if path.suffix == ".whl")
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "manyviews").rglob("*.py")
    }
    with zipfile.ZipFile(wheel) as archive:
        assert sources <= set(archive.namelist())
        assert not [name for name in archive.namelist() if name.startswith("reproduction")]
    with tarfile.open(next(path for path in first if path.suffix == ".gz")) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"tests/conftest.py", "tests/library/conftest.py", "CITATION.cff"} <= inside
    assert not [name for name in inside if name.startswith(("src/reproduction", "reports"))]


def test_checksums_are_those_sha256sum_reads(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    release.write_sums([tmp_path / "a.txt"], tmp_path)
    if shutil.which("sha256sum") is None:
        pytest.skip("sha256sum is not on this machine")
    command = ["sha256sum", "--check", "--strict", release.SUMS]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    (tmp_path / "a.txt").write_text("b")
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1
