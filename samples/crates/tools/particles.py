"""Pictures for particles: white shapes whose opacity does the work. The colour comes from the
effect. What is at the edge of a frame is clear, so that frames do not show each other."""

import math
import struct
import zlib

from textures import clamp, layered_noise, png_chunk, smoothstep


def filtered_row(row, above):
    """The row with the filter (none, left, up) that leaves the smallest numbers."""
    left = bytes((row[i] - (row[i - 4] if i >= 4 else 0)) & 255 for i in range(len(row)))
    up = bytes((a - b) & 255 for a, b in zip(row, above))
    candidates = ((0, row), (1, left), (2, up))
    kind, data = min(candidates, key=lambda c: sum(x if x < 128 else 256 - x for x in c[1]))
    return bytes([kind]) + data


def write_png(path, width, height, color_at):
    """Writes a picture with opacity; `color_at(u, v)` gives four numbers from 0 to 1."""
    rows, above = [], bytes(width * 4)
    for y in range(height):
        row = bytes(round(clamp(c) * 255) for x in range(width)
                    for c in color_at((x + 0.5) / width, (y + 0.5) / height))
        rows.append(filtered_row(row, above))
        above = row
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)
                   + png_chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + png_chunk(b"IEND", b""))


def from_middle(u, v):
    """The distance from the middle: 1 at the nearest points of the edge."""
    return 2 * math.hypot(u - 0.5, v - 0.5)


def puff(u, v, seed=3):
    """A cloud of dust or smoke: lumps with a soft outline."""
    lumps = layered_noise(u, v, 4, 4, seed)
    outline = from_middle(u, v) + 0.55 * (layered_noise(u, v, 3, 3, seed + 20) - 0.5)
    alpha = smoothstep(0.92, 0.15, outline) * (0.55 + 0.7 * lumps)
    shade = 0.82 + 0.18 * lumps
    return (shade, shade, shade, clamp(alpha * smoothstep(1.0, 0.75, from_middle(u, v))))


def puffs(u, v):
    """Four puffs, two in a row."""
    seed = 3 + 31 * (int(u * 2) + 2 * int(v * 2))
    return puff(u * 2 % 1, v * 2 % 1, seed)


def flame(u, v, time):
    """A tongue of fire that rises and tears; `time` goes from 0 to 1."""
    up = 1 - v
    sway = 0.16 * (layered_noise(up * 0.5 + time, 0.3, 4, 1, 7) - 0.5) * up * 2
    tear = layered_noise(u * 0.9, (v + 1.4 * time) % 1, 5, 4, 11)
    width = 0.40 * smoothstep(0.0, 0.22, up) * (1 - 0.85 * up) + 0.02
    side = abs(u - 0.5 - sway) / width
    body = 1.15 - side - 0.9 * time * up + 1.3 * (tear - 0.5) * (0.35 + up)
    alpha = smoothstep(0.0, 0.55, body) * smoothstep(0.0, 0.10, up) * smoothstep(0.0, 0.12, v)
    alpha *= smoothstep(0.0, 0.08, min(u, 1 - u))
    heat = smoothstep(0.25, 1.0, body)
    return (1, 0.42 + 0.5 * heat, 0.10 + 0.5 * heat * heat, clamp(alpha))


def flames(u, v):
    """Sixteen frames of a flame, four in a row."""
    frame = int(u * 4) + 4 * int(v * 4)
    return flame(u * 4 % 1, v * 4 % 1, frame / 16)


def drop(u, v):
    """A drop that flies to the top of the picture, with the tail that its motion draws."""
    width = 0.2 + 0.75 * math.sqrt(max(0.0, 1 - v)) * smoothstep(0.0, 0.16, v)
    alpha = smoothstep(1.0, 0.25, abs(u - 0.5) * 2 / width)
    return (1, 1, 1, alpha * smoothstep(0.0, 0.08, v) * smoothstep(1.0, 0.55, v))


def ripple(u, v):
    """A ring on water."""
    distance = from_middle(u, v)
    ring = smoothstep(0.22, 0.0, abs(distance - 0.74))
    return (1, 1, 1, ring * (0.8 + 0.2 * layered_noise(u, v, 6, 6, 5)))


def spark(u, v):
    """A point of light with a glow around it."""
    distance = from_middle(u, v)
    glow = smoothstep(1.0, 0.0, distance) ** 2
    return (1, 1, 1, clamp(0.5 * glow + smoothstep(0.42, 0.12, distance)))


def streak(u, v):
    """A band of light that grows wide and bright from its end (u = 0) to its head."""
    across = abs(v - 0.5) * 2 / (0.15 + 0.85 * u)
    return (1, 1, 1, smoothstep(1.0, 0.1, across) * u * (0.3 + 0.7 * u))


# Name: width, height, colours.
PICTURES = {
    "puff": (128, 128, puffs), "flame": (256, 256, flames), "drop": (32, 64, drop),
    "ripple": (64, 64, ripple), "spark": (32, 32, spark), "streak": (32, 32, streak),
}


def write_all(folder, names):
    """Writes pictures, and a texture of each, into the folder of a project's textures."""
    for name in names:
        width, height, color_at = PICTURES[name]
        write_png("%s/%s.png" % (folder, name), width, height, color_at)
        with open("%s/%s.texture" % (folder, name), "w") as file:
            file.write('source = "textures/%s.png"\nwrap = "clamp"\n' % name)
