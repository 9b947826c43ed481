"""The localised sample: it changes language while it runs, in texts and pictures, and what another
platform sees is chosen by --source-platform. CUTTLE_UPDATE_GOLDEN=1 writes the golden pictures anew."""

import itertools
import os
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, last_json, read, write
from support_png import difference, is_same, read_png, write_png

SIZE = "320x180"
SIGN = (100, 40, 118, 54)  # left, top, width and height in the picture
HUD = (4, 4, 84, 114)
TEXTS = {"en": ("The apple stand", "5 apples left", "1 apple left", "Sold out. More tomorrow!"),
         "fr": ("L'étal de pommes", "Il reste 5 pommes", "Il reste 1 pomme",
                "Tout est vendu. À demain !"),
         "de": ("Der Apfelstand", "Noch 5 Äpfel", "Noch 1 Apfel", "Ausverkauft. Morgen mehr!"),
         "ru": ("Яблочная лавка", "Осталось 5 яблок", "Осталось 1 яблоко",
                "Всё распродано. Приходите завтра!"),
         "ar": ("كشك التفاح", "بقيت 5 تفاحات", "بقيت تفاحة واحدة", "نفدت الكمية. المزيد غدًا!"),
         "ja": ("りんごの屋台", "りんごは残り5個です", "りんごは残り1個です", "売り切れました。また明日どうぞ！")}
PLURALS = {"ru": {1: "Осталось 1 яблоко", 2: "Осталось 2 яблока", 11: "Осталось 11 яблок",
                  21: "Осталось 21 яблоко", 1.5: "Осталось 1.5 яблока"},
           "ar": {0: "لم تبقَ أي تفاحة", 1: "بقيت تفاحة واحدة", 2: "بقيت تفاحتان", 3: "بقيت 3 تفاحات",
                  11: "بقيت 11 تفاحة", 100: "بقيت 100 تفاحة"},
           "ja": {1: "りんごは残り1個です", 21: "りんごは残り21個です"}}


def golden(name):
    return os.path.join(ROOT, "tests", "golden", f"localised_{name}.png")


def pixels_of(area):
    left, top, width, height = area
    return {(x, y) for y in range(top, top + height) for x in range(left, left + width)}


def share_of(a, b, pixels):
    """The share of these pixels that differ clearly."""
    off = sum(max(abs(p - q) for p, q in zip(a.pixel(x, y), b.pixel(x, y))) > 24 for x, y in pixels)
    return off / len(pixels)


def share_in(a, b, area):
    return share_of(a, b, pixels_of(area))


def share_outside(a, b):
    """The same of everything but the sign and the HUD."""
    return share_of(a, b, pixels_of((0, 0, a.width, a.height)) - pixels_of(SIGN) - pixels_of(HUD))


class Localised(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample("localised")

    def picture(self, *arguments):
        path = self.path("shot.png")
        cuttle("run", self.project, "--headless", "--frames", 3, "--fixed-dt", "0.0166667",
               "--size", SIZE, "--screenshot", path, *arguments, check=0)
        return read_png(path)

    def expect_golden(self, picture, name):
        if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
            write_png(golden(name), picture)
        mean, share = difference(picture, read_png(golden(name)))
        self.assertTrue(is_same(picture, read_png(golden(name))), (name, mean, share))

    def test_every_language_has_its_sign_and_its_texts(self):
        pictures = {language: self.picture("--", "--language", language) for language in TEXTS}
        for language, picture in pictures.items():
            self.expect_golden(picture, language)
        for first, second in itertools.combinations(TEXTS, 2):
            a, b = pictures[first], pictures[second]
            self.assertGreater(share_in(a, b, SIGN), 0.05, (first, second))
            self.assertGreater(share_in(a, b, HUD), 0.05, (first, second))
            self.assertEqual(share_outside(a, b), 0, (first, second))

    def press(self, game, key):
        for kind in ("pressed", "released"):
            game.console.send(type="script", script="Input.add_remote_events { { "
                              f'device = "keyboard", kind = "{kind}", name = "{key}" }} }}')

    def screenshot(self, game, name):
        """What the running game shows."""
        return read_png(game.console.screenshot(self.path(name + ".png")))

    def test_switches_language_while_it_runs(self):
        # What is seen must not depend on how fast textures come.
        settings = os.path.join(self.project, "settings.config")
        write(settings, read(settings) + "streaming = { enabled = false }\n")
        with Game(self.project, "--size", SIZE, "--fixed-dt", "0.0166667") as game:
            for language in (*TEXTS, "en"):
                title, full, one, _ = TEXTS[language]
                game.console.wait_until("Game.text()", f"{title}: {full}")
                self.expect_golden(self.screenshot(game, language), language)
                self.press(game, "l")
            title, full, one, none = TEXTS["fr"]  # after the last press
            for text in (full, None, None, None, one, none, full):
                if text:
                    game.console.wait_until("Game.text()", f"{title}: {text}")
                before = game.console.script("#Game.apples")
                self.press(game, "space")
                game.console.wait_until("#Game.apples", str((int(before) + 5) % 6))
            log = game.log()
            self.assertIn("[lua] Der Apfelstand: Noch 5 Äpfel", log)
            self.assertNotIn("error", log)
            self.assertNotIn("warning", log)
            self.assertEqual(game.quit(), 0)

    def test_every_language_has_its_plural_forms_and_letters(self):
        with Game(self.project, "--size", SIZE) as game:
            for number, language in enumerate(TEXTS, 1):
                game.console.script(f"Game.set_language({number})")
                game.console.wait_until("Localizer.language(Game.texts)", language)
                for count, text in PLURALS.get(language, {}).items():
                    lookup = f'Localizer.lookup(Game.texts, "left", {{ count = {count} }})'
                    self.assertEqual(game.console.script(lookup), text)
                for text in TEXTS[language]:
                    has_all = f'tostring(Gui.has_all_glyphs(Game.hud, "{text}", "fonts/hud"))'
                    self.assertEqual(game.console.script(has_all), "true", text)
            self.assertEqual(game.quit(), 0)

    def test_another_platform_shows_other_content(self):
        mobile = self.picture("--source-platform", "mobile")
        self.expect_golden(mobile, "mobile")
        desktop = read_png(golden("en"))
        self.assertGreater(difference(mobile, desktop)[1], 0.15)
        # The sign says the same, on a coarser texture.
        self.assertLess(share_in(mobile, desktop, SIGN), share_in(mobile, read_png(golden("fr")), SIGN))
        self.assertGreater(share_in(mobile, desktop, SIGN), 0)
        # Languages and platforms go together.
        french = self.picture("--source-platform", "mobile", "--", "--language", "fr")
        self.assertEqual(share_outside(mobile, french), 0)
        self.assertGreater(share_in(mobile, french, SIGN), 0.1)

    def test_nothing_is_missing_in_any_language(self):
        report = last_json(cuttle("strings", self.project, "--json", check=0).stdout)
        self.assertEqual([f["language"] for f in report["resources"][0]["files"]],
                         ["en", "ar", "de", "fr", "ja", "ru"])
        self.assertEqual(report["unused"], [])

    def test_check_finds_no_errors(self):
        for arguments in ([], ["--source-platform", "mobile"]):
            cuttle("check", self.project, "--frames", "5", *arguments, check=0)

    def test_its_page_tells_of_its_files(self):
        page = read(os.path.join(self.project, "README.md"))
        for file in ("textures/sign.texture", "strings/stand.strings", "units/tree.mobile.unit",
                     "textures/sign.plain.texture", "scripts/hud.lua", "fonts/hud.font",
                     "fonts/OFL.txt", "fonts/LICENSE-APACHE.txt"):
            self.assertIn(f"`{file}`", page)
            self.assertTrue(os.path.exists(os.path.join(self.project, file)))


if __name__ == "__main__":
    unittest.main()
