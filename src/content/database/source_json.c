#include "content/database/source_json.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/sjson/sjson_number.h"
#include "foundation/sjson/sjson_writer.h"

enum { RANK_ID = 0, RANK_TYPE, RANK_FIELD, RANK_UNKNOWN = 1 << 30 };

typedef struct ranked_member {
    uint32_t rank;
    const char *key;
    ct_content_value value;
} ranked_member;

static ct_content_value first_of(ct_content_value container) {
    return (ct_content_value){container.doc, ct_sjson_first(container.doc, container.value)};
}

static ct_content_value next_of(ct_content_value v) {
    return (ct_content_value){v.doc, ct_sjson_next(v.doc, v.value)};
}

bool ct_source_json_is_objects(ct_content_value value) {
    if (ct_content_value_type(value) != CT_SJSON_TYPE_ARRAY ||
        ct_sjson_count(value.doc, value.value) == 0)
        return false;
    ct_content_value e = first_of(value);
    while (ct_content_value_is(e) && ct_content_value_type(e) == CT_SJSON_TYPE_OBJECT)
        e = next_of(e);
    return !ct_content_value_is(e);
}

static void add_comma(ct_string_builder *out) {
    const char last = out->length ? out->text[out->length - 1] : '{';
    if (last != '{' && last != '[')
        ct_string_builder_add_char(out, ',');
}

void ct_source_json_write_key(const char *key, ct_string_builder *out) {
    add_comma(out);
    ct_sjson_add_string(out, key, (uint32_t)strlen(key));
    ct_string_builder_add_char(out, ':');
}

void ct_source_json_write_number(double number, ct_string_builder *out) {
    char text[CT_SJSON_NUMBER_BYTES];
    ct_string_builder_add_bytes(out, text, ct_sjson_number_format(number, text));
}

static void write_any(ct_content_value v, const ct_content_place *place, ct_string_builder *out);

// --- Objects in order ------------------------------------------------------------------------------

static const ct_schema *schema_of(const ct_content_place *place) {
    if (place->schema)
        return place->schema;
    return place->field && place->field->type == CT_FIELD_TYPE_OBJECT ? place->field->schema : NULL;
}

static uint32_t rank_of(const ct_schema *schema, const char *key) {
    if (strcmp(key, "id") == 0)
        return RANK_ID;
    if (strcmp(key, "type") == 0)
        return RANK_TYPE;
    const ct_field *const field = schema ? ct_schema_find_key(schema, key) : NULL;
    return field ? RANK_FIELD + (uint32_t)(field - schema->fields) : RANK_UNKNOWN;
}

static int compare_members(const void *a, const void *b) {
    const ranked_member *const first = a, *const second = b;
    if (first->rank != second->rank)
        return first->rank < second->rank ? -1 : 1;
    return strcmp(first->key, second->key);
}

static void write_ordered(ct_content_value object, ct_content_place place, ct_string_builder *out) {
    const uint32_t count = ct_sjson_count(object.doc, object.value);
    ranked_member *const members = CT_NEW_ARRAY(out->allocator, ranked_member, count);
    place.schema = schema_of(&place);
    uint32_t n = 0;
    for (ct_content_value m = first_of(object); ct_content_value_is(m); m = next_of(m)) {
        const char *const key = ct_sjson_key(m.doc, m.value);
        members[n++] = (ranked_member){rank_of(place.schema, key), key, m};
    }
    if (count > 1)
        qsort(members, count, sizeof(*members), compare_members);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_content_place below = ct_content_place_of_member(place, members[i].key);
        ct_source_json_write_key(members[i].key, out);
        write_any(members[i].value, &below, out);
    }
    ct_free(out->allocator, members);
}

// --- Values ----------------------------------------------------------------------------------------

static void write_object(ct_content_value object, const ct_content_place *place,
                         ct_string_builder *out) {
    ct_string_builder_add_char(out, '{');
    if (place) {
        write_ordered(object, *place, out);
    } else {
        for (ct_content_value m = first_of(object); ct_content_value_is(m); m = next_of(m)) {
            ct_source_json_write_key(ct_sjson_key(m.doc, m.value), out);
            write_any(m, NULL, out);
        }
    }
    ct_string_builder_add_char(out, '}');
}

static void write_array(ct_content_value array, const ct_content_place *place,
                        ct_string_builder *out) {
    ct_string_builder_add_char(out, '[');
    for (ct_content_value e = first_of(array); ct_content_value_is(e); e = next_of(e)) {
        const ct_content_place below =
            place ? ct_content_place_of_element(*place, e) : (ct_content_place){0};
        add_comma(out);
        write_any(e, place ? &below : NULL, out);
    }
    ct_string_builder_add_char(out, ']');
}

static void write_any(ct_content_value v, const ct_content_place *place, ct_string_builder *out) {
    switch (ct_content_value_type(v)) {
    case CT_SJSON_TYPE_NONE:
    case CT_SJSON_TYPE_NULL:
        ct_string_builder_add(out, "null");
        break;
    case CT_SJSON_TYPE_BOOL:
        ct_string_builder_add(out, ct_sjson_bool(v.doc, v.value, false) ? "true" : "false");
        break;
    case CT_SJSON_TYPE_NUMBER:
        ct_source_json_write_number(ct_sjson_number(v.doc, v.value, 0), out);
        break;
    case CT_SJSON_TYPE_STRING:
        ct_sjson_add_string(out, ct_sjson_string(v.doc, v.value, ""),
                            ct_sjson_string_bytes(v.doc, v.value));
        break;
    case CT_SJSON_TYPE_ARRAY:
        write_array(v, place, out);
        break;
    case CT_SJSON_TYPE_OBJECT:
        write_object(v, place, out);
        break;
    }
}

void ct_source_json_write(ct_content_value value, const ct_content_place *place,
                          ct_string_builder *out) {
    write_any(value, place, out);
}
