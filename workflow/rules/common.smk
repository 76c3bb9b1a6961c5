"""Configuration, paths, and the functions that answer what a job needs."""

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

try:
    from reproduction.workflow.command_line import with_types
    from reproduction.workflow.failures import closing_lines
    from reproduction.workflow.config import ConfigError, read_config, read_config_files
    from reproduction.workflow.measured import DEFAULTS, memory, priorities
    from reproduction.workflow.needs import needs
    from reproduction.workflow.light_jsonschema import import_jsonschema_without_iri
    from reproduction.workflow.workers import start_server
    from reproduction.workflow.places import (
        config_file,
        mirror_folders,
        source_file,
        source_files,
    )
    from reproduction.data.build import views_code as code_of_views
    from reproduction.data.fetch import own_file
    from reproduction.data.provenance import is_surrogate
    from reproduction.data.surrogate_runs import (
        FALLBACK_VARIABLE,
        apart,
        fallbacks,
        fetched,
        told,
    )
    from reproduction.data.registry import (
        REGISTRIES_VARIABLE,
        RegistryError,
        check_options,
        fetch_hash,
        load_registry,
    )
    from reproduction.files import ROOT
    from reproduction.pages.evidence import EVIDENCE
    from reproduction.results.custody import further_code, job_code
    from reproduction.results.further import FURTHER
    from reproduction.results.reads import only_read
    from reproduction.results.jobs import (
        find_job,
        further_job,
        goes_on,
        jobs_of,
        run_limits,
        view_keys_behind,
    )
    from reproduction.compare.plan import PlanError, has_real_data, method_modules, plan
    from reproduction.rooms import module_name, paper_keys, room
    from reproduction.closure import closure_hash, module_path, script_hash
    from reproduction.verdicts.hypotheses import HYPOTHESES_FILE
    from reproduction.verdicts.margins import MARGINS
except ModuleNotFoundError as error:
    raise WorkflowError(
        f"{error}. Install the project first: `make` does it, or `pip install -e .` in your environment."
    )

import_jsonschema_without_iri()  # Snakemake's own import, when it plans scripts, takes seconds


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
try:
    # where a row has several labels, one counts in the comparison; the page says so
    SEVERAL_LABELS = [key for key in DATASETS if "labels_all" in REGISTRY[key].rows]
    # a surrogate is no data of a paper, so it is compared with nothing; the page names it
    REAL = [key for key in DATASETS if has_real_data(REGISTRY[key], RAW)]
    COMPARISONS = {entry.name: entry for entry in plan(REAL)}
except PlanError as error:
    raise WorkflowError(str(error))
# styles, script and frame of the pages: not Python, so not in any import closure
PAGE_ASSETS = source_files("src/reproduction/pages/assets")


wildcard_constraints:
    paper="|".join(PAPERS),
    page="|".join(PAGES),
    dataset=r"[a-z0-9_]+",
    view_key=r"[a-z0-9_]+(\.[a-z0-9_]+)?",
    name=r"[a-z0-9_]+",


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


def all_pages():
    """The overview and everything it links to."""
    own = [f"{REPORTS}/{name}.html" for name in ("index", "ledger")]
    return [*own, *(f"{REPORTS}/{page}.html" for page in PAGES)]


def dataset_of(view_key):
    """The data set a view file belongs to: the part before the variant's dot."""
    return view_key.partition(".")[0]


def paper_datasets(paper):
    """Every data set some job of a paper reads."""
    return sorted({dataset_of(key) for job in jobs_of(paper) for key in job.view_keys})


def provenance_files(datasets):
    """The files that say where data sets came from."""
    return [f"data/raw/{dataset}/PROVENANCE.json" for dataset in datasets]


def job_of(wildcards):
    """The job behind a result file."""
    return find_job(wildcards.paper, wildcards.dataset, wildcards.name)


def job_views(wildcards):
    """The view files a job reads."""
    return [f"{VIEWS}/{key}.npz" for key in job_of(wildcards).view_keys]


def job_results(wildcards):
    """The results of other jobs that a job reads."""
    return [
        f"{RESULTS}/{wildcards.paper}/{name}.csv" for name in job_of(wildcards).after
    ]


def fit_code(wildcards):
    """Hash of the source files a job's result depends on."""
    return job_code(job_of(wildcards))


def code_of_further(wildcards):
    """Hash of the source files that a job's further runs depend on."""
    return further_code(job_of(wildcards))


def has_further(job):
    """Whether further runs may follow a job's first ones."""
    settings = CONFIG.settings(job.paper).model_dump()
    return goes_on(job, settings, CONFIG.further.limits)


def job_provenance(wildcards):
    """Where the data of a job came from."""
    keys = view_keys_behind(job_of(wildcards))
    return provenance_files(sorted({dataset_of(key) for key in keys}))


def settings_of_job(wildcards):
    """The settings a job reads: others may change without making its result stale."""
    return only_read(job_of(wildcards), job_settings(wildcards))


def further_settings(wildcards):
    """The settings that further runs of a job read."""
    return only_read(further_job(job_of(wildcards)), job_settings(wildcards))


def further_limits(wildcards):
    """The first runs of a job, and its runs at most."""
    limits = CONFIG.further.limits
    return list(run_limits(job_of(wildcards), job_settings(wildcards), limits))


def job_settings(wildcards):
    """The paper's section of the configuration."""
    return CONFIG.settings(wildcards.paper).model_dump()


def job_memory(wildcards, attempt):
    """Memory a job asks for, in MB; twice as much when it is tried again."""
    job = job_of(wildcards)
    return memory(f"fit/{job.paper}/{job.place}", job.mem_mb) * attempt


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


def own_files(wildcards):
    """The user's own files behind a data set; those that are missing are named when fetching."""
    dataset = REGISTRY[wildcards.dataset]
    found = (
        own_file(dataset, record.path, Path(CONFIG.data.user) / dataset.key)
        for record in dataset.own_files
    )
    return sorted({str(path) for path in found if path is not None})


def fetch_code(wildcards):
    """Hash of what the registry says about fetching and of the code that fetches."""
    return fetch_hash(REGISTRY[wildcards.dataset]) + closure_hash(
        "reproduction.data.fetch"
    )


def mirrors_with(dataset):
    """The mirror folders of this machine that seem to have a data set."""
    folders = {
        source.folder for source in REGISTRY[dataset].sources if source.kind == "mirror"
    }
    return [
        str(mirror / folder)
        for mirror in mirror_folders(CONFIG.data.mirrors)
        for folder in sorted(folders)
        if (mirror / folder).is_dir()
    ]


def fetch_mode(wildcards):
    """Whether the setting asks for other files than may lie there: synthetic ones, or real ones."""
    source = CONFIG.data.source
    if source == "real" and is_surrogate(RAW / wildcards.dataset):
        return "real, in place of a surrogate"
    if (
        source == "auto"
        and wildcards.dataset in LOST
        and mirrors_with(wildcards.dataset)
    ):
        # once for every set of folders that may have it now; the network is tried by `make`
        return f"try again: {' '.join(mirrors_with(wildcards.dataset))}"
    return "surrogate" if source == "surrogate" else "first source that has it"


def views_code(wildcards):
    """Hash of what the registry says about the views and of the code that builds them."""
    return code_of_views(REGISTRY[dataset_of(wildcards.view_key)])


def view_options(wildcards):
    """What the configuration asks of a builder, on top of the registry's options."""
    return CONFIG.data.options.get(dataset_of(wildcards.view_key), {})


def fallbacks_are_known(wildcards):
    """Whether a surrogate in place of real data may be built: it touches no real results then."""
    return SYNTHETIC or VIEWS != KEPT.views


def dataset_views(wildcards):
    """All view files of a data set, its variants included."""
    return [
        f"{VIEWS}/{key}.npz" for key in sorted(REGISTRY[wildcards.dataset].view_keys)
    ]


def raw_provenance(wildcards):
    """The provenance file of the data set behind a view file."""
    return provenance_files([dataset_of(wildcards.view_key)])


def result_tables(paper):
    """Every result table of a paper, those of further runs included."""
    jobs = jobs_of(paper)
    names = [
        *(job.place for job in jobs),
        *(job.place + FURTHER for job in jobs if has_further(job)),
    ]
    return [f"{RESULTS}/{paper}/{name}.csv" for name in names]


def all_timings():
    """The times of every fit of every paper."""
    return [
        table.removesuffix(".csv") + ".timing.csv"
        for paper in PAPERS
        for table in result_tables(paper)
    ]


def times_code():
    """Hash of the code that gathers the times and draws the figures of them."""
    return closure_hash(["reproduction.pages.times", *parts("times")])


def paper_results(wildcards):
    """Every result table of the paper in the wildcards."""
    return result_tables(wildcards.paper)


def paper_views(wildcards):
    """Every view file behind a paper's results."""
    keys = {key for job in jobs_of(wildcards.paper) for key in view_keys_behind(job)}
    return [f"{VIEWS}/{key}.npz" for key in sorted(keys)]


def paper_options(wildcards):
    """What the configuration asks of the builders behind a paper's results."""
    options = CONFIG.data.options
    return {
        key: options[key] for key in paper_datasets(wildcards.paper) if key in options
    }


def paper_provenance(wildcards):
    """The provenance of every data set a paper's jobs read."""
    return provenance_files(paper_datasets(wildcards.paper))


def score_code(wildcards):
    """Hash of the code that gives a paper's verdicts."""
    parts = [module_name(wildcards.paper, part) for part in ("claims", "columns")]
    return closure_hash(["reproduction.verdicts.score", *parts])


def paper_files(wildcards):
    """What the authors printed and claimed, and how they were read."""
    folder = room(wildcards.paper)
    names = ("published.csv", "claims.yaml", "paper.yaml", "readings.yaml")
    return [source_file(folder, name) for name in names]


def page_notebook(wildcards):
    """The notebook that writes a page."""
    return source_file("notebooks", f"{wildcards.page}.ipynb")


def page_code(wildcards):
    """Hash of the code that writes a page."""
    page = wildcards.page
    if page in PAPERS:
        found_by_name = ("training", "front", "diagram")
        writers = [module_name(page, "page")]
        writers += [part for name in found_by_name for part in parts(name, [page])]
    else:
        writers = [f"reproduction.pages.{page}"]
    # what these two find in the rooms of papers, no import says
    found = {"reading": ["reproduction.pages.overview"], "training": parts("training")}
    return closure_hash(["reproduction.pages.page", *writers, *found.get(page, [])])


def parts(name, papers=PAPERS):
    """The modules of a name that papers have, such as ``front``."""
    known = (module_name(paper, name) for paper in papers)
    return [found for found in known if module_path(found)]


def overview_code(wildcards):
    """Hash of the code that writes the front page; papers say on it what they found."""
    return closure_hash(["reproduction.pages.overview", *parts("front")])


def page_provenance(wildcards):
    """Where the data sets of the data page came from; a paper's page goes by what was scored."""
    return provenance_files(SHOWN) if wildcards.page == "data" else []


# What the scoring of a paper writes; pages read all of it.
SCORED = ("ledger.csv", "gaps.csv", "claims.csv", "provenance.json", "scored.json")


def hypotheses(paper):
    """The file of what was tried to explain a paper's cells, if it has one."""
    path = room(paper) / HYPOTHESES_FILE
    return [source_file(path)] if path.is_file() else []


def page_sources(wildcards):
    """What a page shows: a paper's rows and verdicts, the measured views of all data sets, scores
    along the way, or what was tried on purpose.
    """
    if wildcards.page == "data":
        return [
            f"{RESULTS}/data/{name}" for name in ("statistics.csv", "provenance.json")
        ]
    if wildcards.page == "reliability":
        return sorted(source_file(path) for path in EVIDENCE.glob("*.json"))
    if wildcards.page == "training":
        rows = [table for paper in PAPERS for table in result_tables(paper)]
        ledgers = expand(f"{RESULTS}/{{paper}}/{{name}}", paper=PAPERS, name=SCORED)
        return [*rows, *ledgers, *(path for p in PAPERS for path in hypotheses(p))]
    if wildcards.page == "reading":
        return expand(f"{RESULTS}/{{paper}}/{{name}}", paper=PAPERS, name=SCORED)
    return [
        *result_tables(wildcards.page),
        *(f"{RESULTS}/{wildcards.page}/{name}" for name in SCORED),
        *hypotheses(wildcards.page),
    ]


def comparison_entry(wildcards):
    """What is compared then and now on one data set."""
    return COMPARISONS[wildcards.comparison].asked()


def rerun_tables():
    """Results on data that print is silent about, which stand beside today's methods."""
    return [
        f"{RESULTS}/{entry.paper}/{entry.dataset}/{job}.csv"
        for entry in COMPARISONS.values()
        for job in entry.jobs
    ]


def comparison_views(wildcards):
    """The view file behind a comparison."""
    return f"{VIEWS}/{COMPARISONS[wildcards.comparison].view_key}.npz"


def now_code(wildcards):
    """Hash of the engine and of the methods that are compared."""
    entry = COMPARISONS[wildcards.comparison]
    return closure_hash(["reproduction.compare.run", *method_modules(entry)])
