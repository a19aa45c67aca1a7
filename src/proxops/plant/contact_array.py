"""Contacts as rows of numbers: what is given of each, and what each remembers.

Kernels name the columns through this module: names imported one by one are constants to Numba,
which then compiles every accessor once for each of them.
"""

from proxops.physics.contact.external import MAX_PARAMETERS
from proxops.plant import layout

# Columns of Plant.contacts
KIND = 0
BODY = 1  # chaser body that takes part
PAD = 2  # centre of the pad, axes of its body [m]
RADIUS = 5  # of the pad [m]
FACE = 6  # centre of the face or of the other ball, axes of its body [m]
NORMAL = 9  # of the face, out of its body, unit
ALONG = 12  # direction of the face's first edge, unit
HALF = 15  # half lengths along it and across it [m], infinite for a boundless face
OTHER_RADIUS = 17  # of the other ball [m]
LAW = 18  # see physics.contact.normal
STIFFNESS = 19  # [N/m, or N/mⁿ]; of an external law at DEPTH
DAMPING = 20  # [N s/m, or s/m]
EXPONENT = 21
BILATERAL = 22  # 1: glued on, it pulls as well and never opens
MU_STATIC = 23
MU_KINETIC = 24
GRIP_STIFFNESS = 25  # of the tangential spring [N/m]
GRIP_DAMPING = 26  # [N s/m]
LONGEST_STEP = 27  # that keeps the closed contact accurate whatever swings in it [s]
GROUP = 28  # number of the scenario's contact that the pad belongs to
DEPTH = 29  # overlap for which LONGEST_STEP is made [m]; matters where the exponent is not 1
MASS = 30  # with which the two bodies meet along the normal [kg]
ENTRY = 31  # address of an external law
PARAMETERS = 32  # of an external law
CONTACT_WIDTH = PARAMETERS + MAX_PARAMETERS

# Kinds
PAD_ON_TARGET = 0  # the pad is the chaser's, the face the target's
PAD_ON_CHASER = 1  # the pad is the target's, the face the chaser's
BALLS = 2

# What a contact remembers from step to step, in the plant's state
MODE = 0
STRETCH = 1  # of the tangential spring: chaser's point less target's, T axes [m]
HELD_C = 4  # chaser's material point at the last step's end, axes of its body [m]
HELD_T = 7  # the target's point that it met there [m]
REACHED = 10  # overlap that it is on its way to, of a law that stiffens [m]
SHARE = 11  # of the energy that swings in it, see plant.step_length
MEMORY_WIDTH = layout.CONTACT_MEMORY

# Modes
OPEN = 0.0
STUCK = 1.0
SLIDING = 2.0
BEHIND = 3.0  # slipped past an edge: does not touch until it has come out again
