// api_pose.h: reads and writes poses of entities and of their scene graph nodes for Unit, Camera,
// Light, Mesh, TransformComponent and SceneGraphComponent.
//
// Lua counts nodes from 1, which is the entity itself; here node 0 is the entity.
#pragma once
#include "script/api_check.h"
#include "world/world_node.h"

typedef ct_world_node ct_script_pose;

// Returns the transform in `world` of the entity at `argument`; raises an error when it has none
// there.
ct_script_pose ct_check_transform(lua_State *L, int argument, const ct_world *world, ct_entity e);

// Returns a node of the entity of `world` at `argument`. For node 0, or when the entity does not
// (or no longer) have the node, does the same as ct_check_transform.
ct_script_pose ct_check_node_pose(lua_State *L, int argument, const ct_world *world, ct_entity e,
                                  uint32_t node);

// Returns the node, with the number from 1 at argument 2, of the living unit at argument 1. The
// second function handles the cases that the first one is not quick at.
static inline ct_script_pose ct_check_unit_node(lua_State *L);
ct_script_pose ct_check_any_unit_node(lua_State *L);

// Returns the number of an entity's nodes, including the entity itself.
uint32_t ct_script_num_nodes(const ct_world *world, ct_entity e);

// Returns the node, from 0, of an entity from the number, from 1, at `argument`.
uint32_t ct_check_node(lua_State *L, int argument, const ct_world *world, ct_entity e);

// Links the transform of `child` to a node, from 0, of `parent`, which is at `argument`; both are
// of `world`. Returns false when they are the same, or when `parent` is linked below `child`.
// Raises an error when `parent` has no transform; `child` must have one.
bool ct_script_link(lua_State *L, int argument, const ct_world *world, ct_entity child,
                    ct_entity parent, uint32_t node);

// Returns the transform of the living unit at argument 1 when argument 2 names its root (node 1),
// and an invalid one in all other cases, good or bad: this is the quick path of the most frequent
// calls. Comparing an argument with a known number takes one call into Lua; checking its type and
// reading it would take two.
static inline ct_world_transform ct_quick_unit_transform(lua_State *L, const ct_script *s) {
    const uint64_t value = ct_value_at(L, 1);
    const ct_entity e = {(uint32_t)(value >> CT_VALUE_KIND_BITS)}; // never issued: no transform
    const bool is_unit = (value & ~(((UINT64_C(1) << CT_ENTITY_BITS) - 1) << CT_VALUE_KIND_BITS)) ==
                         CT_VALUE_KIND_ENTITY;
    const bool is_quick = is_unit && lua_equal(L, 2, lua_upvalueindex(CT_UPVALUE_ROOT));
    return is_quick ? ct_world_transform_of(s->worlds, e) : (ct_world_transform){0};
}

static inline ct_script_pose ct_check_unit_node(lua_State *L) {
    const ct_world_transform t = ct_quick_unit_transform(L, ct_script_of(L));
    return __builtin_expect(t.transform.index != 0, 1)
               ? (ct_script_pose){.transforms = t.transforms, .transform = t.transform}
               : ct_check_any_unit_node(L);
}

// Push a value and return 1.
int ct_push_local_position(lua_State *L, ct_script_pose p);
int ct_push_local_rotation(lua_State *L, ct_script_pose p);
int ct_push_local_scale(lua_State *L, ct_script_pose p);
int ct_push_local_pose(lua_State *L, ct_script_pose p);

// Push a value of the pose in the world and return 1.
int ct_push_world_position(lua_State *L, ct_script_pose p);
int ct_push_world_rotation(lua_State *L, ct_script_pose p);
int ct_push_world_scale(lua_State *L, ct_script_pose p);
int ct_push_world_pose(lua_State *L, ct_script_pose p);

// Set a value from `argument` and return 0.
int ct_take_local_position(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_rotation(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_scale(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_pose(lua_State *L, ct_script_pose p, int argument);
