#include "script/behaviour/script_behaviour.h"

#include <string.h>

#include "foundation/memory/proxy_allocator.h"
#include "resource/load/resource_manager.h"
#include "resource/types/component_resource.h"
#include "script/api_check.h"
#include "script/behaviour/script_behaviour_private.h"

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(ct_behaviours, table),
    CT_SOA_ARRAY(ct_behaviours, behaviour),
    CT_SOA_ARRAY(ct_behaviours, place),
    CT_SOA_ARRAY(ct_behaviours, self),
    CT_SOA_ARRAY(ct_behaviours, flags),
};

// --- What is held in Lua -------------------------------------------------------------------------

void ct_behaviours_push(lua_State *L, const ct_behaviours *b, int reference) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, b->references);
    lua_rawgeti(L, -1, reference);
    lua_remove(L, -2);
}

int ct_behaviours_keep(lua_State *L, const ct_behaviours *b) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, b->references);
    lua_insert(L, -2);
    const int reference = luaL_ref(L, -2);
    lua_pop(L, 1);
    return reference;
}

void ct_behaviours_drop(lua_State *L, const ct_behaviours *b, int reference) {
    if (!reference)
        return;
    lua_rawgeti(L, LUA_REGISTRYINDEX, b->references);
    luaL_unref(L, -1, reference);
    lua_pop(L, 1);
}

void ct_behaviour_mark_holes(ct_behaviours *b, ct_behaviour *of) {
    lua_State *const L = b->script->lua.lua;
    if (of->num_marked == of->holes.count)
        return;
    ct_behaviours_push(L, b, of->selves);
    for (; of->num_marked < of->holes.count; ++of->num_marked) {
        lua_pushboolean(L, false);
        lua_rawseti(L, -2, (int)of->holes.items[of->num_marked]);
    }
    lua_pop(L, 1);
}

// --- Behaviours ----------------------------------------------------------------------------------

static uint32_t find_behaviour(const ct_behaviours *b, ct_string_id64 script) {
    return (uint32_t)ct_hash_map_get(&b->numbers, script.value, 0);
}

ct_behaviour *ct_behaviours_find(const ct_behaviours *b, ct_string_id64 script) {
    const uint32_t number = find_behaviour(b, script);
    return number ? ct_behaviour_at(b, number) : NULL;
}

static uint32_t add_behaviour(ct_behaviours *b, ct_string_id64 script, const char *name) {
    ct_behaviour *const x = CT_NEW(b->allocator, ct_behaviour);
    x->script = script;
    x->name = ct_copy_string(b->allocator, name);
    ct_array_init(&x->live, b->allocator);
    ct_array_init(&x->holes, b->allocator);
    ct_array_init(&x->waiting, b->allocator);
    ct_array_init(&x->ended, b->allocator);
    ct_array_init(&x->spares, b->allocator);
    ct_array_init(&x->spawning, b->allocator);
    ct_array_init(&x->loops, b->allocator);
    ct_array_push(&b->behaviours, x);
    ct_hash_map_set(&b->numbers, script.value, b->behaviours.count);
    return b->behaviours.count;
}

static void free_behaviour(ct_behaviours *b, ct_behaviour *x) {
    ct_array_free(&x->live);
    ct_array_free(&x->holes);
    ct_array_free(&x->waiting);
    ct_array_free(&x->ended);
    ct_array_free(&x->spares);
    ct_array_free(&x->spawning);
    ct_array_free(&x->loops);
    ct_free(b->allocator, x->name);
    ct_free_sized(b->allocator, x, sizeof(*x));
}

// --- Instances -----------------------------------------------------------------------------------

static void wait(ct_behaviours *b, uint32_t i) {
    ct_behaviour *const of = ct_behaviour_at(b, b->behaviour[i]);
    ct_array_push(&of->waiting, i);
    b->place[i] = of->waiting.count;
}

static uint32_t add(ct_behaviours *b, ct_entity e, uint32_t id, uint32_t number) {
    const uint32_t i = ct_instance_table_add(&b->table, e, id);
    b->behaviour[i] = number;
    wait(b, i);
    return i;
}

uint32_t ct_behaviour_create(ct_behaviours *b, ct_entity e, uint32_t id, const char *name) {
    const ct_string_id64 script = ct_string_id64_of(name);
    const uint32_t number = find_behaviour(b, script);
    return add(b, e, id, number ? number : add_behaviour(b, script, name));
}

// The number of a behaviour, which is made when it is new.
static uint32_t use_behaviour(ct_behaviours *b, ct_string_id64 script) {
    const uint32_t number = find_behaviour(b, script);
    if (number)
        return number;
    char name[CT_RESOURCE_NAME_BYTES];
    return add_behaviour(b, script, ct_lua_name_of(&b->script->lua, script, name));
}

uint32_t ct_behaviour_create_of(ct_behaviours *b, ct_entity e, uint32_t id, ct_string_id64 script) {
    return add(b, e, id, use_behaviour(b, script));
}

static void spawn(void *manager, const ct_component_spawn *spawn) {
    ct_behaviours *const b = manager;
    const ct_script_component_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    const uint32_t first = ct_instance_table_add_many(&b->table, spawn->owners, spawn->ids, count);
    memset(b->self + first, 0, sizeof(*b->self) * (size_t)count);
    memset(b->flags + first, 0, sizeof(*b->flags) * (size_t)count);
    ct_string_id64 script = {0};
    uint32_t number = 0; // of that script: instances of one script often follow each other
    for (uint32_t i = 0; i < count; ++i) {
        const ct_string_id64 own = data[ct_component_spawn_data(spawn, i)].script;
        if (number == 0 || script.value != own.value) {
            script = own;
            number = use_behaviour(b, script);
        }
        b->behaviour[first + i] = number;
        wait(b, first + i);
    }
}

uint32_t ct_behaviour_place_in_hand(const ct_behaviours *b, int at) {
    lua_State *const L = b->script->lua.lua;
    ct_behaviours_push(L, b, at);
    lua_rawgeti(L, -1, 1);
    const double place = lua_tonumber(L, -1);
    lua_pop(L, 2);
    return place >= 1 && place <= UINT32_MAX ? (uint32_t)place : 0;
}

void ct_behaviour_set_place_in_hand(const ct_behaviours *b, int at, uint32_t place) {
    lua_State *const L = b->script->lua.lua;
    ct_behaviours_push(L, b, at);
    lua_pushnumber(L, place);
    lua_rawseti(L, -2, 1);
    lua_pop(L, 1);
}

bool ct_behaviour_is_unheard(const ct_behaviours *b, uint32_t i) {
    if (!(b->flags[i] & CT_BEHAVIOUR_FLAG_NEW))
        return false;
    const ct_behaviour *const of = ct_behaviour_at(b, b->behaviour[i]);
    const ct_behaviour_spawning *call = &of->spawning.items[0];
    while (b->place[i] < call->first || b->place[i] >= call->end)
        ++call; // it stands in one of those that run
    return b->place[i] > ct_behaviour_place_in_hand(b, call->at);
}

void ct_behaviour_withdraw(ct_behaviours *b, uint32_t i) {
    ct_behaviour *const of = ct_behaviour_at(b, b->behaviour[i]);
    const uint32_t place = b->place[i];
    if (place == 0)
        return;
    if (b->flags[i] & CT_BEHAVIOUR_FLAG_LIVE) {
        if (ct_behaviour_is_unheard(b, i))
            b->flags[i] &= ~(uint32_t)CT_BEHAVIOUR_FLAG_SPAWNED; // when it is enabled again
        of->live.items[place - 1] = 0;
        ct_array_push(&of->holes, place);
        if (b->depth > 0)
            ct_behaviour_mark_holes(b, of);
        b->flags[i] &= ~(uint32_t)(CT_BEHAVIOUR_FLAG_LIVE | CT_BEHAVIOUR_FLAG_NEW);
    } else {
        ct_array_swap_erase(&of->waiting, place - 1);
        if (place <= of->waiting.count)
            b->place[of->waiting.items[place - 1]] = place;
    }
    b->place[i] = 0;
}

void ct_behaviour_fail(ct_behaviours *b, uint32_t i) {
    ct_behaviour_withdraw(b, i);
    b->num_failed += !(b->flags[i] & CT_BEHAVIOUR_FLAG_FAILED);
    b->flags[i] |= CT_BEHAVIOUR_FLAG_FAILED;
}

uint32_t ct_behaviours_enable_failed(ct_behaviours *b) {
    const uint32_t count = b->num_failed;
    for (uint32_t i = 1; b->num_failed; ++i) {
        if (!(b->flags[i] & CT_BEHAVIOUR_FLAG_FAILED))
            continue;
        b->flags[i] &= ~(uint32_t)CT_BEHAVIOUR_FLAG_FAILED;
        --b->num_failed;
        if (!(b->flags[i] & CT_BEHAVIOUR_FLAG_OFF))
            wait(b, i);
    }
    return count;
}

// Tells the lists that instance `i` has moved there.
static void follow(ct_behaviours *b, uint32_t i) {
    const ct_behaviour *const of = ct_behaviour_at(b, b->behaviour[i]);
    if (b->place[i] == 0)
        return;
    if (b->flags[i] & CT_BEHAVIOUR_FLAG_LIVE)
        of->live.items[b->place[i] - 1] = i;
    else
        of->waiting.items[b->place[i] - 1] = i;
}

// Takes instance `i` off the lists, before its place goes.
static void take_leave(ct_behaviours *b, uint32_t i) {
    ct_behaviour *const of = ct_behaviour_at(b, b->behaviour[i]);
    ct_behaviour_withdraw(b, i);
    const uint32_t flags = b->flags[i], off = CT_BEHAVIOUR_FLAG_FAILED | CT_BEHAVIOUR_FLAG_OFF;
    const bool hears = (flags & CT_BEHAVIOUR_FLAG_SPAWNED) && !(flags & off);
    if (b->self[i])
        ct_array_push(&of->ended, (ct_behaviour_ended){b->self[i], hears});
    b->num_failed -= (flags & CT_BEHAVIOUR_FLAG_FAILED) != 0;
}

void ct_behaviour_destroy(ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    take_leave(b, i);
    ct_instance_table_end(&b->table, i);
    if (i <= ct_behaviour_count(b))
        follow(b, i); // the last has taken its place
}

static void end_one_by_one(ct_behaviours *b, const ct_entity *entities, uint32_t count) {
    for (uint32_t k = 0; k < count && ct_behaviour_count(b); ++k) {
        uint32_t i;
        while ((i = ct_instance_table_first(&b->table, entities[k]))) {
            take_leave(b, i);
            ct_instance_table_erase(&b->table, i);
            if (i <= ct_behaviour_count(b))
                follow(b, i);
        }
    }
}

// Ends the instances of many entities, each listed once, in one pass; the others keep their order.
static void end_many(ct_behaviours *b, const ct_entity *entities, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t i = ct_instance_table_first(&b->table, entities[k]); i; i = b->table.next[i])
            take_leave(b, i);
    }
    if (ct_instance_table_mark(&b->table, entities, count) == 0)
        return;
    ct_instance_table_sweep(&b->table);
    for (uint32_t i = 1; i <= ct_behaviour_count(b); ++i)
        follow(b, i);
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_behaviours *const b = manager;
    if (ct_behaviour_count(b) > 0 && ct_instance_table_sweeps_for(&b->table, count))
        end_many(b, entities, count);
    else
        end_one_by_one(b, entities, count);
    ct_instance_table_forget(&b->table, entities, count);
}

uint32_t ct_behaviour_count(const ct_behaviours *b) {
    return ct_instance_table_count(&b->table);
}

uint32_t ct_behaviour_first(const ct_behaviours *b, ct_entity e) {
    return ct_instance_table_first(&b->table, e);
}

uint32_t ct_behaviour_next(const ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    return b->table.next[i];
}

uint32_t ct_behaviour_with_id(const ct_behaviours *b, ct_entity e, uint32_t id) {
    return ct_instance_table_with_id(&b->table, e, id);
}

uint32_t ct_behaviour_with_number(const ct_behaviours *b, ct_entity e, uint32_t number) {
    return ct_instance_table_with_number(&b->table, e, number, CT_INSTANCE_NUMBER_BITS);
}

uint32_t ct_behaviour_number(const ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    return b->table.number[i];
}

ct_entity ct_behaviour_entity(const ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    return b->table.entity[i];
}

uint32_t ct_behaviour_id(const ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    return b->table.id[i];
}

static const ct_behaviour *behaviour_of(const ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    return ct_behaviour_at(b, b->behaviour[i]);
}

ct_string_id64 ct_behaviour_script(const ct_behaviours *b, uint32_t i) {
    return behaviour_of(b, i)->script;
}

const char *ct_behaviour_script_name(const ct_behaviours *b, uint32_t i) {
    return behaviour_of(b, i)->name;
}

bool ct_behaviour_is_enabled(const ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    return !(b->flags[i] & (CT_BEHAVIOUR_FLAG_FAILED | CT_BEHAVIOUR_FLAG_OFF));
}

bool ct_behaviour_is_off(const ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    return b->flags[i] & CT_BEHAVIOUR_FLAG_OFF;
}

void ct_behaviour_enable(ct_behaviours *b, uint32_t i, bool is_enabled) {
    const bool was_enabled = ct_behaviour_is_enabled(b, i);
    if (!is_enabled) {
        if (was_enabled)
            ct_behaviour_withdraw(b, i);
        b->flags[i] |= CT_BEHAVIOUR_FLAG_OFF; // also after an error: then it stays disabled
        return;
    }
    if (was_enabled)
        return;
    b->num_failed -= (b->flags[i] & CT_BEHAVIOUR_FLAG_FAILED) != 0;
    b->flags[i] &= ~(uint32_t)(CT_BEHAVIOUR_FLAG_FAILED | CT_BEHAVIOUR_FLAG_OFF);
    wait(b, i);
}

// --- The table of an instance --------------------------------------------------------------------

// Members that an instance does not have are looked up in a table of the behaviour in this world,
// which has the world, and then in the table that the script returned. This keeps the instance's
// own table small, and its loop fast.
void ct_behaviour_push_metatable(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    if (!of->metatable) {
        lua_createtable(L, 0, 1);
        lua_createtable(L, 0, 1);
        ct_push_object(L, &ct_type_world, b->world, 0);
        lua_setfield(L, -2, "world");
        lua_createtable(L, 0, 1); // its own, whose __index comes when the script has run
        lua_setmetatable(L, -2);
        lua_setfield(L, -2, "__index");
        of->metatable = ct_behaviours_keep(L, b);
    }
    ct_behaviours_push(L, b, of->metatable);
}

// Pushes the table of an instance that has none yet: a spare one, which has room, or a new one.
// Returns its reference, or 0.
static int push_table(lua_State *L, ct_behaviours *b, const ct_behaviour *of) {
    if (of->spares.count == 0) {
        lua_createtable(L, 0, 1 + (int)of->num_fields);
        return 0;
    }
    const int reference = of->spares.items[of->spares.count - 1];
    ct_behaviours_push(L, b, reference);
    return reference;
}

void ct_behaviour_push_self(lua_State *L, ct_behaviours *b, uint32_t i) {
    ct_instance_table_check(&b->table, i);
    if (b->self[i]) {
        ct_behaviours_push(L, b, b->self[i]);
        return;
    }
    ct_behaviour *const of = ct_behaviour_at(b, b->behaviour[i]);
    const int spare = push_table(L, b, of);
    ct_push_entity(L, b->table.entity[i]);
    lua_setfield(L, -2, "entity");
    ct_behaviour_push_metatable(L, b, of);
    lua_setmetatable(L, -2);
    if (spare) {
        b->self[i] = spare;
        --of->spares.count;
        return;
    }
    lua_pushvalue(L, -1);
    b->self[i] = ct_behaviours_keep(L, b);
}

void ct_behaviour_spare_self(lua_State *L, ct_behaviours *b, ct_behaviour *of, int reference) {
    ct_behaviours_push(L, b, b->clear);
    ct_behaviours_push(L, b, reference);
    lua_pushnil(L);
    lua_setmetatable(L, -2);
    lua_call(L, 1, 0);
    ct_array_push(&of->spares, reference);
}

void ct_behaviour_set_reuse(lua_State *L, ct_behaviours *b, ct_behaviour *of, bool reuses) {
    of->reuses_tables = reuses;
    while (!reuses && of->spares.count)
        ct_behaviours_drop(L, b, of->spares.items[--of->spares.count]);
}

// --- Life ----------------------------------------------------------------------------------------

static void destroy_manager(void *manager) {
    ct_behaviours *const b = manager;
    luaL_unref(b->script->lua.lua, LUA_REGISTRYINDEX, b->references);
    for (uint32_t i = 0; i < b->behaviours.count; ++i)
        free_behaviour(b, b->behaviours.items[i]);
    ct_array_free(&b->behaviours);
    ct_array_free(&b->events);
    ct_array_free(&b->free_events);
    ct_hash_map_free(&b->event_places);
    ct_array_free(&b->order);
    ct_array_free(&b->order_scratch);
    ct_hash_map_free(&b->numbers);
    ct_instance_table_free(&b->table);
    ct_allocator *const own = b->allocator, *const backing = b->script->lua.allocator;
    ct_proxy_allocator_destroy(own);
    ct_free_sized(backing, b, sizeof(*b));
}

ct_behaviours *ct_behaviours_in(ct_world *world) {
    const ct_component_manager *const found =
        ct_component_registry_find(ct_world_registry(world), CT_ID32("script", 0x2cf63026));
    return found ? found->manager : NULL;
}

static ct_behaviours *make_manager(ct_script *s, ct_world *world, int references) {
    ct_behaviours *const b = CT_NEW(s->lua.allocator, ct_behaviours);
    b->script = s;
    b->world = world;
    b->references = references;
    b->allocator = ct_proxy_allocator_create(s->lua.allocator, "script/behaviours");
    ct_instance_table_init(&b->table, b->allocator, b, arrays, CT_COUNT_OF(arrays),
                           CT_INSTANCE_LOOKUP_SPARSE);
    ct_array_init(&b->behaviours, b->allocator);
    ct_array_init(&b->events, b->allocator);
    ct_array_init(&b->free_events, b->allocator);
    ct_hash_map_init(&b->event_places, b->allocator);
    ct_array_init(&b->order, b->allocator);
    ct_array_init(&b->order_scratch, b->allocator);
    ct_hash_map_init(&b->numbers, b->allocator);
    const ct_component_manager entry = {.type_name = "script",
                                        .schema = ct_component_type_named("script")->schema,
                                        .manager = b,
                                        .instances = &b->table,
                                        .spawn = spawn,
                                        .entities_destroyed = entities_destroyed,
                                        .destroy = destroy_manager};
    ct_component_registry_add(ct_world_registry(world), &entry);
    return b;
}

ct_behaviours *ct_behaviours_of(lua_State *L, ct_world *world) {
    ct_behaviours *const found = ct_behaviours_in(world);
    if (found)
        return found;
    lua_newtable(L);
    lua_createtable(L, 1, 0);
    lua_pushnumber(L, 0);
    lua_rawseti(L, -2, 1);
    const int at = luaL_ref(L, -2);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_TABLE_CLEAR);
    const int clear = luaL_ref(L, -2);
    const int references = luaL_ref(L, LUA_REGISTRYINDEX); // the last that may fail
    ct_behaviours *const b = make_manager(ct_script_of(L), world, references);
    b->at = at;
    b->clear = clear;
    return b;
}

bool ct_behaviours_are_running(ct_world *world) {
    const ct_behaviours *const b = ct_behaviours_in(world);
    return b && b->holds > 0;
}
