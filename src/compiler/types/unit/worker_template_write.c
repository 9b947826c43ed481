#include <string.h>

#include "compiler/types/unit/worker_template.h"
#include "foundation/string/string_id.h"
#include "resource/types/unit_resource.h"

uint32_t ct_template_write_fields(ct_template *t) {
    ct_blob_writer *w = &t->compile->blob;
    const uint32_t at = ct_blob_write_u32(w, t->parents.count);
    ct_blob_write_u32(w, 0);
    ct_blob_write_array_field(w); // parents
    ct_blob_write_array_field(w); // component_types
    return at;
}

// ct_component_instances, its arrays empty.
static void write_type(ct_blob_writer *w, const ct_component_type *type) {
    ct_blob_write_u32(w, ct_string_id32_of(type->name).value);
    ct_blob_write_u32(w, type->instance_schema ? type->instance_schema->size_bytes : 0);
    ct_blob_write_array_field(w); // entity_index
    ct_blob_write_array_field(w); // ids
    ct_blob_write_array_field(w); // data
    ct_blob_write_array_field(w); // offsets
    ct_blob_write_array_field(w); // data_index
}

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
static void write_data(ct_blob_writer *w, uint32_t at, const ct_schema *schema,
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
    const uint32_t offset = schema ? ct_blob_write_structs(w, schema, bytes.items, d->firsts.count)
                                   : ct_blob_write_bytes(w, bytes.items, bytes.count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, data), offset,
                        schema ? d->firsts.count : bytes.count);
    if (!schema)
        ct_blob_patch_array(w, at + offsetof(ct_component_instances, offsets),
                            ct_blob_write_u32_array(w, offsets.items, offsets.count),
                            offsets.count);
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

static void write_instances(ct_blob_writer *w, uint32_t at, const ct_component_type *type,
                            ct_template_instances *instances, ct_allocator *a) {
    const uint32_t count = instances->entities.count;
    uint32_t offset = ct_blob_write_u32_array(w, instances->entities.items, count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, entity_index), offset, count);
    offset = ct_blob_write_u32_array(w, instances->ids.items, count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, ids), offset, count);
    instance_data d = data_of(type, instances, a);
    if (type->has_own_data)
        list_all(&d);
    else
        share(&d, a);
    write_data(w, at, type->instance_schema, &d, a);
    if (d.index.count == 0)
        return;
    offset = ct_blob_write_u32_array(w, d.index.items, count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, data_index), offset, count);
}

void ct_template_write_arrays(ct_template *t, uint32_t at) {
    ct_blob_writer *const w = &t->compile->blob;
    uint32_t num_types = 0, num_used = 0;
    const ct_component_type *const types = ct_component_types(&num_types);
    const uint32_t parents = ct_blob_write_u32_array(w, t->parents.items, t->parents.count);
    ct_blob_patch_array(w, at + offsetof(ct_entity_template, parents), parents, t->parents.count);
    ct_blob_writer_align(w, 8);
    const uint32_t first = ct_blob_writer_offset(w);
    for (uint32_t i = 0; i < num_types; ++i) {
        if (t->instances[i].entities.count > 0) {
            write_type(w, &types[i]);
            ++num_used;
        }
    }
    ct_blob_patch_array(w, at + offsetof(ct_entity_template, component_types), first, num_used);
    uint32_t type_at = first;
    for (uint32_t i = 0; i < num_types; ++i) {
        if (t->instances[i].entities.count > 0) {
            write_instances(w, type_at, &types[i], &t->instances[i], t->compile->allocator);
            type_at += (uint32_t)sizeof(ct_component_instances);
        }
    }
}
