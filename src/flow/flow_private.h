// flow_private.h: shared by the files of this folder.
//
// The system has a graph for each loaded resource: where the parts of its blob are, the function of
// each type that it uses, and the dynamic data with which instances start. A world has a pool for each
// graph: chunks in which the dynamic data of instances lies side by side and does not move. A record
// for each instance says where its data is. What waits is in one heap for each world.
#pragma once
#include "entity/instance_table.h"
#include "flow/flow.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"

enum {
    CT_FLOW_INDEX_BITS = 22, // of an instance's id; the rest is its generation
    CT_FLOW_NUM_RECENT = 16, // of the nodes that ran last, for messages
};

// --- Graphs (flow_system.c) ----------------------------------------------------------------------

// A place in the dynamic data that is saved in another form than it has, since it means something in one
// run only.
typedef struct ct_flow_reference {
    uint32_t offset;
    uint32_t
        type; // of entities and their parts: ct_flow_type. EVENT: a unit of the level, which is
              // found again. NUMBER: an effect or a sound that plays, which is not saved
} ct_flow_reference;

struct ct_flow_graph {
    ct_string_id64 name;
    uint32_t index;                       // in `graphs` of the system, and in `pools` of worlds
    const ct_flow_resource *resource;     // NULL: not loaded
    uint8_t *bases[CT_FLOW_REGION_COUNT]; // that of DYNAMIC is NULL; the others are not written to
    const char *texts;
    const uint32_t *program, *links, *pures;
    const ct_flow_used_type *types;
    const ct_flow_node_info *infos;
    const ct_flow_entry *entries;
    const ct_flow_variable *variables;
    ct_flow_function *functions; // by used type
    uint8_t *template;           // the dynamic data of a new instance
    uint32_t *polled;            // entries that run in each step of the world
    ct_flow_reference *references;
    uint32_t num_types, num_infos, num_entries, num_variables, num_polled;
    uint32_t num_references;
    uint32_t dynamic_bytes;
    uint32_t missing; // a used type without a function, plus 1; 0: all have one
    uint32_t listens; // CT_FLOW_LISTENS_…: to which events of physics
    bool has_level_units;
};

// A variable of all graphs of a world.
typedef struct ct_flow_global {
    ct_flow_value value;
    char text[CT_FLOW_STRING_BYTES]; // behind the value, as in dynamic data
    uint32_t name, type;             // hash; ct_flow_type
} ct_flow_global;

struct ct_flow_system {
    ct_world_row row; // of the worlds; its `user` is this struct
    ct_allocator *backing, *allocator;
    ct_resource_manager *resources;
    ct_world_system *worlds;
    ct_input *input; // or NULL
    ct_flow_lua lua;
    ct_world_row_id row_id;
    CT_ARRAY(ct_flow_graph *) graphs;
    ct_hash_map graph_places;       // by name: index in `graphs`, plus 1
    CT_ARRAY(ct_flow_world *) live; // worlds
    ct_hash_map functions;          // by the hash of the name
    ct_hash_map polled_kinds;       // kinds of entries that run in each step
    ct_hash_map errors;             // by node: the second in which it logged one, plus 1
};

// Take a graph online, over another one of the same name or again, and offline. The blob was checked and is
// borrowed. Called by the resource manager, and by tests.
void ct_flow_graph_online(void *system, ct_string_id64 name, const void *blob);
void ct_flow_graph_offline(void *system, ct_string_id64 name, const void *blob);
void ct_flow_graph_reload(void *system, ct_string_id64 name, const void *old_blob,
                          const void *new_blob);

// Returns a graph by its name, loaded or not; NULL: there was never one.
ct_flow_graph *ct_flow_find_graph(const ct_flow_system *s, ct_string_id64 name);

// Returns the node at a position.
static inline const ct_flow_node *ct_flow_node_at(const ct_flow_graph *g, uint32_t position) {
    return (const ct_flow_node *)(const void *)(g->program + position);
}

// Returns the position of the node of a call.
static inline uint32_t ct_flow_position_of(const ct_flow_call *c) {
    return (uint32_t)((const uint32_t *)(const void *)c->node - c->graph->program);
}

// Returns the path of a node for messages.
const char *ct_flow_node_path(const ct_flow_graph *g, uint32_t position);

// Finds the entries of a kind: the first, and how many.
uint32_t ct_flow_find_entries(const ct_flow_graph *g, ct_string_id32 kind, uint32_t *count);

// Lists the places of a graph whose other parts are loaded (flow_references.c), in `references`.
void ct_flow_find_references(ct_allocator *a, ct_flow_graph *g);

// Returns the type of an output of a node; EVENT when its type has no output with this number, as that of
// a node that sets a variable.
ct_flow_type ct_flow_output_type(const ct_flow_graph *g, const ct_flow_node *node, uint32_t number);

// --- Instances (flow_instances.c) ----------------------------------------------------------------

typedef struct ct_flow_record {
    uint8_t *data;  // dynamic data; NULL: the record is free
    uint32_t graph; // index of its graph
    uint32_t generation;
    uint32_t next;     // of the same unit; of free records the next free one; 0: none
    uint16_t num_runs; // events that run in it now
    bool is_ended;     // while events still run in it
    bool is_loaded;    // of a level: level_loaded has started in it
    bool is_polled;    // it is in `polling`
} ct_flow_record;

typedef struct ct_flow_chunk {
    uint8_t *data;
    uint32_t num_instances, num_used; // that fit; that were in use at any time
} ct_flow_chunk;

typedef struct ct_flow_pool {
    CT_ARRAY(ct_flow_chunk) chunks; // only the last has room
    CT_ARRAY(uint8_t *) free;       // of ended instances; with room for all
    uint32_t num_places;            // in all chunks
    uint32_t bytes;                 // of an instance
} ct_flow_pool;

// An event from outside that runs now; on the stack of ct_flow_run_event.
typedef struct ct_flow_run {
    struct ct_flow_run *outer; // in a node of which it was started
    ct_flow_call *call;
    uint32_t index; // of the instance's record
    uint32_t num_steps;
    uint32_t loop; // the loop node around the node that runs, plus 1; 0: none
    bool is_over;  // it was cut, or its instance has ended
    uint32_t recent[CT_FLOW_NUM_RECENT];
} ct_flow_run;

typedef struct ct_flow_waiting {
    double due;
    uint32_t instance; // its id
    uint32_t node;     // position in the program
    uint32_t slot;
    uint32_t padding;
} ct_flow_waiting;

struct ct_flow_world {
    ct_flow_system *system;
    ct_world *world;
    ct_allocator *allocator;
    CT_ARRAY(ct_flow_record) records; // by index of an instance; 0 is unused
    uint32_t first_free, num_instances;
    CT_ARRAY(ct_flow_pool) pools;    // by index of the graph
    ct_hash_map of_units, of_levels; // by entity and level: index of the first record
    CT_ARRAY(ct_flow_instance)
    polling; // with entries to poll, in the order in which they were made
    CT_ARRAY(ct_flow_instance) starting; // a stack, of units whose events start
    CT_ARRAY(ct_entity) spawned;         // with a graph, whose instances are made with their units
    CT_ARRAY(ct_entity) called;          // a stack, of entities whose first or last events start
    CT_ARRAY(ct_flow_waiting) waiting;   // a heap, the first due first
    uint32_t num_parts;                  // entities with a graph that are not units, ever
    uint32_t num_waiting_tidied;         // entries of the heap after stale ones were removed
    uint64_t num_created;                // instances, ever
    uint64_t num_steps,
        num_waits_looked;        // nodes that ran, and entries of the heap that were due, ever
    uint64_t num_failed_asserts; // of tests, ever
    CT_ARRAY(ct_flow_global) globals;
    ct_hash_map global_places;    // by name: index in `globals`, plus 1
    ct_flow_run *run;             // the innermost event
    bool may_not_spawn;           // while events of units that end run
    ct_instance_table components; // of units with a graph
    ct_string_id64 *component_graphs;
    uint32_t *component_ids;
};

// Returns the record of an instance; NULL when it has ended.
ct_flow_record *ct_flow_record_of(const ct_flow_world *w, ct_flow_instance i);

// Returns the head of the dynamic data of an instance.
static inline ct_flow_head *ct_flow_head_of(const ct_flow_record *r) {
    return (ct_flow_head *)(void *)r->data;
}

// Returns the graph of an instance.
static inline ct_flow_graph *ct_flow_graph_of(const ct_flow_world *w, const ct_flow_record *r) {
    return w->system->graphs.items[r->graph];
}

// Returns a place for dynamic data in a pool of a graph; its bytes are not set.
uint8_t *ct_flow_pool_take(ct_flow_world *w, ct_flow_pool *pool);

// Makes room in a pool for `count` more.
void ct_flow_pool_reserve(ct_flow_world *w, ct_flow_pool *pool, uint32_t count);

// Returns how many more fit into the chunks of a pool.
uint32_t ct_flow_pool_room(const ct_flow_pool *pool);

// Frees the chunks of a pool.
void ct_flow_pool_free(ct_flow_world *w, ct_flow_pool *pool);

// Adds an instance to those whose entries are polled, unless it is one of them.
void ct_flow_start_polling(ct_flow_world *w, uint32_t index);

// Writes the units of its level that the graph of an instance names.
void ct_flow_write_level_units(const ct_flow_world *w, const ct_flow_record *r);

// Frees the record and the data of an instance that ended while an event ran in it.
void ct_flow_free_ended(ct_flow_world *w, uint32_t index);

// Ends all instances of a graph.
void ct_flow_end_of_graph(ct_flow_world *w, const ct_flow_graph *g);

// --- Events (flow_run.c) -------------------------------------------------------------------------

// Sets up a call for an instance, of no node.
void ct_flow_begin_call(ct_flow_call *c, ct_flow_world *w, const ct_flow_record *r);

// Runs an event in of a node of an instance, and all that follows. Before, `prepare` (may be NULL) is
// called with the node. Returns false when the instance has ended, or an event around this one is over.
bool ct_flow_run_event(ct_flow_world *w, uint32_t index, uint32_t node, uint32_t event,
                       void (*prepare)(ct_flow_call *c, void *user), void *user);

// Runs the pure nodes that a node of an instance reads, as an event of its own, since they may call Lua. Returns
// false as ct_flow_run_event does.
bool ct_flow_run_pures_of(ct_flow_world *w, uint32_t index, uint32_t node);

// The function of Lua nodes.
uint32_t ct_flow_run_lua_node(ct_flow_call *c, uint32_t event);

// --- Waiting (flow_wait.c) -----------------------------------------------------------------------

// Starts the events that are due.
void ct_flow_run_due(ct_flow_world *w);

// Returns the state of a node at an offset of the list of those that wait.
static inline ct_flow_wait_state *ct_flow_wait_at(uint8_t *data, uint32_t offset) {
    return (ct_flow_wait_state *)(void *)(data + offset);
}

// Makes the heap again from what waits, when there are many entries of what does not.
void ct_flow_tidy_waiting(ct_flow_world *w);

// Adds all that waits in an instance to the heap. Entries may be double.
void ct_flow_add_waiting(ct_flow_world *w, uint32_t index);

// Removes from the heap all entries of a graph's instances.
void ct_flow_forget_waiting(ct_flow_world *w, const ct_flow_graph *g);

// --- Physics (flow_physics.c) --------------------------------------------------------------------

enum {
    CT_FLOW_LISTENS_COLLISION = 1,
    CT_FLOW_LISTENS_TRIGGER = 2,
    CT_FLOW_LISTENS_MOVER_ACTOR = 4,
    CT_FLOW_LISTENS_MOVER_MOVER = 8,
};

// The state of the nodes Physics Collision, Physics Trigger and Trigger.
typedef struct ct_flow_physics_state {
    uint32_t event_out;   // that goes on
    uint32_t is_disabled; // of Trigger
} ct_flow_physics_state;

// Returns to which events of physics the entries of a graph listen: CT_FLOW_LISTENS_….
uint32_t ct_flow_listens_of(const ct_flow_graph *g);

// Starts the events of the last step of physics, and those of what movers touched since the last call.
// Costs nothing while no graph with instances listens.
void ct_flow_run_physics_events(ct_flow_world *w);

// --- Navigation (flow_navigation.c) --------------------------------------------------------------

// The state of the node Navigation Agent of events.
typedef struct ct_flow_navigation_state {
    uint32_t event_out; // that goes on
    uint32_t padding;
} ct_flow_navigation_state;

// Starts the events of the agents of the last step.
void ct_flow_run_navigation_events(ct_flow_world *w);

// --- Worlds (flow_world.c) -----------------------------------------------------------------------

// The row of the worlds, but for its `user`.
extern const ct_world_row ct_flow_row;

// Starts the entries of a kind without a key in all instances of a unit, as ct_flow_start. Instances may
// end in the meantime.
void ct_flow_start_of_unit(ct_flow_world *w, ct_entity unit, ct_string_id32 kind,
                           void (*prepare)(ct_flow_call *c, void *user), void *user);

// --- Components (flow_component.c) ---------------------------------------------------------------

// Starts the events of an entity that was spawned.
void ct_flow_start_spawned(ct_flow_world *w, ct_entity e);

// Ends all instances of an entity.
void ct_flow_end_of_entity(ct_flow_world *w, ct_entity e);

// --- Animation (flow_animation.c) ----------------------------------------------------------------

// Starts the entries for the events that animations had in this step.
void ct_flow_start_animation_events(ct_flow_world *w);

// --- Variables (flow_variables.c) ----------------------------------------------------------------

// Returns the variable of all graphs of a world with this name and type. A new one is 0; NULL when there is one
// of another type. Borrowed until the next call.
ct_flow_global *ct_flow_global_of(ct_flow_world *w, ct_string_id32 name, ct_flow_type type);

// Returns the variable of a graph with this name, or NULL.
const ct_flow_variable *ct_flow_variable_named(const ct_flow_graph *g, ct_string_id32 name);

// Returns the text of a value whose text, if it is dynamic, is at an offset from `data`.
static inline const char *ct_flow_text_at(const void *data, const char *texts,
                                          const ct_flow_string *s) {
    return s->start & CT_FLOW_STRING_IS_DYNAMIC
               ? (const char *)data + (s->start & ~CT_FLOW_STRING_IS_DYNAMIC)
               : texts + s->start;
}

// --- State (flow_state.c) ------------------------------------------------------------------------

// Gives the instances of a world new dynamic data after a reload: `old` is the graph as it was.
void ct_flow_move_to_reloaded(ct_flow_world *w, const ct_flow_graph *old, ct_flow_graph *g);
