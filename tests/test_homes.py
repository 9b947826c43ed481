"""No test finds or leaves anything in the home of the user who runs it."""

import json
import os
import subprocess
import unittest

from support_cuttle import BUILD, Game, TemporaryFolder

FOLDERS = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


class Homes(TemporaryFolder):
    def test_every_test_has_folders_of_its_own(self):
        done = subprocess.run(["ctest", "--show-only=json-v1"], cwd=BUILD, check=True, timeout=60,
                              capture_output=True, text=True)
        tests = json.loads(done.stdout)["tests"]
        self.assertGreater(len(tests), 100)
        homes = set()
        for test in tests:
            found = next(p["value"] for p in test["properties"] if p["name"] == "ENVIRONMENT")
            environment = dict(pair.split("=", 1) for pair in found)
            for name in FOLDERS:
                self.assertTrue(environment.get(name, "").startswith(BUILD + os.sep),
                                f"{test['name']}: {name}")
            homes.add(environment["HOME"])
        self.assertEqual(len(homes), len(tests))

    def test_those_by_hand_too(self):
        for name in FOLDERS:
            self.assertTrue(os.environ[name].startswith(BUILD + os.sep), name)

    def test_what_a_game_keeps_goes_there(self):
        kept = os.path.join(os.environ["XDG_DATA_HOME"], "cuttle", "homes", "user_settings.json")
        if os.path.exists(kept):
            os.remove(kept)
        with Game(self.compiled_project("homes"), "--size", "96x54") as game:
            game.console.script("Application.set_user_setting('volume', 1)\n"
                                "Application.save_user_settings()")
            self.assertEqual(game.quit(), 0)
        self.assertTrue(os.path.exists(kept))


if __name__ == "__main__":
    unittest.main()
