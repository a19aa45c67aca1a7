"""A run as one HTML file that plays without a server."""

from pathlib import Path

import numpy as np

from proxops.core.errors import InputError, OutputError
from proxops.results.run import Run
from proxops.results.store.folder import replacing, writing
from proxops.viewer.draw import Spare
from proxops.viewer.hardware import hardware_of
from proxops.viewer.playback import Playback
from proxops.viewer.server import start, stop
from proxops.viewer.stage import Stage
from proxops.viewer.timeline import clock_text, phase_at, speed_for

MAX_FRAMES = 600
_SPARE = Spare(moves=0.01, lines=10)  # so that the file stays small
_MARGIN = 1.15  # of the first view, for the caption
FRAMES_PER_S = 20.0  # of the onlooker's time
# The file has one camera, for a picture that is wider than it is high: on an upright phone the
# scene takes the upper part of the screen, so that it is not cut off at its sides
_UPRIGHT = (
    "<style>@media (max-aspect-ratio: 9/10) "
    "{ body { background: #141414; } #root { height: 95vw !important; } }</style></head>"
)


def write_offline(run: Run, file: Path, *, overwrite: bool = False) -> str:
    """Writes an offline scene; says what is in it and what was left out."""
    if file.suffix != ".html":
        raise InputError(f"{file}: must end in .html")
    if file.exists() and not (overwrite and file.is_file()):
        what = "exists already; --overwrite replaces it" if file.is_file() else "is a folder"
        raise OutputError(f"{file}: {what}; nothing was exported")
    hardware = hardware_of(run.provenance, run.signals())
    playback = Playback(hardware, run.rows)
    speed = speed_for(playback.end)
    times = frame_times(playback, speed)
    server = start("127.0.0.1", 0, run.name)
    try:
        stage = Stage(server, hardware, playback, _MARGIN, _SPARE)
        caption = server.scene.add_label("/caption", "", anchor="bottom-center")
        caption.position = tuple(stage.top.tolist())
        notes = server.scene.add_label("/notes", "", anchor="top-center", position=caption.position)

        def show(t: float) -> None:
            row, poses = playback.at(t)
            stage.show(row, poses)
            status = f"{clock_text(t, playback.end)}, phase {phase_at(run.phases, t)}"
            status += f", {stage.light(t)}" if stage.light(t) else ""
            status = "; ".join([status, *stage.facts(row)])
            notes.text = "; ".join(stage.notes())
            caption.text = f"{run.name}: {run.headline}, {status}"

        show(times[0])  # the file begins with what is there now
        recording = server.get_scene_serializer()
        for number, t in enumerate(times):
            show(t)
            if number + 1 < len(times):
                recording.insert_sleep((times[number + 1] - t) / speed)
        text = recording.as_html(dark_mode=True).replace("</head>", _UPRIGHT)
    finally:
        stop(server)
    with writing(file), replacing(file) as part:
        part.write_text(text, encoding="utf-8")
    shown = (
        f"{len(times)} of {len(playback.rows)} rows"
        if len(times) < len(playback.rows)
        else "every row"
    )
    size = len(text.encode()) / 1e6
    return f"wrote {file}: {shown}, {speed:g}x, {size:.1f} MB"


def frame_times(playback: Playback, speed: float) -> list[float]:
    """Times of the frames [s]: rows of the run, no more than can be watched."""
    max_frames = min(MAX_FRAMES, int(playback.end / speed * FRAMES_PER_S) + 2, len(playback.rows))
    kept = np.unique(np.linspace(0, len(playback.rows) - 1, max_frames).round().astype(int))
    return [float(t) for t in playback.rows[kept, 0]]
