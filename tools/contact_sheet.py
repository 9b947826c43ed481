#!/usr/bin/env python3
"""Draws many models in one picture, each in its cell with its name, to be looked at.

    tools/contact_sheet.py OUT.png [FOLDER OR FILE ...]

Without folders, all glTF 2, FBX and OBJ files of Debian's package assimp-testmodels. Every model
goes through `cuttle import` into a project of its own making, which `cuttle run` then draws: what is
wrong with axes, mirrored parts, textures or colours shows. Models that cannot be imported or
compiled are listed. Environment: CUTTLE, the program (build/dev/cuttle).
"""

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from support_png import Picture, read_png, write_png  # noqa: E402

CUTTLE = os.environ.get("CUTTLE") or os.path.join(ROOT, "build", "dev", "cuttle")
MODELS = "/usr/share/assimp/models"
CELL, COLUMNS = 144, 8

# Five columns of seven bits for each character, the lowest bit on top.
FONT = {
    "A": "7e1111117e", "B": "7f49494936", "C": "3e41414122", "D": "7f4141221c", "E": "7f49494941",
    "F": "7f09090901", "G": "3e4149497a", "H": "7f0808087f", "I": "00417f4100", "J": "2040413f01",
    "K": "7f08142241", "L": "7f40404040", "M": "7f020c027f", "N": "7f0408107f", "O": "3e4141413e",
    "P": "7f09090906", "Q": "3e4151215e", "R": "7f09192946", "S": "4649494931", "T": "01017f0101",
    "U": "3f4040403f", "V": "1f2040201f", "W": "3f4038403f", "X": "6314081463", "Y": "0708700807",
    "Z": "6151494543", "0": "3e5149453e", "1": "00427f4000", "2": "4261514946", "3": "2141454b31",
    "4": "1814127f10", "5": "2745454539", "6": "3c4a494930", "7": "0171090503", "8": "3649494936",
    "9": "064949291e", "_": "4040404040", "-": "0808080808", ".": "0060600000", "?": "0201510906",
}

SETTINGS = 'boot_script = "main"\nboot_package = "boot"\nwindow = { title = "sheet" }\n'

SCRIPT = """
local COLUMNS, ROWS = %d, %d

-- `box` is the middle of the unit and half its size along each axis.
local function place(world, name, box, x, y, right, up)
    local unit = World.spawn_unit(world, name)
    for i = 1, math.min(Unit.num_lights(unit), 32) do
        Light.set_enabled(Unit.light(unit, i), false)
    end
    local length = math.sqrt(box[4] ^ 2 + box[5] ^ 2 + box[6] ^ 2)
    local scale = 0.42 / math.max(box[4], box[5], box[6], length * 0.75, 1e-6)
    local center = Vector3(box[1], box[2], box[3])
    Unit.set_local_scale(unit, 1, Vector3(scale, scale, scale))
    Unit.set_local_position(unit, 1, right * x + up * y - center * scale)
end

function init()
    Game = { world = Application.new_world() }
    Game.viewport = Application.create_viewport(Game.world, "default")
    local camera = World.spawn_unit(Game.world, "camera")
    local rotation = Quaternion.look(Vector3(-0.5, 1, -0.45), Vector3(0, 0, 1))
    local right, up = Quaternion.right(rotation), Quaternion.up(rotation)
    Unit.set_local_rotation(camera, 1, rotation)
    Unit.set_local_position(camera, 1, Quaternion.forward(rotation) * -50)
    World.spawn_unit(Game.world, "sun")
    for i, shown in ipairs(require("names")) do
        local column, row = (i - 1) %% COLUMNS, math.floor((i - 1) / COLUMNS)
        place(Game.world, shown.unit, shown.box, column + 0.5 - COLUMNS / 2, ROWS / 2 - row - 0.5,
              right, up)
    end
    Game.camera = Unit.camera(camera, 1)
end

function update(dt)
    World.update(Game.world, dt)
end

function render()
    Application.render_world(Game.world, Game.camera, Game.viewport)
end
"""

CAMERA = """components = [
    { id = "7f453a0e-f509-4b4f-95de-6e91074206e2"  type = "transform" }
    { id = "30f47f35-d038-4cfb-8add-40e92c34bf1c"  type = "camera"  projection = "orthographic"
      orthographic_height = %d }
]
"""

SUN = """components = [
    { id = "63783933-d5f0-4510-bf6a-f8af81df6383"  type = "transform"
      rotation = [-0.373193 0.216573 -0.452799 0.780254] }
    { id = "1e07ea63-524c-498f-94dc-77a72ed0d50a"  type = "light"  light_type = "directional"
      color = [1 0.95 0.85]  intensity = 2.2 }
]
"""


def run(*arguments):
    return subprocess.run([CUTTLE, *arguments], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=600)


def model_files(places):
    endings = (".gltf", ".glb", ".fbx", ".obj")
    found = [p for p in places if os.path.isfile(p)]
    for place in places:
        for folder, _, names in os.walk(place):
            found += [os.path.join(folder, n) for n in names if n.lower().endswith(endings)]
    return sorted(found)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def last_json(done):
    return json.loads(done.stdout.strip().splitlines()[-1])


def import_all(project, models):
    """Imports each model to a folder of its own: {unit: its name on the sheet}."""
    shown = {}
    for number, model in enumerate(models):
        folder = f"m{number:03}"
        done = run("import", model, project, folder, "--json")
        report = last_json(done)
        if done.returncode != 0:
            print(f"not imported: {model}: {report['errors'][0]['message']}")
            continue
        if not any(f["path"].endswith(".mesh") for f in report["files"]):
            print(f"nothing to draw: {model}")
            continue
        unit = next(f["path"] for f in report["files"] if f["path"].endswith(".unit"))
        shown[unit[:-len(".unit")]] = os.path.basename(model)
    return shown


def without_failed(project, shown):
    """Leaves out the models of which something does not compile."""
    report = last_json(run("compile", project, "--json"))
    failed = {}
    for error in report["errors"]:
        folder = os.path.relpath(error["file"], project).split(os.sep)[0]
        failed.setdefault(folder, error["message"])
    for unit in list(shown):
        if unit.split("/")[0] in failed:
            print(f"not compiled: {shown[unit]}: {failed[unit.split('/')[0]]}")
            del shown[unit]


def matrix_of(node):
    """A node's pose as three rows of four."""
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    scale, position = node.get("scale", [1, 1, 1]), node.get("position", [0, 0, 0])
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[turn[r][c] * scale[c] for c in range(3)] + [position[r]] for r in range(3)]


def transform(matrix, point):
    return [sum(row[c] * point[c] for c in range(3)) + row[3] for row in matrix]


def mesh_bounds(project, mesh):
    """What src/resource/types/mesh_resource.h has after the header."""
    ids = [run("hash", text).stdout.split()[1] for text in ("mesh", mesh)]
    with open(os.path.join(project, ".cuttle", "data", "linux", "-".join(ids)), "rb") as file:
        values = struct.unpack_from("<6f", file.read(56), 32)
    return values[:3], values[3:]


def unit_box(project, unit):
    """The middle of all meshes of a unit as placed, and half their size."""
    source = json.loads(run("sjson", "--to-json", os.path.join(project, unit + ".unit")).stdout)
    nodes, points = {}, []
    for component in source["components"]:
        if component["type"] == "scene_graph":
            nodes = {node["name"]: node for node in component["nodes"]}
    for component in source["components"]:
        if component["type"] != "mesh":
            continue
        low, high = mesh_bounds(project, component["mesh"])
        corners = [[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)]
        node = component["node"]
        while node:
            matrix = matrix_of(nodes[node])
            corners = [transform(matrix, p) for p in corners]
            node = nodes[node].get("parent", "")
        points += corners
    if not points:
        return [0, 0, 0, 1, 1, 1]
    low = [min(p[k] for p in points) for k in range(3)]
    high = [max(p[k] for p in points) for k in range(3)]
    return [(a + b) / 2 for a, b in zip(low, high)] + [(b - a) / 2 for a, b in zip(low, high)]


def names_file(project, shown):
    rows = []
    for unit in shown:
        box = ", ".join(map(str, unit_box(project, unit)))
        rows.append(f'{{ unit = "{unit}", box = {{ {box} }} }},\n')
    return "return {\n" + "".join(rows) + "}\n"


def draw_text(pixels, width, x, y, text):
    for character in text.upper():
        columns = bytes.fromhex(FONT.get(character, FONT["?"]))
        for i, column in enumerate(columns):
            for k in range(7):
                if column >> k & 1:
                    at = ((y + k) * width + x + i) * 3
                    pixels[at:at + 3] = b"\x10\x10\x10"
        x += 6


def label(picture, names):
    pixels = bytearray(picture.pixels)
    for i, name in enumerate(names):
        text = name if len(name) <= CELL // 6 - 1 else name[:CELL // 6 - 6] + ".." + name[-3:]
        draw_text(pixels, picture.width, i % COLUMNS * CELL + 3, (i // COLUMNS + 1) * CELL - 9, text)
    return Picture(picture.width, picture.height, pixels)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT.png")
    parser.add_argument("places", nargs="*", metavar="FOLDER OR FILE")
    arguments = parser.parse_args()
    places = arguments.places or [os.path.join(MODELS, f) for f in ("glTF2", "FBX", "OBJ")]
    with tempfile.TemporaryDirectory(prefix="cuttle-sheet-") as project:
        write(os.path.join(project, "settings.config"), SETTINGS)
        shown = import_all(project, model_files(places))
        without_failed(project, shown)
        rows = -(-len(shown) // COLUMNS)
        write(os.path.join(project, "names.lua"), names_file(project, shown))
        write(os.path.join(project, "main.lua"), SCRIPT % (COLUMNS, rows))
        write(os.path.join(project, "camera.unit"), CAMERA % rows)
        write(os.path.join(project, "sun.unit"), SUN)
        write(os.path.join(project, "boot.package"),
              "".join(f'{kind} = ["*"]\n' for kind in
                      ("lua", "material", "mesh", "render_config", "shader", "texture", "unit")))
        shot = os.path.join(project, "shot.png")
        done = run("run", project, "--headless", "--frames", "8", "--fixed-dt", "0.1", "--size",
                   f"{COLUMNS * CELL}x{rows * CELL}", "--screenshot", shot)
        if not os.path.exists(shot):
            sys.exit(done.stdout + done.stderr)
        problems = re.findall(r"^.*(?:error|warning):.*$", done.stdout + done.stderr, re.M)
        print("\n".join(problems[:20]))
        write_png(arguments.out, label(read_png(shot), shown.values()))
        print(f"{len(shown)} models in {arguments.out}")


if __name__ == "__main__":
    main()
