"""The duel sample: programs that play together over a network that loses 2 % and takes 80 ms each way. Bots
score, boxes change hands, late players join, the host leaves, and all have the same state in the end.
CUTTLE_UPDATE_GOLDEN=1 writes the golden pictures anew."""

import os
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder, cuttle, last_json, read, rounds, write
from support_network import lobby_ports
from support_png import difference, is_same, read_png, write_png

from cuttle_nodes import Nodes  # support_cuttle knows where it is

LOSS = ("--network-simulate", "loss=2%,delay=80ms")
# Of match and boxes, what differs from one moment to the next in a game that runs.
OWNERS = "local t = {} for _, box in ipairs(Game.boxes) do t[#t + 1] = box.id .. ' ' .. box.peer end return table.concat(t, ', ')"


def key(kind, name):
    return f'Input.add_remote_events {{ {{ device = "keyboard", kind = "{kind}", name = "{name}" }} }}'


class Duel(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample("duel")

    def nodes(self, arguments, *options, size="64x36", unseen=True):
        """Nodes with arguments for each: {"host": ["--host", "--bot"], …}."""
        port = ["--port", str(next(lobby_ports)), *(["--unseen"] if unseen else [])]
        return Nodes(self.project, list(arguments), cuttle=CUTTLE, timeout=LIMIT,
                     options=["--size", size, *LOSS, *options],
                     launch=lambda name, words: [*words, *port, *arguments[name]])

    def wait(self, nodes, lua, on=None):
        nodes.wait(lua, on, timeout=LIMIT)

    def settle(self, nodes, owner):
        """Stops the game and expects the same state everywhere; then it goes on."""
        nodes.script("Game.pause(true)", owner)
        self.wait(nodes, "Game.is_settled()")
        nodes.same("Game.state_text()")
        nodes.check("Game.offset() < 0.02", message="units are where their owners say")
        nodes.script("Game.pause(false)", owner)

    def expect_no_errors(self, nodes):
        for node in nodes.nodes.values():
            self.assertNotIn("error", node.log().lower())
            self.assertNotIn("warning", node.log().lower())

    # --- Playing ----------------------------------------------------------------------------------

    def test_bots_play_a_round(self):
        bot = ["--bot", "--points", "1"]
        with self.nodes({"host": ["--host", *bot], "a": ["--find", *bot]}) as nodes:
            self.wait(nodes, "Game.is_in_game(2) and Game.is_moving(2, 1)")
            self.settle(nodes, "host")
            # Somebody has a point, which ends a round. Both see it, and the next round begins.
            self.wait(nodes, "Game.get('winner') > 0 and Game.get('round') >= 2 and Game.get('phase') == 'playing'")
            self.settle(nodes, "host")
            nodes.check("Game.get('wins')[1] + Game.get('wins')[2] > 0")
            self.expect_no_errors(nodes)

    def test_the_own_player_moves_at_once_and_others_smoothly(self):
        # Both run 60 times a second. A message takes 5 frames one way, and as many back.
        watch = """
            local frame, start = 0, nil
            local step = update
            function update(dt)
                step(dt)
                local at = Unit.world_position(Game.own.unit, 1).x
                start = start or at
                frame = frame + (Input.value("move").x ~= 0 and 1 or 0)
                Game.moved_after = Game.moved_after or (math.abs(at - start) > 0.01 and frame or nil)
            end"""
        # How far the other's unit goes in a frame. When a packet is late it waits and then catches up; that is seldom.
        look = """
            local step, last = update, nil
            Game.fastest, Game.seen_way, Game.num_steps, Game.num_fast = 0, 0, 0, 0
            function update(dt)
                step(dt)
                for peer, player in pairs(Game.players) do
                    if peer ~= Game.me then
                        local p = Unit.world_position(player.unit, 1)
                        if last then
                            local way = Vector3.length(p - last:unbox())
                            Game.fastest, Game.seen_way = math.max(Game.fastest, way / dt), Game.seen_way + way
                            Game.num_steps = Game.num_steps + (way > 0 and 1 or 0)
                            Game.num_fast = Game.num_fast + (way / dt > 7 and 1 or 0)  -- it walks with 5.5 m/s
                        end
                        last = Vector3Box(p)
                    end
                end
            end"""
        with self.nodes({"host": ["--host"], "a": ["--find"]}, "--fixed-dt", "0.0166666667") as nodes:
            self.wait(nodes, "Game.is_in_game(2) and Game.own.unit and next(Game.players) and #Game.boxes == 9")
            self.wait(nodes, "Unit.world_position(Game.own.unit, 1).z < 0.01", "a")  # it has landed
            nodes.script(look, "host")
            nodes.script(watch, "a")
            # A busy machine makes frames late, and then all is jerky for a while: one smooth walk is enough.
            for way in "adadada":  # along the edge, there and back
                nodes.script("Game.seen_way, Game.num_steps, Game.num_fast, Game.fastest = 0, 0, 0, 0", "host")
                nodes.script(key("pressed", way), "a")
                self.wait(nodes, "Game.seen_way > 2.5", "host")
                nodes.script(key("released", way), "a")
                steps, fast, fastest = map(float, nodes.script(
                    "return table.concat({ Game.num_steps, Game.num_fast, Game.fastest }, ' ')", "host")["host"].split())
                if fast < 0.15 * steps and fastest < 40:
                    break
            else:
                self.fail(f"{fast:.0f} of {steps:.0f} steps were fast, the fastest {fastest} m/s")
            self.assertLessEqual(int(nodes.script("Game.moved_after", "a")["a"]), 2)

    def test_boxes_go_to_whom_they_are_pushed_by(self):
        near = "Actor.teleport_position(Unit.actor(Game.own.unit, 'actor'), Vector3(%s, %s, 0))"
        box = """function box()
                for _, box in ipairs(Game.boxes) do
                    local p = Unit.world_position(box.unit, 1)
                    if math.abs(p.x - 3) < 1 and p.y > 0 then return box, p.y end
                end
            end"""
        with self.nodes({"host": ["--host"], "a": ["--find"]}) as nodes:
            self.wait(nodes, "Game.is_in_game(2) and Game.own.unit and #Game.boxes == 9")
            nodes.script(box)
            nodes.check("box().peer == GameSession.game_session_host(Game.session)")
            nodes.script(near % (3, 5), "a")
            nodes.script(key("pressed", "w"), "a")  # from the north to the south
            self.wait(nodes, "box().peer == Game.me and select(2, box()) < 2.5", "a")
            self.wait(nodes, "box().peer ~= Game.me and select(2, box()) < 2.5", "host")
            nodes.script(key("released", "w"), "a")
            # The host pushes it back.
            nodes.script(near % (3, -1), "host")
            nodes.script(near % (-3, 5), "a")
            nodes.script(key("pressed", "w"), "host")
            self.wait(nodes, "box().peer == Game.me", "host")
            self.wait(nodes, "box().peer ~= Game.me", "a")
            nodes.script(key("released", "w"), "host")
            self.settle(nodes, "host")
            self.expect_no_errors(nodes)

    def test_a_hit_counts_for_the_one_who_has_hit_last(self):
        place = "Actor.teleport_position(Unit.actor(Game.own.unit, 'actor'), Vector3(%s, %s, 0))"
        other = """function other()
                for peer, player in pairs(Game.players) do
                    if peer ~= Game.me then return player end
                end
            end"""
        with self.nodes({"host": ["--host"], "a": ["--find"]}) as nodes:
            self.wait(nodes, "Game.is_in_game(2) and Game.own.unit and Game.own.round == 1")
            nodes.script(other)
            nodes.script(place % (-1, 5.8), "a")
            nodes.script(place % (-1, 4), "host")
            self.wait(nodes, "other() and Unit.world_position(other().unit, 1).y > 5.7", "host")
            nodes.script(key("pressed", "w"), "host")  # it looks to the north
            nodes.script(key("pressed", "space"), "host")
            nodes.script(key("released", "w") + key("released", "space"), "host")
            self.wait(nodes, "Game.get('scores')[1] == 1 and Game.get('scores')[2] == 0")
            # It goes on and falls by itself.
            nodes.script(key("pressed", "w"), "host")
            self.wait(nodes, "Game.get('scores')[1] == 0 and Game.get('scores')[2] == 0")
            nodes.script(key("released", "w"), "host")
            # A hit from too far away has no effect.
            self.wait(nodes, "Game.own.unit and other()")
            nodes.script("RPC.hit(nil, other().id, Vector3(0, 14, 3))", "host")
            nodes.script("RPC.fell(other().peer, nil)", "a")
            self.wait(nodes, "Game.get('scores')[2] == -1")  # this came to the host and back: later than the hit
            nodes.check("Game.own.stun == 0 and Game.own.unit", "a")

    # --- Coming and going -------------------------------------------------------------------------

    def test_one_joins_late_and_leaves(self):
        with self.nodes({"host": ["--host", "--bot"], "a": ["--find", "--bot"], "b": ["--find", "--bot"]}) as nodes:
            self.wait(nodes, "Game.is_in_game(3) and Game.is_moving(3, 1)")
            nodes.stop("b")
            self.wait(nodes, "Game.is_in_game(2)")
            nodes.start("b")
            self.wait(nodes, "Game.is_in_game(3) and Game.is_moving(3, 1)")
            self.settle(nodes, "host")
            # By the menu.
            nodes.script(key("pressed", "esc") + key("released", "esc"), "b")
            self.wait(nodes, "Game.has_choice('Leave the game')", "b")
            nodes.script("Game.choose('Leave the game')", "b")
            self.wait(nodes, "Game.is_in_game(2)", ["host", "a"])
            nodes.check("Game.has_choice('Host a game') and World.num_units(Game.world) > 0", "b")
            self.expect_no_errors(nodes)

    def go_on_without_host(self, end):
        with self.nodes({name: [way, "--bot"] for name, way in
                         (("host", "--host"), ("a", "--find"), ("b", "--find"), ("late", "--find"))}) as nodes:
            self.wait(nodes, "Game.is_in_game(4)")
            nodes.stop("late")
            self.wait(nodes, "Game.is_in_game(3) and Game.is_moving(3, 1)")
            round_before = int(nodes.script("Game.get('round')", "a")["a"])
            end(nodes)
            self.wait(nodes, "Game.is_in_game(2)")
            nodes.check(f"Game.get('round') >= {round_before} and #Game.boxes > 0")
            host = next(name for name, is_host in nodes.script(
                "GameSession.game_session_host(Game.session) == Game.me").items() if is_host == "true")
            nodes.script("Game.ways = {}")
            self.wait(nodes, "Game.is_moving(2, 1)")
            self.settle(nodes, host)
            nodes.start("late")  # finds the lobby of the new host
            self.wait(nodes, "Game.is_in_game(3)")
            self.settle(nodes, host)

    def test_goes_on_when_the_host_leaves(self):
        self.go_on_without_host(lambda nodes: nodes.stop("host"))

    def test_goes_on_when_the_host_crashes(self):
        self.go_on_without_host(lambda nodes: nodes.kill("host"))

    # --- The plan ---------------------------------------------------------------------------------

    def play_plan(self, matches, runs):
        plan = os.path.join(self.project, "test", "plan.sjson")
        text = read(plan)
        for old, new in (("repeat = 10 ", f"repeat = {matches} "), ('"14101"', f'"{next(lobby_ports)}"')):
            self.assertIn(old, text)
            text = text.replace(old, new)
        write(plan, text)
        done = cuttle("nodes", plan, "--runs", runs, "--json", timeout=7200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(last_json(done.stdout)["num_passed"], runs)

    def test_the_plan_passes(self):
        self.play_plan(*rounds((5, 1), (10, 50)))

    # --- Arguments --------------------------------------------------------------------------------

    def test_refuses_wrong_arguments(self):
        for arguments, message in (
                (["--hots"], 'unknown argument "--hots"; expected --host | --find'),
                (["--join"], "--join: expected an address such as 192.168.1.20:50123"),
                (["--join", "--bot"], "--join: expected an address"),
                (["--join", "nowhere"], '--join: '),
                (["--seed", "x"], '--seed: expected a whole number from 0 to 2147483647, got "x"'),
                (["--points", "0"], '--points: expected a whole number from 1 to 100, got "0"'),
                (["--seconds"], "--seconds: expected a whole number from 1 to 1000, got nothing"),
                (["--host", "--find"], "--host, --find and --join: expected one of them at most")):
            done = cuttle("run", self.project, "--headless", "--size", "64x36", "--frames", 30, "--", *arguments)
            self.assertIn("duel: " + message, done.stdout + done.stderr)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertNotIn("stack traceback", done.stdout + done.stderr)

    def test_says_why_a_game_cannot_be_joined(self):
        with self.nodes({"a": ["--join", "127.0.0.1:9"]}) as nodes:
            self.wait(nodes, "Game.page == 'problem'")
            self.assertIn("cannot be joined", nodes.script("Game.problem", "a")["a"])
            nodes.script("Game.choose('Back')", "a")
            nodes.check("Game.has_choice('Find games')", "a")

    # --- Pictures ---------------------------------------------------------------------------------

    def test_looks_as_it_did_from_both_sides(self):
        put = """
            local function put(unit, x, y, z, angle)
                Unit.teleport_local_position(unit, 1, Vector3(x, y, z))
                Unit.teleport_local_rotation(unit, 1, Quaternion(Vector3(0, 0, 1), angle))
            end"""
        boxes = put + """
            local places = { { -2.4, 1.2, 0.5, 0.3 }, { -1.3, 1.5, 0.5, 0.1 }, { -1.9, 1.4, 1.5, 0.7 }, { 2.2, -0.4, 0.5, 0.9 },
                { 2.6, 2.6, 0.5, 0.2 }, { -3.6, -2.4, 0.5, 0.5 }, { 3.8, -3, 0.5, 1.2 }, { 0.2, 3.2, 0.5, 0.4 }, { -4.4, 2.6, 0.5, 0 } }
            for i, box in ipairs(Game.boxes) do
                put(box.unit, unpack(places[i]))
            end
            put(Game.own.unit, -0.6, -2, 0, -0.4)
            GameSession.set_game_object_field(Game.session, Game.match, "scores", { 2, 1 })
            GameSession.set_game_object_field(Game.session, Game.match, "wins", { 1, 0 })
            GameSession.set_game_object_field(Game.session, Game.match, "seconds", 75)"""
        with self.nodes({"host": ["--host"], "a": ["--find"]}, size="320x180", unseen=False) as nodes:
            self.wait(nodes, "Game.is_in_game(2) and Game.own.unit and #Game.boxes == 9")
            self.wait(nodes, "Game.seconds > 3 and World.num_particles(Game.world) == 0")
            nodes.script("Game.pause(true)", "host")
            self.wait(nodes, "Game.get('is_paused')")
            nodes.script(boxes, "host")
            nodes.script(put + " put(Game.own.unit, 0.7, 0.6, 0, 2.6)", "a")
            nodes.script("Game.alike = 0")
            self.wait(nodes, "Game.is_settled() and Game.get('seconds') == 75")
            nodes.same("Game.state_text()")
            # The cameras come to rest.
            nodes.script("Game.rest = Game.seconds")
            self.wait(nodes, "Game.seconds > Game.rest + 3")
            for name, path in nodes.screenshot("end").items():
                golden = os.path.join(ROOT, "tests", "golden", f"duel_{name}.png")
                if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
                    write_png(golden, read_png(path))
                self.assertTrue(is_same(read_png(path), read_png(golden)),
                                f"{name}: {difference(read_png(path), read_png(golden))}")


if __name__ == "__main__":
    unittest.main()
