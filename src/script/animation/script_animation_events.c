#include "script/animation/script_animation_events.h"

#include <string.h>

#include "animation/component/animation_component.h"
#include "foundation/log.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/profiler/profiler.h"
#include "script/behaviour/script_behaviour.h"

// --- Names ---------------------------------------------------------------------------------------

#define NAMES "cuttle.animation_names" // in the registry: texts by id

// A text that is looked for in the loaded resources.
typedef struct name_search {
    ct_string_id32 name;
    const char *text; // in the blob; NULL: not found yet
    uint32_t bytes;
} name_search;

static void take_if_it(name_search *s, ct_string_id32 name, const void *blob, ct_blob_string text) {
    if (s->text || name.value != s->name.value)
        return;
    s->text = ct_blob_at(blob, text.offset);
    s->bytes = text.bytes;
}

static void search_clip(void *user, ct_string_id64 name, const void *blob) {
    (void)name;
    const ct_animation_resource *const clip = blob;
    const ct_animation_event *const events = ct_blob_at(clip, clip->events.offset);
    for (uint32_t i = 0; i < clip->events.count; ++i)
        take_if_it(user, events[i].name, clip, events[i].name_text);
}

static void search_machine(void *user, ct_string_id64 name, const void *blob) {
    (void)name;
    const ct_state_machine_resource *const machine = blob;
    const ct_state_machine_state *const states = ct_blob_at(machine, machine->states.offset);
    for (uint32_t i = 0; i < machine->states.count; ++i) {
        const ct_state_machine_state *const state = &states[i];
        take_if_it(user, state->name, machine, state->name_text);
        take_if_it(user, state->enter_event, machine, state->enter_event_text);
        take_if_it(user, state->leave_event, machine, state->leave_event_text);
    }
}

// Pushes the text of an id from the loaded resources; returns whether one has it.
static bool push_found_name(lua_State *L, ct_string_id32 name) {
    const ct_resource_manager *const resources = ct_lua_of(L)->resources;
    name_search search = {.name = name};
    ct_resource_manager_each_online(resources, "state_machine", search_machine, &search);
    if (!search.text)
        ct_resource_manager_each_online(resources, "animation", search_clip, &search);
    if (search.text)
        lua_pushlstring(L, search.text, search.bytes);
    else
        lua_pushstring(L, ct_string_id32_name(name));
    return search.text != NULL;
}

static void push_names(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, NAMES);
    if (!lua_isnil(L, -1))
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, NAMES);
}

void ct_push_animation_name(lua_State *L, ct_string_id32 name) {
    luaL_checkstack(L, 5, NULL);
    if (!name.value) {
        lua_pushliteral(L, "");
        return;
    }
    push_names(L);
    lua_pushnumber(L, name.value);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        if (push_found_name(L, name)) {
            lua_pushnumber(L, name.value);
            lua_pushvalue(L, -2);
            lua_rawset(L, -4);
        }
    }
    lua_remove(L, -2);
}

// --- Log -----------------------------------------------------------------------------------------

static uint32_t find_logged(const ct_script *s, ct_entity e) {
    uint32_t i = 0;
    while (i < s->logged_characters.count && s->logged_characters.items[i].entity.id != e.id)
        ++i;
    return i;
}

void ct_script_set_animation_logging(lua_State *L, ct_entity e, bool is_on) {
    ct_script *const s = ct_script_of(L);
    const uint32_t i = find_logged(s, e);
    const bool was_on = i < s->logged_characters.count;
    if (is_on && !was_on)
        ct_array_push(&s->logged_characters, (ct_script_logged_character){.entity = e});
    else if (!is_on && was_on)
        ct_array_swap_erase(&s->logged_characters, i);
}

// The debug name of the character, or the resource of its unit.
static const char *name_of(const ct_script *s, ct_entity e) {
    const char *const name = ct_debug_name(ct_world_system_debug_names(s->worlds), e);
    const ct_world *const world = ct_world_of(s->worlds, e);
    return name && name[0]
               ? name
               : ct_string_id64_name(ct_world_unit_resource(world, ct_world_unit_of(world, e)));
}

void ct_script_log_animation_event(lua_State *L, ct_entity e, ct_string_id32 event) {
    const ct_script *const s = ct_script_of(L);
    if (find_logged(s, e) == s->logged_characters.count)
        return;
    ct_push_animation_name(L, event);
    ct_log_info("animation", "%s gets the event \"%s\"", name_of(s, e), lua_tostring(L, -1));
    lua_pop(L, 1);
}

// Logs the states that layers have entered since the last look.
static void log_states(lua_State *L, const ct_animation_manager *m,
                       ct_script_logged_character *logged) {
    const ct_animation_instance i = ct_animation_lookup(m, logged->entity);
    const ct_state_machine *const machine = i.index ? ct_animation_machine(m, i) : NULL;
    if (!machine)
        return;
    const ct_state_machine_resource *const r = ct_resource_manager_get(
        ct_lua_of(L)->resources, "state_machine", ct_animation_data_of(m, i).state_machine);
    for (uint32_t k = 0; r && k < r->layers.count && k < CT_COUNT_OF(logged->states); ++k) {
        float time, length;
        const ct_string_id32 state = ct_state_machine_layer_state(machine, k, &time, &length);
        if (state.value == logged->states[k].value)
            continue;
        logged->states[k] = state;
        ct_push_animation_name(L, state);
        ct_log_info("animation", "%s: layer %u is in the state \"%s\" at %g s",
                    name_of(ct_script_of(L), logged->entity), k + 1, lua_tostring(L, -1),
                    (double)time);
        lua_pop(L, 1);
    }
}

// Forgets the dead.
static void log_world(lua_State *L, ct_world *world) {
    ct_script *const s = ct_script_of(L);
    const ct_animation_manager *const m = ct_world_animations(world);
    for (uint32_t i = s->logged_characters.count; i-- > 0;) {
        const ct_entity e = s->logged_characters.items[i].entity;
        if (!ct_entity_is_alive(s->lua.entities, e))
            ct_array_swap_erase(&s->logged_characters, i);
        else if (ct_world_of(s->worlds, e) == world)
            log_states(L, m, &s->logged_characters.items[i]);
    }
}

static void log_out_event(lua_State *L, const ct_animation_out_event *event) {
    const ct_script *const s = ct_script_of(L);
    if (find_logged(s, event->entity) == s->logged_characters.count)
        return;
    ct_push_animation_name(L, event->name);
    ct_log_info("animation", "%s sends the event \"%s\" after %g s of the step",
                name_of(s, event->entity), lua_tostring(L, -1), (double)event->time);
    lua_pop(L, 1);
}

// --- To behaviours -------------------------------------------------------------------------------

// Calls the behaviours of the character's entity.
static void send(lua_State *L, ct_behaviours *b, const ct_animation_out_event *event) {
    if (!ct_behaviour_first(b, event->entity))
        return;
    luaL_checkstack(L, 8, NULL);
    const int first = lua_gettop(L) + 1;
    ct_push_animation_name(L, event->name);
    lua_pushnumber(L, (lua_Number)event->time);
    ct_behaviours_dispatch_to(L, b, "animation_event", event->entity, first, 2);
    lua_settop(L, first - 1);
}

void ct_script_send_animation_events(lua_State *L, ct_world *world) {
    const ct_animation_manager *const m = ct_world_animations(world);
    uint32_t count = 0;
    const ct_animation_out_event *const events = m ? ct_animation_events(m, &count) : NULL;
    if (m && ct_script_of(L)->logged_characters.count)
        log_world(L, world);
    if (!count)
        return;
    CT_PROFILER_SCOPE("animation_events");
    ct_behaviours *const b = ct_behaviours_of(L, world);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    // Functions of behaviours may do anything.
    ct_animation_out_event *const copies = ct_alloc(temp, sizeof(*copies) * (uint64_t)count);
    memcpy(copies, events, sizeof(*copies) * (size_t)count);
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_world_of(ct_script_of(L)->worlds, copies[i].entity) != world)
            continue; // an earlier event has destroyed it
        log_out_event(L, &copies[i]);
        send(L, b, &copies[i]);
    }
}
