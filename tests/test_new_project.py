"""`cuttle new`: what it writes runs at once, and it never writes over what is there."""

import os
import shlex
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, folder_bytes, last_json, read, write
from support_png import read_png

TEMPLATE = os.path.join(ROOT, "templates", "new")


class NewProject(TemporaryFolder):
    def test_writes_the_template(self):
        done = cuttle("new", self.path("game"), check=0)
        self.assertIn("cuttle run", done.stdout)
        self.assertEqual(done.stderr, "")
        expected = {path.replace("dot_", "."): data
                    for path, data in folder_bytes(TEMPLATE).items()}
        written = {path: data for path, data in folder_bytes(self.path("game")).items()
                   if not path.startswith(".luals/")}  # test_lua_api.py looks at these
        self.assertEqual(written, expected)
        self.assertIn(".gitignore", expected)

    def test_says_a_command_that_works_as_it_is(self):
        for name, quoted in (("game-1", "game-1"), ("My Game", "'My Game'"),
                             ("it's", "'it'\\''s'")):
            done = cuttle("new", name, check=0, cwd=self.path())
            self.assertEqual(done.stdout, f"made {name}; `cuttle run {quoted}` runs it\n")
            self.assertEqual(shlex.split(quoted), [name])

    def test_runs_at_once(self):
        project = self.new_project()
        picture = self.path("game.png")
        done = cuttle("run", project, "--headless", "--frames", "60", "--fixed-dt", "0.0166667",
                      "--size", "320x180", "--screenshot", picture, "--json", check=0)
        summary = last_json(done.stdout)
        self.assertEqual(summary["frames"], 60)
        self.assertGreaterEqual(summary["entities"], 9)
        self.assertGreaterEqual(summary["draws"], 5)
        self.assertNotIn("error", done.stderr.lower())
        seen = read_png(picture)
        self.assertEqual((seen.width, seen.height), (320, 180))
        self.assertGreater(seen.num_colors(), 1000)

    def test_the_cube_spins(self):
        project = self.new_project()
        pictures = []
        for frames in (2, 40):
            path = self.path(f"{frames}.png")
            cuttle("run", project, "--headless", "--frames", frames, "--fixed-dt", "0.0166667",
                   "--size", "160x90", "--screenshot", path, check=0)
            pictures.append(read_png(path))
        moved = [i for i in range(0, len(pictures[0].pixels), 3)
                 if pictures[0].pixels[i:i + 3] != pictures[1].pixels[i:i + 3]]
        self.assertGreater(len(moved), 100)
        # Nothing else moves: most of the picture stays as it is.
        self.assertLess(len(moved), 160 * 90 / 3)

    def test_fills_an_empty_folder(self):
        os.mkdir(self.path("empty"))
        cuttle("new", self.path("empty"), check=0)
        self.assertTrue(os.path.exists(self.path("empty", "settings.config")))

    def test_makes_folders_on_the_way(self):
        cuttle("new", self.path("a", "b", "c"), check=0)
        self.assertTrue(os.path.exists(self.path("a", "b", "c", "scripts", "main.lua")))

    def test_refuses_a_folder_that_is_not_empty(self):
        write(self.path("full", "mine.txt"), "mine")
        done = cuttle("new", self.path("full"), check=1)
        self.assertIn("not empty", done.stderr)
        self.assertEqual(folder_bytes(self.path("full")), {"mine.txt": b"mine"})

    def test_refuses_a_file(self):
        write(self.path("file"), "mine")
        done = cuttle("new", self.path("file"), check=1)
        self.assertIn("is not a folder", done.stderr)
        self.assertEqual(read(self.path("file")), "mine")

    def test_refuses_bad_command_lines(self):
        self.assertIn("DIR", cuttle("new", check=2).stderr)
        cuttle("new", self.path("one"), self.path("two"), check=2)
        cuttle("new", "--nonsense", self.path("one"), check=2)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
