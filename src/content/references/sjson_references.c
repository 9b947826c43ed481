#include "content/references/sjson_references.h"

#include <string.h>

#include "foundation/sjson/sjson_tokens.h"
#include "foundation/string/utf8.h"
#include "project/glsl_directive.h"
#include "project/project_setting.h"
#include "resource/resource_id.h"
#include "resource/schema/setting_table.h"
#include "resource/schema/typed_reference.h"

enum { MAX_SETTINGS = 16 };

typedef struct walker {
    const ct_sjson *doc;
    const char *text; // behind a byte order mark, as the document's offsets count
    uint32_t bytes;
    uint32_t shift; // of the byte order mark
    ct_mentions *out;
    // The settings that name resources: where they stand, and the types.
    uint32_t num_settings;
    ct_sjson_value settings[MAX_SETTINGS];
    const ct_resource_type *setting_types[MAX_SETTINGS];
} walker;

static walker walker_of(const ct_sjson *doc, const char *text, uint64_t bytes, ct_mentions *out) {
    const uint32_t shift = ct_utf8_mark_bytes(text, bytes);
    return (walker){.doc = doc,
                    .text = text + shift,
                    .bytes = (uint32_t)bytes - shift,
                    .shift = shift,
                    .out = out};
}

// --- Strings -------------------------------------------------------------------------------------

// The token of the string `v`.
static ct_sjson_token token_of(const walker *w, ct_sjson_value v) {
    ct_sjson_tokenizer tokens = {
        .text = w->text, .size_bytes = w->bytes, .at = ct_sjson_entry_of(w->doc, v)->source};
    ct_sjson_token token;
    ct_error error;
    const bool is_token = ct_sjson_tokenizer_next(&tokens, &token, &error);
    CT_ASSERT(is_token, "%s is not the text that was parsed", ct_sjson_file(w->doc));
    return token;
}

static void mention(const walker *w, ct_mention_kind kind, const ct_resource_type *type,
                    ct_sjson_value v) {
    if (ct_sjson_type_of(w->doc, v) != CT_SJSON_TYPE_STRING)
        return;
    const ct_sjson_token token = token_of(w, v);
    ct_mention m = {.kind = kind,
                    .type = type,
                    .begin = token.content + w->shift,
                    .end = ct_sjson_token_content_end(token) + w->shift};
    ct_sjson_position(w->doc, v, &m.line, &m.column);
    ct_mentions_add(w->out, &m, ct_sjson_string(w->doc, v, ""), ct_sjson_string_bytes(w->doc, v));
}

// A name of a resource, or where the field allows them a wildcard.
static void mention_resource(const walker *w, const ct_field *field, ct_sjson_value v) {
    const bool is_pattern =
        (field->flags & CT_FIELD_PATTERNS) && strchr(ct_sjson_string(w->doc, v, ""), '*');
    mention(w, is_pattern ? CT_MENTION_KIND_PATTERN : CT_MENTION_KIND_RESOURCE,
            ct_resource_type_named(field->reference_type), v);
}

// --- GLSL in strings -----------------------------------------------------------------------------

// The bytes of a character that `\u` at `at` writes, as UTF-8, and of its escapes in the source.
static uint32_t escaped_unicode(const char *at, uint32_t *source_bytes) {
    uint32_t code = 0;
    for (uint32_t i = 2; i < 6; ++i) {
        const char c = at[i];
        code = code << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    const bool is_pair = code >= 0xd800 && code < 0xdc00;
    *source_bytes = is_pair ? 12 : 6;
    return is_pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

// The offset in the text at which byte number `at` of the string's content is written.
static uint32_t place_of(const walker *w, ct_sjson_token token, uint32_t at) {
    uint32_t source = token.content;
    if (!token.has_escapes)
        return source + at;
    for (uint32_t done = 0; done < at;) {
        const char *const c = w->text + source;
        uint32_t source_bytes = 1, bytes = 1;
        if (c[0] == '\\' && c[1] == 'u')
            bytes = escaped_unicode(c, &source_bytes);
        else if (c[0] == '\\')
            source_bytes = 2;
        source += source_bytes;
        done += bytes;
    }
    return source;
}

static void mention_glsl(const walker *w, ct_sjson_value v) {
    const char *const glsl = ct_sjson_string(w->doc, v, NULL);
    if (!glsl)
        return;
    const ct_sjson_token token = token_of(w, v);
    ct_glsl_reader lines = ct_glsl_reader_of(glsl, ct_sjson_string_bytes(w->doc, v), 1);
    ct_glsl_directive directive;
    while (ct_glsl_next_directive(&lines, &directive)) {
        uint32_t bytes = 0;
        const char *const path = ct_glsl_directive_is(&directive, "include")
                                     ? ct_glsl_included_path(&directive, &bytes)
                                     : NULL;
        if (!path)
            continue;
        const uint32_t begin = place_of(w, token, (uint32_t)(path - glsl));
        const uint32_t end = place_of(w, token, (uint32_t)(path - glsl) + bytes);
        ct_mention m = {
            .kind = CT_MENTION_KIND_MEDIA, .begin = begin + w->shift, .end = end + w->shift};
        ct_sjson_place_in_lines(&w->doc->line_starts, begin, &m.line, &m.column);
        ct_mentions_add(w->out, &m, path, bytes);
    }
}

// --- Schemas -------------------------------------------------------------------------------------

static void walk_object(const walker *w, const ct_schema *schema, ct_sjson_value object);

// An object that is of one of several schemas.
static void walk_one_of(const walker *w, const ct_schema *const *schemas, ct_sjson_value object);

// References among values of any shape.
static void walk_value(const walker *w, ct_sjson_value v) {
    ct_typed_reference found;
    if (ct_typed_reference_is(w->doc, v, &found)) {
        const char *const name = ct_sjson_string(w->doc, found.type, NULL);
        const ct_resource_type *const type = name ? ct_resource_type_named(name) : NULL;
        if (type)
            mention(w, CT_MENTION_KIND_RESOURCE, type, found.resource);
        return;
    }
    if (ct_sjson_type_of(w->doc, v) != CT_SJSON_TYPE_OBJECT)
        return;
    for (ct_sjson_value e = ct_sjson_first(w->doc, v); e.entry; e = ct_sjson_next(w->doc, e))
        walk_value(w, e);
}

static void walk_element(const walker *w, const ct_field *field, ct_sjson_value v) {
    const ct_sjson_type type = ct_sjson_type_of(w->doc, v);
    if (field->element_type == CT_FIELD_TYPE_REFERENCE) {
        mention_resource(w, field, v);
    } else if (field->element_type == CT_FIELD_TYPE_MEDIA) {
        mention(w, CT_MENTION_KIND_MEDIA, NULL, v);
    } else if (field->element_type == CT_FIELD_TYPE_VALUE) {
        walk_value(w, v);
    } else if (type == CT_SJSON_TYPE_OBJECT) {
        if (field->schema)
            walk_object(w, field->schema, v);
        else if (field->schemas)
            walk_one_of(w, field->schemas, v);
    } else if (type == CT_SJSON_TYPE_ARRAY && field->schemas) {
        for (ct_sjson_value e = ct_sjson_first(w->doc, v); e.entry; e = ct_sjson_next(w->doc, e))
            walk_one_of(w, field->schemas, e);
    }
}

static void walk_field(const walker *w, const ct_field *field, ct_sjson_value v) {
    switch (field->type) {
    case CT_FIELD_TYPE_REFERENCE:
        mention_resource(w, field, v);
        break;
    case CT_FIELD_TYPE_REFERENCES:
        for (ct_sjson_value e = ct_sjson_first(w->doc, v); e.entry; e = ct_sjson_next(w->doc, e))
            mention_resource(w, field, e);
        break;
    case CT_FIELD_TYPE_MEDIA:
        mention(w, CT_MENTION_KIND_MEDIA, NULL, v);
        break;
    case CT_FIELD_TYPE_STRING:
        if (field->flags & CT_FIELD_GLSL)
            mention_glsl(w, v);
        break;
    case CT_FIELD_TYPE_ARRAY:
    case CT_FIELD_TYPE_MAP:
        for (ct_sjson_value e = ct_sjson_first(w->doc, v); e.entry; e = ct_sjson_next(w->doc, e))
            walk_element(w, field, e);
        break;
    case CT_FIELD_TYPE_OBJECT:
        walk_object(w, field->schema, v);
        break;
    default:
        break;
    }
}

// The names of resources in a value of `owner` whose members its field knows.
static void walk_members(const walker *w, const ct_field *field, ct_sjson_value owner,
                         ct_sjson_value value) {
    if (ct_sjson_type_of(w->doc, value) != CT_SJSON_TYPE_OBJECT)
        return;
    const char *const owner_type =
        ct_sjson_string(w->doc, ct_sjson_find(w->doc, owner, "type"), "");
    for (ct_sjson_value v = ct_sjson_first(w->doc, value); v.entry; v = ct_sjson_next(w->doc, v)) {
        const char *const type = field->member_reference(owner_type, ct_sjson_key(w->doc, v));
        if (type)
            mention(w, CT_MENTION_KIND_RESOURCE, ct_resource_type_named(type), v);
    }
}

// The fields of the member's name: those beside the one that refers keep its place only.
static bool walk_member(const walker *w, const ct_schema *schema, ct_sjson_value owner,
                        ct_sjson_value member) {
    const char *const key = ct_sjson_key(w->doc, member);
    bool is_known = false;
    for (uint32_t i = 0; key && i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        if (!ct_field_is_in_source(field) || strcmp(field->name, key) != 0)
            continue;
        if (field->member_reference)
            walk_members(w, field, owner, member);
        else
            walk_field(w, field, member);
        is_known = true;
    }
    return is_known;
}

static void walk_object(const walker *w, const ct_schema *schema, ct_sjson_value object) {
    if (ct_sjson_type_of(w->doc, object) != CT_SJSON_TYPE_OBJECT)
        return;
    for (ct_sjson_value v = ct_sjson_first(w->doc, object); v.entry; v = ct_sjson_next(w->doc, v))
        walk_member(w, schema, object, v);
}

static void walk_one_of(const walker *w, const ct_schema *const *schemas, ct_sjson_value object) {
    if (ct_sjson_type_of(w->doc, object) != CT_SJSON_TYPE_OBJECT)
        return;
    const char *const type = ct_sjson_string(w->doc, ct_sjson_find(w->doc, object, "type"), NULL);
    for (uint32_t i = 0; type && schemas[i]; ++i) {
        if (strcmp(schemas[i]->name, type) == 0) {
            walk_object(w, schemas[i], object);
            return;
        }
    }
    for (ct_sjson_value v = ct_sjson_first(w->doc, object); v.entry; v = ct_sjson_next(w->doc, v)) {
        for (uint32_t i = 0; schemas[i] && !walk_member(w, schemas[i], object, v); ++i) {
        }
    }
}

// --- Configs -------------------------------------------------------------------------------------

static void find_settings(walker *w) {
    uint32_t count = 0;
    const ct_setting_resource *const rows = ct_setting_resources(&count);
    for (uint32_t i = 0; i < count && w->num_settings < MAX_SETTINGS; ++i) {
        w->settings[w->num_settings] = ct_setting_find(w->doc, rows[i].path);
        w->setting_types[w->num_settings++] = ct_resource_type_named(rows[i].type);
    }
}

static void walk_config_text(const walker *w, ct_sjson_value v) {
    for (uint32_t i = 0; i < w->num_settings; ++i) {
        if (w->settings[i].entry == v.entry) {
            mention(w, CT_MENTION_KIND_RESOURCE, w->setting_types[i], v);
            return;
        }
    }
    if (ct_resource_name_is_canonical(ct_sjson_string(w->doc, v, "")))
        mention(w, CT_MENTION_KIND_LIKELY, NULL, v);
}

// Any document: its depth is limited by what reads it.
static void walk_config(const walker *w, ct_sjson_value container) {
    for (ct_sjson_value v = ct_sjson_first(w->doc, container); v.entry;
         v = ct_sjson_next(w->doc, v)) {
        if (ct_sjson_type_of(w->doc, v) == CT_SJSON_TYPE_STRING)
            walk_config_text(w, v);
        else
            walk_config(w, v);
    }
}

// --- Packages ------------------------------------------------------------------------------------

// The lists of types that plugins add, which the schema of packages does not have.
static void walk_plugin_lists(const walker *w, ct_sjson_value package) {
    for (ct_sjson_value v = ct_sjson_first(w->doc, package); v.entry;
         v = ct_sjson_next(w->doc, v)) {
        const char *const key = ct_sjson_key(w->doc, v);
        const ct_resource_type *const type = key ? ct_resource_type_named(key) : NULL;
        if (!type || !ct_resource_type_is_registered(type))
            continue;
        const ct_field list = {.name = type->name,
                               .type = CT_FIELD_TYPE_ARRAY,
                               .flags = CT_FIELD_SET | CT_FIELD_PATTERNS,
                               .reference_type = type->name,
                               .element_type = CT_FIELD_TYPE_REFERENCE};
        walk_field(w, &list, v);
    }
}

// --- The source ----------------------------------------------------------------------------------

// settings.config and its variants.
static bool is_settings(const char *path) {
    const size_t stem = strcspn(CT_SETTINGS_SOURCE, ".");
    return strncmp(path, CT_SETTINGS_SOURCE, stem) == 0 && path[stem] == '.';
}

void ct_sjson_references_find(const ct_sjson_references_desc *desc, ct_mentions *mentions) {
    walker w = walker_of(desc->doc, desc->text, desc->bytes, mentions);
    if (desc->type->schema) {
        walk_object(&w, desc->type->schema, ct_sjson_root(w.doc));
        if (strcmp(desc->type->name, "package") == 0)
            walk_plugin_lists(&w, ct_sjson_root(w.doc));
    } else if (strcmp(desc->type->name, "config") == 0) {
        if (is_settings(desc->path))
            find_settings(&w);
        walk_config(&w, ct_sjson_root(w.doc));
    }
}

void ct_sjson_references_span(const ct_sjson *doc, const char *text, uint64_t bytes,
                              ct_sjson_value v, uint32_t *begin, uint32_t *end) {
    const walker w = walker_of(doc, text, bytes, NULL);
    const ct_sjson_token token = token_of(&w, v);
    *begin = token.content + w.shift;
    *end = ct_sjson_token_content_end(token) + w.shift;
}
