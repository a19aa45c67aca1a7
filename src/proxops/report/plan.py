"""Which figures a report has: driven by the signals that a run recorded.

A plot takes every signal whose name fits its pattern.  What sensors and functions on board record
has the title that it was declared with; what no line takes is shown at the end, so nothing is left
out silently.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from proxops.results.run import Signal

# How a signal is shown
DECLARED = "{declared}"  # stands for the title that a signal was declared with
AS_RECORDED, TURN, FIRINGS, TOTAL = "as-recorded", "turn", "firings", "total"


@dataclass(frozen=True)
class Plot:
    """One kind of figure; {} in the title stands for the part of a name that `*` stands for,
    DECLARED for the signal's own title."""

    title: str
    pattern: str
    show: str = AS_RECORDED
    norm: bool = False  # with the length of the vector
    less: str = ""  # a signal to subtract
    change: bool = False  # from the start, where that is much less than the value itself
    each: str = ""  # what a component is: pad, mode
    first: int = 0  # number of the first of those
    unit: str = ""  # instead of the one that fits its size
    together: bool = False  # all signals in one figure, scalars named by `*`
    rest: bool = False  # only what no line before has taken


@dataclass(frozen=True)
class Section:
    """Figures that belong together."""

    title: str
    plots: tuple[Plot, ...]


SECTIONS = (
    Section("Relative motion", (
        Plot("Position of the target from the chaser", "relative.p_CT", norm=True, change=True),
        Plot("Attitude of the target relative to C", "relative.q_CT", show=TURN, change=True),
        Plot("Angular velocity of the target relative to C", "relative.w_CT_C", norm=True),
        Plot("Position of the end effector from G", "relative.p_GE", norm=True),
        Plot("Minimum distance between the spacecraft", "relative.clearance"),
        Plot(DECLARED, "relative.?_TcmCcm_H", norm=True),
    )),
    Section("Safety", (
        Plot(DECLARED, "safety.zone_margin"),
        Plot(DECLARED, "safety.drift_keep_out"),
        Plot(DECLARED, "safety.*", rest=True),
    )),
    Section("Contact", (
        Plot("Normal force of {}", "contacts.*.f_n", each="pad"),
        Plot("Friction cone used by {}", "contacts.*.cone", each="pad", unit="%"),
        Plot("Tangential force of {}", "contacts.*.f_t", each="pad"),
        Plot("Gap of {}, negative where it is compressed", "contacts.*.gap", each="pad"),
        Plot("Force of {} on the target", "contacts.*.f", norm=True),
        Plot("Force of hold {} on the target", "holds.*.f", norm=True),
        Plot("Torque of hold {} on the target", "holds.*.t", norm=True),
        Plot("Port of hold {} from the target's frame", "holds.*.p_BA", norm=True),
        Plot("Angle between the frames of a hold", "holds.*.angle", together=True),
        Plot("Speed of a hold's port relative to T", "holds.*.speed", together=True),
        Plot("Angular rate of a hold's port relative to T", "holds.*.rate", together=True),
        Plot("Offset, angle, speed and rate when hold {} last closed or missed",
             "holds.*.attempt"),
        Plot("Largest force of a contact since the last row", "contacts.*.f_peak", together=True),
        Plot("Largest force of a hold since the last row", "holds.*.f_peak", together=True),
        Plot("Largest torque of a hold since the last row", "holds.*.t_peak", together=True),
    )),
    Section("Thrusters and boost", (
        Plot("Thruster firings", "chaser.thrusters.thrust", show=FIRINGS),
        Plot("Thrust of all engines", "chaser.thrusters.thrust", show=TOTAL),
        Plot("Impulse of each thruster since the start", "chaser.thrusters.impulse",
             each="thruster"),
        Plot("Delta-v since the start", "chaser.delta_v", unit="mm/s"),
        Plot("Torque commanded by the boost", "obsw.boost.torque"),
        Plot("Impulse delivered by the boost", "obsw.boost.impulse"),
    )),
    Section("On-board software", (
        Plot(DECLARED, "obsw.navigation.p_CG", norm=True, change=True),
        Plot(DECLARED, "obsw.navigation.w_CG_C", norm=True),
        Plot(DECLARED, "obsw.*", rest=True),
        Plot(DECLARED, "sensors.*", rest=True),
        Plot("Pace in force, by its number", "sim.pace"),
    )),
    Section("Arms", (
        Plot("Joint positions of arm {}", "chaser.arms.*.q", each="joint", first=1),
        Plot("Joint rates of arm {}", "chaser.arms.*.qd", each="joint", first=1),
        Plot("Motor torques of arm {}", "chaser.arms.*.tau", each="joint", first=1),
        Plot("Largest motor torques since the last row, arm {}", "chaser.arms.*.tau_peak",
             each="joint", first=1),
    )),
    Section("Wheels", (
        Plot("Speed of wheel {}", "chaser.wheels.*.speed", unit="rpm"),
        Plot("Motor torque of wheel {}", "chaser.wheels.*.torque"),
    )),
    Section("Appendages", (
        Plot("Modal deflections of {}, chaser", "chaser.appendages.*.q_f", each="mode", first=1),
        Plot("Modal deflections of {}, target", "target.appendages.*.q_f", each="mode", first=1),
    )),
    Section("Laboratory", (
        Plot("Measured wrench", "lab.measured_wrench"),
        Plot("Position of the mock-up relative to the model", "lab.p_TTl", norm=True),
        Plot("Rotation of the mock-up relative to the model", "lab.q_TTl", show=TURN),
        Plot("Mock-up of the target in the lab", "lab.p_LTl", change=True),
        Plot("Attitude of the target's mock-up in the lab", "lab.q_LTl", show=TURN, change=True),
        Plot("Mock-up of the chaser in the lab", "lab.p_LCl", change=True),
        Plot("Attitude of the chaser's mock-up in the lab", "lab.q_LCl", show=TURN, change=True),
        Plot("Axes of the {}'s robot", "lab.robots.*.q", each="axis", first=1),
        Plot("Torques of the real arm {}", "lab.arms.*.tau_q", each="joint", first=1),
        Plot("Thrusts of the {}'s vehicle", "lab.vehicles.*.thrust", each="rotor", first=1),
        Plot("Mode of the {}'s vehicle: 0 flying, 1 landing, 2 landed", "lab.vehicles.*.mode"),
        Plot("Guard: 0 stopped, 1 running, 2 braking", "lab.guard.mode"),
        Plot("Nominal motion, position", "nominal.p_HN", change=True),
        Plot("Nominal motion, attitude", "nominal.q_NN", show=TURN, change=True),
        Plot("lab.{}, turn", "lab.*", show=TURN, rest=True),
        Plot("lab.{}", "lab.*", rest=True),
    )),
    Section("Chaser", (
        Plot("Position of the chaser", "chaser.p_HC", change=True),
        Plot("Velocity of the chaser", "chaser.v_HC"),
        Plot("Attitude of the chaser", "chaser.q_NC", show=TURN, change=True),
        Plot("Angular velocity of the chaser", "chaser.w_NC_C", norm=True),
        Plot("Chaser's centre of mass from its hub's", "chaser.p_HCcm", less="chaser.p_HC"),
    )),
    Section("Target", (
        Plot("Position of the target", "target.p_HT", change=True),
        Plot("Velocity of the target", "target.v_HT"),
        Plot("Attitude of the target", "target.q_NT", show=TURN, change=True),
        Plot("Angular velocity of the target", "target.w_NT_T", norm=True),
        Plot("Target's centre of mass from its hub's", "target.p_HTcm", less="target.p_HT"),
    )),
    Section("Momentum and energy", (
        Plot("Kinetic energy", "ledger.kinetic_energy"),
        Plot("Work of the sources", "ledger.work_*", together=True),
        Plot("Momentum", "ledger.momentum"),
        Plot("Impulse of the sources", "ledger.impulse"),
        Plot("Angular momentum", "ledger.angular_momentum"),
        Plot("Angular impulse of the sources", "ledger.angular_impulse"),
        Plot("Scale of the momentum residual: sum of |m v|", "ledger.sum_momentum"),
        Plot("Scale of the angular momentum residual: sum of |h| and |r| |m v|",
             "ledger.sum_angular_momentum"),
        Plot("Scale of the momentum residual: sum of |impulse|", "ledger.sum_impulse"),
        Plot("Scale of the angular momentum residual: sum of |r| |impulse|",
             "ledger.sum_angular_impulse"),
    )),
)  # fmt: skip
REST = Section("Other signals", (Plot(DECLARED, "*"),))
TIMELINE = ("obsw.phase", "obsw.mode")  # the bars of the timeline


def claims(signals: Iterable[Signal]) -> list[tuple[Section, list[tuple[Plot, list[Signal]]]]]:
    """Sections with the signals that each of their plots takes; empty ones are left out."""
    left = [signal for signal in signals if signal.width and signal.name not in TIMELINE]
    taken: set[str] = set()
    found = []
    for section in SECTIONS:
        plots = []
        for plot in section.plots:
            fitting = [
                each
                for each in left
                if _fits(each, plot) and not (plot.rest and each.name in taken)
            ]
            taken.update(each.name for each in fitting)
            if fitting:
                plots.append((plot, fitting))
        if plots:
            found.append((section, plots))
    rest = [signal for signal in left if signal.name not in taken]
    return [*found, *([(REST, [(REST.plots[0], rest)])] if rest else [])]


def title_of(plot: Plot, signal: Signal) -> str:
    """The figure's title for one signal."""
    if plot.title == DECLARED:
        return signal.title or signal.name
    if plot.together:
        return f"{plot.title}: {star(plot, signal).replace('_', ' ')}"
    return plot.title.replace("{}", star(plot, signal))


def star(plot: Plot, signal: Signal) -> str:
    """What `*` stands for in a signal's name."""
    before, _, after = plot.pattern.partition("*")
    return signal.name[len(before) : len(signal.name) - len(after)]


def _fits(signal: Signal, plot: Plot) -> bool:
    """Whether a plot can show it: quaternions have four numbers, vectors that are added three."""
    if not fnmatchcase(signal.name, plot.pattern):
        return False
    if plot.show == TURN:
        return signal.shape == (4,) and (not plot.rest or "wxyz" in signal.frame)
    return len(signal.shape) < 2
