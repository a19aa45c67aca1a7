"""A scene on a server: canvas, cameras and what the onlooker chose."""

import math
from functools import partial

import numpy as np
import viser

from proxops.viewer.cameras import (
    FIELD_OF_VIEW,
    View,
    half_height,
    place_in,
    places_of,
    view_of,
)
from proxops.viewer.draw import EVERYTHING, Canvas, Spare
from proxops.viewer.framing import bending_for, enlarged, newtons_per_metre
from proxops.viewer.hardware import Hardware
from proxops.viewer.laboratory import State, facts_of, framings_of, placed, scale_of, state_of
from proxops.viewer.parts import compass, scene_of
from proxops.viewer.playback import Playback
from proxops.viewer.poses import Poses
from proxops.viewer.scene import Look, as_drawn
from proxops.viewer.sky import light_at
from proxops.viewer.track import Track

_NEAR, _FAR = 0.02, 1e8  # [m]
_UPRIGHT = 0.8  # aspect of a phone, on which the panel covers the lower part
_FREE_ON_A_PHONE = 0.4
_COMPASS = ((-0.86, -0.7), (0.7, -0.7), (-0.86, 0.5), (0.7, 0.5))  # corners for the axes,
_ROOM = 0.5  # and how far from what moves one is to be, of half the picture's height
_TOP = (0.0, 0.93)  # and a caption
_NAMED = 5  # files in a note
_ASPECT = 1.12  # of the canvas beside the panel, on a desktop


class Stage:
    """What is drawn of a run, seen from where it is seen best."""

    def __init__(
        self,
        server: viser.ViserServer,
        hardware: Hardware,
        playback: Playback,
        margin: float = 1.0,
        spare: Spare = EVERYTHING,
    ) -> None:
        """`margin` is how much more than what is framed fits into the first view, `spare` what need
        not be sent."""
        scene = scene_of(hardware)
        self.scene = scene
        usual = Look(
            bending=bending_for(scene, playback),
            newtons_per_metre=newtons_per_metre(hardware, scene, playback.rows),
        )
        self.look = enlarged(hardware, scene, playback, usual)
        self.bends = bool(scene.sways)
        self.presses = bool(hardware.contacts)
        self._unread = hardware.unread_meshes()
        self.rehearsed, self.flown = hardware.rehearsed, hardware.arena is not None
        self.zoned = hardware.scenario.mission.zones is not None
        self.time_scale = 1.0 if hardware.arena is None else hardware.arena.shown.time_scale
        self._state, self._facts = state_of(hardware), facts_of(hardware)
        self._light = partial(light_at, hardware)
        self.look = placed(hardware, scene, playback, self.look)
        self.framings = framings_of(hardware, scene, playback, self.look)
        self._framed = partial(framings_of, hardware, scene, playback)
        self._t, self._size = 0.0, self.look.size
        self._server = server
        self._start = next(iter(self.framings))
        server.scene.set_up_direction(tuple(scene.up.tolist()))
        start = self._view(self._start, _ASPECT)
        start = start._replace(position=_farther(start, margin))
        camera = server.initial_camera
        camera.position, camera.look_at, camera.up = start
        camera.fov, camera.near, camera.far = FIELD_OF_VIEW, _NEAR, _FAR
        self.track = Track(hardware, playback.rows)
        self._canvas = Canvas(server.scene, scene, self.track, spare)
        self.axes_length = _round_length(0.27 * half_height(start))
        self._scale = f"axes {self.axes_length:g} m"
        if not hardware.rehearsed:
            corner = place_in(start, *corner_for(start, self.framings[self._start].points))
            self._canvas.add(compass(hardware, corner, self.axes_length))
        else:  # nothing keeps the axes of the orbit
            self._scale = scale_of(hardware)
        self.top = place_in(start, *_TOP)
        self._retired = False
        server.on_client_connect(self._welcome)

    def show(self, row: np.ndarray, poses: Poses) -> None:
        """Draws a row."""
        self._t, self._size = float(row[0]), as_drawn(self.look, poses).size
        self._canvas.show(row, poses, self.look)

    def retire(self) -> None:
        """Another stage takes the place of this one on the server."""
        self._retired = True

    def state(self, row: np.ndarray) -> State:
        """What the guard or the vehicles of a rehearsal do at a row."""
        return self._state(row)

    def facts(self, row: np.ndarray) -> list[str]:
        """What else a row says of a laboratory, in words."""
        return self._facts(row)

    def light(self, t: float) -> str:
        """Day or night, in a word; empty where the mission knows no Sun."""
        return self._light(t)

    def notes(self) -> list[str]:
        """What the onlooker must know of the scale."""
        found = [self._scale]
        if self._size != 1.0 and not self.rehearsed:
            found.append(f"spacecraft drawn {self._size:g}x")
        elif self.look.near > 0.0:
            found.append("spacecraft drawn to scale")
        if self.bends and self.look.bending != 1.0:
            found.append(f"bending drawn {self.look.bending:g}x")
        if self.presses:
            found.append(f"forces: 1 m is {self.look.newtons_per_metre:g} N")
        if self._unread:
            names = ", ".join(self._unread[:_NAMED])
            more = len(self._unread) - _NAMED
            names += f" and {more} more" if more > 0 else ""
            found.append(f"not drawn, gone or not the files of the run: {names}")
        return found

    def aim(self, client: viser.ClientHandle, name: str) -> None:
        """Turns a client's camera to what a framing holds."""
        view = self._view(name, min(client.camera.aspect, _ASPECT))
        with client.atomic():
            client.camera.up_direction = view.up
            client.camera.position = view.position
            client.camera.look_at = view.look_at

    def centre_on(self, frame: str, poses: Poses) -> None:
        """Follows another frame; cameras stay with what they look at."""
        before = poses[self.look.follow].p
        after = poses[frame].p
        self.look.follow = frame
        for client in self._server.get_clients().values():
            x, y, z = client.camera.position
            client.camera.position = (
                x + before[0] - after[0],
                y + before[1] - after[1],
                z + before[2] - after[2],
            )

    def _welcome(self, client: viser.ClientHandle) -> None:
        if not self._retired:
            self.aim(client, self._start)

    def _view(self, name: str, aspect: float) -> View:
        free = _FREE_ON_A_PHONE if aspect < _UPRIGHT else 1.0
        framing = self.framings[name]
        if self.look.near > 0.0 and name != self._start:  # drawn as large as they are apart
            framing = self._framed(self.look, self._t)[name]
        return view_of(framing, self.scene.up, aspect, free)


def corner_for(view: View, points: np.ndarray) -> tuple[float, float]:
    """The first corner of a picture that has room for the axes, or that with most."""
    places = places_of(points, view)
    room = [float(np.linalg.norm(places - np.array(each), axis=1).min()) for each in _COMPASS]
    first = next((i for i, each in enumerate(room) if each > _ROOM), int(np.argmax(room)))
    return _COMPASS[first]


def _farther(view: View, factor: float) -> tuple[float, float, float]:
    """Where a camera is that is so many times as far away."""
    x, y, z = (a + factor * (p - a) for p, a in zip(view.position, view.look_at, strict=True))
    return x, y, z


def _round_length(value: float) -> float:
    """A length [m] that is easy to read off, not above the value and not much below it."""
    power = 10.0 ** math.floor(math.log10(value))
    return power * max(step for step in (1.0, 1.5, 2.0, 3.0, 5.0, 7.0) if step * power <= value)
