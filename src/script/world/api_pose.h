// api_pose.h: poses of entities and of nodes of their scene graphs, as Unit, Camera, Light, Mesh,
// TransformComponent and SceneGraphComponent give and take them.
//
// Lua counts nodes from 1, the entity itself; here node 0 is the entity.
#pragma once
#include "script/api_check.h"

// The transform of an entity (node 0), or a node of its scene graph. Fits two registers.
typedef struct ct_script_pose {
    union {
        ct_transform_manager *transforms;
        ct_scene_graph_manager *graphs; // for other nodes than 0
    };
    union {
        ct_transform transform;
        ct_scene_graph graph; // for other nodes than 0
    };
    uint32_t node;
} ct_script_pose;

// The transform in `world` of an entity, which stands at `argument`; an error when it has none there.
ct_script_pose ct_check_transform(lua_State *L, int argument, const ct_world *world, ct_entity e);

// A node of an entity of `world`, which stands at `argument`; the same when it is node 0, or no
// node of the entity (any more).
ct_script_pose ct_check_node_pose(lua_State *L, int argument, const ct_world *world, ct_entity e,
                                  uint32_t node);

// The node, whose number from 1 is at argument 2, of the living unit at argument 1. The second is
// for all that the first is not quick at.
static inline ct_script_pose ct_check_unit_node(lua_State *L);
ct_script_pose ct_check_any_unit_node(lua_State *L);

// The number of an entity's nodes, itself included.
uint32_t ct_script_num_nodes(const ct_world *world, ct_entity e);

// The node, from 0, of an entity whose number from 1 is at `argument`.
uint32_t ct_check_node(lua_State *L, int argument, const ct_world *world, ct_entity e);

// Hangs the transform of `child` on a node, from 0, of `parent`, which stands at `argument`; both
// are of `world`. False when the one is the other, or hangs on it. An error when `parent` has no
// transform; `child` has one.
bool ct_script_link(lua_State *L, int argument, const ct_world *world, ct_entity child,
                    ct_entity parent, uint32_t node);

// The transform of the living unit at argument 1, whose root (node 1) argument 2 names; none for all
// else, good or bad: this is the quick way through what games call most. Whether an argument is a
// certain number takes one call of Lua's, to see that it is one and read it would be two.
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

// The same of the pose in the world.
int ct_push_world_position(lua_State *L, ct_script_pose p);
int ct_push_world_rotation(lua_State *L, ct_script_pose p);
int ct_push_world_scale(lua_State *L, ct_script_pose p);
int ct_push_world_pose(lua_State *L, ct_script_pose p);

// Set from the value at `argument` and return 0.
int ct_take_local_position(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_rotation(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_scale(lua_State *L, ct_script_pose p, int argument);
int ct_take_local_pose(lua_State *L, ct_script_pose p, int argument);
