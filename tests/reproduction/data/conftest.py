"""Tests of this folder share a web server and the toys that it serves."""

import socket

import pytest
from web_server import Server


@pytest.fixture
def server(monkeypatch):
    """A server that stands in for all public hosts."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    running = Server()
    try:
        socket.create_connection(running.http.server_address, timeout=5).close()
        yield running
    except OSError:  # with the network cut (unshare -n) there is no loopback either
        pytest.skip("this machine cannot reach itself over the network")
    finally:
        running.http.shutdown()
        running.http.server_close()
