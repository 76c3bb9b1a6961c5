r"""Compiled loops of the passive-aggressive family over CSR rows, for one view and for two.

One view (Crammer et al. 2006; eq. (1) of Nguyen et al.): with the hinge loss
:math:`\ell = \max(0, 1 - y\,w \cdot x)` a round moves :math:`w \leftarrow w + \tau y x`,

.. math::

    \tau = \ell / \|x\|^2 \;(\text{PA}), \quad
    \tau = \min(C, \ell / \|x\|^2) \;(\text{PA-I}), \quad
    \tau = \ell / (\|x\|^2 + 1/(2C)) \;(\text{PA-II}).

Two views: with :math:`A = \|x^A\|^2`, :math:`B = \|x^B\|^2`, margins :math:`m_A, m_B`,
:math:`\ell = 1 - \frac12 (m_A + m_B)` and :math:`\delta = \alpha - \beta` every variant moves
:math:`w^A` by :math:`(\tau/2 - \delta) y x^A` and :math:`w^B` by :math:`(\tau/2 + \delta) y x^B`
(eqs. (5), (6)); the variants differ in :math:`\tau` and :math:`\delta`. The dual is

.. math::

    D(\tau, \delta) = -\tfrac A2 (\tfrac\tau2 - \delta)^2 - \tfrac B2 (\tfrac\tau2 + \delta)^2
        + \tau \ell + \delta (m_A - m_B), \qquad 0 \le \tau \le C,\ |\delta| \le \gamma .

Codes instead of strings, because strings are slow to dispatch on in compiled code: see
``MODES``, ``VARIANTS``, ``GATES`` and ``EMPTY_RULES``.
"""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray

MODES = {"PA": 0, "PA-I": 1, "PA-II": 2}
VARIANTS = {"printed": 0, "eq11": 1, "exact": 2}
GATES = {"loss": 0, "always": 1}
#: What a round does when a view's row is empty, where Algorithm 1 divides by zero.
EMPTY_RULES = {"exact": 0, "single": 1, "skip": 2, "zero": 3, "limit": 4}

_EXACT, _SINGLE, _SKIP, _ZERO = 0, 1, 2, 3


@compiled()
def row_dot_norm(
    indices: Array, data: Array, start: int, stop: int, w: Array
) -> tuple[float, float]:
    """Return the product of one CSR row with ``w``, and the row's squared length.

    Four partial sums break the chain of dependent additions (the compiler may not reorder
    floating-point sums by itself), in an order that is fixed by the code.
    """
    column, x = indices[start:stop], data[start:stop]
    s0 = s1 = s2 = s3 = norm = 0.0
    whole = x.size - x.size % 4
    for p in range(0, whole, 4):
        s0 += x[p] * w[column[p]]
        s1 += x[p + 1] * w[column[p + 1]]
        s2 += x[p + 2] * w[column[p + 2]]
        s3 += x[p + 3] * w[column[p + 3]]
        for q in range(p, p + 4):
            norm += x[q] * x[q]
    for p in range(whole, x.size):
        s0 += x[p] * w[column[p]]
        norm += x[p] * x[p]
    return (s0 + s1) + (s2 + s3), norm


@compiled()
def row_dot(indices: Array, data: Array, start: int, stop: int, w: Array) -> float:
    """Return the product of one CSR row with ``w``."""
    return row_dot_norm(indices, data, start, stop, w)[0]


@compiled()
def row_add(indices: Array, data: Array, start: int, stop: int, w: Array, step: float) -> None:
    """Add ``step`` times one CSR row to ``w``; the row must not name a column twice.

    Four weights are read before four are written, so that reads need not wait for writes.
    """
    column, x = indices[start:stop], data[start:stop]
    whole = x.size - x.size % 4
    for p in range(0, whole, 4):
        i, j, k, m = column[p], column[p + 1], column[p + 2], column[p + 3]
        first, second = w[i] + step * x[p], w[j] + step * x[p + 1]
        third, fourth = w[k] + step * x[p + 2], w[m] + step * x[p + 3]
        w[i], w[j], w[k], w[m] = first, second, third, fourth
    for p in range(whole, x.size):
        w[column[p]] += step * x[p]


@compiled()
def row_scores(
    indptr: Array, indices: Array, data: Array, rows: Array, w: Array, out: Array
) -> None:
    """Add the product of each row in ``rows`` with ``w`` to ``out``."""
    for k in range(rows.size):
        i = rows[k]
        out[k] += row_dot(indices, data, indptr[i], indptr[i + 1], w)


@compiled()
def pa_tau(margin: float, norm: float, C: float, mode: int) -> float:
    """Return the step length of PA (0), PA-I (1) or PA-II (2); 0 for an empty row."""
    loss = 1.0 - margin
    if loss <= 0.0 or norm <= 0.0:
        return 0.0
    if mode == 2:
        return loss / (norm + 0.5 / C)
    tau = loss / norm
    return min(C, tau) if mode == 1 else tau


@compiled()
def pa_pass(
    indptr: Array,
    indices: Array,
    data: Array,
    y: Array,
    order: Array,
    w: Array,
    C: float,
    mode: int,
    trace: Array,
) -> None:
    """Run one PA round for each row of ``order`` and change ``w`` in place.

    ``trace`` has one entry per round for the score before the update, or none at all.
    """
    for t in range(order.size):
        i = order[t]
        start, stop = indptr[i], indptr[i + 1]
        score, norm = row_dot_norm(indices, data, start, stop, w)
        if trace.size > 0:
            trace[t] = score
        tau = pa_tau(y[i] * score, norm, C, mode)
        if tau != 0.0:
            row_add(indices, data, start, stop, w, tau * y[i])


@compiled()
def _clip(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))


@compiled()
def two_view_dual(A: float, B: float, mA: float, mB: float, tau: float, delta: float) -> float:
    """Return the dual objective D(tau, delta) of the section-3.3 problem."""
    left, right = 0.5 * tau - delta, 0.5 * tau + delta
    gain = tau * (1.0 - 0.5 * (mA + mB)) + delta * (mA - mB)
    return gain - 0.5 * A * left * left - 0.5 * B * right * right


@compiled()
def exact_tau_delta(
    A: float, B: float, mA: float, mB: float, C: float, gamma: float
) -> tuple[float, float]:
    r"""Return the maximiser of the dual over the box, also for views of norm zero.

    D is concave. If its free maximiser
    :math:`\delta = \frac12(\ell_B/B - \ell_A/A),\ \tau = \ell_A/A + \ell_B/B` lies in the box it
    is the answer; otherwise the maximum is on one of the four edges, each a clipped parabola.
    """
    total = A + B
    if total <= 0.0:
        return 0.0, 0.0
    loss = 1.0 - 0.5 * (mA + mB)
    gap = mA - mB
    if A > 0.0 and B > 0.0:
        delta = 0.5 * ((1.0 - mB) / B - (1.0 - mA) / A)
        tau = (1.0 - mA) / A + (1.0 - mB) / B
        if 0.0 <= tau <= C and -gamma <= delta <= gamma:
            return tau, delta
    best_tau = 0.0
    best_delta = _clip(gap / total, -gamma, gamma)
    best = two_view_dual(A, B, mA, mB, best_tau, best_delta)
    for edge in range(3):
        if edge == 0:
            tau = C
            delta = _clip((0.5 * (A - B) * C + gap) / total, -gamma, gamma)
        else:
            delta = gamma if edge == 1 else -gamma
            tau = _clip((4.0 * loss + 2.0 * delta * (A - B)) / total, 0.0, C)
        value = two_view_dual(A, B, mA, mB, tau, delta)
        if value > best:
            best, best_tau, best_delta = value, tau, delta
    return best_tau, best_delta


@compiled()
def printed_tau_delta(
    A: float, B: float, mA: float, mB: float, C: float, gamma: float, factor: float, limit: bool
) -> tuple[float, float]:
    r"""Return :math:`(\tau, \delta)` by Algorithm 1 (``factor`` 1) or with eq. (11) (``factor`` 2).

    :math:`\alpha` and :math:`\beta` are eqs. (13), (14) clipped to :math:`[0, \gamma]`, so
    :math:`\delta = \mathrm{clip}((\ell_B/B - \ell_A/A)/(A+B), \pm\gamma)`; there is no lower
    bound on :math:`\tau`. An empty view's quotient counts as zero, or with ``limit`` as the
    infinity that floating-point arithmetic gives it (its loss is 1, so the sign is known).
    """
    total = A + B
    loss = max(0.0, 1.0 - 0.5 * (mA + mB))
    if limit and (A <= 0.0 or B <= 0.0):
        delta = gamma if B <= 0.0 else -gamma
    else:
        left = (1.0 - mA) / A if A > 0.0 else 0.0
        right = (1.0 - mB) / B if B > 0.0 else 0.0
        delta = _clip((right - left) / total, -gamma, gamma)
    tau = min(C, factor * (delta * (A - B) + 2.0 * loss) / total)
    return tau, delta


@compiled()
def two_view_steps(
    A: float,
    B: float,
    mA: float,
    mB: float,
    C: float,
    gamma: float,
    variant: int,
    gate: int,
    empty: int,
) -> tuple[float, float]:
    """Return how far one round moves each view's weights along ``y x``.

    A round with both rows empty moves nothing. With one row empty, ``empty`` decides: the exact
    optimum (0), the optimum without the agreement term, that is a plain step on the other view
    (1), no step (2), or Algorithm 1 with the undefined quotient read as 0 (3) or infinity (4).
    The last two are readings of the printed quotient; the exact variant has none.
    """
    if A + B <= 0.0:
        return 0.0, 0.0
    if gate == 0 and 1.0 - 0.5 * (mA + mB) <= 0.0:
        return 0.0, 0.0
    agreement = gamma
    exact = variant == 2
    if A <= 0.0 or B <= 0.0:
        if empty == _SKIP:
            return 0.0, 0.0
        if empty == _SINGLE:
            agreement = 0.0
        exact = exact or empty <= _SINGLE
    if exact:
        tau, delta = exact_tau_delta(A, B, mA, mB, C, agreement)
    else:
        factor = 2.0 if variant == 1 else 1.0
        tau, delta = printed_tau_delta(A, B, mA, mB, C, gamma, factor, empty > _ZERO)
    return 0.5 * tau - delta, 0.5 * tau + delta


@compiled()
def two_view_pass(
    indptr_a: Array,
    indices_a: Array,
    data_a: Array,
    indptr_b: Array,
    indices_b: Array,
    data_b: Array,
    y: Array,
    order: Array,
    w_a: Array,
    w_b: Array,
    C: float,
    gamma: float,
    variant: int,
    gate: int,
    empty: int,
    trace: Array,
) -> None:
    """Run one two-view round for each row of ``order``; changes ``w_a`` and ``w_b`` in place.

    ``trace`` (rounds x 2) receives both views' scores before each update, or has no rows.
    """
    for t in range(order.size):
        i = order[t]
        score_a, A = row_dot_norm(indices_a, data_a, indptr_a[i], indptr_a[i + 1], w_a)
        score_b, B = row_dot_norm(indices_b, data_b, indptr_b[i], indptr_b[i + 1], w_b)
        if trace.shape[0] > 0:
            trace[t] = score_a, score_b
        label = y[i]
        step_a, step_b = two_view_steps(
            A, B, label * score_a, label * score_b, C, gamma, variant, gate, empty
        )
        if step_a != 0.0:
            row_add(indices_a, data_a, indptr_a[i], indptr_a[i + 1], w_a, step_a * label)
        if step_b != 0.0:
            row_add(indices_b, data_b, indptr_b[i], indptr_b[i + 1], w_b, step_b * label)
