// Behaviours as a kind of saved worlds: their script, whether they are enabled, and what their functions
// `save` and `load` make of their fields.
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/temp_allocator.h"
#include "script/behaviour/script_behaviour.h"
#include "script/save/script_saves.h"
#include "world/save/world_save.h"

typedef struct behaviour_row {
    ct_string_id64 script;
    uint32_t is_enabled, padding;
    ct_saved_bytes state;
} behaviour_row;

static const ct_save_field fields[] = {
    {"script", CT_SAVE_KIND_ID64, offsetof(behaviour_row, script), sizeof(ct_string_id64)},
    {"enabled", CT_SAVE_KIND_U32, offsetof(behaviour_row, is_enabled), sizeof(uint32_t)},
    {"state", CT_SAVE_KIND_BYTES, offsetof(behaviour_row, state), sizeof(ct_saved_bytes)},
};

// --- Calls ---------------------------------------------------------------------------------------

// A call into Lua, whose errors must not leave the functions of the world.
typedef struct behaviour_call {
    ct_behaviours *behaviours;
    uint32_t instance;
    ct_entity entity;
    uint32_t id;
    ct_string_id64 script; // to create
    const uint8_t *state;  // to load; NULL: nothing was saved
    ct_byte_array *out;    // to save
} behaviour_call;

// Pushes a function of a behaviour and its table; false, and nothing, when it has no such function.
static bool push_function(lua_State *L, const behaviour_call *c, const char *name) {
    ct_behaviour_push_self(L, c->behaviours, c->instance);
    if (lua_type(L, -1) == LUA_TTABLE) {
        lua_getfield(L, -1, name);
        if (lua_isfunction(L, -1)) {
            lua_insert(L, -2);
            return true;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return false;
}

static int save_state(lua_State *L) {
    const behaviour_call *const c = lua_touserdata(L, 1);
    if (!push_function(L, c, "save"))
        return 0;
    lua_call(L, 1, 1);
    ct_save_write_lua(L, lua_gettop(L), "what save returned", 0, NULL, c->out);
    return 0;
}

// Calls of Lua may move the instance, or end it.
static uint32_t find_again(behaviour_call *c) {
    c->instance = ct_behaviour_with_id(c->behaviours, c->entity, c->id);
    return c->instance;
}

static int load_state(lua_State *L) {
    behaviour_call *const c = lua_touserdata(L, 1);
    ct_save_reader r = {c->state};
    // `spawned` comes first, as in the run that saved; also of one that was disabled later.
    ct_behaviour_enable(c->behaviours, c->instance, true);
    ct_behaviours_load(L, c->behaviours);
    if (find_again(c))
        ct_behaviours_spawned(L, c->behaviours, &c->instance, 1);
    if (!find_again(c) || !c->state)
        return 0;
    if (!ct_behaviour_is_enabled(c->behaviours, c->instance))
        luaL_error(L, "its function spawned failed");
    if (!push_function(L, c, "load"))
        return 0;
    ct_save_push_lua(L, &r, NULL);
    lua_call(L, 2, 0);
    return 0;
}

// Calls `spawned` of all that are new, before anything is restored that it may change.
static int spawn_all(lua_State *L) {
    const behaviour_call *const c = lua_touserdata(L, 1);
    ct_behaviours_load(L, c->behaviours);
    CT_TEMP_ALLOCATOR(temp, ct_script_of(L)->backing);
    ct_u32_array all;
    ct_array_init(&all, temp);
    for (uint32_t i = 1; i <= ct_behaviour_count(c->behaviours); ++i)
        ct_array_push(&all, i);
    ct_behaviours_spawned(L, c->behaviours, all.items, all.count);
    return 0;
}

// Makes an instance and calls its `spawned`.
static int create(lua_State *L) {
    behaviour_call *const c = lua_touserdata(L, 1);
    c->instance = ct_behaviour_create_of(c->behaviours, c->entity, c->id, c->script);
    ct_behaviours_load(L, c->behaviours);
    if (find_again(c))
        ct_behaviours_spawned(L, c->behaviours, &c->instance, 1);
    find_again(c);
    return 0;
}

static bool run(lua_State *L, lua_CFunction function, behaviour_call *c, ct_error *error) {
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, c);
    if (lua_pcall(L, 1, 0, 0) == 0)
        return true;
    const char *const message = lua_tostring(L, -1);
    ct_error_set(error, "%.400s", message ? message : "an error in Lua");
    lua_pop(L, 1);
    return false;
}

// --- The kind ------------------------------------------------------------------------------------

static ct_behaviours *of(const ct_world *w, void *user) {
    return ct_behaviours_of(user, (ct_world *)(uintptr_t)w);
}

static uint32_t behaviour_count(const ct_world *w, void *user) {
    return ct_behaviour_count(of(w, user));
}

static uint32_t behaviour_first(const ct_world *w, void *user, ct_entity e) {
    return ct_behaviour_first(of(w, user), e);
}

static uint32_t behaviour_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)e;
    return ct_behaviour_next(of(w, user), i);
}

static uint32_t behaviour_id(const ct_world *w, void *user, uint32_t i) {
    return ct_behaviour_id(of(w, user), i);
}

static void behaviour_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    ct_behaviours *const b = of(ct_world_saving_world(s), user);
    behaviour_row *const r = row;
    ct_byte_array *const state = ct_world_saving_scratch(s);
    behaviour_call call = {.behaviours = b, .instance = i, .out = state};
    ct_error error = {0};
    const behaviour_row now = {.script = ct_behaviour_script(b, i),
                               .is_enabled = !ct_behaviour_is_off(b, i)};
    const char *const name = ct_behaviour_script_name(b, i); // Lua may end it
    memcpy(r, &now, sizeof(now));
    (void)e;
    if (!run(user, save_state, &call, &error)) {
        state->count = 0;
        ct_log_warning("save", "behaviour_not_saved", "the behaviour \"%s\" is not saved: %s", name,
                       error.message);
    }
    if (state->count > 0)
        r->state = ct_world_save_bytes(s, state->items, state->count);
}

static bool behaviour_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                          ct_error *error) {
    ct_behaviours *const b = of(ct_world_loading_world(l), user);
    const behaviour_row *const r = row;
    if (ct_behaviour_script(b, i).value != r->script.value)
        return ct_error_set(error, "it has another script now");
    const bool has_state = r->state.size_bytes != UINT32_MAX && r->state.size_bytes > 0;
    if (!has_state && r->is_enabled && ct_behaviour_is_enabled(b, i))
        return true;
    behaviour_call call = {.behaviours = b,
                           .instance = i,
                           .entity = e,
                           .id = ct_behaviour_id(b, i),
                           .state = has_state ? ct_world_load_bytes(l, r->state) : NULL};
    const bool is_restored =
        (!has_state || ct_save_value_check(call.state, r->state.size_bytes, 0, error)) &&
        run(user, load_state, &call, error);
    if (!r->is_enabled && find_again(&call))
        ct_behaviour_enable(b, call.instance, false);
    return is_restored;
}

static void behaviour_begin(ct_world_loading *l, void *user) {
    behaviour_call call = {.behaviours = of(ct_world_loading_world(l), user)};
    ct_error error = {0};
    if (!run(user, spawn_all, &call, &error))
        ct_log_warning("save", "not_spawned", "behaviours of the loaded world are not spawned: %s",
                       error.message);
}

static uint32_t behaviour_add(ct_world_loading *l, void *user, ct_entity e, uint32_t id,
                              const void *row, ct_error *error) {
    ct_world *const world = ct_world_loading_world(l);
    const behaviour_row *const r = row;
    behaviour_call call = {
        .behaviours = of(world, user), .entity = e, .id = id, .script = r->script};
    const ct_component_manager *const manager =
        ct_component_registry_find(ct_world_registry(world), CT_ID32("script", 0x2cf63026));
    if (find_again(&call)) {
        ct_error_set(error, "it has another behaviour with the same id");
        return 0;
    }
    if (!ct_component_manager_has_room(manager, 1, error))
        return 0;
    return run(user, create, &call, error) ? call.instance : 0;
}

static void behaviour_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)e;
    ct_behaviour_destroy(of(w, user), i);
}

void ct_script_save_behaviours(lua_State *L, ct_world *world, struct ct_save_component *kind) {
    (void)world;
    *kind = (ct_save_component){.name = "script",
                                .fields = fields,
                                .num_fields = CT_COUNT_OF(fields),
                                .row_bytes = sizeof(behaviour_row),
                                .user = L,
                                .count = behaviour_count,
                                .first = behaviour_first,
                                .next = behaviour_next,
                                .id = behaviour_id,
                                .get = behaviour_get,
                                .set = behaviour_set,
                                .add = behaviour_add,
                                .remove = behaviour_remove,
                                .always_sets = true,
                                .begin = behaviour_begin};
}
