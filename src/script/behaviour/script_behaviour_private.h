// script_behaviour_private.h: what the files of behaviours share.
//
// Each behaviour has an array in Lua of the tables of those instances that are called, without
// holes between two events; `live` says, in the same order, which instances they are. While
// functions run nothing moves there: who dies leaves `false`, who is new waits in `waiting`. What
// the manager holds in Lua lies in one table, `references`, as luaL_ref numbers it, so that it ends
// with that.
#pragma once
#include "entity/instance_table.h"
#include "foundation/container/array.h"
#include "script/behaviour/script_behaviour.h"
#include "script/script_private.h"

typedef enum ct_behaviour_flag {
    CT_BEHAVIOUR_FLAG_LIVE = 1,    // stands in `live`, else in `waiting` or, disabled, nowhere
    CT_BEHAVIOUR_FLAG_SPAWNED = 2, // `spawned` has been called, or is being: then it is new, too
    CT_BEHAVIOUR_FLAG_FAILED = 4,  // disabled by an error
    CT_BEHAVIOUR_FLAG_OFF = 8,     // disabled by the game
    CT_BEHAVIOUR_FLAG_NEW = 16,    // `spawned` of it and others is being called
} ct_behaviour_flag;

typedef enum ct_behaviour_state {
    CT_BEHAVIOUR_STATE_NONE, // the script was not asked for yet
    CT_BEHAVIOUR_STATE_LOADED,
    CT_BEHAVIOUR_STATE_FAILED, // until a script is saved
} ct_behaviour_state;

// An instance that ended and is to hear of it.
typedef struct ct_behaviour_ended {
    int self;
    bool hears; // `destroyed`; else only its table is given back
} ct_behaviour_ended;

// A call of `spawned` that runs: those beyond the place in hand have not heard it yet.
typedef struct ct_behaviour_spawning {
    uint32_t first, end; // places
    int at;              // as `at` of the manager: calls within have that one
} ct_behaviour_spawning;

// One behaviour of a world.
typedef struct ct_behaviour {
    ct_string_id64 script;
    char *name;
    ct_behaviour_state state;
    const char *profiler_name; // kept by the profiler; NULL while nothing was recorded
    int functions;             // the table that the script returned; 0: none yet
    int metatable;             // of the instances' tables
    int selves;                // the array of tables; 0: none yet
    int ended_selves;          // the same for `destroyed`
    uint32_t num_ended_selves; // what stands there: 0 unless a call has ended early
    ct_u32_array live;         // instances by place there, from place 1; 0: a hole
    ct_u32_array holes;        // places
    uint32_t num_fields;       // that the table of one had when it ended: room for those to come
    bool reuses_tables;        // as the script says
    CT_ARRAY(int) spares;      // emptied tables of those that ended, where it does
    uint32_t num_marked;       // holes, from the first, that are `false` in the array of tables
    ct_u32_array waiting;      // instances
    CT_ARRAY(ct_behaviour_spawning) spawning; // calls within calls; kept when they are through
    uint32_t num_spawning;                    // that run
    uint32_t first_new; // from this place on some may not have heard `spawned`; 0: none
    CT_ARRAY(ct_behaviour_ended) ended;
    CT_ARRAY(int) loops; // by event; 0: none yet
} ct_behaviour;

// A function that behaviours may have, called with so many arguments beside the instance. Where
// there are many, one that was not called for long is forgotten: games make names as they like.
typedef struct ct_behaviour_event {
    uint64_t key; // in the manager's `event_places`; 0: none, the place is free
    uint32_t num_arguments;
    int one, all; // the strings "update" and "update_all"
    bool is_called_again;
} ct_behaviour_event;

struct ct_behaviours {
    ct_script *script;
    ct_world *world;
    ct_allocator *allocator; // proxy
    ct_instance_table table;
    uint32_t *behaviour;                 // number
    uint32_t *place;                     // from 1, in `live` or `waiting`
    int *self;                           // reference; 0: no table yet
    uint32_t *flags;                     // ct_behaviour_flag
    CT_ARRAY(ct_behaviour *) behaviours; // by number less 1
    ct_hash_map numbers;                 // of behaviours, from script
    CT_ARRAY(ct_behaviour_event) events;
    ct_u32_array free_events;          // places in `events`
    ct_hash_map event_places;          // in `events`, by name and number of arguments
    uint32_t num_calls;                // of events since the last time that some were forgotten
    uint32_t num_calls_kept;           // until then none is
    ct_u64_array order, order_scratch; // of dispatch: behaviour, place
    uint32_t depth;                    // of calls that run
    uint32_t holds;                    // entries from outside that are not through
    uint32_t num_failed;               // instances that errors disabled
    int references;                    // in the registry
    int clear;                         // table.clear: it keeps a table's room
    int at;                            // the table whose [1] is the place in hand
};

// --- Instances (script_behaviour.c) --------------------------------------------------------------

// The behaviour of this number, from 1, which there must be.
static inline ct_behaviour *ct_behaviour_at(const ct_behaviours *b, uint32_t number) {
    return b->behaviours.items[number - 1];
}

// The manager of a world; NULL when it has none.
ct_behaviours *ct_behaviours_in(ct_world *world);

// The behaviour of a script, or NULL.
ct_behaviour *ct_behaviours_find(const ct_behaviours *b, ct_string_id64 script);

// Pushes what stands under a reference.
void ct_behaviours_push(lua_State *L, const ct_behaviours *b, int reference);

// Keeps the value on top, and takes it off.
int ct_behaviours_keep(lua_State *L, const ct_behaviours *b);
void ct_behaviours_drop(lua_State *L, const ct_behaviours *b, int reference);

// The event's place in `events`, valid until the outermost of the entries that hold the manager is
// through.
uint32_t ct_behaviours_event(lua_State *L, ct_behaviours *b, const char *name,
                             uint32_t num_arguments);

// Takes an instance out of `live` or `waiting`.
void ct_behaviour_withdraw(ct_behaviours *b, uint32_t i);

// The place in hand of a loop by its `at`, 0: none.
uint32_t ct_behaviour_place_in_hand(const ct_behaviours *b, int at);
void ct_behaviour_set_place_in_hand(const ct_behaviours *b, int at, uint32_t place);

// True while `spawned` of an instance and others is being called and has not come to it.
bool ct_behaviour_is_unheard(const ct_behaviours *b, uint32_t i);

// Puts `false` in the places of holes, so that loops pass them over. Allocates nothing: entities die
// in C functions that know nothing of Lua.
void ct_behaviour_mark_holes(ct_behaviours *b, ct_behaviour *of);

// Disables an instance after an error; and enables all of them, but those that the game disabled.
// Returns how many there were.
void ct_behaviour_fail(ct_behaviours *b, uint32_t i);
uint32_t ct_behaviours_enable_failed(ct_behaviours *b);

// Pushes the metatable of the instances' tables, by whose __index they find the world and, by that
// one's metatable, the behaviour's functions.
void ct_behaviour_push_metatable(lua_State *L, ct_behaviours *b, ct_behaviour *of);

// Empties the table of an instance that ended, and keeps it for one to come.
void ct_behaviour_spare_self(lua_State *L, ct_behaviours *b, ct_behaviour *of, int reference);

// Whether tables are used again from now on.
void ct_behaviour_set_reuse(lua_State *L, ct_behaviours *b, ct_behaviour *of, bool reuses);

// --- Calls (script_behaviour_call.c) -------------------------------------------------------------

// A call of one event; calls may lie in each other.
typedef struct ct_behaviour_call {
    ct_behaviours *behaviours;
    ct_behaviour *behaviour;
    uint32_t event; // place in `events`
    int selves;     // reference of the array that is called with
    int at;         // and of the table that has the place in hand
    bool is_live;   // `selves` are those of `live`: errors disable
    int first_argument;
    // What is left of `first` to `last` whatever ends the call: the first place that has not been
    // called. The caller begins with `first`; or NULL.
    uint32_t *rest;
} ct_behaviour_call;

// Calls the function of the event, when there is one, with the places from `first` to `last`.
// Reports errors, all together. Raises one when the call from outside is to end.
void ct_behaviour_run(lua_State *L, const ct_behaviour_call *call, uint32_t first, uint32_t last);
