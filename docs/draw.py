"""Draws the pictures of README and docs from real runs: `make docs`."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import proxops

PICTURES = Path(__file__).parent / "pictures"
INK, CHASER, TARGET, FAINT = "#22303c", "#0b6fb8", "#c2571a", "#b9c4cc"
SHADES = ("#0b6fb8", "#c2571a", "#3c8d40")
PADS = ("#0b6fb8", "#4d9fd6", "#3c8d40", "#c2571a", "#8c5aa8", "#8a8f94")
CYCLES = (10.0, 12.0)  # of the boost that are drawn [s]


def fly_around(axes: plt.Axes) -> None:
    """The natural relative orbit, seen along the orbit normal."""
    run = proxops.simulate(proxops.load("fly-around"))
    t, p = run["chaser.p_HC"]
    axes.plot(p[:, 1], p[:, 0], color=CHASER, lw=2)
    axes.plot(0.0, 0.0, "s", color=TARGET, ms=9)
    axes.annotate("target", (0.0, 0.0), (8.0, 8.0), textcoords="offset points", color=TARGET)
    for minute in range(0, int(t[-1] / 60.0), 20):
        here = p[np.searchsorted(t, 60.0 * minute)]
        axes.plot(here[1], here[0], "o", color=CHASER, ms=5)
        outward = 22.0 * here[[1, 0]] / np.linalg.norm(here[[1, 0]])
        axes.annotate(
            f"{minute} min", (here[1], here[0]), outward, textcoords="offset points",
            ha="center", va="center", fontsize=9, color=INK,
        )  # fmt: skip
    axes.set(xlabel="along-track y in H [m]", ylabel="radial x in H [m]", aspect="equal")
    axes.margins(0.14, 0.22)
    axes.set_title("fly-around: one period of a natural relative orbit, e = 0.05", loc="left")


def free_tumble(upper: plt.Axes, lower: plt.Axes) -> None:
    """The arm moves, the hub answers, the ledger stays closed."""
    run = proxops.simulate(proxops.load("free-tumble"))
    t, q = run["chaser.arms.main.q"]
    for joint, shade in zip(np.argsort(-np.ptp(q, axis=0))[:3], SHADES, strict=True):
        upper.plot(t, np.degrees(q[:, joint]), color=shade, lw=1.8, label=f"joint {joint + 1}")
    upper.set(ylabel="joint angle [deg]", xlim=(t[0], t[-1]))
    upper.set_title("free-tumble: the arm unfolds ...", loc="left")
    t, w = run["chaser.w_NC_C"]
    for axis, shade in zip(range(3), SHADES, strict=True):
        lower.plot(t, np.degrees(w[:, axis]), color=shade, lw=1.8, label=f"about {'xyz'[axis]}")
    lower.set(xlabel="time [s]", ylabel="hub rate in C [deg/s]", xlim=(t[0], t[-1]))
    for axes in (upper, lower):
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    residual = run.ledger.angular_momentum_residual
    lower.set_title(f"... the hub answers; angular momentum kept to {residual:.0e}", loc="left")


def pads_of_locked(axes: plt.Axes) -> None:
    """The pads carry the thrust; as the stack turns faster, they lose it one after the other."""
    run = proxops.simulate(proxops.load("deorbit-locked"))
    t, force = run["contacts.ring.f_n"]
    for pad, shade in enumerate(PADS):
        axes.plot(t, force[:, pad], color=shade, lw=1.6, label=f"pad {pad}")
    axes.set(ylabel="pad force [N]", xlabel="time [s]", xlim=(t[0], t[-1]), ylim=(0.0, None))
    axes.legend(loc="lower left", ncols=3, frameon=False)
    axes.set_title("deorbit-locked: the faster it turns, the less the pads carry", loc="left")


def sliding(position: plt.Axes, speed: plt.Axes) -> None:
    """The target's centre of mass swings about the thrust axis, damped by the arm."""
    run = proxops.simulate(proxops.load("deorbit-sliding"))
    t, p = run["relative.p_CT"]
    v = np.gradient(p, t, axis=0)
    for axis, shade in ((1, CHASER), (2, TARGET)):
        position.plot(t, p[:, axis], color=shade, lw=1.8, label=f"{'xyz'[axis]} in C")
        speed.plot(t, 1e3 * v[:, axis], color=shade, lw=1.8, label=f"{'xyz'[axis]} in C")
    position.set(ylabel="off axis [m]", xlim=(t[0], t[-1]))
    position.set_title("deorbit-sliding: the target swings about the thrust axis", loc="left")
    speed.set(ylabel="velocity [mm/s]", xlabel="time [s]", xlim=(t[0], t[-1]))
    position.legend(loc="upper right", frameon=False)


def force_of_boost(axes: plt.Axes, *, rule: bool) -> None:
    """What presses the bodies together in two cycles of the boost."""
    begin, end = CYCLES
    time = {
        "duration_s": end,
        "control_rate_hz": 1000.0,
        "record_rate_hz": 1000.0,
        "phases": {"boost": {"until_s": end, "step_s": 0.001}},
    }
    changes = {"time": time, "requirements": {}, "obsw.boost.separation_rule": rule}
    run = proxops.simulate(proxops.load("deorbit-boost").replace(changes))
    t, force = run["contacts.ring.f_n"]
    _, thrust = run["chaser.thrusters.thrust"]
    shown = t >= begin
    share = 8200.0 / 9400.0  # of the thrust that the settled contact carries
    axes.plot(t[shown], force[shown].sum(axis=1), color=CHASER if rule else TARGET, lw=0.9)
    axes.plot(t[shown], share * thrust[shown].sum(axis=1), color=INK, lw=1.1, label="settled")
    parted = sum(event.name == "separation" and event.t_s >= begin for event in run.events)
    said = f"{parted} separations in two cycles" if parted else "never zero"
    axes.set(ylabel="contact force [N]", xlim=CYCLES)
    name = "with the separation rule" if rule else "without it"
    axes.set_title(f"deorbit-boost {name}: {said}", loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, 0.9), frameon=False)


def tidy(figure: plt.Figure, axes: dict[str, plt.Axes], name: str) -> None:
    """Gives all plots of a figure the same look and writes it."""
    for each in axes.values():
        each.grid(color=FAINT, lw=0.5)
        each.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURES / f"{name}.png", dpi=110)


def missions() -> None:
    """The picture of README."""
    figure, axes = plt.subplot_mosaic(
        [["orbit", "arm"], ["orbit", "hub"]],
        figsize=(11.0, 4.2),
        width_ratios=(1.15, 1.0),
        layout="constrained",
    )
    fly_around(axes["orbit"])
    free_tumble(axes["arm"], axes["hub"])
    tidy(figure, axes, "missions")


def deorbit() -> None:
    """The picture of docs/deorbit.md."""
    figure, axes = plt.subplot_mosaic(
        [["pads", "position"], ["pads", "speed"], ["rule", "none"]],
        figsize=(11.0, 7.0),
        height_ratios=(1.0, 1.0, 1.4),
        layout="constrained",
    )
    pads_of_locked(axes["pads"])
    sliding(axes["position"], axes["speed"])
    force_of_boost(axes["rule"], rule=True)
    force_of_boost(axes["none"], rule=False)
    top = max(axes["rule"].get_ylim()[1], axes["none"].get_ylim()[1])
    for each in (axes["rule"], axes["none"]):
        each.set(ylim=(-0.04 * top, top), xlabel="time [s]")
        each.axhline(0.0, color=INK, lw=0.8)
    tidy(figure, axes, "deorbit")


def main() -> None:
    plt.switch_backend("Agg")
    PICTURES.mkdir(exist_ok=True)
    plt.rcParams.update({"font.size": 10, "axes.titlesize": 11, "axes.edgecolor": FAINT})
    missions()
    deorbit()


if __name__ == "__main__":
    main()
