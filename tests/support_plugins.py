"""Plugins of tests: compiled as their authors do, with one line."""

import os
import subprocess

from support_cuttle import ROOT, write

HEAD = """
#include <string.h>
#include <cuttle/plugin.h>
"""

TAIL = """
static const cuttle_plugin_api_1 plugin = { MEMBERS };
CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    return strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : NULL;
}
"""


def build_plugin(project, name, source, members=".init = init", library=None):
    """Compiles `source` between HEAD and TAIL to plugins/NAME.so of a project, or to `library`.
    `members` are those of the plugin's interface, beside the name."""
    path = os.path.join(project, "plugins", f"{name}.c")
    text = HEAD + source + TAIL.replace("MEMBERS", f'.name = "{name}", {members}')
    write(path, text)
    library = library or os.path.join(project, "plugins", f"{name}.so")
    subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-g",
                    "-I", os.path.join(ROOT, "include"), path, "-o", library], check=True)
    return library


def list_plugins(project, *names):
    """Names plugins in the settings of a project."""
    rows = "\n".join(f'    {name} = {{ linux = "plugins/{name}.so" }}' for name in names)
    with open(os.path.join(project, "settings.config"), "a") as file:
        file.write(f"plugins = {{\n{rows}\n}}\n")
