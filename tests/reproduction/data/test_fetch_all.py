"""Many data sets at once: what is there is kept, the table, the advice, the network back."""

import sys
from pathlib import Path

import pytest

from reproduction.data.__main__ import readme_text
from reproduction.data.addresses import address_table, addresses, independent_addresses
from reproduction.data.entry import Dataset
from reproduction.data.errors import FetchError
from reproduction.data.fetch_all import Outcome, advice, fetch_all, is_fetched, table, weight
from reproduction.data.places import PlaceSettings
from reproduction.data.portable import CHECKSUMS, write_mirror
from reproduction.data.provenance import read_provenance
from reproduction.data.registry import Registry, load_registry
from reproduction.data.surrogate_runs import apart, fallbacks, refuse_new_fallback, told
from reproduction.files import ROOT

sys.path.insert(0, str(Path(__file__).parent))
from test_fetch import CONTENT, FILES, MANY, MIRROR, TREE, USER, fill, registry_of
from web_server import Server

COMMIT = "0123456789" * 4
PUBLIC = {"kind": "public", "repository": "one/toys", "commit": COMMIT}


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as running:
        yield running


@pytest.fixture
def registry():
    """Three data sets: on the web, in a mirror, never published."""
    web = registry_of(PUBLIC)["toy"].model_copy(update={"key": "web"})
    near = registry_of(MIRROR)["toy"].model_copy(update={"key": "near"})
    never = registry_of(files={})["toy"].model_copy(update={"key": "never"})
    return Registry({dataset.key: dataset for dataset in (near, never, web)})


@pytest.fixture
def settings(server, tmp_path):
    fill(tmp_path / "mirror" / "toyset")
    return PlaceSettings(
        mirrors=[tmp_path / "mirror"],
        user=tmp_path / "user",
        cache=tmp_path / "cache",
        addresses=server.addresses,
    )


def put_on_the_web(server):
    for name, content in CONTENT.items():
        server.put(f"https://raw.githubusercontent.com/one/toys/{COMMIT}/{name}", content)


def by_key(outcomes):
    return {outcome.dataset.key: outcome for outcome in outcomes}


def test_a_lost_network_is_said_and_the_next_run_gets_the_data(
    registry, settings, server, tmp_path, capsys
):
    raw = tmp_path / "raw"
    first = by_key(fetch_all(registry, registry, raw, settings, jobs=2))
    assert {key: outcome.source for key, outcome in first.items()} == {
        "near": "mirror", "never": "surrogate", "web": "surrogate"
    }  # fmt: skip
    assert "licence" in capsys.readouterr().err
    (line,) = advice(first.values())
    assert line.startswith("web: SURROGATE")
    assert "data/registry/web.yaml" in line
    assert fallbacks(registry, raw) == ["web"]
    before = {key: (raw / key / "PROVENANCE.json").stat().st_mtime_ns for key in registry}

    again = by_key(fetch_all(registry, registry, raw, settings))  # still no network
    assert again["web"].source == "surrogate"
    after = {key: (raw / key / "PROVENANCE.json").stat().st_mtime_ns for key in registry}
    assert after == before  # nothing that rests on it becomes stale

    put_on_the_web(server)
    last = by_key(fetch_all(registry, registry, raw, settings))
    assert last["web"].source == "public"
    assert advice(last.values()) == []
    assert fallbacks(registry, raw) == []
    assert (raw / "near" / "PROVENANCE.json").stat().st_mtime_ns == before["near"]


def test_what_nobody_can_download_is_not_announced(settings, tmp_path, capsys):
    web = registry_of(PUBLIC)["toy"].model_copy(update={"key": "web"})
    given = registry_of(USER)["toy"].model_copy(update={"key": "given"})
    both = Registry({dataset.key: dataset for dataset in (web, given)})
    fetch_all(both, both, tmp_path / "raw", settings)
    said = capsys.readouterr().err
    assert "\nweb: about" in said
    assert "given: about" not in said
    fetch_all(["given"], both, tmp_path / "other", settings)
    assert "are downloaded" not in capsys.readouterr().err


def test_only_what_is_missing_or_another_is_fetched(registry, settings, server, tmp_path):
    raw = tmp_path / "raw"
    near = registry["near"]
    assert not is_fetched(near, raw)
    fetch_all(["near"], registry, raw, settings)
    assert is_fetched(near, raw)
    assert is_fetched(near.model_copy(update={"title": "Other"}), raw)
    assert not is_fetched(near.model_copy(update={"differences": "Other"}), raw)
    assert not is_fetched(near, raw, mode="surrogate")
    fetch_all(["near"], registry, raw, settings, mode="surrogate")
    assert read_provenance(raw / "near")["source"] == "surrogate"
    assert not is_fetched(near, raw, mode="real")
    own = {"key": "mine", "name": "M", "role": "own", "files": [{"path": "a.csv", "view": "a"}]}
    assert not is_fetched(Dataset.model_validate(own), raw)


def test_real_refuses_and_the_others_are_fetched_all_the_same(registry, settings, tmp_path):
    outcomes = by_key(fetch_all(registry, registry, tmp_path / "raw", settings, mode="real"))
    assert outcomes["near"].source == "mirror"
    assert outcomes["web"].source == outcomes["never"].source == "failed"
    shown = table(outcomes.values()).splitlines()
    assert shown[0].split() == ["data", "set", "source", "MB", "verified", "licence"]
    assert [line.split()[1] for line in shown[2:]] == ["mirror", "failed", "failed"]
    lines = advice(outcomes.values())
    assert len(lines) == 2
    for line in lines:
        assert "NOT FETCHED. data set" in line
        assert line.endswith("or allow surrogates.")
        assert "\n" not in line


def test_what_a_download_weighs(registry):
    assert weight(registry["web"]) == sum(map(len, CONTENT.values()))
    big = registry_of({**PUBLIC, "unpacked": 10**8}, files=TREE)["toy"]
    assert weight(big) == 10**8
    assert weight(load_registry()["yeast"]) == 62750332


def test_a_portable_mirror_serves_machines_without_network(registry, settings, tmp_path):
    raw = tmp_path / "raw"
    both = registry_of(MIRROR, files={**FILES, **TREE})
    fill(tmp_path / "mirror" / "toyset" / "many", MANY)
    fetch_all(["toy"], both, raw, settings)
    assert write_mirror(both.values(), raw, tmp_path / "portable") == ["toy"]
    lines = (tmp_path / "portable" / CHECKSUMS).read_text().splitlines()
    assert [line.split("  ")[1] for line in lines] == [
        "toyset/a.txt", "toyset/many.zip", "toyset/sub/b.bin"
    ]  # fmt: skip
    alone = PlaceSettings(mirrors=[tmp_path / "portable"], network=False, cache=tmp_path / "none")
    (outcome,) = fetch_all(["toy"], both, tmp_path / "there", alone, mode="real")
    assert outcome.source == "mirror"
    assert write_mirror(registry.values(), raw, tmp_path / "empty") == []
    (raw / "toy" / "a.txt").write_bytes(b"changed")
    with pytest.raises(FetchError, match=r"a\.txt is not the file that was fetched"):
        write_mirror(both.values(), raw, tmp_path / "portable")


def test_results_on_surrogates_go_elsewhere():
    assert apart("reports", "reports", False) == "reports"
    assert apart("reports", "reports", True) == "build/surrogate/reports"
    assert apart("build/quick/reports", "reports", True) == "build/quick/reports"


def test_papers_say_what_they_rest_on(registry, settings, tmp_path):
    raw = tmp_path / "raw"
    fetch_all(registry, registry, raw, settings)
    lines = told({"good": ["near"], "bad": ["web", "near"], "some": ["never", "near"]}, raw)
    assert lines[0] == ("bad: 1 of 2 data sets are real; SURROGATES, since no source answered: web")
    assert "good: 1 of 1 data sets are real" in lines
    assert "some: 1 of 2 data sets are real; synthetic, since never published: never" in lines
    refuse_new_fallback("near", raw / "near", False)
    refuse_new_fallback("web", raw / "web", True)
    with pytest.raises(FetchError, match=r"no source has web.*Run the same command again"):
        refuse_new_fallback("web", raw / "web", False)


def test_every_real_data_set_has_addresses_and_the_readme_lists_them():
    registry = load_registry()
    for dataset in registry.values():
        if dataset.files:
            assert addresses(dataset), dataset.key
    assert independent_addresses(registry["cora"]) >= 2
    text = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    assert readme_text(text, registry) == text, "run `python -m reproduction.data readme`"


def test_independent_addresses_are_of_different_owners():
    again = {**PUBLIC, "commit": "9" * 40}
    home = {"kind": "publisher", "url": "https://home.example/a.zip"}
    also = {"kind": "publisher", "url": "https://home.example/b.zip"}
    half = {**PUBLIC, "repository": "two/toys", "gives": ["a.txt"]}
    for sources, count in (
        ([MIRROR], 0), ([MIRROR, PUBLIC], 1), ([PUBLIC, again], 1), ([PUBLIC, home], 2),
        ([home, also], 1), ([PUBLIC, half], 1), ([half], 0),
    ):  # fmt: skip
        assert independent_addresses(registry_of(*sources)["toy"]) == count
    inputs = {"in": {"bytes": 1, "sha256": "0" * 64}, "too": {"bytes": 1, "sha256": "1" * 64}}
    places = [PUBLIC, home, {**PUBLIC, "repository": "two/toys", "gives": ["in"]}]
    made = {"kind": "made", "by": "x:y", "gives": list(FILES), "files": inputs, "sources": places}
    assert independent_addresses(registry_of(made)["toy"]) == 2
    assert independent_addresses(registry_of(made, PUBLIC)["toy"]) == 3
    (row,) = address_table([registry_of(PUBLIC, {**home, "gives": ["a.txt"]})["toy"]]).splitlines()[
        2:
    ]
    assert "| 1: a single public copy of sub/b.bin |" in row


def test_an_outcome_without_files():
    never = registry_of(files={})["toy"]
    assert Outcome(never, None, "no\nway").source == "failed"
    assert advice([Outcome(never, None, "no\nway")]) == ["toy: NOT FETCHED. no"]
