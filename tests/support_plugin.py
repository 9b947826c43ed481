"""Projects with plugins that are built with one command, as a user builds them."""

import os
import re
import subprocess

from support_cuttle import ROOT, TemporaryFolder, cuttle, last_json, read, write

HEAD = """
#include <cuttle/component_types.h>
#include <cuttle/compiler.h>
#include <cuttle/log.h>
#include <cuttle/plugin.h>
#include <cuttle/resource_types.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
"""

TAIL = """
static const cuttle_plugin_api_1 plugin = {.name = PLUGIN_NAME, .needs = NEEDS, .init = init,
#ifdef HAS_SHUTDOWN
    .shutdown = finish,
#endif
};

CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    return strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : NULL;
}
"""


def build_library(path, name, source, *options, needs="NULL"):
    """Compiles C to a plugin's library; `source` has its `init`."""
    code = os.path.splitext(path)[0] + ".c"
    write(code, HEAD + f'#define PLUGIN_NAME "{name}"\n#define NEEDS {needs}\n' + source + TAIL)
    new = path + ".new"  # as a linker of today: in one step
    subprocess.run(["cc", "-shared", "-fPIC", "-std=c11", "-D_GNU_SOURCE", "-w",
                    f"-I{ROOT}/include", *options, code, "-o", new],
                   check=True)
    os.rename(new, path)


class PluginFolder(TemporaryFolder):
    """`self.project` is one that has its core compiled."""

    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.plugins = {}

    def source(self, path, text):
        write(os.path.join(self.project, path), text)

    def library(self, name):
        return os.path.join(self.project, "plugins", name, name + ".so")

    def build(self, name, source, *options, needs="NULL"):
        """Builds a plugin, and lets the settings name it."""
        os.makedirs(os.path.dirname(self.library(name)), exist_ok=True)
        build_library(self.library(name), name, source, *options, needs=needs)
        self.use(name)

    def use(self, name, library=None):
        self.plugins[name] = library or f"plugins/{name}/{name}.so"
        settings = os.path.join(self.project, "settings.config")
        text = re.sub(r"\nplugins = \{\n.*?\n\}\n", "\n", read(settings), flags=re.S)
        lines = "\n".join(f'    {n} = {{ linux = "{p}" }}' for n, p in self.plugins.items())
        write(settings, text.rstrip("\n") + f"\nplugins = {{\n{lines}\n}}\n")

    def place_of(self, plugin):
        """Where the settings name its library."""
        lines = read(os.path.join(self.project, "settings.config")).splitlines()
        for number, line in enumerate(lines, 1):
            if line.startswith(f"    {plugin} = {{ linux = "):
                return f"settings.config:{number}:{line.index('linux') + 1}"
        raise AssertionError(f"the settings have no {plugin}")

    def compile(self, *options, check=0):
        """What was compiled, as JSON."""
        done = cuttle("compile", self.project, "--json", *options, check=check)
        report = last_json(done.stdout)
        for told in report["errors"] + report["warnings"]:
            told["file"] = told["file"].removeprefix(self.project + os.sep)
        report["told"] = done.stderr
        return report

    def errors(self):
        """The errors of a compile that fails."""
        return self.compile(check=1)["errors"]
