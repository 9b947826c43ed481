#include "compiler/worker_template.h"
#include "resource/unit_resource.h"

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
}

// Appends the bytes of a type of varying size and where each instance lies.
static void write_varying(ct_blob_writer *w, uint32_t at, ct_template_instances *instances) {
    const ct_byte_array *bytes = &instances->varying.bytes;
    ct_blob_writer_align(w, 8);
    uint32_t offset = ct_blob_write_bytes(w, bytes->items, bytes->count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, data), offset, bytes->count);
    ct_array_push(&instances->offsets, bytes->count); // where the last ends
    offset = ct_blob_write_u32_array(w, instances->offsets.items, instances->offsets.count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, offsets), offset,
                        instances->offsets.count);
}

static void write_instances(ct_blob_writer *w, uint32_t at, const ct_schema *schema,
                            ct_template_instances *instances) {
    const uint32_t count = instances->entities.count;
    uint32_t offset = ct_blob_write_u32_array(w, instances->entities.items, count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, entity_index), offset, count);
    offset = ct_blob_write_u32_array(w, instances->ids.items, count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, ids), offset, count);
    if (!schema) {
        write_varying(w, at, instances);
        return;
    }
    offset = ct_blob_write_structs(w, schema, instances->data.items, count);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, data), offset, count);
}

void ct_template_write_arrays(ct_template *t, uint32_t at) {
    ct_blob_writer *w = &t->compile->blob;
    uint32_t num_types = 0, num_used = 0;
    const ct_component_type *types = ct_component_types(&num_types);
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
            write_instances(w, type_at, types[i].instance_schema, &t->instances[i]);
            type_at += (uint32_t)sizeof(ct_component_instances);
        }
    }
}
