"""Plugins and the engine's systems: what small plugins do in a running game."""

import os
import time
import unittest

from support_cuttle import LIMIT, Game, TemporaryFolder, write
from support_plugins import build_plugin, list_plugins
from support_png import read_png

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



if __name__ == "__main__":
    unittest.main()
