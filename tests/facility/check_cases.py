"""Flights of Envisat and a servicer, made up sample by sample, on the documented facility."""

from dataclasses import replace

import numpy as np

from proxops.assembly.build import build
from proxops.assembly.facility import fit_out, load_facility
from proxops.core.frame import rotation_of
from proxops.feasibility.case import Case, flight_of
from proxops.feasibility.reproduction import reproduce
from proxops.scenario.load import load

APART = np.array([-5.0, 0.0, 0.0])  # p_TC at the start [m]
RATE = 20.0  # of samples [Hz]


def tumbling(rate, duration):
    """The mission with the target spinning at -rate [deg/s], the servicer with it."""
    return load("envisat-unforced").replace(
        {
            "target.w_NT_T_deg_s": [0.0, -rate, 0.0],
            "chaser.w_NC_C_deg_s": [0.0, -rate, 0.0],
            "chaser.v_HC_m_s": [0.0, 0.0, -5.0 * float(np.radians(rate))],
            "time.duration_s": duration,
            "time.phases.drift.until_s": duration,
        }
    )


def synchronous(rate, duration, facility="oos-sim"):
    """The target tumbles freely and the servicer goes with it like one body."""
    return with_chaser(rate, duration, lambda t: APART, facility)


def with_chaser(rate, duration, p_TC, facility="oos-sim", samples=RATE):
    """The target tumbles freely; the servicer keeps its attitude to it and moves as p_TC(t)."""
    scenario, lab = tumbling(rate, duration), load_facility(facility)
    built = build(scenario)
    t = np.linspace(0.0, duration, int(duration * samples) + 1)
    still = np.zeros((len(t), 13))
    still[:, 3] = 1.0
    q = np.tile(built.chaser.arms[0].q, (len(t), 1))
    robots = fit_out(lab.facility, scenario) if lab.facility.robots else None
    case = Case(scenario, lab, built, flight_of(t, (still, still), q, 0.0 * q), 0.0 * q, robots)
    target, chaser = still.copy(), still.copy()
    step = 1e-4
    for i, M in enumerate(reproduce(case, "relative").course):  # the free motion itself
        R, v, w = rotation_of(M[3:7]), M[7:10], M[10:13]
        target[i] = np.concatenate([M[:7], R @ v, w])
        p = p_TC(t[i])
        slide = (p_TC(t[i] + step) - p_TC(t[i] - step)) / (2.0 * step)
        moving = R @ (v + np.cross(w, p) + slide)
        chaser[i] = np.concatenate([M[:3] + R @ p, M[3:7], moving, w])
    return replace(case, flight=flight_of(t, (target, chaser), q, 0.0 * q))
