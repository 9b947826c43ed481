"""docs/plugins.md works as it is written."""

import os
import re
import subprocess
import unittest

from support_cuttle import BUILD, ROOT, Game, TemporaryFolder, read, write

PAGE = read(os.path.join(ROOT, "docs", "plugins.md"))


class Page(TemporaryFolder):
    def run_lines(self, text):
        environment = {**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-e", "-c", text], cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_how_to(self):
        make, use = re.findall(r"(?ms)^```sh\n(.*?)^```$", PAGE)
        self.run_lines(make)
        settings = re.search(r"(?ms)^```\n(plugins = .*?)^```$", PAGE)[1]
        self.assertIn(settings, read(self.path("mygame", "settings.config")))
        run, *calls = use.splitlines()
        self.assertEqual(run, "cuttle run mygame")
        with Game(self.path("mygame")) as game:
            answers = [self.run_lines(line.replace("cuttle console",
                                                   f"cuttle console 127.0.0.1:{game.port}")).strip()
                       for line in calls]
            self.assertEqual(answers[0], "42")
            self.assertRegex(answers[1], r"^\d+ updates in ")
            source = self.path("mygame", "plugins", "wind", "wind.c")
            write(source, read(source).replace("a + b", "a * b"))
            self.run_lines(make.splitlines()[2])
            game.console.wait_until("Wind.add(20, 22)", "440")
            count = int(game.console.command("plugin", "wind", "count").split()[0])
            self.assertGreaterEqual(count, int(answers[1].split()[0]))
            self.assertIn("function Wind.add(a, b) end",
                          read(self.path("mygame", ".luals", "plugins.lua")))
            self.assertEqual(game.quit(), 0)

    def test_the_whole_of_a_small_one(self):
        source = re.search(r"(?ms)^```c\n(// mygame/plugins/test.c.*?)^```$", PAGE)[1]
        self.run_lines("cuttle new mygame")
        write(self.path("mygame", "plugins", "test.c"), source)
        self.run_lines("cc -std=c11 -Wall -Wextra -Werror -shared -fPIC $(cuttle plugin --cflags) "
                       "mygame/plugins/test.c -o mygame/plugins/test.so")
        with open(self.path("mygame", "settings.config"), "a") as file:
            file.write('plugins = { test = { linux = "plugins/test.so" } }\n')
        with Game(self.path("mygame")) as game:
            self.assertEqual(game.console.script("Plugin.test(1, 2)"), "3")
            self.assertEqual(game.quit(), 0)

    def test_all_headers_are_named(self):
        for header in os.listdir(os.path.join(ROOT, "include", "cuttle")):
            if header not in ("types.h", "cuttle.h"):  # of all, and of libcuttle
                self.assertIn(f"`{header}`", PAGE, header)


if __name__ == "__main__":
    unittest.main()
