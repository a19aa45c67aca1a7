"""Planet, stars and sunlight as nodes of viser's scene tree."""

import io
from collections.abc import Callable

import viser

from proxops.viewer.pose import Pose, vector
from proxops.viewer.scene import Far, Globe, Moment, Stars

AMBIENT = 0.6  # so that what the Sun does not reach can be seen


def far(api: viser.SceneApi, thing: Far) -> Callable[[Moment], None]:
    """Adds one of them; what comes back draws it at a moment."""
    handle: viser.GlbHandle | viser.PointCloudHandle
    if isinstance(thing, Globe):
        handle = _globe(api, thing)
        pose = thing.pose
    elif isinstance(thing, Stars):
        handle = api.add_point_cloud(
            f"/{thing.name}",
            thing.points,
            thing.colours,
            point_size=thing.size,
            point_shape="circle",
            precision="float32",
            point_shading="flat",
        )
        pose = thing.pose
    else:
        api.configure_default_lights(enabled=False)
        api.add_light_ambient(f"/{thing.name}/ambient", intensity=AMBIENT)
        light = api.add_light_directional(f"/{thing.name}/sun")
        shines = thing.shines

        def shine(moment: Moment) -> None:
            direction, intensity = shines(moment)
            light.position = vector(direction)
            light.intensity = intensity

        return shine

    before: Pose | None = None

    def show(moment: Moment) -> None:
        nonlocal before
        now = pose(moment)
        if now != before:
            handle.position, handle.wxyz = now.p, now.q
            before = now

    return show


def _globe(api: viser.SceneApi, thing: Globe) -> viser.GlbHandle:
    """A mesh with a map on it that reflects no highlights."""
    import trimesh
    from PIL import Image

    material = trimesh.visual.material.PBRMaterial(
        baseColorTexture=Image.open(io.BytesIO(thing.surface())),
        metallicFactor=0.0,
        roughnessFactor=1.0,
    )
    visual = trimesh.visual.TextureVisuals(uv=thing.uv, material=material)
    mesh = trimesh.Trimesh(thing.vertices, thing.faces, visual=visual, process=False)
    return api.add_mesh_trimesh(f"/{thing.name}", mesh, cast_shadow=False, receive_shadow=False)
