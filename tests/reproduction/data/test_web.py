"""Downloads: continued, limited, never half; a silent host is asked once; no password is sent."""

import socket
import threading
import time

import pytest
from web_server import Server

from reproduction.data.errors import SourceUnavailableError
from reproduction.data.sources.web import Hosts, Web

URL = "https://host.example/file"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as running:
        yield running


@pytest.fixture
def content(rng):
    return rng.bytes(200_000)


@pytest.fixture
def web(server):
    def make(**options):
        settings = {"backoff": 0.001, "timeout": (5.0, 5.0), **options}
        return Web(addresses=server.addresses, **settings)

    return make


def test_a_plain_download(server, web, content):
    server.put(URL, content)
    counted = []
    assert web(progress=counted.append).get(URL) == content
    assert sum(counted) == len(content)


def test_the_longest_beginning_decides_where_is_asked():
    web = Web(addresses={"https://": "http://a/", "https://b.c/": "http://d/"})
    assert web.address("https://b.c/x") == "http://d/x"
    assert web.address("https://e/x") == "http://a/e/x"


@pytest.mark.parametrize(
    "how",
    [{"break_after": [70_000, 50_000]}, {"break_after": [120_000], "reset": True},
     {"break_after": [120_000], "stall": 2.0}, {"break_after": [90_000], "ranges": False},
     {"status": 502, "times": 2}, {"status": 429, "headers": {"Retry-After": "1"}, "times": 1}],
)  # fmt: skip
def test_what_breaks_or_is_busy_is_asked_again(server, web, content, how):
    server.put(URL, content, **how)
    assert web(timeout=(5.0, 0.5)).get(URL) == content
    later = [asked for _, asked in server.requests[1:]]
    if "break_after" in how:
        assert all(int(asked.removeprefix("bytes=").rstrip("-")) > 0 for asked in later)


def test_a_cut_file_of_unknown_length_is_noticed_by_its_size(server, web, content):
    server.put(URL, content, break_after=[90_000], unsized=True)
    assert web().get(URL, size=len(content)) == content
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("how", "message"),
    [({"status": 403}, "HTTP 403"), ({"status": 404}, "HTTP 404"),
     ({"status": 429, "headers": {"Retry-After": "3600"}}, "come back in 3600 s"),
     ({"content_type": "text/html; charset=utf-8"}, "a web page, not the file"),
     ({"break_after": [100_000], "wrong_range": True}, "wrong place"),
     ({"break_after": [1000] * 9}, "broke 2 times")],
)  # fmt: skip
def test_what_does_not_serve_is_said_in_one_line(server, web, content, how, message):
    server.put(URL, content, **how)
    with pytest.raises(SourceUnavailableError, match=f"^{URL}: .*{message}"):
        web(attempts=2).get(URL)
    server.put(URL, b"\n<!DOCTYPE html><p>gone")
    with pytest.raises(SourceUnavailableError, match="a web page"):
        web().get(URL)


@pytest.mark.parametrize("unsized", [False, True])
@pytest.mark.parametrize("page", [False, True])
def test_limits_of_size(server, web, content, unsized, page):
    server.put(URL, content, unsized=unsized)
    with pytest.raises(SourceUnavailableError, match=r"limit of 100000|more than 100000 bytes"):
        web(limit=100_000).get(URL, page=page)


def test_no_password_is_sent_even_after_a_redirect(server, web, content, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    server.put("https://other.example/x", content)
    server.put(URL, b"", status=302, headers={"Location": f"{server.base}other.example/x"})
    assert web().get(URL) == content
    assert server.passwords == []


@pytest.fixture
def silent():
    """A port that accepts connections and never answers; the list of those it accepted."""
    accepted = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept():
            while True:
                try:
                    accepted.append(listening.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", accepted
    for connection in accepted:
        connection.close()


def test_a_silent_host_is_asked_once_by_all(silent, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    base, accepted = silent
    hosts, said = Hosts(), []

    def ask(number):
        try:
            Web(timeout=(0.5, 0.5), hosts=hosts).get(f"{base}/{number}")
        except SourceUnavailableError as error:
            said.append(str(error))

    start = time.monotonic()
    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(accepted) == 1
    assert time.monotonic() - start < 3
    assert sum("ReadTimeout" in line for line in said) == 6
    assert sum("not asked again" in line for line in said) == 5


def test_behind_a_silent_proxy_all_hosts_are_given_up_at_once(silent, monkeypatch):
    base, accepted = silent
    monkeypatch.setenv("HTTPS_PROXY", base)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    web = Web(timeout=(0.5, 0.5))
    for host in ("one", "two", "three"):
        with pytest.raises(SourceUnavailableError, match=f"https://{host}.example/x: "):
            web.get(f"https://{host}.example/x")
    assert len(accepted) == 1


def test_a_closed_port_is_asked_once(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"
    web = Web(backoff=0.001)
    for message in ("refused", "not asked again"):
        with pytest.raises(SourceUnavailableError, match=message):
            web.get(f"{closed}/x")
