// script_debug_private.h: shared by the files of this folder.
#pragma once
#include "script/debug/script_debug_values.h"
#include "script/script_private.h"
#include "world/save/world_inspect.h"

// --- Parts ---------------------------------------------------------------------------------------

// The array of names and values that an expansion makes.
typedef struct ct_debug_parts {
    lua_State *L;
    int table; // where it is on the stack
    int count;
} ct_debug_parts;

// Begins an array on top of the stack.
ct_debug_parts ct_debug_parts_begin(lua_State *L);

// Adds the value on top under a name, and pops it. Leaves out nil.
void ct_debug_parts_add(ct_debug_parts *p, const char *name);

// The same for one with a number: "mesh[2]".
void ct_debug_parts_add_numbered(ct_debug_parts *p, const char *name, uint32_t number);

// --- Nodes ---------------------------------------------------------------------------------------

typedef enum ct_debug_node_kind {
    CT_DEBUG_NODE_KIND_COMPONENT, // of an entity
    CT_DEBUG_NODE_KIND_DATA,      // a data component of an entity
    CT_DEBUG_NODE_KIND_UNITS,     // some units of a world
    CT_DEBUG_NODE_KIND_MEMBERS,   // some units of a level
} ct_debug_node_kind;

// A part that is no value of Lua.
typedef struct ct_debug_node {
    ct_debug_node_kind kind;
    ct_world *world;
    ct_entity entity;
    ct_level level;
    uint32_t first, count; // of units
    char type[64];         // of the component
    uint32_t place, id;    // of it, among those of its type; its id
} ct_debug_node;

// Pushes a node.
void ct_debug_push_node(lua_State *L, const ct_debug_node *node);

// Returns the node at `index`, or NULL.
const ct_debug_node *ct_debug_node_at(lua_State *L, int index);

// Returns whether a world is still there.
bool ct_debug_has_world(const ct_script *s, const ct_world *world);

// Returns whether an entity lives in this world, which may have ended.
bool ct_debug_has_entity(const ct_script *s, const ct_world *world, ct_entity e);

// --- Expansions ----------------------------------------------------------------------------------

// Add parts. The entity lives; `world` is its own.
void ct_debug_add_unit(ct_script *s, ct_debug_parts *p, ct_world *world, ct_entity e);
void ct_debug_add_data(const ct_script *s, ct_debug_parts *p, ct_entity e, uint32_t id);

// Adds the fields of one component: the `place`-th of its type, or the one with this number in the world's
// manager, which exists, unless `instance` is 0. Returns false when there is none.
bool ct_debug_add_component(ct_debug_parts *p, ct_world *world, ct_entity e, const char *type,
                            uint32_t place, uint32_t instance);

// Adds units, or pages of them.
void ct_debug_add_units(const ct_script *s, ct_debug_parts *p, const ct_debug_node *node);

// --- Assignments ---------------------------------------------------------------------------------

// Set a part to the value on top; raise an error for a wrong one; return false when it cannot be set.
bool ct_debug_set_unit(const ct_script *s, lua_State *L, ct_world *world, ct_entity e,
                       const char *name);
bool ct_debug_set_component(lua_State *L, const ct_debug_node *node, const char *name);
bool ct_debug_set_data(const ct_script *s, lua_State *L, const ct_debug_node *node,
                       const char *name);
