"""docs/checklists.md is true: what it says is there is there, what it says lacks is not."""

import ast
import re
import tomllib

import pytest

from reproduction.files import ROOT, read_yaml
from reproduction.rooms import find_papers, paper_keys, room
from reproduction.workflow.packaging import locked_versions
from reproduction.workflow.release import readme_example

PAGE = (ROOT / "docs" / "checklists.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (.+?) \| (has|lacks|not here) \| ?(.*?) \| ?(?:`([a-z-]+)`)? ?\|$", re.M)
ROWS = [match.groups() for match in ROW.finditer(PAGE)]


def text(*names):
    return "\n".join((ROOT / name).read_text(encoding="utf-8") for name in names)


def there(*names):
    return all((ROOT / name).exists() for name in names)


def project():
    return tomllib.loads(text("pyproject.toml"))["project"]


def documented():
    """Every public class and function of the library has a docstring."""
    for path in (ROOT / "src" / "manyviews").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            named = isinstance(node, ast.FunctionDef | ast.ClassDef)
            if named and not node.name.startswith("_") and not ast.get_docstring(node):
                return False
    return True


def silent():
    """No source names a service that collects reports of use."""
    names = r"\b(sentry_sdk|posthog|mixpanel|segment\.io|google-analytics|googletagmanager|scarf)\b"
    files = [path for path in (ROOT / "src").rglob("*") if path.suffix in (".py", ".js", ".j2")]
    return not any(re.search(names, path.read_text(encoding="utf-8")) for path in files)


CHECKS = {
    "workflow-snakefile": lambda: there("workflow/Snakefile"),
    "config-readme": lambda: len(text("config/README.md")) > 1000,
    "catalog-file": lambda: "usage" in read_yaml(ROOT / ".snakemake-workflow-catalog.yml"),
    "workflow-folders": lambda: there("workflow/rules", "workflow/scripts"),
    "lint-tools": lambda: (
        all(tool in text("Makefile") for tool in ("snakefmt --check", "ruff check", "mypy"))
        and "make lint" in text(".ci/run")
    ),
    "rule-environments": lambda: any(
        re.search(r"^\s+(conda|container):", path.read_text(encoding="utf-8"), re.M)
        for path in (ROOT / "workflow" / "rules").glob("*.smk")
    ),
    "licence": lambda: text("LICENSE").startswith("MIT License") and project()["license"] == "MIT",
    "installable": lambda: there("pyproject.toml", "requirements.lock", "environment.yml"),
    "readme-example": lambda: "manyviews" in readme_example(),
    "docstrings": documented,
    "tests": lambda: len(list((ROOT / "tests" / "library").rglob("test_*.py"))) > 20,
    "contributing": lambda: there("CONTRIBUTING.md", ".github/ISSUE_TEMPLATE/bug.yml"),
    "joss-paper": lambda: there("paper.md"),
    "statement-of-need": lambda: "\n## Who needs it\n" in text("README.md"),
    "readme-citation": lambda: (
        "CITATION.cff" in text("README.md") and "\n## How to cite\n" in text("README.md")
    ),
    "readme-badges": lambda: "badge" in text("README.md"),
    "metadata": lambda: {"authors", "license", "keywords", "classifiers"} <= set(project()),
    "metadata-addresses": lambda: "urls" in project(),
    "ci-versions": lambda: there(".github/workflows/library.yml"),
    "typed": lambda: there("src/manyviews/py.typed"),
    "code-of-conduct": lambda: there("CODE_OF_CONDUCT.md"),
    "changelog": lambda: f"## {project()['version']} — " in text("CHANGELOG.md"),
    "estimator-contract": lambda: there("src/manyviews/testing/checks.py"),
    "papers-cited": lambda: all(card.title and card.year for card in find_papers().values()),
    "ledger": lambda: there("reports/tables/ledger.csv", "reports/tables/claims.csv"),
    "choices": lambda: all(
        (room(paper) / "choices.py").is_file() or (room(paper) / "choices").is_dir()
        for paper in paper_keys()
    ),
    "registry": lambda: any("sha256" in p.read_text() for p in (ROOT / "data/registry").iterdir()),
    "gate": lambda: "make quick" in text(".ci/run") or "snakemake" in text(".ci/run"),
    "extending": lambda: there("docs/extending.md", "tests/workflow/test_extending.py"),
    "pinned": lambda: "--hash=sha256:" in text("requirements.lock"),
    "licences": lambda: there("docs/licences.md"),
    "policy": lambda: "with_policy" in text("src/reproduction/pages/page.py"),
    "telemetry": silent,
    "container": lambda: there("Containerfile"),
    "validators": lambda: {"roc-validator", "mlcroissant"} <= set(locked_versions()),
    "actions-linted": lambda: all(
        word in text("tests/reproduction/workflow/test_public_files.py")
        for word in ("vendor.github-workflows", '"actionlint"')
    ),
}


def test_every_row_is_read():
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    heads = [line for line in lines if line.startswith("| item ")]
    assert len(ROWS) == len(lines) - len(heads)
    assert len(heads) == PAGE.count("\n## ")


def test_every_check_is_used_and_known():
    assert {check for *_, check in ROWS if check} == set(CHECKS)


@pytest.mark.parametrize(("item", "state", "where", "check"), [row for row in ROWS if row[3]])
def test_the_page_says_what_is(item, state, where, check):
    found = bool(CHECKS[check]())
    assert found == (state == "has"), f"{item}: the page says {state!r}; correct it"


@pytest.mark.parametrize(("item", "state", "where", "check"), ROWS)
def test_files_it_names_are_there(item, state, where, check):
    for name in re.findall(r"`([\w./-]+)`", where):
        if ("/" in name or name.endswith((".md", ".toml", ".lock", ".yml"))) and state == "has":
            assert (ROOT / name).exists(), name
