"""Draws the pictures of README and docs from real runs: `make docs`."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import proxops

PICTURES = Path(__file__).parent / "pictures"
INK, CHASER, TARGET, FAINT = "#22303c", "#0b6fb8", "#c2571a", "#b9c4cc"
SHADES = ("#0b6fb8", "#c2571a", "#3c8d40")


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


def main() -> None:
    plt.switch_backend("Agg")
    PICTURES.mkdir(exist_ok=True)
    plt.rcParams.update({"font.size": 10, "axes.titlesize": 11, "axes.edgecolor": FAINT})
    figure, axes = plt.subplot_mosaic(
        [["orbit", "arm"], ["orbit", "hub"]],
        figsize=(11.0, 4.2),
        width_ratios=(1.15, 1.0),
        layout="constrained",
    )
    fly_around(axes["orbit"])
    free_tumble(axes["arm"], axes["hub"])
    for each in axes.values():
        each.grid(color=FAINT, lw=0.5)
        each.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURES / "missions.png", dpi=110)


if __name__ == "__main__":
    main()
