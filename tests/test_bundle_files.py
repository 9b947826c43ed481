"""What lies beside a bundle's data: the desktop file, the icon, the list of libraries."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

from support_bundle import BundleFolder, with_player
from support_cuttle import BUILD, ROOT, folder_bytes, read, write
from support_png import Picture, write_png

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
        assert "%" not in quoted, value  # codes within quotes are undefined
        if plain != "%k":
            arguments.append(re.sub(r"\\(.)", r"\1", quoted) if quoted else plain)
        elif desktop_file is not None:
            arguments.append(desktop_file)
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
        write(game, "#!/bin/sh\nprintf 'started %s %s\\n' \"$0\" $#\n")
        os.chmod(game, 0o755)
        moved = self.path("it's $a \"folder\" \u00e4 100%41 a\\nb")
        os.rename(self.target, moved)
        desktop = os.path.join(moved, "game.desktop")
        link = self.path("linked.desktop")
        os.symlink(desktop, link)
        value = desktop_keys(desktop)["Exec"]
        uri = pathlib.Path(desktop).as_uri()
        self.assertIn("%20%C3%A4%20100%2541%20a%5Cnb/", uri)
        for place in (desktop, link, uri, uri.replace("file://", "file://localhost", 1)):
            done = subprocess.run(command_of(value, place), capture_output=True, text=True, cwd="/")
            self.assertEqual((done.stdout, done.stderr), (f"started {moved}/game 0\n", ""))
        # Whoever does not say where the file lies starts it in its own folder.
        done = subprocess.run(command_of(value, None), capture_output=True, text=True, cwd=moved)
        self.assertEqual((done.stdout, done.stderr), (f"started {moved}/game 0\n", ""))

    def refuse_icon(self, message):
        before = folder_bytes(self.target)
        done = self.bundle(check=1)
        self.assertIn(f"{self.icon}: error: the icon is {message}", done.stderr)
        self.assertTrue(folder_bytes(self.target) == before)
        if os.path.isdir(self.icon) and not os.path.islink(self.icon):
            os.rmdir(self.icon)
        else:
            os.remove(self.icon)

    def test_the_icon_is_a_png_file_of_the_project(self):
        shipped = os.path.join(self.target, "game.png")
        self.icon = self.path("game", "icon.png")
        picture = self.path("game", "picture.png")
        write_png(picture, Picture(2, 2, bytes(12)))
        os.symlink("picture.png", self.icon)  # within the project it may be a link
        self.bundle()
        self.assertEqual(read(shipped, "rb"), read(picture, "rb"))
        os.remove(self.icon)
        os.symlink("/etc/passwd", self.icon)
        self.refuse_icon("a link that leads out of the project")
        outside = self.path("outside.png")
        write_png(outside, Picture(2, 2, bytes(12)))
        os.symlink(outside, self.icon)
        self.refuse_icon("a link that leads out of the project")
        os.symlink("nothing.png", self.icon)
        self.refuse_icon("a link to nothing; expected a PNG file")
        os.mkdir(self.icon)
        self.refuse_icon("a folder; expected a PNG file")
        os.mkfifo(self.icon)
        self.refuse_icon("not a regular file; expected a PNG file")
        write(self.icon, "P3 1 1 255 0 0 0\n")
        self.refuse_icon("invalid: found a file of another format; expected a PNG picture")
        write(self.icon, read(picture, "rb")[:-5])
        self.refuse_icon("invalid: found a PNG file that ends too early")
        self.bundle()
        self.assertEqual(read(shipped, "rb"), read(os.path.join(ROOT, "core", "icon.png"), "rb"))

    def test_every_library_has_its_package(self):
        lines = [line for line in read(os.path.join(self.target, "libraries.txt")).splitlines()
                 if not line.startswith("#")]
        self.assertGreater(len(lines), 5)
        for line in lines:
            self.assertRegex(line, r"^\S+\.so\S* +[a-z]\S+")
        listed = {line.split()[0] for line in lines}
        player = read(os.path.join(BUILD, "cuttle-player"), "rb")
        named = {name.decode() for name in re.findall(rb"\0(lib[\w.+-]+\.so\.[\d.]+)\0", player)}
        self.assertIn("libvulkan.so.1", named)
        self.assertEqual(named - listed, set(), "named by the player, and not in libraries.txt")

    def test_a_build_without_the_player_says_what_builds_it(self):
        for name in ("cuttle", "cuttle-worker"):
            shutil.copy2(os.path.join(BUILD, name), self.path(name))
        os.symlink(os.path.join(ROOT, "core"), self.path("core"))
        done = subprocess.run([self.path("cuttle"), "bundle", self.project, "-o",
                               self.path("without")], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("--target cuttle-player", done.stderr)
        self.assertFalse(os.path.exists(self.path("without")))


if __name__ == "__main__":
    unittest.main()
