#include <string.h>

#include "foundation/container/sort.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/profiler/profiler.h"
#include "lua/lua_guards.h"
#include "script/behaviour/script_behaviour_private.h"

// Instances take their places, and hear what happened to them, between two calls.

// --- Names ---------------------------------------------------------------------------------------

enum { EVENTS_KEPT = 256 }; // at least, however long ago they were called

// What an event is found by: 60 bits of its name's hash, and the number of arguments, 8 at most.
static uint64_t key_of_event(const char *name, uint32_t num_arguments) {
    return (ct_string_id64_of(name).value << 4 | num_arguments) + 1;
}

// Makes room for an event; the strings come first, for which there may be no memory.
static uint32_t add_event(lua_State *L, ct_behaviours *b, const char *name, uint32_t num_arguments,
                          uint64_t key) {
    lua_pushstring(L, name);
    lua_pushfstring(L, "%s_all", name);
    ct_behaviour_event event = {.key = key, .num_arguments = num_arguments};
    event.all = ct_behaviours_keep(L, b);
    event.one = ct_behaviours_keep(L, b);
    uint32_t place = b->events.count;
    if (b->free_events.count) {
        place = b->free_events.items[--b->free_events.count];
        b->events.items[place] = event;
    } else {
        ct_array_push(&b->events, event);
    }
    ct_hash_map_set(&b->event_places, key, place);
    return place;
}

uint32_t ct_behaviours_event(lua_State *L, ct_behaviours *b, const char *name,
                             uint32_t num_arguments) {
    const uint64_t key = key_of_event(name, num_arguments);
    const uint64_t *const known = ct_hash_map_find(&b->event_places, key);
    ++b->num_calls;
    if (!known)
        return add_event(L, b, name, num_arguments, key);
    b->events.items[*known].is_called_again = true;
    return (uint32_t)*known;
}

// Gives back the name of an event and the loops that behaviours have for it.
static void forget_event(lua_State *L, ct_behaviours *b, uint32_t place) {
    ct_behaviour_event *const event = &b->events.items[place];
    for (uint32_t k = 0; k < b->behaviours.count; ++k) {
        ct_behaviour *const of = b->behaviours.items[k];
        if (place < of->loops.count) {
            ct_behaviours_drop(L, b, of->loops.items[place]);
            of->loops.items[place] = 0;
        }
    }
    ct_behaviours_drop(L, b, event->one);
    ct_behaviours_drop(L, b, event->all);
    ct_hash_map_erase(&b->event_places, event->key);
    *event = (ct_behaviour_event){0};
    ct_array_push(&b->free_events, place);
}

// Forgets events that were not called again since the last time, while no call has one in hand.
// That is after four times as many calls as there were events: up to 4 * EVENTS_KEPT that are
// called in turn stay.
static void forget_events(lua_State *L, ct_behaviours *b) {
    if (b->event_places.count <= EVENTS_KEPT || b->num_calls < b->num_calls_kept)
        return;
    for (uint32_t i = 0; i < b->events.count; ++i) {
        ct_behaviour_event *const event = &b->events.items[i];
        if (event->key && !event->is_called_again)
            forget_event(L, b, i);
        event->is_called_again = false;
    }
    const uint32_t count = b->event_places.count;
    b->num_calls = 0;
    b->num_calls_kept = 4 * (count > EVENTS_KEPT ? count : EVENTS_KEPT);
}

// --- Entries from outside ------------------------------------------------------------------------

// While one is held, a world does not end.
static ct_behaviours *enter_hold(lua_State *L, ct_behaviours *b) {
    ct_lua_check_c_stack(L);
    luaL_checkstack(L, 16, "too many calls of behaviours");
    if (b->holds == 0)
        forget_events(L, b);
    ++b->holds;
    return b;
}

static void leave_hold(ct_behaviours *const *b) {
    --(*b)->holds;
}

// --- Loading -------------------------------------------------------------------------------------

// Drops the loops, so that LuaJIT compiles them again with the new functions.
static void forget_loops(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    for (uint32_t k = 0; k < of->loops.count; ++k) {
        ct_behaviours_drop(L, b, of->loops.items[k]);
        of->loops.items[k] = 0;
    }
}

// Takes what the script returned, on top, as the functions of the behaviour.
static void take_functions(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    lua_pushliteral(L, "reuses_tables");
    lua_rawget(L, -2);
    ct_behaviour_set_reuse(L, b, of, lua_toboolean(L, -1));
    lua_pop(L, 1);
    ct_behaviour_push_metatable(L, b, of);
    lua_getfield(L, -1, "__index");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -4);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 3);
    if (of->functions)
        ct_behaviours_drop(L, b, of->functions);
    of->functions = ct_behaviours_keep(L, b);
    forget_loops(L, b, of);
    of->state = CT_BEHAVIOUR_STATE_LOADED;
}

static void log_unloaded(ct_behaviours *b, ct_behaviour *of) {
    ct_script *const s = b->script;
    ct_string_builder_addf(&s->lua.error_message,
                           "\nthe instances of the behaviour %s wait until a script is saved",
                           of->name);
    of->state = CT_BEHAVIOUR_STATE_FAILED;
    ct_lua_log_error(&s->lua);
}

// Takes what the script returned, on top; logs when it is no table.
static void take_result(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    ct_script *const s = b->script;
    if (lua_istable(L, -1)) {
        take_functions(L, b, of);
        return;
    }
    ct_string_builder_clear(&s->lua.error_message);
    ct_string_builder_clear(&s->lua.error_traceback);
    // `require` gives true for a script that returned nothing.
    const bool is_nothing = lua_isboolean(L, -1) && lua_toboolean(L, -1);
    const void *const blob = ct_resource_manager_get(s->lua.resources, "lua", of->script);
    const char *const guess = ct_lua_push_return_guess(L, blob);
    ct_string_builder_addf(&s->lua.error_message, CT_LUA_NO_BEHAVIOUR, of->name,
                           is_nothing ? "nothing" : ct_value_type_name(L, -2), guess);
    s->lua.error_place.line = 0;
    lua_pop(L, 2);
    log_unloaded(b, of);
}

// Requires the behaviour's script; an error is logged, and it is not tried again.
static void load(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    lua_pushcfunction(L, ct_lua_require);
    lua_pushstring(L, of->name);
    if (ct_lua_call_in(L, 1, 1) == 0)
        take_result(L, b, of);
    else
        log_unloaded(b, of);
}

void ct_behaviours_load(lua_State *L, ct_behaviours *b) {
    CT_CLEANUP(leave_hold) ct_behaviours *const held = enter_hold(L, b);
    for (uint32_t k = 0; k < held->behaviours.count; ++k) {
        ct_behaviour *const of = held->behaviours.items[k];
        const bool has_instances = of->waiting.count || of->live.count;
        if (has_instances && of->state == CT_BEHAVIOUR_STATE_NONE)
            load(L, held, of);
    }
}

// --- Places --------------------------------------------------------------------------------------

static void push_selves(lua_State *L, ct_behaviours *b, int *reference) {
    if (!*reference) {
        lua_newtable(L);
        *reference = ct_behaviours_keep(L, b);
    }
    ct_behaviours_push(L, b, *reference);
}

// Fills holes with the last, while no function runs.
static void fill_holes(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    if (of->holes.count == 0 || b->depth > 0)
        return;
    push_selves(L, b, &of->selves);
    for (uint32_t k = 0; k <= of->holes.count; ++k) {
        while (of->live.count && of->live.items[of->live.count - 1] == 0) {
            lua_pushnil(L);
            lua_rawseti(L, -2, (int)of->live.count--);
        }
        const uint32_t hole = k < of->holes.count ? of->holes.items[k] : UINT32_MAX;
        if (hole > of->live.count)
            continue;
        const uint32_t last = of->live.items[of->live.count - 1];
        lua_rawgeti(L, -1, (int)of->live.count);
        lua_rawseti(L, -2, (int)hole);
        of->live.items[hole - 1] = last;
        b->place[last] = hole;
        of->live.items[of->live.count - 1] = 0; // goes in the next round
    }
    lua_pop(L, 1);
    of->holes.count = of->num_marked = 0;
    of->first_new = of->first_new ? 1 : 0; // they may be anywhere now
}

// Puts an instance that waits behind the live ones; it is still in `waiting`. What may fail for
// lack of memory comes first.
static void enlist(lua_State *L, ct_behaviours *b, ct_behaviour *of, uint32_t i) {
    push_selves(L, b, &of->selves);
    ct_behaviour_push_self(L, b, i);
    lua_rawseti(L, -2, (int)of->live.count + 1);
    lua_pop(L, 1);
    ct_array_push(&of->live, i);
    b->place[i] = of->live.count;
    b->flags[i] |= CT_BEHAVIOUR_FLAG_LIVE;
    if (!(b->flags[i] & CT_BEHAVIOUR_FLAG_SPAWNED) && !of->first_new)
        of->first_new = of->live.count;
}

// All that wait take their places, in their order.
static void enlist_all(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    if (of->waiting.count == 0 || of->state != CT_BEHAVIOUR_STATE_LOADED)
        return;
    push_selves(L, b, &of->selves);
    for (uint32_t k = 0; k < of->waiting.count; ++k) { // makes tables, and room for all
        ct_behaviour_push_self(L, b, of->waiting.items[k]);
        lua_rawseti(L, -2, (int)(of->live.count + k + 1));
    }
    lua_pop(L, 1);
    for (uint32_t k = 0; k < of->waiting.count; ++k)
        enlist(L, b, of, of->waiting.items[k]);
    of->waiting.count = 0;
}

// --- Events of a life ----------------------------------------------------------------------------

static ct_behaviour_call call_of(ct_behaviours *b, ct_behaviour *of, uint32_t event,
                                 int first_argument) {
    return (ct_behaviour_call){.behaviours = b,
                               .behaviour = of,
                               .event = event,
                               .selves = of->selves,
                               .at = b->at,
                               .is_live = true,
                               .first_argument = first_argument};
}

// The first place from `place` on of an instance that has not heard `spawned`, up to the live ones'
// end; past it when there is none.
static uint32_t find_new(const ct_behaviours *b, const ct_behaviour *of, uint32_t place,
                         bool is_new) {
    for (; place <= of->live.count; ++place) {
        const uint32_t i = of->live.items[place - 1];
        if (i && !(b->flags[i] & CT_BEHAVIOUR_FLAG_SPAWNED) == is_new)
            break;
    }
    return place;
}

// A call of `spawned` with the places from `first` up to `end`.
typedef struct spawned_scope {
    ct_behaviours *behaviours;
    ct_behaviour *of;
    uint32_t first, end;
    uint32_t rest; // from this one on none has heard it
} spawned_scope;

static int at_of_spawning(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    if (of->num_spawning == of->spawning.count) {
        lua_createtable(L, 1, 0);
        ct_array_push(&of->spawning, (ct_behaviour_spawning){.at = ct_behaviours_keep(L, b)});
    }
    return of->spawning.items[of->num_spawning].at;
}

static spawned_scope enter_spawned(ct_behaviours *b, ct_behaviour *of, uint32_t first, uint32_t end,
                                   int at) {
    ct_behaviour_set_place_in_hand(b, at, 0);
    for (uint32_t place = first; place < end; ++place) {
        const uint32_t i = of->live.items[place - 1];
        b->flags[i] |= i ? CT_BEHAVIOUR_FLAG_SPAWNED | CT_BEHAVIOUR_FLAG_NEW : 0;
    }
    of->spawning.items[of->num_spawning++] = (ct_behaviour_spawning){first, end, at};
    return (spawned_scope){b, of, first, end, first};
}

// After an error that ended the call those that have not heard it are to hear it again.
static void leave_spawned(const spawned_scope *scope) {
    ct_behaviour *const of = scope->of;
    for (uint32_t place = scope->first; place < scope->end; ++place) {
        const uint32_t unheard = place >= scope->rest ? CT_BEHAVIOUR_FLAG_SPAWNED : 0;
        scope->behaviours->flags[of->live.items[place - 1]] &= ~(CT_BEHAVIOUR_FLAG_NEW | unheard);
    }
    if (scope->rest < scope->end && (!of->first_new || of->first_new > scope->rest))
        of->first_new = scope->rest;
    --of->num_spawning;
}

static void call_spawned(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    if (!of->first_new)
        return;
    ct_behaviour_call call = call_of(b, of, ct_behaviours_event(L, b, "spawned", 0), 0);
    while (of->first_new && of->state == CT_BEHAVIOUR_STATE_LOADED) {
        call.at = at_of_spawning(L, b, of); // the last that may fail
        const uint32_t first = find_new(b, of, of->first_new, true);
        const uint32_t end = find_new(b, of, first, false);
        of->first_new = end <= of->live.count ? end : 0;
        CT_CLEANUP(leave_spawned) spawned_scope scope = enter_spawned(b, of, first, end, call.at);
        call.rest = &scope.rest;
        ct_behaviour_run(L, &call, first, end - 1);
    }
}

// The fields of the table at `index`; of many, some.
static uint32_t count_fields(lua_State *L, int index) {
    enum { MOST = 64 };
    uint32_t count = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        if (++count == MOST) {
            lua_pop(L, 2);
            break;
        }
    }
    return count;
}

// Those that ended, while they hear of it.
typedef struct ended_scope {
    ct_behaviour *of;
    uint32_t count; // of `ended`; more may come
    uint32_t rest;  // of those that are to hear, the first that has not, from 1
} ended_scope;

// Nobody hears `destroyed` twice; those that have not are called in the next step.
static void leave_ended(const ended_scope *scope) {
    for (uint32_t k = 0, place = 1; k < scope->count; ++k) {
        ct_behaviour_ended *const ended = &scope->of->ended.items[k];
        if (ended->hears)
            ended->hears = place++ >= scope->rest;
    }
}

static void call_ended(lua_State *L, ct_behaviours *b, ct_behaviour *of, uint32_t num_hearing) {
    CT_CLEANUP(leave_ended) ended_scope scope = {of, of->ended.count, 1};
    const ct_behaviour_call call = {.behaviours = b,
                                    .behaviour = of,
                                    .event = ct_behaviours_event(L, b, "destroyed", 0),
                                    .selves = of->ended_selves,
                                    .at = b->at,
                                    .rest = &scope.rest};
    ct_behaviour_run(L, &call, 1, num_hearing);
}

// Gives back the tables of the first `count` that ended.
static void give_back(lua_State *L, ct_behaviours *b, ct_behaviour *of, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const int self = of->ended.items[k].self;
        of->ended.items[k].self = 0;
        if (self && of->reuses_tables)
            ct_behaviour_spare_self(L, b, of, self);
        else
            ct_behaviours_drop(L, b, self);
    }
    of->ended.count -= count;
    memmove(of->ended.items, of->ended.items + count, sizeof(*of->ended.items) * of->ended.count);
}

static bool are_to_hear(const ct_behaviour *of) {
    for (uint32_t k = 0; k < of->ended.count; ++k) {
        if (of->ended.items[k].hears)
            return true;
    }
    return false;
}

// Calls `destroyed`, and then gives back the tables. Those of a script that failed hear it when it
// is mended.
static void call_destroyed(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    const uint32_t count = of->ended.count;
    uint32_t num_hearing = 0;
    if (count == 0 || (of->state != CT_BEHAVIOUR_STATE_LOADED && are_to_hear(of)))
        return;
    push_selves(L, b, &of->ended_selves);
    const int selves = lua_gettop(L);
    for (uint32_t k = 0; k < count; ++k) {
        if (of->ended.items[k].hears) {
            ct_behaviours_push(L, b, of->ended.items[k].self);
            if (num_hearing == 0)
                of->num_fields = count_fields(L, lua_gettop(L));
            lua_rawseti(L, selves, (int)++num_hearing);
        }
    }
    if (of->num_ended_selves < num_hearing)
        of->num_ended_selves = num_hearing;
    call_ended(L, b, of, num_hearing);
    for (; of->num_ended_selves > 0; --of->num_ended_selves) {
        lua_pushnil(L);
        lua_rawseti(L, selves, (int)of->num_ended_selves);
    }
    lua_pop(L, 1);
    give_back(L, b, of, count);
}

// Returns whether the instance at this place gets events: its `spawned` was called. True for a
// hole.
static bool hears(const ct_behaviours *b, const ct_behaviour *of, uint32_t place) {
    const uint32_t i = of->live.items[place - 1];
    return !i || ((b->flags[i] & CT_BEHAVIOUR_FLAG_SPAWNED) && !ct_behaviour_is_unheard(b, i));
}

// Of places in a row, those up to `end` hear events, and those from there up to `next` do not.
typedef struct hearing_run {
    uint32_t end, next;
} hearing_run;

static hearing_run find_hearing(const ct_behaviours *b, const ct_behaviour *of, uint32_t first) {
    hearing_run run = {of->live.count + 1, of->live.count + 1};
    if (of->first_new) {
        run.end = find_new(b, of, first > of->first_new ? first : of->first_new, true);
        run.next = find_new(b, of, run.end, false);
    }
    for (uint32_t k = 0; k < of->num_spawning; ++k) {
        const ct_behaviour_spawning *const call = &of->spawning.items[k];
        const uint32_t place = ct_behaviour_place_in_hand(b, call->at);
        uint32_t unheard = place < call->first ? call->first : place + 1;
        unheard = unheard < first ? first : unheard;
        if (unheard < call->end && unheard < run.end)
            run = (hearing_run){unheard, call->end};
    }
    return run;
}

static void call_live(lua_State *L, ct_behaviours *b, ct_behaviour *of, uint32_t event,
                      int first_argument) {
    if (of->live.count == 0 || of->state != CT_BEHAVIOUR_STATE_LOADED)
        return;
    const ct_behaviour_call call = call_of(b, of, event, first_argument);
    const uint32_t count = of->live.count; // those that come now are not called
    for (uint32_t first = 1; first <= count;) {
        const hearing_run run = find_hearing(b, of, first);
        ct_behaviour_run(L, &call, first, run.end <= count ? run.end - 1 : count);
        first = run.next;
    }
}

void ct_behaviours_update(lua_State *L, ct_world *world, double dt) {
    ct_behaviours *const b = ct_behaviours_of(L, world);
    if (b->holds)
        ct_function_error(L, "behaviours of this world are being called");
    if (b->behaviours.count == 0)
        return;
    CT_PROFILER_SCOPE("behaviours");
    CT_CLEANUP(leave_hold) ct_behaviours *const held = enter_hold(L, b);
    const uint32_t count = held->behaviours.count; // those that come now begin in the next step
    lua_pushnumber(L, dt);
    const int argument = lua_gettop(L);
    for (uint32_t k = 0; k < count; ++k)
        call_destroyed(L, b, b->behaviours.items[k]);
    ct_behaviours_load(L, b);
    for (uint32_t k = 0; k < count; ++k) {
        fill_holes(L, b, b->behaviours.items[k]);
        enlist_all(L, b, b->behaviours.items[k]);
    }
    for (uint32_t k = 0; k < count; ++k)
        call_spawned(L, b, b->behaviours.items[k]);
    const uint32_t update = ct_behaviours_event(L, b, "update", 1);
    for (uint32_t k = 0; k < count; ++k)
        call_live(L, b, b->behaviours.items[k], update, argument);
    lua_pop(L, 1);
}

void ct_behaviours_end(lua_State *L, ct_world *world) {
    CT_CLEANUP(leave_hold) ct_behaviours *const b = enter_hold(L, ct_behaviours_of(L, world));
    while (ct_behaviour_count(b))
        ct_behaviour_destroy(b, ct_behaviour_count(b));
    for (uint32_t k = 0; k < b->behaviours.count; ++k)
        call_destroyed(L, b, b->behaviours.items[k]);
}

// --- Events of the game --------------------------------------------------------------------------

static void call_all_spawned(lua_State *L, ct_behaviours *b) {
    const uint32_t count = b->behaviours.count;
    for (uint32_t k = 0; k < count; ++k)
        call_spawned(L, b, b->behaviours.items[k]);
}

void ct_behaviours_broadcast(lua_State *L, ct_behaviours *b, const char *name, int first_argument,
                             uint32_t num_arguments) {
    CT_CLEANUP(leave_hold) ct_behaviours *const held = enter_hold(L, b);
    const uint32_t event = ct_behaviours_event(L, b, name, num_arguments);
    call_all_spawned(L, b); // some may still be to hear it when another's `spawned` sends this
    const uint32_t count = held->behaviours.count;
    for (uint32_t k = 0; k < count; ++k)
        call_live(L, b, b->behaviours.items[k], event, first_argument);
}

// Those of the instances that wait take their places.
static void enlist_some(lua_State *L, ct_behaviours *b, const uint32_t *instances, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = instances[k];
        ct_behaviour *const of = ct_behaviour_at(b, b->behaviour[i]);
        if (!b->place[i] || (b->flags[i] & CT_BEHAVIOUR_FLAG_LIVE) ||
            of->state != CT_BEHAVIOUR_STATE_LOADED)
            continue;
        ct_behaviour_push_self(L, b, i);
        lua_pop(L, 1);
        push_selves(L, b, &of->selves);
        lua_pushboolean(L, false);
        lua_rawseti(L, -2, (int)of->live.count + 1); // makes room
        lua_pop(L, 1);
        ct_behaviour_withdraw(b, i);
        enlist(L, b, of, i);
    }
}

void ct_behaviours_spawned(lua_State *L, ct_behaviours *b, const uint32_t *instances,
                           uint32_t count) {
    CT_CLEANUP(leave_hold) ct_behaviours *const held = enter_hold(L, b);
    enlist_some(L, held, instances, count);
    call_all_spawned(L, held);
}

typedef struct order_scope {
    ct_behaviours *behaviours;
    uint32_t count; // of `order` further out
} order_scope;

static void leave_order(const order_scope *scope) {
    scope->behaviours->order.count = scope->count;
}

// Adds behaviour and place of those instances that have one, in their order.
static void add_order(ct_behaviours *b, const uint32_t *instances, uint32_t count) {
    const uint32_t base = b->order.count;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = instances[k];
        if (b->flags[i] & CT_BEHAVIOUR_FLAG_LIVE)
            ct_array_push(&b->order, (uint64_t)b->behaviour[i] << 32 | b->place[i]);
    }
    ct_array_resize(&b->order_scratch, b->order.count);
    ct_sort_u64(b->order.items + base, b->order_scratch.items, b->order.count - base);
}

// Calls the neighbours from place `k` of `order` on; returns the place behind them.
static uint32_t call_neighbours(lua_State *L, ct_behaviours *b, uint32_t k, uint32_t end,
                                uint32_t event, int first_argument) {
    const uint64_t first = b->order.items[k];
    uint64_t last = first;
    ct_behaviour *const of = ct_behaviour_at(b, (uint32_t)(first >> 32));
    if (!hears(b, of, (uint32_t)first))
        return k + 1;
    while (++k < end && b->order.items[k] <= last + 1 && hears(b, of, (uint32_t)b->order.items[k]))
        last = b->order.items[k]; // one may stand there twice
    const ct_behaviour_call call = call_of(b, of, event, first_argument);
    if (of->state == CT_BEHAVIOUR_STATE_LOADED)
        ct_behaviour_run(L, &call, (uint32_t)first, (uint32_t)last);
    return k;
}

void ct_behaviours_dispatch(lua_State *L, ct_behaviours *b, const char *name,
                            const uint32_t *instances, uint32_t count, int first_argument,
                            uint32_t num_arguments) {
    CT_CLEANUP(leave_hold) ct_behaviours *const held = enter_hold(L, b);
    const uint32_t event = ct_behaviours_event(L, b, name, num_arguments);
    enlist_some(L, b, instances, count);
    CT_CLEANUP(leave_order) const order_scope scope = {held, b->order.count};
    add_order(b, instances, count); // places stay: only a step of the world fills holes
    const uint32_t end = b->order.count;
    call_all_spawned(L, b);
    for (uint32_t k = scope.count; k < end;)
        k = call_neighbours(L, b, k, end, event, first_argument);
}

void ct_behaviours_dispatch_to(lua_State *L, ct_behaviours *b, const char *name, ct_entity e,
                               int first_argument, uint32_t num_arguments) {
    CT_TEMP_ALLOCATOR(temp, b->allocator);
    ct_u32_array all;
    ct_array_init(&all, temp);
    for (uint32_t i = ct_behaviour_first(b, e); i; i = ct_behaviour_next(b, i))
        ct_array_push(&all, i);
    if (all.count)
        ct_behaviours_dispatch(L, b, name, all.items, all.count, first_argument, num_arguments);
}

// --- Reload --------------------------------------------------------------------------------------

typedef struct saved_script {
    ct_behaviours *behaviours;
    ct_string_id64 script;
} saved_script;

static void renew(lua_State *L, ct_behaviours *b, ct_behaviour *of) {
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, -1, of->name);
    lua_remove(L, -2);
    take_result(L, b, of);
}

static int reload(lua_State *L) {
    const saved_script *const saved = ct_lua_run_data(L);
    CT_CLEANUP(leave_hold) ct_behaviours *const b = enter_hold(L, saved->behaviours);
    const uint32_t num_enabled = ct_behaviours_enable_failed(b);
    if (num_enabled)
        ct_log_info("lua", "%u instances of behaviours that errors had disabled run again",
                    num_enabled);
    ct_behaviour *const of = ct_behaviours_find(b, saved->script);
    if (!of || !of->functions)
        return 0; // what never had functions gets them in the next step
    renew(L, b, of);
    fill_holes(L, b, of);
    enlist_all(L, b, of);
    call_spawned(L, b, of);
    if (of->state == CT_BEHAVIOUR_STATE_LOADED)
        call_live(L, b, of, ct_behaviours_event(L, b, "reloaded", 0), 0);
    return 0;
}

static void retry(ct_behaviours *b) {
    for (uint32_t k = 0; k < b->behaviours.count; ++k) {
        ct_behaviour *const of = b->behaviours.items[k];
        if (of->state == CT_BEHAVIOUR_STATE_FAILED)
            of->state = CT_BEHAVIOUR_STATE_NONE;
    }
}

void ct_behaviours_retry(ct_script *s) {
    for (uint32_t k = 0; k < ct_world_system_num_worlds(s->worlds); ++k) {
        ct_behaviours *const b = ct_behaviours_in(ct_world_system_world(s->worlds, k));
        if (b)
            retry(b);
    }
}

bool ct_behaviours_have(const ct_script *s, ct_string_id64 script) {
    for (uint32_t k = 0; k < ct_world_system_num_worlds(s->worlds); ++k) {
        const ct_behaviours *const b = ct_behaviours_in(ct_world_system_world(s->worlds, k));
        const ct_behaviour *const of = b ? ct_behaviours_find(b, script) : NULL;
        if (of && of->functions)
            return true;
    }
    return false;
}

void ct_behaviours_reload(ct_script *s, ct_string_id64 script) {
    ct_behaviours_retry(s);
    for (uint32_t k = 0; k < ct_world_system_num_worlds(s->worlds); ++k) {
        saved_script saved = {ct_behaviours_in(ct_world_system_world(s->worlds, k)), script};
        if (saved.behaviours && !ct_lua_run(&s->lua, reload, &saved))
            ct_lua_log_error(&s->lua);
    }
}
