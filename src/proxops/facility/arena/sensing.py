"""What a vehicle's IMU and the motion capture measure of it."""

from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, put4, quat_exp, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import add, get3, mul_t, put3, scale
from proxops.facility.arena.memory import DRAW_A, DRAW_FORCE, DRAW_P, DRAW_RATE
from proxops.physics.multirotor.body import P, Q, W, acceleration

EACH = (1.0, 1.0, 1.0)


@part
def imu(body, y, sensing, draws):
    """Specific force [m/s2] and rate [rad/s] in V, with vibration and bias.

    f = Rᵀ (v̇ + g z)
    """
    return imu_of(acceleration(body, y), body.gravity, y, sensing, draws)


@part
def imu_of(a, gravity, y, sensing, draws):
    """The same of a vehicle whose velocity changes by a [m/s2] in L, whatever pushes it."""
    f = mul_t(quat_to_rotation(get4(y, Q)), add(a, (0.0, 0.0, gravity)))
    f = add(f, scale(sensing.vibration, get3(draws, DRAW_FORCE)))
    w = add(get3(y, W), scale(sensing.rate_noise, get3(draws, DRAW_RATE)))
    return add(f, scale(sensing.force_bias, EACH)), add(w, scale(sensing.rate_bias, EACH))


@part
def capture_pose(y, sensing, draws, pose):
    """Writes the pose (p, q) as motion capture sees it now."""
    put3(pose, 0, add(get3(y, P), scale(sensing.position_noise, get3(draws, DRAW_P))))
    error = quat_exp(scale(sensing.angle_noise, get3(draws, DRAW_A)))
    put4(pose, 3, quat_mul(get4(y, Q), error))
