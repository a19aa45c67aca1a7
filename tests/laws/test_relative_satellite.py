"""A satellite beside its target: equations of the publication, corrected, against inertial ones."""

import numpy as np
from scipy.spatial.transform import Rotation

from proxops.physics.relative.satellite import attitude_terms, translation_terms

MU = 3.986004418e14


def _hill_axes(R, V):
    x, z = R / np.linalg.norm(R), np.cross(R, V) / np.linalg.norm(np.cross(R, V))
    return np.column_stack([x, np.cross(z, x), z])


def test_translation_is_two_body_motion_seen_from_the_hill_frame():
    """r̈ in H from inertial accelerations of both: a_rel = g(R + r) - g(R) + f/m, less what the
    turning of H adds."""
    random = np.random.default_rng(1)
    for _ in range(20):
        R = random.normal(size=3) * 4e6 + [5e6, 0.0, 0.0]
        V = np.cross(random.normal(size=3), R)
        V *= 7.5e3 / np.linalg.norm(V)
        V += 300.0 * R / np.linalg.norm(R)  # eccentric
        r, v, f = 3e3 * random.normal(size=3), random.normal(size=3), random.normal(size=3)
        mass, axes = 80.0, _hill_axes(R, V)
        C, D, n = translation_terms(MU, R, V, mass, r)
        ours = (f - C @ v - D @ r - n) / mass

        def pull(at):
            return -MU * at / np.linalg.norm(at) ** 3

        h = np.cross(R, V)
        w = h / (R @ R)
        w_rate = -2.0 * h * (R @ V) / (R @ R) ** 2
        inertial = pull(R + axes @ r) - pull(R) + axes @ f / mass
        p, u = axes @ r, axes @ v
        seen = inertial - np.cross(w_rate, p) - 2.0 * np.cross(w, u) - np.cross(w, np.cross(w, p))
        # g is some 9 m/s2 on either side: 1e-15 of it is lost, r̈ is 1e-3 to 1e-2
        np.testing.assert_allclose(ours, axes.T @ seen, rtol=1e-9, atol=1e-14)


def test_attitude_is_eulers_equations_of_both_bodies():
    random = np.random.default_rng(2)

    def inertia():
        root = random.normal(size=(3, 3))
        return root @ root.T + np.eye(3)

    for _ in range(20):
        J_c, J_t, w, w_t, t = inertia(), inertia(), *random.normal(size=(3, 3))
        R_CT = Rotation.random(rng=random).as_matrix()
        C, n = attitude_terms(J_c, J_t, R_CT, w, w_t)
        ours = np.linalg.solve(J_c, t - C @ w - n)
        w_c = w + R_CT @ w_t
        of_chaser = np.linalg.solve(J_c, t - np.cross(w_c, J_c @ w_c))
        of_target = np.linalg.solve(J_t, -np.cross(w_t, J_t @ w_t))
        # w = w_c - R w_t in C, and Ṙ = -w × R
        relative = of_chaser - R_CT @ of_target + np.cross(w, R_CT @ w_t)
        np.testing.assert_allclose(ours, relative, rtol=1e-9, atol=1e-9)
