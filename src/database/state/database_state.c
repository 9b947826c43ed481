#include "database/state/database_state_private.h"
#include "foundation/memory/proxy_allocator.h"

static void init_tables(ct_database_state *s) {
    ct_allocator *const a = s->allocator;
    ct_database_keys_init(&s->keys, a);
    ct_database_pages_init(&s->objects, a, sizeof(ct_database_object));
    ct_database_pages_init(&s->values, a, sizeof(ct_database_held_value));
    ct_database_pages_init(&s->elements, a, sizeof(ct_database_element));
    ct_database_pages_init(&s->sets, a, sizeof(ct_database_held_set));
    ct_database_pages_init(&s->more, a, sizeof(ct_database_more));
    s->object_index = s->value_index = s->element_index = s->replica_index =
        (ct_database_index){.allocator = a};
    ct_database_pool_init(&s->pool, a);
    ct_array_init(&s->replicas, a);
    ct_array_push(&s->replicas, (ct_database_known_replica){0});
    ct_array_init(&s->dirty, a);
    ct_array_init(&s->contested, a);
    ct_array_init(&s->asked, a);
    s->scratch = CT_NEW(a, ct_database_set_scratch);
    ct_array_init(&s->scratch->items, a);
    ct_array_init(&s->scratch->other, a);
}

// Adds an object of which no CREATE or DESTROY says whether rows of it are stored that are not here.
static uint32_t add_unknown(ct_database_state *s, ct_guid guid) {
    const uint32_t number = ct_database_object_add(s, guid);
    ct_database_object_at(s, number)->flags |= CT_DATABASE_OBJECT_HAS_REMOVED;
    return number;
}

ct_database_state *ct_database_state_create(ct_allocator *a, ct_database_removed removed) {
    ct_database_state *const s = CT_NEW(a, ct_database_state);
    s->parent = a;
    s->allocator = ct_proxy_allocator_create(a, "database_state");
    s->removed = removed;
    init_tables(s);
    s->root = add_unknown(s, (ct_guid){{0}});
    s->num_existing = 1;
    return s;
}

void ct_database_state_destroy(ct_database_state *s) {
    if (!s)
        return;
    ct_database_keys_free(&s->keys);
    ct_database_pages_free(&s->objects);
    ct_database_pages_free(&s->values);
    ct_database_pages_free(&s->elements);
    ct_database_pages_free(&s->sets);
    ct_database_pages_free(&s->more);
    ct_database_index_free(&s->object_index);
    ct_database_index_free(&s->value_index);
    ct_database_index_free(&s->element_index);
    ct_database_index_free(&s->replica_index);
    ct_database_pool_free(&s->pool);
    ct_array_free(&s->replicas);
    ct_array_free(&s->dirty);
    ct_array_free(&s->contested);
    ct_array_free(&s->asked);
    ct_array_free(&s->scratch->items);
    ct_array_free(&s->scratch->other);
    ct_free_sized(s->allocator, s->scratch, sizeof(*s->scratch));
    ct_proxy_allocator_destroy(s->allocator);
    ct_free_sized(s->parent, s, sizeof(*s));
}

void ct_database_state_reserve(ct_database_state *s, uint32_t num_objects, uint32_t num_values) {
    (void)num_values; // pages need no room ahead
    if (num_objects > 0)
        ct_database_index_reserve(&s->object_index, num_objects);
}

void ct_database_state_load(ct_database_state *s, const ct_database_row *row) {
    const ct_guid guid = row->operation.object;
    if (!s->last_object ||
        !ct_guid_is_equal(ct_database_object_at(s, s->last_object)->row.guid, guid)) {
        s->last_object = ct_database_object_find(s, guid);
        if (!s->last_object)
            s->last_object = add_unknown(s, guid);
    }
    ct_database_row_put(s, s->last_object, row);
}

void ct_database_state_stats_get(const ct_database_state *s, ct_database_state_stats *stats) {
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, s->allocator);
    ct_database_state_conflicts(s, &conflicts);
    *stats = (ct_database_state_stats){
        .num_objects = s->num_existing,
        .num_values = s->values.count,
        .num_elements = s->elements.count,
        .num_keys = s->keys.list.count - 1,
        .num_conflicts = conflicts.count,
    };
    ct_array_free(&conflicts);
    stats->memory_bytes = ct_allocator_stats_of(s->allocator).live_bytes + sizeof(*s);
}
