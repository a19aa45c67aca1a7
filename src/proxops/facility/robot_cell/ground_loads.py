"""What the real arm needs on the ground beyond its torques in orbit (22)."""

from proxops.core.jit import part
from proxops.core.spatial.pose import compose, inverse, minus
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import mul_t
from proxops.facility.common.passivity.energy_port import yielding_rate
from proxops.facility.common.representation import hub_in_orbit, lab_of
from proxops.facility.common.rows import CHASER
from proxops.facility.robot_cell.carried import GRAVITY
from proxops.facility.robot_cell.nominal import nominal_now
from proxops.physics.multibody.tree import Tree
from proxops.physics.relative.command import carried_rate
from proxops.physics.relative.ground_arm import fill_difference


@part
def fill_loads(lab, plant, y, sky):
    """Writes `workspace.loads`: on base and joints, of the carrier's motion and of gravity, less
    what acts in orbit, where `sky` is (μ, R_NO); the carrier may be led away as well."""
    X_OC, V_b = hub_in_orbit(y)
    X_LC, V_s = hub_in_orbit(lab.state.cell.sensed.known[CHASER])
    M = nominal_now(lab)
    X_MC = compose(inverse(lab_of(lab.representation)), X_LC)
    apart = minus(carried_rate(X_MC, V_s, M[1], M[2]), yielding_rate(lab.state.port, V_b))
    g = mul_t(quat_to_rotation(X_LC[0]), GRAVITY)
    mu, R_NO = sky
    R_OC = quat_to_rotation(X_OC[0])
    sky = (mu, mul_t(R_OC, R_NO), mul_t(R_OC, X_OC[1]))
    tree = Tree(plant.chaser, plant.chaser_topology)
    base = (V_b, V_s, apart, g)
    fill_difference(tree, base, sky, lab.workspace.loads, lab.state.arm.links)
