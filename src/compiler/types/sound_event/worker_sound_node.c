// The tree of nodes of a sound event.
#include <float.h>
#include <math.h>
#include <string.h>

#include "compiler/types/sound_bus/worker_sound_names.h"
#include "compiler/types/sound_event/worker_sound_event.h"
#include "resource/resource_id.h"

// Where a node belongs.
typedef struct place {
    uint32_t parent;
    uint32_t kind; // of the parent; COUNT: none
    const ct_worker_sound_gain *gain;
} place;

static uint32_t read_play(ct_worker_sound_event *e, ct_sjson_value v, place p);

static const char *type_name(const ct_worker_sound_event *e, ct_sjson_value v) {
    return ct_sjson_type_name(ct_sjson_type_of(e->doc, v));
}

// --- Members of kinds ----------------------------------------------------------------------------

#define KIND(name) (1u << CT_SOUND_NODE_##name)

typedef struct member {
    const char *name;
    uint32_t offset; // of its place in ct_sound_node_source
    uint32_t kinds;  // that have it, as bits
} member;

#define OF(member_name) (uint32_t) offsetof(ct_sound_node_source, member_name)

static const member members[] = {
    {"sound", OF(sound), KIND(SOUND)},
    {"loop", OF(loop_value), KIND(SOUND)},
    {"sounds", OF(sounds), KIND(RANDOM) | KIND(SEQUENCE) | KIND(CHAIN) | KIND(LAYERS)},
    {"nodes", OF(nodes), KIND(RANDOM) | KIND(SEQUENCE) | KIND(CHAIN) | KIND(LAYERS) | KIND(BLEND)},
    {"avoid", OF(avoid_value), KIND(RANDOM)},
    {"parameter", OF(parameter_value), KIND(BLEND) | KIND(SWITCH)},
    {"cases", OF(cases), KIND(SWITCH)},
    {"follow", OF(follow_value), KIND(SWITCH)},
    {"fade", OF(fade_value), KIND(SWITCH)},
};

static ct_sjson_value member_of(const ct_sound_node_source *source, const member *m) {
    ct_sjson_value v;
    memcpy(&v, (const char *)source + m->offset, sizeof(v));
    return v;
}

static const char *kinds_text(ct_worker_sound_event *e, uint32_t kinds) {
    const char *text = "";
    for (uint32_t i = 0; i < CT_SOUND_NODE_COUNT; ++i) {
        if (kinds >> i & 1)
            text = ct_compile_text(e->c, "%s%s\"%s\"", text, *text ? ", " : "",
                                   ct_sound_node_names[i]);
    }
    return text;
}

// Reports members that the kind does not have. Returns false after an error.
static bool check_members(ct_worker_sound_event *e, const ct_sound_node_source *source,
                          ct_sjson_value at) {
    const bool has_type = ct_sjson_find(e->doc, at, "type").entry != 0;
    bool is_fine = true;
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        const ct_sjson_value v = member_of(source, &members[i]);
        if (!v.entry || members[i].kinds >> source->type & 1)
            continue;
        is_fine = has_type ? ct_compile_error(e->c, e->doc, v,
                                              "a node of type \"%s\" has no `%s`: it "
                                              "is of %s",
                                              ct_sound_node_names[source->type], members[i].name,
                                              kinds_text(e, members[i].kinds))
                           : ct_compile_error(e->c, e->doc, v, "`%s` needs a `type` beside it: %s",
                                              members[i].name, kinds_text(e, members[i].kinds));
    }
    const ct_sjson_value at_or_play =
        source->at_value.entry ? source->at_value : source->play.value;
    if (at_or_play.entry)
        is_fine = ct_compile_error(e->c, e->doc, at_or_play,
                                   "`at` and `play` are of the elements of a blend: write the "
                                   "node itself, { type = … }");
    return is_fine;
}

// Warns of members that only children of some kinds have.
static void warn_of_place(ct_worker_sound_event *e, const ct_sound_node_source *source, place p) {
    if (source->weight_value.entry && p.kind != CT_SOUND_NODE_RANDOM)
        ct_compile_warning(e->c, e->doc, source->weight_value,
                           "`weight` has no effect: it is for the nodes of a random");
    if (source->repeats_value.entry && p.kind != CT_SOUND_NODE_CHAIN)
        ct_compile_warning(e->c, e->doc, source->repeats_value,
                           "`repeats` has no effect: it is for the nodes of a chain");
    if (source->fade_value.entry && !source->follow && source->type == CT_SOUND_NODE_SWITCH)
        ct_compile_warning(e->c, e->doc, source->fade_value,
                           "`fade` has no effect without follow = true");
}

// --- Children ------------------------------------------------------------------------------------

// Appends a child to its parent, behind `last`.
static void link_child(ct_worker_sound_event *e, uint32_t parent, uint32_t child, uint32_t *last) {
    if (child == CT_SOUND_NO_NODE)
        return;
    if (*last == CT_SOUND_NO_NODE)
        e->nodes.items[parent].out.first_child = child;
    else
        e->nodes.items[*last].out.next = child;
    ++e->nodes.items[parent].out.num_children;
    *last = child;
}

static void read_children(ct_worker_sound_event *e, uint32_t node,
                          const ct_sound_node_source *source) {
    const uint32_t kind = source->type;
    const ct_sjson_value all = source->sounds.entry ? source->sounds : source->nodes;
    const ct_sjson_value at = e->nodes.items[node].at;
    uint32_t last = CT_SOUND_NO_NODE;
    if (source->sounds.entry && source->nodes.entry) {
        ct_compile_error(e->c, e->doc, source->sounds,
                         "found `sounds` beside `nodes`: write them as nodes, { sound = … }");
        return;
    }
    if (ct_sjson_count(e->doc, all) == 0) {
        ct_compile_error(e->c, e->doc, all.entry ? all : at,
                         "a node of type \"%s\" has nothing to play: write sounds = [ … ] or "
                         "nodes = [ … ]",
                         ct_sound_node_names[kind]);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(e->doc, all); v.entry; v = ct_sjson_next(e->doc, v))
        link_child(e, node, read_play(e, v, (place){node, kind, NULL}), &last);
}

static void read_random(ct_worker_sound_event *e, uint32_t node,
                        const ct_sound_node_source *source) {
    read_children(e, node, source);
    const uint32_t count = e->nodes.items[node].out.num_children;
    e->nodes.items[node].out.slot = e->out.num_slots++;
    if (!source->avoid_value.entry) {
        e->nodes.items[node].out.avoid = count > 1;
        return;
    }
    if (count > 0 && (uint32_t)source->avoid >= count)
        ct_compile_error(e->c, e->doc, source->avoid_value,
                         "avoid: found %d, but there are %u to choose from; expected at most %u",
                         source->avoid, count, count - 1);
    e->nodes.items[node].out.avoid = (uint32_t)source->avoid;
}

// --- Blends --------------------------------------------------------------------------------------

// Reads an element { at play } of a blend. Returns false after an error.
static bool read_blended(ct_worker_sound_event *e, ct_sjson_value v, ct_sound_node_source *out) {
    for (ct_sjson_value m = ct_sjson_first(e->doc, v); m.entry; m = ct_sjson_next(e->doc, m)) {
        const char *const key = ct_sjson_key(e->doc, m);
        if (key && ct_schema_find(&ct_sound_node_read_schema, key) && strcmp(key, "at") != 0 &&
            strcmp(key, "play") != 0)
            return ct_compile_error(e->c, e->doc, m,
                                    "an element of a blend is { at play }: move `%s` into the "
                                    "node that it plays",
                                    key);
    }
    if (!ct_schema_read(&ct_sound_node_read_schema, e->doc, v, out, &e->listener))
        return false;
    if (!out->at_value.entry || !out->play.value.entry)
        return ct_compile_error(e->c, e->doc, v,
                                "an element of a blend is { at play }: `%s` is "
                                "missing",
                                out->at_value.entry ? "play" : "at");
    return true;
}

// Reads the elements of a blend up to their nodes. Returns false after an error.
static bool read_places(ct_worker_sound_event *e, ct_sjson_value all, float *places,
                        ct_sjson_value *nodes) {
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(e->doc, all); v.entry;
         v = ct_sjson_next(e->doc, v), ++i) {
        ct_sound_node_source source;
        if (!read_blended(e, v, &source))
            return false;
        places[i] = source.at;
        nodes[i] = source.play.value;
        if (i > 0 && places[i] <= places[i - 1])
            return ct_compile_error(e->c, e->doc, source.at_value,
                                    "at: found %g behind %g, expected numbers that rise",
                                    (double)places[i], (double)places[i - 1]);
    }
    return true;
}

static void read_blend(ct_worker_sound_event *e, uint32_t node,
                       const ct_sound_node_source *source) {
    const ct_sjson_value all = source->nodes, at = e->nodes.items[node].at;
    const uint32_t count = ct_sjson_count(e->doc, all);
    ct_worker_sound_gain gain = {.count = count};
    ct_sound_parameter_info info;
    if (!source->parameter) {
        ct_compile_error(e->c, e->doc, at, "`parameter` of the blend is missing");
        return;
    }
    if (!ct_worker_sound_parameter(e, source->parameter_value, source->parameter, &info) ||
        !ct_worker_sound_expect_kind(e, source->parameter_value, source->parameter, info.kind,
                                     CT_SOUND_PARAMETER_NUMBER))
        return;
    gain.parameter = info.name;
    gain.missing = info.number;
    if (count < 2 || count > CT_SOUND_EVENT_MAX_LAYERS) {
        ct_compile_error(e->c, e->doc, all.entry ? all : at,
                         "nodes: found %u of a blend, expected 2 to %d: { at play }", count,
                         (int)CT_SOUND_EVENT_MAX_LAYERS);
        return;
    }
    float places[CT_SOUND_EVENT_MAX_LAYERS];
    ct_sjson_value nodes[CT_SOUND_EVENT_MAX_LAYERS];
    uint32_t last = CT_SOUND_NO_NODE;
    if (!read_places(e, all, places, nodes))
        return;
    gain.places = places;
    for (; gain.index < count; ++gain.index)
        link_child(e, node,
                   read_play(e, nodes[gain.index], (place){node, CT_SOUND_NODE_BLEND, &gain}),
                   &last);
}

// --- Switches ------------------------------------------------------------------------------------

// A switch while its cases are read.
typedef struct switch_reader {
    ct_worker_sound_event *e;
    const char *parameter;
    uint32_t kind;       // ct_sound_parameter_kind
    uint32_t first_case; // of the event's
} switch_reader;

static bool read_text_case(const switch_reader *s, const ct_sound_case_source *c,
                           ct_sound_case *out) {
    ct_worker_sound_event *const e = s->e;
    const char *const text = ct_sjson_string(e->doc, c->value, NULL);
    if (c->low_value.entry || c->high_value.entry)
        return ct_compile_error(e->c, e->doc, c->value,
                                "found `value` beside `low` or `high`: a case is for a text or "
                                "for numbers");
    if (!text)
        return ct_compile_error(e->c, e->doc, c->value,
                                "value: found %s, expected a text; a case for numbers is { low "
                                "high play }",
                                type_name(e, c->value));
    *out = (ct_sound_case){.kind = CT_SOUND_CASE_TEXT, .text = ct_string_id32_of(text)};
    return ct_worker_sound_expect_kind(e, c->value, s->parameter, s->kind, CT_SOUND_PARAMETER_TEXT);
}

static bool read_number_case(const switch_reader *s, const ct_sound_case_source *c,
                             ct_sound_case *out) {
    ct_worker_sound_event *const e = s->e;
    const ct_sjson_value at = c->low_value.entry ? c->low_value : c->high_value;
    *out = (ct_sound_case){.kind = CT_SOUND_CASE_NUMBER,
                           .low = c->low_value.entry ? c->low : -FLT_MAX,
                           .high = c->high_value.entry ? c->high : FLT_MAX};
    if (!(out->low < out->high))
        return ct_compile_error(e->c, e->doc, at, "found low = %g, high = %g: no number is between",
                                (double)out->low, (double)out->high);
    return ct_worker_sound_expect_kind(e, at, s->parameter, s->kind, CT_SOUND_PARAMETER_NUMBER);
}

// Whether a case takes all that another one would.
static bool takes_all(const ct_sound_case *c, const ct_sound_case *other) {
    if (c->kind == CT_SOUND_CASE_ELSE)
        return true;
    if (c->kind != other->kind)
        return false;
    return c->kind == CT_SOUND_CASE_TEXT ? c->text.value == other->text.value
                                         : c->low <= other->low && other->high <= c->high;
}

// Whether the cases of numbers before it together take all that one would.
static bool take_all_numbers(const switch_reader *s, const ct_sound_case *found) {
    const ct_sound_case *const cases = s->e->cases.items;
    float low = found->kind == CT_SOUND_CASE_NUMBER ? found->low : -FLT_MAX;
    const float high = found->kind == CT_SOUND_CASE_NUMBER ? found->high : FLT_MAX;
    const uint32_t first = s->first_case, end = s->e->cases.count;
    for (uint32_t turn = first; turn < end; ++turn) // they are in any order
        for (uint32_t i = first; i < end; ++i)
            if (cases[i].kind == CT_SOUND_CASE_NUMBER && cases[i].low <= low)
                low = fmaxf(low, cases[i].high);
    return s->kind == CT_SOUND_PARAMETER_NUMBER && low >= high;
}

// Reports a case that never plays, as those before it take all that it would.
static void check_case(const switch_reader *s, ct_sjson_value v, const ct_sound_case *found) {
    ct_worker_sound_event *const e = s->e;
    for (uint32_t i = s->first_case; i < e->cases.count; ++i) {
        if (!takes_all(&e->cases.items[i], found))
            continue;
        ct_compile_error(e->c, e->doc, v,
                         "this case never plays: case %u takes what it would; move it up, or "
                         "remove one",
                         i - s->first_case + 1);
        return;
    }
    if (take_all_numbers(s, found))
        ct_compile_error(e->c, e->doc, v,
                         "this case never plays: those before it take all numbers that it would; "
                         "move it up, or remove it");
}

// Reads the condition of a case, and keeps its node. Returns false after an error.
static bool read_case(const switch_reader *s, ct_sjson_value v, ct_sjson_value *node) {
    ct_worker_sound_event *const e = s->e;
    ct_sound_case_source c;
    ct_sound_case out = {.kind = CT_SOUND_CASE_ELSE};
    if (!ct_schema_read(&ct_sound_case_read_schema, e->doc, v, &c, &e->listener))
        return false;
    if (!c.play.value.entry)
        return ct_compile_error(e->c, e->doc, v, "`play` of the case is missing");
    const bool has_number = c.low_value.entry || c.high_value.entry;
    if (c.value.entry ? !read_text_case(s, &c, &out) : has_number && !read_number_case(s, &c, &out))
        return false;
    check_case(s, v, &out);
    ct_array_push(&e->cases, out);
    *node = c.play.value;
    return true;
}

static void read_switch(ct_worker_sound_event *e, uint32_t node,
                        const ct_sound_node_source *source) {
    const ct_sjson_value all = source->cases, at = e->nodes.items[node].at;
    const uint32_t count = ct_sjson_count(e->doc, all);
    ct_sjson_value nodes[CT_SOUND_EVENT_MAX_NODES];
    if (!source->parameter) {
        ct_compile_error(e->c, e->doc, at, "`parameter` of the switch is missing");
        return;
    }
    if (count == 0 || count >= CT_SOUND_EVENT_MAX_NODES) {
        ct_compile_error(e->c, e->doc, all.entry ? all : at,
                         "cases: found %u of a switch, expected 1 to %d: { value play }, { low "
                         "high play } or { play }",
                         count, CT_SOUND_EVENT_MAX_NODES - 1);
        return;
    }
    ct_sound_parameter_info info;
    if (!ct_worker_sound_parameter(e, source->parameter_value, source->parameter, &info))
        return;
    const switch_reader s = {e, source->parameter, info.kind, e->cases.count};
    uint32_t i = 0, last = CT_SOUND_NO_NODE;
    bool is_fine = true;
    for (ct_sjson_value v = ct_sjson_first(e->doc, all); v.entry; v = ct_sjson_next(e->doc, v), ++i)
        is_fine &= read_case(&s, v, &nodes[i]);
    if (!is_fine)
        return;
    ct_sound_node *const out = &e->nodes.items[node].out;
    out->parameter = info.name;
    out->first_case = s.first_case;
    out->num_cases = count;
    out->fade = source->fade;
    out->flags |= source->follow ? CT_SOUND_NODE_FOLLOWS : 0;
    for (i = 0; i < count; ++i)
        link_child(e, node, read_play(e, nodes[i], (place){node, CT_SOUND_NODE_SWITCH, NULL}),
                   &last);
}

// --- Nodes ---------------------------------------------------------------------------------------

// Reads the name of a sound to a node.
static void read_sound(ct_worker_sound_event *e, uint32_t node, ct_sjson_value v) {
    const char *const name = ct_sjson_string(e->doc, v, NULL);
    if (!name) {
        ct_compile_error(e->c, e->doc, v.entry ? v : e->nodes.items[node].at,
                         "sound: found %s, expected the name of a sound", type_name(e, v));
        return;
    }
    if (!ct_resource_name_is_canonical(name)) {
        char advice[CT_RESOURCE_ADVICE_BYTES];
        ct_resource_name_advise(name, e->c->project_folder, advice);
        ct_compile_error(e->c, e->doc, v,
                         "\"%.256s\" is not the name of a resource ([a-z0-9_/-], from the "
                         "project's root, no extension): %s",
                         name, advice);
        return;
    }
    e->nodes.items[node].out.sound = ct_string_id64_of(name);
    ct_compile_reference(e->c, "sound", name, e->doc, v);
}

// Makes a node. Returns NO_NODE after an error.
static uint32_t add_node(ct_worker_sound_event *e, ct_sjson_value v, place p) {
    const uint32_t depth = p.parent == CT_SOUND_NO_NODE ? 1 : e->nodes.items[p.parent].depth + 1;
    if (depth > CT_SOUND_EVENT_MAX_DEPTH) {
        ct_compile_error(e->c, e->doc, v, "found nodes in nodes %u deep, expected at most %d",
                         depth, (int)CT_SOUND_EVENT_MAX_DEPTH);
        return CT_SOUND_NO_NODE;
    }
    if (e->nodes.count == CT_SOUND_EVENT_MAX_NODES) {
        if (ct_compile_error_count(e->c) == 0)
            ct_compile_error(e->c, e->doc, v, "found more than %d nodes and sounds in an event",
                             (int)CT_SOUND_EVENT_MAX_NODES);
        return CT_SOUND_NO_NODE;
    }
    const ct_worker_sound_node node = {
        .at = v,
        .parent = p.parent,
        .depth = depth,
        .out = {.next = CT_SOUND_NO_NODE,
                .first_child = CT_SOUND_NO_NODE,
                .weight = 1,
                .repeats = 1},
    };
    ct_array_push(&e->nodes, node);
    return e->nodes.count - 1;
}

static void read_kind(ct_worker_sound_event *e, uint32_t node, const ct_sound_node_source *source) {
    switch ((ct_sound_node_kind)source->type) {
    case CT_SOUND_NODE_SOUND:
        e->nodes.items[node].out.flags |= source->loop ? CT_SOUND_NODE_LOOPS : 0;
        read_sound(e, node, source->sound);
        break;
    case CT_SOUND_NODE_RANDOM:
        read_random(e, node, source);
        break;
    case CT_SOUND_NODE_SEQUENCE:
        e->nodes.items[node].out.slot = e->out.num_slots++;
        read_children(e, node, source);
        break;
    case CT_SOUND_NODE_CHAIN:
    case CT_SOUND_NODE_LAYERS:
        read_children(e, node, source);
        break;
    case CT_SOUND_NODE_BLEND:
        read_blend(e, node, source);
        break;
    case CT_SOUND_NODE_SWITCH:
        read_switch(e, node, source);
        break;
    case CT_SOUND_NODE_COUNT:
        break;
    }
}

// Reads the name of a sound, or a node. Returns its position, or NO_NODE after an error.
static uint32_t read_play(ct_worker_sound_event *e, ct_sjson_value v, place p) {
    const ct_sjson_type type = ct_sjson_type_of(e->doc, v);
    if (type != CT_SJSON_TYPE_STRING && type != CT_SJSON_TYPE_OBJECT) {
        ct_compile_error(e->c, e->doc, v,
                         "found %s, expected the name of a sound, or a node: { type = … }",
                         ct_sjson_type_name(type));
        return CT_SOUND_NO_NODE;
    }
    const uint32_t node = add_node(e, v, p);
    if (node == CT_SOUND_NO_NODE)
        return node;
    if (type == CT_SJSON_TYPE_STRING) {
        ct_worker_sound_values(e, node, NULL, p.gain);
        read_sound(e, node, v);
        return node;
    }
    ct_sound_node_source source;
    if (!ct_schema_read(&ct_sound_node_read_schema, e->doc, v, &source, &e->listener) ||
        !check_members(e, &source, v))
        return node;
    warn_of_place(e, &source, p);
    ct_sound_node *const out = &e->nodes.items[node].out;
    out->kind = source.type;
    out->delay = source.delay;
    out->weight = source.weight;
    out->repeats = p.kind == CT_SOUND_NODE_CHAIN ? (uint32_t)source.repeats : 1;
    ct_worker_sound_values(e, node, &source, p.gain);
    read_kind(e, node, &source);
    return node;
}

void ct_worker_sound_tree(ct_worker_sound_event *e) {
    read_play(e, e->source.play.value, (place){CT_SOUND_NO_NODE, CT_SOUND_NODE_COUNT, NULL});
}
