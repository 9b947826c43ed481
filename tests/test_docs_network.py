"""docs/network.md works as it is written: its files, in a new project, played by two and more programs;
docs/network_reference.md names what there is."""

import glob
import os
import re
import shlex
import subprocess
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, Game, TemporaryFolder, cuttle, read, write

PAGE = read(os.path.join(ROOT, "docs", "network.md"))
REFERENCE = read(os.path.join(ROOT, "docs", "network_reference.md"))
BLOCK = re.compile(r"(?ms)^```(\w*)([^\n]*)\n(.*?)^```$")
# Where in scripts/main.lua a line of the page goes: the text before it.
PLACES = {"at the top": "", "at the end of init": "in radians\nend",
          "at the start of update": "\nfunction update(dt)\n",
          "at the end of draw_hud": "Vector2(24, 24))\n"}
BALLS = """(function()
    local found = {}
    for _, unit in ipairs(World.units_by_resource(Game.world, "units/ball")) do
        local p = Unit.world_position(unit, 1)
        if math.abs(Vector3.length(Vector3(p.x, p.y, 0)) - 3) < 0.2 and math.abs(p.z - 1) < 0.01 then
            found[#found + 1] = string.format("%.4f %.4f", p.x, p.y)
        end
    end
    return table.concat(found, ", ")
end)()"""


def commands(heading):
    """The commands below a heading, without the word cuttle, for a project named mygame."""
    text = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE)[1]
    lines = [line for kind, _, block in BLOCK.findall(text) if kind == "sh"
             for line in block.splitlines()]
    assert lines, heading
    return [shlex.split(line)[1:] for line in lines]


def add_to_main(main, block):
    for line in block.splitlines():
        code, place = re.fullmatch(r"(.*?) +-- (.*)", line).groups()
        before = PLACES[place]
        assert main.count(before) == 1 or not before, place
        if place == "at the end of init":
            main = main.replace(before, f"in radians\n    {code}\nend")
        else:
            main = main.replace(before, before + f"    {code}\n", 1) if before else f"{code}\n" + main
    return main


class Network(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project("mygame")
        # Tests run side by side, and each has its own lobbies.
        port = str(47000 + os.getpid() % 900)
        self.assertIn("47100", PAGE)
        net = main = ""
        main_path = os.path.join(self.project, "scripts", "main.lua")
        main = read(main_path)
        for kind, rest, block in BLOCK.findall(PAGE):
            named = re.match(r"(?://|--) (\S+\.\w+)([^\n]*)\n", block)
            if rest.strip():
                write(os.path.join(self.project, rest.strip()), block)
            elif not named:
                self.assertEqual(kind, "sh", block)
            elif named[1] == "scripts/net.lua":
                net += block.replace("47100", port)
            elif named[1] == "scripts/main.lua":
                main = add_to_main(main, block[named.end():])
            elif named[1] != "settings.config":  # it has its own test
                self.assertEqual(named[2], "")
                write(os.path.join(self.project, named[1]), block)
        write(os.path.join(self.project, "scripts", "net.lua"), net)
        write(main_path, main)
        cuttle("compile", self.project, check=0)

    def game(self, name, *options):
        return Game(self.project, *options, "--", name)

    def meet(self, host, join):
        for game, other in ((host, join), (join, host)):
            game.console.wait_until("Net.me ~= nil and #GameSession.peers(Net.session)", "2")
            peer = other.console.script("Network.peer_id()")
            self.assertIn(f"{peer} has joined", game.log())

    def test_two_play(self):
        with self.game("host") as host, self.game("join") as join:
            self.meet(host, join)
            for game in (host, join):
                game.console.wait_until("Net.scores()", "host 0, join 0")
                balls = []
                for _ in range(2):
                    game.console.wait_until(f"select(2, {BALLS}:gsub(',', ''))", "1")
                    balls += [game.console.script(BALLS).split(", ")]
                self.assertNotEqual(balls[0][0], balls[1][0])
                self.assertNotEqual(balls[0][1], balls[1][1])
            # The host's ball, at rest, comes to the same place at the other.
            host.console.script("Net.play = function() end")
            place = host.console.script(
                "(function() local p = Unit.world_position(Net.ball, 1) "
                "return string.format('Vector3(%.4f, %.4f, %.4f)', p.x, p.y, p.z) end)()")
            ball = host.console.script("UnitSynchronizer.unit_to_game_object_id(Net.units, Net.ball)")
            unit = f"UnitSynchronizer.game_object_id_to_unit(Net.units, {ball})"
            join.console.wait_until(
                f"Vector3.length(Unit.world_position({unit}, 1) - {place}) < 0.01", "true")
            # A message and what it changes.
            [command] = commands("5. Send a message")
            self.assertEqual(command[:2], ["console", "127.0.0.1:64000"])
            cuttle("console", f"127.0.0.1:{host.port}", *command[2:], check=0)
            for game in (host, join):
                game.console.wait_until("Net.scores()", "host 0, join 1")
            self.assertIn(f"{host.console.script('Network.peer_id()')} cheers: well done", join.log())
            for game in (host, join):
                self.assertNotIn("error", game.log())
                self.assertNotIn("warning", game.log())

    def test_a_bad_network_and_timeouts(self):
        run, stats, none = commands("6. Try a bad network")
        self.assertEqual(run[:2], ["run", "mygame"])
        with self.game("host", "--no-network-timeouts") as host, \
                self.game("join", *run[2:-2]) as join:
            self.meet(host, join)
            shown = cuttle("console", f"127.0.0.1:{join.port}", *stats[2:], check=0).stdout
            self.assertIn("2 peers", shown)
            self.assertIn("timeouts are on", shown)
            # 80 ms one way.
            join.console.wait_until("Network.ping(GameSession.other_peers(Net.session)[1]) > 0.08", "true")
            shown = cuttle("console", f"127.0.0.1:{join.port}", *none[2:], check=0).stdout
            self.assertIn("none", shown)
            shown = cuttle("console", f"127.0.0.1:{host.port}", *stats[2:], check=0).stdout
            self.assertIn("timeouts are off", shown)
            shown = cuttle("console", f"127.0.0.1:{join.port}", "network", "timeouts", "off", check=0)
            self.assertIn("timeouts are off", shown.stdout)

    def test_a_log_is_played_again(self):
        def run(command):
            command = [self.project if word == "mygame" else word for word in command]
            at = command.index("--")
            return [CUTTLE, *command[:at], "--headless", "--size", "160x90", *command[at:]]

        def hashes(text):
            return re.findall(r"frame \d+: [0-9a-f]{16}", text)

        record, replay = (run(command) for command in commands("7. Record it and play it again"))
        self.assertEqual(record[-1], replay[-1])
        with self.game("join") as join:  # it waits for a lobby
            host = subprocess.Popen(record, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    text=True, stdin=subprocess.DEVNULL, cwd=self.folder)
            join.console.wait_until("Net.me ~= nil and #GameSession.peers(Net.session)", "2")
            join.console.script("RPC.cheer(nil, 'recorded')")
            text = host.communicate(timeout=LIMIT)[0]
        self.assertEqual(host.returncode, 0, text)
        self.assertIn("cheers: recorded", text)
        self.assertEqual(len(hashes(text)), 10)
        self.assertGreater(len({line.split()[2] for line in hashes(text)}), 5)
        done = subprocess.run(replay, capture_output=True, text=True, timeout=LIMIT, check=False,
                              cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cheers: recorded", done.stdout + done.stderr)
        self.assertEqual(hashes(done.stdout + done.stderr), hashes(text))

    def test_the_last_seconds_are_seen_again(self):
        replay = "World.replay(Game.world)"
        with self.game("host") as host, self.game("join") as join:
            self.meet(host, join)
            ball = host.console.script("UnitSynchronizer.unit_to_game_object_id(Net.units, Net.ball)")
            host.console.script("Net.record()")
            host.console.wait_until(f"Replay.seconds({replay}) > 2.5", "true")
            host.console.script("Net.watch(2, 0)")
            frame = int(host.console.script(f"Replay.frame({replay})"))
            last = int(host.console.script(f"Replay.num_frames({replay}) - 1"))
            seconds = float(host.console.script(f"Replay.seconds({replay})"))
            self.assertAlmostEqual((last - frame) * seconds / last, 2, delta=0.1)
            # In the past here; at rest at the other.
            field = f"tostring(GameSession.game_object_field(Net.session, {ball}, 'position'))"
            past = host.console.script(BALLS)
            host.console.script("Net.mark = Net.frame")
            host.console.wait_until("Net.frame > Net.mark + 5", "true")
            self.assertEqual(host.console.script(BALLS), past)
            rest = host.console.script(field)
            join.console.wait_until(field, rest)
            host.console.script("Net.watch(0.5, 1) Net.mark = Net.frame")
            host.console.wait_until("Net.frame > Net.mark + 30", "true")
            self.assertNotEqual(host.console.script(BALLS), past)
            self.assertEqual(host.console.script(field), rest)
            self.assertEqual(join.console.script(field), rest)
            host.console.script("Net.stop_watching()")
            host.console.wait_until(f"Replay.is_playing_back({replay})", "false")
            join.console.wait_until(f"{field} ~= {rest!r}", "true")

    def test_more_players(self):
        [plan] = [rest.strip() for kind, rest, _ in BLOCK.findall(PAGE) if kind == "sjson"]
        command = shlex.split(re.search(r"`cuttle (nodes [^`]*)`", PAGE)[1])
        self.assertEqual(command[1], "mygame/" + plan)
        command[command.index("--runs") + 1] = "1"
        done = cuttle(*command, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_next_player_becomes_the_host(self):
        with self.game("host") as host, self.game("join") as join:
            self.meet(host, join)
            self.assertEqual(host.quit(), 0)
            join.console.wait_until("GameSession.game_session_host(Net.session) == Network.peer_id()",
                                    "true")
            with self.game("late") as late:
                late.console.wait_until("Net.me and Net.scores()", "join 0, late 0")

    def test_a_password_is_needed(self):
        [block] = [block for _, _, block in BLOCK.findall(PAGE) if block.startswith("// settings.")]
        settings = os.path.join(self.project, "settings.config")
        write(settings, read(settings) + block)
        with self.game("host") as host, self.game("join") as join:
            self.meet(host, join)
            self.assertTrue(host.console.script("Network.address()").startswith("0.0.0.0:"))
            write(settings, read(settings).replace("seven small boats", "eight"))
            with self.game("stranger") as stranger:
                stranger.console.wait_until("Net.lobby ~= nil and LanLobby.state(Net.lobby)", "3")
                self.assertIn("not in the lobby: its host has another password", stranger.log())


def rows(heading, place=0):
    """What the first cells of a table of the reference have in backquotes."""
    text = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", REFERENCE)[1]
    tables = re.findall(r"(?m)(?:^\|.*\n)+", text + "\n")
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in tables[place].splitlines()[2:]]


def source(pattern):
    """All text of sources below src, with literals that go on in the next line put together."""
    found = [read(path) for path in glob.glob(os.path.join(ROOT, "src", pattern), recursive=True)]
    return re.sub(r'"\s*\n\s*"', "", "\n".join(found))


class Reference(unittest.TestCase):
    def test_callbacks(self):
        doc = read(os.path.join(ROOT, "docs", "lua_api", "Network.md"))
        methods = re.search(r"Methods: (.*?), and for each message", doc)[1]
        said = [row[0] for row in rows("Callbacks")]
        self.assertEqual(sorted(said[:-1]), sorted(re.findall(r"\w+\([^)]*\)", methods)))
        compiler = source("compiler/types/network_config/network_config_compiler.c")
        refused = re.search(r"(?s)methods\[\] = \{(.*?)\};", compiler)[1]
        self.assertEqual(sorted(call.partition("(")[0] for call in said[:-1]),
                         sorted(re.findall(r'"(\w+)"', refused)))

    def test_options_settings_and_commands(self):
        shown = cuttle("run", "--help", check=0).stdout
        options = re.findall(r"(?m)^  (--(?:no-)?network-[a-z]+(?: [A-Z]+)?) ", shown)
        self.assertEqual(sorted(row[0] for row in rows("Command line")), sorted(options))
        page = read(os.path.join(ROOT, "docs", "formats", "settings.md"))
        self.assertEqual([row[0] for row in rows("Settings")],
                         re.findall(r"(?m)^\| `(network\.\w+)`", page))
        commands_ = source("dev/console_commands.c")
        for [command] in rows("Console"):
            for word in command.split()[:2]:
                self.assertIn(word, re.search(r'\{"network".*?NULL', commands_, re.DOTALL)[0])
        options = re.search(r"Options: (.*?)\.\n", read(os.path.join(ROOT, "docs", "lua_api", "Network.md")))[1]
        self.assertEqual([row[0] for row in rows("Options of a session")],
                         re.findall(r"(\w+) \(", options))

    def test_limits(self):
        headers = source("**/*.h")
        for name, value in (("CT_NETWORK_SESSION_MAX_PEERS", "256"),
                            ("CT_NETWORK_SESSION_MAX_SLOTS", "4096"),
                            ("CT_NETWORK_LOBBY_MAX_MEMBERS", "64"), ("CT_NETWORK_LOBBY_MAX_KEYS", "32"),
                            ("CT_NETWORK_LOBBY_KEY_BYTES", "32"), ("CT_NETWORK_LOBBY_VALUE_BYTES", "256"),
                            ("CT_NETWORK_DISCOVERY_BYTES", "1100"), ("CT_NETWORK_DISCOVERY_LOBBIES", "256"),
                            ("CT_NETWORK_MAX_TYPES", "1024"), ("CT_NETWORK_MAX_RECORDS", "1024"),
                            ("CT_NETWORK_MAX_FIELDS", "64"), ("CT_NETWORK_MAX_WORDS", "256"),
                            ("CT_NETWORK_MAX_STRING_BYTES", "512"), ("CT_NETWORK_COUNT_BITS", "20")):
            self.assertRegex(headers, rf"\b{name} = {value}\b", "bring the page's limits up to date")
        self.assertRegex(headers, r"define CT_NETWORK_MAX_DELAY 1\.0")
        self.assertIn("DEFAULT_PEERS = 64", source("network/network.c"))

    def test_reasons(self):
        names = re.findall(r'\] = "(\w+)"', source("network/network_link.c"))
        self.assertEqual(sorted(row[0] for row in rows("When something fails")), sorted(names))

    def test_messages(self):
        text = source("**/*network*/**/*.c")
        messages = [row[0] for row in rows("When something fails", 1)]
        self.assertGreater(len(messages), 10)
        for message in messages:
            for part in re.split(r" ?… ?", message.replace('"', '\\"')):
                self.assertTrue(part in text, part)


if __name__ == "__main__":
    unittest.main()
