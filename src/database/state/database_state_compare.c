// Differences between states, and a state as text.
#include "database/database_text.h"
#include "database/state/database_state_sorted.h"
#include "foundation/sjson/sjson_writer.h"

// --- Differences -----------------------------------------------------------------------------------

typedef struct comparison {
    const ct_database_state *from, *to;
    ct_database_operations *out;
    ct_database_key_array from_keys, to_keys;
} comparison;

static void push(comparison *c, ct_database_operation_type type, ct_guid object,
                 const ct_database_sorted_key *key, ct_database_value value) {
    ct_database_operations_push(c->out,
                                &(ct_database_operation){.type = type,
                                                         .object = object,
                                                         .key = key ? key->text : NULL,
                                                         .key_length = key ? key->length : 0,
                                                         .value = value});
}

// Elements of one set that are not in the other.
static void push_elements(comparison *c, ct_guid object, const ct_database_sorted_key *key,
                          const ct_database_value *old, const ct_database_value *now) {
    uint32_t i = 0, k = 0;
    while (i < old->set.count || k < now->set.count) {
        const int order = i == old->set.count ? 1
                          : k == now->set.count
                              ? -1
                              : ct_guid_compare(old->set.items[i], now->set.items[k]);
        ct_database_value element = {.kind = CT_DATABASE_REFERENCE};
        element.reference = order < 0 ? old->set.items[i] : now->set.items[k];
        if (order != 0)
            push(c, order < 0 ? CT_DATABASE_REMOVE_FROM_SET : CT_DATABASE_ADD_TO_SET, object, key,
                 element);
        i += order <= 0;
        k += order >= 0;
    }
}

static void compare_key(comparison *c, ct_guid object, const ct_database_sorted_key *key) {
    const ct_database_value old = ct_database_state_get(c->from, object, key->text, key->length);
    const ct_database_value now = ct_database_state_get(c->to, object, key->text, key->length);
    if (ct_database_value_is_equal(&old, &now))
        return;
    // A set without elements may be no value, when nothing but elements made it one.
    if (old.kind == CT_DATABASE_SET && now.kind == CT_DATABASE_SET && now.set.count > 0)
        push_elements(c, object, key, &old, &now);
    else
        push(c, CT_DATABASE_CHANGE_KEY, object, key, now);
}

static void compare_object(comparison *c, ct_guid object) {
    ct_database_keys_sorted(c->from, object, &c->from_keys);
    ct_database_keys_sorted(c->to, object, &c->to_keys);
    uint32_t i = 0, k = 0;
    while (i < c->from_keys.count || k < c->to_keys.count) {
        const ct_database_sorted_key *const old = c->from_keys.items + i, *const now =
                                                                              c->to_keys.items + k;
        const int order = i == c->from_keys.count ? 1
                          : k == c->to_keys.count ? -1
                                                  : ct_database_key_compare(old->text, old->length,
                                                                            now->text, now->length);
        compare_key(c, object, order < 0 ? old : now);
        i += order <= 0;
        k += order >= 0;
    }
}

void ct_database_state_diff(const ct_database_state *from, const ct_database_state *to,
                            ct_database_operations *operations) {
    ct_allocator *const a = operations->list.allocator;
    comparison c = {.from = from, .to = to, .out = operations};
    ct_database_guid_array from_objects, to_objects;
    if (from == to)
        return;
    ct_array_init(&c.from_keys, a);
    ct_array_init(&c.to_keys, a);
    ct_array_init(&from_objects, a);
    ct_array_init(&to_objects, a);
    ct_database_objects_sorted(from, &from_objects);
    ct_database_objects_sorted(to, &to_objects);
    for (uint32_t i = 0; i < to_objects.count; ++i)
        if (!ct_database_state_has(from, to_objects.items[i]))
            push(&c, CT_DATABASE_CREATE, to_objects.items[i], NULL, (ct_database_value){0});
    for (uint32_t i = 0; i < to_objects.count; ++i)
        compare_object(&c, to_objects.items[i]);
    for (uint32_t i = 0; i < from_objects.count; ++i)
        if (!ct_database_state_has(to, from_objects.items[i]))
            push(&c, CT_DATABASE_DESTROY, from_objects.items[i], NULL, (ct_database_value){0});
    ct_array_free(&c.from_keys);
    ct_array_free(&c.to_keys);
    ct_array_free(&from_objects);
    ct_array_free(&to_objects);
}

// --- Text ------------------------------------------------------------------------------------------

static void write_row(const char *what, const ct_database_row *row, ct_string_builder *out) {
    char time[CT_DATABASE_TIME_TEXT_BYTES], replica[CT_GUID_TEXT_BYTES];
    ct_database_time_format(row->stamp.time, time);
    ct_guid_format(row->stamp.replica, replica);
    ct_string_builder_addf(out, "    %s %s %s ", what, time, replica);
    ct_database_operation_write(&row->operation, out);
    ct_string_builder_add_char(out, '\n');
}

static void write_conflicts(const ct_database_state *s, ct_string_builder *out) {
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, out->allocator);
    ct_database_state_conflicts(s, &conflicts);
    for (uint32_t i = 0; i < conflicts.count; ++i) {
        ct_string_builder_add(out, "conflict\n");
        write_row("won", &conflicts.items[i].won, out);
        write_row("lost", &conflicts.items[i].lost, out);
    }
    ct_array_free(&conflicts);
}

void ct_database_state_dump(const ct_database_state *s, ct_string_builder *out) {
    ct_database_guid_array objects;
    ct_database_key_array keys;
    ct_array_init(&objects, out->allocator);
    ct_array_init(&keys, out->allocator);
    ct_database_objects_sorted(s, &objects);
    for (uint32_t i = 0; i < objects.count; ++i) {
        char text[CT_GUID_TEXT_BYTES];
        ct_guid_format(objects.items[i], text);
        ct_string_builder_addf(out, "object %s\n", text);
        ct_database_keys_sorted(s, objects.items[i], &keys);
        for (uint32_t k = 0; k < keys.count; ++k) {
            const ct_database_sorted_key *const key = &keys.items[k];
            const ct_database_value value = ct_database_value_get(s, key->value);
            ct_string_builder_add(out, "    ");
            ct_sjson_add_string(out, key->text, key->length);
            ct_string_builder_add(out, ": ");
            ct_database_value_write(&value, out);
            ct_string_builder_add_char(out, '\n');
        }
    }
    ct_array_free(&objects);
    ct_array_free(&keys);
    write_conflicts(s, out);
}
