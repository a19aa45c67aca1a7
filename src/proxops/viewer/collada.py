"""Triangles out of a COLLADA file (.dae), as makers of robots publish them.

Read are triangles, polylists and polygons without holes, in the nodes of the scene, in metres by
the file's unit.  The axis that the file calls up is ignored, as is usual with URDF files; colours,
lights, skins and animations are left out.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import numpy as np

from proxops.core.safe_xml import parse_xml

Triangles = tuple[np.ndarray, np.ndarray]  # vertices (v, 3), faces (f, 3)
_DEEPEST = 100  # nodes inside nodes
_MOST_NODES = 10_000  # instances of geometries, which files may multiply


def read_collada(data: bytes) -> Triangles:
    """Vertices (v, 3) [m] and faces (f, 3) of all geometry in the scene; ValueError, KeyError or
    IndexError where the file is not as it should be."""
    root = parse_xml(data.decode("utf-8-sig"))
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    unit = root.find("asset/unit")
    scale = 1.0 if unit is None else float(unit.get("meter", 1.0))
    geometries = {
        f"#{each.get('id')}": _geometry(mesh)
        for each in root.iterfind("library_geometries/geometry")
        for mesh in each.iterfind("mesh")
    }
    vertices, faces, count = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=int)], 0
    for url, X in _instances(root):
        own, triangles = geometries[url]
        vertices.append(own @ X[:3, :3].T + X[:3, 3])
        faces.append(triangles + count)
        count += len(own)
        if len(vertices) > _MOST_NODES:
            raise ValueError("too many nodes")
    return scale * np.concatenate(vertices), np.concatenate(faces)


def _instances(root: Element) -> Iterator[tuple[str, np.ndarray]]:
    """The geometries in the scene, each with where it is (4, 4)."""
    nodes = root.findall("library_visual_scenes/visual_scene/node")
    waiting = [(node, np.eye(4), 0) for node in nodes]
    while waiting:
        node, X, depth = waiting.pop()
        X = X @ _placed(node)
        for instance in node.iterfind("instance_geometry"):
            yield instance.get("url", ""), X
        if depth < _DEEPEST:
            waiting += [(child, X, depth + 1) for child in node.iterfind("node")]


def _placed(node: Element) -> np.ndarray:
    """Where a node is in the one around it: its transformations, one after the other."""
    X = np.eye(4)
    for element in node:
        if element.tag not in ("matrix", "translate", "rotate", "scale"):
            continue
        values, step = _floats(element), np.eye(4)
        if element.tag == "matrix":
            step = values.reshape(4, 4)
        elif element.tag == "translate":
            step[:3, 3] = values
        elif element.tag == "scale":
            step[:3, :3] = np.diag(values)
        else:
            axis, angle = values[:3] / np.linalg.norm(values[:3]), np.radians(values[3])
            K = np.cross(np.eye(3), axis)  # K v = axis × v
            step[:3, :3] += np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K
        X = X @ step
    return X


def _geometry(mesh: Element) -> Triangles:
    sources = {f"#{each.get('id')}": each for each in mesh.iterfind("source")}
    positions = {
        f"#{each.get('id')}": str(given.get("source"))
        for each in mesh.iterfind("vertices")
        for given in each.iterfind("input[@semantic='POSITION']")
    }
    vertices, faces, count = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=int)], 0
    for element in mesh:
        if element.tag not in ("triangles", "polylist", "polygons"):
            continue
        inputs = element.findall("input")
        stride = 1 + max(int(each.get("offset", 0)) for each in inputs)
        given = next(each for each in inputs if each.get("semantic") == "VERTEX")
        source = sources[positions[str(given.get("source"))]].find("float_array")
        own = np.zeros((0, 3)) if source is None else _floats(source).reshape(-1, 3)
        at, corners = int(given.get("offset", 0)), []
        for numbers in element.iterfind("p"):
            found = np.array((numbers.text or "").split(), dtype=int)
            corners.append(found.reshape(-1, stride)[:, at])
        triangles = _triangles(element, corners)
        if len(triangles) and not 0 <= triangles.min() <= triangles.max() < len(own):
            raise ValueError("faces without vertices")
        vertices.append(own)
        faces.append(triangles + count)
        count += len(own)
    return np.concatenate(vertices), np.concatenate(faces)


def _triangles(element: Element, corners: list[np.ndarray]) -> np.ndarray:
    """Polygons as fans about their first corner."""
    if element.tag == "polygons":
        sizes, every = np.array([len(each) for each in corners], dtype=int), corners
    else:
        vcount = element.find("vcount")
        every = corners[:1]
        total = sum(map(len, every))
        sizes = np.full(total // 3, 3)
        if element.tag == "polylist" and vcount is not None:
            sizes = np.array((vcount.text or "").split(), dtype=int)
        if sizes.sum() != total:
            raise ValueError("polygons and corners do not match")
    flat = np.concatenate([np.zeros(0, dtype=int), *every])
    first = np.repeat(np.cumsum(sizes) - sizes, np.maximum(sizes - 2, 0))
    fans = np.maximum(sizes - 2, 0)
    within = np.arange(fans.sum()) - np.repeat(np.cumsum(fans) - fans, fans)
    return np.asarray(flat[np.stack([first, first + within + 1, first + within + 2], axis=1)])


def _floats(element: Element) -> np.ndarray:
    return np.array((element.text or "").split(), dtype=float)
