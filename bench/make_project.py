#!/usr/bin/env python3
"""Makes a project of many resources, for measurements and tests at scale.

    bench/make_project.py OUT [--resources N] [--seed S] [--large-textures N]

Of N resources (10,000) 76 % are units, 4 % levels, 15 % materials and 5 % small textures. Units and
levels form four layers: bases have a mesh; props inherit bases; groups have props as children;
levels place groups and props. Materials use core's standard shader. A few scripts, the settings and
packages come on top, and large textures (1024 by 1024, noise on gradients: upper mips are in
streams). The same arguments give the same bytes on any machine.
"""

import argparse
import os
import random
import struct
import sys
import zlib

FOLDERS = ("forest", "castle", "harbour", "cave", "village", "bridge", "mill", "garden")
MESHES = ("core/meshes/cube", "core/meshes/sphere", "core/meshes/plane")


def png_of(rows, size):
    """A PNG file of `size` by `size` pixels, 8 bits of red, green and blue."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def png(chance, size):
    color = chance.randbytes(3)
    rows = b"".join(b"\0" + bytes((c + 16 * ((x ^ y) & 1)) & 255 for x in range(size)
                                  for c in color) for y in range(size))
    return png_of(rows, size)


def noisy_png(chance, size):
    """Like png(), with slices of one noise whose brightness changes from row to row."""
    pool = chance.randbytes(size * 8).translate(bytes(i % 24 for i in range(256)))
    tables = [bytes((i + base) & 255 for i in range(256)) for base in range(232)]
    rows = []
    for y in range(size):
        at = chance.randrange(size * 5)
        rows.append(b"\0" + pool[at:at + size * 3].translate(tables[y * 232 // size]))
    return png_of(b"".join(rows), size)


def guid(chance):
    h = chance.randbytes(16).hex()
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-8{h[17:20]}-{h[20:]}"


def numbers(chance, low, high, count=3):
    return " ".join(f"{chance.uniform(low, high):.3f}" for _ in range(count))


class Project:
    def __init__(self, out, resources, seed, num_large_textures=0):
        self.out = out
        self.chance = random.Random(seed)
        num_levels = max(resources * 4 // 100, 1)
        num_units = max(resources * 80 // 100 - num_levels, 3)
        self.num_bases = max(num_units // 20, 1)
        self.num_groups = max(num_units // 5, 1)
        self.num_props = max(num_units - self.num_bases - self.num_groups, 1)
        self.num_levels = num_levels
        self.num_textures = max(resources * 5 // 100, 1)
        self.num_materials = max(resources - num_units - num_levels - self.num_textures, 1)
        self.num_large_textures = num_large_textures
        self.components = {}  # of a base: ids of its transform and mesh

    def write(self, path, data):
        full = os.path.join(self.out, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def names(self, kind, word, count):
        return [f"{kind}/{FOLDERS[i % len(FOLDERS)]}/{word}_{i:05}" for i in range(count)]

    def texture(self, name):
        self.write(name + ".png", png(self.chance, self.chance.choice((4, 8, 16))))
        self.write(name + ".texture", f'source = "{name}.png"\n')

    def material(self, name):
        pick = self.chance
        text = f'shader = "core/shaders/pbr"\n'
        values = (f"    base_color = [{numbers(pick, 0.1, 1)} 1]\n"
                  f"    roughness = {pick.uniform(0.1, 1):.3f}\n")
        if pick.random() < 0.7:
            text += 'options = ["base_color_map"]\n'
            values += f'}}\ntextures = {{\n    base_color_map = "{pick.choice(self.textures)}"\n'
        self.write(name + ".material", text + "parameters = {\n" + values + "}\n")

    def base(self, name):
        pick = self.chance
        ids = self.components[name] = (guid(pick), guid(pick))
        self.write(name + ".unit", f"""components = [
    {{ id = "{ids[0]}"  type = "transform"  position = [{numbers(pick, -1, 1)}] }}
    {{ id = "{ids[1]}"  type = "mesh"  mesh = "{pick.choice(MESHES)}"
      materials = ["{pick.choice(self.materials)}"] }}
    {{ id = "{guid(pick)}"  type = "debug_name"  name = "{name.rsplit('/', 1)[1]}" }}
]
""")

    def prop(self, name):
        pick = self.chance
        base = pick.choice(self.bases)
        self.write(name + ".unit", f"""// A {name.rsplit('/', 1)[1]} of its own colour.
inherit = "{base}"
components = [
    {{ id = "{self.components[base][1]}"  materials = ["{pick.choice(self.materials)}"] }}
]
""")

    def placed(self, units, count):
        return "".join(f"""    {{ id = "{guid(self.chance)}"  unit = "{self.chance.choice(units)}"
      position = [{numbers(self.chance, -40, 40)}] }}
""" for _ in range(count))

    def group(self, name):
        self.write(name + ".unit", f"""components = [
    {{ id = "{guid(self.chance)}"  type = "transform" }}
]
children = [
{self.placed(self.props, self.chance.randrange(2, 6))}]
""")

    def level(self, name):
        self.write(name + ".level", "units = [\n"
                   + self.placed(self.groups, self.chance.randrange(4, 12))
                   + self.placed(self.props, self.chance.randrange(4, 12)) + "]\n")

    def settings(self):
        self.write("settings.config", 'boot_script = "scripts/main"\nboot_package = "boot"\n')
        self.write("boot.package", 'lua = ["scripts/*"]\n')
        for folder in FOLDERS[:len(self.levels)]:
            self.write(f"packages/{folder}.package", f'level = ["levels/{folder}/*"]\n')
        self.write("scripts/main.lua", "function init() end\nfunction update(dt) end\n"
                   "function render() end\nfunction shutdown() end\n")
        for number in range(4):
            self.write(f"scripts/part_{number}.lua", f"return {{ number = {number} }}\n")

    def make(self):
        self.textures = self.names("textures", "colour", self.num_textures)
        self.materials = self.names("materials", "paint", self.num_materials)
        self.bases = self.names("units", "base", self.num_bases)
        self.props = self.names("units", "prop", self.num_props)
        self.groups = self.names("units", "group", self.num_groups)
        self.levels = self.names("levels", "place", self.num_levels)
        for names, make in ((self.textures, self.texture), (self.materials, self.material),
                            (self.bases, self.base), (self.props, self.prop),
                            (self.groups, self.group), (self.levels, self.level)):
            for name in names:
                make(name)
        self.settings()
        for name in self.names("textures", "large", self.num_large_textures):
            self.write(name + ".png", noisy_png(self.chance, 1024))
            self.write(name + ".texture", f'source = "{name}.png"\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT", help="the new folder; must not exist")
    parser.add_argument("--resources", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--large-textures", type=int, default=0)
    arguments = parser.parse_args()
    if os.path.exists(arguments.out):
        sys.exit(f"{arguments.out} exists already; name a new folder")
    Project(arguments.out, max(arguments.resources, 20), arguments.seed,
            arguments.large_textures).make()


if __name__ == "__main__":
    main()
