#!/usr/bin/env python3
"""`cuttle ids`: elements without an id get one, copies get their own, and nothing else changes."""

import json
import os
import re
import shutil
import subprocess
import unittest

from support_cuttle import CUTTLE, ROOT, TemporaryFolder, cuttle, read, write

GUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
LEVEL = '''// A level made by hand.
units = [
    { unit = "units/crate"  position = [1 2 3] } // lacks one
    { id = "a1"  unit = "units/crate" }
    {
        id = "a1"   // copied
        unit = "units/crate"
    }
    { id = ""  unit = "units/crate" }
]
'''
UNIT = '''components = [
    { type = "transform" }
    { id = "g"  type = "scene_graph"  nodes = [ { name = "a" } { id = "n" name = "b" } { id = "n" name = "c" } ] }
]
children = [
    { unit = "units/lamp"  overrides = [ { id = "x" intensity = 2 } ] }
    { id = "c"  unit = "units/lamp" }
]
'''


class Ids(TemporaryFolder):
    def make(self, files=None):
        project = self.path("game")
        write(os.path.join(project, "settings.config"), 'boot_script = "scripts/main"\n')
        for name, text in (files or {"levels/a.level": LEVEL, "units/b.unit": UNIT}).items():
            write(os.path.join(project, name), text)
        return project

    def without_ids(self, text):
        """The text as it was before ids were put in."""
        return re.sub(rf'id = "{GUID}"  ?', "", text)

    def test_names_what_is_not_there(self):
        for name in ("nope", "nope.level", "nope.txt"):
            done = cuttle("ids", self.path(name), check=1)
            self.assertIn(self.path(name), done.stderr)
            self.assertIn("No such file", done.stderr)

    def test_takes_as_many_files_as_a_shell_passes(self):
        project = self.make({f"levels/l{i}.level": LEVEL for i in range(100)})
        files = [os.path.join(project, f"levels/l{i}.level") for i in range(100)]
        done = cuttle("ids", *files, "--dry-run", check=0)
        self.assertTrue(done.stdout.endswith("300 ids to give in 100 files\n"), done.stderr)

    def test_gives_ids_and_changes_nothing_else(self):
        project = self.make()
        done = cuttle("ids", project, check=0)
        self.assertEqual(done.stderr, "")
        self.assertTrue(done.stdout.endswith("7 ids given in 2 files\n"), done.stdout)
        self.assertRegex(done.stdout, rf"a\.level:3:5: units\[0\] has no id: gets the id {GUID}\n")
        self.assertRegex(done.stdout, rf"a\.level:5:5: units\[2\] has the id of an element before it: "
                         rf"gets the id {GUID}\n")
        self.assertRegex(done.stdout, rf"b\.unit:3:\d+: components\[1\]\.nodes\[2\] has the id")
        level = read(os.path.join(project, "levels/a.level"))
        ids = re.findall(r'id = "([^"]*)"', level)
        self.assertEqual((len(ids), len(set(ids)), ids[1]), (4, 4, "a1"))
        expected = LEVEL.replace("{ unit", f'{{ id = "{ids[0]}"  unit', 1)
        expected = expected.replace('"a1"   //', f'"{ids[2]}"   //').replace('""', f'"{ids[3]}"')
        self.assertEqual(level, expected)
        unit = read(os.path.join(project, "units/b.unit"))
        self.assertEqual(len(re.findall(GUID, unit)), 4)
        self.assertIn('overrides = [ { id = "x" intensity = 2 } ]', unit)
        self.assertEqual(re.sub(GUID, "n", re.sub(rf'id = "{GUID}" +(?=type|name = "a"|unit)', "", unit)),
                         UNIT)
        again = cuttle("ids", project, check=0)
        self.assertEqual(again.stdout, "0 ids given in 0 files\n")
        self.assertEqual(read(os.path.join(project, "levels/a.level")), level)

    def test_a_dry_run_writes_nothing(self):
        project = self.make()
        done = cuttle("ids", project, "--dry-run", check=0)
        self.assertTrue(done.stdout.endswith("7 ids to give in 2 files\n"), done.stdout)
        self.assertIn("a.level:3:5: units[0] has no id\n", done.stdout)
        self.assertEqual(read(os.path.join(project, "levels/a.level")), LEVEL)
        self.assertEqual(os.listdir(project).count(".cuttle"), 0)

    def test_json_tells_all(self):
        project = self.make({"a.level": 'units = [ { unit = "x" } { id = 5 } ]'})
        report = json.loads(cuttle("ids", project, "--json", check=1).stdout)
        self.assertEqual(report["files"], 1)
        self.assertEqual([(i["line"], i["column"], i["path"]) for i in report["ids"]],
                         [(1, 11, "units[0]")])
        self.assertIn(report["ids"][0]["id"], read(os.path.join(project, "a.level")))
        self.assertEqual([(e["line"], e["column"], e["message"]) for e in report["errors"]],
                         [(1, 28, "units[1] has an id that is not a string")])
        self.assertEqual(json.loads(cuttle("ids", self.path("none"), "--json", check=1).stdout)["ids"], [])

    def test_what_nobody_can_make_up_is_an_error(self):
        project = self.make({"a.level": '''units = [
    { id = "u"  unit = "x"
      overrides = [ { is_visible = false } { id = "a" x = 1 } { id = "a" x = 2 } ]
      children = [ { position = [1 2 3] } ] }
    { id = [1]  unit = "x" }
]
''', "b.unit": 'inherit = "x"\ncomponents = [ { intensity = 2 } { type = "light" removed = true } ]\n'})
        before = read(os.path.join(project, "a.level"))
        done = cuttle("ids", project, check=1)
        lines = [line.split(": error: ") for line in done.stderr.splitlines()]
        override = "overrides another element and needs its id, given once"
        self.assertEqual([(os.path.basename(a), b) for a, b in lines], [
            ("a.level:3:21", f"units[0].overrides[0] {override}"),
            ("a.level:3:65", f"units[0].overrides[2] {override}"),
            ("a.level:4:20", f"units[0].children[0] {override}"),
            ("a.level:5:7", "units[1] has an id that is not a string"),
            ("b.unit:2:16", f"components[0] {override}"),
            ("b.unit:2:34", f"components[1] {override}")])
        self.assertEqual(read(os.path.join(project, "a.level")), before)

    def test_single_files_and_wrong_ones(self):
        project = self.make()
        level, unit = (os.path.join(project, n) for n in ("levels/a.level", "units/b.unit"))
        cuttle("ids", level, check=0)
        self.assertNotEqual(read(level), LEVEL)
        self.assertEqual(read(unit), UNIT)
        write(self.path("alone.level"), LEVEL)
        cuttle("ids", self.path("alone.level"), check=0)
        self.assertIn("no elements with ids", cuttle("ids", os.path.join(project, "settings.config"),
                                                     check=1).stderr)
        self.assertIn("no settings.config", cuttle("ids", self.path(), check=1).stderr)
        self.assertIn("No such file", cuttle("ids", self.path("none.level"), check=1).stderr)
        write(unit, "components = [")
        done = cuttle("ids", project, check=1)
        self.assertRegex(done.stderr, r"b\.unit:1:\d+: error: ")
        cuttle("ids", check=2)

    def test_marks_line_ends_and_comments_stay(self):
        text = b"\xef\xbb\xbfunits = [\r\n\t{\r\n\t\t// of Ann\r\n\t\tunit = \"x\"\r\n\t}\r\n\t{ }\r\n]"
        project = self.make({"a.level": text})
        cuttle("ids", project, check=0)
        found = read(os.path.join(project, "a.level"), "rb").decode()
        ids = re.findall(GUID, found)
        self.assertEqual(len(ids), 2)
        for line in text.decode().split("\r\n"):
            if line.strip() != "{ }":
                self.assertIn(line, found)
        self.assertNotRegex(found, r"[^\r]\n")
        self.assertFalse(found.endswith("\n"))
        cuttle("sjson", os.path.join(project, "a.level"), check=0)

    def test_read_only_files_are_named_and_left(self):
        project = self.make()
        level = os.path.join(project, "levels/a.level")
        os.chmod(level, 0o444)
        done = cuttle("ids", project, check=1)
        self.assertIn("a.level: error: is not writable, and stays as it is\n", done.stderr)
        self.assertEqual(read(level), LEVEL)
        self.assertTrue(done.stdout.endswith("4 ids given in 1 file\n"), done.stdout)

    def test_links_to_files_stay_links(self):
        project = self.make()
        shutil.move(os.path.join(project, "levels/a.level"), os.path.join(project, "real.level"))
        os.symlink("../real.level", os.path.join(project, "levels/a.level"))
        cuttle("ids", os.path.join(project, "levels/a.level"), check=0)
        self.assertTrue(os.path.islink(os.path.join(project, "levels/a.level")))
        self.assertNotEqual(read(os.path.join(project, "real.level")), LEVEL)

    def test_samples_have_all_their_ids(self):
        for name in ("samples/crates", "samples/localised", "templates/new"):
            done = cuttle("ids", os.path.join(ROOT, name), "--dry-run", check=0)
            self.assertEqual(done.stdout, "0 ids to give in 0 files\n")

    def test_a_level_of_many_units(self):
        count = 20000
        text = "units = [\n" + '    { unit = "x"  position = [1 2 3] }\n' * count + "]\n"
        project = self.make({"a.level": text})
        done = subprocess.run([CUTTLE, "ids", project], capture_output=True, text=True, timeout=240)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(set(re.findall(GUID, read(os.path.join(project, "a.level"))))), count)


if __name__ == "__main__":
    unittest.main()
