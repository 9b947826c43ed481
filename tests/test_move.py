"""`cuttle mv`, `cp`, `replace` and `rm`: what they change, what they refuse, and that a crash leaves
a project as it was before or as it is after."""

import fcntl
import os
import random
import shutil
import subprocess
import sys
import time
import unittest

from support_cuttle import (CUTTLE, ROOT, TemporaryFolder, cuttle, data_folder, folder_bytes,
                            last_json, read, rounds, sources, write)

ID = '"5b1f0c3e-0000-4000-8000-0000000000%02x"'
ROSE = 'source = "textures/rose.png"\n'
SOURCES = {
    "settings.config": 'boot_script = "scripts/boot"\nboot_package = "boot"\n',
    "boot.package": 'lua = ["scripts/*"]\ntexture = ["textures/ro*"]\nunit = ["units/*"]\n',
    "scripts/boot.lua": 'local u = World.spawn_unit(world, "units/box")\r\n'
                        '-- "units/box" is a box\r\nlocal t = { "textures/rose" }\r\n',
    "textures/rose.texture": ROSE,
    "textures/rose.fr.texture": 'source = "textures/rose.fr.png"\n',
    "textures/rose.png": b"\x89PNG rose",
    "textures/rose.fr.png": b"\x89PNG la rose",
    "textures/rosewood.texture": 'source = "textures/shared.png"\n',
    "textures/bark.texture": 'source = "textures/shared.png"\n',
    "textures/shared.png": b"\x89PNG shared",
    "materials/wood.material":
        "\ufeff// textures/rose is what it looks like\r\n"
        'shader = "core/shaders/pbr"\t// "textures/rose"\r\n'
        'textures = { color_map = "textures/rose", normal_map : "textures/rosewood" }',
    "units/box.unit":
        f'components = [\n  {{ id = {ID % 1} type = "transform" }}\n'
        f'  {{ id = {ID % 2} type = "mesh" mesh = "core/meshes/cube" materials = ["materials/wood"] }}\n]\n',
    "units/tower.unit":
        f'inherit = "units/box"\nchildren = [ {{ id = {ID % 3} unit = "units/box" }} ]\n',
    "levels/yard.level": f'units = [ {{ id = {ID % 4} unit = "units/box" }} ]\n',
}


class Project(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.game = self.path("game")
        for path, text in SOURCES.items():
            write(os.path.join(self.game, path), text.encode() if isinstance(text, str) else text)
        self.before = sources(self.game)

    def file(self, *parts):
        return os.path.join(self.game, *parts)

    def text(self, path):
        return read(self.file(path), "rb").decode()

    def run_move(self, command, *arguments, check=0):
        done = cuttle(command, self.game, *arguments, check=check)
        self.assertFalse(os.path.exists(self.file(".cuttle", "cache", "journal")), done.stderr)
        self.assertFalse(os.path.exists(self.file(".cuttle", "cache", "journal.new")), done.stderr)
        return done

    def refuse(self, command, *arguments):
        """What is told when nothing can be done; nothing has changed."""
        before = sources(self.game)
        done = self.run_move(command, *arguments, check=1)
        self.assertEqual(sources(self.game), before)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def changed(self):
        """The paths whose bytes differ from those at the start."""
        now = sources(self.game)
        return sorted(path for path in {*now, *self.before} if now.get(path) != self.before.get(path))


class Rename(Project):
    def test_a_resource_goes_with_variants_and_media_and_only_names_change(self):
        self.run_move("mv", "textures/rose.texture", "textures/red.texture")
        now = sources(self.game)
        for old, new in (("rose.png", "red.png"), ("rose.fr.png", "red.fr.png")):
            self.assertEqual(now["textures/" + new], self.before["textures/" + old])
        self.assertEqual(now["textures/red.texture"], b'source = "textures/red.png"\n')
        self.assertEqual(now["textures/red.fr.texture"], b'source = "textures/red.fr.png"\n')
        self.assertFalse([path for path in now if "rose." in path])
        wood = self.before["materials/wood.material"]
        self.assertEqual(now["materials/wood.material"],
                         wood.replace(b'color_map = "textures/rose"', b'color_map = "textures/red"'))
        self.assertEqual([path for path in self.changed() if not path.startswith("textures/r")],
                         ["materials/wood.material"])

    def test_back_again_it_is_as_before(self):
        for old, new in (("textures/rose.texture", "textures/deep/red"), ("units", "things/all"),
                         ("materials/wood.material", "w"), ("textures/shared.png", "p.png")):
            self.run_move("mv", old, new)
            extension = os.path.splitext(old)[1]
            self.run_move("mv", new if new.endswith(extension) else new + extension, old)
            self.assertEqual(self.changed(), [], old)

    def test_emptied_folders_go(self):
        self.run_move("mv", "materials/wood.material", "wood")
        self.assertFalse(os.path.exists(self.file("materials")))

    def test_media_that_others_name_stay(self):
        stderr = self.run_move("mv", "textures/bark.texture", "textures/pine").stderr
        self.assertEqual(stderr, "")  # it is not called like it
        self.run_move("mv", "textures/shared.png", "textures/pine.png")
        self.assertIn(b"textures/pine.png", sources(self.game)["textures/rosewood.texture"])
        stderr = self.run_move("mv", "textures/pine.texture", "textures/oak").stderr
        self.assertEqual(stderr, "warning: textures/pine.png stays: textures/rosewood.texture names "
                                 "it, too\n")
        self.assertEqual(self.text("textures/oak.texture"), 'source = "textures/pine.png"\n')

    def test_models_that_name_files_by_relative_paths_stay_with_them(self):
        write(self.file("models/car.gltf"),
              '{"asset":{"version":"2.0"},"buffers":[{"byteLength":1,"uri":"car.bin"}]}')
        write(self.file("models/car.bin"), b"x")
        write(self.file("models/car.mesh"), 'source = "models/car.gltf"\n')
        stderr = self.run_move("mv", "models/car.mesh", "models/bus").stderr
        self.assertEqual(stderr, "warning: models/car.gltf stays: it names models/car.bin by a path "
                                 "from its folder\n")
        self.assertEqual(self.text("models/bus.mesh"), 'source = "models/car.gltf"\n')
        self.run_move("mv", "models/bus.mesh", "models/car")
        self.assertIn("car.gltf stays: it names models/car.bin",
                      self.run_move("mv", "models/car.mesh", "other/car").stderr)
        self.run_move("mv", "models", "vehicles")
        self.assertIn('"uri":"car.bin"', self.text("vehicles/car.gltf"))
        self.run_move("mv", "vehicles/car.gltf", "vehicles/deep/lorry.gltf")
        self.assertIn('"uri":"lorry.bin"', self.text("vehicles/deep/lorry.gltf"))
        self.assertEqual(self.text("other/car.mesh"), 'source = "vehicles/deep/lorry.gltf"\n')
        self.run_move("mv", "vehicles/deep/lorry.bin", "vehicles/car.bin")
        self.assertIn('"uri":"../car.bin"', self.text("vehicles/deep/lorry.gltf"))
        self.run_move("mv", "vehicles/deep/lorry.gltf", "vehicles/bus")  # it is not called like it
        self.assertIn('"uri":"car.bin"', self.text("vehicles/bus.gltf"))

    def test_a_folder_goes_with_all_that_is_in_it(self):
        write(self.file("textures/notes.txt"), "by hand")
        write(self.file("more.package"), 'texture = ["textures/*" "*"]\n')
        self.run_move("mv", "textures", "images/all")
        now = sources(self.game)
        self.assertFalse([path for path in now if path.startswith("textures/")])
        self.assertEqual(now["images/all/notes.txt"], b"by hand")
        self.assertEqual(now["images/all/rose.texture"], b'source = "images/all/rose.png"\n')
        self.assertEqual(now["more.package"], b'texture = ["images/all/*" "*"]\n')
        self.assertIn(b'"images/all/ro*"', now["boot.package"])

    def test_lua_literals_of_known_functions_follow_and_others_are_told(self):
        self.run_move("mv", "units/box.unit", "units/crate")
        self.assertEqual(self.text("scripts/boot.lua"),
                         SOURCES["scripts/boot.lua"].replace('world, "units/box"',
                                                            'world, "units/crate"'))
        stderr = self.run_move("mv", "textures/rose.texture", "textures/roses").stderr
        self.assertRegex(stderr, r'scripts/boot\.lua:3:\d+: warning: "textures/rose" looks like the '
                                 "name, and stays as it is\n$")

    def test_settings_follow(self):
        self.run_move("mv", "scripts/boot.lua", "scripts/start.lua")
        self.assertEqual(self.text("settings.config"),
                         SOURCES["settings.config"].replace("scripts/boot", "scripts/start"))
        self.run_move("mv", "boot.package", "packages/first")
        self.assertIn('boot_package = "packages/first"', self.text("settings.config"))

    def test_names_that_are_prefixes_of_others_are_apart(self):
        self.run_move("mv", "textures/rosewood.texture", "textures/rosewater")
        self.assertEqual(self.changed(), ["materials/wood.material", "textures/rosewater.texture",
                                          "textures/rosewood.texture"])
        self.assertIn('color_map = "textures/rose",', self.text("materials/wood.material"))

    def test_wildcards_that_match_no_more_are_told(self):
        stderr = self.run_move("mv", "textures/rose.texture", "textures/pine").stderr
        self.assertIn('warning: boot.package:2:12: texture "textures/ro*" no longer brings '
                      "textures/rose\n", stderr)
        stderr = self.run_move("mv", "textures/pine.texture", "textures/rowan").stderr
        self.assertIn('texture "textures/ro*" now brings textures/rowan\n', stderr)
        stderr = self.run_move("mv", "units", "things").stderr
        self.assertEqual(stderr, "")  # the wildcard goes with the folder
        self.assertIn('unit = ["things/*"]', self.text("boot.package"))

    def test_names_are_written_as_the_format_has_them(self):
        name, plain, uri = 'a"b\\c%41 d\'e.png', 'a"bc%41 d\'e.png', "a%22bc%2541%20d'e.png"
        write(self.file("textures", name), b"png")
        write(self.file("textures/q.texture"), r"""source = "textures/a\"b\\c%41 d'e.png" // q""")
        write(self.file("models/hero.gltf"),
              '{"asset":{"version":"2.0"},"images":[{"uri":"../textures/' + uri + '"}]}')
        write(self.file("models/hero.mtl"), "newmtl A\r\nmap_Kd -o 1 0 ..\\textures\\" +
              plain + "\r\n")
        write(self.file("textures", plain), b"png")
        before = sources(self.game)
        self.run_move("mv", "textures", "images/all")
        self.assertEqual(self.text("images/all/q.texture"),
                         r"""source = "images/all/a\"b\\c%41 d'e.png" // q""")
        self.assertIn(f'"../images/all/{uri}"', self.text("models/hero.gltf"))
        self.assertIn(f"..\\images\\all\\{plain}\r\n", self.text("models/hero.mtl"))
        self.run_move("mv", "models/hero.gltf", "art/deep/hero")
        self.assertIn(f'"../../images/all/{uri}"', self.text("art/deep/hero.gltf"))
        stdout = cuttle("deps", self.game, "--of", "art/deep/hero.gltf", check=0).stdout
        self.assertNotIn("missing", stdout)
        self.run_move("mv", "art/deep/hero.gltf", "models/hero")
        self.run_move("mv", "images/all", "textures")
        self.assertEqual(sources(self.game), before)

    def test_what_a_folder_leaves_is_told(self):
        write(self.file("units/.gitkeep"), b"")
        write(self.file("units/deep/.hidden/x.unit"), b"")
        os.symlink("units/box.unit", self.file("linked.unit"))
        stderr = self.run_move("mv", "units", "things").stderr
        self.assertEqual(stderr, "warning: units/.gitkeep stays: hidden files do not move with a folder\n"
                                 "warning: units/deep/.hidden stays: hidden files do not move with a "
                                 "folder\nwarning: linked.unit is a symbolic link to a moved file: it "
                                 "leads to nothing now\n")
        self.run_move("mv", "things", "units")  # where nothing is but what is hidden
        self.assertEqual(self.changed(), [p for p in self.changed() if "/." in p or "link" in p])

    def test_glsl_follows(self):
        write(self.file("shaders/own.shader"),
              'includes = ["shaders/noise.glsl"]\nvertex = """\n#include "shaders/noise.glsl"\n'
              'void main() {}\n"""\nfragment = "void main() {}"\n')
        write(self.file("shaders/noise.glsl"), '#include "shaders/hash.inc" // shaders/hash.inc\n')
        write(self.file("shaders/hash.inc"), "float hash() { return 0.0; }\n")
        self.run_move("mv", "shaders/noise.glsl", "glsl/noise.glsl")
        self.assertNotIn("shaders/noise", self.text("shaders/own.shader"))
        self.run_move("mv", "shaders/hash.inc", "glsl/hash.inc")
        self.assertEqual(self.text("glsl/noise.glsl"),
                         '#include "glsl/hash.inc" // shaders/hash.inc\n')

    def test_records_of_imports_follow(self):
        model = os.path.join(ROOT, "core", "meshes", "cube.gltf")
        cuttle("import", model, self.game, "models/cube", check=0)
        files = sorted(os.listdir(self.file("models/cube")))
        unit = next(name for name in files if name.endswith(".unit"))
        self.run_move("mv", "models/cube/" + unit, "models/cube/box")
        self.run_move("mv", "models/cube", "props/cube")
        record = self.text("props/cube/cube.import")
        self.assertIn('"props/cube/box.unit"', record)
        self.assertEqual(record.count("models/cube"), 1)  # what ids are made of
        done = cuttle("import", self.file("props/cube/cube.gltf"), self.game, "props/cube", check=0)
        self.assertIn("created 0, updated 0, removed 0, kept 0", done.stdout)
        self.run_move("mv", "props/cube/cube.gltf", "props/cube/dice.gltf")
        self.assertFalse(os.path.exists(self.file("props/cube/cube.import")))
        done = cuttle("import", self.file("props/cube/dice.gltf"), self.game, "props/cube", check=0)
        self.assertIn("created 0, updated 0, removed 0, kept 0", done.stdout)


class Compiled(TemporaryFolder):
    def test_the_data_is_the_same_but_for_names(self):
        project = self.copy_sample()
        kind = cuttle("hash", "material", check=0).stdout.split()[1]

        def materials():
            cuttle("compile", project, check=0)
            return sorted(data for name, data in folder_bytes(data_folder(project)).items()
                          if name.startswith(kind + "-"))
        before = materials()
        self.assertGreater(len(before), 10)
        cuttle("mv", project, "materials", "looks", check=0)
        self.assertEqual(materials(), before)


class Refusals(Project):
    def test_taken_names(self):
        self.assertEqual(self.refuse("mv", "textures/rose.texture", "textures/bark"),
                         'cuttle mv: "textures/bark.texture" exists already\n')
        self.assertIn("exists already", self.refuse("mv", "textures/shared.png",
                                                      "textures/rose.png"))
        self.assertIn("exists already", self.refuse("mv", "units", "textures"))
        write(self.file("textures/red.png"), b"another")
        self.assertIn("textures/red.png: error: exists already",
                      self.refuse("mv", "textures/rose.texture", "textures/red"))
        write(self.file("textures/Blue.png"), b"another")
        self.assertIn("differs from textures/Blue.png only in case",
                      self.refuse("mv", "textures/rose.texture", "textures/blue"))

    def test_names_that_are_none(self):
        for new, message in (("textures/Red", 'write "textures/red"'),
                             ("textures/red rose", 'write "textures/red_rose"'),
                             ("textures\\red", 'write "textures/red"'),
                             ("../red", "leads out of the project"),
                             ("", "it is empty"),
                             ("core/red", "belongs to core"),
                             ("textures/red.material", "a texture keeps its type"),
                             ("textures/red.fr.texture", 'write "textures/red'),
                             ("textures/rose", "is its name already")):
            self.assertIn(message, self.refuse("mv", "textures/rose.texture", new), new)
        self.assertIn('write "materials/rose"', self.refuse("mv", "textures/rose.texture",
                                                            "materials/"))
        self.assertIn("keeps its extension", self.refuse("mv", "textures/shared.png", "a.jpg"))
        self.assertIn('write "textures/a_b.png"', self.refuse("mv", "textures/shared.png",
                                                              "textures/a b.png"))
        self.assertIn("cannot go into itself", self.refuse("mv", "textures", "textures/deep"))
        self.assertIn("is longer than", self.refuse("mv", "textures", "a/" * 600 + "b"))
        self.assertIn("at most 255 bytes", self.refuse("mv", "textures", "a" * 300))
        self.assertIn("the new name of", self.refuse("mv", "textures", "a" * 250))

    def test_what_is_not_there(self):
        self.assertEqual(self.refuse("mv", "textures/rise.texture", "textures/a"),
                         'cuttle mv: unknown resource, media file or folder "textures/rise.texture"'
                         '; did you mean "textures/rose.texture"?\n')
        self.assertIn('did you mean "textures/rose.texture"?', self.refuse("rm", "textures/rose"))
        self.assertIn('write "textures/rose.texture"', self.refuse("mv", "textures/rose.fr.texture",
                                                                   "textures/a"))
        self.assertIn("belongs to core", self.refuse("mv", "core/meshes/cube.mesh", "meshes/cube"))
        self.assertIn("always called", self.refuse("mv", "settings.config", "options"))

    def test_read_only_referrers_are_named(self):
        for path in ("units/tower.unit", "levels/yard.level"):
            os.chmod(self.file(path), 0o444)
        stderr = self.refuse("mv", "units/box.unit", "units/crate")
        for path in ("units/tower.unit", "levels/yard.level"):
            self.assertIn(f"{self.file(path)}: error: is read-only", stderr)

    def test_broken_referrers_are_named(self):
        write(self.file("levels/broken.level"), 'units = [ { unit = "units/box" }\n')
        self.assertRegex(self.refuse("mv", "units/box.unit", "units/crate"),
                         r"levels/broken\.level:\d+:\d+: error: ")
        self.run_move("mv", "textures/bark.texture", "textures/pine")  # which it does not name

    def test_broken_files_that_name_something_else_are_none_of_it(self):
        write(self.file("levels/broken.level"), 'units = [ { unit = "other/box" }\n')
        write(self.file("units/broken.unit"), "components = [\n")
        self.run_move("mv", "units/box.unit", "units/crate")
        self.run_move("mv", "units", "things")
        self.assertEqual(self.text("things/broken.unit"), "components = [\n")
        write(self.file("things/named.unit"), 'inherit = "things/box"\ncomponents = [\n')
        stderr = self.refuse("mv", "things", "units")
        self.assertRegex(stderr, r'things/named\.unit:\d+:\d+: error: .*\(fix that first: the file '
                                 r'may name "things"\)')
        self.assertNotIn("broken", stderr)

    def test_referrers_that_cannot_be_read_are_named(self):
        cuttle("deps", self.game, "--missing")
        os.rename(self.file("levels/yard.level"), self.path("yard.level"))
        os.symlink(self.path("yard.level"), self.file("levels/yard.level"))  # out of the project
        for command in (["mv", "units/box.unit", "units/crate"], ["rm", "units/box.unit"],
                        ["replace", "units/box.unit", "units/tower.unit"]):
            self.assertRegex(self.refuse(*command), r"levels/yard\.level: error: .*out of the project "
                                                    r'\(fix that first: the file may name "units/box')
        self.run_move("mv", "textures/bark.texture", "textures/pine")  # which it did not name

    def test_control_characters_in_names_are_told(self):
        write(self.file("textures/tab\there.png"), b"png")
        for old in ("textures", "textures/tab\there.png"):
            stderr = self.refuse("mv", old, "t2/x" + os.path.splitext(old)[1])
            self.assertIn("its name has control characters", stderr)
            self.assertIn("here.png: error", stderr)

    def test_what_would_be_read_as_something_else_is_not_written(self):
        write(self.file("textures/-s 1.png"), b"png")
        write(self.file("models/a.mtl"), "newmtl A\nmap_Kd ../textures/-s 1.png\n")
        self.assertIn('models/a.mtl:2:8: error: "textures/-s 1.png" cannot be written here',
                      self.refuse("mv", "models/a.mtl", "textures/a"))

    def test_links_are_no_files_to_move(self):
        os.rename(self.file("textures/rose.png"), self.file("elsewhere.png"))
        os.symlink("../elsewhere.png", self.file("textures/rose.png"))
        self.assertIn("is a symbolic link", self.refuse("mv", "textures/rose.texture", "a"))
        os.symlink("..", self.file("units/up"))
        self.assertIn("is a symbolic link", self.refuse("mv", "units", "things"))

    def test_no_project(self):
        done = cuttle("mv", self.path("nowhere"), "a.unit", "b", check=1)
        self.assertIn("is not there", done.stderr)
        cuttle("mv", self.game, "a.unit", check=2)
        self.assertIn("write referrers after --redirect",
                      cuttle("cp", self.game, "units/box.unit", "b", "c", check=2).stderr)


class Others(Project):
    def test_a_copy_names_its_own_media(self):
        self.run_move("cp", "textures/rose.texture", "textures/red")
        now = sources(self.game)
        self.assertEqual(self.changed(), ["textures/red.fr.png", "textures/red.fr.texture",
                                          "textures/red.png", "textures/red.texture"])
        self.assertEqual(now["textures/red.texture"], b'source = "textures/red.png"\n')
        self.assertEqual(now["textures/red.png"], self.before["textures/rose.png"])

    def test_referrers_can_name_the_copy(self):
        self.run_move("cp", "units/box.unit", "units/crate", "--redirect", "levels",
                      "units/tower.unit")
        self.assertEqual(self.changed(), ["levels/yard.level", "units/crate.unit",
                                          "units/tower.unit"])
        self.assertNotIn("units/box", self.text("units/tower.unit"))
        self.assertIn("does not refer to", self.refuse("cp", "units/box.unit", "units/c",
                                                       "--redirect", "materials/wood.material"))

    def test_a_copied_folder_names_itself(self):
        self.run_move("cp", "units", "more")
        self.assertIn('inherit = "more/box"', self.text("more/tower.unit"))
        self.assertEqual(self.changed(), ["more/box.unit", "more/tower.unit"])

    def test_a_referrer_that_is_copied_names_the_copy_and_so_does_its_copy(self):
        self.run_move("cp", "units", "more", "--redirect", "units/tower.unit")
        self.assertEqual(self.changed(), ["more/box.unit", "more/tower.unit", "units/tower.unit"])
        self.assertEqual(self.text("units/tower.unit"), self.text("more/tower.unit"))
        self.assertIn('inherit = "more/box"', self.text("units/tower.unit"))

    def test_replace(self):
        self.run_move("replace", "units/box.unit", "core/units/skydome.unit", "--in", "levels")
        self.assertEqual(self.changed(), ["levels/yard.level"])
        self.run_move("replace", "units/box.unit", "units/tower.unit")
        self.assertIn('spawn_unit(world, "units/tower")', self.text("scripts/boot.lua"))
        self.assertEqual(self.text("units/tower.unit"), SOURCES["units/tower.unit"])
        self.assertIn("cannot replace a unit",
                      self.refuse("replace", "units/box.unit", "textures/bark.texture"))
        self.assertIn("unknown resource", self.refuse("replace", "units/box.unit", "units/none.unit"))
        self.run_move("replace", "textures/shared.png", "textures/rose.png")
        self.assertEqual(self.text("textures/bark.texture"), ROSE)

    def test_as_many_referrers_as_a_shell_passes(self):
        names = [f"levels/l{i}.level" for i in range(200)]
        for name in names:
            write(self.file(name), SOURCES["levels/yard.level"])
        self.run_move("replace", "units/box.unit", "units/tower.unit", "--in", *names[:100])
        self.run_move("cp", "units/box.unit", "units/crate", "--redirect", *names[100:])
        self.assertIn("units/tower", self.text(names[99]))
        self.assertIn("units/crate", self.text(names[199]))
        self.assertIn("units/box", self.text("levels/yard.level"))

    def test_what_is_missing_can_be_replaced(self):
        os.remove(self.file("units/box.unit"))
        self.run_move("replace", "units/box.unit", "units/tower.unit")
        self.assertIn("units/tower", self.text("levels/yard.level"))
        self.run_move("replace", "units/tower.unit", "core/units/skydome")  # the type stays
        self.assertIn("core/units/skydome", self.text("levels/yard.level"))

    def test_of_many_referrers_the_first_are_told(self):
        for i in range(120):
            write(self.file(f"levels/l{i}.level"), f'units = [ {{ id = {ID % 4} unit = "units/box" }} ]\n')
        stderr = self.refuse("rm", "units/box.unit")
        self.assertNotIn("warning", stderr)
        self.assertTrue(stderr.endswith("and 24 more places\ncuttle rm: it is referred to in 124 "
                                        "places; --force removes it anyway\n"), stderr[-300:])
        self.assertIn("changed  103 more files\n", self.run_move("mv", "units/box.unit",
                                                                 "units/crate").stdout)

    def test_removing(self):
        stderr = self.refuse("rm", "units/box.unit")
        for place in ("levels/yard.level:1:", "scripts/boot.lua:1:", "units/tower.unit:1:",
                      "units/tower.unit:2:"):
            self.assertIn(self.file(place), stderr)
        self.assertIn("it is referred to in 4 places; --force removes it anyway", stderr)
        self.run_move("rm", "levels/yard.level")
        stderr = self.run_move("rm", "units/box.unit", "--force").stderr
        self.assertIn('"units/box" is missing now', stderr)
        self.assertFalse(os.path.exists(self.file("units/box.unit")))
        self.run_move("rm", "materials/wood.material", "--force")
        self.run_move("rm", "textures/rose.texture")
        self.assertFalse([path for path in sources(self.game) if "/rose." in path])
        self.assertTrue(os.path.exists(self.file("textures/rosewood.texture")))

    def test_json(self):
        report = last_json(self.run_move("mv", "units/box.unit", "units/crate", "--json").stdout)
        self.assertTrue(report["done"])
        self.assertIn({"action": "renamed", "from": "units/box.unit", "to": "units/crate.unit",
                       "references": 0}, report["files"])
        self.assertIn({"action": "changed", "from": "units/tower.unit", "to": "units/tower.unit",
                       "references": 2}, report["files"])
        done = self.run_move("mv", "units/bax.unit", "units/crate", "--json", check=1)
        report = last_json(done.stdout)
        self.assertFalse(report["done"])
        self.assertIn("did you mean", report["errors"][0]["message"])
        report = last_json(self.run_move("rm", "units/crate.unit", "--json", check=1).stdout)
        self.assertEqual(len(report["referrers"]), 4)


class DryRun(Project):
    def test_the_diff_is_what_would_be_done(self):
        subprocess.run(["git", "init", "-q", self.game], check=True)
        for arguments in (["mv", "textures/rose.texture", "textures/deep/red"],
                          ["mv", "units", "things"],
                          ["replace", "things/box.unit", "things/tower.unit"]):
            before = sources(self.game)
            diff = cuttle(*arguments[:1], self.game, *arguments[1:], "--dry-run", check=0)
            self.assertEqual(sources(self.game), before)
            other = self.path("other")
            shutil.copytree(self.game, other)
            with open(self.path("patch"), "wb") as file:
                file.write(subprocess.run([CUTTLE, arguments[0], self.game, *arguments[1:],
                                           "--dry-run"], capture_output=True, check=True).stdout)
            subprocess.run(["git", "apply", self.path("patch")], cwd=other, check=True)
            self.run_move(*arguments)
            self.assertEqual(sources(other), sources(self.game), diff.stdout)
            shutil.rmtree(other)

    def test_hunks_and_renames_read_as_gits(self):
        write(self.file("levels/long.level"), "// 1\n// 2\n// 3\n// 4\nunits = [\n"
              f'  {{ id = {ID % 9} unit = "units/box" }}\n]\n// 8\n// 9\n// 10\n// 11')
        stdout = cuttle("mv", self.game, "units/box.unit", "units/b", "--dry-run", check=0).stdout
        self.assertIn("diff --git a/levels/long.level b/levels/long.level\n--- a/levels/long.level\n"
                      "+++ b/levels/long.level\n@@ -3,7 +3,7 @@\n // 3\n // 4\n units = [\n"
                      f'-  {{ id = {ID % 9} unit = "units/box" }}\n'
                      f'+  {{ id = {ID % 9} unit = "units/b" }}\n ]\n // 8\n // 9\n', stdout)
        self.assertIn("diff --git a/units/box.unit b/units/b.unit\nsimilarity index 100%\n"
                      "rename from units/box.unit\nrename to units/b.unit\n", stdout)
        stdout = cuttle("rm", self.game, "levels/long.level", "--dry-run", check=0).stdout
        self.assertIn("deleted file mode 100644\n--- a/levels/long.level\n+++ /dev/null\n"
                      "@@ -1,11 +0,0 @@\n-// 1\n", stdout)
        self.assertTrue(stdout.endswith("-// 11\n\\ No newline at end of file\n"))


class Git(Project):
    def git(self, *arguments):
        return subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.c", *arguments],
                              cwd=self.game, check=True, capture_output=True, text=True).stdout

    def test_the_index_follows_as_after_git_mv(self):
        outer = self.path("repository")
        os.mkdir(outer)
        os.rename(self.game, os.path.join(outer, "game"))
        self.game = os.path.join(outer, "game")
        subprocess.run(["git", "init", "-q", outer], check=True)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "x")
        with open(self.file("textures/rose.texture"), "a") as file:
            file.write("// not staged\n")
        os.chmod(self.file("textures/rose.png"), 0o755)
        self.git("add", "textures/rose.png")
        write(self.file("textures/rose.de.texture"), 'source = "textures/shared.png"\n')
        self.run_move("mv", "textures/rose.texture", "textures/red")
        staged = self.git("diff", "--cached", "--name-status", "-M").split("\n")
        self.assertEqual([line for line in staged if "texture" in line],
                         ["R100\tgame/textures/rose.fr.png\tgame/textures/red.fr.png",
                          "R100\tgame/textures/rose.fr.texture\tgame/textures/red.fr.texture",
                          "R100\tgame/textures/rose.png\tgame/textures/red.png",
                          "R100\tgame/textures/rose.texture\tgame/textures/red.texture"])
        unstaged = self.git("diff", "--name-only").split()
        self.assertEqual(unstaged, ["game/materials/wood.material", "game/textures/red.fr.texture",
                                    "game/textures/red.texture"])
        self.assertIn("?? textures/red.de.texture", self.git("status", "--short", "."))
        self.assertIn("100755", self.git("ls-files", "-s", "textures/red.png"))

    def test_conflicts_and_unreadable_indices(self):
        self.git("init", "-q", ".")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "base")
        self.git("checkout", "-q", "-b", "other")
        write(self.file("units/box.unit"), "components = [1]\n")
        self.git("commit", "-qam", "theirs")
        self.git("checkout", "-q", "-")
        write(self.file("units/box.unit"), "components = [2]\n")
        self.git("commit", "-qam", "mine")
        with self.assertRaises(subprocess.CalledProcessError):
            self.git("merge", "-q", "other")
        write(self.file("units/box.unit"), "components = []\n")
        stderr = self.refuse("mv", "units/box.unit", "units/a")
        self.assertRegex(stderr, r"^\S*units/box\.unit: error: has an unresolved conflict in git.*\n$")
        write(self.file("units/box.unit"), f'inherit = "units/tower"')
        write(self.file("units/tower.unit"), "components = []")
        self.assertRegex(self.refuse("mv", "units/tower.unit", "units/a"),
                         r"^\S*units/box\.unit: error: has an unresolved conflict in git.*\n$")
        write(self.file(".git/index"), "garbage")
        self.assertIn("cannot update git's index with the new paths",
                      self.run_move("mv", "units/box.unit", "units/a").stderr)


    def test_a_locked_index_is_waited_for_and_then_told(self):
        self.git("init", "-q", ".")
        self.git("add", ".")
        write(self.file(".git/index.lock"), b"")
        stderr = self.refuse("mv", "units/box.unit", "units/crate")
        self.assertRegex(stderr, "has locked git's index; .* remove .*index.lock if no such")
        os.remove(self.file(".git/index.lock"))
        self.run_move("mv", "units/box.unit", "units/crate")
        self.assertIn("units/crate.unit", self.git("ls-files"))


class Crash(Project):
    def setUp(self):
        super().setUp()
        for i in range(60):
            write(self.file(f"levels/l{i}.level"), f'units = [ {{ id = {ID % 4} unit = "units/box" }} ]\n')
        subprocess.run(["git", "init", "-q", self.game], check=True)
        subprocess.run(["git", "add", "."], cwd=self.game, check=True)

    def state(self):
        index = subprocess.run(["git", "ls-files", "-s"], cwd=self.game, capture_output=True,
                               check=True, text=True).stdout
        return ({path: data for path, data in sources(self.game).items()
                 if not path.startswith(".git/")}, index)

    def restore(self, saved):
        shutil.rmtree(self.game)
        shutil.copytree(saved, self.game)

    def test_killed_at_any_moment_it_is_as_before_or_after(self):
        saved = self.path("saved")
        shutil.copytree(self.game, saved)
        before = self.state()
        start = time.monotonic()
        cuttle("mv", self.game, "units", "things/all", check=0)
        seconds = time.monotonic() - start
        after = self.state()
        chance, seen, count = random.Random(6), {"before": 0, "after": 0, "finished": 0}, rounds(12, 200)
        for _ in range(count):
            self.restore(saved)
            process = subprocess.Popen([CUTTLE, "mv", self.game, "units", "things/all"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, seconds * 1.1))
            process.kill()
            process.wait()
            done = cuttle("rm", self.game, "no/such.unit", check=1)  # any command
            state = self.state()
            self.assertTrue(state in (before, after), done.stderr)
            seen["after" if state == after else "before"] += 1
            seen["finished"] += "finished what a command was doing" in done.stderr
        print(f"killed {count} times: {seen}", file=sys.stderr)

    def test_a_full_disk_leaves_it_as_before(self):
        before = self.state()
        for blocks in (0, 1, 4, 8, 16):  # of 512 bytes, the most that a file may have
            done = subprocess.run(["sh", "-c", f'trap "" XFSZ; ulimit -f {blocks}; exec "$@"', "sh",
                                   CUTTLE, "mv", self.game, "units", "things"], capture_output=True,
                                  text=True)
            self.assertEqual(self.state(), before)
            self.assertEqual(done.returncode, 1)
            self.assertIn("cannot write", done.stderr)
        cuttle("mv", self.game, "units", "things", check=0)


class AtWork(Project):
    """Who reads sources and who changes them wait for each other, wherever the data go."""

    def wait_and_end(self, kind, *arguments):
        """Runs a command while this process has the lock of the sources; returns what it told."""
        folder = os.open(self.game, os.O_RDONLY)
        fcntl.flock(folder, kind)
        process = subprocess.Popen([CUTTLE, *arguments], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        told = process.stderr.readline()
        before = sources(self.game)
        os.close(folder)
        told += process.communicate()[1]
        self.assertEqual(process.returncode, 0, told)
        return told, before

    def test_a_move_waits_for_who_compiles_to_another_folder(self):
        told, before = self.wait_and_end(fcntl.LOCK_SH, "mv", self.game, "units", "things")
        self.assertEqual(told, "[project] waiting for another command on this project: only one at a "
                               "time compiles it or changes its sources\n")
        self.assertEqual(before, self.before)
        self.assertIn("things/box.unit", sources(self.game))

    def test_who_compiles_to_another_folder_waits_for_a_move(self):
        for path in self.before:  # what is left compiles
            if path.startswith(("textures/", "materials/", "units/", "levels/")):
                os.remove(self.file(path))
        write(self.file("boot.package"), 'lua = ["scripts/*"]\n')
        write(self.file("scripts/boot.lua"), "")
        told, _ = self.wait_and_end(fcntl.LOCK_EX, "compile", self.game, "--data-dir",
                                    self.path("data"))
        self.assertTrue(told.startswith("[project] waiting for another command on this project: "), told)
        self.assertFalse(os.path.exists(self.file(".cuttle")))  # nothing is made in the project


class Sequences(TemporaryFolder):
    """Moves, copies and replaces of anything to anywhere; undone, all bytes are as before."""

    def setUp(self):
        super().setUp()
        self.game = self.path("game")
        subprocess.run([sys.executable, os.path.join(ROOT, "bench", "make_project.py"), self.game,
                        "--resources", "120"], check=True, capture_output=True)
        self.chance = random.Random(11)

    def names(self):
        """Resources by type, and folders."""
        found, folders = {}, set()
        for path in sources(self.game):
            stem, extension = os.path.splitext(path)
            if extension in (".unit", ".material", ".texture", ".level") and "." not in stem:
                found.setdefault(extension, []).append(stem)
                if os.path.dirname(path):
                    folders.add(os.path.dirname(path))
        return {kind: sorted(stems) for kind, stems in found.items()}, sorted(folders)

    def step(self, number):
        """Does something; returns the command that undoes it."""
        found, folders = self.names()
        kind = self.chance.choice(sorted(found))
        name = self.chance.choice(found[kind])
        new = f"{self.chance.choice(folders + ['new'])}/n{number}"
        what = self.chance.choice(("resource", "resource", "folder", "copy"))
        if what == "folder":
            folder = self.chance.choice(folders)
            cuttle("mv", self.game, folder, f"f{number}", check=0)
            return ["mv", self.game, f"f{number}", folder]
        if what == "resource":
            cuttle("mv", self.game, name + kind, new, check=0)
            return ["mv", self.game, new + kind, name]
        cuttle("cp", self.game, name + kind, new, check=0)
        return ["rm", self.game, new + kind]

    def test_undone_all_bytes_are_as_before(self):
        before, number = sources(self.game), 0
        cuttle("deps", self.game, "--missing", check=0)
        for _ in range(rounds(4, 1000)):
            undo = []
            for _ in range(self.chance.randrange(1, 5)):
                number += 1
                undo.append(self.step(number))
            cuttle("deps", self.game, "--missing", check=0)  # as at the start
            for command in reversed(undo):
                cuttle(*command, check=0)
            self.assertEqual(sources(self.game), before)


if __name__ == "__main__":
    unittest.main()
