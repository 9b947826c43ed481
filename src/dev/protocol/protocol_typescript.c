#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "dev/protocol/protocol_areas.h"
#include "dev/protocol/protocol_text.h"
#include "dev/protocol/protocol_type.h"

// "debugger_attach" becomes "DebuggerAttach".
static void add_name(ct_string_builder *out, const char *type) {
    bool is_first = true;
    for (; *type != '\0'; ++type) {
        if (*type != '_')
            ct_string_builder_add_char(out, is_first ? (char)toupper((unsigned char)*type) : *type);
        is_first = *type == '_';
    }
}

static void add_type(ct_string_builder *out, const char *type, uint32_t bytes) {
    ct_protocol_part part;
    for (bool is_first = true; ct_protocol_next_part(&type, &bytes, &part); is_first = false) {
        if (!is_first)
            ct_string_builder_add(out, " | ");
        if (part.kind == CT_PROTOCOL_KIND_GROUP) {
            ct_string_builder_add(out, "(");
            add_type(out, part.text, part.bytes);
            ct_string_builder_add(out, ")");
        } else if (part.kind == CT_PROTOCOL_KIND_LITERAL) {
            ct_string_builder_addf(out, "\"%.*s\"", (int)part.bytes, part.text);
        } else if (part.kind == CT_PROTOCOL_KIND_ANY) {
            ct_string_builder_add(out, "unknown");
        } else if (part.kind == CT_PROTOCOL_KIND_INTEGER) {
            ct_string_builder_add(out, "number");
        } else {
            ct_string_builder_add_bytes(out, part.text, part.bytes);
        }
        for (uint32_t i = 0; i < part.num_arrays; ++i)
            ct_string_builder_add(out, "[]");
    }
}

static void add_members(ct_string_builder *out, const ct_protocol_member *members) {
    for (const ct_protocol_member *m = members; m && m->name; ++m) {
        ct_string_builder_addf(out, "    /** %s */\n    %s%s: ", m->summary, m->name,
                               ct_protocol_is_optional(m->type) ? "?" : "");
        add_type(out, m->type, (uint32_t)strlen(m->type));
        ct_string_builder_add(out, ";\n");
    }
    ct_string_builder_add(out, "}\n");
}

static void add_message(ct_string_builder *out, const ct_protocol_message *m) {
    ct_string_builder_addf(out, "\n/** %s */\nexport interface ", m->summary);
    add_name(out, m->type);
    ct_string_builder_addf(out, "Message {\n    type: \"%s\";\n    id?: string | number;\n",
                           m->type);
    add_members(out, m->members);
    ct_string_builder_add(out, "export interface ");
    add_name(out, m->type);
    ct_string_builder_addf(out, "Answer {\n    type: \"%s\";\n    id?: string | number;\n",
                           m->answer_type ? m->answer_type : "result");
    if (m->has_binary)
        ct_string_builder_add(out, "    binary_size?: number;\n");
    add_members(out, m->answer);
}

static void add_areas(ct_string_builder *out) {
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_string_builder_addf(out, "\n// %s: %s\n", areas[i]->name, areas[i]->summary);
        for (uint32_t s = 0; s < areas[i]->num_shapes; ++s) {
            const ct_protocol_shape *const shape = &areas[i]->shapes[s];
            ct_string_builder_addf(out, "\n/** %s */\nexport interface %s {\n", shape->summary,
                                   shape->name);
            add_members(out, shape->members);
        }
        for (uint32_t m = 0; m < areas[i]->num_messages; ++m)
            add_message(out, &areas[i]->messages[m]);
    }
}

static void add_events(ct_string_builder *out) {
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    ct_string_builder_add(out,
                          "\n/** What the engine sends unasked. */\nexport type EngineEvent =");
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t e = 0; e < areas[i]->num_events; ++e) {
            const ct_protocol_event *const event = &areas[i]->events[e];
            ct_string_builder_addf(out, "\n    | { // %s\n    type: \"%s\";\n", event->summary,
                                   event->type);
            if (event->has_binary)
                ct_string_builder_add(out, "    binary_size: number;\n");
            add_members(out, event->members);
            out->text[--out->length] = '\0'; // the line end
        }
    }
    ct_string_builder_add(out, ";\n");
}

void ct_protocol_add_typescript(ct_string_builder *out) {
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    ct_string_builder_add(out,
                          "// Made by `cuttle protocol --typescript`; do not edit. The types of "
                          "the console's messages.\n");
    ct_string_builder_addf(out,
                           "\n/** Equal to `protocol` of an engine with these messages. */\n"
                           "export const protocolHash = \"%016" PRIx64 "\";\n",
                           ct_protocol_hash(out->allocator));
    add_areas(out);
    add_events(out);
    ct_string_builder_add(out,
                          "\n/** Each message with its answer. */\nexport interface Messages {\n");
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t m = 0; m < areas[i]->num_messages; ++m) {
            const char *const type = areas[i]->messages[m].type;
            ct_string_builder_addf(out, "    %s: { message: ", type);
            add_name(out, type);
            ct_string_builder_add(out, "Message; answer: ");
            add_name(out, type);
            ct_string_builder_add(out, "Answer };\n");
        }
    }
    ct_string_builder_add(out, "}\n");
}
