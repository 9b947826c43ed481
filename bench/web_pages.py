#!/usr/bin/env python3
"""Measures the tools in the browser: web_pages.py [--cuttle build/release/cuttle] [--json]

Opens the pages of samples/crates, which runs without a window, in Chromium, and prints a table with goals:

- `first content`: from the start of the navigation until the first line of the log is drawn, 5 times;
- `scrolling the log`: script, style and layout of a frame, in processor time, while 100,000 lines scroll by;
- `opening a profile`: one of ten minutes at 60 frames a second, made of a frame that the game sent; until its
  timeline and the statistics of all of it are drawn; beside a new project's game, and `beside crates`, whose frames
  take all processors;
- `outline`: from the choice of the page until the units of a world of 10,000 are listed;
- `game, watched`: the median time of the game's frame while six windows show all tools at once, to that without a
  page, in turns of some seconds within the same run.

Needs chromium, chromium-driver, and the pages (tools/web/build.sh). Takes some two minutes.
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

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUM_LOADS, NUM_LINES, NUM_FRAMES, NUM_UNITS = 5, 100_000, 36_000, 10_000
ROUNDS, ROUND_SECONDS, SETTLE_SECONDS = 5, 3, 1.5
PAGES = ("console", "profiler", "memory", "entities", "network", "systems")

# Calls back with the milliseconds from the navigation's start to the first frame that has a line of the log.
FIRST_LINE = """
const done = arguments[0];
const look = () => document.querySelector(".log .row") ? requestAnimationFrame(() => done(performance.now()))
                                                       : requestAnimationFrame(look);
look();
"""

# Scrolls the log by some pixels a frame, and calls back after 200 frames.
SCROLL = """
const [pixels, done] = arguments;
const list = document.querySelector(".log");
let frames = 0;
list.scrollTop = 0;
const step = () => {
    list.scrollTop += pixels;
    requestAnimationFrame(++frames < 200 ? step : () => done(frames));
};
requestAnimationFrame(step);
"""


class Bench:
    def __init__(self, game, browser, folder):
        self.game, self.browser, self.folder = game, browser, folder

    def address(self, page):
        return f"http://127.0.0.1:{self.game.port}/#{page}"

    def open(self, page):
        self.browser.open("about:blank")
        self.browser.open(self.address(page))

    def ask(self, **message):
        return self.game.console.answer(self.game.console.ask(**message))

    def first_content(self):
        times = []
        for _ in range(NUM_LOADS):
            self.open("console")
            times.append(self.browser.run_async(FIRST_LINE))
        return times

    def scrolling(self):
        self.open("console")
        self.browser.find(".log .row")
        for _ in range(NUM_LINES // 10_000):
            self.game.console.script("for i = 1, 10000 do print('line ' .. i .. ' of a long log') end")
        self.browser.wait(lambda: self.browser.run(
            "return document.querySelector('.log .virtual-space').clientHeight") >= NUM_LINES * 20, "all lines")
        time.sleep(1)
        self.browser.cdp("Performance.enable", timeDomain="threadTicks")
        kinds = "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"
        times = []
        for _ in range(3):
            before = self.browser.metrics()
            frames = self.browser.run_async(SCROLL, 160)
            after = self.browser.metrics()
            times.append(1000 * sum(after[kind] - before[kind] for kind in kinds) / frames)
        self.browser.cdp("Performance.disable")
        return times

    def record(self):
        """Writes a long recording. Returns its path, and what it is."""
        import support_profile
        frame = support_profile.recorded_frame(self.game.console)
        path = os.path.join(self.folder, "long.cuttle_profile")
        size = support_profile.write_profile(path, frame, NUM_FRAMES)
        return path, f"{support_profile.num_events(frame)} events a frame, {size / 1e6:.0f} MB"

    def profile(self, path):
        times = []
        for _ in range(3):
            self.open("profiler")
            self.browser.find("input[type=file]")
            self.browser.upload("input[type=file]", path)
            self.browser.wait_for_text(f"{NUM_FRAMES} frames", ".status-line")
            times.append(self.browser.run("return performance.getEntriesByName('open profile')[0].duration"))
        return times

    def outline(self):
        self.game.console.script(
            f"local places = {{}} for i = 1, {3 * NUM_UNITS} do places[i] = -100 end "
            "Spawned = World.spawn_units(Game.world, 'units/block_shadow', places)")
        times = []
        for _ in range(3):
            self.open("console")
            self.browser.find(".lamp.open")
            self.browser.run("performance.mark('outline asked')")
            self.browser.press("Control", "4")
            self.browser.wait(lambda: self.browser.run(
                "return document.querySelector('.outline .virtual-space')?.clientHeight ?? 0") >= NUM_UNITS * 22)
            times.append(self.browser.run(
                "return performance.measure('outline', 'outline asked', 'outline shown').duration"))
        self.game.console.script("for _, unit in ipairs(Spawned) do World.destroy_unit(Game.world, unit) end")
        return times

    def frame_times(self):
        """Milliseconds of the game's frames in the next seconds, as many as can be asked for."""
        times, last, end = [], 0, time.monotonic() + ROUND_SECONDS
        while time.monotonic() < end:
            info = self.ask(type="engine_info")
            if info["frame"] != last:
                times.append(info["frame_ms"])
            last = info["frame"]
            time.sleep(0.02)
        return times

    def watched(self):
        """Pairs of medians of the game's frame: (without a page, with a page for every tool)."""
        def show(addresses):
            for window, address in zip(windows, addresses):
                self.browser.command("POST", "/window", {"handle": window})
                self.browser.open("about:blank")
                self.browser.open(address)
                if self.browser.run("return document.hidden"):
                    raise RuntimeError("a window cannot be seen, so its page asks nothing")
            time.sleep(SETTLE_SECONDS)

        windows = [self.browser.command("GET", "/window")]
        while len(windows) < len(PAGES):
            windows.append(self.browser.command("POST", "/window/new", {"type": "window"})["handle"])
        pairs = []
        for _ in range(ROUNDS):
            show(["about:blank"] * len(PAGES))
            alone = statistics.median(self.frame_times())
            show([self.address(page) for page in PAGES])
            pairs.append((alone, statistics.median(self.frame_times())))
        for window in windows[1:]:
            self.browser.command("POST", "/window", {"handle": window})
            self.browser.command("DELETE", "/window")
        self.browser.command("POST", "/window", {"handle": windows[0]})
        return pairs


def measure_crates(bench):
    yield "first content", "ms", bench.first_content(), 1000, ""
    pairs = bench.watched()
    yield ("game, watched", "of a frame", [watched / alone for alone, watched in pairs], 1.05,
           f"{statistics.median(alone for alone, _ in pairs):.2f} ms alone")
    yield "outline", "ms", bench.outline(), 500, f"{NUM_UNITS} units"
    yield "scrolling the log", "ms a frame", bench.scrolling(), 4, f"{NUM_LINES} lines"


def measure(cuttle):
    from support_browser import Browser
    from support_cuttle import Game
    with tempfile.TemporaryDirectory() as folder, Browser(limit=300) as browser:
        crates, new = os.path.join(folder, "crates"), os.path.join(folder, "new")
        shutil.copytree(os.path.join(ROOT, "samples", "crates"), crates, ignore=shutil.ignore_patterns(".cuttle"))
        subprocess.run([cuttle, "new", new], stdout=subprocess.DEVNULL, check=True)
        for project in (crates, new):
            subprocess.run([cuttle, "compile", project], stdout=subprocess.DEVNULL, check=True)
        browser.command("POST", "/timeouts", {"script": 60_000})
        with Game(crates, "--size", "320x180") as game:
            bench = Bench(game, browser, folder)
            yield from measure_crates(bench)
            recording, what = bench.record()
            yield "  beside crates", "ms", bench.profile(recording), None, what
        with Game(new, "--size", "320x180") as game:
            yield "opening a profile", "ms", Bench(game, browser, folder).profile(recording), 3000, what


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cuttle", default=os.path.join(ROOT, "build", "release", "cuttle"))
    parser.add_argument("--json", action="store_true", help="an object a line")
    arguments = parser.parse_args()
    # The tests' game and browser do the rest.
    os.environ["CUTTLE"] = os.path.abspath(arguments.cuttle)
    os.environ.setdefault("CUTTLE_SOURCE", ROOT)
    sys.path.insert(0, os.path.join(ROOT, "tests"))
    print(f"load: {os.getloadavg()[0]:.1f}", file=sys.stderr)
    for name, unit, values, goal, what in measure(arguments.cuttle):
        row = {"case": name, "unit": unit, "median": statistics.median(values), "min": min(values),
               "max": max(values), "goal": goal, "n": len(values), "what": what}
        if arguments.json:
            print(json.dumps(row), flush=True)
        else:
            verdict = f"goal {goal:<5} {'met   ' if row['median'] <= goal else 'missed'}" if goal else " " * 17
            print(f"{name:18} {row['median']:8.2f} ({row['min']:.2f} to {row['max']:.2f}) {unit:11} {verdict}  {what}",
                  flush=True)


if __name__ == "__main__":
    main()
