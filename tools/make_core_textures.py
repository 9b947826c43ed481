#!/usr/bin/env python3
"""Writes the default textures of core: one colour each, as 4 x 4 PNG files."""

import argparse
import pathlib
import struct
import zlib

SIZE = 4
COLORS = {"white": (255, 255, 255, 255), "black": (0, 0, 0, 255), "normal": (128, 128, 255, 255)}


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def png(color):
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)  # 8 bits, RGBA
    rows = (b"\0" + bytes(color) * SIZE) * SIZE
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "core" / "textures"
    for name, color in COLORS.items():
        (folder / f"{name}.png").write_bytes(png(color))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
