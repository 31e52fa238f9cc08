"""Checks screenshots of the page of `rank compare --html`: FOLDER/page.html, light.png and dark.png.

Colours are read from the page's own style sheet; each plot is found where its panel is.
"""

import pathlib
import re
import sys

import numpy as np
from PIL import Image


def colour(text):
    return np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)])


def palette(rules):
    return {name: colour(value) for name, value in re.findall(r"--([a-z0-9]+):(#[0-9A-Fa-f]{6})", rules)}


def count(pixels, shade):
    return int((pixels == shade).all(axis=-1).sum())


def main(folder):
    page = (folder / "page.html").read_text()
    light, dark = re.findall(r":root\{(--page[^}]*)\}", page)
    for screen, rules in [("light", light), ("dark", dark)]:
        shades = palette(rules)
        pixels = np.asarray(Image.open(folder / f"{screen}.png").convert("RGB"))
        assert (pixels[3, 3] == shades["page"]).all(), f"{screen}: the page is {pixels[3, 3]}"
        # Lines of three distributions and three overlaps, cells of three densities, lines that rise and fall.
        for name, least in [("ink", 2000), ("blue", 3000), ("orange", 200), ("ramp0", 500), ("panel", 100_000)]:
            found = count(pixels, shades[name])
            assert found >= least, f"{screen}: {found} pixels of {name}, fewer than {least}"
        other = palette(dark if screen == "light" else light)
        strange = count(pixels, other["page"])
        assert strange < 1000, f"{screen}: {strange} pixels of the other screen's page"
        print(f"{screen}: all plots are there")


main(pathlib.Path(sys.argv[1]))
