"""What GUIs are drawn with is saved while the game runs: fonts, their files, materials. A file that is
broken changes nothing."""

import os
import shutil
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, read, write
from support_png import read_png

OTHER_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


class GuiReload(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample()
        os.makedirs(self.file("fonts"), exist_ok=True)
        self.save_font(os.path.join(ROOT, "core", "fonts", "default.ttf"))
        self.save("fonts/hud.font", 'source = "fonts/hud.ttf"\nsize = 32\n')
        self.save("materials/hud.material", 'shader = "core/shaders/gui"\n'
                                            "parameters = { color = [1 1 1 1] }\n")
        hud = read(self.file("scripts/hud.lua"))
        hud = hud.replace('FONT = "core/fonts/default"', 'FONT = "fonts/hud"')
        hud = hud.replace("14, Color(150, 20, 24, 34))",
                          '14, Color(150, 20, 24, 34), nil, nil, "materials/hud")')
        self.assertIn("materials/hud", hud)
        self.save("scripts/hud.lua", hud)
        package = read(self.file("boot.package"))
        if "font = " not in package:
            package += 'font = ["*"]\n'
        self.save("boot.package", package)

    def file(self, name):
        return os.path.join(self.project, *name.split("/"))

    def save(self, name, text):
        write(self.file(name), text)

    def save_font(self, path):
        shutil.copyfile(path, self.file("fonts/hud.ttf.new"))
        os.replace(self.file("fonts/hud.ttf.new"), self.file("fonts/hud.ttf"))

    def picture(self, game):
        return read_png(game.console.screenshot(self.path("shot.png")))

    def after_reload(self, game, save):
        """The picture after `save()` was reloaded."""
        since = len(game.console.messages)
        save()
        game.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)
        game.console.script("0")
        return self.picture(game)

    def test_what_guis_are_drawn_with(self):
        with Game(self.project, "--size", "320x180", "--fixed-dt", "0.01") as game:
            console = game.console
            console.wait_until("World.time(Application.main_world()) > 0.05", "true")
            console.send(type="command", command="pause")
            pictures = [self.picture(game)]
            for save in (
                    lambda: self.save("fonts/hud.font", 'source = "fonts/hud.ttf"\nsize = 10\n'
                                                        "distance_field = false\n"),
                    lambda: self.save("materials/hud.material",
                                      'shader = "core/shaders/gui"\n'
                                      "parameters = { color = [1 0.2 0.2 1] }\n"),
                    lambda: self.save_font(OTHER_FONT)):
                pictures.append(self.after_reload(game, save))
                self.assertNotIn(pictures[-1].pixels, [p.pixels for p in pictures[:-1]])
            whole = read(OTHER_FONT, "rb")
            self.save("fonts/hud.ttf", whole[:5000])
            told = console.wait_for_message(lambda m: "hud.ttf" in m.get("message", ""))
            self.assertEqual(told["level"], "error")
            self.assertEqual(self.picture(game).pixels, pictures[-1].pixels)
            self.save("materials/hud.material", 'shader = "core/shaders/pbr"\n')
            console.wait_for_message(lambda m: "not for GUIs" in m.get("message", ""))

    def version(self, game):
        return game.console.script("Gui.theme_version('themes/hud')")

    def test_themes(self):
        theme = 'base = "core/gui/default"\nsizes = { gap = %d }\n'
        self.save("themes/hud.gui_theme", theme % 8)
        self.save("boot.package", read(self.file("boot.package")) + 'gui_theme = ["*"]\n')
        with Game(self.project, "--size", "320x180", "--fixed-dt", "0.01") as game:
            console = game.console
            first = self.version(game)
            since = len(console.messages)
            self.save("themes/hud.gui_theme", theme % 9)
            console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)
            second = self.version(game)
            self.assertNotEqual(first, second)
            self.assertEqual(console.script("Gui.theme('themes/hud').sizes.gap"), "9")
            self.save("themes/hud.gui_theme", theme % -1)
            told = console.wait_for_message(lambda m: "gap: found -1" in m.get("message", ""))
            self.assertEqual(told["level"], "error")
            self.assertEqual(self.version(game), second)
            self.assertEqual(console.script("Gui.theme('themes/hud').sizes.gap"), "9")
            since = len(console.messages)
            self.save("themes/hud.gui_theme", theme % 8)
            console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)
            self.assertEqual(self.version(game), first)


if __name__ == "__main__":
    unittest.main()
