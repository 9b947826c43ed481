// transform_component.h: the poses of entities, and their parents and children.
//
// Structure of arrays in one allocation that doubles: entity; local position, rotation and scale;
// local and world matrix; parent, first and last child, next and previous sibling as instance
// numbers; and for the few that are linked at an offset, its matrix. For why it keeps both poses
// and matrices, see docs/decisions/0024-transforms-keep-both.md. Slot 0 is unused. Setting a local
// pose updates the world matrices of the whole subtree at once, so that matrices are always up to
// date; setting many poses in one call updates each subtree once. Erasing moves the last instance
// into the place. Children are in the order in which they were linked. Instances whose world pose
// changed are in one list, which each reader follows with its own cursor.
//
// Positions, rotations and scales must be finite (asserted): check values from outside. Scales may
// be zero or negative. Rotations are kept at length 1. World matrices are products and need not be
// finite below huge scales.
// From "Building a Data-Oriented Entity System, part 3" (Bitsquid blog, 2014-10-03).
#pragma once
#include "entity/component_registry.h"
#include "entity/instance_table.h"
#include "foundation/math/math_types.h"
#include "resource/types/component_resource.h"

#define CT_TRANSFORM_NO_PARENT UINT32_MAX

typedef struct ct_transform_manager ct_transform_manager;

// An instance: its place in the arrays. {0} is no instance. After any instance is destroyed, and
// after ct_transform_tidy, it is stale: look it up again.
typedef struct ct_transform {
    uint32_t index;
} ct_transform;

// Makes an empty manager that allocates from `a`, and frees it with all instances (NULL is
// fine).
ct_transform_manager *ct_transform_manager_create(ct_allocator *a);
void ct_transform_manager_destroy(ct_transform_manager *m);

// Returns the entry for a world's registry.
ct_component_manager ct_transform_component_manager(ct_transform_manager *m);

// Gives an entity a transform without a parent. The entity must not have a transform (asserted).
ct_transform ct_transform_create(ct_transform_manager *m, ct_entity e, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale);

// Returns whether all numbers of `count` template transforms are finite.
bool ct_transform_data_are_finite(const ct_transform_data *data, uint64_t count);

// Gives `num_copies` times `count` entities transforms. `entities` and `data` are in the same
// order, copy after copy. `parents`, for one copy, has for each transform the index of its parent
// in the same copy, which must come before it, or CT_TRANSFORM_NO_PARENT; NULL: no transform has a
// parent. Returns false, and changes nothing, when an entity already has a transform or occurs
// twice, or when data is not finite.
bool ct_transform_spawn(ct_transform_manager *m, const ct_entity *entities,
                        const ct_transform_data *data, const uint32_t *parents, uint32_t count,
                        uint32_t num_copies);

// Ends the transforms of `entities`; skips entities without one. Children that stay are unlinked
// and keep their world pose.
void ct_transform_destroy(ct_transform_manager *m, const ct_entity *entities, uint32_t count);

// Returns the instance of an entity; {0} when it has none or is dead. Reads one array by entity
// index. (The table is a manager's first member.)
static inline ct_transform ct_transform_lookup(const ct_transform_manager *m, ct_entity e) {
    return (ct_transform){ct_instance_table_first((const ct_instance_table *)(const void *)m, e)};
}

// Returns the entity of an instance.
ct_entity ct_transform_entity(const ct_transform_manager *m, ct_transform t);

// Returns a part of the pose in the parent's space; `t` must be an instance.
ct_vec3 ct_transform_local_position(const ct_transform_manager *m, ct_transform t);
ct_quat ct_transform_local_rotation(const ct_transform_manager *m, ct_transform t);
ct_vec3 ct_transform_local_scale(const ct_transform_manager *m, ct_transform t);

// Returns the matrix of the local pose or of the world pose, always up to date. Borrowed until an
// instance is made or destroyed; the values change with the pose.
const ct_mat4 *ct_transform_local(const ct_transform_manager *m, ct_transform t);
const ct_mat4 *ct_transform_world(const ct_transform_manager *m, ct_transform t);

// Copies the world positions of `count` instances to `positions`.
void ct_transform_world_positions(const ct_transform_manager *m, const ct_transform *transforms,
                                  uint32_t count, ct_vec3 *positions);

// Sets a part of the local pose, or all of it, and updates the world matrices of the subtree.
// Values must be finite.
void ct_transform_set_local_position(ct_transform_manager *m, ct_transform t, ct_vec3 position);
void ct_transform_set_local_rotation(ct_transform_manager *m, ct_transform t, ct_quat rotation);
void ct_transform_set_local_scale(ct_transform_manager *m, ct_transform t, ct_vec3 scale);
void ct_transform_set_local_pose(ct_transform_manager *m, ct_transform t, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale);

// Sets the local position like ct_transform_set_local_position, but returns false, and changes
// nothing, when the position is not finite. For positions from outside.
bool ct_transform_move(ct_transform_manager *m, ct_transform t, const ct_vec3 *position);

// Sets many local positions, or poses; updates each subtree once.
void ct_transform_set_local_positions(ct_transform_manager *m, const ct_transform *transforms,
                                      const ct_vec3 *positions, uint32_t count);
void ct_transform_set_local_poses(ct_transform_manager *m, const ct_transform *transforms,
                                  const ct_vec3 *positions, const ct_quat *rotations,
                                  const ct_vec3 *scales, uint32_t count);

// Makes `parent` the parent of `child`, whose local pose is then relative to it. Returns false, and
// changes nothing, when `parent` is `child` or below it.
bool ct_transform_link(ct_transform_manager *m, ct_transform child, ct_transform parent);

// Sets the local pose so that the world pose becomes `world`, without shear, which position,
// rotation and scale cannot represent. Returns false, and changes nothing, when there is no such
// local pose: below a parent of size 0.
bool ct_transform_set_world_pose(ct_transform_manager *m, ct_transform t, const ct_mat4 *world);

// Links `child` like ct_transform_link, but relative to `offset`: a matrix to the parent's space,
// which is copied (NULL: the parent's space itself). Use it for a moving place of the parent, such
// as a node of its scene graph. The offset ends with the link.
bool ct_transform_link_at(ct_transform_manager *m, ct_transform child, ct_transform parent,
                          const ct_mat4 *offset);

// Returns whether `t` is linked at an offset.
bool ct_transform_has_offset(const ct_transform_manager *m, ct_transform t);

// Changes the offset at which `t` is linked, and updates the subtree's world matrices.
void ct_transform_set_offset(ct_transform_manager *m, ct_transform t, const ct_mat4 *offset);

// Makes `child` a root that keeps its world pose (without shear, which position, rotation and scale
// cannot represent).
void ct_transform_unlink(ct_transform_manager *m, ct_transform child);

// Returns a neighbour of an instance in its tree, or {0}. Children are in the order in which they
// were linked. O(1).
ct_transform ct_transform_parent(const ct_transform_manager *m, ct_transform t);
ct_transform ct_transform_first_child(const ct_transform_manager *m, ct_transform t);
ct_transform ct_transform_next_sibling(const ct_transform_manager *m, ct_transform t);

// Returns the instance after `t` in the tree below `top`, parents before children: start with `top`
// itself. {0} at the end.
ct_transform ct_transform_next_below(const ct_transform_manager *m, ct_transform top,
                                     ct_transform t);

// Moves instances of the same tree near each other. A round goes over all places. Into each it puts
// the instance that follows the previous one in its tree (its first child, its next sibling or that
// of an ancestor), or else a root. One call looks at up to `most_looks` places and moves up to
// twice `most_swaps` instances; the next call continues after them. After a round without changes
// all instances are in that order, and further rounds only look.
void ct_transform_tidy(ct_transform_manager *m, uint32_t most_looks, uint32_t most_swaps);

// Returns the number of instances.
uint32_t ct_transform_count(const ct_transform_manager *m);

// Returns a number that grows when instances are made or ended.
uint64_t ct_transform_version(const ct_transform_manager *m);

// A reader of changes. A manager has up to 16, which exist as long as it does.
typedef struct ct_transform_reader {
    uint32_t number;
} ct_transform_reader;

// Adds a reader. Its list starts with the instances that changed since every other reader last
// cleared its list, or with all instances for the first reader.
ct_transform_reader ct_transform_add_reader(ct_transform_manager *m);

// Returns the instances whose world pose changed (or that were made) since the reader cleared its
// list, each once. An item is 0 where an instance changed again, and comes later, or ended. NULL
// when there are no changes. Borrowed until the manager next changes.
const uint32_t *ct_transform_changed(const ct_transform_manager *m, ct_transform_reader reader,
                                     uint32_t *count);

// Returns whether `t` is in the reader's list.
bool ct_transform_is_changed(const ct_transform_manager *m, ct_transform_reader reader,
                             ct_transform t);

// Adds `t` to all lists: it did not move, but something attached to it did.
void ct_transform_mark_changed(ct_transform_manager *m, ct_transform t);

// Empties the list of one reader.
void ct_transform_clear_changed(ct_transform_manager *m, ct_transform_reader reader);
