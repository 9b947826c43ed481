"""`cuttle network log`: what it prints of logs is what the games did."""

import collections
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder, cuttle, last_json, read, write
from support_network import MEET

CONFIG = """
types = {
    position = { type = "vector3"  min = -100  max = 100  bits = 16 }
    health = { type = "integer"  min = 0  max = 100 }
    text = { type = "string"  max = 40 }
}
objects = {
    player = { fields = { position = "position"  health = "health" } }
    door = { fields = { open = "bool" } }
}
messages = {
    say = { arguments = { text = "text" } }
    shot = { arguments = { at = "position" }  reliable = false }
    done = { arguments = {} }
}
"""

# The host has a player and a door, the other a player. Both count what they do, and print it with the
# transport's own figures of the other peer.
PLAY = """
local role, port = Application.argv()
local frame, mine, door, session, lobby, browser, done = 0, nil, nil, nil, nil, nil, 0
local count = { position = 0, health = 0, say = 0, shot = 0, heard = 0, seen = 0 }
local H = {}
local client = Network.init_lan_client("net")
function H:say(peer, text) count.heard = count.heard + 1 end
function H:done() done = done + 1 end
""" + MEET + """
local function act()
    if not mine then
        mine = GameSession.create_game_object(session, "player", { health = 100 })
        if role == "host" then door = GameSession.create_game_object(session, "door", {}) end
        Network.write_dump_tag("begins to play")
    end
    local others = #GameSession.peers(session)
    if others < 2 then return end
    count.seen = count.seen + 1
    if count.seen > 200 then return end
    GameSession.set_game_object_field(session, mine, "position", Vector3(math.cos(frame / 30), 2, 3))
    if count.seen % 50 == 0 then
        GameSession.set_game_object_field(session, mine, "health", count.seen / 5)
        count.health = count.health + 1
    end
    if count.seen % 20 == 0 then
        RPC.say(nil, role .. " says " .. count.seen)
        count.say = count.say + 1
    end
    if count.seen % 40 == 0 then
        RPC.shot(nil, Vector3(1, 2, 3))
        count.shot = count.shot + 1
    end
    if count.seen == 100 and door then
        GameSession.set_game_object_field(session, door, "open", true)
    end
    if count.seen == 150 and door then
        GameSession.destroy_game_object(session, door)
    end
end

function update(dt)
    frame = frame + 1
    meet()
    if session and GameSession.in_session(session) then act() end
    if count.seen == 230 then RPC.done(nil) end
    Network.update(dt, H)
    if ending then ending = ending - 1 end
    if count.seen > 230 and done > 0 then ending = ending or 40 end
    if ending == 1 then
        local peer = Network.connections()[1]
        local s = Network.statistics(peer)
        print(string.format("FIGURES {\\"self\\":\\"%s\\",\\"peer\\":\\"%s\\",\\"frame\\":%d,\\"say\\":%d,\\"shot\\":%d,"
            .. "\\"health\\":%d,\\"heard\\":%d,\\"in\\":%d,\\"out\\":%d,\\"door\\":%d,\\"mine\\":%d}", Network.peer_id(),
            peer or "", frame, count.say, count.shot, count.health, count.heard,
            s and s.bytes_in or -1, s and s.bytes_out or -1, door or 0, mine or 0))
    end
    if ending == 0 or frame > 3000 then Application.quit(ending == 0 and 0 or 3) end
end
"""


def rows_of(report, **wanted):
    return [row for row in report["rows"] if all(row.get(k) == v for k, v in wanted.items())]


def total(rows, key):
    return sum(row[key] for row in rows)


class NetworkLog(TemporaryFolder):
    """The games run once; each test reads their logs."""

    @classmethod
    def setUpClass(cls):
        cls.logs = tempfile.mkdtemp()
        cls.games = None

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.logs)

    def setUp(self):
        super().setUp()
        if not self.games:
            NetworkLog.games = self.play()
        self.host, self.join = self.games

    def log_path(self, role):
        return os.path.join(self.logs, role + ".log")

    def play(self):
        project = self.compiled_project()
        write(self.path("game", "net.network_config"), CONFIG)
        write(self.path("game", "net", "play.lua"), PLAY)
        write(self.path("game", "net", "play.package"), 'lua = ["net/*"]\nnetwork_config = ["net"]\n')
        cuttle("compile", project, check=0)
        port = str(46000 + os.getpid() % 900)
        running = [subprocess.Popen(
            [CUTTLE, "run", project, "--headless", "--no-compile", "--size", "64x36", "--fixed-dt",
             "0.015625", "--boot", "net/play", "--network-log", self.log_path(role),
             "--network-simulate", "loss=10%,delay=20ms", "--", role, port],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
            for role in ("host", "join")]
        texts = []
        for process in running:
            try:
                texts.append(process.communicate(timeout=LIMIT)[0])
            except subprocess.TimeoutExpired:
                for other in running:
                    other.kill()
                raise
        self.assertEqual([p.returncode for p in running], [0, 0], "\n---\n".join(texts))
        return [json.loads(re.search(r"FIGURES (\{.*\})", text)[1]) for text in texts]

    def read_log(self, role, *options, check=0):
        return cuttle("network", "log", self.log_path(role), *options, check=check)

    def report(self, role, *options):
        return last_json(self.read_log(role, "--json", *options).stdout)

    def events(self, role, *options):
        lines = [json.loads(line) for line in
                 self.read_log(role, "--events", "--json", *options).stdout.splitlines()]
        self.assertEqual((lines[0]["event"], lines[-1]), ("log", {"event": "end", "whole": True, "errors": []}))
        return lines[1:-1]

    def test_sums_are_those_of_the_game(self):
        for role, own, other in (("host", self.host, self.join), ("join", self.join, self.host)):
            # What was sent up to the frame in which the game asked the transport.
            report = self.report(role, "--to", f"{(own['frame'] - 0.5) * 0.015625:.6f}")
            self.assertTrue(report["whole"])
            self.assertEqual(report["node"], own["self"])
            peer, = [p for p in report["peers"] if p.get("peer") == other["self"]]
            self.assertEqual((peer["in"]["bytes"], peer["out"]["bytes"]), (own["in"], own["out"]))
            self.assertGreater(peer["round_trip"], 0.015)
            self.assertGreater(peer["fields_lost"], 0)
            self.assertLess(peer["fields_lost"], peer["fields_sent"] / 2)
            self.assertGreater(peer["in"]["datagram_bytes"], peer["in"]["bytes"])

    def test_rows_add_up_to_the_packets(self):
        for role in ("host", "join"):
            report = self.report(role)
            for way in ("in", "out"):
                rows = rows_of(report, direction=way)
                self.assertEqual(total(rows, "bits"),
                                 8 * sum(peer[way]["bytes"] for peer in report["peers"]), (role, way))
            self.assertEqual(report["frames"], round(report["seconds"] / 0.015625) + 1)

    def test_counts_messages_and_changes(self):
        host, join = self.report("host"), self.report("join")
        for own, other, own_figures, other_figures in (
                (host, join, self.host, self.join), (join, host, self.join, self.host)):
            said = rows_of(own, kind="message", direction="out", message="say")
            self.assertEqual(total(said, "count"), own_figures["say"])
            heard = rows_of(other, kind="message", direction="in", message="say")
            self.assertEqual((total(heard, "count"), total(heard, "bits")),
                             (other_figures["heard"], total(said, "bits")))
            shot = rows_of(own, kind="message", direction="out", message="shot")
            self.assertEqual(total(shot, "count"), own_figures["shot"])
            health = rows_of(own, kind="field", direction="out", type="player", field="health")
            self.assertGreaterEqual(total(health, "count"), own_figures["health"])
        self.assertEqual(total(rows_of(host, kind="destroy", direction="out", type="door"), "count"), 1)
        self.assertEqual(total(rows_of(join, kind="destroy", direction="in", type="door"), "count"), 1)

    def test_lists_values(self):
        events = self.events("join")
        kinds = collections.Counter(event["event"] for event in events)
        for kind in ("greeting", "lobby", "connected", "control", "create", "fields", "packet", "message",
                     "destroy", "stats", "browser", "tag", "lost"):
            self.assertGreater(kinds[kind], 0, kind)
        tag, = [event for event in events if event["event"] == "tag"]
        self.assertEqual(tag["text"], "begins to play")
        opened = [event for event in events if event["event"] == "fields" and event["object"] == self.host["door"]]
        self.assertEqual(opened[-1]["values"], {"open": True})
        self.assertEqual(opened[-1]["type"], "door")
        self.assertEqual([event["seconds"] for event in events], sorted(event["seconds"] for event in events))
        said = [event for event in events if event.get("message") == "say" and event["direction"] == "in"]
        self.assertEqual([event["values"]["text"] for event in said],
                         [f"host says {20 * i}" for i in range(1, self.host["say"] + 1)])
        self.assertEqual({event["from"] for event in said}, {self.host["self"]})
        health = [event["values"]["health"] for event in events if event["event"] == "fields"
                  and event["direction"] == "in" and "health" in event["values"]]
        self.assertEqual(health, sorted(health))
        self.assertLessEqual(set(health), {10, 20, 30, 40})

    def test_filters(self):
        everything = self.events("host")
        out = self.events("host", "--out")
        self.assertEqual([e for e in everything if e.get("direction") == "out"], out)
        fields = self.events("host", "--object", "player", "--field", "health", "--in")
        self.assertEqual({tuple(e["values"]) for e in fields}, {("health",)})
        self.assertEqual({e["object"] for e in fields}, {self.join["mine"]})
        by_id = self.events("host", "--object", self.host["door"])
        self.assertEqual({e["type"] for e in by_id}, {"door"})
        by_slot = self.events("host", "--object", f"{self.host['door'] >> 20}.{self.host['door'] & 0xfffff}")
        self.assertEqual(by_slot, by_id)
        self.assertEqual({e["message"] for e in self.events("host", "--message", "shot")}, {"shot"})
        self.assertEqual(len(self.events("host", "--message", "shot", "--out")), self.host["shot"])
        early = self.events("host", "--to", "1")
        self.assertEqual(early + self.events("host", "--from", "1"), everything)
        of_peer = self.events("host", "--peer", self.join["self"][:6])
        self.assertEqual(of_peer, [e for e in everything if e.get("peer") == self.join["self"]])

    def test_bandwidth_over_time(self):
        report = self.report("host", "--bandwidth", "--bucket", "0.5")
        self.assertEqual(report["bucket_seconds"], 0.5)
        for row in report["rows"]:
            if row["kind"] != "other":
                self.assertEqual(sum(bits for _, bits in row["by_bucket"]), row["bits"])
        only = self.report("host", "--bandwidth", "--object", "player", "--field", "position")
        self.assertEqual({(row["kind"], row["type"], row.get("field")) for row in only["rows"]},
                         {("field", "player", "position")})
        text = self.read_log("host", "--bandwidth").stdout
        self.assertIn("player.position", text)
        self.assertIn("message say", text)

    def test_prints_text(self):
        summary = self.read_log("host").stdout
        self.assertIn(f"node       {self.host['self']}", summary)
        self.assertRegex(summary, rf"message say +{self.join['say']} .* {self.host['say']} ")
        self.assertIn("player.position", summary)
        self.assertRegex(summary, r"round trip \d+\.\d ms")
        self.assertRegex(summary, rf"player {self.host['mine'] >> 20}\.{self.host['mine'] & 0xfffff} ")
        self.assertIn("and 2 more", self.read_log("host", "--top", "1").stdout)
        events = self.read_log("join", "--events").stdout
        self.assertRegex(events, r'in  [0-9a-f]{16}  message say\(text = "host says 20"\), reliable, \d+ bits')
        self.assertRegex(events, r"fields door \d\.\d: open = true, \d+ bits")
        self.assertIn("lobby data of the lobby: map = yard", events)

    def test_damaged_logs(self):
        whole = read(self.log_path("host"), "rb")
        path = self.path("broken.log")

        def read_broken(data, *options):
            write(path, data)
            return cuttle("network", "log", path, *options, check=1)
        cut = read_broken(whole[:-10])
        self.assertIn("node       ", cut.stdout)
        self.assertRegex(cut.stderr, r"the log is cut (or damaged )?at byte \d+")
        half = bytearray(whole)
        half[len(whole) // 2] ^= 255
        done = read_broken(bytes(half), "--events", "--json")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertGreater(len(lines), 50)
        self.assertFalse(lines[-1]["whole"])
        self.assertRegex(lines[-1]["errors"][0], r"damaged at byte \d+")
        self.assertIn("is empty", read_broken(b"").stderr)
        self.assertIn("is no network log", read_broken(b"a text, and no log").stderr)
        self.assertIn("cut at byte 20, in its head", read_broken(whole[:20]).stderr)
        old = read_broken(whole[:4] + b"\1\0\0\0" + whole[8:], "--json")
        self.assertIn("version 1; this program reads version 2", last_json(old.stdout)["errors"][0])
        self.assertIn("nowhere.log", cuttle("network", "log", "nowhere.log", check=1).stderr)

    def test_refuses_wrong_options(self):
        for options, message in (
                (["--object", "plyer", "--events"], '(did you mean "player"?)'),
                (["--field", "helth", "--events"], '(did you mean "health"?)'),
                (["--message", "sai", "--events"], '(did you mean "say"?)'),
                (["--object", "player"], "--object needs --events or --bandwidth"),
                (["--events", "--bandwidth"], "exclude each other"),
                (["--peer", "xyz"], "hexadecimal"),
                (["--peer", "0000000000000000"], "no peer of the log begins so"),
                (["--from", "3", "--to", "2"], "expected more than --from"),
                (["--bucket", "0"], "--bucket")):
            self.assertIn(message, self.read_log("host", *options, check=2).stderr)
        self.assertIn("expected log", cuttle("network", "info", "x", check=2).stderr)

    def test_page_works(self):
        page = read(os.path.join(ROOT, "docs", "network_log.md"))
        commands = re.findall(r"(?m)^cuttle network log (.*?)(?: +#.*)?$", page)
        self.assertGreater(len(commands), 4)
        for command in commands:
            done = cuttle("network", "log", *command.split(), cwd=self.logs, check=0)
            self.assertGreater(len(done.stdout.splitlines()), 0, command)
        events = self.events("join")
        for name in {event["event"] for event in events}:
            self.assertIn(f"`{name}`", page)
        for event in events:
            for key in event:
                self.assertIn(f"`{key}`", page)
        report = self.report("host", "--bandwidth")
        for value in (report, *report["peers"], *report["rows"], *report["objects"],
                      report["peers"][0]["in"]):
            for key in value:
                self.assertIn(f"`{key}`", page)


if __name__ == "__main__":
    unittest.main()
