"""`cuttle check`: each kind of fault is found, has a name, and does not keep the rest from checks."""

import os
import shutil
import unittest

from support_cuttle import (IS_LONG, IS_SANITIZED, LIMIT, ROOT, TemporaryFolder, cuttle, last_json,
                            rounds, use_own_render_config, write)

MAIN = """
local frame = 0
function update(dt)
    frame = frame + 1
    if frame == 30 then error("in the thirtieth") end
end
"""
UNIT = """
components = [
    { id = "1"  type = "transform" }
    { id = "2"  type = "mesh"  mesh = "%s"  materials = ["core/materials/default"] }
]
"""
LEVEL = 'units = [ { id = "1"  unit = "units/%s" } ]\n'


class Check(TemporaryFolder):
    def write(self, path, text):
        write(self.path("game", *path.split("/")), text)

    def make_project(self, main="function update() end"):
        self.write("settings.config", 'boot_script = "main"  boot_package = "boot"\n'
                   'max_frame_rate = 10\n')
        self.write("boot.package", 'lua = ["*"]  unit = ["*"]  level = ["*"]\n')
        self.write("main.lua", main)
        for name in ("bomb", "sleeper", "good"):
            self.write(f"units/{name}.unit", UNIT % "core/meshes/cube")
        self.write("levels/good.level", LEVEL % "good")
        self.add_core_data(self.path("game"))
        return self.path("game")

    def check_project(self, *arguments, env=None):
        done = cuttle("check", self.path("game"), "--json", *arguments, env=env)
        report = last_json(done.stdout)
        self.assertEqual(done.returncode, 1 if report["errors"] else 0, done.stderr)
        return report, done

    def test_finds_nothing_wrong_with_what_is_right(self):
        self.make_project()
        # Units that are nowhere: without a transform.
        self.write("units/score.unit",
                   'components = [ { id = "1"  type = "data"  values = { points = 0 } } ]\n')
        self.write("levels/counted.level", LEVEL % "score")
        report, _ = self.check_project()
        self.assertEqual(report["errors"], [])
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games", "frames")],
                         [1, 2, 4, 1, 60])

    def test_finds_every_kind_of_fault(self):
        self.make_project(MAIN)
        self.write("materials/broken.material", 'shader = "core/shaders/pbr"\n'
                   'parameters = { shininess = 1 }\n')
        self.write("levels/scripted.level", LEVEL % "good" + 'script = "levels/scripted"\n')
        self.write("levels/scripted.lua", 'error("of the level")\n')
        # The package does not list it, but holds what needs it.
        self.write("models/own.mesh", 'source = "core/meshes/cube.gltf"\n')
        self.write("units/lonely.unit", UNIT % "models/own")
        report, done = self.check_project("--timeout", 5, env={
            "CUTTLE_CHECK_CRASH": "units/bomb", "CUTTLE_CHECK_HANG": "units/sleeper"})
        errors = {(e["kind"], e["what"], e["name"]): e for e in report["errors"]}
        self.assertEqual(set(errors), {
            ("compile", "compile", ""),
            ("logged", "level", "levels/scripted"),
            ("crash", "unit", "units/bomb"),
            ("hang", "unit", "units/sleeper"),
            ("logged", "game", ""),
        }, done.stderr)
        self.assertEqual(len(report["errors"]), 5)
        broken = errors["compile", "compile", ""]
        self.assertTrue(broken["file"].endswith("materials/broken.material"))
        self.assertEqual(broken["line"], 2)
        self.assertIn("of the level", errors["logged", "level", "levels/scripted"]["message"])
        self.assertIn("levels/scripted.lua:1",
                      errors["logged", "level", "levels/scripted"]["message"])
        crash = errors["crash", "unit", "units/bomb"]
        self.assertIn("CUTTLE_CHECK_CRASH", crash["message"])
        self.assertTrue(os.path.exists(crash["report"]))
        self.assertIn("5 seconds", errors["hang", "unit", "units/sleeper"]["message"])
        self.assertEqual(errors["logged", "game", ""]["frame"], 30)
        self.assertIn("in the thirtieth", errors["logged", "game", ""]["message"])
        # All were checked, and people are told the same.
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [1, 2, 4, 1])
        self.assertIn("game: frame 30: [lua] main.lua:5: in the thirtieth", done.stderr)
        self.assertIn("unit units/bomb: frame 0: the engine crashed", done.stderr)

    def test_draws_by_the_projects_render_config(self):
        # Held by the boot package, which is what is checked.
        project = self.compiled_project()
        use_own_render_config(project)
        report, _ = self.check_project("--validation", "--frames", rounds(15, 60))
        self.assertEqual(report["errors"], [])
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [1, 1, 6, 1])

    def test_warns_of_actors_that_start_inside_each_other(self):
        self.make_project()
        for name, body in (("crate", "dynamic"), ("wall", "static")):
            self.write(f"units/{name}.unit",
                       'components = [ { id = "1"  type = "transform" }\n'
                       f'{{ id = "2"  type = "actor"  body = "{body}"\n'
                       '  shapes = [ { id = "box"  type = "box"  half_size = [1, 1, 1] } ] } ]\n')

        def level(name, units):
            self.write(f"levels/{name}.level", "units = [" + "".join(
                f'{{ id = "{i}"  unit = "units/{unit}"  position = [{x}, 0, {z}] }}\n'
                for i, (unit, x, z) in enumerate(units)) + "]\n")
        level("close", [("crate", 0, 3.985), ("crate", 0, 1.993), ("wall", 0, 0), ("wall", 1, 0)])
        report, done = self.check_project("--only", "level")
        self.assertEqual((report["errors"], report["warnings"]), ([], []), done.stderr)
        level("inside", [("crate", 5, 3.875), ("crate", 5, 1.9), ("wall", 5, 0)])
        level("many", [("crate", 0, 0.1 * i) for i in range(7)])  # 21 pairs
        report, done = self.check_project("--only", "level")
        self.assertEqual(report["errors"], [], done.stderr)
        found = [w for w in report["warnings"] if w["name"] == "levels/inside"]
        advice = (": physics pushes them apart at the start; move them apart in the level, or give "
                  "them collision filters that do not collide")
        crate = 'the unit "units/crate"'
        wall = 'the unit "units/wall"'
        self.assertEqual([w["message"].split(", at (")[0] for w in found],
                         [f"{crate} starts 10.0 cm inside {wall}",
                          f"{crate} starts 2.5 cm inside {crate}"])
        self.assertTrue(all(w["message"].endswith(advice) for w in found))
        self.assertRegex(found[0]["message"], r", at \(\S+, \S+, 1\.00\): ")
        self.assertEqual({(w["kind"], w["what"], w["frame"], w["system"]) for w in found},
                         {("warning", "level", 0, "physics")})
        many = [w["message"] for w in report["warnings"] if w["name"] == "levels/many"]
        self.assertEqual(len(many), 17)
        self.assertEqual(many[-1], "5 more pairs of actors start inside each other")
        self.assertIn(f"level levels/inside: frame 0: warning: [physics] {crate} starts 10.0 cm",
                      done.stderr)
        done = cuttle("check", self.path("game"), "--only", "level:levels/inside", check=0)
        self.assertRegex(done.stdout, r"1 level, .* 0 errors, 2 warnings\n$")

    def test_goes_on_when_a_batch_of_units_ends_the_engine(self):
        self.make_project()
        # More than are checked at once. Two of the first end the engine, but only together.
        for i in range(40):
            self.write(f"units/{i:02}.unit", UNIT % "core/meshes/cube")
        report, done = self.check_project("--only", "unit", env={
            "CUTTLE_CHECK_CRASH": '"units/01","units/02"'})
        self.assertEqual([(e["kind"], e["what"], e["name"]) for e in report["errors"]],
                         [("crash", "unit", "units/00")], done.stderr)
        self.assertEqual(report["units"], 43)
        self.assertIn("unit units/00: frame 0: the engine crashed", done.stderr)

    def test_tells_what_does_not_compile_once(self):
        project = self.compiled_project()
        os.remove(os.path.join(project, "units", "ball.unit"))
        os.remove(os.path.join(project, "materials", "floor.material"))
        shutil.rmtree(os.path.join(project, ".cuttle"))
        self.write("materials/floor.material", 'shader = "core/shaders/nothing"\n')
        report, done = self.check_project()
        self.assertEqual([(e["kind"], os.path.basename(e["file"])) for e in report["errors"]],
                         [("compile", "start.level"), ("compile", "floor.material")], done.stderr)
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [0, 0, 4, 0])
        told = [line for line in done.stderr.splitlines() if "is not checked" in line]
        self.assertEqual(told, [
            'package boot is not checked: material "materials/floor" did not compile',
            'unit units/floor is not checked: material "materials/floor" did not compile',
            'game is not checked: material "materials/floor" did not compile'])
        report, done = self.check_project("--only", "unit:units/lamp")
        self.assertEqual(len(report["errors"]), 2, done.stderr)

    def test_checks_each_variant_for_itself(self):
        # Nobody prefers a variant: what has no other is checked nevertheless, and so is the rest.
        self.make_project()
        self.write("a_voices.fr.package", 'unit = ["units/good"]\n')
        self.write("lists.package", 'package = ["a_voices"]  unit = ["units/lonely"]\n')
        self.write("units/lonely.fr.unit", UNIT % "core/meshes/cube")
        report, done = self.check_project()
        self.assertEqual(report["errors"], [], done.stderr)
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [3, 1, 4, 1])
        # What did not compile keeps those variants from being checked that need it.
        self.write("scripts/broken.lua", "return = 1\n")
        self.write("boot.package", 'lua = ["main"]  unit = ["*"]\n')
        self.write("levels/good.fr.level", LEVEL % "good" + 'script = "scripts/broken"\n')
        report, done = self.check_project()
        self.assertEqual([e["kind"] for e in report["errors"]], ["compile"], done.stderr)
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [3, 1, 4, 1])
        told = [line for line in done.stderr.splitlines() if "is not checked" in line]
        self.assertEqual(told, [
            'level levels/good.fr is not checked: lua "scripts/broken" did not compile'])

    def test_tells_that_no_variant_of_the_boot_package_is_preferred(self):
        self.make_project()
        self.check_project()  # the settings of before are used once they do not compile
        os.rename(self.path("game", "boot.package"), self.path("game", "boot.fr.package"))
        report, done = self.check_project()
        self.assertEqual([(e["kind"], e["what"]) for e in report["errors"]],
                         [("compile", "compile"), ("logged", "game")], done.stderr)
        self.assertIn('package "boot" has only variants with properties ("boot.fr.package")',
                      report["errors"][0]["message"])
        self.assertIn('cannot read package "boot": it has variants only with properties that are '
                      'not preferred', report["errors"][1]["message"])
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [1, 1, 3, 1])

    def test_goes_on_with_what_compiled_before(self):
        self.compiled_project()
        self.write("materials/floor.material", 'shader = "core/shaders/nothing"\n')
        report, done = self.check_project()
        self.assertEqual([e["kind"] for e in report["errors"]], ["compile"], done.stderr)
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [1, 1, 6, 1])

    def test_checks_what_is_asked_for_only(self):
        self.make_project(MAIN)
        report, _ = self.check_project("--only", "level")
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [0, 1, 0, 0])
        report, _ = self.check_project("--only", "unit:units/good")
        self.assertEqual([report[key] for key in ("packages", "levels", "units", "games")],
                         [0, 0, 1, 0])
        report, _ = self.check_project("--only", "game", "--frames", 29)
        self.assertEqual(report["errors"], [])
        report, done = self.check_project("--only", "level:levels/nowhere")
        self.assertEqual([e["message"] for e in report["errors"]],
                         ["found no level:levels/nowhere to check"])
        refused = cuttle("check", self.path("game"), "--only", "packages", check=2)
        listed = cuttle("help", "check", check=0)
        for text in (refused.stderr, listed.stdout):
            self.assertIn("package, level, unit or game", text)
        cuttle("check", self.path("game"), "--frames", "0", check=2)

    def test_checks_units_that_no_package_holds(self):
        self.make_project()
        self.write("boot.package", 'lua = ["*"]\n')
        self.write("models/own.mesh", 'source = "core/meshes/cube.gltf"\n')
        self.write("units/good.unit", UNIT % "models/own")
        report, _ = self.check_project()
        self.assertEqual(report["errors"], [])
        self.assertEqual(report["units"], 3)

    def test_tells_that_the_engine_does_not_start(self):
        self.make_project()
        report, done = self.check_project(env={"VK_ICD_FILENAMES": self.path("no_driver.json")})
        self.assertEqual(report["errors"][0]["what"], "engine")
        self.assertIn("\nengine: the engine does not start\n", done.stderr)

    def test_tells_that_the_game_ended_with_an_error(self):
        self.make_project("function update() Application.quit(3) end")
        report, _ = self.check_project()
        self.assertEqual([e["message"] for e in report["errors"]],
                         ["the game ended with exit code 3 [game_failed]"])

    def test_refuses_what_is_no_project(self):
        place = self.path("nowhere")
        done = cuttle("check", place, check=1)
        self.assertEqual(done.stderr, f'error: the project folder "{place}" is not there\n')
        self.assertEqual(done.stdout, "")
        report = last_json(cuttle("check", place, "--json", check=1).stdout)
        self.assertIn("is not there", report["errors"][0]["message"])

    def test_a_new_project_is_right(self):
        done = cuttle("check", self.compiled_project())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^checked 1 package, 1 level, 6 units and 1 game, "
                                      r"60 frames each, in [\d.]+ s: 0 errors\n$")


def add_sample_tests():
    """Every sample is right. Builds with sanitizers look at some: they walk the same code."""
    for name in sorted(os.listdir(os.path.join(ROOT, "samples"))):
        def test(self, name=name):
            project = self.copy_sample(name)
            done = cuttle("check", project, "--frames", rounds(15, 60), timeout=2 * LIMIT)
            self.assertEqual(done.returncode, 0, done.stderr)

        if IS_SANITIZED and not IS_LONG and name not in ("agents", "crates"):
            continue
        if os.path.exists(os.path.join(ROOT, "samples", name, "settings.config")):
            setattr(Check, f"test_sample_{name}_is_right", test)


add_sample_tests()

if __name__ == "__main__":
    unittest.main()
