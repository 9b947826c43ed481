#!/usr/bin/env python3
"""Paints the signs: `python3 tools/make_signs.py`, from anywhere.

Needs nothing but Python 3. What it writes is the same on every machine and stands in the repository,
so only those who change the signs run it. Letters are strokes of a round brush; a pixel is as much
of the paint as its distance to the nearest stroke says.
"""

import math
import os
import struct
import zlib

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "textures")
WIDTH, HEIGHT = 512, 236
BRUSH = 7  # the radius of strokes, in pixels
WORDS = {"sign": "APPLES", "sign_fr": "POMMES", "sign_de": "ÄPFEL", "sign_plain": ""}

PAINT, BOARD, APPLE, LEAF = (244, 232, 200), (24, 74, 72), (196, 40, 32), (116, 168, 52)


def arc(x, y, width, height, start, end):
    """Points of an ellipse around (x, y), by degrees clockwise from the right."""
    steps = [math.radians(start + (end - start) * i / 12) for i in range(13)]
    return [(x + width * math.cos(a), y + height * math.sin(a)) for a in steps]


# Width, and lines through points, 1 high, y downwards.
LETTERS = {
    "A": (0.7, [[(0, 1), (0.35, 0), (0.7, 1)], [(0.12, 0.66), (0.58, 0.66)]]),
    "Ä": (0.7, [[(0, 1), (0.35, 0.1), (0.7, 1)], [(0.12, 0.7), (0.58, 0.7)],
                [(0.12, -0.06), (0.13, -0.06)], [(0.57, -0.06), (0.58, -0.06)]]),
    "E": (0.55, [[(0.55, 0), (0, 0), (0, 1), (0.55, 1)], [(0, 0.48), (0.45, 0.48)]]),
    "F": (0.55, [[(0.55, 0), (0, 0), (0, 1)], [(0, 0.48), (0.45, 0.48)]]),
    "L": (0.52, [[(0, 0), (0, 1), (0.52, 1)]]),
    "M": (0.8, [[(0, 1), (0.04, 0), (0.4, 0.66), (0.76, 0), (0.8, 1)]]),
    "O": (0.8, [arc(0.4, 0.5, 0.4, 0.5, 0, 360)]),
    "P": (0.58, [[(0, 1), (0, 0), (0.3, 0)] + arc(0.3, 0.28, 0.28, 0.28, -90, 90) + [(0, 0.56)]]),
    "S": (0.58, [arc(0.3, 0.26, 0.27, 0.26, -30, -270) + arc(0.28, 0.75, 0.29, 0.25, -90, 150)]),
}


def strokes_of(word, left, top, height):
    gap = 0.3
    strokes = []
    for letter in word:
        width, lines = LETTERS[letter]
        for line in lines:
            points = [(left + x * height, top + y * height) for x, y in line]
            strokes += zip(points, points[1:])
        left += (width + gap) * height
    return strokes, left - gap * height


def distance(x, y, stroke):
    (ax, ay), (bx, by) = stroke
    dx, dy = bx - ax, by - ay
    t = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1)))
    return math.hypot(x - ax - dx * t, y - ay - dy * t)


def over(below, above, edge):
    """`above` where the distance `edge` to its border is negative, softly."""
    share = max(0.0, min(1.0, 0.5 - edge))
    return tuple(b + (a - b) * share for a, b in zip(above, below))


def pixel(x, y, strokes):
    color = over(BOARD, PAINT, abs(max(abs(x - WIDTH / 2) - 232, abs(y - HEIGHT / 2) - 94)) - 3)
    # An apple with a bite of light and a leaf, left of the word.
    cx, cy = 82, HEIGHT / 2 + 8
    color = over(color, APPLE, min(math.hypot(x - cx + 12, y - cy), math.hypot(x - cx - 12, y - cy)) - 32)
    color = over(color, PAINT, math.hypot(x - cx + 20, y - cy + 12) - 6)
    color = over(color, LEAF, math.hypot((x - cx - 12) * 0.7 + (y - cy + 42) * 0.5,
                                         (y - cy + 42) * 1.4 + (x - cx - 12) * 0.7) - 13)
    near = [s for s in strokes if min(s[0][0], s[1][0]) - 9 < x < max(s[0][0], s[1][0]) + 9]
    if near:
        color = over(color, PAINT, min(distance(x, y, s) for s in near) - BRUSH)
    return bytes(round(c) for c in color)


def write_png(path, rows):
    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body) & 0xFFFFFFFF))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
                   + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9))
                   + chunk(b"IEND", b""))


def fitted_strokes_of(word):
    """The word as large as fits between the apple and the border."""
    first, last = 142, 458
    _, width = strokes_of(word, 0, 0, 1)
    height = min(78, (last - first) / width)
    left = first + (last - first - width * height) / 2
    top = HEIGHT / 2 - height / 2 + (6 if "Ä" in word else 0)
    return strokes_of(word, left, top, height)[0]


def paint(name, word):
    strokes = fitted_strokes_of(word) if word else []
    rows = [b"".join(pixel(x + 0.5, y + 0.5, strokes) for x in range(WIDTH))
            for y in range(HEIGHT)]
    write_png(os.path.join(FOLDER, name + ".png"), rows)


if __name__ == "__main__":
    for name, word in WORDS.items():
        paint(name, word)
