"""`cuttle deps --fix-moved`: what was renamed with other tools is recognised, and references follow."""

import json
import os
import random
import shutil
import subprocess
import unittest

from support_cuttle import CUTTLE, TemporaryFolder, cuttle, last_json, read, rounds, sources, write

ID = '"5b1f0c3e-0000-4000-8000-0000000000%02x"'
SOURCES = {
    "settings.config": 'boot_script = "scripts/boot"\nboot_package = "boot"\n',
    "boot.package": 'lua = ["scripts/boot"]\nunit = ["units/box"]\nlevel = ["levels/*"]\n',
    "scripts/boot.lua": 'require "scripts/tools"\r\n'
                        'local u = World.spawn_unit(world, "units/box") -- "units/box" is a box\r\n'
                        "local t = { 'textures/rose' }\r\n",
    "scripts/tools.lua": "return { name = 'tools' }\n",
    "textures/rose.texture": '// a rose\nsource = "textures/rose.png"\n',
    "textures/rose.fr.texture": 'source = "textures/rose.fr.png"\n',
    "textures/lily.texture": '// a lily\nsource = "textures/lily.png"\n',
    "textures/rose.png": b"\x89PNG rose",
    "textures/rose.fr.png": b"\x89PNG la rose",
    "textures/lily.png": b"\x89PNG lily",
    "materials/wood.material":
        "\ufeff// textures/rose is what it looks like\r\n"
        'shader = "shaders/glow"\t// "textures/rose"\r\n'
        'textures = { color_map = "textures/rose", normal_map : "textures/lily" }',
    "shaders/glow.shader": 'includes = ["shaders/light.glsl"]\nfragment = "void main() {}"\n',
    "shaders/light.glsl": '#include "shaders/pi.glsl"\nvec4 light() { return vec4(pi); }\n',
    "shaders/pi.glsl": "const float pi = 3.14159265;\n",
    "units/box.unit":
        f'components = [\n  {{ id = {ID % 1} type = "transform" }}\n'
        f'  {{ id = {ID % 2} type = "mesh" mesh = "models/car" materials = ["materials/wood"] }}\n]\n',
    "models/car.mesh": 'source = "models/car.gltf"\n',
    "models/car.gltf": '{"asset":{"version":"2.0"},"buffers":[{"byteLength":1,"uri":"car.bin"}],'
                       '"images":[{"uri":"../textures/rose.png"}]}',
    "models/car.bin": b"x",
    "levels/yard.level": f'units = [ {{ id = {ID % 4} unit = "units/box" }} ]\n',
}


class Project(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.game = self.path("game")
        for path, text in SOURCES.items():
            self.write(path, text)

    def file(self, *parts):
        return os.path.join(self.game, *parts)

    def write(self, path, text):
        write(self.file(path), text.encode() if isinstance(text, str) else text)

    def text(self, path):
        return read(self.file(path), "rb").decode()

    def rename(self, *pairs):
        for old, new in pairs:
            os.makedirs(os.path.dirname(self.file(new)), exist_ok=True)
            os.rename(self.file(old), self.file(new))

    def deps(self, *options, check=0):
        return cuttle("deps", self.game, *options, check=check)

    def see(self):
        """The index comes to know the project as it is, its files being older than what their times can
        tell apart."""
        before = None
        while before != (now := self.index()):
            before = now
            self.deps("--missing")

    def index(self):
        try:
            return read(self.file(".cuttle/cache/references"), "rb")
        except FileNotFoundError:
            return b""

    def fix(self, *options, check=0):
        return last_json(self.deps("--fix-moved", "--json", *options, check=check).stdout)

    def moved(self, report):
        return {name["from"]: name["to"] for name in report["moved"]}

    def apply(self, expected, by=None):
        """Applies the patch; of all other files not a byte changes, and nothing is missing."""
        before = sources(self.game)
        shown = self.fix()
        self.assertEqual(sources(self.game), before)
        self.assertFalse(shown["done"])
        done = self.fix("--apply")
        self.assertEqual(self.moved(done), expected)
        self.assertEqual(self.moved(shown), expected)
        self.assertEqual(done["unclear"], [])
        if by:
            self.assertEqual({name["by"] for name in done["moved"]}, {by})
        self.assertTrue(done["done"])
        self.assertEqual(shown["files"], done["files"])
        after = sources(self.game)
        patched = {file["from"] for file in done["files"]}
        for path in before:
            if path not in patched:
                self.assertEqual(after[path], before[path])
            elif path in after:
                self.assertNotEqual(after[path], before[path])
        self.assertEqual(self.deps("--missing").stdout, "")
        self.assertEqual(self.fix()["files"], [])
        return patched


class Renamed(Project):
    def test_a_resource_and_only_its_name_changes(self):
        self.see()
        self.rename(("textures/lily.texture", "flowers/lily_white.texture"))
        wood = self.text("materials/wood.material")
        self.assertEqual(self.apply({"textures/lily.texture": "flowers/lily_white.texture"}, "file"),
                         {"materials/wood.material"})
        self.assertEqual(self.text("materials/wood.material"),
                         wood.replace('"textures/lily"', '"flowers/lily_white"'))

    def test_the_patch_is_one_for_git(self):
        self.see()
        self.rename(("textures/lily.texture", "textures/tulip.texture"))
        before = sources(self.game)
        done = subprocess.run([CUTTLE, "deps", self.game, "--fix-moved"], capture_output=True)
        self.assertTrue(done.stdout.startswith(
            b"moved    textures/lily.texture -> textures/tulip.texture (the same file)\n"))
        self.assertIn(b"--apply changes it", done.stderr)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(sources(self.game), before)
        subprocess.run(["git", "apply", "-"], cwd=self.game, input=done.stdout, check=True,
                       env={**os.environ, "GIT_CEILING_DIRECTORIES": self.folder})
        by_git = sources(self.game)
        for path, data in before.items():
            self.write(path, data)
        self.deps("--fix-moved", "--apply")
        self.assertEqual(sources(self.game), by_git)

    def test_all_variants_and_their_media(self):
        self.see()
        self.rename(*((f"textures/rose.{end}", f"textures/red.{end}")
                      for end in ("texture", "fr.texture", "png", "fr.png")))
        patched = self.apply({"textures/rose.texture": "textures/red.texture",
                              "textures/rose.png": "textures/red.png",
                              "textures/rose.fr.png": "textures/red.fr.png"})
        self.assertEqual(patched, {"materials/wood.material", "models/car.gltf",
                                   "textures/red.texture", "textures/red.fr.texture"})
        self.assertEqual(self.text("textures/red.fr.texture"), 'source = "textures/red.fr.png"\n')
        self.assertIn('"uri":"../textures/red.png"', self.text("models/car.gltf"))
        self.assertIn("'textures/rose'", self.text("scripts/boot.lua"))  # only looks like it

    def test_one_variant_is_no_matter_while_others_are_there(self):
        self.see()
        self.rename(("textures/rose.fr.texture", "textures/rose.de.texture"))
        self.assertEqual(self.fix()["moved"], [])

    def test_media_alone(self):
        self.see()
        self.rename(("textures/lily.png", "photos/lily.png"))
        self.assertEqual(self.apply({"textures/lily.png": "photos/lily.png"}),
                         {"textures/lily.texture"})

    def test_references_in_scripts_shaders_and_packages(self):
        self.see()
        self.rename(("scripts/tools.lua", "scripts/lib/tools.lua"),
                    ("shaders/light.glsl", "shaders/include/light.glsl"),
                    ("shaders/pi.glsl", "shaders/include/pi.glsl"),
                    ("shaders/glow.shader", "shaders/glimmer.shader"),
                    ("units/box.unit", "units/crate.unit"))
        boot = self.text("scripts/boot.lua")
        self.apply({"scripts/tools.lua": "scripts/lib/tools.lua",
                    "shaders/light.glsl": "shaders/include/light.glsl",
                    "shaders/pi.glsl": "shaders/include/pi.glsl",
                    "shaders/glow.shader": "shaders/glimmer.shader",
                    "units/box.unit": "units/crate.unit"})
        self.assertEqual(self.text("scripts/boot.lua"),
                         boot.replace('"scripts/tools"', '"scripts/lib/tools"')
                         .replace('world, "units/box"', 'world, "units/crate"'))
        self.assertIn('unit = ["units/crate"]', self.text("boot.package"))
        self.assertIn('includes = ["shaders/include/light.glsl"]', self.text("shaders/glimmer.shader"))
        self.assertIn('#include "shaders/include/pi.glsl"', self.text("shaders/include/light.glsl"))

    def test_a_folder(self):
        self.see()
        self.rename(("textures", "art/flowers"))
        done = self.apply({f"textures/{name}": f"art/flowers/{name}" for name in (
            "rose.texture", "lily.texture", "rose.png", "rose.fr.png", "lily.png")})
        self.assertIn("models/car.gltf", done)
        self.assertIn('"../art/flowers/rose.png"', self.text("models/car.gltf"))

    def test_a_folder_of_equal_files(self):
        for name in ("a", "b", "c"):
            for folder in ("one", "two"):
                self.write(f"{folder}/{name}.unit", "components = []\n")
        self.write("boot.package", self.text("boot.package").replace(
            '"units/box"', '"units/box" "one/a" "one/b" "one/c" "two/a" "two/b" "two/c"'))
        self.see()
        # As git does it: other inodes.
        shutil.copytree(self.file("one"), self.file("three"))
        shutil.rmtree(self.file("one"))
        self.apply({f"one/{name}.unit": f"three/{name}.unit" for name in "abc"}, "content")

    def test_a_model_leaves_what_it_names_by_relative_paths(self):
        self.see()
        self.rename(("models/car.gltf", "models/cars/deep/car.gltf"))
        self.apply({"models/car.gltf": "models/cars/deep/car.gltf"})
        self.assertIn('"uri":"../../car.bin"', self.text("models/cars/deep/car.gltf"))
        # Images may be missing, and lead there again all the same.
        self.assertIn('"uri":"../../../textures/rose.png"',
                      self.text("models/cars/deep/car.gltf"))

    def test_files_copied_and_removed(self):
        self.see()
        for name in ("lily.texture", "lily.png"):
            shutil.copyfile(self.file("textures", name), self.file("textures", "w" + name))
            os.remove(self.file("textures", name))
        self.apply({"textures/lily.texture": "textures/wlily.texture",
                    "textures/lily.png": "textures/wlily.png"}, "content")

    def test_again_and_back(self):
        self.see()
        before = sources(self.game)
        self.rename(("textures/lily.texture", "a.texture"))
        self.see_missing()
        self.rename(("a.texture", "b/c.texture"))
        self.apply({"textures/lily.texture": "b/c.texture"})
        self.see()
        self.rename(("b/c.texture", "textures/lily.texture"))
        self.apply({"b/c.texture": "textures/lily.texture"})
        self.assertEqual(sources(self.game), before)

    def see_missing(self):
        self.deps("--missing", check=1)

    def test_back_before_anything_was_fixed(self):
        self.see()
        self.rename(("textures/lily.texture", "a.texture"))
        self.see_missing()
        self.rename(("a.texture", "textures/lily.texture"))
        self.assertEqual(self.fix()["moved"], [])

    def test_what_compiles_compiles_afterwards(self):
        project = self.path("new")
        cuttle("new", project, check=0)
        cuttle("compile", project, check=0)
        self.game = project
        self.see()
        moved = [path for path in sources(project) if path.endswith((".unit", ".material", ".level"))]
        self.assertTrue(moved)
        self.rename(*((path, "moved/" + path) for path in moved))
        self.deps("--fix-moved", "--apply")
        self.deps("--missing")
        cuttle("compile", project, check=0)


class Edited(Project):
    def setUp(self):
        super().setUp()
        birth = subprocess.run(["stat", "-c", "%W", self.file("settings.config")], text=True,
                               capture_output=True, check=True).stdout.strip()
        if birth in ("0", "-"):
            self.skipTest("the file system does not keep when files were made")

    def test_a_file_edited_after_it_was_renamed(self):
        self.see()
        self.rename(("textures/lily.texture", "textures/tulip.texture"))
        with open(self.file("textures/tulip.texture"), "a") as file:
            file.write("// edited in place\n")
        self.apply({"textures/lily.texture": "textures/tulip.texture"}, "edited")

    def test_a_new_file_with_the_inode_of_a_removed_one_is_another(self):
        self.see()
        os.remove(self.file("textures/lily.texture"))
        for i in range(64):  # one of them is likely to get it
            self.write(f"textures/new_{i}.texture", f'source = "textures/rose.png" // {i}\n')
        self.assertEqual(self.fix(check=1)["moved"], [])


class Chains(Project):
    def swap(self, a, b):
        self.rename((a, "t.tmp"), (b, a), ("t.tmp", b))

    def test_two_that_swapped_their_names(self):
        self.see()
        self.swap("textures/rose.texture", "textures/lily.texture")
        self.rename(("textures/rose.fr.texture", "textures/lily.fr.texture"))
        wood = self.text("materials/wood.material")
        self.apply({"textures/rose.texture": "textures/lily.texture",
                    "textures/lily.texture": "textures/rose.texture"})
        self.assertEqual(self.text("materials/wood.material"),
                         wood.replace('color_map = "textures/rose", normal_map : "textures/lily"',
                                      'color_map = "textures/lily", normal_map : "textures/rose"'))

    def test_media_that_swapped_their_names(self):
        self.see()
        self.swap("textures/rose.png", "textures/lily.png")
        self.apply({"textures/rose.png": "textures/lily.png",
                    "textures/lily.png": "textures/rose.png"})
        self.assertIn("textures/lily.png", self.text("textures/rose.texture"))

    def test_a_chain(self):
        self.see()
        self.rename(("textures/lily.texture", "textures/tulip.texture"),
                    ("textures/rose.texture", "textures/lily.texture"),
                    ("textures/rose.fr.texture", "textures/lily.fr.texture"))
        self.apply({"textures/rose.texture": "textures/lily.texture",
                    "textures/lily.texture": "textures/tulip.texture"})
        self.assertIn('color_map = "textures/lily", normal_map : "textures/tulip"',
                      self.text("materials/wood.material"))

    def test_who_knew_of_a_swap_is_left_alone(self):
        self.write("materials/other.material",
                   'shader = "shaders/glow"\ntextures = { a = "textures/lily" }\n')
        self.see()
        self.swap("textures/rose.texture", "textures/lily.texture")
        self.write("materials/other.material",
                   'shader = "shaders/glow"\ntextures = { a = "textures/rose" }\n')
        done = self.deps("--fix-moved", "--apply")
        self.assertIn('"textures/rose" stays', done.stderr)
        self.assertIn("textures/rose", self.text("materials/other.material"))
        self.assertIn('color_map = "textures/lily"', self.text("materials/wood.material"))

    def test_edits_are_no_swaps(self):
        self.see()
        for name in ("rose", "lily"):
            os.remove(self.file(f"textures/{name}.texture"))
            self.write(f"textures/{name}.texture", f'// new {name}\nsource = "textures/{name}.png"\n')
        shutil.copyfile(self.file("textures/rose.png"), self.file("textures/backup.png"))
        self.write("textures/rose.png", b"\x89PNG a better rose")
        report = self.fix()
        self.assertEqual((report["moved"], report["unclear"]), ([], []))


class Random(Project):
    """Files renamed by chance: what is missing is mended, and renamed back all is as it was."""

    def setUp(self):
        super().setUp()
        for i in range(12):
            self.write(f"units/u{i}.unit", f'inherit = "units/u{(i * 5 + 1) % 12}" // of {i}\n')
            self.write(f"textures/t{i}.texture", f'source = "textures/t{i % 6}.png" // of {i}\n')
            self.write(f"textures/t{i}.png", b"picture %d" % i)

    def files(self):
        return sorted(path for path in sources(self.game) if path.endswith((".unit", ".texture", ".png"))
                      and ".fr." not in path and "rose" not in path)

    def rename_some(self, generator, number):
        """Renames files one by one, exchanges some in circles; {new: old}."""
        chosen = generator.sample(self.files(), generator.randint(1, 8))
        by_type = {}
        for path in chosen:
            by_type.setdefault(os.path.splitext(path)[1], []).append(path)
        new_names = {}
        is_other_file = generator.random() < 0.3
        for extension, paths in by_type.items():
            if len(paths) > 1 and not is_other_file and generator.random() < 0.5:
                new_names.update(zip(paths, paths[1:] + paths[:1]))
            else:
                new_names.update((path, f"{generator.choice(('a', 'b/c', 'units'))}/n{number}_{i}{extension}")
                                 for i, path in enumerate(paths))
        self.rename_all(is_other_file, new_names)
        return {new: old for old, new in new_names.items()}

    def rename_all(self, is_other_file, new_names):
        for old in new_names:
            if is_other_file:
                shutil.copyfile(self.file(old), self.file(old + ".tmp"))
                os.remove(self.file(old))
            else:
                os.rename(self.file(old), self.file(old + ".tmp"))
        self.rename(*((old + ".tmp", new) for old, new in new_names.items()))

    def test_there_and_back(self):
        for number in range(rounds(6, 300)):
            generator = random.Random(number)
            self.see()
            before = sources(self.game)
            back = self.rename_some(generator, number)
            self.deps("--fix-moved", "--apply")
            after = sources(self.game)
            self.see()
            self.rename_all(False, back)
            self.deps("--fix-moved", "--apply")
            self.assertEqual(sources(self.game), before, number)
            if number % 3:  # go on from there
                self.see()
                self.rename_all(False, {old: new for new, old in back.items()})
                self.deps("--fix-moved", "--apply")
                self.assertEqual(sources(self.game), after, number)


class NotClear(Project):
    def test_two_copies(self):
        self.see()
        for name in ("a", "b"):
            shutil.copyfile(self.file("textures/lily.texture"), self.file(f"textures/{name}.texture"))
        os.remove(self.file("textures/lily.texture"))
        before = sources(self.game)
        done = self.deps("--fix-moved", "--apply", check=1)
        self.assertEqual(sources(self.game), before)
        commands = [line.split() for line in done.stdout.splitlines() if "cuttle replace" in line]
        self.assertEqual(commands, [["cuttle", "replace", self.game, "textures/lily.texture",
                                     f"textures/{name}.texture"] for name in ("a", "b")])
        self.assertIn("stays missing", done.stdout)
        report = self.fix(check=1)
        self.assertEqual(report["unclear"], [{
            "from": "textures/lily.texture", "by": "content",
            "candidates": ["textures/a.texture", "textures/b.texture"]}])
        self.assertEqual(report["missing"][0]["name"], "textures/lily")
        cuttle(*commands[1][1:], check=0)
        self.assertEqual(self.fix()["unclear"], [])

    def test_the_same_file_is_better_than_its_copy(self):
        self.see()
        self.rename(("textures/lily.texture", "textures/b.texture"))
        shutil.copyfile(self.file("textures/b.texture"), self.file("textures/a.texture"))
        self.apply({"textures/lily.texture": "textures/b.texture"}, "file")

    def test_a_copy_is_no_move(self):
        self.see()
        shutil.copyfile(self.file("textures/lily.texture"), self.file("textures/b.texture"))
        self.assertEqual(self.fix()["moved"], [])

    def test_what_was_there_before_is_only_like_it(self):
        shutil.copyfile(self.file("textures/lily.texture"), self.file("textures/b.texture"))
        self.see()
        os.remove(self.file("textures/lily.texture"))
        report = self.fix(check=1)
        self.assertEqual(report["unclear"], [{"from": "textures/lily.texture", "by": "like",
                                              "candidates": ["textures/b.texture"]}])

    def test_another_type_is_another_thing(self):
        self.see()
        self.rename(("textures/lily.texture", "textures/lily.material"),
                    ("textures/lily.png", "textures/lily.jpg"))
        report = self.fix(check=1)
        self.assertEqual((report["moved"], report["unclear"]), ([], []))
        self.assertEqual(len(report["missing"]), 1)

    def test_names_that_cannot_be_one(self):
        self.see()
        self.rename(("textures/lily.texture", "textures/White Lily.texture"),
                    ("textures/rose.png", "textures/Rose.png"))
        report = self.fix(check=1)
        self.assertEqual(report["moved"], [])
        advice = {name["from"]: name["advice"] for name in report["unclear"]}
        self.assertIn('write "textures/white_lily"', advice["textures/lily.texture"])
        self.assertIn("not a valid path of a media file", advice["textures/rose.png"])
        self.assertIn("that is not a valid name of a texture", self.deps("--fix-moved", check=1).stdout)

    def test_what_is_gone_stays_missing(self):
        self.see()
        os.remove(self.file("textures/lily.texture"))
        self.rename(("textures/rose.png", "textures/red.png"))
        done = self.deps("--fix-moved", "--apply", check=1)
        self.assertIn("moved    textures/rose.png -> textures/red.png", done.stdout)
        self.assertIn('texture "textures/lily" stays missing', done.stdout)
        self.assertIn("textures/red.png", self.text("textures/rose.texture"))
        self.assertEqual(len(json.loads(self.deps("--missing", "--json", check=1).stdout)["missing"]), 1)

    def test_without_anything_to_do(self):
        self.assertEqual(self.deps("--fix-moved").stdout, "nothing to change\n")
        self.assertEqual(self.deps("--fix-moved", "--apply").stdout, "nothing to change\n")


class BadInput(Project):
    def test_referrers_that_are_broken_stay(self):
        self.write("materials/other.material",
                   'shader = "shaders/glow"\ntextures = { a = "textures/lily" }\n')
        self.see()
        self.rename(("textures/lily.texture", "textures/tulip.texture"))
        self.write("materials/other.material", 'shader = "shaders/glow"\ntextures = { a = \n')
        done = self.deps("--fix-moved", "--apply", check=1)
        self.assertIn("materials/other.material:3:1: stays as it is: ", done.stderr)
        self.assertIn("stays missing", done.stdout)
        self.assertIn("textures/tulip", self.text("materials/wood.material"))

    @unittest.skipIf(os.geteuid() == 0, "root may write everything")
    def test_referrers_that_are_read_only_refuse_it(self):
        self.see()
        self.rename(("textures/lily.texture", "textures/tulip.texture"))
        os.chmod(self.file("materials/wood.material"), 0o444)
        before = sources(self.game)
        self.assertIn("read-only", self.deps("--fix-moved", "--apply", check=1).stderr)
        self.assertEqual(sources(self.game), before)

    def test_damaged_index(self):
        self.see()
        self.rename(("textures/lily.texture", "textures/tulip.texture"))
        self.write(".cuttle/cache/references", b"no index")
        self.assertEqual(self.fix(check=1)["moved"], [])

    def test_wrong_usage(self):
        for options in (("--apply",), ("--fix-moved", "--missing"), ("--fix-moved", "--tree")):
            self.assertIn("cuttle deps: --", self.deps(*options, check=2).stderr)
        done = cuttle("deps", self.file("units"), "--fix-moved", "--json", check=1)
        self.assertIn("is not a project", last_json(done.stdout)["errors"][0]["message"])

    def test_packages_that_lose_it_by_a_wildcard_are_told(self):
        self.write("boot.package", self.text("boot.package") + 'texture = ["textures/l*"]\n')
        self.see()
        self.rename(("textures/lily.texture", "textures/tulip.texture"))
        self.assertIn('boot.package:4:12: texture "textures/l*" no longer brings textures/lily',
                      self.deps("--fix-moved").stderr)


class InGit(Project):
    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.game,
                       check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        self.write(".gitignore", ".cuttle/\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "first")

    def test_files_that_the_last_commit_has(self):
        self.rename(("textures/lily.texture", "textures/tulip.texture"),
                    ("textures/lily.png", "photos/lily.png"), ("units", "things"))
        self.apply({"textures/lily.texture": "textures/tulip.texture",
                    "textures/lily.png": "photos/lily.png",
                    "units/box.unit": "things/box.unit"}, "content")

    def test_all_variants(self):
        self.rename(("textures/rose.texture", "textures/red.texture"),
                    ("textures/rose.fr.texture", "textures/red.fr.texture"))
        self.apply({"textures/rose.texture": "textures/red.texture"}, "content")

    def test_renames_in_commits(self):
        self.git("mv", "textures/lily.texture", "textures/tulip.texture")
        self.git("commit", "-qm", "second")
        self.git("mv", "textures/tulip.texture", "textures/iris.texture")
        self.git("commit", "-qm", "third")
        self.apply({"textures/lily.texture": "textures/iris.texture"}, "git")

    def test_staged_and_edited(self):
        self.git("mv", "textures/lily.texture", "textures/tulip.texture")
        with open(self.file("textures/tulip.texture"), "a") as file:
            file.write("// edit\n")
        self.git("add", ".")
        self.apply({"textures/lily.texture": "textures/tulip.texture"}, "git")

    def test_renamed_on_one_branch_used_on_the_other(self):
        self.git("checkout", "-qb", "side")
        cuttle("mv", self.game, "textures/lily.texture", "textures/tulip", check=0)
        self.git("add", ".")
        self.git("commit", "-qm", "renamed")
        self.git("checkout", "-q", "-")
        self.write("materials/new.material",
                   'shader = "shaders/glow"\ntextures = { a = "textures/lily" }\n')
        self.git("add", ".")
        self.git("commit", "-qm", "used")
        self.git("merge", "-q", "--no-edit", "side")
        self.assertIn("materials/new.material", self.deps("--missing", check=1).stdout)
        shutil.rmtree(self.file(".cuttle"))
        self.assertEqual(self.apply({"textures/lily.texture": "textures/tulip.texture"}, "git"),
                         {"materials/new.material"})

    def test_a_swap_with_its_references_comes_from_others(self):
        self.write("units/box2.unit", "components = []\n")
        self.write("units/both.unit", f'children = [ {{ id = {ID % 8} unit = "units/box" }} '
                                      f'{{ id = {ID % 9} unit = "units/box2" }} ]\n')
        self.git("add", ".")
        self.git("commit", "-qm", "second")
        self.see()
        first = subprocess.run(["git", "branch", "--show-current"], cwd=self.game, text=True,
                               capture_output=True, check=True).stdout.strip()
        copy = self.path("copy")
        self.git("clone", "-q", self.game, copy)
        for old, new in (("box", "tmp"), ("box2", "box"), ("tmp", "box2")):
            cuttle("mv", copy, f"units/{old}.unit", f"units/{new}", check=0)
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "swap"],
                       cwd=copy, check=True)
        self.git("pull", "-q", copy, first)
        self.assertEqual(self.text("units/box.unit"), "components = []\n")
        self.assertEqual(self.deps("--missing").stdout, "")
        self.assertEqual(self.fix()["files"], [])

    def test_removed_in_a_commit(self):
        self.git("rm", "-q", "textures/lily.texture")
        self.git("commit", "-qm", "second")
        report = self.fix(check=1)
        self.assertEqual((report["moved"], report["unclear"]), ([], []))

    def test_a_project_in_a_folder_of_the_repository(self):
        shutil.rmtree(self.file(".git"))
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        self.git("add", ".")
        self.git("commit", "-qm", "all")
        self.rename(("textures/lily.texture", "textures/tulip.texture"))
        self.apply({"textures/lily.texture": "textures/tulip.texture"}, "content")


if __name__ == "__main__":
    unittest.main()
