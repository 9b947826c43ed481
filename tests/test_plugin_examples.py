"""The plugins in C++ and Rust, built as their README says."""

import os
import re
import shutil
import subprocess
import unittest

from support_cuttle import BUILD, ROOT, Game, TemporaryFolder, read
from support_plugins import list_plugins

EXAMPLES = os.path.join(ROOT, "examples", "plugins")


class PluginExamples(TemporaryFolder):
    def build(self, language):
        """Runs the block of the README that compiles this language's file; returns a project with the
        library."""
        project = self.compiled_project()
        folder = self.path("examples")
        shutil.copytree(EXAMPLES, folder)
        blocks = re.findall(r"```sh\n(.*?)```", read(os.path.join(EXAMPLES, "README.md")), re.S)
        block, = [b for b in blocks if f" {language}/" in b]
        # Debian's compiler, whichever others there are.
        environment = {**os.environ, "PATH": f"{BUILD}:/usr/bin:/bin:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-e", "-c", block], cwd=folder, env=environment,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        os.makedirs(os.path.join(project, "plugins"))
        shutil.copy(os.path.join(folder, "words.so"), os.path.join(project, "plugins"))
        list_plugins(project, "words")
        return project

    def check(self, language):
        with Game(self.build(language)) as game:
            script = game.console.script
            self.assertEqual(script("Words.count('one two  three ')"), "3", game.log())
            self.assertEqual(script("Words.count('')"), "0")
            self.assertIn("Words.count: argument 1 (text): expected string",
                          script("select(2, pcall(Words.count, 5))"))
            script("PluginManager.reload_plugin('words')")
            self.assertEqual(script("Words.count('one')"), "1")
            self.assertEqual(game.quit(), 0)

    def test_cpp(self):
        self.check("cpp")

    def test_rust(self):
        self.check("rust")

    def test_errors_of_lua_run_destructors_of_cpp(self):
        folder = self.path("examples")
        shutil.copytree(EXAMPLES, folder)
        source = os.path.join(folder, "cpp", "words.cc")
        text = read(source).replace("int count(lua_State *L) {", """int ended = 0;
struct Guard {
    ~Guard() { ++ended; }
};
int count(lua_State *L) {
    Guard guard;
    if (lua->type(L, 1) == CUTTLE_LUA_BOOLEAN) throw 5;""").replace(
            "lua->push_number(L, number)", "lua->push_number(L, number * 100 + ended)")
        with open(source, "w") as file:
            file.write(text)
        project = self.compiled_project()
        os.makedirs(os.path.join(project, "plugins"))
        subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", "-I", os.path.join(ROOT, "include"),
                        source, "-o", os.path.join(project, "plugins", "words.so")], check=True)
        list_plugins(project, "words")
        with Game(project) as game:
            script = game.console.script
            self.assertEqual(script("Words.count('a b')"), "200", game.log())  # its own lives still
            script("pcall(Words.count, 5)")
            self.assertEqual(script("Words.count('a b')"), "202")
            # An exception is an error of Lua, too.
            self.assertIn("C++ exception", script("tostring(select(2, pcall(Words.count, true)))"))
            self.assertEqual(script("Words.count('a b')"), "204")
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
