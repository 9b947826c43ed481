#!/usr/bin/env python3
"""Writes the basic meshes of core as glTF 2 text: cube, sphere, plane, each one metre wide."""

import argparse
import base64
import json
import math
import pathlib
import struct

# Positions, normals and texture coordinates as glTF has them: right-handed, Y up.


def cube():
    vertices, indices = [], []
    for axis in range(3):
        for side in (1, -1):
            normal = [0, 0, 0]
            normal[axis] = side
            u_axis, v_axis = [(2, 1), (0, 2), (0, 1)][axis]
            first = len(vertices)
            for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):
                position = [0, 0, 0]
                position[axis] = side * 0.5
                position[u_axis], position[v_axis] = u - 0.5, 0.5 - v
                vertices.append((position, normal, (u, v)))
            a, b, c = (vertices[first + i][0] for i in range(3))
            edge1 = [b[i] - a[i] for i in range(3)]
            edge2 = [c[i] - a[i] for i in range(3)]
            facing = (edge1[(axis + 1) % 3] * edge2[(axis + 2) % 3] -
                      edge1[(axis + 2) % 3] * edge2[(axis + 1) % 3])
            quad = (0, 1, 2, 0, 2, 3) if facing * side > 0 else (0, 2, 1, 0, 3, 2)
            indices += [first + i for i in quad]
    return vertices, indices


def sphere(columns=32, rows=16):
    vertices, indices = [], []
    for row in range(rows + 1):
        polar = math.pi * row / rows
        for column in range(columns + 1):
            angle = 2 * math.pi * column / columns
            normal = (math.sin(polar) * math.cos(angle), math.cos(polar),
                      -math.sin(polar) * math.sin(angle))
            vertices.append(([n * 0.5 for n in normal], normal,
                             (column / columns, row / rows)))
    for row in range(rows):
        for column in range(columns):
            a = row * (columns + 1) + column
            b = a + columns + 1
            if row > 0:
                indices += [a, b + 1, a + 1]
            if row < rows - 1:
                indices += [a, b, b + 1]
    return vertices, indices


def plane():
    vertices = [((x - 0.5, 0, y - 0.5), (0, 1, 0), (x, y)) for y in (0, 1) for x in (0, 1)]
    return vertices, [0, 2, 3, 0, 3, 1]


def gltf(name, vertices, indices):
    streams = [b"".join(struct.pack(f"<{len(v[i])}f", *v[i]) for v in vertices) for i in range(3)]
    streams.append(struct.pack(f"<{len(indices)}H", *indices))
    views, offset = [], 0
    for i, stream in enumerate(streams):
        views.append({"buffer": 0, "byteOffset": offset, "byteLength": len(stream),
                      "target": 34962 if i < 3 else 34963})
        offset += len(stream)
    axes = list(zip(*(struct.unpack("<3f", struct.pack("<3f", *v[0])) for v in vertices)))
    count = len(vertices)
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3",
         "min": [min(a) for a in axes], "max": [max(a) for a in axes]},
        {"bufferView": 1, "componentType": 5126, "count": count, "type": "VEC3"},
        {"bufferView": 2, "componentType": 5126, "count": count, "type": "VEC2"},
        {"bufferView": 3, "componentType": 5123, "count": len(indices), "type": "SCALAR"}]
    data = base64.b64encode(b"".join(streams)).decode()
    return {
        "asset": {"version": "2.0", "generator": "tools/make_core_meshes.py"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": name, "mesh": 0}],
        "meshes": [{"name": name, "primitives": [
            {"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "indices": 3,
             "material": 0}]}],
        "materials": [{"name": "surface"}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": offset,
                     "uri": "data:application/octet-stream;base64," + data}]}


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "core" / "meshes"
    folder.mkdir(exist_ok=True)
    for name, make in (("cube", cube), ("sphere", sphere), ("plane", plane)):
        document = gltf(name, *make())
        (folder / f"{name}.gltf").write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
