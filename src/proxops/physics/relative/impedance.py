"""What a torque-controlled carrier must exert so that its mock-up moves as (11) or (18) demands.

A carrier with its own Cartesian inertia M_c and bias obeys M_c V̇ + C_c V = F_c + F, F being
measured.  So the demanded V̇ needs

    F_c = M_c V̇ + C_c V - F

which, with V̇ from (11), is (9),

    F_c = (M_c M_t⁻¹ - 1) F - M_c d/dt δV - M_c M_t⁻¹ C_t(V_t) V_t + C_c(V_c) V_c

and with V̇ from (18), and M_bq q̈ + C_sq q̇ in the bias since the carrier bears the arm, is (16):

    F_s = (M_s M_b⁻¹ - 1) J_bᵀ F_e + C_s V_s + (C_sq - M_s M_b⁻¹ C_bq) q̇
          + M_s M_b⁻¹ (F_b - C_b V_b - M_b d/dt δV) + (1 - M_s M_b⁻¹) M_bq q̈

The paper prints (16) otherwise; this is what (18) demands.  A demand that comes from the plant
serves as well.  Gravity of carrier and arm is taken as compensated.
"""

from proxops.core.jit import kernel

TWIST_DOF = 6


@kernel
def fill_carrier_force(M_c, bias, V_rate, measured, force):
    """Writes F_c (6,) [N, N m] at the mock-up's origin in its axes, as are all others: M_c (6, 6)
    [kg, kg m, kg m2], the carrier's bias (6,), the demanded V̇ (6,) and the measured wrench (6,)."""
    for i in range(TWIST_DOF):
        total = bias[i] - measured[i]
        for j in range(TWIST_DOF):
            total += M_c[i, j] * V_rate[j]
        force[i] = total
