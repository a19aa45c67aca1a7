"""A late bounce with a mock-up that gives way, on a line and in plain numbers."""

import math
from collections import deque

from proxops.facility.common.passivity.chain import loop_delay


def damped(e, rate, corner, h):
    """A critically damped deviation and its rate, h [s] later."""
    slope, faded = rate + corner * e, math.exp(-corner * h)
    return faded * (e + slope * h), faded * (rate - corner * slope * h)


def kept_rebound(contact, chain, given, fastest):
    """Speed after over speed before [-], for a contact (m, k, b) that is met at 50 mm/s through a
    chain with a filter, delays and a critically damped servo; `given` is the facility's section on
    passivity, `fastest` the most by which two mock-ups may part for it [m/s].

    The mock-up stands off by r and is commanded to by s, that of the model and ∫ ΔV dt.
    """
    (m, k, b), h, quiet = contact, chain.control_period, given.quiet_force_N
    late, soft = loop_delay(chain).total + given.smooth_s, 2.0 / given.smooth_s
    servo, share = chain.servo.frequency, 1.0 - math.exp(-chain.filter.frequency * h)
    approach, s, behind = 0.05, 0.02, 2.0 / servo
    v = -approach
    told = deque([0.0] * (round(chain.force_delay / h) + 1))
    ago = round(chain.command_delay / h)
    sent = deque(s - v * h * n for n in range(ago, -1, -1))
    r, rv = sent[0] - behind * v, v
    felt = filtered = true = way = hurry = energy = real = pending = 0.0
    for _ in range(round(3.0 / h)):
        excess = energy - real - pending
        asked = min(excess / (h * felt), fastest) if felt > quiet and excess > 0.0 else 0.0
        pending = math.exp(-h / late) * pending + h * felt * asked
        e, hurry = damped(way - asked, hurry, soft, h)
        way = asked + e
        before, v = v, v + h * felt / m
        energy += 0.5 * h * felt * (before + v)
        s += 0.5 * h * (before + v) + h * way
        sent.append(s)
        slope = (sent[1] - sent[0]) / h
        e, de = damped(r - sent.popleft() + behind * slope, rv - slope, servo, h)
        power = true * rv
        r, rv = sent[0] - behind * slope + e, slope + de
        true = max(0.0, -k * r - b * rv) if r < 0.0 else 0.0
        real += 0.5 * h * (power + true * rv)
        filtered += share * (true - filtered)
        told.append(filtered)
        told.popleft()
        felt = told[0]
    return v / approach
