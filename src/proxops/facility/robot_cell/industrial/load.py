"""What a rigid load asks of whatever carries it: its weight, and a wrench for its motion.

    f = m (g - a_c),   t = c × f - (I α + w × I w),   a_c = v̇ + α × c + w × (v + w × c)

about the origin of the frame M that it is given in, in M's axes; I about its centre of mass.
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, cross, get3, scale, sub, sym_mul
from proxops.facility.robot_cell.industrial.robot import ABOUT_COM, COM, MASS


@helper
def load_wrench(load, g, V, V_rate):
    """(f, t) [N, N m] that the load exerts on its carrier, which moves with the twist V and its
    rate; gravity g [m/s2] in M's axes."""
    (v, w), (v_rate, alpha) = V, V_rate
    mass, com = load[MASS], get3(load, COM)
    I = load[ABOUT_COM : ABOUT_COM + 6]
    a = add(v_rate, add(cross(alpha, com), cross(w, add(v, cross(w, com)))))
    spin = add(sym_mul(I, alpha), cross(w, sym_mul(I, w)))
    f = scale(mass, sub(g, a))
    return f, sub(cross(com, f), spin)
