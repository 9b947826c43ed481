// Poses of entities and nodes, and many of them at a time.
#include <string.h>

#include "app/plugin/app_plugin_check.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "world/world_node.h"

enum { BLOCK = 256 };

// A node that a plugin names; `node.transform` is {0} where there is no such node or pose.
typedef struct found_node {
    ct_world *world;
    ct_world_node at;
} found_node;

static bool find(ct_plugin *self, cuttle_entity e, uint32_t node, found_node *found) {
    const ct_entity own = {e.id};
    found->world = ct_app_world_of(self, e);
    if (!found->world)
        return false;
    found->at = ct_world_node_of(found->world, own, node);
    return found->at.node == node && (node || found->at.transform.index);
}

// --- Nodes ---------------------------------------------------------------------------------------

static uint32_t num_nodes(cuttle_plugin *self, cuttle_entity e) {
    const ct_world *const w = ct_app_world_of(self, e);
    if (!w)
        return 0;
    const ct_scene_graph_manager *const m = ct_world_scene_graphs(w);
    const ct_scene_graph g = ct_scene_graph_lookup(m, (ct_entity){e.id});
    return g.index ? ct_scene_graph_num_nodes(m, g) + 1 : 1;
}

static bool find_node(cuttle_plugin *self, cuttle_entity e, const char *name, uint32_t *node) {
    const ct_world *const w = ct_app_world_of(self, e);
    const uint32_t found = w ? ct_scene_graph_node_of(ct_world_scene_graphs(w), (ct_entity){e.id},
                                                      ct_string_id32_of(name))
                             : 0;
    if (found)
        *node = found;
    return found != 0;
}

// --- Reading one ---------------------------------------------------------------------------------

static bool local_position(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                           cuttle_vector3 *position) {
    found_node found;
    if (!find(self, e, node, &found))
        return false;
    const ct_vec3 own = ct_world_node_local_position(found.at);
    memcpy(position, &own, sizeof(*position));
    return true;
}

static bool local_rotation(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                           cuttle_quaternion *rotation) {
    found_node found;
    if (!find(self, e, node, &found))
        return false;
    const ct_quat own = ct_world_node_local_rotation(found.at);
    memcpy(rotation, &own, sizeof(*rotation));
    return true;
}

static bool local_scale(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                        cuttle_vector3 *scale) {
    found_node found;
    if (!find(self, e, node, &found))
        return false;
    const ct_vec3 own = ct_world_node_local_scale(found.at);
    memcpy(scale, &own, sizeof(*scale));
    return true;
}

static bool local_pose(cuttle_plugin *self, cuttle_entity e, uint32_t node, cuttle_pose *pose) {
    return local_position(self, e, node, &pose->position) &&
           local_rotation(self, e, node, &pose->rotation) &&
           local_scale(self, e, node, &pose->scale);
}

static bool world_pose(cuttle_plugin *self, cuttle_entity e, uint32_t node, cuttle_matrix4 *pose) {
    found_node found;
    if (!find(self, e, node, &found))
        return false;
    const ct_mat4 own = ct_world_node_world(found.at);
    memcpy(pose, &own, sizeof(*pose));
    return true;
}

static bool world_position(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                           cuttle_vector3 *position) {
    cuttle_matrix4 pose;
    if (!world_pose(self, e, node, &pose))
        return false;
    *position = (cuttle_vector3){pose.m[12], pose.m[13], pose.m[14]};
    return true;
}

static bool world_rotation(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                           cuttle_quaternion *rotation) {
    found_node found;
    if (!find(self, e, node, &found))
        return false;
    ct_vec3 position, scale;
    ct_quat own;
    const ct_mat4 world = ct_world_node_world(found.at);
    ct_mat4_decompose(&world, &position, &own, &scale);
    memcpy(rotation, &own, sizeof(*rotation));
    return true;
}

// --- Setting one ---------------------------------------------------------------------------------

static bool check_vector(const ct_plugin *self, const char *function, const cuttle_vector3 *v,
                         ct_vec3 *own) {
    memcpy(own, v, sizeof(*own));
    return ct_vec3_is_finite(*own) || ct_app_bad_argument(self, function, "a number is not finite");
}

static bool check_rotation(const ct_plugin *self, const char *function,
                           const cuttle_quaternion *rotation, ct_quat *own) {
    memcpy(own, rotation, sizeof(*own));
    return ct_quat_is_rotation(*own) ||
           ct_app_bad_argument(self, function, "a rotation is not finite, or has no length");
}

static bool set_local_position(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                               const cuttle_vector3 *position) {
    found_node found;
    ct_vec3 own;
    if (!find(self, e, node, &found) ||
        !check_vector(self, "poses.set_local_position", position, &own))
        return false;
    ct_world_node_set_local_position(found.at, own);
    return true;
}

static bool set_local_rotation(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                               const cuttle_quaternion *rotation) {
    found_node found;
    ct_quat own;
    if (!find(self, e, node, &found) ||
        !check_rotation(self, "poses.set_local_rotation", rotation, &own))
        return false;
    ct_world_node_set_local_rotation(found.at, own);
    return true;
}

static bool set_local_scale(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                            const cuttle_vector3 *scale) {
    found_node found;
    ct_vec3 own;
    if (!find(self, e, node, &found) || !check_vector(self, "poses.set_local_scale", scale, &own))
        return false;
    ct_world_node_set_local_scale(found.at, own);
    return true;
}

static bool set_local_pose(cuttle_plugin *self, cuttle_entity e, uint32_t node,
                           const cuttle_pose *pose) {
    static const char function[] = "poses.set_local_pose";
    found_node found;
    ct_vec3 position, scale;
    ct_quat rotation;
    if (!find(self, e, node, &found) || !check_vector(self, function, &pose->position, &position) ||
        !check_rotation(self, function, &pose->rotation, &rotation) ||
        !check_vector(self, function, &pose->scale, &scale))
        return false;
    if (node)
        ct_scene_graph_set_local_pose(found.at.graphs, found.at.graph, node, position, rotation,
                                      scale);
    else
        ct_transform_set_local_pose(found.at.transforms, found.at.transform, position, rotation,
                                    scale);
    return true;
}

static bool set_world_pose(cuttle_plugin *self, cuttle_entity e, const cuttle_matrix4 *pose) {
    static const char function[] = "poses.set_world_pose";
    found_node found;
    ct_mat4 own;
    memcpy(&own, pose, sizeof(own));
    if (!find(self, e, 0, &found))
        return false;
    if (!ct_mat4_is_finite(&own))
        return ct_app_bad_argument(self, function, "a number is not finite");
    return ct_transform_set_world_pose(found.at.transforms, found.at.transform, &own) ||
           ct_app_bad_argument(self, function, "the entity is linked to one of size 0");
}

static void jump(cuttle_plugin *self, cuttle_entity e) {
    const ct_world *const w = ct_app_world_of(self, e);
    if (w)
        ct_world_jump(w, (ct_entity){e.id});
}

// --- Links ---------------------------------------------------------------------------------------

static bool link_entities(cuttle_plugin *self, cuttle_entity child, cuttle_entity parent,
                          uint32_t node) {
    found_node below, above;
    if (!find(self, child, 0, &below) || !find(self, parent, 0, &above) ||
        !find(self, parent, node, &above))
        return false;
    if (below.world != above.world)
        return ct_app_bad_argument(self, "poses.link", "the entities are of different worlds");
    const bool is_linked =
        node ? ct_scene_graph_attach(above.at.graphs, (ct_entity){child.id}, above.at.graph, node)
             : ct_transform_link(above.at.transforms, below.at.transform, above.at.transform);
    return is_linked || ct_app_bad_argument(self, "poses.link",
                                            "an entity cannot be linked to itself or below itself");
}

static bool unlink_entity(cuttle_plugin *self, cuttle_entity child) {
    found_node found;
    if (!find(self, child, 0, &found))
        return false;
    ct_transform_unlink(found.at.transforms, found.at.transform);
    return true;
}

// --- Reading many --------------------------------------------------------------------------------

static const ct_transform_manager *transforms_of(const ct_plugin *self, const cuttle_world *world,
                                                 const char *function) {
    const ct_world *const w = ct_app_check_world(self, world, function);
    return w ? ct_world_transforms(w) : NULL;
}

// The transform of an id from outside; {0}: it has none.
static ct_transform transform_of(const ct_transform_manager *m, cuttle_entity e) {
    const ct_entity own = {e.id};
    return ct_entity_is_well_formed(own) ? ct_transform_lookup(m, own) : (ct_transform){0};
}

static uint32_t local_positions(cuttle_plugin *self, const cuttle_world *world,
                                const cuttle_entity *entities, uint32_t count,
                                cuttle_vector3 *positions) {
    const ct_transform_manager *const m = transforms_of(self, world, "poses.local_positions");
    uint32_t num_found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = m ? transform_of(m, entities[i]) : (ct_transform){0};
        const ct_vec3 own = t.index ? ct_transform_local_position(m, t) : ct_vec3_make(0, 0, 0);
        memcpy(&positions[i], &own, sizeof(own));
        num_found += t.index != 0;
    }
    return num_found;
}

static uint32_t local_poses(cuttle_plugin *self, const cuttle_world *world,
                            const cuttle_entity *entities, uint32_t count, cuttle_pose *poses) {
    const ct_transform_manager *const m = transforms_of(self, world, "poses.local_poses");
    uint32_t num_found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = m ? transform_of(m, entities[i]) : (ct_transform){0};
        memset(&poses[i], 0, sizeof(poses[i]));
        if (!t.index)
            continue;
        const ct_vec3 position = ct_transform_local_position(m, t);
        const ct_quat rotation = ct_transform_local_rotation(m, t);
        const ct_vec3 scale = ct_transform_local_scale(m, t);
        memcpy(&poses[i].position, &position, sizeof(position));
        memcpy(&poses[i].rotation, &rotation, sizeof(rotation));
        memcpy(&poses[i].scale, &scale, sizeof(scale));
        ++num_found;
    }
    return num_found;
}

static uint32_t world_positions(cuttle_plugin *self, const cuttle_world *world,
                                const cuttle_entity *entities, uint32_t count,
                                cuttle_vector3 *positions) {
    const ct_transform_manager *const m = transforms_of(self, world, "poses.world_positions");
    uint32_t num_found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = m ? transform_of(m, entities[i]) : (ct_transform){0};
        const ct_vec3 own =
            t.index ? ct_mat4_position(*ct_transform_world(m, t)) : ct_vec3_make(0, 0, 0);
        memcpy(&positions[i], &own, sizeof(own));
        num_found += t.index != 0;
    }
    return num_found;
}

static uint32_t world_poses(cuttle_plugin *self, const cuttle_world *world,
                            const cuttle_entity *entities, uint32_t count, cuttle_matrix4 *poses) {
    const ct_transform_manager *const m = transforms_of(self, world, "poses.world_poses");
    uint32_t num_found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = m ? transform_of(m, entities[i]) : (ct_transform){0};
        if (t.index)
            memcpy(&poses[i], ct_transform_world(m, t), sizeof(poses[i]));
        else
            memset(&poses[i], 0, sizeof(poses[i]));
        num_found += t.index != 0;
    }
    return num_found;
}

// --- Setting many --------------------------------------------------------------------------------

// Poses that can be set, collected until there is a block of them.
typedef struct pose_block {
    ct_transform_manager *transforms;
    ct_transform at[BLOCK];
    ct_vec3 positions[BLOCK], scales[BLOCK];
    ct_quat rotations[BLOCK];
    uint32_t count;
    uint32_t num_set; // before
    uint32_t num_bad;
} pose_block;

static void flush_positions(pose_block *b) {
    ct_transform_set_local_positions(b->transforms, b->at, b->positions, b->count);
    b->num_set += b->count;
    b->count = 0;
}

static void flush_poses(pose_block *b) {
    ct_transform_set_local_poses(b->transforms, b->at, b->positions, b->rotations, b->scales,
                                 b->count);
    b->num_set += b->count;
    b->count = 0;
}

static uint32_t report_bad(const ct_plugin *self, const char *function, const pose_block *b) {
    if (b->num_bad > 0)
        ct_app_bad_argument(self, function, "%u poses are not finite", b->num_bad);
    return b->num_set;
}

static uint32_t set_local_positions(cuttle_plugin *self, cuttle_world *world,
                                    const cuttle_entity *entities, uint32_t count,
                                    const cuttle_vector3 *positions) {
    static const char function[] = "poses.set_local_positions";
    const ct_world *const w = ct_app_check_world(self, world, function);
    if (!w)
        return 0;
    pose_block b;
    b.transforms = ct_world_transforms(w);
    b.count = b.num_set = b.num_bad = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = transform_of(b.transforms, entities[i]);
        memcpy(&b.positions[b.count], &positions[i], sizeof(b.positions[0]));
        b.at[b.count] = t;
        const bool is_finite = ct_vec3_is_finite(b.positions[b.count]);
        b.num_bad += !is_finite;
        b.count += is_finite && t.index;
        if (b.count == BLOCK)
            flush_positions(&b);
    }
    flush_positions(&b);
    return report_bad(self, function, &b);
}

// Copies a pose to the end of the block. Returns whether it is one.
static bool take_pose(pose_block *b, const cuttle_pose *pose) {
    memcpy(&b->positions[b->count], &pose->position, sizeof(b->positions[0]));
    memcpy(&b->rotations[b->count], &pose->rotation, sizeof(b->rotations[0]));
    memcpy(&b->scales[b->count], &pose->scale, sizeof(b->scales[0]));
    return ct_vec3_is_finite(b->positions[b->count]) && ct_vec3_is_finite(b->scales[b->count]) &&
           ct_quat_is_rotation(b->rotations[b->count]);
}

static uint32_t set_local_poses(cuttle_plugin *self, cuttle_world *world,
                                const cuttle_entity *entities, uint32_t count,
                                const cuttle_pose *poses) {
    static const char function[] = "poses.set_local_poses";
    const ct_world *const w = ct_app_check_world(self, world, function);
    if (!w)
        return 0;
    pose_block b;
    b.transforms = ct_world_transforms(w);
    b.count = b.num_set = b.num_bad = 0;
    for (uint32_t i = 0; i < count; ++i) {
        b.at[b.count] = transform_of(b.transforms, entities[i]);
        const bool is_pose = take_pose(&b, &poses[i]);
        b.num_bad += !is_pose;
        b.count += is_pose && b.at[b.count].index;
        if (b.count == BLOCK)
            flush_poses(&b);
    }
    flush_poses(&b);
    return report_bad(self, function, &b);
}

const cuttle_poses_api_1 ct_app_poses_api_1 = {
    .num_nodes = num_nodes,
    .find_node = find_node,
    .local_position = local_position,
    .local_rotation = local_rotation,
    .local_scale = local_scale,
    .local_pose = local_pose,
    .set_local_position = set_local_position,
    .set_local_rotation = set_local_rotation,
    .set_local_scale = set_local_scale,
    .set_local_pose = set_local_pose,
    .world_position = world_position,
    .world_rotation = world_rotation,
    .world_pose = world_pose,
    .set_world_pose = set_world_pose,
    .jump = jump,
    .link = link_entities,
    .unlink = unlink_entity,
    .local_positions = local_positions,
    .local_poses = local_poses,
    .world_positions = world_positions,
    .world_poses = world_poses,
    .set_local_positions = set_local_positions,
    .set_local_poses = set_local_poses,
};
