"""`cuttle font`: distance-field fonts from AngelCode fonts of each format, and what is refused."""

import os
import re
import shlex
import struct
import unittest
import zlib

from support_cuttle import ROOT, TemporaryFolder, cuttle, read
from support_png import SIGNATURE, chunks, unfiltered_rows

SCALE, SPREAD = 8, 4
PADDING = SCALE * SPREAD
SIDE = 512  # of a page
RADIUS = 40
CELL = 2 * (RADIUS + PADDING)


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF))


def png_of(width, height, alpha):
    """A white image with an alpha channel, as AngelCode's program writes it."""
    rows = b"".join(b"\0" + b"".join(b"\xff\xff\xff" + bytes([a])
                                     for a in alpha[y * width:(y + 1) * width])
                    for y in range(height))
    return (SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def grey_tga(width, height, pixels):
    return struct.pack("<BBBHHBHHHHBB", 0, 0, 3, 0, 0, 0, 0, 0, width, height, 8, 0x20) + pixels


def draw_disc(pixels, left, top, radius):
    """A disc with smooth edges in a cell of the page."""
    middle = CELL / 2 - 0.5
    for y in range(CELL):
        for x in range(CELL):
            d = radius - ((x - middle) ** 2 + (y - middle) ** 2) ** 0.5
            if d > -0.5:
                pixels[(top + y) * SIDE + left + x] = round(255 * min(d + 0.5, 1))


class Font:
    """A font of discs of several sizes on two pages: "A" to "F"."""

    def __init__(self):
        self.pages = [bytearray(SIDE * SIDE), bytearray(SIDE * SIDE)]
        self.chars = [(32, 0, 0, 0, 0, 0, 0, 40, 0)]
        for i in range(6):
            page, x, y = i // 3, i % 3 * (CELL + 8), i % 2 * (CELL + 16)
            draw_disc(self.pages[page], x, y, RADIUS - 4 * i)
            self.chars.append((65 + i, x, y, CELL, CELL, -PADDING, 8 - PADDING, 88 + i, page))
        self.kernings = [(65, 66, -16), (66, 65, 5)]
        self.padding = PADDING
        self.scale_width = SIDE

    def text(self):
        lines = [
            f'info face="Discs" size=-120 bold=0 italic=0 charset="" unicode=1 stretchH=100 '
            f"smooth=1 aa=1 padding={','.join([str(self.padding)] * 4)} spacing=8,8 outline=0",
            f"common lineHeight=144 base=120 scaleW={self.scale_width} scaleH={SIDE} pages=2 "
            "packed=0 alphaChnl=0 redChnl=4 greenChnl=4 blueChnl=4",
            'page id=0 file="Big Discs_0.png"', 'page id=1 file="Big Discs_1.png"',
            f"chars count={len(self.chars)}"]
        for c in self.chars:
            lines.append("char id=%d x=%d y=%d width=%d height=%d xoffset=%d yoffset=%d "
                         "xadvance=%d page=%d chnl=15" % c)
        lines.append(f"kernings count={len(self.kernings)}")
        lines += ["kerning first=%d second=%d amount=%d" % k for k in self.kernings]
        return "\r\n".join(lines) + "\r\n"

    def xml(self):
        lines = ['<?xml version="1.0"?>', "<font>"]
        for line in self.text().splitlines():
            tag, values = line.split(" ", 1)
            values = re.sub(r'=([^"\s]+)', r'="\1"', values)
            is_list = tag in ("chars", "kernings")
            if tag == "page" and "<pages>" not in lines:
                lines.append("<pages>")
            if tag == "chars":
                lines.append("</pages>")
            if tag == "kernings":
                lines.append("</chars>")
            lines.append(f"<{tag} {values}{'' if is_list else '/'}>")
        return "\n".join(lines + ["</kernings>", "</font>"])

    def binary(self):
        def block(kind, data):
            return struct.pack("<BI", kind, len(data)) + data
        info = struct.pack("<hBBHBBBBBBBB", -120, 0xC0, 0, 100, 1, *[self.padding] * 4, 8, 8, 0)
        common = struct.pack("<HHHHHBBBBB", 144, 120, self.scale_width, SIDE, 2, 0, 0, 4, 4, 4)
        return (b"BMF\3" + block(1, info + b"Discs\0") + block(2, common) +
                block(3, b"Big Discs_0.png\0Big Discs_1.png\0") +
                block(4, b"".join(struct.pack("<IHHHHhhhBB", *c, 15) for c in self.chars)) +
                block(5, b"".join(struct.pack("<IIh", *k) for k in self.kernings)))


FONT = Font()
PAGES = [png_of(SIDE, SIDE, page) for page in FONT.pages]


def read_grey_png(path):
    """The pixels of a grey file of 8 bits."""
    with open(path, "rb") as file:
        parts = list(chunks(file.read()))
    width, height, *rest = struct.unpack(">IIBBBBB", parts[0][1])
    assert rest == [8, 0, 0, 0, 0], rest
    data = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    return b"".join(map(bytes, unfiltered_rows(data, width, height, 1)))


class FontCommand(TemporaryFolder):
    def setUp(self):
        super().setUp()
        for i, page in enumerate(PAGES):
            self.put(f"Big Discs_{i}.png", page)

    def put(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return name

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def font(self, *arguments, check=0):
        return cuttle("font", *arguments, cwd=self.folder, check=check)

    def refused(self, arguments, *texts, check=1):
        """The command fails, says all texts, and leaves the folder as it was."""
        before = sorted(os.listdir(self.folder))
        done = self.font(*arguments, check=check)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_all_formats_give_the_same(self):
        sources = {"text": FONT.text(), "xml": FONT.xml(), "binary": FONT.binary()}
        for name, content in sources.items():
            self.put(f"{name}.fnt", content)
        outputs = {}
        for name in sources:
            for output in sources:
                done = self.font(f"{name}.fnt", "-o", "small.fnt", "--scale", SCALE, "--spread",
                                 SPREAD, "--format", output)
                self.assertEqual(done.stderr, "")
                found = tuple(map(self.bytes_of, ("small.fnt", "small_0.png", "small_1.png")))
                self.assertEqual(outputs.setdefault(output, found), found, (name, output))
            self.font(f"{name}.fnt", "-o", "small.fnt")
            self.assertEqual(self.bytes_of("small.fnt"), outputs[name][0])
        self.assertEqual(len({pages for _, *pages in outputs.values() for pages in pages}), 2)
        text = outputs["text"][0].decode()
        self.assertIn("padding=4,4,4,4 spacing=1,1", text)
        self.assertIn("common lineHeight=18 base=15 scaleW=64 scaleH=64 pages=2", text)
        self.assertIn('page id=1 file="small_1.png"', text)
        self.assertIn("char id=66 x=19 y=20 width=18 height=18 xoffset=-4 yoffset=-3 xadvance=11 "
                      "page=0 chnl=15", text)
        self.assertIn("kerning first=65 second=66 amount=-2", text)
        self.assertTrue(outputs["binary"][0].startswith(b"BMF\3"))
        self.assertTrue(outputs["xml"][0].startswith(b"<?xml"))

    def test_pages_are_distances(self):
        self.put("big.fnt", FONT.text())
        self.font("big.fnt", "-o", "small.fnt", "--pages", "tga")
        self.font("big.fnt", "-o", "png.fnt")
        tga = self.bytes_of("small_0.tga")
        self.assertEqual(tga[:18], grey_tga(64, 64, b""))
        pixels = tga[18:]
        self.assertEqual(read_grey_png(self.path("png_0.png")), pixels)
        middle = CELL / SCALE / 2 - 0.5
        for y in range(CELL // SCALE):
            for x in range(CELL // SCALE):
                d = RADIUS / SCALE - ((x - middle) ** 2 + (y - middle) ** 2) ** 0.5
                expected = min(max(128 + 127 * d / SPREAD, 0), 255)
                self.assertLessEqual(abs(pixels[y * 64 + x] - expected), 1.5, (x, y))
        # A font of distances can be read again.
        self.font("small.fnt", "-o", "again.fnt", "--scale", 1)

    def test_warns_of_little_padding_and_of_offsets(self):
        font = Font()
        font.padding = 8
        font.chars[1] = font.chars[1][:5] + (-30,) + font.chars[1][6:]
        self.put("big.fnt", font.text())
        done = self.font("big.fnt", "-o", "small.fnt")
        self.assertIn("big.fnt: warning: the padding around characters is 8 pixels; a spread of 4 "
                      "at scale 8 needs 32", done.stderr)
        self.assertIn("1 of 7 characters move by up to half a pixel", done.stderr)
        self.assertEqual(done.stdout.count("written"), 3)

    def test_refuses_fonts_that_are_wrong(self):
        arguments = ("big.fnt", "-o", "small.fnt")
        self.refused(arguments, "big.fnt: error: the file does not exist")
        for content in (FONT.text()[:900], FONT.xml()[:900], FONT.binary()[:150]):
            self.put("big.fnt", content)
            self.refused(arguments, "big.fnt:", "error:")
        self.put("big.fnt", FONT.binary()[:150])
        self.refused(arguments, "at byte", "the file ends inside of the block of chars")
        font = Font()
        font.chars[2] = (66, SIDE - 8, 0, 9, 5, 0, 0, 9, 0)
        self.put("big.fnt", font.text())
        self.refused(arguments, "big.fnt:8: error: the rectangle of character 66", "512 x 512")
        self.put("big.fnt", font.binary())
        self.refused(arguments, "at byte", "the rectangle of character 66")
        self.put("big.fnt", FONT.text().replace("packed=0", "packed=1"))
        self.refused(arguments, "the font is packed")
        self.put("big.fnt", "")
        self.refused(arguments, "the file is empty")

    def test_refuses_pages_that_are_wrong(self):
        arguments = ("big.fnt", "-o", "small.fnt")
        font = Font()
        font.scale_width = 500
        self.put("big.fnt", font.text())
        self.refused(arguments, "big.fnt:3: error:", "is 512 x 512 pixels; expected 500 x 512")
        self.put("big.fnt", FONT.text())
        self.put("Big Discs_1.png", PAGES[1][:-40])
        self.refused(arguments, "big.fnt:4: error: page 1:", "Big Discs_1.png is truncated")
        os.remove(self.path("Big Discs_1.png"))
        self.refused(arguments, "big.fnt:4: error: the image of page 1, Big Discs_1.png, is missing")

    def test_refuses_outputs_that_cannot_be(self):
        self.put("big.fnt", FONT.text())
        self.refused(("big.fnt",), "expected the name of the new font: -o OUT.fnt", check=2)
        self.refused(("big.fnt", "-o", "big.fnt"), "the output is the input")
        self.refused(("big.fnt", "-o", "./big.fnt"), "the output is the input")
        self.refused(("big.fnt", "-o", "small.png"), "must end in .fnt")
        self.refused(("big.fnt", "-o", "no/small.fnt"), "no/small.fnt: error:",
                     "No such file or directory")
        self.refused(("big.fnt", "-o", "/proc/small.fnt"), "/proc/small_0.png: error: cannot")
        # Its page would be the input's.
        self.refused(("big.fnt", "-o", "Big Discs.fnt"), "this page of the input would be replaced")
        self.assertEqual(self.bytes_of("Big Discs_0.png"), PAGES[0])
        os.mkdir(self.path("small_1.png"))
        self.refused(("big.fnt", "-o", "small.fnt"), "there is a folder with the name of a new page")

    def test_refuses_options_that_are_wrong(self):
        self.put("big.fnt", FONT.text())
        for option, value, text in (("--scale", "0", "expected a number from 1 to 64"),
                                    ("--scale", "1.5", "expected a whole number"),
                                    ("--spread", "65", "expected a number from 1 to 64"),
                                    ("--format", "json", "expected text, xml or binary"),
                                    ("--pages", "jpg", "expected png or tga")):
            self.refused(("big.fnt", "-o", "small.fnt", option, value),
                         f'cuttle font: {option} is "{value}"; {text}', check=2)

    def test_commands_of_the_page_work(self):
        self.put("big.fnt", FONT.text())
        page = read(os.path.join(ROOT, "docs", "angelcode_fonts.md"))
        commands = [line for block in re.findall(r"```sh\n(.*?)```", page, re.S)
                    for line in block.splitlines() if line.startswith("cuttle font")]
        self.assertGreater(len(commands), 1)
        for line in commands:
            self.font(*shlex.split(line)[2:])


if __name__ == "__main__":
    unittest.main()
