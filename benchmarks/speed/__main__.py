"""Measure everything and write the board: ``PYTHONPATH=benchmarks python -m speed``.

Makes an environment with the peers (``build/peers``) and goes on in it.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
#: Freed memory stays with the process: else the time of methods with large temporary arrays, as of
#: NMF, depends on what was freed before them.
KEPT = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")
PARTS = ("topics", "coregularised", "online", "assignments", "clusters", "correlations")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="speed", description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=Path, default=Path("reports/speed.html"))
    parser.add_argument("--table", type=Path, default=Path("reports/speed.csv"))
    parser.add_argument("--peers", type=Path, default=Path("build/peers"), help="environment")
    parser.add_argument("--no-peers", action="store_true", help="what is installed here alone")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run?")
    return parser.parse_args()


def _in_peers_environment(given: argparse.Namespace) -> int | None:
    """Go on in the peers' environment; None when this process is in it, or none is wanted."""
    from speed.peers import environment, install

    folder = given.peers.resolve()
    if given.no_peers or Path(sys.prefix) == folder:
        return None
    install(folder)
    source = Path(__file__).resolve().parents[2]
    path = os.pathsep.join([str(source / "src"), str(source / "benchmarks")])
    one = {**dict.fromkeys(THREADS, "1"), **dict.fromkeys(KEPT, str(1 << 30))}
    command = [environment(folder), "-m", "speed", *sys.argv[1:]]
    return subprocess.run(command, env={**os.environ, **one, "PYTHONPATH": path}).returncode


def main() -> int:
    given = _arguments()
    ended = _in_peers_environment(given)
    if ended is not None:
        return ended
    from importlib import import_module

    import pandas as pd
    from threadpoolctl import threadpool_limits

    from reproduction.files import write_text
    from speed.growth import curves
    from speed.measure import UNUSABLE
    from speed.page import speed_page
    from speed.peers import PEERS, install

    peers = {} if given.no_peers else install(given.peers.resolve())
    here = {PEERS[package] for package, why in peers.items() if not why}
    start = time.perf_counter()
    rows: list[dict[str, object]] = []
    with threadpool_limits(limits=1):
        for part in given.only:
            try:
                for comparison in import_module(f"speed.{part}").compare(given.quick, here):
                    rows += comparison.rows()
                    peer = comparison.rows()[-1]
                    print(
                        f"{time.perf_counter() - start:5.0f} s  {comparison.case}: "
                        f"{peer['method']} takes {peer['times slower than ours']:.3g} times ours",
                        flush=True,
                    )
            except Exception as error:  # a quarter of an hour is not lost for one peer
                UNUSABLE[f"rest of {part}"] = f"not measured: {error}".split("\n")[0][:200]
                print(f"{part}: {UNUSABLE[f'rest of {part}']}", flush=True)
    growth = pd.DataFrame(list(curves(given.quick)))
    table = pd.DataFrame(rows)
    about = (
        f"Python {platform.python_version()} on {platform.machine()}, "
        f"{os.cpu_count()} cores; the whole board took {time.perf_counter() - start:.0f} s."
    )
    page = speed_page(table, growth, {**peers, **UNUSABLE}, about)
    write_text(given.page, page)
    write_text(given.table, table.to_csv(index=False, float_format="%.6g", lineterminator="\n"))
    print(given.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
