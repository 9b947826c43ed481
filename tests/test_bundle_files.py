"""What lies beside a bundle's data: the desktop file, the icon, the list of libraries."""

import os
import re
import subprocess
import unittest

from support_bundle import BundleFolder, with_player
from support_cuttle import read, write

TITLE = "A \"b\" \\ $c; Gr\u00f6\u00dfe %d"


def desktop_keys(path):
    """The keys of a desktop file, with the escapes of values undone (Desktop Entry, 4)."""
    lines = read(path).splitlines()
    assert lines[0] == "[Desktop Entry]", lines
    keys = {}
    for line in lines[1:]:
        name, value = line.split("=", 1)
        assert name not in keys, line
        keys[name] = (value.replace("\\\\", "\0").replace("\\s", " ").replace("\\n", "\n")
                      .replace("\0", "\\"))
    return keys


def command_of(value, desktop_file):
    """The arguments of an Exec value: quoted ones have a backslash before ", `, $ and \\."""
    arguments = []
    for quoted, plain in re.findall(r'"((?:[^"`$\\]|\\["`$\\])*)"(?= |$)|(\S+)', value):
        assert not set(plain) & set("\"'\\><~|&;$*?#()`"), value  # these are to be quoted
        arguments.append(desktop_file if plain == "%k" else
                         re.sub(r"\\(.)", r"\1", quoted) if quoted else plain)
    return arguments


@with_player
class BundleFiles(BundleFolder):
    def setUp(self):
        super().setUp()
        settings = self.path("game", "settings.config")
        quoted = TITLE.replace("\\", "\\\\").replace("\"", "\\\"")
        self.assertIn("title = \"A new game\"", read(settings))
        write(settings, read(settings).replace("title = \"A new game\"", f"title = \"{quoted}\""))
        self.bundle()
        self.desktop = os.path.join(self.target, "game.desktop")

    def test_the_desktop_file_is_valid(self):
        done = subprocess.run(["desktop-file-validate", self.desktop], capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        keys = desktop_keys(self.desktop)
        self.assertEqual(keys["Name"], TITLE)
        self.assertEqual(keys["Icon"], "game")  # a name in icon themes; files cannot be beside it
        self.assertTrue(os.access(self.desktop, os.X_OK))

    def test_the_desktop_file_starts_the_game_beside_it(self):
        game = os.path.join(self.target, "game")
        os.remove(game)
        write(game, "#!/bin/sh\necho started \"$0\" $#\n")
        os.chmod(game, 0o755)
        moved = self.path("it's $a \"folder\"")
        os.rename(self.target, moved)
        desktop = os.path.join(moved, "game.desktop")
        link = self.path("linked.desktop")
        os.symlink(desktop, link)
        value = desktop_keys(desktop)["Exec"]
        for place in (desktop, link, "file://" + desktop):
            done = subprocess.run(command_of(value, place), capture_output=True, text=True, cwd="/")
            self.assertEqual((done.stdout, done.stderr), (f"started {moved}/game 0\n", ""))

    def test_every_library_has_its_package(self):
        lines = [line for line in read(os.path.join(self.target, "libraries.txt")).splitlines()
                 if not line.startswith("#")]
        self.assertGreater(len(lines), 5)
        for line in lines:
            self.assertRegex(line, r"^\S+\.so\S* +[a-z]\S+")


if __name__ == "__main__":
    unittest.main()
