"""Configuration, paths, and what the rules of several stations need; the rest is in needs/."""

import functools
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

try:
    from reproduction.closure import closure_hash, imported_modules, script_hash
    from reproduction.data.registry import (
        REGISTRIES_VARIABLE,
        RegistryError,
        check_options,
        load_registry,
    )
    from reproduction.data.surrogate_runs import (
        FALLBACK_VARIABLE,
        apart,
        fallbacks,
        fetched,
        told,
    )
    from reproduction.files import ROOT
    from reproduction.rooms import declared_in, module_name, paper_keys, room
    from reproduction.verdicts.margins import MARGINS
    from reproduction.workflow.command_line import with_types
    from reproduction.workflow.config import ConfigError, read_config, read_config_files
    from reproduction.workflow.failures import closing_lines
    from reproduction.workflow.measured import DEFAULTS, memory, priorities
    from reproduction.workflow.needs import needs
    from reproduction.workflow.places import config_file, source_file, source_files
    from reproduction.workflow.workers import start_server
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
SERVERS = []  # held for as long as this process lives
# jobs read it too, on whatever machine they run
os.environ[REGISTRIES_VARIABLE] = os.pathsep.join(CONFIG.data.registries)
try:
    REGISTRY = load_registry()
    check_options(REGISTRY, CONFIG.data.options)
except RegistryError as error:
    raise WorkflowError(str(error))
DATASETS = sorted(REGISTRY)
# Data sets of no paper are fetched and built when asked for; pages show those that are there.
SHOWN = [key for key in DATASETS if REGISTRY[key].role != "extra"]
RAW = Path("data/raw")
# Decided once for the whole run: jobs, which read this file too, inherit the answer.
LOST = os.environ.setdefault(FALLBACK_VARIABLE, " ".join(fallbacks(SHOWN, RAW))).split()
SYNTHETIC = bool(LOST) or CONFIG.data.source == "surrogate"
KEPT = read_config({}).output  # folders of results on real data
VIEWS, RESULTS, REPORTS = (
    apart(getattr(CONFIG.output, name), getattr(KEPT, name), SYNTHETIC)
    for name in ("views", "results", "reports")
)
LOGS = f"{RESULTS}/logs"
VIEW_KEYS = sorted(REGISTRY.view_keys())
PRIORITIES = priorities(needs(PAPERS, REGISTRY))
PAGES = [*PAPERS, "training", "data", "reading", "reliability"]


wildcard_constraints:
    paper="|".join(PAPERS),
    page="|".join(PAGES),
    dataset=r"[a-z0-9_]+",
    view_key=r"[a-z0-9_]+(\.[a-z0-9_]+)?",
    name=r"[a-z0-9_]+",


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


def results_folder(wildcards):
    """The folder of results, for scripts that read more than their rule's own files."""
    return RESULTS


def dataset_of(view_key):
    """The data set a view file belongs to: the part before the variant's dot."""
    return view_key.partition(".")[0]


def provenance_files(datasets):
    """The files that say where data sets came from."""
    return [f"data/raw/{dataset}/PROVENANCE.json" for dataset in datasets]


def measured_memory(station, wildcard):
    """Memory the jobs of another station ask for, in MB, by the name of the one wildcard."""

    def ask(wildcards, attempt):
        place = f"{station}/{wildcards[wildcard]}"
        return memory(place, DEFAULTS[station]) * attempt

    return ask


def longest_first(station, *names):
    """The priority of the jobs of a station: how long the run goes on after they start."""

    def ask(wildcards):
        place = "/".join([station, *(wildcards[name] for name in names)])
        return PRIORITIES.get(place, 0)

    return ask


def this_attempt(wildcards, attempt):
    """How often a job was started: a script that failed by its own words need not try again."""
    return attempt


def paper_files(wildcards):
    """What the authors printed and claimed, and how they were read."""
    folder = room(wildcards.paper)
    names = ("published.csv", "claims.yaml", "paper.yaml", "readings.yaml")
    return [source_file(folder, name) for name in names]
