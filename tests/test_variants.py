"""Variants of resources as a user meets them: a platform's by --source-platform, languages while
the game runs."""

import unittest

from support_cuttle import Game, TemporaryFolder, cuttle, last_json, read, write

GREETING = "require('scripts/greeting')"


class Variants(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.new_project()
        settings = self.path("game", "settings.config")
        write(settings, read(settings) + 'platforms = ["mobile"]\n')
        self.source("", "'hello'")

    def source(self, properties, value):
        write(self.path("game", "scripts", f"greeting{properties}.lua"), f"return {value}\n")

    def test_the_source_platform_shows(self):
        self.source(".mobile", "'hello, mobile'")
        for platform, greeting in ((None, "hello"), ("mobile", "hello, mobile")):
            arguments = ["--source-platform", platform] if platform else []
            with Game(self.project, *arguments) as game:
                self.assertEqual(game.console.script(GREETING), greeting)
                self.assertEqual(game.quit(), 0)

    def test_languages_change_while_the_game_runs(self):
        self.source(".fr", "'bonjour'")
        with Game(self.project) as game:
            self.assertEqual(game.console.script(GREETING), "hello")
            game.console.script("Application.set_property_preference_order{'de', 'fr'}")
            self.assertEqual(game.console.script(GREETING), "hello")
            game.console.script("Application.reload_variants()")
            game.console.wait_until(GREETING, "bonjour")
            # Saving a variant that is loaded shows; one that is new and wanted more is loaded.
            self.source(".fr", "'salut'")
            game.console.wait_until(GREETING, "salut")
            self.source(".de", "'hallo'")
            game.console.wait_until(GREETING, "hallo")
            game.console.script("Application.set_property_preference_order{}")
            game.console.script("Application.reload_variants()")
            game.console.wait_until(GREETING, "hello")
            self.assertEqual(game.quit(), 0)

    def test_packages_have_variants(self):
        package = self.path("game", "boot.package")
        write(self.path("game", "strings", "only_french.strings"), 'yes = "Oui"\n')
        write(self.path("game", "boot.fr.package"), read(package))
        write(package, read(package).replace('strings = ["*"]', ""))
        has_french = "(pcall(Localizer, 'strings/only_french'))"
        with Game(self.project) as game:
            self.assertEqual(game.console.script(has_french), "false")
            game.console.script("Application.set_property_preference_order{'fr'}")
            game.console.script("Application.reload_variants()")
            game.console.wait_until(has_french, "true")
            self.assertEqual(game.quit(), 0)

    def test_words_of_an_order_that_cannot_match(self):
        with Game(self.project) as game:
            done = game.console.script(
                "(pcall(Application.set_property_preference_order, {'mobile'}))")
            self.assertEqual(done, "false")
            for _ in range(2):
                game.console.script("Application.set_property_preference_order{'zzz'}")
            self.assertEqual(game.quit(), 0)
            self.assertEqual(game.log().count('the preferred property "zzz" is not used by any resource'), 1)

    def test_platforms_and_destinations_of_compile(self):
        self.source(".mobile", "'hello, mobile'")
        for arguments in (["--platform", "windows"], ["--platform", "be64"],
                          ["--source-platform", "mobile", "--platform", "windows"]):
            done = cuttle("compile", self.project, "--json", *arguments, check=0)
            self.assertEqual(last_json(done.stdout)["failed"], 0)
        done = cuttle("compile", self.project, "--source-platform", "toaster", check=1)
        self.assertIn('the source platform "toaster" is unknown; expected one of "linux", '
                      '"windows", "be64", "mobile"', done.stderr)
        done = cuttle("compile", self.project, "--platform", "mobile", check=1)
        self.assertIn('the platform "mobile" is unknown', done.stderr)

    def test_every_variant_is_checked(self):
        write(self.path("game", "units", "bad.fr.unit"),
              'components = [ { id = "a" type = "transform" } ]')
        done = cuttle("check", self.project, "--only", "unit", "--frames", "2", check=0)
        self.assertIn("units", done.stdout)


if __name__ == "__main__":
    unittest.main()
