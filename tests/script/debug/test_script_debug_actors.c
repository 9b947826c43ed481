// What a debugger shows of actors: with physics, which test_script_debug_values.c has not.
#include "script/api_fixture.h"
#include "script/physics/physics_fixture.h"

#include "script/debug/script_debug_values.h"

static int part(lua_State *L) {
    const ct_lua_debugger_values v = ct_script_debug_values(f.script);
    const char *const name = lua_tostring(L, 2);
    if (!v.expand(v.user, L, 1))
        return 0;
    for (int i = 1;; i += 2) {
        lua_rawgeti(L, 3, i);
        if (lua_isnil(L, -1))
            return 0;
        if (strcmp(lua_tostring(L, -1), name) == 0)
            break;
        lua_pop(L, 1);
    }
    const int at = lua_gettop(L);
    int i = 1;
    for (;; i += 2) {
        lua_rawgeti(L, 3, i);
        if (lua_rawequal(L, -1, at))
            break;
        lua_pop(L, 1);
    }
    lua_rawgeti(L, 3, i + 1);
    return 1;
}

static int text(lua_State *L) {
    const ct_lua_debugger_values v = ct_script_debug_values(f.script);
    return v.describe(v.user, L, 1);
}

static void shows_actors(void **state) {
    (void)state;
    lua_register(f.script->lua.lua, "part", part);
    lua_register(f.script->lua.lua, "text", text);
    run_lua(&f, "a = ball(0, 0, 5) b = ball(3, 0, 5) ActorComponent.create_sphere(A, C, 'core', "
                "Matrix4x4.identity(), 0.5) "
                "c = Unit.actor(C, 1) World.update(W, 1 / 60)");
    assert_lua(&f, "part(a, 'unit')", "");
    assert_lua(&f, "part(a, 'gravity')", "1");
    assert_lua(&f, "part(a, 'velocity').z < 0", "true");
    assert_lua(&f, "part(b, 'position').x", "3");
    assert_lua(&f, "text(a)", "Actor of no unit");
    assert_lua(&f, "part(c, 'unit') == C", "true");
    assert_lua(&f, "part(part(C, 'actor'), 'body') == part(c, 'body')", "true");
    assert_lua(&f, "text(c):sub(1, 13)", "Actor of Unit");
    run_lua(&f, "World.destroy_unit(W, C) PhysicsWorld.destroy_actor(P, a)");
    assert_lua(&f, "part(a, 'unit'), part(c, 'unit')", "nil");
    assert_lua(&f, "text(a), text(c)", "nil");
}

int main(void) {
    const struct CMUnitTest tests[] = {PHYSICS_TEST(shows_actors)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
