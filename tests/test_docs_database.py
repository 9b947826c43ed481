"""docs/database.md: its commands and scripts are run as they are there, with a sample that has an odd picture."""

import json
import os
import re
import shlex
import subprocess
import sys
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder, read, write
from support_png import Picture, write_png

PAGE = read(os.path.join(ROOT, "docs", "database.md"))


REFERENCE = read(os.path.join(ROOT, "docs", "formats", "object_database.md"))
LEVEL = 'units = [\n    { id = "lantern" unit = "units/lantern" position = [0 0 3] } // by the door\n]\n'
UNIT = ('components = [\n    { id = "place" type = "transform" }\n'
        '    { id = "light" type = "light" intensity = 200 }\n]\n')


def code(name):
    """The block of code with this name."""
    return re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", PAGE, re.S | re.M)[1]


def commands(heading):
    """The commands of all blocks of sh below a heading, without comments, as lists of words."""
    part = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = "".join(re.findall(r"^```sh\n(.*?)^```$", part, re.S | re.M)).splitlines()
    return [shlex.split(line, comments=True) for line in lines]


class DatabasePage(TemporaryFolder):
    def run_in(self, *command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=LIMIT,
                              env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "tools"),
                                   "PATH": os.path.dirname(CUTTLE) + os.pathsep + os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def change(self, name, guid):
        write(self.path(name), code(name).replace("GUID", guid))

    def level(self, folder):
        return read(os.path.join(self.folder, folder, "levels", "yard.level"))

    def test_the_batch_scripts_find_odd_textures(self):
        sample = self.copy_sample("crates", with_core_data=False)
        odd = os.path.join(sample, "textures", "odd.png")
        write(self.path("odd_textures.lua"), code("odd_textures.lua"))
        write(self.path("odd_textures.py"), code("odd_textures.py"))
        load, query, by_lua = commands("Find textures that are not a power of two")
        self.run_in(*load[:-1], sample)
        self.assertIn(json.loads(code("picture")), [json.loads(line) for line in self.run_in(*query).splitlines()])
        write_png(odd, Picture(24, 16, bytes(3 * 24 * 16)))
        self.run_in(*load[:-1], sample)
        found = self.run_in(*by_lua).splitlines()
        by_python = self.run_in(sys.executable, "odd_textures.py", "crates.db").splitlines()
        self.assertIn("textures/odd.png is 24 by 16", found)
        self.assertEqual(set(by_python), {line for line in found if ".png" in line})

    def test_the_how_to_runs(self):
        project = self.new_project("mygame")
        write(os.path.join(project, "levels", "yard.level"), LEVEL)
        write(os.path.join(project, "units", "lantern.unit"), UNIT)
        load, query, change, export = commands("Change something, and get the files back")
        self.run_in(*load)
        printed = self.run_in(*query)
        guid = json.loads(printed)["object"]
        self.assertIn(printed.replace(guid, "GUID"), PAGE)
        self.change("higher.txt", guid)
        self.run_in(*change)
        self.run_in(*export)
        self.assertEqual(self.level("mygame"), LEVEL.replace("[0 0 3]", "[0 0 4]"))
        self.assertIn("Higher", self.run_in("cuttle", "db", "log", "game.db"))

        team = commands("Work with others")
        new, merge, export_mine, import_mine, push = team[:5]
        for command in (new, merge, export_mine):
            self.run_in(*command)
        self.assertEqual(self.level("mine"), self.level("mygame"))
        write(os.path.join(self.folder, "mine", "levels", "yard.level"),
              self.level("mine").replace("by the door", "at the gate"))
        for command in (import_mine, push, export):
            self.run_in(*command)
        self.assertIn("at the gate", self.level("mygame"))
        for verb, location in (line[2:4] for line in team):
            self.assertIn((verb, location), (("new", "mine.db"), ("merge", "mine.db"), ("export", "mine.db"),
                                             ("import", "mine.db"), ("push", "mine.db"), ("push", "game.db"),
                                             ("conflicts", "mine.db")))

        where = shlex.split(re.search(r"`(--file units\S+ --at \S+)`", PAGE)[1])
        light = json.loads(self.run_in("cuttle", "db", "query", "game.db", *where))
        self.assertEqual((light["key"], light["value"]), ("intensity", 200))
        self.change("darker.txt", light["object"])
        branch, darker, diff, export_night, into_main = commands("Try something first")
        self.run_in(*branch)
        self.run_in(*darker)
        self.assertEqual(self.run_in(*diff), code("darker.txt").replace("GUID", light["object"]))
        self.run_in(*export_night)
        self.run_in("cuttle", "compile", "night")
        self.assertIn("intensity = 20 ", read(os.path.join(self.folder, "night", "units", "lantern.unit")))
        self.run_in(*into_main)
        self.run_in(*export)
        self.assertIn("intensity = 20 ", read(os.path.join(project, "units", "lantern.unit")))


class ReferencePage(unittest.TestCase):
    def test_has_all_functions(self):
        requests = re.findall(r'\{"(\w+)", answer_', read(os.path.join(ROOT, "src", "cli", "db", "db_session.c")))
        self.assertGreater(len(requests), 8)
        self.assertEqual(set(re.findall(r"^\| `(\w+)[^|]*\| [^|]*\| `?db", REFERENCE, re.M)), set(requests))
        module = read(os.path.join(ROOT, "src", "lua", "database", "lua_database.c")).split("luaL_Reg functions")[1]
        self.assertEqual(set(re.findall(r"`Database\.(\w+)", REFERENCE)), set(re.findall(r'\{"(\w+)", \w+\}', module)))
        client = read(os.path.join(ROOT, "tools", "cuttle_db.py")).split("class Database:")[1]
        methods = set(re.findall(r"    def ([a-z]\w*)\(self", client)) - {"close", "ask"}
        self.assertEqual(set(re.findall(r"`db\.(\w+)", REFERENCE)), methods)


if __name__ == "__main__":
    unittest.main()
