#include <string.h>

#include "dev/protocol/protocol_areas.h"
#include "dev/protocol/protocol_text.h"
#include "dev/protocol/protocol_type.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/content_hash.h"

static void write_type(ct_sjson_writer *w, const char *type, uint32_t bytes);

// Writes the schema of one alternative inside `depth` arrays.
static void write_part(ct_sjson_writer *w, const ct_protocol_part *part, uint32_t depth) {
    static const char *const types[] = {[CT_PROTOCOL_KIND_STRING] = "string",
                                        [CT_PROTOCOL_KIND_NUMBER] = "number",
                                        [CT_PROTOCOL_KIND_INTEGER] = "integer",
                                        [CT_PROTOCOL_KIND_BOOLEAN] = "boolean"};
    char text[96] = "#/$defs/";
    if (depth == 0 && part->kind == CT_PROTOCOL_KIND_GROUP) {
        write_type(w, part->text, part->bytes);
        return;
    }
    ct_sjson_begin_object(w);
    if (depth > 0) {
        ct_sjson_member_string(w, "type", "array");
        ct_sjson_write_key(w, "items");
        write_part(w, part, depth - 1);
    } else if (part->kind == CT_PROTOCOL_KIND_LITERAL) {
        ct_sjson_member_bytes(w, "const", part->text, part->bytes);
    } else if (part->kind == CT_PROTOCOL_KIND_SHAPE) {
        strncat(text, part->text, part->bytes);
        ct_sjson_member_string(w, "$ref", text);
    } else if (part->kind != CT_PROTOCOL_KIND_ANY) {
        ct_sjson_member_string(w, "type", types[part->kind]);
        if (part->kind == CT_PROTOCOL_KIND_INTEGER)
            ct_sjson_member_number(w, "minimum", 0);
    }
    ct_sjson_end_object(w);
}

static void write_type(ct_sjson_writer *w, const char *type, uint32_t bytes) {
    const char *rest = type;
    uint32_t rest_bytes = bytes, count = 0;
    ct_protocol_part part;
    while (ct_protocol_next_part(&rest, &rest_bytes, &part))
        ++count;
    rest = type;
    rest_bytes = bytes;
    if (count == 1) {
        ct_protocol_next_part(&rest, &rest_bytes, &part);
        write_part(w, &part, part.num_arrays);
        return;
    }
    ct_sjson_begin_object(w);
    ct_sjson_write_key(w, "anyOf");
    ct_sjson_begin_array(w);
    while (ct_protocol_next_part(&rest, &rest_bytes, &part))
        write_part(w, &part, part.num_arrays);
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

// What an object of the schema has beside its members.
typedef struct object_desc {
    const char *summary;
    const char *type; // the constant member `type`, or NULL
    bool has_id;      // may have an `id`
    bool has_binary;  // may have `binary_size`
} object_desc;

static void write_id(ct_sjson_writer *w) {
    static const char id[] = "string|number";
    ct_sjson_write_key(w, "id");
    write_type(w, id, sizeof(id) - 1);
}

static void write_object(ct_sjson_writer *w, const object_desc *desc,
                         const ct_protocol_member *members) {
    ct_sjson_begin_object(w);
    if (desc->summary)
        ct_sjson_member_string(w, "description", desc->summary);
    ct_sjson_member_string(w, "type", "object");
    ct_sjson_write_key(w, "properties");
    ct_sjson_begin_object(w);
    if (desc->type) {
        ct_sjson_write_key(w, "type");
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "const", desc->type);
        ct_sjson_end_object(w);
    }
    if (desc->has_id)
        write_id(w);
    if (desc->has_binary) {
        ct_sjson_write_key(w, "binary_size");
        write_type(w, "integer", 7);
    }
    for (const ct_protocol_member *m = members; m && m->name; ++m) {
        ct_sjson_write_key(w, m->name);
        write_type(w, m->type, (uint32_t)strlen(m->type));
    }
    ct_sjson_end_object(w);
    ct_sjson_write_key(w, "required");
    ct_sjson_begin_array(w);
    if (desc->type)
        ct_sjson_write_string(w, "type");
    for (const ct_protocol_member *m = members; m && m->name; ++m) {
        if (!ct_protocol_is_optional(m->type))
            ct_sjson_write_string(w, m->name);
    }
    ct_sjson_end_array(w);
    ct_sjson_member_bool(w, "additionalProperties", false);
    ct_sjson_end_object(w);
}

static void write_key_of(ct_sjson_writer *w, const char *prefix, const char *type) {
    char key[96] = "";
    strncat(key, prefix, sizeof(key) - 1);
    strncat(key, type, sizeof(key) - 1 - strlen(key));
    ct_sjson_write_key(w, key);
}

static void write_message(ct_sjson_writer *w, const ct_protocol_message *m) {
    static const ct_protocol_member failure[] = {{"error", "string", "why it failed"}, {0}};
    const object_desc request = {m->summary, m->type, true, false};
    write_key_of(w, "message.", m->type);
    write_object(w, &request, m->members);
    if (!m->answer)
        return;
    const object_desc answer = {NULL, m->answer_type ? m->answer_type : "result", true,
                                m->has_binary};
    write_key_of(w, "answer.", m->type);
    if (m->handle) {
        write_object(w, &answer, m->answer);
        return;
    }
    const object_desc failed = {"the message was refused", "result", true, false};
    ct_sjson_begin_object(w);
    ct_sjson_write_key(w, "anyOf");
    ct_sjson_begin_array(w);
    write_object(w, &answer, m->answer);
    write_object(w, &failed, failure);
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

// Writes `anyOf` with a reference to each message.
static void write_all_messages(ct_sjson_writer *w) {
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    ct_sjson_write_key(w, "anyOf");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t m = 0; m < areas[i]->num_messages; ++m) {
            char text[96] = "#/$defs/message.";
            strncat(text, areas[i]->messages[m].type, sizeof(text) - 1 - strlen(text));
            ct_sjson_begin_object(w);
            ct_sjson_member_string(w, "$ref", text);
            ct_sjson_end_object(w);
        }
    }
    ct_sjson_end_array(w);
}

static void write_from_engine(ct_sjson_writer *w) {
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    ct_sjson_write_key(w, "from_engine");
    ct_sjson_begin_object(w);
    ct_sjson_write_key(w, "anyOf");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t e = 0; e < areas[i]->num_events; ++e) {
            const ct_protocol_event *const event = &areas[i]->events[e];
            const object_desc desc = {event->summary, event->type, false, event->has_binary};
            write_object(w, &desc, event->members);
        }
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

void ct_protocol_add_json(ct_string_builder *out) {
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_PRETTY_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    ct_sjson_member_string(&w, "title", "Messages of the console of Cuttle");
    write_all_messages(&w);
    ct_sjson_write_key(&w, "$defs");
    ct_sjson_begin_object(&w);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t s = 0; s < areas[i]->num_shapes; ++s) {
            const object_desc desc = {areas[i]->shapes[s].summary, NULL, false, false};
            ct_sjson_write_key(&w, areas[i]->shapes[s].name);
            write_object(&w, &desc, areas[i]->shapes[s].members);
        }
        for (uint32_t m = 0; m < areas[i]->num_messages; ++m)
            write_message(&w, &areas[i]->messages[m]);
    }
    write_from_engine(&w);
    ct_sjson_end_object(&w);
    ct_sjson_end_object(&w);
}

uint64_t ct_protocol_hash(ct_allocator *a) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    ct_protocol_add_json(&text);
    return ct_content_hash(ct_string_builder_text(&text), text.length);
}
