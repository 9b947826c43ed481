"""Plugins and the engine's systems: what small plugins do in a running game."""

import os
import time
import unittest

from support_cuttle import LIMIT, Game, TemporaryFolder, read, write
from support_plugins import build_plugin, list_plugins
from support_png import read_png
from support_sound import write_sine

# The beginning of a plugin with the Lua module Test. A test adds functions, in ROWS, and `setup`, which
# asks for interfaces.
MODULE = """
#include <cuttle/lua.h>
#include <math.h>
#include <stdio.h>
static const cuttle_lua_api_1 *lua;
static cuttle_plugin *me;
static cuttle_error why;
INCLUDES
static cuttle_vector3 v3(lua_State *L, int argument) { return lua->check_vector3(L, argument); }
static double number(lua_State *L, int argument) {
    return lua->type(L, argument) == CUTTLE_LUA_NUMBER ? lua->to_number(L, argument) : NAN;
}
static const char *text(lua_State *L, int argument) { return lua->to_string(L, argument, NULL); }
// An unsigned cast of the first argument stays: worlds that have ended.
static cuttle_world *kept;
static cuttle_world *world(lua_State *L) {
    return lua->type(L, 1) == CUTTLE_LUA_OTHER ? lua->check_world(L, 1) : kept;
}
// Pushes true, or nil and the error.
static int answer(lua_State *L, bool is_done) {
    lua->push_boolean(L, is_done);
    if (is_done)
        return 1;
    lua->push_string(L, why.message, strlen(why.message));
    return 2;
}
static int keep(lua_State *L) {
    kept = lua->check_world(L, 1);
    return 0;
}
SOURCE
static const cuttle_lua_function functions[] = {
    {"keep", keep, "(world: World) -> nil", "Keeps a world."},
    ROWS
};
static const cuttle_lua_module module = {"Test", "A test.", functions,
                                         sizeof(functions) / sizeof(functions[0])};
static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    me = self;
    (void)v3, (void)number, (void)text, (void)answer, (void)world;
    lua = get_api(CUTTLE_LUA_API, 1);
    SETUP
    return lua->add_module(self, &module, error);
}
"""


def module(includes, source, setup, *names):
    rows = "".join(f'{{"{name}", {name}, "(values: any*) -> any*", "Calls it."}},' for name in names)
    return (MODULE.replace("INCLUDES", includes).replace("SOURCE", source).replace("ROWS", rows)
            .replace("SETUP", setup))


class Systems(TemporaryFolder):
    """A project, for a plugin `test` with the Lua module Test."""

    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()

    def build(self, source):
        build_plugin(self.project, "test", source)

    def write(self, path, text):
        write(os.path.join(self.project, path), text)

    def lua(self, game, script):
        return game.console.script(script)

    def refusal(self, game, call):
        """The second result of a call that returns false."""
        return self.lua(game, f"select(2, {call})")

    def wait(self, game, text):
        start = time.monotonic()
        while text not in game.log():
            self.assertLess(time.monotonic() - start, LIMIT, f"no {text!r} in\n{game.log()}")
            self.assertIsNone(game.process.poll(), game.log())
            time.sleep(0.01)

    def wait_for(self, game, script, result):
        start = time.monotonic()
        while (found := self.lua(game, script)) != result:
            self.assertLess(time.monotonic() - start, LIMIT, f"{script} is {found}")


RENDERER = """
static const cuttle_renderer_api_1 *renderer;
static cuttle_render_object object;
static const cuttle_matrix4 middle = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.75f, 1}};
// A square around the middle, which faces everywhere; of the given colour.
static int set_mesh(lua_State *L) {
    const float s = 0.6f;
    const cuttle_vector3 color = v3(L, 2);
    cuttle_mesh_vertex vertices[4] = {{.position = {-s, 0, -s}}, {.position = {s, 0, -s}},
                                      {.position = {s, 0, s}}, {.position = {-s, 0, s}}};
    const uint32_t last = lua->type(L, 3) == CUTTLE_LUA_NUMBER ? (uint32_t)number(L, 3) : 3;
    const uint32_t indices[] = {0, 1, 2, 0, 2, last};
    for (int i = 0; i < 4; ++i)
        vertices[i].color = (cuttle_color){color.x, color.y, color.z, 1};
    const cuttle_mesh mesh = {vertices, 4, indices, 6, NULL, 0};
    return answer(L, renderer->set_mesh(me, text(L, 1), &mesh, &why));
}
static int remove_mesh(lua_State *L) { renderer->remove_mesh(me, text(L, 1)); return 0; }
static int create(lua_State *L) {
    const char *const material = text(L, 3);
    const cuttle_render_object_desc desc = {.mesh = text(L, 2), .materials = &material,
                                            .num_materials = 1};
    object = renderer->create_object(me, world(L), &desc, &middle, &why);
    return answer(L, object.id != 0);
}
static int move(lua_State *L) {
    cuttle_matrix4 pose = middle;
    pose.m[12] = (float)number(L, 1);
    const cuttle_render_object objects[2] = {{12345678}, object};
    const cuttle_matrix4 poses[2] = {pose, pose};
    renderer->set_poses(me, objects, poses, 2);
    return 0;
}
static int show(lua_State *L) {
    renderer->set_visible(me, &object, 1, lua->to_boolean(L, 1));
    return 0;
}
static int destroy(lua_State *L) {
    (void)L;
    renderer->destroy_objects(me, &object, 1);
    return 0;
}
static int tint(lua_State *L) {
    const cuttle_vector3 color = v3(L, 3);
    return answer(L, renderer->set_material_value(me, text(L, 1), text(L, 2), &color.x, 3, &why));
}
static int set_setting(lua_State *L) {
    cuttle_setting s = {.kind = CUTTLE_SETTING_NUMBER, .numbers = {number(L, 2)}};
    if (lua->type(L, 2) == CUTTLE_LUA_BOOLEAN) {
        s.kind = CUTTLE_SETTING_BOOL;
        s.numbers[0] = lua->to_boolean(L, 2);
    } else if (lua->type(L, 2) == CUTTLE_LUA_STRING) {
        s.kind = CUTTLE_SETTING_TEXT;
        s.text = text(L, 2);
    } else if (lua->type(L, 2) == CUTTLE_LUA_VECTOR3) {
        const cuttle_vector3 v = v3(L, 2);
        s = (cuttle_setting){CUTTLE_SETTING_VECTOR, 3, {v.x, v.y, v.z}, NULL};
    }
    return answer(L, renderer->set_setting(me, text(L, 1), &s, &why));
}
static int setting(lua_State *L) {
    cuttle_setting s;
    if (!renderer->setting(me, text(L, 1), &s)) {
        lua->push_nil(L);
        return 1;
    }
    char found[256];
    snprintf(found, sizeof(found), "%u %u %g %s", s.kind, s.count, s.numbers[0], s.text ? s.text : "");
    lua->push_string(L, found, strlen(found));
    return 1;
}
static int draws, bad;
static int draw(lua_State *L) {
    kept = world(L);
    draws = (int)number(L, 2);
    bad = lua->to_boolean(L, 3);
    return 0;
}
static void render(cuttle_plugin *self) {
    const cuttle_color color = {bad ? NAN : 1, 0, 0, 1};
    cuttle_line lines[400];
    for (int i = 0; i < 400; ++i)
        lines[i] = (cuttle_line){{-3, 0, i * 0.005f}, {3, 0, i * 0.005f}, color};
    if (draws & 1)
        renderer->lines(self, kept, lines, 400);
    if (draws & 2)
        renderer->box(self, kept, &middle, (cuttle_vector3){1, 1, 1}, color);
    if (draws & 4)
        renderer->sphere(self, kept, (cuttle_vector3){0, 0, 0.75f}, 1, color);
}
"""

RENDERER_SETUP = """
    renderer = get_api(CUTTLE_RENDERER_API, 1);
    static const uint32_t indices[3] = {0, 1, 2};
    static const cuttle_mesh_vertex vertices[3] = {{{0, 0, 0}, {0, 0, 0}, {0, 0}, {0, 0, 0, 0}}};
    const cuttle_mesh mesh = {vertices, 3, indices, 3, NULL, 0};
    if (renderer->set_mesh(self, "early", &mesh, error) || !strstr(error->message, "not in init"))
        return false;
"""

# A layer of its own, after the picture is finished.
MARKS_CONFIG = """
inherit = "core/rendering/renderer"
settings = { marks = true  marks_strength = { default = 1  least = 0  most = 2 } }
layers = [ { name = "marks"  targets = ["back_buffer"]  sort = "material" } ]
resource_generators = {
    marks = [ { name = "marks"  type = "draw_layer"  layer = "marks"  enabled = "marks" } ]
}
viewports = { default = ["scene" "output" "marks"] }
"""

MARK_SHADER = """
layer = "marks"
cull = "none"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl"]
parameters = { tint = { type = "vector3"  default = [1 1 1] } }
vertex = \"\"\"
layout(location = 0) in vec3 position;
layout(location = 4) in vec4 color;
layout(location = 0) out vec4 out_color;
void main() {
    out_color = color;
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
\"\"\"
fragment = \"\"\"
layout(location = 0) in vec4 in_color;
layout(location = 0) out vec4 out_color;
void main() {
    out_color = vec4(in_color.rgb * material.tint, 1.0);
}
\"\"\"
"""


class Renderer(Systems):
    def setUp(self):
        super().setUp()
        self.write("rendering/main.render_config", MARKS_CONFIG)
        self.write("shaders/mark.shader", MARK_SHADER)
        self.write("materials/mark.material", 'shader = "shaders/mark"\n')
        with open(os.path.join(self.project, "settings.config"), "a") as file:
            file.write('render_config = "rendering/main"\n')
        self.source = module(
            "#include <cuttle/renderer.h>", RENDERER, RENDERER_SETUP, "set_mesh", "remove_mesh",
            "create", "move", "show", "destroy", "tint", "set_setting", "setting", "draw")
        build_plugin(self.project, "test", self.source, ".init = init, .render = render")
        list_plugins(self.project, "test")

    def middle(self, game):
        return read_png(game.console.screenshot(self.path("shot.png"))).pixel(80, 45)

    def red(self, game):
        """How many pixels are as red as lines."""
        picture = read_png(game.console.screenshot(self.path("shot.png")))
        pixels = (picture.pixels[i:i + 3] for i in range(0, len(picture.pixels), 3))
        return sum(1 for r, g, b in pixels if r > 150 and g < 60 and b < 60)

    def face_camera(self, game):
        """The camera stands still, and looks along y."""
        self.lua(game, "Game.angle = 0 update = function(dt) World.update(Game.world, dt) end "
                       "Unit.set_local_position(Game.camera, 1, Vector3(0, -6.5, 0.75)) "
                       "Unit.set_local_rotation(Game.camera, 1, Quaternion.identity()) "
                       "World.destroy_level(Game.world, Game.level)")

    def test_own_geometry_in_an_own_pass(self):
        with Game(self.project) as game:
            self.face_camera(game)
            background = self.middle(game)
            self.assertEqual(self.lua(game, "Test.set_mesh('plugins/square', Vector3(0, 1, 0))"), "true")
            self.assertEqual(self.lua(game, "Application.can_get('mesh', 'plugins/square')"), "true")
            create = "Test.create(Game.world, 'plugins/square', 'materials/mark')"
            self.assertEqual(self.lua(game, create), "true")
            self.assertEqual(self.middle(game), (0, 255, 0))
            # Geometry, material, setting, pose and visibility change at once.
            self.lua(game, "Test.set_mesh('plugins/square', Vector3(1, 1, 1))")
            self.assertEqual(self.middle(game), (255, 255, 255))
            self.assertEqual(self.lua(game, "Test.tint('materials/mark', 'tint', Vector3(0, 0, 1))"),
                             "true")
            self.assertEqual(self.middle(game), (0, 0, 255))
            self.assertEqual(self.lua(game, "Test.set_setting('marks', false)"), "true")
            self.assertEqual(self.middle(game), background)
            self.lua(game, "Test.set_setting('marks', true) Test.move(2)")
            self.assertEqual(self.middle(game), background)
            self.lua(game, "Test.move(0.1)")
            self.assertEqual(self.middle(game), (0, 0, 255))
            self.lua(game, "Test.show(false)")
            self.assertEqual(self.middle(game), background)
            self.lua(game, "Test.show(true)")
            # A reload keeps what the plugin has made; its end takes it away.
            build_plugin(self.project, "test", self.source + "// again\n",
                         ".init = init, .render = render")
            self.wait(game, "reloaded test")
            self.assertEqual(self.middle(game), (0, 0, 255))
            self.lua(game, "Test.remove_mesh('plugins/square')")
            self.assertEqual(self.middle(game), background)
            self.lua(game, "Test.set_mesh('plugins/square', Vector3(1, 1, 1))")
            self.assertEqual(self.middle(game), (0, 0, 255))
            self.lua(game, "PluginManager.unload_plugin('test')")
            self.assertEqual(self.middle(game), background)
            self.assertEqual(self.lua(game, "Application.can_get('mesh', 'plugins/square')"), "false")
            self.assertEqual(game.quit(), 0)

    def test_objects_end(self):
        with Game(self.project) as game:
            self.face_camera(game)
            background = self.middle(game)
            self.lua(game, "Test.set_mesh('plugins/square', Vector3(0, 1, 0)) "
                           "Test.create(Game.world, 'plugins/square', 'materials/mark')")
            self.assertEqual(self.middle(game), (0, 255, 0))
            self.lua(game, "Test.destroy() Test.destroy() Test.move(0) Test.show(true)")
            self.assertEqual(self.middle(game), background)
            # Objects end with their world.
            self.lua(game, "Game.other = Application.new_world() Test.keep(Game.other) "
                           "Test.create(Game.other, 'plugins/square', 'materials/mark') "
                           "Application.release_world(Game.other)")
            self.lua(game, "Test.move(1) Test.show(false) Test.destroy()")
            self.assertIn("the world has ended",
                          self.refusal(game, "Test.create(nil, 'plugins/square', 'materials/mark')"))
            self.lua(game, "Test.create(Game.world, 'plugins/square', 'materials/mark')")
            self.assertEqual(self.middle(game), (0, 255, 0))
            self.assertEqual(game.quit(), 0)

    def test_units_use_a_made_mesh(self):
        with Game(self.project) as game:
            self.face_camera(game)
            self.lua(game, "Test.set_mesh('plugins/square', Vector3(0, 1, 0)) "
                           "Game.unit = World.spawn_unit(Game.world, 'units/cube', Vector3(0, 0, 0.75)) "
                           "local m = EntityManager.mesh_component(Game.world) "
                           "MeshComponent.destroy_all(m, Game.unit) "
                           "MeshComponent.create_with_mesh(m, Game.unit, 'own', 'plugins/square') "
                           "MeshComponent.set_material(m, Game.unit, 'own', '', 'materials/mark')")
            self.assertEqual(self.middle(game), (0, 255, 0))
            self.assertEqual(game.quit(), 0)

    def test_refuses_what_is_wrong(self):
        with Game(self.project) as game:
            for call, message in (
                    ("Test.set_mesh('plugins/square', Vector3(0, 1, 0), 4)",
                     "indices[5]: found 4, but there are 4 vertices"),
                    ("Test.set_mesh('plugins/square', Vector3(0, 0 / 0, 0))", "vertices[0].color"),
                    ("Test.set_mesh('Plugins', Vector3(0, 1, 0))", "is no name of a resource"),
                    ("Test.set_mesh(nil, Vector3(0, 1, 0))", "expected the name of a mesh"),
                    ("Test.set_mesh('core/meshes/cube', Vector3(0, 1, 0))", "the project has a mesh"),
                    ("Test.create(Game.world, 'core/meshes/cub', 'materials/mark')",
                     'there is no mesh "core/meshes/cub"; did you mean "core/meshes/cube"?'),
                    ("Test.create(Game.world, 'core/meshes/cube', 'materials/marl')",
                     'did you mean "materials/mark"?'),
                    ("Test.tint('materials/mark', 'tin', Vector3(0, 0, 1))",
                     'the material "materials/mark" has no variable "tin"'),
                    ("Test.tint('materials/mark', 'tint', Vector3(0, 0, 0 / 0))",
                     "value 2 is not finite"),
                    ("Test.tint('materials/marl', 'tint', Vector3(0, 0, 1))", "there is no material"),
                    ("Test.set_setting('mark', true)", 'did you mean "marks"?'),
                    ("Test.set_setting('marks_strength', 3)", "marks_strength"),
                    ("Test.set_setting('fog_color', 'blue')", "fog_color")):
                self.assertIn(message, self.refusal(game, call))
            self.assertEqual(self.lua(game, "Test.setting('marks')"), "0 1 1 ")
            self.lua(game, "Test.set_setting('marks_strength', 0.5)")
            self.assertEqual(self.lua(game, "Test.setting('marks_strength')"), "1 1 0.5 ")
            self.assertEqual(self.lua(game, "Test.set_setting('tone_curve', 'neutral')"), "true")
            self.assertEqual(self.lua(game, "Test.setting('tone_curve')"), "3 1 1 neutral")
            self.assertEqual(self.lua(game, "Test.setting('nothing')"), "nil")
            self.assertEqual(game.quit(), 0)

    def test_lines(self):
        with Game(self.project) as game:
            self.face_camera(game)
            self.assertEqual(self.red(game), 0)
            for kinds, least in ((1, 1000), (2, 30), (4, 30)):
                self.lua(game, f"Test.draw(Game.world, {kinds})")
                self.assertGreater(self.red(game), least)
            self.lua(game, "Test.draw(Game.world, 7, true)")
            self.wait(game, "test called renderer.lines: line 0 has a number that is not finite")
            self.wait(game, "test called renderer.sphere: ")
            self.wait(game, "[plugin_bad_argument]")
            self.lua(game, "Test.draw(Game.world, 0) Game.other = Application.new_world() "
                           "Test.keep(Game.other) Application.release_world(Game.other) "
                           "Test.draw(nil, 7)")
            self.wait(game, "test called renderer.box: the world has ended")
            self.assertEqual(game.quit(), 0)



PHYSICS = """
static const cuttle_physics_api_1 *physics;
static cuttle_physics_hit hits[100];
static cuttle_physics_filter filter;
static const cuttle_physics_filter *used;
static cuttle_quaternion unturned = {0, 0, 0, 1};
// Sets the filter of later calls: kinds, name, ignored unit.
static int set_filter(lua_State *L) {
    static char name[64];
    filter = (cuttle_physics_filter){.kinds = (uint32_t)number(L, 1)};
    snprintf(name, sizeof(name), "%s", text(L, 2) ? text(L, 2) : "");
    filter.collision_filter = name[0] ? name : NULL;
    if (lua->type(L, 3) == CUTTLE_LUA_UNIT)
        filter.ignored = lua->check_unit(L, 3, NULL);
    used = &filter;
    return 0;
}
static int push_hits(lua_State *L, uint32_t count) {
    lua->push_number(L, count);
    if (!count)
        return 1;
    lua->push_unit(L, hits[0].unit);
    lua->push_vector3(L, hits[0].position);
    lua->push_vector3(L, hits[0].normal);
    lua->push_number(L, hits[0].distance);
    return 5;
}
static cuttle_ray ray(lua_State *L) {
    return (cuttle_ray){v3(L, 2), v3(L, 3), (float)number(L, 4)};
}
// A hundred rays, of which the last goes the other way.
static int cast(lua_State *L) {
    cuttle_ray rays[100];
    for (int i = 0; i < 100; ++i)
        rays[i] = ray(L);
    rays[99].direction.z = -rays[99].direction.z;
    const uint32_t count = physics->raycast(me, world(L), rays, 100, used, hits);
    return push_hits(L, count);
}
static int any(lua_State *L) {
    const cuttle_ray r = ray(L);
    lua->push_boolean(L, physics->raycast_any(me, world(L), &r, used));
    return 1;
}
static int all(lua_State *L) {
    const cuttle_ray r = ray(L);
    return push_hits(L, physics->raycast_all(me, world(L), &r, used, hits, 64));
}
static cuttle_physics_shape shape(lua_State *L, int argument) {
    const float size = (float)number(L, argument + 1);
    return (cuttle_physics_shape){(uint32_t)number(L, argument), size, size, {size, size, size}};
}
static int sweep(lua_State *L) {
    const cuttle_physics_shape s = shape(L, 4);
    return push_hits(L, physics->sweep(me, world(L), &s, unturned, v3(L, 2), v3(L, 3), used, hits, 64));
}
static int overlap(lua_State *L) {
    const cuttle_physics_shape s = shape(L, 3);
    return push_hits(L, physics->overlap(me, world(L), &s, unturned, v3(L, 2), used, hits, 64));
}
static cuttle_actor actor;
static int take(lua_State *L) {
    cuttle_actor actors[2] = {{0}, {0}};
    lua->push_number(L, physics->actors(me, lua->check_unit(L, 1, NULL), actors, 1));
    actor = actors[0];
    return 1;
}
static int velocity(lua_State *L) {
    cuttle_vector3 v = {7, 7, 7}, w = {7, 7, 7};
    lua->push_boolean(L, physics->velocity(me, world(L), actor, &v, &w));
    lua->push_vector3(L, v);
    lua->push_vector3(L, w);
    return 3;
}
static int set(lua_State *L) {
    physics->set_velocity(me, world(L), actor, v3(L, 2));
    physics->set_angular_velocity(me, world(L), actor, v3(L, 3));
    return 0;
}
static int push(lua_State *L) {
    const bool has_place = lua->type(L, 3) == CUTTLE_LUA_VECTOR3;
    const cuttle_vector3 at = has_place ? v3(L, 3) : (cuttle_vector3){0, 0, 0};
    physics->add_impulse(me, world(L), actor, v3(L, 2), has_place ? &at : NULL);
    return 0;
}
"""


class Physics(Systems):
    def setUp(self):
        super().setUp()
        self.write("physics/game.physics", """
            gravity = [0 0 0]
            filters = [ { id = "f1"  name = "ghost"  collides = ["default"] }
                        { id = "f2"  name = "ground"  collides = ["default"] } ]""")
        self.write("units/ground.unit", """components = [
            { id = "pose" type = "transform" }
            { id = "body" type = "actor" filter = "ground"
              shapes = [ { id = "flat" type = "box" half_size = [50 50 1] position = [0 0 -1] } ] } ]""")
        self.write("units/crate.unit", """components = [
            { id = "pose" type = "transform" }
            { id = "body" type = "actor" body = "dynamic" mass = 2
              shapes = [ { id = "box" type = "box" half_size = [0.5 0.5 0.5] } ] } ]""")
        with open(os.path.join(self.project, "settings.config"), "a") as file:
            file.write('physics = "physics/game"\n')
        self.build(module("#include <cuttle/physics.h>", PHYSICS,
                          "physics = get_api(CUTTLE_PHYSICS_API, 1);", "set_filter", "cast", "any",
                          "all", "sweep", "overlap", "take", "velocity", "set", "push"))
        list_plugins(self.project, "test")

    def start(self, game):
        self.lua(game, "Game.other = Application.new_world() w = Game.other "
                       "ground = World.spawn_unit(w, 'units/ground') "
                       "low = World.spawn_unit(w, 'units/crate', Vector3(0, 0, 2)) "
                       "high = World.spawn_unit(w, 'units/crate', Vector3(0, 0, 6)) "
                       "World.update(w, 1 / 60) "
                       "function all(...) local t = { ... } for i = 1, #t do "
                       "t[i] = t[i] == ground and 'ground' or t[i] == low and 'low' or "
                       "t[i] == high and 'high' or type(t[i]) == 'number' and "
                       "string.format('%g', math.floor(t[i] * 100 + 0.5) / 100) or "
                       "type(t[i]) == 'boolean' and tostring(t[i]) or "
                       "string.format('(%.2f %.2f %.2f)', t[i].x, t[i].y, t[i].z):gsub('%-0.00', '0.00') "
                       "end return table.concat(t, ' ') end")

    def test_queries(self):
        with Game(self.project) as game:
            self.start(game)
            down = "w, Vector3(0, 0, 10), Vector3(0, 0, -2), 20"
            for call, result in (
                    (f"cast({down})", "99 high (0.00 0.00 6.50) (0.00 0.00 1.00) 3.5"),
                    (f"any({down})", "true"),
                    (f"all({down})", "3 high (0.00 0.00 6.50) (0.00 0.00 1.00) 3.5"),
                    ("any(w, Vector3(0, 0, 10), Vector3(0, 0, 1), 20)", "false"),
                    ("all(w, Vector3(0, 0, 10), Vector3(0, 0, -1), 3)", "0"),
                    ("sweep(w, Vector3(0, 0, 10), Vector3(0, 0, 4), 0, 0.5)",
                     "1 high (0.00 0.00 6.50) (0.00 0.00 1.00) 3"),
                    ("overlap(w, Vector3(0, 0, 2), 1, 0.3)", None),
                    ("overlap(w, Vector3(0, 0, 4), 2, 0.3)", "0")):
                found = self.lua(game, f"all(Test.{call})")
                self.assertTrue(found.startswith("1 low") if result is None else found == result,
                                f"{call}: {found}")
            # Filters: kinds, a unit that is ignored, what collides with "ghost".
            for given, result in (("1", "1 ground"), ("2", "2 high"), ("0, nil, high", "2 low"),
                                  ("0, 'ghost'", "2 high"), ("8", "0")):
                self.lua(game, f"Test.set_filter({given})")
                self.assertTrue(self.lua(game, f"all(Test.all({down}))").startswith(result), given)
            self.assertEqual(game.quit(), 0)

    def test_velocities_and_impulses(self):
        with Game(self.project) as game:
            self.start(game)
            self.assertEqual(self.lua(game, "Test.take(low)"), "1")
            self.assertEqual(self.lua(game, "all(Test.velocity(w))"),
                             "true (0.00 0.00 0.00) (0.00 0.00 0.00)")
            self.lua(game, "Test.set(w, Vector3(1, 0, 0), Vector3(0, 0, 2)) "
                           "Test.push(w, Vector3(0, 4, 0))")
            self.assertEqual(self.lua(game, "all(Test.velocity(w))"),
                             "true (1.00 2.00 0.00) (0.00 0.00 2.00)")
            self.lua(game, "Test.set(w, Vector3(0, 0, 0), Vector3(0, 0, 0)) "
                           "Test.push(w, Vector3(0, 2, 0), Vector3(1, 0, 2))")
            self.assertEqual(self.lua(game, "select(3, Test.velocity(w)).z > 0.5"), "true")
            # What is wrong changes nothing.
            self.lua(game, "Test.set(w, Vector3(0, 0, 0), Vector3(0, 0, 0)) "
                           "Test.set(w, Vector3(0 / 0, 0, 0), Vector3(0, 1e9, 0)) "
                           "Test.push(w, Vector3(1e8, 0, 0)) Test.push(w, Vector3(1, 0, 0 / 0))")
            self.assertEqual(self.lua(game, "all(Test.velocity(w))"),
                             "true (0.00 0.00 0.00) (0.00 0.00 0.00)")
            self.wait(game, "test called physics.set_velocity: expected numbers")
            self.wait(game, "physics.add_impulse: the actor would be faster than 1e+06")
            self.lua(game, "World.destroy_unit(w, low) Test.set(w, Vector3(1, 0, 0), Vector3(0, 0, 0)) "
                           "Test.push(w, Vector3(1, 0, 0))")
            self.assertEqual(self.lua(game, "all(Test.velocity(w))"),
                             "false (7.00 7.00 7.00) (7.00 7.00 7.00)")
            self.assertEqual(game.quit(), 0)

    def test_refuses_what_is_wrong(self):
        with Game(self.project) as game:
            self.start(game)
            for call, message in (
                    ("any(w, Vector3(0, 0, 0), Vector3(0, 0, 0), 1)", "raycast_any: expected a direction"),
                    ("cast(w, Vector3(0, 0, 0 / 0), Vector3(0, 0, 1), 1)", "raycast: expected a start"),
                    ("all(w, Vector3(0, 0, 0), Vector3(0, 0, 1), -1)", "raycast_all: expected a start"),
                    ("sweep(w, Vector3(0, 0, 0), Vector3(0, 1 / 0, 1), 0, 1)", "sweep: expected a rotation"),
                    ("sweep(w, Vector3(0, 0, 0), Vector3(0, 0, 1), 0, 0)", "sweep: expected a shape"),
                    ("overlap(w, Vector3(0, 0, 0), 3, 1)", "overlap: expected a shape"),
                    ("set_filter(16)", None),
                    ("any(w, Vector3(0, 0, 0), Vector3(0, 0, 1), 1)", "raycast_any: expected kinds"),
                    ("set_filter(0, 'gost')", None),
                    ("any(w, Vector3(0, 0, 0), Vector3(0, 0, 1), 1)", 'did you mean "ghost"?')):
                self.assertIn(self.lua(game, f"Test.{call}"), ("false", "0", ""))
                if message:
                    self.wait(game, message)
            self.lua(game, "Test.keep(w) Application.release_world(w)")
            self.assertEqual(self.lua(game, "Test.all(nil, Vector3(0, 0, 0), Vector3(0, 0, 1), 1)"), "0")
            self.lua(game, "Test.push(nil, Vector3(0, 0, 1))")
            self.wait(game, "physics.add_impulse: the world has ended")
            self.assertEqual(game.quit(), 0)


INPUT = """
static const cuttle_input_api_1 *input;
static cuttle_input_button jump, any_pad;
static cuttle_input_axis mouse;
static struct { int down, pressed, released, fired, moved; float value; } seen;
static int look(lua_State *L) {
    const bool is_axis = lua->to_boolean(L, 2);
    return answer(L, is_axis ? input->axis(me, text(L, 1), &why).id != 0
                             : input->button(me, text(L, 1), &why).id != 0);
}
static int counts(lua_State *L) {
    char found[128];
    snprintf(found, sizeof(found), "%d %d %d %d %g", seen.down > 0, seen.pressed, seen.released, seen.fired,
             seen.value);
    lua->push_string(L, found, strlen(found));
    lua->push_number(L, seen.moved);
    return 2;
}
static int action(lua_State *L) {
    const char *const name = text(L, 1);
    const cuttle_vector3 value = input->action_value(me, name);
    lua->push_boolean(L, input->action_held(me, name) || input->action_pressed(me, name) ||
                             input->action_released(me, name));
    lua->push_number(L, value.x);
    return 2;
}
static void update(cuttle_plugin *self, double dt) {
    (void)dt;
    const cuttle_input_button wrong = {0xffffffff};
    seen.down += input->is_down(self, jump);
    seen.pressed += input->pressed(self, jump);
    seen.released += input->released(self, jump) + input->released(self, wrong);
    seen.fired += input->pressed(self, any_pad);
    if (input->value(self, jump) > seen.value)
        seen.value = input->value(self, jump);
    seen.moved += (int)input->axis_value(self, mouse).x;
}
"""


class Input(Systems):
    def setUp(self):
        super().setUp()
        build_plugin(self.project, "test", module(
            "#include <cuttle/input.h>", INPUT, """input = get_api(CUTTLE_INPUT_API, 1);
            jump = input->button(self, "keyboard.space", error);
            any_pad = input->button(self, "pad.a", error);
            mouse = input->axis(self, "mouse.mouse", error);
            if (!jump.id || !any_pad.id || !mouse.id) return false;""", "look", "counts", "action"),
            ".init = init, .update = update")
        list_plugins(self.project, "test")

    def add(self, game, device, kind, name, value="nil"):
        self.lua(game, f"Input.add_remote_events {{ {{ device = '{device}', kind = '{kind}', "
                       f"name = '{name}', value = {value} }} }}")

    def test_devices_and_actions(self):
        with Game(self.project) as game:
            self.assertEqual(self.lua(game, "(Test.counts())"), "0 0 0 0 0")
            self.add(game, "keyboard", "pressed", "space")
            self.wait_for(game, "(Test.counts())", "1 1 0 0 1")
            self.add(game, "keyboard", "released", "space")
            self.wait_for(game, "(Test.counts())", "1 1 1 0 1")
            self.add(game, "pad3", "pressed", "a")
            self.wait_for(game, "(Test.counts())", "1 1 1 1 1")
            self.add(game, "mouse", "axis", "mouse", "Vector3(5, 0, 0)")
            self.wait_for(game, "select(2, Test.counts())", "5")
            self.assertEqual(self.lua(game, "(Test.action('turn'))"), "false")
            self.add(game, "keyboard", "pressed", "d")
            self.wait_for(game, "select(2, Test.action('turn'))", "1")
            self.add(game, "keyboard", "released", "d")
            self.wait_for(game, "select(2, Test.action('turn'))", "0")
            self.assertEqual(game.quit(), 0)

    def test_unknown_names(self):
        with Game(self.project) as game:
            for call, message in (
                    ("'keyboard.spce'", 'did you mean "space"?'),
                    ("'keybord.space'", 'did you mean "keyboard"?'),
                    ("'mouse.wheel'", "expected the name of a button"),
                    ("'ctrl+keyboard.a'", "without modifiers"),
                    ("nil", "expected the name of a button, got NULL"),
                    ("'keyboard.space', true", "expected the name of an axis"),
                    ("'pad.left.x', true", "expected the name of an axis")):
                self.assertIn(message, self.refusal(game, f"Test.look({call})"))
            self.assertEqual(self.lua(game, "Test.look('pad.left', true)"), "true")
            self.assertEqual(self.lua(game, "(Test.action('trun'))"), "false")
            self.wait(game, 'test called input.action_value: there is no action "trun"; '
                            'did you mean "turn"?')
            self.assertEqual(game.quit(), 0)


SOUND = """
static const cuttle_sound_api_1 *sound;
static cuttle_sound playing;
// Plays an event: a position, a volume, the force.
static int play(lua_State *L) {
    const bool has_place = lua->type(L, 3) == CUTTLE_LUA_VECTOR3;
    const cuttle_vector3 at = has_place ? v3(L, 3) : (cuttle_vector3){0, 0, 0};
    const cuttle_sound_parameter parameter = {"force", text(L, 5), (float)number(L, 5)};
    const cuttle_sound_start start = {.position = has_place ? &at : NULL, .parameters = &parameter,
                                      .num_parameters = lua->count(L) > 4, .pitch = 0.5f,
                                      .volume = lua->count(L) > 3 ? (float)number(L, 4) : 0};
    playing = sound->play(me, world(L), text(L, 2), lua->count(L) > 2 ? &start : NULL);
    lua->push_number(L, playing.id);
    return 1;
}
static int stop(lua_State *L) { sound->stop(me, playing, (float)number(L, 1)); return 0; }
static int is_playing(lua_State *L) { lua->push_boolean(L, sound->is_playing(me, playing)); return 1; }
static int set(lua_State *L) {
    const cuttle_sound_parameter parameter = {text(L, 4), text(L, 5), (float)number(L, 5)};
    sound->set_position(me, playing, v3(L, 1));
    sound->set_volume(me, playing, (float)number(L, 2));
    sound->set_pitch(me, playing, (float)number(L, 3));
    sound->set_parameter(me, playing, &parameter);
    return 0;
}
"""


class Sound(Systems):
    def setUp(self):
        super().setUp()
        write_sine(os.path.join(self.project, "sounds/knock.wav"), seconds=0.5)
        self.write("sounds/knock.sound", 'source = "sounds/knock.wav" loop = true\n')
        self.write("sounds/door.sound_event", """
            parameters = { force = 1  ground = "wood" }
            play = { type = "sound"  sound = "sounds/knock"  loop = true
                     volume = { parameter = "force"  points = [[0 -20] [10 0]] } }
            spatial = { least_distance = 1  most_distance = 40 }""")
        self.build(module("#include <cuttle/sound.h>", SOUND, "sound = get_api(CUTTLE_SOUND_API, 1);",
                          "play", "stop", "is_playing", "set"))
        list_plugins(self.project, "test")

    def test_plays_and_stops(self):
        with Game(self.project) as game:
            for arguments in ("", ", Vector3(1, 2, 3)", ", nil, 0.5", ", nil, 1, 5"):
                self.assertNotEqual(self.lua(game, f"Test.play(Game.world, 'sounds/door'{arguments})"), "0")
                self.assertEqual(self.lua(game, "Test.is_playing()"), "true")
            self.assertEqual(self.lua(game, "SoundWorld.num_instances(Game.world)"), "4")
            self.lua(game, "Test.set(Vector3(3, 0, 0), 0.5, 2, 'force', 8)")
            self.lua(game, "Test.set(Vector3(3, 0, 0), 0.5, 2, 'ground', 'stone')")
            self.assertNotIn("plugin_bad_argument", game.log())
            self.lua(game, "Test.stop(-1)")
            self.wait_for(game, "Test.is_playing()", "false")
            self.lua(game, "Test.stop(0) Test.set(Vector3(0 / 0, 0, 0), -1, 99, 'nothing', 1)")
            self.assertNotIn("plugin_bad_argument", game.log())
            self.assertEqual(game.quit(), 0)

    def test_refuses_what_is_wrong(self):
        with Game(self.project) as game:
            for arguments, message in (
                    ("'sounds/dor'", 'there is no sound_event "sounds/dor"; did you mean "sounds/door"?'),
                    ("nil", "expected the name of a sound_event"),
                    ("'sounds/door', Vector3(0, 0 / 0, 0)", "sound.play: expected a position"),
                    ("'sounds/door', nil, 17", "sound.play: expected a volume from 0 to 16, got 17"),
                    ("'sounds/door', nil, 1, 'hard'", 'a finite number for the parameter "force"')):
                self.assertEqual(self.lua(game, f"Test.play(Game.world, {arguments})"), "0")
                self.wait(game, message)
            self.lua(game, "Test.play(Game.world, 'sounds/door') "
                           "Test.set(Vector3(0 / 0, 0, 0), -1, 99, 'forc', 1) Test.stop(1000)")
            for message in ("sound.set_position: expected a position", "sound.set_volume: expected a volume",
                            "sound.set_pitch: expected a pitch", 'did you mean "force"?',
                            "sound.stop: expected a fade from 0 to 600"):
                self.wait(game, message)
            self.lua(game, "Game.other = Application.new_world() Test.keep(Game.other) "
                           "Test.play(Game.other, 'sounds/door') Application.release_world(Game.other)")
            self.assertEqual(self.lua(game, "Test.is_playing()"), "false")
            self.assertEqual(self.lua(game, "Test.play(nil, 'sounds/door')"), "0")
            self.wait(game, "sound.play: the world has ended")
            self.assertEqual(game.quit(), 0)


NAVIGATION = """
static const cuttle_navigation_api_1 *navigation;
static uint64_t state;
static int path(lua_State *L) {
    cuttle_vector3 points[64];
    cuttle_path p;
    const cuttle_path_desc desc = {.agents = text(L, 4), .from = v3(L, 2), .to = v3(L, 3),
                                   .most_polygons = (uint32_t)number(L, 5),
                                   .allows_partial = lua->to_boolean(L, 6)};
    const bool is_found = navigation->find_path(me, world(L), &desc, points, 64, &p);
    lua->push_number(L, p.status);
    lua->push_number(L, p.length);
    if (!is_found)
        return 2;
    lua->push_vector3(L, points[0]);
    lua->push_vector3(L, points[p.num_points - 1]);
    return 4;
}
static int nearest(lua_State *L) {
    cuttle_vector3 at;
    if (!navigation->nearest(me, world(L), NULL, v3(L, 2), (float)number(L, 3), &at))
        return 0;
    lua->push_vector3(L, at);
    return 1;
}
static int ray(lua_State *L) {
    cuttle_vector3 at = {0, 0, 0}, normal = {0, 0, 0};
    lua->push_boolean(L, navigation->ray(me, world(L), "human", v3(L, 2), v3(L, 3), &at, &normal));
    lua->push_vector3(L, at);
    lua->push_vector3(L, normal);
    return 3;
}
static int random_point(lua_State *L) {
    cuttle_vector3 at;
    if (!navigation->random_point(me, world(L), "human", v3(L, 2), (float)number(L, 3), &state, &at))
        return 0;
    lua->push_vector3(L, at);
    return 1;
}
"""


class Navigation(Systems):
    def setUp(self):
        super().setUp()
        self.write("units/yard.unit", """components = [
            { id = "pose" type = "transform" }
            { id = "body" type = "actor" shapes = [
                { id = "ground" type = "box" half_size = [20 20 0.5] position = [0 0 -0.5] }
                { id = "wall" type = "box" half_size = [14 0.5 1.5] position = [-6 0 1.5] } ] } ]""")
        self.write("levels/yard.navigation", """level = "levels/yard"
            agents = [ { id = "a1" name = "human" radius = 0.4 height = 1.8 } ]""")
        self.write("levels/yard.level", """units = [ { id = "yard" unit = "units/yard" position = [0 0 0] } ]
            navigation = "levels/yard" """)
        self.build(module("#include <cuttle/navigation.h>", NAVIGATION,
                          "navigation = get_api(CUTTLE_NAVIGATION_API, 1);", "path", "nearest", "ray",
                          "random_point"))
        list_plugins(self.project, "test")

    def test_paths_and_places(self):
        with Game(self.project) as game:
            self.lua(game, "w = Application.new_world() World.load_level(w, 'levels/yard') "
                           "World.update(w, 1 / 60) "
                           "function path(...) local status, length, from, to = Test.path(...) "
                           "return string.format('%d %.1f %s', status, length, to and "
                           "string.format('%.1f %.1f to %.1f %.1f', from.x, from.y, to.x, to.y) or '') end")
            there = "w, Vector3(-5, -5, 0), Vector3(-5, 5, 0)"
            found = self.lua(game, f"path({there}, 'human', 0)")
            self.assertRegex(found, r"^0 (2[6-9]|3[0-2])\.\d -5\.0 -5\.0 to -5\.0 5\.0$")
            self.assertRegex(self.lua(game, f"path({there}, nil, 0)"), "^0 ")
            self.assertRegex(self.lua(game, f"path({there}, 'human', 4, true)"), "^1 ")
            self.assertRegex(self.lua(game, f"path({there}, 'human', 1)"), "^4 0.0")
            self.assertRegex(self.lua(game, f"path({there}, 'giant', 0)"), "^3 0.0")
            self.assertRegex(self.lua(game, "path(w, Vector3(-5, -5, 0), Vector3(90, 5, 0), nil, 0)"), "^3 0")
            self.assertEqual(self.lua(game, "Vector3.length(Test.nearest(w, Vector3(3, -4, 1), 0) - "
                                            "Vector3(3, -4, 0)) < 0.3"), "true")
            self.assertEqual(self.lua(game, "(Test.nearest(w, Vector3(3, -4, 30), 0))"), "nil")
            self.assertEqual(self.lua(game, "(Test.nearest(w, Vector3(25, -4, 0), 0))"), "nil")
            self.assertEqual(self.lua(game, "Test.nearest(w, Vector3(25, -4, 0), 8) ~= nil"), "true")
            self.assertEqual(self.lua(game, "(Test.ray(w, Vector3(-5, -5, 0), Vector3(5, -5, 0)))"), "true")
            self.assertEqual(self.lua(game, "(function() local is, at, normal = Test.ray(w, "
                                            "Vector3(-5, -5, 0), Vector3(-5, 5, 0)) "
                                            "return not is and at.y < -0.5 and at.y > -1.5 and "
                                            "normal.y < -0.9 end)()"), "true")
            # Random points are on the mesh, here and there.
            self.assertEqual(self.lua(game, "(function() local least, most = 99, -99 for i = 1, 50 do "
                                            "local p = Test.random_point(w, Vector3(-5, -5, 0), 3) "
                                            "local n = Test.nearest(w, p, 0) "
                                            "if not n or Vector3.length(p - n) > 0.01 then return p end "
                                            "least, most = math.min(least, p.x), math.max(most, p.x) "
                                            "end return most - least > 2 end)()"), "true")
            self.assertEqual(self.lua(game, "(Test.random_point(w, Vector3(-5, -5, 9), 3))"), "nil")
            self.assertNotIn("plugin_bad_argument", game.log())
            self.assertRegex(self.lua(game, "path(w, Vector3(-5, 0 / 0, 0), Vector3(0, 5, 0), nil, 0)"), "^3 ")
            self.assertRegex(self.lua(game, "path(w, Vector3(-5, 0, 0), Vector3(0, 1 / 0, 0), nil, 0)"), "^3 ")
            self.wait(game, "test called navigation.find_path: expected points within")
            self.assertEqual(self.lua(game, "(Test.nearest(w, Vector3(0, 0, 0), -1))"), "nil")
            self.wait(game, "navigation.nearest: expected a reach")
            self.assertEqual(self.lua(game, "(Test.random_point(w, Vector3(-5, -5, 0), 0 / 0))"), "nil")
            self.wait(game, "navigation.random_point: expected a state")
            self.lua(game, "Test.keep(w) Application.release_world(w)")
            self.assertEqual(self.lua(game, "(Test.ray(nil, Vector3(-5, -5, 0), Vector3(5, -5, 0)))"), "false")
            self.wait(game, "navigation.ray: the world has ended")
            self.assertEqual(game.quit(), 0)


NETWORK = """
static const cuttle_network_api_1 *network;
static char heard[512];
static uint64_t from;
static void hear(cuttle_plugin *self, uint64_t sender, const cuttle_network_value *v, uint32_t count) {
    (void)self;
    from = sender;
    snprintf(heard, sizeof(heard), "%u: %d %d %.1f %.1f %.*s %s %u %d %.1f", count, (int)v[0].integer,
             (int)v[1].integer, v[2].parts[0], v[3].parts[2], (int)v[4].count, v[4].text, v[5].text,
             v[6].count, v[6].count > 1 ? (int)v[6].values[1].integer : 0, v[7].parts[3]);
}
static int last(lua_State *L) { lua->push_string(L, heard, strlen(heard)); return 1; }
static int send(lua_State *L) {
    const cuttle_network_value items[2] = {{.kind = CUTTLE_NETWORK_INTEGER, .integer = 3},
                                           {.kind = CUTTLE_NETWORK_INTEGER, .integer = 4}};
    const cuttle_network_value values[8] = {
        {.kind = CUTTLE_NETWORK_BOOL, .integer = 1},
        {.kind = CUTTLE_NETWORK_INTEGER, .integer = (int64_t)number(L, 3)},
        {.kind = (uint32_t)number(L, 4), .parts = {0.5f}},
        {.kind = CUTTLE_NETWORK_VECTOR3, .parts = {1, 2, 3}},
        {.kind = CUTTLE_NETWORK_STRING, .text = "hello, you", .count = 5},
        {.kind = CUTTLE_NETWORK_LOOKUP, .text = text(L, 5)},
        {.kind = CUTTLE_NETWORK_ARRAY, .values = items, .count = (uint32_t)number(L, 6)},
        {.kind = CUTTLE_NETWORK_ROTATION, .parts = {0, 0, 0, 1}}};
    const uint64_t to = lua->to_boolean(L, 2) ? 12345 : 0;
    return answer(L, network->send(me, text(L, 1), to, values, lua->count(L) > 6 ? 7 : 8, &why));
}
static int state(lua_State *L) {
    uint64_t peers[4];
    char found[128];
    snprintf(found, sizeof(found), "%d %d %u %d", network->is_running(me), network->is_host(me),
             network->peers(me, peers, 4), network->own_peer(me) != 0);
    lua->push_string(L, found, strlen(found));
    return 1;
}
static int sender(lua_State *L) {
    char found[32];
    snprintf(found, sizeof(found), "%016llx", (unsigned long long)from);
    lua->push_string(L, found, strlen(found));
    return 1;
}
static const cuttle_network_receiver receiver = {hear};
"""

NETWORK_CONFIG = """
types = {
    flag = { type = "bool" }
    points = { type = "integer"  min = 0  max = 100 }
    share = { type = "float" }
    place = { type = "vector3"  min = -20  max = 20  bits = 16 }
    text = { type = "string"  max = 40 }
    color = { type = "lookup"  values = ["red" "green"] }
    list = { type = "array"  of = "points"  max = 3 }
    turn = { type = "rotation"  bits = 12 }
}
messages = {
    all = { arguments = { a = "flag"  b = "points"  c = "share"  d = "place"  e = "text"  f = "color"
                          g = "list"  h = "turn" } }
}
"""

NET_LUA = """
Net = Net or { heard = "" }
local PORT = 47000 + OFFSET
function Net.start(is_host)
    Net.client = Network.init_lan_client("game")
    if is_host then
        Net.lobby = Network.create_lan_lobby(PORT, 4)
        Net.session = Network.create_game_session()
        GameSession.make_game_session_host(Net.session)
        LanLobby.set_game_session_host(Net.lobby, Network.peer_id())
    end
end
function Net.update(dt)
    if not Net.client then return end
    if not Net.lobby then
        local browser = LanClient.lobby_browser(Net.client)
        if LanLobbyBrowser.num_lobbies(browser) > 0 then
            Net.lobby = Network.join_lan_lobby(LanLobbyBrowser.lobby(browser, 1).address)
            Net.session = Network.create_game_session()
        elseif not LanLobbyBrowser.is_refreshing(browser) then
            LanLobbyBrowser.refresh(browser, PORT)
        end
    end
    Network.update(dt, Net)
end
local before = update
function update(dt) Net.update(dt) before(dt) end
"""


class Network(Systems):
    def setUp(self):
        super().setUp()
        self.write("game.network_config", NETWORK_CONFIG)
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, read(main) + NET_LUA.replace("OFFSET", str(os.getpid() % 900 + 900)))
        self.build(module("#include <cuttle/network.h>", NETWORK, """
            network = get_api(CUTTLE_NETWORK_API, 1);
            if (!network->add_receiver(self, "all", &receiver, error)) return false;
            if (network->add_receiver(self, "all", &receiver, error) ||
                network->add_receiver(self, "", &receiver, error))
                return false;""", "last", "send", "state", "sender"))
        list_plugins(self.project, "test")

    def test_messages(self):
        with Game(self.project) as host, Game(self.project) as join:
            self.assertEqual(self.lua(host, "Test.state()"), "0 0 0 0")
            send = "Test.send('all', false, 7, 2, 'green', 2)"
            self.assertIn("there is no game session", self.refusal(host, send))
            self.lua(host, "Net.start(true)")
            self.lua(join, "Net.start(false)")
            self.wait_for(join, "Test.state()", "1 0 2 1")
            self.wait_for(host, "Test.state()", "1 1 2 1")
            self.assertEqual(self.lua(host, send), "true")
            self.wait_for(join, "Test.last()", "8: 1 7 0.5 3.0 hello green 2 4 1.0")
            self.assertEqual(self.lua(join, "Test.sender()"), self.lua(host, "Network.peer_id()"))
            # Lua hears it, too; what only a plugin hears is no warning.
            self.assertNotIn("network_unheard_message", join.log())
            self.lua(host, "function Net:all(sender, a, b) Net.heard = tostring(b) end")
            self.assertEqual(self.lua(join, "Test.send('all', false, 700, 2, 'red', 0)"), "true")
            self.wait_for(host, "Net.heard", "100")
            self.assertEqual(self.lua(host, "Test.last()"), "8: 1 100 0.5 3.0 hello red 0 0 1.0")
            for arguments, message in (
                    ("'al', false, 7, 2, 'red', 2", 'did you mean "all"?'),
                    ("nil, false, 7, 2, 'red', 2", "there is no message"),
                    ("'all', true, 7, 2, 'red', 2", "3039"),
                    ("'all', false, 7, 1, 'red', 2", 'argument "c": expected a value of kind float'),
                    ("'all', false, 7, 2, 'blue', 2", '"blue" is no name of the list'),
                    ("'all', false, 7, 2, nil, 2", '"" is no name of the list'),
                    ("'all', false, 7, 2, 'red', 2, 1", 'has 8 arguments, got 7'),
                    ("'all', false, 7, 2, 'red', 4", '"g"')):
                self.assertIn(message, self.refusal(join, f"Test.send({arguments})"))
            self.assertEqual(join.quit(), 0)
            self.assertEqual(host.quit(), 0)


if __name__ == "__main__":
    unittest.main()
