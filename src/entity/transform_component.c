#include "entity/transform_private.h"

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "resource/types/component_resource.h"

static const ct_soa_array arrays[] = {
    CT_SINGLE_INSTANCE_TABLE_ARRAYS(ct_transform_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, position, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, rotation, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, scale, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, local, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, world, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, links, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, back_links, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, change, 64),
    CT_SOA_ARRAY_ALIGNED(ct_transform_manager, flags, 64),
};

ct_transform_manager *ct_transform_manager_create(ct_allocator *a) {
    ct_transform_manager *const m = CT_NEW(a, ct_transform_manager);
    m->allocator = a;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_SPARSE);
    ct_array_init(&m->offsets, a);
    ct_array_init(&m->free_offsets, a);
    ct_array_init(&m->changes, a);
    return m;
}

void ct_transform_manager_destroy(ct_transform_manager *m) {
    if (!m)
        return;
    ct_array_free(&m->changes);
    ct_array_free(&m->free_offsets);
    ct_array_free(&m->offsets);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// --- Instances -----------------------------------------------------------------------------------

ct_transform ct_transform_create(ct_transform_manager *m, ct_entity e, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale) {
    CT_ASSERT(e.id != 0, "a transform needs an entity");
    CT_ASSERT(!ct_transform_lookup(m, e).index, "entity %u already has a transform", e.id);
    const ct_transform t = {ct_instance_table_add(&m->table, e, 0)};
    ++m->num_made_or_ended;
    ct_transform_set_local_pose(m, t, position, rotation, scale);
    return t;
}

// Takes `i` out of its parent's children; its local pose is as it was.
static void detach(ct_transform_manager *m, uint32_t i) {
    const uint32_t parent = m->links[i].parent;
    if (parent == 0)
        return;
    const uint32_t next = m->links[i].next_sibling, previous = m->back_links[i].previous_sibling;
    if (previous)
        m->links[previous].next_sibling = next;
    else
        m->links[parent].first_child = next;
    if (next)
        m->back_links[next].previous_sibling = previous;
    else
        m->back_links[parent].last_child = previous;
    m->links[i].parent = m->links[i].next_sibling = m->back_links[i].previous_sibling = 0;
    if (m->links[i].offset)
        ct_array_push(&m->free_offsets, m->links[i].offset);
    m->links[i].offset = 0;
}

// Gives `i` the local pose of `matrix`. Returns false, and changes nothing, when it has no such
// pose: for huge scales whose product is too large for a float, or relative to a parent of size 0.
static bool take_local(ct_transform_manager *m, uint32_t i, const ct_mat4 *matrix) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(matrix, &position, &rotation, &scale);
    if (!ct_vec3_is_finite(position) || !ct_quat_is_finite(rotation) || !ct_vec3_is_finite(scale))
        return false;
    m->position[i] = position;
    m->rotation[i] = rotation;
    m->scale[i] = scale;
    ct_transform_refresh_local(m, i);
    return true;
}

static void unlink_with_pose(ct_transform_manager *m, uint32_t i) {
    take_local(m, i, &m->world[i]); // or the local pose stays
    detach(m, i);
    ct_transform_update_subtree(m, i);
}

// Updates all references to instance `from` to `to`.
static void redirect(ct_transform_manager *m, uint32_t from, uint32_t to) {
    if (m->change[from])
        m->changes.items[m->change[from] - 1] = to;
    const uint32_t parent = m->links[from].parent;
    if (parent && m->links[parent].first_child == from)
        m->links[parent].first_child = to;
    if (parent && m->back_links[parent].last_child == from)
        m->back_links[parent].last_child = to;
    if (m->links[from].next_sibling)
        m->back_links[m->links[from].next_sibling].previous_sibling = to;
    if (m->back_links[from].previous_sibling)
        m->links[m->back_links[from].previous_sibling].next_sibling = to;
    for (uint32_t child = m->links[from].first_child; child; child = m->links[child].next_sibling)
        m->links[child].parent = to;
}

static void destroy_instance(ct_transform_manager *m, uint32_t i) {
    detach(m, i);
    for (uint32_t child = m->links[i].first_child; child; child = m->links[i].first_child) {
        if (m->flags[child] & CT_TRANSFORM_ENDING)
            detach(m, child);
        else
            unlink_with_pose(m, child);
    }
    ct_transform_drop_change(m, i);
    const uint32_t last = ct_instance_table_count(&m->table);
    if (i != last)
        redirect(m, last, i);
    ct_instance_table_erase(&m->table, i);
    ++m->num_made_or_ended;
}

uint64_t ct_transform_version(const ct_transform_manager *m) {
    return m->num_made_or_ended;
}

void ct_transform_destroy(ct_transform_manager *m, const ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = ct_transform_lookup(m, entities[i]);
        if (t.index)
            m->flags[t.index] |= CT_TRANSFORM_ENDING;
    }
    for (uint32_t i = count; i-- > 0;) { // backwards: the last instance needs no other in its place
        const ct_transform t = ct_transform_lookup(m, entities[i]);
        if (t.index)
            destroy_instance(m, t.index);
    }
}

ct_entity ct_transform_entity(const ct_transform_manager *m, ct_transform t) {
    return m->table.entity[ct_transform_checked(m, t)];
}

uint32_t ct_transform_count(const ct_transform_manager *m) {
    return ct_instance_table_count(&m->table);
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
    const uint32_t c = ct_transform_checked(m, child), p = ct_transform_checked(m, parent);
    for (uint32_t above = p; above; above = m->links[above].parent) {
        if (above == c)
            return false;
    }
    detach(m, c);
    m->links[c].parent = p;
    m->back_links[c].previous_sibling = m->back_links[p].last_child;
    if (m->back_links[p].last_child)
        m->links[m->back_links[p].last_child].next_sibling = c;
    else
        m->links[p].first_child = c;
    m->back_links[p].last_child = c;
    m->links[c].offset = add_offset(m, offset);
    ct_transform_update_subtree(m, c);
    return true;
}

bool ct_transform_set_world_pose(ct_transform_manager *m, ct_transform t, const ct_mat4 *world) {
    const uint32_t i = ct_transform_checked(m, t);
    const ct_transform_links *const links = &m->links[i];
    ct_mat4 local = *world;
    if (links->parent) {
        ct_mat4 space = m->world[links->parent];
        if (links->offset)
            space = ct_mat4_mul(space, m->offsets.items[links->offset]);
        local = ct_mat4_mul(ct_mat4_inverse_affine(&space), local);
    }
    if (!take_local(m, i, &local))
        return false;
    ct_transform_update_subtree(m, i);
    return true;
}

bool ct_transform_has_offset(const ct_transform_manager *m, ct_transform t) {
    return m->links[ct_transform_checked(m, t)].offset != 0;
}

void ct_transform_set_offset(ct_transform_manager *m, ct_transform t, const ct_mat4 *offset) {
    CT_ASSERT(ct_transform_has_offset(m, t), "transform %u is not linked at an offset", t.index);
    m->offsets.items[m->links[t.index].offset] = *offset;
    ct_transform_update_subtree(m, t.index);
}

void ct_transform_unlink(ct_transform_manager *m, ct_transform child) {
    const uint32_t i = ct_transform_checked(m, child);
    if (m->links[i].parent)
        unlink_with_pose(m, i);
}

ct_transform ct_transform_parent(const ct_transform_manager *m, ct_transform t) {
    return (ct_transform){m->links[ct_transform_checked(m, t)].parent};
}

ct_transform ct_transform_first_child(const ct_transform_manager *m, ct_transform t) {
    return (ct_transform){m->links[ct_transform_checked(m, t)].first_child};
}

ct_transform ct_transform_next_sibling(const ct_transform_manager *m, ct_transform t) {
    return (ct_transform){m->links[ct_transform_checked(m, t)].next_sibling};
}

ct_transform ct_transform_next_below(const ct_transform_manager *m, ct_transform top,
                                     ct_transform t) {
    const ct_transform child = ct_transform_first_child(m, t);
    if (child.index)
        return child;
    for (; t.index != top.index; t = ct_transform_parent(m, t)) {
        const ct_transform next = ct_transform_next_sibling(m, t);
        if (next.index)
            return next;
    }
    return (ct_transform){0};
}

// --- Registry ------------------------------------------------------------------------------------

// Gives `e` the transform of a template, unless that is invalid.
static void spawn_transform(ct_transform_manager *m, ct_entity e, const ct_transform_data *data) {
    if (ct_transform_lookup(m, e).index)
        ct_log_warning("entity", "two_transforms", "a template gives an entity two transforms");
    else if (!ct_transform_spawn(m, &e, data, NULL, 1, 1))
        ct_log_warning("entity", "bad_transform", "a template's transform is not finite");
}

static void spawn_transforms(void *manager, const ct_component_spawn *spawn) {
    const ct_transform_data *const data = spawn->data;
    const uint32_t count = spawn->num_instances;
    CT_ASSERT(!spawn->data_index, "transforms do not share template data");
    for (uint32_t copy = 0; copy < spawn->num_copies; ++copy) {
        const ct_entity *const owners = spawn->owners + copy * count;
        if (ct_transform_spawn(manager, owners, data, NULL, count, 1))
            continue;
        for (uint32_t i = 0; i < count; ++i)
            spawn_transform(manager, owners[i], &data[i]);
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_transform_destroy(manager, entities, count);
}

static void hash_poses(const void *manager, ct_state_hash *hash) {
    const ct_transform_manager *const m = manager;
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        const struct {
            ct_mat4 world;
            ct_quat rotation;
            ct_vec3 position;
            ct_entity parent;
            ct_vec3 scale;
            uint32_t zero; // in place of padding
        } pose = {m->world[i],    m->rotation[i],
                  m->position[i], m->table.entity[m->links[i].parent],
                  m->scale[i],    0};
        ct_state_hash_add(hash, m->table.entity[i], CT_ID32("transform", 0xb4363995).value, &pose,
                          sizeof(pose));
    }
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
                                  .hash = hash_poses,
                                  .destroy = destroy_manager};
}
