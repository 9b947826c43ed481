"""Bundles as those meet them who make and play them."""

import json
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import time
import unittest

from support_bundle import HAS_PLAYER, BundleFolder, with_player
from support_cuttle import ROOT, cuttle, folder_bytes, last_json, read, rounds, write
from support_png import Picture, read_png, write_png


def string_id(name):
    return json.loads(cuttle("hash", name, "--json", check=0).stdout)[0]["id64"]


RED_SHADER = '''vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]
vertex = """
layout(location = 0) out vec2 out_uv;
void main() { gl_Position = fullscreen_corner(out_uv); }
"""
fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;
void main() { out_color = vec4(1.0, 0.0, 0.0, 1.0); }
"""
'''

RED_RENDER_CONFIG = '''inherit = "core/rendering/renderer"
resource_generators = { output = { after = { tonemap = [
    { name = "red"  type = "fullscreen_pass"  shader = "rendering/red"  material = "rendering/red"
      inputs = []  targets = ["back_buffer"]  overwrite = true }
] } } }
'''


class Bundle(BundleFolder):
    @with_player
    def test_runs_from_its_folder_alone(self):
        report = last_json(self.bundle("--json").stdout)
        self.assertEqual(sorted(os.listdir(self.target)),
                         ["bin", "data", "game", "game.desktop", "game.png", "libraries.txt"])
        self.assertIn("boot", [a["package"] for a in report["archives"]])
        self.assertGreater(report["bytes"], report["packed_bytes"])
        self.assertEqual(len(report["largest"]), 20)
        picture = self.path("from_sources.png")
        cuttle("run", self.project, "--headless", "--frames", "3", "--fixed-dt", "0.016", "--size",
               "320x180", "--screenshot", picture, check=0)
        expected = read(picture, "rb")
        os.rename(self.project, self.project + "_away")
        moved = self.path("moved")
        os.rename(self.target, moved)
        for place, folders, names in os.walk(moved):
            for name in folders + names:
                path = os.path.join(place, name)
                os.chmod(path, os.stat(path).st_mode & ~0o222)
        os.chmod(moved, 0o555)
        # As somebody who may write nothing there: root may, so it plays as nobody.
        prefix = []
        if os.getuid() == 0:
            os.chmod(self.path(), 0o777)
            home = self.path("home")
            os.mkdir(home)
            os.chmod(home, 0o777)
            prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env",
                      f"HOME={home}", f"XDG_DATA_HOME={home}", f"XDG_CACHE_HOME={home}"]
        before = folder_bytes(moved)
        seen, done = self.play(folder=moved, prefix=prefix)
        self.assertTrue(seen == expected)
        self.assertNotIn("console", done.stderr)
        self.assertTrue(folder_bytes(moved) == before)
        for place, folders, _ in os.walk(moved):
            for name in folders:
                os.chmod(os.path.join(place, name), 0o755)
        os.chmod(moved, 0o755)

    def test_refuses_while_something_fails(self):
        self.bundle()
        before = folder_bytes(self.target)
        write(self.path("game", "units", "bad.unit"), "components = [ { ]\n")
        done = self.bundle(check=1)
        self.assertIn("bad.unit:1:", done.stderr)
        self.assertIn("no bundle was made: 1 error", done.stderr)
        self.assertTrue(folder_bytes(self.target) == before)
        self.assertEqual(os.listdir(self.path("out")), ["mygame"])

    def test_a_refusal_is_a_report_too(self):
        write(self.path("game", "units", "bad.unit"), "components = [ { ]\n")
        report = last_json(self.bundle("--json", check=1).stdout)
        self.assertEqual([(e["file"], e["line"], e["chain"]) for e in report["errors"]],
                         [(self.path("game", "units", "bad.unit"), 1, [])])
        os.remove(self.path("game", "units", "bad.unit"))
        done = self.bundle("--json", "--against", "nothing", check=1)
        report = last_json(done.stdout)
        self.assertEqual(len(report["errors"]), 1)
        self.assertIn("cannot find nothing", report["errors"][0]["message"])
        self.assertIn(report["errors"][0]["message"], done.stderr)
        done = self.bundle("--json", "--data-dir", "d" * 2000, check=2)
        self.assertIn("--data-dir has 2000 bytes; expected at most 1023", done.stderr)
        self.assertEqual(last_json(self.bundle("--json").stdout)["errors"], [])

    def test_resources_are_counted_once(self):
        side = 256
        write_png(self.path("game", "textures", "big.png"),
                  Picture(side, side, bytes(3 * side * side)))
        for name in ("big", "big.fr", "big.en"):
            write(self.path("game", "textures", name + ".texture"),
                  'source = "textures/big.png"  quality = "uncompressed"\n')
        write(self.path("game", "p1.package"), 'texture = ["textures/big"]\n')
        write(self.path("game", "boot.package"), 'lua = ["*"]\n')
        report = last_json(self.bundle("--json").stdout)
        packages = json.loads(cuttle("packages", self.project, "--json", check=0,
                                     ).stdout)["packages"] if HAS_PLAYER else []
        archive = next(a for a in report["archives"] if a["package"] == "p1")
        self.assertEqual(archive["resources"], 1)
        self.assertEqual([p["resources"] for p in packages if p["package"] == "p1"],
                         [1] * bool(packages))
        big = [i for i in report["largest"] if i["name"].startswith("textures/big")]
        self.assertEqual(sorted(i["name"] for i in big),
                         ["textures/big", "textures/big.en", "textures/big.fr"])
        self.assertEqual(sum(i["bytes"] for i in big), archive["bytes"])
        self.assertGreater(big[0]["bytes"], 4 * side * side)  # the stream's part is the most
        self.assertRegex(self.bundle().stdout, r"kB  textures/big\.fr\.texture in p1\n")
        for name in ("big.fr", "big.en"):
            os.remove(self.path("game", "textures", name + ".texture"))
        fewer = last_json(self.bundle("--json").stdout)
        self.assertEqual(sorted((t["type"], t["resources"]) for t in fewer["types"]),
                         sorted((t["type"], t["resources"]) for t in report["types"]))

    def test_nothing_is_twice_where_packages_depend(self):
        self.assertIn('config = ["*"]', read(self.path("game", "boot.package")))
        report = last_json(self.bundle("--json").stdout)
        self.assertEqual(report["overlaps"], [])
        self.assertEqual(sum(a["resources"] for a in report["archives"]),
                         sum(t["resources"] for t in report["types"]))

    def test_leaves_other_folders_alone(self):
        os.mkdir(self.target)
        write(os.path.join(self.target, "mine.txt"), "mine")
        self.assertIn("is not a bundle and stays as it is", self.bundle(check=1).stderr)
        self.assertEqual(os.listdir(self.target), ["mine.txt"])
        os.remove(os.path.join(self.target, "mine.txt"))
        self.bundle()  # an empty one is fine
        self.bundle()  # and so is a bundle
        self.assertIn("-o DIR is missing", cuttle("bundle", self.project, check=2).stderr)
        self.assertIn("expected linux or windows", self.bundle("--platform", "be64", check=2).stderr)

    def test_replaces_nothing_but_bundles(self):
        fake = self.path("fake")
        write(os.path.join(fake, "data", "bundle"), "")
        write(os.path.join(fake, "thesis.txt"), "years")
        write(os.path.join(fake, "photos", "a.jpg"), "me")
        self.bundle()
        self.bundle("--platform", "windows", target=self.path("windows"))
        write(self.path("game", "extra.config"), "a = 1\n")
        self.bundle("--against", self.target, target=self.path("patch"))
        for good in (self.target, self.path("windows"), self.path("patch")):
            self.bundle("--platform", "windows", target=good)
        for place, stranger in (("a.txt", "a.txt"), ("data/notes", "data/notes"),
                                ("bin/tool", "bin/tool"), ("other.desktop", "other.desktop"),
                                ("data/patch_1.archive", "data/patch_1.archive"),
                                ("photos/a.jpg", "photos")):
            self.bundle()
            write(os.path.join(self.target, *place.split("/")), "mine")
            self.refuse_folder(self.target, f"found \"{stranger}\" in it, which is not part of a bundle")
            shutil.rmtree(self.target)
        self.refuse_folder(fake, "found \"photos\" in it, which is not part of a bundle")
        shutil.rmtree(os.path.join(fake, "photos"))
        os.remove(os.path.join(fake, "thesis.txt"))
        self.refuse_folder(fake, "its data/bundle is not a manifest: truncated: found 0 bytes")
        os.remove(os.path.join(fake, "data", "bundle"))
        self.refuse_folder(fake, "found no data/bundle in it")
        os.symlink(self.path("patch"), os.path.join(fake, "bin"))
        self.refuse_folder(fake, "found \"bin\" in it, which is not part of a bundle")

    def refuse_folder(self, target, message):
        before = folder_bytes(target)
        self.assertIn(f"\"{target}\" is not a bundle and stays as it is: {message}",
                      self.bundle(target=target, check=1).stderr)
        self.assertTrue(folder_bytes(target) == before)

    def test_refuses_what_could_not_start(self):
        settings = self.path("game", "settings.config")
        right = read(settings)
        write(settings, right.replace('boot_script', '// boot_script'))
        done = self.bundle(check=1)
        self.assertIn(f"{settings}:1:1: error: boot_script is missing; expected the name of a script",
                      done.stderr)
        write(settings, right)
        write(self.path("game", "other.package"), 'unit = ["*"]\n')
        for package in ("other", "core/core"):
            write(settings, right.replace('boot_package = "boot"', f'boot_package = "{package}"'))
            done = self.bundle("--json", check=1)
            self.assertIn(f'settings.config: error: the boot package "{package}" does not load the '
                          'boot script "scripts/main"; expected a package that lists it',
                          done.stderr)
            self.assertIn("does not load", last_json(done.stdout)["errors"][0]["message"])
        # By way of a package that it lists.
        write(self.path("game", "other.package"), 'package = ["boot"]\n')
        write(settings, right.replace('boot_package = "boot"', 'boot_package = "other"'))
        self.bundle()

    def test_refuses_what_a_game_has_only_later(self):
        """When a property is preferred, which none is at the start."""
        settings = self.path("game", "settings.config")
        write(settings, read(settings) + 'render_config = "main"\n')
        render_config = 'inherit = "core/rendering/renderer"\n'
        write(self.path("game", "main.render_config"), render_config)
        self.bundle()
        before = folder_bytes(self.target)
        for file, line in (("scripts/main.lua", 2), ("boot.package", 3),
                           ("input/default.input", 4), ("main.render_config", 6)):
            name, extension = os.path.splitext(file)
            late = f"{name}.fr{extension}"
            os.rename(self.path("game", file), self.path("game", late))
            done = self.bundle(check=1)
            self.assertIn(f'{settings}:{line}:1: error: {extension[1:]} "{name}" has only variants '
                          f'with properties ("{late}"), but a game starts without preferred properties; '
                          f'expected "{file}"', done.stderr)
            os.rename(self.path("game", late), self.path("game", file))
        boot = read(self.path("game", "boot.package"))
        write(self.path("game", "boot.fr.package"), boot)
        write(self.path("game", "boot.package"), boot.replace('lua = ["*"]', ""))
        self.assertIn('does not load the boot script "scripts/main" when no property is preferred',
                      self.bundle(check=1).stderr)
        self.assertTrue(folder_bytes(self.target) == before)
        write(self.path("game", "boot.package"), boot)
        self.bundle()

    def put_render_config_in_no_package(self):
        """It paints all red, by a shader and a material that it alone refers to."""
        boot = self.path("game", "boot.package")
        listed = re.sub(r"(?m)^(input|render_config|shader|material) .*\n", "", read(boot))
        write(boot, listed + 'material = ["materials/*"]\n')
        write(self.path("game", "rendering", "red.shader"), RED_SHADER)
        write(self.path("game", "rendering", "red.material"), 'shader = "rendering/red"\n')
        write(self.path("game", "rendering", "main.render_config"), RED_RENDER_CONFIG)
        settings = self.path("game", "settings.config")
        write(settings, read(settings) + 'render_config = "rendering/main"\n')

    @with_player
    def test_what_the_settings_name_needs_no_package(self):
        self.put_render_config_in_no_package()
        picture = self.path("from_sources.png")
        cuttle("run", self.project, "--headless", "--frames", "3", "--fixed-dt", "0.016", "--size",
               "320x180", "--screenshot", picture, check=0)
        report = last_json(self.bundle("--json").stdout)
        self.assertEqual(report["left_out"], 0)
        base = next(a for a in report["archives"] if a["file"] == "base.archive")
        # Settings, input, the three of the render config, the lists of boot and core.
        self.assertEqual(base["resources"], 7)
        self.assertEqual(sum(a["resources"] for a in report["archives"]),
                         sum(t["resources"] for t in report["types"]))
        os.rename(self.project, self.project + "_away")
        seen, _ = self.play()
        self.assertTrue(seen == read(picture, "rb"))
        png = read_png(picture) # red but for the text over it
        self.assertEqual({png.pixel(x, y) for x in (0, 160, 319) for y in (0, 90)}, {(255, 0, 0)})

    @with_player
    def test_a_game_whose_boot_script_fails_ends(self):
        script = self.path("game", "scripts", "main.lua")
        right = read(script)
        for broken, message in (('error("broken here")\n', "broken here"),
                                (right + '\nfunction init() error("broken init") end\n',
                                 "broken init")):
            write(script, broken)
            self.bundle()
            done = subprocess.run(self.start(), capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertIn('the game cannot start: its boot script "scripts/main" failed',
                          done.stderr)
            self.assertNotIn("fix it", done.stderr)

    def refuse_before_compiling(self, message, target, *options, cwd=None):
        shutil.rmtree(os.path.join(self.project, ".cuttle"), True)
        done = cuttle(*self.command(*options, target=target), cwd=cwd, check=1)
        self.assertIn(message, done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.project, ".cuttle", "data")))

    def test_what_is_wrong_with_folders_is_told_before_compiling(self):
        write(self.path("file"), "mine")
        self.refuse_before_compiling("is not a bundle and stays as it is", self.project)
        self.refuse_before_compiling("\"" + self.path("file") + "\" is not a folder", self.path("file"))
        self.refuse_before_compiling("cannot make the folder " + self.path("file"),
                                     self.path("file", "below"))
        self.refuse_before_compiling("the folder \".\" would be replaced, but this command runs inside it", ".",
                                     cwd=self.path("out"))
        self.refuse_before_compiling("the folder \"no/..\" does not exist", "no/..", cwd=self.path())
        self.assertIn("-o is empty", cuttle("bundle", self.project, "-o", "", check=1).stderr)
        self.refuse_before_compiling("cannot find nothing", self.target, "--against", "nothing")
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_folders_above_it_are_made_and_kept_only_with_it(self):
        write(self.path("game", "units", "bad.unit"), "components = [ { ]\n")
        cuttle(*self.command(target="build/linux/game/"), cwd=self.path(), check=1)
        self.assertFalse(os.path.exists(self.path("build")))
        os.remove(self.path("game", "units", "bad.unit"))
        cuttle(*self.command(target="build/linux/game/"), cwd=self.path(), check=0)
        self.assertIn("data", os.listdir(self.path("build", "linux", "game")))
        self.assertEqual(os.listdir(self.path("build", "linux")), ["game"])

    def test_a_patch_does_not_replace_the_bundle_that_it_is_for(self):
        self.bundle()
        before = folder_bytes(self.target)
        os.symlink(self.target, self.path("link"))
        for target in (self.target, self.path("link"), self.path("out", "..", "link", ".")):
            self.refuse_before_compiling("the bundle that it is for", target, "--against",
                                         self.target)
        self.assertTrue(folder_bytes(self.target) == before)

    def test_tools_of_the_engine_do_not_ship(self):
        report = last_json(self.bundle("--json").stdout)
        self.assertEqual(sorted(a["package"] for a in report["archives"]), ["", "boot", "core/core"])
        data = os.path.join(self.target, "data")
        archives = b"".join(read(os.path.join(data, name), "rb") for name in os.listdir(data)
                            if name.endswith(".archive"))
        ships = {name: int(string_id(name), 16).to_bytes(8, "little") in archives
                 for name in ("core/meshes/cube", "core/tools/camera", "core/tools/preview_cube",
                              "core/tools/check_slave", "core/tools/material_preview_slave")}
        self.assertEqual([name for name in ships if ships[name]], ["core/meshes/cube"])

    def test_other_platforms_have_data_alone(self):
        self.bundle("--platform", "windows")
        self.assertEqual(os.listdir(self.target), ["data"])

    @with_player
    def test_a_part_that_is_missing_or_wrong_keeps_it_from_starting(self):
        self.bundle()
        data = os.path.join(self.target, "data")
        archive = next(n for n in sorted(os.listdir(data)) if n.endswith(".archive"))
        wrong = {"catalog": "the catalog is damaged or from another bundle", archive: "cut: found",
                 "bundle": "the bundle is refused: truncated"}
        for name, message in wrong.items():
            path = os.path.join(data, name)
            whole = read(path, "rb")
            os.truncate(path, len(whole) // 2)
            self.refuse(f"error: {path}: {message}")
            os.remove(path)
            self.refuse({"catalog": f"error: cannot read {path}: No such file",
                         archive: f"error: {path}: this archive of the bundle is missing",
                         "bundle": f'error: {data}: the manifest "bundle" is missing, but archives '
                                   "of a bundle are in this folder"}[name])
            write(path, whole)
        write(self.path("game", "scripts", "more.lua"), "return 1\n")
        other = self.path("out", "other")
        cuttle(*self.command(target=other), check=0)
        catalog = os.path.join(data, "catalog")
        shutil.copy(os.path.join(other, "data", "catalog"), catalog)
        self.refuse(f"error: {catalog}: the catalog is damaged or from another bundle")

    @with_player
    def test_the_player_knows_types_by_their_names(self):
        write(self.path("game", "scripts", "voices.fr.lua"), "return 1\n")
        self.bundle()
        self.assertRegex(self.play()[1].stderr, r'package "#[0-9a-f]+" leaves out lua "#[0-9a-f]+"')

    @with_player
    def test_the_player_names_no_source(self):
        self.bundle()
        player = os.path.join(self.target, "bin", "cuttle-player")
        text = read(player, "rb")
        names = re.findall(rb"[\w./-]{4,}", text)
        for path in (ROOT, os.environ["CUTTLE_BUILD_DIR"], "src/", "/tests/"):
            self.assertEqual([name for name in names if path.encode() in name], [], path)
        sources = {name.encode() for _, _, files in os.walk(os.path.join(ROOT, "src"))
                   for name in files if name.endswith((".c", ".cpp", ".cc"))}
        self.assertEqual([name for name in names if os.path.basename(name) in sources], [])
        self.assertTrue(os.stat(player).st_mode & stat.S_IXOTH)

    def test_killed_or_interrupted_at_any_moment_it_is_as_before_or_after(self):
        self.bundle()
        before = folder_bytes(self.target)
        write(self.path("game", "scripts", "more.lua"), "return 1\n")
        environment = dict(os.environ)
        started = time.monotonic()
        reference = self.path("out", "reference")
        cuttle(*self.command(target=reference), check=0)
        seconds = time.monotonic() - started
        after = folder_bytes(reference)
        shutil.rmtree(reference)
        chance = random.Random(5)
        for _ in range(rounds(3, 50)):  # Ctrl-C, which the workers hear, too
            process = subprocess.Popen([os.environ["CUTTLE"], *self.command()], env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                       start_new_session=True)
            time.sleep(chance.uniform(0, seconds))
            os.killpg(process.pid, signal.SIGINT)
            _, told = process.communicate()
            # It died before it had begun, says so, or was through.
            self.assertTrue(process.returncode in (-signal.SIGINT, 0) or "interrupted" in told, told)
            self.assertTrue(folder_bytes(self.target) in (before, after))
            self.assertEqual(os.listdir(self.path("out")), ["mygame"])
        for _ in range(rounds(6, 200)):
            process = subprocess.Popen([os.environ["CUTTLE"], *self.command()], env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, seconds))
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertTrue(folder_bytes(self.target) in (before, after))
        self.bundle()
        self.assertTrue(folder_bytes(self.target) == after)
        self.assertEqual(os.listdir(self.path("out")), ["mygame"])


if __name__ == "__main__":
    unittest.main()
