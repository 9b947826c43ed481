"""Flow's nodes of units, entities, lights and cameras, in a game without a window: what they set is
read back by others, and by Lua."""

import unittest

from support_flow import FlowGame

COMPONENTS = '''components = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519537"  type = "transform" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  type = "flow"  graph = "flow/lamp" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519539"  type = "scene_graph"  nodes = [
        { id = "42a68fec-c75a-43c4-8d0d-866b16519540"  name = "arm"  position = [0 0 2] } ] }
    %s
]
'''

LIGHTS = '''{ id = "42a68fec-c75a-43c4-8d0d-866b16519541"  type = "light"  name = "bulb"  light_type = "point"
      intensity = 3  color = [1 0 0]  falloff_start = 1  falloff_end = 8  node = "arm" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519542"  type = "light"  name = "flash"  light_type = "spot"
      intensity = 7  falloff_end = 5 }'''

CAMERAS = '''{ id = "42a68fec-c75a-43c4-8d0d-866b16519541"  type = "camera"  name = "near"  vertical_fov = 0.75
      near_range = 0.25  far_range = 100  node = "arm" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519542"  type = "camera"  name = "wide"  vertical_fov = 1.5 }'''

MESH = '''{ id = "42a68fec-c75a-43c4-8d0d-866b16519541"  type = "mesh"  mesh = "core/meshes/cube" }'''

HALF_TURN = [0, 0, 1, 0]


class Poses(FlowGame):
    def unit(self, components=""):
        self.save("units/lamp.unit", COMPONENTS % components)
        return self.lamp

    # --- Lights -----------------------------------------------------------------------------------

    LIGHT_GETTERS = ("get_light_casts_shadows_enabled", "get_light_color", "get_light_enabled",
                     "get_light_falloff_end", "get_light_falloff_start", "get_light_intensity",
                     "get_light_local_position", "get_light_local_rotation", "get_light_world_position",
                     "get_light_world_rotation")

    def light_notes(self, g, event, part=None):
        """An event that notes all that can be read of a light: the unit's first, or that of an output."""
        for kind in self.LIGHT_GETTERS:
            g.node(event + kind, kind)
            if part:
                g.link(part, f"{event}{kind}.light")
        e = event
        looks = g.note(event + " looks", "looks", arg2=f"{e}get_light_casts_shadows_enabled.enabled",
                       arg3=f"{e}get_light_color.color", arg4=f"{e}get_light_enabled.enabled")
        reaches = g.note(event + " reaches", "reaches", arg2=f"{e}get_light_falloff_start.distance",
                         arg3=f"{e}get_light_falloff_end.distance", arg4=f"{e}get_light_intensity.intensity")
        poses = g.note(event + " poses", "poses", arg2=f"{e}get_light_local_position.position",
                       arg3=f"{e}get_light_local_rotation.rotation",
                       arg4=f"{e}get_light_world_position.position",
                       arg5=f"{e}get_light_world_rotation.rotation")
        g.event(event, looks, reaches, poses)

    def test_lights(self):
        g = self.unit(LIGHTS)
        g.node("flash", "get_unit_light", light_name="flash")
        self.light_notes(g, "first")
        self.light_notes(g, "flash", part="flash.light")
        steps = [("set_light_casts_shadows_enabled", {"enabled": True}), ("set_light_color", {"color": [0, 0.5, 1]}),
                 ("set_light_enabled", {"enabled": False}), ("set_light_falloff_end", {"distance": 6}),
                 ("set_light_falloff_start", {"distance": 2}), ("set_light_intensity", {"intensity": 1.25}),
                 ("set_light_local_position", {"position": [0, 1, 0]}),
                 ("set_light_local_rotation", {"rotation": HALF_TURN}),
                 ("move_light", {"delta_position": [0, 0, 4], "velocity": [50, 0, 0]})]
        for kind, inputs in steps:
            g.node(kind, kind, **inputs)
        g.event("set", *(kind for kind, _ in steps))
        g.node("type", "set_light_type", type="directional")
        g.node("end", "set_spotlight_angle_end", angle=0.75)
        g.node("start", "set_spotlight_angle_start", angle=0.25)
        for name in ("type", "end", "start"):
            g.link("flash.light", f"{name}.light")
        g.event("spot", "type", "end", "start")
        light = "Unit.light(World.units_by_resource(Game.world, 'units/lamp')[1], 'flash')"
        with self.play() as game:
            self.assertEqual(
                self.run_unit_event(game, "first"), "looks false Vector3(1, 0, 0) true, reaches 1 8 3, "
                "poses Vector3(0, 0, 2) Quaternion(0, 0, 0, 1) Vector3(1, 0, 2) Quaternion(0, 0, 0, 1)")
            self.run_unit_event(game, "set")
            # In a step of 0.02 s, 50 m/s are 1 m.
            self.assertEqual(
                self.run_unit_event(game, "first"), "looks true Vector3(0, 0.5, 1) false, reaches 2 6 1.25, "
                "poses Vector3(1, 1, 4) Quaternion(0, 0, 1, 0) Vector3(2, 1, 4) Quaternion(0, 0, 1, 0)")
            self.assertEqual(
                self.run_unit_event(game, "flash"), "looks false Vector3(1, 1, 1) true, reaches 0 5 7, "
                "poses Vector3(1, 0, 0) Quaternion(0, 0, 0, 1) Vector3(1, 0, 0) Quaternion(0, 0, 0, 1)")
            self.run_unit_event(game, "spot")
            self.assertEqual(game.console.script(
                f"Light.type({light}) .. ' ' .. Light.spot_angle_start({light}) .. ' ' .. "
                f"Light.spot_angle_end({light})"), "directional 0.25 0.75")
            self.assertEqual(self.errors(game), [])

    def test_values_that_lights_cannot_have_are_errors(self):
        g = self.unit(LIGHTS)
        rows = (("set_light_color", {"color": [0, -1, 0]}, "expected nothing below 0"),
                ("set_light_intensity", {"intensity": -1}, "intensity"),
                ("get_unit_light", {"light_name": "none"}, 'the unit has no light "none"'))
        for kind, inputs, _ in rows[:2]:
            g.node(kind, kind, **inputs)
            g.event(kind, kind)
        g.node("none", rows[2][0], **rows[2][1])
        g.node("set", "set_light_intensity")
        g.link("none.light", "set.light")
        g.event("get_unit_light", "set")
        with self.play() as game:
            for number, (kind, _, error) in enumerate(rows):
                self.run_unit_event(game, kind)
                message = game.console.wait_for_message(
                    lambda m: m.get("level") == "error" and error in m["message"])["message"]
                self.assertIn(kind, message)

    # --- Cameras ----------------------------------------------------------------------------------

    def camera_notes(self, g, event, part=None):
        kinds = ("get_camera_far_range", "get_camera_near_range", "get_camera_vertical_fov",
                 "get_camera_local_position", "get_camera_local_rotation", "get_camera_world_position",
                 "get_camera_world_rotation")
        for kind in kinds:
            g.node(event + kind, kind)
            if part:
                g.link(part, f"{event}{kind}.camera")
        e = event
        sees = g.note(event + " sees", "sees", arg2=f"{e}get_camera_near_range.distance",
                      arg3=f"{e}get_camera_far_range.distance", arg4=f"{e}get_camera_vertical_fov.angle")
        poses = g.note(event + " poses", "poses", arg2=f"{e}get_camera_local_position.position",
                       arg3=f"{e}get_camera_local_rotation.rotation",
                       arg4=f"{e}get_camera_world_position.position",
                       arg5=f"{e}get_camera_world_rotation.rotation")
        g.event(event, sees, poses)

    def test_cameras(self):
        g = self.unit(CAMERAS)
        g.node("wide", "get_unit_camera", camera_name="wide")
        self.camera_notes(g, "first")
        self.camera_notes(g, "wide", part="wide.camera")
        steps = [("set_camera_far_range", {"distance": 200}), ("set_camera_near_range", {"distance": 0.5}),
                 ("set_camera_vertical_fov", {"angle": 1.25}),
                 ("set_camera_local_position", {"position": [0, 3, 0]}),
                 ("set_camera_local_rotation", {"rotation": HALF_TURN}),
                 ("move_camera", {"delta_position": [0, 0, 1], "velocity": [0, 50, 0]})]
        for kind, inputs in steps:
            g.node(kind, kind, **inputs)
        g.event("set", *(kind for kind, _ in steps))
        # The middle of the picture is straight ahead: along -y after half a turn.
        g.node("ray", "screen_position_to_ray", screen_position=[80, 45, 0], depth=5)
        g.event("ray", g.note("ray is", "ray", arg2="ray.ray"))
        g.node("too near", "set_camera_far_range", distance=0.125)
        g.event("too near", "too near")
        with self.play() as game:
            self.assertEqual(
                self.run_unit_event(game, "first"), "sees 0.25 100 0.75, "
                "poses Vector3(0, 0, 2) Quaternion(0, 0, 0, 1) Vector3(1, 0, 2) Quaternion(0, 0, 0, 1)")
            self.assertEqual(self.run_unit_event(game, "ray"), "ray Vector3(0, 5, 0)")
            self.run_unit_event(game, "set")
            self.assertEqual(
                self.run_unit_event(game, "first"), "sees 0.5 200 1.25, "
                "poses Vector3(0, 4, 1) Quaternion(0, 0, 1, 0) Vector3(1, 4, 1) Quaternion(0, 0, 1, 0)")
            self.assertEqual(self.run_unit_event(game, "ray"), "ray Vector3(0, -5, 0)")
            self.assertEqual(
                self.run_unit_event(game, "wide"), "sees 0.1 1000 1.5, "
                "poses Vector3(1, 0, 0) Quaternion(0, 0, 0, 1) Vector3(1, 0, 0) Quaternion(0, 0, 0, 1)")
            self.assertEqual(self.errors(game), [])
            self.run_unit_event(game, "too near")
            message = game.console.wait_for_message(lambda m: m.get("level") == "error")["message"]
            self.assertRegex(message, "set_camera_far_range .*expected more than the near range, 0.5")

    # --- Units and entities -----------------------------------------------------------------------

    def test_poses_of_units_and_their_nodes(self):
        g = self.unit()
        for part, inputs in (("unit", {}), ("arm", {"object": "arm"})):
            for kind in ("get_unit_local_position", "get_unit_local_rotation", "get_unit_local_scale",
                         "get_unit_world_position", "get_unit_world_rotation"):
                g.node(f"{part} {kind}", kind, **inputs)
            p = part
            g.event(part, g.note(f"{p} is", "local", arg2=f"{p} get_unit_local_position.position",
                                 arg3=f"{p} get_unit_local_rotation.rotation",
                                 arg4=f"{p} get_unit_local_scale.scale"),
                    g.note(f"{p} in the world", "world", arg2=f"{p} get_unit_world_position.position",
                           arg3=f"{p} get_unit_world_rotation.rotation"))
        g.node("put", "set_unit_local_position", position=[2, 0, 0])
        g.node("turn", "set_unit_local_rotation", rotation=HALF_TURN)
        g.node("grow", "set_unit_local_scale", scale=[2, 2, 2])
        g.node("lift", "set_unit_local_position", position=[1, 0, 0], object="arm")
        g.event("set", "put", "turn", "grow", "lift")
        g.node("move", "move_unit", delta_position=[0, 1, 0], velocity=[0, 0, 50], teleport=True)
        g.node("rotate", "rotate_unit", delta_rotation=HALF_TURN)
        g.node("swing", "rotate_unit", object="arm", velocity=[0, 0, 157.0796])  # half a turn in 0.02 s
        g.event("move", "move", "rotate", "swing")
        with self.play() as game:
            self.assertEqual(self.run_unit_event(game, "arm"),
                             "local Vector3(0, 0, 2) Quaternion(0, 0, 0, 1) Vector3(1, 1, 1), "
                             "world Vector3(1, 0, 2) Quaternion(0, 0, 0, 1)")
            self.run_unit_event(game, "set")
            self.assertEqual(self.run_unit_event(game, "unit"),
                             "local Vector3(2, 0, 0) Quaternion(0, 0, 1, 0) Vector3(2, 2, 2), "
                             "world Vector3(2, 0, 0) Quaternion(0, 0, 1, 0)")
            self.assertEqual(self.run_unit_event(game, "arm"),
                             "local Vector3(1, 0, 0) Quaternion(0, 0, 0, 1) Vector3(1, 1, 1), "
                             "world Vector3(0, 0, 0) Quaternion(0, 0, 1, 0)")
            self.run_unit_event(game, "move")
            self.assertEqual(self.run_unit_event(game, "unit"),
                             "local Vector3(2, 1, 1) Quaternion(0, 0, 0, -1) Vector3(2, 2, 2), "
                             "world Vector3(2, 1, 1) Quaternion(0, 0, 0, 1)")
            self.assertEqual(self.run_unit_event(game, "arm").split(", world")[0],
                             "local Vector3(1, 0, 0) Quaternion(0, 0, 1, 0) Vector3(1, 1, 1)")
            self.assertEqual(self.errors(game), [])

    def test_poses_of_entities(self):
        # The cube follows the lamp, which is turned by half.
        g = self.graph
        g.node("cube", "entity_instance", entity="cd28d864-d6e8-4c6a-998f-69a0138851b0")
        g.node("cube unit", "level_unit", unit="cd28d864-d6e8-4c6a-998f-69a0138851b0")
        g.node("lamp", "level_unit", unit="36480de2-bd5c-4366-b517-da60fb69e070")
        g.node("follow", "link_unit")
        g.link("cube unit.unit", "follow.child")
        g.link("lamp.unit", "follow.parent")
        g.node("turn lamp", "set_entity_local_rotation", rotation=HALF_TURN)
        g.link("lamp.unit", "turn lamp.entity")
        rows = (("put", "set_entity_local_position", {"position": [0, 2, 0]}),
                ("turn", "set_entity_local_rotation", {"rotation": HALF_TURN}),
                ("put in world", "set_entity_world_position", {"position": [1, 1, 1]}),
                ("turn in world", "set_entity_world_rotation", {"rotation": HALF_TURN}))
        for name, kind, inputs in rows:
            g.node(name, kind, **inputs)
            g.link("cube.entity", f"{name}.entity")
        getters = ("get_entity_local_position", "get_entity_local_rotation", "get_entity_world_position",
                   "get_entity_world_rotation")
        for kind in getters:
            g.node(kind, kind)
            g.link("cube.entity", f"{kind}.entity")
        g.event("look", g.note("looks", "is", arg2="get_entity_local_position.position",
                               arg3="get_entity_local_rotation.rotation",
                               arg4="get_entity_world_position.position",
                               arg5="get_entity_world_rotation.rotation"))
        g.event("start", "link:follow:linked", "turn lamp")
        for name, _, _ in rows:
            g.event(name, name)
        with self.play() as game:
            self.run_event(game, "start")
            for event, expected in (
                    ("put", "is Vector3(0, 2, 0) Quaternion(0, 0, 0, 1) Vector3(1, -2, 0) Quaternion(0, 0, 1, 0)"),
                    ("turn", "is Vector3(0, 2, 0) Quaternion(0, 0, 1, 0) Vector3(1, -2, 0) Quaternion(0, 0, 0, 1)"),
                    ("put in world",
                     "is Vector3(0, -1, 1) Quaternion(0, 0, 1, 0) Vector3(1, 1, 1) Quaternion(0, 0, 0, 1)"),
                    ("turn in world",
                     "is Vector3(0, -1, 1) Quaternion(0, 0, 0, 1) Vector3(1, 1, 1) Quaternion(0, 0, 1, 0)")):
                self.run_event(game, event)
                self.assertEqual(self.run_event(game, "look"), expected, event)
            self.assertEqual(self.errors(game), [])

    def test_units_appear_and_show(self):
        g = self.unit(MESH)
        g.node("level", "get_unit_level_name")
        g.node("start", "id_data", value="levels/start")
        g.node("same", "compare_objects")
        g.link("level.name", "same.a")
        g.link("start.value", "same.b")
        g.event("level", "compare:same:equal", g.note("is of the level", "of the level"))
        g.node("hide", "set_unit_visibility", visible=False)
        g.event("hide", "hide")
        g.node("hidden", "mesh_pick_raycast", **{"from": [1, -5, 0]})
        g.node("all", "mesh_pick_raycast", include_hidden_meshes=True, **{"from": [1, -5, 0]})
        g.event("look", "hidden", "all", g.note("seen", "hit", arg2="hidden.hit", arg3="all.hit"))
        g.node("spawn", "spawn_unit_on_position", unit="units/cube", position=[7, 8, 9], rotation=HALF_TURN)
        g.node("relay", "relay_unit")
        g.link("spawn.spawned_unit", "relay.unit")
        g.node("where", "get_unit_world_position")
        g.node("turned", "get_unit_world_rotation")
        for name in ("where", "turned"):
            g.link("relay.unit", f"{name}.unit")
        g.event("spawn", "spawn:spawn:spawned",
                g.note("spawned", "spawned", arg2="where.position", arg3="turned.rotation"))
        g.event("unspawn", "unspawn:spawn:unspawned", g.note("gone", "gone"))
        count = "#World.units_by_resource(Game.world, 'units/cube')"
        with self.play() as game:
            self.assertEqual(self.run_unit_event(game, "level"), "of the level")
            self.assertEqual(self.run_unit_event(game, "look"), "hit true true")
            self.run_unit_event(game, "hide")
            self.assertEqual(self.run_unit_event(game, "look"), "hit false true")
            self.assertEqual(self.run_unit_event(game, "spawn"),
                             "spawned Vector3(7, 8, 9) Quaternion(0, 0, 1, 0)")
            self.assertEqual(game.console.script(count), "2")
            self.assertEqual(self.run_unit_event(game, "unspawn"), "gone")
            self.assertEqual(game.console.script(count), "1")
            self.assertEqual(self.errors(game), [])


if __name__ == "__main__":
    unittest.main()
