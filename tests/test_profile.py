"""Recordings of whole runs: `cuttle run --profile` writes a trace whose scopes nest, and the console
streams frames and writes the last ones. The formats: docs/formats/profiler.md."""

import collections
import json
import os
import socket
import statistics
import struct
import time
import unittest

from support_cuttle import (Console, Game, TemporaryFolder, cuttle, last_json, read, rounds,
                            write)

STEP = "0.0166666667"
ENTER, LEAVE, COUNTER, VALUE, RANGE, END = range(1, 7)  # kinds of events in a stream


class Trace:
    """A trace file, checked while it is read: every scope ends, time goes forward in each thread."""

    def __init__(self, path):
        self.json = json.loads(read(path))
        self.names = {}  # of threads and tracks
        self.scopes = collections.defaultdict(list)  # (thread, path of scopes): durations in us
        self.values = collections.defaultdict(list)  # of counters
        self.ranges = collections.defaultdict(list)  # (track, name): (begin, duration)
        self.frames = []
        open_scopes, last = collections.defaultdict(list), {}
        for event in self.json["traceEvents"]:
            phase, tid = event["ph"], event.get("tid")
            if phase == "M":
                if event["name"] == "thread_name":
                    self.names[tid] = event["args"]["name"]
                continue
            if phase in "BEC":
                assert event["ts"] >= last.get(tid, event["ts"]), event
                last[tid] = event["ts"]
            if phase == "B":
                open_scopes[tid].append(event)
            elif phase == "E":
                path = (self.names[tid], *(scope["name"] for scope in open_scopes[tid]))
                self.scopes[path].append(event["ts"] - open_scopes[tid].pop()["ts"])
            elif phase == "C":
                self.values[event["name"]].append(event["args"]["value"])
            elif self.names[tid] == "frames":
                self.frames.append(event)
            else:
                self.ranges[self.names[tid], event["name"]].append((event["ts"], event["dur"]))
        assert not any(open_scopes.values()), open_scopes

    def paths(self):
        """{path of scopes without its thread}"""
        return {path[1:] for path in self.scopes}

    def median(self, *path):
        return statistics.median(self.scopes[path])


class Profile(TemporaryFolder):
    def record(self, project, frames, *arguments):
        path = self.path("p.json")
        done = cuttle("run", project, "--headless", "--frames", frames, "--fixed-dt", STEP, "--size",
                      "160x90", "--profile", path, "--json", *arguments, check=0)
        return Trace(path), last_json(done.stdout)

    def test_a_run_of_the_sample_is_recorded_whole(self):
        trace, summary = self.record(self.copy_sample(), 60)
        self.assertEqual(summary["frames"], 60)
        # One more for what came after the last.
        self.assertEqual([frame["args"]["number"] for frame in trace.frames], list(range(1, 62)))
        for one, next in zip(trace.frames, trace.frames[1:]):
            self.assertAlmostEqual(one["ts"] + one["dur"], next["ts"], delta=0.01)
        self.assertEqual(trace.json["otherData"]["dropped_frames"], 0)
        self.assertEqual(trace.json["otherData"]["dropped_scopes"], 0)
        for path in [("update", "frame"), ("update", "frame", "update"),
                     ("update", "frame", "update", "resources"),
                     ("update", "frame", "update", "tools"),
                     ("update", "frame", "update", "lua update"),
                     ("update", "frame", "update", "lua update", "lua garbage collection"),
                     ("update", "frame", "update", "lua render"),
                     ("update", "frame", "wait for render thread"),
                     ("render", "render frame"), ("render", "render frame", "apply changes"),
                     ("render", "render frame", "view"),
                     ("render", "render frame", "view", "collect draws"),
                     ("render", "render frame", "view", "clear"),
                     ("render", "render frame", "submit")]:
            self.assertEqual(len(trace.scopes[path]), 60, path)
        self.assertEqual(len(trace.scopes["update", "lua init"]), 1)
        self.assertEqual(len(trace.scopes["update", "lua shutdown"]), 1)
        # By the service thread, and by the one that waits for the boot package.
        loads = [times for path, times in trace.scopes.items() if path[-1] == "load texture"]
        self.assertGreater(sum(len(times) for times in loads), 5)
        self.assert_frames_hold_their_parts(trace)
        self.assert_tasks(trace)
        self.assert_counters(trace)
        self.assert_device(trace)

    def assert_frames_hold_their_parts(self, trace):
        total = {path: sum(times) for path, times in trace.scopes.items()}
        update = total["update", "frame", "update"]
        parts = sum(time for path, time in total.items()
                    if path[:3] == ("update", "frame", "update") and len(path) == 4)
        self.assertLessEqual(parts, update + 1)
        self.assertLessEqual(update, total["update", "frame"])

    def assert_tasks(self, trace):
        # Memory is counted by a task of the update thread while that waits; culling is cut in
        # pieces that any thread may have run.
        self.assertEqual(sum(len(times) for path, times in trace.scopes.items()
                             if path[0] == "update" and path[-1] == "count memory"), 60)
        self.assertTrue(any(path[-1] == "parallel for" for path in trace.paths()), trace.paths())
        self.assertGreaterEqual(sum(len(times) for path, times in trace.scopes.items()
                                    if path[-1] == "cull"), 120)

    def assert_counters(self, trace):
        self.assertEqual(len(trace.values["draws"]), 60)
        self.assertGreater(min(trace.values["draws"]), 10)
        self.assertEqual(len(trace.values["lua memory"]), 60)
        self.assertGreater(min(trace.values["lua memory"]), 100000)
        for name in ["memory heap", "memory app", "memory render", "memory script"]:
            self.assertEqual(len(trace.values[name]), 60, name)
            self.assertGreater(min(trace.values[name]), 0, name)

    def assert_device(self, trace):
        """The steps lie in their frames, and frames on the device are where we say they are."""
        frames = trace.ranges["gpu", "gpu frame"]
        self.assertGreaterEqual(len(frames), 1)  # of a CPU driver one in 16 is measured
        steps = [step for (track, name), steps in trace.ranges.items()
                 if track == "gpu" and name != "gpu frame" for step in steps]
        self.assertGreaterEqual(len(steps), 4 * len(frames))
        # Steps are called as in the render config.
        for name in "opaque", "skydome", "tonemap", "gui":
            self.assertEqual(len(trace.ranges["gpu", name]), len(frames), name)
        for begin, duration in steps:
            self.assertTrue(any(frame <= begin and begin + duration <= frame + frame_duration + 1
                                for frame, frame_duration in frames), begin)
        end = trace.frames[-1]["ts"] + trace.frames[-1]["dur"]
        for begin, duration in frames:
            self.assertTrue(0 < begin and begin + duration < end)

    def test_recording_costs_little_of_the_update(self):
        """On a busy machine: `cuttle_bench profiler` has the figures."""
        trace, _ = self.record(self.copy_sample(), rounds(120, 300))
        share = trace.median("update", "profiler") / trace.median("update", "frame", "update")
        self.assertLess(share, 0.10)

    def test_scopes_of_a_game_are_among_the_engines(self):
        project = self.new_project()
        path = project + "/scripts/main.lua"
        write(path, read(path).replace("function update(dt)", """function update(dt)
    Profiler.start("my ai")
    Profiler.record_statistics("my count", 42)
    Profiler.stop()
""", 1))
        trace, _ = self.record(project, 20)
        self.assertEqual(len(trace.scopes["update", "frame", "update", "lua update", "my ai"]), 20)
        self.assertEqual(trace.values["my count"], [42] * 20)

    def test_a_file_that_cannot_be_written_is_an_error(self):
        done = cuttle("run", self.new_project(), "--headless", "--frames", 5, "--profile",
                      self.path("no", "such", "p.json"), check=1)
        self.assertIn("p.json", done.stderr)
        done = cuttle("run", self.path("game"), "--headless", "--frames", 5, "--size", "64x64",
                      "--profile", "/dev/full", check=1)
        self.assertIn("No space left", done.stderr)


class StreamConsole(Console):
    """A console client that keeps what a stream told."""

    def __init__(self, port):
        super().__init__(port)
        self.strings, self.frames = [], []
        self.open = collections.Counter()  # depth of scopes by thread

    def receive(self):
        message = super().receive()
        if "binary" in message:
            self.take_frame(message, message.pop("binary"))
        return message

    def take_frame(self, message, binary):
        assert message["type"] == "profiler" and message["first_string"] == len(self.strings)
        self.strings += message["strings"]
        events, at = {}, 0
        for thread in message["threads"]:
            events[thread["name"]] = []
            for _ in range(thread["events"]):
                time_ns, number, kind = struct.unpack_from("<qII", binary, at)
                at += 16
                if kind in (ENTER, COUNTER, RANGE, END):
                    events[thread["name"]].append((kind, self.strings[number], time_ns))
                self.open[thread["id"]] += (kind == ENTER) - (number if kind == LEAVE else 0)
        assert at == len(binary)
        self.frames.append((message, events))

    def command(self, name, *arguments):
        """The answer to a command; raises RuntimeError on an error."""
        self.send(type="command", id="command", command=name, arguments=arguments)
        while True:
            message = self.receive()
            if message.get("id") == "command":
                if "error" in message or message["type"] == "error":
                    raise RuntimeError(message.get("error") or message.get("message"))
                return message["result"]


class Stream(TemporaryFolder):
    def connect(self, game):
        console = StreamConsole(game.port)
        self.addCleanup(console.close)
        return console

    def test_frames_are_streamed_to_who_subscribed(self):
        with Game(self.new_project(), "--size", "64x64") as game:
            console = self.connect(game)
            self.assertEqual(console.command("profiler", "subscribe"), "subscribed")
            with self.assertRaisesRegex(RuntimeError, "already subscribed"):
                console.command("profiler", "subscribe")
            while len(console.frames) < 30:
                console.receive()
            self.assertEqual(console.command("profiler", "unsubscribe"), "unsubscribed")
            numbers = [message["frame"] for message, _ in console.frames]
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))
            for message, events in console.frames[1:]:
                self.assertEqual(message["dropped_frames"], 0)
                names = [name for kind, name, _ in events["update"] if kind == ENTER]
                self.assertLess(names.index("frame"), names.index("lua update"))
                self.assertIn("memory heap", [name for _, name, _ in events["update"]])
            # All that was entered was left, but for what goes on when a frame ends (or had begun
            # before the first).
            self.assertTrue(all(abs(depth) < 8 for depth in console.open.values()), console.open)
            count = len(console.frames)
            console.script("1")
            time.sleep(0.2)
            console.script("2")
            self.assertEqual(len(console.frames), count)
            self.assertEqual(game.quit(), 0)

    def test_a_client_that_does_not_read_loses_frames_but_not_its_connection(self):
        project = self.new_project()
        path = project + "/scripts/main.lua"
        write(path, read(path).replace("function update(dt)", """function update(dt)
    for i = 1, 20000 do Profiler.start("flood") Profiler.stop() end
""", 1))
        with Game(project, "--size", "64x64") as game:
            console = self.connect(game)
            console.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            console.command("profiler", "subscribe")
            # The connection's buffer and the store together hold some 50 frames of 640 KB.
            frame = "Profiler.render_stats().frame"
            first = game.console.script(frame)
            game.console.wait_until(f"{frame} >= {first} + 150", "true")
            while not console.frames or console.frames[-1][0]["dropped_frames"] == 0:
                console.receive()
            numbers = [message["frame"] for message, _ in console.frames]
            dropped = console.frames[-1][0]["dropped_frames"]
            self.assertEqual(numbers[-1] - numbers[0] + 1, len(numbers) + dropped)
            self.assertEqual(console.command("profiler", "unsubscribe"), "unsubscribed")
            self.assertEqual(game.quit(), 0)

    def test_two_consoles_start_and_stop_and_dump(self):
        with Game(self.new_project(), "--size", "64x64") as game:
            one, two = self.connect(game), self.connect(game)
            self.assertEqual(one.command("profiler", "start"), "recording")
            with self.assertRaisesRegex(RuntimeError, "already recording"):
                two.command("profiler", "start")
            path = self.path("dump.json")
            one.script("Application.time_since_launch()")
            self.assertRegex(two.command("profiler", "dump", path), r"wrote \d+ frames to ")
            while_recording = Trace(path)
            self.assertEqual(two.command("profiler", "stop"), "stopped")
            with self.assertRaisesRegex(RuntimeError, "not recording: "):
                one.command("profiler", "stop")
            one.command("profiler", "dump", path)
            afterwards = Trace(path)
            self.assertGreater(len(afterwards.frames), len(while_recording.frames))
            self.assertIn(("update", "frame", "update", "lua update"), afterwards.scopes)
            # One that goes without a word leaves nothing behind.
            two.command("profiler", "subscribe")
            two.close()
            one.command("profiler", "start")
            one.close()
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
