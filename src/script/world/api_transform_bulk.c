// Poses of many entities in one call: what is wrong with one is an error before any is changed.
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/world/api_transform.h"

// The transforms of the entities at argument 2, in the environment's scratch.
typedef struct transform_list {
    ct_transform_manager *transforms;
    const ct_transform *items;
    uint32_t count;
    void *rest; // `rest_bytes` for each of them, behind them
} transform_list;

// Says what is wrong with entity `i`, from 0, which has no transform in `world`.
static void refuse(lua_State *L, const ct_world *world, ct_entity e, uint32_t i) {
    ct_check_entity_at(L, 2, e, i);
    const bool is_own = ct_world_of(ct_script_of(L)->worlds, e) == world;
    ct_argument_error(L, 2, "expected a Unit with a transform%s at index %u",
                      is_own ? "" : " in this world", i + 1);
}

static transform_list check_transforms(lua_State *L, uint32_t rest_bytes) {
    const ct_world *const world = ct_check_world_of_transforms(L);
    transform_list list = {.transforms = ct_world_transforms(world),
                           .count = ct_check_entity_count(L, 2)};
    const uint64_t count = list.count;
    const uint64_t bytes = sizeof(ct_entity) + sizeof(ct_transform);
    // The rest begins at a multiple of 16.
    const uint64_t rest_at = (count * bytes + 15) / 16 * 16;
    char *const scratch = ct_lua_scratch(ct_lua_of(L), rest_at + count * rest_bytes + 16);
    const ct_entity *const entities = ct_check_entities(L, 2, (ct_entity *)scratch, list.count);
    ct_transform *const items = (ct_transform *)(scratch + sizeof(ct_entity) * count);
    for (uint32_t i = 0; i < list.count; ++i) {
        items[i] = ct_transform_lookup(list.transforms, entities[i]);
        if (__builtin_expect(!items[i].index, 0))
            refuse(L, world, entities[i], i);
    }
    list.items = items;
    list.rest = scratch + rest_at;
    return list;
}

// --- Setting -------------------------------------------------------------------------------------

int ct_transforms_set_local_positions(lua_State *L) {
    const transform_list list = check_transforms(L, 0);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    uint32_t count;
    const ct_vec3 *const positions = ct_check_positions(L, 3, temp, &count);
    if (count != list.count)
        ct_argument_error(L, 3, "expected one position for each of %u units, got %u", list.count,
                          count);
    ct_transform_set_local_positions(list.transforms, list.items, positions, list.count);
    return 0;
}

// A position, a rotation and a scale for each, behind the transforms.
typedef struct pose_list {
    transform_list list;
    ct_vec3 *positions, *scales;
    ct_quat *rotations;
} pose_list;

static pose_list check_poses(lua_State *L) {
    pose_list p = {.list = check_transforms(L, 2 * sizeof(ct_vec3) + sizeof(ct_quat))};
    p.rotations = p.list.rest;
    p.positions = (ct_vec3 *)(p.rotations + p.list.count);
    p.scales = p.positions + p.list.count;
    const ct_transform_manager *const m = p.list.transforms;
    for (uint32_t i = 0; i < p.list.count; ++i) {
        p.positions[i] = ct_transform_local_position(m, p.list.items[i]);
        p.rotations[i] = ct_transform_local_rotation(m, p.list.items[i]);
        p.scales[i] = ct_transform_local_scale(m, p.list.items[i]);
    }
    return p;
}

static int set_poses(const pose_list *p) {
    ct_transform_set_local_poses(p->list.transforms, p->list.items, p->positions, p->rotations,
                                 p->scales, p->list.count);
    return 0;
}

int ct_transforms_set_local_rotations(lua_State *L) {
    const pose_list p = check_poses(L);
    const float *const floats = ct_check_floats_of(L, 3, 4, p.list.count);
    for (uint32_t i = 0; i < p.list.count; ++i)
        p.rotations[i] = ct_check_rotation_of(L, 3, floats, i);
    return set_poses(&p);
}

int ct_transforms_set_local_scales(lua_State *L) {
    const pose_list p = check_poses(L);
    const float *const floats = ct_check_floats_of(L, 3, 3, p.list.count);
    if (p.list.count > 0)
        memcpy(p.scales, floats, sizeof(ct_vec3) * (uint64_t)p.list.count);
    return set_poses(&p);
}

int ct_transforms_set_local_poses(lua_State *L) {
    const pose_list p = check_poses(L);
    const float *const floats = ct_check_floats_of(L, 3, 16, p.list.count);
    for (uint32_t i = 0; i < p.list.count; ++i) {
        ct_mat4 m;
        memcpy(&m, floats + 16 * (uint64_t)i, sizeof(m));
        ct_mat4_decompose(&m, &p.positions[i], &p.rotations[i], &p.scales[i]);
        if (!ct_vec3_is_finite(p.scales[i]) || !ct_quat_is_finite(p.rotations[i]))
            ct_argument_error(L, 3, "expected poses of smaller numbers; pose %u is too large",
                              i + 1);
    }
    return set_poses(&p);
}

// --- Getting -------------------------------------------------------------------------------------

// The floats of the result at argument 3, `size` for each of the entities at argument 2.
static float *push_result(lua_State *L, const transform_list *list, uint32_t size) {
    return ct_push_result_array(L, 3, CT_LUA_ARRAY_KIND_FLOATS, (uint64_t)size * list->count)
        ->floats;
}

int ct_transforms_local_positions(lua_State *L) {
    const transform_list list = check_transforms(L, 0);
    float *const floats = push_result(L, &list, 3);
    for (uint32_t i = 0; i < list.count; ++i) {
        const ct_vec3 v = ct_transform_local_position(list.transforms, list.items[i]);
        memcpy(floats + 3 * (uint64_t)i, v.raw, sizeof(v.raw));
    }
    return 1;
}

int ct_transforms_local_rotations(lua_State *L) {
    const transform_list list = check_transforms(L, 0);
    float *const floats = push_result(L, &list, 4);
    for (uint32_t i = 0; i < list.count; ++i) {
        const ct_quat q = ct_transform_local_rotation(list.transforms, list.items[i]);
        memcpy(floats + 4 * (uint64_t)i, q.raw, sizeof(q.raw));
    }
    return 1;
}

int ct_transforms_local_scales(lua_State *L) {
    const transform_list list = check_transforms(L, 0);
    float *const floats = push_result(L, &list, 3);
    for (uint32_t i = 0; i < list.count; ++i) {
        const ct_vec3 v = ct_transform_local_scale(list.transforms, list.items[i]);
        memcpy(floats + 3 * (uint64_t)i, v.raw, sizeof(v.raw));
    }
    return 1;
}

// Writes the matrices that `matrix_of` finds.
static int push_matrices(lua_State *L, const ct_mat4 *(*matrix_of)(const ct_transform_manager *m,
                                                                   ct_transform t)) {
    const transform_list list = check_transforms(L, 0);
    float *const floats = push_result(L, &list, 16);
    for (uint32_t i = 0; i < list.count; ++i)
        memcpy(floats + 16 * (uint64_t)i, matrix_of(list.transforms, list.items[i]),
               sizeof(ct_mat4));
    return 1;
}

int ct_transforms_local_poses(lua_State *L) {
    return push_matrices(L, ct_transform_local);
}

int ct_transforms_world_poses(lua_State *L) {
    return push_matrices(L, ct_transform_world);
}

int ct_transforms_world_positions(lua_State *L) {
    const transform_list list = check_transforms(L, 0);
    float *const floats = push_result(L, &list, 3);
    ct_transform_world_positions(list.transforms, list.items, list.count, (ct_vec3 *)floats);
    return 1;
}

int ct_transforms_world_rotations(lua_State *L) {
    const transform_list list = check_transforms(L, 0);
    float *const floats = push_result(L, &list, 4);
    for (uint32_t i = 0; i < list.count; ++i) {
        ct_vec3 position, scale;
        ct_quat q;
        ct_mat4_decompose(ct_transform_world(list.transforms, list.items[i]), &position, &q,
                          &scale);
        memcpy(floats + 4 * (uint64_t)i, q.raw, sizeof(q.raw));
    }
    return 1;
}
