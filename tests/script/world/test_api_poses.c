// Poses, positions, rotations and scales that are no numbers: every function of the engine's
// modules that takes one refuses it with the caller's line, and changes nothing.
#include "script/api_fixture.h"
#include "script/script_modules.h"

#include "lua/lua_module.h"
#include "lua/lua_signature.h"

// A function and arguments that are right, but for their capitals, which stand for a pose: V, Q and
// M for a Vector3, a Quaternion and a Matrix4x4, P, R, S and A for a Float32Array of two positions,
// rotations, scales and poses, N for one of two numbers, T for a table of numbers and U for one of
// two Vector3s. H is half a size, and Y the numbers of a ray.
typedef struct pose_call {
    const char *function, *arguments[10];
} pose_call;

static const pose_call calls[] = {
    {"Actor.add_angular_velocity", {"actor", "V"}},
    {"Actor.add_impulse", {"actor", "V"}},
    {"Actor.add_impulse_at", {"actor", "V", "V"}},
    {"Actor.add_torque_impulse", {"actor", "V"}},
    {"Actor.add_velocity", {"actor", "V"}},
    {"Actor.add_velocity_at", {"actor", "V", "V"}},
    {"Actor.debug_draw", {"actor", "lines", "red", "M"}},
    {"Actor.point_velocity", {"actor", "V"}},
    {"Actor.push", {"actor", "V", "1"}},
    {"Actor.push_at", {"actor", "V", "1", "V"}},
    {"Actor.set_angular_velocity", {"actor", "V"}},
    {"Actor.set_velocity", {"actor", "V"}},
    {"Actor.teleport_pose", {"actor", "M"}},
    {"Actor.teleport_position", {"actor", "V"}},
    {"Actor.teleport_rotation", {"actor", "Q"}},
    {"ActorComponent.create_capsule", {"ac", "l", "next_id()", "M", "1", "2"}},
    {"ActorComponent.create_plane", {"ac", "l", "next_id()", "M", "V"}},
    {"ActorComponent.create_sphere", {"ac", "l", "next_id()", "M", "1"}},
    {"Broadphase.add", {"b", "c", "V", "1"}},
    {"Broadphase.add_box", {"b", "c", "V", "V"}},
    {"Broadphase.add_many", {"b", "{c, l}", "P", "1"}},
    {"Broadphase.add_many", {"b", "{c, l}", "T", "1"}},
    {"Broadphase.add_many", {"b", "{c, l}", "U", "1"}},
    {"Broadphase.move", {"b", "i", "V"}},
    {"Broadphase.move_box", {"b", "i", "V", "V"}},
    {"Broadphase.move_many", {"b", "{i, k}", "P"}},
    {"Broadphase.move_many", {"b", "{i, k}", "T"}},
    {"Broadphase.move_many", {"b", "{i, k}", "U"}},
    {"Broadphase.query", {"b", "V", "1", "{}"}},
    {"Broadphase.query_box", {"b", "V", "V", "{}"}},
    {"Broadphase.query_nearest", {"b", "V", "1", "1", "{}"}},
    {"Broadphase.query_ray", {"b", "V", "V", "1", "{}"}},
    {"Camera.inside_frustum", {"cam", "V"}},
    {"Camera.screen_to_world", {"cam", "V", "1"}},
    {"Camera.set_local", {"cam", "M"}},
    {"Camera.set_local_pose", {"cam", "M"}},
    {"Camera.set_local_position", {"cam", "V"}},
    {"Camera.set_local_rotation", {"cam", "Q"}},
    {"Camera.world_to_screen", {"cam", "V"}},
    {"DataComponent.set_numbers", {"dc", "{c, l}", "'main'", "'n'", "N"}},
    {"EntityManager.spawn", {"w", "'units/crate'", "V", "Q"}},
    {"Gui.arc", {"g", "V", "1", "0", "2"}},
    {"Gui.bitmap", {"g", "nil", "V", "Vector2(1, 1)"}},
    {"Gui.bitmap_3d", {"g", "nil", "M", "V", "1", "Vector2(1, 1)"}},
    {"Gui.bitmap_3d_uv", {"g", "nil", "V", "V", "M", "V", "1", "Vector2(1, 1)"}},
    {"Gui.bitmap_uv", {"g", "nil", "V", "V", "V", "Vector2(1, 1)"}},
    {"Gui.circle", {"g", "V", "1"}},
    {"Gui.hit_test", {"g", "'a'", "'fonts/plain'", "9", "V"}},
    {"Gui.line", {"g", "V", "V", "1"}},
    {"Gui.move", {"g", "M"}},
    {"Gui.polyline", {"g", "U", "1"}},
    {"Gui.push_clip", {"g", "V", "Vector2(1, 1)"}},
    {"Gui.rect", {"g", "V", "Vector2(1, 1)"}},
    {"Gui.rect_3d", {"g", "M", "V", "1", "Vector2(1, 1)"}},
    {"Gui.rounded_rect", {"g", "V", "Vector2(1, 1)", "1"}},
    {"Gui.text", {"g", "'a'", "'fonts/plain'", "9", "nil", "V"}},
    {"Gui.text_3d", {"g", "'a'", "'fonts/plain'", "9", "nil", "M", "V", "1"}},
    {"Gui.triangle", {"g", "V", "V", "V"}},
    {"Gui.triangles", {"g", "P", "0", "nil", "nil", "P"}},
    {"Gui.update_arc", {"g", "gui_shape", "V", "1", "0", "2"}},
    {"Gui.update_bitmap", {"g", "gui_bitmap", "nil", "V", "Vector2(1, 1)"}},
    {"Gui.update_bitmap_3d", {"g", "gui_bitmap", "nil", "M", "V", "1", "Vector2(1, 1)"}},
    {"Gui.update_bitmap_3d_uv",
     {"g", "gui_bitmap", "nil", "V", "V", "M", "V", "1", "Vector2(1, 1)"}},
    {"Gui.update_bitmap_uv", {"g", "gui_bitmap", "nil", "V", "V", "V", "Vector2(1, 1)"}},
    {"Gui.update_circle", {"g", "gui_shape", "V", "1"}},
    {"Gui.update_line", {"g", "gui_shape", "V", "V", "1"}},
    {"Gui.update_polyline", {"g", "gui_shape", "U", "1"}},
    {"Gui.update_rect", {"g", "gui_rect", "V", "Vector2(1, 1)"}},
    {"Gui.update_rect_3d", {"g", "gui_rect", "M", "V", "1", "Vector2(1, 1)"}},
    {"Gui.update_rounded_rect", {"g", "gui_shape", "V", "Vector2(1, 1)", "1"}},
    {"Gui.update_text", {"g", "gui_text", "'a'", "'fonts/plain'", "9", "nil", "V"}},
    {"Gui.update_text_3d", {"g", "gui_text", "'a'", "'fonts/plain'", "9", "nil", "M", "V", "1"}},
    {"Gui.update_triangle", {"g", "gui_triangle", "V", "V", "V"}},
    {"Gui.update_triangles", {"g", "gui_shape", "P", "0", "nil", "nil", "P"}},
    {"Light.set_color", {"sun", "V"}},
    {"Light.set_local_pose", {"sun", "M"}},
    {"Light.set_local_position", {"sun", "V"}},
    {"Light.set_local_rotation", {"sun", "Q"}},
    {"LineObject.add_axes", {"lines", "M", "V"}},
    {"LineObject.add_box", {"lines", "red", "M", "V"}},
    {"LineObject.add_capsule", {"lines", "red", "V", "V", "1"}},
    {"LineObject.add_circle", {"lines", "red", "V", "1", "V"}},
    {"LineObject.add_cone", {"lines", "red", "V", "V", "1"}},
    {"LineObject.add_half_sphere", {"lines", "red", "V", "1", "V"}},
    {"LineObject.add_line", {"lines", "red", "V", "V"}},
    {"LineObject.add_sphere", {"lines", "red", "V", "1"}},
    {"Material.set_matrix4x4", {"oak", "'bend'", "M"}},
    {"Material.set_vector3", {"oak", "'wind'", "V"}},
    {"Mesh.set_local_pose", {"mesh", "M"}},
    {"Mesh.set_local_position", {"mesh", "V"}},
    {"Mesh.set_local_rotation", {"mesh", "Q"}},
    {"Mesh.set_outline", {"mesh", "V"}},
    {"Mesh.set_vector3", {"mesh", "'base_color'", "V"}},
    {"MeshComponent.raycast", {"mc", "l", "'lid'", "V", "V", "true", "1"}},
    {"MeshComponent.set_outline", {"mc", "l", "'lid'", "V"}},
    {"ParticlesComponent.set_variable", {"pc", "dust", "'strength'", "V"}},
    {"PhysicsWorld.closest_point", {"p", "V", "1"}},
    {"PhysicsWorld.linear_capsule_sweep", {"p", "V", "V", "Q", "1", "1", "1"}},
    {"PhysicsWorld.linear_obb_sweep", {"p", "V", "V", "H", "Q", "1"}},
    {"PhysicsWorld.linear_sphere_sweep", {"p", "V", "V", "1", "1"}},
    {"PhysicsWorld.raycast", {"p", "V", "V"}},
    {"PhysicsWorld.raycast_many", {"p", "Y"}},
    {"PhysicsWorld.set_gravity", {"p", "V"}},
    {"PhysicsWorld.spawn_box", {"p", "V", "H"}},
    {"PhysicsWorld.spawn_plane", {"p", "V", "V"}},
    {"PhysicsWorld.spawn_sphere", {"p", "V", "1"}},
    {"PhysicsWorld.wake_actors", {"p", "'default'", "V", "Vector3(9, 9, 9)"}},
    {"PhysicsWorld.wake_actors", {"p", "'default'", "Vector3(-9, -9, -9)", "V"}},
    {"Raycast.cast", {"ray", "V", "V"}},
    {"SceneGraphComponent.set_local_pose", {"sg", "r", "2", "M"}},
    {"SceneGraphComponent.set_local_pose", {"sg", "r", "1", "M"}},
    {"SceneGraphComponent.set_local_position", {"sg", "r", "2", "V"}},
    {"SceneGraphComponent.set_local_rotation", {"sg", "r", "2", "Q"}},
    {"SceneGraphComponent.set_local_scale", {"sg", "r", "2", "V"}},
    {"TransformComponent.link", {"tc", "l", "r", "V", "Q", "V"}},
    {"TransformComponent.link_to_scene_graph", {"tc", "l", "r", "2", "V", "Q", "V"}},
    {"TransformComponent.set_local_pose", {"tc", "c", "M"}},
    {"TransformComponent.set_local_poses", {"tc", "{c, l}", "A"}},
    {"SoundWorld.link", {"w", "1", "c", "1", "V"}},
    {"SoundWorld.set_listener", {"w", "1", "V", "Q"}},
    {"SoundWorld.set_listener", {"w", "1", "M"}},
    {"SoundWorld.set_position", {"1", "V"}},
    {"SoundWorld.set_positions", {"w", "{1, 2}", "P"}},
    {"SoundWorld.set_positions", {"w", "{1, 2}", "T"}},
    {"SoundWorld.set_positions", {"w", "{1, 2}", "U"}},
    {"SoundWorld.set_rotation", {"1", "Q"}},
    {"SoundWorld.teleport", {"1", "V"}},
    {"TransformComponent.set_local_position", {"tc", "c", "V"}},
    {"TransformComponent.set_local_positions", {"tc", "{c, l}", "P"}},
    {"TransformComponent.set_local_positions", {"tc", "{c, l}", "T"}},
    {"TransformComponent.set_local_positions", {"tc", "{c, l}", "U"}},
    {"TransformComponent.set_local_rotation", {"tc", "c", "Q"}},
    {"TransformComponent.set_local_rotations", {"tc", "{c, l}", "R"}},
    {"TransformComponent.set_local_scale", {"tc", "c", "V"}},
    {"TransformComponent.set_local_scales", {"tc", "{c, l}", "S"}},
    {"TransformComponent.set_property", {"tc", "t", "'position'", "V"}},
    {"TransformComponent.set_property", {"tc", "t", "'rotation'", "Q"}},
    {"TransformComponent.set_property", {"tc", "t", "'scale'", "V"}},
    {"TransformComponent.set_property_by_id", {"tc", "c", "nil", "'scale'", "V"}},
    {"Unit.mesh_pick_raycast", {"l", "V", "V", "1", "true"}},
    {"Unit.set_local_pose", {"r", "1", "M"}},
    {"Unit.set_local_pose", {"r", "2", "M"}},
    {"Unit.set_local_position", {"r", "1", "V"}},
    {"Unit.set_local_position", {"r", "2", "V"}},
    {"Unit.set_local_rotation", {"r", "1", "Q"}},
    {"Unit.set_local_rotation", {"r", "2", "Q"}},
    {"Unit.set_local_scale", {"r", "1", "V"}},
    {"Unit.set_local_scale", {"r", "2", "V"}},
    {"Unit.set_outline", {"r", "V"}},
    {"Unit.teleport_local_pose", {"r", "1", "M"}},
    {"Unit.teleport_local_position", {"r", "1", "V"}},
    {"Unit.teleport_local_rotation", {"r", "1", "Q"}},
    {"Unit.teleport_local_scale", {"r", "1", "V"}},
    {"World.create_world_gui", {"w", "M", "1", "1"}},
    {"World.load_level", {"w", "'levels/yard'", "V", "Q", "V"}},
    {"World.load_level_gradually", {"w", "'levels/yard'", "0", "V", "Q", "V"}},
    {"World.spawn_unit", {"w", "'units/crate'", "V", "Q"}},
    {"World.spawn_units", {"w", "'units/crate'", "P", "R"}},
    {"World.spawn_units", {"w", "'units/crate'", "T"}},
    {"World.spawn_units", {"w", "'units/crate'", "U"}},
    {"VectorField.evaluate", {"field", "P"}},
    {"VectorField.evaluate", {"field", "U"}},
    {"World.create_particles", {"w", "'effects/dust'", "V", "Q", "V"}},
    {"World.link_particles", {"w", "fx", "c", "1", "M"}},
    {"World.move_particles", {"w", "fx", "V", "Q", "V"}},
    {"World.set_particles_variable", {"w", "fx", "1", "V"}},
    {"World.teleport_particles", {"w", "fx", "V", "Q", "V"}},
};

// What stands for a pose: a good one, and bad ones.
static const struct {
    char mark;
    const char *good, *bad[4];
} values[] = {
    {'V',
     "Vector3(1, 0, 1)",
     {"Vector3(0/0, 0, 1)", "Vector3(0, 1/0, 1)", "Vector3(1, 0, -1/0)", "Vector3(1, 0/0, 0/0)"}},
    {'Q',
     "Quaternion.identity()",
     {"Quaternion.from_elements(0/0, 0, 0, 1)", "Quaternion.from_elements(0, 1/0, 0, 1)",
      "Quaternion.from_elements(0, 0, 1, -1/0)", "Quaternion.from_elements(0, 0, 0, 0)"}},
    {'M',
     "Matrix4x4.identity()",
     {"Matrix4x4.from_translation(Vector3(0, 0/0, 0))",
      "Matrix4x4.from_axes(Vector3(1/0, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(0, 0, "
      "0))",
      "Matrix4x4.from_axes(Vector3(1, 0, 0), Vector3(0, 0/0, 0), Vector3(0, 0, 1), Vector3(0, 0, "
      "0))",
      "Matrix4x4.from_translation(Vector3(-1/0, 0, 0))"}},
    {'P', "floats(6, 1, 1)", {"floats(6, 1, 0/0)", "floats(6, 6, 1/0)", "floats(6, 5, -1/0)"}},
    {'R', "floats(8, 1, 1)", {"floats(8, 1, 0/0)", "floats(8, 8, 1/0)", "floats(8, 6, -1/0)"}},
    {'N', "floats(2, 1, 1)", {"floats(2, 1, 0/0)", "floats(2, 2, 1/0)", "floats(2, 2, -1/0)"}},
    {'S', "floats(6, 1, 1)", {"floats(6, 2, 0/0)", "floats(6, 6, 1/0)", "floats(6, 4, -1/0)"}},
    {'A', "poses(1, 1)", {"poses(1, 0/0)", "poses(20, 1/0)", "poses(15, -1/0)", "poses(11, 0/0)"}},
    {'H', "Vector3(1, 1, 1)", {"Vector3(0/0, 1, 1)", "Vector3(1, 0, 1)", "Vector3(1, 1, 1/0)"}},
    {'Y',
     "{0, 0, 9, 0, 0, -1, 5}",
     {"{0/0, 0, 9, 0, 0, -1, 5}", "{0, 0, 9, 0, 0, 1/0, 5}", "{0, 0, 9, 0, 0, -1, 0/0}"}},
    {'T', "{1, 2, 3, 4, 5, 6}", {"{0/0, 2, 3, 4, 5, 6}", "{1, 2, 3, 4, 5, -1/0}"}},
    {'U',
     "{Vector3(1, 2, 3), Vector3(4, 5, 6)}",
     {"{Vector3(0/0, 2, 3), Vector3(4, 5, 6)}", "{Vector3(1, 2, 3), Vector3(4, 5, 1/0)}"}},
};

static int set_up_calls(void **state) {
    set_up(state);
    run_lua(&f,
            "w, c, l, red = W, C, L, Vector4(1, 0, 0, 1) red = Vector4Box(red) "
            "r = World.spawn_unit(W, 'units/robot', Vector3(7, 0, 0)) "
            "tc, sg = EntityManager.transform_component(W), EntityManager.scene_graph_component(W) "
            "mc = EntityManager.mesh_component(W) t = TransformComponent.lookup(tc, c) "
            "MeshComponent.create_with_mesh(mc, l, 'lid', 'meshes/crate') "
            "mesh, cam, sun = Unit.mesh(l, 'lid'), Unit.camera(r, 1), Unit.light(r, 1) "
            "dc = EntityManager.data_component() DataComponent.create(dc, c, 'main') "
            "DataComponent.create(dc, l, 'main') "
            "b = Broadphase(4, 100) i, k = Broadphase.add(b, c, Vector3(0, 0, 0), 1), "
            "  Broadphase.add(b, l, Vector3(9, 9, 9), 1) "
            "MeshComponent.set_material(mc, l, 'lid', 'wood', 'materials/oak') "
            "g = World.create_world_gui(W, Matrix4x4.identity(), 1, 1) "
            "local at, one = Vector2(0, 0), Vector2(1, 1) "
            "gui_bitmap, gui_rect = Gui.bitmap(g, nil, at, one), Gui.rect(g, at, one) "
            "gui_text = Gui.text(g, 'a', 'fonts/plain', 9, nil, at) "
            "gui_triangle, gui_shape = Gui.triangle(g, at, one, at), Gui.circle(g, at, 1) "
            "lines, oak = World.create_line_object(W), Mesh.material(mesh, 'wood') "
            "p, ac = World.physics_world(W), EntityManager.actor_component(W) "
            "actor = PhysicsWorld.spawn_sphere(p, Vector3(0, 0, 50), 1) "
            "ray = PhysicsWorld.make_raycast(p, function() end) "
            "pc, field = EntityManager.particles_component(W), World.vector_field(W, 'wind') "
            "dust = ParticlesComponent.create(pc, c, 'dust', 'effects/dust') "
            "fx = World.create_particles(W, 'effects/dust', Vector3(0, 0, 0)) "
            "local id = 0 function next_id() id = id + 1 return 'a' .. id end "
            "function floats(n, at, value) local a = Float32Array(n) Float32Array.fill(a, 0.5) "
            "  a:set(at, value) return a end "
            "function poses(at, value) return floats(32, at, value) end ");
    // All that calls might have changed.
    run_lua(&f, "function picture() local s = {#World.units(W), Broadphase.num_items(b)} "
                "  for _, u in ipairs({c, l, r}) do for n = 1, Unit.num_scene_graph_items(u) do "
                "    s[#s + 1] = tostring(Unit.local_pose(u, n)) end "
                "    s[#s + 1] = tostring(Unit.world_pose(u, 1)) end "
                "  local near = {} s[#s + 1] = Broadphase.query(b, Vector3(0, 0, 0), 2, near) "
                "  s[#s + 1] = tostring(TransformComponent.parent(tc, l) == c) "
                "  s[#s + 1] = tostring(DataComponent.get_property_by_id(dc, l, 'main', 'n')) "
                "  return table.concat(s, ' ') end");
    return 0;
}

static uint32_t value_of(const char *argument) {
    uint32_t v = 0;
    while (v < CT_COUNT_OF(values) && (argument[1] || argument[0] != values[v].mark))
        ++v;
    return v;
}

// Writes the call in line 2, with `bad` in place of argument `which`.
static void write_call(char *text, size_t bytes, const pose_call *call, uint32_t which,
                       const char *bad) {
    size_t used = (size_t)snprintf(text, bytes, "\n%s(", call->function);
    for (uint32_t i = 0; i < CT_COUNT_OF(call->arguments) && call->arguments[i]; ++i) {
        const char *argument = call->arguments[i];
        const uint32_t v = value_of(argument);
        if (strcmp(argument, "red") == 0)
            argument = "red:unbox()";
        else if (v < CT_COUNT_OF(values))
            argument = i == which ? bad : values[v].good;
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i ? ", " : "", argument);
    }
    snprintf(text + used, bytes - used, ")");
}

static void refuses_what_is_no_pose(void **state) {
    (void)state;
    char text[1024], expected[128], before[4096];
    snprintf(before, sizeof(before), "%s", run_lua(&f, "return picture()"));
    for (uint32_t c = 0; c < CT_COUNT_OF(calls); ++c) {
        const char *const *arguments = calls[c].arguments;
        for (uint32_t i = 0; i < CT_COUNT_OF(calls[c].arguments) && arguments[i]; ++i) {
            const uint32_t v = value_of(arguments[i]);
            for (uint32_t k = 0; v < CT_COUNT_OF(values) && k < 4 && values[v].bad[k]; ++k) {
                write_call(text, sizeof(text), &calls[c], i, values[v].bad[k]);
                snprintf(expected, sizeof(expected), "console:2: %s: argument %u (",
                         calls[c].function, i + 1);
                assert_lua_error(&f, text, expected);
            }
        }
        assert_lua(&f, "return picture()", before);
    }
}

// So that the errors above are of the bad ones, and of nothing else.
static void takes_what_is_one(void **state) {
    (void)state;
    char text[1024];
    for (uint32_t c = 0; c < CT_COUNT_OF(calls); ++c) {
        write_call(text, sizeof(text), &calls[c], UINT32_MAX, NULL);
        run_lua(&f, text);
    }
}

// Models have mirrored nodes, and games shrink things to nothing.
static void takes_scales_that_mirror_or_make_flat(void **state) {
    (void)state;
    run_lua(&f, "Unit.set_local_scale(c, 1, Vector3(-1, 2, 1))");
    assert_lua(&f, "parts(Unit.local_scale(c, 1))", "-1\t2\t1");
    assert_lua(&f, "parts(Matrix4x4.x(Unit.world_pose(l, 1)))", "-1\t0\t0");
    run_lua(&f, "Unit.set_local_scale(c, 1, Vector3(0, 0, 0))");
    assert_lua(&f, "parts(Unit.world_position(l, 1))", "1\t2\t3");
    assert_lua(&f, "parts(Unit.world_rotation(l, 1))", "0\t0\t0\t1");
    // There is no pose below a parent of no size that is a given one in the world.
    run_lua(&f, "before = parts(Unit.local_position(r, 1))");
    run_lua(&f, "TransformComponent.unlink(tc, l) TransformComponent.link_in_place(tc, r, c)");
    assert_lua(&f, "parts(Unit.local_position(r, 1)) == before", "true");
    assert_lua(&f, "parts(Unit.world_position(r, 1))", "1\t2\t3");
    run_lua(&f, "Unit.set_local_scale(r, 2, Vector3(0, -1, 0)) World.update(w, 0.1) "
                "Unit.set_local_scale(c, 1, Vector3(1, 1, 1)) "
                "Broadphase.move_to_units(b) World.update(w, 0.1)");
    assert_lua(&f, "parts(Unit.local_scale(r, 2))", "0\t-1\t0");
    assert_lua(&f, "Unit.world_position(r, 4).x < 1000 and Unit.world_position(r, 4).x > -1000",
               "true");
    run_lua(&f, "MeshComponent.oobb(mc, l, 'lid') Unit.box(c) "
                "World.load_level(w, 'levels/yard', nil, nil, Vector3(0, -1, 1))");
}

// --- All of them ---------------------------------------------------------------------------------

// Modules of values, which may be any numbers.
static bool is_of_values(const char *module) {
    static const char *const modules[] = {
        "Color",         "Float32Array", "Math",       "Matrix4x4", "Profiler",
        "Quaternion",    "Vector2",      "Vector3",    "Vector4",   "Matrix4x4Box",
        "QuaternionBox", "Vector2Box",   "Vector3Box", "Vector4Box"};
    for (uint32_t i = 0; i < CT_COUNT_OF(modules); ++i) {
        if (strcmp(modules[i], module) == 0)
            return true;
    }
    return false;
}

static bool is_pose(const ct_signature_part *part) {
    const bool is_result = strcmp(part->name, "result") == 0 ||
                           strcmp(part->name, "distances") == 0 || strcmp(part->name, "hits") == 0;
    const bool is_any = strstr(part->type, "boolean") != NULL; // Application.set_render_setting
    return !is_result && !is_any &&
           (strstr(part->type, "Vector3") || strstr(part->type, "Quaternion") ||
            strstr(part->type, "Matrix4x4") || strstr(part->type, "Float32Array"));
}

// Functions for units and levels that only the compiler makes: their tests in `compiled` try them.
static bool is_tried_elsewhere(const char *function) {
    static const char *const functions[] = {"GameSession.set_interest",
                                            "Level.is_point_inside_volume",
                                            "Level.spline_nearest",
                                            "Mover.fits_at",
                                            "Mover.move",
                                            "Mover.set_position",
                                            "PluginComponent.set_numbers",
                                            "RenderDataComponent.set_property",
                                            "RenderDataComponent.set_property_by_id",
                                            "SoundWorld.play",
                                            "SoundWorld.render", // a result
                                            "ShadingEnvironment.set_vector2",
                                            "ShadingEnvironment.set_vector3",
                                            "UnitSynchronizer.spawn_unit",
                                            "Replay.record_debug_line",
                                            "Replay.record_world_debug_text",
                                            "Unit.mover_fits_at",
                                            "World.create_navigation_mesh"};
    // tests/script/navigation/test_api_navigation_poses.c
    if (strncmp(function, "Navigation", strlen("Navigation")) == 0)
        return true;
    for (uint32_t i = 0; i < CT_COUNT_OF(functions); ++i) {
        if (strcmp(functions[i], function) == 0)
            return true;
    }
    return false;
}

// Whether argument `i` is tried.
static bool is_tried(const char *function, uint32_t i) {
    if (is_tried_elsewhere(function))
        return true;
    for (uint32_t c = 0; c < CT_COUNT_OF(calls); ++c) {
        const char *const argument = calls[c].arguments[i];
        if (strcmp(calls[c].function, function) == 0 && argument &&
            value_of(argument) < CT_COUNT_OF(values))
            return true;
    }
    return false;
}

static void has_all_functions_that_take_poses(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    for (uint32_t m = 0; m < count; ++m) {
        for (uint32_t k = 0; k < modules[m]->num_functions && !is_of_values(modules[m]->name);
             ++k) {
            char function[128];
            ct_signature s;
            snprintf(function, sizeof(function), "%s.%s", modules[m]->name,
                     modules[m]->functions[k].name);
            assert_true(ct_signature_parse(modules[m]->functions[k].signature, &s, NULL));
            for (uint32_t i = 0; i < s.num_arguments; ++i) {
                if (is_pose(&s.arguments[i]) && !is_tried(function, i))
                    fail_msg("argument %u of %s is not tried", i + 1, function);
            }
        }
    }
}

// Local poses are finite, but what they multiply to need not be: whoever looks at it takes that.
static void lives_with_scales_that_multiply_to_infinity(void **state) {
    (void)state;
    recorded()->takes_any_pose = true;
    run_lua(&f,
            "U = {} for i = 1, 6 do U[i] = World.spawn_unit(W, 'units/robot', Vector3(i, 0, 0)) "
            "  if i > 1 then World.link_unit(W, U[i], 1, U[i - 1], i % 2 == 0 and 1 or 3) end "
            "end "
            "function all(f) for i = 1, 6 do f(U[i]) end end "
            "function scale(by) all(function(u) Unit.set_local_scale(u, 1, Vector3(by, -by, by)) "
            "  Unit.set_local_rotation(u, 1, Quaternion(Vector3(0, 1, 1), 1)) "
            "  Unit.set_local_scale(u, 2, Vector3(by, by, by)) end) World.update(W, 1) end "
            "mc, found = EntityManager.mesh_component(W), {} scale(1e30)");
    assert_lua(&f,
               "Vector3.is_valid(Unit.world_position(U[1], 1)), "
               "Vector3.is_valid(Unit.world_position(U[6], 1)), "
               "Vector3.is_valid(Unit.world_position(U[6], 4)), "
               "Matrix4x4.is_valid(Unit.world_pose(U[6], 1))",
               "true\tfalse\tfalse\tfalse");
    run_lua(&f,
            "b = Broadphase(1, 10) for i = 1, 6 do Broadphase.add(b, U[i], Vector3(i, 0, 0), 0) "
            "end all(function(u) "
            "  Unit.box(u) Unit.world_rotation(u, 1) Unit.world_scale(u, 4) "
            "  Unit.mesh_pick_raycast(u, Vector3(0, 0, 0), Vector3(1, 0, 0), 1e6, true) "
            "  Camera.world_to_screen(Unit.camera(u, 1), Vector3(1, 1, 0)) "
            "  Camera.screen_to_world(Unit.camera(u, 1), Vector3(1, 1, 0), 5) "
            "  Camera.inside_frustum(Unit.camera(u, 1), Vector3(1, 1, 0)) "
            "end) "
            "Broadphase.move_to_units(b)");
    // Who is nowhere stays where it was, is hit by nothing, and keeps its local pose.
    assert_lua(&f,
               "Broadphase.query(b, Vector3(6, 0, 0), 0.1, found), found[1] == U[6], "
               "Unit.mesh_pick_raycast(U[6], Vector3(-9, 0, 3), Vector3(1, 0, 0), 1e6, true)",
               "1\ttrue\tnil");
    assert_lua(&f, "World.state_hash(W) == World.state_hash(W)", "true");
    run_lua(&f,
            "before = Vector3Box(Unit.local_position(U[4], 1)) World.unlink_unit(W, U[4]) "
            "TransformComponent.link_in_place(EntityManager.transform_component(W), U[4], U[3]) "
            "assert(Vector3.equal(Unit.local_position(U[4], 1), before:unbox()))");
    // It is there again when the scales are.
    run_lua(&f, "scale(1)");
    assert_lua(&f, "Vector3.is_valid(Unit.world_position(U[6], 4))", "true");
    run_lua(&f, "scale(1e30) World.destroy_unit(W, U[1]) World.destroy_unit(W, U[5]) "
                "World.update(W, 1)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refuses_what_is_no_pose, set_up_calls, tear_down),
        cmocka_unit_test_setup_teardown(takes_what_is_one, set_up_calls, tear_down),
        cmocka_unit_test_setup_teardown(takes_scales_that_mirror_or_make_flat, set_up_calls,
                                        tear_down),
        cmocka_unit_test(has_all_functions_that_take_poses),
        cmocka_unit_test_setup_teardown(lives_with_scales_that_multiply_to_infinity, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
