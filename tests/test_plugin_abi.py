"""The interfaces of plugins: headers that stand alone, frozen layouts, all versions in the game."""

import os
import re
import shutil
import subprocess
import sys
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, read, write
from support_plugins import build_plugin, list_plugins

import plugin_abi  # support_cuttle knows where it is

INCLUDE = os.path.join(ROOT, "include")

# Asks for every interface of every version, and looks at every function of it.
ASK = """
#include <cuttle/log.h>
#include <stdio.h>
typedef void (*function)(void);
static const struct { const char *name; uint32_t version, bytes; } all[] = { ROWS };
static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    const cuttle_log_api_1 *const log = get_api(CUTTLE_LOG_API, 1);
    const unsigned count = sizeof(all) / sizeof(all[0]);
    for (unsigned i = 0; i < count; ++i) {
        const function *const functions = (const function *)get_api(all[i].name, all[i].version);
        if (!functions)
            return log->set_error(error, "no %s %u", all[i].name, all[i].version);
        for (unsigned k = 0; k < all[i].bytes / sizeof(function); ++k)
            if (!functions[k])
                return log->set_error(error, "%s %u has no function %u", all[i].name,
                                      all[i].version, k);
    }
    log->info(self, "%u interfaces are complete", count);
    return true;
}
"""


class PluginAbi(TemporaryFolder):
    def compile(self, *command, text):
        return subprocess.run([*command, "-I", INCLUDE, "-fsyntax-only", "-"], input=text, text=True,
                              capture_output=True)

    def test_headers_stand_alone(self):
        flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        for header in plugin_abi.headers(INCLUDE):
            text = f"#include <cuttle/{header}>\n"
            for command in (["gcc", "-std=c11", "-x", "c"], ["clang", "-std=c11", "-x", "c"],
                            ["g++", "-std=c++11", "-x", "c++"], ["clang", "-std=c++11", "-x", "c++"]):
                done = self.compile(*command, *flags, text=text)
                self.assertEqual(done.returncode, 0, f"{command} {header}: {done.stderr}")
            used = {line.split()[1] for line in read(os.path.join(INCLUDE, "cuttle", header)).splitlines()
                    if line.startswith("#include")}
            foreign = {name for name in used if not name.startswith("<cuttle/")}
            self.assertLessEqual(foreign, {"<stdbool.h>", "<stddef.h>", "<stdint.h>", "<stdarg.h>"}, header)

    def test_interfaces_are_as_they_were_frozen(self):
        described = plugin_abi.describe(INCLUDE, self.folder)
        self.assertEqual(plugin_abi.compare(os.path.join(ROOT, plugin_abi.FROZEN), described), "")
        frozen = read(os.path.join(ROOT, plugin_abi.FROZEN))
        for kind, _, _ in plugin_abi.interfaces(INCLUDE):
            self.assertIn(f"'{kind}_object'", frozen, "tools/plugin_abi.py --write freezes it")

    def test_types_are_of_use(self):
        """An enum or a struct that no function takes, returns or stores is a promise without a reason."""
        text = "".join(read(os.path.join(INCLUDE, "cuttle", name)) for name in plugin_abi.headers(INCLUDE))
        for name in re.findall(r"^(?:typedef .*|} )\b(cuttle_\w+);", text, re.M):
            uses = len(re.findall(rf"\b{name}\b", text)) - len(
                re.findall(rf"^(?:typedef \w+ {name} {{|}} {name};|typedef struct {name} {name};)", text, re.M))
            self.assertTrue(name.endswith(("_api_1", "_api_2")) or uses > 0, f"nothing uses {name}")

    def test_each_kind_of_change_is_found(self):
        first = "    uint64_t (*frame)(cuttle_plugin *self);\n"
        second = "    double (*time)(cuttle_plugin *self);\n"
        changes = {
            "another type": lambda text: text.replace(first, first.replace("uint64_t", "uint32_t")),
            "another argument": lambda text: text.replace("(*quit)(cuttle_plugin *self, int exit_code)",
                                                          "(*quit)(cuttle_plugin *self)"),
            "a function less": lambda text: text.replace(second, ""),
            "a function in between": lambda text: text.replace(second, "    void (*a)(void);\n" + second),
            "a function at the end": lambda text: text.replace("} cuttle_app_api_1",
                                                               "    void (*a)(void);\n} cuttle_app_api_1"),
            "another version": lambda text: text.replace("cuttle_app_api_1", "cuttle_app_api_2"),
        }
        for name, change in changes.items():
            include = self.path("include")
            shutil.rmtree(include, True)
            shutil.copytree(INCLUDE, include)
            path = os.path.join(include, "cuttle", "app.h")
            changed = change(read(path))
            self.assertNotEqual(changed, read(path), name)
            write(path, changed)
            done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "plugin_abi.py"),
                                   "--include", include], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, f"{name}: {done.stdout}{done.stderr}")
            self.assertIn("cuttle_app_api_1", done.stderr, name)
        for old, new in (("CUTTLE_LUA_ERROR = -1", "CUTTLE_LUA_ERROR = -2"),
                         ('CUTTLE_LUA_API "lua"', 'CUTTLE_LUA_API "luaa"'),
                         ("    CUTTLE_LUA_NIL,\n", "")):
            include = self.path("include")
            shutil.rmtree(include, True)
            shutil.copytree(INCLUDE, include)
            header = os.path.join(include, "cuttle", "lua.h")
            self.assertIn(old, read(header))
            write(header, read(header).replace(old, new))
            found = plugin_abi.values(include, self.folder)
            frozen = read(os.path.join(ROOT, plugin_abi.FROZEN_VALUES)).splitlines()
            self.assertIn("CUTTLE_LUA_", plugin_abi.compare_values(frozen, found), old)
        # A new version beside the old one is no change.
        write(path, read(os.path.join(INCLUDE, "cuttle", "app.h")).replace(
            "#ifdef __cplusplus\n}", "typedef struct cuttle_app_api_2 {\n    int (*a)(void);\n"
            "} cuttle_app_api_2;\n\n#ifdef __cplusplus\n}"))
        described = plugin_abi.describe(include, self.folder)
        self.assertEqual(plugin_abi.compare(os.path.join(ROOT, plugin_abi.FROZEN), described), "")

    def test_headers_of_all_versions_are_kept(self):
        self.assertEqual(plugin_abi.check_copies(ROOT, self.folder), ("", ""))
        root = self.path("root")
        include = os.path.join(root, "include")
        shutil.copytree(os.path.join(ROOT, plugin_abi.KEPT), os.path.join(root, plugin_abi.KEPT))
        shutil.copytree(INCLUDE, include)

        def run(*arguments):
            done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "plugin_abi.py"), "--root", root,
                                   "--include", include, *arguments], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

        def copies():
            return [number for number, _ in plugin_abi.kept(root)]

        first = copies()
        self.assertEqual(run("--write")[0], 0)
        self.assertEqual(copies(), first)
        # What is new is kept once, beside the copies that there are.
        path = os.path.join(include, "cuttle", "app.h")
        write(path, read(path).replace("#ifdef __cplusplus\n}", "typedef struct cuttle_app_api_2 {\n"
                                       "    int (*a)(void);\n} cuttle_app_api_2;\n\n#ifdef __cplusplus\n}"))
        self.assertEqual(run("--write")[0], 0)
        self.assertEqual(run("--write")[0], 0)
        self.assertEqual(copies(), [*first, first[-1] + 1])
        newest = os.path.join(root, plugin_abi.KEPT, f"v{copies()[-1]}", "cuttle", "app.h")
        self.assertEqual(read(newest), read(path))
        # A copy that was changed, or taken away, is found.
        oldest = os.path.join(root, plugin_abi.KEPT, "v1", "cuttle", "app.h")
        text = read(oldest)
        write(oldest, text.replace("double (*time)", "float (*time)"))
        code, told = run()
        self.assertEqual(code, 1)
        self.assertIn("v1 is not what was frozen", told)
        write(oldest, text)
        shutil.rmtree(os.path.dirname(os.path.dirname(newest)))
        code, told = run()
        self.assertEqual(code, 1)
        self.assertIn("cuttle_app_api_2", told)

    def test_the_game_has_every_version(self):
        # "compiler" is for workers, where test_plugin_compile.py uses each of its functions.
        rows = ", ".join(f'{{"{name}", {version}, sizeof({kind})}}'
                         for kind, name, version in plugin_abi.interfaces(INCLUDE)
                         if name not in ("plugin", "compiler"))
        includes = "".join(f"#include <cuttle/{header}>\n" for header in plugin_abi.headers(INCLUDE))
        project = self.compiled_project()
        build_plugin(project, "ask", includes + ASK.replace("ROWS", rows))
        list_plugins(project, "ask")
        with Game(project) as game:
            self.assertEqual(game.console.script("#PluginManager.loaded_plugins()"), "1", game.log())
            self.assertIn("interfaces are complete", game.log())
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
