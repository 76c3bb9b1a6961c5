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


JUNIT = """\
<testsuites><testsuite tests="{tests}" failures="{failures}" errors="1" skipped="2"/></testsuites>
"""


def test_a_trial_says_what_passed(tmp_path):
    (tmp_path / "tests.xml").write_text(JUNIT.format(tests=10, failures=3))
    assert release.counted(tmp_path / "tests.xml") == (4, 2)
    trial = release.Trial("manyviews.whl", "3.12.1", 4, 2, 61.4)
    assert str(trial) == (
        "manyviews.whl on Python 3.12.1: 4 tests passed (2 skipped), README's example ran, 61 s"
    )


def test_an_interpreter_that_is_missing_is_named_before_anything_is_built(tmp_path, capsys):
    missing = str(tmp_path / "python3.99")
    folder = tmp_path / "dist"
    arguments = ["--folder", str(folder), "--python", sys.executable, "--python", missing]
    assert release.main(arguments) == 2
    assert f"{missing} is no Python that runs" in capsys.readouterr().err
    assert not folder.exists()


def test_every_trial_is_announced_and_told_at_the_end(tmp_path, capsys, monkeypatch):
    def trial(artefact, sdist, python):
        return release.Trial(artefact.name, release.version_of(python), 7, 0, 1)

    monkeypatch.setattr(release, "try_in_clean_environment", trial)
    assert release.main(["--folder", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "trial 1 of 2: manyviews-" in said
    assert said.count("7 tests passed, README's example ran") == 4
    assert said.rstrip().endswith(release.SUMS)
    named = [line.split()[1] for line in (tmp_path / release.SUMS).read_text().splitlines()]
    assert {path.name for path in tmp_path.iterdir()} == {*named, release.SUMS}
