"""The H-steps of co-regularised PLSA, solved exactly column by column.

Each step maximises, for one document, equation (10) of Wang et al. (2016),
``sum_k q_k log h_k - lambda sum_l D(h, g_l)`` over the simplex, where q are the expected counts of
the E-step and g_l the compositions of the document in the other modalities. The solution is a
function of one multiplier eta, found from ``sum_k h_k(eta) = 1`` (equation (14)).

For L other modalities the symmetric KL and the l2 problem are those of one modality of weight
``L lambda`` with the arithmetic mean of the g's (and their geometric mean inside the logarithm),
so these kernels take ``mean``, ``logmean`` and ``weight``. The l1 problems are in
:mod:`manyviews.kernels.coplsa_l1`.
"""

import numpy as np

from manyviews.kernels.cache import compiled

Array = np.ndarray
_TOL = 1e-10  # |sum h - 1| at which the root counts as found; the rest is scaled away
_MAX_NEWTON = 200
_MAX_HALLEY = 20  # steps that use the second derivative; later ones need to be safe, not few
_EXACT = 1e-4  # an omega whose equation was off by less is exact after one more step
_TWO_THIRDS = 2.0 / 3.0


@compiled(error_model="numpy")
def _omega_start(z: float) -> float:
    """Return a start within a few per cent of the Wright omega function."""
    if z > 1.0:
        log_z = np.log(z)
        return z - log_z + log_z / z
    if z < -1.0:
        t = np.exp(z)
        return t / (1.0 + t)
    x = z - 1.0
    return 1.0 + x * (0.5 + 0.0625 * x)


@compiled(error_model="numpy")
def _plain(q: Array, h: Array) -> None:
    """Write ``q / sum(q)`` to h; without counts h stays."""
    total = 0.0
    for k in range(q.size):
        total += q[k]
    if total > 0.0:
        for k in range(q.size):
            h[k] = q[k] / total


@compiled(error_model="numpy")
def _scale(h: Array, total: float) -> None:
    for k in range(h.size):
        h[k] /= total


@compiled(error_model="numpy")
def _sum_skl(
    a: Array, shift: Array, at: float, per_w: float, floor: float, u: Array, inverse: Array,
    h: Array,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Write h at ``eta / w = at``; return its sum, two derivatives, and how far the omegas were.

    ``u`` holds the Wright omegas (``u + log u = z``), or what is near them: one step of Fritsch,
    Shafer and Crowley is made, which leaves an error of order r^4 where r is the last number
    returned. ``inverse`` receives ``1 / (1 + u)``.
    """
    total = slope = curve = worst = 0.0
    for k in range(a.size):
        v = u[k]
        r = shift[k] + at - v - np.log(v)
        t = (1.0 + v) * (1.0 + v + r * _TWO_THIRDS)
        v *= 1.0 + r * (t - 0.5 * r) / ((1.0 + v) * (t - r))
        u[k] = v
        worst = max(worst, abs(r))
        part = a[k] * per_w / v
        small = 1.0 / (1.0 + v)
        inverse[k] = small
        if part > floor:
            slope -= part * small
            curve += part * small * (1.0 + v * small) * small
        else:
            part = floor
        h[k] = part
        total += part
    return total, slope * per_w, curve * per_w * per_w, worst


@compiled(error_model="numpy")
def h_step_skl(
    counts: Array, mean: Array, logmean: Array, weight: Array, floor: float, eta: Array, out: Array
) -> int:
    """Symmetric KL step, equation (11) in the stable form with the Wright omega function.

    ``h = (q + w m) / (w omega(z))`` with ``z = 1 + eta/w + log(q + w m) - log w - logmean``.
    The sum of the h's falls and is convex in eta, so Newton's method from the lower bracket
    ``max_k (q + w m - w + w logmean)`` climbs to the root without overshooting. Halley's method
    comes first: its steps are fewer. The omegas are polished once a step, not solved for each.

    ``counts`` (D, K) are the expected ones, ``mean`` and ``logmean`` (D, K) the arithmetic mean and
    the mean logarithm of the other compositions, ``weight`` (D,) lambda times their number (0: the
    plain EM step). ``floor`` bounds h from below and is part of the problem. ``eta`` (D,) holds the
    multipliers, read as a warm start (NaN: none) and written; ``out`` the new compositions, where
    rows without counts and weight keep their value. Returns the evaluations of the sum.
    """
    n_docs, n_topics = counts.shape
    a = np.empty(n_topics)
    shift = np.empty(n_topics)
    u, inverse = np.empty(n_topics), np.empty(n_topics)
    evaluations = 0
    for d in range(n_docs):
        w = weight[d]
        h = out[d]
        if w <= 0.0:
            _plain(counts[d], h)
            continue
        low, mass = -np.inf, 0.0
        for k in range(n_topics):
            mass += counts[d, k]
            a[k] = counts[d, k] + w * mean[d, k]
            shift[k] = 1.0 + np.log(a[k] / w) - logmean[d, k]
            low = max(low, a[k] - w + w * logmean[d, k])
        x = low if np.isnan(eta[d]) else max(low, min(eta[d], mass))
        per_w = 1.0 / w
        for k in range(n_topics):
            u[k] = _omega_start(shift[k] + x * per_w)
        total = 1.0
        for attempt in range(_MAX_NEWTON):
            evaluations += 1
            total, slope, curve, rest = _sum_skl(a, shift, x * per_w, per_w, floor, u, inverse, h)
            exact = rest < _EXACT
            if exact and abs(total - 1.0) <= _TOL:
                break
            new = low
            if slope < 0.0:
                step = (total - 1.0) / slope
                if attempt < _MAX_HALLEY:  # above half the bend a step is at most two of Newton's
                    step /= max(0.5, 1.0 - 0.5 * step * curve / slope)
                new = max(low, x - step)
            if exact and new == x:
                break
            for k in range(n_topics):  # du/dz = u / (1 + u) predicts the next omega
                step = (new - x) * per_w * inverse[k]
                if abs(step) < 0.3:
                    u[k] *= 1.0 + step + 0.5 * step * step * inverse[k]
                else:
                    u[k] = _omega_start(shift[k] + new * per_w)
            x = new
        eta[d] = x
        _scale(h, total)
    return evaluations


@compiled(error_model="numpy")
def h_step_l2(counts: Array, mean: Array, weight: Array, eta: Array, out: Array) -> int:
    """The l2 step, equation (12), with the difference of nearly equal numbers avoided.

    ``t = m - eta/w``, ``r = sqrt(t^2 + 4 q/w)``, ``h = (r + t)/2``, or ``(2 q/w)/(r - t)`` for
    negative t. Newton's method from ``max_k (q + w m) - w``, the sum being convex and falling.
    Parameters and result as in :func:`h_step_skl`.
    """
    n_docs, n_topics = counts.shape
    evaluations = 0
    for d in range(n_docs):
        w = weight[d]
        h = out[d]
        if w <= 0.0:
            _plain(counts[d], h)
            continue
        low = -np.inf
        for k in range(n_topics):
            low = max(low, counts[d, k] + w * mean[d, k])
        low -= w
        x = low if np.isnan(eta[d]) else max(low, eta[d])
        total = 1.0
        for _ in range(_MAX_NEWTON):
            evaluations += 1
            total = 0.0
            slope = 0.0
            for k in range(n_topics):
                t = mean[d, k] - x / w
                four = 4.0 * counts[d, k] / w
                r = np.sqrt(t * t + four)
                h[k] = 0.5 * (r + t) if t >= 0.0 else 0.5 * four / (r - t)
                total += h[k]
                if r > 0.0:
                    slope -= h[k] / (w * r)
            if abs(total - 1.0) <= _TOL:
                break
            new = low if slope == 0.0 else max(low, x - (total - 1.0) / slope)
            if new == x:
                break
            x = new
        eta[d] = x
        _scale(h, total)
    return evaluations


@compiled(error_model="numpy")
def h_step_two_step(counts: Array, mean: Array, weight: Array, out: Array) -> None:
    """The l2 update that Wang et al. criticise: the plain EM step, then a step to the mean.

    ``h' = q / sum q`` and then ``h = (h' + w m) / (1 + w)``, which lowers the divergence without
    regard to the likelihood. The objective need not rise.
    """
    n_docs, n_topics = counts.shape
    for d in range(n_docs):
        _plain(counts[d], out[d])
        w = weight[d]
        if w > 0.0:
            for k in range(n_topics):
                out[d, k] = (out[d, k] + w * mean[d, k]) / (1.0 + w)


@compiled(error_model="numpy")
def divergence(a: Array, b: Array, active: Array, kind: int, weight: Array) -> float:
    """Sum over the active rows of D(a_d, b_d): kind 0 symmetric KL, 1 l2 (with 1/2), 2 l1.

    ``weight`` has a number per row, or none at all: then every row counts once.
    """
    total = 0.0
    for d in range(a.shape[0]):
        if not active[d]:
            continue
        part = 0.0
        for k in range(a.shape[1]):
            x, y = a[d, k], b[d, k]
            if kind == 0:
                if x != y:
                    part += (x - y) * np.log(x / y) if x > 0.0 and y > 0.0 else np.inf
            elif kind == 1:
                part += 0.5 * (x - y) ** 2
            else:
                part += abs(x - y)
        total += part * weight[d] if weight.size else part
    return total
