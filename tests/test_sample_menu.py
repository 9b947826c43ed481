"""The menus of samples/crates, driven by keys, mouse and pad; and those of `cuttle new --menu`.

CUTTLE_PICTURES=FOLDER keeps pictures of each page, in two sizes of the view and of the letters."""

import os
import unittest
from unittest import mock

from support_cuttle import Game, TemporaryFolder, cuttle
from support_png import read_png

DRIVE = '''
Test = {}

function Test.key(name)
    Input.add_remote_events {
        { device = "keyboard", kind = "pressed", name = name },
        { device = "keyboard", kind = "keystroke", name = name },
        { device = "keyboard", kind = "released", name = name } }
end

function Test.pad(name)
    Input.add_remote_events {
        { device = "pad1", kind = "pressed", name = name, value = 1 },
        { device = "pad1", kind = "released", name = name, value = 0 } }
end

function Test.click(id)
    local node, scale = Menu.screen:find(id), Menu.screen.scale
    local at = Vector3((node.left + node.w * 0.5) * scale, (node.top + node.h * 0.5) * scale, 0)
    Input.add_remote_events { { device = "mouse", kind = "axis", name = "cursor", value = at },
        { device = "mouse", kind = "pressed", name = "left" } }
end

function Test.let_go()
    Input.add_remote_events { { device = "mouse", kind = "released", name = "left" } }
end

function Test.focused()
    return Menu.screen.focused and Menu.screen.focused.props.id or "none"
end
'''


class Menus(TemporaryFolder):
    def setUp(self):
        super().setUp()
        # What a player chose in another run must not count.
        homes = {f"XDG_{name}_HOME": self.path("home", name) for name in ("CONFIG", "DATA", "STATE")}
        changed = mock.patch.dict(os.environ, homes)
        changed.start()
        self.addCleanup(changed.stop)

    def start(self, project, *arguments, size="640x360"):
        game = Game(project, "--size", size, "--fixed-dt", "0.02", *arguments)
        self.addCleanup(game.__exit__, None, None, None)
        game.__enter__()
        game.console.script(DRIVE)
        game.console.wait_until("Menu.page", "title")
        game.console.wait_until("Menu.screen.main.node.w > 0", "true")
        return game.console

    def do(self, console, *steps):
        for step in steps:
            console.script(step)
            console.script("1")

    def click(self, console, *ids):
        for id in ids:
            self.do(console, f"Test.click('{id}')", "Test.let_go()")

    def test_crates(self):
        console = self.start(self.copy_sample(), "--", "--menu")
        # Keys: down to the settings, into them, and back.
        self.assertEqual(console.script("Test.focused()"), "play")
        self.do(console, "Test.key('down')", "Test.key('enter')")
        self.assertEqual(console.script("Menu.page"), "settings")
        self.do(console, "Test.key('left')", "Test.key('left')")
        self.assertAlmostEqual(float(console.script("SoundWorld.bus_volume('master')")), 0.9, 2)
        self.do(console, "Test.key('esc')")
        self.assertEqual(console.script("Menu.page"), "title")
        self.assertAlmostEqual(float(console.script("Application.user_setting('sound_volumes', 'master')")), 0.9, 2)
        # The mouse: letters, and the size of the view.
        self.click(console, "settings")
        before = float(console.script("Menu.screen:find('back').h"))
        self.do(console, "Menu.screen:focus('text_scale')", "Test.key('end')")
        self.assertGreater(float(console.script("Menu.screen:find('back').h")), before * 1.5)
        self.do(console, "Test.key('home')", "Test.key('right')")
        self.assertEqual(console.script("Menu.screen.text_scale"), "1")
        self.do(console, "Menu.screen:focus('resolution')", "Test.key('right')")
        self.assertNotEqual(console.script("Menu.screen.pixel_width"), "640")
        # Another key for a jump; escape keeps the one that is there.
        self.click(console, "controls")
        self.assertEqual(console.script("Menu.page"), "controls")
        button = "Menu.screen:find('binding_jump_1').children[1]"
        self.do(console, f"Menu.screen:focus({button})", "Test.key('enter')", "Test.key('k')")
        self.assertEqual(console.script("Input.bindings('jump')[1]"), "keyboard.k")
        self.do(console, f"Menu.screen:focus({button})", "Test.key('enter')", "Test.key('esc')")
        self.assertEqual(console.script("Input.bindings('jump')[1]"), "keyboard.k")
        self.assertEqual(console.script("Menu.page"), "controls")
        self.click(console, "reset")
        self.assertEqual(console.script("Input.bindings('jump')[1]"), "keyboard.space")
        self.click(console, "back", "back")
        self.assertEqual(console.script("Menu.page"), "title")
        # The pad: play, pause, on again. The game stands still meanwhile.
        self.do(console, "Menu.screen:focus('play')", "Test.pad('a')")
        self.assertEqual(console.script("Menu.page"), "nil")
        self.do(console, "Test.pad('start')")
        self.assertEqual(console.script("Menu.page"), "pause")
        time = console.script("World.time(Game.world)")
        self.do(console, "Test.pad('d_down')")
        self.assertEqual(console.script("World.time(Game.world)"), time)
        self.assertEqual(console.script("Test.focused()"), "restart")
        self.do(console, "Test.pad('b')")
        self.assertEqual(console.script("Menu.page"), "nil")
        self.do(console, "1", "1")
        self.assertNotEqual(console.script("World.time(Game.world)"), time)
        self.do(console, "Test.key('esc')")
        self.assertEqual(console.script("Menu.page"), "pause")
        self.click(console, "title")
        self.assertEqual(console.script("Menu.page"), "title")
        self.assertEqual([m["message"] for m in console.messages if m.get("level") == "error"], [])

    def test_pages_fit(self):
        """No widget of a page is outside of the view, whatever the sizes."""
        folder = os.environ.get("CUTTLE_PICTURES") or self.folder
        console = self.start(self.copy_sample(), "--", "--menu", size="1280x720")
        outside = '''(function()
            local screen, count = Menu.screen, 0
            local function look(node)
                if node.clip == nil and (node.left < -0.5 or node.top < -0.5 or
                    node.left + node.w > screen.width + 0.5 or node.top + node.h > screen.height + 0.5) then
                    count = count + 1
                end
                for _, child in ipairs(node.parts or node.children) do look(child) end
            end
            for _, root in ipairs(screen.roots) do look(root.node) end
            return count
        end)()'''
        sizes = set()
        for width, height in ((1280, 720), (800, 600)):
            console.script(f"Window.set_resolution(nil, {width}, {height})")
            console.wait_until("Menu.screen.pixel_width", str(width))
            for scale in (1, 1.5):
                console.script(f"Menu.screen:set_text_scale({scale})")
                for page in ("title", "pause", "settings", "controls"):
                    self.do(console, "package.loaded['scripts/menu'].show('%s')" % page)
                    self.assertEqual(console.script(outside), "0", (page, width, scale))
                    path = os.path.join(folder, f"menu_{page}_{width}_{scale}.png")
                    console.screenshot(path)
                    picture = read_png(path)
                    sizes.add((picture.width, picture.height))
        self.assertEqual(sizes, {(1280, 720), (800, 600)})

    def test_a_new_project(self):
        project = self.path("game")
        cuttle("new", project, "--menu", check=0)
        self.add_core_data(project)
        console = self.start(project)
        self.click(console, "play")
        self.assertEqual(console.script("Menu.page"), "nil")
        self.do(console, "Test.key('esc')")
        self.assertEqual(console.script("Menu.page"), "pause")
        self.click(console, "settings", "back", "continue")
        self.assertEqual(console.script("Menu.page"), "nil")
        self.assertEqual([m["message"] for m in console.messages if m.get("level") == "error"], [])


if __name__ == "__main__":
    unittest.main()
