#!/usr/bin/env python3
"""Makes the sample's models (glTF), its textures (PNG) and its level: `python3 tools/make_assets.py`,
from anywhere.

Needs nothing but Python 3 and the crates sample beside this one, whose shapes it uses. What it writes
is the same on every machine and stands in the repository, so only those who change it run it.
"""

import math
import os
import random
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "crates", "tools"))

import models
import textures
from models import Shape, ball, cone

NUM = {"hive": 50, "flower": 2600, "bee": 6000, "butterfly": 1200, "swallow": 150}
HALF = 60.0  # of the meadow, in metres
SEED = 7

# --- Colours --------------------------------------------------------------------------------------

# All units of a palette share a texture of blocks, of which each part of a model takes one.
COLORS = {
    "amber": (0.98, 0.72, 0.12), "black": (0.13, 0.10, 0.09), "wing": (0.90, 0.94, 0.97),
    "stem": (0.24, 0.46, 0.16), "heart": (0.96, 0.78, 0.20), "petal": (0.95, 0.93, 0.90),
    "straw": (0.80, 0.60, 0.32), "door": (0.22, 0.14, 0.08), "navy": (0.14, 0.20, 0.36),
    "belly": (0.93, 0.86, 0.78), "wood": (0.42, 0.29, 0.19), "blue": (0.30, 0.52, 0.92),
}
PETALS = {"white": (0.95, 0.93, 0.90), "rose": (0.91, 0.30, 0.47), "violet": (0.53, 0.34, 0.82)}
BLOCKS, BLOCK_PIXELS = 4, 8  # along a side


def write_palette(path, petal):
    colors = [petal if name == "petal" else color for name, color in COLORS.items()]

    def color_at(x, y):
        place = y // BLOCK_PIXELS * BLOCKS + x // BLOCK_PIXELS
        return colors[place] if place < len(colors) else (0.5, 0.5, 0.5)

    textures.write_png(path, BLOCKS * BLOCK_PIXELS, color_at)


def painted(shape, color):
    """The shape with all its texture coordinates in the middle of a block."""
    place = list(COLORS).index(color)
    uv = ((place % BLOCKS + 0.5) / BLOCKS, (place // BLOCKS + 0.5) / BLOCKS)
    shape.uvs = [uv] * len(shape.positions)
    return shape


# --- Models ---------------------------------------------------------------------------------------


def joined(*shapes):
    result = Shape()
    for shape in shapes:
        result.joined(shape)
    return result


def leaf(points):
    """A flat piece, seen from both sides, around its first point."""
    shape = Shape()
    (ax, ay, _), (bx, by, _), (cx, cy, _) = points[:3]
    is_clockwise = (bx - ax) * (cy - ay) < (by - ay) * (cx - ax)  # from above
    for up in (1, -1):
        first = len(shape.positions)
        for point in points:
            shape.vertex(point, (0, 0, up))
        for i in range(1, len(points) - 1):
            corners = (first, first + i, first + i + 1)
            shape.triangles.append(corners if (up > 0) != is_clockwise else corners[::-1])
    return shape


def pair(points):
    """Two wings: one with these points, and its mirror image."""
    return joined(leaf(points), leaf([(-x, y, z) for x, y, z in reversed(points)]))


def bee():
    """Looks along y, as everything here; half a metre long, to be seen."""
    stripes = [painted(ball((0.13, 0.09, 0.13), (0, y, 0), 6, 3), color)
               for y, color in ((0.14, "black"), (0.02, "amber"), (-0.09, "black"), (-0.19, "amber"))]
    wings = painted(pair([(0.03, 0.02, 0.1), (0.30, 0.14, 0.26), (0.36, -0.06, 0.26),
                          (0.16, -0.14, 0.16)]), "wing")
    return joined(*stripes, wings)


def butterfly():
    body = painted(ball((0.03, 0.17, 0.03), (0, 0, 0), 4, 3), "black")
    fore = painted(pair([(0.02, 0.06, 0.02), (0.30, 0.28, 0.14), (0.36, 0.08, 0.16),
                         (0.04, -0.02, 0.02)]), "blue")
    hind = painted(pair([(0.02, 0.0, 0.02), (0.28, 0.0, 0.13), (0.22, -0.2, 0.1),
                         (0.04, -0.1, 0.02)]), "wing")
    return joined(body, fore, hind)


def flower():
    stem = painted(cone(0.035, 0.7, columns=3, top_radius=0.02), "stem")
    green = painted(leaf([(0, 0, 0.1), (0.12, 0.05, 0.26), (0.26, 0.04, 0.30), (0.1, -0.04, 0.2)]),
                    "stem")
    petals = []
    for i in range(6):
        c, s = math.cos(i * math.pi / 3), math.sin(i * math.pi / 3)
        petals.append(leaf([(x * c - y * s, x * s + y * c, z) for x, y, z in (
            (0.05, 0.0, 0.7), (0.20, -0.09, 0.74), (0.31, 0.0, 0.78), (0.20, 0.09, 0.74))]))
    return joined(stem, green, painted(joined(*petals), "petal"),
                  painted(ball((0.08, 0.08, 0.05), (0, 0, 0.73), 6, 3), "heart"))


def hive():
    """A basket of straw on a stump."""
    stump = painted(cone(0.8, 0.5, columns=8, top_radius=0.7), "wood")
    rings = [painted(ball((radius, radius, 0.32), (0, 0, z), 12, 4), "straw")
             for z, radius in ((0.7, 0.78), (1.1, 0.76), (1.5, 0.62), (1.85, 0.38))]
    door = painted(ball((0.2, 0.1, 0.18), (0, 0.72, 0.78), 6, 4), "door")
    return joined(stump, *rings, door)


def swallow():
    body = painted(ball((0.10, 0.30, 0.09), (0, 0, 0.02), 6, 5), "navy")
    belly = painted(ball((0.07, 0.24, 0.06), (0, 0.02, -0.03), 6, 4), "belly")
    wings = painted(pair([(0.05, 0.12, 0.04), (0.45, 0.10, 0.10), (0.85, -0.20, 0.06),
                          (0.40, -0.04, 0.09), (0.05, -0.10, 0.04)]), "navy")
    tail = painted(pair([(0.0, -0.22, 0.02), (0.05, -0.24, 0.02), (0.20, -0.66, 0.03),
                         (0.03, -0.38, 0.02)]), "navy")
    return joined(body, belly, wings, tail)


# --- The level ------------------------------------------------------------------------------------


def level_line(kind, number, x, y, z, rest=""):
    return '    { id = "%s_%d"  unit = "units/%s"  position = [%.2f %.2f %.2f]%s }' % (
        kind, number, kind, x, y, z, rest)


def turned(chance):
    half = chance.uniform(0, 2 * math.pi) / 2
    return "  rotation = [0 0 %.4f %.4f]" % (math.sin(half), math.cos(half))


def petals(chance):
    name = chance.choice(list(PETALS))
    if name == "white":
        return ""
    return '  overrides = [{ id = "mesh"  materials = ["materials/%s"] }]' % name


def hive_places(chance):
    """Places that keep some distance from each other."""
    places = []
    while len(places) < NUM["hive"]:
        x, y = (chance.uniform(-HALF + 6, HALF - 6) for _ in range(2))
        if all(math.hypot(x - a, y - b) > 11 for a, b in places):
            places.append((x, y))
    return places


def meadow():
    chance = random.Random(SEED)
    hives = hive_places(chance)
    lines = [level_line("hive", i, x, y, 0, turned(chance)) for i, (x, y) in enumerate(hives)]
    for i in range(NUM["flower"]):
        x, y = hives[i % len(hives)]
        turn, distance = chance.uniform(0, 2 * math.pi), 2 + abs(chance.gauss(0, 6))
        size = "  scale = [%.2f %.2f %.2f]" % ((chance.uniform(0.7, 1.4),) * 3)
        lines.append(level_line("flower", i, x + distance * math.cos(turn),
                                y + distance * math.sin(turn), 0,
                                turned(chance) + size + petals(chance)))
    for i in range(NUM["bee"]):
        x, y = hives[i % len(hives)]
        turn, distance = chance.uniform(0, 2 * math.pi), chance.uniform(0.5, 5)  # its own is nearest
        lines.append(level_line("bee", i, x + distance * math.cos(turn),
                                y + distance * math.sin(turn), chance.uniform(0.8, 3.5)))
    for kind, low, high in (("butterfly", 0.6, 2.5), ("swallow", 7, 12)):
        for i in range(NUM[kind]):
            x, y = (chance.uniform(-HALF, HALF) for _ in range(2))
            lines.append(level_line(kind, i, x, y, chance.uniform(low, high)))
    return "// Written by tools/make_assets.py: 10,000 units of five kinds.\nunits = [\n%s\n]\n" % (
        "\n".join(lines))


def write_text(path, text):
    with open(os.path.join(FOLDER, path), "w") as file:
        file.write(text)


if __name__ == "__main__":
    models.GENERATOR = "samples/swarm/tools/make_assets.py"
    for make in (bee, butterfly, flower, hive, swallow):
        name = make.__name__
        models.write_gltf(os.path.join(FOLDER, "models", name + ".gltf"), name, {"palette": make()})
        write_text("models/%s.mesh" % name, 'source = "models/%s.gltf"\n' % name)
    for name, petal in PETALS.items():
        write_palette(os.path.join(FOLDER, "textures", name + ".png"), petal)
        write_text("textures/%s.texture" % name,
                   'source = "textures/%s.png"\ngenerate_mips = false\n' % name)
        write_text("materials/%s.material" % name,
                   'shader = "core/shaders/pbr"\noptions = ["base_color_map"]\n'
                   'parameters = { roughness = 0.8 }\n'
                   'textures = { base_color_map = "textures/%s" }\n' % name)
    write_text("levels/meadow.level", meadow())
