"""Camera buttons, and the inputs that change how things are drawn."""

from collections.abc import Callable
from typing import Any

import viser

from proxops.viewer.framing import MAX_BENDING
from proxops.viewer.poses import CHASER, TARGET, WORLD, Poses
from proxops.viewer.stage import Stage

CENTRES = {"target": TARGET, "chaser": CHASER, "Hill frame": WORLD}


def add_cameras(
    gui: viser.GuiApi, stage: Stage, poses: Callable[[], Poses], changed: Callable[[], None]
) -> None:
    """One button for each view, and what stands in the middle of the scene."""
    buttons = gui.add_button_group("Camera", tuple(stage.framings))
    if stage.rehearsed:  # whose scene turns with the nominal motion

        def turn_to(event: "viser.GuiEvent[Any]") -> None:
            if event.client is not None:
                stage.aim(event.client, buttons.value)

        buttons.on_click(turn_to)
        return
    centre = gui.add_dropdown("Centre on", tuple(CENTRES))

    def centre_on(_: "viser.GuiEvent[Any]") -> None:
        stage.centre_on(CENTRES[centre.value], poses())
        changed()

    def aim(event: "viser.GuiEvent[Any]") -> None:
        follow = stage.framings[buttons.value].follow
        centre.value = next(name for name, frame in CENTRES.items() if frame == follow)  # type: ignore[misc]  # mypy misses its setter
        if event.client is not None:
            stage.aim(event.client, buttons.value)

    centre.on_update(centre_on)
    buttons.on_click(aim)


def add_looks(gui: viser.GuiApi, stage: Stage, changed: Callable[[], None]) -> None:
    """Sliders and boxes for what can be drawn otherwise."""
    look = stage.look
    if stage.bends:
        bending = gui.add_slider("Bending x", 1.0, MAX_BENDING, 1.0, look.bending)

        def bend(_: "viser.GuiEvent[Any]") -> None:
            look.bending = float(bending.value)
            changed()

        bending.on_update(bend)
    if stage.presses:
        scale = gui.add_number("Force [N/m]", look.newtons_per_metre, min=1e-6)

        def press(_: "viser.GuiEvent[Any]") -> None:
            look.newtons_per_metre = max(float(scale.value), 1e-6)
            changed()

        scale.on_update(press)
    if look.near > 0.0:
        size = gui.add_slider("Spacecraft x", 1.0, 4.0 * look.size, 1.0, look.size)
        farthest = look.near * look.size

        def enlarge(_: "viser.GuiEvent[Any]") -> None:
            look.size = float(size.value)
            look.near = farthest / look.size
            changed()

        size.on_update(enlarge)
    labels = gui.add_checkbox("Labels", look.labels)

    def name(_: "viser.GuiEvent[Any]") -> None:
        look.labels = bool(labels.value)
        changed()

    labels.on_update(name)
    if stage.flown:
        wakes = gui.add_checkbox("Wakes", look.wakes)

        def blow(_: "viser.GuiEvent[Any]") -> None:
            look.wakes = bool(wakes.value)
            changed()

        wakes.on_update(blow)
    if stage.rehearsed and not stage.flown:
        return
    if stage.zoned and not stage.flown:
        zones = gui.add_checkbox("Zones and drift", look.zones)

        def outline(_: "viser.GuiEvent[Any]") -> None:
            look.zones = bool(zones.value)
            changed()

        zones.on_update(outline)
    trails = gui.add_checkbox("Trails", look.trails)

    def trail(_: "viser.GuiEvent[Any]") -> None:
        look.trails = bool(trails.value)
        changed()

    trails.on_update(trail)
