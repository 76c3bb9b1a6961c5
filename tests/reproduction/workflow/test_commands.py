"""The command line as a program: what it says and answers when it is stopped."""

import runpy
import signal

import pytest

from reproduction.workflow import commands


def test_an_interrupt_ends_in_one_line_and_the_status_of_shells(monkeypatch, capsys):
    def stopped():
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "main", stopped)
    with pytest.raises(SystemExit) as end:
        runpy.run_module("reproduction", run_name="__main__")
    assert end.value.code == 128 + signal.SIGINT
    assert capsys.readouterr().err.startswith("stopped; ")
