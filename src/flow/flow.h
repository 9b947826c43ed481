// flow.h: flow graphs of units and levels: visual scripts.
//
// A system, shared by all worlds, has the loaded graphs and the functions of nodes by name. Each world
// has its instances: blocks of dynamic data, side by side for each graph, which do not move. An event
// from outside runs through an instance at once, depth first: an event out starts its links in their
// order, each with all that follows from it. Before an action runs, the pure nodes that it reads run
// once. A node that waits is in a heap by time; what waits costs nothing. Update thread.
// From "Visual Scripting the Data-Oriented Way" (Bitsquid blog, 2010-09-17).
#pragma once
#include "input/input.h"
#include "resource/types/flow/flow_call.h"
#include "world/world.h"

typedef struct ct_flow_system ct_flow_system;

enum {
    CT_FLOW_MAX_STEPS = 100000, // nodes that an event from outside runs through; then it is cut
    CT_FLOW_MAX_DEPTH = 200,    // of events within events
};

// An instance in a world; {0} names no instance. Stale once it has ended.
typedef struct ct_flow_instance {
    uint32_t id;
} ct_flow_instance;

// What Lua nodes and nodes that call Lua need from the script floor; any may be NULL: such nodes log an
// error then.
typedef struct ct_flow_lua {
    void *user;
    // Calls the function of Lua of a node of the project, sets the node's outputs to what it returns and
    // starts all events out that go on but the last one (docs/formats/flow_nodes.md). Returns the number of
    // that, CT_FLOW_STOP: none. Logs errors, and changes nothing then.
    uint32_t (*call_node)(void *user, ct_flow_call *c, const ct_flow_used_type *type,
                          uint32_t event);
    // Calls a global function, or runs a string, with the values of inputs `first` and after.
    void (*call_global)(void *user, ct_flow_call *c, const char *function, uint32_t first,
                        uint32_t count);
    void (*run_string)(void *user, ct_flow_call *c, const char *text, uint32_t first,
                       uint32_t count);
    // A level's or unit's graph sends an event to scripts.
    void (*level_event)(void *user, ct_world *w, ct_level level, const char *name);
    void (*unit_event)(void *user, ct_world *w, ct_entity unit, const char *name);
    // Shows a text over the picture for a while, in a colour (linear red, green and blue), where the program can.
    void (*print_to_screen)(void *user, ct_vec3 color, const char *text);
    // Ends the program, after this frame, with an exit code from 0 to 255.
    void (*quit)(void *user, int exit_code);
    // Returns the seconds since the program began.
    double (*time_since_launch)(void *user);
} ct_flow_lua;

typedef struct ct_flow_system_desc {
    ct_allocator *allocator;
    ct_resource_manager *resources;
    ct_world_system *worlds; // gets the row "flow"
    ct_input *input;         // NULL: nodes of input never fire
    ct_flow_lua lua;
} ct_flow_system_desc;

// Makes the system, registers for the resource type `flow`, and adds the row to the worlds, of which
// none may exist.
ct_flow_system *ct_flow_system_create(const ct_flow_system_desc *desc);

// Frees the system; NULL is fine. The world system must have ended, and the resources be offline.
void ct_flow_system_destroy(ct_flow_system *s);

// Sets what the script floor gives, which exists later than the system.
void ct_flow_system_set_lua(ct_flow_system *s, const ct_flow_lua *lua);

// Adds functions of nodes, for plugins and tests. The rows are borrowed. A name that exists is a bug.
void ct_flow_system_add_functions(ct_flow_system *s, const ct_flow_function_row *rows,
                                  uint32_t count);

// Returns the part of a world.
ct_flow_world *ct_flow_world_of(const ct_flow_system *s, const ct_world *w);

// --- Instances -----------------------------------------------------------------------------------

// Makes instances of a loaded graph, one for each of `units` (which may be NULL: of no unit), of a level or
// {0}. No event runs. `instances` (may be NULL) gets their ids. Returns false with `error` when the graph is not
// loaded, or a type of its nodes has no function. There is no allocation for a single instance.
bool ct_flow_create(ct_flow_world *w, ct_string_id64 graph, const ct_entity *units, ct_level level,
                    uint32_t count, ct_flow_instance *instances, ct_error *error);

// Ends instances; stale ones are skipped. One in whose event this happens ends after the node that runs:
// nothing follows.
void ct_flow_destroy(ct_flow_world *w, const ct_flow_instance *instances, uint32_t count);

// Returns whether an instance exists.
bool ct_flow_is_alive(const ct_flow_world *w, ct_flow_instance i);

// Returns the first instance of a unit; {0}: none.
ct_flow_instance ct_flow_of_unit(const ct_flow_world *w, ct_entity unit);

// Returns the instance of a level; {0}: none.
ct_flow_instance ct_flow_of_level(const ct_flow_world *w, ct_level level);

// Returns the number of instances.
uint32_t ct_flow_num_instances(const ct_flow_world *w);

// Returns whether an event runs in an instance of this world now: the world must not end then.
bool ct_flow_is_running(const ct_flow_world *w);

// Returns whether an event runs in any world: no graph must be unloaded or reloaded then.
bool ct_flow_system_is_running(const ct_flow_system *s);

// --- Components ----------------------------------------------------------------------------------

// Gives an entity a component with this 32-bit id, and an instance of a loaded graph. No event runs. Returns
// false with `error`, and changes nothing, when the entity has one or the graph cannot run.
bool ct_flow_component_add(ct_flow_world *w, ct_entity e, uint32_t id, ct_string_id64 graph,
                           ct_error *error);

// Ends the component of an entity, and its instances, if it has one. No event runs.
void ct_flow_component_remove(ct_flow_world *w, ct_entity e);

// Returns the graph that the component of an entity names, and its id; {0} and 0: it has none.
ct_string_id64 ct_flow_component_graph(const ct_flow_world *w, ct_entity e, uint32_t *id);

// Starts the events entity_spawned and unit_spawned of entities whose components were added.
void ct_flow_component_spawned(ct_flow_world *w, const ct_entity *entities, uint32_t count);

// --- Events --------------------------------------------------------------------------------------

// Starts all entries of a kind ("unit_spawned", "external_in_event") with a key ({0}: those without) in an
// instance, in their order. Returns how many there were. Before, `prepare` (may be NULL) is called for
// each entry with its call, to set outputs of the node.
uint32_t ct_flow_start(ct_flow_world *w, ct_flow_instance i, ct_string_id32 kind,
                       ct_string_id32 key, void (*prepare)(ct_flow_call *c, void *user),
                       void *user);

// Returns whether the graph of an instance has such entries: cheap, to skip the preparation of events.
bool ct_flow_listens(const ct_flow_world *w, ct_flow_instance i, ct_string_id32 kind);

// For nodes: returns whether nodes may spawn units now; false while events of units that end run.
bool ct_flow_may_spawn(const ct_flow_call *c);

// For nodes: returns the world in which the instance is.
ct_world *ct_flow_call_world(const ct_flow_call *c);

// For nodes: returns the blob of the graph. Borrowed until the node has run.
const ct_flow_resource *ct_flow_call_graph(const ct_flow_call *c);

// For nodes: runs the pure nodes that this one reads again: for loops, whose body changes what they read.
void ct_flow_run_pures(ct_flow_call *c);

// For loops, before the first pass and after the last one: makes the error of an event that is cut in
// between name this node. What the first returns is for the second.
uint32_t ct_flow_begin_loop(ct_flow_call *c);
void ct_flow_end_loop(ct_flow_call *c, uint32_t outer);

// For loops, before each pass: counts a step. Returns false when the event has been cut.
bool ct_flow_count_pass(ct_flow_call *c);

// For nodes: returns a number from 0 to less than 1 of the instance's sequence of random numbers.
double ct_flow_random(ct_flow_call *c);

// For nodes: runs all that follows from an event out, and comes back. Returns false when the event has
// been cut, or the instance has ended: the node returns CT_FLOW_STOP then.
bool ct_flow_fire(ct_flow_call *c, uint32_t event_out);

// For nodes: starts event in `event` of this node again `seconds` of the world's time later (at least with
// the next step), unless the instance has ended. `event` may be a number that no slot has, by which the
// node knows. NaN and less than 0 are an error, and 0. `slot` (below 8) distinguishes several,
// and one that waits already is moved. The state of the node must begin with a ct_flow_wait_state. Of
// those due in one step, the earliest is first; then by instance, node and slot.
void ct_flow_wait(ct_flow_call *c, uint32_t slot, double seconds, uint32_t event);
void ct_flow_stop_waiting(ct_flow_call *c, uint32_t slot);

// The first member of the state of every node that calls ct_flow_wait; ct_flow_wait keeps it.
typedef struct ct_flow_wait_state {
    double due[8];      // in the world's time; 0: this slot does not wait
    uint32_t events[8]; // the event in of each, or a number of the node's own
    uint32_t next;      // offset of such a state of another node of the instance; 0: none
    uint32_t node;      // position of this node in the program, plus 1; 0: it has never waited
} ct_flow_wait_state;

// For nodes: logs an error with the path of the node, at most once for each node of a graph and
// second.
void ct_flow_error(ct_flow_call *c, const char *format, ...) CT_PRINTF(2, 3);

// --- Variables -----------------------------------------------------------------------------------

// Returns the place of a variable (external input or output, too) and its type; NULL when the graph has
// none of this name. What gives an external output runs first: nodes in Lua may do anything, and when they end
// the instance, NULL is returned, too. Texts are written with ct_flow_set_variable_text. Borrowed until the
// instance ends.
ct_flow_value *ct_flow_find_variable(ct_flow_world *w, ct_flow_instance i, ct_string_id32 name,
                                     ct_flow_type *type);

// Returns whether scripts and nodes may set a variable: false for an external output, which may share its
// place with another value, and for one that does not exist.
bool ct_flow_can_set_variable(const ct_flow_world *w, ct_flow_instance i, ct_string_id32 name);

// Sets a variable of type STRING. Returns false when it does not exist or is an external output, or the
// text is too long.
bool ct_flow_set_variable_text(ct_flow_world *w, ct_flow_instance i, ct_string_id32 name,
                               const char *text);

// Returns the text of a value of type STRING of an instance. Borrowed until it changes.
const char *ct_flow_value_text(ct_flow_world *w, ct_flow_instance i, const ct_flow_value *value);

// --- State ---------------------------------------------------------------------------------------

// Returns the dynamic data of an instance and its size: a copy of it is all of its state. NULL: stale.
const void *ct_flow_save(const ct_flow_world *w, ct_flow_instance i, uint32_t *num_bytes);

// Gives an instance of the same graph dynamic data that was saved, also in another run. What waits goes on.
// Times are those of the world. Returns false with `error` when the data does not fit the graph.
bool ct_flow_restore(ct_flow_world *w, ct_flow_instance i, const void *data, uint32_t num_bytes,
                     ct_error *error);

// Returns the variables that all graphs of a world share, and their size: a copy is all of their state. NULL
// with 0 bytes: no node has named one. Borrowed until a node runs.
const void *ct_flow_save_globals(const ct_flow_world *w, uint32_t *num_bytes);

// Replaces the shared variables of a world by saved ones, also of another run. Returns false with `error` and
// changes nothing when the data is not as it was saved.
bool ct_flow_restore_globals(ct_flow_world *w, const void *data, uint32_t num_bytes,
                             ct_error *error);

// Adds the dynamic data of all instances, and the variables that graphs share, to a hash.
void ct_flow_hash(const ct_flow_world *w, ct_state_hash *hash);
