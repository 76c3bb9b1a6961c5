r"""The mixed integer programmes as printed, solved by HiGHS: the reference for everything else.

:class:`CvxpyReference` states the programme once in cvxpy with the scores as parameters and
solves it point by point. :func:`solve_batch` puts many points into one block-diagonal programme
and hands it to HiGHS directly; it is what remains for large ontologies that no other exact solver
covers. Both use a zero optimality gap; what they return is rounded to 0/1, and the caller
recomputes its objective.

Ties are broken by the solver in its own way.
"""

from functools import cached_property
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.assignment.problem import LabelSetProblem

__all__ = ["CvxpyReference"]

#: Labels (over all views) that go into one block-diagonal programme: flat blocks are easy, but
#: branch and bound over many hierarchical blocks at once takes longer than one after the other.
FLAT_BATCH_LABELS = 1000
HIERARCHICAL_BATCH_LABELS = 100
#: HiGHS' defaults (gaps 1e-4 and 1e-6, tolerances 1e-7) would pass labels that are not optimal
#: where scores nearly tie.
HIGHS_OPTIONS = {
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
    "mip_feasibility_tolerance": 1e-9,
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
}


def _extra(name: str) -> Any:
    """Return a module of the extra ``mip``, or say how to get it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(
            f"mixed integer programmes need {name}, which is not installed here: "
            "pip install manyviews[mip]"
        ) from error


class CvxpyReference:
    """The paper's programme in cvxpy for a ``problem``, stated once and solved point by point."""

    def __init__(self, problem: LabelSetProblem) -> None:
        self.problem = problem

    @cached_property
    def _model(self) -> tuple[Any, Any, Any]:
        """The programme (7)/(8) or (9)/(10), its label variables and its scores."""
        cp = _extra("cvxpy")
        p = self.problem
        a1, a2, a3 = p.alphas
        hard = p.consistency == "hard"
        scores = cp.Parameter((p.n_views, p.n_labels))
        y = cp.Variable((p.n_views, p.n_labels), boolean=True)
        objective = a1 * cp.sum(cp.multiply(scores, y))
        limits = []
        for v, w in combinations(range(p.n_views), 2):
            d = cp.Variable(p.n_labels, nonneg=True)
            limits += [d >= y[v] - y[w], d >= y[w] - y[v]]
            objective -= a2 * cp.sum(d)
        for v in range(p.n_views):
            if p.ontology is None:
                over, under = cp.Variable(nonneg=True), cp.Variable(nonneg=True)
                limits += [cp.sum(y[v]) <= 1 + over, cp.sum(y[v]) >= 1 - under]
                slacks = [over, under]
            else:
                slacks = []
                if len(p.subset_pairs):
                    zeta = cp.Variable(len(p.subset_pairs), nonneg=True)
                    limits.append(y[v][p.subset_pairs[:, 1]] >= y[v][p.subset_pairs[:, 0]] - zeta)
                    slacks.append(cp.sum(zeta))
                if len(p.mutex_pairs):
                    delta = cp.Variable(len(p.mutex_pairs), nonneg=True)
                    limits.append(
                        y[v][p.mutex_pairs[:, 0]] + y[v][p.mutex_pairs[:, 1]] <= 1 + delta
                    )
                    slacks.append(cp.sum(delta))
            for slack in slacks:
                if hard:
                    limits.append(slack == 0)
                else:
                    objective -= a3 * slack
        return cp.Problem(cp.Maximize(objective), limits), y, scores

    def solve(self, scores: np.ndarray) -> np.ndarray:
        """Return the label sets (points, views, labels)."""
        s = self.problem.check_scores(scores)
        programme, y, parameter = self._model
        labels = np.zeros(s.shape, dtype=bool)
        for point, values in enumerate(s):
            parameter.value = values
            programme.solve(solver="HIGHS", **HIGHS_OPTIONS)
            if programme.status != "optimal":
                raise ValueError(f"HiGHS ended with status {programme.status!r}, not optimal")
            labels[point] = np.asarray(y.value) > 0.5
        return labels


def solve_cvxpy(
    problem: LabelSetProblem, s: np.ndarray, ties: np.ndarray | None = None
) -> np.ndarray:
    """Return the label sets (points, views, labels) by the cvxpy reference."""
    return CvxpyReference(problem).solve(s)


class _Block:
    """One point's programme in matrix form: columns y (V K), then the slack variables."""

    def __init__(self, problem: LabelSetProblem) -> None:
        self.problem = p = problem
        _, a2, a3 = p.alphas
        self.n_y = p.n_views * p.n_labels
        self.cost: list[float] = [0.0] * self.n_y  # the scores come per point
        self.upper: list[float] = [1.0] * self.n_y
        rows: list[tuple[list[int], list[float], float, float]] = []
        top = 0.0 if p.consistency == "hard" else np.inf

        def slack(cost: float, upper: float) -> int:
            self.cost.append(cost)
            self.upper.append(upper)
            return len(self.cost) - 1

        for v, w in combinations(range(p.n_views), 2):
            for i in range(p.n_labels):
                columns = [v * p.n_labels + i, w * p.n_labels + i, slack(a2, 1.0)]
                rows.append((columns, [1.0, -1.0, -1.0], -np.inf, 0.0))
                rows.append((columns, [-1.0, 1.0, -1.0], -np.inf, 0.0))
        for base in range(0, self.n_y, p.n_labels):
            if p.ontology is None:
                labels, ones = list(range(base, base + p.n_labels)), [1.0] * p.n_labels
                rows.append(([*labels, slack(a3, top)], [*ones, -1.0], -np.inf, 1.0))
                rows.append(([*labels, slack(a3, top)], [*ones, 1.0], 1.0, np.inf))
            for i, j in p.subset_pairs:
                columns = [base + i, base + j, slack(a3, top)]
                rows.append((columns, [1.0, -1.0, -1.0], -np.inf, 0.0))
            for i, j in p.mutex_pairs:
                columns = [base + i, base + j, slack(a3, top)]
                rows.append((columns, [1.0, 1.0, -1.0], -np.inf, 1.0))
        at = [(r, c) for r, row in enumerate(rows) for c in row[0]]
        value = [x for row in rows for x in row[1]]
        place = np.array(at, dtype=np.int64).reshape(-1, 2).T
        self.matrix = sp.csr_matrix((value, tuple(place)), shape=(len(rows), len(self.cost)))
        self.low, self.high = [row[2] for row in rows], [row[3] for row in rows]

    def solve(self, scores: np.ndarray) -> np.ndarray:
        """Solve the block-diagonal programme of some points with HiGHS; return their labels."""
        highspy = _extra("highspy")
        n = len(scores)
        matrix = sp.csr_matrix(sp.kron(sp.identity(n, format="csr"), self.matrix, format="csr"))
        cost = np.tile(self.cost, (n, 1))
        cost[:, : self.n_y] = -self.problem.alphas[0] * scores.reshape(n, -1)
        kinds = [highspy.HighsVarType.kInteger] * self.n_y
        kinds += [highspy.HighsVarType.kContinuous] * (len(self.cost) - self.n_y)
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = matrix.shape
        model.col_cost_ = cost.ravel()
        model.col_lower_, model.col_upper_ = np.zeros(cost.size), np.tile(self.upper, n)
        model.row_lower_, model.row_upper_ = np.tile(self.low, n), np.tile(self.high, n)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = matrix.indptr
        model.a_matrix_.index_ = matrix.indices
        model.a_matrix_.value_ = matrix.data
        model.integrality_ = kinds * n
        solver = highspy.Highs()
        own = {"output_flag": False, "threads": 1, "random_seed": 0}
        for option, value in (own | HIGHS_OPTIONS).items():
            solver.setOptionValue(option, value)
        solver.passModel(model)
        solver.run()
        status = solver.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise ValueError(f"HiGHS ended with status {status} instead of optimal")
        found = np.array(solver.getSolution().col_value).reshape(n, -1)
        return found[:, : self.n_y].reshape(scores.shape) > 0.5


def solve_batch(
    problem: LabelSetProblem, s: np.ndarray, ties: np.ndarray | None = None
) -> np.ndarray:
    """Return the label sets (points, views, labels) of checked scores, some points at a time."""
    total = FLAT_BATCH_LABELS if problem.ontology is None else HIERARCHICAL_BATCH_LABELS
    batch = max(1, total // (problem.n_views * problem.n_labels))
    block = _Block(problem)
    labels = np.zeros(s.shape, dtype=bool)
    for at in range(0, len(s), batch):
        labels[at : at + batch] = block.solve(s[at : at + batch])
    return labels
