"""Fonts as a user meets them: what is compiled again when texts change, and names that tools follow."""

import os
import shutil
import subprocess
import unittest

import test_font_command
from support_cuttle import BUILD, ROOT, TemporaryFolder, cuttle, last_json, read, write

FONT = 'source = "fonts/a.ttf"\nsize = 12\ncharacters = []\nstrings = ["texts/menu"]\n' \
       'fallback = ["core/fonts/default"]\n'


class Fonts(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.new_project()
        os.makedirs(self.path("game", "fonts"))
        shutil.copy(os.path.join(ROOT, "core", "fonts", "default.ttf"), self.path("game", "fonts", "a.ttf"))
        write(self.path("game", "fonts", "a.font"), FONT)
        self.text("", 'a = "Hi"\n')

    def text(self, properties, text):
        write(self.path("game", "texts", f"menu{properties}.strings"), text)

    def compile(self, check=0):
        return last_json(cuttle("compile", self.project, "--json", check=check).stdout)

    def test_programs_start_without_the_libraries_of_text(self):
        for program in ("cuttle", "cuttle-worker"):
            dynamic = subprocess.run(["readelf", "-dW", os.path.join(BUILD, program)],
                                     capture_output=True, text=True, check=True).stdout
            self.assertIn("NEEDED", dynamic)
            for library in ("freetype", "harfbuzz"):
                self.assertNotIn(library, dynamic)

    def test_compiled_again_when_texts_and_languages_change(self):
        self.assertEqual(self.compile()["failed"], 0)
        self.assertEqual(self.compile()["compiled"], 0)
        self.text("", 'a = "Ho"\n')
        self.assertEqual(self.compile()["compiled"], 2)
        self.text(".fr", 'a = "ça"\n')
        explained = cuttle("compile", self.project, "--explain", "fonts/a.font", check=0).stdout
        self.assertIn("texts/menu.*.strings has changed", explained)
        self.assertEqual(self.compile()["compiled"], 0)
        os.remove(self.path("game", "texts", "menu.fr.strings"))
        self.assertEqual(self.compile()["compiled"], 1)
        self.assertEqual(self.compile()["compiled"], 0)

    def angelcode(self, source="", fnt=None, name="discs"):
        """Writes an AngelCode font with its pages and a .font that names it."""
        folder = self.path("game", "fonts")
        for i, page in enumerate(test_font_command.PAGES):
            with open(os.path.join(folder, f"Big Discs_{i}.png"), "wb") as file:
                file.write(page)
        with open(os.path.join(folder, f"{name}.fnt"), "wb") as file:
            file.write(fnt or test_font_command.FONT.text().encode())
        write(os.path.join(folder, f"{name}.font"), f'source = "fonts/{name}.fnt"\n' + source)

    def errors(self):
        return [(os.path.basename(e["file"]), e["message"]) for e in self.compile(check=1)["errors"]]

    def test_angelcode_fonts_of_each_format(self):
        font = test_font_command.FONT
        for name, fnt in (("text", font.text().encode()), ("xml", font.xml().encode()),
                          ("binary", font.binary())):
            self.angelcode("scale = 8\n", fnt, name)
        self.angelcode("distance_field = false\n", name="pixels")
        report = self.compile()
        self.assertEqual(report["failed"], 0, report)
        # A page that is saved makes all fonts again that use it.
        with open(self.path("game", "fonts", "Big Discs_0.png"), "wb") as file:
            file.write(test_font_command.PAGES[1])
        self.assertEqual(self.compile()["compiled"], 4)

    def test_broken_angelcode_fonts_are_errors(self):
        font = test_font_command.FONT
        self.angelcode("scale = 8\ndistance_field = false\n")
        self.assertIn("`scale` is 8, but only distance fields", self.errors()[0][1])
        self.angelcode("pages_are_distance_fields = true\ndistance_field = false\n")
        self.assertIn("leave one of them out", self.errors()[0][1])
        self.angelcode(fnt=font.binary()[:100])
        self.assertEqual(self.errors()[0][0], "discs.fnt")
        self.angelcode(fnt=font.text().replace("x=0 y=0 width=144", "x=500 y=0 width=144").encode())
        self.assertIn("page", self.errors()[0][1])
        self.angelcode()
        os.remove(self.path("game", "fonts", "Big Discs_1.png"))
        self.assertIn("Big Discs_1.png", self.errors()[0][1])
        self.angelcode("scale = 8\n")
        self.assertEqual(self.compile()["failed"], 0)

    def test_a_font_without_its_strings_is_an_error(self):
        os.remove(self.path("game", "texts", "menu.strings"))
        report = self.compile(check=1)
        self.assertEqual([(e["file"], e["line"]) for e in report["errors"]], [(self.path("game", "fonts", "a.font"), 4)])
        self.text("", 'a = "Hi"\n')
        self.assertEqual(self.compile()["failed"], 0)

    def test_moves_follow_into_fonts(self):
        cuttle("mv", self.project, "texts/menu.strings", "texts/main.strings", check=0)
        cuttle("mv", self.project, "fonts/a.ttf", "fonts/b.ttf", check=0)
        text = read(self.path("game", "fonts", "a.font"))
        self.assertIn('strings = ["texts/main"]', text)
        self.assertIn('source = "fonts/b.ttf"', text)
        self.assertEqual(self.compile()["failed"], 0)


if __name__ == "__main__":
    unittest.main()
