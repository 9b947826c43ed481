// poses.h: the interface "poses": where entities and their nodes are.
//
// Node 0 is the entity itself; the nodes of its scene graph (bones, for example) are from 1, one less
// than in Lua. Local poses are in the space of the parent, a matrix or position of the world is
// calculated from them. Positions are in metres; rotations that are set are normalised.
//
// Update thread. Functions for one entity return false, and leave the result as it is, when the entity
// is dead, has no pose or no such node; those that set also when a number is not finite, which is
// reported ("plugin_bad_argument"). Use the functions for many entities for more than a few: they
// look nothing up by name, and update what is linked below once.
#ifndef CUTTLE_POSES_H
#define CUTTLE_POSES_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_POSES_API "poses"

// A pose in the space of the parent.
typedef struct cuttle_pose {
    cuttle_vector3 position;    // metres
    cuttle_quaternion rotation; // of length 1
    cuttle_vector3 scale;
} cuttle_pose;

typedef struct cuttle_poses_api_1 {
    // --- Nodes ---

    // Returns the number of nodes, with the entity itself; 0 for a dead one.
    uint32_t (*num_nodes)(cuttle_plugin *self, cuttle_entity entity);
    // Sets `node` to the first node with a name. False when no node has it.
    bool (*find_node)(cuttle_plugin *self, cuttle_entity entity, const char *name, uint32_t *node);

    // --- One entity ---

    bool (*local_position)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                           cuttle_vector3 *position);
    bool (*local_rotation)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                           cuttle_quaternion *rotation);
    bool (*local_scale)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                        cuttle_vector3 *scale);
    bool (*local_pose)(cuttle_plugin *self, cuttle_entity entity, uint32_t node, cuttle_pose *pose);
    bool (*set_local_position)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                               const cuttle_vector3 *position);
    bool (*set_local_rotation)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                               const cuttle_quaternion *rotation);
    bool (*set_local_scale)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                            const cuttle_vector3 *scale);
    bool (*set_local_pose)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                           const cuttle_pose *pose);
    bool (*world_position)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                           cuttle_vector3 *position);
    bool (*world_rotation)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                           cuttle_quaternion *rotation);
    bool (*world_pose)(cuttle_plugin *self, cuttle_entity entity, uint32_t node,
                       cuttle_matrix4 *pose);
    // Sets the local pose of the entity itself so that it is there in the world; without shear.
    bool (*set_world_pose)(cuttle_plugin *self, cuttle_entity entity, const cuttle_matrix4 *pose);
    // The entity did not move where it is now but jumped there: nothing is interpolated or blurred.
    void (*jump)(cuttle_plugin *self, cuttle_entity entity);

    // --- Links ---

    // Makes a node of `parent` the parent of `child`, whose local pose is then relative to it. False
    // when they are of different worlds or `parent` is below `child`, which is reported.
    bool (*link)(cuttle_plugin *self, cuttle_entity child, cuttle_entity parent, uint32_t node);
    // Makes `child` a root that keeps its place in the world.
    bool (*unlink)(cuttle_plugin *self, cuttle_entity child);

    // --- Many entities of a world ---

    // Write what belongs to each entity itself, `count` of each. Return how many have a pose; those
    // that are dead or have none get zeroes.
    uint32_t (*local_positions)(cuttle_plugin *self, const cuttle_world *world,
                                const cuttle_entity *entities, uint32_t count,
                                cuttle_vector3 *positions);
    uint32_t (*local_poses)(cuttle_plugin *self, const cuttle_world *world,
                            const cuttle_entity *entities, uint32_t count, cuttle_pose *poses);
    uint32_t (*world_positions)(cuttle_plugin *self, const cuttle_world *world,
                                const cuttle_entity *entities, uint32_t count,
                                cuttle_vector3 *positions);
    uint32_t (*world_poses)(cuttle_plugin *self, const cuttle_world *world,
                            const cuttle_entity *entities, uint32_t count, cuttle_matrix4 *poses);
    // Set what belongs to each entity itself. Return how many were set: not those that are dead or
    // have no pose, and not those whose numbers are not finite, which is reported. Of an entity that
    // comes several times the last is taken.
    uint32_t (*set_local_positions)(cuttle_plugin *self, cuttle_world *world,
                                    const cuttle_entity *entities, uint32_t count,
                                    const cuttle_vector3 *positions);
    uint32_t (*set_local_poses)(cuttle_plugin *self, cuttle_world *world,
                                const cuttle_entity *entities, uint32_t count,
                                const cuttle_pose *poses);
} cuttle_poses_api_1;

#ifdef __cplusplus
}
#endif
#endif
