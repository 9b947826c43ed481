"""docs/tutorials/greyscale.md, done as it is written: the page's own blocks go into a new project,
step by step, and the picture is what the page says."""

import os
import re
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read, write
from support_png import read_png
from support_tutorial import apply_edit, read_steps

PAGE = os.path.join(ROOT, "docs", "tutorials", "greyscale.md")


def spread(pixel):
    return max(pixel) - min(pixel)


class Greyscale(TemporaryFolder):
    def picture(self, name):
        path = self.path(name + ".png")
        done = cuttle("run", self.project, "--headless", "--frames", "4", "--fixed-dt", "0.0166667",
                      "--size", "160x90", "--screenshot", path, check=0)
        self.assertNotIn("warning", done.stderr)
        return read_png(path)

    def check_grey(self, grey, colors):
        """Every pixel is grey, and as bright as something between its darkest and brightest
        channel: the curve of the tonemap is the same for each."""
        for y in range(colors.height):
            for x in range(colors.width):
                was, now = colors.pixel(x, y), grey.pixel(x, y)
                self.assertLessEqual(spread(now), 1, (x, y))
                self.assertGreaterEqual(now[0], min(was) - 2, (x, y))
                self.assertLessEqual(now[0], max(was) + 2, (x, y))
        self.assertGreater(grey.num_colors(), 50)

    def mean_spread(self, picture):
        pixels = [picture.pixel(x, y) for y in range(picture.height) for x in range(picture.width)]
        return sum(map(spread, pixels)) / len(pixels)

    def test_the_page_does_what_it_says(self):
        page = read_steps(read(PAGE), "##")
        self.assertEqual(sorted(page), [1, 2, 3, 4, 5])
        self.assertEqual(page[1][0].lines()[0], "cuttle new mygame")
        self.project = self.new_project("mygame")
        colors = self.picture("colors")
        self.assertGreater(self.mean_spread(colors), 20)

        for number in (2, 3):
            for block in page[number]:
                apply_edit(self.project, block)
            same = self.picture(f"step{number}")
            self.assertEqual(same.pixels, colors.pixels, f"step {number} changes the picture")

        for block in page[4]:
            apply_edit(self.project, block)
        grey = self.picture("step4")
        self.check_grey(grey, colors)

        config, settings, console = page[5]
        apply_edit(self.project, config)
        self.assertEqual(self.picture("step5").pixels, grey.pixels)
        apply_edit(self.project, settings)
        half = self.picture("half")
        self.assertGreater(self.mean_spread(half), 0.2 * self.mean_spread(colors))
        self.assertLess(self.mean_spread(half), 0.8 * self.mean_spread(colors))

        lua = re.fullmatch(r"cuttle console '(.*)'\n", console.text)[1]
        with Game(self.project) as game:
            game.console.script(lua)
            self.assertEqual(game.console.script("Application.render_setting('greyscale')"), "false")
            self.assertEqual(game.console.script("Application.render_setting('greyscale_strength')"),
                             "0.5")
            self.assertEqual(game.quit(), 0)
        cuttle("check", self.project, check=0)

    def test_a_setting_switches_it_off(self):
        page = read_steps(read(PAGE), "##")
        self.project = self.new_project("mygame")
        colors = self.picture("colors")
        for number in (2, 3, 5):
            for block in page[number]:
                if block.file:
                    apply_edit(self.project, block)
        path = os.path.join(self.project, "settings.config")
        write(path, read(path).replace("greyscale_strength = 0.5", "greyscale = false"))
        self.assertEqual(self.picture("off").pixels, colors.pixels)


if __name__ == "__main__":
    unittest.main()
