"""Flow graphs that are saved while the game runs: what waits goes on, and states stay with their nodes."""

import unittest

from support_flow import FlowGame, Graph

STEP = 0.02


class Reload(FlowGame):
    def graph_with(self, *others, version=None):
        """Two delays of a second and a counter; before them nodes that move all to other places."""
        g = Graph()
        for name in others:
            g.node(name, "counter", increment=1)
            g.event(name, f"increase:{name}:changed")
        if version:
            g.variable(version, "number")
        g.variable("name", "string")
        g.node("kept", "delay", time=1)
        g.node("count", "counter", increment=1)
        g.node("note time", "script_do_string", script="note('kept', World.time(Game.world) - Game.started, ...)")
        g.link("count.value", "note time.arg1")
        g.event("go", "kept", "increase:count:changed", "note time")
        return g

    def with_another_delay(self, g, name):
        g.node(name, "delay", time=1)
        g.link("event go.out", f"{name}.in")
        g.chain(name, g.note(name + " ended", name))
        return g

    def save_and_wait(self, game, g, version):
        """Saves the graph, which has a new variable, and waits until the game has it."""
        since = len(game.console.messages)
        self.save("flow/level.flow", g.text())
        game.console.wait_until(f"(pcall(Level.flow_variable, Game.level, '{version}'))", "true")
        return [m["message"] for m in game.console.messages[since:] if m.get("level") in ("error", "warning")]

    def start(self, game):
        game.console.script("Game.is_paused, Game.started = true, World.time(Game.world)")
        self.run_event(game, "go")

    def run_for(self, game, seconds):
        """Runs the world that much further; returns what was noted."""
        script = game.console.script
        script(f"Game.is_paused, Game.until_time = false, World.time(Game.world) + {seconds}")
        game.console.wait_until("World.time(Game.world) >= Game.until_time", "true")
        return script("Game.take_log()")

    def noted_time(self, log):
        word, seconds, count = log.split()
        self.assertEqual(word, "kept")
        return float(seconds), count

    def test_delays_end_when_they_would_have(self):
        self.graph = self.with_another_delay(self.graph_with(), "dropped")
        with self.play() as game:
            self.start(game)
            game.console.script("Level.set_flow_variable(Game.level, 'name', 'lamp')")
            # All moves, a delay is gone, and one is new, which nothing has started yet.
            new = self.with_another_delay(self.graph_with("one", "two", version="second"), "new")
            self.assertEqual(self.save_and_wait(game, new, "second"), [])
            seconds, count = self.noted_time(self.run_for(game, 2.5))
            self.assertGreaterEqual(seconds, 1 - STEP / 2)
            self.assertLess(seconds, 1 + 1.5 * STEP)
            self.assertEqual(count, "1")
            self.assertEqual(game.console.script("Level.flow_variable(Game.level, 'name')"), "lamp")
            # The new graph works as it is, and the counter goes on.
            self.start(game)
            self.assertEqual(sorted(part.split()[0] + part.split()[-1] for part in
                                    self.run_for(game, 1.5).split(", ")), ["kept2", "newnew"])
            self.assertEqual(self.errors(game), [])

    def test_delays_survive_many_saves_in_a_row(self):
        self.graph = self.graph_with()
        with self.play() as game:
            self.start(game)
            for number in range(3):
                others = [f"other {k}" for k in range(3 - number)]
                self.assertEqual(self.save_and_wait(game, self.graph_with(*others, version=f"v{number}"),
                                                    f"v{number}"), [])
            seconds, count = self.noted_time(self.run_for(game, 2.5))
            self.assertAlmostEqual(seconds, 1, delta=1.5 * STEP)
            self.assertEqual(count, "1")

    def test_a_graph_with_an_error_leaves_the_old_one_running(self):
        self.graph = self.graph_with()
        with self.play() as game:
            self.start(game)
            since = len(game.console.messages)
            self.save("flow/level.flow", self.graph_with("one").text().replace('type = "delay"', 'type = "dely"'))
            said = game.console.wait_for_message(lambda m: m.get("level") == "error", since)["message"]
            self.assertIn('did you mean "delay"?', said)
            seconds, _ = self.noted_time(self.run_for(game, 2.5))
            self.assertAlmostEqual(seconds, 1, delta=1.5 * STEP)

    def test_a_longer_delay_counts_from_its_next_start(self):
        self.graph = self.graph_with()
        with self.play() as game:
            self.start(game)
            longer = self.graph_with(version="second")
            longer.nodes = [node.replace("time = 1", "time = 2") for node in longer.nodes]
            self.save_and_wait(game, longer, "second")
            self.assertAlmostEqual(self.noted_time(self.run_for(game, 3))[0], 1, delta=1.5 * STEP)
            self.start(game)
            self.assertAlmostEqual(self.noted_time(self.run_for(game, 3))[0], 2, delta=1.5 * STEP)


if __name__ == "__main__":
    unittest.main()
