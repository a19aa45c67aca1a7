"""Whether the base's wrench is more than thrusters and wheels together can give.

    d·F / (Σ max(0, d·bᵢ) + Σ τ |d·a|),   d = Wᵀ W F

bᵢ is the wrench of each thruster at full thrust, a and τ are axis and limit of each wheel, W weighs
torques as in `jets`.  Above one it is beyond them; below one it may still be, where what they give
along it comes with something across.
"""

from proxops.core.jit import part
from proxops.core.spatial.vector import dot
from proxops.physics.multibody.tree import load3

# Columns of a wrench at Co in C
FORCE = 0  # [N]
TORQUE = 3  # [N m]


@part
def demand(platform, force, torque):
    """A wrench [N, N m] at Co in C over the most that there is along it [-]."""
    jets, wheels = platform.jets, platform.wheels
    weight = 1.0 / jets.lever**2
    wanted, available = dot(force, force) + weight * dot(torque, torque), 0.0
    if wanted == 0.0:
        return 0.0
    for i in range(jets.columns.shape[0]):
        along = dot(load3(jets.columns, i, FORCE), force)
        available += max(0.0, along + dot(load3(jets.columns, i, TORQUE), torque))
    for i in range(wheels.axes.shape[0]):
        available += weight * wheels.max_torque[i] * abs(dot(load3(wheels.axes, i, 0), torque))
    return wanted / available
