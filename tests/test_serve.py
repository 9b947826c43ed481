"""The file server: engines that run its data, saves that show on all of them, damage, restarts, tokens.
Prints the time from save to the new data in both engines; no time is asserted."""

import contextlib
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from support_cuttle import (CUTTLE, LIMIT, ROOT, Game, TemporaryFolder, cuttle, data_folder, folder_bytes, read,
                            rounds, write)
from support_plugins import build_plugin, list_plugins

TOKEN = "0123456789abcdef0123456789abcdef"
SMALL = ("--headless", "--frames", "3", "--size", "160x90")


class Server:
    """`cuttle serve` in the background; ends with the `with` block."""

    def __init__(self, *arguments, port=0, token=None, cwd=None):
        self.log_file = tempfile.NamedTemporaryFile("w+", prefix="cuttle-serve-")
        environment = {**os.environ, **({"CUTTLE_TOKEN": token} if token else {})}
        self.process = subprocess.Popen([CUTTLE, "serve", *arguments, "--port", str(port)], cwd=cwd,
                                        stdout=self.log_file, stderr=self.log_file,
                                        stdin=subprocess.DEVNULL, env=environment)

    def log(self):
        return read(self.log_file.name)

    def wait_for(self, pattern):
        start = time.monotonic()
        while not (found := re.search(pattern, self.log())):
            if self.process.poll() is not None or time.monotonic() - start > LIMIT:
                raise AssertionError(f"no {pattern}:\n" + self.log())
            time.sleep(0.01)
        return found

    def __enter__(self):
        self.port = int(self.wait_for(r"serving at \S+:(\d+);")[1])
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.status = self.process.wait(timeout=LIMIT)
        self.log_file.close()


class Relay:
    """Passes connections on to a port, and what the server sends through `change`; keeps all bytes."""

    def __init__(self, port, change=lambda data: data):
        self.port_behind, self.change, self.seen = port, change, bytearray()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                engine, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.port_behind))
                for pair in ((engine, server, lambda data: data), (server, engine, self.change)):
                    threading.Thread(target=self.copy, args=pair, daemon=True).start()

    def copy(self, source, target, change):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self.seen += data
                target.sendall(change(data))
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.listener.close()


class Serve(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")
        self.environment = {"XDG_CACHE_HOME": self.cache}
        self.project = self.compiled_project()
        self.set_probe(1)

    def set_probe(self, value, project=None):
        write(os.path.join(project or self.project, "scripts", "probe.lua"), f"Probe = {value}\n")

    def run_served(self, port, *arguments, project="game", check=None, token=None):
        tokens = {"CUTTLE_TOKEN": token} if token else {}
        return cuttle("run", "--host", f"127.0.0.1:{port}", *(["--project", project] if project else []),
                      *SMALL, *arguments, check=check, env={**self.environment, **tokens})

    def game(self, port, *arguments):
        return Game(f"--host=127.0.0.1:{port}", "--project", "game", *arguments, env=self.environment)

    def contents(self):
        """{content: its inode}"""
        found = {}
        for folder, _, names in os.walk(os.path.join(self.cache, "cuttle", "served", "objects")):
            found.update({name: os.stat(os.path.join(folder, name)).st_ino for name in names})
        return found

    def node_folders(self):
        nodes = os.path.join(self.cache, "cuttle", "served", "nodes")
        return [os.path.join(nodes, node, name, ".cuttle", "data", "linux")
                for node in sorted(os.listdir(nodes)) if not node.endswith(".lock")
                for name in os.listdir(os.path.join(nodes, node))]

    def assert_same_data(self, folder):
        served, fetched = folder_bytes(data_folder(self.project)), folder_bytes(folder)
        del served["index"]
        self.assertEqual(sorted(served), sorted(fetched))
        self.assertEqual([name for name in served if served[name] != fetched[name]], [])

    def test_plugins_are_those_of_the_machine_that_runs(self):
        build_plugin(self.project, "test", '''
            static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
                (void)self, (void)get_api, (void)error;
                return true;
            }''')
        list_plugins(self.project, "test")
        there = self.path("there")
        shutil.copytree(os.path.join(self.project, "plugins"), os.path.join(there, "plugins"))
        names = "table.concat(PluginManager.loaded_plugins(), ' ')"
        with Server(self.project) as server:
            with self.game(server.port, "--plugins", there) as game:
                self.assertEqual(game.console.script(names), "test", game.log())
                self.assertEqual(game.quit(), 0)
            done = self.run_served(server.port, check=1)
            self.assertIn("error: test is left out: ", done.stdout + done.stderr)
            done = self.run_served(server.port, "--plugins", self.path("nowhere"), check=2)
            self.assertIn("nowhere\"; expected a folder", done.stderr)
        self.assertIn("--plugins needs --host", cuttle("run", self.project, "--plugins", there, check=2).stderr)

    def test_two_engines_follow_saves_and_restarts(self):
        with contextlib.ExitStack() as stack:
            server = stack.enter_context(Server(self.project))
            port = server.port
            games = [stack.enter_context(self.game(port)) for _ in range(2)]
            for game in games:
                self.assertEqual(game.console.script("require 'scripts/probe'; return Probe"), "1")
            folders = self.node_folders()
            self.assertEqual(len(folders), 2)
            for folder in folders:
                self.assert_same_data(folder)
            start = time.monotonic()
            self.set_probe(2)
            for game in games:
                game.console.wait_until("Probe", "2")
            print(f"{1000 * (time.monotonic() - start):.0f} ms from save to two engines")
            self.assertIn("reloaded scripts/probe.lua", games[0].log())
            # A source that does not compile changes nothing, and the next save shows again.
            self.set_probe("= oh no")
            server.wait_for("probe.lua:1:")
            self.set_probe(3)
            for game in games:
                game.console.wait_until("Probe", "3")
            # Without a server both go on, and catch up when there is one again.
            server.process.kill()
            server.process.wait()
            for game in games:
                game.console.wait_for_message(lambda m: "lost the file server" in m.get("message", ""))
                self.assertEqual(game.console.script("Probe"), "3")
            self.set_probe(4)
            stack.enter_context(Server(self.project, port=port))
            for game in games:
                game.console.wait_until("Probe", "4")
                self.assertEqual(game.log().count("lost the file server"), 1)
            for folder in folders:
                self.assert_same_data(folder)

    def wait_for_line(self, game, level, text, since=0):
        message = game.console.wait_for_message(lambda m: text in m.get("message", ""), since)
        self.assertEqual((message["level"], message["system"]), (level, "compiler"))
        return message["message"]

    def test_engines_show_what_does_not_compile(self):
        bad = os.path.join(self.project, "scripts", "bad.lua")
        write(bad, "local x = 1\n  y = = 2\n")
        with Server(self.project) as server, self.game(server.port) as first:
            # Of an error that is older than the game, and one that is saved meanwhile.
            line = self.wait_for_line(first, "error", "scripts/bad.lua:2:")
            self.assertIn(line, server.log())  # the same text as there
            second = None
            with self.game(server.port) as second:
                self.wait_for_line(second, "error", "scripts/bad.lua:2:")
                write(os.path.join(self.project, "bad.material"), "shader = 5\n")
                for game in (first, second):
                    self.wait_for_line(game, "error", "bad.material:1:")
                    self.assertEqual(game.log().count("scripts/bad.lua:2:"), 1)
                # A frame draws what the log got, in the overlay.
                second.console.command("overlay", "on")
                os.remove(os.path.join(self.project, "bad.material"))
                write(bad, "x = 1\n")
                for game in (first, second):
                    self.wait_for_line(game, "info", "the sources compile again")
                self.assertEqual(second.quit(), 0)
            # An engine that comes later hears nothing of it.
            done = self.run_served(server.port, check=0)
            self.assertNotIn("bad", done.stderr)
            self.assertEqual(first.log().count("the sources compile again"), 1)

    def test_a_flood_of_errors(self):
        count = rounds(1000, 10000)
        for number in range(count):
            write(os.path.join(self.project, "flood", f"{number}.material"), "shader = 5\n")
        with Server(self.project) as server, self.game(server.port) as game:
            # In the log's file: a console that is behind leaves lines out, and packages miss all of these.
            start = time.monotonic()
            while f"… and {count - 200} more errors and warnings" not in game.log():
                self.assertLess(time.monotonic() - start, LIMIT)
                game.console.script("1")
            found = re.findall(r"flood/\d+\.material:1:", game.log())
            self.assertEqual(len(found), 200)
            self.set_probe(8)  # all else goes on
            game.console.wait_until("require 'scripts/probe'; return Probe", "8")
            shutil.rmtree(os.path.join(self.project, "flood"))
            self.wait_for_line(game, "info", "the sources compile again")

    def test_contents_are_fetched_once(self):
        with Server(self.project) as server:
            self.run_served(server.port, check=0)
            before = self.contents()
            self.assertGreater(len(before), 100)
            self.set_probe(7)
            server.wait_for("revision 2")
            with Relay(server.port) as relay:
                self.run_served(relay.port, check=0)
                # The list, a script and the catalog, for a project of some megabytes.
                self.assertLess(len(relay.seen), 100000)
            after = self.contents()
            self.assertEqual({name: after[name] for name in before}, before)
            # A damaged content is found by its hash at the start, and fetched again.
            name = max(before, key=lambda name: int(name.split("-")[1], 16))
            path = os.path.join(self.cache, "cuttle", "served", "objects", name[:2], name)
            data = read(path, "rb")
            with open(path, "r+b") as file:
                file.seek(len(data) // 2)
                file.write(bytes([data[len(data) // 2] ^ 1]))
            shutil.rmtree(os.path.join(self.cache, "cuttle", "served", "nodes"))
            self.run_served(server.port, check=0)
            self.assertEqual(read(path, "rb"), data)
            self.assert_same_data(self.node_folders()[0])

    def test_damage_on_the_way(self):
        times = 0

        def damage(data):
            """Changes a bit in the middle of what is no header and no text."""
            nonlocal times
            if len(data) < 1 << 15 or times == 0:
                return data
            times -= 1
            changed = bytearray(data)
            changed[len(data) // 2] ^= 0x10
            return bytes(changed)

        with Server(self.project) as server, Relay(server.port, damage) as relay:
            times = 1
            self.run_served(relay.port, check=0)
            self.assertEqual(times, 0)
            self.assert_same_data(self.node_folders()[0])
            shutil.rmtree(self.cache)
            times = 1 << 30
            done = self.run_served(relay.port)
            self.assertEqual(done.returncode, 1)
            self.assertIn("[serve] error: ", done.stderr)
            times = 0
            self.run_served(relay.port, check=0)
        with Server(self.project, token=TOKEN) as server, Relay(server.port, damage) as relay:
            shutil.rmtree(self.cache)
            times = 1 << 30
            done = self.run_served(relay.port, token=TOKEN)
            self.assertEqual(done.returncode, 1)
            self.assertIn("forged or changed on its way", done.stderr)

    def test_a_server_that_ends_in_the_middle_of_a_file(self):
        with Server(self.project) as server, self.game(server.port) as game:
            server.process.send_signal(signal.SIGSTOP)
            write(os.path.join(self.project, "big.lua"), "-- " + "x" * 3000000 + "\nBig = 1\n")
            server.process.send_signal(signal.SIGCONT)
            server.wait_for("revision 2")
            server.process.kill()
            server.process.wait()
            game.console.wait_for_message(lambda m: "lost the file server" in m.get("message", ""))
            self.assertEqual(game.console.script("1 + 1"), "2")
            with Server(self.project, port=server.port):
                game.console.wait_for_message(lambda m: "connected to the file" in m.get("message", ""))
                self.assert_same_data(self.node_folders()[0])

    def test_a_disk_that_is_full(self):
        with Server(self.project) as server:
            limited = subprocess.run(["sh", "-c", 'ulimit -f 100; exec "$0" "$@"', CUTTLE, "run", "--host",
                                      f"127.0.0.1:{server.port}", *SMALL], capture_output=True, text=True,
                                     timeout=LIMIT, env={**os.environ, **self.environment})
            self.assertEqual(limited.returncode, 1, limited.stderr)
            self.assertIn("File too large", limited.stderr)
            left = [name for name in self.contents() if name.startswith(".")]
            self.assertEqual(left, [])
            self.run_served(server.port, project=None, check=0)
            self.assert_same_data(self.node_folders()[0])

    def test_tokens(self):
        with Server(self.project, token=TOKEN) as server, Relay(server.port) as relay:
            self.run_served(relay.port, token=TOKEN, check=0)
            for secret in (TOKEN.encode(), b"scripts/probe", b"catalog"):
                self.assertNotIn(secret, relay.seen)
            done = self.run_served(server.port, token=TOKEN[::-1], check=1)
            self.assertIn("the token is wrong", done.stderr)
            done = self.run_served(server.port, check=1)
            self.assertIn("the file server needs a token", done.stderr)
        done = cuttle("serve", self.project, "--address", "0.0.0.0", check=1)
        found = re.search(r"other machines may reach 0\.0\.0\.0, so a token is needed.*--token (\w{32})",
                          done.stderr)
        self.assertTrue(found, done.stderr)
        done = cuttle("serve", self.project, "--token", "short", check=1)
        self.assertIn("the token has 5 characters; expected at least 16", done.stderr)

    def test_several_projects(self):
        shutil.copytree(self.project, self.path("more", "deep", "second"))
        shutil.copytree(self.project, self.path("more", "game"))
        self.set_probe(2, self.path("more", "deep", "second"))
        with Server(self.project, self.path("more")) as server:
            for name in ("deep/second", "second", "more/game"):
                self.run_served(server.port, project=name, check=0)
            self.assertIn("deep/second: revision 1", server.log())
            done = self.run_served(server.port, project="secnd", check=1)
            self.assertRegex(done.stderr, r'no project "secnd"; it has .*"deep/second"')
            for name in ("../game", "/etc", ""):
                self.assertEqual(self.run_served(server.port, project=name).returncode, 1, name)
        done = cuttle("serve", self.path("more", "deep", "second", "scripts"), check=1)
        self.assertIn("there is no settings.config", done.stderr)

    def test_options(self):
        for arguments, message in (
                ([], "expected: cuttle run PROJECT, or --host ADDRESS"),
                (["--host", "a", self.project], "--host takes no PROJECT folder"),
                (["--host", "a", "--no-compile"], "--host and --no-compile exclude each other"),
                (["--host", "a:0"], "--host is \"0\""),
                (["--host", "[::1"], "expected ADDRESS or ADDRESS:PORT"),
                ([self.project, "--token", "t"], "--token needs --host")):
            done = cuttle("run", *arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)

    def test_the_servers_engine(self):
        """An engine that differs from the server's goes over to that."""
        other = self.path("other", "cuttle")
        os.makedirs(os.path.dirname(other))
        shutil.copy(CUTTLE, other)
        with open(other, "ab") as file:
            file.write(b"another")
        with Server(self.project) as server:
            done = subprocess.run([other, "run", "--host", f"127.0.0.1:{server.port}", "--project", "game",
                                   "--engine", *SMALL], capture_output=True, text=True, timeout=LIMIT,
                                  env={**os.environ, **self.environment})
            self.assertEqual(done.returncode, 0, done.stderr)
            [path] = re.findall(r"the file server's engine is (\S+); going over to it", done.stderr)
            self.assertEqual(read(path, "rb"), read(CUTTLE, "rb"))
            self.assertIn("3 frames", done.stdout)

    def test_engines_start_while_the_server_is_away(self):
        with Server(self.project) as server:
            port = server.port
            self.run_served(port, check=0)
        self.set_probe(2)
        with self.game(port) as game, self.game(port) as second:
            for engine in (game, second):
                self.assertEqual(engine.console.script("require 'scripts/probe'; return Probe"), "1")
                self.assertRegex(engine.log(), rf"warning: the file server 127\.0\.0\.1:{port} does not answer "
                                 r"\(.*refused\); the game starts with the data that was fetched from it on "
                                 r"\d{4}-\d\d-\d\d at \d\d:\d\d:\d\d, and catches up when it answers \[old_data\]")
            done = self.run_served(port, "--require-server", check=1)
            self.assertIn("has not answered for 10 seconds", done.stderr)
            with Server(self.project, port=port):
                for engine in (game, second):
                    engine.console.wait_until("Probe", "2")
                    self.assertIn("connected to the file server", engine.log())
                    self.assertNotIn("lost the file server", engine.log())

    def test_the_servers_engine_while_it_is_away(self):
        other = self.path("other", "cuttle")
        os.makedirs(os.path.dirname(other))
        shutil.copy(CUTTLE, other)
        with open(other, "ab") as file:
            file.write(b"another")

        def run(port):
            return subprocess.run([other, "run", "--host", f"127.0.0.1:{port}", "--project", "game", "--engine",
                                   *SMALL], capture_output=True, text=True, timeout=LIMIT,
                                  env={**os.environ, **self.environment})

        with Server(self.project) as server:
            self.assertEqual(run(server.port).returncode, 0)
        done = run(server.port)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the engine is the one that was fetched from it on", done.stderr)
        [path] = re.findall(r"the file server's engine is (\S+); going over to it", done.stderr)
        self.assertEqual(read(path, "rb"), read(CUTTLE, "rb"))
        self.assertIn("the game starts with the data that was fetched from it on", done.stderr)
        self.assertIn("3 frames", done.stdout)
        with open(path, "r+b") as file:  # it is the content, by another name
            file.seek(4096)
            file.write(b"damage")
        done = run(server.port)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"what was fetched before cannot be used: 1 of its \d files are missing or")

    def test_the_commands_of_the_page(self):
        """The examples of docs/serve.md, with another port."""
        page = read(os.path.join(ROOT, "docs", "serve.md"))
        blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", page)
        commands = [line for block in blocks for line in block.splitlines() if line.startswith("cuttle ")]
        os.rename(self.project, self.path("mygame"))
        shutil.copytree(self.path("mygame"), self.path("samples", "crates"))
        served = [line for line in commands if line.startswith("cuttle serve")]
        self.assertEqual(len(served), 3)
        environment = {**os.environ, **self.environment}
        start = 0
        for line in served:
            runs = list(itertools.takewhile(lambda c: c.startswith("cuttle run"),
                                            commands[commands.index(line, start) + 1:]))
            start = commands.index(line, start) + 1
            self.assertTrue(runs)
            token = TOKEN if "--address" in line else None
            with Server(*line.split()[2:], token=token, cwd=self.path()) as server:
                for run in runs:
                    run = re.sub(r"--host [\d.]+", f"--host 127.0.0.1:{server.port}", run).replace("~/", "")
                    done = subprocess.run([CUTTLE, *run.split()[1:], *SMALL], capture_output=True,
                                          text=True, timeout=LIMIT, cwd=self.path(),
                                          env={**environment, **({"CUTTLE_TOKEN": token} if token else {})})
                    self.assertEqual(done.returncode, 0, run + "\n" + done.stderr)


if __name__ == "__main__":
    unittest.main()
