#!/usr/bin/env python3
"""Writes the textures of tests/render/project, so that no binary comes from elsewhere."""

import math
import pathlib
import struct
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent / "project" / "textures"


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


FACES = {"right": (200, 60, 60), "left": (60, 170, 170), "front": (60, 170, 60),
         "back": (170, 60, 170), "up": (70, 90, 210), "down": (170, 150, 50)}


def face(color):
    # The letter F, so that one sees how it is turned.
    def pixel(x, y):
        is_letter = 6 <= y < 26 and (8 <= x < 12 or (8 <= x < 24 and y < 10) or
                                     (8 <= x < 20 and 14 <= y < 18))
        return (255, 255, 255) if is_letter else color
    return pixel


def main():
    for pixel in (checker, stripes, bumps, metal_rings, glow, leaf, sky):
        write(pixel.__name__, 64, pixel)
    for name, color in FACES.items():
        write("cube_" + name, 32, face(color))


if __name__ == "__main__":
    main()
