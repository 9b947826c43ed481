#include "compiler/plugin/worker_interfaces.h"
#include "compiler/plugin/worker_plugin_compile.h"
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_schema.h"
#include "resource/resource_id.h"
#include "resource/types/plugin/plugin_resource.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FORMAT(text, format)                                                                       \
    char text[CT_ERROR_MESSAGE_BYTES];                                                             \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    vsnprintf(text, sizeof(text), format, list);                                                   \
    va_end(list)

static ct_compile *compile_of(cuttle_compile *c) {
    return (ct_compile *)c;
}

// An argument that the header does not allow: an error of the resource.
static bool bad_argument(cuttle_compile *c, const char *function, const char *what) {
    return ct_compile_error_at(compile_of(c), NULL, 0, 0,
                               "the plugin's compile function called `%s` with %s", function, what);
}

// --- The kind ------------------------------------------------------------------------------------

const ct_plugin_kind ct_worker_compiler_kind = {
    .name = "compile function",
    .desc_bytes = sizeof(cuttle_compiler_type),
};

static bool add(cuttle_plugin *self, const cuttle_compiler_type *type, cuttle_error *error) {
    ct_error own = {0};
    if (!type || !type->name || !type->compile)
        ct_error_set(&own, "a compile function needs the name of its resource type, and `compile`");
    else if (ct_plugin_add(self, &ct_worker_compiler_kind, type->name, type, &own))
        return true;
    return ct_plugin_give_error(error, &own);
}

static const char *name(cuttle_compile *c) {
    return compile_of(c)->name;
}

static const char *path(cuttle_compile *c) {
    return compile_of(c)->path;
}

static const char *platform(cuttle_compile *c) {
    return compile_of(c)->platform;
}

// --- Values --------------------------------------------------------------------------------------

static cuttle_value value_of(const ct_sjson *doc, ct_sjson_value v) {
    return v.entry ? (cuttle_value){doc, v.entry} : (cuttle_value){NULL, 0};
}

static ct_sjson_value sjson_of(cuttle_value v) {
    return (ct_sjson_value){v.document ? v.entry : 0};
}

static cuttle_value root(cuttle_compile *c) {
    const ct_sjson *const doc = compile_of(c)->doc;
    return value_of(doc, ct_sjson_root(doc));
}

static bool read_schema(cuttle_compile *c, const cuttle_schema *schema, cuttle_value object,
                        void *out) {
    ct_compile *const own = compile_of(c);
    const ct_schema_listener listener = ct_compile_listener(own);
    ct_error error = {0};
    if (!object.document || !out)
        return bad_argument(c, "read_schema", "no object or no place for the struct");
    if (!ct_plugin_schema_check(schema, "object", &error))
        return bad_argument(c, "read_schema", error.message);
    const ct_sjson *const doc = object.document;
    if (ct_sjson_type_of(doc, sjson_of(object)) != CT_SJSON_TYPE_OBJECT)
        return ct_compile_error(own, doc, sjson_of(object), "found %s, expected a %s (an object)",
                                ct_sjson_type_name(ct_sjson_type_of(doc, sjson_of(object))),
                                schema->name);
    const ct_schema *const copy = ct_plugin_schema_copy(own->allocator, schema, 0);
    memset(out, 0, schema->size_bytes);
    ct_schema_defaults(copy, out);
    return ct_schema_read(copy, doc, sjson_of(object), out, &listener);
}

static uint32_t type(cuttle_value v) {
    if (!v.document)
        return CUTTLE_VALUE_NULL;
    switch (ct_sjson_type_of(v.document, sjson_of(v))) {
    case CT_SJSON_TYPE_BOOL:
        return CUTTLE_VALUE_BOOL;
    case CT_SJSON_TYPE_NUMBER:
        return CUTTLE_VALUE_NUMBER;
    case CT_SJSON_TYPE_STRING:
        return CUTTLE_VALUE_TEXT;
    case CT_SJSON_TYPE_ARRAY:
        return CUTTLE_VALUE_ARRAY;
    case CT_SJSON_TYPE_OBJECT:
        return CUTTLE_VALUE_OBJECT;
    case CT_SJSON_TYPE_NULL:
    default:
        return CUTTLE_VALUE_NULL;
    }
}

static bool boolean(cuttle_value v, bool otherwise) {
    return v.document ? ct_sjson_bool(v.document, sjson_of(v), otherwise) : otherwise;
}

static double number(cuttle_value v, double otherwise) {
    return v.document ? ct_sjson_number(v.document, sjson_of(v), otherwise) : otherwise;
}

static const char *text(cuttle_value v, const char *otherwise) {
    return v.document ? ct_sjson_string(v.document, sjson_of(v), otherwise) : otherwise;
}

static bool is_container(cuttle_value v) {
    return type(v) == CUTTLE_VALUE_ARRAY || type(v) == CUTTLE_VALUE_OBJECT;
}

static cuttle_value find(cuttle_value object, const char *key) {
    if (type(object) != CUTTLE_VALUE_OBJECT || !key)
        return (cuttle_value){NULL, 0};
    return value_of(object.document, ct_sjson_find(object.document, sjson_of(object), key));
}

static uint32_t count(cuttle_value container) {
    return is_container(container) ? ct_sjson_count(container.document, sjson_of(container)) : 0;
}

static cuttle_value first(cuttle_value container) {
    if (!is_container(container))
        return (cuttle_value){NULL, 0};
    return value_of(container.document, ct_sjson_first(container.document, sjson_of(container)));
}

static cuttle_value next(cuttle_value v) {
    if (!v.document)
        return v;
    return value_of(v.document, ct_sjson_next(v.document, sjson_of(v)));
}

static const char *key(cuttle_value member) {
    return member.document ? ct_sjson_key(member.document, sjson_of(member)) : NULL;
}

// --- Files ---------------------------------------------------------------------------------------

static const void *read_file(cuttle_compile *c, const char *file, uint64_t *size_bytes,
                             cuttle_value at) {
    uint64_t bytes = 0;
    const char *data = NULL;
    if (file)
        data = ct_compile_read(compile_of(c), file, &bytes, at.document, sjson_of(at));
    else
        bad_argument(c, "read", "no path");
    if (size_bytes)
        *size_bytes = bytes;
    return data;
}

static const void *find_file(cuttle_compile *c, const char *file, uint64_t *size_bytes) {
    uint64_t bytes = 0;
    const char *data = NULL;
    if (!file)
        bad_argument(c, "find_file", "no path");
    else if (ct_path_is_canonical(file))
        data = ct_compile_find(compile_of(c), file, &bytes);
    if (size_bytes)
        *size_bytes = bytes;
    return data;
}

static cuttle_value read_source(cuttle_compile *c, const char *file, cuttle_value at) {
    const ct_sjson *doc = NULL;
    if (file)
        doc = ct_compile_read_sjson(compile_of(c), file, at.document, sjson_of(at));
    else
        bad_argument(c, "read_source", "no path");
    return doc ? value_of(doc, ct_sjson_root(doc)) : (cuttle_value){NULL, 0};
}

static cuttle_value setting(cuttle_compile *c, const char *setting_path) {
    const ct_sjson *doc = NULL;
    ct_sjson_value v = {0};
    if (setting_path)
        v = ct_compile_setting(compile_of(c), setting_path, &doc);
    else
        bad_argument(c, "setting", "no path");
    return doc ? value_of(doc, v) : (cuttle_value){NULL, 0};
}

// --- Reports -------------------------------------------------------------------------------------

static void reference(cuttle_compile *c, const char *resource_type, const char *resource_name,
                      cuttle_value at) {
    ct_compile *const own = compile_of(c);
    char advice[CT_RESOURCE_ADVICE_BYTES];
    if (!resource_type || !resource_name) {
        bad_argument(c, "reference", "no type or no name");
    } else if (!ct_resource_name_is_canonical(resource_name)) {
        ct_resource_name_advise(resource_name, own->project_folder, advice);
        ct_compile_error(
            own, at.document, sjson_of(at),
            "\"%.256s\" is not the name of a resource ([a-z0-9_/-], from the project's "
            "root, no extension): %s",
            resource_name, advice);
    } else {
        ct_compile_reference(own, resource_type, resource_name, at.document, sjson_of(at));
    }
}

static bool error_at_value(cuttle_compile *c, cuttle_value at, const char *format, ...) {
    FORMAT(message, format);
    return ct_compile_error(compile_of(c), at.document, sjson_of(at), "%s", message);
}

static bool error_at_place(cuttle_compile *c, const char *file, uint32_t line, uint32_t column,
                           const char *format, ...) {
    FORMAT(message, format);
    return ct_compile_error_at(compile_of(c), file, line, column, "%s", message);
}

static void warning(cuttle_compile *c, cuttle_value at, const char *format, ...) {
    FORMAT(message, format);
    ct_compile_warning(compile_of(c), at.document, sjson_of(at), "%s", message);
}

// --- Data ----------------------------------------------------------------------------------------

static void *allocate(cuttle_compile *c, uint64_t size_bytes) {
    ct_allocator *const a = compile_of(c)->allocator;
    if (size_bytes == 0)
        return NULL;
    void *const p = ct_alloc_aligned(a, size_bytes, CT_BLOB_ALIGN);
    memset(p, 0, size_bytes);
    return p;
}

static uint32_t write(cuttle_compile *c, const void *bytes, uint64_t size_bytes, uint32_t align) {
    ct_blob_writer *const w = &compile_of(c)->blob;
    if (align == 0 || align > CUTTLE_RESOURCE_DATA_ALIGN || (align & (align - 1)) != 0) {
        bad_argument(c, "write", "an alignment that is not 1, 2, 4, 8 or 16");
        return 0;
    }
    if (!ct_worker_plugin_has_room(compile_of(c), size_bytes))
        return 0;
    ct_blob_writer_align(w, align); // the data begins at a multiple of 16
    const uint32_t at =
        bytes ? ct_blob_write_bytes(w, bytes, size_bytes) : ct_blob_write_zeroes(w, size_bytes);
    return at - (uint32_t)sizeof(ct_plugin_resource);
}

static bool patch(cuttle_compile *c, uint32_t offset, const void *bytes, uint64_t size_bytes) {
    ct_blob_writer *const w = &compile_of(c)->blob;
    const uint64_t data_bytes = w->bytes.count - sizeof(ct_plugin_resource);
    if (offset > data_bytes || size_bytes > data_bytes - offset || (!bytes && size_bytes > 0))
        return bad_argument(c, "patch", "bytes that were not written before");
    if (size_bytes > 0)
        memcpy(w->bytes.items + sizeof(ct_plugin_resource) + offset, bytes, size_bytes);
    return true;
}

const cuttle_compiler_api_1 ct_worker_compiler_api_1 = {
    .add = add,
    .name = name,
    .path = path,
    .platform = platform,
    .root = root,
    .read_schema = read_schema,
    .type = type,
    .boolean = boolean,
    .number = number,
    .text = text,
    .find = find,
    .count = count,
    .first = first,
    .next = next,
    .key = key,
    .read = read_file,
    .find_file = find_file,
    .read_source = read_source,
    .setting = setting,
    .reference = reference,
    .error = error_at_value,
    .error_at = error_at_place,
    .warning = warning,
    .allocate = allocate,
    .write = write,
    .patch = patch,
};
