"""docs/tutorials/obscurance.md, done as it is written: the page's own blocks go into a new project,
step by step, and the picture is what the page says."""

import os
import re
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read
from support_png import read_png
from support_tutorial import apply_edit, read_steps

PAGE = os.path.join(ROOT, "docs", "tutorials", "obscurance.md")


def spread(pixel):
    return max(pixel) - min(pixel)


class Obscurance(TemporaryFolder):
    def picture(self, name):
        path = self.path(name + ".png")
        done = cuttle("run", self.project, "--headless", "--frames", "4", "--fixed-dt", "0.0166667",
                      "--size", "320x180", "--screenshot", path, check=0)
        self.assertNotIn("warning", done.stderr)
        return read_png(path)

    def apply(self, blocks):
        for block in blocks:
            if block.file:
                apply_edit(self.project, block)

    def pixels(self, picture):
        return [picture.pixel(x, y) for y in range(picture.height) for x in range(picture.width)]

    def test_the_page_does_what_it_says(self):
        page = read_steps(read(PAGE), "##")
        self.assertEqual(sorted(page), [1, 2, 3, 4, 5])
        self.assertEqual(page[1][0].lines()[0], "cuttle new mygame")
        self.project = self.new_project("mygame")
        colors = self.picture("colors")

        self.apply(page[2])
        distances = self.picture("distances")
        self.assertEqual(max(map(spread, self.pixels(distances))), 0)
        self.assertEqual(distances.pixel(10, 10)[0], 255)  # the sky
        near, far = distances.pixel(160, 175)[0], distances.pixel(160, 110)[0]
        self.assertLess(near, far)

        self.apply(page[3])
        normals = self.picture("normals")
        floor = normals.pixel(160, 175)
        self.assertGreater(floor[2], floor[0] + 40)
        self.assertGreater(normals.num_colors(), 500)

        self.apply(page[4])
        grey = self.pixels(self.picture("obscurance"))
        self.assertEqual(max(map(spread, grey)), 0)
        white = sum(p[0] > 240 for p in grey) / len(grey)
        self.assertGreater(white, 0.7)
        self.assertLess(white, 0.99)

        self.apply(page[5])
        dark = self.pixels(self.picture("dark"))
        darker = [sum(a[:3]) - sum(b[:3]) for a, b in zip(self.pixels(colors), dark)]
        self.assertGreaterEqual(min(darker), -6)
        self.assertGreater(sum(d > 30 for d in darker) / len(darker), 0.01)
        self.assertGreater(sum(abs(d) <= 6 for d in darker) / len(darker), 0.5)

        lua = re.fullmatch(r"cuttle console '(.*)'\n", page[5][-1].text)[1]
        with Game(self.project) as game:
            game.console.script(lua)
            self.assertEqual(game.console.script("Application.render_setting('contact')"), "false")
            self.assertEqual(game.quit(), 0)
        cuttle("check", self.project, check=0)


if __name__ == "__main__":
    unittest.main()
