#include "resource/schema/typed_reference.h"

#include "foundation/error.h"

enum { MAX_TYPES = 64 };

bool ct_typed_reference_is(const ct_sjson *doc, ct_sjson_value v, ct_typed_reference *reference) {
    if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_OBJECT)
        return false;
    const ct_typed_reference found = {ct_sjson_find(doc, v, "resource"),
                                      ct_sjson_find(doc, v, "type")};
    if (reference)
        *reference = found;
    return found.resource.entry && found.type.entry;
}

// Reports that `name` is not the name of a type. Returns NULL.
static const char *report_unknown_type(const ct_sjson *doc, ct_sjson_value at, const char *name,
                                       const ct_schema_listener *listener) {
    const char *names[MAX_TYPES];
    uint32_t count = 0;
    const ct_resource_type *const types = ct_resource_types(&count);
    for (uint32_t i = 0; i < count && i < MAX_TYPES; ++i)
        names[i] = types[i].name;
    const char *const nearest = ct_nearest_name(name, names, count < MAX_TYPES ? count : MAX_TYPES);
    ct_error error = {0};
    ct_sjson_error(
        doc, at, &error,
        "unknown resource type \"%.64s\"%s%s%s; an object with `resource` and `type` is a "
        "reference: { resource = \"units/coin\" type = \"unit\" }",
        name, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    if (listener->error)
        listener->error(listener->user, &error);
    return NULL;
}

const char *ct_typed_reference_read(const ct_sjson *doc, ct_sjson_value v,
                                    const ct_schema_listener *listener) {
    typedef struct values {
        ct_string_id64 resource;
        const char *type;
    } values;
    const char *const type = ct_sjson_string(doc, ct_sjson_find(doc, v, "type"), NULL);
    if (type && !ct_resource_type_named(type))
        return report_unknown_type(doc, ct_sjson_find(doc, v, "type"), type, listener);
    const ct_field fields[] = {
        {.name = "resource",
         .type = CT_FIELD_TYPE_REFERENCE,
         .offset = offsetof(values, resource),
         .size_bytes = sizeof(ct_string_id64),
         .flags = CT_FIELD_REQUIRED,
         .reference_type = type ? type : "resource"},
        {.name = "type",
         .type = CT_FIELD_TYPE_STRING,
         .offset = offsetof(values, type),
         .size_bytes = sizeof(const char *)},
    };
    const ct_schema schema = {.name = "reference",
                              .size_bytes = sizeof(values),
                              .num_fields = CT_COUNT_OF(fields),
                              .fields = fields};
    values read;
    if (!ct_schema_read(&schema, doc, v, &read, listener))
        return NULL;
    return ct_sjson_string(doc, ct_sjson_find(doc, v, "resource"), NULL);
}
