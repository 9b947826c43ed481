#!/usr/bin/env python3
"""Compares the interfaces of plugins with those that were frozen.

    tools/plugin_abi.py            compare include/cuttle with abi/plugins.abi
    tools/plugin_abi.py --write    freeze what is new: write abi/plugins.abi and the next abi/vN

abi/v1, abi/v2, … keep the headers as they were when something of them was frozen. The tests compile
a plugin with each of these copies and run it in today's engine (tests/test_plugin_frozen.py). Each copy
has the layouts of abi/plugins.abi, and the newest one has all of them.

A library that has an object of each `struct cuttle_<name>_api_<version>` is compiled, and abidw and
abidiff (Debian: abigail-tools) describe and compare it. A new interface or version is no change; a
change of one that is there ends with exit status 1 and says which function moved or changed.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FROZEN = os.path.join("abi", "plugins.abi")
FROZEN_VALUES = os.path.join("abi", "plugins.txt")  # enumerators and macros, which objects do not show
KEPT = "abi"  # has the folders v1, v2, …
# Embedding has a library of its own.
LEFT_OUT = {"cuttle.h"}
CHANGED = 4  # bits of abidiff's exit status
USAGE = 1 | 2


def headers(include):
    return sorted(os.path.basename(path) for path in glob.glob(os.path.join(include, "cuttle", "*.h"))
                  if os.path.basename(path) not in LEFT_OUT)


def interfaces(include):
    """[(type, name, version)] of all interfaces, sorted."""
    found = set()
    for header in headers(include):
        with open(os.path.join(include, "cuttle", header)) as file:
            for name, version in re.findall(r"^} cuttle_(\w+)_api_(\d+);", file.read(), re.M):
                found.add((f"cuttle_{name}_api_{version}", name, int(version)))
    return sorted(found)


def kept(root=ROOT):
    """[(number, folder of its headers)] of the copies, the oldest first."""
    folders = glob.glob(os.path.join(root, KEPT, "v[0-9]*"))
    return sorted((int(os.path.basename(folder)[1:]), folder) for folder in folders)


def describe(include, folder, cc="cc"):
    """Compiles the library and returns the path of its description."""
    os.makedirs(folder, exist_ok=True)
    source, library = os.path.join(folder, "plugins.c"), os.path.join(folder, "plugins.so")
    with open(source, "w") as file:
        for header in headers(include):
            file.write(f"#include <cuttle/{header}>\n")
        for kind, _, _ in interfaces(include):
            file.write(f"extern {kind} {kind}_object;\n{kind} {kind}_object;\n")
    subprocess.run([cc, "-std=c11", "-g", "-shared", "-fPIC", "-I", include, source, "-o", library],
                   check=True)
    described = os.path.join(folder, "plugins.abi")
    subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs",
                    "--no-architecture", "--out-file", described, library], check=True)
    with open(described) as file:
        text = file.read()
    with open(described, "w") as file:
        file.write(text.replace(folder + os.sep, ""))  # the same wherever it was compiled
    return described


def values(include, folder, cc="cc"):
    """The lines `NAME value` of all enumerators and macros with a value, sorted."""
    names, texts = set(), set()
    for header in headers(include):
        with open(os.path.join(include, "cuttle", header)) as file:
            text = re.sub(r"//.*", "", file.read())
        for body in re.findall(r"enum[^{;]*{([^}]*)}", text):
            names.update(re.findall(r"\b(CUTTLE_\w+)\b(?=\s*(?:,|=|$|\n))", body))
        texts.update(re.findall(r'^#define (CUTTLE_\w+) "', text, re.M))
        names.update(re.findall(r"^#define (CUTTLE_\w+) \(?[0-9A-Z-]", text, re.M))
    source, program = os.path.join(folder, "values.c"), os.path.join(folder, "values")
    with open(source, "w") as file:
        file.write("#include <stdio.h>\n")
        for header in headers(include):
            file.write(f"#include <cuttle/{header}>\n")
        file.write("int main(void) {\n")
        for name in sorted(names):
            file.write(f'    printf("{name} %lld\\n", (long long){name});\n')
        for name in sorted(texts):
            file.write(f'    printf("{name} %s\\n", {name});\n')
        file.write("    return 0;\n}\n")
    subprocess.run([cc, "-std=c11", "-I", include, source, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    return sorted(done.stdout.splitlines())


def compare_values(frozen, found):
    """The text of all changes; empty where there are only additions."""
    return "\n".join(f"missing or changed: {line}" for line in frozen if line not in set(found))


def compare(frozen, described):
    """The text of all changes; empty where there are only additions."""
    done = subprocess.run(["abidiff", "--no-added-syms", "--no-architecture", frozen, described],
                          capture_output=True, text=True)
    if done.returncode & USAGE:
        raise RuntimeError(f"abidiff failed: {done.stdout}{done.stderr}")
    return done.stdout.strip() if done.returncode & CHANGED else ""


def check_copies(root, folder):
    """What is wrong with the copies, and what the newest one is without; empty where each has frozen
    layouts, and the newest all."""
    frozen = os.path.join(root, FROZEN)
    with open(os.path.join(root, FROZEN_VALUES)) as file:
        frozen_values = file.read().splitlines()
    wrong, missing = "", f"there is no copy of the headers in {KEPT}"
    for number, include in kept(root):
        described = describe(include, os.path.join(folder, f"v{number}"))
        found = values(include, os.path.join(folder, f"v{number}"))
        changes = compare(described, frozen) + compare_values(found, frozen_values)
        wrong += f"{include} is not what was frozen:\n{changes}\n" if changes else ""
        missing = compare(frozen, described) + compare_values(frozen_values, found)
    return wrong, missing


def keep(root, include):
    """Makes the next copy."""
    copies = kept(root)
    folder = os.path.join(root, KEPT, f"v{copies[-1][0] + 1 if copies else 1}", "cuttle")
    os.makedirs(folder)
    for header in headers(include):
        shutil.copy(os.path.join(include, "cuttle", header), folder)
    return folder


def write(root, described, found):
    os.makedirs(os.path.join(root, KEPT), exist_ok=True)
    shutil.copyfile(described, os.path.join(root, FROZEN))
    with open(os.path.join(root, FROZEN_VALUES), "w") as file:
        file.write("\n".join(found) + "\n")


def changes_of(root, described, found):
    """What has changed of what is frozen; empty where there are only additions."""
    frozen, frozen_values = os.path.join(root, FROZEN), os.path.join(root, FROZEN_VALUES)
    changes = compare(frozen, described) if os.path.exists(frozen) else ""
    if os.path.exists(frozen_values):
        with open(frozen_values) as old:
            changes += compare_values(old.read().splitlines(), found)
    return changes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="freeze what is new, and keep its headers")
    parser.add_argument("--include", default=os.path.join(ROOT, "include"), help="folder of the headers")
    parser.add_argument("--root", default=ROOT, help=f"folder that has {KEPT}")
    arguments = parser.parse_args()
    root, include = arguments.root, arguments.include
    with tempfile.TemporaryDirectory() as folder:
        described = describe(include, folder)
        found = values(include, folder)
        changes = changes_of(root, described, found)
        if changes:
            print(f"{changes}\n\nAn interface that plugins are compiled with has changed. Add a new "
                  "version beside it\n(include/cuttle/plugin.h says why).", file=sys.stderr)
            return 1
        if arguments.write:
            write(root, described, found)
            if check_copies(root, folder)[1]:
                print(f"the headers are kept in {keep(root, include)}")
        wrong, missing = check_copies(root, folder)
        if missing:
            wrong += f"{missing}\ntools/plugin_abi.py --write keeps the headers of what is new."
        if wrong:
            print(wrong, file=sys.stderr)
            return 1
    print(f"{len(interfaces(include))} interfaces, as they were frozen")
    return 0


if __name__ == "__main__":
    sys.exit(main())
