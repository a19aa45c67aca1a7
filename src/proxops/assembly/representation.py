"""How a scenario is shown in the lab, and where everything is there at the start."""

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.nominal import UNFORCED, NominalChoice, nominal_of, target_state
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame
from proxops.facility.common.representation import FIXED_ON_TARGET, NominalState, Representation
from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multibody.tree import SCRATCH_WIDTH
from proxops.physics.relative.motion import MOTION_WIDTH, STATE_WIDTH
from proxops.physics.relative.nominal import Nominal
from proxops.physics.relative.nominal_build import from_samples
from proxops.plant import layout

REPRESENTATIONS = ("relative", "absolute", "target-fixed")


def check_representation(name: str) -> None:
    """Refuses what is none of REPRESENTATIONS."""
    if name not in REPRESENTATIONS:
        raise InputError(f"representation {name!r}: possible are {', '.join(REPRESENTATIONS)}")


def represent(
    built: Built, name: str, X_LM: Frame, choice: NominalChoice = UNFORCED
) -> Representation:
    """One of REPRESENTATIONS, beginning with the target at that pose in the lab; the relative one
    takes the nominal motion that is chosen."""
    check_representation(name)
    if name == "absolute":
        still = np.concatenate([target_state(built)[: layout.V], np.zeros(6), [0.0]])
        nominal = from_samples(still[np.newaxis], built.plant.orbit)
    else:
        nominal = nominal_of(choice if name == "relative" else UNFORCED, built)
    return Representation(nominal, FIXED_ON_TARGET if name == "target-fixed" else 0, X_LM.row())


def start_nominal(built: Built, nominal: Nominal) -> NominalState:
    """M at the start: where the target is."""
    given = nominal.samples[0, :STATE_WIDTH].copy() if len(nominal.samples) else None
    return NominalState(
        target_state(built) if given is None else given,
        np.zeros(STATE_WIDTH),
        np.zeros(MOTION_WIDTH),
        np.zeros((STAGE_ROWS, STATE_WIDTH)),
        np.zeros((1, SCRATCH_WIDTH)),
    )


def start_motions(built: Built, shows: Representation) -> np.ndarray:
    """How the hubs move in the lab at the start (2, 13)."""
    parts = layout.slices(built.plant)
    hubs = [
        built.y[part.start : part.start + layout.JOINTS] for part in (parts.target, parts.chaser)
    ]
    M = start_nominal(built, shows.nominal).y
    X_LM = frame(shows.X_LM[:3], shows.X_LM[3:])
    return np.array([_shown(X_LM, M, hub) for hub in hubs])


def _shown(X_LM: Frame, M: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Motion in the lab of a hub B with M as nominal, both (p, q, v, w) in O."""
    X_OM, X_OB = (frame(y[: layout.Q], y[layout.Q : layout.V]) for y in (M, B))
    X_MB = X_OM.inverse() @ X_OB
    w_M, w_B = M[layout.W :], B[layout.W :]
    v = X_OM.R.T @ (B[layout.V : layout.W] - M[layout.V : layout.W]) - np.cross(w_M, X_MB.p)
    w = w_B - X_MB.R.T @ w_M
    return np.concatenate([(X_LM @ X_MB).row(), X_LM.R @ v, w])
