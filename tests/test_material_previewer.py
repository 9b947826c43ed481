"""The example tool: tools/material_previewer.py drives the engine through its slave script."""

import os
import subprocess
import sys
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder, write
from support_png import read_png

TOOL = os.path.join(ROOT, "tools", "material_previewer.py")


class MaterialPreviewer(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        write(self.path("game", "materials", "green.material"), 'shader = "core/shaders/pbr"\n'
              'parameters = { base_color = [0.05 0.9 0.05 1]  roughness = 1 }\n')

    def run_tool(self, *arguments, text=None):
        return subprocess.run([sys.executable, TOOL, self.project, "--cuttle", CUTTLE, "--size",
                               "64x64", *arguments], input=text, capture_output=True, text=True,
                              timeout=LIMIT, errors="replace")

    def picture(self, *arguments):
        path = self.path("shot.png")
        done = self.run_tool("--screenshot", path, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_png(path)

    def pixel(self, picture, x, y):
        at = (y * picture.width + x) * 3
        return tuple(picture.pixels[at:at + 3])

    def test_shows_a_material(self):
        picture = self.picture("--material", "materials/green")
        self.assertEqual((picture.width, picture.height), (64, 64))
        red, green, blue = self.pixel(picture, 32, 32)
        self.assertGreater(green, red + 60)
        self.assertGreater(green, blue + 60)
        # The sky stands around the sphere.
        red, green, blue = self.pixel(picture, 2, 2)
        self.assertGreater(blue, red)

    def test_changes_parameters_shape_and_light(self):
        picture = self.picture("--material", "materials/green", "--do",
                               "set base_color 0.9 0.02 0.02 1", "--do", "camera 0 0.2 1.2",
                               "--do", "shape cube", "--do", "light -0.3 0.5 3")
        # So near, a cube fills the picture to its corners.
        for x, y in ((32, 32), (8, 32), (56, 32)):
            red, green, _ = self.pixel(picture, x, y)
            self.assertGreater(red, green + 60, (x, y))
        dark = self.picture("--material", "materials/green", "--do", "light 0 0.5 0")
        self.assertLess(self.pixel(dark, 32, 32)[1],
                        self.pixel(self.picture("--material", "materials/green"), 32, 32)[1])

    def test_answers_what_is_typed(self):
        done = self.run_tool("--headless", text="list\nshow materials/green\nnonsense\n"
                             "show materials/nothing\nset shininess 1\nlua 6 * 7\nquit\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("materials/green\n", done.stdout)
        self.assertIn("showing materials/green", done.stdout)
        self.assertIn("shape sphere|cube|plane", done.stdout)
        self.assertIn("\n42\n", done.stdout)
        self.assertIn("materials/nothing", done.stderr)
        self.assertIn("shininess", done.stderr)

    def test_is_short_enough_to_be_read(self):
        with open(TOOL) as file:
            self.assertLessEqual(len(file.readlines()), 150)


if __name__ == "__main__":
    unittest.main()
