"""The orbit that a moment in the lab stands for: what sensors and on-board software see there.

    X̃_OB = X_OM X̃_MB,     Ṽ_OB = Ṽ_MB + Ad_{X̃_MB}⁻¹ V_OM                            (23)

for both hubs B, with X̃_MB = X_LM⁻¹ X̃_LB from where the carriers are commanded to be, or from
where they are measured: by their axes and the geometry that is believed, each position with noise.
Speeds are measured without.

Source: De Stefano et al., RA-L 2021.
"""

from proxops.core.jit import part
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, get3, mul, scale
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.representation import hub_in_orbit, lab_of, put_hub
from proxops.facility.common.rows import CHASER, PAIR, TARGET
from proxops.physics.relative.command import to_orbit
from proxops.plant.observe import put_array, put_relative

STILL = (ZERO, ZERO)

# Name, unit, axes and shape of what `put_sensed` writes
SIGNALS = (
    ("lab.mismatch", "N,N,N,N m,N m,N m", "T", (WRENCH,)),
    ("lab.measured.p_CT", "m", "C", (3,)),
    ("lab.measured.q_CT", "1", "T to C, wxyz", (4,)),
    ("lab.measured.w_CT_C", "rad/s", "C", (3,)),
)


@part
def see(representation, nominal, motions, noise, draws, seen):
    """Writes the motions of both hubs in O (2, 13) from those in L; `nominal` is M's motion, the
    noise [m] comes with six standard normal draws."""
    for which in range(PAIR):
        (q, p), V_LB = hub_in_orbit(motions[which])
        X_LB = q, add(p, scale(noise, get3(draws, 3 * which)))
        X_MB = compose(inverse(lab_of(representation)), X_LB)
        X, (v, w), _ = to_orbit(nominal, (X_MB, V_LB, STILL))
        put_hub(seen[which], X, mul(quat_to_rotation(X[0]), v), w)


@part
def put_sensed(sensed, row, cursor):
    """Writes SIGNALS of what is sensed in the cell; returns the next free place."""
    cursor = put_array(row, cursor, sensed.mismatch)
    return put_relative(sensed.seen[CHASER], sensed.seen[TARGET], row, cursor)
