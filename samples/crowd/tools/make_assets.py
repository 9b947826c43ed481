#!/usr/bin/env python3
"""Makes the sample's models (glTF), its skeleton and its textures (PNG): `python3
tools/make_assets.py`, from anywhere.

Needs nothing but Python 3 and the crates sample beside this one, whose tools it uses. What it writes
is the same on every machine and stands in the repository, so only those who change it run it.
"""

import math
import os
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "crates", "tools"))

import models
import rabbit
import skinned
import textures
from models import Shape, ball, cone

# --- Colours --------------------------------------------------------------------------------------

# All parts of a model share a texture of blocks, of which each takes one.
COLORS = {
    "fur": None, "coat": None, "scarf": None, "trousers": None,  # differ, see PEOPLE
    "cream": (0.96, 0.91, 0.84), "pink": (0.93, 0.60, 0.60), "dark": (0.12, 0.09, 0.09),
    "shoe": (0.36, 0.22, 0.15), "stone": (0.80, 0.75, 0.68), "water": (0.34, 0.66, 0.78),
    "leaf": (0.36, 0.55, 0.27), "wood": (0.42, 0.29, 0.19), "moss": (0.45, 0.63, 0.31),
    "blossom": (0.95, 0.66, 0.70), "rim": (0.66, 0.60, 0.54), "foam": (0.90, 0.96, 0.98),
}
PEOPLE = {  # fur, coat, scarf, trousers
    "rose": ((0.90, 0.84, 0.76), (0.83, 0.28, 0.33), (0.97, 0.86, 0.58), (0.27, 0.29, 0.40)),
    "teal": ((0.72, 0.54, 0.38), (0.13, 0.55, 0.56), (0.95, 0.55, 0.26), (0.34, 0.25, 0.21)),
    "gold": ((0.62, 0.60, 0.60), (0.94, 0.68, 0.20), (0.28, 0.42, 0.62), (0.30, 0.27, 0.33)),
    "violet": ((0.96, 0.94, 0.92), (0.47, 0.36, 0.70), (0.92, 0.46, 0.55), (0.23, 0.22, 0.32)),
    "green": ((0.80, 0.50, 0.26), (0.38, 0.58, 0.32), (0.94, 0.90, 0.80), (0.40, 0.30, 0.22)),
    "blue": ((0.46, 0.37, 0.32), (0.28, 0.48, 0.80), (0.90, 0.34, 0.30), (0.24, 0.26, 0.34)),
}
BLOCKS, BLOCK_PIXELS = 4, 8  # along a side


def write_palette(path, own):
    colors = list(own) + list(COLORS.values())[4:]

    def color_at(x, y):
        return colors[y // BLOCK_PIXELS * BLOCKS + x // BLOCK_PIXELS]

    textures.write_png(path, BLOCKS * BLOCK_PIXELS, color_at)


def painted(shape, color):
    """The shape with all its texture coordinates in the middle of a block."""
    place = list(COLORS).index(color)
    uv = ((place % BLOCKS + 0.5) / BLOCKS, (place // BLOCKS + 0.5) / BLOCKS)
    shape.uvs = [uv] * len(shape.positions)
    return shape


# --- The plaza ------------------------------------------------------------------------------------

PLAZA = 36.0  # metres from the middle to the edge; as in scripts/crowd.lua
PAVING_METRES = 6.0


def paving(x, y, pixels=256):
    """Slabs in rows, each a little different."""
    rows, across = 6, 4
    u, v = x / pixels, y / pixels
    row = int(v * rows)
    at = u * across + (0.5 if row % 2 else 0.0)
    column = int(at) % across
    in_u, in_v = at % 1, v * rows % 1
    to_joint = min(in_u / across, (1 - in_u) / across, in_v / rows, (1 - in_v) / rows) * PAVING_METRES
    shade = 0.92 + 0.13 * textures.chance(column, row, 5)
    warm = textures.chance(column, row, 9)
    base = textures.mix_color((0.83, 0.76, 0.66), (0.78, 0.74, 0.70), warm)
    grain = 0.97 + 0.06 * textures.layered_noise(u, v, 16, 16, 3)
    stone = tuple(min(1.0, c * shade * grain) for c in base)
    return textures.mix_color((0.58, 0.52, 0.46), stone, textures.smoothstep(0.02, 0.06, to_joint))


def disc(radius, z, columns, repeat=None):
    shape = Shape()
    middle = shape.vertex((0, 0, z), (0, 0, 1), (0, 0))
    for i in range(columns):
        turn = 2 * math.pi * i / columns
        x, y = radius * math.cos(turn), radius * math.sin(turn)
        shape.vertex((x, y, z), (0, 0, 1), (x / repeat, -y / repeat) if repeat else (0, 0))
    for i in range(columns):
        shape.triangles.append((middle, 1 + i, 1 + (i + 1) % columns))
    return shape


def wall(outer, inner, height, columns):
    """A ring-shaped wall with flat sides."""
    shape = Shape()
    profile = ((outer, 0.0), (outer, height), (inner, height), (inner, 0.0))
    for i in range(columns):
        turn = 2 * math.pi * i / columns
        for r, z in profile:
            shape.vertex((r * math.cos(turn), r * math.sin(turn), z), (0, 0, 1))
    for i in range(columns):
        a, b = 4 * i, 4 * ((i + 1) % columns)
        for k in range(3):
            shape.quad(a + k, b + k, b + k + 1, a + k + 1)
    return shape.flat()


def fountain():
    parts = Shape()
    parts.joined(painted(wall(3.2, 2.85, 0.55, 24), "stone"))
    parts.joined(painted(disc(2.9, 0.42, 24), "water"))
    parts.joined(painted(cone(0.45, 1.4, (0, 0, 0.1), 12, 0.28), "stone"))
    parts.joined(painted(cone(0.30, 0.35, (0, 0, 1.4), 16, 1.25), "rim"))
    parts.joined(painted(wall(1.3, 1.12, 0.1, 20).moved(lambda p: (p[0], p[1], p[2] + 1.7)), "rim"))
    parts.joined(painted(disc(1.15, 1.76, 20), "water"))
    parts.joined(painted(cone(0.22, 0.7, (0, 0, 1.7), 10, 0.10), "stone"))
    parts.joined(painted(ball((0.22, 0.22, 0.22), (0, 0, 2.55), 10, 7), "foam"))
    return {"palette": parts}


def tree():
    crown = painted(ball((1.35, 1.35, 1.15), (0, 0, 3.3), 9, 6).flat(), "leaf")
    crown.joined(painted(ball((1.0, 1.0, 0.95), (0.6, 0.3, 4.3), 8, 6).flat(), "moss"))
    crown.joined(painted(ball((0.9, 0.9, 0.8), (-0.6, -0.2, 4.1), 8, 6).flat(), "leaf"))
    crown.joined(painted(cone(0.22, 2.6, (0, 0, 0), 7, 0.15), "wood"))
    return {"palette": crown}


def planter():
    """A round bed with bushes in flower."""
    bed = painted(wall(1.5, 1.3, 0.5, 16), "stone")
    bed.joined(painted(disc(1.35, 0.42, 16), "wood"))
    for i in range(7):
        turn = 2 * math.pi * i / 6
        x, y = (0.8 * math.cos(turn), 0.8 * math.sin(turn)) if i < 6 else (0, 0)
        high = 0.85 if i < 6 else 1.15
        bed.joined(painted(ball((0.48, 0.48, 0.42), (x, y, high - 0.25), 7, 5).flat(),
                           "leaf" if i % 2 else "moss"))
        for k in range(4):
            a = turn + 1.6 * k
            bed.joined(painted(ball((0.08, 0.08, 0.07), (x + 0.3 * math.cos(a), y + 0.3 * math.sin(a),
                                                         high + 0.02), 5, 3), "blossom"))
    return {"palette": bed}


def write_text(path, text):
    with open(os.path.join(FOLDER, path), "w") as file:
        file.write(text)


def write_model(name, parts):
    models.write_gltf(os.path.join(FOLDER, "models", name + ".gltf"), name, parts)
    write_text("models/%s.mesh" % name, 'source = "models/%s.gltf"\n' % name)


def write_rabbit():
    bones, parts, clips = rabbit.skeleton(), rabbit.model(painted), rabbit.clips()
    skinned.write_gltf(os.path.join(FOLDER, "models", "rabbit.gltf"), "rabbit", bones, parts, clips)
    write_text("models/rabbit.skeleton",
               bones.text("The rabbits' joints. Written by tools/make_assets.py."))
    skinned.report("rabbit", bones, parts, clips)


def write_palettes():
    for name, own in PEOPLE.items():
        write_palette(os.path.join(FOLDER, "textures", name + ".png"), own)
        write_text("textures/%s.texture" % name,
                   'source = "textures/%s.png"\ngenerate_mips = false\n' % name)
        write_text("materials/%s.material" % name,
                   'shader = "core/shaders/pbr"\noptions = ["base_color_map"]\n'
                   'parameters = { roughness = 0.8 }\n'
                   'textures = { base_color_map = "textures/%s" }\n' % name)


if __name__ == "__main__":
    models.GENERATOR = "samples/crowd/tools/make_assets.py"
    write_rabbit()
    write_model("rabbit_shadow", {"shadow": rabbit.shadow()})
    write_model("fountain", fountain())
    write_model("tree", tree())
    write_model("planter", planter())
    write_model("plaza", {"paving": disc(PLAZA, 0.0, 72, PAVING_METRES),
                          "rim": wall(PLAZA + 0.5, PLAZA - 0.1, 0.3, 72)})
    write_palettes()
    textures.write_png(os.path.join(FOLDER, "textures", "paving.png"), 256, paving)
    write_text("textures/paving.texture", 'source = "textures/paving.png"\n')
