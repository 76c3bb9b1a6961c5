"""Station 5: executed notebooks as pages that need no network, and the overview."""

from reproduction.closure import module_path
from reproduction.pages.evidence import EVIDENCE
from reproduction.verdicts.hypotheses import HYPOTHESES_FILE
from reproduction.workflow.notebooks import modules_of

# What the scoring of a paper writes; pages read all of it.
SCORED = ("ledger.csv", "gaps.csv", "claims.csv", "provenance.json", "scored.json")
# styles, script and frame of the pages: not Python, so not in any import closure
PAGE_ASSETS = source_files("src/reproduction/pages/assets")


def all_pages():
    """The overview and everything it links to."""
    own = [f"{REPORTS}/{name}.html" for name in ("index", "ledger")]
    return [*own, *(f"{REPORTS}/{page}.html" for page in PAGES)]


def all_timings():
    """The times of every fit of every paper."""
    return [
        table.removesuffix(".csv") + ".timing.csv"
        for paper in PAPERS
        for table in result_tables(paper)
    ]


def parts(name, papers=PAPERS):
    """The modules of a name that papers have, such as ``front``."""
    known = (module_name(paper, name) for paper in papers)
    return [found for found in known if module_path(found)]


def times_code():
    """Hash of the code that gathers the times and draws the figures of them."""
    return closure_hash(["reproduction.pages.times", *parts("times")])


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
    writers += modules_of(ROOT / "notebooks" / f"{page}.ipynb")
    return closure_hash(["reproduction.pages.page", *writers, *found.get(page, [])])


def overview_code(wildcards):
    """Hash of the code that writes the front page; papers say on it what they found."""
    return closure_hash(["reproduction.pages.overview", *parts("front")])


def page_provenance(wildcards):
    """Where the data sets of the data page came from; a paper's page goes by what was scored."""
    return provenance_files(SHOWN) if wildcards.page == "data" else []


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


rule page:
    input:
        notebook=page_notebook,
        sources=page_sources,
        provenance=page_provenance,
        assets=PAGE_ASSETS,
    output:
        page=report(
            f"{REPORTS}/{{page}}.html",
            caption="../report/page.rst",
            category="Pages",
            labels={"page": "{page}"},
        ),
    log:
        f"{LOGS}/page/{{page}}.log",
    priority: longest_first("page", "page")
    threads: 1
    resources:
        mem_mb=measured_memory("page", "page"),
    params:
        code=with_script("page", page_code),
        results=results_folder,
        config=CONFIG.name,
    message:
        "Writing {wildcards.page}.html"
    script:
        "../scripts/page.py"


rule overview:
    input:
        # rows too: findings and the runs of a cell come from them
        rows=[table for paper in PAPERS for table in result_tables(paper)],
        scored=expand(f"{RESULTS}/{{paper}}/{{name}}", paper=PAPERS, name=SCORED),
        provenance=provenance_files(SHOWN),
        assets=PAGE_ASSETS,
    output:
        page=report(
            f"{REPORTS}/index.html",
            caption="../report/overview.rst",
            category="Overview",
        ),
        explorer=report(
            f"{REPORTS}/ledger.html",
            caption="../report/ledger.rst",
            category="Overview",
        ),
        summary=f"{REPORTS}/SUMMARY.md",
        picture=f"{REPORTS}/verdicts.svg",
        ledger=report(
            f"{REPORTS}/tables/ledger.csv",
            caption="../report/ledger.rst",
            category="Overview",
        ),
        # the same for machines, written beside the table
        records=f"{REPORTS}/tables/ledger.json",
        schema=f"{REPORTS}/tables/ledger.schema.json",
        # gaps between methods; counts beside their base rates; error rates of the words
        gaps=f"{REPORTS}/tables/gaps.csv",
        counts=f"{REPORTS}/tables/counts.csv",
        simulated=f"{REPORTS}/tables/simulated.csv",
        # the numbers behind the sentences of the front page
        findings=f"{REPORTS}/tables/findings.csv",
        claims=report(
            f"{REPORTS}/tables/claims.csv",
            caption="../report/claims.rst",
            category="Overview",
        ),
    log:
        f"{LOGS}/page/overview.log",
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=with_script("overview", overview_code),
        results=results_folder,
        config=CONFIG.name,
    message:
        "Writing the overview"
    script:
        "../scripts/overview.py"


# Beside the pages, not on them: the same results give the same pages, whatever the clock says.
rule times:
    input:
        timings=all_timings(),
        scored=expand(f"{RESULTS}/{{paper}}/scored.json", paper=PAPERS),
    output:
        folder=directory(f"{REPORTS}/times"),
    log:
        f"{LOGS}/times.log",
    threads: 1
    resources:
        mem_mb=1000,
    params:
        code=with_script("times", times_code()),
        results=results_folder,
    message:
        "Writing the measured times"
    script:
        "../scripts/times.py"


rule manifest:
    input:
        pages=all_pages(),
        scored=expand(f"{RESULTS}/{{paper}}/{{name}}", paper=PAPERS, name=SCORED),
        provenance=provenance_files(SHOWN),
    output:
        manifest=f"{REPORTS}/MANIFEST.json",
    log:
        f"{LOGS}/manifest.log",
    threads: 1
    resources:
        mem_mb=500,
    params:
        code=with_script("manifest", closure_hash("reproduction.workflow.manifest")),
        results=results_folder,
    message:
        "Writing the manifest"
    script:
        "../scripts/manifest.py"


# Asked for by name: what it measures differs from machine to machine, and takes a while.
rule benchmark:
    output:
        page=f"{REPORTS}/speed.html",
        table=f"{REPORTS}/speed.csv",
    log:
        f"{LOGS}/benchmark.log",
    threads: 1
    resources:
        mem_mb=6000,
    params:
        folder=source_file("benchmarks"),
    message:
        "Measuring speed beside the peers, about a quarter of an hour"
    shell:
        "PYTHONPATH={params.folder} python -m speed --page {output.page} --table {output.table}"
        " > {log} 2>&1"


# One target a paper: `snakemake --cores 2 mvplsa` builds its results, verdicts and page.
for paper_key in PAPERS:

    rule:
        name:
            paper_key
        input:
            f"{REPORTS}/{paper_key}.html",
            f"{RESULTS}/{paper_key}/ledger.csv",
            f"{RESULTS}/{paper_key}/claims.csv",
        localrule: True
        message:
            f"{paper_key} is complete; open {REPORTS}/{paper_key}.html"
