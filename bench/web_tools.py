#!/usr/bin/env python3
"""What the tools in the browser cost a game: bench/web_tools.py [build/release/cuttle] [--units 10000]

Measures in one game without a window, with that many units:

- how long an outline of all of them takes over the console, whole (entity_changes, entity_list) and when nothing has
  changed;
- what a page that watches everything costs: the game's processor time, of all threads, in a frame of 60 a second, with
  and without a client that asks as all pages together do (tools/web: the same messages, as often) and takes the stream
  of the profiler; in turns, medians.

Prints a line of JSON for each. The goals: a whole outline in under 500 ms; `share` under 0.05.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from cuttle_client import Client  # noqa: E402

FILES = {
    "settings.config": 'boot_script = "scripts/main"\nboot_package = "boot"\nrender_config = "core/rendering/renderer"\n',
    "boot.package": 'lua = ["scripts/*"]\nunit = ["units/*"]\n',
    "units/plain.unit": 'components = [\n    { id = "transform"  type = "transform" }\n'
                        '    { id = "name"  type = "debug_name"  name = "a unit" }\n]\n',
    "scripts/main.lua": """
function init()
    world = Application.new_world()
    for i = 1, %d do World.spawn_unit(world, "units/plain", Vector3(i, 0, 0)) end
end
function update(dt) World.update(world, dt) end
function render() end
""",
}
# What each page asks for, and how many seconds lie between two questions.
ASKED = (
    (0.25, "entity_components", lambda state: {"entity": state["entity"]}),
    (0.5, "statistics", lambda state: {}),
    (1, "world_list", lambda state: {}),
    (1, "entity_changes", lambda state: {"since": state["version"]}),
    (1, "memory_tree", lambda state: {}),
    (2, "resource_list", lambda state: {}),
)
SECONDS, ROUNDS, FRAME = 4, 5, 1000 / 60  # the last in milliseconds, as games without a window run


def write_project(folder, units):
    for name, text in FILES.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text % units if name.endswith("main.lua") else text)


def start(cuttle, project):
    game = subprocess.Popen([cuttle, "run", project, "--headless", "--port", "0", "--size", "160x90"],
                            stderr=subprocess.PIPE, text=True)
    for line in game.stderr:
        if "listening on" in line:
            return game, int(line.rsplit(":", 1)[1])
    raise SystemExit("the game did not start")


def best_of(run, times=5):
    seconds = []
    for _ in range(times):
        before = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - before)
    return 1000 * min(seconds)


def whole_list(client):
    answer = {"version": 0, "more": True}
    count = 0
    while answer["more"]:
        answer = client.entity_changes(since=answer["version"])
        count += len(answer["entities"])
    return answer["version"], count


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def frame_number(client):
    return client.engine_info()["frame"]


def milliseconds_a_frame(game, client, watch):
    """Processor time of the game a frame, of all threads."""
    if watch:
        client.command("profiler", ["subscribe"])
    next_turns = [0.0] * len(ASKED)
    state = {"entity": client.entity_list(count=1)["entities"][0]["entity"], "version": whole_list(client)[0]}
    frame, used, end = frame_number(client), processor_seconds(game.pid), time.monotonic() + SECONDS
    while (now := time.monotonic()) < end:
        for i, (pause, name, members) in enumerate(ASKED):
            if watch and now >= next_turns[i]:
                next_turns[i] = now + pause
                answer = getattr(client, name)(**members(state))
                state["version"] = answer.get("version", state["version"])
        client.ping()  # and reads what comes
        client.messages.clear()
        time.sleep(0.02)
    if watch:
        client.command("profiler", ["unsubscribe"])
    return 1000 * (processor_seconds(game.pid) - used) / (frame_number(client) - frame)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cuttle", nargs="?", default=os.path.join(ROOT, "build", "release", "cuttle"))
    parser.add_argument("--units", type=int, default=10000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_project(folder, arguments.units)
        game, port = start(arguments.cuttle, folder)
        client = Client(port)
        version, count = whole_list(client)
        ping = best_of(client.ping, 20)
        for name, run in (("outline_whole", lambda: whole_list(client)),
                          ("outline_list", lambda: client.entity_list(count=10000)),
                          ("outline_unchanged", lambda: client.entity_changes(since=version)),
                          ("ping", client.ping)):
            took = best_of(run)
            print(json.dumps({"name": name, "units": count, "milliseconds": round(took, 2),
                              "ratio_to_ping": round(took / ping, 2)}), flush=True)
        times = {False: [], True: []}
        for _ in range(ROUNDS):
            for watch in (False, True):
                times[watch].append(milliseconds_a_frame(game, client, watch))
        alone, watched = (statistics.median(times[watch]) for watch in (False, True))
        print(json.dumps({"name": "watch_everything", "frame_ms": round(alone, 3), "watched_ms": round(watched, 3),
                          "ratio": round(watched / alone, 3), "share": round((watched - alone) / FRAME, 4)}))
        client.command("quit")
        game.wait()


if __name__ == "__main__":
    main()
