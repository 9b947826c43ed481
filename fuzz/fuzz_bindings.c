// Lua bindings: any function of any module, called with any arguments, returns or raises a Lua
// error. The input is read as calls: a module, a function, and what to pass, among it what earlier
// calls gave. Left out are functions that wait.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/script_modules.h"
#include "script/script_private.h"
#include "support/fake_engine.h"
#include "support/input_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUM_KEPT = FAKE_ENGINE_MAX_KEPT, MAX_ARGUMENTS = 9, NUM_CALLS = 500 };

// --- Reading the input ---------------------------------------------------------------------------

static double next_number(void) {
    static const double numbers[] = {
        0,   1,    2,   3,    -1,        0.5,       1e-30,   1e30,        1e300,      -1e300,
        255, 1000, 1e6, 1e10, INFINITY,  -INFINITY, NAN,     4294967296., 2147483648, 1.5,
        32,  33,   64,  65,   16777216., 0x1p53,    -0x1p63, 3.14159,
    };
    return numbers[next_byte() % CT_COUNT_OF(numbers)];
}

static const char *next_string(void) {
    static const char *const strings[] = {"",
                                          "units/crate",
                                          "default",
                                          "Units\\Crate",
                                          "\xff\xfe",
                                          "x",
                                          "position",
                                          "mesh",
                                          "transform",
                                          "fixed",
                                          "a",
                                          "left",
                                          "cursor",
                                          "%s%n",
                                          "units/robot",
                                          "units/bare",
                                          "levels/yard",
                                          "materials/oak",
                                          "wood",
                                          "iron",
                                          "textures/rose",
                                          "packages/late",
                                          "n1",
                                          "n3",
                                          "settings",
                                          "config",
                                          "saves",
                                          "saves/a.save",
                                          "../x",
                                          "gate",
                                          "strength",
                                          "tint",
                                          "quality",
                                          "user_settings.json",
                                          "raw",
                                          "circular",
                                          "keyboard",
                                          "\xc3\x84\xe2\x82\xac",
                                          "jump",
                                          "move",
                                          "zoom",
                                          "menu",
                                          "pad.a",
                                          "keyboard.space",
                                          "fonts/plain",
                                          "immediate",
                                          "scale",
                                          "width",
                                          "markup",
                                          "align",
                                          "shadow",
                                          "borders",
                                          "<u>a</u> b\nc",
                                          "\xd7\x90\xd8\xa8 1 a"};
    return strings[next_byte() % CT_COUNT_OF(strings)];
}

static ct_vec3 next_vector(void) {
    return ct_vec3_make((float)next_number(), (float)next_number(), (float)next_number());
}

static void push_matrix(lua_State *L) {
    ct_mat4 m = ct_mat4_identity();
    const uint32_t changes = next_byte() % 4;
    for (uint32_t i = 0; i < changes; ++i)
        m.col[next_byte() % 4].raw[next_byte() % 4] = (float)next_number();
    ct_push_matrix4x4(L, &m);
}

// Index 1 of the stack holds the table of what earlier calls gave.
static void push_kept(lua_State *L) {
    lua_rawgeti(L, 1, (int)(next_byte() % NUM_KEPT) + 1);
}

static void push_temporary(lua_State *L) {
    const ct_vec3 v = next_vector();
    switch (next_byte() % 6) {
    case 0:
        ct_push_vector2(L, (ct_vec2){{v.x, v.y}});
        break;
    case 1:
        ct_push_vector4(L, (ct_vec4){{v.x, v.y, v.z, 1}});
        break;
    case 2:
        ct_push_quaternion(L, (ct_quat){{v.x, v.y, v.z, 1}});
        break;
    case 3:
        push_matrix(L);
        break;
    case 4:
        ct_push_id64(L, ct_string_id64_of(next_string()));
        break;
    default:
        ct_push_vector3(L, v);
        break;
    }
}

static void push_array(lua_State *L) {
    const int count = (int)(next_byte() % 5);
    lua_newtable(L);
    for (int i = 1; i <= count; ++i) {
        lua_pushnumber(L, next_number());
        lua_rawseti(L, -2, i);
    }
    push_kept(L);
    lua_rawseti(L, -2, count + 1);
    if (next_byte() % 2 == 0) { // an option by its name
        if (next_byte() % 2 == 0)
            push_temporary(L);
        else
            lua_pushnumber(L, next_number());
        lua_setfield(L, -2, next_string());
    }
    if (next_byte() % 2 == 0) { // a point
        push_temporary(L);
        lua_rawseti(L, -2, 1);
    }
    if (next_byte() % 4 == 0) { // a table in itself
        lua_pushvalue(L, -1);
        lua_setfield(L, -2, "self");
    }
}

static void push_argument(lua_State *L) {
    switch (next_byte() % 12) {
    case 0:
        lua_pushnil(L);
        break;
    case 1:
        lua_pushboolean(L, next_byte() & 1);
        break;
    case 2:
    case 3:
        lua_pushnumber(L, next_number());
        break;
    case 4:
        lua_pushstring(L, next_string());
        break;
    case 5:
    case 6:
        push_temporary(L);
        break;
    case 7:
        ct_push_id32(L, ct_string_id32_of(next_string()));
        break;
    case 8:
        push_array(L);
        break;
    case 9: // any bits at all
        lua_pushlightuserdata(
            L, (void *)(uintptr_t)((uint64_t)next_byte() << 31 | next_byte() << 12 | next_byte()));
        break;
    default:
        push_kept(L);
        break;
    }
}

// --- Calling -------------------------------------------------------------------------------------

static bool is_left_out(const char *module, const char *function) {
    return strcmp(module, "Application") == 0 && strcmp(function, "sleep") == 0;
}

// Pushes a function of a module as scripts see it; false for those that are left out.
static bool push_function(lua_State *L) {
    uint32_t num_modules;
    const ct_lua_module *const *modules = ct_script_modules(&num_modules);
    const ct_lua_module *module = modules[next_byte() % num_modules];
    const uint32_t place = next_byte() % (module->num_functions + (module->call ? 1 : 0) + 1);
    lua_getglobal(L, module->name);
    if (place >= module->num_functions)
        return module->call; // the table itself
    lua_getfield(L, -1, module->functions[place].name);
    lua_remove(L, -2);
    return !is_left_out(module->name, module->functions[place].name);
}

// One call; what it gives first is kept.
static int call_once(lua_State *L) {
    if (!push_function(L))
        return 0;
    const int count = (int)(next_byte() % (MAX_ARGUMENTS + 1));
    for (int i = 0; i < count; ++i)
        push_argument(L);
    lua_call(L, count, 1);
    if (!lua_isnil(L, -1))
        lua_rawseti(L, 1, (int)(next_byte() % NUM_KEPT) + 1);
    return 0;
}

// What players do, as the system reports it.
static void feed_input(ct_input *in) {
    const ct_input_device device = (ct_input_device)(next_byte() % CT_INPUT_NUM_DEVICES);
    switch (next_byte() % 8) {
    case 0:
        ct_input_feed_connected(in, device, next_string());
        break;
    case 1:
        ct_input_feed_disconnected(in, device);
        break;
    case 2:
        ct_input_feed_button(in, device, next_byte(), next_byte() & 1);
        break;
    case 3:
        ct_input_feed_value(in, device, next_byte(), (float)next_number());
        break;
    case 4:
        ct_input_feed_axis(in, device, next_byte() % 8, next_vector(), next_byte() & 1);
        break;
    case 5:
        ct_input_feed_text(in, next_string());
        break;
    case 6:
        ct_input_feed_touch(in, (ct_touch_phase)(next_byte() % 4), next_byte(),
                            (ct_vec2){{(float)next_number(), (float)next_number()}},
                            (float)next_number());
        break;
    default:
        ct_input_feed_keystroke(in, next_byte());
    }
}

// Ends the frame, and begins the next.
static void run_frame(const fake_engine *e) {
    uint32_t num_events = next_byte() % 8;
    ct_input_begin_frame(e->script->input);
    for (; num_events > 0; --num_events)
        feed_input(e->script->input);
    ct_actions_update(e->script->actions, 1.0 / 60);
    ct_resource_manager_update(e->resources, e->script->lua.frame_count);
    ct_script_update(e->script, 1.0 / 60);
    fake_engine_end_frame();
}

static void run_calls(const fake_engine *e) {
    ct_script *const s = e->script;
    lua_State *L = s->lua.lua;
    for (uint32_t i = 0; i < NUM_CALLS; ++i) {
        lua_pushcfunction(L, call_once);
        lua_pushvalue(L, 1);
        ct_lua_call(&s->lua, 1, 0);
        CT_ASSERT(lua_gettop(L) == 1, "%d values on the stack", lua_gettop(L));
        if (next_byte() % 16 == 0)
            run_frame(e);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    start_input(data, size);
    const fake_engine *const e = fake_engine_start(&(ct_script_desc){0}, "");
    lua_getglobal(e->script->lua.lua, "Kept");
    run_calls(e);
    fake_engine_stop(); // asserts that nothing is left
    return 0;
}
