"""The console: scripts, commands, the blog's wire format, and clients that misbehave."""

import os
import socket
import struct
import time
import unittest

from support_cuttle import Console, Game, TemporaryFolder, cuttle, read


class ConsoleProtocol(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.new_project()

    def test_speaks_the_wire_format_of_the_blog(self):
        with Game(self.project) as game:
            # As the Ruby console of "Scripted Network Debugging" sends it.
            script = 'blog_was_here = "yes"'.replace('"', '\\"')
            text = '{type: "script", script: "%s"}' % script
            raw = socket.create_connection(("127.0.0.1", game.port))
            raw.sendall(struct.pack(">II", 0, len(text)) + text.encode())
            game.console.wait_until("blog_was_here", "yes")
            raw.close()
            self.assertEqual(game.quit(), 0)

    def test_runs_scripts_and_answers(self):
        with Game(self.project) as game:
            self.assertEqual(game.console.script("1 + 1"), "2")
            self.assertEqual(game.console.script("local a = 3 return a, 'x'"), "3\tx")
            with self.assertRaisesRegex(RuntimeError, "(?s)nothing_there.*traceback"):
                game.console.script("nothing_there()")
            done = cuttle("console", f"127.0.0.1:{game.port}", "6 * 7", check=0)
            self.assertEqual(done.stdout, "42\n")
            done = cuttle("console", f"127.0.0.1:{game.port}", "error('no')", check=1)
            self.assertIn("no", done.stderr)
            self.assertEqual(game.quit(), 0)
        done = cuttle("console", f"127.0.0.1:{game.port}", "1", check=1)
        self.assertIn(str(game.port), done.stderr)
        cuttle("console", "nonsense", "1", check=2)

    def test_pauses_steps_and_resumes(self):
        with Game(self.project) as game:
            console = game.console
            console.script("num_updates = 0; local old = update; "
                           "function update(dt) num_updates = num_updates + 1; old(dt) end")
            console.send(type="command", command="pause", id="p")
            while console.receive().get("id") != "p":
                pass
            paused = int(console.script("num_updates"))
            time.sleep(0.2)
            self.assertEqual(int(console.script("num_updates")), paused)
            console.send(type="command", command="step")
            console.wait_until("num_updates", str(paused + 1))
            console.send(type="command", command="resume")
            deadline = time.monotonic() + 60
            while int(console.script("num_updates")) < paused + 5:
                self.assertLess(time.monotonic(), deadline)
            self.assertEqual(game.quit(), 0)

    def test_takes_screenshots_pings_and_sends_the_log(self):
        picture = self.path("shot.png")
        with Game(self.project) as game:
            game.console.send(type="ping", id=7)
            while True:
                message = game.console.receive()
                if message["type"] == "pong":
                    self.assertEqual(message["id"], 7)
                    break
            game.console.script("print('hello', 'console')")
            told = game.console.wait_for_message(lambda m: "hello" in m.get("message", ""))
            self.assertEqual((told["type"], told["level"], told["system"]),
                             ("message", "info", "lua"))
            game.console.send(type="command", command="screenshot", file=picture)
            game.console.wait_for_message(lambda m: "shot.png" in m.get("message", ""))
            self.assertEqual(read(picture, "rb")[:8], b"\x89PNG\r\n\x1a\n")
            # Two of one frame, and a path that no system takes.
            for name in ("one.png", "two.png"):
                game.console.send(type="command", command="screenshot", file=self.path(name))
            for name in ("one.png", "two.png"):
                game.console.wait_for_message(lambda m: "wrote " in m.get("message", "") and
                                              name in m["message"])
            game.console.send(type="command", command="screenshot", file="x" * 5000)
            game.console.wait_for_message(lambda m: "too long" in m.get("message", ""))
            self.assertEqual(game.quit(), 0)

    def test_two_games_take_two_ports(self):
        with Game(self.project) as one, Game(self.project, "--no-compile") as two:
            self.assertNotEqual(one.port, two.port)
            self.assertEqual(two.console.script("'two'"), "two")
            self.assertEqual((one.quit(), two.quit()), (0, 0))

    def test_bad_clients_hurt_nobody(self):
        with Game(self.project) as game:
            def closed_after(data):
                client = Console(game.port)
                client.socket.sendall(data)
                try:
                    while True:
                        client.receive()
                except ConnectionError:
                    pass
                client.close()
                return "\n".join(m.get("message", "") for m in client.messages)

            self.assertIn("4294967295", closed_after(struct.pack(">II", 0, 0xFFFFFFFF)))
            self.assertNotEqual(closed_after(os.urandom(4) + b"\xff" * 60), "")
            self.assertNotEqual(closed_after(struct.pack(">II", 0, 5) + b"[1, 2"), "")
            self.assertNotEqual(closed_after(struct.pack(">II", 9, 2) + b"{}"), "")
            # Half a message, then nothing: closed after a while, and nobody waits for it.
            half = Console(game.port)
            half.socket.sendall(struct.pack(">II", 0, 100) + b"{type")
            self.assertEqual(game.console.script("'still here'"), "still here")
            try:
                while True:
                    half.receive()
            except ConnectionError:
                pass
            self.assertIn("complete", "\n".join(m.get("message", "") for m in half.messages))
            half.close()
            # What is an object, but says nothing we know, is answered.
            game.console.send(type="nonsense")
            game.console.wait_for_message(lambda m: m["type"] == "error")
            self.assertEqual(game.console.script("1"), "1")
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
