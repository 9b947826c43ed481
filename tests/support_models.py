"""A second reader of glTF 2 and OBJ, as plain as their specifications: what the compiled meshes are
compared with. It knows positions alone, in the engine's axes."""

import base64
import json
import os
import struct
import urllib.parse

FORMATS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
MOST = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}


class Gltf:
    def __init__(self, path):
        self.folder = os.path.dirname(path)
        with open(path, "rb") as file:
            data = file.read()
        self.chunk = b""
        if data[:4] == b"glTF":
            length, = struct.unpack_from("<I", data, 12)
            text, rest = data[20:20 + length], data[20 + length:]
            if len(rest) > 8:
                self.chunk = rest[8:8 + struct.unpack_from("<I", rest)[0]]
            data = text
        self.json = json.loads(data)

    def is_compressed(self):
        return "KHR_draco_mesh_compression" in self.json.get("extensionsUsed", [])

    def buffer(self, index):
        uri = self.json["buffers"][index].get("uri")
        if uri is None:
            return self.chunk
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        with open(os.path.join(self.folder, urllib.parse.unquote(uri)), "rb") as file:
            return file.read()

    def elements(self, where, kind, width, count):
        """`count` tuples of the view that `where` names."""
        view = self.json["bufferViews"][where["bufferView"]]
        data = self.buffer(view["buffer"])
        at = view.get("byteOffset", 0) + where.get("byteOffset", 0)
        item = struct.Struct("<%d%s" % (width, FORMATS[kind]))
        stride = view.get("byteStride") or item.size
        return [item.unpack_from(data, at + i * stride) for i in range(count)]

    def accessor(self, index):
        a = self.json["accessors"][index]
        kind, width, count = a["componentType"], WIDTHS[a["type"]], int(a["count"])
        rows = (self.elements(a, kind, width, count) if "bufferView" in a
                else [(0,) * width] * count)
        if "sparse" in a:
            s = a["sparse"]
            places = self.elements(s["indices"], s["indices"]["componentType"], 1, s["count"])
            values = self.elements(s["values"], kind, width, s["count"])
            for (place,), value in zip(places, values):
                rows[place] = value
        if a.get("normalized"):
            rows = [tuple(max(x / MOST[kind], -1) for x in row) for row in rows]
        return rows

    def triangles_of(self, primitive):
        points = self.accessor(primitive["attributes"]["POSITION"])
        order = ([i for i, in self.accessor(primitive["indices"])] if "indices" in primitive
                 else list(range(len(points))))
        mode = primitive.get("mode", 4)
        if mode == 4:
            corners = [order[i:i + 3] for i in range(0, len(order) - 2, 3)]
        elif mode == 5:
            corners = [order[i:i + 3] if i % 2 == 0 else [order[i], order[i + 2], order[i + 1]]
                       for i in range(len(order) - 2)]
        elif mode == 6:
            corners = [[order[0], order[i], order[i + 1]] for i in range(1, len(order) - 1)]
        else:
            corners = []
        return [[points[i] for i in triangle] for triangle in corners]

    def matrix(self, node):
        if "matrix" in node:
            m = node["matrix"]
            return [[m[c * 4 + r] for c in range(4)] for r in range(3)]
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        t, s = node.get("translation", (0, 0, 0)), node.get("scale", (1, 1, 1))
        r = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
             [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
             [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
        return [[r[i][k] * s[k] for k in range(3)] + [t[i]] for i in range(3)]

    def triangles(self):
        found = []

        def walk(index, parent):
            node = self.json["nodes"][index]
            m = multiply(parent, self.matrix(node))
            if "mesh" in node:
                for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
                    found.extend([move(m, p) for p in t] for t in self.triangles_of(primitive))
            for child in node.get("children", []):
                walk(child, m)

        for root in self.json["scenes"][self.json.get("scene", 0)].get("nodes", []):
            walk(root, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
        return [[y_up(p) for p in t] for t in found]


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0)
             for c in range(4)] for r in range(3)]


def move(m, p):
    return tuple(sum(row[k] * p[k] for k in range(3)) + row[3] for row in m)


def y_up(p):
    return (p[0], -p[2], p[1])


def gltf_points(path):
    """All corners of triangles with an area; None for what this reader cannot read."""
    file = Gltf(path)
    return None if file.is_compressed() else points_of(file.triangles())


def obj_points(path):
    """All corners of faces of three and more."""
    points, found = [], set()
    with open(path, encoding="latin-1") as file:
        text = file.read().replace("\\\n", " ")
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["v"]:
            points.append(tuple(float(x) for x in words[1:4]))
        elif words[:1] == ["f"] and len(words) > 3:
            for corner in words[1:]:
                index = int(corner.split("/")[0])
                found.add(y_up(points[index - 1 if index > 0 else index]))
    return found


def points_of(triangles):
    return {p for t in triangles if has_area(t) for p in t}


def has_area(t):
    a, b, c = t
    u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
    return any(u[i] * v[j] != u[j] * v[i] for i, j in ((0, 1), (1, 2), (2, 0)))


def distance(ours, theirs):
    """The farthest that a point of one set is from the other set, in parts of the whole's size; a
    value of 1 stands for farther than a thousandth."""
    size = max((max(abs(x) for x in p) for p in theirs), default=0) or 1
    step = size / 1000

    def grid(points):
        cells = {}
        for p in points:
            cells.setdefault(tuple(int(x // step) for x in p), []).append(p)
        return cells

    def farthest(points, cells):
        worst = 0
        for p in points:
            cell = [int(x // step) for x in p]
            near = [q for dx in (-1, 0, 1) for dy in (-1, 0, 1) for dz in (-1, 0, 1)
                    for q in cells.get((cell[0] + dx, cell[1] + dy, cell[2] + dz), ())]
            best = min((max(abs(x - y) for x, y in zip(p, q)) for q in near), default=size)
            worst = max(worst, best)
        return worst / size
    return max(farthest(ours, grid(theirs)), farthest(theirs, grid(ours)))
