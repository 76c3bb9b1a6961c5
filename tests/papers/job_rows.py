"""What the tests of protocols share: a job of a paper, run on made-up data."""

from reproduction.results.jobs import Context, find_job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete
from reproduction.rooms import study_of


def run_job(paper, place, *data, given=None, results=None):
    """Checked rows and times of a quick run, settings as print has them, and what it tells."""
    study, job = study_of(paper), find_job(paper, *place.split("/"))
    settings = complete(study.settings, given or {}, size="quick")
    done = study(Context(job, {each.name: each for each in data}, settings, results or {}))
    frames = result_frames(paper, job.dataset, done.rows, study.tables, printed_methods(paper))
    return *(f.assign(setting=study.tables.written(f)) for f in frames), done.details
