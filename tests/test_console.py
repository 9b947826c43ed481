"""The console: scripts, commands, the blog's wire format, and clients that misbehave."""

import itertools
import json
import os
import re
import socket
import struct
import threading
import time
import unittest

from support_cuttle import Console, Game, TemporaryFolder, cuttle, write
from support_png import read_png


class ConsoleProtocol(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()

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
            self.assertIn("console:1: no", done.stderr)
            done = cuttle("console", f"127.0.0.1:{game.port}", "memory no", check=1)  # a command
            self.assertIn('found "no"; expected trace', done.stderr)
            self.assertEqual(game.quit(), 0)

    def test_says_where_nobody_listens(self):
        with socket.socket() as deaf:  # bound, so that no other test's game takes the port
            deaf.bind(("127.0.0.1", 0))
            port = deaf.getsockname()[1]
            done = cuttle("console", f"127.0.0.1:{port}", "1", check=1)
            self.assertIn(str(port), done.stderr)
        cuttle("console", "nonsense", "1", check=2)
        done = cuttle("console", "127.0.0.1:99999", check=2)
        self.assertIn('invalid address "127.0.0.1:99999"', done.stderr)

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

    def test_answers_pings_and_sends_the_log(self):
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
            self.assertEqual(game.quit(), 0)

    def ask_for_screenshot(self, console, id, **more):
        console.send(type="command", command="screenshot", id=id, **more)
        return console.wait_for_message(lambda m: m.get("id") == id)

    def test_a_screenshot_comes_back_in_the_answer(self):
        with Game(self.project) as game:
            answer = self.ask_for_screenshot(game.console, {"number": 1})
            self.assertEqual((answer["type"], answer["result"], answer["file_type"]),
                             ("result", "screenshot of 160 x 90 pixels", "png"))
            write(self.path("shot.png"), answer["binary"])
            picture = read_png(self.path("shot.png"))
            self.assertEqual((picture.width, picture.height), (160, 90))
            # Also in a pause, and of one frame as often as is allowed.
            game.console.send(type="command", command="pause")
            texts = [json.dumps({"type": "command", "command": "screenshot", "id": number})
                     for number in range(5)]
            game.console.socket.sendall(b"".join(struct.pack(">II", 0, len(text)) + text.encode()
                                                 for text in texts))
            answers = [game.console.wait_for_message(lambda m: m.get("id") == number)
                       for number in range(5)]
            for one in answers:
                if "error" in one:  # where all five came in one frame
                    self.assertIn("4 screenshots for this connection are not finished",
                                  one["error"])
                else:
                    self.assertEqual(one["binary"], answers[0]["binary"])
            self.assertEqual(game.quit(), 0)

    def test_the_engine_writes_no_screenshot_where_a_client_says(self):
        with Game(self.project) as game:
            path = self.path("shot.png")
            for number, more in enumerate(({"file": path}, {"arguments": [path]})):
                answer = self.ask_for_screenshot(game.console, number, **more)
                self.assertIn(f'the file "{path}" is not allowed here', answer["error"])
            game.console.send(type="command", command="screenshot")
            game.console.wait_for_message(lambda m: 'add an "id"' in m.get("message", ""))
            # A frame that draws nothing.
            game.console.script("render = function() end")
            answer = self.ask_for_screenshot(game.console, "none")
            self.assertIn("the frame drew nothing", answer["error"])
            self.assertNotIn("binary", answer)
            self.assertFalse(os.path.exists(path))
            self.assertEqual(game.quit(), 0)

    def test_a_screenshot_comes_though_the_device_is_lost_meanwhile(self):
        with Game(self.project) as game:
            game.console.send(type="command", command="lose", arguments=["device"])
            self.assertIn("binary", self.ask_for_screenshot(game.console, 1))
            # More often than is tried: it is lost for good, and the game ends.
            texts = [json.dumps(message) for message in (
                {"type": "command", "command": "lose", "arguments": ["device", "1000"]},
                {"type": "command", "command": "screenshot", "id": 2})]
            game.console.socket.sendall(b"".join(struct.pack(">II", 0, len(text)) + text.encode()
                                                 for text in texts))
            answer = game.console.wait_for_message(lambda m: m.get("id") == 2)
            self.assertIn("the graphics device was lost", answer["error"])
            self.assertEqual(game.process.wait(timeout=240), 1)

    def test_a_client_that_leaves_before_its_screenshot_harms_nothing(self):
        with Game(self.project) as game:
            for _ in range(5):
                client = Console(game.port)
                self.assertEqual(client.script("1"), "1")
                for number in range(3):
                    client.send(type="command", command="screenshot", id=number)
                client.close()
            self.assertIn("binary", self.ask_for_screenshot(game.console, "mine"))
            # One that is on its way when the game ends.
            game.console.send(type="command", command="screenshot", id="last")
            self.assertEqual(game.quit(), 0)
            self.assertNotIn("[bug]", game.log())

    def test_cuttle_console_writes_the_screenshot(self):
        with Game(self.project) as game:
            def run(*arguments, check=0):
                return cuttle("console", f"127.0.0.1:{game.port}", *arguments, check=check,
                              cwd=self.folder)

            folder = os.path.realpath(self.folder)
            for words, name in ((["screenshot"], "screenshot.png"),
                                (["screenshot", "one.png"], "one.png"),
                                (["screenshot 'a b.png'"], "a b.png")):
                self.assertEqual(run(*words).stdout, f"wrote {os.path.join(folder, name)}\n")
                self.assertEqual(read_png(self.path(name)).width, 160)
            answer = json.loads(run("--json", "screenshot", "json.png").stdout)
            self.assertEqual(answer["binary_size"], os.path.getsize(self.path("json.png")))
            for options in ([], ["--json"]):
                done = run(*options, "screenshot", "no/where.png", check=1)
                self.assertEqual(done.stderr, "error: cannot find no: No such file or directory\n")
            self.assertIn("path is longer", run("screenshot", "x" * 5000, check=1).stderr)
            self.assertIn('the file "" is not allowed here', run("screenshot", "", check=1).stderr)
            self.assertIn("expected: screenshot [FILE]", run("screenshot", "a", "b", check=1).stderr)
            self.assertEqual(game.quit(), 0)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_other_users_are_refused(self):
        def ask_as_nobody(port, output):
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            client = Console(port)
            client.send(type="script", id=1, script="stolen = true return 1")
            os.write(output, json.dumps(client.receive()).encode())

        with Game(self.project) as game:
            ours, theirs = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    ask_as_nobody(game.port, theirs)
                finally:
                    os._exit(0)
            os.close(theirs)
            with open(ours, "rb") as answer:
                self.assertIn(b"user 65534 may not use the console of user 0's game",
                              answer.read())
            os.waitpid(child, 0)
            self.assertEqual(game.console.script("rawget(_G, 'stolen')"), "nil")

    def test_two_games_take_two_ports(self):
        with Game(self.project) as one, Game(self.project, "--no-compile") as two:
            self.assertNotEqual(one.port, two.port)
            self.assertEqual(two.console.script("'two'"), "two")
            self.assertEqual((one.quit(), two.quit()), (0, 0))

    def test_commands_stand_in_one_table(self):
        with Game(self.project) as game:
            def command(name, *arguments):
                game.console.send(type="command", command=name, id="c", arguments=arguments)
                answer = game.console.wait_for_message(lambda m: m.get("id") == "c",
                                                       since=len(game.console.messages))
                return answer.get("result"), answer.get("error")

            listing, _ = command("help")
            for name in ("help", "memory", "pause", "quit", "resume", "screenshot", "step"):
                self.assertRegex(listing, rf"(?m)^{name}\b.*: ")
                self.assertEqual(command("help", name)[0],
                                 re.search(rf"(?m)^{name}\b.*$", listing)[0])
            self.assertEqual(command("memroy")[1],
                             'unknown command "memroy"; did you mean "memory"?')
            self.assertEqual(command("pause", "now")[1],
                             "wrong number of arguments (1); expected: pause")
            self.assertIn('"300"; expected 0 to 255', command("quit", "300")[1])
            self.assertIn("argument 1 is a boolean; expected a string", command("quit", True)[1])
            self.assertIn("too many arguments", command("memory", *["x"] * 17)[1])
            game.console.send(type="command", command="pause", arguments="now", id="bad")
            answer = game.console.wait_for_message(lambda m: m.get("id") == "bad")
            self.assertEqual(answer["error"], '"arguments" is a string; expected an array')
            # A member may stand for the argument; an array comes before it.
            game.console.send(type="command", command="quit", exit_code=3)
            self.assertEqual(game.process.wait(timeout=240), 3)

    def test_physics_is_drawn_on_demand(self):
        with Game(self.project) as game:
            def draw(*arguments, check=0):
                done = cuttle("console", f"127.0.0.1:{game.port}", "physics", *arguments,
                              check=check)
                return done.stderr if check else done.stdout

            def pixels():
                answer = self.ask_for_screenshot(game.console, next(numbers))
                write(self.path("shot.png"), answer["binary"])
                return read_png(self.path("shot.png")).pixels

            numbers = itertools.count()
            game.console.send(type="command", command="step")  # which places the camera
            game.console.script("PhysicsWorld.spawn_box(World.physics_world(Game.world), "
                                "Vector3(0, 0, 2), Vector3(1, 1, 1))")
            before = pixels()
            self.assertTrue(pixels() == before)
            self.assertEqual(draw("draw", "shapes", "movers", "20"),
                             "drawing shapes, movers of physics up to 20 m from the cameras\n")
            pixels()  # the lines come around the cameras of the frame before
            self.assertFalse(pixels() == before)
            self.assertEqual(draw("draw", "shapes", "2"),
                             "drawing shapes of physics up to 2 m from the cameras\n")
            self.assertTrue(pixels() == before)  # the box is farther away
            self.assertEqual(draw("draw", "off"), "physics is not drawn\n")
            self.assertTrue(pixels() == before)
            setting = 'Application.set_render_setting("physics_draw", "%s")'
            game.console.script(setting % "all")
            pixels()
            pixels()
            self.assertFalse(pixels() == before)
            game.console.script(setting % "off")
            pixels()
            self.assertTrue(pixels() == before)
            for arguments, message in (
                    (("show", "shapes"), 'found "show"; expected draw'),
                    (("draw", "shaeps"),
                     'found "shaeps"; expected shapes, contacts or movers, or off alone'),
                    (("draw", "shapes", "off"), 'found "off"; expected shapes, contacts or movers'),
                    (("draw", "7"), 'found "7"; expected off, shapes, contacts or movers, then'),
                    (("draw", "shapes", "0"), 'found "0"; expected off, shapes'),
                    (("draw", "shapes", "nan"), 'found "nan"; expected off, shapes'),
                    (("draw", "shapes", "10001"), "more than 0 and up to 10000"),
                    (("draw",), "wrong number of arguments (1)")):
                self.assertIn(message, draw(*arguments, check=1))

    def test_render_lists_and_chooses(self):
        with Game(self.project) as game:
            def render(*arguments, check=0):
                done = cuttle("console", f"127.0.0.1:{game.port}", "render", *arguments,
                              check=check)
                return done.stderr if check else done.stdout

            views = render("views").splitlines()
            self.assertEqual(views[:3], ["* off", "  wireframe", "  overdraw"])
            self.assertIn("  lod", views)
            self.assertEqual(render("view", "wireframe"), "view = wireframe\n")
            self.assertIn("* wireframe", render("views").splitlines())
            render("set", "obscurance", "false")
            self.assertEqual(render("view", "obscurance"),
                             "view = obscurance; it is not shown while obscurance = false\n")
            render("set", "obscurance", "true")
            self.assertEqual(render("view", "obscurance"), "view = obscurance\n")
            self.assertEqual(render("view", "off"), "view = off\n")
            self.assertEqual(render("set", "lod_bias", "2"),
                             "lod_bias = 2  (number, 0.01 to 100)\n")
            self.assertEqual(render("set", "outlines", "false"), "outlines = false\n")
            self.assertTrue(render("set", "sky_light", "1", "0.5", "0.25")
                            .startswith("sky_light = 1 0.5 0.25 1  (color"))
            settings = render("settings").splitlines()
            self.assertIn("lod_bias = 2  (number, 0.01 to 100)", settings)
            self.assertIn("outlines = false", settings)
            self.assertTrue(render("presets"))
            for arguments, message in (
                    (("wiews",), 'found "wiews"; did you mean "views"?'),
                    (("zzz",), 'found "zzz"; expected views, view, settings, set'),
                    (("view", "wirefram"), 'did you mean "wireframe"?'),
                    (("view",), "wrong number of arguments (0); expected: render view NAME"),
                    (("set", "lod_bais", "2"), 'did you mean "lod_bias"?'),
                    (("set", "lod_bias", "far"), "lod_bias"),
                    (("set", "lod_bias", "nan"), "lod_bias"),
                    (("set", "lod_bias", "1", "two"), "lod_bias"),
                    (("set", "view", "1"), "view"),
                    (("set", "lod_bias"), "expected: render set NAME VALUE..."),
                    (("preset", "zzz"), "preset")):
                self.assertIn(message, render(*arguments, check=1))

    def test_cuttle_console_runs_commands(self):
        with Game(self.project) as game:
            address = f"127.0.0.1:{game.port}"
            self.assertEqual(cuttle("console", address, "pause", check=0).stdout, "paused\n")
            self.assertEqual(cuttle("console", address, "resume", check=0).stdout, "running\n")
            self.assertIn("memory [trace", cuttle("console", address, "help", check=0).stdout)
            done = cuttle("console", address, "quit", "300", check=1)
            self.assertEqual((done.stdout, done.stderr),
                             ("", 'error: invalid exit code "300"; expected 0 to 255\n'))
            done = cuttle("console", address, "--json", "step", check=0)
            self.assertEqual(json.loads(done.stdout)["type"], "result")
            # Lua is one argument; more after it make no command.
            done = cuttle("console", address, "memroy", "trace", check=2)
            self.assertIn('did you mean "memory"?', done.stderr)
            self.assertEqual(cuttle("console", address, "help ~= 1", check=0).stdout, "true\n")
            self.assertIn("exit code 4", cuttle("console", address, "quit", "4", check=0).stdout)
            self.assertEqual(game.process.wait(timeout=240), 4)

    def test_memory_shows_the_allocators_as_a_tree(self):
        with Game(self.project) as game:
            address = f"127.0.0.1:{game.port}"
            lines = cuttle("console", address, "memory", check=0).stdout.splitlines()
            self.assertEqual(lines[0].split(), "live bytes peak bytes blocks allocator".split())
            rows = {}
            for line in lines[1:]:
                live, peak, blocks, path = line.split()
                rows[path] = (int(live), int(peak), int(blocks))
                self.assertLessEqual(int(live), int(peak), line)
            for path in ("heap", "heap/cuttle", "heap/cuttle/app", "heap/cuttle/app/script",
                         "heap/cuttle/app/script/lua", "heap/cuttle/app/render",
                         "heap/cuttle/app/render/vulkan", "heap/cuttle/console"):
                self.assertGreater(rows[path][0], 0, path)
                self.assertGreater(rows[path][2], 0, path)
            # What stands on an allocator counts in it.
            self.assertGreaterEqual(rows["heap"][0], rows["heap/cuttle/app"][0])
            done = cuttle("console", address, "memory", "track", check=1)
            self.assertIn("track", done.stderr)
            self.assertEqual(game.quit(), 0)

    def test_memory_traces_by_name(self):
        with Game(self.project) as game:
            def memory(*arguments, check=0):
                done = cuttle("console", f"127.0.0.1:{game.port}", "memory", *arguments,
                              check=check)
                return done.stdout + done.stderr

            self.assertIn("is now traced", memory("trace", "script/lua", "on"))
            game.console.script("kept = {} for i = 1, 1000 do kept[i] = {i, tostring(i)} end")
            report = memory("trace", "script/lua", "report")
            bytes, blocks = map(int, re.match(r"(\d+) bytes in (\d+) blocks", report).groups())
            self.assertGreater(blocks, 1000)
            self.assertGreater(bytes, 16 * 1000)
            self.assertRegex(report, r"script/script\.c:\d+")
            self.assertIn("is no longer traced", memory("trace", "script/lua", "off"))
            self.assertIn("script/lua", memory("trace", "script/lua", "report", check=1))
            self.assertIn("nowhere", memory("trace", "nowhere", "on", check=1))
            self.assertIn('found "maybe"; expected on, off or report',
                          memory("trace", "script", "maybe", check=1))
            self.assertIn("expected: memory trace NAME", memory("trace", "script", check=1))
            self.assertEqual(game.quit(), 0)

    def test_floods_stall_neither_frames_nor_others(self):
        with Game(self.project) as game:
            game.console.script("""
                frames, handled, handled_in_frame, most_in_a_frame = 0, 0, 0, 0
                local old = update
                function update(dt)
                    frames, handled = frames + 1, handled + handled_in_frame
                    most_in_a_frame = math.max(most_in_a_frame, handled_in_frame)
                    handled_in_frame = 0
                    old(dt)
                end""")
            text = b'{"type":"script","script":"handled_in_frame = handled_in_frame + 1"}'
            flood = (struct.pack(">II", 0, len(text)) + text) * 500
            clients = [socket.create_connection(("127.0.0.1", game.port)) for _ in range(4)]
            is_over = threading.Event()

            def pour(client):
                try:
                    while not is_over.is_set():
                        client.sendall(flood)
                except OSError:
                    pass

            threads = [threading.Thread(target=pour, args=(c,)) for c in clients]
            for thread in threads:
                thread.start()
            # A client with one question at a time gets its answer in the next frame or so: others
            # have their turns between, not all their messages.
            waits = []
            while int(game.console.script("handled")) < 2000 or len(waits) < 20:
                before = int(game.console.script("frames"))
                waits.append(int(game.console.script("frames")) - before)
            self.assertLessEqual(sorted(waits)[len(waits) // 2], 2)
            self.assertLessEqual(int(game.console.script("most_in_a_frame")), 256)
            memory = cuttle("console", f"127.0.0.1:{game.port}", "memory", check=0).stdout
            peak = int(re.search(r"(\d+) +\d+ +heap/cuttle/console$", memory, re.M)[1])
            self.assertLess(peak, 32 << 20)
            is_over.set()
            for client in clients:
                client.close()
            for thread in threads:
                thread.join()
            self.assertEqual(game.quit(), 0)

    def test_errors_of_a_flood_are_logged_at_a_rate(self):
        with Game(self.project) as game:
            start = time.monotonic()
            for _ in range(500):
                game.console.send(type="script", script="error('flooded')")
                game.console.send(type="command", command="memory", arguments=["track"])
            game.console.script("1")
            time.sleep(1.1)
            game.console.script("print('what comes next tells the rest')")
            rest = [game.console.wait_for_message(lambda m: f"more [{id}]" in m.get("message", ""))
                    for id in ("console_script", "console_command")]
            seconds = time.monotonic() - start
            told = [m for m in game.console.messages
                    if m.get("level") == "error" and m["system"] == "console" and m not in rest]
            self.assertEqual({m["level"] for m in rest}, {"error"})
            self.assertGreaterEqual(len(told), 40)
            self.assertLessEqual(len(told), 40 * (seconds + 2))
            self.assertEqual(game.quit(), 0)

    def test_slow_messages_take_a_frame_each(self):
        with Game(self.project) as game:
            game.console.script("frames, slow = 0, 0; local old = update; "
                                "function update(dt) frames = frames + 1; old(dt) end")
            other = Console(game.port)
            for _ in range(10):
                other.send(type="script",
                           script="Application.sleep(20) slow = slow + 1 last = frames "
                                  "first = first or frames")
            game.console.wait_until("slow", "10")
            # Ten of them in one frame would be 200 ms; each is more than a frame's time for tools.
            self.assertGreaterEqual(int(game.console.script("last - first")), 9)
            other.close()
            self.assertEqual(game.quit(), 0)

    def test_who_does_not_read_waits_and_is_closed_in_the_end(self):
        with Game(self.project) as game:
            game.console.script("asked = 0")
            deaf = socket.create_connection(("127.0.0.1", game.port))
            deaf.settimeout(20)
            text = b'{"type":"script","id":1,"script":"asked = asked + 1 return (\'x\'):rep(100000)"}'
            try:
                deaf.sendall((struct.pack(">II", 0, len(text)) + text) * 3000)
            except OSError:
                pass
            game.console.wait_until("asked > 5", "true")
            start = time.monotonic()
            while time.monotonic() - start < 1:
                game.console.script("asked")
            # What its socket and 1 MiB of queue hold, not all.
            self.assertLess(int(game.console.script("asked")), 1000)
            # The log still goes to it, until that is too much.
            long_lines = "for _ = 1, 20 do print(('y'):rep(60000)) end"
            for _ in range(60):
                game.console.script(long_lines)
            deaf.settimeout(60)
            try:
                while deaf.recv(1 << 20):
                    pass
            except ConnectionError:
                pass
            deaf.close()
            self.assertEqual(game.console.script("'still here'"), "still here")
            self.assertEqual(game.quit(), 0)

    def test_messages_of_a_client_that_has_gone_still_run(self):
        with Game(self.project) as game:
            game.console.script("ran = 0")
            text = b'{"type":"script","script":"ran = ran + 1"}'
            client = Console(game.port)
            self.assertEqual(client.script("1"), "1")  # the game has taken the connection
            client.socket.sendall((struct.pack(">II", 0, len(text)) + text) * 1000)
            client.close()
            game.console.wait_until("ran", "1000")
            self.assertEqual(game.quit(), 0)

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
            closed = game.console.wait_for_message(lambda m: "complete" in m.get("message", ""))
            self.assertEqual(closed["level"], "warning")
            self.assertIn("[console_closed]", closed["message"])
            # What is an object, but says nothing we know, is answered.
            game.console.send(type="nonsense")
            game.console.wait_for_message(lambda m: m["type"] == "error")
            self.assertEqual(game.console.script("1"), "1")
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
