"""The people of the sample: rabbits in coats, 2 m high with their ears, with a skeleton of 60 joints
and clips. Uses the tools of the crates sample."""

import math

import skinned
from models import Shape, add, ball, cross, ring, soft_patch, sub, times, turn_x, turn_y, unit
from skinned import Clip, Pose, Skeleton, SkinnedParts, along, by_height, smooth, through, turns

SIDES = (("left", -1), ("right", 1))
FINGERS = ("thumb", "index", "middle", "small")

HIP, KNEE, ANKLE = (0.115, 0.0, 0.60), (0.115, 0.02, 0.34), (0.115, -0.01, 0.09)
SHOULDER, ELBOW, WRIST = (0.215, 0.0, 1.04), (0.300, -0.01, 0.85), (0.345, 0.03, 0.67)


def at(side, place):
    return (side * place[0], place[1], place[2])


def finger_joints(side):
    """The places of the three joints of each finger of a hand."""
    result = {}
    for i, finger in enumerate(FINGERS):
        if finger == "thumb":
            first, step = (WRIST[0] - 0.035, WRIST[1] + 0.045, WRIST[2] - 0.03), (-0.008, 0.022, -0.022)
        else:
            first = (WRIST[0] + 0.012, WRIST[1] + 0.05 - 0.035 * i, WRIST[2] - 0.075)
            step = (0.004, 0.002, -0.030)
        result[finger] = [at(side, add(first, times(step, k))) for k in range(4)]
    return result


def ear_place(side, up):
    return (side * (0.10 + 0.14 * up), -0.02 - 0.10 * up * up, 1.58 + 0.42 * up)


def skeleton():
    joints = [
        ("root", None, (0, 0, 0)), ("hips", "root", (0, 0, 0.62)), ("spine", "hips", (0, 0, 0.74)),
        ("belly", "spine", (0, 0, 0.86)), ("chest", "belly", (0, 0, 0.98)),
        ("neck", "chest", (0, 0, 1.13)), ("head", "neck", (0, 0, 1.20)),
        ("jaw", "head", (0, 0.12, 1.29)),
        ("tail_1", "hips", (0, -0.22, 0.68)), ("tail_2", "tail_1", (0, -0.29, 0.70)),
    ]
    for name, side in SIDES:
        joints += [
            ("ear_%s_1" % name, "head", ear_place(side, 0.0)),
            ("ear_%s_2" % name, "ear_%s_1" % name, ear_place(side, 0.38)),
            ("ear_%s_3" % name, "ear_%s_2" % name, ear_place(side, 0.72)),
            ("eye_" + name, "head", (side * 0.10, 0.225, 1.43)),
            ("brow_" + name, "head", (side * 0.10, 0.215, 1.505)),
            ("thigh_" + name, "hips", at(side, HIP)),
            ("shin_" + name, "thigh_" + name, at(side, KNEE)),
            ("foot_" + name, "shin_" + name, at(side, ANKLE)),
            ("toe_" + name, "foot_" + name, (side * 0.115, 0.11, 0.03)),
            ("shoulder_" + name, "chest", (side * 0.09, 0, 1.07)),
            ("upper_arm_" + name, "shoulder_" + name, at(side, SHOULDER)),
            ("lower_arm_" + name, "upper_arm_" + name, at(side, ELBOW)),
            ("hand_" + name, "lower_arm_" + name, at(side, WRIST)),
        ]
        for finger, places in finger_joints(side).items():
            parent = "hand_" + name
            for k in range(3):
                joint = "%s_%s_%d" % (finger, name, k + 1)
                joints.append((joint, parent, places[k]))
                parent = joint
    return Skeleton(joints)


# --- Shapes ---------------------------------------------------------------------------------------


def tube(points, radii, columns):
    """A tube through points, closed at its end; `rings` tells the number of each point's ring."""
    shape, rings = Shape(), []
    for i, (p, radius) in enumerate(zip(points, radii)):
        way = unit(sub(points[min(i + 1, len(points) - 1)], points[max(i - 1, 0)]))
        side = unit(cross(way, (0, 1, 0)))
        other = cross(way, side)
        for k in range(columns):
            turn = 2 * math.pi * k / columns
            out = add(times(side, math.cos(turn)), times(other, math.sin(turn)))
            shape.vertex(add(p, times(out, radius)), out)
            rings.append(i)
    way = unit(sub(points[-1], points[-2]))
    tip = shape.vertex(add(points[-1], times(way, radii[-1] * 0.8)), way)
    rings.append(len(points) - 1)
    for i in range(len(points) - 1):
        for k in range(columns):
            a, b = i * columns + k, i * columns + (k + 1) % columns
            shape.quad(a, b, b + columns, a + columns)
    last = (len(points) - 1) * columns
    for k in range(columns):
        shape.triangles.append((last + k, last + (k + 1) % columns, tip))
    return shape, rings


def by_ring(rings, weights):
    """Weights for the points of a tube: `weights` has {joint: weight} for each ring."""
    order = iter(rings)
    return lambda _: weights[next(order)]


def between(a, b, t):
    return add(times(a, 1 - t), times(b, t))


class Painter:
    """Adds shapes whose coordinates are in one block of the palette."""

    def __init__(self, parts, paint):
        self.parts, self.paint = parts, paint

    def add(self, color, shape, weigh):
        self.parts.add("palette", self.paint(shape, color), weigh)


def add_head(model):
    head = by_height([(1.14, "neck"), (1.24, "head")])
    model.add("fur", ball((0.25, 0.235, 0.235), (0, 0.01, 1.40), 14, 9), head)
    for side in (-1, 1):
        model.add("cream", ball((0.085, 0.075, 0.07), (side * 0.06, 0.205, 1.325), 8, 5), "head")
    model.add("cream", ball((0.055, 0.055, 0.04), (0, 0.19, 1.265), 6, 4), "jaw")
    model.add("pink", ball((0.032, 0.024, 0.024), (0, 0.282, 1.365), 6, 4), "head")
    for name, side in SIDES:
        model.add("dark", ball((0.03, 0.022, 0.048), (side * 0.10, 0.225, 1.43), 7, 5), "eye_" + name)
        brow = ball((0.036, 0.012, 0.011), (0, 0, 0), 6, 3)
        model.add("dark", brow.moved(lambda p: add(turn_y(p, side * 0.2),
                                                   (side * 0.10, 0.215, 1.515))), "brow_" + name)
        chain = along([(0.0, "head"), (0.10, "ear_%s_1" % name), (0.36, "ear_%s_1" % name),
                       (0.46, "ear_%s_2" % name), (0.68, "ear_%s_2" % name),
                       (0.82, "ear_%s_3" % name)])
        for color, width, depth, length, forward in (("fur", 0.078, 0.035, 0.25, 0.0),
                                                     ("pink", 0.045, 0.02, 0.19, 0.022)):
            ear = ball((width, depth, length), (0, 0, 0), 7, 7)
            up = iter([0.5 + p[2] / 0.42 for p in ear.positions])
            ear.moved(lambda p: add((p[0], p[1] + forward, 0), ear_place(side, 0.5 + p[2] / 0.42)))
            model.add(color, ear, lambda _: chain(next(up)))


def add_arm(model, name, side):
    shoulder, elbow, wrist = at(side, SHOULDER), at(side, ELBOW), at(side, WRIST)
    upper, lower, hand = ("%s_%s" % (part, name) for part in ("upper_arm", "lower_arm", "hand"))
    start = between((side * 0.13, 0, 1.07), shoulder, 0.0)
    sleeve, rings = tube([start, shoulder, between(shoulder, elbow, 0.6), elbow,
                          between(elbow, wrist, 0.4), between(elbow, wrist, 0.92)],
                         [0.07, 0.085, 0.075, 0.072, 0.07, 0.078], 7)
    model.add("coat", sleeve, by_ring(rings, [
        {"chest": 0.5, "shoulder_" + name: 0.5}, {"shoulder_" + name: 0.5, upper: 0.5}, {upper: 1},
        {upper: 0.5, lower: 0.5}, {lower: 1}, {lower: 1}]))
    palm = add(wrist, (side * 0.004, 0.005, -0.035))
    model.add("fur", ball((0.042, 0.058, 0.058), palm, 7, 5), hand)
    for finger, places in finger_joints(side).items():
        joints = ["%s_%s_%d" % (finger, name, k + 1) for k in range(3)]
        shape, rings = tube(places, [0.021, 0.020, 0.018, 0.014], 4)
        model.add("fur", shape, by_ring(rings, [
            {hand: 0.5, joints[0]: 0.5}, {joints[0]: 0.5, joints[1]: 0.5},
            {joints[1]: 0.5, joints[2]: 0.5}, {joints[2]: 1}]))


def add_leg(model, name, side):
    hip, knee, ankle = at(side, HIP), at(side, KNEE), at(side, ANKLE)
    thigh, shin, foot = ("%s_%s" % (part, name) for part in ("thigh", "shin", "foot"))
    leg, rings = tube([add(hip, (0, 0, 0.05)), between(hip, knee, 0.5), knee,
                       between(knee, ankle, 0.5), between(knee, ankle, 0.88)],
                      [0.115, 0.105, 0.09, 0.085, 0.088], 7)
    model.add("trousers", leg, by_ring(rings, [
        {"hips": 0.6, thigh: 0.4}, {thigh: 1}, {thigh: 0.5, shin: 0.5}, {shin: 1}, {shin: 1}]))
    toes = along([(0.06, foot), (0.14, "toe_" + name)])
    shoe = ball((0.082, 0.15, 0.075), (side * 0.118, 0.055, 0.066), 9, 6)
    # Flat below.
    shoe.moved(lambda p: (p[0], p[1], max(p[2], 0.012 + 0.12 * (p[2] - 0.012))))
    model.add("shoe", shoe, lambda p: toes(p[1]))


def model(paint):
    """`paint(shape, color)` sets a shape's texture coordinates."""
    parts = SkinnedParts()
    painter = Painter(parts, paint)
    body = by_height([(0.58, "hips"), (0.74, "spine"), (0.88, "belly"), (1.02, "chest"),
                      (1.14, "neck")])
    painter.add("trousers", ball((0.235, 0.205, 0.15), (0, 0, 0.615), 12, 6), body)
    coat = ball((0.285, 0.25, 0.32), (0, 0.005, 0.88), 14, 9)
    # Narrower at the shoulders.
    coat.moved(lambda p: (p[0] * (1 - 0.42 * max(p[2] - 0.80, 0)),
                          p[1] * (1 - 0.42 * max(p[2] - 0.80, 0)), p[2]))
    painter.add("coat", coat, body)
    for z in (0.80, 0.92, 1.03):
        painter.add("cream", ball((0.02, 0.012, 0.02), (0, 0.247 - (z - 0.86) ** 2 * 1.4, z), 5, 3),
                    body)
    collar = ring(0.135, 0.052, (0, 0, 1.145), 10, 5)
    painter.add("scarf", collar, by_height([(1.08, "chest"), (1.18, "neck")]))
    add_head(painter)
    tail = along([(0.22, "tail_1"), (0.30, "tail_2")])
    painter.add("cream", ball((0.085, 0.085, 0.085), (0, -0.26, 0.69), 7, 5), lambda p: tail(-p[1]))
    for name, side in SIDES:
        add_arm(painter, name, side)
        add_leg(painter, name, side)
    return parts


def shadow():
    """A soft patch below, for where the sun's shadows are not drawn."""
    outline = [(0.36 * math.cos(math.pi * i / 8), 0.31 * math.sin(math.pi * i / 8))
               for i in range(16)]
    return soft_patch(outline, 0.16, 0.14).moved(lambda p: add(p, (0, 0, 0.012)))


# --- Clips ----------------------------------------------------------------------------------------


def leg_pose(pose, name, hips_z, ankle, pitch, toe):
    """Places a foot: the ankle at (y, z) in the model, its pitch; the toes bend by `toe`."""
    l1 = math.hypot(KNEE[1] - HIP[1], KNEE[2] - HIP[2])
    l2 = math.hypot(ANKLE[1] - KNEE[1], ANKLE[2] - KNEE[2])
    y, z = ankle[0] - HIP[1], ankle[1] - (HIP[2] + hips_z)
    distance = min(math.hypot(y, z), (l1 + l2) * 0.9995)
    inner = (l1 * l1 + distance * distance - l2 * l2) / (2 * l1 * distance)
    thigh = math.atan2(y, -z) + math.acos(max(-1.0, min(1.0, inner)))
    knee = (l1 * math.sin(thigh), -l1 * math.cos(thigh))
    shin = math.atan2(y - knee[0], -(z - knee[1]))
    # At rest, thigh and shin are not quite upright.
    thigh -= math.atan2(KNEE[1] - HIP[1], HIP[2] - KNEE[2])
    shin -= math.atan2(ANKLE[1] - KNEE[1], KNEE[2] - ANKLE[2])
    pose["thigh_" + name] = Pose(turn=turns(x=thigh))
    pose["shin_" + name] = Pose(turn=turns(x=shin - thigh))
    pose["foot_" + name] = Pose(turn=turns(x=pitch - shin))
    pose["toe_" + name] = Pose(turn=turns(x=toe))


def fingers(pose, name, side, curl):
    """Bends the fingers towards the palm, which faces inwards; `curl(i)` for finger i."""
    for i, finger in enumerate(FINGERS):
        for k in range(3):
            angle = curl(i) * (0.7 + 0.25 * k)
            turn = turns(x=0.5 * angle) if finger == "thumb" else turns(y=side * angle)
            pose["%s_%s_%d" % (finger, name, k + 1)] = Pose(turn=turn)


def blink(pose, t, times_of_blinks):
    lid = 1.0
    for at_time in times_of_blinks:
        lid = min(lid, through([(at_time, 1), (at_time + 0.07, 0.12), (at_time + 0.17, 1)], t))
    for name, _ in SIDES:
        pose["eye_" + name] = Pose(scale=(1.0, 1.0, lid))
        pose["brow_" + name] = Pose((0, 0, -0.012 * (1 - lid)))


def ears(pose, turn, swing, back, apart=0.0):
    """Each part of an ear follows the one below it, later."""
    for name, side in SIDES:
        for k in range(3):
            angle = back * (1.0 - 0.2 * k) + swing * (0.6 + 0.35 * k) * math.sin(turn - 0.9 * k)
            pose["ear_%s_%d" % (name, k + 1)] = Pose(turn=turns(x=angle, y=side * apart))


IDLE_SECONDS, WALK_SECONDS, WAVE_SECONDS = 3.2, 1.1, 1.8
WALK_LENGTH = 1.2   # metres of a round, which has two strides
STANCE = 0.58       # the share of a stride in which a foot is on the ground
STEP = WALK_LENGTH / 2 * STANCE / 2  # metres from the middle to where a foot meets the ground


def idle(t):
    turn = 2 * math.pi * t / IDLE_SECONDS
    breath, sway = math.sin(2 * turn), math.sin(turn)
    dip = -0.022 - 0.006 * breath
    pose = {"hips": Pose((0, 0, dip))}
    pose["spine"] = Pose(turn=turns(y=0.035 * sway), scale=(1 + 0.008 * breath,) * 2 + (1.0,))
    pose["belly"] = Pose(turn=turns(y=-0.02 * sway), scale=(1 + 0.012 * breath,) * 2 + (1.0,))
    pose["chest"] = Pose(turn=turns(x=-0.02 * breath))
    look = through([(0.3, 0), (0.7, 0.42), (1.5, 0.42), (1.9, -0.30), (2.6, -0.30), (3.0, 0)], t)
    pose["neck"] = Pose(turn=turns(z=0.3 * look))
    pose["head"] = Pose(turn=turns(x=0.03 * math.sin(2 * turn - 0.8), y=0.12 * look, z=0.7 * look))
    pose["jaw"] = Pose((0, 0, 0.003 * math.sin(10 * turn)))
    ears(pose, 2 * turn - 0.6, 0.05, 0.04, 0.03 * sway)
    flick = through([(1.1, 0), (1.17, 1), (1.28, -0.3), (1.4, 0)], t)
    pose["ear_right_2"] = Pose(turn=turns(x=0.05 * sway + 0.3 * flick, y=0.35 * flick))
    pose["tail_1"] = Pose(turn=turns(z=0.25 * math.sin(6 * turn) * smooth(sway)))
    blink(pose, t, (0.55, 1.75, 2.0))
    for name, side in SIDES:
        leg_pose(pose, name, dip, (ANKLE[1] + side * 0.02, ANKLE[2]), 0.0, 0.0)
        pose["shoulder_" + name] = Pose(turn=turns(y=-side * 0.02 * breath))
        pose["upper_arm_" + name] = Pose(turn=turns(x=0.05 * math.sin(turn + side), y=side * 0.05))
        pose["lower_arm_" + name] = Pose(turn=turns(x=0.28 + 0.04 * math.sin(turn + 1 + side)))
        pose["hand_" + name] = Pose(turn=turns(x=0.05 * math.sin(turn + 2 + side)))
        fingers(pose, name, side, lambda i: 0.28 + 0.06 * math.sin(turn + i))
    return pose


def foot_path(u):
    """Where the ankle is at u of a stride, from where the foot meets the ground: (y, z, pitch, toe)
    relative to the middle and the ground."""
    if u < STANCE:
        y = STEP - 2 * STEP * u / STANCE
        pitch = through([(0.0, 0.30), (0.10, 0.0), (0.34, 0.0), (STANCE, -0.62)], u)
        heel = max(-pitch, 0.0)
        return y + 0.12 * (1 - math.cos(heel)), 0.125 * math.sin(heel), pitch, heel
    w = (u - STANCE) / (1 - STANCE)
    y = skinned.mix(-STEP + 0.12 * (1 - math.cos(0.62)), STEP, smooth(w))
    z = 0.125 * math.sin(0.62) * (1 - smooth(w)) + 0.085 * math.sin(math.pi * w)
    return y, z, through([(0, -0.62), (0.75, 0.22), (1, 0.30)], w), 0.62 * (1 - smooth(2 * w))


def walk(t):
    turn = 2 * math.pi * t / WALK_SECONDS   # of the round
    stride = 2 * turn                       # of a stride
    swing, dip = math.sin(stride), -0.034 - 0.014 * math.cos(2 * stride)
    pose = {"root": Pose((0, WALK_LENGTH * t / WALK_SECONDS, 0)), "hips": Pose((0, 0, dip))}
    pose["spine"] = Pose(turn=turns(x=-0.05, y=0.07 * math.cos(stride - 0.9), z=-0.10 * swing))
    pose["belly"] = Pose(turn=turns(y=-0.02 * math.cos(stride - 0.9), z=0.10 * swing),
                         scale=(1 + 0.02 * math.cos(2 * stride),) * 2
                         + (1 - 0.035 * math.cos(2 * stride),))
    pose["chest"] = Pose(turn=turns(z=0.14 * swing))
    pose["neck"] = Pose(turn=turns(x=0.02, z=-0.06 * swing))
    pose["head"] = Pose(turn=turns(x=0.04 + 0.045 * math.cos(2 * stride - 1.0),
                                   y=-0.05 * math.cos(stride - 1.2) + 0.02 * math.sin(turn),
                                   z=-0.06 * swing + 0.10 * math.sin(turn)))
    pose["jaw"] = Pose((0, 0, 0.003 * math.sin(4 * turn)))
    ears(pose, 2 * stride - 2.2, 0.13, 0.14, 0.03)
    pose["tail_1"] = Pose(turn=turns(z=0.22 * math.sin(stride - 0.6)))
    pose["tail_2"] = Pose(turn=turns(z=0.25 * math.sin(stride - 1.4)))
    blink(pose, t, (0.62,))
    for name, side in SIDES:
        u = (2 * t / WALK_SECONDS + (0.5 if side > 0 else 0.0)) % 1.0
        y, z, pitch, toe = foot_path(u)
        leg_pose(pose, name, dip, (ANKLE[1] + y, ANKLE[2] + z), pitch, toe)
        arm = side * math.cos(stride - 0.25)  # against the leg
        pose["shoulder_" + name] = Pose(turn=turns(z=0.08 * arm))
        pose["upper_arm_" + name] = Pose(turn=turns(x=0.48 * arm, y=side * 0.02))
        pose["lower_arm_" + name] = Pose(turn=turns(x=0.42 + 0.20 * side * math.cos(stride - 0.7)))
        pose["hand_" + name] = Pose(turn=turns(x=0.15 * side * math.cos(stride - 1.2)))
        fingers(pose, name, side, lambda i: 0.35 + 0.05 * side * math.cos(stride - 0.5 * i))
    return pose


def wave(t):
    """Only the right arm, the neck and the ears: it plays over the other clips."""
    up = through([(0, 0), (0.35, 1), (WAVE_SECONDS - 0.35, 1), (WAVE_SECONDS, 0)], t)
    to_and_fro = math.sin(2 * math.pi * (t - 0.3) / 0.42) * up
    pose = {"shoulder_right": Pose(turn=turns(y=-0.30 * up))}
    pose["upper_arm_right"] = Pose(turn=turns(x=0.25 * up, y=-1.95 * up - 0.08 * to_and_fro))
    pose["lower_arm_right"] = Pose(turn=turns(x=0.28 * (1 - up), y=-0.70 * up - 0.38 * to_and_fro))
    late = math.sin(2 * math.pi * (t - 0.38) / 0.42) * up
    pose["hand_right"] = Pose(turn=turns(y=-0.15 * up - 0.30 * late))
    fingers(pose, "right", 1, lambda i: 0.28 * (1 - up) - 0.06 * up)
    return pose


def clips():
    return [Clip("idle", IDLE_SECONDS, idle), Clip("walk", WALK_SECONDS, walk),
            Clip("wave", WAVE_SECONDS, wave)]
