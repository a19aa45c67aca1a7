"""A robot of the class of the KUKA KR 120 R2500 pro: 120 kg, 2.5 m.

- Lengths, senses and zeros of the axes: ROS-Industrial, kuka_experimental, kuka_kr120_support.
- Ranges: as its maker publishes them; the same in the robot models of modular_drl_env.  That ROS
  package shows the ranges and speeds of a KR 16-2 instead.
- Speeds, and where the rated load has its centre and how much inertia: the maker's published
  figures for the KR QUANTEC pro series, to our best knowledge.
- The largest moment about the flange is the weight of the rated payload at its rated place.
- Accelerations and jerks are not published: assumed as full speed within 0.4 s (axes 1 to 3) and
  0.3 s (4 to 6), full acceleration within 0.1 s.
"""

import math

from proxops.facility.robot_cell.industrial.robot import GRAVITY, RobotDescription

DEGREE = math.pi / 180.0
_SPEED = tuple(DEGREE * w for w in (136.0, 130.0, 120.0, 292.0, 258.0, 284.0))
_SPEED_UP = (0.4, 0.4, 0.4, 0.3, 0.3, 0.3)  # [s]
_ACCELERATION = tuple(w / t for w, t in zip(_SPEED, _SPEED_UP, strict=True))
_RATED_ACROSS, _RATED_AHEAD = 0.270, 0.240  # centre of the rated load, from the flange's [m]
_PAYLOAD = 120.0

KR120 = RobotDescription(
    name="kr120-r2500",
    a1=0.350,
    d1=0.675,
    a2=1.150,
    a3=-0.041,
    d4=1.000,
    d6=0.215,
    signs=(-1.0, 1.0, 1.0, -1.0, 1.0, -1.0),
    offsets=(0.0,) * 6,
    lower=tuple(DEGREE * q for q in (-185.0, -140.0, -120.0, -350.0, -125.0, -350.0)),
    upper=tuple(DEGREE * q for q in (185.0, -5.0, 155.0, 350.0, 125.0, 350.0)),
    speed=_SPEED,
    acceleration=_ACCELERATION,
    jerk=tuple(a / 0.1 for a in _ACCELERATION),
    payload=_PAYLOAD,
    moment=_PAYLOAD * GRAVITY * math.hypot(_RATED_ACROSS, _RATED_AHEAD),
    inertia=60.0,
)
