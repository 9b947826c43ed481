// lua_debugger_fixture.h: a script environment with a debugger that notes where it stops. Include once in a
// program.
#pragma once
#include "lua/debugger/lua_debugger.h"
#include "script/fake_host.h"

enum { MAX_STOPS = 4096 };

typedef struct noted_stop {
    ct_lua_stop_reason reason;
    char script[64];
    uint32_t line, breakpoint, num_breakpoints;
    char text[256];
} noted_stop;

static script_fixture f;
static ct_lua_debugger *debugger;

static struct {
    noted_stop stops[MAX_STOPS];
    uint32_t num_stops;
    const ct_lua_step *steps; // what the first stops are followed by; the others go on
    uint32_t num_steps;
    void (*inside)(uint32_t number, const ct_lua_stop *stop); // from 0; or NULL
    char logged[4096], loaded[1024];
} seen;

static inline void note_stop(void *user, ct_lua_debugger *d, const ct_lua_stop *stop) {
    (void)user;
    const uint32_t number = seen.num_stops;
    assert_true(ct_lua_debugger_is_stopped(d));
    assert_true(number < MAX_STOPS);
    noted_stop *const noted = &seen.stops[seen.num_stops++];
    *noted = (noted_stop){.reason = stop->reason,
                          .line = stop->place.line,
                          .num_breakpoints = stop->num_breakpoints,
                          .breakpoint = stop->num_breakpoints ? stop->breakpoints[0] : 0};
    snprintf(noted->script, sizeof(noted->script), "%.60s", stop->place.script);
    snprintf(noted->text, sizeof(noted->text), "%.250s", stop->text);
    if (seen.inside)
        seen.inside(number, stop);
    if (number < seen.num_steps)
        ct_lua_debugger_go_on(d, seen.steps[number]);
}

static inline void note_log(void *user, ct_lua_debugger *d, uint32_t breakpoint,
                            const ct_lua_place *place, const char *text) {
    (void)user, (void)d;
    const size_t length = strlen(seen.logged);
    snprintf(seen.logged + length, sizeof(seen.logged) - length, "%u %s:%u %s\n", breakpoint,
             place->script, place->line, text);
}

static inline void note_loaded(void *user, ct_lua_debugger *d, const char *script, bool is_new,
                               const ct_lua_breakpoint_place *places, uint32_t num_places) {
    (void)user, (void)d;
    size_t length = strlen(seen.loaded);
    snprintf(seen.loaded + length, sizeof(seen.loaded) - length, "%s%s", is_new ? "+" : "*",
             script);
    for (uint32_t i = 0; i < num_places; ++i) {
        length = strlen(seen.loaded);
        snprintf(seen.loaded + length, sizeof(seen.loaded) - length, " %u@%s%u", places[i].id,
                 places[i].is_verified ? "" : "?", places[i].line);
    }
    length = strlen(seen.loaded);
    snprintf(seen.loaded + length, sizeof(seen.loaded) - length, "\n");
}

static inline void attach(ct_lua_debugger_desc desc) {
    memset(&seen, 0, sizeof(seen));
    desc.machine = &f.script->lua;
    desc.stopped = note_stop;
    desc.logged = note_log;
    desc.loaded = note_loaded;
    debugger = ct_lua_debugger_create(f.world.allocator, &desc);
}

static inline int set_up(void **state) {
    (void)state;
    f = start_script_with((ct_script_desc){.time_limit_seconds = 20, .stops_long_calls = true});
    attach((ct_lua_debugger_desc){0});
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    ct_lua_debugger_destroy(debugger);
    stop_script(&f);
    return 0;
}

#define DEBUGGER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

// Sets breakpoints without conditions on lines of main.lua: numbers 1, 2, ….
static inline void break_on(const uint32_t *lines, uint32_t count) {
    ct_lua_breakpoint b[64] = {{0}};
    for (uint32_t i = 0; i < count; ++i)
        b[i] = (ct_lua_breakpoint){.id = i + 1, .script = "main.lua", .line = lines[i]};
    ct_lua_debugger_set_breakpoints(debugger, b, count, NULL);
}
#define BREAK_ON(...)                                                                              \
    break_on((const uint32_t[]){__VA_ARGS__}, CT_COUNT_OF(((const uint32_t[]){__VA_ARGS__})))

#define STEPS(...)                                                                                 \
    (seen.steps = (const ct_lua_step[]){__VA_ARGS__},                                              \
     seen.num_steps = CT_COUNT_OF(((const ct_lua_step[]){__VA_ARGS__})))

// Fails unless the lines of the stops since the last call are these.
static inline void assert_lines(const uint32_t *lines, uint32_t count) {
    char got[1024] = "", wanted[1024] = "";
    for (uint32_t i = 0; i < seen.num_stops && i < 100; ++i)
        snprintf(got + strlen(got), sizeof(got) - strlen(got), " %u", seen.stops[i].line);
    for (uint32_t i = 0; i < count && i < 100; ++i)
        snprintf(wanted + strlen(wanted), sizeof(wanted) - strlen(wanted), " %u", lines[i]);
    if (seen.num_stops != count || strcmp(got, wanted) != 0)
        fail_msg("stopped %u times at%s\ninstead of %u times at%s", seen.num_stops, got, count,
                 wanted);
    seen.num_stops = 0;
}
#define ASSERT_LINES(...)                                                                          \
    assert_lines((const uint32_t[]){__VA_ARGS__}, CT_COUNT_OF(((const uint32_t[]){__VA_ARGS__})))

static inline void assert_no_stops(void) {
    assert_lines(NULL, 0);
}
