"""Draws public robots as arms of a chaser, twelve in one picture: part of `make docs` where
example-robot-data is at hand (tests/cross/public_robots.py says where it is looked for)."""

import io
import shutil
import sys
from pathlib import Path

import imageio.v3 as imageio
import numpy as np
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))

from gallery import FLAGS, PATIENCE, QUALITY, settle  # noqa: E402
from tests.cross.public_robots import ARMS, WHY_LEFT_OUT, robots_folder  # noqa: E402

import proxops  # noqa: E402
from proxops.scenario.urdf import parse_urdf  # noqa: E402
from proxops.viewer.serve import Viewer  # noqa: E402
from proxops.viewer.server import start, stop  # noqa: E402

TILE = {"width": 1100, "height": 640}  # of which the panel takes the right part
CUT = 726  # columns that are left of it
ON_A_PLATE = 0.5  # its edges [m]
ON_NOTHING = 0.02  # those that have a body of their own, or hang
ROBOTS = {
    "ur_description/urdf/ur5_robot.urdf": ON_A_PLATE,
    "ur_description/urdf/ur10_robot.urdf": ON_A_PLATE,
    "panda_description/urdf/panda.urdf": ON_A_PLATE,
    "kinova_description/robots/kinova.urdf": ON_A_PLATE,
    "xarm_description/urdf/xarm7.urdf": ON_A_PLATE,
    "z1_description/urdf/z1.urdf": ON_A_PLATE,
    "so_arm_description/urdf/so101.urdf": ON_A_PLATE,
    "talos_data/robots/talos_left_arm.urdf": ON_NOTHING,
    "tiago_description/robots/tiago.urdf": ON_NOTHING,
    "baxter_description/urdf/baxter.urdf": ON_NOTHING,
    "pr2_description/urdf/pr2.urdf": ON_NOTHING,
    "centauro_description/urdf/centauro.urdf": ON_NOTHING,
}


def main() -> None:
    """Writes docs/pictures/robots.jpg."""
    folder = robots_folder()
    if folder is None:
        sys.stderr.write(f"{WHY_LEFT_OUT}\n")
        return
    tiles = []
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        for name, edge in ROBOTS.items():
            browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
            tiles.append(picture_of(browser, folder / name, ARMS[name], edge))
            browser.close()
    rows = [np.hstack(tiles[first : first + 4]) for first in range(0, len(tiles), 4)]
    imageio.imwrite(HERE / "pictures" / "robots.jpg", np.vstack(rows), quality=QUALITY)


def picture_of(browser, file: Path, tip: str | None, edge: float) -> np.ndarray:
    """A robot on a plate, its joints a third of the way between their stops."""
    plate = {"kind": "box", "size_m": [edge, edge, 0.08 * edge], "p_CB_m": [0, 0, -0.06 * edge]}
    arm = parse_urdf(file.read_text("utf-8"), str(file), tip)
    stops = [(max(each.lower, -np.pi), min(each.upper, np.pi)) for each in arm.joints]
    main = {
        "urdf": str(file),
        "brakes": "on",
        "q": [low + 0.36 * (high - low) for low, high in stops],
    }
    main |= {"tip": tip} if tip else {}
    changes = {
        "chaser.arms": {"main": main},
        "chaser.shapes": {"plate": plate},
        "obsw.joints": None,
        "requirements": None,
        "time.duration_s": 0.02,
        "time.phases": {"all": {"until_s": 0.02, "step_s": 0.001}},
    }
    run = proxops.simulate(proxops.load("free-tumble").replace(changes))
    server = start("127.0.0.1", 0, file.stem)
    viewer = Viewer(server, run)
    try:
        page = browser.new_page(viewport=TILE)
        page.set_default_timeout(PATIENCE)
        page.goto(f"http://127.0.0.1:{server.get_port()}")
        page.add_style_tag(content=".mantine-Notification-root { display: none; }")
        page.get_by_role("button", name="chaser", exact=True).click()
        settle(page, 1500)
        found = imageio.imread(io.BytesIO(page.screenshot()))[..., :3]
        page.close()
        return found[::2, :CUT:2]
    finally:
        viewer.close()
        stop(server)


if __name__ == "__main__":
    main()
