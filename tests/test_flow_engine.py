"""Flow's nodes of effects, sounds, units, levels, materials, input and the program, in a game without a
window: what graphs leave in their variables and call in Lua."""

import os
import unittest

from support_cuttle import Game, TemporaryFolder, write
from support_flow import SCRIPT, FlowGame, Graph
from support_particles import SPARKS
from support_sound import write_sine


class Engine(FlowGame):
    def test_the_program_and_lua(self):
        g = self.graph
        for name in ("get_back_buffer_size", "get_build", "get_platform", "get_time_since_launch"):
            g.node(name, name)
        g.event("ask", g.note("asked", "is", arg2="get_back_buffer_size.width",
                              arg3="get_back_buffer_size.height", arg4="get_platform.platform",
                              arg5="get_build.build"),
                g.note("time is", "time", arg2="get_time_since_launch.time"))
        g.node("half", "script_do_string", script="note('string', ...)", arg1=3, arg2=True)
        g.event("string", "half")
        g.node("change", "change_level", name="levels/start")
        g.event("change", "change")
        g.node("quit", "quit", exit_value=7)
        g.event("quit", "quit")
        with self.play() as game:
            before = float(game.console.script("Application.time_since_launch()"))
            words, time = self.run_event(game, "ask").split(", time ")
            self.assertEqual(words, "is 160 90 linux " + game.console.script("Application.build()"))
            self.assertGreaterEqual(float(time) + 1e-4, before)
            self.assertLess(float(time), before + 600)
            self.assertEqual(self.run_event(game, "string"), "string 3 true")
            self.assertEqual(self.run_event(game, "change"), "change_level levels/start")
            self.assertEqual(self.errors(game), [])
            game.console.script("Level.trigger_event(Game.level, 'quit')")
            self.assertEqual(game.process.wait(timeout=60), 7)

    def test_units_markers_and_data(self):
        g = self.graph
        g.node("cube", "level_unit", unit="cd28d864-d6e8-4c6a-998f-69a0138851b0")
        g.node("lamp", "level_unit", unit="36480de2-bd5c-4366-b517-da60fb69e070")
        g.node("marker", "get_marker_position_rotation", marker="door")
        g.node("room", "get_trigger_properties", volume="room")
        g.event("places", g.note("places", "at", arg2="marker.position", arg3="room.position",
                                 arg4="room.radius"))
        # A unit at the marker, gone again.
        g.node("spawn", "spawn_unit_on_marker", unit="units/cube", marker="door")
        g.node("where", "get_entity_world_position")
        g.link("spawn.spawned_unit", "where.entity")
        g.event("spawn", "spawn:spawn:spawned", g.note("spawned", "spawned", arg2="where.position"))
        g.event("unspawn", "unspawn:spawn:unspawned", g.note("unspawned", "unspawned"))
        # The lamp's own graph, and this one from there.
        g.node("greet", "unit_flow_event", event="greet")
        g.link("lamp.unit", "greet.unit")
        g.event("greet", "greet")
        self.lamp.node("answer", "trigger_level_flow_event", event="answer")
        self.lamp.event("ask", "answer")
        g.event("answer", g.note("answered", "answered"))
        # The cube follows the lamp, which moves.
        g.node("link", "link_unit")
        g.link("cube.unit", "link.child")
        g.link("lamp.unit", "link.parent")
        g.node("move", "set_entity_world_position", position=[10, 0, 0])
        g.link("lamp.unit", "move.entity")
        g.node("cube at", "get_entity_world_position")
        g.link("cube.unit", "cube at.entity")
        g.event("link", "link:link:linked", "move", g.note("moved", "cube", arg2="cube at.position"))
        # Data by key, of each type.
        g.node("set", "set_unit_numeric_data", key="stats/health", value=12.5)
        g.node("set text", "set_unit_string_data", key="title", value="old lamp")
        g.node("set id", "set_unit_id_data", key="kind", value="units/lamp")
        g.node("set vector", "set_unit_vector_data", key="place", value=[1, 2, 3])
        g.node("health", "get_unit_numeric_data", key="stats/health")
        g.node("title", "get_unit_string_data", key="title")
        g.node("kind", "get_unit_id_data", key="kind")
        g.node("place", "get_unit_vector_data", key="place")
        g.node("resource", "get_unit_resource_type")
        g.node("same", "compare_objects")
        g.link("kind.value", "same.a")
        g.link("resource.type", "same.b")
        for name in ("set", "set text", "set id", "set vector", "health", "title", "kind", "place", "resource"):
            g.link("lamp.unit", f"{name}.unit")
        g.event("data", "set", "set text", "set id", "set vector",
                g.note("data", "data", arg2="health.value", arg3="title.value", arg4="place.value"),
                "compare:same:equal", g.note("is same", "same"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "places"),
                             "at Vector3(1, 2, 3) Vector3(4, 5, 6) Vector3(2, 3, 4)")
            self.assertEqual(self.run_event(game, "spawn"), "spawned Vector3(1, 2, 3)")
            self.assertEqual(game.console.script("#World.units_by_resource(Game.world, 'units/cube')"), "2")
            self.assertEqual(self.run_event(game, "unspawn"), "unspawned")
            self.assertEqual(game.console.script("#World.units_by_resource(Game.world, 'units/cube')"), "1")
            self.assertEqual(self.run_event(game, "greet"), "lamp")
            game.console.script("Unit.flow_event(World.units_by_resource(Game.world, 'units/lamp')[1], 'ask')")
            self.assertEqual(game.console.script("Game.take_log()"), "answered")
            # The local pose stays: 5 m in front of the lamp.
            self.assertEqual(self.run_event(game, "link"), "cube Vector3(10, 5, 0)")
            self.assertEqual(self.run_event(game, "data"), "data 12.5 old lamp Vector3(1, 2, 3), same")
            self.assertEqual(self.errors(game), [])

    def test_meshes_and_materials(self):
        g = self.graph
        g.node("cube", "level_unit", unit="cd28d864-d6e8-4c6a-998f-69a0138851b0")
        g.node("pick", "mesh_pick_raycast", direction=[0, 1, 0], length=100)
        g.node("miss", "mesh_pick_raycast", direction=[0, -1, 0], length=100)
        g.node("mesh", "get_unit_mesh")
        for name in ("pick", "miss", "mesh"):
            g.link("cube.unit", f"{name}.unit")
        g.event("pick", "pick", g.note("picked", "hit", arg2="pick.hit", arg3="pick.distance",
                                       arg4="pick.normal"))
        g.event("miss", "miss", g.note("missed", "hit", arg2="miss.hit"))
        g.node("give", "set_mesh_slot_material", resource="materials/teal")
        g.link("mesh.mesh", "give.mesh")
        g.node("has", "get_mesh_slot_material")
        g.link("mesh.mesh", "has.mesh")
        g.node("id", "id_data", value="materials/teal")
        g.node("same", "compare_objects")
        g.link("has.resource", "same.a")
        g.link("id.value", "same.b")
        g.event("give", "give", "compare:same:equal", g.note("given", "given"))
        g.node("shine", "set_material_variable", variable="no_such_variable")
        g.link("has.material", "shine.material")
        g.event("shine", "shine")
        with self.play() as game:
            self.assertEqual(self.run_event(game, "pick"), "hit true 4.5 Vector3(0, -1, 0)")
            self.assertEqual(self.run_event(game, "miss"), "hit false")
            self.assertEqual(self.run_event(game, "give"), "given")
            self.assertEqual(self.errors(game), [])
            self.run_event(game, "shine")
            message = game.console.wait_for_message(lambda m: m.get("level") == "error")["message"]
            self.assertRegex(message, r'set_material_variable .*no variable "no_such_variable"')

    def test_input_is_polled(self):
        g = self.graph
        g.node("space", "keyboard_button", button_name="space")
        g.chain(":space:pressed", g.note("pressed", "pressed", arg2="space.value"))
        g.chain(":space:released", g.note("released", "released"))
        g.node("cross", "ps4_button", button_name="cross")
        g.chain(":cross:pressed", g.note("crossed", "cross"))
        g.node("finger", "touch_contact")
        g.node("at", "get_touch_position")
        g.link("finger.contact", "at.contact")
        g.chain(":finger:pressed", g.note("touched", "touched", arg2="at.position"))
        g.chain(":finger:released", g.note("left", "left"))
        steps = (("Game.key('pressed', 'space')", "pressed 1"), ("1", ""),
                 ("Game.key('released', 'space')", "released"),
                 ("Game.pad('pressed', 'a', 1)", "cross"),
                 ("Game.finger('touch_began', 20, 30)", "touched Vector3(20, 30, 0)"),
                 ("Game.finger('touch_ended', 20, 30)", "left"))
        with self.play() as game:
            for step, expected in steps:
                game.console.script(step)
                for _ in range(3):
                    game.console.script("1")
                self.assertEqual(game.console.script("Game.take_log()"), expected, step)
            self.assertEqual(self.errors(game), [])

    def test_cameras(self):
        write(os.path.join(self.project, "units", "eye.unit"), '''components = [
    { id = "7f453a0e-f509-4b4f-95de-6e91074206e2"  type = "transform" }
    { id = "30f47f35-d038-4cfb-8add-40e92c34bf1c"  type = "camera"  name = "camera"  vertical_fov = 0.9 }
]
''')
        g = self.graph
        g.node("eye", "spawn_entity", entity="units/eye")
        g.node("unit", "get_entity_unit")
        g.link("eye.spawned_entity", "unit.entity")
        g.node("seen", "inside_camera_frustum", position=[0, 10, 0])
        g.node("behind", "inside_camera_frustum", position=[0, -10, 0])
        g.node("screen", "world_to_screen", world_position=[0, 10, 0])
        g.node("world", "screen_to_world", depth=10)
        g.link("screen.screen_position", "world.screen_position")
        for name in ("seen", "behind", "screen", "world"):
            g.link("unit.unit", f"{name}.unit")
        g.event("look", "spawn:eye:spawned",
                g.note("looked", "sees", arg2="seen.inside", arg3="behind.inside",
                       arg4="screen.depth", arg5="world.world_position"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "look"), "sees true false 10 Vector3(0, 10, 0)")
            self.assertEqual(self.errors(game), [])

    def test_effects_and_sounds(self):
        self.save("fx/sparks.particles", SPARKS)
        write_sine(os.path.join(self.project, "sounds", "tone.wav"), seconds=0.2)
        self.save("sounds/tone.sound", 'source = "sounds/tone.wav"\n')
        self.save("sounds/tone.sound_event", 'play = "sounds/tone"\n')
        g = self.graph
        g.node("lamp", "level_unit", unit="36480de2-bd5c-4366-b517-da60fb69e070")
        g.node("sparks", "particle_effect", effect="fx/sparks", offset=[0, 0, 1])
        g.link("lamp.unit", "sparks.unit")
        g.node("stronger", "set_particle_effect_variable", name="strength", value=[2, 0, 0])
        g.link("sparks.effect_id", "stronger.effect_id")
        g.node("door", "level_particle_effect", effect="fx/sparks", marker="door")
        g.event("burn", "create:sparks:created", "stronger", "create:door:created",
                g.note("burns", "burns", arg2="sparks.effect_id", arg3="door.effect_id"))
        g.event("douse", "destroy:sparks:destroyed", "kill:door:killed", g.note("doused", "doused"))
        g.node("tone", "play_sound", event="sounds/tone")
        g.link("lamp.unit", "tone.unit")
        g.event("play", "play:tone:played", g.note("played", "played", arg2="tone.instance"))
        g.chain(":tone:ended", g.note("ended", "ended"))
        g.node("stronger wind", "set_global_sound_parameter", parameter="wind", value=0.5)
        g.event("wind", "stronger wind")
        g.node("stronger tone", "set_sound_parameter", parameter="strength", value=0.5)
        g.link("tone.instance", "stronger tone.instance")
        g.event("tone", "stronger tone")
        g.node("quiet", "set_bus_volume", bus="no_such_bus", volume=0.25)
        g.event("quiet", "quiet")
        with self.play() as game:
            words = self.run_event(game, "burn").split()
            self.assertEqual(words[0], "burns")
            self.assertEqual(game.console.script(
                f"tostring(World.are_particles_playing(Game.world, {words[1]})) .. "
                f"tostring(World.particles_position(Game.world, {words[1]})) .. "
                f"tostring(World.particles_position(Game.world, {words[2]}))"),
                "trueVector3(1, 0, 1)Vector3(1, 2, 3)")
            self.assertEqual(self.run_event(game, "douse"), "doused")
            self.assertEqual(game.console.script(
                f"World.are_particles_playing(Game.world, {words[1]})"), "false")
            self.assertRegex(self.run_event(game, "play"), r"^played [1-9]\d*$")
            game.console.wait_until("Game.log[1]", "ended")
            self.run_event(game, "wind")
            self.run_event(game, "tone")  # that has ended: nothing
            self.assertEqual(self.errors(game), [])
            self.run_event(game, "quiet")
            message = game.console.wait_for_message(lambda m: m.get("level") == "error")["message"]
            self.assertRegex(message, r'set_bus_volume .*there is no bus "no_such_bus"')

    def test_lua_ends_the_level_in_the_middle_of_its_event(self):
        g = self.graph
        g.node("end", "script_do_string", script="World.destroy_level(Game.world, Game.level)")
        g.event("end", "end", g.note("after", "after"))
        g.node("release", "script_do_string", script="Application.release_world(Game.world)")
        g.event("release", "release")
        g.node("advance", "script_do_string", script="World.update(Game.world, 0.01)")
        g.event("advance", "advance")
        with self.play() as game:
            game.console.script("Game.run('release')")
            message = game.console.wait_for_message(lambda m: m.get("level") == "error")["message"]
            self.assertRegex(message, "release_world.*flow graphs of this world are running")
            game.console.script("Game.run('advance')")
            message = game.console.wait_for_message(lambda m: "World.update" in m.get("message", ""))["message"]
            self.assertRegex(message, "flow graphs of this world are running")
            self.assertEqual(self.run_event(game, "end"), "")
            self.assertEqual(game.console.script("#World.units_by_resource(Game.world, 'units/cube')"), "0")

    def test_lua_unloads_no_graph_in_the_middle_of_its_event(self):
        self.save("extra.package", 'flow = ["*"]\nlevel = ["*"]\n')
        boot = os.path.join(self.project, "boot.package")
        with open(boot, encoding="utf-8") as file:
            text = file.read()
        write(boot, text.replace('flow = ["*"]\n', "").replace('level = ["*"]\n', ""))
        self.save("scripts/main.lua", SCRIPT.replace("    Game.level =", """
    Game.package = Application.resource_package("extra")
    ResourcePackage.load(Game.package)
    ResourcePackage.flush(Game.package)
    Game.level ="""))
        g = self.graph
        g.node("unload", "script_do_string", script="ResourcePackage.unload(Game.package)")
        g.event("unload", "unload", g.note("after", "after"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "unload"), "after")
            message = game.console.wait_for_message(lambda m: m.get("level") == "error")["message"]
            self.assertRegex(message, "unload.*flow graphs are running now")
            game.console.script("ResourcePackage.unload(Game.package)")
            message = game.console.script("tostring(pcall(Game.run, 'unload'))")
            self.assertEqual(message, "false")

    def test_scripts_set_variables_but_no_outputs(self):
        g = self.graph
        g.variable("score", "number")
        g.variable("title", "string")
        g.variable("owner", "unit")
        g.node("input", "external_input_numeric", name="speed")
        for kind in ("unit", "actor", "numeric", "string"):
            g.node("output " + kind, f"external_output_{kind}", name="out_" + kind)
        g.event("go", g.note("say", "go", arg2="input.numeric"))
        with self.play() as game:
            game.console.script("Level.set_flow_variable(Game.level, 'score', 3)")
            game.console.script("Level.set_flow_variable(Game.level, 'speed', 4)")
            game.console.script("Level.set_flow_variable(Game.level, 'title', 'Ada')")
            game.console.script("Level.set_flow_variable(Game.level, 'owner', Game.camera)")
            self.assertEqual(game.console.script("Game.get('score')"), "3.000")
            self.assertEqual(game.console.script("Game.get('title')"), "Ada")
            self.assertEqual(game.console.script("tostring(Level.flow_variable(Game.level, 'owner') == Game.camera)"),
                             "true")
            self.assertEqual(self.run_event(game, "go"), "go 4")
            for name, value in (("unit", "Game.camera"), ("numeric", "3"), ("string", "'x'")):
                call = f"Level.set_flow_variable(Game.level, 'out_{name}', {value})"
                message = game.console.script(f"tostring(select(2, pcall(function() {call} end)))")
                self.assertRegex(message, "is an output")
            game.console.script("World.destroy_level(Game.world, Game.level)")
            self.assertEqual(game.console.script("1 + 1"), "2")

    def test_graphs_call_lua_when_the_program_ends(self):
        g = self.graph
        g.node("shutdown", "level_shutdown")
        g.node("end", "script_do_string", script="""print("the level ends") World.load_level(Application.new_world(), "levels/start")""")
        g.chain("shutdown", "end")
        g.node("quit", "quit", exit_value=7)
        g.event("quit", "quit")
        self.lamp.node("unspawned", "unit_unspawned")
        self.lamp.node("end", "script_do_string", script="print('the unit ends')")
        self.lamp.chain("unspawned", "end")
        with self.play() as game:
            game.console.script("Level.trigger_event(Game.level, 'quit')")
            self.assertEqual(game.process.wait(timeout=60), 7)
            self.assertEqual(game.log().count("the level ends"), 1)
            self.assertEqual(game.log().count("the unit ends"), 1)

    def test_errors_name_the_node(self):
        g = self.graph
        g.node("nowhere", "get_marker_position_rotation", marker="cellar")
        g.event("look", g.note("looked", "at", arg2="nowhere.position"))
        with self.play() as game:
            self.assertEqual(self.run_event(game, "look"), "at Vector3(0, 0, 0)")
            message = game.console.wait_for_message(lambda m: m.get("level") == "error")["message"]
            self.assertRegex(message, r'get_marker_position_rotation .*has no marker "cellar"')


CHARACTERS = '''units = [
    { id = "cd28d864-d6e8-4c6a-998f-69a0138851b0"  unit = "units/walker" }
    { id = "36480de2-bd5c-4366-b517-da60fb69e070"  unit = "units/dancer"  position = [5 0 0] }
]
flow = "flow/level"
'''

WALKER = '''components = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519537"  type = "transform" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  type = "animation"  skeleton = "models/rabbit"
      state_machine = "animations/rabbit"  is_always_posed = true }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519539"  type = "flow"  graph = "flow/walker" }
]
'''

DANCER = '''components = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519537"  type = "transform" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  type = "animation"  skeleton = "models/rabbit"
      is_always_posed = true }
]
'''

WALK = '''source = "models/rabbit.gltf"
clip = "walk"
skeleton = "models/rabbit"
loops = true
root_motion = "ground"
events = [ { id = "42a68fec-c75a-43c4-8d0d-866b16519540"  name = "step"  time = 0.1 } ]
curves = [ { id = "42a68fec-c75a-43c4-8d0d-866b16519541"  object = "face"  parameter = "smile"  keys = [[0 0.5] [1 0.5]] } ]
'''


class Characters(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample("crowd")
        for name, text in (("scripts/main.lua", SCRIPT), ("levels/start.level", CHARACTERS),
                           ("units/walker.unit", WALKER), ("units/dancer.unit", DANCER),
                           ("animations/rabbit_walk.animation", WALK)):
            write(os.path.join(self.project, *name.split("/")), text)

    def test_state_machines_events_and_clips(self):
        walker, level = Graph(), Graph()
        walker.node("walk", "send_animation_controller_event", event="walk")
        walker.node("slow", "set_animation_controller_variable", variable="tempo", value=1.5)
        walker.node("tempo", "get_animation_controller_variable", variable="tempo")
        walker.event("walk", "walk", "slow", walker.note("walking", "walks", arg2="tempo.value"))
        walker.node("step", "on_animation_controller_flow_events", name="step")
        walker.node("once", "once")
        walker.chain("step", "once", walker.note("stepped", "step"))
        walker.node("curve", "get_unit_animation_extra_curve_value", object="face", parameter="smile")
        walker.event("curve", "curve", walker.note("curve is", "smile", arg2="curve.exists",
                                                   arg3="curve.float_value"))
        walker.node("root", "get_unit_animation_controller_root_motion")
        walker.node("far", "vector_length")
        walker.link("root.delta_position", "far.vector")
        walker.event("root", "root", walker.note("root is", "moved", arg2="far.value"))
        level.node("dancer", "level_unit", unit="36480de2-bd5c-4366-b517-da60fb69e070")
        level.node("clip", "play_animation_clip", animation="animations/rabbit_wave", loop=False)
        level.link("dancer.unit", "clip.unit")
        level.event("play", "play:clip:played", level.note("played", "played"))
        level.event("pause", "pause:clip:paused", level.note("paused", "paused"))
        level.event("stop", "stop:clip:stopped", level.note("stopped", "stopped"))
        level.node("name", "get_animation_clip_resource", resource="animations/rabbit_wave")
        level.event("name", level.note("named", "clip", arg2="name.resource"))
        write(os.path.join(self.project, "flow", "walker.flow"), walker.text())
        write(os.path.join(self.project, "flow", "level.flow"), level.text())
        unit = "World.units_by_resource(Game.world, 'units/walker')[1]"
        with Game(self.project, "--size", "64x36", "--fixed-dt", "0.02") as game:
            script = game.console.script

            def send(event):
                script(f"Unit.flow_event({unit}, '{event}')")
                return script("Game.take_log()")

            self.assertEqual(send("walk"), "walks 1.5")
            game.console.wait_until("Game.log[1]", "step")
            script("Game.take_log()")
            self.assertRegex(send("curve"), r"^smile true 0\.")
            self.assertRegex(send("root"), r"^moved 0\.0\d")
            for event, answer in (("play", "played"), ("pause", "paused"), ("stop", "stopped"),
                                  ("name", "clip animations/rabbit_wave")):
                self.assertEqual(script(f"Game.run('{event}')"), answer)
            self.assertEqual([m["message"] for m in game.console.messages
                              if m.get("level") in ("error", "warning")], [])


if __name__ == "__main__":
    unittest.main()
