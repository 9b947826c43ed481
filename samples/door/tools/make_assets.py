#!/usr/bin/env python3
"""Makes the sample's models (glTF) and textures (PNG): `python3 tools/make_assets.py`, from anywhere.

Needs nothing but Python 3 and the crates sample beside this one, whose tools it uses. What it writes is
the same on every machine and is in the repository, so only those who change it run it.
"""

import os
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "crates", "tools"))

import models
import particles
import textures
from models import ball, box, cone, lantern, pillar, sheet, tree

GRASS_SIZE = 60  # metres from the middle of the level to its end


def wall(length, height):
    """A wall along x with a cap of stone."""
    return {"wall": box((length, 0.5, height - 0.2), (0, 0, (height - 0.2) / 2), 0.03, 2.0, False),
            "stone": box((length, 0.7, 0.2), (0, 0, height - 0.1), 0.05, 2.0)}


def block(size, cap, repeat=2.0):
    """A block of the height of its size, with a top that stands out by a hand's breadth."""
    x, y, z = size
    return {"wall": box((x, y, z - cap), (0, 0, (z - cap) / 2), 0.03, 2.0, False),
            "stone": box((x + 0.16, y + 0.16, cap), (0, 0, z - cap / 2), 0.05, repeat)}


def door_leaf():
    """Planks with two bands of metal, from x = 0 to 1.2 and z = 0 to 1.5."""
    wood = box((0.38, 0.2, 1.5), (0.2, 0, 0.75), 0.03, 1.0)
    for x in (0.6, 1.0):
        wood.joined(box((0.38, 0.2, 1.5), (x, 0, 0.75), 0.03, 1.0))
    metal = box((1.18, 0.26, 0.14), (0.6, 0, 0.32), 0.03)
    metal.joined(box((1.18, 0.26, 0.14), (0.6, 0, 1.18), 0.03))
    return {"wood": wood, "metal": metal}


def gate_leaf():
    """Bars of metal, likewise."""
    metal = box((1.2, 0.16, 0.12), (0.6, 0, 0.2), 0.03)
    metal.joined(box((1.2, 0.16, 0.12), (0.6, 0, 1.3), 0.03))
    for i in range(5):
        metal.joined(box((0.1, 0.1, 1.5), (0.12 + 0.24 * i, 0, 0.75), 0.03))
    return {"metal": metal}


def posts():
    """The two posts of a door, left and right of an opening of 2.4 metres."""
    stone = box((0.5, 0.8, 1.9), (-1.4, 0, 0.95), 0.05, 2.0, False)
    stone.joined(box((0.5, 0.8, 1.9), (1.4, 0, 0.95), 0.05, 2.0, False))
    return {"stone": stone}


def signal():
    """A ball of glass for each post."""
    return {"glass": ball((0.2, 0.2, 0.2), (-1.4, 0, 2.06), 14, 9).joined(
        ball((0.2, 0.2, 0.2), (1.4, 0, 2.06), 14, 9))}


def lift():
    """A platform, and the piston below it."""
    stone = box((2.3, 2.3, 0.2), (0, 0, 0.02), 0.04, 2.0)
    metal = box((2.4, 0.12, 0.26), (0, -1.16, 0.02), 0.03)
    for size, center in (((2.4, 0.12, 0.26), (0, 1.16, 0.02)), ((0.12, 2.4, 0.26), (-1.16, 0, 0.02)),
                         ((0.12, 2.4, 0.26), (1.16, 0, 0.02)), ((0.9, 0.9, 2.6), (0, 0, -1.4))):
        metal.joined(box(size, center, 0.03))
    return {"stone": stone, "metal": metal}


def rod():
    """The handle of a lever, from its joint up."""
    return {"metal": cone(0.05, 0.62, (0, 0, 0), 8, 0.04).joined(ball((0.11, 0.11, 0.11), (0, 0, 0), 10, 6))}


def crystal():
    upper = cone(0.34, 0.75, (0, 0, 0), 6)
    lower = cone(0.34, 0.5, (0, 0, 0), 6).moved(lambda p: (p[0], -p[1], -p[2]))
    return {"crystal": upper.joined(lower).flat()}


def figure():
    """The player's: a round body, a head with eyes, hands, and an antenna."""
    body = ball((0.27, 0.24, 0.3), (0, 0, 0.32), 16, 10)
    head = ball((0.25, 0.24, 0.22), (0, 0, 0.78), 16, 10)
    dark = ball((0.2, 0.1, 0.12), (0, 0.17, 0.79), 14, 8)
    dark.joined(cone(0.02, 0.22, (0, 0, 0.98), 6, 0.015))
    for x in (-1, 1):
        body.joined(ball((0.08, 0.09, 0.13), (0.31 * x, 0.02, 0.4), 10, 6))
        dark.joined(ball((0.12, 0.15, 0.07), (0.14 * x, 0.03, 0.06), 10, 6))
    eyes = ball((0.045, 0.03, 0.06), (-0.075, 0.26, 0.8), 8, 6)
    eyes.joined(ball((0.045, 0.03, 0.06), (0.075, 0.26, 0.8), 8, 6))
    eyes.joined(ball((0.05, 0.05, 0.05), (0, 0, 1.22), 8, 6))
    return {"body": body.joined(head), "dark": dark, "eyes": eyes}


def ground():
    """Two strips beside the level, and two at its ends: what is hidden need not be drawn."""
    shape = models.Shape()
    x, low, high = 5.4, -4.6, 28.4
    for left, right, bottom, top in ((-GRASS_SIZE, -x, -GRASS_SIZE, GRASS_SIZE),
                                     (x, GRASS_SIZE, -GRASS_SIZE, GRASS_SIZE),
                                     (-x, x, -GRASS_SIZE, low), (-x, x, high, GRASS_SIZE)):
        corners = ((left, bottom), (right, bottom), (right, top), (left, top))
        shape.quad(*(shape.vertex((a, b, 0), (0, 0, 1), (a / 6, -b / 6)) for a, b in corners))
    return {"grass": shape}


def floor():
    """The floor of the rooms."""
    shape = models.Shape()
    corners = ((-5.3, -4.5), (5.3, -4.5), (5.3, 20), (-5.3, 20))
    shape.quad(*(shape.vertex((x, y, 0), (0, 0, 1), (x / 8, -y / 8)) for x, y in corners))
    return {"floor": shape}


def all_models():
    return {
        "wall_side": wall(24.7, 1.7), "wall_half": wall(3.7, 1.7), "wall_front": wall(11.2, 0.8),
        "rail_side": wall(8.0, 0.7), "rail_half": wall(3.8, 0.7), "rail_back": wall(11.2, 0.7),
        "terrace": block((11.0, 8.2, 2.4), 0.2, 8.0), "posts": posts(), "signal": signal(),
        "door_leaf": door_leaf(), "gate_leaf": gate_leaf(),
        "plate": {"stone": box((1.7, 1.7, 0.08), (0, 0, 0.02), 0.03, 2.0)},
        "button": {"glass": box((1.3, 1.3, 0.16), (0, 0, 0), 0.04)},
        "pedestal": block((0.6, 0.5, 0.75), 0.12), "rod": rod(),
        "knob": {"glass": ball((0.13, 0.13, 0.13), (0, 0, 0.66), 14, 9)},
        "lift": lift(), "lantern": lantern(), "pillar": pillar(), "crystal": crystal(), "figure": figure(),
        "tree": tree(), "ground": ground(), "floor": floor(),
    }


def write_models(folder):
    models.GENERATOR = "samples/door/tools/make_assets.py"
    os.makedirs(folder, exist_ok=True)
    for name, parts in all_models().items():
        models.write_gltf(os.path.join(folder, name + ".gltf"), name, parts)
        with open(os.path.join(folder, name + ".mesh"), "w") as file:
            file.write('source = "models/%s.gltf"\n' % name)


def write_textures(folder):
    os.makedirs(folder, exist_ok=True)
    textures.write_pair(folder + "/floor", 256, textures.floor, 0.0045)
    textures.write_pair(folder + "/wall", 128, textures.wall, 0.02)
    textures.write_png(folder + "/grass_color.png", 128,
                       lambda x, y: textures.grass((x + 0.5) / 128, (y + 0.5) / 128)[0])
    for name in ("floor", "wall", "grass"):
        with open("%s/%s_color.texture" % (folder, name), "w") as file:
            file.write('source = "textures/%s_color.png"\n' % name)
    for name in ("floor", "wall"):
        with open("%s/%s_normal.texture" % (folder, name), "w") as file:
            file.write('source = "textures/%s_normal.png"\ncategory = "normal"\n' % name)
    particles.write_all(folder, ["puff", "spark"])


if __name__ == "__main__":
    write_models(os.path.join(FOLDER, "models"))
    write_textures(os.path.join(FOLDER, "textures"))
