"""Downloads: asked again, limited, never half; a silent host is asked once; no password is sent."""

import socket
import threading

import pytest

from reproduction.data.errors import SourceUnavailableError
from reproduction.data.web import Hosts, Web

URL = "https://host.example/file"


@pytest.fixture
def content(rng):
    return rng.bytes(200_000)


@pytest.fixture
def web(server):
    def make(**options):
        settings = {"backoff": 0.001, "timeout": (5.0, 5.0), **options}
        return Web(addresses=server.addresses, **settings)

    return make


def test_the_longest_beginning_decides_where_is_asked():
    web = Web(addresses={"https://": "http://a/", "https://b.c/": "http://d/"})
    assert web.address("https://b.c/x") == "http://d/x"
    assert web.address("https://e/x") == "http://a/e/x"


@pytest.mark.parametrize(
    ("how", "requests"),
    [({}, 1), ({"break_after": [70_000, 50_000]}, 3), ({"break_after": [9], "reset": True}, 2),
     ({"break_after": [120_000], "stall": 2.0}, 2), ({"break_after": [90_000], "unsized": True}, 2),
     ({"status": 502, "times": 2}, 3),
     ({"status": 429, "headers": {"Retry-After": "1"}, "times": 1}, 2)],
)  # fmt: skip
def test_what_breaks_or_is_busy_is_asked_again(server, web, content, how, requests):
    server.put(URL, content, **how)
    counted = []
    asked = web(timeout=(5.0, 0.5), progress=counted.append)
    assert asked.get(URL, size=len(content)) == content
    assert sum(counted) >= len(content)
    assert len(server.requests) == requests


@pytest.mark.parametrize(
    ("how", "message"),
    [({"status": 403}, "HTTP 403"), ({"status": 404}, "HTTP 404"),
     ({"status": 429, "headers": {"Retry-After": "3600"}}, "come back in 3600 s"),
     ({"content_type": "text/html; charset=utf-8"}, "a web page, not the file"),
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
def test_limits_of_size_and_time(server, web, content, unsized, page):
    server.put(URL, content, unsized=unsized)
    with pytest.raises(SourceUnavailableError, match=r"limit of 100000|more than 100000 bytes"):
        web(limit=100_000).get(URL, page=page)
    with pytest.raises(SourceUnavailableError, match=r"took over 0 s"):
        web(time_limit=0.0).get(URL, page=page)


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


@pytest.mark.parametrize("proxy", [False, True])
def test_a_silent_host_or_proxy_is_asked_once_by_all(silent, monkeypatch, proxy):
    base, accepted = silent
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("NO_PROXY", "" if proxy else "127.0.0.1")
    monkeypatch.setenv("HTTPS_PROXY", base)
    hosts, said = Hosts(), []

    def ask(number):
        try:
            url = f"https://host{number}.example/x" if proxy else f"{base}/{number}"
            Web(timeout=(0.5, 0.5), hosts=hosts).get(url)
        except SourceUnavailableError as error:
            said.append(str(error))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(accepted) == 1
    assert len(said) == 6
    assert sum("not asked again" in line for line in said) == 5
    assert all("\n" not in line and "Timeout" in line for line in said)


def test_a_closed_port_is_asked_once(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"
    web = Web(backoff=0.001)
    for message in ("refused", "not asked again"):
        with pytest.raises(SourceUnavailableError, match=message):
            web.get(f"{closed}/x")
