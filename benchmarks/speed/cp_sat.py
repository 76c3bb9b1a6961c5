"""OR-tools' CP-SAT on the programmes of points; run as a process of its own.

It takes whole numbers: costs are scaled up and rounded, and every column is a whole number, which
changes no optimum here (rows have whole coefficients, and all other columns follow the labels).
"""

import json
import sys
import time

import numpy as np
from ortools.sat.python import cp_model

SCALE = 1e9


def solve(given: dict[str, np.ndarray], costs: np.ndarray) -> list[int]:
    """State and solve the programme of one point, on one thread."""
    model = cp_model.CpModel()
    columns = [
        model.new_int_var(0, int(min(top, 1e3)), f"c{j}") for j, top in enumerate(given["upper"])
    ]
    ends = given["indptr"]
    for i, (low, high) in enumerate(zip(given["low"], given["high"], strict=True)):
        span = slice(ends[i], ends[i + 1])
        factors = given["data"][span]
        if not np.array_equal(factors, factors.round()):
            raise ValueError("a row has a coefficient that is no whole number")
        chosen = [columns[j] for j in given["indices"][span]]
        total = cp_model.LinearExpr.weighted_sum(chosen, factors.astype(int).tolist())
        if np.isfinite(low):
            model.add(total >= int(np.ceil(low)))
        if np.isfinite(high):
            model.add(total <= int(np.floor(high)))
    whole = np.rint(SCALE * costs).astype(np.int64).tolist()
    model.minimize(cp_model.LinearExpr.weighted_sum(columns, whole))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError("CP-SAT proved no optimum")
    return [solver.value(column) for column in columns]


def main(path: str, repeats: str) -> None:
    given = dict(np.load(path))
    every = given.pop("costs")
    solve(given, every[0])  # the first call loads what it needs
    seconds = []
    for _ in range(int(repeats)):
        start = time.process_time()
        found = [solve(given, costs) for costs in every]
        seconds.append(time.process_time() - start)
    print(json.dumps({"seconds": seconds, "columns": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
