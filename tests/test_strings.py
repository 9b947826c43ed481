"""Texts of a project: `cuttle strings`, and a game whose texts change while it runs."""

import os
import unittest

from support_cuttle import Game, TemporaryFolder, cuttle, last_json, write

ENGLISH = """
start = "Start"
quit = "Quit"
greeting = "Hi, {name}! {count}"
apples = { one = "{count} apple"  other = "{count} apples" }
options = { sound = "Sound"  light = "Light" }
label = "From a level"
"""
POLISH = """
start = "Start"
quit = "Koniec"
greeting = "Cześć, {name}! {count}"
apples = { one = "{count} jabłko"  few = "{count} jabłka"  many = "{count} jabłek"  other = "?" }
options = { sound = "Dźwięk"  light = "Światło" }
label = "Z poziomu"
"""
SCRIPT = """
local menu = Localizer("strings/menu")
print(Localizer.lookup(menu, "start"), menu:lookup("quit"), Localizer.lookup(menu, "greeting"))
local name = "apples" -- looked up elsewhere
print(Localizer.lookup(menu, name), Localizer.lookup(menu, "options." .. which))
"""


class Strings(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        self.write("settings.config", 'boot_script = "main"  boot_package = "boot"\n')
        self.write("strings/menu.strings", ENGLISH)
        self.write("strings/menu.pl.strings", POLISH)
        self.write("scripts/menu.lua", SCRIPT)
        self.write("levels/yard.level", 'texts = [ { key = "label" } ]\n')

    def write(self, path, text):
        write(os.path.join(self.project, *path.split("/")), text)

    def strings(self, code):
        report = last_json(cuttle("strings", self.project, "--json", check=code).stdout)
        self.assertEqual(code == 1, any(report[kind] for kind in (
            "broken", "missing", "different", "unknown")))
        return report

    def found(self, report, kind):
        return [(f.get("key"), f["file"], f.get("line"), f["message"]) for f in report[kind]]

    def test_finds_nothing_where_nothing_is_missing(self):
        report = self.strings(0)
        self.assertEqual(report["unused"], [])
        self.assertEqual(report["resources"], [{
            "name": "strings/menu", "keys": 7, "files": [
                {"file": "strings/menu.strings", "language": "en", "keys": 7},
                {"file": "strings/menu.pl.strings", "language": "pl", "keys": 7}]}])
        done = cuttle("strings", self.project, check=0)
        self.assertEqual(done.stdout.splitlines(), [
            "strings/menu: 7 keys in en, pl",
            "1 resource, 2 files: 0 wrong in sources, 0 missing, 0 different, 0 unknown, 0 unused"])

    def test_tells_missing_keys(self):
        self.write("strings/menu.pl.strings", POLISH.replace('quit = "Koniec"\n', "")
                   + 'zoom = "Zbliż"\n')
        report = self.strings(1)
        self.assertEqual(self.found(report, "missing"), [
            ("quit", "strings/menu.pl.strings", 0, "is missing; strings/menu.strings:3 has it"),
            ("zoom", "strings/menu.strings", 0, "is missing; strings/menu.pl.strings:7 has it")])
        lines = cuttle("strings", self.project, check=1).stdout.splitlines()
        self.assertIn(f'  {self.project}/strings/menu.pl.strings: "quit" is missing; '
                      'strings/menu.strings:3 has it', lines)

    def test_tells_placeholders_that_differ(self):
        self.write("strings/menu.pl.strings", POLISH.replace("{name}! {count}", "{nazwa}!"))
        report = self.strings(1)
        place = ("greeting", "strings/menu.pl.strings", 4)
        self.assertEqual(self.found(report, "different"), [
            (*place, "has no {name}, {count}, which strings/menu.strings has"),
            (*place, "has {nazwa}, which is not in strings/menu.strings")])

    def test_tells_plural_forms_that_lack(self):
        self.write("strings/menu.pl.strings", POLISH.replace('few = "{count} jabłka"', ""))
        self.write("strings/menu.fr.strings", ENGLISH.replace(
            '{ one = "{count} apple"  other = "{count} apples" }', '"{count} pommes"'))
        self.write("strings/menu.ja.strings", ENGLISH.replace(
            '{ one = "{count} apple"  other = "{count} apples" }', '"{count}"'))
        report = self.strings(1)
        self.assertEqual(self.found(report, "different"), [
            ("apples", "strings/menu.fr.strings", 5,
             "has no plural forms, but strings/menu.strings has; fr needs one and other"),
            ("apples", "strings/menu.pl.strings", 5,
             "has no plural forms for few, which pl needs")])

    def test_tells_keys_that_scripts_look_up_in_vain(self):
        self.write("scripts/more.lua", 'local menu = ...\n'
                   'print(Localizer.lookup(menu, "strat"), Localizer.lookup(menu, "a" .. menu))\n'
                   'print(menu:lookup "nothing like it", lookup(menu, "other"))\n')
        report = self.strings(1)
        self.assertEqual(self.found(report, "unknown"), [
            ("strat", "scripts/more.lua", 2, 'is missing in all strings; did you mean "start"?'),
            ("nothing like it", "scripts/more.lua", 3, "is missing in all strings")])

    def test_tells_keys_that_nothing_mentions(self):
        self.write("strings/menu.strings", ENGLISH + 'old = "Old"\n')
        self.write("strings/menu.pl.strings", POLISH + 'old = "Stare"\n')
        self.write("levels/yard.level", 'units = [ "old ]\n')  # broken: mentions nothing
        report = self.strings(0)
        self.assertEqual(self.found(report, "unused"), [
            ("label", "strings/menu.strings", 7, "is not mentioned anywhere"),
            ("old", "strings/menu.strings", 8, "is not mentioned anywhere")])

    def test_tells_what_is_wrong_in_sources(self):
        self.write("strings/menu.pl.strings", POLISH.replace('one = "{count} jabłko"', 'uno = "1"'))
        self.write("strings/other.strings", "a = [\n")
        self.write("strings/third.strings", 'language = "nowhere"\n')
        report = self.strings(1)
        self.assertEqual([(f["file"], f["line"], f["column"]) for f in report["broken"]], [
            ("strings/menu.pl.strings", 5, 12), ("strings/other.strings", 2, 1),
            ("strings/third.strings", 1, 1)])
        self.assertIn('"uno" is not a plural form', report["broken"][0]["message"])
        # It is there, if wrong.
        self.assertEqual(report["missing"], [])

    def test_takes_the_settings_language(self):
        self.write("settings.config", 'language = "pt-br"\n')
        files = self.strings(0)["resources"][0]["files"]
        self.assertEqual([f["language"] for f in files], ["pt-br", "pl"])

    def test_tells_a_wrong_language_of_the_settings_once(self):
        self.write("settings.config", 'platforms = []\nlanguage = "klingon"\n')
        self.write("strings/other.strings", 'start = "Start"\n')
        broken = self.strings(1)["broken"]
        self.assertEqual([(f["file"], f["line"], f["column"]) for f in broken],
                         [("settings.config", 2, 1)])
        self.assertIn('language is "klingon"; expected the tag', broken[0]["message"])
        done = cuttle("compile", self.project, check=1)
        self.assertEqual(done.stderr.count('language is "klingon"'), 1)
        self.assertIn("settings.config:2:1: ", done.stderr)

    def test_a_platform_is_no_language(self):
        self.write("settings.config", 'platforms = ["se"]\n')
        self.write("strings/menu.se.strings", ENGLISH)
        resources = self.strings(0)["resources"]
        self.assertEqual([(r.get("platform"), [f["language"] for f in r["files"]])
                          for r in resources], [(None, ["en", "pl"]), ("se", ["en"])])

    def test_compares_what_one_build_can_have_together(self):
        """Of a resource with variants for a platform a build for that has no others."""
        self.write("settings.config", 'platforms = ["mobile"]\n')
        self.write("strings/menu.mobile.strings", ENGLISH + 'tap = "Tap"\n')
        self.write("strings/menu.linux.strings", 'quit = "Quit"\n')
        self.write("strings/menu.mobile.pl.strings", POLISH + 'tap = "{x}"\n')
        self.write("scripts/more.lua", 'print("tap")\n')
        report = self.strings(1)
        self.assertEqual(report["missing"], [])
        self.assertEqual(self.found(report, "different"), [
            ("tap", "strings/menu.mobile.pl.strings", 8,
             "has {x}, which is not in strings/menu.mobile.strings")])
        self.write("strings/menu.mobile.pl.strings", POLISH)
        self.assertEqual(self.found(self.strings(1), "missing"), [
            ("tap", "strings/menu.mobile.pl.strings", 0,
             "is missing; strings/menu.mobile.strings:8 has it")])
        self.write("strings/menu.mobile.pl.strings", POLISH + 'tap = "Dotknij"  old = "Stare"\n')
        self.write("strings/menu.mobile.strings", ENGLISH + 'tap = "Tap"  old = "Old"\n')
        self.write("strings/menu.strings", ENGLISH + 'old = "Old"\n')
        self.write("strings/menu.pl.strings", POLISH + 'old = "Stare"\n')
        done = cuttle("strings", self.project, check=0)
        self.assertEqual(done.stdout.splitlines(), [
            "strings/menu: 8 keys in en, pl",
            f'  {self.project}/strings/menu.strings:8:1: "old" is not mentioned anywhere',
            "strings/menu for linux: 1 key in en",
            "strings/menu for mobile: 9 keys in en, pl",
            "1 resource, 5 files: 0 wrong in sources, 0 missing, 0 different, 0 unknown, 1 unused"])

    def test_tells_files_of_one_language_apart(self):
        self.write("strings/menu.kids.strings", ENGLISH)
        self.write("strings/menu.kids.pl.strings", POLISH)
        done = cuttle("strings", self.project, check=0)
        self.assertEqual(done.stdout.splitlines()[0],
                         "strings/menu: 7 keys in en, pl (kids), en (kids), pl")

    def test_tells_what_was_meant_for_a_language(self):
        self.write("strings/menu.jp.strings", ENGLISH)
        message = 'unknown language "jp" (did you mean "ja"?): the texts are read as en'
        report = self.strings(1)
        self.assertEqual([(f["file"], f["line"]) for f in report["broken"]],
                         [("strings/menu.jp.strings", 2)])
        self.assertIn(message, report["broken"][0]["message"])
        self.assertIn("keys in en, en (jp), pl", cuttle("strings", self.project, check=1).stdout)
        os.remove(os.path.join(self.project, "levels", "yard.level"))
        self.write("main.lua", "")
        self.write("boot.package", 'lua = ["main"]\n')
        cuttle("compile", self.project, check=0)
        done = cuttle("compile", self.project, "--warnings-as-errors", check=1)
        self.assertIn("menu.jp.strings:2:1: warning: " + message, done.stderr)
        self.write("strings/menu.jp.strings", 'language = "ja"\n' + ENGLISH.replace(
            '{ one = "{count} apple"  other = "{count} apples" }', '"{count}"'))
        self.strings(0)
        self.assertEqual(cuttle("compile", self.project, "--warnings-as-errors", check=0).stderr, "")

    def test_a_name_that_is_no_variant_is_told(self):
        self.write("strings/menu.pl.fr.strings", ENGLISH)
        broken = self.strings(1)["broken"]
        self.assertEqual([f["file"] for f in broken], ["strings/menu.pl.fr.strings"])
        self.assertIn("menu.fr.pl.strings", broken[0]["message"])

    def test_refuses_what_is_no_project(self):
        done = cuttle("strings", self.path("nowhere"), check=1)
        self.assertIn("is not there", done.stderr)
        report = last_json(cuttle("strings", self.path("nowhere"), "--json", check=1).stdout)
        self.assertEqual([e["message"] in done.stderr for e in report["errors"]], [True])
        cuttle("strings", check=2)


class Running(TemporaryFolder):
    def test_a_localizer_follows_what_is_saved(self):
        project = self.path("game")
        strings = os.path.join(project, "strings", "menu.strings")
        write(os.path.join(project, "settings.config"),
              'boot_script = "main"  boot_package = "boot"\n')
        write(os.path.join(project, "boot.package"), 'lua = ["*"]  strings = ["*"]\n')
        write(os.path.join(project, "main.lua"),
              'function init()\n    Menu = Localizer("strings/menu")\nend\n'
              'function apples(count)\n'
              '    return Localizer.lookup(Menu, "apples", { count = count })\nend\n')
        write(strings, 'apples = { one = "{count} apple"  other = "{count} apples" }\n')
        self.add_core_data(project)
        with Game(project, "--size", "160x90") as game:
            game.console.wait_until("apples(1)", "1 apple")
            game.console.wait_until("apples(2)", "2 apples")
            write(strings, 'language = "pl"\n'
                  'apples = { one = "{count} jabłko"  few = "{count} jabłka"  other = "?" }\n')
            game.console.wait_until("apples(2)", "2 jabłka")
            # What does not compile changes nothing.
            since = len(game.console.messages)
            write(strings, 'language = "pl"\napples = { two = "2" }\n')
            game.console.wait_for_message(
                lambda m: "pl has no plural form" in m.get("message", ""), since)
            game.console.wait_until("apples(2)", "2 jabłka")

    def test_switches_language_while_running(self):
        project = self.path("game")
        write(os.path.join(project, "settings.config"),
              'boot_script = "main"  boot_package = "boot"\n')
        write(os.path.join(project, "boot.package"), 'lua = ["*"]  strings = ["*"]\n')
        write(os.path.join(project, "main.lua"), """
function init()
    Menu = Localizer("strings/menu")
end
function speak(...)
    Application.set_property_preference_order({...})
    Application.reload_variants()
end
function apples(count)
    return Localizer.language(Menu) .. ": " .. Localizer.lookup(Menu, "apples", { count = count })
end
""")
        for word, text in (("", 'one = "{count} apple"  other = "{count} apples"'),
                           (".fr", 'one = "{count} pomme"  other = "{count} pommes"'),
                           (".pl", 'one = "{count} jabłko"  few = "{count} jabłka"  other = "?"')):
            write(os.path.join(project, "strings", f"menu{word}.strings"),
                  "apples = { " + text + " }\n")
        self.add_core_data(project)
        with Game(project, "--size", "160x90") as game:
            game.console.wait_until("apples(0)", "en: 0 apples")
            for order, count, text in (("'fr'", 0, "fr: 0 pomme"), ("'pl', 'fr'", 3, "pl: 3 jabłka"),
                                       ("'de', 'fr'", 2, "fr: 2 pommes"), ("", 1, "en: 1 apple")):
                game.console.script(f"speak({order})")
                game.console.wait_until(f"apples({count})", text)


if __name__ == "__main__":
    unittest.main()
