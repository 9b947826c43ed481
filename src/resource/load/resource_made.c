#include "resource/load/resource_made.h"

#include <string.h>

#include "foundation/error.h"
#include "resource/load/resource_manager_private.h"
#include "resource/types/resource_types.h"

static bool check_blob(const ct_resource_type *type, const void *blob, uint64_t size_bytes,
                       ct_error *error) {
    if (!ct_blob_check_header(blob, size_bytes, type->id, type->version, error) ||
        !type->validate(blob, error))
        return false;
    const ct_blob_stream *const stream = type->stream ? type->stream(blob) : NULL;
    return !stream || stream->bytes == 0 ||
           ct_error_set(error, "found a stream of %u bytes, expected none", stream->bytes);
}

// Whether the id is free, was made, or only failed to load.
static bool check_free(ct_resource_manager *m, ct_resource_id id, const char *name,
                       ct_error *error) {
    const uint64_t *const found = ct_hash_map_find(&m->slots, ct_resource_id_key(id));
    if (m->catalog && ct_catalog_find(m->catalog, id) != CT_CATALOG_NONE)
        return ct_error_set(error, "the project has a %s \"%.255s\"; choose another name",
                            ct_resource_manager_type_name(id.type), name);
    if (!found)
        return true;
    const ct_record *const r = &m->records.items[*found];
    if (!ct_resource_id_equal(r->id, id))
        return ct_error_set(error,
                            "the id of \"%.255s\" collides with another resource's; choose "
                            "another name",
                            name);
    return r->origin != CT_RECORD_ORIGIN_DATA || r->state == CT_RECORD_STATE_REFUSED ||
           ct_error_set(error, "%s \"%.255s\" is loaded from data; choose another name",
                        ct_resource_manager_type_name(id.type), name);
}

static ct_loaded_blob copy_blob(ct_resource_manager *m, ct_resource_id id, const void *blob,
                                uint64_t size_bytes) {
    const ct_loaded_blob copy = {.data = ct_alloc_aligned(m->allocator, size_bytes, CT_BLOB_ALIGN)};
    memcpy(copy.data, blob, size_bytes);
    ct_resource_loader_prepare(m->loader, id, copy.data);
    return copy;
}

bool ct_resource_manager_set_made(ct_resource_manager *m, const char *type, const char *name,
                                  const void *blob, uint64_t size_bytes, ct_error *error) {
    const ct_resource_type *const known = ct_resource_type_named(type);
    if (!known)
        return ct_error_set(error, "unknown resource type \"%.64s\"", type);
    if (!ct_resource_name_is_canonical(name))
        return ct_error_set(error,
                            "\"%.255s\" is no name of a resource; expected lower case, such as "
                            "\"plugins/water\"",
                            name);
    const ct_resource_id id = ct_resource_id_of(type, name);
    ct_resource_manager_refresh_catalog(m);
    if (!check_blob(known, blob, size_bytes, error) || !check_free(m, id, name, error))
        return false;
    uint32_t slot = ct_resource_manager_slot(m, id);
    if (!slot)
        slot = ct_resource_manager_add_record(m, id);
    const ct_loaded_blob copy = copy_blob(m, id, blob, size_bytes);
    ct_record *const r = &m->records.items[slot];
    if (r->origin != CT_RECORD_ORIGIN_MADE)
        ++r->holders;
    r->origin = CT_RECORD_ORIGIN_MADE;
    r->data_name = r->new_data_name = id.name;
    ct_string_id64_register(name);
    if (r->state == CT_RECORD_STATE_ONLINE) {
        r->new_blob = copy;
        ct_resource_manager_swap(m, slot);
        return true;
    }
    r->blob = copy;
    ct_resource_manager_bring_online(m, slot);
    return true;
}

void ct_resource_manager_remove_made(ct_resource_manager *m, const char *type, const char *name) {
    const uint32_t slot = ct_resource_manager_slot(m, ct_resource_id_of(type, name));
    if (!slot || m->records.items[slot].origin != CT_RECORD_ORIGIN_MADE)
        return;
    m->records.items[slot].origin = CT_RECORD_ORIGIN_ABANDONED;
    ct_resource_manager_release(m, slot);
}
