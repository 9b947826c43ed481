"""tools/contact_sheet.py draws every model in a cell of its own."""

import os
import subprocess
import sys
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder
from support_png import read_png

CELL, COLUMNS, LABEL = 144, 8, 12
MODELS = [os.path.join(ROOT, "core", "meshes", "cube.gltf"),
          os.path.join(ROOT, "tests", "compiler", "campaign", "b.glb")]


def cell(picture, number):
    """The pixels of a cell of the first row, without the name below."""
    rows = range(CELL - LABEL)
    return [picture.pixel(number * CELL + x, y) for y in rows for x in range(CELL)]


class ContactSheet(TemporaryFolder):
    def draw(self, *models):
        sheet = self.path("sheet.png")
        tool = os.path.join(ROOT, "tools", "contact_sheet.py")
        done = subprocess.run([sys.executable, tool, sheet, *models], timeout=LIMIT,
                              env={**os.environ, "CUTTLE": CUTTLE}, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return sheet, done.stdout

    def test_two_models(self):
        sheet, said = self.draw(*MODELS)
        self.assertIn("2 models in", said)
        self.assertNotIn("error", said)
        picture = read_png(sheet)
        self.assertEqual((picture.width, picture.height), (COLUMNS * CELL, CELL))
        sky = cell(picture, COLUMNS - 1)
        for number in range(len(MODELS)):
            drawn = cell(picture, number)
            self.assertGreater(len(set(drawn)), 1, MODELS[number])
            share = sum(a != b for a, b in zip(drawn, sky)) / len(sky)
            self.assertGreater(share, 0.05, f"{MODELS[number]}: as empty as a cell without a model")
            self.assertLess(share, 0.9, f"{MODELS[number]}: more than its cell")

    def test_a_file_that_is_no_model_is_named_and_left_out(self):
        broken = self.path("broken.gltf")
        with open(broken, "w") as file:
            file.write("no glTF")
        sheet, said = self.draw(broken, MODELS[0])
        self.assertIn(f"not imported: {broken}: ", said)
        self.assertIn("1 models in", said)
        self.assertEqual(read_png(sheet).width, COLUMNS * CELL)


if __name__ == "__main__":
    unittest.main()
