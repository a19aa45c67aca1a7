"""A contact law of your own: a pad that stiffens the deeper it is pressed.

proxops run examples/own_contact.toml --extension examples/own_contact.py
"""

import proxops


def stiffening(parameters, depth, depth_rate):
    """Force [N], stored energy [J] and stiffness [N/m] of an overlap [m] that grows by depth_rate.

    f = k δ (1 + δ/δ₀) + d δ̇,   E = k (δ²/2 + δ³/3δ₀)
    """
    k, scale, d = parameters[0], parameters[1], parameters[2]
    force = k * depth * (1.0 + depth / scale) + d * depth_rate
    energy = k * (0.5 * depth**2 + depth**3 / (3.0 * scale))
    return force, energy, k * (1.0 + 2.0 * depth / scale)


law = proxops.ContactLaw("stiffening", stiffening, ("stiffness_N_m", "scale_m", "damping_N_s_m"))

EXTENSIONS = [law]
