// transform_component.h: where entities are, and what hangs on what.
//
// Structure of arrays in one allocation that doubles: entity, local position, rotation and scale,
// local and world matrix, and parent, first and last child, next and previous sibling as instance
// numbers, and for the few that hang at a place of their parent, its matrix. Why both poses and
// matrices: docs/decisions/0024-transforms-keep-both.md. Slot 0 is unused. Setting a local pose
// updates the world matrices of the whole subtree at once, so what is read is always up to date;
// setting many at once updates each subtree once. Erasing swaps the last instance in. Children are
// in the order they were linked. Instances whose world pose changed are in one list, which each
// reader follows with a cursor of its own.
//
// Positions, rotations and scales must be finite (asserted): check those from outside. Scales may be
// zero or negative. Rotations are kept at length 1. World matrices are products and need not be
// finite below huge scales.
// From "Building a Data-Oriented Entity System, part 3" (Bitsquid blog, 2014-10-03).
#pragma once
#include "entity/component_registry.h"
#include "entity/instance_table.h"
#include "foundation/math/math.h"
#include "resource/types/component_resource.h"

#define CT_TRANSFORM_NO_PARENT UINT32_MAX

typedef struct ct_transform_manager ct_transform_manager;

// An instance: its place in the arrays. {0} is no instance. Stale after any instance is
// destroyed, and after ct_transform_tidy: look it up again.
typedef struct ct_transform {
    uint32_t index;
} ct_transform;

// Makes an empty manager that allocates from `a`, and frees it with all instances (NULL is
// fine).
ct_transform_manager *ct_transform_manager_create(ct_allocator *a);
void ct_transform_manager_destroy(ct_transform_manager *m);

// The entry for a world's registry.
ct_component_manager ct_transform_component_manager(ct_transform_manager *m);

// Gives an entity a transform without parent. One that has one is a bug.
ct_transform ct_transform_create(ct_transform_manager *m, ct_entity e, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale);

// Whether all numbers of `count` template transforms are finite.
bool ct_transform_data_are_finite(const ct_transform_data *data, uint64_t count);

// Gives `num_copies` times `count` entities transforms, of data that lie in the same order, copy
// after copy: each hangs on the one of its own copy whose place in it `parents` says, which comes
// before it, or on none for CT_TRANSFORM_NO_PARENT; `parents` are of one copy, and none hangs on
// another where they are NULL. Returns false, and changes nothing, when an entity has a transform
// or stands twice, or data is not finite.
bool ct_transform_spawn(ct_transform_manager *m, const ct_entity *entities,
                        const ct_transform_data *data, const uint32_t *parents, uint32_t count,
                        uint32_t num_copies);

// Ends the transforms of `entities`; those without one are passed over. Children that stay are
// unlinked and keep their world pose.
void ct_transform_destroy(ct_transform_manager *m, const ct_entity *entities, uint32_t count);

// The instance of an entity, or {0}; a dead one has none. One look at an array by entity index: a
// manager begins with its table.
static inline ct_transform ct_transform_lookup(const ct_transform_manager *m, ct_entity e) {
    return (ct_transform){ct_instance_table_first((const ct_instance_table *)(const void *)m, e)};
}

// The entity of an instance.
ct_entity ct_transform_entity(const ct_transform_manager *m, ct_transform t);

// Read a part of the pose in the parent's space; `t` must be an instance.
ct_vec3 ct_transform_local_position(const ct_transform_manager *m, ct_transform t);
ct_quat ct_transform_local_rotation(const ct_transform_manager *m, ct_transform t);
ct_vec3 ct_transform_local_scale(const ct_transform_manager *m, ct_transform t);

// The matrices of the local pose and of the world pose, always up to date. Borrowed until an
// instance is made or destroyed; their values change with the pose.
const ct_mat4 *ct_transform_local(const ct_transform_manager *m, ct_transform t);
const ct_mat4 *ct_transform_world(const ct_transform_manager *m, ct_transform t);

// Copies the world positions of `count` instances to `positions`.
void ct_transform_world_positions(const ct_transform_manager *m, const ct_transform *transforms,
                                  uint32_t count, ct_vec3 *positions);

// Set a part of the local pose, or all of it, and update the world matrices of the subtree. Values
// must be finite.
void ct_transform_set_local_position(ct_transform_manager *m, ct_transform t, ct_vec3 position);
void ct_transform_set_local_rotation(ct_transform_manager *m, ct_transform t, ct_quat rotation);
void ct_transform_set_local_scale(ct_transform_manager *m, ct_transform t, ct_vec3 scale);
void ct_transform_set_local_pose(ct_transform_manager *m, ct_transform t, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale);

// As ct_transform_set_local_position, but false, and nothing changes, when the position is not
// finite. For positions from outside.
bool ct_transform_move(ct_transform_manager *m, ct_transform t, const ct_vec3 *position);

// Sets many local positions, or poses; each subtree is updated once.
void ct_transform_set_local_positions(ct_transform_manager *m, const ct_transform *transforms,
                                      const ct_vec3 *positions, uint32_t count);
void ct_transform_set_local_poses(ct_transform_manager *m, const ct_transform *transforms,
                                  const ct_vec3 *positions, const ct_quat *rotations,
                                  const ct_vec3 *scales, uint32_t count);

// Hangs `child` on `parent`; its local pose is then relative to the parent. Returns false, and
// changes nothing, when `parent` is `child` or below it.
bool ct_transform_link(ct_transform_manager *m, ct_transform child, ct_transform parent);

// Sets the local pose so that the world pose becomes `world`, less the shear that position, rotation
// and scale cannot say. False, and nothing changes, when there is none: under a parent of no size.
bool ct_transform_set_world_pose(ct_transform_manager *m, ct_transform t, const ct_mat4 *world);

// As ct_transform_link, but the local pose of `child` is relative to `offset`, a matrix to the
// parent's space, which is copied (NULL: the parent's space itself): a place of the parent that
// moves, such as a node of its scene graph. It ends with the link.
bool ct_transform_link_at(ct_transform_manager *m, ct_transform child, ct_transform parent,
                          const ct_mat4 *offset);

// True when `t` is linked at an offset.
bool ct_transform_has_offset(const ct_transform_manager *m, ct_transform t);

// Changes the offset that `t` is linked at, and updates the subtree's world matrices.
void ct_transform_set_offset(ct_transform_manager *m, ct_transform t, const ct_mat4 *offset);

// Makes `child` a root that keeps its world pose (without shear, which position, rotation and scale
// cannot say).
void ct_transform_unlink(ct_transform_manager *m, ct_transform child);

// The neighbours of an instance in its tree; {0} where there is none. Children are in the order
// they were linked. O(1).
ct_transform ct_transform_parent(const ct_transform_manager *m, ct_transform t);
ct_transform ct_transform_first_child(const ct_transform_manager *m, ct_transform t);
ct_transform ct_transform_next_sibling(const ct_transform_manager *m, ct_transform t);

// Brings instances that hang together near each other: a round goes over all places and puts into
// each the instance that comes after the one before it in its tree (its first child, its next sibling
// or that of one above), or else a root. Looks at most at `most_looks` places and moves at most twice
// `most_swaps` instances; the next call goes on behind them. After a round without changes all lie
// in that order, and rounds only look.
void ct_transform_tidy(ct_transform_manager *m, uint32_t most_looks, uint32_t most_swaps);

// The number of instances.
uint32_t ct_transform_count(const ct_transform_manager *m);

// A reader of changes: up to 16 of a manager, for as long as it lives.
typedef struct ct_transform_reader {
    uint32_t number;
} ct_transform_reader;

// Adds a reader. Its list begins with all that changed since every other reader last cleared its
// list; with all instances when it is the first reader.
ct_transform_reader ct_transform_add_reader(ct_transform_manager *m);

// The instances whose world pose changed (or that were made) since the reader cleared its list,
// each once; 0 stands for some that changed again, and come later, or ended. NULL when there are
// none. Borrowed until the manager next changes.
const uint32_t *ct_transform_changed(const ct_transform_manager *m, ct_transform_reader reader,
                                     uint32_t *count);

// True when `t` is in the reader's list.
bool ct_transform_is_changed(const ct_transform_manager *m, ct_transform_reader reader,
                             ct_transform t);

// Puts `t` into all lists: it did not move, but what stands on it did.
void ct_transform_mark_changed(ct_transform_manager *m, ct_transform t);

// Empties the list of one reader.
void ct_transform_clear_changed(ct_transform_manager *m, ct_transform_reader reader);
