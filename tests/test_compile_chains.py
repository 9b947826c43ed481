"""Errors of `cuttle compile` name who leads to them; circles are told once, with their way."""

import os
import unittest

from support_cuttle import TemporaryFolder, cuttle, last_json, read, write

TREE = """components = [
    { id = "a"  type = "transform" }
    { id = "b"  type = "mesh"  mesh = "core/meshes/cube"  materials = ["materials/bark"] }
]
"""
BARK = """shader = "core/shaders/pbr"  options = ["base_color_map"]
textures = { base_color_map = "textures/bark" }
"""


class Project(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("project")
        self.add_core_data(self.project)
        self.save("settings.config", 'boot_script = "main"  boot_package = "boot"\n')
        self.save("boot.package", 'lua = ["main"]\n')
        self.save("main.lua", "return 1\n")

    def save(self, path, text):
        write(os.path.join(self.project, path), text)

    def errors(self):
        """The errors as text, and as objects; the same on the next run."""
        done = cuttle("compile", self.project, "--json", check=1)
        again = cuttle("compile", self.project, "--json", check=1)
        self.assertEqual(done.stderr, again.stderr)
        text = done.stderr.replace(self.project + "/", "")
        return text.splitlines(), last_json(done.stdout)["errors"]


class Chains(Project):
    def bark(self):
        self.save("materials/bark.material", BARK)
        self.save("textures/bark_old.png", read(os.path.join(
            os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "core", "textures",
            "black.png"), "rb"))
        self.save("textures/bark_old.texture", 'source = "textures/bark_old.png"\n')

    def test_from_a_level_down(self):
        self.bark()
        self.save("units/tree.unit", TREE)
        self.save("levels/castle.level", 'units = [{ id = "1"  unit = "units/tree" }]\n')
        text, errors = self.errors()
        self.assertEqual(text, [
            'materials/bark.material:2:14: error: levels/castle.level: units/tree: materials/bark: '
            'texture "textures/bark" is missing (did you mean "textures/bark_old"?)'])
        self.assertEqual(errors[0]["message"],
                         'texture "textures/bark" is missing (did you mean "textures/bark_old"?)')
        self.assertEqual(errors[0]["chain"],
                         ["levels/castle.level", "units/tree", "materials/bark"])
        self.assertEqual(errors[0]["others"], 0)

    def test_others_are_counted_and_the_first_mention_wins(self):
        self.bark()
        for name in ("tree", "bush", "root"):
            self.save(f"units/{name}.unit", TREE)
        self.save("levels/castle.level", 'units = [{ id = "1"  unit = "units/tree" }\n'
                                         '{ id = "2"  unit = "units/bush" }]\n')
        text, errors = self.errors()
        self.assertIn("levels/castle.level: units/tree and 2 other resources: materials/bark: "
                      'texture "textures/bark" is missing', text[0])
        self.assertEqual(errors[0]["others"], 2)

    def test_from_a_package_where_no_level_leads(self):
        self.bark()
        self.save("boot.package", 'lua = ["main"]  material = ["materials/bark"]\n')
        self.assertIn("error: boot.package: materials/bark: texture ", self.errors()[0][0])

    def test_from_who_stands_alone_and_of_who_does(self):
        self.bark()
        text, errors = self.errors()
        self.assertIn('bark.material:2:14: error: texture "textures/bark" is missing', text[0])
        self.assertEqual((errors[0]["chain"], errors[0]["others"]), ([], 0))
        self.save("units/tree.unit", TREE)
        self.assertIn("error: units/tree.unit: materials/bark: texture ", self.errors()[0][0])

    def test_an_error_in_an_inherited_unit_is_that_units(self):
        self.save("units/base.unit", "components = [\n")
        self.save("units/tree.unit", 'inherit = "units/base"\n')
        self.save("levels/castle.level", 'units = [{ id = "1"  unit = "units/tree" }]\n')
        text, _ = self.errors()
        self.assertEqual(len(text), 1, text)
        self.assertTrue(text[0].startswith(
            "units/base.unit:2:1: error: levels/castle.level: units/tree: units/base: "), text)

    def test_long_chains_are_cut_in_the_middle(self):
        for i in range(20):
            self.save(f"units/u{i:02}.unit", f'children = [{{ id = "1"  unit = "units/u{i + 1:02}" }}]')
        self.save("units/u20.unit", TREE)
        text, errors = self.errors()
        self.assertIn("error: units/u00.unit: units/u01: units/u02: units/u03: ...: units/u17: "
                      "units/u18: units/u19: units/u20: material ", text[0])
        self.assertEqual(len(errors[0]["chain"]), 21)


    def test_scripts_that_are_missing(self):
        self.save("main.lua", 'require "scripts/plaier"\n')
        self.save("scripts/player.lua", "return 1\n")
        text, errors = self.errors()
        self.assertEqual([e["message"] for e in errors],
                         ['lua "scripts/plaier" is missing (did you mean "scripts/player"?)'])
        self.assertTrue(text[0].startswith("main.lua:1:1: error: "), text)

    def test_files_that_lie_elsewhere(self):
        for path in ("a/bark/color.png", "b/leaf/color.png", "b/bark.old/color.png", "c/noise.glsl"):
            self.save(path, "not read")
        self.save("m/bark.texture", 'source = "textures/bark/color.png"\n')
        self.save("m/none.texture", '\nsource = "textures/none.png"\n')
        self.save("m/near.texture", '\n\nsource = "b/leaf/colour.png"\n')
        self.save("m/s.shader", 'vertices = "fullscreen"\nvertex = """\n#include "noise.glsl"\n'
                  'void main() { gl_Position = vec4(1.0); }\n"""\nfragment = """\n'
                  'layout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n"""\n')
        self.assertEqual(sorted((e["file"].split("/")[-1], e["message"]) for e in self.errors()[1]), [
            ("bark.texture", 'the file "textures/bark/color.png" is not there (did you mean '
                             '"a/bark/color.png"?)'),
            ("near.texture", 'the file "b/leaf/colour.png" is not there (did you mean '
                             '"b/leaf/color.png"?)'),
            ("none.texture", 'the file "textures/none.png" is not there'),
            ("s.shader", 'the file "noise.glsl" is not there (did you mean "c/noise.glsl"?)')])

    def test_names_that_are_nearly_right_by_other_ways_than_spelling(self):
        self.save("textures/floor.texture", 'source = "textures/floor.png"\n')
        self.save("textures/floor.png", "")
        sources = {
            "a.material": ('shader = "pbr"', 'shader "pbr" is missing (did you mean '
                           '"core/shaders/pbr"?)'),
            "b.material": ('shader = "shaders/pbr"', 'shader "shaders/pbr" is missing (did you '
                           'mean "core/shaders/pbr"?)'),
            "c.material": ('shader = ""', "material.shader is empty, and there is no `parent` "
                           "to take it from"),
            "d.material": ('shader = "core/shaders/pbr" textures = { base_color_map = '
                           '"materials/floor" }', 'texture "materials/floor" is missing (did you '
                           'mean "textures/floor"?)'),
            "e.texture": ('source = ""', "it is empty"),
            "f.texture": (f'source = "{os.path.realpath(self.project)}/x/A.png"',
                          'write "x/a.png"'),
            "g.package": ('unit = [""]', "it is empty"),
            "h.unit": (f'inherit = "{os.path.realpath(self.project)}/units/a.unit"',
                       'write "units/a"'),
        }
        for name, (text, _) in sources.items():
            self.save(f"x/{name}", text + "\n")
        told = {os.path.basename(e["file"]): e["message"] for e in self.errors()[1]}
        for name, (_, end) in sources.items():
            self.assertEqual(told[name][-len(end):], end)

    def test_files_that_are_no_resources_name_who_reads_them(self):
        self.save("shaders/bad.glsl", "\nfloat one() { return nowhere; }\n")
        self.save("shaders/s.shader", 'includes = ["shaders/bad.glsl"]\nvertices = "fullscreen"\n'
                  'vertex = """\nvoid main() { gl_Position = vec4(1.0); }\n"""\nfragment = """\n'
                  'layout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n"""\n')
        text, errors = self.errors()
        self.assertEqual(len(errors), 1)
        self.assertTrue(text[0].startswith("shaders/bad.glsl:2: error: shaders/s.shader: "), text)
        self.save("m/m.material", 'shader = "shaders/s"\n')
        text, errors = self.errors()
        self.assertTrue(text[0].startswith("shaders/bad.glsl:2: error: m/m.material: shaders/s: "),
                        text)


class Circles(Project):
    def told(self):
        return [line.split(": error: ")[0] + ": " + e["message"]
                for line, e in zip(*self.errors())]

    def test_units_that_inherit_and_contain_each_other(self):
        self.save("units/a.unit", 'inherit = "units/b"\n')
        self.save("units/b.unit", '\nchildren = [{ id = "1"  unit = "units/c" }]\n')
        self.save("units/c.unit", 'inherit = "units/d"\n')
        self.save("units/d.unit", 'children = [{ id = "1"\nunit = "units/a" }]\n')
        self.save("units/user.unit", 'inherit = "units/c"\n')
        self.save("levels/castle.level", 'units = [{ id = "1"  unit = "units/b" }]\n')
        self.save("scripts/good.lua", "return 1\n")
        self.assertEqual(self.told(), ["units/d.unit:2:1: a unit cannot be part of itself: "
                                       "units/a: units/b: units/c: units/d: units/a"])
        # Nothing else is held up, and all is well once it is mended.
        self.assertEqual(last_json(cuttle("compile", self.project, "--json").stdout)["failed"], 6)
        self.save("units/d.unit", 'children = []\n')
        cuttle("compile", self.project, check=0)

    def test_each_of_two_circles(self):
        self.save("units/a.unit", 'inherit = "units/a"\n')
        self.save("units/b.unit", 'inherit = "units/c"\n')
        self.save("units/c.unit", 'inherit = "units/b"\n')
        self.assertEqual(self.told(), [
            "units/a.unit:1:1: a unit cannot be part of itself: units/a: units/a",
            "units/c.unit:1:1: a unit cannot be part of itself: units/b: units/c: units/b"])

    def test_variants_in_a_circle(self):
        for name, base in {"a": "b", "b": "c", "a.fr": "a", "b.fr": "b", "c.fr": "a"}.items():
            self.save(f"units/{name}.unit", f'inherit = "units/{base}"\n')
        self.save("units/c.unit", "components = []\n")
        self.assertEqual(self.told(), [
            "units/a.fr.unit:1:1: a unit cannot be part of itself: "
            "units/a: units/b.fr: units/b: units/c.fr: units/a.fr: units/a"])
        self.save("units/c.fr.unit", "components = []\n")
        cuttle("compile", self.project, check=0)

    def test_variants_that_inherit_each_other_only(self):
        for name in ("a.fr", "a.noblood", "a.fr.noblood"):
            self.save(f"units/{name}.unit", 'inherit = "units/a"\n')
            self.save(f"m/{name}.material", 'parent = "m/a"\n')
        expected = [f'{folder}/a.{properties}.{type}:1:1: {type} "{folder}/a" has no other variant '
                    f'that this one could inherit; expected {folder}/a.{type}'
                    for folder, type in (("m", "material"), ("units", "unit"))
                    for properties in ("fr", "noblood")]
        self.assertEqual(sorted(self.told()), expected)
        # The one that they lack may inherit nothing of its own name.
        self.save("m/a.material", 'shader = "core/shaders/pbr"\n')
        self.save("units/a.unit", 'inherit = "units/a"\n')
        self.assertEqual(self.told(), ["units/a.unit:1:1: a unit cannot be part of itself: "
                                       "units/a: units/a"])
        self.save("units/a.unit", "components = []\n")
        cuttle("compile", self.project, check=0)

    def test_a_way_begins_at_the_same_name_whoever_tells_it(self):
        # By whole names: the driver, which tells the scripts', has its resources in another order.
        self.save("m/x.fr.material", 'parent = "m/x-y"\n')
        self.save("m/x-y.fr.material", 'parent = "m/x"\n')
        self.save("s/x.fr.lua", 'require "s/x-y"\n')
        self.save("s/x-y.lua", 'require "s/x"\n')
        self.assertEqual(sorted(self.told()), [
            "m/x.fr.material:1:1: a material cannot be its own parent: "
            "m/x-y.fr: m/x.fr: m/x-y.fr",
            "s/x.fr.lua:1:1: scripts cannot require each other while they load: "
            "s/x-y: s/x.fr: s/x-y"])

    def test_depth_is_an_error_and_no_crash(self):
        for i in range(1000):
            self.save(f"units/u{i:04}.unit", f'inherit = "units/u{i + 1:04}"\n')
        self.save("units/u1000.unit", "components = []\n")
        messages = {e["message"] for e in self.errors()[1]}
        self.assertEqual(messages, {"units inherit and contain each other more than 128 deep"})

    def test_render_configs(self):
        self.save("r/a.render_config", 'inherit = "r/b"\n')
        self.save("r/b.render_config", '\ninherit = "r/a"\n')
        self.assertEqual(self.told(), ["r/b.render_config:2:1: a render config cannot inherit "
                                       "itself: r/a: r/b: r/a"])

    def test_scripts_that_require_each_other_while_they_load(self):
        self.save("main.lua", 'local a = { require("s/a") }\n')
        self.save("s/a.lua", 'if true then require "s/none" end\nreturn require [[s/b]], '
                             "require 's/b'\n")
        self.save("s/b.lua", '-- require "s/none"\nlocal text = "require \'main\'"\n'
                             'local b = require "s/a"\n')
        text, errors = self.errors()
        self.assertEqual([e["message"] for e in errors],
                         ["scripts cannot require each other while they load: s/a: s/b: s/a"])
        self.assertTrue(text[0].startswith("s/b.lua:3:11: error: boot.package: main: s/a: s/b: "), text)
        # In a block that always runs, too.
        self.save("s/b.lua", "for i = 1, 2 do local x = 1 end\ndo do require [[s/a]] end end\n")
        self.assertTrue(self.errors()[0][0].startswith("s/b.lua:2:7: error: "))
        # Later is fine, and so are modules of Lua's own.
        self.save("s/b.lua", 'require "bit"\nfunction late() return require "s/a" end\n'
                             'local t = { require = 1 }\nt.require "s/a"\n'
                             'while t == 2 do require "s/a" end\n'
                             'do if t == 2 then do require "s/none" end end end\n')
        cuttle("compile", self.project, check=0)

    def test_materials(self):
        self.save("m/a.material", 'parent = "m/b"\n')
        self.save("m/b.material", '\nparent = "m/a"\n')
        self.assertEqual(self.told(), ["m/b.material:2:1: a material cannot be its own parent: "
                                       "m/a: m/b: m/a"])

    def test_files_of_shaders(self):
        self.save("s/a.glsl", '\n#include "s/b.glsl"\n')
        self.save("s/b.glsl", '\n\n#include "s/a.glsl"\n')
        for name in ("a", "b"):
            self.save(f"s/{name}.shader", f'includes = ["s/{name}.glsl"]\nvertices = "fullscreen"\n'
                      'vertex = """\nvoid main() { gl_Position = vec4(1.0); }\n"""\nfragment = """\n'
                      'layout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n"""\n')
        self.assertEqual(self.told(), ["s/b.glsl:3: files include each other in a circle: "
                                       "s/a.glsl: s/b.glsl: s/a.glsl"])


if __name__ == "__main__":
    unittest.main()
