"""What a failed run says at its end."""

from types import SimpleNamespace

import pytest

from reproduction.workflow.failures import closing_lines, error_words, failures
from reproduction.workflow.log import logged

TRACEBACK = """\
draws: 100%
Traceback (most recent call last):
  File "job.py", line 3, in run
    raise ValueError("no")
reproduction.results.rows.RowError: mvplsa/cornell/main: two rows for {'run': 1}
mend the job
"""


def block(rule, job, log, message):
    return f"""
Error in rule {rule}:
    message: {message}
    jobid: {job}
    output: results/x.csv
    log: {log} (check log file(s) for error details)
    traceback:
        something long

"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "a.log").write_text(TRACEBACK)
    (tmp_path / "b.log").write_text("draws: 40%\n")
    (tmp_path / "c.log").write_text("")
    text = block("fit", 3, tmp_path / "a.log", "Fitting a") * 2  # as after a retry
    text += block("fit", 4, tmp_path / "b.log", "Fitting b")
    text += block("fit", 12, tmp_path / "c.log", "Fitting c")
    text += "Finished jobid: 12 (Rule: fit)\n"
    (tmp_path / "snakemake.log").write_text(text)
    return tmp_path


def test_an_error_speaks_for_itself():
    words = "mvplsa/cornell/main: two rows for {'run': 1}\nmend the job"
    assert error_words(TRACEBACK) == words
    assert error_words("ValueErrors are counted here: 3\n") == ""
    assert error_words("") == ""
    assert error_words("KeyboardInterrupt\n") == "KeyboardInterrupt"


def test_each_failed_job_is_named_once_and_saved_ones_are_not(run):
    found = failures((run / "snakemake.log").read_text())
    assert [failure.what for failure in found] == ["Fitting a", "Fitting b"]
    assert "killed" in found[1].why


def test_the_end_says_what_why_where_and_what_to_do(run):
    text = "\n".join(closing_lines([run / "snakemake.log"]))
    assert text.startswith("2 jobs failed")
    for part in (
        "why: mvplsa/cornell/main",
        "mend the job",
        f"log: {run / 'a.log'}",
        "same command",
    ):
        assert part in text
    assert "Traceback" not in text
    assert "before a job" in closing_lines([run / "none.log"])[0]


def started(log, attempt):
    return SimpleNamespace(log=[str(log)], resources=SimpleNamespace(attempt=attempt))


def test_a_second_attempt_is_for_killed_jobs_alone(tmp_path, capsys):
    log = tmp_path / "job.log"
    with pytest.raises(SystemExit), logged(started(log, 1)):
        raise ValueError("wrong by itself")
    assert "wrong by itself" in capsys.readouterr().err
    with pytest.raises(SystemExit), logged(started(log, 2)):
        pytest.fail("it ran again")
    assert error_words(log.read_text()) == "wrong by itself"
    for text in ("draws: 40%\n", "Traceback\nMemoryError: cannot allocate\n"):
        log.write_text(text)
        ran = []
        with logged(started(log, 2)):
            ran.append(1)
        assert ran
    log.write_text("ValueError: of an older run\n")
    with logged(started(log, 1)):
        pass
    assert log.read_text() == ""


def test_a_job_without_a_message_is_called_by_what_it_said_when_it_began(tmp_path):
    text = "Job 7: Fitting a on b\nReason: none\n" + block("fit", 7, tmp_path / "a.log", "None")
    assert [failure.what for failure in failures(text)] == ["Fitting a on b"]
