#!/usr/bin/env python3
"""Writes textures and a model of tests/render/project, so that no binary comes from elsewhere."""

import base64
import json
import math
import pathlib
import struct
import zlib

PROJECT = pathlib.Path(__file__).resolve().parent / "project"
FOLDER = PROJECT / "textures"


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def write(name, size, pixel):
    rows = b"".join(b"\0" + bytes(c for x in range(size) for c in pixel(x, y))
                    for y in range(size))
    color = 6 if len(pixel(0, 0)) == 4 else 2
    FOLDER.joinpath(name + ".png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, color, 0, 0, 0)) +
        chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def checker(x, y):
    return (220, 60, 40) if (x // 8 + y // 8) % 2 else (240, 220, 180)


def leaf(x, y):
    # Opaque where two waves agree.
    opacity = 0.5 + 0.5 * math.sin(x / 4) * math.sin(y / 4)
    return 40 + x * 2, 160, 60, int(opacity * 255)


def sky(x, y):
    # Quarters around, dark below.
    red, green, blue = ((230, 60, 60), (60, 200, 60), (60, 60, 230), (230, 220, 60))[x // 16]
    return (red, green, blue) if y < 32 else (red // 3, green // 3, blue // 3)


def stripes(x, y):
    return (30, 120, 220) if (x // 8) % 2 else (240, 240, 240)


def bumps(x, y):
    # Round knobs on a grid of 16 pixels: the normal leans away from each centre.
    dx, dy = x % 16 - 7.5, y % 16 - 7.5
    if dx * dx + dy * dy > 40:
        return 128, 128, 255
    n = (dx / 8, -dy / 8)
    z = math.sqrt(max(0.0, 1 - n[0] ** 2 - n[1] ** 2))
    return tuple(int((c * 0.5 + 0.5) * 255) for c in (*n, z))


def metal_rings(x, y):
    ring = (x // 8) % 2
    return 0, 60 if ring else 200, 255 if ring else 0


def glow(x, y):
    return (255, 200, 40) if x % 16 < 3 or y % 16 < 3 else (0, 0, 0)


def frames(x, y):
    # Four frames: a dot that grows, of another colour in each.
    column, row = x // 32, y // 32
    frame = column + 2 * row
    distance = math.hypot(x % 32 - 15.5, y % 32 - 15.5)
    red, green, blue = ((240, 70, 60), (240, 200, 60), (70, 200, 90), (70, 110, 240))[frame]
    return red, green, blue, 255 if distance < 4 + 3.5 * frame else 0


FACES = {"right": (200, 60, 60), "left": (60, 170, 170), "front": (60, 170, 60),
         "back": (170, 60, 170), "up": (70, 90, 210), "down": (170, 150, 50)}


def face(color):
    # The letter F, so that one sees how it is turned.
    def pixel(x, y):
        is_letter = 6 <= y < 26 and (8 <= x < 12 or (8 <= x < 24 and y < 10) or
                                     (8 <= x < 20 and 14 <= y < 18))
        return (255, 255, 255) if is_letter else color
    return pixel


def bar():
    """A round bar from (0, 0, 0) to (0, 2, 0), moved by ten joints in a chain: bone0 to bone9.

    Up to 8 of them move a vertex.
    """
    joints, rings, sides, radius = 10, 25, 12, 0.16
    spacing = 2 / (joints - 1)
    positions, normals, uvs, numbers, weights, indices = [], [], [], [], [], []
    for ring in range(rings):
        y = 2 * ring / (rings - 1)
        near = sorted(range(joints), key=lambda j: abs(j * spacing - y))[:8]
        shares = [math.exp(-((j * spacing - y) / spacing) ** 2) for j in near]
        for side in range(sides + 1):
            angle = 2 * math.pi * side / sides
            normals.append((math.cos(angle), 0, -math.sin(angle)))
            positions.append((radius * math.cos(angle), y, -radius * math.sin(angle)))
            uvs.append((side / sides * 2, 2 - y))
            numbers.append(near)
            weights.append([share / sum(shares) for share in shares])
    for ring in range(rings - 1):
        for side in range(sides):
            a = ring * (sides + 1) + side
            b = a + sides + 1
            indices += [a, a + 1, b + 1, a, b + 1, b]
    chunks, views, accessors = [], [], []

    def add(values, form, component, kind):
        data = b"".join(struct.pack("<%d%s" % (len(v), form), *v) for v in values)
        views.append({"buffer": 0, "byteOffset": sum(map(len, chunks)), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component,
                          "count": len(values), "type": kind})
        chunks.append(data + b"\0" * (-len(data) % 4))
        return len(accessors) - 1

    attributes = {"POSITION": add(positions, "f", 5126, "VEC3"),
                  "NORMAL": add(normals, "f", 5126, "VEC3"),
                  "TEXCOORD_0": add(uvs, "f", 5126, "VEC2"),
                  "JOINTS_0": add([n[:4] for n in numbers], "B", 5121, "VEC4"),
                  "WEIGHTS_0": add([w[:4] for w in weights], "f", 5126, "VEC4"),
                  "JOINTS_1": add([n[4:] for n in numbers], "B", 5121, "VEC4"),
                  "WEIGHTS_1": add([w[4:] for w in weights], "f", 5126, "VEC4")}
    accessors[0]["min"], accessors[0]["max"] = [-radius, 0, -radius], [radius, 2, radius]
    triangles = add([(i,) for i in indices], "H", 5123, "SCALAR")
    binds = add([(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -j * spacing, 0, 1)
                 for j in range(joints)], "f", 5126, "MAT4")
    nodes = [{"name": "bar", "mesh": 0, "skin": 0, "translation": [5, 6, 7]}]
    for j in range(joints):
        nodes.append({"name": "bone%d" % j, "translation": [0, spacing if j else 0, 0]})
        if j + 1 < joints:
            nodes[-1]["children"] = [j + 2]
    data = b"".join(chunks)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    model = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
             "nodes": nodes, "skins": [{"joints": list(range(1, joints + 1)),
                                        "inverseBindMatrices": binds}],
             "meshes": [{"name": "bar", "primitives": [{"attributes": attributes,
                                                        "indices": triangles}]}],
             "accessors": accessors, "bufferViews": views,
             "buffers": [{"byteLength": len(data), "uri": uri}]}
    (PROJECT / "meshes" / "bar.gltf").write_text(json.dumps(model) + "\n")


def main():
    bar()
    for pixel in (checker, stripes, bumps, metal_rings, glow, leaf, sky, frames):
        write(pixel.__name__, 64, pixel)
    for name, color in FACES.items():
        write("cube_" + name, 32, face(color))


if __name__ == "__main__":
    main()
