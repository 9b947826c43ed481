"""Warnings of sources: told on every compile until mended, in the way of nothing, and none of ours."""

import base64
import json
import os
import struct
import unittest

from support_cuttle import (ROOT, Game, TemporaryFolder, cuttle, data_folder, folder_bytes,
                            last_json, read, write)

ODD = 'unit = ["units/*" "unist/*"]\n'


class Warnings(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.odd = os.path.join(self.project, "odd.package")
        self.line = f'{self.odd}:1:19: warning: no unit matches "unist/*"\n'

    def compile(self, *options, check=0):
        return cuttle("compile", self.project, *options, check=check)

    def test_told_on_every_compile_until_mended(self):
        self.assertEqual(self.compile().stderr, "")
        write(self.odd, ODD)
        for is_compiled in (True, False, False):
            done = self.compile()
            self.assertEqual(done.stderr, self.line)
            self.assertEqual(not done.stdout.startswith("compiled 0, "), is_compiled, done.stdout)
            self.assertIn(", failed 0 in ", done.stdout)
        write(self.odd, 'unit = ["units/*"]\n')
        self.assertEqual(self.compile().stderr, "")

    def test_json_lists_them(self):
        self.assertEqual(last_json(self.compile("--json").stdout)["warnings"], [])
        write(self.odd, ODD)
        for _ in range(2):
            done = self.compile("--json")
            report = last_json(done.stdout)
            self.assertEqual(done.stderr, self.line)
            self.assertEqual(report["errors"], [])
            self.assertEqual(report["warnings"], [{"file": self.odd, "line": 1, "column": 19,
                                                   "message": 'no unit matches "unist/*"'}])

    def test_as_errors_they_fail_the_compile_and_nothing_else(self):
        self.compile("--warnings-as-errors")
        write(self.odd, ODD)
        for _ in range(2):
            done = self.compile("--warnings-as-errors", check=1)
            self.assertEqual(done.stderr, self.line)
            self.assertIn("failed 0", done.stdout)
        before = folder_bytes(data_folder(self.project))
        self.compile("--data-dir", self.path("fresh"))
        self.assertEqual(folder_bytes(self.path("fresh")), before)

    def test_variants_of_settings_that_come_too_late(self):
        path = os.path.join(self.project, "settings.fr.config")
        write(path, read(os.path.join(self.project, "settings.config")))
        for _ in range(2):
            done = self.compile()
            self.assertIn("settings.fr.config:", done.stderr)
            self.assertIn(": warning: this variant of the settings is not read at the start",
                          done.stderr)
        os.rename(path, os.path.join(self.project, "settings.linux.config"))
        self.assertEqual(self.compile().stderr, "")

    def test_jobs_do_not_change_their_order(self):
        for number in range(20):
            write(os.path.join(self.project, f"odd{number:02}.package"),
                  f'lua = ["*"]\nunit = ["none{number}/*"]\ntexture = ["none{number}/*"]\n')
        one = self.compile("--jobs", "1", "--data-dir", self.path("one")).stderr
        two = self.compile("--jobs", "2", "--data-dir", self.path("two")).stderr
        self.assertEqual(one.count(": warning: "), 40)
        self.assertEqual(one, two)
        self.assertEqual(folder_bytes(self.path("one")), folder_bytes(self.path("two")))

    def test_stand_before_errors(self):
        write(self.odd, ODD)
        write(os.path.join(self.project, "broken.package"), "unist = []\n")
        for _ in range(2):
            lines = self.compile(check=1).stderr.splitlines()
            self.assertEqual(lines[0] + "\n", self.line)
            self.assertIn("broken.package:1:1: error: ", lines[1])
            self.assertEqual(len(lines), 2)

    def test_a_bundle_tells_them(self):
        write(self.odd, ODD)
        done = cuttle("bundle", self.project, "-o", self.path("bundle"), "--platform", "windows",
                      check=0)  # of data alone: builds with sanitizers have no player
        self.assertEqual(done.stderr, self.line)

    def test_a_running_game_logs_them(self):
        self.compile()
        with Game(self.project) as game:
            # The first is saved while the game starts to look, the next is gone, then there again.
            for word in ("unist/*", "unti/*", "unist/*"):
                since = len(game.console.messages)
                write(self.odd, ODD.replace("unist/*", word))
                told = game.console.wait_for_message(
                    lambda m: "odd.package:1:19:" in m.get("message", ""), since)
                self.assertIn(word, told["message"])
                self.assertEqual((told["level"], told["system"]), ("warning", "compiler"))


def triangle(num_parts):
    """A glTF file: a triangle for each of so many materials."""
    corners = base64.b64encode(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)).decode()
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + corners}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": [0, 0, 0], "max": [1, 1, 0]}],
        "materials": [{"name": f"m{i}"} for i in range(num_parts)],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": i}
                                   for i in range(num_parts)]}]})


class Materials(TemporaryFolder):
    """Units and levels that give a mesh another number of materials than it has parts."""

    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.model = os.path.join(self.project, "t.gltf")
        self.unit = os.path.join(self.project, "units/t.unit")
        write(self.model, triangle(2))
        write(os.path.join(self.project, "t.mesh"), 'source = "t.gltf"\n')

    def write_unit(self, *materials):
        names = " ".join(f'"{name}"' for name in materials)
        write(self.unit, 'components = [ { id = "t"  type = "transform" }\n'
              f'  {{ id = "m"  type = "mesh"  mesh = "t"  materials = [{names}] }} ]\n')

    def told(self):
        return cuttle("compile", self.project, check=0).stderr

    def test_of_a_unit_are_counted(self):
        self.write_unit("materials/coral", "materials/coral", "materials/coral")
        line = (f'{self.unit}:2:30: warning: wrong number of materials: found 3, but the mesh "t" '
                "has 2 parts; give one for each\n")
        self.assertEqual(self.told(), line)
        self.assertEqual(self.told(), line)
        self.write_unit("materials/coral")
        self.assertIn("found 1, but the mesh \"t\" has 2 parts; give one for each, as parts without "
                      "one show the error material", self.told())
        self.write_unit("materials/coral", "materials/coral")
        self.assertEqual(self.told(), "")

    def test_are_counted_again_when_the_model_changes(self):
        self.write_unit("materials/coral", "materials/coral")
        self.assertEqual(self.told(), "")
        write(self.model, triangle(1))
        self.assertIn('found 2, but the mesh "t" has 1 part; give one for each\n', self.told())
        self.assertEqual(len(self.told().splitlines()), 1)
        write(self.model, triangle(2))
        self.assertEqual(self.told(), "")

    def test_in_overrides_of_a_level_are_counted(self):
        self.write_unit("materials/coral", "materials/coral")
        level = os.path.join(self.project, "levels/t.level")
        write(level,
              'units = [ { id = "a"  unit = "units/t"  overrides = [\n'
              '  { id = "m"  materials = ["materials/coral"] } ] } ]\n')
        told = self.told()
        self.assertIn(f'{level}:2:28: warning: wrong number of materials: found 1, but the mesh "t" '
                      'has 2 parts', told)
        self.assertEqual(len(told.splitlines()), 1)

    def test_check_tells_them(self):
        self.write_unit("materials/coral")
        done = cuttle("check", self.project, "--only", "package")
        self.assertIn("wrong number of materials: found 1", done.stdout + done.stderr)


class NoWarnings(TemporaryFolder):
    """Whoever learns from ours should meet none; core is compiled with each."""

    def test_of_the_template(self):
        self.assertEqual(cuttle("compile", self.compiled_project(), check=0).stderr, "")

    def test_of_samples(self):
        for name in sorted(os.listdir(os.path.join(ROOT, "samples"))):
            with self.subTest(name):
                done = cuttle("compile", self.copy_sample(name), check=0)
                self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
