"""The port of a rehearsal: the two bodies that meet, in the models and in the lab.

    row TARGET   wrench on the target about To, in T; twist of T
    row CHASER   the opposite wrench on the touched body B about its origin, in B; twist of B

Where several links are touched, as fingers are, B carries them: the books then miss what these do
by moving against B, f · (v - v_B), which their motors give and take in the lab and in orbit alike.

At t the models take over what `keep_passive` makes of the readings; at t + h the observer books
what they were given and what the real contact has given to the carriers.  A command that is to give
way moves its mock-up by D beyond the model, pose and velocity alike:

    X_cmd = X D,     V_cmd = Ad_D⁻¹ V + ΔV,     Ḋ = D hat(ΔV)

ΔV of a touched link goes to the hub as if the arm were stiff.  Robots tolerate no jump of velocity:
it passes a critically damped lag, which preserves its integral:

    d²ΔV/dt² = Ω² (asked - ΔV) - 2Ω dΔV/dt
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import Ad_inverse, ad, compose, exp, minus, plus
from proxops.core.spatial.quaternion import get4, put4, quat_log, quat_to_rotation
from proxops.core.spatial.vector import add, cross, get3, mul, mul_t, norm, put3, scale, sub
from proxops.facility.common.force_sensor import FORCE, TORQUE, WRENCH
from proxops.facility.common.passivity.controller import Control, Controlled, keep_passive
from proxops.facility.common.passivity.observer import Observer, observe_model, observe_real, total
from proxops.facility.common.representation import hub_in_orbit
from proxops.facility.common.rows import CHASER, PAIR, TARGET
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import load3, load_mat
from proxops.plant import contact_array, layout
from proxops.plant.contacts import (
    Link,
    contact_count,
    is_closed,
    recall,
    see_link,
    stored_energy,
)
from proxops.plant.switching import look, sight, target_twist

POSE_P, POSE_Q = 0, 3  # in a row of PortState.strayed
STRAYED = 7

# What is recorded of a port
CONTACT, FACILITY = 0, 1  # energy given so far, as in `observer` [J]
HELD = 2  # by the contact at the start [J]
MOCK_UP, MODEL = 3, 5  # drift, length and angle [m, rad]
TURN = 1  # from the length to the angle
RECORDED = 7


class Port(NamedTuple):
    """Everything that stays the same."""

    control: Control
    body: int  # of the chaser, that contacts and holds touch, or that carries all that they do
    corner: float  # Ω of the lag that smooths ΔV [rad/s]; zero: none


class PortState(NamedTuple):
    """Everything that changes; arrays have a row for target and chaser."""

    observer: Observer
    controlled: Controlled
    stored: np.ndarray  # in the contact at the start, one entry [J]
    strayed: np.ndarray  # D of the mock-ups' hubs (2, 7) [m, wxyz]
    change: np.ndarray  # ΔV of the mock-ups' hubs (2, 6)
    hurry: np.ndarray  # its derivative (2, 6)
    now: np.ndarray  # what is recorded
    largest: np.ndarray  # of it in all steps until the guard stops, zero or more
    wrenches: np.ndarray  # workspace (2, 6)
    twists: np.ndarray  # workspace (2, 6)


@part
def models_pair(plant, y, links, body):
    """(B as the target sees it, twist of T) of the models; `links` have the chaser's bodies as they
    move while its hub rests."""
    seen = sight(plant, y)
    resting = see_link(seen, links, body)
    (_, V_C), (_, V_T) = hub_in_orbit(y), hub_in_orbit(y[layout.target_start(plant) :])
    v, w = mul(seen[0], V_C[0]), mul(seen[0], V_C[1])
    along = add(v, cross(w, sub(resting.p_TB, seen[1])))
    link = Link(resting.R_TB, resting.p_TB, add(resting.v, along), add(resting.w, w))
    return link, V_T


@part
def put_wrenches(link, wrench, rows):
    """Writes the wrench on the target and its opposite on the body B: f, t + (To - Bo) × f."""
    f, t = get3(wrench, FORCE), get3(wrench, TORQUE)
    about_B = sub(t, cross(link.p_TB, f))
    for i in range(WRENCH):
        rows[TARGET, i] = wrench[i]
    put3(rows[CHASER], FORCE, scale(-1.0, mul_t(link.R_TB, f)))
    put3(rows[CHASER], TORQUE, scale(-1.0, mul_t(link.R_TB, about_B)))


@part
def put_twists(link, target, rows):
    """Writes the twists of the target and of the body B, each in its own axes."""
    put3(rows[TARGET], FORCE, target[0])
    put3(rows[TARGET], TORQUE, target[1])
    put3(rows[CHASER], FORCE, mul_t(link.R_TB, link.v))
    put3(rows[CHASER], TORQUE, mul_t(link.R_TB, link.w))


@part
def stored_in(plant, y, scratch):
    """What closed contacts hold [J]."""
    look(plant, y, scratch)
    seen, memory = sight(plant, y), y[layout.contacts_start(plant) :]
    energy = 0.0
    for row in range(contact_count(plant)):
        if is_closed(recall(memory, row)[contact_array.MODE]):
            link = see_link(seen, scratch, int(plant.contacts[row, contact_array.BODY]))
            energy += stored_energy(plant.contacts, row, memory, link)
    return energy


@part
def see_model(port, state, plant, y, links, h):
    """Books what the models were given in the step of h [s] that ends now; a step of 0 begins."""
    link, target = models_pair(plant, y, links, port.body)
    put_twists(link, target, state.twists)
    for row in range(PAIR):
        observe_model(state.observer, row, state.controlled.fed[row], state.twists[row], h)


@part
def see_lab(port, state, cell, cell_state, scratch, h):
    """Books what the contact has given to the carriers in the step of h [s] that ends now; the
    kinematics of the mock-ups must be in `scratch`."""
    link = see_link(sight(cell.plant, cell_state.y), scratch, port.body)
    target = target_twist(cell.plant, scratch)
    put_twists(link, target, state.twists)
    put_wrenches(link, cell_state.wrench, state.wrenches)
    for row in range(PAIR):
        observe_real(state.observer, row, state.wrenches[row], state.twists[row], h)


@part
def take_over(port, state, link, measured, h):
    """Writes what both models are fed for the next h [s], from what is measured on the target."""
    given = port.control
    control = Control(
        given.scales,
        given.yields,
        given.mobility,
        state.stored[0],
        given.lateness,
        given.limits,
    )
    put_wrenches(link, measured, state.wrenches)
    keep_passive(control, state.controlled, state.observer, state.wrenches, h)


@part
def smooth(corner, commanded, change, hurry, h):
    """Brings ΔV and its derivative h [s] on, exactly for what is asked meanwhile:
    e = ΔV - asked goes to exp(-Ωh) (e + (ė + Ωe) h)."""
    faded = math.exp(-corner * h)
    for i in range(WRENCH):
        if corner == 0.0:
            change[i] = commanded[i]
            continue
        e = change[i] - commanded[i]
        slope = hurry[i] + corner * e
        change[i] = commanded[i] + faded * (e + slope * h)
        hurry[i] = faded * (hurry[i] - corner * slope * h)


@part
def _stray(state, which, h):
    """D ← D exp(h ΔV) of a hub."""
    row, change = state.strayed[which], state.change[which]
    D = get4(row, POSE_Q), get3(row, POSE_P)
    step = scale(h, get3(change, FORCE)), scale(h, get3(change, TORQUE))
    q, p = compose(D, exp(step))
    put4(row, POSE_Q, q)
    put3(row, POSE_P, p)


@part
def stray(port, state, links, h):
    """Lets both mock-ups yield for h [s]; `links` have the chaser's bodies in hub axes."""
    if port.control.yields == 0:
        return
    commanded = state.controlled.change
    R_CB, p_CB = load_mat(links, port.body, at.R), load3(links, port.body, at.P)
    w = mul(R_CB, get3(commanded[CHASER], TORQUE))
    put3(
        state.twists[CHASER], FORCE, add(mul(R_CB, get3(commanded[CHASER], FORCE)), cross(p_CB, w))
    )
    put3(state.twists[CHASER], TORQUE, w)
    smooth(port.corner, commanded[TARGET], state.change[TARGET], state.hurry[TARGET], h)
    smooth(port.corner, state.twists[CHASER], state.change[CHASER], state.hurry[CHASER], h)
    for which in range(PAIR):
        _stray(state, which, h)


@part
def lead_away(port, state, commands):
    """Moves the commanded motions (2, 13) by what both have given way."""
    if port.control.yields == 0:
        return
    for which in range(PAIR):
        row, command = state.strayed[which], commands[which]
        D = get4(row, POSE_Q), get3(row, POSE_P)
        X = get4(command, layout.Q), get3(command, layout.P)
        R = quat_to_rotation(X[0])
        V = Ad_inverse(D, (mul_t(R, get3(command, layout.V)), get3(command, layout.W)))
        more = get3(state.change[which], FORCE), get3(state.change[which], TORQUE)
        v, w = plus(V, more)
        q, p = compose(X, D)
        put4(command, layout.Q, q)
        put3(command, layout.P, p)
        put3(command, layout.V, mul(quat_to_rotation(q), v))
        put3(command, layout.W, w)


@part
def yielding_rate(state, V_b):
    """By how much d/dt of the chaser's carrier exceeds that of its base, which has the twist V_b,
    for yielding [m/s2, rad/s2]:

        V_s = Ad_D⁻¹ V_b - δV + ΔV   ⇒   V̇_s - V̇_b + d/dt δV = dΔV/dt - ad_ΔV V_b   where D is small
    """
    change, hurry = state.change[CHASER], state.hurry[CHASER]
    twist = get3(change, FORCE), get3(change, TORQUE)
    return minus((get3(hurry, FORCE), get3(hurry, TORQUE)), ad(twist, V_b))


@helper
def put_larger(row, start, away, turn):
    """Keeps the larger length and the larger angle."""
    row[start] = max(row[start], norm(away))
    row[start + TURN] = max(row[start + TURN], norm(turn))


@part
def note(state, counts):
    """Notes how energy and drift stand now and, where that counts, what they were at most."""
    now, contact = state.now, total(state.observer.model)
    now[CONTACT] = contact
    now[FACILITY] = contact - total(state.observer.real)
    now[HELD] = state.stored[0]
    for i in range(MOCK_UP, RECORDED):
        now[i] = 0.0
    for which in range(PAIR):
        strayed, shift = state.strayed[which], state.controlled.shift[which]
        turn = quat_log(get4(strayed, POSE_Q))
        put_larger(now, MOCK_UP, get3(strayed, POSE_P), turn)
        put_larger(now, MODEL, get3(shift, FORCE), get3(shift, TORQUE))
    if counts:
        for i in range(RECORDED):
            state.largest[i] = max(state.largest[i], now[i])
