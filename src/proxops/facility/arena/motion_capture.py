"""What motion capture measures of a moving vehicle: poses as measured, rates by their differences.

    v = (p₂ - p₁)/(t₂ - t₁),   w = 2 log(q₁⁻¹ q₂)/(t₂ - t₁) in V

over a span of SPAN_S: with 0.2 mm and 2 mrad of noise that is 7 mm/s and 0.07 rad/s, half a span
late.
"""

import math
from collections import deque
from dataclasses import dataclass, field

from proxops.links.mavlink.content import Pose
from proxops.links.mavlink.frames import Quaternion, Vector

SPAN_S = 0.04
_Sample = tuple[float, Vector, Quaternion]


def rotation_between(q: Quaternion, to: Quaternion) -> Vector:
    """Rotation vector r [rad] in axes of q, with q ∘ exp(r) = to."""
    a, b = q, to
    w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    v = (
        a[0] * b[1] - b[0] * a[1] - a[2] * b[3] + a[3] * b[2],
        a[0] * b[2] - b[0] * a[2] - a[3] * b[1] + a[1] * b[3],
        a[0] * b[3] - b[0] * a[3] - a[1] * b[2] + a[2] * b[1],
    )
    sine = math.hypot(*v)
    if sine == 0.0:
        return 0.0, 0.0, 0.0
    k = math.copysign(2.0 * math.atan2(sine, abs(w)) / sine, w)
    return k * v[0], k * v[1], k * v[2]


def turned(q: Quaternion, r: Vector) -> Quaternion:
    """q ∘ exp(r), for a rotation vector r [rad] in axes of q."""
    angle = math.hypot(*r)
    c, s = math.cos(0.5 * angle), 0.5 if angle < 1e-9 else math.sin(0.5 * angle) / angle
    x, y, z = s * r[0], s * r[1], s * r[2]
    return (
        q[0] * c - q[1] * x - q[2] * y - q[3] * z,
        q[0] * x + q[1] * c + q[2] * z - q[3] * y,
        q[0] * y - q[1] * z + q[2] * c + q[3] * x,
        q[0] * z + q[1] * y - q[2] * x + q[3] * c,
    )


@dataclass
class CapturedMotion:
    """One vehicle's poses of the last SPAN_S."""

    _samples: deque[_Sample] = field(default_factory=deque)

    @property
    def time_s(self) -> float | None:
        """When the newest was seen."""
        return self._samples[-1][0] if self._samples else None

    def take(self, time_s: float, p: Vector, q: Quaternion) -> None:
        """Takes a pose; an old one is dropped, and one that is far off in time begins anew."""
        newest = self.time_s
        if newest is not None and not newest - 1.0 < time_s < newest + 1.0:
            self._samples.clear()
        elif newest is not None and time_s <= newest:
            return
        self._samples.append((time_s, p, q))
        while len(self._samples) > 2 and self._samples[1][0] <= time_s - SPAN_S + 1e-9:
            self._samples.popleft()

    def pose(self) -> Pose | None:
        """The newest pose with its rates; None before the first."""
        if not self._samples:
            return None
        (t1, p1, q1), (t2, p2, q2) = self._samples[0], self._samples[-1]
        if t2 == t1:
            return Pose(p2, q2, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        k = 1.0 / (t2 - t1)
        r = rotation_between(q1, q2)
        v = (k * (p2[0] - p1[0]), k * (p2[1] - p1[1]), k * (p2[2] - p1[2]))
        return Pose(p2, q2, v, (k * r[0], k * r[1], k * r[2]))

    def state_after(self, age_s: float) -> list[float] | None:
        """p, v, q, w (13,) so long after the newest pose, moved on by its velocity."""
        pose = self.pose()
        if pose is None:
            return None
        (x, y, z), (u, v, w) = pose.p_LV, pose.v_LV
        p = (x + age_s * u, y + age_s * v, z + age_s * w)
        return [*p, *pose.v_LV, *pose.q_LV, *pose.w_LV_V]
