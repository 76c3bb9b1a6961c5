"""Tests of this folder share a web server and the toys that it serves."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def server(monkeypatch):
    """A server that stands in for all public hosts."""
    from web_server import Server

    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as running:
        yield running
