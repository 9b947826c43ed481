#!/usr/bin/env python3
"""Measures the tools for content on the project of make_project.py.

    bench/content.py [--cuttle build/release/cuttle] [--resources N] [--runs N] [--json] [CASE...]

Cases:
- `deps`: `cuttle deps --missing` without an index and with one, beside plain `stat` of every file
  of the project and reading them, in this process.
- `move`: `cuttle mv` of a texture that 1,000 materials name, and back, outside of git and in a work
  tree.

Times are medians in seconds of whole processes. `cpu` is user and system time: other work on the
machine changes it less. `disk` is the time to write as many new plain files, bring them to the disk
and rename them over others, in this process and in turn with the moves: the least that a program
must do to change each file wholly or not at all.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

CASES = ("deps", "move")
NUM_REFERRERS = 1000
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = tempfile.mkdtemp(prefix="cuttle-bench-")
        self.project = os.path.join(self.folder, "project")
        self.rows = []
        self.environment = {"CUTTLE_CORE": os.path.join(ROOT, "core"), **os.environ}
        subprocess.run([sys.executable, os.path.join(HERE, "make_project.py"), self.project,
                        "--resources", str(arguments.resources)], check=True)

    def row(self, name, **figures):
        self.rows.append({"name": name, **figures})

    def cuttle(self, *arguments):
        """(seconds, seconds of CPU time) of one run."""
        start = time.perf_counter()
        process = subprocess.Popen([self.arguments.cuttle, *arguments], env=self.environment,
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"cuttle {' '.join(arguments)} failed")
        return seconds, usage.ru_utime + usage.ru_stime

    # --- Dependencies ----------------------------------------------------------------------------

    def look(self, reads):
        """Seconds to stat, or read, every file of the project in this process."""
        start = time.perf_counter()
        for place, folders, names in os.walk(self.project):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                path = os.path.join(place, name)
                if reads:
                    with open(path, "rb") as file:
                        file.read()
                else:
                    os.stat(path)
        return time.perf_counter() - start

    def deps(self):
        cold, cached, stats, reads = [], [], [], []
        time.sleep(0.1)  # files newer than one step of the clock are read again
        for _ in range(self.arguments.runs):
            shutil.rmtree(os.path.join(self.project, ".cuttle"), ignore_errors=True)
            cold.append(self.cuttle("deps", self.project, "--missing")[0])
            reads.append(self.look(True))
            cached.append(self.cuttle("deps", self.project, "--missing")[0])
            stats.append(self.look(False))
        self.row("deps", seconds=statistics.median(cold), least=min(cold), limit=1,
                 read=statistics.median(reads))
        self.row("deps_cached", seconds=statistics.median(cached), least=min(cached), limit=0.1,
                 stat=statistics.median(stats))

    # --- Moves -----------------------------------------------------------------------------------

    def add_referrers(self):
        """Adds a texture and the materials that name it."""
        for name in ("texture", "png"):
            found = subprocess.run(["find", self.project, "-name", "*." + name], check=True,
                                   capture_output=True, text=True).stdout.split()
            shutil.copy(min(found), os.path.join(self.project, "shared." + name))
        with open(os.path.join(self.project, "shared.texture"), "w") as file:
            file.write('source = "shared.png"\n')
        for i in range(NUM_REFERRERS):
            folder = os.path.join(self.project, "referrers", str(i % 10))
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, f"m{i}.material"), "w") as file:
                file.write('shader = "core/shaders/pbr"\n'
                           'textures = { color_map = "shared" } // of all\n')

    def write_files(self):
        """Seconds to replace the same number of small files equally safely."""
        folder = os.path.join(self.folder, "written")
        os.makedirs(folder)

        def write(start):
            for i in range(NUM_REFERRERS):
                with open(os.path.join(folder, f"{start}{i}"), "wb") as file:
                    file.write(b"x" * 80)
            os.sync()
        write("old")
        start = time.perf_counter()
        write("new")
        for i in range(NUM_REFERRERS):
            os.rename(os.path.join(folder, f"new{i}"), os.path.join(folder, f"old{i}"))
        os.sync()
        seconds = time.perf_counter() - start
        shutil.rmtree(folder)
        return seconds

    def move(self):
        self.add_referrers()
        for name in ("move", "move_git"):
            if name == "move_git":
                for command in (["init", "-q"], ["add", "."]):
                    subprocess.run(["git", *command], cwd=self.project, check=True)
            os.sync()
            times, disk = [], []
            for _ in range(self.arguments.runs):
                times.append(self.cuttle("mv", self.project, "shared.texture", "deep/other"))
                disk.append(self.write_files())
                times.append(self.cuttle("mv", self.project, "deep/other.texture", "shared"))
            self.row(name, seconds=statistics.median(seconds for seconds, _ in times),
                     least=min(times)[0], cpu=statistics.median(cpu for _, cpu in times), limit=0.5,
                     disk=statistics.median(disk))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--cuttle", default=os.path.join(ROOT, "build", "release", "cuttle"))
    parser.add_argument("--resources", type=int, default=10000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if unknown := set(arguments.cases) - set(CASES):
        parser.error(f"unknown case: {', '.join(sorted(unknown))}; expected {', '.join(CASES)}")
    bench = Bench(arguments)
    try:
        for case in arguments.cases or CASES:
            getattr(bench, case)()
    finally:
        shutil.rmtree(bench.folder)
    for row in bench.rows:
        if arguments.json:
            print(json.dumps(row))
        else:
            print(f"{row.pop('name'):12}" + "".join(f"  {key} {value:.3f}"
                                                   for key, value in row.items()))


if __name__ == "__main__":
    main()
