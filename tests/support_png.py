"""Reading and writing PNG files with nothing but the standard library, and comparing pictures."""

import struct
import zlib

# Two pictures count as the same when the mean difference of all channels is at most MEAN_LIMIT and
# at most PIXEL_SHARE of the pixels have a channel that is off by more than PIXEL_LIMIT (of 255): CPU
# drivers round a little differently on other processors, and only edges move by it.
MEAN_LIMIT = 2.0
PIXEL_LIMIT = 24
PIXEL_SHARE = 0.005

SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Picture:
    """8-bit RGB pixels, rows from the top."""

    def __init__(self, width, height, pixels):
        assert len(pixels) == width * height * 3, (width, height, len(pixels))
        self.width, self.height, self.pixels = width, height, bytes(pixels)

    def pixel(self, x, y):
        start = (y * self.width + x) * 3
        return tuple(self.pixels[start:start + 3])

    def num_colors(self):
        """How many different colours there are, as a measure of being a picture of something."""
        return len({self.pixels[i:i + 3] for i in range(0, len(self.pixels), 3)})


def paeth(a, b, c):
    """The neighbour (left, above, above left) nearest to a + b - c (PNG specification, 9.4)."""
    p = a + b - c
    from_a, from_b, from_c = abs(p - a), abs(p - b), abs(p - c)
    if from_a <= from_b and from_a <= from_c:
        return a
    return b if from_b <= from_c else c


def unfiltered_rows(data, stride, height, step):
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = data[start], bytearray(data[start + 1:start + 1 + stride])
        if kind == 1:
            for i in range(step, stride):
                row[i] = (row[i] + row[i - step]) & 255
        elif kind == 2:
            for i in range(stride):
                row[i] = (row[i] + above[i]) & 255
        elif kind == 3:
            for i in range(stride):
                left = row[i - step] if i >= step else 0
                row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
                row[i] = (row[i] + paeth(left, above[i], corner)) & 255
        elif kind != 0:
            raise ValueError(f"row {y} has filter {kind}")
        above = row
        yield row


def chunks(data):
    if data[:8] != SIGNATURE:
        raise ValueError("not a PNG file")
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        (crc,) = struct.unpack(">I", data[at + 8 + length:at + 12 + length])
        if crc != zlib.crc32(kind + body):
            raise ValueError(f"the checksum of {kind} is wrong")
        yield kind, body
        at += 12 + length


def read_png(path):
    """The picture of an RGB or RGBA file with 8 bits a channel; alpha is left out."""
    with open(path, "rb") as file:
        return decode(file.read(), path)


def decode(data, path="png"):
    """The same of the bytes of a file."""
    parts = list(chunks(data))
    header = parts[0][1]
    width, height, bits, color, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if parts[0][0] != b"IHDR" or bits != 8 or color not in (2, 6) or interlaced:
        raise ValueError(f"{path}: {bits} bits, colour type {color}, interlaced {interlaced}")
    step = 3 if color == 2 else 4
    data = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    pixels = bytearray()
    for row in unfiltered_rows(data, width * step, height, step):
        if step == 4:
            del row[3::4]
        pixels += row
    return Picture(width, height, pixels)


def write_png(path, picture):
    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body)))

    stride = picture.width * 3
    rows, above = bytearray(), bytes(stride)
    for y in range(picture.height):
        row = picture.pixels[y * stride:(y + 1) * stride]
        rows.append(2)
        rows += bytes((a - b) & 255 for a, b in zip(row, above))
        above = row
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9))
                   + chunk(b"IEND", b""))


def difference(a, b):
    """(mean difference of all channels, share of pixels that are off by more than PIXEL_LIMIT)."""
    if (a.width, a.height) != (b.width, b.height):
        raise ValueError(f"{a.width} x {a.height} against {b.width} x {b.height} pixels")
    differences = [abs(x - y) for x, y in zip(a.pixels, b.pixels)]
    red, green, blue = differences[0::3], differences[1::3], differences[2::3]
    off = sum(1 for pixel in zip(red, green, blue) if max(pixel) > PIXEL_LIMIT)
    return sum(differences) / len(differences), off / (a.width * a.height)


def is_same(a, b):
    mean, share = difference(a, b)
    return mean <= MEAN_LIMIT and share <= PIXEL_SHARE
