// Integrity: references to objects that do not exist, and objects that no reference leads to.
#include "database/state/database_state_sorted.h"

// The objects that were reached from the root, and those whose values were not yet looked at.
typedef struct walk {
    const ct_database_state *state;
    uint8_t *is_reached; // by number
    ct_u32_array open;
} walk;

static void reach(walk *w, ct_guid guid) {
    const ct_database_state *const s = w->state;
    const uint32_t number = ct_database_object_find(s, guid);
    if (!number || w->is_reached[number] ||
        !ct_database_object_exists(s, number, ct_database_object_at(s, number)))
        return;
    w->is_reached[number] = 1;
    ct_array_push(&w->open, number);
}

static void reach_all(walk *w) {
    const ct_database_state *const s = w->state;
    reach(w, (ct_guid){{0}});
    while (w->open.count > 0) {
        const uint32_t object = w->open.items[--w->open.count];
        for (uint32_t i = ct_database_object_at(s, object)->first_value; i;
             i = ct_database_value_at(s, i)->next) {
            const ct_database_held_value *const value = ct_database_value_at(s, i);
            const ct_database_kind kind = ct_database_value_kind(s, value);
            if (kind == CT_DATABASE_REFERENCE)
                reach(w, value->row.guid);
            if (kind != CT_DATABASE_SET)
                continue;
            const ct_database_value set = ct_database_value_set(s, i);
            for (uint32_t k = 0; k < set.set.count; ++k)
                reach(w, set.set.items[k]);
        }
    }
}

static void check_key(const ct_database_state *s, ct_guid object, const ct_database_sorted_key *key,
                      ct_database_fault_array *faults) {
    const ct_database_value value = ct_database_value_get(s, key->value);
    const bool is_set = value.kind == CT_DATABASE_SET;
    const ct_guid *const targets = is_set ? value.set.items : &value.reference;
    const uint32_t count = is_set ? value.set.count : value.kind == CT_DATABASE_REFERENCE ? 1 : 0;
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_database_state_has(s, targets[i]))
            ct_array_push(faults, (ct_database_fault){.type = CT_DATABASE_FAULT_DANGLING,
                                                      .object = object,
                                                      .target = targets[i],
                                                      .key = key->text,
                                                      .key_length = key->length});
}

void ct_database_state_check(const ct_database_state *s, ct_allocator *scratch,
                             ct_database_fault_array *faults) {
    walk w = {.state = s, .is_reached = ct_alloc_zero(scratch, s->objects.end)};
    ct_database_guid_array objects;
    ct_database_key_array keys;
    ct_array_init(&w.open, scratch);
    ct_array_init(&objects, scratch);
    ct_array_init(&keys, scratch);
    reach_all(&w);
    ct_database_objects_sorted(s, &objects);
    for (uint32_t i = 0; i < objects.count; ++i) {
        if (!w.is_reached[ct_database_object_find(s, objects.items[i])])
            ct_array_push(faults, (ct_database_fault){.type = CT_DATABASE_FAULT_GARBAGE,
                                                      .object = objects.items[i]});
        ct_database_keys_sorted(s, objects.items[i], &keys);
        for (uint32_t k = 0; k < keys.count; ++k)
            check_key(s, objects.items[i], &keys.items[k], faults);
    }
    ct_free_sized(scratch, w.is_reached, s->objects.end);
    ct_array_free(&w.open);
    ct_array_free(&objects);
    ct_array_free(&keys);
}
