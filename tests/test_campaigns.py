"""Campaigns: what a game goes through in a year, in one run. Reloads without number, broken saves,
kills, clients that come and go, disks that are full, files that claim too much. ./test runs a slice
of each; ./test --long all of them."""

import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import time
import unittest
import zlib

from support_cuttle import (CUTTLE, IS_LONG, ROOT, Console, Game, TemporaryFolder, children_of, cuttle, data_folder,
                            folder_bytes, read, read_gone, rounds, write)
from support_png import read_png
from support_small_core import new_small_project
from support_wav import wav


MAX_CLIENTS = 64  # as docs/formats/console_protocol.md has it


def source_of(project, path):
    return read(os.path.join(project, path))


# Of each type: a file, an edit that changes nothing that is seen but the blob, and a broken save.
# `{n}` is a number that differs in every round.
RELOADS = [
    ("scripts/extra.lua", "Extra = {n}\nreturn {{}}\n", "local = {n}\n"),
    ("extra.config", "value = {n}\n", "value = [ {n}\n"),
    ("materials/extra.material",
     'shader = "shaders/extra"\nparameters = {{ tint = [0.5 0.5 0.5]  number = {n} }}\n',
     'shader = "shaders/none{n}"\n'),
    ("shaders/extra.shader", None, 'vertex = """ nonsense {n} """\n'),
    ("textures/extra.texture", 'source = "textures/extra.png" // {n}\nwrap = "{wrap}"\n',
     'source = "textures/none{n}.png"\n'),
    ("models/extra.mesh", 'source = "models/extra.gltf"\nscale = 1.{n}\n',
     'source = "models/none{n}.gltf"\n'),
    ("characters/extra.skeleton",
     'joints = [ {{ name = "hips"  position = [0 0 1.{n}] }} {{ name = "spine"  parent = "hips" }} ]\n',
     'joints = [ {{ name = "hips"  parent = "none{n}" }} ]\n'),
    ("characters/extra.animation",
     'source = "characters/extra.bvh"\nskeleton = "characters/extra"\ntolerance = 0.00{n}1\n',
     'source = "characters/none{n}.bvh"\nskeleton = "characters/extra"\n'),
    ("characters/extra.state_machine", None, 'skeleton = "characters/extra"\nlayers = {n}\n'),
    ("physics/extra.physics", 'materials = [ {{ id = "1"  name = "wood"  friction = 0.{n}1 }} ]\n',
     'filters = [ {{ id = "1"  name = "ground"  collides = ["none{n}"] }} ]\n'),
    ("land/extra.height_field", 'source = "land/extra.png"\nsize = [1.{n} 1 1]\n',
     'source = "land/none{n}.png"\nsize = [1 1 1]\n'),
    ("environments/extra.environment", 'values = {{ exposure = 0.{n}1 }}\n',
     'values = {{ exposuer = {n} }}\n'),
    ("effects/extra.particles",
     'emitters = [ {{ id = "1"  name = "a"  spawn = {{ rate = 1{n} }} }} ]\n',
     'emitters = [ {{ id = "1"  name = "a"  spawn = {{ rate = -1{n} }} }} ]\n'),
    ("sounds/extra.sound", 'source = "sounds/extra.wav"\nloop = true\nloop_begin = 0.{n}1\n',
     'source = "sounds/none{n}.wav"\n'),
    ("sounds/extra.sound_bus", 'buses = [ {{ id = "1"  name = "master"  volume = -{n} }} ]\n',
     'buses = [ {{ id = "1"  name = "master{n}" }} ]\n'),
    ("sounds/extra.sound_event", 'play = {{ type = "random"  sounds = ["sounds/extra"]  volume = -{n} }}\n',
     'play = {{ type = "random"  sounds = []  volume = -{n} }}\n'),
    ("themes/extra.gui_theme", 'base = "core/gui/default"\nsizes = {{ text = 1{n} }}\n',
     'base = "core/gui/default"\nsizes = {{ text = -1{n} }}\n'),
    ("network/extra.network_config", 'types = {{ health = {{ type = "integer"  min = 0  max = 1{n} }} }}\n',
     'types = {{ health = {{ type = "integer"  min = 0  max = -1{n} }} }}\n'),
    ("flow/extra.flow",
     'variables = [ {{ id = "1"  name = "n"  type = "number"  value = {n} }} ]\n',
     'nodes = [ {{ id = "1"  type = "none{n}" }} ]\n'),
    ("flow/extra.flow_nodes",
     'nodes = [ {{ id = "1"  name = "n{n}"  function = "f"  slots = [ {{ id = "1"  name = "in"  kind = "event_in" }} ] }} ]\n',
     'nodes = [ {{ id = "1"  name = "n{n}"  function = "f" }} ]\n'),
    ("units/extra.unit", None, 'components = [ {{ id = "{n}"  type = "nonsense" }} ]\n'),
    ("levels/extra.level", 'units = [ {{ id = "{n}"  unit = "units/extra" }} ]\n',
     'units = [ {{ id = "{n}"  unit = "units/none" }} ]\n'),
    ("levels/extra.navigation",
     'level = "levels/ground"\nagents = [ {{ id = "1"  name = "a"  height = 1.{n}1 }} ]\n',
     'level = "levels/none{n}"\n'),
    ("fonts/extra.font", 'source = "fonts/extra.ttf"\nsize = 1{parity}\ncharacters = ["0x41-0x5a"]\n',
     'source = "fonts/none{n}.ttf"\n'),
    ("input/extra.input", None,
     'actions = {{ turn = {{ bindings = ["keyboard.a" "keyboard.none{n}"] }} }}\n'),
    ("rendering/extra.render_config", None, "layers = {n}\n"),
    ("texts/extra.strings", 'hello = "Hello {n}"\n'
     'apples = {{ one = "{{count}} apple"  other = "{{count}} apples, {n}" }}\n',
     'hello = {{ one = "{n}" }}\n'),
    ("extra.package", 'lua = ["scripts/extra"]  {config}\n',
     'lua = ["scripts/none{n}"]\n'),
]

SHADER = """layer = "opaque"
parameters = {{
    tint = {{ type = "color"  default = [1 1 1 1] }}
    number = {{ type = "scalar"  default = {n} }}
}}
vertex = \"\"\"
layout(location = 0) in vec3 position;
void main() {{ gl_Position = view.view_projection * vec4(to_world_point(position), 1.0); }}
\"\"\"
fragment = \"\"\"
layout(location = 0) out vec4 out_color;
void main() {{ out_color = vec4(material.tint.rgb + min(material.number, 0.0), 1.0); }}
\"\"\"
includes = ["core/shaders/include/frame.glsl"]
"""

STATE_MACHINE = """skeleton = "characters/extra"
variables = [ {{ id = "1"  name = "speed"  default = 1.{n} }} ]
layers = [ {{ id = "1"  name = "base"  start = "move"
    states = [
        {{ id = "1"  type = "clip"  name = "move"  animation = "characters/extra"  speed = "speed + {n}" }}
        {{ id = "2"  type = "empty"  name = "rest{parity}" }} ]
    transitions = [ {{ id = "1"  from = "any"  to = "rest{parity}"  event = "stop" }} ] }} ]
"""

MOTION = """HIERARCHY
ROOT hips
{
    OFFSET 0 0 1
    CHANNELS 3 Xrotation Yrotation Zrotation
    End Site
    {
        OFFSET 0 0 1
    }
}
MOTION
Frames: 3
Frame Time: 0.1
0 0 0
10 20 0
0 0 0
"""

INPUT = """actions = {{
    turn = {{
        kind = "axis"
        bindings = [{{ negative = "keyboard.a"  positive = "keyboard.d"  scale = 1.{n} }} "pad.left.x"]
    }}
    restart = {{ bindings = ["keyboard.r" "pad.start"] }}
    leave = {{ bindings = ["keyboard.esc" "pad.back"] }}
}}
"""

UNIT = """components = [
    {{ id = "11111111-0000-4000-8000-000000000001"  type = "transform"  position = [0 0 1] }}
    {{ id = "11111111-0000-4000-8000-000000000002"  type = "mesh"  mesh = "models/extra"
      materials = ["materials/extra"] }}
    {{ id = "11111111-0000-4000-8000-000000000003"  type = "debug_name"  name = "extra {n}" }}
    {{ id = "11111111-0000-4000-8000-000000000004"  type = "data"
      values = {{ number = {n}  name = "extra {n}"  place = {{ at = [1 {n}] }} }} }}
    {{ id = "11111111-0000-4000-8000-000000000005"  type = "tag"  tags = ["extra" "tag{n}"] }}
    {{ id = "11111111-0000-4000-8000-000000000006"  type = "actor"  mass = {n}
      shapes = [ {{ id = "11111111-0000-4000-8000-000000000007"  type = "box"  position = [0 0 {n}] }} ] }}
    {{ id = "11111111-0000-4000-8000-000000000008"  type = "trigger" }}
    {{ id = "11111111-0000-4000-8000-000000000009"  type = "mover"  mass = 1.{n} }}
    {{ id = "11111111-0000-4000-8000-000000000010"  type = "render_data"  values = {{ number = {n} }} }}
]
"""


def png(width, height, rows=None, color_type=2):
    """A PNG file; with `rows` None its header says more than it holds."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    if rows is None:
        rows = b"\0" * 64
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Reloads(TemporaryFolder):
    """Thousands of saves while the game runs."""

    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.texts = {}
        self.num_texts = {}
        for path, text, _ in RELOADS:
            self.texts[path] = text
        core = read(os.path.join(ROOT, "core", "rendering", "renderer.render_config"))
        self.texts["shaders/extra.shader"] = SHADER
        self.texts["units/extra.unit"] = UNIT
        self.texts["input/extra.input"] = INPUT
        self.texts["characters/extra.state_machine"] = STATE_MACHINE
        self.texts["rendering/extra.render_config"] = (
            core.replace("{", "{{").replace("}", "}}").replace("0.62 0.74", "0.62{n} 0.74"))
        self.assertIn("{n}", self.texts["rendering/extra.render_config"])
        write(os.path.join(self.project, "textures/extra.png"),
              png(2, 1, b"\0" + bytes(range(6))))
        write(os.path.join(self.project, "sounds/extra.wav"), wav(48000))
        write(os.path.join(self.project, "land/extra.png"),
              png(2, 2, bytes([0, 10, 20, 0, 30, 40]), color_type=0))
        write(os.path.join(self.project, "models/extra.gltf"),
              read(os.path.join(ROOT, "core", "meshes", "cube.gltf"), "rb"))
        write(os.path.join(self.project, "characters/extra.bvh"), MOTION)
        write(os.path.join(self.project, "fonts/extra.ttf"),
              read(os.path.join(ROOT, "core", "fonts", "default.ttf"), "rb"))
        write(os.path.join(self.project, "units/ground.unit"),
              'components = [ { id = "1"  type = "transform" } { id = "2"  type = "actor"\n'
              '    shapes = [ { id = "3"  type = "box"  half_size = [4 4 0.5] } ] } ]\n')
        write(os.path.join(self.project, "levels/ground.level"),
              'units = [ { id = "1"  unit = "units/ground" } ]\n')
        for path in self.texts:
            self.save(path, self.text(path, 1))
        settings = source_of(self.project, "settings.config")
        self.assertIn('input = "input/default"', settings)
        self.save("settings.config", settings.replace("input/default", "input/extra")
                  + 'render_config = "rendering/extra"\n')

    def save(self, path, text):
        write(os.path.join(self.project, path), text)

    def text(self, path, number):
        # Each differs from the last also where a number would not be seen in what is compiled.
        is_odd = self.num_texts[path] = not self.num_texts.get(path, False)
        return self.texts[path].format(n=number, parity=int(is_odd), wrap=("repeat", "clamp")[is_odd],
                                       config=("", 'config = ["extra"]')[is_odd])

    def screenshot(self, game):
        return read_png(game.console.screenshot(self.path("shot.png"))).pixels

    def memory(self, game):
        """{allocator: live bytes}, and the device's bytes, once everything has come to rest."""
        game.console.script("collectgarbage() collectgarbage()")
        time.sleep(0.3)
        game.console.send(type="command", id="memory", command="memory")
        answer = game.console.wait_for_message(lambda m: m.get("id") == "memory",
                                               len(game.console.messages))
        found = {}
        for line in answer["result"].splitlines()[1:]:
            live, _, _, name = line.split(None, 3)
            found[name] = int(live)
        found["device"] = int(game.console.script("Profiler.render_stats().device_bytes"))
        found["device ranges"] = int(game.console.script("Profiler.render_stats().device_ranges"))
        return found

    def reload(self, game, path, number):
        since = len(game.console.messages)
        self.save(path, self.text(path, number))
        game.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)

    def break_(self, game, path, broken, number):
        since = len(game.console.messages)
        self.save(path, broken.format(n=number))
        game.console.wait_for_message(lambda m: m.get("level") == "error", since)

    def test_reloads_and_broken_saves_leave_memory_and_picture_as_they_were(self):
        count = rounds(4, 1000)
        with Game(self.project, "--size", "96x54", "--fixed-dt", "0.01") as game:
            console = game.console
            console.wait_until("World.time(Application.main_world()) > 0.05", "true")
            console.script("World.spawn_unit(Application.main_world(), 'units/extra')\n"
                           "Extra_package = Application.resource_package('extra')\n"
                           "ResourcePackage.load(Extra_package)\n"
                           "ResourcePackage.flush(Extra_package)")
            console.send(type="command", command="pause")
            for path, _, broken in RELOADS:
                for number in range(rounds(3, 300)):  # what grows once
                    self.reload(game, path, 3 + number)
                    self.break_(game, path, broken, number)
                self.reload(game, path, 2)
                # The queue of the connection that the picture comes by grows once, too.
                picture, before = self.screenshot(game), self.memory(game)
                start = time.monotonic()
                for number in range(count):
                    is_looked_at = number % 100 == 2
                    self.reload(game, path, 2 if is_looked_at else 3 + number)
                    self.break_(game, path, broken, number)
                    if is_looked_at:
                        self.assertEqual(self.screenshot(game), picture, path)
                    console.messages.clear()
                self.reload(game, path, 2)
                print(f"{path}: {count} reloads and {count} broken saves, "
                      f"{(time.monotonic() - start) * 500 / max(count, 1):.0f} ms each")
                self.assertEqual(self.screenshot(game), picture, path)
                self.compare(path, before, self.memory(game))

    def test_every_type_is_among_them(self):
        table = read(os.path.join(ROOT, "src", "resource", "types", "resource_types.c"))
        types = re.findall(r'^    \{"(\w+)",\s+\{\w+\},\s+CT_\w+_VERSION,', table, re.M)
        self.assertGreaterEqual(len(types), 11)
        self.assertEqual(sorted(types), sorted(path.rsplit(".", 1)[1] for path, _, _ in RELOADS))
        rows = table[:table.index("ct_resource_type *add_type(")]  # types of plugins are behind them
        self.assertEqual(rows.count("_VERSION,"), len(types), "a row is written otherwise")

    def compare(self, path, before, after):
        """No system holds more than before, but for what the message under way takes."""
        for name, was in before.items():
            is_sum = any(other.startswith(name + "/") for other in before)
            # The driver keeps what its own frames in flight took.
            slack = (0 if name.startswith("device") else 16384 if name.endswith("/vulkan")
                     else 8192 if "lua" in name else 4096)
            if name.startswith(("heap/", "device")) and not is_sum:
                self.assertLessEqual(after.get(name, 0), was + slack, f"{path}: {name}")


class Kills(TemporaryFolder):
    """SIGKILL at random moments, of the driver and of its workers."""

    def setUp(self):
        super().setUp()
        self.project, self.env = self.path("game"), {}
        if IS_LONG:
            self.new_project()
        else:  # the whole core takes most of the time
            self.env = new_small_project(self.project, self.path("core"))
        start = time.monotonic()
        cuttle("compile", self.project, "--data-dir", self.path("whole"), check=0, env=self.env)
        self.seconds = time.monotonic() - start
        self.whole = folder_bytes(self.path("whole"))
        self.chance = random.Random(7)

    def start(self, target):
        return subprocess.Popen([CUTTLE, "compile", self.project, "--data-dir", target],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, **self.env})

    def check(self, target):
        cuttle("compile", self.project, "--data-dir", target, check=0, env=self.env)
        self.assertEqual(folder_bytes(target), self.whole)

    def test_of_the_driver(self):
        count, num_killed = rounds(8, 200), 0
        for number in range(count):
            target = self.path(f"driver{number}")
            process = self.start(target)
            # Some of the moments come when it has ended.
            time.sleep(self.chance.uniform(0, self.seconds))
            process.kill()
            process.communicate()
            num_killed += process.returncode == -signal.SIGKILL
            self.check(target)
        print(f"{num_killed} of {count} drivers killed")
        self.assertGreaterEqual(num_killed * 4, count)

    def kill_workers(self, process, delay, seconds):
        """Kills all workers some seconds after the first is there, and for some seconds those that
        come in their place; returns how many there were."""
        while not workers(process.pid) and process.poll() is None:
            time.sleep(0.001)
        time.sleep(delay)
        num_killed, end = 0, time.monotonic() + seconds
        while True:
            for worker in workers(process.pid):
                try:
                    os.kill(worker, signal.SIGKILL)
                    num_killed += 1
                except ProcessLookupError:
                    pass
            if time.monotonic() >= end or process.poll() is not None:
                return num_killed

    def test_of_workers(self):
        count, num_hit, num_told = rounds(10, 200), 0, 0
        for number in range(count):
            target = self.path(f"worker{number}")
            process = self.start(target)
            # Every second time at once and again: jobs that a new worker has alone are given up.
            delay, seconds = (self.chance.uniform(0, self.seconds), 0) if number % 2 else (0, 0.5)
            num_killed = self.kill_workers(process, delay, seconds)
            stderr = process.communicate()[1]
            is_told = "SIGKILL" in stderr
            self.assertEqual(process.returncode, 1 if is_told else 0, stderr)
            self.assertLessEqual(is_told, num_killed, "no process was killed")
            num_hit += num_killed > 0
            num_told += is_told
            self.check(target)
        print(f"workers killed in {num_hit} of {count} compiles, {num_told} failed by it")
        self.assertGreaterEqual(num_hit * 4, count)
        self.assertGreater(num_told, 0)


def workers(pid):
    """The worker processes of a driver that live: what has ended has no command line any more."""
    return [child for child in children_of(pid)
            if "cuttle-worker" in read_gone(f"/proc/{child}/cmdline")]


class Clients(TemporaryFolder):
    def test_a_thousand_clients_come_and_go(self):
        chance = random.Random(9)
        with Game(self.compiled_project(), "--size", "96x54") as game:
            game.console.script("collectgarbage()")
            for number in range(rounds(200, 1000)):
                client = Console(game.port)
                kind = number % 5
                if kind == 1:
                    client.send(type="ping")
                elif kind == 2:  # half a message
                    client.socket.sendall(struct.pack(">II", 0, 1000) + b"{")
                elif kind == 3:  # noise
                    client.socket.sendall(chance.randbytes(64))
                elif kind == 4:  # ends the hard way
                    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                             struct.pack("ii", 1, 0))
                client.close()
            self.assertEqual(game.console.script("1 + 1"), "2")
            self.assertEqual(game.quit(), 0)

    def test_of_a_thousand_at_once_the_silent_go_with_a_reason(self):
        with Game(self.compiled_project(), "--size", "96x54") as game:
            clients = [Console(game.port) for _ in range(rounds(200, 900))]
            for client in clients[-(MAX_CLIENTS - 1):]:
                self.assertEqual(client.script("1 + 1"), "2")
            for client in clients[:-MAX_CLIENTS]:
                answer = client.receive()
                while answer["type"] == "message":  # the log
                    answer = client.receive()
                self.assertEqual(answer["type"], "error")
                self.assertEqual(answer["message"], f"more than {MAX_CLIENTS} console clients; "
                                                    "this one was silent for the longest time")
                self.assertRaises(ConnectionError, client.receive)
            for client in clients:
                client.close()
            self.assertEqual(self.ask_until_served(game.port, "2 + 2"), "4")

    def ask_until_served(self, port, lua):
        """The places of those that left are free again some frames later."""
        for _ in range(1000):
            late = Console(port)
            try:
                return late.script(lua)
            except ConnectionError:
                time.sleep(0.05)
            finally:
                late.close()
        return self.fail("no place became free")


def limit_files():
    """Every file this process and its children write ends at 20,000 bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


class FullDisk(TemporaryFolder):
    """Writes that fail: a limit on the size of files, and where it can be mounted a full disk."""

    def run_limited(self, *arguments, env=None):
        return subprocess.run([CUTTLE, *arguments], capture_output=True, text=True,
                              preexec_fn=limit_files, timeout=240,
                              env={**os.environ, **(env or {})})

    def test_compiling_says_so_and_mends_itself_later(self):
        project = self.path("game")
        env = new_small_project(project, self.path("core"))
        write(os.path.join(project, "scripts", "big.lua"), "return {" + "'text',\n" * 20000 + "}\n")
        done = self.run_limited("compile", project, env=env)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"(?i)(too large|space)")
        cuttle("compile", project, check=0, env=env)
        cuttle("compile", project, "--data-dir", self.path("fresh"), check=0, env=env)
        self.assertEqual(folder_bytes(data_folder(project)), folder_bytes(self.path("fresh")))

    def test_a_change_that_cannot_be_written_leaves_the_data_of_before(self):
        project = self.compiled_project()
        cuttle("compile", project, check=0)
        before = folder_bytes(data_folder(project))
        write(os.path.join(project, "scripts", "big.lua"),
              "return {\n" + "".join(f"'{number}',\n" for number in range(20000)) + "}\n")
        done = self.run_limited("compile", project)
        self.assertEqual(done.returncode, 1, done.stderr)
        after = folder_bytes(data_folder(project))
        package = cuttle("hash", "package", check=0).stdout.split()[1]  # it names the new script
        for name, data in before.items():
            if name != "index" and not name.startswith(package):
                self.assertEqual(after[name], data, name)
        cuttle("compile", project, check=0)

    def test_pictures_and_profiles_that_cannot_be_written_are_errors(self):
        project = self.compiled_project()
        cuttle("compile", project, check=0)
        for option, name in (("--screenshot", "shot.png"), ("--profile", "p.json")):
            target = self.path(name)
            write(target, "the old one")
            done = self.run_limited("run", project, "--headless", "--frames", "20", "--size",
                                    "320x180", option, target)
            self.assertIn(name, done.stderr)
            self.assertEqual(done.returncode, 1, done.stderr)
            if option == "--screenshot":  # a recording is a stream, this is written whole
                self.assertEqual(read(target), "the old one")

    def test_a_disk_that_is_full(self):
        disk = self.path("disk")
        os.mkdir(disk)
        script = (f"mount -t tmpfs -o size=200k none {disk} || exit 77\n"
                  f"{CUTTLE} compile {self.compiled_project()} --data-dir {disk}/data; echo exit $?\n"
                  f"ls -A {disk}/data | grep -c tmp\n")
        done = subprocess.run(["unshare", "-Urm", "sh", "-c", script], capture_output=True,
                              text=True, timeout=240)
        if done.returncode == 77 or "unshare" in done.stderr:
            self.skipTest("no disk can be mounted here")
        self.assertIn("exit 1", done.stdout)
        self.assertRegex(done.stderr, f"cannot (write|make) {disk}/.*space")
        self.assertEqual(done.stdout.split()[-1], "0", "temporary files stay")


class Media(TemporaryFolder):
    """Media that claim or cost too much are one resource's error."""

    def refuse(self, path, text, *words):
        project = self.compiled_project(f"game{len(os.listdir(self.folder))}")
        for name, data in text.items():
            write(os.path.join(project, name), data)
        done = cuttle("compile", project, "--json", check=1)
        self.assertIn(path, done.stderr)
        for word in words:
            self.assertRegex(done.stderr, word)

    def test_images_of_65535_squared(self):
        tga = bytes([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 24, 32]) + b"\0" * 64
        jpeg = (b"\xff\xd8\xff\xc0" + struct.pack(">HBHHB", 17, 8, 65535, 65535, 3)
                + b"\1\x11\0\2\x11\1\3\x11\1"
                + b"\xff\xda" + struct.pack(">HB", 12, 3) + b"\1\0\2\x11\3\x11\0\x3f\0"
                + b"\xff\xd9")
        for name, data in (("huge.png", png(65535, 65535)), ("huge.tga", tga), ("huge.jpg", jpeg)):
            self.refuse("textures/huge.texture",
                        {f"textures/{name}": data,
                         "textures/huge.texture": f'source = "textures/{name}"\n'}, "65,?5(00|35)")

    def compile_bomb(self, name, fragment):
        shader = ('vertices = "fullscreen"\nvertex = """\nvoid main() { gl_Position = vec4(0.0); }\n"""\n'
                  f'fragment = """\n{fragment}\n"""\n')
        project = self.compiled_project(name)
        cuttle("compile", project, check=0)  # nothing else meets the limit
        write(os.path.join(project, "shaders", "bomb.shader"), shader)
        return cuttle("compile", project, "--time-limit", "5", timeout=100)

    def test_shaders_whose_macros_never_end_are_stopped(self):
        # 2^39 times the innermost.
        macros = "".join(f"#define A{n} A{n - 1} A{n - 1}\n" for n in range(1, 40))
        bombs = {
            "nothing": "#define A0 ;\n" + macros + "void main() { A39 }",
            "growing": "#define A0 x += x;\n" + macros + "layout(location = 0) out vec4 c;\n"
                       "void main() { float x = 0.0; A39 c = vec4(x); }",
        }
        for name, text in bombs.items():
            done = self.compile_bomb(name, text)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, "shaders/bomb.shader: error: .* the limit of 5 s")
            self.assertEqual(done.stderr.count("error:"), 1, done.stderr)

    def test_shaders_whose_loops_never_end_compile(self):
        # They are right, and not run here.
        done = self.compile_bomb("loops", "layout(location = 0) out vec4 c;\n"
                                 "void main() { float x = 0.0; for (int i = 0; i < 2000000000; ++i) "
                                 "x += sin(float(i)); c = vec4(x); }")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
