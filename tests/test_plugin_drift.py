"""examples/plugins/drift: 100,000 components of a plugin, in a running game."""

import os
import re
import shutil
import subprocess
import unittest

from support_cuttle import BUILD, ROOT, Game, TemporaryFolder, cuttle, read, rounds
from support_png import read_png

EXAMPLE = os.path.join(ROOT, "examples", "plugins", "drift")
SOURCE = os.path.join("plugins", "drift", "drift.c")


class Drift(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("drift")
        shutil.copytree(EXAMPLE, self.project)
        self.add_core_data(self.project)
        command = re.search(r"(?m)^cc .*$", read(os.path.join(EXAMPLE, "README.md")))[0]
        self.compile(command)

    def compile(self, command):
        subprocess.run(["bash", "-e", "-c", command.replace("-Wall", "-Wall -Wextra -Werror")],
                       cwd=self.project, check=True,
                       env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"})

    def build(self, name, old, new):
        """A library of the source with a change."""
        source = self.path(name + ".c")
        text = read(os.path.join(self.project, SOURCE))
        self.assertIn(old, text)
        with open(source, "w") as file:
            file.write(text.replace(old, new))
        library = self.path(name + ".so")
        subprocess.run(["cc", "-std=c11", "-O2", "-shared", "-fPIC", "-I",
                        os.path.join(ROOT, "include"), source, "-o", library, "-lm"], check=True)
        return library

    def test_is_short(self):
        self.assertLess(len(read(os.path.join(EXAMPLE, SOURCE)).splitlines()), 400)

    def test_moves_and_draws_a_hundred_thousand(self):
        picture = self.path("picture.png")
        hashes = set()
        for _ in range(2):
            done = cuttle("run", self.project, "--headless", "--size", "320x180", "--frames", "60",
                          "--fixed-dt", "0.0166667", "--screenshot", picture, check=0)
            hashes.add(read(picture, "rb"))
        self.assertIn("100001 entities", done.stdout)
        self.assertEqual(len(hashes), 1)  # the same in each run
        png = read_png(picture)
        green = sum(1 for i in range(0, len(png.pixels), 4)
                    if png.pixels[i + 1] > png.pixels[i] + 40)
        self.assertGreater(green, 1000)

    def test_lua_flow_and_reloads(self):
        with Game(self.project, "--fixed-dt", "0.05", "--", "20000") as game:
            script = game.console.script
            self.assertEqual(script("Drift.count(Game.world)"), "20000")
            # The graph turns the current after four seconds.
            game.console.wait_until("math.abs(Vector3.y(Drift.current())) > 1", "true")
            script("Drift.set_current(Vector3(1, 0, 3))")
            script("Game.all = World.units_by_resource(Game.world, 'units/plankton') "
                   "Game.z = Vector3.z(Unit.world_position(Game.all[7], 1))")
            game.console.wait_until("Vector3.z(Unit.world_position(Game.all[7], 1)) ~= Game.z", "true")
            libraries = [self.build("faster", "SWIRL = 0.15f", "SWIRL = 0.3f"),
                         os.path.join(self.project, "plugins", "drift", "first.so")]
            library = os.path.join(self.project, "plugins", "drift", "drift.so")
            shutil.copy(library, libraries[1])
            for i in range(rounds(10, 1000)):
                shutil.copy(libraries[i % 2], library + ".new")
                os.rename(library + ".new", library)
                script("PluginManager.reload_plugin('drift')")
            self.assertEqual(script("Drift.count(Game.world)"), "20000")
            self.assertEqual(script("Vector3.z(Drift.current())"), "3")
            # A library that is refused changes nothing.
            shutil.copy(self.build("broken", '"speed"', '"velocity"'), library + ".new")
            os.rename(library + ".new", library)
            game.console.wait_until("(pcall(PluginManager.reload_plugin, 'drift'))", "false")
            self.assertEqual(script("Drift.count(Game.world)"), "20000")
            self.assertIn("spawn", script("select(2, pcall(Drift.spawn, Game.world, 0))"))
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
