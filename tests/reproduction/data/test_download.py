import socket
import sys
from pathlib import Path

import pytest

from reproduction.data import download as module
from reproduction.data.download import download
from reproduction.data.provenance import FetchError, SourceUnavailableError

sys.path.insert(0, str(Path(__file__).parent))
from web_server import Server


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server(rng):
    with Server(rng.bytes(200_000)) as running:
        yield running


def fetch(server, tmp_path, path="/file", **options):
    target = tmp_path / "file.bin"
    used = download([server.url(path)], target, backoff=0.001, **options)
    return target, used


def test_a_plain_download(server, tmp_path):
    target, used = fetch(server, tmp_path)
    assert target.read_bytes() == server.behaviour.content
    assert used == server.url()
    assert [p.name for p in tmp_path.iterdir()] == ["file.bin"]


def test_broken_connections_are_resumed(server, tmp_path):
    server.behaviour.break_after = [70_000, 50_000]
    target, _ = fetch(server, tmp_path)
    assert target.read_bytes() == server.behaviour.content
    starts = [asked for _, asked in server.behaviour.requests]
    assert starts[0] is None
    assert len(starts) == 3
    begun = [int(asked.removeprefix("bytes=").rstrip("-")) for asked in starts[1:]]
    assert 0 < begun[0] < begun[1]


def test_a_later_run_continues(server, tmp_path):
    part = tmp_path / "file.bin.part"
    part.write_bytes(server.behaviour.content[:150_000])
    target, _ = fetch(server, tmp_path)
    assert target.read_bytes() == server.behaviour.content
    assert server.behaviour.requests == [("/file", "bytes=150000-")]
    assert not part.exists()


def test_a_server_that_cannot_continue_sends_all_again(server, tmp_path):
    server.behaviour.break_after = [90_000]
    server.behaviour.ranges = False
    target, _ = fetch(server, tmp_path)
    assert target.read_bytes() == server.behaviour.content


def test_a_part_that_is_no_beginning_is_dropped(server, tmp_path):
    (tmp_path / "file.bin.part").write_bytes(b"x" * 300_000)
    target, _ = fetch(server, tmp_path)
    assert target.read_bytes() == server.behaviour.content


def test_a_complete_part_needs_no_request(server, tmp_path):
    (tmp_path / "file.bin.part").write_bytes(server.behaviour.content)
    target, _ = fetch(server, tmp_path, size=200_000)
    assert target.read_bytes() == server.behaviour.content
    assert server.behaviour.requests == []


def test_busy_servers_are_asked_again(server, tmp_path):
    server.behaviour.failures = 2
    target, _ = fetch(server, tmp_path)
    assert target.read_bytes() == server.behaviour.content


def test_giving_up_keeps_what_has_arrived(server, tmp_path):
    server.behaviour.break_after = [10_000] * 20
    with pytest.raises(SourceUnavailableError, match=r"broke 3 times.*the next run continues"):
        fetch(server, tmp_path, attempts=3)
    assert not (tmp_path / "file.bin").exists()
    have = (tmp_path / "file.bin.part").read_bytes()
    assert have
    assert server.behaviour.content.startswith(have)


def test_a_continuation_at_the_wrong_place_is_not_taken(server, tmp_path):
    server.behaviour.break_after = [10_000]
    server.behaviour.wrong_range = True
    with pytest.raises(SourceUnavailableError, match="wrong place"):
        fetch(server, tmp_path, attempts=2)
    assert not (tmp_path / "file.bin").exists()


def test_another_length_than_expected_is_an_error_and_leaves_nothing(server, tmp_path):
    with pytest.raises(FetchError, match="sent 200000 bytes, expected 200001"):
        fetch(server, tmp_path, size=200_001)
    assert list(tmp_path.iterdir()) == []


def test_endless_answers_are_refused(server, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 100_000)
    with pytest.raises(FetchError, match="more than 100000 bytes"):
        fetch(server, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_next_address_is_tried(server, tmp_path):
    target = tmp_path / "file.bin"
    used = download([server.url("/missing"), server.url("/b")], target, backoff=0.001)
    assert used == server.url("/b")
    assert target.read_bytes() == server.behaviour.content


def test_unreachable_addresses_are_listed_with_reasons(server, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/x"
    with pytest.raises(SourceUnavailableError) as caught:
        download([closed, server.url("/missing")], tmp_path / "x", backoff=0.001)
    assert closed in str(caught.value)
    assert "no connection" in str(caught.value)
    assert "HTTP 404" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_web_page_in_place_of_the_file_is_not_taken(server, tmp_path):
    server.behaviour.content_type = "text/html; charset=utf-8"
    with pytest.raises(SourceUnavailableError, match="a web page, not the file"):
        fetch(server, tmp_path)
    assert list(tmp_path.iterdir()) == []
