#include "content/identity.h"

#include <stdio.h>
#include <string.h>

#include "content/document_nodes.h"
#include "foundation/string/string_id.h"

enum { MOST_SCHEMA_DEPTH = 4 }; // of schemas in schemas; those of children hold each other

typedef struct finder {
    ct_identity_finding_array *findings;
    ct_allocator *allocator;
    const ct_sjson *tape;
    ct_string_builder path;
    bool is_in_override;
} finder;

static void find_in_object(finder *f, ct_content_place place, ct_sjson_value object);

const char *ct_identity_fault_text(ct_identity_fault fault) {
    static const char *const texts[] = {
        [CT_IDENTITY_FAULT_NONE] = "is right",
        [CT_IDENTITY_FAULT_MISSING] = "has no id",
        [CT_IDENTITY_FAULT_DOUBLED] = "has the id of an element before it",
        [CT_IDENTITY_FAULT_NO_TEXT] = "has an id that is not a string",
        [CT_IDENTITY_FAULT_OVERRIDE] = "overrides another element and needs its id, given once",
    };
    return texts[fault];
}

static bool is_in(const ct_schema *schema, uint32_t depth) {
    for (uint32_t i = 0; schema && depth < MOST_SCHEMA_DEPTH && i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        if (field->type != CT_FIELD_TYPE_ARRAY && field->type != CT_FIELD_TYPE_MAP)
            continue;
        if (field->schema &&
            ((field->schema->identity & CT_SCHEMA_ID) || is_in(field->schema, depth + 1)))
            return true;
        for (const ct_schema *const *s = field->schemas; s && *s; ++s) {
            if (((*s)->identity & CT_SCHEMA_ID) || is_in(*s, depth + 1))
                return true;
        }
    }
    return false;
}

bool ct_identity_is_in(const ct_schema *schema) {
    return is_in(schema, 0);
}

// --- Finding -------------------------------------------------------------------------------------

// True for an element whose id names what another unit has.
static bool is_override(const finder *f, ct_content_place place, ct_content_place element_place,
                        ct_sjson_value element) {
    const ct_sjson_value removed = ct_sjson_find(f->tape, element, "removed");
    return f->is_in_override || (place.field->flags & CT_FIELD_OVERRIDES) ||
           !element_place.schema || // gives no type
           (removed.entry && ct_sjson_bool(f->tape, removed, false));
}

static ct_identity_fault fault_of(const finder *f, ct_hash_map *seen, ct_sjson_value id) {
    if (!id.entry)
        return CT_IDENTITY_FAULT_MISSING;
    if (ct_sjson_type_of(f->tape, id) != CT_SJSON_TYPE_STRING)
        return CT_IDENTITY_FAULT_NO_TEXT;
    const uint32_t bytes = ct_sjson_string_bytes(f->tape, id);
    if (bytes == 0)
        return CT_IDENTITY_FAULT_MISSING;
    const uint64_t hash = ct_string_id64_of_bytes(ct_sjson_string(f->tape, id, ""), bytes).value;
    if (ct_hash_map_find(seen, hash))
        return CT_IDENTITY_FAULT_DOUBLED;
    ct_hash_map_set(seen, hash, 1);
    return CT_IDENTITY_FAULT_NONE;
}

static void check_id(finder *f, ct_hash_map *seen, ct_content_place place,
                     ct_content_place element_place, ct_sjson_value element) {
    ct_identity_finding found = {.element = element};
    found.id = ct_sjson_find(f->tape, element, "id");
    found.fault = fault_of(f, seen, found.id);
    if (found.fault == CT_IDENTITY_FAULT_NONE)
        return;
    if (found.fault != CT_IDENTITY_FAULT_NO_TEXT && is_override(f, place, element_place, element))
        found.fault = CT_IDENTITY_FAULT_OVERRIDE;
    if (found.fault == CT_IDENTITY_FAULT_MISSING || found.fault == CT_IDENTITY_FAULT_DOUBLED)
        found.new_id = ct_guid_make();
    found.path = ct_copy_string(f->allocator, ct_string_builder_text(&f->path));
    ct_array_push(f->findings, found);
}

static void shorten_path(finder *f, uint32_t length) {
    f->path.length = length;
    if (f->path.text)
        f->path.text[length] = '\0';
}

static void find_in_elements(finder *f, ct_content_place place, ct_sjson_value array) {
    const bool was_in_override = f->is_in_override;
    const uint32_t length = f->path.length;
    ct_hash_map seen;
    ct_hash_map_init(&seen, f->allocator);
    f->is_in_override |= (place.field->flags & CT_FIELD_OVERRIDES) != 0;
    uint32_t index = 0;
    for (ct_sjson_value v = ct_sjson_first(f->tape, array); v.entry;
         v = ct_sjson_next(f->tape, v), ++index) {
        if (ct_sjson_type_of(f->tape, v) != CT_SJSON_TYPE_OBJECT)
            continue; // the compiler says what is wrong with it
        const ct_content_place element =
            ct_content_place_of_element(place, (ct_content_value){f->tape, v});
        ct_string_builder_addf(&f->path, "[%u]", index);
        if (!element.schema || (element.schema->identity & CT_SCHEMA_ID))
            check_id(f, &seen, place, element, v);
        find_in_object(f, element, v);
        shorten_path(f, length);
    }
    f->is_in_override = was_in_override;
    ct_hash_map_free(&seen);
}

// True for arrays whose elements have ids: all that are of schemas with them, and components.
static bool has_ids(const ct_field *field) {
    if (field->type != CT_FIELD_TYPE_ARRAY)
        return false;
    if (field->schema)
        return true;
    return field->schemas && (field->schemas[0]->identity & CT_SCHEMA_ID);
}

static void find_in_object(finder *f, ct_content_place place, ct_sjson_value object) {
    const uint32_t length = f->path.length;
    for (ct_sjson_value v = ct_sjson_first(f->tape, object); v.entry;
         v = ct_sjson_next(f->tape, v)) {
        const char *const key = ct_sjson_key(f->tape, v);
        const ct_content_place member = ct_content_place_of_member(place, key);
        const ct_sjson_type type = ct_sjson_type_of(f->tape, v);
        ct_string_builder_add(&f->path, length > 0 ? "." : "");
        ct_string_builder_add(&f->path, key);
        if (type == CT_SJSON_TYPE_ARRAY && member.field && has_ids(member.field))
            find_in_elements(f, member, v);
        else if (type == CT_SJSON_TYPE_OBJECT && (member.field || member.schema))
            find_in_object(f, member, v);
        shorten_path(f, length);
    }
}

void ct_identity_find(ct_identity_finding_array *findings, ct_allocator *a, const ct_sjson *tape,
                      const char *path) {
    const ct_content_place place = ct_content_place_of_file(path);
    finder f = {.findings = findings, .allocator = a, .tape = tape};
    ct_string_builder_init(&f.path, a);
    if (ct_identity_is_in(place.schema))
        find_in_object(&f, place, ct_sjson_root(tape));
    ct_string_builder_free(&f.path);
}

// --- Repairing -----------------------------------------------------------------------------------

static bool repair(const ct_identity_finding *found, const ct_sjson_node *nodes,
                   ct_sjson_document *doc, ct_error *error) {
    char text[CT_GUID_TEXT_BYTES], value[CT_GUID_TEXT_BYTES + 2];
    ct_guid_format(found->new_id, text);
    const int bytes = snprintf(value, sizeof(value), "\"%s\"", text);
    const ct_sjson_node element = nodes[found->element.entry];
    if (found->id.entry)
        return ct_sjson_document_set(doc, nodes[found->id.entry], value, (uint64_t)bytes, error);
    return ct_sjson_document_insert_member(doc, element, ct_sjson_document_first(doc, element),
                                           "id", value, (uint64_t)bytes, error)
               .index != 0;
}

uint32_t ct_identity_repair(const ct_identity_finding_array *findings, ct_allocator *scratch,
                            const ct_sjson *tape, ct_sjson_document *doc, ct_error *error) {
    ct_sjson_node *const nodes = ct_document_nodes(scratch, doc, tape);
    uint32_t count = 0;
    for (uint32_t i = 0; i < findings->count && count != UINT32_MAX; ++i) {
        const ct_identity_finding *const found = &findings->items[i];
        if (!ct_guid_is_none(found->new_id))
            count = repair(found, nodes, doc, error) ? count + 1 : UINT32_MAX;
    }
    ct_free(scratch, nodes);
    return count;
}
