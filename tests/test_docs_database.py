"""docs/database.md: its commands and scripts are run as they are there, with a sample that has an odd picture."""

import json
import os
import re
import subprocess
import sys
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder, read, write
from support_png import Picture, write_png

PAGE = read(os.path.join(ROOT, "docs", "database.md"))


def code(name):
    """The block of code with this name."""
    return re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", PAGE, re.S | re.M)[1]


class DatabasePage(TemporaryFolder):
    def run_in(self, *command, text=None):
        done = subprocess.run(command, cwd=self.folder, input=text, capture_output=True, text=True, timeout=LIMIT,
                              env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "tools"),
                                   "PATH": os.path.dirname(CUTTLE) + os.pathsep + os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_batch_scripts_find_odd_textures(self):
        sample = self.copy_sample("crates", with_core_data=False)
        write_png(os.path.join(sample, "textures", "odd.png"), Picture(24, 16, bytes(3 * 24 * 16)))
        for line in re.findall(r"^cuttle db (?:import|query game\.db --type).*$", PAGE, re.M):
            self.run_in(*line.replace("samples/crates", sample).split())
        write(self.path("odd_textures.lua"), code("odd_textures.lua"))
        write(self.path("odd_textures.py"), code("odd_textures.py"))
        by_lua = self.run_in("cuttle", "db", "lua", "game.db", "odd_textures.lua").splitlines()
        by_python = self.run_in(sys.executable, "odd_textures.py", "game.db").splitlines()
        self.assertIn("textures/odd.png is 24 by 16", by_lua)
        self.assertEqual(set(by_python), {line for line in by_lua if ".png" in line})

    def test_a_level_is_changed_in_the_database(self):
        project = self.new_project("mygame")
        write(os.path.join(project, "levels", "yard.level"),
              'units = [\n    { id = "lantern" unit = "units/lantern" position = [0 0 3] } // by the door\n]\n')
        write(os.path.join(project, "units", "lantern.unit"), 'components = [ { id = "place" type = "transform" } ]\n')
        self.run_in("cuttle", "db", "import", "game.db", "mygame")
        found = [json.loads(line) for line in self.run_in("cuttle", "db", "query", "game.db", "--key", "unit",
                                                          "--value", '"units/lantern"').splitlines()]
        self.assertEqual(len(found), 1)
        change = code("higher.txt").replace("GUID", found[0]["object"])
        self.run_in("cuttle", "db", "change", "game.db", "--message", "Higher", text=change)
        self.run_in("cuttle", "db", "export", "game.db", "mygame")
        self.assertEqual(read(os.path.join(project, "levels", "yard.level")),
                         'units = [\n    { id = "lantern" unit = "units/lantern" position = [0 0 4] } // by the door\n]\n')
        self.assertIn("Higher", self.run_in("cuttle", "db", "log", "game.db"))


if __name__ == "__main__":
    unittest.main()
