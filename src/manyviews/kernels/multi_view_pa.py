r"""Compiled rounds of the passive-aggressive update for any number of views and classes.

The problem of section 3.3 of Nguyen et al. with V views, weights :math:`\theta` on the simplex
and all :math:`\binom V2` agreements (the open problem of their section 5) is

.. math::

    \min_w \tfrac12 \sum_v \|w_v - w_v^t\|^2 + \gamma \sum_{u<v} |m_u - m_v|
        + C \max(0, 1 - \textstyle\sum_v \theta_v m_v), \qquad m_v = y\, w_v \cdot x_v .

Only the V margins matter: :math:`w_v` moves by :math:`s_v y x_v`, so
:math:`m_v = m_v^0 + a_v s_v` with :math:`a_v = \|x_v\|^2` at the price
:math:`(m_v - m_v^0)^2 / 2 a_v`. For a fixed dual variable :math:`\tau` of the hinge the centres
become :math:`c_v = m_v^0 + \tau \theta_v a_v` and what is left is the proximal map of the
agreement, the Lovász extension of the cut function :math:`\gamma k (V-k)` of the number k of
views above a level. Splitting the views at the common value whenever a split lowers the cut
(divide and conquer for submodular functions of cardinality) solves it exactly in at most V - 1
splits. The slack :math:`1 - \sum_v \theta_v m_v(\tau)` falls with :math:`\tau` and is piecewise
linear, so a Newton step from within the right piece lands on its root.

A view whose row is empty cannot move and stays at margin 0. To the letter, p such views pull every
other margin to 0 with force :math:`\gamma p`; levels above 0 and below 0 are then two separate
problems. Where an empty view is left out of the agreement, the others are solved alone.
"""

import numpy as np

from manyviews.kernels.cache import compiled
from manyviews.kernels.passive_aggressive import row_add, row_dot, row_dot_norm

Array = np.ndarray
#: Squared norms and margins of a round, view weights, agreement, whether empty views are left out.
Round = tuple[Array, Array, Array, float, bool]
Room = tuple[Array, Array]
_NEWTON_LIMIT = 200  # bisection alone would need about 60


@compiled()
def _sort_by(key: Array, items: Array, low: int, high: int) -> None:
    """Sort ``items[low:high]`` by ``key`` (insertion: a handful of views, stable order)."""
    for i in range(low + 1, high):
        item = items[i]
        j = i
        while j > low and key[items[j - 1]] > key[item]:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item


@compiled()
def _price(above: int, low: int, n: int, gamma: float, pull: float) -> float:
    """Return what it costs to raise items low..above-1, those before them being above already."""
    return gamma * (above * (n - above) - low * (n - low)) + pull * (above - low)


@compiled()
def _agreement_prox(
    task: Round, pull: float, value: Array, slope: Array, centre: Array, key: Array, places: Array
) -> None:
    r"""Minimise :math:`\sum (m_v-c_v)^2/2a_v + \gamma \sum_{u<v}|m_u-m_v| + p \sum_v m_v`.

    Over the views with :math:`a_v > 0`; ``pull`` is p. Writes the minimiser to ``value`` and its
    derivative with respect to :math:`\tau` (centres moving by :math:`\theta_v a_v`) to ``slope``;
    ``key`` and ``places`` are room to work in.
    """
    a, _, theta, gamma, _ = task
    items, lows, highs = places
    n = 0
    for v in range(centre.size):
        if a[v] > 0.0:
            items[n] = v
            n += 1
    lows[0], highs[0] = 0, n
    depth = 1 if n > 0 else 0
    while depth > 0:
        depth -= 1
        low, high = lows[depth], highs[depth]
        weight = total = drive = 0.0
        for k in range(low, high):
            v = items[k]
            weight += 1.0 / a[v]
            total += centre[v] / a[v]
            drive += theta[v]
        price = _price(high, low, n, gamma, pull)
        level = (total - price) / weight
        scale = 1.0 + abs(price)
        for k in range(low, high):
            v = items[k]
            key[v] = (level - centre[v]) / a[v]
            scale += abs(key[v])
        _sort_by(key, items, low, high)
        split, best, running = low, -1e-14 * scale, 0.0
        for k in range(low, high - 1):  # where to part the items so that the cost falls most
            running += key[items[k]]
            cost = running + _price(k + 1, low, n, gamma, pull)
            if cost < best:
                split, best = k + 1, cost
        if split == low:
            for k in range(low, high):
                value[items[k]] = level
                slope[items[k]] = drive / weight
        else:
            lows[depth], highs[depth] = low, split
            lows[depth + 1], highs[depth + 1] = split, high
            depth += 2


@compiled()
def _margins(tau: float, task: Round, room: Room) -> tuple[float, float]:
    """Write the optimal margins for one ``tau`` to the room's first row; slack and derivative."""
    a, m0, theta, gamma, leave_out = task
    work, places = room
    value, slope, below, below_slope, centre, key = work
    empty = 0
    for v in range(a.size):
        centre[v] = m0[v] + tau * theta[v] * a[v]
        if a[v] <= 0.0:
            empty += 1
            value[v] = m0[v]
            slope[v] = 0.0
    if leave_out:
        empty = 0
    _agreement_prox(task, gamma * empty, value, slope, centre, key, places)
    if empty > 0:
        _agreement_prox(task, -gamma * empty, below, below_slope, centre, key, places)
        for v in range(a.size):
            if a[v] > 0.0 and value[v] <= 0.0:
                value[v] = min(0.0, below[v])
                slope[v] = below_slope[v] if below[v] < 0.0 else 0.0
    slack = 1.0
    change = 0.0
    for v in range(a.size):
        slack -= theta[v] * value[v]
        change -= theta[v] * slope[v]
    return slack, change


@compiled()
def workspace(n_views: int) -> Room:
    """Return room for :func:`round_steps`, so that no round allocates anything."""
    return np.zeros((6, n_views)), np.zeros((3, n_views + 1), np.int64)


@compiled()
def _root(task: Round, C: float, low_slack: float, low_change: float, room: Room) -> float:
    """Return the tau in (0, C) at which the slack is zero; its margins stay in the room.

    Newton steps from both ends of a bracket, each exact within its linear piece; bisection when
    a step leaves the bracket.
    """
    rounding = 1e-14
    for margin in task[1]:
        rounding += 1e-14 * abs(margin)
    low, high, tau = 0.0, C, C
    for _ in range(_NEWTON_LIMIT):
        tau = low - low_slack / low_change if low_change < 0.0 else high
        if not low < tau < high:
            tau = 0.5 * (low + high)
        slack, change = _margins(tau, task, room)
        if slack < -rounding and change < 0.0:
            high = tau
            inner = tau - slack / change
            if low < inner < high:
                tau = inner
                slack, change = _margins(tau, task, room)
        if abs(slack) <= rounding or high - low <= 1e-16 * C:
            break
        if slack > 0.0:
            low, low_slack, low_change = tau, slack, change
        else:
            high = tau
    return tau


@compiled()
def round_steps(task: Round, C: float, steps: Array, room: Room) -> float:
    """Write the optimal step of every view along ``y x`` into ``steps`` and return tau.

    An empty view has norm and margin 0; the view weights are not negative and sum to 1; ``room``
    is that of :func:`workspace`.
    """
    a, m0 = task[0], task[1]
    tau = 0.0
    slack, change = _margins(tau, task, room)
    if slack > 0.0:
        at_end, _ = _margins(C, task, room)
        tau = _root(task, C, slack, change, room) if at_end < 0.0 else C
    for v in range(a.size):
        steps[v] = (room[0][0, v] - m0[v]) / a[v] if a[v] > 0.0 else 0.0
    return tau


@compiled(error_model="numpy")
def _two_margins(
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
    """Return the optimal steps of two views, both there: :func:`round_steps` without arrays.

    Every operation is the general solver's, in its order, so the steps have its bits; without
    arrays to fill, sort and split, they take a fraction of its time.
    """
    v0, v1, slack, change = _two_margins(0.0, a0, a1, m0, m1, t0, t1, gamma)
    if slack > 0.0:
        low_slack, low_change = slack, change
        v0, v1, slack, _ = _two_margins(C, a0, a1, m0, m1, t0, t1, gamma)
        if slack < 0.0:
            rounding = 1e-14 + 1e-14 * abs(m0) + 1e-14 * abs(m1)
            low, high = 0.0, C
            for _ in range(_NEWTON_LIMIT):
                tau = low - low_slack / low_change if low_change < 0.0 else high
                if not low < tau < high:
                    tau = 0.5 * (low + high)
                v0, v1, slack, change = _two_margins(tau, a0, a1, m0, m1, t0, t1, gamma)
                if slack < -rounding and change < 0.0:
                    high = tau
                    inner = tau - slack / change
                    if low < inner < high:
                        tau = inner
                        v0, v1, slack, change = _two_margins(tau, a0, a1, m0, m1, t0, t1, gamma)
                if abs(slack) <= rounding or high - low <= 1e-16 * C:
                    break
                if slack > 0.0:
                    low, low_slack, low_change = tau, slack, change
                else:
                    high = tau
    return (v0 - m0) / a0, (v1 - m1) / a1


@compiled()
def hedge(theta: Array, losses: Array, rate: float) -> None:
    """Renew the view weights as exp(-rate * accumulated loss), scaled to sum 1."""
    smallest = losses.min()
    for v in range(theta.size):
        theta[v] = np.exp(-rate * (losses[v] - smallest))
    theta /= theta.sum()


@compiled()
def count_mistakes(scores: Array, label: int, losses: Array) -> None:
    """Charge 1 to each view whose own scores do not put ``label`` strictly first.

    Mistakes, not hinge losses: a view with a large weight learns faster and has larger margins,
    so hinge losses would favour whatever view is ahead already.
    """
    for v in range(scores.shape[1]):
        right = True
        if scores.shape[0] == 1:
            right = scores[0, v] > 0.0 if label == 1 else scores[0, v] < 0.0
        for k in range(scores.shape[0] if scores.shape[0] > 1 else 0):
            if k != label and scores[k, v] >= scores[label, v]:
                right = False
        losses[v] += 0.0 if right else 1.0


@compiled()
def _rival(scores: Array, theta: Array, true: int) -> int:
    """Return the class other than ``true`` with the largest weighted score (first of equals)."""
    best = -1
    best_score = -np.inf
    for k in range(scores.shape[0]):
        if k != true:
            total = 0.0
            for v in range(scores.shape[1]):
                total += theta[v] * scores[k, v]
            if total > best_score:
                best_score = total
                best = k
    return best


@compiled()
def multi_view_pass(
    indptr: Array,
    indices: Array,
    data: Array,
    labels: Array,
    order: Array,
    W: Array,
    theta: Array,
    losses: Array,
    C: float,
    gamma: float,
    margin: bool,
    gated: bool,
    leave_out: bool,
    rate: float,
    trace: Array,
) -> None:
    """Run one round for each row of ``order``; changes ``W``, ``theta`` and ``losses`` in place.

    The views lie side by side: view v of row i holds the entries ``indptr[v, i]`` up to
    ``indptr[v, i + 1]`` and its column numbers continue those of the views before. ``W`` has one
    row per binary problem (one for two classes, one a class for one-vs-rest) or, with ``margin``,
    one per class. With a positive ``rate`` the view weights ``theta`` are renewed after each round.
    ``trace`` (rounds x views) receives the scores of the first problem, or has no rows.
    """
    n_views = indptr.shape[0]
    n_problems = W.shape[0]
    scores = np.empty((n_problems, n_views))
    margins, steps = np.empty(n_views), np.empty(n_views)
    a, norm = np.empty(n_views), np.empty(n_views)
    task, room = (a, margins, theta, gamma, leave_out), workspace(n_views)
    for t in range(order.size):
        i = order[t]
        for v in range(n_views):
            start, stop = indptr[v, i], indptr[v, i + 1]
            scores[0, v], norm[v] = row_dot_norm(indices, data, start, stop, W[0])
            for k in range(1, n_problems):
                scores[k, v] = row_dot(indices, data, start, stop, W[k])
        if trace.shape[0] > 0:
            trace[t] = scores[0]
        for k in range(1 if margin else n_problems):
            up = labels[i] if margin else k
            down = _rival(scores, theta, up) if margin else -1
            target = k if n_problems > 1 else 1
            sign = 1.0 if margin or labels[i] == target else -1.0
            combined = 0.0
            for v in range(n_views):
                # with two classes' weights moving, a step changes the margin twice as much
                margins[v] = scores[up, v] - scores[down, v] if margin else sign * scores[up, v]
                a[v] = 2.0 * norm[v] if margin else norm[v]
                combined += theta[v] * margins[v]
            if gated and combined >= 1.0:
                continue
            if n_views == 2 and a[0] > 0.0 and a[1] > 0.0:
                steps[0], steps[1] = two_view_steps(
                    a[0], a[1], margins[0], margins[1], theta[0], theta[1], C, gamma
                )
            else:
                round_steps(task, C, steps, room)
            for v in range(n_views):
                start, stop = indptr[v, i], indptr[v, i + 1]
                if steps[v] != 0.0:
                    row_add(indices, data, start, stop, W[up], sign * steps[v])
                    if margin:
                        row_add(indices, data, start, stop, W[down], -steps[v])
        if rate > 0.0:
            count_mistakes(scores, labels[i], losses)
            hedge(theta, losses, rate)
