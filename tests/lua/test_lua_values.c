// Engine values: kinds, names, lifetimes, and what errors say of them.
#include "foundation/math/math.h"
#include "script/api_check.h"
#include "script/fake_host.h"
#include "script/script_private.h"
#include "script/world/api_component.h"

static script_fixture f;

static int set_up(void **state) {
    (void)state;
    f = start_script();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return 0;
}

// Makes a global of what a push function of the environment pushes.
static void set_global(const char *name) {
    lua_setglobal(f.script->lua.lua, name);
}

// A function of no module that checks its argument as bindings do.
static int takes_entity(lua_State *L) {
    lua_pushnumber(L, ct_check_entity(L, 1).id);
    return 1;
}
static int takes_entity_id(lua_State *L) {
    lua_pushnumber(L, ct_check_entity_id(L, 1).id);
    return 1;
}
static int takes_integer(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_integer(L, 1, 1, 3));
    return 1;
}
static int takes_number(lua_State *L) {
    lua_pushnumber(L, ct_check_number(L, 1));
    return 1;
}
static int takes_boolean(lua_State *L) {
    lua_pushboolean(L, ct_check_boolean(L, 1));
    return 1;
}
static int takes_string(lua_State *L) {
    lua_pushstring(L, ct_check_string(L, 1));
    return 1;
}
static int takes_pose(lua_State *L) {
    ct_push_vector3(L, ct_check_finite_vector3(L, 1));
    ct_push_quaternion(L, ct_check_finite_quaternion(L, 2));
    return 2;
}
static int takes_optional(lua_State *L) {
    ct_push_vector3(L, ct_optional_vector3(L, 1, ct_vec3_make(1, 2, 3)));
    return 1;
}
static int takes_camera(lua_State *L) {
    uint32_t which;
    const ct_entity e = ct_check_component(L, 1, &ct_component_camera.type, &which);
    lua_pushnumber(L, e.id);
    lua_pushnumber(L, which);
    return 2;
}
static int takes_level(lua_State *L) {
    uint64_t data;
    ct_check_object(L, 1, &ct_type_level, &data);
    lua_pushnumber(L, (lua_Number)data);
    return 1;
}

static void set_function(const char *name, lua_CFunction function) {
    lua_pushcfunction(f.script->lua.lua, function);
    set_global(name);
}

static ct_entity make_entity(const char *name) {
    ct_entity e;
    ct_entity_create(ct_world_system_entities(f.world.system), &e, 1);
    if (name)
        ct_debug_name_set(ct_world_system_debug_names(f.world.system), e, name);
    ct_push_entity(f.script->lua.lua, e);
    set_global("unit");
    return e;
}

static void gives_units_back(void **state) {
    (void)state;
    const ct_entity e = make_entity(NULL);
    set_function("id_of", takes_entity);
    char id[16];
    snprintf(id, sizeof(id), "%u", e.id);
    assert_lua(&f, "id_of(unit)", id);
    assert_lua(&f, "unit == unit", "true");
}

static void pushes_no_entity_as_nil(void **state) {
    (void)state;
    ct_push_entity(f.script->lua.lua, (ct_entity){0});
    set_global("unit");
    assert_lua(&f, "unit", "nil");
}

static void refuses_destroyed_units(void **state) {
    (void)state;
    const ct_entity e = make_entity(NULL);
    set_function("id_of", takes_entity);
    set_function("number_of", takes_entity_id);
    ct_entity_destroy(ct_world_system_entities(f.world.system), &e, 1);
    assert_lua_error(&f, "local id = id_of(unit)",
                     "console:1: id_of: argument 1: expected Unit, got a destroyed Unit");
    run_lua(&f, "number_of(unit)"); // takes dead ones
    assert_lua(&f, "Script.type_name(unit)", "Unit");
    assert_lua(&f, "unit", "Unit(destroyed)");
}

static void shows_units_by_debug_name(void **state) {
    (void)state;
    make_entity("crate");
    assert_lua(&f, "unit", "Unit(crate)");
    assert_lua(&f, "'a ' .. unit", "a Unit(crate)");
}

static void refuses_wrong_types_by_name(void **state) {
    (void)state;
    set_function("id_of", takes_entity);
    assert_lua_error(&f, "id_of(nil)", "expected Unit, got nil");
    assert_lua_error(&f, "id_of()", "expected Unit, got nil");
    assert_lua_error(&f, "id_of({})", "expected Unit, got table");
    assert_lua_error(&f, "id_of(Vector3(1, 2, 3))", "expected Unit, got Vector3");
    assert_lua_error(&f, "id_of(Vector3Box())", "expected Unit, got Vector3Box");
    assert_lua_error(&f, "id_of(IdString32('a'))", "expected Unit, got IdString32");
}

static void checks_integers(void **state) {
    (void)state;
    set_function("takes", takes_integer);
    assert_lua(&f, "takes(3)", "3");
    assert_lua_error(&f, "takes(4)", "expected an integer from 1 to 3, got 4");
    assert_lua_error(&f, "takes(0)", "expected an integer from 1 to 3, got 0");
    assert_lua_error(&f, "takes(1.5)", "expected an integer from 1 to 3, got 1.5");
    assert_lua_error(&f, "takes(0/0)", "expected an integer from 1 to 3, got");
    assert_lua_error(&f, "takes('1')", "expected integer, got string");
}

static void checks_numbers(void **state) {
    (void)state;
    set_function("takes", takes_number);
    assert_lua(&f, "takes(1.25)", "1.25");
    assert_lua_error(&f, "takes(1/0)", "expected a finite number, got inf");
    assert_lua_error(&f, "takes('1')", "expected number, got string");
}

static void checks_booleans_and_strings(void **state) {
    (void)state;
    set_function("takes_boolean", takes_boolean);
    set_function("takes_string", takes_string);
    assert_lua(&f, "takes_boolean(false)", "false");
    assert_lua_error(&f, "takes_boolean(nil)", "expected boolean, got nil");
    assert_lua(&f, "takes_string('a')", "a");
    assert_lua_error(&f, "takes_string(1)", "expected string, got number");
}

static void checks_poses(void **state) {
    (void)state;
    set_function("takes", takes_pose);
    assert_lua(&f, "takes(Vector3(1, 2, 3), Quaternion.from_elements(0, 0, 0, 2))",
               "Vector3(1, 2, 3)\tQuaternion(0, 0, 0, 1)");
    assert_lua_error(&f, "takes(Vector3(1, 0/0, 3), Quaternion.identity())",
                     "argument 1: expected a finite Vector3, got Vector3(1,");
    assert_lua_error(&f, "takes(Vector3(1, 2, 3), Quaternion.from_elements(0, 0, 0, 0))",
                     "argument 2: expected a rotation, got Quaternion(0, 0, 0, 0)");
    assert_lua_error(&f, "takes(Vector3(1, 2, 3), Quaternion.from_elements(1/0, 0, 0, 0))",
                     "argument 2: expected a rotation, got Quaternion(inf, 0, 0, 0)");
}

static void takes_defaults_for_what_is_absent(void **state) {
    (void)state;
    set_function("takes", takes_optional);
    assert_lua(&f, "takes()", "Vector3(1, 2, 3)");
    assert_lua(&f, "takes(Vector3(0, 0, 0))", "Vector3(0, 0, 0)");
    assert_lua_error(&f, "takes('1')", "argument 1: expected Vector3, got string");
}

static void gives_components_back(void **state) {
    (void)state;
    const ct_entity e = make_entity("tripod");
    set_function("takes", takes_camera);
    ct_push_component(f.script->lua.lua, &ct_component_camera.type, e, 31);
    set_global("camera");
    ct_push_component(f.script->lua.lua, &ct_component_light.type, e, 0);
    set_global("light");
    char expected[32];
    snprintf(expected, sizeof(expected), "%u\t31", e.id);
    assert_lua(&f, "takes(camera)", expected);
    assert_lua(&f, "camera", "Camera(tripod, 32)");
    assert_lua_error(&f, "takes(light)", "expected Camera, got Light");
    ct_entity_destroy(ct_world_system_entities(f.world.system), &e, 1);
    assert_lua_error(&f, "takes(camera)", "expected Camera, got a destroyed Camera");
}

// --- Objects -------------------------------------------------------------------------------------

static void push_level(uint64_t data, const char *name) {
    ct_push_object(f.script->lua.lua, &ct_type_level, f.world.world, data);
    set_global(name);
}

static void gives_one_handle_for_one_object(void **state) {
    (void)state;
    set_function("data_of", takes_level);
    push_level(5, "a");
    push_level(6, "b");
    push_level(5, "c");
    assert_lua(&f, "{a == c, a == b}", "{true, false}");
    assert_lua(&f, "{data_of(a), data_of(b)}", "{5, 6}");
    assert_lua(&f, "Script.type_name(a)", "Level");
}

static void refuses_released_objects(void **state) {
    (void)state;
    set_function("data_of", takes_level);
    push_level(5, "a");
    ct_release_object(&f.script->lua, &ct_type_level, f.world.world, 5);
    assert_lua_error(&f, "data_of(a)", "expected Level, got a destroyed Level");
    push_level(5, "b"); // in the same slot
    assert_lua(&f, "{a == b, data_of(b)}", "{false, 5}");
    assert_lua_error(&f, "data_of(a)", "expected Level, got a destroyed Level");
    assert_lua(&f, "a", "Level(destroyed)");
}

static void refuses_objects_of_another_kind(void **state) {
    (void)state;
    set_function("data_of", takes_level);
    ct_push_object(f.script->lua.lua, &ct_type_world, f.world.world, 0);
    set_global("world");
    assert_lua_error(&f, "data_of(world)", "expected Level, got World");
}

static void ignores_release_of_what_lua_never_saw(void **state) {
    (void)state;
    push_level(1, "a");
    ct_release_object(&f.script->lua, &ct_type_level, f.world.world, 2);
    set_function("data_of", takes_level);
    assert_lua(&f, "data_of(a)", "1");
}

// A slot is of one type for good: the type of an old handle is known whatever came since.
static void names_the_type_of_released_objects(void **state) {
    (void)state;
    set_function("data_of", takes_level);
    ct_push_object(f.script->lua.lua, &ct_type_world, f.world.world, 0);
    set_global("world");
    ct_release_object(&f.script->lua, &ct_type_world, f.world.world, 0);
    for (uint32_t i = 0; i < 10; ++i)
        push_level(100 + i, "level");
    assert_lua(&f, "world", "World(destroyed)");
    assert_lua_error(&f, "data_of(world)", "expected Level, got a destroyed World");
}

// Against a plain array: random pushes and releases of few objects, so that slots are reused.
static void keeps_handles_apart_under_reuse(void **state) {
    (void)state;
    enum { NUM_OBJECTS = 40 };
    uint64_t handles[NUM_OBJECTS] = {0};
    uint32_t random = 77;
    lua_State *const L = f.script->lua.lua;
    const uint32_t rounds = test_rounds(20000, 1000000);
    for (uint32_t i = 0; i < rounds; ++i) {
        const uint32_t k = test_random(&random) % NUM_OBJECTS;
        if (test_random(&random) % 3 == 0) {
            ct_release_object(&f.script->lua, &ct_type_world, f.world.world, k);
            assert_true(!handles[k] || !ct_object_of(&f.script->lua, handles[k]));
            handles[k] = 0;
            continue;
        }
        ct_push_object(L, &ct_type_world, f.world.world, k);
        const uint64_t handle = ct_value_at(L, -1);
        lua_pop(L, 1);
        assert_true(!handles[k] || handles[k] == handle);
        handles[k] = handle;
        const ct_lua_object *const slot = ct_object_of(&f.script->lua, handle);
        assert_non_null(slot);
        assert_int_equal(slot->data, k);
    }
}

static int push_many_objects(lua_State *L) {
    for (uint64_t i = 0; i < CT_MAX_OBJECTS; ++i) {
        ct_push_object(L, &ct_type_world, f.world.world, i);
        lua_pop(L, 1);
    }
    return 0;
}

static void refuses_more_objects_than_fit(void **state) {
    (void)state;
    set_function("push_many", push_many_objects);
    assert_lua_error(&f, "push_many()", "Lua already has 16383 engine objects");
}

// --- Temporaries ---------------------------------------------------------------------------------

static void refuses_temporaries_of_an_earlier_frame(void **state) {
    (void)state;
    run_lua(&f, "Script.set_temp_count(0) v = Vector3(1, 2, 3) id = IdString64('x')");
    ct_script_update(f.script, 0.1);
    assert_lua_error(&f, "local l = Vector3.length(v)",
                     "console:1: Vector3.length: argument 1 (vector): expected Vector3, got a "
                     "Vector3 of an earlier frame (keep it in a Vector3Box)");
    assert_lua_error(&f, "IdString64.to_hex(id)",
                     "got an IdString64 of an earlier frame (keep it in an IdString64Box)");
    assert_lua_error(&f, "v.x", "a Vector3 of an earlier frame");
    assert_lua_error(&f, "v + v", "got a Vector3 of an earlier frame");
    assert_lua(&f, "v", "Vector3(of an earlier frame)");
}

static void refuses_old_temporaries_though_their_places_are_used(void **state) {
    (void)state;
    assert_true(boot_script(&f,
                            "function update() new = Vector3(4, 5, 6)\n"
                            "if old then ok, message = pcall(Vector3.x, old) end old = new end"));
    assert_true(ct_script_update(f.script, 0.1));
    assert_true(ct_script_update(f.script, 0.1));
    assert_lua(&f, "ok", "false");
    assert_non_null(strstr(run_lua(&f, "message"), "of an earlier frame"));
}

static void keeps_temporaries_within_a_frame(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update() v = Vector3(1, 2, 3) end\n"
                                "function render() x = v.x end"));
    assert_true(ct_script_update(f.script, 0.1));
    assert_true(ct_script_render(f.script));
    assert_lua(&f, "x", "1");
}

static void grows_for_many_temporaries(void **state) {
    (void)state;
    assert_lua(&f,
               "(function() local t = {} for i = 1, 20000 do t[i] = Vector3(i, 0, 0) end\n"
               "local sum = 0 for i = 1, 20000 do sum = sum + t[i].x end return sum end)()",
               "200010000");
}

static void refuses_more_temporaries_than_a_frame_has(void **state) {
    (void)state;
    assert_lua_error(&f, "while true do Vector3(1, 2, 3) end",
                     "Vector3: a frame has at most 1048576 temporaries");
    assert_lua(&f, "Vector3(1, 2, 3)", "Vector3(1, 2, 3)"); // an error gives their places back
}

static void reuses_places_in_long_loops(void **state) {
    (void)state;
    assert_lua(&f,
               "(function() local n = Script.temp_count()\n"
               "for i = 1, 2000000 do Vector3(1, 2, 3) Script.set_temp_count(n) end\n"
               "return Script.temp_count() - n end)()",
               "0");
}

static void gives_places_back_after_the_console(void **state) {
    (void)state;
    const uint32_t before = f.script->lua.num_temporaries;
    run_lua(&f, "Matrix4x4.identity()");
    assert_int_equal(f.script->lua.num_temporaries, before);
}

static void refuses_temporaries_past_the_count(void **state) {
    (void)state;
    assert_lua_error(&f,
                     "local n = Script.temp_count() local m = Matrix4x4.identity()\n"
                     "Script.set_temp_count(n + 3) return Matrix4x4.x(m)",
                     "expected Matrix4x4, got a Matrix4x4 of an earlier frame");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(gives_units_back),
        TEST(pushes_no_entity_as_nil),
        TEST(refuses_destroyed_units),
        TEST(shows_units_by_debug_name),
        TEST(refuses_wrong_types_by_name),
        TEST(checks_integers),
        TEST(checks_numbers),
        TEST(checks_booleans_and_strings),
        TEST(checks_poses),
        TEST(takes_defaults_for_what_is_absent),
        TEST(gives_components_back),
        TEST(gives_one_handle_for_one_object),
        TEST(refuses_released_objects),
        TEST(refuses_objects_of_another_kind),
        TEST(ignores_release_of_what_lua_never_saw),
        TEST(names_the_type_of_released_objects),
        TEST(keeps_handles_apart_under_reuse),
        TEST(refuses_more_objects_than_fit),
        TEST(refuses_temporaries_of_an_earlier_frame),
        TEST(refuses_old_temporaries_though_their_places_are_used),
        TEST(keeps_temporaries_within_a_frame),
        TEST(grows_for_many_temporaries),
        TEST(refuses_more_temporaries_than_a_frame_has),
        TEST(reuses_places_in_long_loops),
        TEST(gives_places_back_after_the_console),
        TEST(refuses_temporaries_past_the_count),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
