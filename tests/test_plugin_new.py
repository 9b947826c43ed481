"""`cuttle new --plugin`, and what a plugin is built with: one line, CMake, pkg-config; from the build
folder and from an installed tree."""

import os
import re
import shutil
import subprocess
import unittest

from support_cuttle import BUILD, CUTTLE, ROOT, Game, TemporaryFolder, cuttle, read, write


class PluginNew(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()

    def run_command(self, *command, **options):
        done = subprocess.run(command, capture_output=True, text=True, **options)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout.strip()

    def library(self, name):
        return os.path.join(self.project, "plugins", name, f"{name}.so")

    def compile(self, name, flags):
        source = os.path.join(self.project, "plugins", name, f"{name}.c")
        self.run_command("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-g",
                         *flags, source, "-o", self.library(name))

    def build(self, name, prefix):
        folder = self.path("build " + os.path.basename(prefix))
        self.run_command("cmake", "-S", os.path.join(self.project, "plugins", name), "-B", folder,
                         f"-DCMAKE_PREFIX_PATH={prefix}")
        self.run_command("cmake", "--build", folder)

    def check_works(self):
        with Game(self.project) as game:
            script = game.console.script
            self.assertEqual(script("WindField.add(20, 22)"), "42", game.log())
            answer = game.console.command("plugin", "wind_field", "count")
            self.assertRegex(answer, r"^\d+ updates in ")
            self.assertIn("[wind_field] Hello.", game.log())
            self.assertEqual(game.quit(), 0)

    def test_one_line(self):
        made = cuttle("new", "--plugin", "wind_field", self.project, check=0).stdout
        self.assertIn(f"-o {self.project}/plugins/wind_field/wind_field.so", made)
        flags = cuttle("plugin", "--cflags", check=0).stdout.split()
        self.compile("wind_field", flags)
        self.check_works()
        # State stays when it is compiled again while the game runs.
        with Game(self.project) as game:
            game.console.wait_until("PluginManager.loaded_plugins()[1]", "wind_field")
            write(os.path.join(self.project, "plugins", "wind_field", "wind_field.c"),
                  read(os.path.join(self.project, "plugins", "wind_field", "wind_field.c"))
                  .replace("a + b", "a * b"))
            before = int(game.console.command("plugin", "wind_field", "count").split()[0])
            self.compile("wind_field", flags)
            game.console.wait_until("WindField.add(20, 22)", "440")
            self.assertGreaterEqual(
                int(game.console.command("plugin", "wind_field", "count").split()[0]), before)
            self.assertEqual(game.quit(), 0)

    def test_cmake_beside_the_build(self):
        cuttle("new", "--plugin", "wind_field", self.project, check=0)
        self.build("wind_field", cuttle("plugin", "--prefix", check=0).stdout.strip())
        self.check_works()

    def test_an_installed_tree(self):
        prefix = self.path("installed")
        self.run_command("cmake", "--install", BUILD, "--prefix", prefix, "--component", "plugin")
        cuttle("new", "--plugin", "wind_field", self.project, check=0)
        environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(prefix, "share", "pkgconfig")}
        flags = self.run_command("pkg-config", "--cflags", "cuttle-plugin", env=environment).split()
        self.assertEqual(flags, [f"-I{prefix}/include"])
        self.compile("wind_field", flags)
        self.check_works()
        os.remove(self.library("wind_field"))
        self.build("wind_field", prefix)
        self.check_works()
        headers = set(os.listdir(os.path.join(prefix, "include", "cuttle")))
        self.assertEqual(headers, set(os.listdir(os.path.join(ROOT, "include", "cuttle"))) - {"cuttle.h"})

    def test_settings_keep_their_text(self):
        settings = os.path.join(self.project, "settings.config")
        text = read(settings) + "\n// mine\nplugins = { old = { linux = \"old.so\" } } // here\n"
        write(settings, text)
        cuttle("new", "--plugin", "gust", self.project, check=0)
        changed = read(settings)
        self.assertIn('gust = { linux = "plugins/gust/gust.so" }', changed)
        self.assertEqual(re.sub(r" +gust = {[^}]*}", "", changed), text)

    def test_refusals(self):
        cuttle("new", "--plugin", "wind", self.project, check=0)
        before = read(os.path.join(self.project, "settings.config"))
        for arguments, message in ((("wind", self.project), "exists; nothing was written"),
                                   (("Wind", self.project), "is not the name of a plugin"),
                                   (("a" * 40, self.project), "is not the name of a plugin"),
                                   (("gust", self.folder), "is no project")):
            done = cuttle("new", "--plugin", *arguments, check=1)
            self.assertIn(message, done.stderr)
        self.assertEqual(read(os.path.join(self.project, "settings.config")), before)
        write(os.path.join(self.project, "settings.config"), "plugins = [")
        self.assertIn("settings.config:1:", cuttle("new", "--plugin", "gust", self.project,
                                                   check=1).stderr)
        self.assertFalse(os.path.exists(os.path.join(self.project, "plugins", "gust")))
        self.assertEqual(cuttle("new", "--plugin", "x", "--menu", self.project).returncode, 2)
        self.assertEqual(cuttle("plugin").returncode, 2)

    def test_headers_and_core_come_with_the_program(self):
        """`./run` and docs/embedding.md build the target cuttle alone."""
        needed = self.run_command("ninja", "-C", BUILD, "-t", "query", "cuttle").partition("outputs:")[0]
        for link in ("core_link", "include_link"):
            self.assertIn(link, needed)

    def test_without_headers(self):
        folder = self.path("bin")
        os.makedirs(folder)
        shutil.copy2(CUTTLE, folder)
        done = subprocess.run([os.path.join(folder, "cuttle"), "plugin", "--cflags"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the headers of plugins are not beside", done.stderr)


if __name__ == "__main__":
    unittest.main()
