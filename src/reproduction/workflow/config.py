"""The configuration: typed, with a default for everything.

``config/config.yaml`` changes what a user wants changed; other files (``config/quick.yaml``) are
laid over it. The papers' sections are typed by each paper's ``PaperSettings``. At the end: where
things lie when the workflow runs in a folder other than the repository. What people wrote is read
from the repository; what the workflow writes goes to the working directory.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator

from reproduction.data.places import Places
from reproduction.data.web import Web
from reproduction.files import ROOT, YamlError, read_yaml, shown_path
from reproduction.results import settings as declared
from reproduction.results.settings import Settings, SettingsError, complete, section, setting
from reproduction.rooms import find_paper, paper_keys, study_of

#: What a run with the papers' own settings is called.
FULL = "full"

DEFAULT_CONFIG = ROOT / "config" / "config.yaml"
CONFIG_README = ROOT / "config" / "README.md"

#: Folders that are written by people, and that of fetched files; no place for output.
KEPT = (
    ".ci", ".git", ".github", ".venv", "benchmarks", "config", "data/mirror", "data/raw",
    "data/registry", "data/user", "docs", "notebooks", "profiles", "src", "tests", "workflow",
)  # fmt: skip


class ConfigError(ValueError):
    """The configuration is wrong; the text says where and how to mend it."""


def _folder(value: str) -> str:
    """Accept a folder inside the working directory that people do not write."""
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in value:
        raise ValueError("must be a folder inside the working directory, without '..'")
    folder = path.as_posix()
    if folder == "data" or any(path.is_relative_to(kept) for kept in KEPT):
        raise ValueError(f"must not be {folder}/, which is no place for output")
    return folder


Folder = Annotated[str, AfterValidator(_folder)]


# fmt: off
class Output(Settings):
    """Folders that the workflow writes."""

    views: Folder = setting("data/views", "Folder of the view files.")
    results: Folder = setting("results", "Folder of result tables, ledgers, logs and timings.")
    reports: Folder = setting("reports", "Folder of the pages and their downloads.")
    partial: bool = setting(
        False,
        "Whether a published cell that no job produced passes as not run; otherwise it is an "
        "error.")


class Data(Settings):
    """Where data sets come from."""

    source: Literal["auto", "real", "surrogate"] = setting(
        "auto",
        "auto: the first source that has the data, a synthetic surrogate at last; real: never a "
        "surrogate, an error lists what was tried; surrogate: synthetic data only, for tests.")
    mirrors: list[str] = setting(
        ["data/mirror", "../shared/data"],
        "Folders that may hold copies of the data sets, tried in order; relative ones are looked "
        "up in the working directory, then in the repository.")
    user: str = setting(
        "data/user", "Folder with data sets that only you have, one subfolder a data set.")
    network: bool = setting(
        True, "Whether public addresses may be asked; false keeps a run offline.")
    cache: str | None = setting(
        None, "Folder for downloads that clones share; null: where the system keeps caches.")
    limit_mb: float = setting(500.0, "Largest download in megabytes.", gt=0)
    time_limit: float = setting(
        900.0, "Seconds for one address; then the next is tried.", gt=0, le=86400)
    addresses: dict[str, str] = setting(
        {},
        "Beginning of a public address -> what is asked in its place: a proxy of your own, a "
        "server for tests.")
    surrogate_scale: float = setting(
        1.0, "Share of the published size at which surrogates are drawn.", gt=0, le=1)
    registries: list[str] = setting(
        [], "Further registry folders or files, for data sets of your own.")
    options: dict[str, dict[str, Any]] = setting(
        {},
        "Options of single data sets, by key; a data set's registry file says under "
        "`configurable` which it has.")
# fmt: on


class Config(Settings):
    """All keys but the papers' own."""

    # fmt: off
    name: str = setting(
        FULL, "Name of the configuration, shown on pages of other settings than the papers' own.",
        min_length=1)
    size: Literal["full", "quick"] = setting(
        "full", "Which defaults the papers' settings take: the papers' own, or those of minutes.")
    seed: int = setting(
        0, "Other random draws in every fit; 0 has those of the committed run.", ge=0, lt=2**31)
    rows: Literal["measured", "evidence", "published"] = setting(
        "evidence",
        "measured: every fit is made; evidence: those of choices, searches and hypotheses are "
        "taken from `reports/rows.zip` where code, settings and views are the same; published: "
        "all that are the same are taken.")
    output: Output = section(Output, "Folders that the workflow writes.")
    data: Data = section(Data, "Where data sets come from.")
    papers: dict[str, dict[str, Any] | None] = setting(
        {}, "Changes to the papers' settings, by paper.")
    # fmt: on

    def settings(self, paper: str) -> Settings:
        """Return the checked settings of one paper."""
        given = self.papers.get(paper) or {}
        return complete(study_of(paper).settings, given, size=self.size, place=f"papers.{paper}")

    @property
    def title(self) -> str:
        """What a run calls itself: ``full`` where all settings are the papers'; its seed if any."""
        changed = bool(self.data.options) or any(
            declared.changed(study_of(paper).settings, self.settings(paper).model_dump())
            for paper in paper_keys()
        )
        title = FULL if not changed else "changed settings" if self.name == FULL else self.name
        return f"{title}, seed {self.seed}" if self.seed else title


def read_config(given: Mapping[str, Any]) -> Config:
    """Return the checked configuration; one error names every problem."""
    problems = []
    try:
        config = complete(Config, given)
        assert isinstance(config, Config)
        for paper in config.papers:
            if paper not in paper_keys():
                known = ", ".join(paper_keys())
                problems.append(f"papers.{paper}: unknown paper; known: {known}")
                continue
            try:
                problems += _repeated(f"papers.{paper}", config.settings(paper).model_dump())
            except SettingsError as error:
                problems.append(str(error))
        if not problems:
            return config
    except SettingsError as error:
        problems.append(str(error))
    shown = "\n".join(problems).replace("\n", "\n  ")
    raise ConfigError(
        f"the configuration has problems:\n  {shown}\nconfig/README.md explains every key."
    )


def _repeated(place: str, value: Any) -> Iterator[str]:
    """Name what a list has twice: both would be measured under one name."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _repeated(f"{place}.{key}", part)
    elif isinstance(value, list):
        twice = {str(one) for n, one in enumerate(value) if one in value[:n]}
        yield from (f"{place}: {one} is listed twice; list it once" for one in sorted(twice))


def load_config(path: str | Path | None = None) -> Config:
    """Return a checked configuration: the project's file, with ``path`` laid over it."""
    return read_config(read_config_files([DEFAULT_CONFIG, *([path] if path else [])]))


def read_config_files(paths: Iterable[str | Path]) -> dict[str, Any]:
    """Read configuration files, later ones over earlier ones; repeated keys are errors."""
    merged: dict[str, Any] = {}
    for path in paths:
        try:
            content = read_yaml(path)
        except YamlError as error:
            raise ConfigError(str(error)) from None
        if content is not None and not isinstance(content, Mapping):
            raise ConfigError(f"{path} holds no mapping; see config/config.yaml")
        merged = declared.overlay(merged, content or {})
    return merged


def with_types(config: Any, given: Any) -> Any:
    """Return a configuration in which values of the command line have the types of a file.

    Snakemake reads ``--config data='{network: false}'`` as the text ``"false"``. ``given`` is the
    part of the configuration that comes from the command line; the rest is left alone.
    """
    if isinstance(config, Mapping) and isinstance(given, Mapping):
        return {k: with_types(v, given[k]) if k in given else v for k, v in config.items()}
    if config != given:
        return config
    if isinstance(config, list):
        return [with_types(value, value) for value in config]
    try:
        read = yaml.safe_load(config) if isinstance(config, str) else config
    except yaml.YAMLError:
        return config
    return read if isinstance(read, bool | int | float) or config in ("null", "~") else config


def settings_text(paper: str | None = None) -> str:
    """Return what can be set, as a table: for one paper, or config/README.md with a fresh one."""
    lines = ["| key | meaning | default | quick | range |", "|---|---|---|---|---|"]
    written = CONFIG_README.read_text(encoding="utf-8").partition(lines[0])[0]
    if paper:
        written = (
            f"# Settings of {find_paper(paper).short}\n\n"
            f"Change them in a configuration file under `papers.{paper}`. The first value is the "
            "paper's own, the\nsecond that of `config/quick.yaml`.\n\n"
        )
    for entry in declared.documented(study_of(paper).settings if paper else Config):
        full, quick = (f"`{json.dumps(v, ensure_ascii=False)}`" for v in (entry.full, entry.quick))
        meaning = " ".join(entry.description.split()).replace("|", "\\|")
        shown = "same" if quick == full else quick
        lines.append(f"| `{entry.key}` | {meaning} | {full} | {shown} | {entry.limits} |")
    return written + "\n".join(lines) + "\n"


def config_file() -> str:
    """Return the working directory's ``config/config.yaml``, or the project's where it has none."""
    own = Path("config", "config.yaml")
    return str(own if own.is_file() else DEFAULT_CONFIG)


def source_file(*parts: str | Path) -> str:
    """Return a file of the repository as a rule lists it: by a name that a move leaves alone."""
    return shown_path(ROOT.joinpath(*parts))


def mirror_folders(names: Iterable[str]) -> list[Path]:
    """Return the folders behind configured names: in the working directory, then the repository."""
    found = (place / name for name in names for place in (Path(), ROOT))
    return list({folder.resolve(): folder for folder in found}.values())


def place_settings(data: Data) -> Places:
    """Return where the files of data sets are looked for, as configured."""
    web = Web(data.addresses, limit=round(data.limit_mb * 1e6), time_limit=data.time_limit)
    asked = web if data.network else None
    return Places(mirror_folders(data.mirrors), data.user, asked, data.cache)
