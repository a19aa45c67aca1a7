"""An arm of a mission, read from its URDF file."""

import contextlib
from collections.abc import Callable

from proxops.core.description import ArmDescription
from proxops.core.errors import InputError
from proxops.scenario.files import Reader, hash_mesh, read_arm
from proxops.scenario.schema import Arm
from proxops.scenario.urdf import parse_urdf
from proxops.scenario.urdf_visual import mesh_files


def read_arm_file(
    arm: Arm, read: Callable[[Reader, str], str]
) -> tuple[ArmDescription, dict[str, str]]:
    """The arm, and the text of its file with the hashes of the meshes that it may be drawn with.
    Meshes that cannot be read are left out: looks are not worth rejecting a scenario for."""
    text = read(read_arm, arm.urdf)
    described = parse_urdf(text, arm.urdf, arm.tip)
    files = {arm.urdf: text}
    for file in sorted(mesh_files(described, text)):
        with contextlib.suppress(InputError):
            files[file] = read(hash_mesh, file)
    return described, files
