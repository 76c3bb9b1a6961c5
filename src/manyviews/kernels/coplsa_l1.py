"""The l1 H-steps of co-regularised PLSA: one modality at a time, and two modalities jointly.

``sum_k h_k(eta)`` is not convex here and jumps where a count is zero, so the root is bracketed;
Newton steps are taken while they stay inside the bracket and shrink it, halvings otherwise. What
remains at a jump is resolved by interpolation between the two ends, which is exact: there every
point between them is optimal, and components equal at both ends stay exactly equal.
"""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray
_TOL = 1e-14
_MAX_STEPS = 200
_MAX_GUESSES = 10


@compiled(error_model="numpy")
def _sum_l1(
    q: Array, others: Array, n_others: int, lam: float, eta: float, closed: bool, h: Array
) -> tuple[float, float]:
    """Write h(eta) of equation (13) for sorted ``others`` (K, L+1); return its sum and slope.

    ``h = max_i min(q / (eta + c_i), g_(i+1))`` with ``c_i = lambda (2 i - L)`` and
    ``g_(L+1) = inf``. At ``eta = -c_i`` a component with q = 0 may take any value up to
    ``g_(i+1)``: ``closed`` gives the upper end.
    """
    total = 0.0
    slope = 0.0
    for k in range(q.size):
        best = 0.0
        rate = 0.0
        for i in range(n_others + 1):
            denominator = eta + lam * (2 * i - n_others)
            if denominator > 0.0:
                x = q[k] / denominator
            elif denominator < 0.0 or q[k] > 0.0 or closed:
                x = np.inf
            else:
                x = 0.0
            g = others[k, i]
            if min(x, g) > best:
                best = min(x, g)
                rate = x / denominator if x < g else 0.0
        h[k] = best
        total += best
        slope -= rate
    return total, slope


@compiled(error_model="numpy")
def _sort_row(others: Array, d: int, use: Array, out: Array) -> int:
    """Write the compositions in use of document d, sorted per topic, to ``out``; their number."""
    count = 0
    for index in range(others.shape[0]):
        if not use[index, d]:
            continue
        for k in range(out.shape[0]):
            value = others[index, d, k]
            i = count
            while i > 0 and out[k, i - 1] > value:
                out[k, i] = out[k, i - 1]
                i -= 1
            out[k, i] = value
        count += 1
    for k in range(out.shape[0]):
        out[k, count] = np.inf
    return count


@compiled(error_model="numpy")
def _at_a_jump(
    q: Array, g: Array, count: int, lam: float, low: float, high: float, up: Array, down: Array
) -> tuple[float, float, bool]:
    """Narrow [low, high] by the jumps at eta = -c_i; True if the root is on one of them."""
    for i in range(count + 1):
        point = -lam * (2 * i - count)
        if not low < point < high:
            continue
        left, _ = _sum_l1(q, g, count, lam, point, True, up)
        right, _ = _sum_l1(q, g, count, lam, point, False, down)
        if left >= 1.0 >= right:
            return point, point, True
        if left < 1.0:
            high = point
        else:
            low = point
    return low, high, False


@compiled(error_model="numpy")
def _interpolate(low: Array, high: Array, out: Array) -> None:
    """Write the mixture of two vectors, sums at least and at most one, that sums to one."""
    above = below = 0.0
    for k in range(out.size):
        above += low[k]
        below += high[k]
    share = (1.0 - below) / (above - below) if above > below else 0.0
    for k in range(out.size):
        out[k] = high[k] if low[k] == high[k] else high[k] + share * (low[k] - high[k])


@compiled(error_model="numpy")
def _next_point(x: float, total: float, slope: float, low: float, high: float, steps: int) -> float:
    """Newton's next point if it lies inside the bracket (every third step: the middle)."""
    if slope < 0.0 and steps % 3 != 2:
        new = x - (total - 1.0) / slope
        if low < new < high:
            return new
    return 0.5 * (low + high)


@compiled(error_model="numpy")
def _solve_l1(
    q: Array, g: Array, count: int, lam: float, start: float, up: Array, down: Array
) -> float:
    """Bracket the root of ``sum h = 1``; h just below and above it go to ``up`` and ``down``."""
    mass = 0.0
    zeros = False
    for k in range(q.size):
        mass += q[k]
        zeros = zeros or q[k] == 0.0
    reach = lam * count
    low, high = mass - reach, mass + reach
    if mass == 0.0:
        low = -reach * (1.0 - 1e-12)
    if zeros:
        low, high, found = _at_a_jump(q, g, count, lam, low, high, up, down)
        if found:
            return low
    x = start if low < start < high else 0.5 * (low + high)
    for step in range(_MAX_STEPS):
        total, slope = _sum_l1(q, g, count, lam, x, True, up)
        if total >= 1.0:
            low = x
        if total <= 1.0:
            high = x
        near = abs(total - 1.0) <= _TOL * q.size
        if near or high - low <= 2e-16 * max(abs(low), abs(high)):
            break
        x = _next_point(x, total, slope, low, high, step)
        if not low < x < high:
            break
    if abs(total - 1.0) <= _TOL * q.size:
        for k in range(q.size):
            down[k] = up[k]
        return x
    _sum_l1(q, g, count, lam, low, True, up)
    _sum_l1(q, g, count, lam, high, True, down)
    return x


@compiled(error_model="numpy")
def guess_root(q: Array, g: Array, lam: float, start: float, turn: Array) -> float:
    """Return where ``sum h = 1`` should be with one other composition ``g``; a start, no more.

    Equation (13) is then ``q / (eta - lam)`` above ``q / g + lam``, ``q / (eta + lam)`` below
    ``q / g - lam`` and ``g`` between. With every topic in the piece it has at the last guess, the
    sum is one where a quadratic is zero. That costs no division per topic and guess, and mostly
    ends at the root after two or three. ``turn`` is work space for K numbers.
    """
    mass = 0.0
    for k in range(q.size):
        turn[k] = q[k] / g[k]
        mass += q[k]
    x = mass if np.isnan(start) else start
    for _ in range(_MAX_GUESSES):
        above = below = between = 0.0
        for k in range(q.size):
            high, low = x - lam > turn[k], x + lam < turn[k]
            above += q[k] if high else 0.0
            below += q[k] if low else 0.0
            between += 0.0 if high or low else g[k]
        rest = 1.0 - between
        root = (above + below) ** 2 + 4.0 * rest * lam * (rest * lam + above - below)
        if not (rest > 0.0 and root >= 0.0):
            break
        new = (above + below + np.sqrt(root)) / (2.0 * rest)
        if new == x:
            break
        x = new
    return x


@compiled(error_model="numpy")
def h_step_l1(counts: Array, others: Array, use: Array, lam: float, eta: Array, out: Array) -> None:
    """The l1 step, equation (13), for any number of other modalities.

    ``counts`` (D, K) are the expected ones, ``others`` (L, D, K) the compositions in the other
    modalities, ``use`` (L, D) says which exist; ``eta`` (D,) holds the multipliers: warm start
    (NaN: none) and result; ``out`` (D, K) receives the new compositions.
    """
    n_docs, n_topics = counts.shape
    up, down = np.empty(n_topics), np.empty(n_topics)
    g = np.empty((n_topics, others.shape[0] + 1))
    for d in range(n_docs):
        count = _sort_row(others, d, use, g)
        q = counts[d]
        if count == 0:
            mass = q.sum()
            if mass > 0.0:
                for k in range(n_topics):
                    out[d, k] = q[k] / mass
            continue
        start = guess_root(q, g[:, 0], lam, eta[d], up) if count == 1 else eta[d]
        eta[d] = _solve_l1(q, g, count, lam, start, up, down)
        _interpolate(up, down, out[d])


@compiled(error_model="numpy")
def _pair(
    q1: Array, q2: Array, lam: float, eta1: float, eta2: float, closed1: bool, closed2: bool,
    h1: Array, h2: Array,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Write both compositions for given multipliers; return sums and second derivatives.

    ``s = clip((q1 eta2 - q2 eta1) / (lambda (q1 + q2)), -1, 1)``, ``h1 = q1 / (eta1 + lambda s)``,
    ``h2 = q2 / (eta2 - lambda s)``; inside the clip both are ``(q1 + q2) / (eta1 + eta2)``. Where
    one count is zero and s sits on the clip, ``closed`` gives the upper end of what is allowed.
    """
    sum1 = sum2 = d11 = d22 = d12 = 0.0
    for k in range(q1.size):
        both = q1[k] + q2[k]
        if both == 0.0:
            h1[k] = h2[k] = 0.0
            continue
        s = (q1[k] * eta2 - q2[k] * eta1) / (lam * both)
        if -1.0 < s < 1.0:
            total = eta1 + eta2
            x = both / total if total > 0.0 else np.inf
            h1[k] = h2[k] = x
            d12 -= x / total if total > 0.0 else 0.0
        elif s >= 1.0:
            t = eta1 + lam
            h1[k] = q1[k] / t if t > 0.0 else np.inf
            d11 -= h1[k] / t if t > 0.0 else 0.0
            h2[k] = 0.0
            if q2[k] > 0.0:  # at most h1, whatever rounding does to eta2 - lambda
                h2[k] = min(h1[k], q2[k] / (eta2 - lam)) if eta2 > lam else h1[k]
                d22 -= h2[k] / (eta2 - lam) if eta2 > lam else 0.0
            elif closed2 and eta2 == lam:
                h2[k] = h1[k]
        else:
            t = eta2 + lam
            h2[k] = q2[k] / t if t > 0.0 else np.inf
            d22 -= h2[k] / t if t > 0.0 else 0.0
            h1[k] = 0.0
            if q1[k] > 0.0:
                h1[k] = min(h2[k], q1[k] / (eta1 - lam)) if eta1 > lam else h2[k]
                d11 -= h1[k] / (eta1 - lam) if eta1 > lam else 0.0
            elif closed1 and eta1 == lam:
                h1[k] = h2[k]
        sum1 += h1[k]
        sum2 += h2[k]
    return sum1, sum2, d11 + d12, d22 + d12, d12


@compiled(error_model="numpy")
def _inner(
    q1: Array, q2: Array, lam: float, eta1: float, closed1: bool, start: float, buffers: Array
) -> tuple[float, float, float]:
    """Solve ``sum h2 = 1`` for eta2 at a fixed eta1: eta2, sum of h1 and its total slope.

    The compositions go to ``buffers[0]`` (h1) and ``buffers[1]`` (h2).
    """
    h1, h2, up, down = buffers[0], buffers[1], buffers[2], buffers[3]
    mass = q2.sum()
    low, high = max(mass - lam, -eta1), mass + lam
    if low < lam < high:  # a count of zero makes sum h2 jump at eta2 = lambda
        _, left, _, _, _ = _pair(q1, q2, lam, eta1, lam, closed1, True, h1, up)
        sum1, right, d11, _, _ = _pair(q1, q2, lam, eta1, lam, closed1, False, h1, down)
        if left >= 1.0 >= right:
            _interpolate(up, down, h2)
            return lam, sum1, d11
        if left < 1.0:
            high = lam
        else:
            low = lam
    x = start if low < start < high else 0.5 * (low + high)
    sum1 = slope = total = 0.0
    for step in range(_MAX_STEPS):
        sum1, total, d11, d22, d12 = _pair(q1, q2, lam, eta1, x, closed1, True, h1, h2)
        slope = d11 - d12 * d12 / d22 if d22 < 0.0 else d11
        if total >= 1.0:
            low = x
        if total <= 1.0:
            high = x
        if abs(total - 1.0) <= _TOL * q1.size or high - low <= 2e-16 * max(abs(low), abs(high)):
            break
        x = _next_point(x, total, d22, low, high, step)
        if not low < x < high:
            break
    if abs(total - 1.0) > _TOL * q1.size:  # as good as a jump: counts next to zero
        _pair(q1, q2, lam, eta1, low, closed1, True, h1, up)
        sum1, _, _, _, _ = _pair(q1, q2, lam, eta1, high, closed1, True, h1, down)
        _interpolate(up, down, h2)
    return x, sum1, slope


@compiled(error_model="numpy")
def _outer(
    q1: Array, q2: Array, lam: float, low: float, high: float, x: float, inner: float,
    buffers: Array, ends: Array,
) -> tuple[float, float]:  # fmt: skip
    """Solve ``sum h1 = 1`` for eta1; both sides of the root go to ``ends`` (h1, h1, h2, h2)."""
    near = False
    for step in range(_MAX_STEPS):
        inner, total, slope = _inner(q1, q2, lam, x, True, inner, buffers)
        if total >= 1.0:
            low = x
        if total <= 1.0:
            high = x
        near = abs(total - 1.0) <= _TOL * q1.size
        if near or high - low <= 2e-16 * max(abs(low), abs(high)):
            break
        x = _next_point(x, total, slope, low, high, step)
        if not low < x < high:
            break
    for side in range(2):
        if not near:
            point = low if side == 0 else high
            inner, _, _ = _inner(q1, q2, lam, point, True, inner, buffers)
        ends[side], ends[side + 2] = buffers[0], buffers[1]
    return x, inner


@compiled(error_model="numpy")
def h_step_l1_joint(
    counts1: Array, counts2: Array, lam: float, eta: Array, out1: Array, out2: Array
) -> None:
    """Maximise over both compositions of every document at once (two modalities).

    Block ascent on the l1 objective stalls as soon as the two compositions agree; this step does
    not. ``eta`` (D, 2) holds the multipliers: warm start (NaN: none) and result. Both documents
    must have counts.
    """
    n_docs, n_topics = counts1.shape
    buffers = np.empty((4, n_topics))
    ends = np.empty((4, n_topics))
    for d in range(n_docs):
        q1, q2 = counts1[d], counts2[d]
        mass = q1.sum()
        low, high = mass - lam, mass + lam
        x, inner = eta[d, 0], eta[d, 1]
        found = False
        if low < lam < high:  # and sum h1 jumps at eta1 = lambda
            inner, left, _ = _inner(q1, q2, lam, lam, True, inner, buffers)
            ends[0], ends[2] = buffers[0], buffers[1]
            inner, right, _ = _inner(q1, q2, lam, lam, False, inner, buffers)
            ends[1], ends[3] = buffers[0], buffers[1]
            found = left >= 1.0 >= right
            if found:
                x = lam
            elif left < 1.0:
                high = lam
            else:
                low = lam
        if not found:
            if not low < x < high:
                x = 0.5 * (low + high)
            x, inner = _outer(q1, q2, lam, low, high, x, inner, buffers, ends)
        eta[d, 0], eta[d, 1] = x, inner
        _interpolate(ends[0], ends[1], out1[d])
        _interpolate(ends[2], ends[3], out2[d])
