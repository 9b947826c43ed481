"""A project's settings.config: what is wrong is told, what is right is used, and the page that
documents them lists them all."""

import os
import re
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read, write


class Settings(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.file = self.path("game", "settings.config")
        self.text = read(self.file)

    def test_wrong_names_are_warned_of(self):
        write(self.file, self.text + "time_stap = { policy = 1 }\ngame = { anything = 1 }\n")
        with Game(self.project) as game:
            # An answer comes from a game that has started, so all is told by then.
            self.assertEqual(game.console.script("Application.settings().game.anything"), "1")
            self.assertIn("no setting time_stap (did you mean time_step?)", game.log())
            self.assertNotIn("anything", game.log())
            self.assertEqual(game.quit(), 0)

    def test_wrong_values_end_the_start(self):
        for wrong, message in (
                ("time_step = { policy = 1 }", 'time_step.policy is 1; expected "variable"'),
                ("tasks = { workers = -1 }", "tasks.workers is -1; expected a whole number"),
                ('tasks = { priorities = { low = "high" } }', "tasks.priorities.low")):
            write(self.file, self.text + wrong + "\n")
            done = cuttle("run", self.project, "--headless", "--frames", "1", check=1)
            self.assertIn(message, done.stderr)

    def test_wrong_names_of_resources_are_told_in_their_place(self):
        right = self.text
        write(self.file, self.text.replace('"scripts/main"', '"scripts/mian"'))
        done = cuttle("compile", self.project, check=1)
        self.assertIn(f'{self.file}:2:1: error: lua "scripts/mian" is missing (did you mean '
                      '"scripts/main"?)', done.stderr)
        # The last good settings hold; without any the game does not start.
        done = cuttle("run", self.project, "--headless", "--frames", "1", check=1)
        self.assertIn("settings.config:2:1: lua", done.stderr + done.stdout)
        write(self.file, right)
        cuttle("run", self.project, "--headless", "--frames", "1", check=0)
        write(self.file, right.replace('"boot"', '"bot"'))
        done = cuttle("run", self.project, "--headless", "--frames", "1")
        self.assertIn('package "bot" is missing (did you mean "boot"?)', done.stderr + done.stdout)

    def test_texture_settings_are_known(self):
        write(self.file, self.text + 'textures = { quality = "best"  max_szie = 4 }\n')
        with Game(self.project) as game:
            game.console.script("1")
            self.assertIn("no setting textures.max_szie (did you mean textures.max_size?)", game.log())
            self.assertNotIn("textures.quality", game.log())
            self.assertEqual(game.quit(), 0)

    def test_render_settings_are_taken_and_checked(self):
        write(self.file, self.text + "render_settings = { sky_lihgt = [1 0 0]  "
              "ground_light = [0 1 0] }\n")
        with Game(self.project) as game:
            color = "Vector4.to_elements(Application.render_setting('ground_light'))"
            self.assertEqual(game.console.script(color).split("\t")[:3], ["0", "1", "0"])
            self.assertIn('no setting "sky_lihgt"; did you mean "sky_light"?', game.log())
            # Saved while the game runs, it holds at once.
            write(self.file, self.text + "render_settings = { ground_light = [0 0 1] }\n")
            game.console.wait_until(f"select(3, {color})", "1\t1")
            self.assertEqual(game.quit(), 0)
        write(self.file, self.text + "render_settings = { sky_light = true }\n")
        done = cuttle("run", self.project, "--headless", "--frames", "1", check=1)
        self.assertIn("render_settings: sky_light is true; expected 3 or 4 numbers", done.stderr)

    def test_workers_and_priorities_are_taken(self):
        counts = []
        for workers in (0, 3):
            write(self.file, self.text + "tasks = { workers = %d "
                  'priorities = { render_cull = "critical" sound = "low" } }\n' % workers)
            with Game(self.project) as game:
                game.console.script("1")
                counts.append(len(os.listdir(f"/proc/{game.process.pid}/task")))
                self.assertEqual(game.quit(), 0)
        self.assertEqual(counts[1] - counts[0], 3)

    def test_the_page_lists_every_setting(self):
        source = read(os.path.join(ROOT, "src", "resource", "schema", "setting_table.c"))
        known = {path for path, kind in re.findall(r'\{"([a-z_.]+)", CT_SETTING_KIND_(\w+)', source)
                 if kind != "SECTION"}
        page = read(os.path.join(ROOT, "docs", "formats", "settings.md"))
        listed = set()
        for row in re.findall(r"(?m)^\| (`.*?) \|", page):
            listed |= set(re.findall(r"`([a-z_.]+)`", row))
        self.assertGreater(len(known), 10)
        self.assertEqual(known, listed)


if __name__ == "__main__":
    unittest.main()
