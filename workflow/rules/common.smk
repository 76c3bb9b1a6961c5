"""Configuration, paths, and what the rules of several stations need; the rest is in needs/."""

import functools
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

try:
    from reproduction.closure import closure_hash, imported_modules, script_hash
    from reproduction.data.registry import (
        PROJECT_REGISTRY,
        RegistryError,
        check_options,
        load_registry,
    )
    from reproduction.data.surrogate_runs import apart, fallbacks
    from reproduction.files import ROOT
    from reproduction.rooms import controls, module_name, paper_keys, room
    from asprinted.margins import MARGINS
    from reproduction.workflow.config import (
        ConfigError,
        config_file,
        read_config,
        read_config_files,
        source_file,
        with_types,
    )
    from reproduction.workflow.remaining import SECONDS, say_remaining
except ModuleNotFoundError as error:
    raise WorkflowError(
        f"{error}. Install the project first: `make` does it, or `pip install -e .` in your environment."
    )


configfile: config_file()


config.update(with_types(config, workflow.config_settings.config))
try:
    read_config_files(
        workflow.configfiles
    )  # repeated keys: Snakemake drops them in silence
    CONFIG = read_config(config)
except ConfigError as error:
    raise WorkflowError(str(error))

PAPERS = paper_keys()
try:
    REGISTRY = load_registry([PROJECT_REGISTRY, *CONFIG.data.registries])
    check_options(REGISTRY, CONFIG.data.options)
except RegistryError as error:
    raise WorkflowError(str(error))
DATASETS = sorted(REGISTRY)
# Data sets of no paper are fetched and built when asked for; pages show those that are there.
SHOWN = [key for key in DATASETS if REGISTRY[key].role != "extra"]
RAW = Path("data/raw")
LOST = fallbacks(SHOWN, RAW)
SYNTHETIC = bool(LOST) or CONFIG.data.source == "surrogate"
KEPT = read_config({}).output  # folders of results on real data
VIEWS, RESULTS, REPORTS = (
    apart(getattr(CONFIG.output, name), getattr(KEPT, name), SYNTHETIC)
    for name in ("views", "results", "reports")
)
LOGS = f"{RESULTS}/logs"
BENCHMARKS = f"{RESULTS}/benchmarks"
VIEW_KEYS = sorted(REGISTRY.view_keys())
PAGES = [*PAPERS, "data", "reading", "reliability"]


wildcard_constraints:
    paper="|".join(PAPERS),
    page="|".join(PAGES),
    dataset=r"[a-z0-9_]+",
    view_key=r"[a-z0-9_]+(\.[a-z0-9_]+)?",


@functools.cache
def settings_of(paper):
    """The checked settings of a paper; every job of a plan asks for them."""
    return CONFIG.settings(paper).model_dump()


def with_script(name, code):
    """Hash of a rule's script and of the code it calls.

    Snakemake itself goes by the time of a script, so a fresh checkout would make everything stale.
    """
    script = script_hash(ROOT / "workflow" / "scripts" / f"{name}.py")
    if callable(code):
        return lambda wildcards: script + code(wildcards)
    return script + code


def dataset_of(view_key):
    """The data set a view file belongs to: the part before the variant's dot."""
    return view_key.partition(".")[0]


def raw_folders(datasets):
    """The folders of fetched data sets."""
    return [f"{RAW}/{dataset}" for dataset in datasets]


def more_each_time(megabytes):
    """Memory that a job asks for; twice as much when it is tried again."""
    return lambda wildcards, attempt: megabytes * attempt
