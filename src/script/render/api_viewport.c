#include "script/render/api_viewport.h"
#include "script/entity/api_data.h"

extern const ct_lua_module ct_api_viewport;

static void end(lua_State *L, void *object, uint64_t data) {
    (void)data;
    ct_script_drop_data(L, ct_data_key_of_object(object));
    ct_free_sized(ct_lua_of(L)->allocator, object, sizeof(ct_script_viewport));
}

const ct_lua_object_type ct_type_viewport = {
    .name = "Viewport", .owner = CT_LUA_OWNER_DATA, .end = end};

static ct_script_viewport *check_viewport(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_viewport, NULL);
}

static int get_data(lua_State *L) {
    return ct_script_get_data(L, ct_data_key_of_object(check_viewport(L)), 2);
}

static int has_data(lua_State *L) {
    return ct_script_has_data(L, ct_data_key_of_object(check_viewport(L)), 2);
}

static int set_data(lua_State *L) {
    return ct_script_set_data(L, ct_data_key_of_object(check_viewport(L)), 2);
}

// Checks the argument after `start`, a length that is to end at 1 at most.
static float check_extent(lua_State *L, int argument, float start) {
    const float extent = (float)ct_check_number(L, argument);
    if (!(extent > 0 && start + extent <= 1.00001f))
        ct_argument_error(L, argument, "expected a fraction above 0 and up to %g, got %g",
                          (double)(1 - start), (double)extent);
    return extent;
}

static float check_start(lua_State *L, int argument) {
    const double start = ct_check_number(L, argument);
    if (!(start >= 0 && start < 1))
        ct_argument_error(L, argument, "expected a fraction from 0 to below 1, got %g", start);
    return (float)start;
}

static int set_rect(lua_State *L) {
    ct_script_viewport *const viewport = check_viewport(L);
    const float x = check_start(L, 2), y = check_start(L, 3);
    const float width = check_extent(L, 4, x), height = check_extent(L, 5, y);
    viewport->rectangle[0] = x;
    viewport->rectangle[1] = y;
    viewport->rectangle[2] = width;
    viewport->rectangle[3] = height;
    return 0;
}

static const ct_lua_function functions[] = {
    {"get_data", get_data, "(self: Viewport, indices: any(integer,string)+) -> any",
     "Returns the value stored with the viewport under these indices, or nil."},
    {"has_data", has_data, "(self: Viewport, indices: any(integer,string)+) -> boolean",
     "Returns whether a value is stored with the viewport under these indices."},
    {"set_data", set_data, "(self: Viewport, indices: any(integer,string)+, value: any) -> nil",
     "Stores a value with the viewport under one or more indices."},
    {"set_rect", set_rect,
     "(self: Viewport, x: number, y: number, width: number, height: number) -> nil",
     "Sets the part of the back buffer to draw into, as fractions from the top left."},
};

const ct_lua_module ct_api_viewport = {
    .name = "Viewport",
    .doc = "How and where a world is rendered. Make one with Application.create_viewport.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
