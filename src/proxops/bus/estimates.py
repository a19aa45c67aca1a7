"""What functions on board estimate for each other: one flat array of float64.

The navigation writes all but the last.
"""

T = 0  # [s]
Q_NC = 1
W_NC = 5  # in C [rad/s]
BIAS = 8  # [rad/s]
R = 11  # from Ccm to Tcm in N [m]
V = 14  # [m/s]
Q_NT = 17
W_NT = 21  # in T [rad/s]
P_CG = 24  # in C [m]
Q_CG = 27
V_CG = 31  # rate of the components of p_CG [m/s]
W_CG = 34  # of G against C, in C [rad/s]
SIGMA_C = 37  # root mean square over the axes of the standard deviations: of q_NC [rad]
SIGMA_G = 38  # of G against Ccm [m]
SIGMA_Q = 39  # of q_NT [rad]
SIGMA_W = 40  # of w_NT [rad/s]
STAR_AGE = 41  # since the exposure of the youngest star believed [s], infinite before it
CAMERA_AGE = 42  # likewise of pictures [s]
DOUBT = 43  # largest of G, Q and W over what is asked of them; infinite without an estimate
BASE_FORCE = 44  # by thrusters since the last cycle, as the allocation has it, in C [N]
SIZE = 47
