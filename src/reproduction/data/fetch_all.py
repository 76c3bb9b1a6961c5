"""Fetch many data sets at once and say what each rests on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

from tqdm import tqdm

from reproduction.data.entry import Dataset
from reproduction.data.fetch import fetch
from reproduction.data.places import Places
from reproduction.data.provenance import PROVENANCE_FILE, read_provenance
from reproduction.data.registry import Registry, fetch_hash

#: Downloads at the same time; more would be rude to the hosts.
JOBS = 4


@dataclass(frozen=True)
class Outcome:
    """What became of one data set: its provenance, or why there is none; what was in vain."""

    dataset: Dataset
    provenance: dict[str, Any] | None
    error: str = ""
    tried: Sequence[str] = ()

    @property
    def source(self) -> str:
        """The kind of source that served."""
        return str(self.provenance["source"]) if self.provenance else "failed"


def is_fetched(dataset: Dataset, raw_dir: Path, *, mode: str = "auto") -> bool:
    """Return whether what lies in the raw folder is what a fetch would bring.

    A surrogate in place of data that exist does not count: their sources are tried again.
    """
    if not (raw_dir / dataset.key / PROVENANCE_FILE).is_file() or dataset.role == "own":
        return False
    known = read_provenance(raw_dir / dataset.key)
    if known.get("entry") != fetch_hash(dataset):
        return False
    surrogate = known["source"] == "surrogate"
    if mode == "surrogate":
        return surrogate
    return not (surrogate and (known.get("fallback") or mode == "real"))


def fetch_all(
    keys: Iterable[str],
    registry: Registry,
    raw_dir: Path,
    places: Places,
    *,
    mode: str = "auto",
    scale: float = 1.0,
) -> list[Outcome]:
    """Fetch data sets in parallel, with one progress line; those that are there are kept."""
    wanted = [registry[key] for key in dict.fromkeys(keys)]

    def one(dataset: Dataset) -> Outcome:
        if is_fetched(dataset, raw_dir, mode=mode):
            return Outcome(dataset, read_provenance(raw_dir / dataset.key))
        tried: list[str] = []
        given: dict[str, Any] = {"registry": registry, "raw_dir": raw_dir, "places": places}
        how: dict[str, Any] = {"mode": mode, "surrogate_scale": scale, "tried": tried}
        try:
            return Outcome(dataset, fetch(dataset.key, **given, **how), tried=tried)
        except Exception as failed:  # which the other data sets do not share
            return Outcome(dataset, None, str(failed) or repr(failed), tried)

    look: dict[str, Any] = {"desc": "data sets", "disable": None, "leave": False}
    with ThreadPool(JOBS) as pool:  # Ctrl-C leaves its threads behind at once
        return list(tqdm(pool.imap(one, wanted), total=len(wanted), **look))


def table(outcomes: Iterable[Outcome]) -> str:
    """Return the closing table: which source served, how much, verified, the licence."""
    row = "{:<20}  {:<20}  {:>6}  {:<8}  {}".format
    lines = [row("data set", "source", "MB", "verified", "licence"), "-" * 100]
    checks = {"own": "recorded", "user": "recorded", "surrogate": "no", "failed": "no"}
    for outcome in outcomes:
        files = outcome.provenance["files"] if outcome.provenance else []
        size = f"{sum(record.get('bytes', 0) for record in files) / 1e6:.1f}" if files else ""
        verified = checks.get(outcome.source, "sha256")
        facts = (outcome.source, size, verified, outcome.dataset.licence)
        lines.append(row(outcome.dataset.key, *facts))
    return "\n".join(lines)


def advice(outcomes: Iterable[Outcome]) -> list[str]:
    """Return what to do about each data set that is not real, and why: a line per address."""
    lines = []
    for outcome in outcomes:
        key = outcome.dataset.key
        if outcome.error:
            lines += f"{key}: NOT FETCHED. {outcome.error}".splitlines()
        elif outcome.provenance and outcome.provenance.get("fallback"):
            lines.append(
                f"{key}: SURROGATE, synthetic data in place of real data that no source gave. Put "
                f"its files into data/mirror or data/user/{key} (names and checksums: "
                f"data/registry/{key}.yaml), or run again with a network."
            )
            lines += [f"  - {reason}" for reason in outcome.tried]
    return lines
