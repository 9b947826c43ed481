"""The sample's models: shapes put together in the engine's space (metres, Z up, Y forward) and
written as glTF text, which has Y up and looks along -Z."""

import base64
import json
import math
import struct

GENERATOR = "samples/crates/tools/make_assets.py"  # as the files say
# Where the sun shines; levels/yard.level turns the sun's unit to the same direction.
SUN = (0.85, 0.3, -1.0)
# The offset of a shadow on the ground for each metre of height.
SHADOW_X, SHADOW_Y = SUN[0] / -SUN[2], SUN[1] / -SUN[2]


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def unit(a):
    length = math.sqrt(dot(a, a)) or 1.0
    return times(a, 1.0 / length)


def turn_x(p, angle):
    c, s = math.cos(angle), math.sin(angle)
    return (p[0], p[1] * c - p[2] * s, p[1] * s + p[2] * c)


def turn_y(p, angle):
    c, s = math.cos(angle), math.sin(angle)
    return (p[0] * c + p[2] * s, p[1], -p[0] * s + p[2] * c)


class Shape:
    """Triangles of one material."""

    def __init__(self):
        self.positions, self.normals, self.uvs, self.triangles = [], [], [], []

    def vertex(self, position, normal, uv=(0.0, 0.0)):
        self.positions.append(position)
        self.normals.append(unit(normal))
        self.uvs.append(uv)
        return len(self.positions) - 1

    def quad(self, a, b, c, d):
        self.triangles += [(a, b, c), (a, c, d)]

    def moved(self, change):
        """The shape with every point changed; normals follow from two nearby points."""
        for i, (p, n) in enumerate(zip(self.positions, self.normals)):
            side = unit(cross(n, (0.31, 0.87, 0.38)))
            other = cross(n, side)
            q = change(p)
            a = sub(change(add(p, times(side, 1e-3))), q)
            b = sub(change(add(p, times(other, 1e-3))), q)
            self.positions[i], self.normals[i] = q, unit(cross(a, b))
        return self

    def joined(self, other):
        first = len(self.positions)
        self.positions += other.positions
        self.normals += other.normals
        self.uvs += other.uvs
        self.triangles += [tuple(first + i for i in t) for t in other.triangles]
        return self

    def flat(self):
        """The shape with a normal for each triangle, for hard edges."""
        result = Shape()
        for t in self.triangles:
            a, b, c = (self.positions[i] for i in t)
            normal = cross(sub(b, a), sub(c, a))
            result.triangles.append(tuple(result.vertex(self.positions[i], normal, self.uvs[i])
                                          for i in t))
        return result

    def tangents(self):
        """Where u grows along each vertex, with the sign that makes cross(normal, tangent) point
        up the picture (against v, which grows downwards)."""
        along_u = [(0.0, 0.0, 0.0)] * len(self.positions)
        up = list(along_u)
        for t in self.triangles:
            p, uv = [self.positions[i] for i in t], [self.uvs[i] for i in t]
            e1, e2 = sub(p[1], p[0]), sub(p[2], p[0])
            u1, v1 = uv[1][0] - uv[0][0], uv[1][1] - uv[0][1]
            u2, v2 = uv[2][0] - uv[0][0], uv[2][1] - uv[0][1]
            area = u1 * v2 - u2 * v1
            if abs(area) < 1e-12:
                continue
            for i in t:
                along_u[i] = add(along_u[i], times(sub(times(e1, v2), times(e2, v1)), 1 / area))
                up[i] = add(up[i], times(sub(times(e1, u2), times(e2, u1)), 1 / area))
        result = []
        for n, tangent, b in zip(self.normals, along_u, up):
            tangent = sub(tangent, times(n, dot(n, tangent)))
            if dot(tangent, tangent) < 1e-12:  # without a picture any direction will do
                tangent = cross(n, (0.0, 0.0, 1.0) if abs(n[2]) < 0.9 else (1.0, 0.0, 0.0))
            tangent = unit(tangent)
            result.append(tangent + (-1.0 if dot(cross(n, tangent), b) < 0 else 1.0,))
        return result


# --- Shapes ---------------------------------------------------------------------------------------

SIDES = [  # of a box: outwards, right and up as one looks at it
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((0, 1, 0), (-1, 0, 0), (0, 0, 1)), ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)), ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
]


def box(size, center=(0, 0, 0), bevel=0.03, repeat=None, bottom=True):
    """A box with rounded edges: on each side a flat middle and a ring that leans outwards, 8
    vertices. The picture covers a side once, or every `repeat` metres."""
    shape = Shape()
    half = times(size, 0.5)
    for out, right, up in SIDES if bottom else SIDES[:5]:
        extent = [abs(dot(axis, half)) for axis in (right, up)]
        rows = []
        for is_ring in (False, True):
            inset = bevel * (1 - 1 / math.sqrt(3)) if is_ring else bevel
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                r, u = x * (extent[0] - inset), y * (extent[1] - inset)
                depth = abs(dot(out, half)) - (inset if is_ring else 0)
                place = add(add(times(out, depth), times(right, r)), times(up, u))
                normal = add(add(out, times(right, x)), times(up, y)) if is_ring else out
                if repeat is None:
                    uv = (0.5 + r / extent[0] / 2, 0.5 - u / extent[1] / 2)
                else:
                    uv = ((dot(right, add(place, center))) / repeat,
                          -(dot(up, add(place, center))) / repeat)
                rows.append(shape.vertex(add(place, center), normal, uv))
        shape.quad(*rows[:4])
        for i in range(4):
            k = (i + 1) % 4
            shape.quad(rows[i], rows[4 + i], rows[4 + k], rows[k])
    return shape


def ball(radii, center=(0, 0, 0), columns=12, rows=8):
    """An ellipsoid."""
    shape = Shape()
    for row in range(rows + 1):
        polar = math.pi * row / rows
        num = 1 if row in (0, rows) else columns
        for column in range(num):
            turn = 2 * math.pi * column / columns
            n = (math.sin(polar) * math.cos(turn), math.sin(polar) * math.sin(turn),
                 math.cos(polar))
            place = tuple(c + x * r for c, x, r in zip(center, n, radii))
            shape.vertex(place, tuple(x / r for x, r in zip(n, radii)),
                         (column / columns, row / rows))

    def at(row, column):
        if row == 0:
            return 0
        if row == rows:
            return len(shape.positions) - 1
        return 1 + (row - 1) * columns + column % columns

    for row in range(rows):
        for column in range(columns):
            a, b = at(row, column), at(row + 1, column)
            c, d = at(row + 1, column + 1), at(row, column + 1)
            if row != rows - 1:
                shape.triangles.append((a, b, c))
            if row != 0:
                shape.triangles.append((a, c, d))
    return shape


def cone(radius, height, base=(0, 0, 0), columns=7, top_radius=0.0, turn=0.0):
    """A cone or its lower part, without a bottom; smooth around."""
    shape = Shape()
    slope = (radius - top_radius) / height
    for i in range(columns):
        angle = 2 * math.pi * i / columns + turn
        c, s = math.cos(angle), math.sin(angle)
        shape.vertex(add(base, (radius * c, radius * s, 0)), (c, s, slope), (i / columns, 1))
        shape.vertex(add(base, (top_radius * c, top_radius * s, height)), (c, s, slope),
                     (i / columns, 0))
    for i in range(columns):
        a, b = 2 * i, 2 * ((i + 1) % columns)
        shape.triangles.append((a, b, b + 1))
        if top_radius > 0:
            shape.triangles.append((a, b + 1, a + 1))
    return shape


def ring(radius, thickness, center, columns=14, rows=6):
    """A torus around the z axis."""
    shape = Shape()
    for i in range(columns):
        turn = 2 * math.pi * i / columns
        for k in range(rows):
            polar = 2 * math.pi * k / rows
            n = (math.cos(turn) * math.cos(polar), math.sin(turn) * math.cos(polar),
                 math.sin(polar))
            middle = (math.cos(turn) * radius, math.sin(turn) * radius, 0)
            shape.vertex(add(add(center, middle), times(n, thickness)), n, (i / columns, k / rows))
    for i in range(columns):
        for k in range(rows):
            a, b = i * rows + k, (i + 1) % columns * rows + k
            c, d = (i + 1) % columns * rows + (k + 1) % rows, i * rows + (k + 1) % rows
            shape.quad(a, b, c, d)
    return shape


def sheet(half, repeat):
    """A square on the ground."""
    shape = Shape()
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    shape.quad(*(shape.vertex((x, y, 0), (0, 0, 1), (x / repeat, -y / repeat))
                 for x, y in corners))
    return shape


def frame(inner, outer, repeat):
    """A square on the ground with a square hole: what is hidden need not be drawn."""
    shape = Shape()
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    for half in (inner, outer):
        for x, y in corners:
            shape.vertex((x * half, y * half, 0), (0, 0, 1), (x * half / repeat, -y * half / repeat))
    for i in range(4):
        k = (i + 1) % 4
        shape.quad(i, 4 + i, 4 + k, k)
    return shape


def soft_patch(outline, inset, spread):
    """A flat patch, counter-clockwise: u is 1 within and falls to 0 outside its soft edge."""
    shape = Shape()
    count = len(outline)
    for distance, u in ((-inset, 1.0), (spread, 0.0)):
        for i, p in enumerate(outline):
            before, after = outline[i - 1], outline[(i + 1) % count]
            a = unit((p[1] - before[1], before[0] - p[0], 0))
            b = unit((after[1] - p[1], p[0] - after[0], 0))
            out = times(add(a, b), distance / (1 + dot(a, b)))
            shape.vertex((p[0] + out[0], p[1] + out[1], 0), (0, 0, 1), (u, 0))
    for i in range(1, count - 1):
        shape.triangles.append((0, i, i + 1))
    for i in range(count):
        k = (i + 1) % count
        shape.quad(i, count + i, count + k, k)
    return shape


def hull(points):
    """The convex outline of points in the plane, counter-clockwise (Andrew 1979)."""
    points = sorted(set(points))

    def half(sequence):
        line = []
        for p in sequence:
            while len(line) > 1 and ((line[-1][0] - line[-2][0]) * (p[1] - line[-2][1])
                                     <= (line[-1][1] - line[-2][1]) * (p[0] - line[-2][0])):
                line.pop()
            line.append(p)
        return line[:-1]

    return half(points) + half(reversed(points))


def box_shadow(size, soft=0.07):
    """The shadow on the ground of a box that stands on it, around the box's middle."""
    corners = [(x * size[0] / 2 + SHADOW_X * z, y * size[1] / 2 + SHADOW_Y * z)
               for x in (-1, 1) for y in (-1, 1) for z in (0, size[2])]
    return soft_patch(hull(corners), soft, soft)


def ball_shadow(radius, height, soft=0.09):
    """Likewise of something round of this height."""
    corners = []
    for i in range(16):
        c, s = math.cos(math.pi * i / 8), math.sin(math.pi * i / 8)
        corners.append((radius * c, radius * s))
        z = height - radius * 0.6
        corners.append((radius * 0.9 * c + SHADOW_X * z, radius * 0.9 * s + SHADOW_Y * z))
    return soft_patch(hull(corners), soft, soft)


# --- The models -----------------------------------------------------------------------------------


def pillar():
    stone = box((1.3, 1.3, 0.35), (0, 0, 0.175), 0.05, 2.0, False)
    stone.joined(box((0.85, 0.85, 2.3), (0, 0, 1.5), 0.05, 2.0, False))
    stone.joined(box((1.15, 1.15, 0.25), (0, 0, 2.77), 0.05, 2.0))
    return {"stone": stone}


def lantern():
    """A stone post with a glass ball in a metal foot, and a lid."""
    stone = box((0.62, 0.62, 0.22), (0, 0, 0.11), 0.04, 2.0, False)
    stone.joined(box((0.36, 0.36, 1.15), (0, 0, 0.79), 0.04, 2.0, False))
    stone.joined(box((0.50, 0.50, 0.12), (0, 0, 1.42), 0.03, 2.0))
    metal = cone(0.21, 0.10, (0, 0, 1.48), 10, 0.14)
    metal.joined(cone(0.21, 0.17, (0, 0, 1.94), 10, 0.03))
    return {"stone": stone, "metal": metal.flat(),
            "glass": ball((0.20, 0.20, 0.22), (0, 0, 1.76), 12, 8)}


def wall():
    """Four metres along x."""
    return {"wall": box((4.0, 0.5, 0.85), (0, 0, 0.425), 0.03, 2.0, False),
            "stone": box((4.0, 0.72, 0.2), (0, 0, 0.95), 0.05, 2.0)}


def tree():
    needles = Shape()
    for i, (radius, height, base) in enumerate(((1.35, 1.7, 0.9), (1.1, 1.6, 1.8),
                                                (0.8, 1.5, 2.7))):
        needles.joined(cone(radius, height, (0, 0, base), 8, 0.0, 0.4 * i))
    return {"needles": needles.flat(), "bark": cone(0.22, 1.1, (0, 0, 0), 6, 0.16)}


def splinter():
    """A metre of wood along x, wide at one end: effects make it as small as they like."""
    def narrowed(p):
        share = 1 - 0.85 * (p[0] + 0.5)
        return (p[0], p[1] * share + 0.05 * p[0], p[2] * (0.3 + 0.7 * share))

    return {"wood": box((1.0, 0.32, 0.12), (0, 0, 0), 0.02, 1.0).moved(narrowed).flat()}


def hills(distance, height, columns, seed):
    """A range of hills all around."""
    shape = Shape()
    for i in range(columns):
        turn = 2 * math.pi * i / columns
        wave = (0.55 + 0.25 * math.sin(3 * turn + seed) + 0.2 * math.sin(7 * turn + 2.1 * seed)
                + 0.22 * math.sin(17 * turn + 5 * seed) * math.cos(5 * turn))
        for far, up in ((0.86, -0.5), (1.0, max(wave, 0.12) * height)):
            place = (math.cos(turn) * distance * far, math.sin(turn) * distance * far, up)
            shape.vertex(place, (0, 0, 1))
    for i in range(columns):
        a, b = 2 * i, 2 * ((i + 1) % columns)
        shape.quad(a, a + 1, b + 1, b)
    return shape.flat()


def all_models():
    """Name of the file: parts by material."""
    return {
        "crate": {"crate": box((1, 1, 1), (0, 0, 0), 0.035)},
        "crate_shadow": {"shadow": box_shadow((0.98, 0.98, 0.98))},
        "block": {"wall": box((2, 2, 0.75), (0, 0, 0.375), 0.03, 2.0, False),
                  "stone": box((2.16, 2.16, 0.15), (0, 0, 0.825), 0.045, 2.0)},
        "block_shadow": {"shadow": box_shadow((2.12, 2.12, 0.9))},
        "fox_shadow": {"shadow": ball_shadow(0.30, 1.2)},
        "floor": {"floor": sheet(16, 8)},
        "ground": {"grass": frame(15.9, 150, 10)},
        "pillar": pillar(),
        "pillar_shadow": {"shadow": box_shadow((0.95, 0.95, 2.9))},
        "lantern": lantern(),
        "lantern_shadow": {"shadow": box_shadow((0.40, 0.40, 2.0))},
        "wall": wall(),
        "wall_shadow": {"shadow": box_shadow((4.0, 0.62, 1.05))},
        "wall_turned_shadow": {"shadow": box_shadow((0.62, 4.0, 1.05))},
        "splinter": splinter(),
        "tree": tree(),
        "tree_shadow": {"shadow": ball_shadow(1.05, 3.9, 0.3)},
        "hills": {"near": hills(150, 15, 64, 1.0), "far": hills(215, 34, 56, 2.7)},
    }


# --- glTF -----------------------------------------------------------------------------------------


class Buffer:
    """The binary part of a glTF file and what describes it."""

    def __init__(self):
        self.data, self.views, self.accessors = b"", [], []

    def add(self, kind, rows, is_index=False, has_bounds=False):
        count = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[kind]
        flat = [x for row in rows for x in (row if count > 1 else (row,))]
        data = struct.pack("<%d%s" % (len(flat), "H" if is_index else "f"), *flat)
        data += bytes(-len(data) % 4)
        accessor = {"bufferView": len(self.views), "componentType": 5123 if is_index else 5126,
                    "count": len(rows), "type": kind}
        if has_bounds:
            columns = list(zip(*struct.iter_unpack("<3f", data)))
            accessor["min"], accessor["max"] = [min(c) for c in columns], [max(c) for c in columns]
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data),
                           "target": 34963 if is_index else 34962})
        self.data += data
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def to_gltf(p):
    return (p[0], p[2], -p[1]) + tuple(p[3:])


# How materials look in other programs, and in a project that imports the model: sRGB, roughness. The
# sample itself uses materials/*.material.
LOOKS = {
    "fur": ((0.93, 0.47, 0.16), 0.7),
    "cream": ((0.97, 0.90, 0.78), 0.75),
    "dark": ((0.19, 0.13, 0.12), 0.35),
    "scarf": ((0.10, 0.56, 0.58), 0.8),
}


def gltf_material(name):
    if name not in LOOKS:
        return {"name": name}
    color, roughness = LOOKS[name]
    linear = [round(((c + 0.055) / 1.055) ** 2.4, 7) for c in color]
    return {"name": name, "pbrMetallicRoughness": {
        "baseColorFactor": linear + [1], "metallicFactor": 0, "roughnessFactor": roughness}}


def write_gltf(path, name, parts):
    buffer, primitives = Buffer(), []
    for material, shape in enumerate(parts.values()):
        rounded = [tuple(round(x, 5) + 0.0 for x in to_gltf(p)) for p in shape.positions]
        attributes = {
            "POSITION": buffer.add("VEC3", rounded, has_bounds=True),
            "NORMAL": buffer.add("VEC3", [to_gltf(n) for n in shape.normals]),
            "TANGENT": buffer.add("VEC4", [to_gltf(t) for t in shape.tangents()]),
            "TEXCOORD_0": buffer.add("VEC2", shape.uvs),
        }
        indices = buffer.add("SCALAR", [i for t in shape.triangles for i in t], is_index=True)
        primitives.append({"attributes": attributes, "indices": indices, "material": material})
    uri = "data:application/octet-stream;base64," + base64.b64encode(buffer.data).decode()
    document = {
        "asset": {"version": "2.0", "generator": GENERATOR},
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": name, "mesh": 0}],
        "meshes": [{"name": name, "primitives": primitives}],
        "materials": [gltf_material(material) for material in parts],
        "accessors": buffer.accessors, "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data), "uri": uri}],
    }
    with open(path, "w") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


def write_all(folder):
    for name, parts in all_models().items():
        write_gltf(f"{folder}/{name}.gltf", name, parts)
        count = sum(len(shape.positions) for shape in parts.values())
        print(f"{name}: {count} vertices, {', '.join(parts)}")
