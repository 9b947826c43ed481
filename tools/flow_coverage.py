#!/usr/bin/env python3
"""Counts the nodes of Stingray's Flow that Cuttle has: tools/flow_coverage.py [CUTTLE] [--complete]

Prints, for each part of the menu in flow_yardstick.txt, how many of its nodes exist, how many are
left out for a reason (flow_left_out.txt: `Menu: reason`), and which are missing. Nodes that only
Cuttle has are counted as own. Exits with 1 when a reason is for a node that exists or is unknown;
with --complete also when a node is missing, or has no test.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def lines_of(path):
    """(number, line) of those that are neither empty nor comments."""
    with open(path) as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if line and not line.startswith("#"):
                yield number, line


def read_left_out(path):
    """{menu: reason}"""
    reasons = {}
    for number, line in lines_of(path):
        menu, colon, reason = line.partition(":")
        if not colon or " > " not in menu or not reason.strip():
            sys.exit(f"{path}:{number}: expected `Menu > Name: reason`, found {line!r}")
        if menu in reasons:
            sys.exit(f"{path}:{number}: {menu} is listed twice")
        reasons[menu] = reason.strip()
    return reasons


def read_nodes(cuttle):
    """The engine's nodes."""
    reference = json.loads(subprocess.run([cuttle, "flow-nodes", "--json"], check=True,
                                          capture_output=True, text=True).stdout)
    return [node for module in reference["modules"] for node in module["nodes"]]


# Tests that run graphs: in a world of the engine, or in a game.
RUNNING = ("flow/*.c", "flow/*.h", "test_flow_*.py", "support_flow.py", "test_sample_door.py")
# Tests of this tool and of pictures, which name nodes that they do not run.
NOT_RUNNING = ("test_flow_nodes.py", "test_flow_draw.py")
# Rows that call functions of nodes, which the compiler calls, too: only for nodes that it folds.
ROWS_OF_PURE_NODES = "resource/types/flow/test_flow_pure.c"


def names_in(paths):
    """The words between quotation marks in files."""
    found = set()
    for path in paths:
        with open(path) as file:
            found.update(re.findall(r'"(\w+)"', file.read()))
    return found


def untested(nodes, tests):
    """The names of nodes that no test runs, as far as names in the tests' sources say."""
    paths = [path for pattern in RUNNING for path in glob.glob(os.path.join(tests, pattern))
             if os.path.basename(path) not in NOT_RUNNING]
    run, called = names_in(paths), names_in([os.path.join(tests, ROWS_OF_PURE_NODES)])
    return [node["name"] for node in nodes
            if node["name"] not in run and not (node.get("is_foldable") and node["name"] in called)]


def part_of(menu):
    return menu.partition(" > ")[0]


def print_counts(yardstick, nodes, reasons):
    print(f"{'part':20} {'names':>6} {'there':>6} {'left out':>9} {'missing':>8} {'own':>5}")
    totals = [0] * 5
    for part in sorted({part_of(menu) for menu in yardstick | nodes}):
        names = {menu for menu in yardstick if part_of(menu) == part}
        there = names & nodes
        left_out = {menu for menu in names if menu in reasons} - there
        own = {menu for menu in nodes if part_of(menu) == part} - yardstick
        row = [len(names), len(there), len(left_out), len(names - there - left_out), len(own)]
        totals = [total + count for total, count in zip(totals, row)]
        print(f"{part:20} {row[0]:6} {row[1]:6} {row[2]:9} {row[3]:8} {row[4]:5}")
    print(f"{'all':20} {totals[0]:6} {totals[1]:6} {totals[2]:9} {totals[3]:8} {totals[4]:5}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cuttle", nargs="?", metavar="CUTTLE", default=os.environ.get(
        "CUTTLE", os.path.join(ROOT, "build", "release", "cuttle")))
    parser.add_argument("--complete", action="store_true", help="fail when a node is missing")
    parser.add_argument("--yardstick", default=os.path.join(HERE, "flow_yardstick.txt"))
    parser.add_argument("--left-out", default=os.path.join(HERE, "flow_left_out.txt"))
    arguments = parser.parse_args()
    all_nodes = read_nodes(arguments.cuttle)
    nodes = {node["menu"] for node in all_nodes}
    yardstick = {line for _, line in lines_of(arguments.yardstick)}
    reasons = read_left_out(arguments.left_out)
    print_counts(yardstick, nodes, reasons)
    missing = [f"{menu} is missing" for menu in sorted(yardstick - nodes - set(reasons))]
    missing += [f"{name} has no test" for name in untested(all_nodes, os.path.join(ROOT, "tests"))]
    faults = [f"{menu} is listed as left out, but is there" for menu in reasons if menu in nodes]
    faults += [f"{menu} is listed as left out, but the yardstick has no such name"
               for menu in reasons if menu not in yardstick]
    for line in missing + faults:
        print(line)
    return 1 if faults or (missing and arguments.complete) else 0


if __name__ == "__main__":
    sys.exit(main())
