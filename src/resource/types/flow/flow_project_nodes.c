#include "resource/types/flow/flow_project_nodes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/string/string_id.h"

enum { MOST_SLOTS = CT_FLOW_MAX_SLOTS * CT_FLOW_SLOT_KIND_COUNT, MOST_NAME_BYTES = 64 };

typedef struct node_reader {
    const ct_sjson *doc;
    ct_allocator *allocator;
    const ct_schema_listener *listener;
    const char *node; // its name, for messages
    bool has_failed;
} node_reader;

CT_PRINTF(3, 4)
static bool fail(node_reader *r, ct_sjson_value at, const char *format, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    ct_error error = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_sjson_error(r->doc, at, &error, "%s", text);
    if (r->listener && r->listener->error)
        r->listener->error(r->listener->user, &error);
    r->has_failed = true;
    return false;
}

// --- Names ---------------------------------------------------------------------------------------

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The number of bytes of the name that a text starts with: letters, digits and underscores.
static size_t name_bytes(const char *text) {
    size_t bytes = 0;
    while (is_letter(text[bytes]) || (bytes && text[bytes] >= '0' && text[bytes] <= '9'))
        ++bytes;
    return bytes;
}

static bool is_name(const char *text) {
    const size_t bytes = name_bytes(text);
    return bytes > 0 && bytes <= MOST_NAME_BYTES && text[bytes] == '\0';
}

// Names with dots between them.
static bool is_function_name(const char *text) {
    for (const char *part = text;; ++part) {
        const size_t bytes = name_bytes(part);
        part += bytes;
        if (bytes == 0 || part - text > 4 * MOST_NAME_BYTES)
            return false;
        if (*part != '.')
            return *part == '\0';
    }
}

// Checks the `id` of an element; `ids` has those of the array.
static bool check_id(node_reader *r, ct_sjson_value v, const char *what, ct_hash_map *ids) {
    const ct_sjson_value at = ct_sjson_find(r->doc, v, "id");
    const char *const id = ct_sjson_string(r->doc, at, NULL);
    if (!id || !*id)
        return fail(r, at.entry ? at : v,
                    "%s: found %s, expected a string `id`; `cuttle ids` gives it one", what,
                    id ? "an empty `id`" : ct_sjson_type_name(ct_sjson_type_of(r->doc, at)));
    if (!ct_hash_map_add(ids, ct_string_id64_of(id).value, 1))
        return fail(r, at,
                    "%s: another one has the id \"%.64s\"; `cuttle ids` gives this one its own",
                    what, id);
    return true;
}

// --- Values --------------------------------------------------------------------------------------

static bool read_numbers(const node_reader *r, ct_sjson_value v, uint32_t count, double *numbers) {
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY || ct_sjson_count(r->doc, v) != count)
        return false;
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e)) {
        *numbers = ct_sjson_number(r->doc, e, (double)NAN);
        if (!(fabs(*numbers++) <= 3.4e38)) // NaN too
            return false;
    }
    return true;
}

static bool read_rotation(const node_reader *r, ct_sjson_value v, double *q) {
    if (!read_numbers(r, v, 4, q))
        return false;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (uint32_t i = 0; i < 4; ++i)
        q[i] /= length;
    return length > 1e-12;
}

// Reads the value of an input. Returns what was expected; NULL: it is that.
static const char *read_value(const node_reader *r, ct_sjson_value v, ct_flow_slot *s) {
    const ct_sjson_type found = ct_sjson_type_of(r->doc, v);
    switch (s->type) {
    case CT_FLOW_TYPE_BOOL:
        s->default_value[0] = ct_sjson_bool(r->doc, v, false);
        return found == CT_SJSON_TYPE_BOOL ? NULL : "true or false";
    case CT_FLOW_TYPE_NUMBER:
        s->default_value[0] = ct_sjson_number(r->doc, v, 0);
        return found == CT_SJSON_TYPE_NUMBER ? NULL : "a number";
    case CT_FLOW_TYPE_VECTOR3:
        return read_numbers(r, v, 3, s->default_value) ? NULL : "a vector [x y z]";
    case CT_FLOW_TYPE_QUATERNION:
        return read_rotation(r, v, s->default_value) ? NULL : "a rotation [x y z w]";
    case CT_FLOW_TYPE_STRING:
    case CT_FLOW_TYPE_ID:
        s->default_text = ct_sjson_string(r->doc, v, NULL);
        return s->default_text && strlen(s->default_text) == ct_sjson_string_bytes(r->doc, v)
                   ? NULL
                   : "a string";
    default:
        return "no value: graphs link it";
    }
}

// --- Slots ---------------------------------------------------------------------------------------

static bool is_event(const ct_flow_slot *s) {
    return s->kind == CT_FLOW_SLOT_EVENT_IN || s->kind == CT_FLOW_SLOT_EVENT_OUT;
}

static bool is_out(const ct_flow_slot *s) {
    return s->kind == CT_FLOW_SLOT_OUTPUT || s->kind == CT_FLOW_SLOT_EVENT_OUT;
}

static bool unknown_type(node_reader *r, const char *what,
                         const ct_flow_nodes_slot_source *source) {
    const char *names[CT_FLOW_TYPE_COUNT];
    uint32_t count = 0;
    for (uint32_t type = CT_FLOW_TYPE_BOOL; type < CT_FLOW_TYPE_COUNT; ++type)
        names[count++] = ct_flow_type_name((ct_flow_type)type);
    const char *const nearest = ct_nearest_name(source->type, names, count);
    return fail(r, source->type_value, "%s: found the type \"%.64s\"%s%s%s", what, source->type,
                nearest ? "; did you mean \"" : "; expected bool, number, vector3, quaternion, ",
                nearest ? nearest : "string, id, unit, entity or a part of one",
                nearest ? "\"?" : "");
}

static bool read_type(node_reader *r, ct_sjson_value v, const char *what,
                      const ct_flow_nodes_slot_source *source, ct_flow_slot *s) {
    if (is_event(s)) {
        s->type = CT_FLOW_TYPE_EVENT;
        return !source->type ||
               fail(r, source->type_value, "%s: an event has no `type`: remove it", what);
    }
    if (!source->type)
        return fail(r, v, "%s: `type` is missing; expected a type such as number or unit", what);
    const ct_flow_type type = ct_flow_type_named(source->type);
    if (type == CT_FLOW_TYPE_COUNT || type == CT_FLOW_TYPE_EVENT)
        return unknown_type(r, what, source);
    s->type = (uint8_t)type;
    if (s->kind == CT_FLOW_SLOT_OUTPUT &&
        (type == CT_FLOW_TYPE_ANY || type == CT_FLOW_TYPE_MATERIAL))
        return fail(r, source->type_value, "%s: an output cannot be of type %s%s", what,
                    source->type,
                    type == CT_FLOW_TYPE_ANY ? "; choose the type that it has"
                                             : ", since a material of Lua is of no unit; give the "
                                               "mesh");
    return true;
}

static bool read_slot(node_reader *r, ct_sjson_value v, ct_hash_map *ids, ct_flow_slot *s) {
    ct_flow_nodes_slot_source source;
    char what[2 * MOST_NAME_BYTES + 32];
    snprintf(what, sizeof(what), "node %.64s: slot", r->node);
    if (!ct_schema_read(&ct_flow_nodes_slot_schema, r->doc, v, &source, r->listener)) {
        r->has_failed = true;
        return false;
    }
    if (!check_id(r, v, what, ids))
        return false;
    if (!is_name(source.name))
        return fail(
            r, source.name_value,
            "%s: found the name \"%.80s\"; expected letters, digits and underscores, at most "
            "%d, a letter first",
            what, source.name, (int)MOST_NAME_BYTES);
    snprintf(what, sizeof(what), "node %.64s: slot %.64s", r->node, source.name);
    *s = (ct_flow_slot){.name = source.name,
                        .kind = (uint8_t)source.kind,
                        .unit = source.unit,
                        .doc = source.doc ? source.doc : ""};
    if (!read_type(r, v, what, &source, s))
        return false;
    if (!source.value.entry)
        return true;
    if (s->kind != CT_FLOW_SLOT_INPUT)
        return fail(r, source.value, "%s: only inputs have a `value`: remove it", what);
    const char *const expected = read_value(r, source.value, s);
    return !expected || fail(r, source.value, "%s: value: found %s, expected %s", what,
                             ct_sjson_type_name(ct_sjson_type_of(r->doc, source.value)), expected);
}

// Checks a slot against those before it. `counts` has how many there are of each kind.
static bool check_slot(node_reader *r, ct_sjson_value v, const ct_flow_slot *slots, uint32_t number,
                       uint32_t *counts) {
    const ct_flow_slot *const s = &slots[number];
    for (uint32_t i = 0; i < number; ++i)
        if (is_out(&slots[i]) == is_out(s) && strcmp(slots[i].name, s->name) == 0)
            return fail(r, v, "node %.64s: slot %s: another slot %s has this name", r->node,
                        s->name, is_out(s) ? "that goes out" : "that comes in");
    if (++counts[s->kind] > CT_FLOW_MAX_SLOTS)
        return fail(r, v, "node %.64s: slot %s: found more than %d slots of the kind %s", r->node,
                    s->name, (int)CT_FLOW_MAX_SLOTS, ct_flow_slot_kind_names[s->kind]);
    return true;
}

static void check_kinds(node_reader *r, ct_sjson_value v, const uint32_t *counts,
                        ct_flow_node_type *n) {
    const bool has_events = counts[CT_FLOW_SLOT_EVENT_IN] || counts[CT_FLOW_SLOT_EVENT_OUT];
    n->kind = has_events ? CT_FLOW_NODE_ACTION : CT_FLOW_NODE_PURE;
    if (has_events && !counts[CT_FLOW_SLOT_EVENT_IN])
        fail(r, v, "node %.64s: it has no event in, so nothing can start it; add one", r->node);
    else if (!has_events && !counts[CT_FLOW_SLOT_OUTPUT])
        fail(r, v,
             "node %.64s: it has neither an event in nor an output, so it never runs; add one",
             r->node);
}

static void read_slots(node_reader *r, ct_sjson_value node, ct_sjson_value array,
                       ct_flow_node_type *n) {
    const uint32_t count = ct_sjson_count(r->doc, array);
    if (count > MOST_SLOTS) {
        fail(r, array, "node %.64s: found %u slots, expected at most %d", r->node, count,
             (int)MOST_SLOTS);
        return;
    }
    ct_flow_slot *const slots = CT_NEW_ARRAY(r->allocator, ct_flow_slot, (uint64_t)count + 1);
    uint32_t counts[CT_FLOW_SLOT_KIND_COUNT] = {0};
    uint32_t number = 0;
    bool is_whole = true;
    ct_hash_map ids;
    ct_hash_map_init(&ids, r->allocator);
    for (ct_sjson_value v = ct_sjson_first(r->doc, array); v.entry; v = ct_sjson_next(r->doc, v)) {
        const bool is_good =
            read_slot(r, v, &ids, &slots[number]) && check_slot(r, v, slots, number, counts);
        number += is_good;
        is_whole &= is_good;
    }
    ct_hash_map_free(&ids);
    slots[number] = (ct_flow_slot){0};
    n->slots = slots;
    if (is_whole)
        check_kinds(r, node, counts, n);
}

// --- Nodes ---------------------------------------------------------------------------------------

static bool read_node(node_reader *r, ct_sjson_value v, ct_hash_map *ids, ct_hash_map *names,
                      ct_flow_node_type *n) {
    ct_flow_nodes_node_source source;
    if (!ct_schema_read(&ct_flow_nodes_node_schema, r->doc, v, &source, r->listener)) {
        r->has_failed = true;
        return false;
    }
    if (!check_id(r, v, "node", ids))
        return false;
    if (!is_name(source.name))
        return fail(
            r, source.name_value,
            "found the name \"%.80s\"; expected letters, digits and underscores, at most %d, "
            "a letter first",
            source.name, (int)MOST_NAME_BYTES);
    if (!ct_hash_map_add(names, ct_string_id64_of(source.name).value, 1))
        return fail(r, source.name_value, "another node has the name \"%s\"", source.name);
    if (!is_function_name(source.function))
        return fail(r, source.function_value,
                    "node %s: found the function \"%.80s\"; expected its name, such as "
                    "MyGame.open_door",
                    source.name, source.function);
    r->node = source.name;
    *n = (ct_flow_node_type){.name = source.name,
                             .menu = source.menu ? source.menu : source.name,
                             .doc = source.doc ? source.doc : "",
                             .role = CT_FLOW_ROLE_LUA,
                             .function = source.function};
    read_slots(r, v, source.slots, n);
    return true;
}

bool ct_flow_project_nodes_read(const ct_sjson *doc, ct_allocator *a,
                                const ct_schema_listener *listener, ct_flow_project_nodes *out) {
    node_reader r = {.doc = doc, .allocator = a, .listener = listener};
    ct_flow_nodes_source source;
    *out = (ct_flow_project_nodes){0};
    if (!ct_schema_read(&ct_flow_nodes_schema, doc, ct_sjson_root(doc), &source, listener))
        return false;
    const uint32_t count = ct_sjson_count(doc, source.nodes);
    if (count > CT_FLOW_MAX_PROJECT_NODES)
        return fail(&r, source.nodes, "found %u nodes, expected at most %d: split the file", count,
                    (int)CT_FLOW_MAX_PROJECT_NODES);
    ct_flow_node_type *const nodes = CT_NEW_ARRAY(a, ct_flow_node_type, (uint64_t)count + 1);
    ct_hash_map ids, names;
    ct_hash_map_init(&ids, a);
    ct_hash_map_init(&names, a);
    for (ct_sjson_value v = ct_sjson_first(doc, source.nodes); v.entry; v = ct_sjson_next(doc, v))
        out->count += read_node(&r, v, &ids, &names, &nodes[out->count]);
    ct_hash_map_free(&ids);
    ct_hash_map_free(&names);
    out->nodes = nodes;
    return !r.has_failed;
}

const ct_flow_node_type *ct_flow_find_project_node(const ct_flow_project_nodes *nodes,
                                                   const char *name) {
    for (uint32_t i = 0; i < nodes->count; ++i) {
        if (strcmp(nodes->nodes[i].name, name) == 0)
            return &nodes->nodes[i];
    }
    return NULL;
}
