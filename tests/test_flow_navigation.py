#!/usr/bin/env python3
"""Flow's nodes and events of navigation, in small games."""

import os
import re
import unittest

from support_cuttle import TemporaryFolder, cuttle, write
from test_flow_physics import graph, show

MAIN = """
Game = {}
function init()
    Game.world = Application.new_world()
    local function spawn(name, ...) return World.spawn_unit(Game.world, name, Vector3(...)) end
    World.load_level(Game.world, "levels/yard")
    %s
end
function update(dt) World.update(Game.world, dt) end
function render() end
function shutdown() Application.release_world(Game.world) end
"""
FLOOR = """
components = [ { id = "t"  type = "transform" }
    { id = "a"  type = "actor"  shapes = [ { id = "s"  type = "box"  position = [0 0 -0.5]  half_size = [8 8 0.5] } ] } ]
"""
# Two floors, 8 m apart; the second can be reached by a ferry.
LEVEL = """
units = [ { id = "u1"  unit = "units/floor" } { id = "u2"  unit = "units/floor"  position = [24 0 0] } ]
volumes = [ { id = "v1"  name = "strip"  position = [0 0 0]  half_size = [1 8 1] } ]
navigation = "levels/yard"
"""
NAVIGATION = """
level = "levels/yard"  cell_size = 0.25  tile_size = 32
agents = [ { id = "a1"  name = "human"  radius = 0.5 } { id = "a2"  name = "cart"  radius = 1 } ]
areas = [ { id = "r1"  name = "gate"  cost = 2 } ]
volumes = [ { id = "v1"  volume = "strip"  area = "gate" } ]
links = [ { id = "l1"  kind = "ferry"  from = [7 0 0]  to = [17 0 0]  both_ways = true } ]
"""
AGENT = 'type = "navigation_agent"  class = "human"  speed = 4'


class FlowNavigation(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        for name, text in (("units/floor.unit", FLOOR), ("levels/yard.level", LEVEL),
                           ("levels/yard.navigation", NAVIGATION)):
            write(os.path.join(self.project, name), text)

    def unit(self, name, *components, flow):
        """Writes units/NAME.unit, and flow/NAME.flow for it from (nodes, links)."""
        write(os.path.join(self.project, "flow", name + ".flow"), graph(*flow))
        rows = ['type = "transform"', *components, f'type = "flow"  graph = "flow/{name}"']
        text = "\n".join(f'    {{ id = "c{i}"  {row} }}' for i, row in enumerate(rows))
        write(os.path.join(self.project, "units", name + ".unit"), f"components = [\n{text}\n]\n")

    def play(self, at_start, frames, errors=()):
        """Runs a game whose `init` goes on with `at_start`; returns {label: texts} of what its graphs
        print. `errors` are all that it must log."""
        write(os.path.join(self.project, "scripts", "main.lua"), MAIN % at_start)
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", 1 / 60,
                      "--size", "64x36", check=1 if errors else 0)
        log = done.stdout + done.stderr
        found = [line for line in log.splitlines() if "error" in line.lower()]
        self.assertEqual(len(found), len(errors), log)
        for line, error in zip(found, errors):
            self.assertIn(error, line)
        printed = {}
        for label, text in re.findall(r"(?m)^\[flow\] (\w+): ([^\n]*)$", log):
            printed.setdefault(label, []).append(text)
        return printed

    def numbers(self, text):
        return [float(n) for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]

    def test_an_agent_walks_and_has_events(self):
        self.unit("walker", AGENT, flow=({
            "start": ("unit_spawned", {}), "wait": ("delay", {"time": 0.1}),
            "speed": ("set_navigation_agent_speed", {"speed": 8}),
            "move": ("move_navigation_agent", {"goal": [28, 0, 0]}),
            "later": ("delay", {"time": 0.9}), "get": ("get_navigation_agent", {}),
            "state": show("state"), "velocity": show("velocity"), "has_goal": show("has_goal"),
            "goal": show("goal"),
            "event": ("navigation_agent_event", {}),
            "kind": show("kind"), "from": show("from"), "to": show("to"), "arrived": show("arrived"),
            "failed": show("failed"), "away": ("move_navigation_agent", {"goal": [90, 0, 0]}),
        }, """
            start.out > wait.in
            wait.out > speed.in
            speed.out > move.in
            move.out > later.in
            later.out > state.in
            state.out > velocity.in
            velocity.out > has_goal.in
            has_goal.out > goal.in
            get.state > state.text
            get.velocity > velocity.text
            get.has_goal > has_goal.text
            get.goal > goal.text
            event.link_started > kind.in
            kind.out > from.in
            from.out > to.in
            event.kind > kind.text
            event.from > from.text
            event.to > to.text
            event.arrived > arrived.in
            arrived.out > away.in
            event.failed > failed.in
            get.state > arrived.text
            get.state > failed.text"""))
        printed = self.play('spawn("units/walker", -4, 0, 0)', 480)
        self.assertEqual([printed[name] for name in ("state", "has_goal", "kind")],
                         [["walking"], ["true"], ["ferry"]])
        x, y, z = self.numbers(printed["velocity"][0])
        self.assertGreater(x, 5.5)
        self.assertEqual(self.numbers(printed["goal"][0]), [28, 0, 0])
        self.assertEqual(self.numbers(printed["from"][0]), [7, 0, 0])
        self.assertEqual(self.numbers(printed["to"][0]), [17, 0, 0])
        self.assertEqual([printed["arrived"], printed["failed"]], [["arrived"], ["failed"]])

    def test_an_agent_stops_and_links_are_ended(self):
        self.unit("walker", AGENT + "  plays_links = true", flow=({
            "start": ("unit_spawned", {}), "wait": ("delay", {"time": 0.1}),
            "move": ("move_navigation_agent", {"goal": [28, 0, 0]}),
            "event": ("navigation_agent_event", {}),
            "place": ("set_unit_local_position", {"position": [17, 0, 0]}),
            "end": ("end_navigation_link", {}), "soon": ("delay", {"time": 0.2}),
            "get": ("get_navigation_agent", {}), "after": show("after"),
            "stop": ("stop_navigation_agent", {}), "last": ("delay", {"time": 0.5}),
            "stopped": show("stopped"), "where": ("get_unit_world_position", {}), "at": show("at"),
        }, """
            start.out > wait.in
            wait.out > move.in
            event.link_started > place.in
            place.out > end.in
            end.out > soon.in
            soon.out > after.in
            get.state > after.text
            after.out > stop.in
            stop.out > last.in
            last.out > stopped.in
            stopped.out > at.in
            get.state > stopped.text
            where.position > at.text"""))
        printed = self.play('spawn("units/walker", 4, 0, 0)', 240)
        self.assertEqual([printed["after"], printed["stopped"]], [["walking"], ["idle"]])
        x, y, z = self.numbers(printed["at"][0])
        self.assertTrue(17 < x < 22, x)

    def test_paths_and_places(self):
        prints = {name: show(name) for name in (
            "length", "none", "connected", "apart", "found", "position", "lost", "here", "random",
            "point", "wide")}
        self.unit("asker", flow=({
            "start": ("unit_spawned", {}), "wait": ("delay", {"time": 0.1}),
            "path": ("find_navigation_path", {"class": "human", "from": [-4, 0, 0], "to": [-4, 6, 0]}),
            "far": ("find_navigation_path", {"from": [-4, 0, 0], "to": [90, 6, 0]}),
            "is": ("is_navigation_connected", {"from": [-4, 0, 0], "to": [20, 0, 0]}),
            "not": ("is_navigation_connected", {"from": [-4, 0, 0], "to": [12, 0, 0]}),
            "near": ("get_nearest_navigation_point", {"point": [9, 0, 1], "reach": 3}),
            "cart": ("get_nearest_navigation_point",
                     {"class": "cart", "point": [9, 0, 1], "reach": 3}),
            "off": ("get_nearest_navigation_point", {"point": [12, 0, 0], "reach": 1}),
            "any": ("get_random_navigation_point", {"from": [20, 0, 0], "radius": 3}),
            **prints,
        }, """
            start.out > wait.in
            wait.out > path.in
            path.found > length.in
            path.length > length.text
            length.out > far.in
            far.not_found > none.in
            none.out > connected.in
            is.value > connected.text
            connected.out > apart.in
            not.value > apart.text
            apart.out > found.in
            near.found > found.text
            found.out > position.in
            near.position > position.text
            position.out > wide.in
            cart.position > wide.text
            wide.out > lost.in
            off.found > lost.text
            lost.out > here.in
            off.position > here.text
            here.out > random.in
            any.found > random.text
            random.out > point.in
            any.position > point.text"""))
        printed = self.play('spawn("units/asker", 0, 0, 0)', 30)
        self.assertAlmostEqual(self.numbers(printed["length"][0])[0], 6, places=2)
        self.assertEqual(len(printed["none"]), 1)
        self.assertEqual([printed[name] for name in ("connected", "apart", "found", "lost", "random")],
                         [["true"], ["false"], ["true"], ["false"], ["true"]])
        x, y, z = self.numbers(printed["position"][0])
        self.assertTrue(7 < x < 7.6 and abs(z) < 0.1, printed["position"])
        x, y, z = self.numbers(printed["wide"][0])
        self.assertTrue(6.5 < x < 7.1, printed["wide"])
        self.assertEqual(self.numbers(printed["here"][0]), [12, 0, 0])
        x, y, z = self.numbers(printed["point"][0])
        self.assertTrue(16 < x < 32 and abs(y) < 8, printed["point"])

    def test_areas_and_links_are_switched(self):
        path = ("find_navigation_path", {"from": [-4, 0, 0], "to": [4, 0, 0]})
        self.unit("switch", flow=({
            "start": ("unit_spawned", {}), "wait": ("delay", {"time": 0.1}),
            "close": ("set_navigation_area", {"area": "gate", "closed": True}), "p1": path,
            "shut": show("shut"), "open": ("set_navigation_area", {"area": "gate", "cost": 5}),
            "p2": path, "length": show("length"),
            "break": ("set_navigation_link", {"link": "l1", "open": False}),
            "is": ("is_navigation_connected", {"from": [-4, 0, 0], "to": [20, 0, 0]}),
            "broken": show("broken"), "mend": ("set_navigation_link", {"link": "l1"}),
            "mended": show("mended"),
            "wrong": ("set_navigation_area", {"area": "gates"}),
            "gone": ("set_navigation_link", {"link": "l7"}),
        }, """
            start.out > wait.in
            wait.out > close.in
            close.out > p1.in
            p1.not_found > shut.in
            shut.out > open.in
            open.out > p2.in
            p2.found > length.in
            p2.length > length.text
            length.out > break.in
            break.out > broken.in
            is.value > broken.text
            broken.out > mend.in
            mend.out > mended.in
            is.value > mended.text
            mended.out > wrong.in
            wrong.out > gone.in"""))
        printed = self.play(
            'spawn("units/switch", 0, 0, 0)', 30,
            ['no navigation mesh of the world has the area "gates"; did you mean "gate"?',
             'no navigation mesh of the world has the link "l7"'])
        self.assertEqual([len(printed["shut"]), printed["broken"], printed["mended"]],
                         [1, ["false"], ["true"]])
        self.assertAlmostEqual(self.numbers(printed["length"][0])[0], 8, delta=0.1)

    def test_bad_input_is_logged(self):
        self.unit("bare", flow=({
            "start": ("unit_spawned", {}),
            "move": ("move_navigation_agent", {"goal": [1, 0, 0]}),
            "near": ("get_nearest_navigation_point", {"reach": -1}), "show": show("show"),
        }, """
            start.out > move.in
            move.out > show.in
            near.found > show.text"""))
        self.play('spawn("units/bare", 0, 0, 0)', 10,
                  ["the unit has no navigation agent", "input 3: found -1; expected"])


if __name__ == "__main__":
    unittest.main()
