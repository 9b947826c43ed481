// Many transforms at once, as templates say.
#include "entity/transform_private.h"

#include <string.h>

#include "foundation/math/math_bulk.h"

enum { BLOCK = 64 }; // poses that are made together

bool ct_transform_data_are_finite(const ct_transform_data *data, uint64_t count) {
    return ct_floats_are_finite((const float *)data, count * (sizeof(*data) / sizeof(float)));
}

// Fills the poses of `count` instances from `first` on, and makes their local matrices.
static void fill_locals(ct_transform_manager *m, uint32_t first, const ct_transform_data *data,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_quat rotation;
        memcpy(&m->position[first + i], data[i].position, sizeof(*m->position));
        memcpy(&rotation, data[i].rotation, sizeof(rotation));
        memcpy(&m->scale[first + i], data[i].scale, sizeof(*m->scale));
        m->rotation[first + i] = ct_transform_unit_rotation(rotation);
    }
    ct_mat4_compose_many(m->position + first, m->rotation + first, m->scale + first,
                         m->local + first, count);
}

static void hang(ct_transform_manager *m, uint32_t child, uint32_t parent) {
    const uint32_t previous = m->back_links[parent].last_child;
    m->links[child].parent = parent;
    m->back_links[child].previous_sibling = previous;
    if (previous)
        m->links[previous].next_sibling = child;
    else
        m->links[parent].first_child = child;
    m->back_links[parent].last_child = child;
}

// Links the instances of one copy, which starts at `first`, from place `from` up to `to`, to their
// parents, and computes their world matrices.
static void fill_worlds(ct_transform_manager *m, uint32_t first, const uint32_t *parents,
                        uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; ++i) {
        const uint32_t child = first + i;
        const uint32_t parent = parents ? parents[i] : CT_TRANSFORM_NO_PARENT;
        if (parent == CT_TRANSFORM_NO_PARENT) {
            m->world[child] = m->local[child];
            continue;
        }
        hang(m, child, first + parent);
        ct_mat4_mul_to(&m->world[child], &m->world[first + parent], &m->local[child]);
    }
}

// Enters new instances in the changes.
static void add_changes(ct_transform_manager *m, uint32_t first, uint32_t count) {
    ct_array_reserve(&m->changes, (uint64_t)m->changes.count + count);
    for (uint32_t i = first; i < first + count; ++i)
        ct_transform_note_change(m, i);
}

bool ct_transform_spawn(ct_transform_manager *m, const ct_entity *entities,
                        const ct_transform_data *data, const uint32_t *parents, uint32_t count,
                        uint32_t num_copies) {
    const uint32_t total = count * num_copies;
    if (total == 0 || !ct_transform_data_are_finite(data, total))
        return total == 0;
    uint32_t first = ct_instance_table_add_many(&m->table, entities, NULL, total);
    m->num_made_or_ended += total;
    if (first == 0)
        return false;
    memset(m->links + first, 0, sizeof(*m->links) * (uint64_t)total);
    memset(m->back_links + first, 0, sizeof(*m->back_links) * (uint64_t)total);
    memset(m->change + first, 0, sizeof(*m->change) * (uint64_t)total);
    memset(m->flags + first, 0, sizeof(*m->flags) * (uint64_t)total);
    add_changes(m, first, total);
    for (uint32_t copy = 0; copy < num_copies; ++copy, first += count, data += count) {
        for (uint32_t i = 0; i < count; i += BLOCK) {
            const uint32_t n = count - i < BLOCK ? count - i : BLOCK;
            fill_locals(m, first + i, data + i, n);
            fill_worlds(m, first, parents, i, i + n);
        }
    }
    return true;
}
