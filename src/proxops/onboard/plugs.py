"""The three functions on board as the loop takes them."""

import numpy as np

from proxops.bus.truth import HUB_WIDTH, WRENCH, Truth
from proxops.core.jit import Plug, signature_of
from proxops.onboard import shipped
from proxops.onboard.model import Onboard


def plugs(onboard: Onboard) -> tuple[Plug, ...]:
    """Sense, think and serve; compiles what is not yet."""
    arm, wrench, thrust = np.zeros(1), np.zeros(WRENCH), np.zeros(1)
    truth = Truth(0, np.zeros((2, HUB_WIDTH)), arm, arm, wrench, 0.0, thrust)
    signature = signature_of(onboard.model, onboard.state, truth, onboard.commands)
    if onboard.think is shipped.nothing:
        chosen = [shipped.nothing] * 3
    else:
        chosen = [shipped.sense, onboard.think, shipped.serve]
    return tuple(Plug(function, signature) for function in chosen)
