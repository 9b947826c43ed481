#include "plugin/plugin_description.h"

#include <string.h>

#include "foundation/container/array.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "plugin/plugin_schema.h"
#include "resource/types/component_resource.h"
#include "resource/types/resource_types.h"

// --- Writing -------------------------------------------------------------------------------------

static void write_text(ct_sjson_writer *w, const char *key, const char *text) {
    if (text && text[0])
        ct_sjson_member_string(w, key, text);
}

static void write_field(ct_sjson_writer *w, const cuttle_field *f) {
    ct_sjson_begin_object(w);
    write_text(w, "name", f->name);
    ct_sjson_member_number(w, "type", f->type);
    ct_sjson_member_number(w, "offset", f->offset);
    ct_sjson_member_number(w, "size", f->size_bytes);
    ct_sjson_member_number(w, "flags", f->flags);
    write_text(w, "doc", f->doc);
    write_text(w, "unit", f->unit);
    ct_sjson_member_number(w, "least", f->least);
    ct_sjson_member_number(w, "most", f->most);
    ct_sjson_write_key(w, "default");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < 4; ++i)
        ct_sjson_write_number(w, f->default_value[i]);
    ct_sjson_end_array(w);
    write_text(w, "text", f->default_text);
    write_text(w, "reference", f->type == CUTTLE_FIELD_REFERENCE ? f->reference_type : NULL);
    if (f->type == CUTTLE_FIELD_ENUM) {
        ct_sjson_write_key(w, "values");
        ct_sjson_begin_array(w);
        for (uint32_t i = 0; f->enum_names[i]; ++i)
            ct_sjson_write_string(w, f->enum_names[i]);
        ct_sjson_end_array(w);
    }
    ct_sjson_end_object(w);
}

void ct_plugin_description_write_schema(ct_sjson_writer *w, const cuttle_schema *schema) {
    ct_sjson_write_key(w, "schema");
    ct_sjson_begin_object(w);
    write_text(w, "name", schema->name);
    write_text(w, "doc", schema->doc);
    ct_sjson_member_number(w, "version", schema->version);
    ct_sjson_member_number(w, "size", schema->size_bytes);
    ct_sjson_write_key(w, "fields");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < schema->num_fields; ++i)
        write_field(w, &schema->fields[i]);
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

// --- Reading -------------------------------------------------------------------------------------

static const char *text_of(const ct_sjson *doc, ct_sjson_value object, const char *key) {
    return ct_sjson_string(doc, ct_sjson_find(doc, object, key), NULL);
}

static double number_of(const ct_sjson *doc, ct_sjson_value object, const char *key) {
    return ct_sjson_number(doc, ct_sjson_find(doc, object, key), 0);
}

// 0 for what is no such number.
static uint32_t count_of(const ct_sjson *doc, ct_sjson_value object, const char *key) {
    const double number = number_of(doc, object, key);
    return number >= 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

static const char *const *read_names(ct_allocator *a, const ct_sjson *doc, ct_sjson_value list) {
    const char **const names = CT_NEW_ARRAY(a, const char *, ct_sjson_count(doc, list) + 1);
    uint32_t count = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v))
        names[count++] = ct_sjson_string(doc, v, "");
    names[count] = NULL;
    return names;
}

static cuttle_field read_field(ct_allocator *a, const ct_sjson *doc, ct_sjson_value object) {
    cuttle_field f = {.name = text_of(doc, object, "name"),
                      .type = count_of(doc, object, "type"),
                      .offset = count_of(doc, object, "offset"),
                      .size_bytes = count_of(doc, object, "size"),
                      .flags = count_of(doc, object, "flags"),
                      .doc = text_of(doc, object, "doc"),
                      .unit = text_of(doc, object, "unit"),
                      .least = number_of(doc, object, "least"),
                      .most = number_of(doc, object, "most"),
                      .default_text = text_of(doc, object, "text"),
                      .reference_type = text_of(doc, object, "reference")};
    const ct_sjson_value list = ct_sjson_find(doc, object, "default");
    ct_sjson_value v = ct_sjson_first(doc, list);
    for (uint32_t i = 0; i < 4 && v.entry; ++i, v = ct_sjson_next(doc, v))
        f.default_value[i] = ct_sjson_number(doc, v, 0);
    f.enum_names = read_names(a, doc, ct_sjson_find(doc, object, "values"));
    return f;
}

static cuttle_schema read_schema(ct_allocator *a, const ct_sjson *doc, ct_sjson_value object) {
    const ct_sjson_value list = ct_sjson_find(doc, object, "fields");
    cuttle_field *const fields = CT_NEW_ARRAY(a, cuttle_field, ct_sjson_count(doc, list) + 1);
    cuttle_schema schema = {.name = text_of(doc, object, "name"),
                            .doc = text_of(doc, object, "doc"),
                            .version = count_of(doc, object, "version"),
                            .size_bytes = count_of(doc, object, "size"),
                            .fields = fields};
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v))
        fields[schema.num_fields++] = read_field(a, doc, v);
    return schema;
}

// --- What this process has taken over ------------------------------------------------------------

typedef struct described_type {
    ct_schema *schema;    // owned
    const char *resource; // of a resource type: its name; NULL: of a component
} described_type;

static struct {
    ct_allocator *allocator; // NULL: nothing was taken over
    CT_ARRAY(described_type) types;
} used;

static void use_schema(ct_allocator *scratch, const ct_sjson *doc, ct_sjson_value object,
                       bool is_component) {
    const ct_sjson_value at = ct_sjson_find(doc, object, "schema");
    const ct_resource_type *const resource =
        is_component ? NULL
                     : ct_resource_type_register(
                           ct_sjson_string(doc, ct_sjson_find(doc, object, "name"), ""), NULL);
    const cuttle_schema schema = read_schema(scratch, doc, at);
    if (!at.entry || (!is_component && !resource) || !ct_plugin_schema_check(&schema, "type", NULL))
        return;
    const uint32_t identity = is_component ? CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED : 0;
    const described_type type = {.schema = ct_plugin_schema_copy(used.allocator, &schema, identity),
                                 .resource = resource ? resource->name : NULL};
    const bool is_taken = is_component ? ct_component_type_register(type.schema, true, NULL)
                                       : ct_resource_type_set_schema(type.resource, type.schema);
    if (is_taken)
        ct_array_push(&used.types, type);
    else
        ct_plugin_schema_free(used.allocator, type.schema);
}

void ct_plugin_description_use_text(const char *text, uint64_t bytes) {
    if (used.allocator)
        return;
    used.allocator = ct_memory_heap();
    ct_array_init(&used.types, used.allocator);
    CT_TEMP_ALLOCATOR(scratch, used.allocator);
    const ct_sjson *const doc = ct_sjson_parse(scratch, text, bytes, "description", NULL, NULL);
    if (!doc)
        return;
    const ct_sjson_value root = ct_sjson_root(doc);
    const ct_sjson_value types = ct_sjson_find(doc, root, "types");
    const ct_sjson_value components = ct_sjson_find(doc, root, "components");
    for (ct_sjson_value v = ct_sjson_first(doc, types); v.entry; v = ct_sjson_next(doc, v))
        use_schema(scratch, doc, v, false);
    for (ct_sjson_value v = ct_sjson_first(doc, components); v.entry; v = ct_sjson_next(doc, v))
        use_schema(scratch, doc, v, true);
}

void ct_plugin_description_use(const char *project_folder) {
    char path[CT_PATH_BYTES];
    uint64_t bytes = 0;
    if (used.allocator || !ct_path_try_join(path, project_folder, CT_PLUGIN_DESCRIPTION_FILE) ||
        ct_os_file_info(path).kind != CT_FILE_KIND_FILE)
        return;
    ct_allocator *const a = ct_memory_heap();
    char *const text = ct_file_read(a, path, &bytes, NULL);
    const char *const line_end = text ? strchr(text, '\n') : NULL;
    if (line_end)
        ct_plugin_description_use_text(line_end + 1, bytes - (uint64_t)(line_end + 1 - text));
    ct_free(a, text);
}

void ct_plugin_description_end(void) {
    if (!used.allocator)
        return;
    for (uint32_t i = 0; i < used.types.count; ++i) {
        const described_type *const type = &used.types.items[i];
        if (type->resource)
            ct_resource_type_set_schema(type->resource, NULL);
        else
            ct_component_type_unregister(type->schema);
        ct_plugin_schema_free(used.allocator, type->schema);
    }
    ct_array_free(&used.types);
    used.allocator = NULL;
}
