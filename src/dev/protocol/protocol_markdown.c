#include "dev/protocol/protocol_areas.h"
#include "dev/protocol/protocol_text.h"

// Adds text of a cell of a table, in which `|` ends the cell.
static void add_cell(ct_string_builder *out, const char *text) {
    for (; *text != '\0'; ++text) {
        if (*text == '|')
            ct_string_builder_add_char(out, '\\');
        ct_string_builder_add_char(out, *text);
    }
}

static void add_table(ct_string_builder *out, const char *title,
                      const ct_protocol_member *members) {
    if (!members || !members->name)
        return;
    ct_string_builder_addf(out, "\n| %s | type | |\n| --- | --- | --- |\n", title);
    for (const ct_protocol_member *m = members; m->name; ++m) {
        ct_string_builder_addf(out, "| `%s` | `", m->name);
        add_cell(out, m->type);
        ct_string_builder_add(out, "` | ");
        add_cell(out, m->summary);
        ct_string_builder_add(out, " |\n");
    }
}

static void add_message(ct_string_builder *out, const ct_protocol_message *m) {
    ct_string_builder_addf(out, "\n### %s\n\n`%s` %s.", m->type, m->type, m->summary);
    if (m->answer_type)
        ct_string_builder_addf(out, " Its answer has the type `%s`.", m->answer_type);
    if (m->has_binary)
        ct_string_builder_add(out, " The answer can have binary data.");
    if (m->works_stopped)
        ct_string_builder_add(out, " Also handled while a debugger has stopped the game.");
    ct_string_builder_add(out, "\n");
    add_table(out, "member", m->members);
    add_table(out, "answer", m->answer);
}

static void add_area(ct_string_builder *out, const ct_protocol_area *area) {
    ct_string_builder_addf(out, "\n## %s\n\n%s\n", area->name, area->summary);
    for (uint32_t m = 0; m < area->num_messages; ++m)
        add_message(out, &area->messages[m]);
    for (uint32_t e = 0; e < area->num_events; ++e) {
        const ct_protocol_event *const event = &area->events[e];
        ct_string_builder_addf(out, "\n### From the engine: %s\n\n`%s`: %s.%s\n", event->type,
                               event->type, event->summary,
                               event->has_binary ? " It has binary data." : "");
        add_table(out, "member", event->members);
    }
    for (uint32_t s = 0; s < area->num_shapes; ++s) {
        const ct_protocol_shape *const shape = &area->shapes[s];
        ct_string_builder_addf(out, "\n### Shape: %s\n\n%s.\n", shape->name, shape->summary);
        add_table(out, "member", shape->members);
    }
}

void ct_protocol_add_markdown(ct_string_builder *out) {
    ct_string_builder_add(out, "# All messages of the console\n\n"
                               "Made by `cuttle protocol --markdown FILE` of the table from which "
                               "the engine handles them. [The "
                               "console protocol](console_protocol.md) says how messages are sent, "
                               "and what the rules are; [Debugger "
                               "messages](debugger_protocol.md) has more about the debugger's.\n\n"
                               "Every message has a `type`, and may have an `id`, a number or a "
                               "string, which its answer bears. A "
                               "type with `?` at its end may be left out, `[]` is an array, and "
                               "`|` is between alternatives. A "
                               "message that is refused is answered with `error`, a text. "
                               "`binary_size` is there where binary data "
                               "follows.\n");
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    for (uint32_t i = 0; i < count; ++i)
        add_area(out, areas[i]);
}
