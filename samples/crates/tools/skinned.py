"""Models with a skeleton, and the clips that move them: put together in the engine's space as in
models.py, written as glTF with a skin and animations, and as the engine's .skeleton.

All joints have the model's axes at rest, so a rotation in a clip turns about the model's axes."""

import base64
import json
import math
import struct

import models
from models import add, sub, to_gltf

RATE = 30  # keys a second

# --- Rotations ------------------------------------------------------------------------------------

NO_TURN = (0.0, 0.0, 0.0, 1.0)


def turned(axis, angle):
    """The rotation about "x", "y" or "z"; positive is counter-clockwise against the axis."""
    s, c = math.sin(angle / 2), math.cos(angle / 2)
    return tuple(s if name == axis else 0.0 for name in "xyz") + (c,)


def both(a, b):
    """The rotation b, then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def turns(x=0.0, y=0.0, z=0.0):
    """First about x (forwards is negative), then y, then z."""
    return both(turned("z", z), both(turned("y", y), turned("x", x)))


# --- Curves for clips -----------------------------------------------------------------------------


def mix(a, b, t):
    return a + (b - a) * t


def smooth(t):
    t = min(1.0, max(0.0, t))
    return t * t * (3 - 2 * t)


def through(keys, t):
    """The value at t of a smooth curve through [(t, value)]: flat before, after, and at turns."""
    if t <= keys[0][0]:
        return keys[0][1]
    for (t0, v0), (t1, v1) in zip(keys, keys[1:]):
        if t < t1:
            return mix(v0, v1, smooth((t - t0) / (t1 - t0)))
    return keys[-1][1]


# --- Skeletons ------------------------------------------------------------------------------------


class Skeleton:
    """Joints with their places at rest in the model, parents first."""

    def __init__(self, joints):
        """`joints`: [(name, parent or None, place)]."""
        self.names = [name for name, _, _ in joints]
        self.parents = {name: parent for name, parent, _ in joints}
        self.places = {name: place for name, _, place in joints}

    def offset(self, name):
        """The joint's place in its parent's space."""
        parent = self.parents[name]
        place = self.places[name]
        return sub(place, self.places[parent]) if parent else place

    def text(self, comment):
        """The engine's source of the skeleton."""
        lines = []
        for name in self.names:
            parent = '  parent = "%s"' % self.parents[name] if self.parents[name] else ""
            place = " ".join("%.4f" % (round(x, 4) + 0.0) for x in self.offset(name))
            lines.append('    { id = "%s"  name = "%s"%s  position = [%s] }' % (
                name, name, parent, place))
        return "// %s\njoints = [\n%s\n]\n" % (comment, "\n".join(lines))


# --- Skins ----------------------------------------------------------------------------------------


class SkinnedParts:
    """Shapes by material, with the joints that move each point."""

    def __init__(self):
        self.shapes, self.weights = {}, {}

    def add(self, material, shape, weigh):
        """`weigh`: a joint's name, or a function from a point to {name: weight}."""
        rule = (lambda _: {weigh: 1.0}) if isinstance(weigh, str) else weigh
        weights = [heaviest(rule(p)) for p in shape.positions]
        self.shapes.setdefault(material, models.Shape()).joined(shape)
        self.weights.setdefault(material, []).extend(weights)


def heaviest(weights, most=4):
    """The largest weights, made to add up to 1: [(name, weight)]."""
    rows = sorted(weights.items(), key=lambda row: (-row[1], row[0]))[:most]
    rows = [(name, weight) for name, weight in rows if weight > 0.005]
    total = sum(weight for _, weight in rows)
    return [(name, weight / total) for name, weight in rows]


def along(stations):
    """Weights by a number that grows along a chain: [(number, joint)], ascending. Between two of
    the numbers the weight passes smoothly from one joint to the next."""
    def weigh(number):
        if number <= stations[0][0]:
            return {stations[0][1]: 1.0}
        for (n0, a), (n1, b) in zip(stations, stations[1:]):
            if number < n1:
                t = smooth((number - n0) / (n1 - n0))
                return {a: 1 - t, b: t}
        return {stations[-1][1]: 1.0}
    return weigh


def by_height(stations):
    weigh = along(stations)
    return lambda p: weigh(p[2])


# --- Clips ----------------------------------------------------------------------------------------


class Clip:
    """`pose(t)` gives {joint: Pose} at t seconds; joints that it leaves out are at rest."""

    def __init__(self, name, seconds, pose):
        self.name, self.seconds, self.pose = name, seconds, pose
        self.num_frames = round(seconds * RATE)


class Pose:
    """Of a joint: how far from its place at rest, in its parent's space, its rotation, its scale."""

    def __init__(self, move=(0.0, 0.0, 0.0), turn=NO_TURN, scale=(1.0, 1.0, 1.0)):
        self.move, self.turn, self.scale = move, turn, scale


def tracks_of(skeleton, clip):
    """[(joint, "translation", "rotation" or "scale", rows in glTF's axes)] of all that moves or is
    not as at rest."""
    times = [frame * clip.seconds / clip.num_frames for frame in range(clip.num_frames + 1)]
    poses = [clip.pose(t) for t in times]
    tracks = []
    for name in skeleton.names:
        rest, rows = Pose(), {"translation": [], "rotation": [], "scale": []}
        last = NO_TURN
        for pose in poses:
            p = pose.get(name, rest)
            turn = p.turn if sum(a * b for a, b in zip(p.turn, last)) >= 0 else tuple(
                -x for x in p.turn)
            last = turn
            rows["translation"].append(rounded(to_gltf(add(skeleton.offset(name), p.move))))
            rows["rotation"].append(rounded(to_gltf(turn[:3]) + turn[3:]))
            rows["scale"].append(rounded((p.scale[0], p.scale[2], p.scale[1])))
        resting = {"translation": rounded(to_gltf(skeleton.offset(name))),
                   "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}
        tracks += [(name, path, values) for path, values in rows.items()
                   if any(row != resting[path] for row in values)]
    return [round(t, 5) for t in times], tracks


def rounded(row):
    return tuple(round(x, 5) + 0.0 for x in row)


# --- glTF -----------------------------------------------------------------------------------------


class SkinBuffer(models.Buffer):
    """A buffer that has joints' numbers, matrices and keys too."""

    def add_raw(self, kind, component, count, data, **more):
        data += bytes(-len(data) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component,
                               "count": count, "type": kind, **more})
        return len(self.accessors) - 1

    def add_joints(self, rows):
        data = b"".join(bytes(row) for row in rows)
        return self.add_raw("VEC4", 5121, len(rows), data)

    def add_floats(self, kind, rows, **more):
        data = b"".join(struct.pack("<%df" % len(row), *row) for row in rows)
        return self.add_raw(kind, 5126, len(rows), data, **more)


def add_primitive(buffer, skeleton, shape, weights, material):
    numbers = {name: i for i, name in enumerate(skeleton.names)}
    joints = [[numbers[name] for name, _ in row] + [0] * (4 - len(row)) for row in weights]
    shares = [rounded([w for _, w in row] + [0.0] * (4 - len(row))) for row in weights]
    attributes = {
        "POSITION": buffer.add("VEC3", [rounded(to_gltf(p)) for p in shape.positions],
                               has_bounds=True),
        "NORMAL": buffer.add("VEC3", [to_gltf(n) for n in shape.normals]),
        "TANGENT": buffer.add("VEC4", [to_gltf(t) for t in shape.tangents()]),
        "TEXCOORD_0": buffer.add("VEC2", shape.uvs),
        "JOINTS_0": buffer.add_joints(joints),
        "WEIGHTS_0": buffer.add_floats("VEC4", shares),
    }
    indices = buffer.add("SCALAR", [i for t in shape.triangles for i in t], is_index=True)
    return {"attributes": attributes, "indices": indices, "material": material}


def add_clip(buffer, skeleton, clip):
    times, tracks = tracks_of(skeleton, clip)
    inputs = buffer.add_floats("SCALAR", [(t,) for t in times], min=[times[0]], max=[times[-1]])
    samplers, channels = [], []
    for name, path, rows in tracks:
        kind = "VEC4" if path == "rotation" else "VEC3"
        channels.append({"sampler": len(samplers),
                         "target": {"node": 1 + skeleton.names.index(name), "path": path}})
        samplers.append({"input": inputs, "output": buffer.add_floats(kind, rows),
                         "interpolation": "LINEAR"})
    return {"name": clip.name, "samplers": samplers, "channels": channels}


def joint_nodes(skeleton):
    nodes = []
    for name in skeleton.names:
        node = {"name": name, "translation": list(rounded(to_gltf(skeleton.offset(name))))}
        children = [1 + i for i, other in enumerate(skeleton.names)
                    if skeleton.parents[other] == name]
        if children:
            node["children"] = children
        nodes.append(node)
    return nodes


def write_gltf(path, name, skeleton, parts, clips):
    """Writes the model, its skin and its clips. Node 0 is the mesh, the joints follow."""
    buffer = SkinBuffer()
    primitives = [add_primitive(buffer, skeleton, shape, parts.weights[material], i)
                  for i, (material, shape) in enumerate(parts.shapes.items())]
    inverse = []
    for joint in skeleton.names:
        x, y, z = rounded(to_gltf(skeleton.places[joint]))
        inverse.append((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1))
    binds = buffer.add_floats("MAT4", inverse)
    animations = [add_clip(buffer, skeleton, clip) for clip in clips]
    uri = "data:application/octet-stream;base64," + base64.b64encode(buffer.data).decode()
    tops = [1 + i for i, joint in enumerate(skeleton.names) if not skeleton.parents[joint]]
    document = {
        "asset": {"version": "2.0", "generator": models.GENERATOR},
        "scene": 0, "scenes": [{"nodes": [0] + tops}],
        "nodes": [{"name": name, "mesh": 0, "skin": 0}] + joint_nodes(skeleton),
        "meshes": [{"name": name, "primitives": primitives}],
        "materials": [models.gltf_material(material) for material in parts.shapes],
        "skins": [{"name": name, "joints": [1 + i for i in range(len(skeleton.names))],
                   "inverseBindMatrices": binds}],
        "animations": animations,
        "accessors": buffer.accessors, "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data), "uri": uri}],
    }
    with open(path, "w") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


def report(name, skeleton, parts, clips):
    count = sum(len(shape.positions) for shape in parts.shapes.values())
    print(f"{name}: {count} vertices, {', '.join(parts.shapes)}; {len(skeleton.names)} joints; "
          f"clips {', '.join(clip.name for clip in clips)}")
