#!/usr/bin/env python3
"""Makes the strips of the README, each with the frames of one capability side by side, from the page of `pliant view`.

    python3 -m venv venv && venv/bin/pip install playwright pillow
    cargo build --release
    venv/bin/python scripts/pictures.py                  # all strips, into docs/pictures
    venv/bin/python scripts/pictures.py voxels --out .   # some, into another folder

Needs Chromium or Chrome (`apt-get install chromium`); PLIANT_BROWSER names another one, PLIANT another `pliant`. Takes about
two minutes on two cores. The same version of Pliant makes the same strips every time.
"""

import argparse
import io
import os
import pathlib
import subprocess
from dataclasses import dataclass

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEIGHT = 280  # of a strip, in pixels
FINER = 2  # pixels are drawn smaller by this factor, then averaged
GAP = 4  # between two frames, in pixels


@dataclass
class View:
    """A frame of a scene and where it is seen from: a point, a distance, both in m, yaw and pitch."""

    scene: str
    frame: int
    target: tuple
    distance: float
    angles: tuple
    width: int = 317
    shadow: bool = True
    cells: str = "off"  # "outside": their edges on the surface; "all": all edges, and the surface is transparent


def bar(kind, frame):
    return View(f"bargteil/twisting-bar-{kind}", frame, (2, 0.42, 0.5), 7.6, (0.5, 0.3), 317, cells="outside")


def cube(frame):
    return View("saillant/hard-twist", frame, (0.5, 0.47, 0.5), 3.5, (0.55, 0.3), 237, cells="outside")


def bent_toy(frame):
    return View("mezger/toy", frame, (-0.79, 0.45, 0), 2.7, (0.1, 0.12), 156, shadow=False)


def twisted_toy(frame):
    return View("mezger/toy", frame, (0.7, 0.45, 0), 2.7, (0.1, 0.12), 156, shadow=False)


def bear(frame, across, cells):
    return View("nesme/ears", frame, (across, 0.48, 0), 2.6, (0.25, 0.2), 237, False, cells)


STRIPS = {
    "quadratic": [bar("quadratic", 0), bar("linear-low", 90), bar("quadratic", 90)],
    "xpbd": [cube(frame) for frame in (0, 60, 180, 479)],
    "plastic": [toy(frame) for toy in (bent_toy, twisted_toy) for frame in (0, 56, 124)],
    "voxels": [bear(0, 1.4, "off"), bear(0, 1.4, "all"), bear(72, 1.2, "all"), bear(72, 1.2, "off")],
}


def look(page, view):
    """Places the camera, and runs the scene to the frame."""
    page.evaluate(
        """async ({ target, distance, angles: [yaw, pitch], cells, shadow, frame }) => {
          const { view, display } = window.pliant.app;
          display.set({ cells, shadow });
          view.control.goal.target.set(...view.toPage(target));
          Object.assign(view.control.goal, { distance, yaw, pitch });
          view.control.touched = true;
          await window.pliant.freeze(frame);
        }""",
        vars(view),
    )


def shot(browser, address, view):
    page = browser.new_page(viewport={"width": view.width, "height": HEIGHT}, device_scale_factor=FINER)
    page.goto(f"{address}?scene={view.scene}&frame=0&bare=1&theme=light&hide=pins,probes,sleep")
    page.wait_for_selector("html[data-frozen='0']", state="attached", timeout=300_000)
    look(page, view)
    picture = Image.open(io.BytesIO(page.screenshot(timeout=120_000))).convert("RGB")
    page.close()
    return picture.resize((view.width, HEIGHT), Image.LANCZOS)


def strip(pictures):
    width = sum(picture.width for picture in pictures) + GAP * (len(pictures) - 1)
    whole = Image.new("RGB", (width, HEIGHT), "white")
    left = 0
    for picture in pictures:
        whole.paste(picture, (left, 0))
        left += picture.width + GAP
    return whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", help=", ".join(STRIPS))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "pictures")
    options = parser.parse_args()
    pliant = os.environ.get("PLIANT", ROOT / "target" / "release" / "pliant")
    chromium = os.environ.get("PLIANT_BROWSER", "/usr/bin/chromium")
    server = subprocess.Popen([pliant, "view", "--no-open", "--no-autosave"], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"])
            for name in options.name or STRIPS:
                file = options.out / f"{name}.png"
                strip([shot(browser, address, view) for view in STRIPS[name]]).save(file, optimize=True)
                print(f"wrote {file}, {file.stat().st_size // 1000} kB")
            browser.close()
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
