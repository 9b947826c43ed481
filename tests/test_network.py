"""The network of games: two engines that play together, a log of one of them, and its replay."""

import os
import re
import subprocess
import unittest

from support_cuttle import CUTTLE, LIMIT, Game, TemporaryFolder, cuttle, read, write
from support_network import MEET

CONFIG = """
types = { position = { type = "vector3"  min = -100  max = 100  bits = 16 } }
objects = { player = { fields = { position = "position"  name = "id" } } }
messages = { done = { arguments = {} } }
"""

# Both move an object along a circle and print, in each frame, a hash of all objects and where they
# see those of the other.
PLAY = """
local role, port = Application.argv()
local frame, done = 0, 0
local session, lobby, browser, client, mine
local H = {}
function H:game_object_sync_done(peer) synced = true end
function H:done(peer) done = done + 1 end
""" + MEET + """
function init()
    client = Network.init_lan_client("net")
    Network.write_dump_tag("the game begins")
end

local function move()
    local a = frame / 30
    local p = Vector3(math.cos(a), math.sin(a), 0)
    if mine then
        GameSession.set_game_object_field(session, mine, "position", p)
    else
        mine = GameSession.create_game_object(session, "player", { position = p, name = role })
    end
end

function update(dt)
    frame = frame + 1
    meet()
    if session and GameSession.in_session(session) then move() end
    Network.update(dt, H)
    local parts = {}
    if session and GameSession.in_session(session) then
        for _, id in ipairs(GameSession.objects_owned_by(session)) do
            if id ~= mine then
                local p = GameSession.game_object_field(session, id, "position")
                parts[#parts + 1] = string.format("%d %.6f %.6f", id, p.x, p.y)
            end
        end
        local name = "STATE " .. frame .. " " .. GameSession.state_hash(session)
        print(name .. " " .. table.concat(parts, ", "))
        seen = (seen or 0) + #parts
        if seen == 120 then RPC.done(nil) end
        if seen > 120 and done > 0 then ending = (ending or 60) - 1 end
    end
    if ending == 0 or frame > 3000 then
        print("FRAMES " .. frame .. " divergences " .. Network.statistics().divergences)
        Application.quit(ending == 0 and 0 or 3)
    end
end
"""


def states(text):
    return re.findall(r"STATE \d+ [0-9a-f]{16} [^\n]*", text)


class Network(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        write(self.path("game", "net.network_config"), CONFIG)
        write(self.path("game", "net", "play.lua"), PLAY)
        write(self.path("game", "net", "play.package"),
              'lua = ["net/*"]\nnetwork_config = ["net"]\n')
        cuttle("compile", self.project, check=0)
        self.port = 47000 + os.getpid() % 900

    def command(self, role, *options):
        return [CUTTLE, "run", self.project, "--headless", "--no-compile", "--size", "64x36",
                "--fixed-dt", "0.015625", "--boot", "net/play", *options, "--", role,
                str(self.port)]

    def start(self, role, *options):
        return subprocess.Popen(self.command(role, *options), stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)

    def finish(self, process):
        try:
            text = process.communicate(timeout=LIMIT)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            text = process.communicate()[0]
        return process.returncode, text

    def play(self, *options):
        """The outputs of a host with options and of a player that joins it."""
        host = self.start("host", *options)
        join = self.start("join", "--network-log", self.path("join.log"))
        (host_code, host_text), (join_code, join_text) = self.finish(host), self.finish(join)
        self.assertEqual((host_code, join_code), (0, 0), host_text + "\n---\n" + join_text)
        return host_text, join_text

    def test_plays_and_replays(self):
        log = self.path("host.log")
        host, join = self.play("--network-log", log)
        self.assertIn("writes the network log", host)
        ours = states(host)
        self.assertGreater(len(ours), 120)
        with_other = [line for line in ours if len(line.split()) > 3]
        self.assertGreater(len(with_other), 100)
        self.assertGreater(len({line.split(" ", 3)[3] for line in with_other}), 50)
        self.assertIn(b"the game begins", read(log, "rb"))

        done = subprocess.run(self.command("host", "--network-replay", log), capture_output=True,
                              text=True, timeout=LIMIT, check=False)
        replayed = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, replayed)
        self.assertEqual(states(replayed), ours)
        self.assertIn("divergences 0", replayed)

        done = subprocess.run(self.command("join", "--network-replay", self.path("join.log")),
                              capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertEqual(states(done.stdout + done.stderr), states(join))

        wrong = self.command("host", "--network-replay", log)
        wrong[wrong.index("--fixed-dt") + 1] = "0.02"
        done = subprocess.run(wrong, capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertEqual((done.stdout + done.stderr).count("that of the network log"), 1)

    def test_refuses_a_log_of_another_config(self):
        log = self.path("host.log")
        write(self.path("game", "net", "play.lua"),
              'Network.init_lan_client("net") Application.quit()')
        cuttle("compile", self.project, check=0)
        cuttle(*self.command("host", "--network-log", log)[1:], check=0)
        write(self.path("game", "net.network_config"), CONFIG.replace("bits = 16", "bits = 15"))
        cuttle("compile", self.project, check=0)
        done = cuttle(*self.command("host", "--network-replay", log, "--frames", "3")[1:])
        self.assertIn("was written with another network_config", done.stdout + done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_refuses_wrong_options(self):
        for options, message in (
                (["--network-simulate", "lots=1"], "--network-simulate: "),
                (["--network-port", "70000"], "network-port"),
                (["--network-log", "a", "--network-replay", "b"], "a replay writes no log")):
            done = cuttle(*self.command("host", *options)[1:], check=2)
            self.assertIn(message, done.stderr)

    def test_has_a_console_command(self):
        write(self.path("game", "net", "play.lua"), "function update(dt) end")
        with Game(self.project, "--boot", "net/play", "--network-seed", "4") as game:
            def command(*words):
                return cuttle("console", f"127.0.0.1:{game.port}", "network " + " ".join(words))
            self.assertIn("the game has no network", command("stats").stderr)
            game.console.script("Network.init_lan_client('net')")
            self.assertIn("0 connected", command("stats").stdout)
            self.assertIn("simulating loss=5%, seed 4", command("simulate", "loss=5%").stdout)
            self.assertIn("simulating loss=5%, seed 7",
                          command("simulate", "loss=5%", "seed=7").stdout)
            for wrong in ("seed=", "seed=x", "7", "seed=-1", "seed=9999999999999999999"):
                self.assertIn("expected a seed such as seed=7",
                              command("simulate", "loss=5%", wrong).stderr)
            self.assertIn("expected stats, simulate", command("timeouts", "off", "on").stderr)
            self.assertIn("timeouts are off", command("timeouts", "off").stdout)
            self.assertIn("timeouts are off", command("stats").stdout)
            self.assertIn("expected stats, simulate", command("loss").stderr)
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
