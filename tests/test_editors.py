"""What editors need: the extension of VS Code, and the settings that `cuttle new` writes."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import zipfile

from support_cuttle import ROOT, TemporaryFolder, read

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
        luajit = shutil.which("luajit") or shutil.which("nvim")
        if not luajit:
            return
        # Stands for nvim-dap.
        script = self.path("host.lua")
        with open(script, "w", encoding="utf-8") as file:
            file.write('local dap = { adapters = {}, configurations = {} }\n'
                       'package.loaded.dap = dap\n'
                       'vim = { fn = { getcwd = function() return "/games/mine" end } }\n'
                       f'dofile({json.dumps(os.path.join(TEMPLATE, "dot_nvim.lua"))})\n'
                       'print(dap.adapters.cuttle.command, dap.configurations.lua[1].project)\n')
        arguments = [luajit, script] if luajit.endswith("luajit") else [luajit, "-l", script]
        done = subprocess.run(arguments, check=True, capture_output=True, text=True)
        self.assertIn("cuttle\t/games/mine", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
