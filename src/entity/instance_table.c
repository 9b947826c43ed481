#include "entity/instance_table.h"

#include "foundation/error.h"

void ct_instance_table_init(ct_instance_table *t, ct_allocator *a, void *owner,
                            const ct_soa_array *arrays, uint32_t num_arrays) {
    ct_soa_block_init(&t->soa, a, owner, arrays, num_arrays);
    ct_soa_block_add(&t->soa, 1); // the none
    ct_hash_map_init(&t->first, a);
}

void ct_instance_table_free(ct_instance_table *t) {
    ct_soa_block_free(&t->soa);
    ct_hash_map_free(&t->first);
}

void ct_instance_table_reserve(ct_instance_table *t, uint32_t count) {
    ct_soa_block_reserve(&t->soa, t->soa.count + count);
    ct_hash_map_reserve(&t->first, t->first.count + count);
}

uint32_t ct_instance_table_add(ct_instance_table *t, ct_entity e, uint32_t id) {
    CT_ASSERT(e.id != 0, "a component needs an entity");
    const uint32_t i = ct_soa_block_add(&t->soa, 1);
    t->entity[i] = e;
    t->id[i] = id;
    uint32_t last = ct_instance_table_first(t, e);
    if (last == 0) {
        ct_hash_map_set(&t->first, e.id, i);
        return i;
    }
    while (t->next[last])
        last = t->next[last];
    t->next[last] = i;
    return i;
}

// Makes whatever refers to instance `i` (the map or the one before it) refer to `target`.
static void redirect(ct_instance_table *t, uint32_t i, uint32_t target) {
    const ct_entity e = t->entity[i];
    uint32_t before = ct_instance_table_first(t, e);
    if (before == i) {
        if (target)
            ct_hash_map_set(&t->first, e.id, target);
        else
            ct_hash_map_erase(&t->first, e.id);
        return;
    }
    while (t->next[before] != i)
        before = t->next[before];
    t->next[before] = target;
}

void ct_instance_table_erase(ct_instance_table *t, uint32_t i) {
    ct_instance_table_check(t, i);
    redirect(t, i, t->next[i]);
    const uint32_t last = t->soa.count - 1;
    if (i != last)
        redirect(t, last, i);
    ct_soa_block_swap_erase(&t->soa, i);
}

uint32_t ct_instance_table_with_id(const ct_instance_table *t, ct_entity e, uint32_t id) {
    uint32_t i = ct_instance_table_first(t, e);
    while (i && t->id[i] != id)
        i = t->next[i];
    return i;
}

void ct_instance_table_check(const ct_instance_table *t, uint32_t i) {
    CT_ASSERT(i != 0 && i < t->soa.count, "there is no instance %u of %u", i, t->soa.count - 1);
}
