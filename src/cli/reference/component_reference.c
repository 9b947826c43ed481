#include "cli/reference/component_reference.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/types/unit_resource.h"

enum { MOST_DEPTH = 8, CELL_BYTES = 512 };

// --- Parts of a field ----------------------------------------------------------------------------

static const char *type_name(const ct_field *field) {
    switch (field->type) {
    case CT_FIELD_TYPE_BOOL:
        return "bool";
    case CT_FIELD_TYPE_INT:
        return "integer";
    case CT_FIELD_TYPE_FLOAT:
        return "number";
    case CT_FIELD_TYPE_VECTOR2:
        return "[x y]";
    case CT_FIELD_TYPE_VECTOR3:
        return "[x y z]";
    case CT_FIELD_TYPE_VECTOR4:
    case CT_FIELD_TYPE_QUATERNION:
        return "[x y z w]";
    case CT_FIELD_TYPE_COLOR:
        return "[r g b a]";
    case CT_FIELD_TYPE_ENUM:
        return "one of";
    case CT_FIELD_TYPE_TEXT:
    case CT_FIELD_TYPE_NAME:
    case CT_FIELD_TYPE_STRING:
        return "string";
    case CT_FIELD_TYPE_REFERENCE:
        return "name of";
    case CT_FIELD_TYPE_REFERENCES:
        return "names of";
    case CT_FIELD_TYPE_MEDIA:
        return "path";
    case CT_FIELD_TYPE_ARRAY:
        return field->schema || field->schemas ? "array of objects" : "array";
    case CT_FIELD_TYPE_MAP:
    case CT_FIELD_TYPE_OBJECT:
        return "object";
    case CT_FIELD_TYPE_VALUE:
        return "value";
    default:
        CT_ASSERT(false, "the field %s is not in sources", field->name);
        return "";
    }
}

// How many numbers the field holds; 0: it holds something else.
static uint32_t num_numbers(const ct_field *field) {
    switch (field->type) {
    case CT_FIELD_TYPE_INT:
    case CT_FIELD_TYPE_FLOAT:
        return 1;
    case CT_FIELD_TYPE_VECTOR2:
        return 2;
    case CT_FIELD_TYPE_VECTOR3:
        return 3;
    case CT_FIELD_TYPE_VECTOR4:
    case CT_FIELD_TYPE_QUATERNION:
    case CT_FIELD_TYPE_COLOR:
        return 4;
    default:
        return 0;
    }
}

// True for the second of two fields of one name, which only keeps the place of the first.
static bool is_twin(const ct_schema *schema, uint32_t i) {
    return !ct_field_is_in_source(&schema->fields[i]) ||
           ct_schema_find(schema, schema->fields[i].name) != &schema->fields[i];
}

static bool has_range(const ct_field *field) {
    return field->least < field->most && num_numbers(field) > 0;
}

static void add_type(ct_string_builder *out, const ct_field *field, const char *quote) {
    ct_string_builder_add(out, type_name(field));
    if (field->type == CT_FIELD_TYPE_REFERENCE || field->type == CT_FIELD_TYPE_REFERENCES)
        ct_string_builder_addf(out, " %s%s%s", quote, field->reference_type, quote);
    for (uint32_t i = 0; field->enum_names && field->enum_names[i]; ++i)
        ct_string_builder_addf(out, "%s %s\"%s\"%s", i ? "," : "", quote, field->enum_names[i],
                               quote);
}

static void add_default(ct_string_builder *out, const ct_field *field) {
    const uint32_t count = num_numbers(field);
    if (field->flags & CT_FIELD_REQUIRED)
        ct_string_builder_add(out, "required");
    else if (field->type == CT_FIELD_TYPE_BOOL)
        ct_string_builder_add(out, field->default_value[0] != 0 ? "true" : "false");
    else if (field->type == CT_FIELD_TYPE_ENUM)
        ct_string_builder_addf(out, "\"%s\"", field->enum_names[0]);
    else if (field->default_text)
        ct_string_builder_addf(out, "\"%s\"", field->default_text);
    else if (count == 1)
        ct_string_builder_addf(out, "%.6g", field->default_value[0]);
    for (uint32_t i = 0; i < count && count > 1; ++i)
        ct_string_builder_addf(out, "%s%.6g%s", i ? " " : "[", field->default_value[i],
                               i + 1 == count ? "]" : "");
}

static void add_range(ct_string_builder *out, const ct_field *field) {
    if (has_range(field))
        ct_string_builder_addf(out, "%.6g to %.6g", field->least, field->most);
}

// --- Text ----------------------------------------------------------------------------------------

static void add_field_text(ct_string_builder *out, const ct_field *field) {
    ct_string_builder_addf(out, "  %s: ", field->name);
    add_type(out, field, "");
    if (field->unit)
        ct_string_builder_addf(out, ", %s", field->unit);
    if (has_range(field)) {
        ct_string_builder_add(out, ", ");
        add_range(out, field);
    }
    ct_string_builder_add(out, "; ");
    const uint32_t before = out->length;
    add_default(out, field);
    ct_string_builder_addf(out, "%s\n      %s\n", out->length == before ? "none" : "", field->doc);
}

static void add_fields_text(ct_string_builder *out, const ct_schema *schema) {
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        if (is_twin(schema, i))
            continue;
        add_field_text(out, &schema->fields[i]);
        const ct_field in_degrees = ct_field_in_degrees(&schema->fields[i]);
        if (in_degrees.name)
            add_field_text(out, &in_degrees);
    }
}

void ct_component_reference_text(ct_string_builder *out, const ct_component_type *type) {
    ct_string_builder_addf(out, "%s: %s\n", type->name, type->schema->doc);
    add_fields_text(out, type->schema);
    for (uint32_t i = 0; i < type->schema->num_fields; ++i) {
        const ct_field *const field = &type->schema->fields[i];
        if (!field->schema)
            continue;
        ct_string_builder_addf(out, "each of %s: %s\n", field->name, field->schema->doc);
        add_fields_text(out, field->schema);
    }
}

// --- Markdown ------------------------------------------------------------------------------------

static void add_identity(ct_string_builder *out, uint32_t identity) {
    static const struct {
        uint32_t flag;
        const char *text;
    } members[] = {
        {CT_SCHEMA_ID, "`id`, which identifies it"},
        {CT_SCHEMA_TYPE, "`type`"},
        {CT_SCHEMA_REMOVED, "`removed = true`, which removes an inherited one or, in "
                            "overrides, one of a placed unit"},
    };
    const char *before = "Beside: ";
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        if (!(identity & members[i].flag))
            continue;
        ct_string_builder_addf(out, "%s%s", before, members[i].text);
        before = "; ";
    }
    if (identity)
        ct_string_builder_add(out, ".\n");
}

static void add_row(ct_string_builder *out, const ct_field *field) {
    ct_string_builder_addf(out, "| `%s` | ", field->name);
    add_type(out, field, "`");
    ct_string_builder_addf(out, " | %s | ", field->unit ? field->unit : "");
    add_range(out, field);
    ct_string_builder_add(out, " | ");
    add_default(out, field);
    ct_string_builder_addf(out, " | %s |\n", field->doc);
}

// A section for a schema, and one below for each that its arrays hold.
static void add_section(ct_string_builder *out, const ct_schema *schema, const char *name,
                        uint32_t depth) {
    ct_string_builder_addf(out, "\n%.*s %s\n\n%s\n\n", (int)depth, "########", name, schema->doc);
    ct_string_builder_add(out, "| member | type | unit | range | default | |\n"
                               "| --- | --- | --- | --- | --- | --- |\n");
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        if (is_twin(schema, i))
            continue;
        add_row(out, &schema->fields[i]);
        const ct_field in_degrees = ct_field_in_degrees(&schema->fields[i]);
        if (in_degrees.name)
            add_row(out, &in_degrees);
    }
    if (schema->identity)
        ct_string_builder_add(out, "\n");
    add_identity(out, schema->identity);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        char below[CELL_BYTES];
        if (!field->schema || field->schema == schema || field->flags & CT_FIELD_OVERRIDES)
            continue; // itself, or what stands elsewhere
        snprintf(below, sizeof(below), "%s: %s", name, field->name);
        add_section(out, field->schema, below, depth + 1);
    }
}

void ct_component_reference_markdown(ct_string_builder *out) {
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    ct_string_builder_add(
        out, "# Components\n\nWritten by `cuttle components --markdown FILE` from the engine's own "
             "schemas: do not edit. How units and levels are written: "
             "[formats/unit.md](formats/unit.md), [formats/level.md](formats/level.md).\n");
    for (uint32_t i = 0; i < count; ++i)
        add_section(out, types[i].schema, types[i].name, 2);
    add_section(out, &ct_unit_schema, "Units", 2);
    add_section(out, &ct_level_schema, "Levels", 2);
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_schema(ct_sjson_writer *w, const ct_schema *schema, const char *name,
                         uint32_t depth);

static void write_default(ct_sjson_writer *w, const ct_field *field) {
    const uint32_t count = num_numbers(field);
    if (field->flags & CT_FIELD_REQUIRED)
        ct_sjson_member_bool(w, "is_required", true);
    else if (field->type == CT_FIELD_TYPE_BOOL)
        ct_sjson_member_bool(w, "default", field->default_value[0] != 0);
    else if (field->type == CT_FIELD_TYPE_ENUM)
        ct_sjson_member_string(w, "default", field->enum_names[0]);
    else if (field->default_text)
        ct_sjson_member_string(w, "default", field->default_text);
    else if (count == 1)
        ct_sjson_member_number(w, "default", field->default_value[0]);
    if (count < 2)
        return;
    ct_sjson_write_key(w, "default");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        ct_sjson_write_number(w, field->default_value[i]);
    ct_sjson_end_array(w);
}

static void write_field(ct_sjson_writer *w, const ct_schema *owner, const ct_field *field,
                        uint32_t depth) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", field->name);
    ct_sjson_member_string(w, "type", type_name(field));
    ct_sjson_member_string(w, "doc", field->doc);
    if (field->unit)
        ct_sjson_member_string(w, "unit", field->unit);
    if (has_range(field)) {
        ct_sjson_member_number(w, "least", field->least);
        ct_sjson_member_number(w, "most", field->most);
    }
    if (field->reference_type)
        ct_sjson_member_string(w, "reference", field->reference_type);
    write_default(w, field);
    if (field->enum_names) {
        ct_sjson_write_key(w, "values");
        ct_sjson_begin_array(w);
        for (uint32_t i = 0; field->enum_names[i]; ++i)
            ct_sjson_write_string(w, field->enum_names[i]);
        ct_sjson_end_array(w);
    }
    if (field->schema && field->schema != owner && depth < MOST_DEPTH) {
        ct_sjson_write_key(w, "of");
        write_schema(w, field->schema, field->schema->name, depth + 1);
    }
    ct_sjson_end_object(w);
}

static void write_schema(ct_sjson_writer *w, const ct_schema *schema, const char *name,
                         uint32_t depth) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", name);
    ct_sjson_member_string(w, "doc", schema->doc);
    ct_sjson_write_key(w, "fields");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        if (is_twin(schema, i))
            continue;
        write_field(w, schema, &schema->fields[i], depth);
        const ct_field in_degrees = ct_field_in_degrees(&schema->fields[i]);
        if (in_degrees.name)
            write_field(w, schema, &in_degrees, depth);
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

void ct_component_reference_json(ct_string_builder *out) {
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "version", CT_VERSION_STRING);
    ct_sjson_write_key(&w, "components");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < count; ++i)
        write_schema(&w, types[i].schema, types[i].name, 0);
    ct_sjson_end_array(&w);
    ct_sjson_write_key(&w, "unit");
    write_schema(&w, &ct_unit_schema, "unit", 0);
    ct_sjson_write_key(&w, "level");
    write_schema(&w, &ct_level_schema, "level", 0);
    ct_sjson_end_object(&w);
}
