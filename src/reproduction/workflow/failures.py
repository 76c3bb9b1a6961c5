"""The end of a failed run in a few lines: what failed, why, in which log, what to do."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^Error in rule (\w+):\n((?:    .*\n)+)", re.MULTILINE)
_ERROR = re.compile(r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b(?:: .*)?$")
_KILLED = (
    "its process ended without a word: killed, by the system if memory ran out, or by somebody"
)


@dataclass(frozen=True)
class Failure:
    """One job that failed for good."""

    what: str
    why: str
    log: str

    def lines(self) -> Iterator[str]:
        """Yield what a person reads."""
        yield f"  {self.what}"
        for number, line in enumerate(self.why.splitlines()):
            yield f"    {'why: ' if number == 0 else '     '}{line}"
        if self.log:
            yield f"    log: {self.log}"


def error_words(text: str) -> str:
    """Return an error's own words from the end of a log; empty when it ended without one."""
    lines = text.rstrip().splitlines()
    for place in range(len(lines) - 1, -1, -1):
        if _ERROR.match(lines[place]):
            head = lines[place].partition(": ")[2] or lines[place]
            return "\n".join([head, *lines[place + 1 :]])
    return ""


def failures(log: str) -> list[Failure]:
    """Return the failed jobs of a run from Snakemake's own log, each once."""
    found: dict[str, Failure] = {}
    for rule, body in _BLOCK.findall(log):
        facts = dict(re.findall(r"^    (\w+): (.*)$", body, flags=re.MULTILINE))
        job = facts.get("jobid", rule)
        if re.search(rf"^Finished jobid: {job} ", log, flags=re.MULTILINE):
            continue  # a retry succeeded
        path = facts.get("log", "").partition(" (check")[0]
        why = error_words(Path(path).read_text(encoding="utf-8")) if Path(path).is_file() else ""
        found[job] = Failure(_what(facts, job, log) or rule, why or _KILLED, path)
    return list(found.values())


def _what(facts: dict[str, str], job: str, log: str) -> str:
    """Return what a job does in words; some versions say it only when the job begins."""
    began = re.search(rf"^Job {job}: (.+)$", log, flags=re.MULTILINE)
    told = facts.get("message", "")
    return began[1] if told in ("", "None") and began else told


def closing_lines(log_files: Iterable[Path | str]) -> list[str]:
    """Return the lines that end a failed run, from the files Snakemake logged to."""
    there = [Path(name) for name in log_files if Path(name).is_file()]
    found = failures("".join(path.read_text(encoding="utf-8") for path in there))
    if not found:
        return ["The run failed before a job did; the lines above say why."]
    count = "One job" if len(found) == 1 else f"{len(found)} jobs"
    lines = [f"{count} failed; all that does not need their results was done:"]
    for failure in found:
        lines += failure.lines()
    return [*lines, "Mend the cause and give the same command again: it goes on where it ended."]
