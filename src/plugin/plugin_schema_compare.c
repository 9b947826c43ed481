#include "plugin/plugin_schema_compare.h"

#include <string.h>

#include "foundation/error.h"

ct_field_type ct_plugin_field_type(uint32_t type) {
    static const ct_field_type types[CUTTLE_FIELD_PADDING + 1] = {
        [CUTTLE_FIELD_BOOL] = CT_FIELD_TYPE_BOOL,
        [CUTTLE_FIELD_INT] = CT_FIELD_TYPE_INT,
        [CUTTLE_FIELD_FLOAT] = CT_FIELD_TYPE_FLOAT,
        [CUTTLE_FIELD_VECTOR2] = CT_FIELD_TYPE_VECTOR2,
        [CUTTLE_FIELD_VECTOR3] = CT_FIELD_TYPE_VECTOR3,
        [CUTTLE_FIELD_VECTOR4] = CT_FIELD_TYPE_VECTOR4,
        [CUTTLE_FIELD_QUATERNION] = CT_FIELD_TYPE_QUATERNION,
        [CUTTLE_FIELD_COLOR] = CT_FIELD_TYPE_COLOR,
        [CUTTLE_FIELD_ENUM] = CT_FIELD_TYPE_ENUM,
        [CUTTLE_FIELD_TEXT] = CT_FIELD_TYPE_TEXT,
        [CUTTLE_FIELD_NAME] = CT_FIELD_TYPE_NAME,
        [CUTTLE_FIELD_REFERENCE] = CT_FIELD_TYPE_REFERENCE,
        [CUTTLE_FIELD_PADDING] = CT_FIELD_TYPE_PADDING,
    };
    return type <= CUTTLE_FIELD_PADDING ? types[type] : CT_FIELD_TYPE_NONE;
}

static bool has_names(const ct_field *f, const cuttle_field *other) {
    uint32_t i = 0;
    if (f->type != CT_FIELD_TYPE_ENUM)
        return true;
    while (f->enum_names[i] && other->enum_names[i] &&
           strcmp(f->enum_names[i], other->enum_names[i]) == 0)
        ++i;
    return !f->enum_names[i] && !other->enum_names[i];
}

bool ct_plugin_schema_is_like(const ct_schema *schema, const cuttle_schema *other,
                              ct_error *error) {
    for (uint32_t i = 0; i < schema->num_fields || i < other->num_fields; ++i) {
        if (i >= other->num_fields)
            return ct_error_set(error, "the field \"%s\" is gone", schema->fields[i].name);
        if (i >= schema->num_fields)
            return ct_error_set(error, "the field \"%s\" is new", other->fields[i].name);
        const ct_field *const f = &schema->fields[i];
        const cuttle_field *const o = &other->fields[i];
        if (strcmp(f->name, o->name ? o->name : "") != 0)
            return ct_error_set(error, "the field \"%s\" was \"%s\"", o->name, f->name);
        if (f->type != ct_plugin_field_type(o->type) || f->size_bytes != o->size_bytes ||
            f->offset != o->offset)
            return ct_error_set(error, "the field \"%s\" has another type or place", f->name);
        if (!has_names(f, o))
            return ct_error_set(error, "the enum \"%s\" has other names", f->name);
    }
    return schema->size_bytes == other->size_bytes ||
           ct_error_set(error, "the struct had %u bytes, and has %u", schema->size_bytes,
                        other->size_bytes);
}
