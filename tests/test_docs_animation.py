"""docs/animation.md works as it is written: its sources and functions, on a model made here."""

import json
import os
import re
import struct
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "animation.md"))


def blocks(heading=None):
    """The blocks of code of the page, or below one of its headings."""
    text = PAGE
    if heading:
        text = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^##|\Z)", PAGE)[1]
    return [block for _, block in re.findall(r"(?ms)^```(\w*)[^\n]*\n(.*?)^```$", text)]


def glb_with_clips():
    """Two joints, and clips of a second: Idle, and Walk, whose hips move 2 metres forwards (-z)."""
    times, data = [0, 0.5, 1], b""
    views, accessors = [], []

    def add(rows, kind, count):
        nonlocal data
        floats = [number for row in rows for number in row]
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(floats)})
        data += struct.pack(f"<{len(floats)}f", *floats)
        accessor = {"bufferView": len(views) - 1, "componentType": 5126, "count": count, "type": kind}
        if kind == "SCALAR":
            accessor.update(min=[min(floats)], max=[max(floats)])
        accessors.append(accessor)
        return len(accessors) - 1

    def clip(name, way):
        keys = add([(time,) for time in times], "SCALAR", 3)
        values = add([(0, 1, -way * time) for time in times], "VEC3", 3)
        return {"name": name, "samplers": [{"input": keys, "output": values}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}

    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                "nodes": [{"name": "hips", "translation": [0, 1, 0], "children": [1]},
                          {"name": "head", "translation": [0, 0.6, 0]}],
                "animations": [clip("Idle", 0), clip("Walk", 2)],
                "bufferViews": views, "accessors": accessors,
                "buffers": [{"byteLength": len(data)}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(data)) +
            struct.pack("<I4s", len(text), b"JSON") + text +
            struct.pack("<I4s", len(data), b"BIN\0") + data)


class Animation(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        cuttle("new", self.project, check=0)
        for block in blocks():
            named = re.match(r"(?://|--) (\S+\.\w+)\n", block)
            if named:
                self.put(named[1], block)
        os.makedirs(os.path.join(self.project, "models", "scout"), exist_ok=True)
        with open(os.path.join(self.project, "models", "scout", "scout.glb"), "wb") as file:
            file.write(glb_with_clips())
        scout = read(os.path.join(self.project, "units", "scout.unit"))
        self.put("units/puppet.unit", scout.replace('state_machine = "models/scout/scout"\n', "\n"))

    def put(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.project, name)), exist_ok=True)
        write(os.path.join(self.project, name), text)

    def run_lua(self, at_start, at_end="", frames=21):
        """Runs a game that spawns a scout and then runs `at_start`; `at_end` runs after two seconds
        in steps of a tenth. Returns what it printed."""
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, read(main) + f"""
local first = init
function init()
    first()
    Game.scout = World.spawn_unit(Game.world, "units/scout")
    {at_start}
end
local next_update, count = update, 0
function update(dt)
    next_update(dt)
    count = count + 1
    if count == {frames - 1} then
        {at_end}
    end
end
""")
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", "0.1", check=0)
        self.assertNotIn("error", done.stderr)
        return done.stderr + done.stdout

    def test_a_scout_walks_and_its_behaviour_counts_steps(self):
        printed = self.run_lua("\n".join(blocks("Set a variable") + blocks("Send an event")), """
            local component = EntityManager.script_component(Game.world)
            local feet = ScriptComponent.state(component, ScriptComponent.instances(component, Game.scout))
            print("steps " .. feet.steps)
            print("way " .. Unit.local_position(Game.scout, 1).y)""")
        # 2 s at 1.5 times the speed: 3 rounds of 2 metres and 2 steps.
        self.assertEqual(int(re.search(r"steps (\d+)", printed)[1]), 6)
        self.assertAlmostEqual(float(re.search(r"way ([\d.]+)", printed)[1]), 6, delta=0.35)

    def test_a_script_follows_the_root_motion_itself(self):
        printed = self.run_lua("\n".join(blocks("Set a variable") + blocks("Send an event") +
                                         blocks("Move by root motion")) + """
            local next_update = update
            function update(dt) next_update(dt) Game.follow(Game.scout) end""", """
            print("way " .. Unit.local_position(Game.scout, 1).y)""")
        # A step of 0.3 metres less: it is printed before the last one is followed.
        self.assertAlmostEqual(float(re.search(r"way ([\d.]+)", printed)[1]), 5.7, delta=0.35)

    def test_a_puppet_plays_a_clip(self):
        printed = self.run_lua("\n".join(blocks("Play clips without a state machine")) +
                               "\nGame.puppet = unit",
                               'print("way " .. Unit.local_position(Game.puppet, 1).y)')
        self.assertAlmostEqual(float(re.search(r"way ([\d.]+)", printed)[1]), 2, delta=0.15)

    def test_states_are_saved_and_lengths_and_curves_read(self):
        printed = self.run_lua("\n".join(blocks("Save a character") + blocks("Read a curve")) +
                               '\nprint(#state > 4, has_curve, smile, length)')
        self.assertRegex(printed, r"true\s+false\s+0\s+1\b")


if __name__ == "__main__":
    unittest.main()
