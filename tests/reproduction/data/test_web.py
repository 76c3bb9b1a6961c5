"""Downloads: asked again, limited, never half; a silent host is left alone; no password is sent."""

import socket

import pytest

from reproduction.data.errors import SourceUnavailableError
from reproduction.data.origin import moved
from reproduction.data.web import Web

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
    places = {"https://": "http://a/", "https://b.c/": "http://d/"}
    asked = [moved(url, places) for url in ("https://b.c/x", "https://e/x", "ftp://e/x")]
    assert asked == ["http://d/x", "http://a/e/x", "ftp://e/x"]


@pytest.mark.parametrize(
    ("how", "requests"),
    [({}, 1), ({"break_after": [70_000, 0]}, 3), ({"status": 502, "times": 2}, 3),
     ({"status": 429, "headers": {"Retry-After": "1"}, "times": 1}, 2)],
)  # fmt: skip
def test_what_breaks_or_is_busy_is_asked_again(server, web, content, how, requests):
    server.put(URL, content, **how)
    assert web().get(URL) == content
    assert len(server.requests) == requests


@pytest.mark.parametrize(
    ("how", "options", "message"),
    [({"status": 403}, {}, "HTTP 403"), ({"break_after": [1000] * 9}, {}, "broke 2 times"),
     ({}, {"limit": 100_000}, "more than 100000 bytes"),
     ({}, {"time_limit": 0.0}, r"broke 1 times \(took over 0 s")],
)  # fmt: skip
def test_what_does_not_serve_is_said_in_one_line(server, web, content, how, options, message):
    server.put(URL, content, **how)
    with pytest.raises(SourceUnavailableError, match=f"^{URL}: .*{message}[^\n]*$"):
        web(attempts=2, **options).get(URL)


def test_no_password_is_sent_even_after_a_redirect(server, web, content, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    server.put("https://other.example/x", content)
    server.put(URL, b"", status=302, headers={"Location": f"{server.base}other.example/x"})
    assert web().get(URL) == content
    assert server.passwords == []


@pytest.mark.parametrize("closed", [False, True])
def test_a_host_that_gives_no_answer_is_asked_twice(monkeypatch, closed):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    web = Web(backoff=0.001, timeout=(0.3, 0.3))
    with socket.create_server(("127.0.0.1", 0)) as listening:  # takes calls and says nothing
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        if closed:
            listening.close()
        for reason in ("broke 2 times.*(refused|timed out)", "not asked"):
            with pytest.raises(SourceUnavailableError, match=rf"^{base}/x: {reason}[^\n]*$"):
                web.get(f"{base}/x")
