"""Plugins built with the headers of each frozen version (abi/v1, …) in today's engine: one that calls
every function of every interface in every phase of its life, with right and with wrong arguments."""

import glob
import os
import re
import subprocess
import time
import unittest

from support_cuttle import LIMIT, ROOT, Game, TemporaryFolder, cuttle, read, write
from support_plugins import list_plugins
from support_sound import write_sine

import plugin_abi  # support_cuttle knows where it is

SOURCES = sorted(glob.glob(os.path.join(ROOT, "tests", "plugin", "libraries", "every_function*.c")))

# Raise a Lua error, end the program, or are of plugins themselves.
NOT_CALLED = {"cuttle_log_api_1": {"fail"}, "cuttle_plugin_api_1": None}

PHASES = ["init", "start", "update", "render", "world_started", "units_spawned", "units_destroyed",
          "level_changed", "animate", "simulate", "react", "pose", "send", "lua", "command", "validate",
          "loaded"]
LATER_PHASES = ["replaced", "reloaded", "world_ended", "end", "shutdown", "unloaded"]

# What succeeds, so that the calls are not only those that are refused.
DONE = ["units in update", "a level in update", "an object in update", "components in update",
        "units in simulate", "components in simulate", "an object in render", "units in command",
        "units in lua", "units in units_spawned",
        "an actor in update", "an actor in simulate", "a sound in update", "a sound in render"]


def functions_of(include):
    """[(interface, function)] of the headers in a folder."""
    found = []
    for header in plugin_abi.headers(include):
        text = re.sub(r"//.*", "", read(os.path.join(include, "cuttle", header)))
        for body, kind in re.findall(r"typedef struct cuttle_\w+_api_\d+ {(.*?)^} (cuttle_\w+_api_\d+);",
                                     text, re.M | re.S):
            left_out = NOT_CALLED.get(kind, set())
            # The first in a declaration: others are arguments.
            names = [re.search(r"\(\*(\w+)\)\(", line) for line in body.split(";")]
            found += [(kind, name[1]) for name in names
                      if name and left_out is not None and name[1] not in left_out]
    return found


EVERY = 'thing = { number = 7 }\nyes = true\nname = "text"\n'

UNIT = """
components = [
    { id = "root"  type = "transform" }
    { id = "body"  type = "actor"  body = "dynamic"  mass = 2  shapes = [
        { id = "shape"  type = "box"  half_size = [0.5 0.5 0.5] }
    ] }
]
"""


class Frozen(TemporaryFolder):
    def build(self, project, include, *options):
        os.makedirs(os.path.join(project, "plugins"), exist_ok=True)
        library = os.path.join(project, "plugins", "every.so")
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-g", "-I",
                        include, *options, *SOURCES, "-o", library + ".new"], check=True)
        os.rename(library + ".new", library)

    def project_of(self, number, include):
        project = self.compiled_project(f"game{number}")
        self.build(project, include)
        list_plugins(project, "every")
        write(os.path.join(project, "every", "a.every"), EVERY)
        write(os.path.join(project, "units", "every.unit"), UNIT)
        write_sine(os.path.join(project, "sounds", "every.wav"), seconds=0.5)
        write(os.path.join(project, "sounds", "every.sound"), 'source = "sounds/every.wav"\n')
        write(os.path.join(project, "sounds", "every.sound_event"),
              'play = { type = "sound"  sound = "sounds/every" }\n')
        package = os.path.join(project, "boot.package")
        write(package, read(package) + '\nevery = ["every/a"]\n')
        return project

    def wait_for_phases(self, game, phases):
        start = time.monotonic()
        while missing := [p for p in phases if f"every function in {p}\n" not in game.log()]:
            self.assertLess(time.monotonic() - start, LIMIT, f"missing: {missing}\n{game.log()}")
            self.assertIsNone(game.process.poll(), f"missing: {missing}\n{game.log()}")
            time.sleep(0.05)

    def test_every_function_of_every_version_is_called(self):
        text = "".join(map(read, SOURCES))
        for _, include in plugin_abi.kept():
            functions = functions_of(include)
            self.assertGreater(len(functions), 200)
            for kind, name in functions:
                interface = {"log": "logger"}.get(kind[7:-6], kind[7:-6])
                self.assertIsNotNone(re.search(rf"\b{interface}->{name}\(", text), f"{kind} {name} is not called")

    def test_each_version_in_every_phase(self):
        for number, include in plugin_abi.kept():
            with self.subTest(version=number):
                self.run_version(number, include)

    def run_version(self, number, include):
        project = self.project_of(number, include)
        done = cuttle("compile", project, check=None)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("every function in a worker", done.stdout + done.stderr)
        write(os.path.join(project, "every", "a.every"),
              'thing = { number = 7 }\nyes = true\nfail = true\n')
        done = cuttle("compile", project, check=None)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for told in ("a.every:1:1: error: ", "a.every:1:2: error: ", "`patch`", "`write`"):
            self.assertIn(told, done.stdout + done.stderr)
        write(os.path.join(project, "every", "a.every"), EVERY)
        with Game(project) as game:
            self.assertEqual(game.console.script("#PluginManager.loaded_plugins()"), "1")
            self.assertEqual(game.console.script(
                "Every.values(Game.world, Game.camera, 1, true, 'x', Vector2(1, 2), Vector3(1, 2, 3), "
                "Vector4(1, 2, 3, 4), Quaternion.identity(), Matrix4x4.identity())"), "1")
            game.console.script("Game.other = Application.new_world() "
                                "World.spawn_unit(Game.other, 'units/cube') "
                                "Application.release_world(Game.other)")
            subprocess.run([os.environ.get("CUTTLE", "cuttle"), "console", f"127.0.0.1:{game.port}", "plugin",
                            "every", "all"], check=True, capture_output=True, timeout=LIMIT)
            self.wait_for_phases(game, PHASES)
            self.build(project, include, "-DAGAIN")
            self.wait_for_phases(game, ["replaced", "reloaded"])
            self.assertEqual(game.quit(), 0)
            self.wait_for_ended(game)

    def wait_for_ended(self, game):
        log = game.log()
        for phase in PHASES + LATER_PHASES:
            self.assertIn(f"every function in {phase}\n", log)
        for done in DONE:
            self.assertIn(f"{done}\n", log)
        self.assertNotIn("every_accepted", log)
        for line in log.splitlines():
            self.assertNotRegex(line, r"every: .*(was accepted|is not done|runs in a call)", log)


if __name__ == "__main__":
    unittest.main()
