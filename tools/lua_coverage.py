#!/usr/bin/env python3
"""Counts the names of Stingray's Lua that Cuttle has: tools/lua_coverage.py [CUTTLE]

Prints, for each module of lua_yardstick.txt, how many of its functions exist, how many are left
out for a reason (tests/script/lua_left_out.txt: `Module.function: reason`), and which are missing.
Exits with 1 when one is missing, or when a reason is for a function that exists or is unknown.
"""

import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def read_yardstick(path):
    """{module: names}"""
    modules = {}
    names = None
    with open(path) as file:
        for line in file:
            line = line.strip()
            if line.startswith("["):
                names = modules.setdefault(line.strip("[]"), [])
            elif line and not line.startswith("#"):
                names += line.split()
    for number in (2, 3, 4):
        modules[f"Pad{number}"] = modules["Pad1"]
    return modules


def read_left_out(path):
    """{(module, function): reason}"""
    reasons = {}
    with open(path) as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            name, colon, reason = line.partition(":")
            module, dot, function = name.partition(".")
            if not colon or not dot or not reason.strip():
                sys.exit(f"{path}:{number}: expected `Module.function: reason`, found {line!r}")
            if (module, function) in reasons:
                sys.exit(f"{path}:{number}: {name} is listed twice")
            reasons[module, function] = reason.strip()
    for (module, function), reason in list(reasons.items()):
        if module == "Pad1":
            for number in (2, 3, 4):
                reasons.setdefault((f"Pad{number}", function), reason)
    return reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cuttle", nargs="?", metavar="CUTTLE", default=os.environ.get(
        "CUTTLE", os.path.join(ROOT, "build", "release", "cuttle")))
    cuttle = parser.parse_args().cuttle
    api = json.loads(subprocess.run([cuttle, "lua-api", "--json"], check=True,
                                    capture_output=True, text=True).stdout)
    have = {module["name"]: {function["name"] for function in module["functions"]}
            for module in api["modules"]}
    yardstick = read_yardstick(os.path.join(HERE, "lua_yardstick.txt"))
    reasons = read_left_out(os.path.join(ROOT, "tests", "script", "lua_left_out.txt"))
    faults = []
    print(f"{'module':31} {'names':>6} {'there':>6} {'left out':>9} {'lacking':>8}")
    totals = [0, 0, 0, 0]
    for module, names in sorted(yardstick.items()):
        there = {name for name in names if name in have.get(module, ())}
        left_out = {name for name in names if (module, name) in reasons} - there
        lacking = sorted(set(names) - there - left_out)
        row = [len(names), len(there), len(left_out), len(lacking)]
        totals = [total + part for total, part in zip(totals, row)]
        print(f"{module:31} {row[0]:6} {row[1]:6} {row[2]:9} {row[3]:8}")
        faults += [f"{module}.{name} is missing" for name in lacking]
    print(f"{'all':31} {totals[0]:6} {totals[1]:6} {totals[2]:9} {totals[3]:8}")
    for module, name in reasons:
        if name in have.get(module, ()):
            faults.append(f"{module}.{name} is listed as left out, but is there")
        elif name not in yardstick.get(module, ()):
            faults.append(f"{module}.{name} is listed as left out, but the yardstick has no such name")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
