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

TILE = {"width": 700, "height": 420}  # of which the panel takes the right part
CUT = 340  # columns that are left of it
PLATE = {"kind": "box", "size_m": [0.5, 0.5, 0.04], "p_CB_m": [0.0, 0.0, -0.03]}
ROBOTS = (
    "ur_description/urdf/ur5_robot.urdf",
    "ur_description/urdf/ur10_robot.urdf",
    "panda_description/urdf/panda.urdf",
    "kinova_description/robots/kinova.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "z1_description/urdf/z1.urdf",
    "so_arm_description/urdf/so101.urdf",
    "talos_data/robots/talos_left_arm.urdf",
    "tiago_description/robots/tiago.urdf",
    "baxter_description/urdf/baxter.urdf",
    "pr2_description/urdf/pr2.urdf",
    "centauro_description/urdf/centauro.urdf",
)


def main() -> None:
    """Writes docs/pictures/robots.jpg."""
    folder = robots_folder()
    if folder is None:
        sys.exit(WHY_LEFT_OUT)
    tiles = []
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        for name in ROBOTS:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
            tiles.append(picture_of(browser, folder / name, ARMS[name]))
            browser.close()
    rows = [np.hstack(tiles[first : first + 4]) for first in range(0, len(tiles), 4)]
    imageio.imwrite(HERE / "pictures" / "robots.jpg", np.vstack(rows), quality=QUALITY)


def picture_of(browser, file: Path, tip: str | None) -> np.ndarray:
    """A robot on a plate, its joints a third of the way between their stops."""
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
        "chaser.shapes": {"plate": PLATE},
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
        return found[:, :CUT]
    finally:
        viewer.close()
        stop(server)


if __name__ == "__main__":
    main()
