#!/usr/bin/env python3
"""Measures the pictures that a page gets of a running game: web_frames.py CUTTLE PROJECT [--size 640x360]

Runs the game without a window; in turn, three times: no page, a page with the game's picture, a page with a
camera of its own. Prints, as medians: frames a second and the ratio to no page; pictures a second, how many of
them a frame; kilobytes a picture; the processor's milliseconds a picture of the threads that make and send them.
Nothing else should run.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECONDS, WARM_UP, ROUNDS = 4, 2, 3
COUNT = """if not BenchFrames then
    BenchFrames = 0
    local old = update
    function update(dt) BenchFrames = BenchFrames + 1; old(dt) end
end
return BenchFrames"""


def processor_ms(pid):
    """{name of a thread: milliseconds}"""
    found = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/stat") as file:
            name, _, rest = file.read().partition("(")[2].rpartition(")")
        user, system = map(int, rest.split()[11:13])
        found[name] = found.get(name, 0) + 1000 * (user + system) / os.sysconf("SC_CLK_TCK")
    return found


class Watcher:
    """A page with one stream, of the given kind: None, "game" or "camera"."""

    def __init__(self, page, kind, width, height):
        self.page, self.stream, self.pictures, self.bytes, self.levels = page, 0, 0, 0, set()
        if kind:
            world = {}
            if kind == "camera":
                page.send(type="world_list", id="w")
                world = {"world": page.answer("w")["worlds"][0]["world"], "position": [0, -12, 4]}
            page.send(type="frame_open", id="open", width=width, height=height, rate=60, **world)
            self.stream = page.answer("open")["stream"]

    def answer(self, name):
        """Shows what comes until the answer does: a picture of which nothing is said would stay on its way."""
        while (message := self.page.receive()).get("id") != name:
            if message["type"] == "frame" and message["stream"] == self.stream:
                self.page.send(type="frame_shown", stream=self.stream, number=message["number"])
                self.pictures += 1
                self.bytes += len(message["binary"])
                self.levels.add(message["level"])
        return message

    def watch(self, seconds):
        """Shows what comes; frames of the game go by meanwhile."""
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            number += 1
            self.page.send(type="ping", id=number)
            self.answer(number)

    def frames(self):
        """The frames of the game so far."""
        self.page.send(type="script", id="frames", script=COUNT)
        return int(self.answer("frames")["result"])


def measure(game, page, kind, width, height):
    watcher = Watcher(page, kind, width, height)
    watcher.watch(WARM_UP)
    frames, cpu, start = watcher.frames(), processor_ms(game.process.pid), time.monotonic()
    watcher.pictures = watcher.bytes = 0
    watcher.levels.clear()
    watcher.watch(SECONDS)
    seconds, pictures = time.monotonic() - start, watcher.pictures
    frames, after = watcher.frames() - frames, processor_ms(game.process.pid)
    if kind:
        page.send(type="frame_close", stream=watcher.stream)
    spent = {name: (after[name] - cpu.get(name, 0)) / max(pictures, 1) for name in ("frames", "web") if name in after}
    return {"frames": frames / seconds, "pictures": pictures / seconds, "share": pictures / max(frames, 1),
            "kb": watcher.bytes / 1000 / max(pictures, 1), "level": max(watcher.levels, default=0),
            "cpu": (sum(after.values()) - sum(cpu.values())) / max(frames, 1),
            "encode": spent.get("frames", 0), "web": spent.get("web", 0)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cuttle")
    parser.add_argument("project")
    parser.add_argument("--size", default="640x360")
    arguments = parser.parse_args()
    os.environ["CUTTLE"] = os.path.abspath(arguments.cuttle)
    sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tools")]
    from support_cuttle import Game
    from support_page import Page
    width, height = map(int, arguments.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        project = os.path.join(folder, "game")
        shutil.copytree(arguments.project, project, ignore=shutil.ignore_patterns(".cuttle"))
        rows = {None: [], "game": [], "camera": []}
        with Game(project, "--size", arguments.size) as game:
            page = Page(game.port)
            for _ in range(ROUNDS):
                for kind, found in rows.items():
                    found.append(measure(game, page, kind, width, height))
            page.close()
            game.quit()
    alone = statistics.median(row["frames"] for row in rows[None])
    for kind, found in rows.items():
        row = {name: statistics.median(each[name] for each in found) for name in found[0]}
        print(f"{kind or 'no page':8} {row['frames']:6.1f} frames/s, {row['frames'] / alone:4.2f} of no page; "
              f"{row['cpu']:.0f} ms of processor a frame; "
              f"{row['pictures']:5.1f} pictures/s, {row['share']:4.2f} a frame, level {row['level']:.0f}; "
              f"{row['kb']:5.1f} KB, encoding {row['encode']:4.1f} ms, web {row['web']:4.1f} ms a picture")


if __name__ == "__main__":
    main()
