"""Many data sets at once: what is said, what is kept, what a run rests on."""

import subprocess
import sys

import pytest
from toys import COMMIT, CONTENT, MIRROR, PUBLIC, RAW, USER, fill, registry_of

from reproduction.data.errors import FetchError
from reproduction.data.fetch_all import advice, fetch_all, is_fetched, table
from reproduction.data.places import Places
from reproduction.data.registry import Registry
from reproduction.data.surrogate_runs import apart, fallbacks, refuse_new_fallback
from reproduction.data.web import Web


@pytest.fixture
def registry():
    """Four data sets: on the web, in a mirror, given by its owner alone, never published."""
    web, near, given = (registry_of(source)["toy"] for source in (PUBLIC, MIRROR, USER))
    never = registry_of(files={})["toy"]
    named = {"given": given, "near": near, "never": never, "web": web}
    return Registry({key: one.model_copy(update={"key": key}) for key, one in named.items()})


@pytest.fixture
def places(server, tmp_path):
    fill(tmp_path / "mirror" / "toyset")
    web = Web(server.addresses)
    return Places([tmp_path / "mirror"], tmp_path / "user", web, tmp_path / "cache")


def by_key(outcomes):
    return {outcome.dataset.key: outcome for outcome in outcomes}


def test_a_lost_network_is_said_and_the_next_run_gets_the_data(registry, places, server, tmp_path):
    raw = tmp_path / "raw"
    first = by_key(fetch_all(registry, registry, raw, places))
    assert {key: outcome.source for key, outcome in first.items()} == {
        "given": "surrogate", "near": "mirror", "never": "surrogate", "web": "surrogate"
    }  # fmt: skip
    line, *reasons = advice(first.values())
    assert line.startswith("web: SURROGATE")
    assert any(f"{RAW}/one/toys/{COMMIT}/a.txt: HTTP 404" in reason for reason in reasons)
    assert fallbacks(registry, raw) == ["web"]

    def written():
        return {key: (raw / key / "PROVENANCE.json").stat().st_mtime_ns for key in registry}

    before = written()
    again = by_key(fetch_all(registry, registry, raw, places))  # still no network
    assert again["web"].source == "surrogate"
    assert written() == before  # nothing that rests on it becomes stale
    for name, content in CONTENT.items():
        server.put(f"{RAW}/one/toys/{COMMIT}/{name}", content)
    last = by_key(fetch_all(registry, registry, raw, places))
    assert last["web"].source == "public"
    assert advice(last.values()) == []
    assert written()["near"] == before["near"]


def test_only_what_is_missing_or_another_is_fetched(registry, places, tmp_path):
    raw, near = tmp_path / "raw", registry["near"]
    assert not is_fetched(near, raw)
    fetch_all(["near"], registry, raw, places)
    assert is_fetched(near.model_copy(update={"title": "Other"}), raw)
    assert not is_fetched(near.model_copy(update={"differences": "Other"}), raw)
    fetch_all(["near"], registry, raw, places, mode="surrogate")
    assert not is_fetched(near, raw, mode="real")


def test_real_refuses_with_every_reason_and_the_others_are_fetched(registry, places, tmp_path):
    outcomes = by_key(fetch_all(registry, registry, tmp_path / "raw", places, mode="real"))
    failed = [key for key, outcome in outcomes.items() if outcome.source == "failed"]
    assert failed == ["given", "never", "web"]
    lines = table(outcomes.values()).splitlines()
    assert [line.split()[1] for line in lines[2:]] == ["failed", "mirror", "failed", "failed"]
    said = advice(outcomes.values())
    assert sum("NOT FETCHED" in line for line in said) == 3
    assert any(f"{RAW}/one/toys/{COMMIT}/a.txt: HTTP 404" in line for line in said)


def test_an_interrupt_ends_it_at_once(server, tmp_path):
    """Ctrl-C while every address is silent."""
    for name in CONTENT:
        server.put(f"{RAW}/one/toys/{COMMIT}/{name}", b"", hang=60.0)
    program = f"""
import os, signal, sys, threading
sys.path[:0] = {sys.path!r}
from pathlib import Path
from toys import PUBLIC, registry_of
from reproduction.data.fetch_all import fetch_all
from reproduction.data.places import Places
from reproduction.data.web import Web
places = Places(cache=sys.argv[1], web=Web({server.addresses!r}))
signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores it
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
print("asking", flush=True)
fetch_all(["toy"], registry_of(PUBLIC), Path(sys.argv[1]) / "raw", places)
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        _, said = process.communicate(timeout=40)  # the addresses are silent for longer
    assert b"KeyboardInterrupt" in said
    assert not (tmp_path / "raw").exists()


def test_a_fallback_keeps_away_from_real_results(registry, places, tmp_path):
    raw = tmp_path / "raw"
    fetch_all(registry, registry, raw, places)
    refuse_new_fallback("web", raw / "web", True)
    with pytest.raises(FetchError, match=r"no source has web.*Run the same command again"):
        refuse_new_fallback("web", raw / "web", False)
    assert apart("reports", "reports", False) == "reports"
    assert apart("reports", "reports", True) == "build/surrogate/reports"
    assert apart("build/quick/reports", "reports", True) == "build/quick/reports"
