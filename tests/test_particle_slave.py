"""The engine half of the particle editor, core/tools/particle_slave.lua, through its client."""

import contextlib
import os
import re
import subprocess
import sys
import time
import unittest

from support_cuttle import LIMIT, ROOT, Console, read
from support_particles import ParticleProject
from support_png import read_png

CLIENT = os.path.join(ROOT, "tools", "particle_client.py")

FLASH = """emitters = [
    { id = "7d3a1d6e-0c6a-4c3b-9a57-0b9d1f9e7c32"  name = "flash"  max_particles = 8  duration = 0.1
      spawn = { bursts = [ { time = 0  count = 5 } ] }
      birth = { lifetime = 0.5  size = 0.5 }
      render = { type = "billboard"  material = "core/materials/particle" } }
    { id = "7d3a1d6e-0c6a-4c3b-9a57-0b9d1f9e7c33"  name = "way"  max_particles = 100
      duration = 0.5  spawn = { per_metre = 10 }  birth = { lifetime = 10  size = 0.2 }
      render = { type = "billboard"  material = "core/materials/particle" } }
]
"""

# Messages that nothing should come of but an error, and a part of what it says.
MALFORMED = [
    ({"type": "nonsense"}, 'unknown message "nonsense"; write one of: background, camera'),
    ({"type": "show"}, 'expected a text as "effect", got nil'),
    ({"type": "show", "effect": 3}, "expected a text"),
    ({"type": "show", "effect": "fx/sparks", "time": -1}, "from 0 to 600"),
    ({"type": "seek"}, 'expected a number from 0 to 600 as "time", got nil'),
    ({"type": "seek", "time": "soon"}, "got soon"),
    ({"type": "seek", "time": 1e9}, "from 0 to 600"),
    ({"type": "seek", "time": [1]}, "expected a number"),
    ({"type": "loop"}, "expected true or false"),
    ({"type": "loop", "on": True, "length": 0}, "from 0.01"),
    ({"type": "speed", "speed": -1}, "from 0 to 10"),
    ({"type": "seed", "seed": 0}, "from 1 to"),
    ({"type": "set", "name": "strength"}, '1 to 4 numbers in an array as "value"'),
    ({"type": "set", "name": "strength", "value": {"x": 1}}, "1 to 4 numbers"),
    ({"type": "set", "name": "strength", "value": [1, 2, 3, 4, 5]}, "1 to 4 numbers"),
    ({"type": "set", "name": "strenght", "value": 1}, 'did you mean "strength"'),
    ({"type": "set", "value": 1}, 'as "name"'),
    ({"type": "path", "shape": "star"}, 'write "circle", "line" or "none"'),
    ({"type": "path", "shape": "circle", "radius": 0}, "from 0.01"),
    ({"type": "spawn_test", "count": 1e6}, "from 0 to 10000"),
    ({"type": "camera", "target": [1, 2]}, "3 numbers"),
    ({"type": "camera", "distance": 0}, "from 0.05"),
    ({"type": "light", "intensity": None, "pitch": 9}, "from -1.57"),
    ({"type": "floor", "on": "yes"}, "expected true or false"),
    ({"type": "background", "color": "red"}, "3 numbers"),
    ({"type": "environment", "environment": "environments/none"}, "environments/none"),
    ({"type": "subscribe", "every": -1}, "from 0 to 3600"),
]


class ParticleSlave(ParticleProject):
    def setUp(self):
        super().setUp()
        self.save(FLASH, "fx/flash.particles")

    def picture(self, client):
        client.save_picture(self.path("shot.png"))
        return read_png(self.path("shot.png"))

    def wait_until(self, client, is_there):
        begin = time.monotonic()
        while not is_there(state := client.state()):
            self.assertLess(time.monotonic() - begin, LIMIT, state)
        return state

    def refusal(self, client, **message):
        with self.assertRaises(RuntimeError) as raised:
            client.ask(**message)
        return str(raised.exception)

    def test_shows_and_seeks(self):
        with self.start("--size", "96x54") as game:
            client = self.connect(game)
            client.ask("pause")
            empty = self.picture(client)
            self.assertFalse(client.state()["is_alive"])
            shown = client.show("fx/sparks", 1.5)
            # Born at 30 a second, each for a second.
            self.assertIn(shown["num_particles"], (29, 30, 31))
            self.assertEqual((shown["effect"], shown["time"], shown["num_effects"]),
                             ("fx/sparks", 1.5, 1))
            self.assertEqual(shown["emitters"], [shown["num_particles"]])
            first = self.picture(client)
            self.assertNotEqual(first.pixels, empty.pixels)
            self.assertLess(client.seek(0.2)["num_particles"], 8)
            self.assertNotEqual(self.picture(client).pixels, first.pixels)
            self.assertEqual(client.seek(1.5)["emitters"], shown["emitters"])
            self.assertEqual(self.picture(client).pixels, first.pixels)
            # Another seed: as many particles, elsewhere. The first seed: as before.
            client.ask("seed", seed=99)
            self.assertNotEqual(self.picture(client).pixels, first.pixels)
            client.ask("seed", seed=1)
            self.assertEqual(self.picture(client).pixels, first.pixels)

    def test_variables(self):
        with self.start("--size", "96x54") as game:
            client = self.connect(game)
            client.ask("pause")
            client.show("fx/sparks", 1)
            still = self.picture(client)
            client.set("strength", 4)
            self.assertNotEqual(self.picture_at(client, 1).pixels, still.pixels)
            client.set("strength", [1])
            self.assertEqual(self.picture_at(client, 1).pixels, still.pixels)
            # Another effect has none of them.
            client.show("fx/flash")
            self.assertIn("has no variable", self.refusal(client, type="set", name="strength",
                                                          value=1))

    def picture_at(self, client, seconds):
        client.seek(seconds)
        return self.picture(client)

    def test_plays_pauses_stops_and_loops(self):
        with self.start("--fixed-dt", "0.05") as game:
            client = self.connect(game)
            client.show("fx/flash")
            self.wait_until(client, lambda state: not state["is_alive"])
            # Without a length it begins again when it has ended.
            client.ask("loop", on=True)
            self.wait_until(client, lambda state: state["is_alive"])
            client.ask("pause")
            there = client.state()["time"]
            self.assertEqual(client.state()["time"], there)
            client.ask("play")
            # With a length it never gets farther.
            client.show("fx/sparks")
            client.ask("loop", on=True, length=0.4)
            times = [client.state()["time"] for _ in range(60)]
            self.assertLess(max(times), 0.4)
            self.assertTrue(any(now < before for before, now in zip(times, times[1:])), times)
            client.ask("loop", on=False)
            self.wait_until(client, lambda state: state["time"] > 2)
            client.ask("stop_spawning")
            self.wait_until(client, lambda state: not state["is_alive"])
            self.assertEqual(client.ask("restart")["time"], 0)
            client.ask("speed", speed=0)
            there = client.state()["time"]
            client.state()
            self.assertEqual(client.state()["time"], there)

    def test_paths(self):
        with self.start() as game:
            client = self.connect(game)
            client.ask("pause")
            # 10 births for each of 2 metres a second, half a second long; nothing where it stays.
            self.assertEqual(client.show("fx/flash", 1)["num_particles"], 0)
            moved = client.ask("path", shape="circle", radius=3, speed=2, height=1)
            self.assertIn(moved["emitters"][1], range(9, 12))
            self.assertEqual(client.seek(1)["emitters"], moved["emitters"])
            self.assertEqual(client.ask("path", shape="none")["num_particles"], 0)

    def test_spawn_test_and_subscription(self):
        with self.start() as game:
            client = self.connect(game)
            client.show("fx/sparks")
            state = client.ask("spawn_test", count=50, spacing=1)
            self.assertEqual(state["num_effects"], 51)
            self.assertGreater(state["create_ms"], 0)
            self.wait_until(client, lambda state: state["num_particles"] > 500)
            state = client.ask("spawn_test", count=0)
            self.assertEqual(state["num_effects"], 1)
            self.assertNotIn("create_ms", state)
            client.ask("subscribe", every=0.01)
            while not any(m["type"] == "state" for m in client.heard):
                client.state()
            client.ask("subscribe", every=0)

    def test_scene(self):
        with self.start("--size", "96x54") as game:
            client = self.connect(game)
            client.ask("pause")
            pictures = [self.picture(client)]
            for message in ({"type": "camera", "yaw": 2, "distance": 9, "target": [0, 0, 2]},
                            {"type": "background", "color": [1, 0, 0]}, {"type": "background"},
                            {"type": "light", "intensity": 0}, {"type": "floor", "on": False}):
                client.ask(**message)
                pictures.append(self.picture(client))
                self.assertNotEqual(pictures[-1].pixels, pictures[-2].pixels, message)
            client.ask("environment", environment="core/environments/default")

    def test_unknown_effects_and_malformed_messages_hurt_nothing(self):
        with self.start() as game:
            client = self.connect(game)
            client.ask("pause")
            for message in ({"type": "seek", "time": 1}, {"type": "restart"},
                            {"type": "spawn_test", "count": 1},
                            {"type": "set", "name": "strength", "value": 1}):
                self.assertIn("there is no effect yet", self.refusal(client, **message))
            self.assertIn("fx/none", self.refusal(client, type="show", effect="fx/none"))
            before = client.show("fx/sparks", 1)
            self.assertIn("fx/none", self.refusal(client, type="show", effect="fx/none"))
            for message, part in MALFORMED:
                self.assertIn(part, self.refusal(client, **message), message)
            after = client.state()
            for name in ("effect", "time", "emitters", "num_effects"):
                self.assertEqual(before[name], after[name], name)
            # What is no message at all closes its connection only.
            broken = Console(game.port)
            broken.send_text("{ this is [ no object")
            with contextlib.suppress(ConnectionError):
                while True:
                    broken.receive()
            broken.close()
            self.assertEqual(client.state()["effect"], "fx/sparks")
            client.ask("play")
            self.wait_until(client, lambda state: state["time"] > after["time"])

    def test_page_of_messages(self):
        page = read(os.path.join(ROOT, "docs", "formats", "particle_editor.md"))
        rows = re.findall(r"(?m)^\| (`.*?`) \|", page)
        named = sorted(name for row in rows for name in re.findall(r"`(\w+)`", row))
        named.remove("type")
        with self.start() as game:
            client = self.connect(game)
            listed = self.refusal(client, type="nonsense").split("write one of: ")[1]
            self.assertEqual(named, listed.split(", "))
            state = client.show("fx/sparks")
            state.update(client.ask("spawn_test", count=1))
            client.ask("spawn_test", count=0)
            for name in set(state) - {"id", "type"}:
                self.assertIn(f"`{name}`", page)
            code = re.search(r"(?ms)^```python\n(.*?)^```$", page)[1]
            code = code.replace("64000", str(game.port)).replace("fx/puff", "fx/sparks")
            done = subprocess.run([sys.executable, "-c", code], cwd=self.folder, text=True,
                                  capture_output=True, timeout=LIMIT,
                                  env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "tools")})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(int(done.stdout), range(13, 18))
            self.assertEqual(read_png(self.path("puff.png")).width, 160)

    def test_command_line(self):
        with self.start() as game:
            def run(*words):
                return subprocess.run([sys.executable, CLIENT, "--port", str(game.port), *words],
                                      capture_output=True, text=True, timeout=LIMIT)

            shot = self.path("a.png")
            done = run("pause", "show", "effect=fx/sparks", "seek", "time=1", "set",
                       "name=strength", "value=[2]", "screenshot", f"file={shot}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn('"effect": "fx/sparks"', done.stdout)
            self.assertEqual(read_png(shot).width, 160)
            self.assertIn('"time": 1', run().stdout)
            for words, part in ((["show", "effect=fx/none"], "fx/none"),
                                (["time=1"], "has no message before it"),
                                (["screenshot"], "`screenshot` needs file=")):
                done = run(*words)
                self.assertEqual(done.returncode, 1)
                self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
