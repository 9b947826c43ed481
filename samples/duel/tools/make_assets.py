#!/usr/bin/env python3
"""Makes the sample's models (glTF), textures (PNG) and level: `python3 tools/make_assets.py`, from anywhere.

Needs nothing but Python 3 and the crates sample beside this one, whose tools it uses. What it writes is
the same on every machine and is in the repository, so only those who change it run it.
"""

import math
import os
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "crates", "tools"))

import models
import particles
import textures
from models import Shape, ball, box, cone, tree

RADIUS = 7.0     # metres of the arena, as in units/arena.unit
SIDES = 48
START = 4.6      # metres from the middle to where players start, as in scripts/player.lua
ISLANDS = (  # x, y, z and scale: around the arena, lower
    (-15, 9, -5, 1.3), (-9, 19, -7, 1.0), (6, 21, -6, 1.5), (17, 12, -8, 1.2), (19, -3, -5, 1.0), (13, -16, -7, 1.4),
    (-3, -19, -6, 1.1), (-16, -12, -8, 1.3), (-21, -1, -6, 1.6), (26, 22, -9, 2.0), (-27, 24, -9, 2.1),
    (28, -20, -9, 1.9), (-28, -22, -9, 2.0))


def ring(inner, outer, z, repeat):
    """A flat ring, seen from above; with `inner` 0 a disc."""
    shape = Shape()
    rows = []
    for i in range(SIDES):
        c, s = math.cos(2 * math.pi * i / SIDES), math.sin(2 * math.pi * i / SIDES)
        rows.append([shape.vertex((r * c, r * s, z), (0, 0, 1), (r * c / repeat, -r * s / repeat))
                     for r in (inner, outer)])
    for i in range(SIDES):
        (a, b), (c, d) = rows[i], rows[(i + 1) % SIDES]
        shape.quad(a, b, d, c)
    return shape


def side(radius, low, high, low_radius=None):
    """The side of a disc."""
    return cone(low_radius or radius, high - low, (0, 0, low), SIDES, radius)


def rocks(radius, depth, columns, seed):
    """The underside of an island: steps that become narrower, with edges."""
    shape = Shape()
    z, r = 0.0, radius
    for i in range(4):
        height = depth * (0.16, 0.24, 0.28, 0.32)[i]
        below = r * (0.86, 0.72, 0.6, 0.12)[i]
        shape.joined(cone(below, height, (0, 0, z - height), columns, r, 0.4 * seed))
        z, r = z - height, below

    def uneven(p):
        wave = 0.09 * math.sin(3 * math.atan2(p[1], p[0]) + seed) + 0.06 * math.sin(5 * math.atan2(p[1], p[0]) + 2 * seed)
        share = min(1.0, -p[2] / depth * 4)
        return (p[0] * (1 + wave * share), p[1] * (1 + wave * share), p[2])

    return shape.moved(uneven).flat()


def arena():
    floor = ring(0.0, RADIUS - 0.55, 0.0, 4.0)
    stone = ring(RADIUS - 0.55, RADIUS, 0.0, 2.0).joined(side(RADIUS, -0.5, 0.0))
    stone.joined(ring(0.75, 1.0, 0.006, 2.0))
    rock = rocks(RADIUS - 0.15, 7.0, 18, 1).moved(lambda p: (p[0], p[1], p[2] - 0.4)).flat()
    return {"floor": floor, "stone": stone, "rock": rock}


def island():
    grass = ring(0.0, 2.0, 0.0, 3.0).joined(side(2.0, -0.25, 0.0))
    return {"grass": grass, "rock": rocks(1.95, 2.6, 11, 2).moved(lambda p: (p[0], p[1], p[2] - 0.2)).flat()}


def corner():
    """A round plate with a glowing ring."""
    return {"stone": ring(0.0, 0.7, 0.008, 2.0), "glow": ring(0.7, 0.86, 0.01, 2.0)}


def player():
    """A round bumper, on it a body and a head that looks along y."""
    body = cone(0.5, 0.2, (0, 0, 0.12), 24, 0.5).joined(cone(0.42, 0.1, (0, 0, 0.02), 24, 0.5))
    body.joined(cone(0.5, 0.1, (0, 0, 0.32), 24, 0.36))
    body.joined(ball((0.34, 0.32, 0.3), (0, 0, 0.5), 20, 12)).joined(ball((0.26, 0.25, 0.22), (0, 0, 0.94), 20, 12))
    dark = ball((0.21, 0.1, 0.12), (0, 0.18, 0.95), 16, 10).joined(cone(0.025, 0.2, (0, 0, 1.14), 8, 0.015))
    dark.joined(cone(0.515, 0.06, (0, 0, 0.19), 24, 0.515))
    for x in (-1, 1):
        body.joined(ball((0.09, 0.12, 0.1), (0.38 * x, 0.14, 0.55), 12, 8))
    eyes = ball((0.045, 0.03, 0.06), (-0.08, 0.265, 0.96), 10, 6)
    eyes.joined(ball((0.045, 0.03, 0.06), (0.08, 0.265, 0.96), 10, 6)).joined(ball((0.05, 0.05, 0.05), (0, 0, 1.36), 10, 6))
    return {"body": body, "dark": dark, "eyes": eyes}


def write_models(folder):
    models.GENERATOR = "samples/duel/tools/make_assets.py"
    shapes = {"arena": arena(), "island": island(), "corner": corner(), "player": player(), "box": {"wood": box((1.0, 1.0, 1.0))},
              "tree": tree()}
    for name, parts in shapes.items():
        models.write_gltf(os.path.join(folder, name + ".gltf"), name, parts)
        with open(os.path.join(folder, name + ".mesh"), "w") as file:
            file.write('source = "models/%s.gltf"\n' % name)


def write_textures(folder):
    textures.write_pair(folder + "/floor", 256, textures.floor, 0.0045)
    textures.write_pair(folder + "/box", 128, textures.crate, 0.02)
    textures.write_png(folder + "/grass_color.png", 128,
                       lambda x, y: textures.grass((x + 0.5) / 128, (y + 0.5) / 128)[0])
    for name in ("floor", "box", "grass"):
        with open("%s/%s_color.texture" % (folder, name), "w") as file:
            file.write('source = "textures/%s_color.png"\n' % name)
    for name in ("floor", "box"):
        with open("%s/%s_normal.texture" % (folder, name), "w") as file:
            file.write('source = "textures/%s_normal.png"\ncategory = "normal"\n' % name)
    particles.write_all(folder, ["puff", "spark"])


def write_level(path):
    lines = ["// A disc in the sky; tools/make_assets.py writes this.", "units = ["]

    def add(name, unit, x, y, z, more=""):
        lines.append('    { id = "%s"  unit = "units/%s"  position = [%g %g %g]%s }' % (name, unit, x, y, z, more))

    for name in ("sky", "sun", "arena"):
        add(name, name, 0, 0, 0)
    for i in range(4):
        angle = (-90, 90, 180, 0)[i]
        x, y = START * math.cos(math.radians(angle)), START * math.sin(math.radians(angle))
        add("corner_%d" % (i + 1), "corner_%d" % (i + 1), round(x, 3), round(y, 3), 0)
    for i, (x, y, z, scale) in enumerate(ISLANDS):
        add("island_%d" % (i + 1), "island", x, y, z, "  scale = [%g %g %g]  rotation_degrees = [0 0 %d]"
            % (scale, scale, scale, i * 67 % 360))
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    for place in ("models", "textures", "levels"):
        os.makedirs(os.path.join(FOLDER, place), exist_ok=True)
    write_models(os.path.join(FOLDER, "models"))
    write_textures(os.path.join(FOLDER, "textures"))
    write_level(os.path.join(FOLDER, "levels", "arena.level"))
