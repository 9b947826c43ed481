"""docs/widgets.md: its menu runs as it is written, and each kind of widget has a picture, which this
test draws (CUTTLE_UPDATE_GOLDEN=1 writes them again)."""

import os
import re
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, read, write
from support_png import is_same, read_png

PAGE = read(os.path.join(ROOT, "docs", "widgets.md"))
PICTURES = os.path.join(ROOT, "docs", "pictures", "widgets")

# What is shown of each kind, and how high its picture is.
KINDS = {
    "label": (140, '''Widgets.label { text = "A title", size = "title" },
        Widgets.label { text = "A text that is broken where the widget ends.", wrap = true, color = "text_dim" }'''),
    "button": (120, '''Widgets.button { text = "Play", is_primary = true },
        Widgets.button { text = "Settings" }'''),
    "check_box": (72, 'Widgets.check_box { text = "Full screen", value = true }'),
    "slider": (72, "Widgets.slider { value = 0.6 }"),
    "drop_down": (200, '''Widgets.drop_down { id = "it", value = 2,
        options = { "1280 x 720", "1920 x 1080", "2560 x 1440" } }'''),
    "text_field": (170, '''Widgets.text_field { id = "it", text = "Robin" },
        Widgets.text_field { is_multi_line = true, rows = 2, text = "Lines that are broken where the field ends." }'''),
    "list": (200, '''Widgets.list { count = 1000, height = 168, selected = 2, row = function(i)
        return Widgets.row { padding = { 12, 0, 0, 0 }, align = "center", Widgets.label { text = "Row " .. i } } end }'''),
    "progress_bar": (44, "Widgets.progress_bar { value = 0.4 }"),
    "image": (96, 'Widgets.image { material = "materials/crate", width = 64, height = 64 }'),
    "panel": (130, '''Widgets.panel { Widgets.label { text = "A panel" }, Widgets.row { gap = 8,
        Widgets.button { text = "One", grow = 1 }, Widgets.button { text = "Two", grow = 2 } } }'''),
    "scroll": (140, '''Widgets.scroll { height = 108, Widgets.button { text = "One" },
        Widgets.button { text = "Two" }, Widgets.button { text = "Three" } }'''),
    "dialog": (220, '''Widgets.button { text = "Behind" }, Widgets.dialog { title = "Sure?", width = 240,
        Widgets.row { gap = 8, Widgets.button { text = "Yes", is_primary = true, grow = 1 },
            Widgets.button { text = "No", grow = 1 } } }'''),
    "tooltip": (110, 'Widgets.button { id = "it", text = "Play", tooltip = "Begins at the first level" }'),
}
# What is done before a picture is taken.
BEFORE = {
    "drop_down": "Game.screen:focus('it') Game.screen:find('it').kind.action(Game.screen:find('it'), 'accept')",
    "text_field": "Game.screen:focus('it')",
    "tooltip": "Game.screen.tip_node = Game.screen:find('it') Game.screen.tip_time = 0",
}

SCRIPT = '''
local Widgets = require "core/gui/widgets"
Game = Game or {}
_G.Widgets = Widgets

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.screen = Widgets.new(Game.world)
end

function Game.show(...)
    Game.screen:show(Widgets.panel { key = tostring(...), width = "100%", height = "100%", padding = 16, gap = 10,
        radius = 0, border = 0, color = { 255, 38, 42, 54 }, ... })
end

function update(dt)
    Game.screen:update(dt)
end

function render()
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end
'''


class Widgets(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        write(os.path.join(self.project, "input", "default.input"),
              'includes = ["core/gui/gui"]\nactions = {}\n')

    def save_script(self, text):
        write(os.path.join(self.project, "scripts", "main.lua"), text)

    def test_the_menu_runs(self):
        [menu] = re.findall(r"(?ms)^```lua\n(local Widgets = require \"core/gui/widgets\"\n.*?)^```$", PAGE)
        self.save_script("Game = { played = 0 }\nfunction Game.play() Game.played = Game.played + 1 end\n" + menu)
        with Game(self.project, "--size", "640x360") as game:
            for key in ("tab", "enter"):
                game.console.script(f"Input.add_remote_events{{ {{ device = 'keyboard', kind = 'pressed', name = '{key}' }},"
                                    f"{{ device = 'keyboard', kind = 'released', name = '{key}' }} }}")
                game.console.script("1")
            self.assertEqual(game.console.script("Game.played"), "1")

    def test_pictures(self):
        updates = bool(os.environ.get("CUTTLE_UPDATE_GOLDEN"))
        write(os.path.join(self.project, "materials", "crate.material"),
              'shader = "core/shaders/gui"\nparameters = { color = [0.8 0.5 0.2 1] }\n')
        self.save_script(SCRIPT)
        os.makedirs(PICTURES, exist_ok=True)
        with Game(self.project, "--size", "320x100", "--fixed-dt", "0.001") as game:
            console = game.console
            for kind, (height, lua) in KINDS.items():
                console.script(f"Window.set_resolution(nil, 320, {height})")
                console.wait_until("Game.screen.pixel_height", str(height))
                console.script(f"Game.show({lua})")
                console.script("1")
                console.script(BEFORE.get(kind, "1"))
                console.script("1")
                path = os.path.join(PICTURES if updates else self.folder, kind + ".png")
                console.screenshot(path)
                drawn = read_png(path)
                stored = read_png(os.path.join(PICTURES, kind + ".png"))
                self.assertTrue(is_same(stored, drawn), kind)
                self.assertIn(f"pictures/widgets/{kind}.png", PAGE)
            self.assertEqual([m["message"] for m in console.messages if m.get("level") == "error"], [])


if __name__ == "__main__":
    unittest.main()
