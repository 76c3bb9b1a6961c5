"""What a run says of its remaining time, as Snakemake tells of its jobs."""

import logging
import re

from snakemake.logging import logger
from snakemake_interface_logger_plugins.common import LogEvent

from reproduction.workflow.remaining import SECONDS, Remaining, say_remaining, write_seconds


def test_minutes_left_follow_the_jobs(caplog, monkeypatch):
    clock = iter([100.0, 100.0, 160.0, 160.0])
    monkeypatch.setattr("reproduction.workflow.remaining.time.monotonic", lambda: next(clock))
    handler = Remaining({"fit_a": 600.0, "fit_b": 300.0, "score": 150.0}, cores=2)
    events = [
        {"event": LogEvent.RUN_INFO, "stats": {"fit_a": 1, "fit_b": 1, "score": 2, "total": 4}},
        {"event": LogEvent.JOB_INFO, "jobid": 7, "rule_name": "fit_b"},
        {"event": LogEvent.PROGRESS},  # a minute of 300 seconds is done
        {"event": LogEvent.JOB_FINISHED, "job_id": 7},
        {"event": LogEvent.PROGRESS},
        {},
    ]
    with caplog.at_level(logging.INFO, logger=logger.name):
        for told in events:
            handler.emit(logging.makeLogRecord(told))
    said = [re.findall(r"\d+", record.getMessage()) for record in caplog.records]
    assert said == [["20", "10", "2"], ["19", "10", "2"], ["15", "8", "2"]]


def test_seconds_of_a_rule_are_the_mean_of_its_last_tries(tmp_path):
    for name, tries in {"one": [9, 4], "two": [8]}.items():
        (tmp_path / name).write_text("s\th:m:s\n" + "".join(f"{s}\t0:00:0{s}\n" for s in tries))
    tried, handlers = [tmp_path / name for name in ("one", "two", "none")], logger.handlers[:]
    write_seconds(tmp_path / SECONDS, {"views": tried, "never": tried[2:]})
    assert (tmp_path / SECONDS).read_text() == "rule,seconds\nviews,6.0\n"
    say_remaining(tmp_path / "none", 1)
    assert logger.handlers == handlers, "what was never measured is not guessed"
