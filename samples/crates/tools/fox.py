"""The player of the sample: a round fox with a scarf, 1.25 m high, its skeleton and its clips."""

import math

import skinned
from models import add, ball, cone, ring, turn_x, turn_y
from skinned import Clip, Pose, Skeleton, SkinnedParts, by_height, mix, through, turns

SIDES = (("left", -1), ("right", 1))
TAIL_AT, TAIL_LIFT = (0.0, -0.20, 0.30), -0.15


def tail_point(p):
    """From a straight tail backwards from the origin to its bent place at the fox."""
    along = -p[1]
    bent = (p[0], -along * (1 - 0.15 * along), p[2] + 0.9 * along * along)
    return add(turn_x(bent, TAIL_LIFT), TAIL_AT)


def skeleton():
    joints = [
        ("root", None, (0, 0, 0)),
        ("hips", "root", (0, -0.01, 0.28)),
        ("chest", "hips", (0, -0.01, 0.52)),
        ("head", "chest", (0, 0, 0.70)),
        ("flap", "chest", (-0.03, -0.24, 0.69)),
        ("tail_1", "hips", TAIL_AT),
        ("tail_2", "tail_1", tail_point((0, -0.18, 0))),
        ("tail_3", "tail_2", tail_point((0, -0.36, 0))),
    ]
    for name, side in SIDES:
        joints += [
            ("ear_" + name, "head", (side * 0.2, -0.01, 1.055)),
            ("hand_" + name, "chest", (side * 0.31, 0.06, 0.47)),
            ("foot_" + name, "root", (side * 0.14, 0.02, 0.075)),
        ]
    return Skeleton(joints)


# --- The model ------------------------------------------------------------------------------------


def add_head(parts):
    head = ball((0.33, 0.28, 0.265), (0, 0.02, 0.90), 18, 11)
    # Cheeks: wider below the eyes, drawn out to the sides.
    head.moved(lambda p: (p[0] * (1 + 0.20 * math.exp(-((p[2] - 0.82) / 0.09) ** 2)), p[1], p[2]))
    parts.add("fur", head, "head")
    muzzle = ball((0.21, 0.16, 0.12), (0, 0.17, 0.805), 14, 8)
    muzzle.moved(lambda p: (p[0] * (1 - 1.4 * max(p[1] - 0.17, 0)), p[1] * 1.0 + max(p[1] - 0.2, 0),
                            p[2] - 0.12 * max(p[1] - 0.2, 0)))
    parts.add("cream", muzzle, "head")
    parts.add("dark", ball((0.05, 0.045, 0.04), (0, 0.45, 0.835), 8, 6), "head")
    for name, side in SIDES:
        parts.add("dark", ball((0.042, 0.03, 0.062), (side * 0.135, 0.268, 0.945), 8, 6), "head")
        parts.add("cream", ball((0.016, 0.012, 0.018), (side * 0.135 + 0.012, 0.295, 0.968), 6, 4),
                  "head")
        for material, size, forward in (("fur", 1.0, 0.0), ("dark", 0.62, 0.05)):
            ear = cone(0.135 * size, 0.33 * size, (0, 0, 0), 10)
            ear.moved(lambda p: (p[0], p[1] * 0.5 + forward, p[2]))
            ear.moved(lambda p: add(turn_y(turn_x(p, -0.12), side * 0.42),
                                    (side * 0.2, -0.01, 1.055 + (1 - size) * 0.12)))
            parts.add(material, ear, by_height([(1.0, "head"), (1.17, "ear_" + name)]))


def add_tail(parts):
    weigh = skinned.along([(0.10, "tail_1"), (0.27, "tail_2"), (0.45, "tail_3")])
    for material, radii, y, rows in (("fur", (0.125, 0.125, 0.30), -0.26, 9),
                                     ("cream", (0.128, 0.128, 0.145), -0.46, 7)):
        lying = ball(radii, (0, 0, 0), 12, rows)
        lying.moved(lambda p: add(turn_x(p, math.pi / 2), (0, y, 0)))
        straight = iter(list(lying.positions))
        parts.add(material, lying.moved(tail_point), lambda _: weigh(-next(straight)[1]))


def model():
    parts = SkinnedParts()
    body = by_height([(0.26, "hips"), (0.58, "chest")])
    parts.add("fur", ball((0.26, 0.24, 0.31), (0, -0.01, 0.44), 14, 9), body)
    parts.add("cream", ball((0.19, 0.17, 0.24), (0, 0.085, 0.43), 12, 8), body)
    add_head(parts)
    add_tail(parts)
    for name, side in SIDES:
        parts.add("dark", ball((0.095, 0.135, 0.078), (side * 0.14, 0.05, 0.078), 10, 7),
                  "foot_" + name)
        parts.add("dark", ball((0.074, 0.097, 0.074), (side * 0.31, 0.08, 0.47), 10, 7),
                  "hand_" + name)
    parts.add("scarf", ring(0.205, 0.068, (0, 0.0, 0.685)), "chest")
    flap = ball((0.075, 0.03, 0.19), (0, 0, 0), 10, 6)
    parts.add("scarf", flap.moved(lambda p: add(turn_y(turn_x(p, -0.45), 0.25),
                                                (-0.07, -0.30, 0.58))),
              by_height([(0.58, "flap"), (0.74, "chest")]))
    return parts


# --- Clips ----------------------------------------------------------------------------------------


def squash(pose, height, sink=0.0, **turn):
    """Scales the body from the hips up, keeps its volume, and the head nearer to its own shape."""
    width = 1 / math.sqrt(height)
    pose["hips"] = Pose((0, 0, sink), turns(**turn), (width, width, height))
    back = height ** -0.55
    pose["head_scale"] = (1 / math.sqrt(back), 1 / math.sqrt(back), back)


def head(pose, **turn):
    pose["head"] = Pose(turn=turns(**turn), scale=pose.pop("head_scale", (1.0, 1.0, 1.0)))


def tail(pose, wag, lift):
    """`wag` and `lift` are functions from a joint's number, 0 to 2."""
    for i in range(3):
        pose["tail_%d" % (i + 1)] = Pose(turn=turns(x=lift(i), z=wag(i)))


def idle(t):
    turn = 2 * math.pi * t / 2.4
    breath = math.sin(turn)
    pose = {}
    squash(pose, 1 + 0.022 * breath, y=0.025 * math.sin(turn + 0.4))
    pose["chest"] = Pose(scale=(1 + 0.012 * breath, 1 + 0.02 * breath, 1.0),
                         turn=turns(x=-0.02 * math.sin(turn - 0.4)))
    head(pose, x=0.035 * math.sin(turn - 0.9), y=-0.05 * math.sin(turn + 0.2),
         z=0.09 * math.sin(turn + 1.2))
    tail(pose, lambda i: (0.20 + 0.07 * i) * math.sin(2 * turn - 0.75 * i),
         lambda i: 0.06 * math.sin(turn - 0.5 * i))
    pose["flap"] = Pose(turn=turns(x=-0.06 * (1 + math.sin(turn - 1.0)), z=0.05 * math.sin(turn)))
    for name, side in SIDES:
        pose["hand_" + name] = Pose((side * 0.008 * breath, 0, 0.012 * math.sin(turn - 0.3)))
        twitch_at = 1.3 if side > 0 else 0.45
        twitch = through([(twitch_at, 0), (twitch_at + 0.07, 1), (twitch_at + 0.16, -0.35),
                          (twitch_at + 0.3, 0)], t)
        pose["ear_" + name] = Pose(turn=turns(x=0.05 * math.sin(turn - 1.2) + 0.16 * twitch,
                                              y=side * 0.22 * twitch))
    return pose


def stride(t, seconds, pace):
    """Feet forwards and back, hands the other way; `pace` 0 to 1."""
    turn = 2 * math.pi * t / seconds
    pose, flight = {}, abs(math.sin(turn)) ** 1.5 * 0.08 * pace
    squash(pose, 1 - (0.055 * math.cos(2 * turn) - 0.02) * pace, flight - 0.015 * pace,
           x=-0.20 * pace, y=0.05 * math.cos(turn) * pace, z=-0.14 * math.sin(turn) * pace)
    pose["chest"] = Pose(turn=turns(x=-0.05 * pace, z=0.30 * math.sin(turn) * pace))
    head(pose, x=(0.17 + 0.05 * math.cos(2 * turn - 0.8)) * pace, y=-0.04 * math.cos(turn) * pace,
         z=-0.17 * math.sin(turn) * pace)
    tail(pose, lambda i: (0.16 + 0.06 * i) * math.sin(turn - 0.8 * i - 0.5) * pace,
         lambda i: (-0.10 + (0.10 + 0.03 * i) * math.sin(2 * turn - 0.9 * i)) * pace)
    pose["flap"] = Pose(turn=turns(x=(-0.55 + 0.22 * math.sin(2 * turn - 1.3)) * pace,
                                   z=0.12 * math.sin(turn - 0.8) * pace))
    for name, side in SIDES:
        own = turn + (math.pi if side > 0 else 0)
        swing, lift = math.sin(own) * pace, max(0.0, math.cos(own)) * pace
        pose["foot_" + name] = Pose((-side * 0.03 * pace, swing * 0.27 - 0.02 * pace,
                                     lift * 0.17 + flight * 0.5 + 0.012 * pace),
                                    turns(x=-0.25 * lift + 0.5 * max(swing, 0) + 0.75 * min(swing, 0)))
        pose["hand_" + name] = Pose((0, 0.03 * pace - swing * 0.25, abs(swing) * 0.09 + 0.03 * pace),
                                    turns(x=-swing * 0.6))
        pose["ear_" + name] = Pose(turn=turns(x=(0.22 + 0.16 * math.sin(2 * turn - 1.0)) * pace))
    return pose


def in_air(t, seconds, up):
    """`up`: 1 rises, 0 falls."""
    turn = 2 * math.pi * t / seconds
    flutter, pose = math.sin(turn), {}
    squash(pose, mix(1.0, 1.09, up) + 0.01 * flutter, 0.0, x=mix(-0.14, 0.05, up))
    pose["chest"] = Pose(turn=turns(x=mix(-0.08, 0.08, up)))
    head(pose, x=mix(-0.10, 0.12, up) + 0.02 * math.sin(turn - 0.8))
    tail(pose, lambda i: 0.08 * math.sin(turn - 0.9 * i),
         lambda i: mix(-0.28 - 0.07 * i, 0.24 - 0.02 * i, up) + 0.05 * math.sin(turn - 0.7 * i))
    pose["flap"] = Pose(turn=turns(x=mix(-1.5, -0.1, up) + 0.12 * flutter, z=0.1 * flutter))
    for name, side in SIDES:
        pose["hand_" + name] = Pose((side * mix(0.08, 0.05, up), mix(0.05, 0.02, up),
                                     mix(0.27, 0.20, up) + side * 0.03 * flutter * (1.3 - up)),
                                    turns(x=0.4))
        pose["foot_" + name] = Pose((0, mix(0.07, -0.09, up) + side * mix(0.05, 0.03, up),
                                     mix(0.03, -0.01, up) + side * 0.02 * flutter * (1 - up)),
                                    turns(x=mix(0.25, -0.75, up)))
        pose["ear_" + name] = Pose(turn=turns(x=mix(-0.14, 0.38, up) + 0.05 * flutter,
                                              y=-side * mix(0.12, 0.0, up)))
    return pose


def blended(a, b, t):
    """The pose between two, for clips that lead into others."""
    pose = {}
    for name in set(a) | set(b):
        p, q = a.get(name, Pose()), b.get(name, Pose())
        turn = tuple(mix(x, y, t) for x, y in zip(p.turn, q.turn))
        length = math.sqrt(sum(x * x for x in turn))
        pose[name] = Pose(tuple(mix(x, y, t) for x, y in zip(p.move, q.move)),
                          tuple(x / length for x in turn),
                          tuple(mix(x, y, t) for x, y in zip(p.scale, q.scale)))
    return pose


JUMP_SECONDS, LAND_SECONDS = 0.3, 0.4


def crouch(depth, reach):
    """Low and wide; `reach` lets hands swing forwards and up."""
    pose = {}
    squash(pose, 1 - 0.30 * depth, -0.05 * depth, x=-0.16 * depth)
    pose["chest"] = Pose(turn=turns(x=-0.10 * depth))
    head(pose, x=0.10 * depth)
    tail(pose, lambda i: 0.0, lambda i: (-0.22 - 0.10 * i) * depth)
    pose["flap"] = Pose(turn=turns(x=-0.5 * depth))
    for name, side in SIDES:
        pose["hand_" + name] = Pose((side * 0.07 * depth, mix(-0.10, 0.16, reach) * depth,
                                     mix(-0.10, 0.10, reach) * depth))
        pose["foot_" + name] = Pose((side * 0.05 * depth, 0.02 * depth, 0))
        pose["ear_" + name] = Pose(turn=turns(x=0.30 * depth, y=side * 0.25 * depth))
    return pose


def jump(t):
    """From a crouch into a stretch that goes on as the rising clip."""
    up = in_air(t, 0.6, 1)
    pose = blended(crouch(0.75, 0.0), up, skinned.smooth(t / 0.12))
    stretch = through([(0.03, 0), (0.11, 1), (JUMP_SECONDS, 0)], t)
    hips, width = pose["hips"], 1 - 0.06 * stretch
    pose["hips"] = Pose(hips.move, hips.turn,
                        (hips.scale[0] * width, hips.scale[1] * width,
                         hips.scale[2] * (1 + 0.13 * stretch)))
    for name, _ in SIDES:
        foot = pose["foot_" + name]
        pose["foot_" + name] = Pose(add(foot.move, (0, -0.03 * stretch, -0.05 * stretch)),
                                    foot.turn, foot.scale)
    return pose


def land(t):
    """Squashed at once, then up, a little too far, and at rest as in the idle clip."""
    depth = through([(0, 0.55), (0.07, 1), (0.21, -0.24), (0.32, 0.06), (LAND_SECONDS, 0)], t)
    late = through([(0, 0.1), (0.11, 1), (0.26, -0.4), (LAND_SECONDS, 0)], t)
    pose = crouch(depth, 0.75)
    tail(pose, lambda i: 0.0, lambda i: 0.26 * late * (1 + 0.3 * i))
    for name, side in SIDES:
        pose["ear_" + name] = Pose(turn=turns(x=-0.28 * late, y=side * 0.20 * late))
        foot = pose["foot_" + name]
        pose["foot_" + name] = Pose((foot.move[0], foot.move[1], 0))
    return blended(pose, idle(0), skinned.smooth(t / LAND_SECONDS) ** 2)


def clips():
    return [
        Clip("idle", 2.4, idle),
        Clip("trot", 0.5, lambda t: stride(t, 0.5, 0.55)),
        Clip("run", 0.4, lambda t: stride(t, 0.4, 1.0)),
        Clip("jump", JUMP_SECONDS, jump),
        Clip("rise", 0.6, lambda t: in_air(t, 0.6, 1)),
        Clip("fall", 0.6, lambda t: in_air(t, 0.6, 0)),
        Clip("land", LAND_SECONDS, land),
    ]


def write_all(folder):
    bones, parts, all_clips = skeleton(), model(), clips()
    skinned.write_gltf(f"{folder}/fox.gltf", "fox", bones, parts, all_clips)
    with open(f"{folder}/fox.skeleton", "w") as file:
        file.write(bones.text("The fox's joints. Written by tools/fox.py."))
    skinned.report("fox", bones, parts, all_clips)
