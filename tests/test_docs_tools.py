"""docs/tools.md: its page and its script are run as they are there."""

import os
import re
import subprocess
import sys
import unittest

import support_browser
from support_browser import Browser
from support_cuttle import CUTTLE, LIMIT, ROOT, Game, TemporaryFolder, read, write
from support_png import Picture, write_png

PAGE = read(os.path.join(ROOT, "docs", "tools.md"))

SCENE = """
Scene = Scene or {}
function init()
    Scene.world = Application.new_world()
    Scene.unit = World.spawn_unit(Scene.world, "units/block", Vector3(1, 2, 3))
end
function update(dt)
    World.update(Scene.world, dt)
end
function render() end
"""


def code(name):
    """The block of code with this name."""
    return re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", PAGE, re.S | re.M)[1]


class ToolsPage(TemporaryFolder):
    def test_the_page_lists_and_moves_units(self):
        page = code("tools/units.html")
        self.assertLessEqual(len(page.splitlines()), 60)
        if reason := support_browser.missing():
            self.skipTest(reason)
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), SCENE)
        write(os.path.join(project, "units", "block.unit"),
              'components = [ { id = "place"  type = "transform" } ]\n')
        write(os.path.join(project, "boot.package"), 'lua = ["scripts/*"]\nunit = ["units/*"]\n')
        write(os.path.join(project, "tools", "units.html"), page)
        with Game(project) as game, Browser(limit=LIMIT) as browser:
            browser.open(f"http://127.0.0.1:{game.port}/project/units.html")
            browser.find("tr")
            browser.click("tr")
            browser.find("tr.chosen")
            self.assertEqual(browser.text("tr.chosen td:last-child"), "1.00 2.00 3.00")
            browser.click_text("+y")
            browser.wait_for_text("1.00 3.00 3.00", "tr.chosen")
            self.assertEqual(game.console.script("Unit.local_position(Scene.unit, 1)"), "Vector3(1, 3, 3)")
            self.assertEqual(browser.errors(), [])

    def test_the_script_lists_odd_textures(self):
        project = self.compiled_project()
        for name, width, height in (("odd", 24, 16), ("even", 32, 8)):
            write_png(self.path("game", "textures", name + ".png"), Picture(width, height, bytes(3 * width * height)))
            write(self.path("game", "textures", name + ".texture"), f'source = "textures/{name}.png"\n')
        write(self.path("game", "boot.package"), 'lua = ["scripts/*"]\ntexture = ["textures/*"]\n')
        write(self.path("odd_textures.py"), code("odd_textures.py"))
        done = subprocess.run([sys.executable, self.path("odd_textures.py"), project, CUTTLE], capture_output=True,
                              text=True, timeout=LIMIT, env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "tools")})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("textures/odd 24 16\n", done.stdout)
        self.assertNotIn("textures/even", done.stdout)


if __name__ == "__main__":
    unittest.main()
