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
        base = {"base": str(folder), "platbase": str(folder)}
        site = Path(sysconfig.get_path("purelib", "venv", base))
        # found behind the environment's own packages
        (site / "project.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


def install(folder: Path) -> dict[str, str]:
    """Install what can be installed; return "" or the reason for every peer."""
    done = folder / "peers.json"
    if done.is_file():
        return json.loads(done.read_text(encoding="utf-8"))
    python, pins, outcome = environment(folder), folder / "pins.txt", {}
    pins.write_text("".join(f"{n}=={metadata.version(n)}\n" for n in _PINNED), encoding="utf-8")
    for package, module in PEERS.items():
        pip = [python, "-m", "pip", "install", "--quiet", "--prefer-binary", "--constraint", pins]
        imported = WITHOUT_PINS.get(package)
        steps = [[*pip, *imported], [*pip, "--no-deps", package]] if imported else [[*pip, package]]
        outcome[package] = ""
        for step in (*steps, [python, "-c", f"import {module}"]):
            try:
                subprocess.run(step, capture_output=True, text=True, timeout=_SECONDS, check=True)
            except subprocess.SubprocessError as error:
                lines = str(getattr(error, "stderr", "") or error).strip().splitlines()
                told = next((line for line in lines if line.startswith("ERROR")), lines[-1])
                outcome[package] = (
                    f"does not {'import' if '-c' in step else 'install'}: {told[:200]}"
                )
                break
        print(f"peer {package}: {outcome[package] or 'installed'}", flush=True)
    done.write_text(json.dumps(outcome, indent=1) + "\n", encoding="utf-8")
    return outcome
