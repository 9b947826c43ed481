// Behaviours whose instances do at random what they can to each other, beside a model of what each
// has to hear (behaviour_model.lua); and what the manager holds after each step.
#include "script/api_check.h"
#include "script/behaviour/behaviour_fixture.h"
#include "script/behaviour/script_behaviour_private.h"
#include "script/script_private.h"

enum { MOST_REFERENCES = 65536, NUM_ROUNDS = 200, ROUNDS_TO_A_SAVE = 37 };

// --- What the manager holds ----------------------------------------------------------------------

static uint8_t times[MOST_REFERENCES]; // that each reference is held
static uint32_t num_held;

static void hold(int reference) {
    if (reference == 0)
        return;
    assert_in_range(reference, 1, MOST_REFERENCES - 1);
    assert_int_equal(times[reference]++, 0);
    ++num_held;
}

static void hold_all_of(const ct_behaviour *of) {
    hold(of->functions);
    hold(of->metatable);
    hold(of->selves);
    hold(of->ended_selves);
    for (uint32_t k = 0; k < of->spares.count; ++k)
        hold(of->spares.items[k]);
    for (uint32_t k = 0; k < of->ended.count; ++k)
        hold(of->ended.items[k].self);
    for (uint32_t k = 0; k < of->spawning.count; ++k)
        hold(of->spawning.items[k].at);
    for (uint32_t k = 0; k < of->loops.count; ++k)
        hold(of->loops.items[k]);
}

static void hold_all(const ct_behaviours *b) {
    memset(times, 0, sizeof(times));
    num_held = 0;
    hold(b->at);
    hold(b->clear);
    for (uint32_t i = 1; i <= ct_behaviour_count(b); ++i)
        hold(b->self[i]);
    for (uint32_t k = 0; k < b->events.count; ++k) {
        hold(b->events.items[k].one);
        hold(b->events.items[k].all);
    }
    for (uint32_t k = 0; k < b->behaviours.count; ++k)
        hold_all_of(b->behaviours.items[k]);
}

// Each reference in use is held once; free ones are numbers.
static void check_references(lua_State *L, const ct_behaviours *b) {
    uint32_t num_used = 0;
    hold_all(b);
    lua_rawgeti(L, LUA_REGISTRYINDEX, b->references);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (lua_type(L, -1) == LUA_TNUMBER)
            continue;
        assert_int_equal(times[lua_tointeger(L, -2)], 1);
        ++num_used;
    }
    lua_pop(L, 1);
    assert_int_equal(num_used, num_held);
}

// Between two steps nothing is left of the calls.
static void check_manager(lua_State *L) {
    lua_getglobal(L, "W");
    const ct_behaviours *const b = ct_behaviours_in(ct_check_world(L, -1));
    lua_pop(L, 1);
    assert_int_equal(b->depth, 0);
    assert_int_equal(b->holds, 0);
    for (uint32_t i = 0; i <= ct_behaviour_count(b); ++i)
        assert_false(b->flags[i] & CT_BEHAVIOUR_FLAG_NEW);
    for (uint32_t k = 0; k < b->behaviours.count; ++k)
        assert_int_equal(b->behaviours.items[k]->num_spawning, 0);
    check_references(L, b);
}

// --- Playing -------------------------------------------------------------------------------------

static void load_model(uint32_t seed) {
    char path[2048], text[64];
    lua_State *const L = f.script->lua.lua;
    snprintf(path, sizeof(path), "%s/tests/script/behaviour/behaviour_model.lua",
             getenv("CUTTLE_SOURCE"));
    snprintf(text, sizeof(text), "math.randomseed(%u)", seed);
    run_lua(&f, text);
    if (luaL_dofile(L, path))
        fail_msg("%s", lua_tostring(L, -1));
    load_script(&f, "behaviours/plain", "return behaviour(false)");
    load_script(&f, "behaviours/reusing", "return behaviour(true)");
    load_script(&f, "behaviours/looping", "return behaviour_with_loops()");
}

static void play_round(const char *kind, uint32_t seed, uint32_t round) {
    lua_State *const L = f.script->lua.lua;
    char text[64];
    snprintf(text, sizeof(text), "play('%s')", kind);
    if (luaL_dostring(L, text))
        fail_msg("%s, seed %u, round %u: %s", kind, seed, round, lua_tostring(L, -1));
    lua_getglobal(L, "fault");
    if (!lua_isnil(L, -1))
        fail_msg("%s, seed %u, round %u: %s", kind, seed, round, lua_tostring(L, -1));
    lua_pop(L, 1);
    check_manager(L);
    if (round % ROUNDS_TO_A_SAVE == 0)
        reload_script(&f, "behaviours/reusing",
                      round % 2 ? "return behaviour(true)" : "return behaviour(false)");
    allow_memory(L); // those that came with the save may have asked to lack it
    logged[0] = 0;
}

static void play(const char *kind, const char *first) {
    const uint32_t num_seeds = test_rounds(4, 60);
    for (uint32_t seed = 1; seed <= num_seeds; ++seed) {
        void *state = NULL;
        set_up_behaviours(&state);
        load_model(seed);
        run_lua(&f, first);
        for (uint32_t round = 1; round <= NUM_ROUNDS; ++round)
            play_round(kind, seed, round);
        tear_down(&state);
    }
}

static void all_hear_what_they_have_to(void **state) {
    (void)state;
    play("well", "");
}

static void all_hear_what_they_have_to_beside_errors(void **state) {
    (void)state;
    play("errors", "");
}

// The compiler asks for memory when it likes.
static void all_hear_what_they_have_to_without_memory(void **state) {
    (void)state;
    play("memory", "jit.off() jit.flush()");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_hear_what_they_have_to),
        cmocka_unit_test(all_hear_what_they_have_to_beside_errors),
        cmocka_unit_test(all_hear_what_they_have_to_without_memory),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
