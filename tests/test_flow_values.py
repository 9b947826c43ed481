"""Values that Flow's nodes pass on: fixed ones, those of graphs used as nodes and of scripts, data of units,
variables of materials, input devices, and what starts with a unit."""

import unittest

from support_cuttle import Game
from support_flow import FlowGame, Graph
from support_particles import SPARKS
from support_png import read_png

ALL_PARTS = '''components = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519537"  type = "transform" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  type = "flow"  graph = "flow/lamp" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519541"  type = "mesh"  mesh = "core/meshes/cube"
      materials = ["materials/teal"] }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519542"  type = "light"  name = "bulb"  intensity = 3 }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519543"  type = "camera"  name = "eye"  far_range = 77 }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519544"  type = "mover"  name = "walker"  radius = 0.25 }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519545"  type = "actor"  name = "box"  body = "kinematic"
      shapes = [ { id = "box"  type = "box"  half_size = [1 1 1] } ] }
]
'''

# The external nodes of a type: their ending, the slot, and what gives and shows such a value.
EXTERNALS = (
    ("actor", "actor", "external_input_actor", "external_output_actor"),
    ("boolean", "boolean", "external_input_boolean", "external_output_boolean"),
    ("camera", "camera", "external_input_camera", "external_output_camera"),
    ("entity", "entity", "external_input_entity", "external_output_entity"),
    ("id", "id_value", "external_input_id", "external_output_id"),
    ("light", "light", "external_input_light", "external_output_light"),
    ("material", "material", "external_input_material", "external_output_material"),
    ("mesh", "mesh", "external_input_mesh", "external_output_mesh"),
    ("mover", "mover", "external_input_mover", "external_output_mover"),
    ("numeric", "numeric", "external_input_numeric", "external_output_numeric"),
    ("quaternion", "quaternion", "external_input_quaternion", "external_output_quaternion"),
    ("string", "string", "external_input_string", "external_output_string"),
    ("unit", "unit", "external_input_unit", "external_output_unit"),
    ("vector", "vector3", "external_input_vector_3", "external_output_vector_3"),
)


def passing_graph():
    """A graph that gives each input as an output of the same name."""
    g = Graph()
    for name, slot, source, target in EXTERNALS:
        g.node("in " + name, source, name=name)
        g.node("out " + name, target, name=name + "_out")
        g.link(f"in {name}.{slot}", f"out {name}.{slot}")
    return g


class Values(FlowGame):
    def test_fixed_values_are_what_nodes_were_given(self):
        self.save("fx/sparks.particles", SPARKS)
        g = self.graph
        g.node("boolean", "boolean_data", value=True)
        g.node("number", "numeric_data", value=-2.5)
        g.node("text", "string_data", value="a lamp")
        g.node("vector", "vector_3_data", value=[1, 2, 3])
        g.event("data", g.note("data", "data", arg2="boolean.value", arg3="number.value", arg4="text.value",
                               arg5="vector.value"))
        for kind, slot, name, out in (("entity_resource", "resource", "units/cube", "resource"),
                                      ("unit_resource", "resource", "units/lamp", "resource"),
                                      ("material_resource", "resource", "materials/teal", "resource"),
                                      ("effect_resource", "effect", "fx/sparks", "resource"),
                                      ("resource_data", "set", "anything", "value")):
            g.node(kind, kind, **{slot: name})
            g.event(kind, g.note(kind + " is", "is", arg2=f"{kind}.{out}"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "data"), "data true -2.5 a lamp Vector3(1, 2, 3)")
            for kind, name in (("entity_resource", "units/cube"), ("unit_resource", "units/lamp"),
                               ("material_resource", "materials/teal"), ("effect_resource", "fx/sparks"),
                               ("resource_data", "anything")):
                self.assertEqual(self.run_event(game, kind), "is " + name)
            self.assertEqual(self.errors(game), [])

    def parts(self, g):
        """Nodes that give each type of value, by the names of EXTERNALS."""
        g.node("unit", "level_unit", unit="36480de2-bd5c-4366-b517-da60fb69e070")
        for kind in ("get_unit_actor", "get_unit_camera", "get_unit_light", "get_unit_mesh", "get_unit_mover"):
            g.node(kind, kind)
            g.link("unit.unit", f"{kind}.unit")
        g.node("material", "get_mesh_slot_material")
        g.link("get_unit_mesh.mesh", "material.mesh")
        g.node("boolean", "boolean_data", value=True)
        g.node("id", "id_data", value="units/cube")
        g.node("numeric", "numeric_data", value=2.5)
        g.node("quaternion", "rotation_from_components", z=3.14159265358979)
        g.node("string", "string_data", value="text")
        g.node("vector", "vector_3_data", value=[1, 2, 3])
        return {"actor": "get_unit_actor.actor", "boolean": "boolean.value", "camera": "get_unit_camera.camera",
                "entity": "unit.unit", "id": "id.value", "light": "get_unit_light.light",
                "material": "material.material", "mesh": "get_unit_mesh.mesh", "mover": "get_unit_mover.mover",
                "numeric": "numeric.value", "quaternion": "quaternion.rotation", "string": "string.value",
                "unit": "unit.unit", "vector": "vector.value"}

    def test_graphs_used_as_nodes_pass_values_of_each_type(self):
        self.save("units/lamp.unit", ALL_PARTS)
        self.save("flow/passing.flow", passing_graph().text())
        g = self.graph
        g.use("passing", "flow/passing")
        for name, output in self.parts(g).items():
            g.link(output, f"passing.{name}")
        out = "passing.%s_out"
        g.event("values", g.note("values", "is", arg2=out % "boolean", arg3=out % "numeric", arg4=out % "string",
                                 arg5=out % "vector"))
        g.event("rotation", g.note("rotation", "is", arg2=out % "quaternion"))
        g.node("same id", "compare_objects")
        g.link(out % "id", "same id.a")
        g.link("id.value", "same id.b")
        g.event("id", "compare:same id:equal", g.note("id is", "id"))
        asks = (("actor", "is_actor_kinematic", "actor", "value", "true"),
                ("camera", "get_camera_far_range", "camera", "distance", "77"),
                ("entity", "get_entity_world_position", "entity", "position", "Vector3(1, 0, 0)"),
                ("light", "get_light_intensity", "light", "intensity", "3"),
                ("mesh", "get_mesh_slot_material", "mesh", "resource", None),
                ("mover", "get_mover_radius", "mover", "radius", "0.25"),
                ("unit", "get_unit_world_position", "unit", "position", "Vector3(1, 0, 0)"))
        for name, kind, slot, value, _ in asks:
            g.node("ask " + name, kind)
            g.link(out % name, f"ask {name}.{slot}")
            g.event("ask " + name, g.note(f"{name} has", "has", arg2=f"ask {name}.{value}"))
        g.node("same mesh", "compare_objects")
        g.link(out % "material", "same mesh.a")
        g.link("material.material", "same mesh.b")
        g.event("material", "compare:same mesh:equal", g.note("material is", "material"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "values"), "is true 2.5 text Vector3(1, 2, 3)")
            self.assertEqual(self.run_event(game, "rotation"), "is Quaternion(0, 0, 1, 0)")
            self.assertEqual(self.run_event(game, "id"), "id")
            self.assertEqual(self.run_event(game, "material"), "material")
            for name, _, _, _, expected in asks:
                if expected:
                    self.assertEqual(self.run_event(game, "ask " + name), "has " + expected)
            self.assertRegex(self.run_event(game, "ask mesh"), "teal")
            self.assertEqual(self.errors(game), [])

    def test_graphs_used_as_nodes_are_switched(self):
        part = Graph()
        for event in ("go", "run"):
            part.event(event, part.note(event + "es", event))
        part.node("later", "delay", time=0.1)
        part.link("event go.out", "later.in")
        part.chain("later", part.note("is late", "later"))
        self.save("flow/part.flow", part.text())
        own = Graph()
        own.event("disable", own.note("own", "own"))
        self.save("flow/own.flow", own.text())
        g = self.graph
        for name, graph in (("one", "flow/part"), ("two", "flow/part"), ("own", "flow/own")):
            g.use(name, graph)
        for event, steps in (("go", ("go:one:", "go:two:")), ("run", ("run:one:",)), ("off", ("disable:one:",)),
                             ("on", ("enable:one:",)), ("own", ("disable:own:",))):
            g.node("event " + event, "external_in_event", name=event)
            for step in steps:
                into, node, _ = step.split(":")
                g.link(f"event {event}.out", f"{node}.{into}")
        with self.play() as game:
            game.console.script("Game.is_paused = true")
            for event, expected in (("go", "go, go"), ("run", "run"), ("off", ""), ("go", "go"), ("run", ""),
                                    ("off", ""), ("on", ""), ("go", "go, go"), ("run", "run"),
                                    ("own", "own"), ("off", "")):
                self.assertEqual(self.run_event(game, event), expected, event)
            # What waits goes on: each of the five that went through, also before the graph was switched off.
            game.console.script("Game.is_paused = false")
            game.console.wait_until("#Game.log >= 5", "true")
            self.assertEqual(game.console.script("Game.take_log()"), ", ".join(5 * ["later"]))
            self.assertEqual(self.errors(game), [])

    def test_scripts_set_inputs_and_read_outputs(self):
        self.save("units/lamp.unit", ALL_PARTS)
        self.lamp = passing_graph()
        cube = "World.units_by_resource(Game.world, 'units/cube')[1]"
        rows = (("boolean", "true", "true"), ("numeric", "2.5", "2.5"), ("string", "'a text'", "a text"),
                ("vector", "Vector3(1, 2, 3)", "Vector3(1, 2, 3)"),
                ("quaternion", "Quaternion.from_elements(0, 0, 1, 0)", "Quaternion(0, 0, 1, 0)"))
        with self.play() as game:
            script = game.console.script
            script("L = World.units_by_resource(Game.world, 'units/lamp')[1]")
            for name, value, expected in rows:
                script(f"Unit.set_flow_variable(L, '{name}', {value})")
                self.assertEqual(script(f"tostring(Unit.flow_variable(L, '{name}_out'))"), expected)
            for name in ("unit", "entity"):
                script(f"Unit.set_flow_variable(L, '{name}', {cube})")
                self.assertEqual(script(f"Unit.flow_variable(L, '{name}_out') == {cube}"), "true")
            script("Unit.set_flow_variable(L, 'id', IdString64('units/cube'))")
            self.assertEqual(script("IdString64.equal(Unit.flow_variable(L, 'id_out'), 'units/cube')"), "true")
            self.assertEqual(self.errors(game), [])

    def test_variables_of_each_type_keep_their_values(self):
        g = self.graph
        sources = self.parts(g)
        kinds = (("bool", "bool", "bool", "boolean", "set_bool_variable", "get_bool_variable"),
                 ("entity", "entity", "entity", "entity", "set_entity_variable", "get_entity_variable"),
                 ("id", "id", "id", "id", "set_id_variable", "get_id_variable"),
                 ("numeric", "number", "numeric", "numeric", "set_numeric_variable", "get_numeric_variable"),
                 ("rotation", "quaternion", "rotation", "quaternion", "set_rotation_variable",
                  "get_rotation_variable"),
                 ("string", "string", "string", "string", "set_string_variable", "get_string_variable"),
                 ("unit", "unit", "unit", "unit", "set_unit_variable", "get_unit_variable"),
                 ("vector", "vector3", "vector", "vector", "set_vector_variable", "get_vector_variable"))
        for name, kind, slot, source, setter, getter in kinds:
            g.variable(name, kind)
            g.node("set " + name, setter, name=name)
            g.node("get " + name, getter, name=name)
            g.link(sources[source], f"set {name}.{slot}")
        g.node("event set", "external_in_event", name="set")
        before = "event set.out"
        for name, *_ in kinds:
            g.link(before, f"set {name}.set")
            before = f"set {name}.out"
        g.event("get", g.note("plain", "is", arg2="get bool.bool", arg3="get numeric.numeric",
                              arg4="get string.string", arg5="get vector.vector"),
                g.note("turn", "turned", arg2="get rotation.rotation"))
        for name in ("unit", "entity"):
            g.node("where " + name, f"get_{name}_world_position")
            g.link(f"get {name}.{name}", f"where {name}.{name}")
        g.node("same", "compare_objects")
        g.link("get id.id", "same.a")
        g.link("id.value", "same.b")
        g.event("objects", g.note("places", "at", arg2="where unit.position", arg3="where entity.position"),
                "compare:same:equal", g.note("same id", "the id"))
        self.save("units/lamp.unit", ALL_PARTS)
        with self.play() as game:
            self.assertEqual(self.run_event(game, "get"),
                             "is false 0  Vector3(0, 0, 0), turned Quaternion(0, 0, 0, 1)")
            self.run_event(game, "set")
            self.assertEqual(self.run_event(game, "get"),
                             "is true 2.5 text Vector3(1, 2, 3), turned Quaternion(0, 0, 1, 0)")
            self.assertEqual(self.run_event(game, "objects"), "at Vector3(1, 0, 0) Vector3(1, 0, 0), the id")
            self.assertEqual(self.errors(game), [])

    def test_bools_and_rotations_are_data_of_units(self):
        g = self.lamp
        g.node("set bool", "set_unit_bool_data", key="is_lit", value=True)
        g.node("set turn", "set_unit_rotation_data", key="turn", value=[0, 0, 1, 0])
        g.node("bool", "get_unit_bool_data", key="is_lit")
        g.node("turn", "get_unit_rotation_data", key="turn")
        g.event("set", "set bool", "set turn")
        g.event("get", g.note("has", "has", arg2="bool.value", arg3="turn.value"))
        with self.play() as game:
            self.assertEqual(self.run_unit_event(game, "get"), "has false Quaternion(0, 0, 0, 1)")
            self.run_unit_event(game, "set")
            self.assertEqual(self.run_unit_event(game, "get"), "has true Quaternion(0, 0, 1, 0)")
            self.assertEqual(self.errors(game), [])

    def test_variables_of_materials_show(self):
        # A large cube in front of the camera, whose light is its material's.
        self.save("materials/glow.material",
                  'shader = "core/shaders/pbr"\nparameters = { base_color = [0 0 0 1]  emissive = [1 1 1 1]\n'
                  '    emissive_intensity = 0 }\n')
        self.save("units/lamp.unit", ALL_PARTS.replace("materials/teal", "materials/glow"))
        self.save("levels/start.level", '''units = [
    { id = "36480de2-bd5c-4366-b517-da60fb69e070"  unit = "units/lamp"  position = [0 3 0]  scale = [9 1 9] }
]
''')
        g = self.lamp
        g.node("brighter", "set_material_variable", variable="emissive_intensity", scalar=1)
        g.node("red", "set_material_variable_components", variable="emissive", x=1, y=0, z=0)
        g.node("green", "set_material_variable", variable="emissive", vector=[0, 1, 0])
        for name in ("brighter", "red", "green"):
            g.event(name, name)
        self.save("flow/lamp.flow", g.text())
        with Game(self.project, "--fixed-dt", "0.02", "--size", "32x18") as game:
            def color(event=None):
                """The middle of the picture, once it stays the same."""
                if event:
                    self.run_unit_event(game, event)
                last = None
                for _ in range(100):
                    picture = read_png(game.console.screenshot(self.path("shot.png")))
                    at = 3 * (picture.width * (picture.height // 2) + picture.width // 2)
                    now = tuple(picture.pixels[at:at + 3])
                    if now == last:
                        return now
                    last = now
                self.fail("the picture never stays the same")

            game.console.wait_until("World.time(Game.world) > 0.2", "true")
            dark = color()
            white = color("brighter")
            red = color("red")
            green = color("green")
            self.assertGreater(min(white), max(dark) + 30)
            self.assertGreater(red[0], max(red[1:]) + 30)
            self.assertGreater(green[1], max(green[0], green[2]) + 30)
            self.assertEqual(self.errors(game), [])

    def test_mouse_and_pads(self):
        g = self.graph
        g.node("left", "mouse_button", button_name="left")
        g.chain(":left:pressed", g.note("left down", "left", arg2="left.value"))
        g.chain(":left:released", g.note("left up", "left up"))
        for name in ("cursor", "mouse", "wheel"):
            g.node(name, "mouse_axis", axis_name=name)
            g.chain(f":{name}:out", g.note(f"{name} moved", name, arg2=f"{name}.value"))
        g.node("a", "xbox_button", button_name="a")
        g.chain(":a:pressed", g.note("a down", "a"))
        g.chain(":a:released", g.note("a up", "a up"))
        g.node("stick", "xbox_thumbstick", thumbstick="left")
        g.chain(":stick:out", g.note("stick moved", "xbox", arg2="stick.axis_value"))
        g.node("other stick", "ps4_thumbstick", thumbstick="right")
        g.chain(":other stick:out", g.note("other moved", "ps4", arg2="other stick.axis_value"))
        steps = (("Game.mouse('pressed', 'left')", "left 1"), ("1", ""), ("Game.mouse('released', 'left')", "left up"),
                 ("Game.axis('mouse', 'cursor', 12, 34, 0)", "cursor Vector3(12, 34, 0)"), ("1", ""),
                 ("Game.axis('mouse', 'mouse', 3, -2, 0)", "mouse Vector3(3, -2, 0)"),
                 ("Game.axis('mouse', 'wheel', 0, 1, 0)", "wheel Vector3(0, 1, 0)"),
                 ("Game.pad('pressed', 'a', 1)", "a"), ("Game.pad('released', 'a', 0)", "a up"),
                 ("Game.axis('pad1', 'left', 0, 1, 0)", "xbox Vector3(0, 1, 0)"), ("1", ""),
                 ("Game.axis('pad1', 'right', 1, 0, 0)", "ps4 Vector3(1, 0, 0)"))
        with self.play() as game:
            for step, expected in steps:
                game.console.script(step)
                for _ in range(3):
                    game.console.script("1")
                self.assertEqual(game.console.script("Game.take_log()"), expected, step)
            self.assertEqual(self.errors(game), [])

    def test_fingers(self):
        g = self.graph
        g.node("finger", "touch_contact")
        for kind in ("get_touch_delta_position", "get_touch_pressure", "is_primary_touch"):
            g.node(kind, kind)
            g.link("finger.contact", f"{kind}.contact")
        g.node("count", "get_num_touch_contacts")
        g.chain(":finger:moved", g.note("moved", "moved", arg2="get_touch_delta_position.delta_position",
                                        arg3="get_touch_pressure.pressure", arg4="is_primary_touch.value",
                                        arg5="count.value"))
        finger = "Input.add_remote_events { { device = 'touch', kind = '%s', id = %d, value = Vector3(%d, %d, 0) } }"
        with self.play() as game:
            for kind, number, x, y, expected in (
                    ("touch_began", 7, 20, 30, ""), ("touch_moved", 7, 25, 28, "moved Vector3(5, -2, 0) 1 true 1"),
                    ("touch_began", 8, 50, 50, ""), ("touch_moved", 8, 50, 60, "moved Vector3(0, 10, 0) 1 false 2")):
                game.console.script(finger % (kind, number, x, y))
                for _ in range(3):
                    game.console.script("1")
                self.assertEqual(game.console.script("Game.take_log()"), expected)
            self.assertEqual(self.errors(game), [])

    def test_entities_and_units_start_events(self):
        g = self.lamp
        for kind, slot in (("entity_spawned", "entity"), ("unit_spawned", "unit"), ("entity_unspawned", "entity"),
                           ("unit_unspawned", "unit"), ("entity_spawned_editor", "entity"),
                           ("entity_unspawned_editor", "entity"), ("unit_spawned_editor", "unit"),
                           ("unit_unspawned_editor", "unit")):
            g.node(kind, kind)
            g.node(f"where {kind}", f"get_{slot}_world_position")
            g.link(f"{kind}.{slot}", f"where {kind}.{slot}")
            g.chain(kind, g.note(f"note {kind}", kind, arg2=f"where {kind}.position"))
        with self.play() as game:
            # Editors' events never run in a game.
            self.assertEqual(game.console.script("Game.take_log()"),
                             "entity_spawned Vector3(1, 0, 0), unit_spawned Vector3(1, 0, 0)")
            game.console.script("World.destroy_unit(Game.world, World.units_by_resource(Game.world, 'units/lamp')[1])")
            self.assertEqual(game.console.script("Game.take_log()"),
                             "unit_unspawned Vector3(1, 0, 0), entity_unspawned Vector3(1, 0, 0)")
            self.assertEqual(self.errors(game), [])


if __name__ == "__main__":
    unittest.main()
