"""Files of the repository and of the working directory."""

from pathlib import Path

from reproduction.files import ROOT
from reproduction.workflow.config import DEFAULT_CONFIG
from reproduction.workflow.places import config_file, mirror_folders, source_file, source_files


def test_files_of_the_repository_are_relative_inside_it_and_absolute_elsewhere(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(ROOT)
    assert source_file("notebooks", "data.ipynb") == "notebooks/data.ipynb"
    assert source_file(ROOT / "src") == "src"
    monkeypatch.chdir(tmp_path)
    assert source_file("notebooks", "data.ipynb") == str(ROOT / "notebooks" / "data.ipynb")
    assets = source_files("src/reproduction/pages/assets")
    assert assets == sorted(assets)
    assert all(Path(path).is_file() for path in assets)


def test_a_configuration_of_the_working_directory_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert config_file() == str(DEFAULT_CONFIG)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").touch()
    assert config_file() == "config/config.yaml"


def test_relative_mirrors_are_looked_up_here_and_in_the_repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert mirror_folders(["data/mirror", "/far"]) == [
        Path("data/mirror"), ROOT / "data" / "mirror", Path("/far"),
    ]  # fmt: skip
    monkeypatch.chdir(ROOT)
    assert len(mirror_folders(["data/mirror"])) == 1
