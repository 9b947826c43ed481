#include "compiler/plugin/worker_plugin_compile.h"

#include "compiler/plugin/worker_plugins.h"
#include "foundation/error.h"
#include "resource/blob/platform.h"
#include "resource/types/plugin/plugin_resource.h"

#include <string.h>

// Returns the struct that the schema reads, or NULL after errors.
static const void *read_source(ct_compile *c, const ct_schema *schema) {
    const ct_schema_listener listener = ct_compile_listener(c);
    void *const source = ct_alloc_aligned(c->allocator, schema->size_bytes, CT_BLOB_ALIGN);
    memset(source, 0, schema->size_bytes);
    ct_schema_defaults(schema, source);
    return ct_schema_read(schema, c->doc, ct_sjson_root(c->doc), source, &listener) ? source : NULL;
}

bool ct_worker_plugin_has_room(ct_compile *c, uint64_t size_bytes) {
    return (size_bytes <= CT_WORKER_MAX_DATA_BYTES &&
            c->blob.bytes.count + size_bytes + CT_BLOB_ALIGN <= CT_WORKER_MAX_DATA_BYTES) ||
           ct_compile_error_at(c, NULL, 0, 0, "makes more than the limit of %d bytes of data",
                               CT_WORKER_MAX_DATA_BYTES);
}

static bool call(ct_compile *c, const ct_plugin_addition *compiler, const void *source) {
    const cuttle_compiler_type *const type = compiler->desc;
    const uint32_t entered = ct_plugin_enter(compiler->plugin);
    const bool result = type->compile(compiler->plugin, (cuttle_compile *)c, source);
    ct_plugin_leave(entered);
    if (!result && ct_compile_error_count(c) == 0)
        return ct_compile_error_at(c, NULL, 0, 0,
                                   "the compile function of the plugin \"%s\" failed without an "
                                   "error message",
                                   ct_plugin_name(compiler->plugin));
    return result;
}

static bool write_data(ct_compile *c, const ct_worker_resource_type *type,
                       const ct_plugin_addition *compiler, const void *source) {
    if (compiler)
        return call(c, compiler, source);
    ct_blob_write_bytes(&c->blob, source, type->schema->size_bytes);
    return true;
}

bool ct_worker_plugin_compile(ct_compile *c) {
    const ct_worker_resource_type *const type = ct_worker_plugins_type(c->type);
    const cuttle_resource_type *const desc = type->addition->desc;
    const ct_plugin_addition *const compiler = ct_worker_plugins_compiler(c->type);
    ct_plugin_resource r = {.version = desc->version};
    if (c->blob.order != CT_BYTE_ORDER_LITTLE)
        return ct_compile_error_at(c, NULL, 0, 0,
                                   "types of plugins cannot be compiled for the platform %s, whose "
                                   "byte order is another",
                                   c->platform);
    if (!type->schema && !compiler)
        return ct_compile_error_at(c, NULL, 0, 0,
                                   "the plugin \"%s\" has no compile function for it",
                                   ct_plugin_name(type->addition->plugin));
    const void *const source = type->schema ? read_source(c, type->schema) : NULL;
    if (type->schema && !source)
        return false;
    ct_blob_begin(&c->blob, &ct_plugin_resource_layout);
    if (!write_data(c, type, compiler, source) || ct_compile_error_count(c) > 0)
        return false;
    r.data.offset = sizeof(r);
    r.data.count = ct_blob_writer_offset(&c->blob) - (uint32_t)sizeof(r);
    if (r.data.count == 0)
        return ct_compile_error_at(c, NULL, 0, 0,
                                   "the compile function of the plugin \"%s\" wrote no data",
                                   ct_plugin_name(type->addition->plugin));
    ct_blob_end(&c->blob, &ct_plugin_resource_layout, &r);
    return true;
}
