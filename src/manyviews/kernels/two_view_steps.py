"""The round of :mod:`manyviews.kernels.multi_view_pa` for two views, in numbers instead of arrays.

Both views are there. Every operation is the general solver's, in its order, so the steps have its
bits; without arrays to fill, sort and split, they take a fraction of its time.
"""

from manyviews.kernels.cache import compiled

_NEWTON_LIMIT = 200


@compiled(error_model="numpy")
def _margins(
    tau: float, a0: float, a1: float, m0: float, m1: float, t0: float, t1: float, gamma: float
) -> tuple[float, float, float, float]:
    """Return both optimal margins for one ``tau``, the slack and its derivative."""
    c0, c1 = m0 + tau * t0 * a0, m1 + tau * t1 * a1
    weight0, weight1 = 1.0 / a0, 1.0 / a1
    weight = weight0 + weight1
    level = (c0 / a0 + c1 / a1) / weight
    key0, key1 = (level - c0) / a0, (level - c1) / a1
    scale = 1.0 + abs(key0) + abs(key1)
    first = key1 if key0 > key1 else key0
    if first + gamma < -1e-14 * scale:  # the views part: each pays or is paid gamma
        price = -gamma if key0 > key1 else gamma
        v0, v1 = (c0 / a0 - price) / weight0, (c1 / a1 + price) / weight1
        s0, s1 = t0 / weight0, t1 / weight1
    else:
        v0 = v1 = level
        s0 = s1 = (t0 + t1) / weight
    slack = 1.0 - t0 * v0 - t1 * v1
    change = 0.0 - t0 * s0 - t1 * s1
    return v0, v1, slack, change


@compiled(error_model="numpy")
def two_view_steps(
    a0: float, a1: float, m0: float, m1: float, t0: float, t1: float, C: float, gamma: float
) -> tuple[float, float]:
    """Return the optimal steps of two views along ``y x``.

    Parameters
    ----------
    a0, a1
        Squared norms of the rows, both positive.
    m0, m1
        Margins before the round.
    t0, t1
        View weights.
    C, gamma
        Aggressiveness and agreement.
    """
    v0, v1, slack, change = _margins(0.0, a0, a1, m0, m1, t0, t1, gamma)
    if slack > 0.0:
        low_slack, low_change = slack, change
        v0, v1, slack, _ = _margins(C, a0, a1, m0, m1, t0, t1, gamma)
        if slack < 0.0:
            rounding = 1e-14 + 1e-14 * abs(m0) + 1e-14 * abs(m1)
            low, high = 0.0, C
            for _ in range(_NEWTON_LIMIT):
                tau = low - low_slack / low_change if low_change < 0.0 else high
                if not low < tau < high:
                    tau = 0.5 * (low + high)
                v0, v1, slack, change = _margins(tau, a0, a1, m0, m1, t0, t1, gamma)
                if slack < -rounding and change < 0.0:
                    high = tau
                    inner = tau - slack / change
                    if low < inner < high:
                        tau = inner
                        v0, v1, slack, change = _margins(tau, a0, a1, m0, m1, t0, t1, gamma)
                if abs(slack) <= rounding or high - low <= 1e-16 * C:
                    break
                if slack > 0.0:
                    low, low_slack, low_change = tau, slack, change
                else:
                    high = tau
    return (v0 - m0) / a0, (v1 - m1) / a1
