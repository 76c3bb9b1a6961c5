"""Peers that are no dependencies: an environment of their own, on top of the project's.

A peer that pip cannot install beside the project's pins, or that cannot be imported, is listed
with the reason.
"""

import json
import subprocess
import sys
import sysconfig
import venv
from importlib import metadata
from pathlib import Path

#: Package on the index -> module that is imported.
PEERS = {
    "enstop": "enstop",
    "river": "river",
    "faiss-cpu": "faiss",
    "mvlearn": "mvlearn.cluster",
    "numba-plsa": "numba_plsa",
    "cca-zoo": "cca_zoo.linear",
}
#: Packages whose own pins nothing here can meet: installed without them, beside what they import.
WITHOUT_PINS = {"mvlearn": ("seaborn",)}
#: What decides speed stays as it is in the project.
_PINNED = ("numpy", "scipy", "scikit-learn", "numba", "llvmlite", "pandas", "highspy", "cvxpy")
_SECONDS = 240


def environment(folder: Path) -> Path:
    """Return the Python of the peers' environment, made if it is not there."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.is_file():
        venv.create(folder, with_pip=True, clear=True)
        site = Path(
            subprocess.run(
                [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                capture_output=True, text=True, check=True,
            ).stdout.strip()
        )  # fmt: skip
        # found behind the environment's own packages
        (site / "project.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


def install(folder: Path) -> dict[str, str]:
    """Install what can be installed; return "" or the reason for every peer."""
    done = folder / "peers.json"
    if done.is_file():
        return json.loads(done.read_text(encoding="utf-8"))
    python = environment(folder)
    pins = folder / "pins.txt"
    pins.write_text("".join(f"{n}=={metadata.version(n)}\n" for n in _PINNED), encoding="utf-8")
    outcome = {}
    for package, module in PEERS.items():
        print(f"peer {package}: ", end="", flush=True)
        outcome[package] = _install_one(python, pins, package, module)
        print(outcome[package] or "installed", flush=True)
    done.write_text(json.dumps(outcome, indent=1) + "\n", encoding="utf-8")
    return outcome


def _install_one(python: Path, pins: Path, package: str, module: str) -> str:
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
           "--prefer-binary", "--constraint", pins]  # fmt: skip
    imported = WITHOUT_PINS.get(package)
    first = [[*pip, *imported], [*pip, "--no-deps", package]] if imported else [[*pip, package]]
    for step, what in (
        *((command, "does not install") for command in first),
        ([python, "-c", f"import {module}"], "does not import"),
    ):
        try:
            ran = subprocess.run(
                step, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return f"{what}: given up after {_SECONDS} s"
        if ran.returncode:
            lines = [line for line in ran.stderr.splitlines() if line.strip()]
            told = next((line for line in lines if line.startswith("ERROR")), lines[-1:] or [""])
            return f"{what}: {told if isinstance(told, str) else told[0]}"[:240]
    return ""
