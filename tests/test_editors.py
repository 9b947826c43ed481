"""What editors need: the extension of VS Code, and the settings that `cuttle new` writes."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import zipfile

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder, read, write

EXTENSION = os.path.join(ROOT, "tools", "vscode")
TEMPLATE = os.path.join(ROOT, "templates", "new")

# Stands for VS Code: keeps what the extension registers, then asks it as VS Code does.
HOST = """
const kept = {};
const vscode = {
    workspace: { getConfiguration: () => ({ get: (key, other) => process.env.PROGRAM || other }) },
    debug: {
        registerDebugAdapterDescriptorFactory: (type, factory) => (kept[type] = factory),
        registerDebugConfigurationProvider: (type, provider) => (kept.provider = provider),
    },
    DebugAdapterExecutable: class {
        constructor(command, args, options) { Object.assign(this, { command, args, options }); }
    },
};
const Module = require("module");
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);
const context = { subscriptions: [] };
require(process.argv[2]).activate(context);
const folder = { uri: { fsPath: "/games/mine" } };
console.log(JSON.stringify({
    subscriptions: context.subscriptions.length,
    adapter: kept.cuttle.createDebugAdapterDescriptor({ workspaceFolder: folder }),
    alone: kept.cuttle.createDebugAdapterDescriptor({}),
    empty: kept.provider.resolveDebugConfiguration(folder, {}),
    full: kept.provider.resolveDebugConfiguration(folder, { type: "cuttle", request: "attach" }),
}));
"""


def without_comments(text):
    return re.sub(r"(?m)^\s*//.*$", "", text)


class Editors(TemporaryFolder):
    def test_the_package_of_the_extension_is_whole(self):
        target = self.path("cuttle.vsix")
        subprocess.run([sys.executable, os.path.join(EXTENSION, "package.py"), target], check=True,
                       stdout=subprocess.DEVNULL)
        with zipfile.ZipFile(target) as archive:
            self.assertIsNone(archive.testzip())
            names = set(archive.namelist())
            package = json.loads(archive.read("extension/package.json"))
            manifest = archive.read("extension.vsixmanifest").decode()
        self.assertIn("[Content_Types].xml", names)
        self.assertIn("extension/" + os.path.basename(package["main"]), names)
        for path in re.findall(r'Path="([^"]+)"', manifest):
            self.assertIn(path, names)
        self.assertIn(f'Id="{package["name"]}"', manifest)

    def test_the_extension_starts_the_adapter(self):
        node = shutil.which("node") or shutil.which("nodejs")
        if not node:
            self.skipTest("needs nodejs")
        host = self.path("host.js")
        with open(host, "w", encoding="utf-8") as file:
            file.write(HOST)
        for program in ("", "/opt/cuttle"):
            done = subprocess.run([node, host, os.path.join(EXTENSION, "extension.js")], check=True,
                                  capture_output=True, text=True,
                                  env={**os.environ, "PROGRAM": program})
            said = json.loads(done.stdout)
            self.assertEqual(said["subscriptions"], 2)
            self.assertEqual(said["adapter"], {"command": program or "cuttle", "args": ["debug"],
                                               "options": {"cwd": "/games/mine"}})
            self.assertEqual(said["alone"]["options"], {})
            self.assertEqual(said["empty"]["request"], "launch")
            self.assertEqual(said["empty"]["project"], "/games/mine")
            self.assertEqual(said["full"], {"type": "cuttle", "request": "attach"})

    def test_the_template_uses_what_the_extension_offers(self):
        package = json.loads(read(os.path.join(EXTENSION, "package.json")))
        offered = package["contributes"]["debuggers"][0]
        launch = json.loads(without_comments(
            read(os.path.join(TEMPLATE, "dot_vscode", "launch.json"))))
        for configuration in launch["configurations"]:
            self.assertEqual(configuration["type"], offered["type"])
            known = offered["configurationAttributes"][configuration["request"]]["properties"]
            more = set(configuration) - {"name", "type", "request"}
            self.assertLessEqual(more, set(known))

    def test_neovim_gets_an_adapter(self):
        text = read(os.path.join(TEMPLATE, "dot_nvim.lua"))
        self.assertIn('command = "cuttle", args = { "debug" }', text)
        luajit = shutil.which("luajit")
        if not luajit:
            return
        # Stands for nvim-dap.
        script = self.path("host.lua")
        write(script, 'local dap = { adapters = {}, configurations = {} }\n'
                      'package.loaded.dap = dap\n'
                      'vim = { fn = { getcwd = function() return "/games/mine" end } }\n'
                      f'dofile({json.dumps(os.path.join(TEMPLATE, "dot_nvim.lua"))})\n'
                      'print(dap.adapters.cuttle.command, dap.configurations.lua[1].project)\n')
        done = subprocess.run([luajit, script], check=True, capture_output=True, text=True)
        self.assertIn("cuttle\t/games/mine", done.stdout + done.stderr)

    def neovim(self, nvim, *arguments, **more):
        """Runs Neovim in the project with tests/dap/neovim.lua as its init.lua; returns what it prints."""
        config = self.path("config", "nvim")
        os.makedirs(config, exist_ok=True)
        shutil.copy(os.path.join(ROOT, "tests", "dap", "neovim.lua"), os.path.join(config, "init.lua"))
        folders = {f"XDG_{name.upper()}_HOME": self.path(name) for name in ("config", "state", "data", "cache")}
        path = os.pathsep.join((os.path.dirname(CUTTLE), os.environ["PATH"]))
        done = subprocess.run([nvim, "--headless", *arguments], cwd=self.project, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=LIMIT,
                              env={**os.environ, **folders, "PATH": path, **more})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_neovim_stops_a_game(self):
        nvim = shutil.which("nvim")
        if not nvim:
            self.skipTest("needs nvim")
        self.project = os.path.realpath(self.compiled_project())
        script = os.path.join("scripts", "main.lua")
        lines = read(os.path.join(self.project, script)).split("\n")
        line = 1 + next(i for i, text in enumerate(lines) if "Game.time = Game.time + dt" in text)
        version = re.search(r"NVIM v(\d+)\.(\d+)", self.neovim(nvim, "--version"))
        if (int(version[1]), int(version[2])) >= (0, 9):
            self.neovim(nvim, "--clean", ".nvim.lua", "-c", "trust", "-c", "quit")
            read_it = ()
        else:
            read_it = ("-S", ".nvim.lua")  # it does not do that by itself
        said = self.neovim(nvim, *read_it, script)
        self.assertIn("adapter: executable cuttle debug\n", said)
        self.assertIn(f"configuration: Run the game launch {self.project}\n", said)
        self.assertIn("configuration: Attach to the running game attach", said)
        said = self.neovim(nvim, *read_it, script, CUTTLE_TEST_LINE=str(line))
        place = os.path.join(self.project, script)
        for text in (f"stopped: breakpoint {place} {line}\n", "value: \"number\"\n", "ended: 0\n"):
            self.assertIn(text, said)


if __name__ == "__main__":
    unittest.main()
