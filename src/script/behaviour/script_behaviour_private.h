// script_behaviour_private.h: shared by the files of behaviours.
//
// Each behaviour has a Lua array of the tables of its callable instances, without holes between two
// events; `live` has the instances in the same order. While functions run, nothing moves in the
// array: a dead instance leaves `false`, a new one waits in `waiting`. Everything that the manager
// holds in Lua is in one table, `references`, numbered by luaL_ref, so that it ends with that
// table.
#pragma once
#include "entity/instance_table.h"
#include "foundation/container/array.h"
#include "script/behaviour/script_behaviour.h"
#include "script/script_private.h"

typedef enum ct_behaviour_flag {
    CT_BEHAVIOUR_FLAG_LIVE = 1,    // is in `live`, else in `waiting` or, disabled, in neither
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

// An instance that ended, and whose behaviour will be notified.
typedef struct ct_behaviour_ended {
    int self;
    bool hears; // `destroyed`; else only its table is given back
} ct_behaviour_ended;

// A running call of `spawned`: instances beyond its current place have not been notified yet.
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
    uint32_t num_ended_selves; // entries there: 0 unless a call has ended early
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

// A function that behaviours may have, with a number of arguments besides the instance. When there
// are many, those that have not been called for long are forgotten: games may invent names.
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

// Returns the behaviour with this number, from 1; it must exist.
static inline ct_behaviour *ct_behaviour_at(const ct_behaviours *b, uint32_t number) {
    return b->behaviours.items[number - 1];
}

// Returns the manager of a world; NULL when it has none.
ct_behaviours *ct_behaviours_in(ct_world *world);

// Returns the behaviour of a script, or NULL.
ct_behaviour *ct_behaviours_find(const ct_behaviours *b, ct_string_id64 script);

// Pushes the value of a reference.
void ct_behaviours_push(lua_State *L, const ct_behaviours *b, int reference);

// Stores the value on top under a new reference, and pops it.
int ct_behaviours_keep(lua_State *L, const ct_behaviours *b);
void ct_behaviours_drop(lua_State *L, const ct_behaviours *b, int reference);

// Returns the event's place in `events`, valid until the outermost entry that holds the manager has
// finished.
uint32_t ct_behaviours_event(lua_State *L, ct_behaviours *b, const char *name,
                             uint32_t num_arguments);

// Removes an instance from `live` or `waiting`.
void ct_behaviour_withdraw(ct_behaviours *b, uint32_t i);

// Returns the current place of the loop with this `at`, or 0.
uint32_t ct_behaviour_place_in_hand(const ct_behaviours *b, int at);
void ct_behaviour_set_place_in_hand(const ct_behaviours *b, int at, uint32_t place);

// Returns whether `spawned` of several instances is being called and has not reached this one.
bool ct_behaviour_is_unheard(const ct_behaviours *b, uint32_t i);

// Puts `false` into the places of holes, so that loops skip them. Allocates nothing: entities die
// in C functions that do not know Lua.
void ct_behaviour_mark_holes(ct_behaviours *b, ct_behaviour *of);

// Disable an instance after an error; and enable all disabled ones, except those that the game
// disabled. The latter returns how many there were.
void ct_behaviour_fail(ct_behaviours *b, uint32_t i);
uint32_t ct_behaviours_enable_failed(ct_behaviours *b);

// Pushes the metatable of the instances' tables. Its __index gives access to the world and, through
// that table's metatable, to the behaviour's functions.
void ct_behaviour_push_metatable(lua_State *L, ct_behaviours *b, ct_behaviour *of);

// Empties the table of an instance that ended, and keeps it for a new one.
void ct_behaviour_spare_self(lua_State *L, ct_behaviours *b, ct_behaviour *of, int reference);

// Sets whether tables are used again from now on.
void ct_behaviour_set_reuse(lua_State *L, ct_behaviours *b, ct_behaviour *of, bool reuses);

// --- Calls (script_behaviour_call.c) -------------------------------------------------------------

// A call of one event. Calls may be nested.
typedef struct ct_behaviour_call {
    ct_behaviours *behaviours;
    ct_behaviour *behaviour;
    uint32_t event; // place in `events`
    int selves;     // reference of the array that is called with
    int at;         // and of the table that has the place in hand
    bool is_live;   // `selves` are those of `live`: errors disable
    int first_argument;
    // The first place that has not been called yet, however the call ends; the caller initialises
    // it with `first`. May be NULL.
    uint32_t *rest;
} ct_behaviour_call;

// Calls the function of the event, if there is one, with the places from `first` to `last`. Logs
// all errors together. Raises one when the call from outside must end.
void ct_behaviour_run(lua_State *L, const ct_behaviour_call *call, uint32_t first, uint32_t last);
