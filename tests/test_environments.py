"""Environments of a project: volumes of levels have them, changes of the environment and of the render
config show in a running game, and the compiler says what is wrong at its place."""

import os
import unittest

from support_cuttle import Game, TemporaryFolder, cuttle, read, write
from support_png import read_png

VOLUMES = """
volumes = [
    { id = "11111111-0000-4000-8000-000000000001"  name = "all"  half_size = [40 40 40]
      environment = "environments/fog" }
]
"""


class Environments(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        cuttle("new", self.project, check=0)
        self.put("environments/fog.environment", "values = { fog_density = 1  fog_color = [1 0 0] }\n")
        self.level = self.source("levels/start.level")

    def put(self, name, text):
        path = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, text)

    def source(self, name):
        return read(os.path.join(self.project, name))

    def errors(self):
        done = cuttle("compile", self.project, check=1)
        return done.stderr + done.stdout

    def colors(self, path):
        """The mean red, green and blue of a picture."""
        picture = read_png(path)
        channels = len(picture.pixels) // (picture.width * picture.height)
        return [sum(picture.pixels[k::channels]) / (picture.width * picture.height) for k in range(3)]

    def picture(self):
        done = cuttle("run", self.project, "--headless", "--frames", 3, "--fixed-dt", "0.1", "--size",
                      "96x54", "--screenshot", self.path("shot.png"), check=0)
        self.assertNotIn("error", done.stderr)
        return self.colors(self.path("shot.png"))

    def test_cameras_inside_a_volume_have_its_environment(self):
        without = self.picture()
        self.put("levels/start.level", self.level + VOLUMES)
        red, green, blue = self.picture()
        self.assertGreater(red, 200)
        self.assertLess(max(green, blue), 100)
        self.put("levels/start.level", self.level + VOLUMES.replace("[40 40 40]", "[1 1 1]"))
        for now, before in zip(self.picture(), without):
            self.assertAlmostEqual(now, before, delta=1)

    def test_a_saved_environment_shows_in_the_running_game(self):
        self.put("levels/start.level", self.level + VOLUMES)
        with Game(self.project, "--size", "96x54", "--fixed-dt", "0.01") as game:
            console = game.console
            console.wait_until("World.time(Game.world) > 0.05", "true")
            console.script("E = World.create_shading_environment(Game.world, 'environments/fog')")
            self.assertEqual(console.script("ShadingEnvironment.scalar(E, 'fog_density')"), "1")
            self.put("environments/fog.environment",
                     "values = { fog_density = 2  fog_color = [0 0 1] }\n")
            console.wait_until("ShadingEnvironment.scalar(E, 'fog_density')", "2")
            red, _, blue = self.colors(console.screenshot(self.path("shot.png")))
            self.assertGreater(blue, red + 100)
            # A save that does not compile changes nothing.
            since = len(console.messages)
            self.put("environments/fog.environment", "values = { fog_densty = 2 }\n")
            said = console.wait_for_message(lambda m: m.get("level") == "error", since)
            self.assertIn('did you mean "fog_density"?', said["message"])
            self.assertEqual(console.script("ShadingEnvironment.scalar(E, 'fog_density')"), "2")

    def test_a_change_of_the_config_compiles_its_environments_again(self):
        config = ('inherit = "core/rendering/renderer"\nsettings = {\n'
                  '    heat = { type = "number"  default = 0  most = %d  environment = true }\n}\n')
        self.put("rendering/mine.render_config", config % 4)
        self.put("environments/hot.environment",
                 'render_config = "rendering/mine"\nvalues = {\n    heat = 3\n    vignette = 1\n}\n')
        cuttle("compile", self.project, check=0)
        self.put("rendering/mine.render_config", config % 2)
        self.assertIn("environments/hot.environment:3:5: error: heat: found 3", self.errors())
        self.put("rendering/mine.render_config", (config % 4).replace("environment = true", ""))
        self.assertIn('environments/hot.environment:3:5: error: environments may not set "heat": write '
                      'environment = true in its declaration, heat = { … }, in the settings of '
                      'rendering/mine.render_config', self.errors())

    def test_levels_name_environments_that_are_there(self):
        self.put("levels/start.level", self.level + VOLUMES.replace("environments/fog", "environments/fig"))
        line = self.level.count("\n") + 4
        self.assertIn(f"levels/start.level:{line}:7: error: ", self.errors())
        self.assertIn("environments/fog", self.errors())  # the nearest
        self.put("levels/start.level", self.level + VOLUMES)
        cuttle("mv", self.project, "environments/fog.environment", "weather/fog.environment", check=0)
        self.assertIn('environment = "weather/fog"', self.source("levels/start.level"))
        cuttle("compile", self.project, check=0)


if __name__ == "__main__":
    unittest.main()
