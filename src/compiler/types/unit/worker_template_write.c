#include <string.h>

#include "compiler/types/unit/worker_template.h"
#include "foundation/string/string_id.h"
#include "resource/types/unit_resource.h"

// --- Data ----------------------------------------------------------------------------------------

// The data of a type's instances, of which those that are the same stand in the blob once.
typedef struct instance_data {
    const uint8_t *bytes;
    const uint32_t *begins; // of each instance's bytes, and where the last ends
    uint32_t count;
    ct_u32_array firsts; // instances whose data no earlier one has
    ct_u32_array index;  // the number in `firsts` of each instance's data; empty: nothing is shared
} instance_data;

static uint32_t bytes_of(const instance_data *d, uint32_t i) {
    return d->begins[i + 1] - d->begins[i];
}

static bool are_same(const instance_data *d, uint32_t i, uint32_t k) {
    return bytes_of(d, i) == bytes_of(d, k) &&
           memcmp(d->bytes + d->begins[i], d->bytes + d->begins[k], bytes_of(d, i)) == 0;
}

// All stand in the blob.
static void list_all(instance_data *d) {
    d->firsts.count = 0;
    for (uint32_t i = 0; i < d->count; ++i)
        ct_array_push(&d->firsts, i);
}

// Finds out what instances share, unless that would save nothing.
static void share(instance_data *d, ct_allocator *a) {
    ct_hash_map numbers; // in `firsts`, from hashes of data
    uint64_t saved_bytes = 0;
    ct_hash_map_init(&numbers, a);
    for (uint32_t i = 0; i < d->count; ++i) {
        const uint64_t hash =
            ct_string_id64_of_bytes(d->bytes + d->begins[i], bytes_of(d, i)).value;
        const uint64_t *const same = ct_hash_map_find(&numbers, hash);
        if (same && are_same(d, i, d->firsts.items[*same])) {
            saved_bytes += bytes_of(d, i);
            ct_array_push(&d->index, (uint32_t)*same);
            continue;
        }
        if (!same)
            ct_hash_map_set(&numbers, hash, d->firsts.count);
        ct_array_push(&d->index, d->firsts.count);
        ct_array_push(&d->firsts, i);
    }
    if (saved_bytes > sizeof(uint32_t) * (uint64_t)d->count)
        return;
    d->index.count = 0;
    list_all(d);
}

// Appends the data that stand in the blob, and for a type of varying size, which has no schema,
// where each lies.
static void write_data(ct_blob_writer *w, ct_component_instances *c, const ct_schema *schema,
                       const instance_data *d, ct_allocator *a) {
    ct_byte_array bytes;
    ct_u32_array offsets;
    ct_array_init(&bytes, a);
    ct_array_init(&offsets, a);
    for (uint32_t k = 0; k < d->firsts.count; ++k) {
        const uint32_t i = d->firsts.items[k];
        ct_array_push(&offsets, bytes.count);
        ct_array_push_many(&bytes, d->bytes + d->begins[i], bytes_of(d, i));
    }
    ct_array_push(&offsets, bytes.count); // where the last ends
    ct_blob_writer_align(w, 8);
    if (schema) {
        c->data.count = d->firsts.count;
        c->data.offset = ct_blob_write_structs(w, schema, bytes.items, c->data.count);
        return;
    }
    c->data = ct_blob_write_items(w, &ct_blob_u8_layout, bytes.items, bytes.count);
    c->offsets = ct_blob_write_items(w, &ct_blob_u32_layout, offsets.items, offsets.count);
}

// What the instances are made of, as it was collected.
static instance_data data_of(const ct_component_type *type, ct_template_instances *instances,
                             ct_allocator *a) {
    instance_data d = {.count = instances->entities.count};
    ct_array_init(&d.firsts, a);
    ct_array_init(&d.index, a);
    const ct_schema *const schema = type->instance_schema;
    for (uint32_t i = 0; schema && i <= d.count; ++i)
        ct_array_push(&instances->offsets, i * schema->size_bytes);
    if (!schema)
        ct_array_push(&instances->offsets, instances->varying.bytes.count);
    d.begins = instances->offsets.items;
    d.bytes = schema ? instances->data.items : instances->varying.bytes.items;
    return d;
}

// --- Types ---------------------------------------------------------------------------------------

static ct_component_instances write_instances(ct_blob_writer *w, const ct_component_type *type,
                                              ct_template_instances *instances, ct_allocator *a) {
    const uint32_t count = instances->entities.count;
    ct_component_instances c = {.type = ct_string_id32_of(type->name),
                                .instance_bytes =
                                    type->instance_schema ? type->instance_schema->size_bytes : 0};
    c.entity_index = ct_blob_write_items(w, &ct_blob_u32_layout, instances->entities.items, count);
    c.ids = ct_blob_write_items(w, &ct_blob_u32_layout, instances->ids.items, count);
    instance_data d = data_of(type, instances, a);
    if (type->has_own_data)
        list_all(&d);
    else
        share(&d, a);
    write_data(w, &c, type->instance_schema, &d, a);
    if (d.index.count > 0)
        c.data_index = ct_blob_write_items(w, &ct_blob_u32_layout, d.index.items, count);
    return c;
}

ct_entity_template ct_template_write(ct_template *t) {
    ct_blob_writer *const w = &t->compile->blob;
    uint32_t num_types = 0, num_used = 0;
    const ct_component_type *const types = ct_component_types(&num_types);
    ct_component_instances used[CT_MAX_COMPONENT_TYPES];
    ct_entity_template result = {.num_entities = t->parents.count};
    result.parents =
        ct_blob_write_items(w, &ct_blob_u32_layout, t->parents.items, t->parents.count);
    for (uint32_t i = 0; i < num_types; ++i)
        num_used += t->instances[i].entities.count > 0;
    ct_blob_writer_align(w, 8);
    result.component_types = ct_blob_reserve_items(w, &ct_component_instances_layout, num_used);
    num_used = 0;
    for (uint32_t i = 0; i < num_types; ++i) {
        if (t->instances[i].entities.count > 0)
            used[num_used++] =
                write_instances(w, &types[i], &t->instances[i], t->compile->allocator);
    }
    ct_blob_fill_items(w, &ct_component_instances_layout, result.component_types, used);
    return result;
}
