#!/usr/bin/env python3
"""Makes the obstacle course: `python3 tools/make_course.py`, from anywhere.

Its source is tests/physics/mover/course.h of the engine, which the tests of the mover drive: shapes,
sizes, slopes and speeds come from there. This script says only where each station stands and what
colour it has. It writes units/course, models/course, levels/course.level and
scripts/course_places.lua. A test fails when they do not agree with the header.

    --header FILE  another header
    --output DIR   another folder to write to
"""

import argparse
import math
import os
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "crates", "tools"))

import course
import models
from models import Shape, box, turn_x, turn_y

HEADER = os.path.join(os.path.dirname(os.path.dirname(FOLDER)), "tests", "physics", "mover", "course.h")
SIDE = 30.0  # metres from the middle of the park to the path's middle
WHO = "Written by tools/make_course.py from tests/physics/mover/course.h."

# Station, side of the park (0 to 3, clockwise from the west), metres along it, metres to the right of
# the path's middle, metres above ground, whether it is walked backwards, two colours.
PLACES = [
    ("stairs", 0, 3, 0, 0, False, ("coral", "cream")),
    ("step just fits", 0, 16, 0, 0, False, ("coral", "cream")),
    ("step too high", 0, 16, 4.3, 0, False, ("slate", "cream")),
    ("gap in floor", 0, 29, 0, 0.3, False, ("cream", "cream")),
    ("mesh stairs", 0, 42, 0, 0, False, ("coral", "cream")),
    ("ramp easy", 1, 3, 0, 0, False, ("teal", "mint")),
    ("ramp above limit", 1, 3, 4.3, 0, False, ("slate", "cream")),
    ("mesh hill", 1, 15, 0, 0, False, ("teal", "mint")),
    ("mesh ridge", 1, 28, 0, 0, False, ("mint", "mint")),
    ("ramp below limit", 1, 41, 0, 0, False, ("teal", "mint")),
    ("ramp steep", 1, 41, 4.3, 0, False, ("slate", "cream")),
    ("doorway", 2, 3, 0, 0, False, ("amber", "cream")),
    ("high enough ceiling", 2, 13, 0, 0, False, ("amber", "cream")),
    ("crawl", 2, 26, 0, 0, False, ("amber", "cream")),
    ("crate", 2, 40, 0, 0, False, ("amber", "cream")),
    ("platform rising", 3, 8, 0, 0.3, False, ("violet", "violet")),
    ("platform sideways", 3, 15.1, 0, 2.3094, False, ("violet", "violet")),
    ("platform turning", 3, 26.2, 7, 2.3094, False, ("violet", "lilac")),
    ("ramp easy", 3, 40.25, 5, 0, True, ("violet", "lilac")),
    ("spiral", 0, 10, 13, 0, False, ("coral", "cream")),
]
# How platforms move: seconds of the way with the header's speed, seconds of rest at both ends.
TRAVELS = {"platform rising": (1.0047, 2.5), "platform sideways": (4, 3)}
# What joins the platforms: decks of the park's own. Side, metres along, to the right, half its width
# and length; the upper face is at the height of the ramp at the end.
DECKS = [(3, 11.55, 0, 2, 1.5), (3, 20.65, 5, 3, 1.45)]
DECK_TOP, DECK_THICKNESS = 2.3094, 0.3


# --- Places ---------------------------------------------------------------------------------------


def turned_z(p, degrees):
    c, s = round(math.cos(math.radians(degrees)), 12), round(math.sin(math.radians(degrees)), 12)
    return (p[0] * c - p[1] * s, p[0] * s + p[1] * c, p[2])


def place_of(side, along, right, up):
    """Where this is in the park, and by how many degrees what stands there is turned about z."""
    degrees = -90 * side
    return turned_z((-SIDE + right, -SIDE + along, up), degrees), degrees


def number(x):
    return "%g" % (round(x, 5) + 0.0)


def numbers(values):
    return "[" + " ".join(number(x) for x in values) + "]"


def turned(shape, degrees, position):
    """The shape turned as the header says: about x, then y, then z; then moved."""
    a, b, _ = (math.radians(d) for d in degrees)

    def change(p):
        p = turned_z(turn_y(turn_x(p, a), b), degrees[2])
        return tuple(x + y for x, y in zip(p, position))

    return shape.moved(change)


# --- Shapes ---------------------------------------------------------------------------------------


def is_floor(piece):
    return piece["position"] == [0, 8, -0.5] and piece["size"] == [6, 12, 0.5]


def block(piece):
    size = [2 * x for x in piece["size"]]
    if any(piece["turned"]):
        return turned(box(size, (0, 0, 0), 0.03, 2.0), piece["turned"], piece["position"])
    return box(size, piece["position"], min(0.03, min(size) / 3), 2.0)


def profile_faces(piece, columns=1, rows=None):
    """Corners of the faces of a profile: the line itself, stretched along x, without what lies on
    the ground; and what closes it to the ground."""
    profile, width = piece["profile"], piece["size"][0]
    points, top, closing = profile["points"], [], []
    for (y0, z0), (y1, z1) in zip(points, points[1:]):
        if z0 == 0 and z1 == 0:
            continue
        num = rows or 1
        for row in range(num):
            a, b = row / num, (row + 1) / num
            ya, yb = y0 + (y1 - y0) * a, y0 + (y1 - y0) * b
            za, zb = z0 + (z1 - z0) * a, z0 + (z1 - z0) * b
            for column in range(columns):
                xa = -width + 2 * width * column / columns
                xb = -width + 2 * width * (column + 1) / columns
                top.append([(xa, ya, za), (xb, ya, za), (xb, yb, zb), (xa, yb, zb)])
        if y1 > y0:
            for x, is_left in ((-width, True), (width, False)):
                face = [(x, y0, 0), (x, y1, 0), (x, y1, z1), (x, y0, z0)]
                closing.append(face[::-1] if is_left else face)
    (y, z) = points[-1]
    if z > 0:
        closing.append([(width, y, 0), (-width, y, 0), (-width, y, z), (width, y, z)])
    return top, closing


def faces_shape(faces):
    shape = Shape()
    for face in faces:
        normal = models.cross(models.sub(face[2], face[0]), models.sub(face[3], face[1]))
        flat = abs(models.unit(normal)[0]) > 0.5
        along = abs(models.unit(normal)[2]) < 0.5 and not flat
        corners = []
        for x, y, z in face:
            uv = (y / 2, -z / 2) if flat else (x / 2, -z / 2) if along else (x / 2, -y / 2)
            corners.append(shape.vertex((x, y, z), normal, uv))
        shape.quad(*corners)
    return shape


def sector(radius, half_height, start, end, columns=6):
    """A piece of a disc's top and rim."""
    shape = Shape()
    for row, (r, z, is_rim) in enumerate(((0, 1, False), (radius, 1, False), (radius, 1, True),
                                          (radius, -1, True))):
        for i in range(columns + 1):
            turn = start + (end - start) * i / columns
            c, s = math.cos(turn), math.sin(turn)
            shape.vertex((r * c, r * s, z * half_height), (c, s, 0) if is_rim else (0, 0, 1),
                         (r * c / 2, -r * s / 2) if not is_rim else (turn * radius / 2, -z / 8))
    for first in (0, 2 * (columns + 1)):
        for i in range(columns):
            a, b = first + i, first + columns + 1 + i
            shape.quad(a, b, b + 1, a + 1)
    return shape


def posts(pieces):
    """Boxes under blocks that nothing carries: middle and half sizes."""
    result = []
    for piece in pieces:
        (x, y, z), (sx, sy, sz) = piece["position"], piece["size"]
        bottom = z - sz
        if piece["shape"] == "COURSE_BOX" and not any(piece["turned"]) and bottom > 1:
            result += [((x + i * (sx - 0.15), y + k * (sy - 0.15), bottom / 2), (0.1, 0.1, bottom / 2))
                       for i in (-1, 1) for k in (-1, 1)]
    return result


# --- Shadows --------------------------------------------------------------------------------------


def corners(piece):
    """The outermost points of a piece, in the station's space."""
    if piece["shape"] == "COURSE_PROFILE":
        return [(x, y, z) for x in (-piece["size"][0], piece["size"][0])
                for y, z in piece["profile"]["points"] if z > 0 or 0 < y < 10]
    points = [tuple(s * i for s, i in zip(piece["size"], (i, j, k)))
              for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    a, b, _ = (math.radians(d) for d in piece["turned"])
    return [tuple(p + q for p, q in zip(turned_z(turn_y(turn_x(p, a), b), piece["turned"][2]),
                                        piece["position"])) for p in points]


def shadow(pieces, degrees, up):
    """Soft patches on the ground where these pieces keep the sun away. Pieces that are not turned
    lie on each other and have one together."""
    groups = {}
    for i, piece in enumerate(pieces):
        groups.setdefault(i if any(piece["turned"]) or "alone" in piece else -1, []).append(piece)
    sun = turned_z(models.SUN, -degrees)
    shape = Shape()
    for group in groups.values():
        points = []
        for piece in group:
            for x, y, z in corners(piece):
                height = max(0.0, z + up)
                points.append((round(x - sun[0] / sun[2] * height, 5), round(y - sun[1] / sun[2] * height, 5)))
        shape.joined(models.soft_patch(models.hull(points), 0.06, 0.10))
    shape.positions = [(x, y, 0.02 - up) for x, y, _ in shape.positions]
    return {"patch": shape}


def as_pieces(boxes):
    return [{**course.PIECE, "position": list(middle), "size": list(half), "alone": True}
            for middle, half in boxes]


# --- Files ----------------------------------------------------------------------------------------


class Writer:
    def __init__(self, folder):
        self.folder, self.level, self.places = folder, [], []

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def model(self, name, parts, collision=None):
        path = os.path.join(self.folder, "models", "course")
        os.makedirs(path, exist_ok=True)
        models.write_gltf(os.path.join(path, name + ".gltf"), name, parts)
        self.write("models/course/%s.mesh" % name, 'source = "models/course/%s.gltf"\n' % name
                   + ('collision = "%s"\n' % collision if collision else ""))

    def unit(self, name, colors, actor, more="", has_patch=False):
        materials = " ".join('"materials/%s"' % c for c in colors)
        shadows = '"materials/patch"' if has_patch else " ".join('"materials/shadow"' for c in colors)
        self.write("units/course/%s.unit" % name,
                   "// %s\ncomponents = [\n"
                   '    { id = "transform"  type = "transform" }\n'
                   '    { id = "mesh"  type = "mesh"  mesh = "models/course/%s"  materials = [%s] }\n'
                   '    { id = "shadow"  type = "mesh"  mesh = "models/course/%s"  materials = [%s]'
                   "  casts_shadows = false }\n%s%s]\n"
                   % (WHO, name, materials, name + ("_shadow" if has_patch else ""), shadows, actor,
                      more))

    def put(self, unit, position, degrees):
        name = unit.split("/")[-1]
        num = sum(1 for row in self.level if 'unit = "%s"' % unit in row)
        self.level.append('    { id = "%s_%d"  unit = "%s"  position = %s  rotation_degrees = %s }\n'
                          % (name, num, unit, numbers(position), numbers((0, 0, degrees))))


def shape_text(num, kind, members, position=(0, 0, 0), degrees=(0, 0, 0)):
    text = '        { id = "piece_%d"  type = "%s"  %s' % (num, kind, members)
    if any(position):
        text += "  position = " + numbers(position)
    if any(degrees):
        text += "  rotation_degrees = " + numbers(degrees)
    return text + " }\n"


def actor_text(members, shapes, name="actor"):
    return ('    { id = "%s"  type = "actor"  name = "%s"%s  shapes = [\n%s    ] }\n'
            % (name, name, members, "".join(shapes)))


def write_standing(out, name, pieces, colors, degrees, up):
    """The pieces of a station that stand still, as one unit."""
    parts, shapes = {}, []
    for i, piece in enumerate(pieces):
        color = colors[i % 2]
        part = parts.setdefault(color, Shape())
        if piece["shape"] == "COURSE_PROFILE":
            top, closing = profile_faces(piece)
            part.joined(faces_shape(top))
            parts.setdefault(colors[1], Shape()).joined(faces_shape(closing))
            fine, _ = profile_faces(piece, piece["profile"]["columns"], piece["profile"]["rows"])
            out.model(name + "_shape", {"shape": faces_shape(fine + closing)}, "triangles")
            shapes.append(shape_text(i, "mesh", 'mesh = "models/course/%s_shape"' % name,
                                     piece["position"], piece["turned"]))
        else:
            part.joined(block(piece))
            shapes.append(shape_text(i, "box", "half_size = " + numbers(piece["size"]),
                                     piece["position"], piece["turned"]))
    actor = actor_text('  filter = "static"', shapes)
    extra = posts(pieces)
    if extra:
        part = parts.setdefault("slate", Shape())
        for middle, half in extra:
            part.joined(box([2 * x for x in half], middle, 0.02, 2.0))
        actor += actor_text('  filter = "static"', [
            shape_text(i, "box", "half_size = " + numbers(half), middle)
            for i, (middle, half) in enumerate(extra)], "posts")
    out.model(name, parts)
    out.model(name + "_shadow", shadow(pieces + as_pieces(extra), degrees, up))
    out.unit(name, list(parts), actor, has_patch=True)


def write_moving(out, name, station, piece, colors):
    """A platform, or what physics moves."""
    size = piece["size"]
    if piece["shape"] == "COURSE_CYLINDER":
        parts = {color: Shape() for color in colors}
        for i in range(8):
            parts[colors[i % 2]].joined(sector(size[0], size[1], math.pi * i / 4, math.pi * (i + 1) / 4))
        shape = shape_text(0, "cylinder", "radius = %s  height = %s" % (number(size[0]), number(2 * size[1])))
    else:
        parts = {colors[0]: box([2 * x for x in size], (0, 0, 0), 0.04, 2.0)}
        shape = shape_text(0, "box", "half_size = " + numbers(size))
    out.model(name, parts)
    if piece["body"] == "COURSE_DYNAMIC":
        members = '  body = "dynamic"  mass = ' + number(piece["mass"])
        if piece["friction"]:
            members += '  material = "friction_%d"' % round(100 * piece["friction"])
        out.unit(name, list(parts), actor_text(members, [shape]),
                 '    { id = "tag"  type = "tag"  tags = ["loose"] }\n')
        return
    seconds, rest = TRAVELS.get(station, (0, 0))
    out.unit(name, list(parts), actor_text('  body = "keyframed"', [shape]),
             '    { id = "tag"  type = "tag"  tags = ["platform"] }\n'
             '    { id = "way"  type = "data"  values = { velocity = %s  spin = %s  seconds = %s'
             "  rest = %s } }\n" % (numbers(piece["velocity"]), number(piece["spin"]), number(seconds),
                                    number(rest)))


def write_station(out, station, pieces, place):
    _, side, along, right, up, is_back, colors = place
    name = station.replace(" ", "_") + ("_back" if is_back else "")
    position, degrees = place_of(side, along, right, up)
    degrees += 180 if is_back else 0
    out.places.append('    ["%s"] = { %s, %s, %s, %s },\n'
                      % (name, *(number(x) for x in position), number(degrees)))
    pieces = [piece for piece in pieces if not is_floor(piece)]
    standing = [piece for piece in pieces if piece["body"] == "COURSE_STATIC"]
    if standing:
        write_standing(out, name, standing, colors, degrees, up)
        out.put("units/course/" + name, position, degrees)
    for i, piece in enumerate(p for p in pieces if p["body"] != "COURSE_STATIC"):
        moving = "%s_%d" % (name, i + 1)
        write_moving(out, moving, station, piece, colors)
        middle = turned_z(piece["position"], degrees)
        out.put("units/course/" + moving, [a + b for a, b in zip(position, middle)], degrees)


def write_decks(out):
    for i, (side, along, right, half_x, half_y) in enumerate(DECKS):
        name, half = "deck_%d" % (i + 1), (half_x, half_y, DECK_THICKNESS / 2)
        height = DECK_TOP - DECK_THICKNESS
        legs = [((x * (half_x - 0.2), y * (half_y - 0.2), -half[2] - height / 2), (0.12, 0.12, height / 2))
                for x in (-1, 1) for y in (-1, 1)]
        parts = {"cream": box([2 * x for x in half], (0, 0, 0), 0.03, 2.0), "slate": Shape()}
        for middle, leg in legs:
            parts["slate"].joined(box([2 * x for x in leg], middle, 0.02, 2.0))
        shapes = [shape_text(0, "box", "half_size = " + numbers(half))]
        shapes += [shape_text(k + 1, "box", "half_size = " + numbers(leg), middle)
                   for k, (middle, leg) in enumerate(legs)]
        position, degrees = place_of(side, along, right, DECK_TOP - half[2])
        out.model(name, parts)
        out.model(name + "_shadow", shadow(as_pieces([((0, 0, 0), half)] + legs), degrees, position[2]))
        out.unit(name, list(parts), actor_text('  filter = "static"', shapes), has_patch=True)
        out.put("units/course/" + name, position, degrees)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--header", default=HEADER)
    arguments.add_argument("--output", default=FOLDER)
    options = arguments.parse_args()
    models.GENERATOR = "samples/playground/tools/make_course.py"
    with open(options.header) as file:
        stations = course.stations(file.read())
    out = Writer(options.output)
    for place in PLACES:
        write_station(out, place[0], stations[place[0]], place)
    write_decks(out)
    out.write("levels/course.level", "// %s\nunits = [\n%s]\n" % (WHO, "".join(out.level)))
    out.write("scripts/course_places.lua",
              "-- %s\n-- Where stations begin: x, y, z, and degrees about z; they lead along y.\n"
              "return {\n%s}\n" % (WHO, "".join(out.places)))


if __name__ == "__main__":
    main()
