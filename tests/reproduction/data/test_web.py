"""Downloads: resumed, retried, limited, never half."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reproduction.data.errors import SourceUnavailableError
from reproduction.data.sources.web import Web

sys.path.insert(0, str(Path(__file__).parent))
from web_server import Server

URL = "https://host.example/file"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server():
    with Server() as running:
        yield running


@pytest.fixture
def content(rng):
    return rng.bytes(200_000)


@pytest.fixture
def web(server, tmp_path):
    def make(**options):
        settings = {"backoff": 0.001, "timeout": (5.0, 5.0), **options}
        return Web(tmp_path / "parts", addresses=server.addresses, **settings)

    return make


def parts(tmp_path):
    return list((tmp_path / "parts").glob("*.part"))


def test_a_plain_download_leaves_nothing_behind(server, web, content, tmp_path):
    server.put(URL, content)
    counted = []
    assert web(progress=counted.append).get(URL) == content
    assert sum(counted) == len(content)
    assert parts(tmp_path) == []


def test_the_longest_beginning_decides_where_is_asked(tmp_path):
    web = Web(tmp_path, addresses={"https://": "http://a/", "https://b.c/": "http://d/"})
    assert web.address("https://b.c/x") == "http://d/x"
    assert web.address("https://e/x") == "http://a/e/x"
    assert web.address("ftp://e/x") == "ftp://e/x"


def test_broken_connections_are_resumed(server, web, content):
    server.put(URL, content, break_after=[70_000, 50_000])
    assert web().get(URL) == content
    starts = [asked for _, asked in server.requests]
    assert starts[0] is None
    assert len(starts) == 3
    begun = [int(asked.removeprefix("bytes=").rstrip("-")) for asked in starts[1:]]
    assert 0 < begun[0] < begun[1]


def test_a_reset_in_the_middle_is_resumed(server, web, content, tmp_path):
    server.put(URL, content, break_after=[120_000], reset=True)
    assert web().get(URL) == content
    assert len(server.requests) == 2
    server.put(URL, content, break_after=[0, 120_000], reset=True)
    with pytest.raises(SourceUnavailableError, match="broke 2 times") as caught:
        web(attempts=2).get(URL)
    assert "reset" in str(caught.value).lower()
    assert all(content.startswith(part.read_bytes()) for part in parts(tmp_path))


def test_silence_in_the_middle_is_resumed(server, web, content):
    server.put(URL, content, break_after=[120_000], stall=2.0)
    start = time.monotonic()
    assert web(timeout=(5.0, 0.5)).get(URL) == content
    assert time.monotonic() - start < 2
    assert len(server.requests) == 2


def test_a_killed_process_leaves_what_came_for_the_next(server, web, content, tmp_path):
    server.put(URL, content, break_after=[150_000], stall=60.0)
    program = (
        "import sys; from pathlib import Path; from reproduction.data.sources.web import Web; "
        "Web(Path(sys.argv[1]), addresses={'https://': sys.argv[2]}).get(sys.argv[3])"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "parts"), server.base, URL]
    with subprocess.Popen(command) as process:
        until = time.monotonic() + 60
        while not any(part.stat().st_size > 100_000 for part in parts(tmp_path)):
            assert time.monotonic() < until
            time.sleep(0.05)
        process.kill()
    (kept,) = parts(tmp_path)
    assert content.startswith(kept.read_bytes())
    start = time.monotonic()
    assert web().get(URL) == content
    assert time.monotonic() - start < 30  # the lock of the dead process is gone with it
    assert int(server.requests[-1][1].removeprefix("bytes=").rstrip("-")) > 100_000
    assert parts(tmp_path) == []


def test_a_later_run_continues(server, web, content, tmp_path):
    answer = server.put(URL, content, break_after=[150_000])
    with pytest.raises(SourceUnavailableError, match=r"broke 1 times.*kept for the next run"):
        web(attempts=1).get(URL)
    (kept,) = parts(tmp_path)
    assert content.startswith(kept.read_bytes())
    assert answer.break_after == []
    assert web().get(URL) == content
    assert server.requests[-1][1] == f"bytes={150_000 // 16384 * 16384}-"


def test_a_continued_file_that_is_another_is_begun_again(server, web, content, rng):
    import hashlib

    server.put(URL, content, break_after=[150_000])
    with pytest.raises(SourceUnavailableError):
        web(attempts=1).get(URL)
    other = rng.bytes(200_000)
    server.put(URL, other)
    assert web().get(URL, sha256=hashlib.sha256(other).hexdigest()) == other


def test_a_server_that_cannot_continue_sends_all_again(server, web, content):
    server.put(URL, content, break_after=[90_000], ranges=False)
    assert web().get(URL) == content


def test_a_continuation_at_the_wrong_place_is_not_taken(server, web, content):
    server.put(URL, content, break_after=[100_000], wrong_range=True)
    with pytest.raises(SourceUnavailableError, match="wrong place"):
        web(attempts=2).get(URL)


def test_a_cut_file_of_unknown_length_is_noticed_by_its_size(server, web, content):
    server.put(URL, content, break_after=[90_000], unsized=True)
    assert web().get(URL, size=len(content)) == content
    assert len(server.requests) == 2


def test_more_than_announced_is_refused(server, web, content):
    server.put(URL, content)
    with pytest.raises(SourceUnavailableError, match="sent 200000 bytes, expected 199999"):
        web().get(URL, size=199_999)


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_refusal_is_final(server, web, content, status):
    server.put(URL, content, status=status)
    with pytest.raises(SourceUnavailableError, match=f"{URL}: HTTP {status}"):
        web().get(URL)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_busy_servers_are_asked_again_when_they_say(server, web, content, status):
    server.put(URL, content, status=status, headers={"Retry-After": "1"}, times=1)
    start = time.monotonic()
    assert web().get(URL) == content
    assert time.monotonic() - start >= 1


def test_a_server_that_asks_for_too_much_patience_is_passed_over(server, web, content):
    server.put(URL, content, status=429, headers={"Retry-After": "3600"})
    with pytest.raises(SourceUnavailableError, match="busy, asks to come back in 3600 s"):
        web().get(URL)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [500, 502, 504])
def test_faults_of_servers_are_tried_again(server, web, content, status):
    server.put(URL, content, status=status, times=2)
    assert web().get(URL) == content


def test_redirects_are_followed(server, web, content):
    server.put("https://other.example/x", content)
    server.put(URL, b"", status=302, headers={"Location": f"{server.base}other.example/x"})
    assert web().get(URL) == content


def test_a_hanging_server_is_left(server, web, content):
    server.put(URL, content, hang=3.0)
    start = time.monotonic()
    with pytest.raises(SourceUnavailableError, match="broke 2 times"):
        web(timeout=(1.0, 0.2), attempts=2).get(URL)
    assert time.monotonic() - start < 3


def test_a_slow_address_runs_out_of_time(server, web, content):
    server.put(URL, content, break_after=[1000] * 100)
    with pytest.raises(SourceUnavailableError, match="broke 1 times"):
        web(time_limit=0.0).get(URL)


@pytest.mark.parametrize(
    ("body", "kind"),
    [(b"<html>sign in</html>", "text/html; charset=utf-8"),
     (b"\n<!DOCTYPE html><p>gone", "application/octet-stream")],
)  # fmt: skip
def test_a_web_page_in_place_of_the_file_is_not_taken(server, web, body, kind, tmp_path):
    server.put(URL, body, content_type=kind)
    with pytest.raises(SourceUnavailableError, match="a web page, not the file"):
        web().get(URL)
    assert parts(tmp_path) == []


def test_limits_of_size(server, web, content, tmp_path):
    server.put(URL, content)
    for size in (None, 200_000):
        with pytest.raises(SourceUnavailableError, match="over the limit of 100000"):
            web(limit=100_000).get(URL, size)
    server.put(URL, content, unsized=True)
    with pytest.raises(SourceUnavailableError, match="sends more than 100000 bytes"):
        web(limit=100_000).get(URL)
    assert parts(tmp_path) == []


def test_an_unreachable_host_is_asked_once(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"
    web = Web(tmp_path, backoff=0.001)
    with pytest.raises(SourceUnavailableError, match="no connection"):
        web.get(f"{closed}/x")
    with pytest.raises(SourceUnavailableError, match="could not be reached before"):
        web.get(f"{closed}/y")
