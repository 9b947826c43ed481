"""The models of the town: shapes of one palette, with the boxes that collide. Metres, z up, y forward."""

import math
import os
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "crates", "tools"))

import textures
from models import Shape, ball, box, cone

# --- Colours --------------------------------------------------------------------------------------

# Units of a palette share a texture of blocks, of which each part of a model takes one.
COLORS = {
    "wall": None, "roof": None, "awning": None,  # differ, see PALETTES
    "stone": (0.74, 0.69, 0.61), "dark_stone": (0.56, 0.52, 0.47), "wood": (0.45, 0.31, 0.20),
    "dark": (0.19, 0.16, 0.16), "leaf": (0.35, 0.53, 0.26), "moss": (0.44, 0.61, 0.30),
    "water": (0.33, 0.63, 0.74), "cloth": (0.93, 0.89, 0.80), "blue": (0.10, 0.27, 0.72),
    "skin": (0.94, 0.76, 0.60), "red": (0.82, 0.08, 0.16), "iron": (0.25, 0.26, 0.30),
    "grain": (0.86, 0.72, 0.42),
}
PALETTES = {  # wall, roof, awning
    "cream": ((0.92, 0.87, 0.77), (0.57, 0.31, 0.25), (0.93, 0.74, 0.36)),
    "ochre": ((0.86, 0.74, 0.54), (0.50, 0.27, 0.23), (0.93, 0.90, 0.84)),
    "rose": ((0.85, 0.68, 0.61), (0.62, 0.38, 0.29), (0.30, 0.54, 0.38)),
    "slate": ((0.83, 0.83, 0.80), (0.33, 0.36, 0.42), (0.86, 0.56, 0.28)),
}
BLOCKS, BLOCK_PIXELS = 4, 8  # along a side


def write_palette(path, own):
    colors = list(own) + list(COLORS.values())[len(own):]

    def color_at(x, y):
        return colors[y // BLOCK_PIXELS * BLOCKS + x // BLOCK_PIXELS]

    textures.write_png(path, BLOCKS * BLOCK_PIXELS, color_at)


def painted(shape, color):
    """The shape with all its texture coordinates in the middle of a block."""
    place = list(COLORS).index(color)
    uv = ((place % BLOCKS + 0.5) / BLOCKS, (place // BLOCKS + 0.5) / BLOCKS)
    shape.uvs = [uv] * len(shape.positions)
    return shape


def joined(*shapes):
    result = Shape()
    for shape in shapes:
        result.joined(shape)
    return result


def block(color, size, center, bevel=0.03, bottom=False):
    return painted(box(size, center, bevel, bottom=bottom), color)


def moved(shape, x, y, z=0.0, turn=0.0):
    c, s = math.cos(turn), math.sin(turn)
    return shape.moved(lambda p: (x + p[0] * c - p[1] * s, y + p[0] * s + p[1] * c, z + p[2]))


def flat(faces, color):
    """Faces of points, counter-clockwise from outside."""
    shape = Shape()
    for face in faces:
        first = len(shape.positions)
        for point in face:
            shape.vertex(point, (0, 0, 1))
        for i in range(1, len(face) - 1):
            shape.triangles.append((first, first + i, first + i + 1))
    return painted(shape.flat(), color)


def gable(length, depth, z, color, thickness=0.0):
    """A roof of 45 degrees with its ridge along x."""
    x, y = length / 2, depth / 2
    a, b = [(sx * x, -y, z) for sx in (-1, 1)], [(sx * x, y, z) for sx in (-1, 1)]
    ridge = [(-x, 0, z + y), (x, 0, z + y)]
    low = [(p[0], p[1], p[2] - thickness) for p in (a[0], a[1], b[1], b[0])]
    faces = [(a[0], a[1], ridge[1], ridge[0]), (b[1], b[0], ridge[0], ridge[1]),
             (a[1], b[1], ridge[1]), (b[0], a[0], ridge[0])]
    if thickness:
        faces += [(low[0], low[1], a[1], a[0]), (low[2], low[3], b[0], b[1]),
                  (low[1], low[2], b[1], a[1]), (low[3], low[0], a[0], b[0])]
    return flat(faces, color)


def slope(length, width, height, color):
    """A solid ramp up along x, from x = 0."""
    y = width / 2
    low, high = [(0, -y, 0), (0, y, 0)], [(length, -y, height), (length, y, height)]
    foot = [(length, -y, 0), (length, y, 0)]
    return flat([(low[0], high[0], high[1], low[1]), (low[0], foot[0], high[0]),
                 (low[1], high[1], foot[1]), (foot[0], foot[1], high[1], high[0])], color)


# --- What collides --------------------------------------------------------------------------------


def ramp_board(length, width, height, thickness=0.4):
    """Size, middle (along, up) and angle in degrees of a board whose upper side rises from 0."""
    angle = math.atan2(height, length)
    size = (math.hypot(length, height), width, thickness)
    middle = (length / 2 + math.sin(angle) * thickness / 2, height / 2 - math.cos(angle) * thickness / 2)
    return size, middle, math.degrees(angle)


class Solid:
    """Shapes of a static actor, as text of a .unit."""

    def __init__(self):
        self.lines = []

    def add(self, text):
        self.lines.append('        { id = "s%d"  %s }' % (len(self.lines), text))
        return self

    def box(self, size, center, turn=(0, 0, 0)):
        half = " ".join("%.4g" % (s / 2) for s in size)
        at = " ".join("%.5g" % (c + 0.0) for c in center)
        rotation = "  rotation_degrees = [%.6g %.6g %.6g]" % turn if any(turn) else ""
        return self.add('type = "box"  half_size = [%s]  position = [%s]%s' % (half, at, rotation))

    def cylinder(self, radius, height, z=0.0):
        return self.add('type = "cylinder"  radius = %g  height = %g  position = [0 0 %g]'
                        % (radius, height, z + height / 2))

    def roof(self, length, depth, z):
        """A square prism on its edge: its upper half is a gable of 45 degrees."""
        edge = depth / math.sqrt(2)
        return self.box((length, edge, edge), (0, 0, z), (45, 0, 0))

    def ramp(self, length, width, height, at=(0, 0, 0), thickness=0.4):
        """A board up along x whose upper side starts at `at`."""
        board, middle, angle = ramp_board(length, width, height, thickness)
        return self.box(board, (at[0] + middle[0], at[1], at[2] + middle[1]), (0, -angle, 0))


# --- Houses ---------------------------------------------------------------------------------------


def windows(width, depth, z, num):
    """Panes on both long sides, and a door in the middle of the front (-y)."""
    panes = []
    for i in range(num):
        x = (i - (num - 1) / 2) * width / (num + 0.2)
        for side in (-1, 1):
            panes.append(block("dark", (0.8, 0.08, 1.0), (x, side * (depth / 2 + 0.01), z)))
    panes.append(block("wood", (1.3, 0.12, 2.1), (0, -depth / 2 - 0.02, 1.05)))
    return panes


def house(width, depth, height, num_windows, chimney):
    parts = [block("wall", (width, depth, height), (0, 0, height / 2), 0.05),
             gable(width + 0.7, depth + 0.7, height - 0.3, "roof", 0.22),
             block("dark_stone", (0.7, 0.7, 1.6), (chimney, depth * 0.2, height + depth * 0.3))]
    parts += windows(width, depth, height - 1.2, num_windows)
    solid = Solid().box((width, depth, height), (0, 0, height / 2)).roof(width, depth, height)
    return joined(*parts), solid


def keep():
    """The largest house, with a tower at its west end."""
    body, solid = house(14, 11, 6.5, 5, 4.5)
    tower = [block("wall", (6, 6, 12), (-7.5, 0, 6), 0.06),
             block("dark_stone", (6.5, 6.5, 0.6), (-7.5, 0, 11.4), 0.06),
             painted(moved(cone(4.6, 5.0, columns=4, turn=math.pi / 4).flat(), -7.5, 0, 12), "roof"),
             block("dark", (1.2, 0.1, 2.2), (-7.5, -3.01, 9.4))]
    solid.box((6, 6, 12), (-7.5, 0, 6)).box((4.3, 4.3, 3), (-7.5, 0, 12.5), (45, 0, 0))
    return joined(body, *tower), solid


def court(width=14.0, depth=8.0, height=2.6, door=3.6, thick=0.5):
    """Walls around a yard, with an opening in the middle of the front (-y)."""
    side = (width - door) / 2
    walls = [((width, thick, height), (0, depth / 2 - thick / 2)),
             ((thick, depth, height), (-width / 2 + thick / 2, 0)),
             ((thick, depth, height), (width / 2 - thick / 2, 0)),
             ((side, thick, height), (-width / 2 + side / 2, -depth / 2 + thick / 2)),
             ((side, thick, height), (width / 2 - side / 2, -depth / 2 + thick / 2))]
    parts, solid = [], Solid()
    for size, (x, y) in walls:
        parts.append(block("wall", size, (x, y, height / 2)))
        parts.append(block("roof", (size[0] + 0.2, size[1] + 0.2, 0.18), (x, y, height), 0.04, True))
        solid.box(size, (x, y, height / 2))
    for side in (-1, 1):  # sheds along the short walls
        parts.append(block("wood", (1.6, depth - 2.4, 0.14), (side * (width / 2 - 1.2), 0.4, 2.1),
                           0.03, True))
        parts.append(block("grain", (1.0, depth - 3.4, 0.7), (side * (width / 2 - 1.0), 0.4, 0.35)))
        solid.box((1.2, depth - 3.0, 1.2), (side * (width / 2 - 1.0), 0.4, 0.6))
    return joined(*parts), solid


def stall():
    parts = [block("wood", (3.0, 1.0, 0.9), (0, 0, 0.45)),
             block("grain", (1.0, 0.7, 0.25), (-0.8, 0, 0.98)),
             block("leaf", (1.0, 0.7, 0.25), (0.6, 0, 0.98)),
             moved(gable(3.5, 1.9, 2.1, "awning", 0.12), 0, 0)]
    for x in (-1.5, 1.5):
        for y in (-0.7, 0.7):
            parts.append(block("wood", (0.12, 0.12, 2.2), (x, y, 1.1), 0.02))
    solid = Solid().box((3.2, 1.6, 2.1), (0, 0, 1.05)).roof(3.2, 1.6, 2.1)
    return joined(*parts), solid


# --- Walls, doors, ways ---------------------------------------------------------------------------


def wall(length, thick=1.2, height=3.6):
    parts = [block("stone", (length, thick, height), (0, 0, height / 2), 0.05),
             gable(length, thick + 0.4, height, "dark_stone", 0.2)]
    return joined(*parts), Solid().box((length, thick, height), (0, 0, height / 2)).roof(
        length, thick, height)


def tower():
    parts = [block("stone", (2.6, 2.6, 5.4), (0, 0, 2.7), 0.06),
             block("dark_stone", (3.0, 3.0, 0.5), (0, 0, 5.0), 0.06),
             painted(moved(cone(2.3, 2.4, columns=4, turn=math.pi / 4).flat(), 0, 0, 5.2), "roof")]
    solid = Solid().box((2.6, 2.6, 5.4), (0, 0, 2.7)).roof(2.6, 2.6, 5.4)
    return joined(*parts), solid


def leaf(width, height):
    """A door's wing, from its hinge at x = 0."""
    parts = [block("wood", (width, 0.22, height), (width / 2, 0, height / 2), 0.03, True)]
    for z in (0.25, 0.75):
        parts.append(block("iron", (width - 0.1, 0.3, 0.2), (width / 2, 0, height * z), 0.02, True))
    return joined(*parts)


def parapet(length):
    parts = [block("stone", (length, 0.4, 0.9), (0, 0, 0.45)),
             block("dark_stone", (length, 0.56, 0.14), (0, 0, 0.93), 0.03, True)]
    return joined(*parts), Solid().box((length, 0.4, 1.0), (0, 0, 0.5))


def stairs(width, height, steps=10, tread=0.4):
    """Up along y to y = 0, with cheeks."""
    parts, solid = [], Solid()
    rise, long = height / steps, steps * tread
    for i in range(steps):
        top, back = rise * (i + 1), long - tread * i  # the step reaches from there to y = 0
        size, at = (width, back, rise), (0, -back / 2, top - rise / 2)
        parts.append(block("stone", size, at, 0.02))
        solid.box((width, back, rise), at)
    for side in (-1, 1):
        x = side * (width / 2 + 0.25)
        for i in range(2):
            size, at = (0.5, long / 2, height * (i + 1) / 2 + 0.6), (x, -long / 4 * (3 - 2 * i))
            parts.append(block("dark_stone", size, (*at, size[2] / 2)))
            solid.box(size, (*at, size[2] / 2))
    return joined(*parts), solid


def ramp(length=16.0, width=6.0, height=2.0, landing=6.0):
    """Up along x, with a landing at its end."""
    parts = [slope(length, width, height, "stone"),
             block("stone", (landing, width, height), (length + landing / 2, 0, height / 2), 0.02)]
    solid = Solid().ramp(length, width, height)
    solid.box((landing, width, height), (length + landing / 2, 0, height / 2))
    return joined(*parts), solid


def bridge(span=8.0, width=8.0, rise=0.5, run=4.0):
    """Over a canal along y; low walls at its sides."""
    y = span / 2
    deck = [block("stone", (width, span, 0.6), (0, 0, rise - 0.3), 0.03, True)]
    solid = Solid().box((width, span, 0.6), (0, 0, rise - 0.3))
    board, at, angle = ramp_board(run, width, rise)
    for side in (-1, 1):
        deck.append(moved(slope(run, width, rise, "stone"), 0, side * (y + run), 0, -side * math.pi / 2))
        solid.box((board[1], board[0], board[2]), (0, side * (y + run - at[0]), at[1]), (-side * angle, 0, 0))
        x = side * (width / 2 - 0.2)
        deck.append(block("dark_stone", (0.4, span + 2 * run - 1, 0.9), (x, 0, rise + 0.3), 0.04, True))
        solid.box((0.4, span + 2 * run - 1, 1.4), (x, 0, rise + 0.1))
        for k in (-1, 0, 1):
            deck.append(block("stone", (0.7, 0.7, 1.3), (x, k * (span / 2 + run - 0.6), rise + 0.4)))
    for k in (-1, 1):  # piers
        deck.append(block("dark_stone", (width - 0.6, 1.0, 2.2), (0, k * span / 6, -0.9)))
    return joined(*deck), solid


def planks(length=3.4, width=4.4):
    """A flat bridge over the brook, along x."""
    parts = []
    for i in range(7):
        parts.append(block("wood", (length, width / 7 - 0.04, 0.14),
                           (0, (i - 3) * width / 7, 0.07), 0.02, True))
    return joined(*parts), Solid().box((length, width, 0.14), (0, 0, 0.07))


def ladder(height):
    parts = [block("wood", (0.12, 0.14, height + 0.8), (x, 0, height / 2 + 0.3), 0.02) for x in (-0.5, 0.5)]
    for i in range(int(height / 0.35) + 1):
        parts.append(block("wood", (1.0, 0.1, 0.1), (0, 0, 0.3 + 0.35 * i), 0.02, True))
    return joined(*parts)


# --- Things ---------------------------------------------------------------------------------------


def fountain():
    parts = [painted(cone(2.6, 0.7, columns=16, top_radius=2.5).flat(), "stone"),
             painted(moved(cone(2.5, 0.05, columns=16, top_radius=0.01).flat(), 0, 0, 0.66), "water"),
             painted(cone(0.5, 1.9, columns=10, top_radius=0.3), "dark_stone"),
             painted(ball((0.9, 0.9, 0.3), (0, 0, 1.9), 12, 6), "stone"),
             painted(ball((0.6, 0.6, 0.2), (0, 0, 2.1), 12, 6), "water")]
    return joined(*parts), Solid().cylinder(2.6, 2.2)


def tree():
    crown = [painted(ball((1.5, 1.5, 1.3), (0, 0, 3.4), 9, 6).flat(), "leaf"),
             painted(ball((1.1, 1.1, 1.0), (0.6, 0.4, 4.3), 8, 6).flat(), "moss"),
             painted(ball((1.0, 1.0, 0.9), (-0.6, -0.3, 4.1), 8, 6).flat(), "leaf")]
    return joined(*crown, painted(cone(0.24, 2.8, columns=7, top_radius=0.16), "wood")), \
        Solid().cylinder(0.25, 3.0)


def barricade():
    parts = []
    for x, y, z, size, turn in ((-1.5, 0, 0, 1.2, 0.2), (0, 0.1, 0, 1.3, 0.6), (1.5, -0.1, 0, 1.2, -0.3),
                                (-0.7, 0, 1.2, 1.1, 0.5), (0.8, 0.1, 1.2, 1.1, 0.1)):
        parts.append(moved(block("wood", (size,) * 3, (0, 0, size / 2), 0.06), x, y, z, turn))
        parts.append(moved(block("iron", (size + 0.04, size + 0.04, 0.12), (0, 0, size / 2), 0.02, True),
                           x, y, z, turn))
    return joined(*parts)


def rubble(length, chance):
    parts = []
    for i in range(26):
        size = 0.15 + 0.45 * chance.random()
        x, y = chance.uniform(-length / 2, length / 2), chance.uniform(-1.9, 1.9)
        piece = block("stone" if i % 3 else "dark_stone", (size * 1.4, size, size * 0.4), (0, 0, size * 0.16))
        parts.append(moved(piece, x, y, 0, chance.uniform(0, 3)))
    return joined(*parts)


# --- Agents ---------------------------------------------------------------------------------------


def person():
    """Looks along y; made of few triangles, as there are hundreds."""
    return joined(painted(cone(0.34, 1.35, columns=8, top_radius=0.16), "blue"),
                  painted(ball((0.20, 0.20, 0.22), (0, 0, 1.52), 8, 5), "skin"),
                  painted(cone(0.26, 0.16, (0, 0, 1.6), 8, 0.06), "cloth"))


def cart():
    """Looks along y."""
    parts = [block("red", (1.1, 1.5, 0.55), (0, -0.1, 0.75), 0.05, True),
             block("grain", (0.9, 1.2, 0.3), (0, -0.1, 1.1), 0.1),
             block("red", (0.1, 0.9, 0.1), (-0.4, 0.9, 0.75), 0.02, True),
             block("red", (0.1, 0.9, 0.1), (0.4, 0.9, 0.75), 0.02, True)]
    for x in (-0.62, 0.62):
        wheel = painted(cone(0.45, 0.12, columns=12, top_radius=0.45), "dark")
        wheel.joined(painted(moved(cone(0.45, 0.02, columns=12, top_radius=0.01), 0, 0, 0.12), "iron"))
        parts.append(wheel.moved(lambda p, x=x: (x + (p[2] if x > 0 else -p[2]), p[1] - 0.1,
                                                 p[0] * (-1 if x > 0 else 1) + 0.45)))
    return joined(*parts)
