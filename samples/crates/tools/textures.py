"""The sample's textures: heights and colours as functions of u and v, sampled into PNG files.

u runs to the right and v down, both from 0 to 1. All patterns repeat without a seam. A normal map is
the slope of the height; its green channel points up the picture, as glTF has it.
"""

import math
import struct
import zlib


def clamp(x, least=0.0, most=1.0):
    return least if x < least else most if x > most else x


def mix(a, b, t):
    return a + (b - a) * t


def mix_color(a, b, t):
    return tuple(mix(x, y, t) for x, y in zip(a, b))


def smoothstep(least, most, x):
    t = clamp((x - least) / (most - least))
    return t * t * (3 - 2 * t)


def chance(x, y, seed):
    """A number from 0 to 1 that looks random but is the same on every machine."""
    n = (x * 374761393 + y * 668265263 + seed * 974711) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    n = ((n ^ (n >> 15)) * 2246822519) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 65535.0


def noise(u, v, cells_u, cells_v, seed):
    """Smooth noise from 0 to 1 on a grid that repeats."""
    x, y = u * cells_u, v * cells_v
    i, j = math.floor(x), math.floor(y)
    s, t = smoothstep(0, 1, x - i), smoothstep(0, 1, y - j)
    i0, i1, j0, j1 = i % cells_u, (i + 1) % cells_u, j % cells_v, (j + 1) % cells_v
    return mix(mix(chance(i0, j0, seed), chance(i1, j0, seed), s),
               mix(chance(i0, j1, seed), chance(i1, j1, seed), s), t)


def layered_noise(u, v, cells_u, cells_v, seed):
    return (0.6 * noise(u, v, cells_u, cells_v, seed)
            + 0.3 * noise(u, v, cells_u * 2, cells_v * 2, seed + 1)
            + 0.1 * noise(u, v, cells_u * 4, cells_v * 4, seed + 2))


# --- PNG ------------------------------------------------------------------------------------------


def png_chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF))


def filtered_row(row, above):
    """The row with the filter (none, left, up) that leaves the smallest numbers."""
    left = bytes((row[i] - (row[i - 3] if i >= 3 else 0)) & 255 for i in range(len(row)))
    up = bytes((a - b) & 255 for a, b in zip(row, above))
    candidates = ((0, row), (1, left), (2, up))
    kind, data = min(candidates, key=lambda c: sum(x if x < 128 else 256 - x for x in c[1]))
    return bytes([kind]) + data


def write_png(path, size, color_at):
    """Writes a square picture; `color_at(x, y)` gives three numbers from 0 to 1."""
    rows, above = [], bytes(size * 3)
    for y in range(size):
        row = bytes(round(clamp(c) * 255) for x in range(size) for c in color_at(x, y))
        rows.append(filtered_row(row, above))
        above = row
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)
                   + png_chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + png_chunk(b"IEND", b""))


def write_pair(path, size, surface, depth):
    """Writes PATH_color.png and PATH_normal.png of `surface(u, v)`, which gives a colour and a
    height; `depth` is how far a height of 1 stands out, in widths of the picture."""
    samples = [[surface((x + 0.5) / size, (y + 0.5) / size) for x in range(size)]
               for y in range(size)]

    def normal_at(x, y):
        right, left = samples[y][(x + 1) % size][1], samples[y][x - 1][1]
        below, above = samples[(y + 1) % size][x][1], samples[y - 1][x][1]
        nx, ny = (left - right) * depth * size / 2, (below - above) * depth * size / 2
        length = math.sqrt(nx * nx + ny * ny + 1)
        return (nx / length / 2 + 0.5, ny / length / 2 + 0.5, 1 / length / 2 + 0.5)

    write_png(path + "_color.png", size, lambda x, y: samples[y][x][0])
    write_png(path + "_normal.png", size, normal_at)


# --- Surfaces -------------------------------------------------------------------------------------

WOOD_DARK, WOOD, WOOD_LIGHT = (0.40, 0.24, 0.12), (0.66, 0.43, 0.22), (0.80, 0.57, 0.32)
NAIL = (0.23, 0.20, 0.19)
FRAME = 0.13   # width of a crate's outer boards
BRACE = 0.075  # half the width of its diagonal board
PLANKS = 5


def board(along, across, number, raised, distance):
    """Colour and height of a board: grain along it, worn edges. `distance`: from its edge."""
    grain = layered_noise(along * 0.5, across + number * 0.37, 3, 40, 11 + number)
    rings = 0.5 + 0.5 * math.sin(6.283 * (across * 9 + 1.5 * noise(along, across, 2, 6, 5 + number)))
    tint = 0.9 * (chance(number, 3, 7) - 0.5) + 0.7 * (grain - 0.4) + 0.3 * (rings - 0.5)
    color = mix_color(WOOD, WOOD_LIGHT if tint > 0 else WOOD_DARK, clamp(abs(tint)))
    color = mix_color(color, WOOD_DARK, 0.5 * smoothstep(0.55, 0.95, grain * 0.7 + rings * 0.3))
    edge = smoothstep(0, 0.012, distance)
    worn = smoothstep(0.03, 0.012, distance) * edge
    color = mix_color(color, WOOD_LIGHT, 0.45 * worn)
    color = mix_color(mix_color(WOOD_DARK, (0, 0, 0), 0.45), color, edge)
    return color, raised * edge + 0.05 * grain - 0.03 * rings


def with_nails(surface, u, v, places):
    color, height = surface
    for x, y in places:
        distance = math.hypot(u - x, v - y)
        if distance < 0.03:
            head = smoothstep(0.0165, 0.0125, distance)
            color = mix_color(color, WOOD_DARK, 0.7 * smoothstep(0.026, 0.016, distance))
            shine = 0.35 * smoothstep(0.014, 0, math.hypot(u - x + 0.004, v - y + 0.005))
            color = mix_color(color, mix_color(NAIL, (0.7, 0.66, 0.6), shine), head)
            height += 0.15 * head
    return color, height


def crate(u, v):
    nails = [(a, b) for a in (0.065, 0.935) for b in (0.065, 0.935)]
    nails += [(a, 0.5) for a in (0.065, 0.935)] + [(0.5, b) for b in (0.065, 0.935)]
    from_side, from_end = min(u, 1 - u), min(v, 1 - v)
    if from_side < FRAME:
        number = 1 if u < 0.5 else 2
        surface = board(v, u, number, 1.0, min(FRAME - from_side, from_end + 0.03))
        return with_nails(surface, u, v, nails)
    if from_end < FRAME:
        number = 3 if v < 0.5 else 4
        distance = min(FRAME - from_end, from_side - FRAME)
        return with_nails(board(u, v, number, 1.0, distance), u, v, nails)
    across = (u + v - 1) / math.sqrt(2)
    along = (u - v) / math.sqrt(2) + 0.5
    from_frame = min(from_side, from_end) - FRAME
    if abs(across) < BRACE:
        distance = min(BRACE - abs(across), from_frame)
        return board(along, across + 0.5, 5, 0.8, distance)
    place = (u - FRAME) / (1 - 2 * FRAME) * PLANKS
    number = min(int(place), PLANKS - 1)
    distance = min(place - number, number + 1 - place) / PLANKS
    color, height = board(v, u, 6 + number, 0.35, distance)
    shade = min(smoothstep(-0.01, 0.055, from_frame), smoothstep(-0.01, 0.06, abs(across) - BRACE))
    return mix_color(mix_color(color, (0.12, 0.07, 0.04), 0.6), color, 0.25 + 0.75 * shade), height


TILES = 8  # tiles along each side of the floor's texture, a metre each


def floor(u, v):
    x, y = u * TILES, v * TILES
    i, j = int(x) % TILES, int(y) % TILES
    distance = min(x % 1, 1 - x % 1, y % 1, 1 - y % 1)
    worn = layered_noise(u, v, 10, 10, 31)
    corner = 0.018 + 0.012 * noise(u, v, 48, 48, 37)
    stone = smoothstep(corner, corner + 0.05, distance)
    base = (0.73, 0.66, 0.55) if (i + j) % 2 == 0 else (0.60, 0.52, 0.43)
    warm = chance(i, j, 41)
    base = mix_color(base, (0.70, 0.56, 0.42) if warm > 0.5 else (0.60, 0.58, 0.52),
                     0.38 * abs(warm - 0.5) * 2)
    light = 1 + 0.12 * (chance(i, j, 43) - 0.5) + 0.16 * (worn - 0.5)
    light *= 1 - 0.07 * smoothstep(0.55, 0.8, noise(u, v, 64, 64, 47))
    color = tuple(c * light for c in base)
    moss = smoothstep(0.52, 0.75, layered_noise(u, v, 4, 4, 53))
    joint = mix_color((0.36, 0.31, 0.26), (0.34, 0.35, 0.23), moss)
    color = mix_color(color, mix_color(color, (0.50, 0.50, 0.35), 0.5),
                      moss * smoothstep(0.30, 0.06, distance))
    tilt = (chance(i, j, 59) - 0.5) * (x % 1 - 0.5) + (chance(i, j, 61) - 0.5) * (y % 1 - 0.5)
    height = stone * (1 + 0.35 * tilt) + 0.10 * worn + 0.03 * noise(u, v, 128, 128, 67)
    return mix_color(joint, color, stone), height


ROWS, BRICKS = 4, 3


def wall(u, v):
    y = v * ROWS
    row = int(y) % ROWS
    x = u * BRICKS + (0.5 if row % 2 else 0.0)
    brick = int(x) % BRICKS
    wobble = 0.008 * (noise(u, v, 12, 12, 71) - 0.5)
    distance = min(min(x % 1, 1 - x % 1) / BRICKS, min(y % 1, 1 - y % 1) / ROWS) + wobble
    stone = smoothstep(0.004, 0.02, distance)
    rough = layered_noise(u, v, 16, 16, 73)
    tone = chance(brick, row, 79)
    base = mix_color((0.62, 0.54, 0.46), (0.74, 0.64, 0.53), tone)
    base = mix_color(base, (0.60, 0.58, 0.58), 0.5 * chance(brick, row, 83))
    color = tuple(c * (0.86 + 0.28 * rough) for c in base)
    height = stone * (0.8 + 0.25 * chance(brick, row, 89)) + 0.22 * rough
    return mix_color((0.45, 0.39, 0.33), color, stone), height


def grass(u, v):
    patches = layered_noise(u, v, 4, 4, 97)
    blades = layered_noise(u, v, 40, 40, 101)
    color = mix_color((0.36, 0.47, 0.20), (0.55, 0.60, 0.27), 0.7 * patches + 0.3 * blades)
    return tuple(c * (0.88 + 0.24 * blades) for c in color), blades


def write_all(folder):
    write_pair(folder + "/crate", 256, crate, 0.018)
    write_pair(folder + "/floor", 512, floor, 0.0045)
    write_pair(folder + "/wall", 256, wall, 0.02)
    write_png(folder + "/grass_color.png", 128, lambda x, y: grass((x + 0.5) / 128,
                                                                   (y + 0.5) / 128)[0])
