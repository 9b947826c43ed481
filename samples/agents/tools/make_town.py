#!/usr/bin/env python3
"""Makes the town: its models (glTF), textures (PNG), units, level and navigation: `python3
tools/make_town.py`, from anywhere.

Needs nothing but Python 3 and the crates sample beside this one, whose tools it uses. What it writes
is the same on every machine and stands in the repository, so only those who change it run it.
"""

import math
import os
import random

import parts
from parts import FOLDER, PALETTES, Solid, textures
import models
from models import box

# --- The plan -------------------------------------------------------------------------------------

# Heights of the terraces, and where they begin in the north-south direction (y). A canal is south of the quay.
WEST, EAST = -64.0, 64.0
SOUTH, CANAL, QUAY, MIDDLE, UPPER, NORTH = -50.0, -27.0, -19.0, -6.0, 24.0, 54.0
HEIGHTS = {"south": 0.0, "quay": 0.0, "middle": 2.0, "upper": 4.0}
BROOK = (18.0, 19.3)  # x, on the upper terrace, from UPPER + 5
WALL_Y = (-42.0, -38.0)  # the part of the south wall that falls

GROUND = {  # name: x, x, y, y, height, material
    "south": (WEST, EAST, SOUTH, CANAL, 0.0, "paving_low"),
    "quay": (WEST, EAST, QUAY, MIDDLE, 0.0, "paving_low"),
    "middle": (WEST, EAST, MIDDLE, UPPER, 2.0, "paving_middle"),
    "upper_front": (WEST, EAST, UPPER, UPPER + 5, 4.0, "paving_high"),
    "upper_west": (WEST, BROOK[0], UPPER + 5, NORTH, 4.0, "paving_high"),
    "upper_east": (BROOK[1], EAST, UPPER + 5, NORTH, 4.0, "paving_high"),
}

# Houses by terrace: x, y of their middles. Doors face south, or north with a third value.
HOUSES = {
    "south": [(-59, -34.6), (-31, -34.6), (-3.4, -34.6), (10, -34.6), (40, -34.6), (48.5, -34.6),
              (-59, -46, 1), (-50.5, -46, 1), (-12, -46, 1), (-3.4, -46, 1), (8, -46, 1), (16.5, -46, 1),
              (46, -46, 1), (54.5, -46, 1)],
    "quay": [(-60, -9.2), (-36.6, -9.2), (10.7, -9.2), (48, -9.2), (56.5, -9.2)],
    "middle": [(-60, 1, 1), (-51.5, 1, 1), (-37.5, 1, 1), (-60, 11), (-51.5, 11), (-37.5, 11),
               (26, 1, 1), (34.5, 1, 1), (48.5, 0, 1), (57, 0, 1), (26, 11), (34.5, 11)],
    "upper": [(-60, 34), (-51.5, 34), (-34, 34), (-60, 47), (-51.5, 47), (8, 35), (9, 48),
              (35, 34), (43.5, 34), (57, 34), (35, 47), (43.5, 47), (57, 47)],
}
COURTS = [(-27, -46, "south", math.pi), (32, -46, "south", math.pi), (56, 11.5, "middle", 0.0),
          (-28, 49.6, "upper", 0.0)]  # x, y, terrace, turn
GATES = [(14, 6.0, "middle"), (27, 39.5, "upper")]  # in walls along y
GATE_WIDTH, COURT_DOOR = 5.0, 3.6
STALLS = [(x, y) for y in (0.5, 13) for x in (-29, -23.5, -18, -6.5, -1, 4.5)]
# Parts of the terraces' edges without a parapet: stairs, landings, the ladder, and where people jump.
OPEN_MIDDLE = [(-49.6, -42.4), (-6.6, 6.6), (36, 42), (-32, -26), (-53.2, -50.8), (15.4, 19.4)]
OPEN_UPPER = [(-16.6, -3.4), (50.4, 57.6), (-35, -29), (40, 46), (-26, -21), (3, 8)]
LADDER_X = -52.0
BRIDGES = (-44, -14, 26, 58)


class Town:
    """Collects the level's lines and members."""

    def __init__(self):
        self.units, self.volumes, self.markers, self.counts = [], [], [], {}
        self.chance = random.Random(11)

    def name(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return "%s_%d" % (kind, self.counts[kind])

    def place(self, kind, x, y, z, turn=0.0, scale=None, material=None, name=None):
        text = '    { id = "%s"  unit = "units/%s"  position = [%g %g %g]' % (
            name or self.name(kind), kind, x, y, z)
        if turn:
            text += "  rotation_degrees = [0 0 %.5g]" % math.degrees(turn)
        if scale:
            text += "  scale = [%g %g %g]" % scale
        if material:
            text += '  overrides = [ { id = "mesh"  materials = ["materials/%s"] } ]' % material
        self.units.append(text + " }")

    def volume(self, name, x, y, z, half):
        self.volumes.append('    { id = "%s"  name = "%s"  position = [%g %g %g]  half_size = [%g %g %g] }'
                            % ((name, name, x, y, z) + half))

    def marker(self, purpose, x, y, z):
        name = purpose if purpose in ("weak_wall", "barricade") else self.name(purpose)
        self.markers.append('    { id = "%s"  name = "%s"  purpose = "%s"  position = [%g %g %g] }'
                            % (name, name, purpose, x, y, z))


def place_terraces(town):
    town.place("sky", 0, 0, 0, name="sky")
    town.place("sun", 0, 0, 0, name="sun")
    town.place("land", 0, 0, -1.9, name="land")
    town.place("canal", 0, (CANAL + QUAY) / 2, -1.0, name="canal")
    town.place("brook", sum(BROOK) / 2, (UPPER + 5 + NORTH) / 2, 3.35, name="brook")
    for name, (x0, x1, y0, y1, z, _) in GROUND.items():
        town.place("ground_" + name, (x0 + x1) / 2, (y0 + y1) / 2, z, name="ground_" + name)
    for y, z, openings in ((MIDDLE, 2.0, OPEN_MIDDLE), (UPPER, 4.0, OPEN_UPPER)):
        x = WEST
        for begin, end in sorted(openings) + [(EAST, EAST)]:
            place_parapet(town, x, begin, y + 0.2, z)
            x = end


def place_parapet(town, x0, x1, y, z):
    """Pieces of 2 metres, the last ones shorter."""
    length = x1 - x0
    if length < 0.3:
        return
    count = max(1, round(length / 2))
    step = length / count
    for i in range(count):
        town.place("parapet", round(x0 + step * (i + 0.5), 3), y, z, scale=(round(step / 2, 4), 1, 1))


def place_ways(town):
    for x, y, z in ((-46, MIDDLE, 0), (54, UPPER, 2)):
        town.place("stairs", x, y, z)
    for x, y, z in ((0, MIDDLE, 0), (-10, UPPER, 2)):
        town.place("stairs_wide", x, y, z)
    for x, y, z, turn in ((20, MIDDLE, 0, 0), (-10, MIDDLE, 0, math.pi), (-51, UPPER, 2, 0), (24, UPPER, 2, 0)):
        town.place("ramp", x, y - 3, z, turn)
    for x in BRIDGES:
        town.place("bridge", x, (CANAL + QUAY) / 2, 0)
    town.place("planks", sum(BROOK) / 2, 42, 4)
    town.place("ladder", LADDER_X, MIDDLE - 0.25, 0)


def place_houses(town):
    palettes = list(PALETTES)
    for terrace, houses in HOUSES.items():
        for k, house in enumerate(houses):
            x, y = house[:2]
            z = HEIGHTS[terrace]
            kind = "house" if (k * 7 + len(terrace)) % 3 else "house_tall"
            is_north = len(house) > 2
            palette = palettes[(k * 5 + len(terrace)) % len(palettes)]
            town.place(kind, x, y, z, math.pi if is_north else 0, material=palette)
            town.marker("home", x, y + (4.4 if is_north else -4.4), z)
    town.place("keep", -10, 46, 4.0, material="slate")
    town.marker("square", -10, 37.5, 4.0)


def turned(x, y, turn):
    c, s = math.cos(turn), math.sin(turn)
    return x * c - y * s, x * s + y * c


def place_courts(town):
    for i, (x, y, terrace, turn) in enumerate(COURTS, 1):
        z = HEIGHTS[terrace]
        town.place("court", x, y, z, turn, material=list(PALETTES)[i % len(PALETTES)], name="court_%d" % i)
        dx, dy = turned(0, -3.75, turn)
        town.volume("court_%d" % i, x + dx, y + dy, z + 1, (COURT_DOOR / 2 + 0.3, 0.8, 1.4))
        for side in (-1, 1):
            hx, hy = turned(side * COURT_DOOR / 2, -3.75, turn)
            town.place("court_door", x + hx, y + hy, z, turn + (math.pi if side > 0 else 0),
                       name="court_%d_%s" % (i, "right" if side > 0 else "left"))
        for k in (-1, 1):
            town.marker("court", x + 2.4 * k, y, z)
        town.marker("cargo", x, y, z)


def place_walls(town):
    def wall(x, y0, y1, z):
        town.place("wall", x, round((y0 + y1) / 2, 3), z, math.pi / 2, scale=(round((y1 - y0) / 4, 4), 1, 1))

    for i, ((x, y, terrace), (y0, y1)) in enumerate(zip(GATES, ((MIDDLE, UPPER), (UPPER, NORTH))), 1):
        z, half = HEIGHTS[terrace], GATE_WIDTH / 2
        wall(x, y0, y - half - 1, z)
        wall(x, y + half + 1, y1, z)
        for side in (-1, 1):
            town.place("tower", x, y + side * (half + 1.2), z)
            town.place("gate_door", x, y + side * half, z, -side * math.pi / 2,
                       name="gate_%d_%s" % (i, "right" if side > 0 else "left"))
        town.volume("gate_%d" % i, x, y, z + 1, (1.1, half + 0.3, 1.4))
    town.marker("weak_wall", 2, sum(WALL_Y) / 2, 0)  # scripts/town.lua puts the rest there
    wall(2, SOUTH, WALL_Y[0], 0)
    wall(2, WALL_Y[1], CANAL, 0)


def place_things(town):
    town.place("fountain", -12, 6.5, 2.0)
    town.volume("fountain", -12, 6.5, 3.2, (2.7, 2.7, 1.6))
    for i, (x, y) in enumerate(STALLS):
        town.place("stall", x, y, 2.0, material=list(PALETTES)[i % 4])
        town.marker("stall", x, y - 2.2, 2.0)
        town.marker("stall", x, y + 2.2, 2.0)
    town.marker("barricade", 30, 6, 2.0)
    for x, y, z in ((-18, 6, 2), (-6, 6, 2), (-12, 14.5, 2), (9, 6, 2), (-33, 6, 2), (18, 6, 2), (22, 39, 4),
                    (-20, 36, 4), (4, 29, 4), (31, 40, 4), (-45, 40.5, 4), (-24, -38, 0), (30, -38, 0),
                    (-52, -40, 0), (14, -40, 0), (50, -40, 0), (-26, -14.5, 0), (17, -10.5, 0), (-55, -16, 0),
                    (8, -15, 0), (50, -16, 0),
                    (LADDER_X - 4, MIDDLE + 2, 2)):
        town.marker("square", x, y, z)
    for x, y, z in ((-18, 7.5, 2), (-6, 4.5, 2), (18, 8, 2), (-52, 5.5, 2), (-18, 35, 4), (41, 40.5, 4),
                    (-40, 40.5, 4), (-22, -36, 0), (33, -36, 0), (-54, -40, 0), (11, -40, 0), (50, -40, 0),
                    (-56, -15, 0), (12, -15.5, 0), (50, -15, 0), (41, 6, 2), (-52, 40.5, 4), (4, 42, 4)):
        town.marker("cargo", x, y, z)
    trees = []
    for x in range(-60, 64, 8):
        if min(abs(x - bridge) for bridge in BRIDGES) > 6:
            trees += [(x, QUAY + 0.6, 0)] + ([(x, CANAL - 0.6, 0)] if abs(x - 2) > 4 else [])
    trees += [(-20, 31, 4), (-15, 33, 4), (-4, 33, 4), (1, 41, 4), (-22, 41, 4), (22, 51, 4), (23, 33, 4),
              (63, 51, 4), (-63, 40.5, 4), (-24, 20, 2), (10, 17, 2), (10, -2, 2), (-31, -2, 2),
              (-63, -40.5, 0), (63, -40.5, 0)]
    for x, y, z in trees:
        size = round(town.chance.uniform(0.85, 1.15), 2)
        town.place("tree", x, y, z, round(town.chance.uniform(0, 6.2), 2), (size, size, size))
    place_forest(town)


def place_forest(town):
    """Trees around the town."""
    count = 0
    while count < 90:
        x, y = town.chance.uniform(-110, 110), town.chance.uniform(-70, 100)
        if (WEST - 6 < x < EAST + 6 and SOUTH - 6 < y < NORTH + 6) or CANAL - 3 < y < QUAY + 3 or y < SOUTH - 4:
            continue
        size = round(town.chance.uniform(1.2, 2.2), 2)
        town.place("forest", round(x, 1), round(y, 1), -1.9, round(town.chance.uniform(0, 6.2), 2),
                   (size, size, size))
        count += 1


def level_text(town):
    return ("// Written by tools/make_town.py.\nunits = [\n%s\n]\nvolumes = [\n%s\n]\nmarkers = [\n%s\n]\n"
            'navigation = "levels/town"\n' % tuple("\n".join(x) for x in (town.units, town.volumes, town.markers)))


def navigation_text():
    doors = ["gate_%d" % (i + 1) for i in range(len(GATES))] + ["court_%d" % (i + 1) for i in range(len(COURTS))]
    areas = ['    { id = "a%d"  name = "%s" }' % (i, name) for i, name in enumerate(doors, 1)]
    volumes = ['    { id = "v0"  volume = "fountain"  cuts = true }']
    volumes += ['    { id = "v%d"  volume = "%s"  area = "%s" }' % (i, name, name) for i, name in enumerate(doors, 1)]
    return """// What the town's people and carts can walk on. Written by tools/make_town.py.
level = "levels/town"
cell_size = 0.2
agents = [
    { id = "person"  name = "person"  radius = 0.35  height = 1.8  climb = 0.4  slope = 0.6 }
    { id = "cart"  name = "cart"  radius = 0.8  height = 2  climb = 0.15  slope = 0.3 }  // no stairs
]
areas = [  // of doors, which the game closes
%s
]
volumes = [
%s
]
links = [
    { id = "ladder"  kind = "ladder"  from = [%g %g 0]  to = [%g %g 2]  both_ways = true  cost = 1  agents = ["person"] }
]
rules = [
    { id = "down"  find = "drop"  kind = "jump"  height = 2.3  distance = 1.6  spacing = 2.5  cost = 12  agents = ["person"] }
    { id = "over"  find = "jump"  kind = "jump"  height = 0.3  distance = 2.8  spacing = 3  cost = 3  agents = ["person"] }
]
""" % ("\n".join(areas), "\n".join(volumes), LADDER_X, MIDDLE - 1.0, LADDER_X, MIDDLE + 1.0)


# --- Files ----------------------------------------------------------------------------------------


def write_text(path, text):
    with open(os.path.join(FOLDER, path), "w") as file:
        file.write(text)


def write_model(name, by_material):
    models.write_gltf(os.path.join(FOLDER, "models", name + ".gltf"), name, by_material)
    write_text("models/%s.mesh" % name, 'source = "models/%s.gltf"\n' % name)


def write_unit(name, solid=None, material="cream", tag=None, extra="", shadows=True):
    lines = ['    { id = "pose"  type = "transform" }',
             '    { id = "mesh"  type = "mesh"  mesh = "models/%s"  materials = ["materials/%s"]%s }'
             % (name, material, "" if shadows else "  casts_shadows = false")]
    if solid:
        lines.append('    { id = "body"  type = "actor"  shapes = [\n%s\n    ] }' % "\n".join(solid.lines))
    if tag:
        lines.append('    { id = "tag"  type = "tag"  tags = ["%s"] }' % tag)
    write_text("units/%s.unit" % name, "// Written by tools/make_town.py.\ncomponents = [\n%s\n%s]\n"
               % ("\n".join(lines), extra))


def paving(x, y, pixels=128):
    """Slabs in rows, each a little different; light, to be coloured by the material."""
    rows, across = 8, 6
    u, v = x / pixels, y / pixels
    row = int(v * rows)
    at = u * across + (0.5 if row % 2 else 0.0)
    column = int(at) % across
    to_joint = min(at % 1, 1 - at % 1, (v * rows) % 1, 1 - (v * rows) % 1)
    shade = 0.93 + 0.07 * textures.chance(column, row, 5)
    return (shade * (0.9 if to_joint < 0.06 else 1.0),) * 3


def write_materials():
    for name, own in PALETTES.items():
        parts.write_palette(os.path.join(FOLDER, "textures", name + ".png"), own)
        write_text("textures/%s.texture" % name, 'source = "textures/%s.png"\ngenerate_mips = false\n' % name)
        write_text("materials/%s.material" % name,
                   'shader = "core/shaders/pbr"\noptions = ["base_color_map"]\nparameters = { roughness = 0.85 }\n'
                   'textures = { base_color_map = "textures/%s" }\n' % name)
    textures.write_png(os.path.join(FOLDER, "textures", "paving.png"), 128, paving)
    write_text("textures/paving.texture", 'source = "textures/paving.png"\n')
    for name, color in (("low", "0.46 0.45 0.43"), ("middle", "0.58 0.50 0.38"), ("high", "0.68 0.64 0.57")):
        write_text("materials/paving_%s.material" % name,
                   'shader = "core/shaders/pbr"\noptions = ["base_color_map"]\n'
                   "parameters = { base_color = [%s 1]  roughness = 0.9 }\n"
                   'textures = { base_color_map = "textures/paving" }\n' % color)
    write_text("materials/land.material", 'shader = "core/shaders/pbr"\n'
               "parameters = { base_color = [0.27 0.36 0.20 1]  roughness = 0.95 }\n")
    write_text("materials/water.material", 'shader = "core/shaders/pbr"\n'
               "parameters = { base_color = [0.07 0.25 0.33 1]  roughness = 0.25 }\n")


def write_parts():
    for name, (x0, x1, y0, y1, z, material) in GROUND.items():
        size = (x1 - x0, y1 - y0, z + 1.9)
        center = (0, 0, -size[2] / 2)
        write_model("ground_" + name, {"paving": box(size, center, 0.05, 4.0, False)})
        write_unit("ground_" + name, Solid().box(size, center), material)
    with_solid = {
        "house": parts.house(8, 6, 4.2, 3, 2.4), "house_tall": parts.house(8, 6, 5.6, 3, -2.2),
        "keep": parts.keep(), "court": parts.court(), "stall": parts.stall(), "wall": parts.wall(4),
        "tower": parts.tower(), "parapet": parts.parapet(2), "stairs": parts.stairs(6, 2),
        "stairs_wide": parts.stairs(12, 2), "ramp": parts.ramp(), "bridge": parts.bridge(),
        "planks": parts.planks(), "fountain": parts.fountain(), "tree": parts.tree(),
    }
    for name, (shape, solid) in with_solid.items():
        write_model(name, {"palette": shape})
        write_unit(name, solid)
    write_model("forest", {"palette": parts.tree()[0]})
    length = WALL_Y[1] - WALL_Y[0]
    for name, shape in (("court_door", parts.leaf(COURT_DOOR / 2, 2.2)), ("gate_door", parts.leaf(GATE_WIDTH / 2, 3.2)),
                        ("ladder", parts.ladder(2.2)), ("weak_wall", parts.wall(length)[0]),
                        ("rubble", parts.rubble(length, random.Random(3))), ("barricade", parts.barricade()),
                        ("forest", parts.tree()[0])):
        write_model(name, {"palette": shape})
        write_unit(name)
    write_model("person", {"palette": parts.person()})
    write_model("cart", {"palette": parts.cart()})


if __name__ == "__main__":
    models.GENERATOR = "samples/agents/tools/make_town.py"
    write_materials()
    write_parts()
    town = Town()
    for place in (place_terraces, place_ways, place_houses, place_courts, place_walls, place_things):
        place(town)
    write_text("levels/town.level", level_text(town))
    write_text("levels/town.navigation", navigation_text())
    print("%d units, %d markers" % (len(town.units), len(town.markers)))
