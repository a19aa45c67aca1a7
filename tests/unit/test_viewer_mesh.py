"""Meshes as they are drawn."""

import numpy as np
import pytest

from proxops.viewer.collada import read_collada
from proxops.viewer.mesh import Mesh, read_mesh

POINTS = "0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1"
QUADS = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
INPUTS = '<input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" offset="1"/>'


def collada(faces, node="", unit="1"):
    """A unit cube."""
    return f"""<?xml version="1.0" encoding="utf-8"?>
    <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
      <asset><unit meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
      <library_geometries><geometry id="cube"><mesh>
        <source id="p"><float_array count="24">{POINTS}</float_array></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
        {faces}
      </mesh></geometry></library_geometries>
      <library_visual_scenes><visual_scene><node>{node}<node>
        <scale>2 1 1</scale><instance_geometry url="#cube"/>
      </node></node></visual_scene></library_visual_scenes>
    </COLLADA>""".encode()


def corners(quads):
    return " ".join(f"{corner} 0" for quad in quads for corner in quad)


POLYLIST = f"<polylist>{INPUTS}<vcount>{'4 ' * 6}</vcount><p>{corners(QUADS)}</p></polylist>"
POLYGONS = f"<polygons>{INPUTS}{''.join(f'<p>{corners([quad])}</p>' for quad in QUADS)}</polygons>"
HALVES = [half for a, b, c, d in QUADS for half in ((a, b, c), (a, c, d))]
TRIANGLES = f"<triangles>{INPUTS}<p>{corners(HALVES)}</p></triangles>"


def volume(vertices, faces):
    """By the divergence theorem: negative where faces look inwards."""
    a, b, c = vertices[faces].transpose(1, 0, 2)
    return float(np.einsum("ij,ij", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize(
    "faces", [POLYLIST, POLYGONS, TRIANGLES], ids=["list", "gons", "triangles"]
)
def test_a_cube_is_a_cube_however_it_is_written(faces):
    vertices, triangles = read_collada(collada(faces))
    assert triangles.shape == (12, 3)
    assert volume(vertices, triangles) == pytest.approx(2.0)


def test_nodes_place_what_is_in_them_in_metres():
    turn = "<translate>10 0 0</translate><rotate>0 0 1 90</rotate>"
    vertices, _ = read_collada(collada(POLYLIST, turn, unit="0.01"))
    np.testing.assert_allclose(vertices.min(axis=0), [0.09, 0.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(vertices.max(axis=0), [0.10, 0.02, 0.01], atol=1e-15)
    matrix = "<matrix>0 -1 0 10  1 0 0 0  0 0 1 0  0 0 0 1</matrix>"
    same, _ = read_collada(collada(POLYLIST, matrix, unit="0.01"))
    np.testing.assert_allclose(same, vertices, atol=1e-15)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<COLLADA/>",
        collada("<triangles/>"),
        collada(POLYLIST.replace("6 0", "60 0")),
        collada(POLYLIST.replace("4 4", "5 4")),
        collada(POLYLIST).replace(b"#cube", b"#ball"),
        collada(POLYLIST).replace(b"#p", b"#q"),
        collada(POLYLIST).replace(b"1 1 1", b"1 one 1"),
        collada(POLYLIST).replace(b"<COLLADA", b"<!DOCTYPE a><COLLADA"),
    ],
    ids=str,
)
def test_a_file_that_is_no_mesh_is_left_out(data, tmp_path):
    file = tmp_path / "part.dae"
    file.write_bytes(data)
    assert read_mesh(str(file)) is None


def test_a_coarse_mesh_keeps_its_shape():
    n = 60
    u, v = np.meshgrid(np.linspace(0, np.pi, n), np.linspace(0, 2 * np.pi, n, endpoint=False))
    ball = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1)
    at = np.arange(n * n).reshape(n, n)
    a, b = at[:, :-1].ravel(), at[:, 1:].ravel()
    c, d = np.roll(at, -1, axis=0)[:, :-1].ravel(), np.roll(at, -1, axis=0)[:, 1:].ravel()
    fine = Mesh(ball.reshape(-1, 3), np.concatenate([np.c_[a, b, d], np.c_[a, d, c]]))
    assert fine.coarse(len(fine.faces)) is fine
    coarse = fine.coarse(1000)
    assert 300 < len(coarse.faces) <= 1000
    assert abs(volume(*coarse)) == pytest.approx(4.0 / 3.0 * np.pi, rel=0.1)
    assert volume(*coarse) * volume(*fine) > 0.0  # no face is turned over
    flat = Mesh(np.zeros((3, 3)), np.zeros((9, 3), dtype=int))
    assert len(flat.coarse(5).faces) == 9  # nothing to part it by
