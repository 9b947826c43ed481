#!/usr/bin/env python3
"""Makes the sample's models (glTF), textures (PNG), materials and the park's level, all but the
obstacle course (make_course.py): `python3 tools/make_assets.py`, from anywhere.

Needs nothing but Python 3 and the crates sample beside this one, whose tools it uses. What it writes
is the same on every machine and stands in the repository, so only those who change it run it.
"""

import math
import os
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "crates", "tools"))

import models
import particles
import textures
from models import Shape, ball, box, cone, frame, ring, sheet

# --- Colours --------------------------------------------------------------------------------------

# Material: colour, roughness, texture. Those of the course are in make_course.py by name.
MATERIALS = {
    "coral": ((0.93, 0.45, 0.38), 0.75, "tiles"), "cream": ((0.97, 0.92, 0.82), 0.8, "tiles"),
    "teal": ((0.22, 0.63, 0.64), 0.75, "tiles"), "mint": ((0.66, 0.87, 0.77), 0.75, "tiles"),
    "amber": ((0.98, 0.74, 0.32), 0.75, "tiles"), "violet": ((0.54, 0.45, 0.78), 0.7, "tiles"),
    "lilac": ((0.82, 0.76, 0.94), 0.7, "tiles"), "slate": ((0.45, 0.50, 0.60), 0.8, "tiles"),
    "paving": ((0.89, 0.83, 0.74), 0.9, "paving"), "grass": ((0.46, 0.62, 0.36), 0.95, "grass"),
    "box": ((1, 1, 1), 0.7, "box"), "wood": ((1, 1, 1), 0.65, "wood"),
    "ice": ((0.80, 0.93, 1.0), 0.12, "ice"), "rubber": ((0.44, 0.45, 0.54), 0.95, "rubber"),
    "metal": ((0.62, 0.66, 0.72), 0.35, None), "white": ((0.95, 0.95, 0.97), 0.45, None),
    "dark": ((0.14, 0.15, 0.20), 0.4, None), "red": ((0.90, 0.28, 0.26), 0.5, None),
    "domino": ((1, 1, 1), 0.5, None), "leaf": ((0.40, 0.62, 0.33), 0.9, None),
    "coral_plain": ((0.93, 0.45, 0.38), 0.55, None), "leaf_light": ((0.56, 0.73, 0.37), 0.9, None), "bark": ((0.47, 0.34, 0.25), 0.9, None),
    "hills_near": ((0.52, 0.68, 0.50), 1, None), "hills_far": ((0.58, 0.71, 0.74), 1, None),
}


def write_text(path, text):
    with open(os.path.join(FOLDER, path), "w") as file:
        file.write(text)


def write_materials():
    for name, (color, roughness, texture) in MATERIALS.items():
        text = 'shader = "core/shaders/pbr"\n'
        if texture:
            text += 'options = ["base_color_map"]\ntextures = { base_color_map = "textures/%s" }\n' % texture
        text += "parameters = {\n    base_color = [%g %g %g 1]\n    roughness = %g\n}\n" % (*color, roughness)
        write_text("materials/%s.material" % name, text)
    write_text("materials/glow.material", 'shader = "core/shaders/pbr"\nparameters = {\n'
               "    base_color = [0.30 0.34 0.42 1]\n    roughness = 0.4\n    emissive_intensity = 1.6\n}\n")
    write_text("materials/eyes.material", 'shader = "core/shaders/pbr"\nparameters = {\n'
               "    base_color = [0.2 0.75 0.85 1]\n    emissive = [0.25 0.85 0.95 1]\n}\n")
    write_text("materials/water.material", 'shader = "core/shaders/pbr"\nparameters = {\n'
               "    base_color = [0.20 0.48 0.56 1]\n    roughness = 0.08\n}\n")
    write_text("materials/orb.material", 'shader = "core/shaders/pbr"\nparameters = {\n'
               "    base_color = [0.9 0.5 0.3 1]\n    emissive = [1.0 0.45 0.12 1]\n    emissive_intensity = 4\n}\n")
    write_text("materials/shadow.material", 'shader = "shaders/shadow"\n')
    write_text("materials/patch.material", 'shader = "shaders/patch"\n')


# --- Textures -------------------------------------------------------------------------------------


def grey(x):
    return (x, x, x)


def line(x, width):
    """1 on a line at 0 and 1, soft at its edges."""
    return textures.smoothstep(width * 1.6, width * 0.6, min(x, 1 - x))


def tiles(u, v):
    """Two metres of squares, half a metre each, with a stronger line for each metre."""
    grain = 0.98 + 0.02 * textures.layered_noise(u, v, 24, 24, 3)
    coarse = max(line(u * 2 % 1, 0.012), line(v * 2 % 1, 0.012))
    fine = max(line(u * 4 % 1, 0.014), line(v * 4 % 1, 0.014))
    is_odd = (int(u * 2) + int(v * 2)) % 2
    return grey((0.985 if is_odd else 0.935) * grain * (1 - 0.20 * coarse) * (1 - 0.05 * fine))


def paving(u, v):
    column, row = int(u * 4), int(v * 4)
    joint = max(line(u * 4 % 1, 0.02), line(v * 4 % 1, 0.02))
    shade = 0.92 + 0.08 * textures.chance(column, row, 5)
    grain = 0.97 + 0.05 * textures.layered_noise(u, v, 16, 16, 7)
    warm = 0.015 * (textures.chance(column, row, 9) - 0.5)
    return tuple(textures.clamp(c * shade * grain * (1 - 0.22 * joint)) for c in (1, 0.99 + warm, 0.97))


def grass(u, v):
    soft = textures.layered_noise(u, v, 5, 5, 2)
    fine = textures.layered_noise(u, v, 48, 48, 8)
    return textures.mix_color((0.84, 0.90, 0.78), (1, 1, 0.92), 0.6 * soft + 0.4 * fine)


def bordered(u, v, width):
    return min(u, 1 - u, v, 1 - v) < width


def box_side(u, v):
    """A toy block: a frame around a paler field."""
    edge = min(u, 1 - u, v, 1 - v)
    field = textures.smoothstep(0.11, 0.13, edge)
    groove = textures.smoothstep(0.02, 0.0, abs(edge - 0.12))
    return grey((0.86 + 0.13 * field) * (1 - 0.25 * groove))


def wood(u, v):
    grain = textures.layered_noise(u * 0.5, v, 4, 36, 4)
    rings = 0.5 + 0.5 * math.sin(6.283 * (v * 5 + 1.3 * textures.noise(u, v, 2, 5, 6)))
    color = textures.mix_color((0.60, 0.38, 0.20), (0.82, 0.58, 0.34), 0.6 * grain + 0.4 * rings)
    return tuple(c * (0.8 if bordered(u, v, 0.06) else 1) for c in color)


def ice(u, v):
    crack = textures.smoothstep(0.05, 0.0, abs(textures.layered_noise(u, v, 5, 5, 12) - 0.5))
    cloud = textures.layered_noise(u, v, 3, 3, 5)
    return textures.mix_color(textures.mix_color((0.80, 0.90, 0.96), (0.95, 0.99, 1), cloud), (1, 1, 1), crack)


def rubber(u, v):
    tread = 0.5 + 0.5 * math.sin(6.283 * (u * 6 + abs((v * 6) % 1 - 0.5)))
    return grey(0.72 + 0.28 * textures.smoothstep(0.25, 0.6, tread))


def write_textures():
    for name, size, color in (("tiles", 256, tiles), ("paving", 256, paving), ("grass", 256, grass),
                              ("box", 128, box_side), ("wood", 128, wood), ("ice", 128, ice),
                              ("rubber", 128, rubber)):
        textures.write_png(os.path.join(FOLDER, "textures", name + ".png"), size,
                           lambda x, y, c=color, s=size: c((x + 0.5) / s, (y + 0.5) / s))
        write_text("textures/%s.texture" % name, 'source = "textures/%s.png"\n' % name)


# Materials of particles: texture, options, parameters.
PARTICLES = {
    "smoke": ("puff", "lit soft_edges", "soft_distance = 0.5  roundness = 0.6"),
    "flame": ("flame", "soft_edges", "soft_distance = 0.15  intensity = 1.8  additive = 0.35"),
    "ember": ("spark", "", "intensity = 8  additive = 0.6"),
    "spark": ("spark", "", "intensity = 5  additive = 0.7"),
    "spray": ("drop", "lit", "roundness = 0.3  scatter = 1"),
    "ripple": ("ripple", "lit", "roundness = 0  scatter = 0.5"),
    "trail": ("streak", "", "intensity = 2.5  additive = 0.4"),
}


def write_particles():
    """Textures and materials of particles; the effects in effects/ are written by hand."""
    names = sorted({texture for texture, _, _ in PARTICLES.values()})
    particles.write_all(os.path.join(FOLDER, "textures"), names)
    for name, (texture, options, parameters) in PARTICLES.items():
        text = 'shader = "core/shaders/particle"\n'
        if options:
            text += "options = [%s]\n" % " ".join('"%s"' % option for option in options.split())
        text += 'textures = { picture = "textures/%s" }\nparameters = { %s }\n' % (texture, parameters)
        write_text("materials/%s.material" % name, text)


# --- Models ---------------------------------------------------------------------------------------


def ground():
    """Paths around and in the middle of the park, grass between and beyond."""
    paving_part = frame(24, 36, 4.0).joined(sheet(8, 4.0))
    return {"paving": paving_part, "grass": frame(8, 24, 8.0).joined(frame(36, 400, 8.0))}


def disc_patch():
    outline = [(0.42 * math.cos(math.pi * i / 10), 0.42 * math.sin(math.pi * i / 10)) for i in range(20)]
    return models.soft_patch(outline, 0.30, 0.16)


def plate():
    """What lights up when one steps on it."""
    rim = cone(1.25, 0.05, (0, 0, 0), 32, 1.18)
    rim.joined(ring(1.16, 0.035, (0, 0, 0.045), 32, 6))
    glow = cone(1.12, 0.03, (0, 0, 0.04), 32, 1.05)
    middle = glow.vertex((0, 0, 0.07), (0, 0, 1))
    for i in range(32):
        glow.triangles.append((middle, 2 * i + 1, 2 * ((i + 1) % 32) + 1))
    return {"slate": rim, "glow": glow}


def tree():
    crown = ball((1.35, 1.35, 1.15), (0, 0, 3.3), 9, 6).flat()
    crown.joined(ball((0.9, 0.9, 0.8), (-0.6, -0.2, 4.1), 8, 6).flat())
    return {"leaf": crown, "leaf_light": ball((1.0, 1.0, 0.95), (0.6, 0.3, 4.3), 8, 6).flat(),
            "bark": cone(0.22, 2.6, (0, 0, 0), 7, 0.15)}


def wedge(width, length, height):
    """A ramp that falls along -y: its foot at y = 0, its back at y = `length`."""
    shape, x = Shape(), width / 2
    slope = math.hypot(length, height)

    def face(corners, normal, uvs):
        shape.quad(*(shape.vertex(p, normal, uv) for p, uv in zip(corners, uvs)))

    face([(-x, 0, 0), (x, 0, 0), (x, length, height), (-x, length, height)], (0, -height, length),
         [(-x / 2, 0), (x / 2, 0), (x / 2, -slope / 2), (-x / 2, -slope / 2)])
    face([(x, length, 0), (-x, length, 0), (-x, length, height), (x, length, height)], (0, 1, 0),
         [(0, 0), (width / 2, 0), (width / 2, -height / 2), (0, -height / 2)])
    for side, order in ((x, (0, 1, 2)), (-x, (2, 1, 0))):
        corners = [(side, 0, 0), (side, length, 0), (side, length, height)]
        first = [shape.vertex(p, (side, 0, 0), (p[1] / 2, -p[2] / 2)) for p in corners]
        shape.triangles.append(tuple(first[i] for i in order))
    return shape


def fountain():
    """A round basin with water in it, and a foot for the jet."""
    stone = cone(1.75, 0.42, (0, 0, 0), 28, 1.65)
    stone.joined(ring(1.58, 0.12, (0, 0, 0.42), 28, 8))
    stone.joined(cone(0.34, 0.75, (0, 0, 0), 12, 0.16)).joined(ring(0.14, 0.05, (0, 0, 0.75), 12, 6))
    water = Shape()
    middle = water.vertex((0, 0, 0.36), (0, 0, 1))
    rim = [water.vertex((1.55 * math.cos(math.pi * i / 14), 1.55 * math.sin(math.pi * i / 14), 0.36),
                        (0, 0, 1)) for i in range(28)]
    water.triangles += [(middle, rim[i], rim[(i + 1) % 28]) for i in range(28)]
    return {"paving": stone, "water": water}


def campfire():
    """Logs that lean on each other in a ring of stones."""
    logs, stones = Shape(), Shape()
    for i in range(5):
        angle = 2 * math.pi * i / 5 + 0.4

        def lean(p, c=math.cos(angle), s=math.sin(angle)):
            x, z = p[0] * 0.6 + p[2] * 0.75 - 0.52, p[2] * 0.62 - p[0] * 0.4 + 0.03
            return (x * c - p[1] * s, x * s + p[1] * c, max(z, 0.0))

        logs.joined(cone(0.085, 0.8, (0, 0, 0), 7, 0.06).moved(lean))
    for i in range(11):
        angle, size = 2 * math.pi * i / 11, 0.13 + 0.05 * textures.chance(i, 1, 5)
        stones.joined(ball((size, size * 1.1, size * 0.8), (0.72 * math.cos(angle), 0.72 * math.sin(angle), 0.06),
                           7, 5).flat())
    return {"bark": logs.flat(), "slate": stones}


def flower_bed():
    """A wooden frame with bushes, which a cloud of their own waters."""
    frame_part = Shape()
    for x, y, long_x in ((0, -1.15, True), (0, 1.15, True), (-1.65, 0, False), (1.65, 0, False)):
        frame_part.joined(box((3.5 if long_x else 0.2, 0.2 if long_x else 2.5, 0.3), (x, y, 0.15), 0.03, 1.0))
    soil = sheet(1.0, 1.0).moved(lambda p: (p[0] * 1.6, p[1] * 1.1, 0.2))
    bushes, blossoms = Shape(), Shape()
    for i in range(8):
        x, y = -1.2 + 0.8 * (i % 4), -0.5 + 1.0 * (i // 4) + 0.2 * (i % 2)
        bushes.joined(ball((0.28, 0.28, 0.25), (x, y, 0.38), 8, 6).flat())
        blossoms.joined(ball((0.11, 0.11, 0.10), (x + 0.08, y - 0.1, 0.64), 7, 5).flat())
    return {"wood": frame_part, "bark": soil, "leaf_light": bushes, "coral_plain": blossoms}


def robot():
    """Parts by node: each around its own joint, looking along y."""
    body = box((0.54, 0.36, 0.50), (0, 0, 0.20), 0.07)
    body_dark = box((0.40, 0.30, 0.16), (0, 0, -0.10), 0.04)
    chest = box((0.28, 0.04, 0.16), (0, 0.18, 0.26), 0.015)
    pack = box((0.34, 0.16, 0.34), (0, -0.22, 0.22), 0.05)
    head = ball((0.29, 0.27, 0.25), (0, 0, 0.22), 18, 12)
    visor = ball((0.23, 0.12, 0.14), (0, 0.18, 0.23), 16, 10)
    eyes = ball((0.045, 0.03, 0.06), (-0.08, 0.285, 0.25), 10, 8)
    eyes.joined(ball((0.045, 0.03, 0.06), (0.08, 0.285, 0.25), 10, 8))
    antenna = cone(0.015, 0.16, (0, 0, 0.45), 6, 0.012)
    tip = ball((0.045, 0.045, 0.045), (0, 0, 0.63), 10, 8)
    ears = ball((0.05, 0.08, 0.08), (-0.28, 0, 0.22), 10, 8)
    ears.joined(ball((0.05, 0.08, 0.08), (0.28, 0, 0.22), 10, 8))
    arm = ball((0.085, 0.085, 0.085), (0, 0, 0), 10, 8).joined(box((0.10, 0.11, 0.34), (0, 0, -0.20), 0.03))
    leg = box((0.14, 0.16, 0.40), (0, 0, -0.20), 0.04)
    foot = box((0.18, 0.28, 0.13), (0, 0.04, -0.435), 0.045)
    return {
        "robot_body": {"white": body, "dark": body_dark.joined(chest), "coral_plain": pack},
        "robot_head": {"white": head, "dark": visor.joined(antenna), "eyes": eyes,
                       "coral_plain": tip.joined(ears)},
        "robot_arm": {"white": arm, "coral_plain": ball((0.095, 0.095, 0.095), (0, 0, -0.42), 10, 8)},
        "robot_leg": {"dark": leg, "coral_plain": foot},
    }


def striped_ball(radius):
    """A ball of two colours."""
    parts = {"red": Shape(), "white": Shape()}
    whole = ball((radius, radius, radius), (0, 0, 0), 18, 12)
    for t in whole.triangles:
        middle = [sum(whole.positions[i][k] for i in t) for k in range(3)]
        name = "red" if int((math.atan2(middle[1], middle[0]) + math.pi) / (math.pi / 3)) % 2 else "white"
        part = parts[name]
        part.triangles.append(tuple(part.vertex(whole.positions[i], whole.normals[i], whole.uvs[i]) for i in t))
    return parts


def all_models():
    """Name of the file: parts by material."""
    result = {
        "ground": ground(), "patch": {"patch": disc_patch()}, "plate": plate(), "tree": tree(),
        "hills": {"hills_near": models.hills(230, 20, 64, 1.0), "hills_far": models.hills(330, 46, 56, 2.7)},
        "box": {"box": box((0.5, 0.5, 0.5), (0, 0, 0), 0.025)},
        "tree_shadow": {"shadow": ball((1.4, 1.35, 1.6), (0, 0, 3.6), 12, 8).joined(
            cone(0.18, 2.2, (0, 0, 0), 6, 0.14))},
        "robot_shadow": {"shadow": ball((0.33, 0.26, 0.82), (0, 0, 0.22), 14, 10)},
        "ball": striped_ball(0.25),
        "block": {"wood": box((1, 1, 1), (0, 0, 0), 0.05)},
        "sphere": {"wood": ball((0.4, 0.4, 0.4), (0, 0, 0), 20, 14)},
        "domino": {"domino": box((0.70, 0.16, 1.4), (0, 0, 0), 0.03)},
        "plank": {"wood": box((1.4, 7, 0.16), (0, 0, 0), 0.03, 1.4)},
        "fulcrum": {"teal": wedge(1.6, 0.7, 0.86).moved(lambda p: (p[0], p[1] - 0.7, p[2]))},
        "weight": {"slate": box((1.1, 1.1, 1.1), (0, 0, 0), 0.08, 2.0),
                   "amber": box((1.16, 1.16, 0.22), (0, 0, 0), 0.04, 2.0)},
        "slope": {"slate": wedge(9, 8, 4.2)},
        "fountain": fountain(), "campfire": campfire(), "flower_bed": flower_bed(),
        "orb": {"orb": ball((0.14, 0.14, 0.14), (0, 0, 0), 14, 10)},
        "chip": {"chip": box((1, 0.8, 0.6), (0, 0, 0), 0.08).moved(
            lambda p: (p[0] * (1 - 0.3 * p[2]), p[1] * (1 + 0.4 * p[0]), p[2]))},
    }
    back = wedge(1.6, 0.7, 0.86)
    back.positions = [(-x, 0.7 - y, z) for x, y, z in back.positions]
    back.normals = [(-x, -y, z) for x, y, z in back.normals]
    result["fulcrum"]["teal"].joined(back)
    result.update(robot())
    return result


def write_models():
    for name, parts in all_models().items():
        models.write_gltf(os.path.join(FOLDER, "models", name + ".gltf"), name, parts)
        write_text("models/%s.mesh" % name, 'source = "models/%s.gltf"\n' % name
                   + ('collision = "convex"\n' if name in ("slope", "fulcrum") else ""))


# --- The level ------------------------------------------------------------------------------------

# Unit, position, degrees about z. Scripts find the loose ones by their tags.
PARK = [
    ("sun", (0, 0, 0), 0), ("ground", (0, 0, 0), 0), ("hills", (0, 0, 0), 0),
    # Materials: a slope with blocks of ice, rubber and wood, and balls to bounce.
    ("slope", (-14, 9, 0), 0),
    ("held_ice", (-17, 15.2, 0), 0), ("held_wood", (-14, 15.2, 0), 0), ("held_rubber", (-11, 15.2, 0), 0),
    ("ball_ice", (-19.5, 19.5, 3.4), 0), ("ball_wood", (-17.5, 20.5, 3.4), 0),
    ("ball_rubber", (-15.5, 21.5, 3.4), 0),
    # A seesaw, with a weight above one end.
    ("fulcrum", (14, -14, 0), 0), ("seesaw", (14, -14, 0.95), 0),
    ("weight", (14, -11.2, 4.5), 0), ("crate", (14, -17, 1.52), 0),
    # Plates at the corners, and near what they start.
    ("plate", (-30, 29.5, 0), 0), ("plate", (29, 29.5, 0), 0), ("plate", (30, -28.5, 0), 0),
    ("plate", (-17, -26, 0), 0), ("plate", (-14, 5.5, 0), 0), ("plate", (10, -14, 0), 0),
    # Particles: water, fire, rain, and what leaves a trail.
    ("fountain", (14, 0, 0), 0), ("campfire", (11.5, -5.5, 0), 0), ("flower_bed", (17, -5, 0), 0),
    ("fireflies", (18.5, 3, 0), 0), ("orb", (14, 0, 3), 0),
]
PLATES = ("materials", "dominoes", "seesaw", "goal", "materials", "seesaw")  # what each starts


def write_level():
    rows, plates = [], list(PLATES)
    rows.append('    { id = "sky"  unit = "core/units/skydome"  position = [0 0 0] }\n')
    for i, (unit, position, degrees) in enumerate(PARK):
        more = ""
        if unit == "plate":
            more = '  overrides = [ { id = "starts"  values = { what = "%s" } } ]' % plates.pop(0)
        if unit.startswith("held"):  # on the slope: half a metre above it, leaning as it does
            lean = math.atan2(4.2, 8)
            up = (position[1] - 9) * 4.2 / 8
            position = (position[0], position[1] - 0.505 * math.sin(lean), up + 0.505 * math.cos(lean))
            turn = "  rotation_degrees = [%.4f 0 0]" % math.degrees(lean)
        else:  # the sun keeps its own
            turn = "  rotation_degrees = [0 0 %g]" % degrees if degrees else ""
        rows.append('    { id = "%s_%d"  unit = "units/%s"  position = [%.4g %.4g %.4g]%s%s }\n'
                    % (unit, i, unit, *position, turn, more))
    for i in range(64):
        turn = 2 * math.pi * (i + 0.5 * textures.chance(i, 1, 3)) / 64
        far = 50 + 26 * textures.chance(i, 2, 3)
        size = 1.0 + 0.8 * textures.chance(i, 3, 3)
        rows.append('    { id = "tree_%d"  unit = "units/tree"  position = [%.2f %.2f 0]'
                    "  rotation_degrees = [0 0 %.0f]  scale = [%.2f %.2f %.2f] }\n"
                    % (i, far * math.cos(turn), far * math.sin(turn), 360 * textures.chance(i, 4, 3),
                       size, size, size * (0.95 + 0.2 * textures.chance(i, 5, 3))))
    for i, (x, y) in enumerate(((-20, -6), (-19, 3), (20, 4), (19, -5), (-5, 20), (6, -19), (-7, -17))):
        rows.append('    { id = "inner_%d"  unit = "units/tree"  position = [%g %g 0]  scale = [0.9 0.9 0.9] }\n'
                    % (i, x, y))
    write_text("levels/park.level", "// Written by tools/make_assets.py. The course is "
               "levels/course.level; scripts spawn what comes in numbers.\nunits = [\n%s]\n" % "".join(rows))


if __name__ == "__main__":
    models.GENERATOR = "samples/playground/tools/make_assets.py"
    write_models()
    write_textures()
    write_particles()
    write_materials()
    write_level()
