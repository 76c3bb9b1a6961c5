"""What the pages show, and the code that writes them."""

import itertools

from reproduction.closure import module_path
from reproduction.pages.data import FAULTS
from reproduction.pages.evidence import EVIDENCE
from reproduction.verdicts.hypotheses import HYPOTHESES_FILE

# styles, script and frame of the pages: not Python, so not in any import closure
ASSETS = ROOT / "src" / "reproduction" / "pages" / "assets"
PAGE_ASSETS = [local(source_file(path)) for path in sorted(ASSETS.iterdir())]


def all_pages():
    """The overview and everything it links to."""
    own = [f"{REPORTS}/{name}.html" for name in ("index", "ledger")]
    return [*own, *(f"{REPORTS}/{page}.html" for page in PAGES)]


def parts(name, papers=PAPERS):
    """The modules of a name that papers have, such as ``front``."""
    known = (module_name(paper, name) for paper in papers)
    return [found for found in known if module_path(found)]


def pages_hash(modules, papers=PAPERS):
    """Hash of modules that write pages, and of papers' words for their settings."""
    return closure_hash([*modules, *(module_name(paper, "paper") for paper in papers)])


def benchmarks():
    """Where Snakemake notes the seconds of each rule's jobs."""
    return {
        **{fit_rule(jobs): [fit_benchmark(jobs)] for jobs in BATCHES},
        "views": expand(f"{BENCHMARKS}/views/{{key}}.tsv", key=VIEW_KEYS),
        "statistics": [f"{BENCHMARKS}/statistics.tsv"],
        "score": expand(f"{BENCHMARKS}/score/{{paper}}.tsv", paper=PAPERS),
        "page": expand(f"{BENCHMARKS}/page/{{page}}.tsv", page=PAGES),
    }


def page_code(wildcards):
    """Hash of the code that writes a page: what its notebook calls, and what that finds by name."""
    page = wildcards.page
    found = parts("front", [page]) if page in PAPERS else []
    if page == "reading":
        found = parts("claims", controls())
    called = imported_modules(ROOT / "notebooks" / f"{page}.ipynb")
    return pages_hash(
        ["reproduction.pages.page", *sorted(called), *found],
        [page] if page in PAPERS else PAPERS,
    )


def page_written(wildcards):
    """What people wrote and a page shows: what was tried to explain cells, and on purpose."""
    if wildcards.page == "reliability":
        paths = sorted(EVIDENCE.glob("*.json"))
    elif wildcards.page == "data":
        paths = [FAULTS]
    else:
        known = (
            [room(wildcards.page) / HYPOTHESES_FILE] if wildcards.page in PAPERS else []
        )
        paths = [path for path in known if path.is_file()]
    return [local(source_file(path)) for path in paths]


def page_results(wildcards):
    """What a page shows: a paper's rows and verdicts, or the measured views of all data sets."""
    page = wildcards.page
    if page == "reliability":
        return []
    if page == "data":
        return [
            f"{RESULTS}/data/{name}" for name in ("statistics.csv", "provenance.json")
        ]
    papers = [page] if page in PAPERS else PAPERS
    rows = map(result_files, controls() if page == "reading" else papers)
    scored = expand(f"{RESULTS}/{{paper}}/{{name}}", paper=papers, name=BY_SCORING)
    return [*scored, *itertools.chain(*rows)]
