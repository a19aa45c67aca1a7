"""What the contact must carry while chaser and target stay together and turn.

One rigid body under thrust F with lever r about the common centre of mass:

    I ẇ + w × I w = r × F,    a_t = F/M + ẇ × c + w × (w × c)

c runs from the common centre of mass to the target's.  The interface gives the target what its
acceleration needs (Eq. 13 and 16 of the study): a force m_t a_t and, about its centre of mass, a
torque I_t ẇ + w × I_t w.  Along the normal pads carry it; the two lateral forces and the torque
about the normal must come from friction, a lock or an arm.

For a diagonal I and w = 0 the lateral force is m_t c_x [0, τ_z/I_zz, -τ_y/I_yy]: y goes with the
third moment of inertia and z with the second, which the print swaps.
"""

from typing import NamedTuple

import numpy as np

from proxops.physics.boost.pair import Pair, central_inertia, checked_pads, reduced_mass


class Load(NamedTuple):
    """What the chaser does to the target through the interface, contact axes."""

    force: np.ndarray  # (3,) [N]
    torque: np.ndarray  # about the contact frame's origin (3,) [N m]

    @property
    def normal(self) -> float:
        """Along x, positive while it pushes [N]."""
        return float(self.force[0])

    @property
    def lateral(self) -> float:
        """Across the normal [N]."""
        return float(np.hypot(self.force[1], self.force[2]))

    @property
    def tau_x(self) -> float:
        """About the normal, with the lateral force through the origin [N m]."""
        return float(self.torque[0])


def normal_force(pair: Pair) -> float:
    """Force between the bodies while nothing turns [N]: N = m_t/(m_t + m_s) F = (m̃/m_s) F."""
    return reduced_mass(pair) / pair.chaser.mass * float(pair.thrust[0])


def angular_acceleration(pair: Pair, w: np.ndarray) -> np.ndarray:
    """ẇ of both together (3,) [rad/s²], contact axes, at the angular rate w [rad/s].

    ẇ = I⁻¹ (r × F - w × I w),   r from the common centre of mass to the thrust
    """
    whole = pair.whole
    inertia = central_inertia(whole)
    torque = np.cross(pair.thrust_at - whole.com, pair.thrust)
    return np.linalg.solve(inertia, torque - np.cross(w, inertia @ w))


def target_acceleration(pair: Pair, w: np.ndarray) -> np.ndarray:
    """Acceleration of the target's centre of mass (3,) [m/s²], contact axes.

    a_t = F/M + ẇ × c + w × (w × c)
    """
    whole = pair.whole
    c = pair.target.com - whole.com
    turning = np.cross(angular_acceleration(pair, w), c) + np.cross(w, np.cross(w, c))
    return np.asarray(pair.thrust / whole.mass + turning)


def interface_load(pair: Pair, w: np.ndarray) -> Load:
    """Force and torque that keep the bodies together at the angular rate w [rad/s].

    f = m_t a_t,   t = I_t ẇ + w × I_t w + c_t × f,   c_t from the contact to the target's centre
    """
    force = pair.target.mass * target_acceleration(pair, w)
    inertia = central_inertia(pair.target)
    own = inertia @ angular_acceleration(pair, w) + np.cross(w, inertia @ w)
    return Load(force, own + np.cross(pair.target.com, force))


def pad_forces(load: Load, pads: np.ndarray) -> np.ndarray:
    """Normal force of each pad (n,) [N], positive while compressed; pads (n, 3) [m], n ≥ 3.

        fᵢ = a + b yᵢ + c zᵢ,   Σfᵢ = f_x,   Σzᵢ fᵢ = t_y,   -Σyᵢ fᵢ = t_z

    A rigid face on equal springs; for three pads nothing but the balance.  A negative force means
    that the pad would have to pull.
    """
    pads = checked_pads(pads)
    plane = np.column_stack([np.ones(len(pads)), pads[:, 1:]])
    wanted = np.array([load.force[0], -load.torque[2], load.torque[1]])
    return np.asarray(plane @ np.linalg.solve(plane.T @ plane, wanted))


def pad_margin(pair: Pair, pads: np.ndarray, w: np.ndarray) -> float:
    """Force of the least loaded pad [N]; contact is lost where it reaches zero."""
    return float(pad_forces(interface_load(pair, w), pads).min())


def friction_margin(pair: Pair, mu: float, w: np.ndarray) -> float:
    """What friction could still carry across the normal [N]: μN - |f_lateral|.

    The torque about the normal is left out: it is small beside μN times the pads' radius.
    """
    load = interface_load(pair, w)
    return mu * load.normal - load.lateral


def arm_margin(pair: Pair, limit: float, w: np.ndarray) -> float:
    """What an arm that alone carries the lateral force could still add [N]."""
    return limit - interface_load(pair, w).lateral
