"""Which entities have graphs: units of a level, entities below their roots, and those to which Lua gives
one."""

import unittest

from support_flow import LEVEL, FlowGame, Graph

CART = '''components = [ { id = "42a68fec-c75a-43c4-8d0d-866b16519530"  type = "transform" } ]
children = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519531"  unit = "units/lamp"  position = [0 0 2] }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519532"  unit = "units/lamp"  position = [0 0 4] }
]
'''


class Entities(FlowGame):
    def spawning_lamp(self):
        """A lamp whose graph notes where it is when it comes, and that it goes."""
        g = self.lamp
        g.node("spawned", "unit_spawned")
        g.node("where", "get_entity_world_position")
        g.chain("spawned", g.note("came", "lamp", arg2="where.position"))
        g.node("gone", "unit_unspawned")
        g.chain("gone", g.note("went", "gone"))
        return g

    def test_units_reach_the_graph_of_their_level_before_it_is_loaded(self):
        self.lamp.node("spawned", "unit_spawned")
        self.lamp.node("tell", "trigger_level_flow_event", event="lamp")
        self.lamp.chain("spawned", "tell")
        g = self.graph
        g.node("cube", "level_unit", unit="cd28d864-d6e8-4c6a-998f-69a0138851b0")
        g.node("where", "get_unit_world_position")
        g.link("cube.unit", "where.unit")
        g.event("lamp", g.note("told", "lamp", arg2="where.position"))
        g.node("loaded", "level_loaded")
        g.chain("loaded", g.note("is loaded", "loaded"))
        with self.play() as game:
            self.assertEqual(game.console.script("Game.take_log()"), "lamp Vector3(0, 5, 0), loaded")
            self.assertEqual(self.errors(game), [])

    def test_children_of_units_have_graphs(self):
        self.spawning_lamp()
        self.save("units/cart.unit", CART)
        self.save("levels/start.level", LEVEL.replace('"units/lamp"', '"units/cart"'))
        with self.play() as game:
            script = game.console.script
            self.assertEqual(script("Game.take_log()"), "lamp Vector3(1, 0, 2), lamp Vector3(1, 0, 4)")
            script("Game.cart = World.units_by_resource(Game.world, 'units/cart')[1]")
            script("World.destroy_unit(Game.world, Game.cart)")
            self.assertEqual(script("Game.take_log()"), "gone, gone")
            self.assertEqual(self.errors(game), [])

    def test_lua_gives_graphs_to_entities(self):
        g = Graph()
        g.variable("score", "number")
        g.node("spawned", "unit_spawned")
        g.chain("spawned", g.note("came", "came"))
        g.node("score", "get_numeric_variable", name="score")
        g.event("ask", g.note("asked", "score", arg2="score.numeric"))
        self.save("flow/mind.flow", g.text())
        self.save("flow/other.flow", g.text().replace('"came"', '"other"'))
        steps = (("FlowComponent.lookup(F, E, 'mind')", "nil"), ("select('#', FlowComponent.instances(F, E))", "0"),
                 ("FlowComponent.create(F, E, 'mind', 'flow/mind') == FlowComponent.lookup(F, E, 'mind')", "true"),
                 ("Game.take_log()", ""), ("FlowComponent.spawned(F, { E })", None), ("Game.take_log()", "came"),
                 ("FlowComponent.set_flow_variable(F, I(), 'score', 3)", None),
                 ("FlowComponent.flow_variable(F, I(), 'score')", "3"),
                 ("FlowComponent.trigger_flow_event(F, I(), 'ask')", None), ("Game.take_log()", "score 3"),
                 ("select('#', FlowComponent.instance_ids(F, E))", "1"),
                 ("FlowComponent.lookup(F, E, 'other')", "nil"),
                 ("tostring(FlowComponent.get_property(F, I(), 'graph'))", "IdString64(flow/mind)"),
                 ("tostring(FlowComponent.get_property_by_id(F, E, 'mind', { 'graph' }))", "IdString64(flow/mind)"),
                 ("FlowComponent.set_property(F, I(), 'graph', 'flow/other')", None),
                 ("FlowComponent.flow_variable(F, I(), 'score')", "0"),
                 ("FlowComponent.spawned(F, { E })", None), ("Game.take_log()", "other"),
                 ("FlowComponent.set_property_by_id(F, E, 'mind', 'graph', 'flow/mind') == I()", "true"),
                 ("FlowComponent.destroy(F, I())", None), ("FlowComponent.lookup(F, E, 'mind')", "nil"),
                 ("FlowComponent.create(F, E, 'mind', 'flow/mind') ~= nil", "true"),
                 ("FlowComponent.destroy_all(F, E)", None), ("FlowComponent.destroy_all(F, E)", None),
                 ("select('#', FlowComponent.instances(F, E))", "0"))
        errors = (("FlowComponent.trigger_flow_event(F, I(), 'aks')", 'no external in event "aks"'),
                  ("FlowComponent.flow_variable(F, I(), 'scores')", 'no variable "scores"'),
                  ("FlowComponent.set_flow_variable(F, I(), 'score', 'much')", "argument 4"),
                  ("FlowComponent.create(F, E, 'two', 'flow/mind')", "already has a component of the type flow"),
                  ("FlowComponent.get_property(F, I(), 'graphs')", "graphs"),
                  ("FlowComponent.set_property(F, I(), 'graph', 'flow/none')", "flow/none"),
                  ("FlowComponent.get_property_by_id(F, E, 'mnd', 'graph')", "mnd"),
                  ("FlowComponent.flow_variable(F, 12345, 'score')", "argument 2"))
        with self.play() as game:
            script = game.console.script
            script("F, E = EntityManager.flow_component(Game.world), EntityManager.create(Game.world)")
            script("I = function() return (FlowComponent.lookup(F, E, 'mind')) end")
            for lua, expected in steps:
                result = script(lua)
                if expected is not None:
                    self.assertEqual(result, expected, lua)
            script("FlowComponent.create(F, E, 'mind', 'flow/mind')")
            for lua, expected in errors:
                with self.assertRaises(RuntimeError, msg=lua) as caught:
                    script(lua)
                self.assertIn(expected, str(caught.exception), lua)
            self.assertIn("flow/mind", script("tostring(FlowComponent.get_property(F, I(), 'graph'))"))
            # The graph ends with its entity.
            script("EntityManager.destroy(E)")
            with self.assertRaises(RuntimeError):
                script("FlowComponent.lookup(F, E, 'mind')")
            self.assertEqual(self.errors(game), [])


if __name__ == "__main__":
    unittest.main()
