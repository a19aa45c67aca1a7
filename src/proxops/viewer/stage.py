"""A scene on a server: canvas, cameras and what the onlooker chose."""

import numpy as np
import viser

from proxops.viewer.cameras import FIELD_OF_VIEW, View, corner_of, view_of
from proxops.viewer.draw import Canvas
from proxops.viewer.film import Film
from proxops.viewer.framing import bending_for, framings, newtons_per_metre, nice, size_for
from proxops.viewer.parts import compass, scene_of
from proxops.viewer.poses import Poses
from proxops.viewer.scene import Look
from proxops.viewer.subject import Subject
from proxops.viewer.track import Track

_NEAR, _FAR = 0.02, 1e6  # [m]
_ASPECT = 1.2  # of the canvas beside the panel, on a desktop


class Stage:
    """What is drawn of a run, seen from where it is seen best."""

    def __init__(self, server: viser.ViserServer, subject: Subject, film: Film) -> None:
        scene = scene_of(subject)
        self.scene = scene
        self.look = Look(
            bending=bending_for(scene, film),
            newtons_per_metre=newtons_per_metre(subject, scene, film.rows),
            size=size_for(subject, scene, film),
        )
        self.bends = bool(scene.sways)
        self.presses = bool(subject.contacts)
        self.framings = framings(subject, scene, film, self.look)
        self._server = server
        self._start = next(iter(self.framings))
        server.scene.set_up_direction(tuple(scene.up.tolist()))
        start = self._view(self._start, _ASPECT)
        camera = server.initial_camera
        camera.position, camera.look_at, camera.up = start
        camera.fov, camera.near, camera.far = FIELD_OF_VIEW, _NEAR, _FAR
        self.track = Track(subject, film.rows)
        self._canvas = Canvas(server.scene, scene, self.track)
        place, around = corner_of(start, _ASPECT)
        self.axes_length = _nice_length(0.22 * around)
        self._canvas.add(compass(subject, place, self.axes_length))
        server.on_client_connect(lambda client: self.aim(client, self._start))

    def show(self, row: np.ndarray, poses: Poses) -> None:
        """Draws a row."""
        self._canvas.show(row, poses, self.look)

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

    def _view(self, name: str, aspect: float) -> View:
        return view_of(self.framings[name], self.scene.up, aspect)


def _nice_length(value: float) -> float:
    """The largest of 1, 2, 5, 10, ... mm that is not above a length [m]."""
    return nice(1e3 * value) / 1e3
