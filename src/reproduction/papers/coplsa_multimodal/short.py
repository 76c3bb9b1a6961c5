"""Scores along the way: what Table 1's topic models give after few sweeps and few fold-in steps.

The paper does not say how long it trained. Its figures lie near those of short runs under the joint
protocol: an inference, found after seeing print. Two readings of Table 1 come from it: "short run",
with equal weights in Link PLSA and lambda chosen under the same short training; and "short run,
fitted", with the weights and lambdas that bring the cells nearest to print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from reproduction.papers.coplsa_multimodal.names import (
    EQUAL,
    FITTED,
    KINDS,
    LAMBDA,
    LINK,
    METRIC,
    PAPER,
    PLACE,
    REFOLDED,
    SHORT,
    STEPS,
    SWEEP,
    TRAINED,
    WIKIPEDIA,
)
from reproduction.papers.coplsa_multimodal.protocol import (
    DIVERGENCES,
    Split,
    Trained,
    by_short_validation,
    mean_precision,
    train_linked,
    with_models,
)
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.study import RECORDED, TRAJECTORY, Protocol
from reproduction.results.tables import Column, number, text

if TYPE_CHECKING:
    from reproduction.papers.coplsa_multimodal.settings import Trajectory

WEIGHTED = f"{LINK}, weighted"

short = Protocol(PAPER, (WIKIPEDIA,), PaperSettings)
penalised = Protocol(PAPER, (WIKIPEDIA,), PaperSettings)


def weighted(part: Split, run: int, topics: int, iterations: int, image_share: float) -> Trained:
    """Train Link PLSA with a weight of the image."""
    return train_linked(part, run, topics, iterations, image_share)


for _protocol in (short, penalised):
    with_models(_protocol)
    _protocol.method(WEIGHTED)(weighted)
short.metric(METRIC, *PLACE)(mean_precision)


@penalised.metric(METRIC, *PLACE)
def by_classifier(
    part: Split, answer: Trained, fold_iterations: int, items: str, penalty: float
) -> Iterator[tuple[dict[str, str], float]]:
    """Yield MAP in the semantic space with other classifiers behind it."""
    found = answer("joint", fold_iterations, penalty, items)
    for (space, direction), ranking in found.items():
        if space == "semantic":
            place = {"space": space, "direction": direction}
            yield place, ranking.average_precision(KINDS[0]).mean()


#: Sweeps and fold-in steps of the short run.
LENGTH: dict[str, Any] = {
    "iterations": lambda trajectory: [trajectory.short_sweeps],
    "fold_iterations": lambda trajectory: [trajectory.short_steps],
}


def other_steps(trajectory: Trajectory) -> list[int]:
    """Return the fold-in steps tried besides the short run's."""
    return [n for n in trajectory.fold_steps if n != trajectory.short_steps]


def other_sweeps(trajectory: Trajectory) -> list[int]:
    """Return the sweeps besides the short run's after which Link PLSA is scored."""
    return sorted({*trajectory.sweeps} - {trajectory.short_sweeps})


def other_coupled_sweeps(trajectory: Trajectory) -> list[int]:
    """Return the sweeps besides the short run's after which the others are scored."""
    return sorted({*trajectory.coupled_sweeps} - {trajectory.short_sweeps})


def recorded(
    key: str, methods: Any, own: str, column: Column, *, followed: Any, other: Any,
    curve: tuple[str, Any], readings: Mapping[str, Any],
) -> None:  # fmt: skip
    """Declare short runs of a method by a setting of its own: lambda, or the image's weight.

    Parameters
    ----------
    key, methods
        Name of the job after "trajectory", and the method.
    own, column
        The setting and its column.
    followed
        Its value that is scored along the way, with other fold-in steps and classifiers too.
    other
        Its value that is scored after the short run alone.
    curve
        Runs that are scored along the way, and after which sweeps.
    readings
        Readings of Table 1 -> values of the setting.
    """
    job = f"trajectory_{key}"
    joint = {"protocol": "joint", "precision": KINDS[0]}
    for runs, values, more in (
        ("trajectory.runs", followed, {}),
        ("trajectory.runs", other, {}),
        (curve[0], followed, {"iterations": curve[1]}),
        ("trajectory.fold_runs", followed, {"fold_iterations": other_steps}),
    ):
        short.table(
            TRAJECTORY, methods, runs=runs, vary={own: values, **LENGTH, **more}, given=joint,
            columns={"iterations": SWEEP, "fold_iterations": STEPS, own: column},
            reading=RECORDED, role="ours", job=job,
        )  # fmt: skip
    for reading, values in readings.items():
        vary = {own: values, **LENGTH}
        short.table("1", methods, runs="trajectory.runs", vary=vary, given=joint,
                    reading=reading, job=job)  # fmt: skip
    for items, penalties in {
        REFOLDED: "trajectory.penalties", TRAINED: lambda regression_C: [regression_C]
    }.items():  # fmt: skip
        penalised.table(
            "choice:short_run", methods, runs="trajectory.fold_runs",
            vary={own: followed, **LENGTH, "items": [items], "penalty": penalties},
            columns={"items": text("items"), "penalty": number("penalty", "C={:g}")},
            reading=RECORDED, role="ours", job=job,
        )  # fmt: skip


def heavy(trajectory: Trajectory) -> list[float]:
    """Return the image's weight that fits print."""
    return [trajectory.image_share]


recorded(
    "link", {LINK: WEIGHTED}, "image_share", number("image_share", "image share={:g}"),
    followed=[EQUAL], other=heavy, curve=("trajectory.runs", other_sweeps),
    readings={SHORT: [EQUAL], FITTED: heavy},
)  # fmt: skip
_fitted: dict[str, Any] = {
    "skl": lambda trajectory: [trajectory.fitted_lambda.skl],
    "l2": lambda trajectory: [trajectory.fitted_lambda.l2],
    "l1": lambda trajectory: [trajectory.fitted_lambda.l1],
}
for _key, _name in DIVERGENCES.items():
    recorded(
        _key, [_name], "lam", LAMBDA, followed=_fitted[_key],
        other=by_short_validation(_key, unless_fitted=True),
        curve=("trajectory.coupled_runs", other_coupled_sweeps),
        readings={SHORT: by_short_validation(_key), FITTED: _fitted[_key]},
    )  # fmt: skip
