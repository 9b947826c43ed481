#include <stddef.h>

#include "foundation/math/math.h"
#include "lua/lua_check.h"
#include "script/api_check.h"
#include "script/gui/api_gui.h"

// The functions of World that make and destroy GUIs, and their parameters.

typedef struct gui_options {
    bool immediate, on_top;
    ct_vec2 scale;
    ct_string_id32 layer;
    ct_string_id64 material, text_material;
} gui_options;

#define OPTION(name, kind, least, most)                                                            \
    { #name, CT_GUI_OPTION_KIND_##kind, offsetof(gui_options, name), least, most, NULL }

static const ct_gui_option screen_options[] = {
    OPTION(immediate, FLAG, 0, 0),         OPTION(layer, NAME, 0, 0),
    OPTION(material, MATERIAL, 0, 0),      OPTION(scale, VECTOR2, 1e-3f, 1e6f),
    OPTION(text_material, MATERIAL, 0, 0),
};

static const ct_gui_option world_options[] = {
    OPTION(immediate, FLAG, 0, 0),       OPTION(layer, NAME, 0, 0),
    OPTION(material, MATERIAL, 0, 0),    OPTION(on_top, FLAG, 0, 0),
    OPTION(scale, VECTOR2, 1e-3f, 1e6f), OPTION(text_material, MATERIAL, 0, 0),
};

static void end(lua_State *L, void *object, uint64_t data) {
    (void)L, (void)data;
    ct_gui_destroy(object);
}

const ct_lua_object_type ct_type_gui = {.name = "Gui", .owner = CT_LUA_OWNER_DATA, .end = end};

static ct_gui_system *system_of(lua_State *L) {
    ct_gui_system *const system = ct_script_of(L)->gui;
    if (!system)
        ct_function_error(L, "this program has no GUIs");
    return system;
}

// Makes a GUI and pushes it.
static int push_gui(lua_State *L, ct_world *world, ct_gui_desc *desc, const gui_options *options) {
    ct_gui_system *const system = system_of(L);
    desc->world = ct_world_render_world(world);
    desc->is_immediate = options->immediate;
    desc->is_on_top = options->on_top;
    desc->reference_width = options->scale.x;
    desc->reference_height = options->scale.y;
    desc->render_layer = options->layer;
    desc->material = options->material;
    desc->text_material = options->text_material;
    ct_check_object_room(L, &ct_type_gui);
    ct_gui *const gui = ct_gui_create(system, desc);
    ct_push_object(L, &ct_type_gui, gui, (uint64_t)(uintptr_t)world);
    return 1;
}

int ct_api_gui_create_screen(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_gui_desc desc = {.pose = ct_mat4_identity()};
    gui_options options = {0};
    int next = 2;
    const int type = lua_type(L, 2);
    if (type == LUA_TNUMBER || type == LUA_TNIL) { // else the options come first
        desc.x = lua_isnil(L, 2) ? 0 : (float)ct_check_number_in(L, 2, -1e6, 1e6);
        desc.y = lua_isnoneornil(L, 3) ? 0 : (float)ct_check_number_in(L, 3, -1e6, 1e6);
        next = 4;
    } else if (type != LUA_TNONE && type != LUA_TSTRING && type != LUA_TTABLE) {
        ct_argument_type_error(L, 2, "number, or options as string or table");
    }
    ct_gui_read_options(L, next, screen_options, CT_COUNT_OF(screen_options), &options);
    return push_gui(L, world, &desc, &options);
}

int ct_api_gui_create_world(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_gui_desc desc = {.is_world = true, .pose = ct_check_finite_matrix4x4(L, 2)};
    gui_options options = {0};
    desc.width = (float)ct_check_number_in(L, 3, 1e-6, 1e6);
    desc.height = (float)ct_check_number_in(L, 4, 1e-6, 1e6);
    ct_gui_read_options(L, 5, world_options, CT_COUNT_OF(world_options), &options);
    return push_gui(L, world, &desc, &options);
}

int ct_api_gui_destroy(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    ct_world *own;
    ct_gui *const gui = ct_check_gui(L, 2, &own);
    if (own != world)
        return ct_argument_error(L, 2, "expected a Gui of this world, got one of another world");
    ct_end_object(L, &ct_type_gui, gui, (uint64_t)(uintptr_t)world);
    return 0;
}

// The table of engine objects is the only list of GUIs.
int ct_api_gui_by_id(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const uint32_t number = (uint32_t)ct_check_integer(L, 2, 1, UINT32_MAX);
    const ct_lua *const m = ct_lua_of(L);
    for (uint32_t i = 1; i < m->objects.count; ++i) {
        const ct_lua_object *const slot = &m->objects.items[i];
        if (slot->type != &ct_type_gui || !slot->object || slot->data != (uint64_t)(uintptr_t)world)
            continue;
        if (ct_gui_number(slot->object) == number) {
            ct_push_object(L, &ct_type_gui, slot->object, slot->data);
            return 1;
        }
    }
    lua_pushnil(L);
    return 1;
}
