"""Many files that change together while the game runs: it ends in the last state, and says nothing of
those in between, which nobody saved. What stays wrong is told."""

import os
import shutil
import subprocess
import unittest

from support_cuttle import Game, TemporaryFolder, read, write

COUNT = 100


class HotReloadOfMany(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.main = read(os.path.join(self.project, "scripts", "main.lua"))
        self.save("scripts/many", 0)

    def write(self, path, text):
        write(os.path.join(self.project, path), text)

    def remove(self, folder):
        shutil.rmtree(os.path.join(self.project, folder))

    def save_main(self, folder):
        self.write("scripts/main.lua",
                   f"local t = {{}} for i = 1, {COUNT} do t[i] = require('{folder}/s' .. i) end\n"
                   f"function sum() local n = 0 for i = 1, {COUNT} do n = n + t[i].value end "
                   "return n end\n" + self.main)

    def save(self, folder, value):
        for i in range(1, COUNT + 1):
            self.write(f"{folder}/s{i}.lua", f"return {{ value = {value} }}\n")
        self.save_main(folder)

    def git(self, *arguments):
        who = {f"GIT_{role}_{what}": "a" for role in ("AUTHOR", "COMMITTER")
               for what in ("NAME", "EMAIL")}
        subprocess.run(["git", *arguments], cwd=self.project, check=True, capture_output=True,
                       env={**os.environ, **who})

    def make_branches(self):
        self.git("init", "-q", "-b", "one", ".")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
        self.git("checkout", "-qb", "two")
        self.remove("scripts/many")
        self.save("scripts/other", 2)
        self.git("add", "-A")
        self.git("commit", "-qm", "two")

    def wait_for_boot(self, game):
        """The console answers before the game's boot script has run."""
        game.console.wait_until("sum ~= nil", "true")

    def expect_silence(self, game):
        game.console.script("1")
        told = [m for m in game.console.messages if m.get("level") in ("error", "warning")]
        self.assertEqual(told, [])

    def test_a_checkout_of_another_branch(self):
        self.make_branches()
        with Game(self.project) as game:
            self.wait_for_boot(game)
            for branch, value in (("one", 0), ("two", 2), ("one", 0)):
                self.git("checkout", "-q", branch)
                game.console.wait_until("sum()", str(COUNT * value))
            self.expect_silence(game)

    def test_changes_that_are_stashed_and_come_back(self):
        self.make_branches()
        with Game(self.project) as game:
            self.wait_for_boot(game)
            self.save("scripts/other", 3)
            game.console.wait_until("sum()", str(COUNT * 3))
            self.git("stash")
            game.console.wait_until("sum()", str(COUNT * 2))
            self.git("stash", "pop")
            game.console.wait_until("sum()", str(COUNT * 3))
            self.expect_silence(game)

    def test_files_that_go_and_come_in_batches(self):
        with Game(self.project) as game:
            self.wait_for_boot(game)
            lock = os.path.join(self.project, ".git", "index.lock")
            write(lock, "")  # whoever it is says that there is more to come
            self.remove("scripts/many")
            self.save_main("scripts/other")
            for first in range(1, COUNT + 1, 20):
                for i in range(first, first + 20):
                    self.write(f"scripts/other/s{i}.lua", "return { value = 4 }\n")
                game.console.script("1")  # frames go by
            os.remove(lock)
            game.console.wait_until("sum()", str(COUNT * 4))
            self.expect_silence(game)

    def test_a_file_that_is_half_written(self):
        self.write("scripts/probe.lua", "probe = 1\n")
        with Game(self.project) as game:
            self.wait_for_boot(game)
            game.console.script("require 'scripts/probe'")
            with open(os.path.join(self.project, "scripts/probe.lua"), "w") as file:
                file.write("probe = (2")
                file.flush()
                self.write("scripts/another.lua", "")
                for _ in range(5):
                    game.console.script("1")
                file.write(" + 1)\n")
            game.console.wait_until("probe", "3")
            self.expect_silence(game)

    def test_a_state_that_stays_wrong_is_told(self):
        with Game(self.project) as game:
            self.wait_for_boot(game)
            self.remove("scripts/many")
            self.save_main("scripts/other")
            game.console.wait_for_message(
                lambda m: m.get("level") == "error" and "scripts/other/s1" in m["message"])
            # And it ends when it is mended, without another save of the script that failed.
            for i in range(1, COUNT + 1):
                self.write(f"scripts/other/s{i}.lua", "return { value = 5 }\n")
            game.console.wait_until("sum()", str(COUNT * 5))


if __name__ == "__main__":
    unittest.main()
