"""What the tests of protocols and pages share: made-up data, and rows as a run leaves them."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from reproduction.data.build import build_views
from reproduction.data.errors import FetchError
from reproduction.data.fetch import fetch
from reproduction.data.format import MultiViewData
from reproduction.data.places import Places
from reproduction.data.registry import load_registry
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete
from reproduction.rooms import study_of
from reproduction.workflow.config import load_config, mirror_folders


def made_up(rng, name, y, tokens=15, **widths):
    """Documents of some classes, which use other words in every view; widths are by view."""
    views = {}
    for view, width in widths.items():
        profiles = rng.dirichlet(np.full(width, 0.3), max(y) + 1)
        views[view] = sp.csr_matrix([rng.multinomial(tokens, profiles[c]) for c in y], dtype=float)
    names = [f"class {c}" for c in range(max(y) + 1)]
    return MultiViewData(name, views, y, names, [str(i) for i in range(len(y))])


def real(key, folder):
    """The views of a data set as the paper has them; skipped where no mirror has its files."""
    (entry, variant), config = load_registry().resolve(key), load_config().data
    places = Places(mirror_folders(config.mirrors), config.user)
    try:
        facts = fetch(
            entry.key, registry=load_registry(), raw_dir=folder, places=places, mode="real"
        )
    except FetchError:
        pytest.skip(f"no mirror has {key}")
    how = {"raw_dir": folder / entry.key, "registry_entry": entry, "provenance": facts}
    return build_views(entry.key, variant=variant, **how)


def run_job(paper, place, *data, given=None, results=None):
    """Checked rows and times of a quick run, settings as print has them, and what it tells."""
    study, job = study_of(paper), find_job(paper, *place.split("/"))
    settings = complete(study.settings, given or {}, size="quick")
    done = study(Context(job, {each.name: each for each in data}, settings, results or {}))
    frames = result_frames(paper, job.dataset, done.rows, study.tables, printed_methods(paper))
    return *(f.assign(setting=study.tables.written(f)) for f in frames), done.details


def as_read(paper, rows, provenance="same"):
    """Rows of {data set: rows}, checked at the door, with every column of the paper."""
    tables, printed = study_of(paper).tables, printed_methods(paper)
    frames = [result_frames(paper, name, own, tables, printed)[0] for name, own in rows.items()]
    found = pd.concat(frames, ignore_index=True)
    return found.assign(setting=tables.written(found), provenance=provenance)
