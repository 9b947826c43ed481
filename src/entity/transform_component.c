#include "entity/transform_component.h"

#include <string.h>

#include "foundation/array.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/soa_block.h"
#include "resource/component_resource.h"

enum {
    FLAG_PENDING = 1, // its world matrix is to be updated
    FLAG_ENDING = 2,  // about to be destroyed
};

struct ct_transform_manager {
    ct_soa_block soa;
    ct_entity *entity;
    ct_vec3 *position; // local
    ct_quat *rotation;
    ct_vec3 *scale;
    ct_mat4 *world;
    uint32_t *parent, *first_child, *last_child, *next_sibling, *previous_sibling;
    uint32_t *offset;  // place in offsets, 0: none
    uint32_t *changed; // place in changed_entities, from 1; 0: not there
    uint8_t *flags;
    ct_hash_map instances; // by entity id
    CT_ARRAY(ct_entity) changed_entities;
    CT_ARRAY(ct_mat4) offsets; // where children are in their parent's space; 0 is none
    ct_u32_array free_offsets;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, entity, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, position, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, rotation, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, scale, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, world, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, parent, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, first_child, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, last_child, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, next_sibling, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, previous_sibling, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, offset, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, changed, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, flags, 64),
};

ct_transform_manager *ct_transform_manager_create(ct_allocator *a) {
    ct_transform_manager *m = CT_NEW(a, ct_transform_manager);
    m->allocator = a;
    ct_soa_block_init(&m->soa, a, m, arrays, CT_COUNT_OF(arrays));
    ct_soa_block_add(&m->soa, 1); // the none
    ct_hash_map_init(&m->instances, a);
    ct_array_init(&m->changed_entities, a);
    ct_array_init(&m->offsets, a);
    ct_array_init(&m->free_offsets, a);
    return m;
}

void ct_transform_manager_destroy(ct_transform_manager *m) {
    if (!m)
        return;
    ct_array_free(&m->free_offsets);
    ct_array_free(&m->offsets);
    ct_array_free(&m->changed_entities);
    ct_hash_map_free(&m->instances);
    ct_soa_block_free(&m->soa);
    ct_free_sized(m->allocator, m, sizeof *m);
}

// Returns the place of `t`, which must be an instance.
static uint32_t checked(const ct_transform_manager *m, ct_transform t) {
    CT_ASSERT(t.index != 0 && t.index < m->soa.count, "there is no transform %u of %u", t.index,
              m->soa.count - 1);
    return t.index;
}

static void check_position(ct_vec3 position) {
    CT_ASSERT(ct_vec3_is_finite(position), "a position is not finite");
}

static void check_scale(ct_vec3 scale) {
    CT_ASSERT(ct_vec3_is_finite(scale), "a scale is not finite");
}

// Rotations that are not of length 1 would shear.
static ct_quat unit_rotation(ct_quat q) {
    CT_ASSERT(ct_quat_is_finite(q), "a rotation is not finite");
    return ct_quat_unit(q);
}

// --- World matrices ------------------------------------------------------------------------------

static void mark_changed(ct_transform_manager *m, uint32_t i) {
    if (m->changed[i])
        return;
    ct_array_push(&m->changed_entities, m->entity[i]);
    m->changed[i] = m->changed_entities.count;
}

static void unmark_changed(ct_transform_manager *m, uint32_t i) {
    const uint32_t place = m->changed[i];
    if (place == 0)
        return;
    m->changed[i] = 0;
    ct_array_swap_erase(&m->changed_entities, place - 1);
    if (place <= m->changed_entities.count) {
        const ct_transform moved = ct_transform_lookup(m, m->changed_entities.items[place - 1]);
        m->changed[moved.index] = place;
    }
}

static void update_one(ct_transform_manager *m, uint32_t i) {
    const ct_mat4 local = ct_mat4_compose(m->position[i], m->rotation[i], m->scale[i]);
    const uint32_t parent = m->parent[i];
    const ct_mat4 placed =
        m->offset[i] ? ct_mat4_mul(m->offsets.items[m->offset[i]], local) : local;
    m->world[i] = parent ? ct_mat4_mul(m->world[parent], placed) : placed;
    m->flags[i] &= (uint8_t)~FLAG_PENDING;
    mark_changed(m, i);
}

// The instance after `i` in the subtree of `top`, parents before children; 0 at the end.
static uint32_t next_in_subtree(const ct_transform_manager *m, uint32_t top, uint32_t i) {
    if (m->first_child[i])
        return m->first_child[i];
    while (i != top && !m->next_sibling[i])
        i = m->parent[i];
    return i == top ? 0 : m->next_sibling[i];
}

static void update_subtree(ct_transform_manager *m, uint32_t top) {
    for (uint32_t i = top; i; i = next_in_subtree(m, top, i))
        update_one(m, i);
}

// As update_subtree when only the position of a root without children changed: the usual mover.
static void update_lone_position(ct_transform_manager *m, uint32_t i) {
    m->world[i].col[3] = (ct_vec4){{m->position[i].x, m->position[i].y, m->position[i].z, 1}};
    mark_changed(m, i);
}

static bool is_lone(const ct_transform_manager *m, uint32_t i) {
    return !m->parent[i] && !m->first_child[i];
}

// --- Instances -----------------------------------------------------------------------------------

ct_transform ct_transform_create(ct_transform_manager *m, ct_entity e, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale) {
    CT_ASSERT(e.id != 0, "a transform needs an entity");
    CT_ASSERT(!ct_transform_lookup(m, e).index, "entity %u has a transform", e.id);
    check_position(position);
    check_scale(scale);
    const uint32_t i = ct_soa_block_add(&m->soa, 1);
    m->entity[i] = e;
    m->position[i] = position;
    m->rotation[i] = unit_rotation(rotation);
    m->scale[i] = scale;
    ct_hash_map_set(&m->instances, e.id, i);
    update_one(m, i);
    return (ct_transform){i};
}

// Takes `i` out of its parent's children; its local pose is as it was.
static void detach(ct_transform_manager *m, uint32_t i) {
    const uint32_t parent = m->parent[i];
    if (parent == 0)
        return;
    const uint32_t next = m->next_sibling[i], previous = m->previous_sibling[i];
    if (previous)
        m->next_sibling[previous] = next;
    else
        m->first_child[parent] = next;
    if (next)
        m->previous_sibling[next] = previous;
    else
        m->last_child[parent] = previous;
    m->parent[i] = m->next_sibling[i] = m->previous_sibling[i] = 0;
    if (m->offset[i])
        ct_array_push(&m->free_offsets, m->offset[i]);
    m->offset[i] = 0;
}

static void unlink_with_pose(ct_transform_manager *m, uint32_t i) {
    // Huge scales multiply to more than a float holds: then the local pose stays.
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(&m->world[i], &position, &rotation, &scale);
    if (ct_vec3_is_finite(position) && ct_quat_is_finite(rotation) && ct_vec3_is_finite(scale)) {
        m->position[i] = position;
        m->rotation[i] = rotation;
        m->scale[i] = scale;
    }
    detach(m, i);
    update_subtree(m, i);
}

// Makes all that refers to instance `from` refer to `to`.
static void redirect(ct_transform_manager *m, uint32_t from, uint32_t to) {
    ct_hash_map_set(&m->instances, m->entity[from].id, to);
    const uint32_t parent = m->parent[from];
    if (parent && m->first_child[parent] == from)
        m->first_child[parent] = to;
    if (parent && m->last_child[parent] == from)
        m->last_child[parent] = to;
    if (m->next_sibling[from])
        m->previous_sibling[m->next_sibling[from]] = to;
    if (m->previous_sibling[from])
        m->next_sibling[m->previous_sibling[from]] = to;
    for (uint32_t child = m->first_child[from]; child; child = m->next_sibling[child])
        m->parent[child] = to;
}

static void destroy_instance(ct_transform_manager *m, uint32_t i) {
    detach(m, i);
    for (uint32_t child = m->first_child[i]; child; child = m->first_child[i]) {
        if (m->flags[child] & FLAG_ENDING)
            detach(m, child);
        else
            unlink_with_pose(m, child);
    }
    unmark_changed(m, i);
    ct_hash_map_erase(&m->instances, m->entity[i].id);
    const uint32_t last = m->soa.count - 1;
    if (i != last)
        redirect(m, last, i);
    ct_soa_block_swap_erase(&m->soa, i);
}

void ct_transform_destroy(ct_transform_manager *m, const ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = ct_transform_lookup(m, entities[i]);
        if (t.index)
            m->flags[t.index] |= FLAG_ENDING;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = ct_transform_lookup(m, entities[i]);
        if (t.index)
            destroy_instance(m, t.index);
    }
}

ct_transform ct_transform_lookup(const ct_transform_manager *m, ct_entity e) {
    return (ct_transform){(uint32_t)ct_hash_map_get(&m->instances, e.id, 0)};
}

ct_entity ct_transform_entity(const ct_transform_manager *m, ct_transform t) {
    return m->entity[checked(m, t)];
}

uint32_t ct_transform_count(const ct_transform_manager *m) {
    return m->soa.count - 1;
}

// --- Poses ---------------------------------------------------------------------------------------

ct_vec3 ct_transform_local_position(const ct_transform_manager *m, ct_transform t) {
    return m->position[checked(m, t)];
}

ct_quat ct_transform_local_rotation(const ct_transform_manager *m, ct_transform t) {
    return m->rotation[checked(m, t)];
}

ct_vec3 ct_transform_local_scale(const ct_transform_manager *m, ct_transform t) {
    return m->scale[checked(m, t)];
}

const ct_mat4 *ct_transform_world(const ct_transform_manager *m, ct_transform t) {
    return &m->world[checked(m, t)];
}

void ct_transform_set_local_position(ct_transform_manager *m, ct_transform t, ct_vec3 position) {
    const uint32_t i = checked(m, t);
    check_position(position);
    m->position[i] = position;
    if (is_lone(m, i))
        update_lone_position(m, i);
    else
        update_subtree(m, i);
}

void ct_transform_set_local_rotation(ct_transform_manager *m, ct_transform t, ct_quat rotation) {
    const uint32_t i = checked(m, t);
    m->rotation[i] = unit_rotation(rotation);
    update_subtree(m, i);
}

void ct_transform_set_local_scale(ct_transform_manager *m, ct_transform t, ct_vec3 scale) {
    const uint32_t i = checked(m, t);
    check_scale(scale);
    m->scale[i] = scale;
    update_subtree(m, i);
}

void ct_transform_set_local_pose(ct_transform_manager *m, ct_transform t, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale) {
    const uint32_t i = checked(m, t);
    check_position(position);
    check_scale(scale);
    m->position[i] = position;
    m->rotation[i] = unit_rotation(rotation);
    m->scale[i] = scale;
    update_subtree(m, i);
}

static bool has_pending_ancestor(const ct_transform_manager *m, uint32_t i) {
    for (uint32_t above = m->parent[i]; above; above = m->parent[above]) {
        if (m->flags[above] & FLAG_PENDING)
            return true;
    }
    return false;
}

void ct_transform_set_local_positions(ct_transform_manager *m, const ct_transform *transforms,
                                      const ct_vec3 *positions, uint32_t count) {
    bool any_pending = false;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = checked(m, transforms[k]);
        check_position(positions[k]);
        m->position[i] = positions[k];
        if (is_lone(m, i)) {
            update_lone_position(m, i);
        } else {
            m->flags[i] |= FLAG_PENDING;
            any_pending = true;
        }
    }
    // Whoever hangs below another of the list is updated with it.
    for (uint32_t k = 0; any_pending && k < count; ++k) {
        const uint32_t i = transforms[k].index;
        if ((m->flags[i] & FLAG_PENDING) && !has_pending_ancestor(m, i))
            update_subtree(m, i);
    }
}

// --- Links ---------------------------------------------------------------------------------------

// The place of `offset`, which is kept; 0 for NULL.
static uint32_t add_offset(ct_transform_manager *m, const ct_mat4 *offset) {
    if (!offset)
        return 0;
    if (m->offsets.count == 0)
        ct_array_push(&m->offsets, ct_mat4_identity()); // the none
    if (m->free_offsets.count == 0) {
        ct_array_push(&m->offsets, *offset);
        return m->offsets.count - 1;
    }
    const uint32_t place = m->free_offsets.items[--m->free_offsets.count];
    m->offsets.items[place] = *offset;
    return place;
}

bool ct_transform_link(ct_transform_manager *m, ct_transform child, ct_transform parent) {
    return ct_transform_link_at(m, child, parent, NULL);
}

bool ct_transform_link_at(ct_transform_manager *m, ct_transform child, ct_transform parent,
                          const ct_mat4 *offset) {
    const uint32_t c = checked(m, child), p = checked(m, parent);
    for (uint32_t above = p; above; above = m->parent[above]) {
        if (above == c)
            return false;
    }
    detach(m, c);
    m->parent[c] = p;
    m->previous_sibling[c] = m->last_child[p];
    if (m->last_child[p])
        m->next_sibling[m->last_child[p]] = c;
    else
        m->first_child[p] = c;
    m->last_child[p] = c;
    m->offset[c] = add_offset(m, offset);
    update_subtree(m, c);
    return true;
}

bool ct_transform_has_offset(const ct_transform_manager *m, ct_transform t) {
    return m->offset[checked(m, t)] != 0;
}

void ct_transform_set_offset(ct_transform_manager *m, ct_transform t, const ct_mat4 *offset) {
    CT_ASSERT(ct_transform_has_offset(m, t), "transform %u is not linked at a place", t.index);
    m->offsets.items[m->offset[t.index]] = *offset;
    update_subtree(m, t.index);
}

void ct_transform_unlink(ct_transform_manager *m, ct_transform child) {
    const uint32_t i = checked(m, child);
    if (m->parent[i])
        unlink_with_pose(m, i);
}

ct_transform ct_transform_parent(const ct_transform_manager *m, ct_transform t) {
    return (ct_transform){m->parent[checked(m, t)]};
}

ct_transform ct_transform_first_child(const ct_transform_manager *m, ct_transform t) {
    return (ct_transform){m->first_child[checked(m, t)]};
}

ct_transform ct_transform_next_sibling(const ct_transform_manager *m, ct_transform t) {
    return (ct_transform){m->next_sibling[checked(m, t)]};
}

// --- Changes -------------------------------------------------------------------------------------

const ct_entity *ct_transform_changed(const ct_transform_manager *m, uint32_t *count) {
    *count = m->changed_entities.count;
    return m->changed_entities.items;
}

bool ct_transform_is_changed(const ct_transform_manager *m, ct_transform t) {
    return m->changed[checked(m, t)] != 0;
}

void ct_transform_mark_changed(ct_transform_manager *m, ct_transform t) {
    mark_changed(m, checked(m, t));
}

void ct_transform_clear_changed(ct_transform_manager *m) {
    if (m->changed_entities.count == 0)
        return;
    memset(m->changed, 0, sizeof *m->changed * m->soa.count);
    m->changed_entities.count = 0;
}

// --- Registry ------------------------------------------------------------------------------------

// Whether template data may become a transform of `e`.
static bool is_usable(const ct_transform_manager *m, ct_entity e, const ct_transform_data *data) {
    for (uint32_t i = 0; i < sizeof *data / sizeof(float); ++i) {
        if (!isfinite(((const float *)data)[i])) {
            ct_log_warning("entity", "bad_transform", "a template's transform is not finite");
            return false;
        }
    }
    if (ct_transform_lookup(m, e).index) {
        ct_log_warning("entity", "two_transforms", "a template gives an entity two transforms");
        return false;
    }
    return true;
}

static void spawn_transforms(void *manager, const ct_component_spawn *spawn) {
    ct_transform_manager *m = manager;
    const ct_transform_data *data = spawn->data;
    ct_soa_block_reserve(&m->soa, m->soa.count + spawn->num_instances);
    ct_hash_map_reserve(&m->instances, m->instances.count + spawn->num_instances);
    ct_array_reserve(&m->changed_entities, m->soa.count + spawn->num_instances);
    for (uint32_t i = 0; i < spawn->num_instances; ++i) {
        const ct_entity e = spawn->entities[spawn->entity_index[i]];
        const float *p = data[i].position, *r = data[i].rotation, *s = data[i].scale;
        if (is_usable(m, e, &data[i]))
            ct_transform_create(m, e, ct_vec3_make(p[0], p[1], p[2]),
                                (ct_quat){{r[0], r[1], r[2], r[3]}},
                                ct_vec3_make(s[0], s[1], s[2]));
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_transform_destroy(manager, entities, count);
}

static void destroy_manager(void *manager) {
    ct_transform_manager_destroy(manager);
}

ct_component_manager ct_transform_component_manager(ct_transform_manager *m) {
    return (ct_component_manager){.type_name = "transform",
                                  .schema = ct_component_type_named("transform")->schema,
                                  .manager = m,
                                  .spawn = spawn_transforms,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_manager};
}
