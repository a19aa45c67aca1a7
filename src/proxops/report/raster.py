"""Triangles as a small picture, without a browser: parallel projection, hidden surfaces removed."""

import base64
import struct
import zlib

import numpy as np

LIGHT = np.array([0.35, 0.55, 0.76])  # towards it: right, up, to the viewer
DIMMEST = 0.45  # of a face that turns away from the light
FINE = 2  # pixels of the raster in one of the picture, along each edge


class Raster:
    """A picture of so many pixels; x to the right, y up, z to the viewer."""

    def __init__(self, width: int, height: int) -> None:
        self._depth = np.full((FINE * height, FINE * width), -np.inf)
        self._colour = np.zeros((FINE * height, FINE * width, 3))

    def draw(self, corners: np.ndarray, faces: np.ndarray, colour: tuple[int, int, int]) -> None:
        """Adds a body: corners (v, 3) in pixels from the lower left, depth in any unit."""
        points = corners * np.array([FINE, FINE, 1.0])
        points[:, 1] = len(self._depth) - points[:, 1]
        triangles = points[faces]
        across, along = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
        area = across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]
        a, b = (corners[faces[:, i]] - corners[faces[:, 0]] for i in (1, 2))
        normals = np.cross(a, b)
        lengths = np.linalg.norm(normals, axis=1)
        for number in np.flatnonzero((np.abs(area) > 1e-9) & (lengths > 0.0)):
            lit = abs(float(normals[number] @ LIGHT) / float(lengths[number]))
            shade = DIMMEST + (1.0 - DIMMEST) * min(1.0, lit)
            self._fill(triangles[number], float(area[number]), shade * np.array(colour))

    def _fill(self, triangle: np.ndarray, area: float, colour: np.ndarray) -> None:
        """Those pixels of a triangle that nothing before it hides."""
        height, width = self._depth.shape
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = triangle
        left, right = max(0, int(min(x0, x1, x2))), min(width, int(max(x0, x1, x2)) + 1)
        top, bottom = max(0, int(min(y0, y1, y2))), min(height, int(max(y0, y1, y2)) + 1)
        if left >= right or top >= bottom:
            return
        x = np.arange(left, right) + 0.5
        y = np.arange(top, bottom)[:, None] + 0.5
        v = ((x - x0) * (y2 - y0) - (y - y0) * (x2 - x0)) / area
        w = ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / area
        depth = z0 + v * (z1 - z0) + w * (z2 - z0)
        here = self._depth[top:bottom, left:right]
        seen = (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0) & (depth > here)
        here[seen] = depth[seen]
        self._colour[top:bottom, left:right][seen] = colour

    def png(self) -> str:
        """The picture as a data address, clear where nothing is drawn."""
        height, width = self._depth.shape
        there = np.isfinite(self._depth)[..., None].astype(float)
        shape = (height // FINE, FINE, width // FINE, FINE)
        share = there.reshape(*shape, 1).mean(axis=(1, 3))
        total = (there * self._colour).reshape(*shape, 3).mean(axis=(1, 3))
        colour = total / np.maximum(share, 1e-9)
        pixels = np.concatenate([colour, 255.0 * share], axis=2).round().astype(np.uint8)
        rows = np.concatenate(
            [np.zeros((len(pixels), 1), np.uint8), pixels.reshape(len(pixels), -1)], axis=1
        )
        size = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 6, 0, 0, 0)
        file = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", size)
        file += _chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + _chunk(b"IEND", b"")
        return f"data:image/png;base64,{base64.b64encode(file).decode()}"


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
