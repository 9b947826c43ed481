#include <string.h>

#include "dev/protocol/protocol_areas.h"
#include "dev/protocol/protocol_text.h"
#include "dev/protocol/protocol_type.h"

static bool is_needed(const ct_protocol_member *m) {
    return !ct_protocol_is_optional(m->type);
}

static void add_parameters(ct_string_builder *out, const ct_protocol_message *m) {
    for (uint32_t pass = 0; pass < 2; ++pass) { // those without a default come first
        for (const ct_protocol_member *p = m->members; p && p->name; ++p) {
            if (is_needed(p) == (pass == 0))
                ct_string_builder_addf(out, ", %s%s", p->name, pass == 0 ? "" : "=None");
        }
    }
}

static void add_doc_members(ct_string_builder *out, const char *title,
                            const ct_protocol_member *members) {
    if (!members || !members->name)
        return;
    ct_string_builder_addf(out, "\n        %s:\n", title);
    for (const ct_protocol_member *m = members; m->name; ++m)
        ct_string_builder_addf(out, "            %s (%s): %s\n", m->name, m->type, m->summary);
}

static void add_method(ct_string_builder *out, const ct_protocol_message *m) {
    ct_string_builder_addf(out, "\n    def %s(self", m->type);
    add_parameters(out, m);
    ct_string_builder_addf(out, "):\n        r\"\"\"%s.\n", m->summary);
    add_doc_members(out, "Members", m->members);
    add_doc_members(out, "Answer", m->answer);
    ct_string_builder_addf(out, "        \"\"\"\n        return self.request(\"%s\"", m->type);
    for (const ct_protocol_member *p = m->members; p && p->name; ++p)
        ct_string_builder_addf(out, ", %s=%s", p->name, p->name);
    ct_string_builder_add(out, ")\n");
}

void ct_protocol_add_python(ct_string_builder *out) {
    ct_string_builder_add(
        out,
        "\"\"\"A client for the console of a running game, with a method for each message.\n\n"
        "    from cuttle_client import Client\n\n"
        "    client = Client(64000)\n"
        "    print(client.script(script=\"Application.time_since_launch()\")[\"result\"])\n\n"
        "Each method waits for the answer and returns it as a dictionary; it raises RuntimeError "
        "when the\n"
        "answer is an error. Made by `cuttle protocol --python`; do not edit. Needs Python 3.9 "
        "and\n"
        "cuttle_nodes.py beside it. The page is docs/tools.md.\n\"\"\"\n\n"
        "from cuttle_nodes import Console\n\n\n"
        "class Client(Console):\n"
        "    \"\"\"A connection to the console of one game: `Client(port)`.\"\"\"\n\n"
        "    def request(self, type, **members):\n"
        "        \"\"\"Sends a message without the members that are None, and waits for its "
        "answer.\"\"\"\n"
        "        given = {name: value for name, value in members.items() if value is not None}\n"
        "        return self.answer(self.ask(type=type, **given))\n");
    uint32_t count;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_string_builder_addf(out, "\n    # %s: %s\n", areas[i]->name, areas[i]->summary);
        for (uint32_t m = 0; m < areas[i]->num_messages; ++m)
            add_method(out, &areas[i]->messages[m]);
    }
}
