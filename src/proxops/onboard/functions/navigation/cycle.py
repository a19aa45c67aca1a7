"""One tick of the navigation: sensors in, estimate out."""

from proxops.core.jit import part
from proxops.onboard.functions.navigation.attitude import advance_attitude
from proxops.onboard.functions.navigation.estimate import write_estimate
from proxops.onboard.functions.navigation.relative import advance_relative


@part
def navigate(parameters, state, measurements, known_inputs, estimate):
    """Brings state and estimate to the time of `measurements`: attitude, then target through it.

    `known_inputs` is what the software knows without sensors: the force that it has commanded since
    the last tick, and where the chaser's centre of mass stands with the arm as it is."""
    advance_attitude(parameters, state, measurements)
    advance_relative(parameters, state, measurements, known_inputs)
    write_estimate(parameters, state, known_inputs, estimate)
