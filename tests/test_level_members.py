"""Volumes, splines and markers of levels in the tools: merged and shown by id, moved and listed with
the meshes that they name, and refused with a place when they are wrong."""

import json
import os
import unittest

from support_cuttle import TemporaryFolder, cuttle, read, write

ID = "5b1f0c3e-0000-4000-8000-0000000000%02x"
LEVEL = f"""volumes = [
    {{ id = "{ID % 1}"  name = "room"  half_size = [1 2 3] }}
    {{ id = "{ID % 2}"  name = "cave"  type = "mesh"  mesh = "meshes/cave" }}
]
splines = [
    {{ id = "{ID % 3}"  name = "road"  points = [ [0 0 0] [5 0 0] [9 1 0] ] }}
]
markers = [
    {{ id = "{ID % 4}"  name = "start"  position = [1 0 0] }}
    {{ id = "{ID % 5}"  name = "end"  position = [2 0 0] }}
]
"""
CUBE = "".join(f"v {x} {y} {z}\n" for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)) + \
    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"


class Merging(TemporaryFolder):
    def merge(self, theirs, mine, check=0):
        names = [self.path(f"{side}.level") for side in ("base", "theirs", "mine")]
        for name, text in zip(names, (LEVEL, theirs, mine)):
            write(name, text)
        report = self.path("report.json")
        cuttle("merge", *names, "-o", self.path("result.level"), "--report", report, check=check)
        return read(self.path("result.level")), json.loads(read(report))

    def test_changes_of_different_members_and_fields_come_together(self):
        text, report = self.merge(
            LEVEL.replace("[1 2 3]", "[4 4 4]").replace("[1 0 0] }", "[1 7 0] }"),
            LEVEL.replace('name = "room"', 'name = "hall"').replace("[2 0 0] }", "[2 8 0] }"))
        self.assertEqual(report["decisions"], [])
        self.assertEqual(text, LEVEL.replace("[1 2 3]", "[4 4 4]").replace("[1 0 0] }", "[1 7 0] }")
                         .replace('name = "room"', 'name = "hall"').replace("[2 0 0] }", "[2 8 0] }"))

    def test_both_may_add_members(self):
        def added(number, name):
            return LEVEL.replace("markers = [\n", f'markers = [\n    {{ id = "{ID % number}"  '
                                                  f'name = "{name}" }}\n')
        text, report = self.merge(added(16, "theirs"), added(17, "mine"))
        self.assertEqual(report["decisions"], [])
        self.assertIn('name = "theirs"', text)
        self.assertIn('name = "mine"', text)

    def test_points_of_a_spline_are_a_sequence(self):
        text, report = self.merge(LEVEL.replace("[0 0 0] [5 0 0]", "[0 0 0] [2 2 0] [5 0 0]"),
                                  LEVEL.replace("[9 1 0]", "[9 9 0]"))
        self.assertEqual(report["decisions"], [])
        self.assertIn("points = [ [0 0 0] [2 2 0] [5 0 0] [9 9 0] ]", text)

    def test_the_diff_names_members_by_id(self):
        a, b = self.path("a.level"), self.path("b.level")
        write(a, LEVEL)
        write(b, LEVEL.replace("[1 2 3]", "[1 2 4]").replace('name = "end"', 'name = "goal"'))
        self.assertEqual(cuttle("diff", a, b, check=1).stdout.splitlines(), [
            f"volumes[id={ID % 1}].half_size = [1 2 3] → [1 2 4]",
            f'markers[id={ID % 5}].name = "end" → "goal"'])


class Projects(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.write("settings.config", 'boot_script = "main"\nboot_package = "boot"\n')
        self.write("main.lua", "return 1\n")
        self.write("boot.package", 'lua = ["main"]\nlevel = ["levels/yard"]\n')
        self.write("levels/yard.level", LEVEL)
        self.write("meshes/cave.mesh", 'source = "meshes/cave.obj"\n')
        self.write("meshes/cave.obj", CUBE)

    def write(self, name, text):
        write(self.path(name), text)

    def test_references_of_volumes_are_known(self):
        used = json.loads(cuttle("deps", self.folder, "--json", check=0).stdout)
        self.assertEqual(used["missing"], [])
        listed = cuttle("deps", self.folder, "--to", "meshes/cave.mesh", check=0).stdout
        self.assertIn("levels/yard.level", listed)
        os.remove(self.path("meshes/cave.mesh"))
        missing = json.loads(cuttle("deps", self.folder, "--json").stdout)["missing"]
        self.assertIn("meshes/cave", json.dumps(missing))

    def test_a_moved_mesh_keeps_its_volumes(self):
        cuttle("mv", self.folder, "meshes/cave.mesh", "caves/deep.mesh", check=0)
        self.assertEqual(read(self.path("levels/yard.level")),
                         LEVEL.replace('"meshes/cave"', '"caves/deep"'))

    def test_it_compiles_and_says_which_mesh_is_missing(self):
        cuttle("compile", self.folder, check=0)
        self.write("levels/yard.level", LEVEL.replace("meshes/cave", "meshes/cove"))
        done = cuttle("compile", self.folder, check=1)
        self.assertRegex(done.stderr + done.stdout,
                         r'levels/yard\.level:3:\d+: error: .*meshes/cove')

    def test_duplicate_names_name_the_place(self):
        self.write("levels/yard.level", LEVEL.replace('name = "cave"', 'name = "room"'))
        done = cuttle("compile", self.folder, check=1)
        self.assertRegex(done.stderr + done.stdout,
                         r'levels/yard\.level:3:52: error: the name "room" is used by two volumes')


if __name__ == "__main__":
    unittest.main(verbosity=2)
