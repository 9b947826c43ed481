"""cuttle deps: what refers to what, what is missing, what nothing uses; and the index behind it."""

import fcntl
import json
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

from support_cuttle import CUTTLE, cuttle, read, write

SETTINGS = 'boot_script = "scripts/main"\nboot_package = "boot"\n'
MAIN = ('require "scripts/tools"\n'
        'local spawn = World.spawn_unit\n'
        'function init(world)\n'
        '    spawn(world, "units/box")\n'
        '    world:load_level("levels/yard")\n'
        '    return "units/likely", "nothing/of_this"\n'
        'end\n')


class Deps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("settings.config", SETTINGS)
        self.write("boot.package", 'lua = ["scripts/main"]\nunit = ["units/taken_*"]\n')
        self.write("scripts/main.lua", MAIN)
        self.write("scripts/tools.lua", "return {}\n")
        self.write("units/box.unit", 'components = [ { id = "m"  type = "mesh"  mesh = "models/box"'
                                     '  materials = ["materials/wood"] } ]\n')
        self.write("units/likely.unit", "components = []\n")
        self.write("units/taken_a.unit", "components = []\n")
        self.write("units/left.unit", 'inherit = "units/box"\n')
        self.write("units/left_more.unit", 'inherit = "units/left"\n')
        self.write("levels/yard.level", 'units = [ { id = "a"  unit = "units/box" } ]\n')
        self.write("models/box.mesh", 'source = "models/box.obj"\n')
        self.write("models/box.obj", b"no model, but a file")
        self.write("materials/wood.material", 'shader = "core/shaders/pbr"\n'
                                              'textures = { color_map = "textures/wood" }\n')
        self.write("textures/wood.texture", 'source = "textures/wood.png"\n')
        self.write("textures/wood.fr.texture", 'source = "textures/wood_fr.png"\n')
        for name in ("wood", "wood_fr", "left"):
            self.write(f"textures/{name}.png", b"a picture")
        self.write("readme.md", "Read me.\n")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        write(self.path(name), text)

    def deps(self, *options, check=0):
        return cuttle("deps", self.folder, *options, check=check)

    def json(self, *options, check=0):
        return json.loads(self.deps(*options, "--json", check=check).stdout)

    def test_summary(self):
        text = self.deps().stdout
        self.assertIn("13 resources and 5 other files, besides ", text)
        self.assertIn("\n0 missing", text)
        self.assertIn("2 that nothing uses, 1 that only wildcards match, 1 media file that no", text)
        report = self.json()
        self.assertEqual(report["num_resources"], 13)
        self.assertEqual(report["num_likely"], 1)
        self.assertEqual(report["missing"], [])
        self.assertEqual(report["errors"], [])

    def test_missing(self):
        self.write("materials/wood.material", 'shader = "core/shaders/pbr"\n'
                                              '  textures = { color_map = "textures/wod" }\n')
        self.write("models/box.mesh", '// a comment\nsource = "models/bax.obj"\n')
        self.write("scripts/tools.lua", 'World.spawn_unit(w, "units/gone_for_good")\n')
        text = self.deps("--missing", check=1).stdout
        self.assertEqual(text, "".join(f"{self.folder}/{line}\n" for line in (
            'materials/wood.material:2:16: texture "textures/wod" is missing '
            '(did you mean "textures/wood"?)',
            'models/box.mesh:2:1: media "models/bax.obj" is missing '
            '(did you mean "models/box.obj"?)',
            'scripts/tools.lua:1:21: unit "units/gone_for_good" is missing')))
        missing = self.json("--missing", check=1)["missing"]
        self.assertEqual(missing[0], {
            "file": "materials/wood.material", "line": 2, "column": 16, "kind": "resource",
            "type": "texture", "name": "textures/wod", "did_you_mean": "textures/wood"})
        self.assertEqual(len(missing), 3)
        self.assertNotIn("dangling", self.json("--missing", check=1))

    def test_nothing_missing(self):
        self.assertEqual(self.deps("--missing").stdout, "")

    def test_dangling(self):
        self.assertEqual(self.deps("--dangling").stdout,
                         "nothing uses:\n  units/left_more.unit\n"
                         "used only by what nothing uses:\n  units/left.unit\n"
                         "matched only by a package's wildcard:\n  units/taken_a.unit\n"
                         "not named by any source:\n  textures/left.png\n")
        report = self.json("--dangling")
        self.assertEqual(report["dangling"], ["units/left.unit", "units/left_more.unit"])
        self.assertEqual(report["only_wildcards"], ["units/taken_a.unit"])
        self.assertEqual(report["unnamed_packages"], [])
        self.assertEqual(report["unnamed_media"], ["textures/left.png"])

    def test_packages_that_nothing_names_ship_all_the_same(self):
        self.write("more.package", 'unit = ["units/left"]\n')
        self.assertEqual(self.deps("--dangling").stdout,
                         "nothing uses:\n  units/left_more.unit\n"
                         "matched only by a package's wildcard:\n  units/taken_a.unit\n"
                         "not named by any source, but shipped by bundles:\n  more.package\n"
                         "not named by any source:\n  textures/left.png\n")
        self.assertEqual(self.json("--dangling")["unnamed_packages"], ["more.package"])

    def test_of(self):
        text = self.deps("--of", "units/box.unit").stdout
        self.assertEqual(text, f'{self.folder}/units/box.unit:1:43: mesh "models/box"\n'
                               f'{self.folder}/units/box.unit:1:77: material "materials/wood"\n')
        # All variants, by the name of one or of none.
        for name in ("textures/wood.texture", "textures/wood.fr.texture"):
            names = [r["name"] for r in self.json("--of", name)["references"]]
            self.assertEqual(names, ["textures/wood_fr.png", "textures/wood.png"])
        self.write("units/likely.unit", 'inherit = "units/gone"\n')
        self.assertIn('unit "units/gone" (missing)\n', self.deps("--of", "units/likely.unit").stdout)
        self.assertEqual(len(self.json("--of", "units")["references"]), 5)

    def test_to(self):
        text = self.deps("--to", "units/box.unit").stdout
        self.assertEqual(text, "".join(f"{self.folder}/{line}\n" for line in (
            'levels/yard.level:1:23: unit "units/box"', 'scripts/main.lua:4:18: unit "units/box"',
            'units/left.unit:1:1: unit "units/box"')))
        self.assertEqual(self.deps("--to", "units/likely.unit").stdout,
                         f'{self.folder}/scripts/main.lua:6:12: text "units/likely" '
                         f'(likely units/likely.unit)\n')
        self.assertEqual(self.deps("--to", "units/taken_a.unit").stdout,
                         f'{self.folder}/boot.package:2:9: unit "units/taken_*" '
                         f'(a wildcard that matches units/taken_a.unit)\n')
        self.assertIn("textures/wood.texture:1:1: media", self.deps("--to", "textures/wood.png").stdout)
        self.assertIn("core/shaders/pbr", self.deps("--to", "core/shaders/pbr.shader").stdout)

    def test_unknown_resource(self):
        for text, meant in (("units/bax.unit", "units/box.unit"), ("units/box", "units/box.unit"),
                            ("textures/wod.png", "textures/wood.png")):
            done = self.deps("--to", text, check=1)
            self.assertIn(f'media file or folder "{text}"', done.stderr)
            self.assertIn(f'did you mean "{meant}"?', done.stderr)
        self.assertIn("unknown resource", self.json("--of", "x", check=1)["errors"][0]["message"])

    def test_tree(self):
        self.assertEqual(self.deps("--tree", "--to", "textures/wood.png").stdout,
                         "textures/wood.png\n  textures/wood.texture\n    materials/wood.material\n"
                         "      units/box.unit\n        levels/yard.level\n"
                         "          scripts/main.lua\n            boot.package\n"
                         "              settings.config\n            settings.config …\n".replace(
                             "settings.config …", "settings.config") +
                         "        scripts/main.lua …\n        units/left.unit\n"
                         "          units/left_more.unit\n")
        self.assertTrue(self.deps("--tree").stdout.startswith("settings.config\n  scripts/main.lua\n"))

    def test_circles_end(self):
        self.write("scripts/tools.lua", 'require "scripts/main"\n')
        self.assertIn("scripts/main.lua …", self.deps("--tree", "--of", "scripts/main.lua").stdout)

    def test_dot(self):
        text = self.deps("--dot").stdout
        self.assertIn('"units/box.unit" -> "models/box.mesh"\n', text)
        self.assertIn('"boot.package" -> "units/taken_a.unit" [style=dashed]\n', text)
        part = self.deps("--dot", "--of", "models/box.mesh").stdout
        self.assertIn('"models/box.obj" [shape=note]', part)
        self.assertNotIn("units/box", part)
        if shutil.which("dot"):
            subprocess.run(["dot", "-Tsvg"], input=text, text=True, check=True, capture_output=True)

    def test_wrong_usage(self):
        for options in (("--of", "a", "--to", "b"), ("--tree", "--dot"), ("--tree", "--json"),
                        ("--dot", "--missing")):
            self.assertIn("cuttle deps: --", self.deps(*options, check=2).stderr)
        done = cuttle("deps", os.path.join(self.folder, "units"), check=1)
        self.assertIn("is not a project", done.stderr)

    # --- The index -------------------------------------------------------------------------------

    def test_changes_are_seen(self):
        index = self.path(".cuttle/cache/references")
        self.deps()
        for _ in range(100):  # until the files are older than what their times can tell apart
            before = os.stat(index).st_mtime_ns
            self.deps()
            if os.stat(index).st_mtime_ns == before:
                break
        else:
            self.fail("what did not change is written again and again")
        self.write("units/likely.unit", 'inherit = "units/gone"\n')
        self.assertIn("units/gone", self.deps("--missing", check=1).stdout)
        self.write("units/gone.unit", "components = []\n")
        self.assertEqual(self.deps("--missing").stdout, "")
        os.remove(self.path("units/gone.unit"))
        self.assertIn("units/gone", self.deps("--missing", check=1).stdout)
        os.rename(self.path("textures/wood.png"), self.path("textures/wooden.png"))
        self.assertIn("textures/wood.png", self.deps("--missing", check=1).stdout)

    def test_change_within_the_clocks_step_is_seen(self):
        self.write("units/likely.unit", 'inherit = "units/aaaa"\n')
        self.deps("--missing", check=1)
        before = os.stat(self.path("units/likely.unit"))
        with open(self.path("units/likely.unit"), "r+") as file:
            file.write('inherit = "units/bbbb"\n')
        os.utime(self.path("units/likely.unit"), ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertIn("units/bbbb", self.deps("--missing", check=1).stdout)

    def test_broken_files_keep_their_last_references(self):
        self.deps()
        self.write("units/left.unit", 'inherit = "units/box\n')
        done = self.deps("--to", "units/box.unit")
        self.assertIn("units/left.unit", done.stdout)
        self.assertIn("units/left.unit:1:", done.stderr)
        self.assertIn("(its references are those of its last good content)", done.stderr)
        # And again, from the index.
        for _ in range(2):
            report = self.json("--to", "units/box.unit")
            self.assertIn("units/left.unit", [r["file"] for r in report["references"]])
            self.assertEqual(report["problems"][0]["file"], "units/left.unit")
        self.write("units/left.unit", "components = []\n")
        self.assertEqual(self.json("--to", "units/box.unit")["problems"], [])
        self.assertNotIn("units/left.unit", self.deps("--to", "units/box.unit").stdout)

    def test_damaged_index_is_none(self):
        wanted = self.deps("--of", "units").stdout
        index = self.path(".cuttle/cache/references")
        whole = read(index, "rb")
        for damaged in (b"", b"no index", whole[:100], whole[:-1], whole[:60] + b"\xff" + whole[61:]):
            write(index, damaged)
            self.assertEqual(self.deps("--of", "units").stdout, wanted)
            self.assertEqual(len(read(index, "rb")), len(whole))

    def test_read_only_project(self):
        shutil.rmtree(self.path(".cuttle"), ignore_errors=True)
        os.chmod(self.folder, stat.S_IRUSR | stat.S_IXUSR)
        self.addCleanup(os.chmod, self.folder, 0o700)
        self.assertIn("13 resources", self.deps().stdout)

    def test_unreadable_source(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        os.chmod(self.path("units/left.unit"), 0)
        self.assertIn("units/left.unit", self.deps().stderr)

    def test_waits_for_the_lock(self):
        self.deps()
        with open(self.path(".cuttle/cache/lock"), "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            process = subprocess.Popen([CUTTLE, "deps", self.folder], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            line = process.stderr.readline()
            self.assertIn("waiting for another", line)
            self.assertIsNone(process.poll())
        self.assertIn("13 resources", process.communicate(timeout=60)[0])
        self.assertEqual(process.returncode, 0)

    def test_shaders_include_whatever_it_is_called(self):
        self.write("shaders/a.shader", 'includes = ["shaders/lib.txt"]\n'
                                       'vertex = """\n#include "shaders/more.h"\n"""\n')
        self.write("shaders/lib.txt", '#include "shaders/gone.glsl"\n')
        self.write("shaders/more.h", '// "x"\n#include "shaders/lib.txt"\n')
        text = self.deps("--missing", check=1).stdout
        self.assertEqual(text, f'{self.folder}/shaders/lib.txt:1:11: media "shaders/gone.glsl" is '
                               f'missing (did you mean "shaders/more.h"?)\n')
        self.assertEqual(self.json("--to", "shaders/lib.txt")["references"][1]["file"],
                         "shaders/more.h")

    def test_media_of_models(self):
        self.write("models/box.mesh", 'source = "models/box.gltf"\n')
        self.write("models/box.gltf", '{"buffers":[{"uri":"box.bin"}],"images":[{"uri":"../no.png"}]}')
        self.assertIn('models/box.gltf:1:14: media "models/box.bin" is missing',
                      self.deps("--missing", check=1).stdout)
        self.write("models/box.bin", b"1234")
        self.assertEqual(self.deps("--missing").stdout, "")


if __name__ == "__main__":
    unittest.main()
