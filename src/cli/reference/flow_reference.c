#include "cli/reference/flow_reference.h"

#include <string.h>

#include "foundation/sjson/sjson_writer.h"

static const char *const kind_names[] = {
    [CT_FLOW_NODE_PURE] = "pure",
    [CT_FLOW_NODE_ACTION] = "action",
    [CT_FLOW_NODE_ENTRY] = "entry",
};

// --- Parts of a slot -----------------------------------------------------------------------------

static bool is_text(const ct_flow_slot *s) {
    return s->type == CT_FLOW_TYPE_STRING || s->type == CT_FLOW_TYPE_ID;
}

// How many numbers a value has; 0: it is something else.
static uint32_t num_numbers(const ct_flow_slot *s) {
    switch (s->type) {
    case CT_FLOW_TYPE_NUMBER:
        return 1;
    case CT_FLOW_TYPE_VECTOR3:
        return 3;
    case CT_FLOW_TYPE_QUATERNION:
        return 4;
    default:
        return 0;
    }
}

static bool is_out(const ct_flow_slot *s) {
    return s->kind == CT_FLOW_SLOT_OUTPUT || s->kind == CT_FLOW_SLOT_EVENT_OUT;
}

static void add_type(ct_string_builder *out, const ct_flow_slot *s, const char *quote) {
    ct_string_builder_add(out, ct_flow_type_name((ct_flow_type)s->type));
    if (s->reference)
        ct_string_builder_addf(out, ", name of %s%s%s", quote, s->reference, quote);
    for (uint32_t i = 0; s->names && s->names[i]; ++i)
        ct_string_builder_addf(out, "%s%s\"%s\"%s", i ? ", " : ": ", quote, s->names[i], quote);
    if (s->is_constant)
        ct_string_builder_add(out, ", constant");
}

// Outputs, events and objects have none.
static bool has_default(const ct_flow_slot *s) {
    return s->kind == CT_FLOW_SLOT_INPUT &&
           (s->is_required || s->type == CT_FLOW_TYPE_BOOL || is_text(s) || num_numbers(s) > 0);
}

static void add_default(ct_string_builder *out, const ct_flow_slot *s) {
    const uint32_t count = num_numbers(s);
    if (!has_default(s))
        return;
    if (s->is_required)
        ct_string_builder_add(out, "required");
    else if (s->type == CT_FLOW_TYPE_BOOL)
        ct_string_builder_add(out, s->default_value[0] != 0 ? "true" : "false");
    else if (is_text(s))
        ct_string_builder_addf(out, "\"%s\"", s->default_text ? s->default_text : "");
    else if (count == 1)
        ct_string_builder_addf(out, "%.6g", s->default_value[0]);
    for (uint32_t i = 0; !s->is_required && i < count && count > 1; ++i)
        ct_string_builder_addf(out, "%s%.6g%s", i ? " " : "[", s->default_value[i],
                               i + 1 == count ? "]" : "");
}

// --- Text ----------------------------------------------------------------------------------------

void ct_flow_reference_text(ct_string_builder *out, const ct_flow_node_type *node) {
    ct_string_builder_addf(out, "%s (%s, %s): %s\n", node->name, node->menu, kind_names[node->kind],
                           node->doc);
    for (const ct_flow_slot *s = node->slots; s && s->name; ++s) {
        ct_string_builder_addf(out, "  %s %s: ", is_out(s) ? "out" : "in", s->name);
        add_type(out, s, "");
        if (s->unit)
            ct_string_builder_addf(out, ", %s", s->unit);
        if (has_default(s))
            ct_string_builder_add(out, "; ");
        add_default(out, s);
        ct_string_builder_addf(out, "\n      %s\n", s->doc);
    }
}

// --- Markdown ------------------------------------------------------------------------------------

static void add_node(ct_string_builder *out, const ct_flow_node_type *node) {
    ct_string_builder_addf(out, "\n### %s\n\n%s: %s (%s)\n", node->name, node->menu, node->doc,
                           kind_names[node->kind]);
    if (!node->slots || !node->slots[0].name)
        return;
    ct_string_builder_add(out, "\n| | slot | type | unit | default | |\n"
                               "| --- | --- | --- | --- | --- | --- |\n");
    for (const ct_flow_slot *s = node->slots; s->name; ++s) {
        ct_string_builder_addf(out, "| %s | `%s` | ", is_out(s) ? "out" : "in", s->name);
        add_type(out, s, "`");
        ct_string_builder_addf(out, " | %s | ", s->unit ? s->unit : "");
        add_default(out, s);
        ct_string_builder_addf(out, " | %s |\n", s->doc);
    }
}

// Returns the length of the first part of a menu: "Math" of "Math > Numeric > Addition".
static uint32_t first_part(const char *menu) {
    const char *const end = strstr(menu, " > ");
    return (uint32_t)(end ? (size_t)(end - menu) : strlen(menu));
}

static bool is_in_part(const char *menu, const char *part, uint32_t bytes) {
    return first_part(menu) == bytes && memcmp(menu, part, bytes) == 0;
}

// Adds the nodes of one part of the menu, of all modules.
static void add_part(ct_string_builder *out, const char *part, uint32_t bytes) {
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    ct_string_builder_addf(out, "\n## %.*s\n", (int)bytes, part);
    for (uint32_t t = 0; t < num_tables; ++t)
        for (uint32_t i = 0; i < tables[t].num_nodes; ++i)
            if (is_in_part(tables[t].nodes[i].menu, part, bytes))
                add_node(out, &tables[t].nodes[i]);
}

// Finds the first part of a menu that follows `after` in the alphabet; NULL when it does not exist.
static const char *next_part(const char *after) {
    const char *next = NULL;
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t t = 0; t < num_tables; ++t) {
        for (uint32_t i = 0; i < tables[t].num_nodes; ++i) {
            const char *const menu = tables[t].nodes[i].menu;
            const bool is_later = strcmp(menu, after) > 0 &&
                                  !(after[0] && is_in_part(menu, after, first_part(after)));
            if (is_later && (!next || strcmp(menu, next) < 0))
                next = menu;
        }
    }
    return next;
}

void ct_flow_reference_markdown(ct_string_builder *out) {
    ct_string_builder_add(
        out,
        "# Flow nodes\n\nWritten by `cuttle flow-nodes --markdown FILE` from the engine's own "
        "tables: do not edit. Pure nodes run when an action that reads them runs. Actions run when "
        "an event comes in. Entries are started by the engine. What numbers do at their limits: "
        "[flow_arithmetic.md](flow_arithmetic.md).\n");
    for (const char *part = next_part(""); part; part = next_part(part))
        add_part(out, part, first_part(part));
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_default(ct_sjson_writer *w, const ct_flow_slot *s) {
    const uint32_t count = num_numbers(s);
    if (s->type == CT_FLOW_TYPE_BOOL)
        ct_sjson_member_bool(w, "default", s->default_value[0] != 0);
    else if (is_text(s))
        ct_sjson_member_string(w, "default", s->default_text ? s->default_text : "");
    else if (count == 1)
        ct_sjson_member_number(w, "default", s->default_value[0]);
    if (count < 2)
        return;
    ct_sjson_write_key(w, "default");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        ct_sjson_write_number(w, s->default_value[i]);
    ct_sjson_end_array(w);
}

static void write_slot(ct_sjson_writer *w, const ct_flow_slot *s) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", s->name);
    ct_sjson_member_string(w, "kind", ct_flow_slot_kind_names[s->kind]);
    ct_sjson_member_string(w, "type", ct_flow_type_name((ct_flow_type)s->type));
    ct_sjson_member_string(w, "doc", s->doc);
    if (s->unit)
        ct_sjson_member_string(w, "unit", s->unit);
    if (s->is_constant)
        ct_sjson_member_bool(w, "is_constant", true);
    if (s->is_required)
        ct_sjson_member_bool(w, "is_required", true);
    else if (s->kind == CT_FLOW_SLOT_INPUT)
        write_default(w, s);
    if (s->reference)
        ct_sjson_member_string(w, "reference", s->reference);
    if (s->names) {
        ct_sjson_write_key(w, "values");
        ct_sjson_begin_array(w);
        for (uint32_t i = 0; s->names[i]; ++i)
            ct_sjson_write_string(w, s->names[i]);
        ct_sjson_end_array(w);
    }
    ct_sjson_end_object(w);
}

static void write_node(ct_sjson_writer *w, const ct_flow_node_type *node) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", node->name);
    ct_sjson_member_string(w, "menu", node->menu);
    ct_sjson_member_string(w, "doc", node->doc);
    ct_sjson_member_string(w, "kind", kind_names[node->kind]);
    if (node->is_foldable)
        ct_sjson_member_bool(w, "is_foldable", true);
    if (node->function)
        ct_sjson_member_string(w, "function", node->function);
    ct_sjson_write_key(w, "slots");
    ct_sjson_begin_array(w);
    for (const ct_flow_slot *s = node->slots; s && s->name; ++s)
        write_slot(w, s);
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

static void write_module(ct_sjson_writer *w, const char *name, const ct_flow_node_type *nodes,
                         uint32_t count) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", name);
    ct_sjson_write_key(w, "nodes");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        write_node(w, &nodes[i]);
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

void ct_flow_reference_json(ct_string_builder *out, const ct_project_nodes *files) {
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "version", CT_VERSION_STRING);
    ct_sjson_write_key(&w, "modules");
    ct_sjson_begin_array(&w);
    for (uint32_t t = 0; t < num_tables; ++t)
        write_module(&w, tables[t].module, tables[t].nodes, tables[t].num_nodes);
    for (uint32_t i = 0; i < files->count; ++i)
        write_module(&w, files->items[i].name, files->items[i].nodes.nodes,
                     files->items[i].nodes.count);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
}
