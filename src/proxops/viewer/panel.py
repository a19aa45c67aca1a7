"""The head of the panel: verdict, time, phase, and what is not drawn to scale."""

import html
from collections.abc import Sequence

import viser

from proxops.core.states import PASSED, FacilityState
from proxops.results.ledger import judged
from proxops.results.run import Phase, Run
from proxops.results.verdict import collided
from proxops.viewer.laboratory import State
from proxops.viewer.timeline import clock_text

BADGES = {"good": "#2b8a3e", "warn": "#b35c00", "bad": "#c92a2a", "none": "#495057"}
AROUND = 3  # phases before and after the present one that are named
NOBODY = State("", "", (0, 0, 0))


class Head:
    """First thing on the panel."""

    def __init__(
        self, gui: viser.GuiApi, title: str, verdict: tuple[str, str], why: str, end: float
    ) -> None:
        self._html = gui.add_html("")
        self._verdict, self._mood = verdict
        self._title, self._why, self._end = title, why, end

    def show(
        self,
        t: float,
        phase: str,
        notes: list[str],
        state: State = NOBODY,
        light: str = "",
        facts: Sequence[str] = (),
    ) -> None:
        """Shows a time [s], the phase there, notes on the scale, what guard or vehicles do, whether
        it is day, and what else is worth knowing of the instant."""
        colour = BADGES[self._mood]
        lines = [
            f'<span style="background:{colour};color:#fff;border-radius:4px;padding:0.1em 0.5em;'
            f'font-weight:700">{html.escape(self._verdict)}</span>'
            f'<span style="font-size:1.3em;font-weight:650;margin:0 0.35em 0 0.6em;'
            f'font-variant-numeric:tabular-nums">{clock_text(t, self._end)}</span>'
            f'<span style="opacity:0.7">of {clock_text(self._end, self._end)}</span>',
            f"phase <b>{html.escape(phase or '-')}</b>" + (f", {light}" if light else ""),
        ]
        red, green, blue = state.colour
        if state.word:
            lines.append(
                f"{html.escape(state.who)} "
                f'<span style="background:rgb({red},{green},{blue});color:#fff;border-radius:4px;'
                f'padding:0 0.4em;font-weight:650">{html.escape(state.word)}</span>'
            )
        lines += [f'<span style="opacity:0.9">{html.escape(fact)}</span>' for fact in facts]
        if self._why:
            lines.append(f'<span style="color:#ffa8a8">{html.escape(self._why)}</span>')
        lines.append(f'<span style="opacity:0.75">{html.escape(self._title)}</span>')
        if notes:
            lines.append(f'<span style="color:#ffd43b">{html.escape("; ".join(notes))}</span>')
        body = "".join(f'<div style="margin-top:0.2em">{line}</div>' for line in lines)
        self._html.content = (
            f'<div style="padding:0.1em 0.9em 0.5em;line-height:1.35;font-size:0.9em">{body}</div>'
        )


def title_of(run: Run, mission: str) -> str:
    """What the mission says of itself, and where it was rehearsed if it was."""
    return mission if run.title == run.name else f"{run.title}: {mission}"


def why(run: Run) -> str:
    """Why a run did not pass, in a line; empty if it did."""
    faults = [event.detail for event in run.events if event.name == "fault"]
    if faults:
        return faults[-1][:160]
    if judged(run) and not run.ledger.closed:
        return "the ledger is open: nothing of this run counts"
    stops = [event.detail for event in run.events if event.name == "stopped"]
    if run.outcome == "stopped" and stops:
        return stops[-1][:160]
    collision = collided(run)
    if collision is not None:
        return f"collision at {collision.t_s:.3f} s: {collision.detail}"[:160]
    missed = [item.name for item in run.requirements if not item.passed]
    if missed:
        more = f" and {len(missed) - 3} more" if len(missed) > 3 else ""
        return f"not met: {', '.join(missed[:3])}{more}"
    last = run.events[-1] if run.events else None
    if run.outcome in ("interrupted", "cut-short", "invalid") and last is not None:
        return f"{last.name}: {last.detail}"[:160]
    return ""


def spans_text(title: str, spans: Sequence[Phase], t: float) -> str:
    """Phases or modes in their order, in a line; the one at t [s] stands in brackets, and of many
    only those around it are named.  Empty where there is only one."""
    if len(spans) < 2:
        return ""
    now = sum(span.start_s <= t for span in spans) - 1
    first, last = max(0, now - AROUND), min(len(spans), max(now, 0) + AROUND + 1)
    names = [
        f"[{span.name}]" if number == now else span.name
        for number, span in enumerate(spans[first:last], first)
    ]
    before, after = ["..."] * (first > 0), ["..."] * (last < len(spans))
    return f"{title}: {', '.join([*before, *names, *after])}"


def states_text(states: Sequence[FacilityState], t: float) -> str:
    """What the facility did before, during and after the run, in a line; what it does at t [s] of
    its own time stands in brackets."""
    said = []
    for state in states:
        words = f"{state.name} {state.lasts_s:.1f} s"
        words += "" if state.verdict == PASSED else f" ({state.verdict})"
        now = state.start_s <= t < state.start_s + state.lasts_s
        said.append(f"[{words}]" if now else words)
    return ", ".join(said)
