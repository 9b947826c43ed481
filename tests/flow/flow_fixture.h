// flow_fixture.h: flow graphs made by hand, laid out as the compiler lays them out, a world that runs
// them, and a node `note` that writes down that it ran. Include once in a program.
#pragma once
#include "world/world_fixture.h"

#include "flow/flow_private.h"
#include "resource/types/flow/flow_node_types.h"

// --- What ran ------------------------------------------------------------------------------------

// The inputs of all nodes `note` that ran, in their order.
static struct notes {
    double values[64];
    uint32_t count; // also of those that did not fit
} notes;

// What `note` does besides.
static void (*note_also)(ct_flow_call *c, double value);

static uint32_t run_note(ct_flow_call *c, uint32_t event) {
    const double value = ct_flow_number(c, 0);
    (void)event;
    if (notes.count < CT_COUNT_OF(notes.values))
        notes.values[notes.count] = value;
    ++notes.count;
    if (note_also)
        note_also(c, value);
    return 0;
}

// How often the pure node `tick` ran, which is its output.
static uint32_t num_ticks;

static uint32_t run_tick(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_set_number(c, 0, ++num_ticks);
    return CT_FLOW_STOP;
}

static const ct_flow_node_type own_types[] = {
    {.name = "note",
     .kind = CT_FLOW_NODE_ACTION,
     .slots = CT_FLOW_SLOTS(CT_FLOW_IN("value", NUMBER, ""), CT_FLOW_EVENT_IN("in", ""),
                            CT_FLOW_EVENT_OUT("out", ""))},
    {.name = "tick",
     .kind = CT_FLOW_NODE_PURE,
     .slots = CT_FLOW_SLOTS(CT_FLOW_OUT("value", NUMBER, ""))},
};

static const ct_flow_function_row own_functions[] = {{"note", run_note}, {"tick", run_tick}};

static inline void assert_notes(const double *expected, uint32_t count) {
    assert_int_equal(notes.count, count);
    for (uint32_t i = 0; i < count; ++i)
        assert_true(notes.values[i] == expected[i]);
    notes.count = 0;
}
#define ASSERT_NOTES(...)                                                                          \
    assert_notes((const double[]){__VA_ARGS__}, CT_COUNT_OF(((const double[]){__VA_ARGS__})))

static inline void assert_no_notes(void) {
    assert_int_equal(notes.count, 0);
}

// --- Graphs --------------------------------------------------------------------------------------

enum { MOST_NODES = 64, MOST_LINKS = 128, MOST_WORDS = 4096, MOST_TEXT = 4096 };

typedef enum source_kind {
    SOURCE_NONE,
    SOURCE_NODE,     // the output `number` of node `node`
    SOURCE_VARIABLE, // variable `number`
    SOURCE_CONSTANT,
    SOURCE_LEVEL_UNIT, // unit `number` of the level
} source_kind;

typedef struct built_source {
    source_kind kind;
    uint32_t node, number, place, type;
} built_source;

typedef struct built_node {
    const ct_flow_node_type *type;
    uint64_t id;
    const char *key; // of an entry
    built_source inputs[8];
    uint32_t variable; // that it sets, from 1; 0: none
    uint32_t position, offset;
} built_node;

typedef struct built_link {
    uint32_t from, out, to, in; // numbers of nodes, from 1, and of slots
} built_link;

typedef struct flow_builder {
    built_node nodes[MOST_NODES + 1];
    uint32_t num_nodes;
    built_link links[MOST_LINKS];
    uint32_t num_links;
    struct {
        const char *name;
        ct_flow_type type;
        uint32_t initial, offset, order;
        uint32_t output_node, output; // whose place an external output has; 0: it has its own
    } variables[8];
    uint32_t num_variables;
    uint32_t level_units[4]; // their ids
    uint32_t num_level_units, first_level_unit;
    uint64_t numbers[64];
    uint32_t num_numbers;
    uint32_t words[256];
    uint32_t num_words;
    char texts[MOST_TEXT];
    uint32_t text_bytes;
    const ct_flow_node_type *types[MOST_NODES];
    uint32_t num_types;
    uint32_t program[MOST_WORDS], links_out[MOST_WORDS], pures[MOST_WORDS];
    uint32_t num_program, num_links_out, num_pures;
} flow_builder;

static inline void start_graph(flow_builder *b) {
    memset(b, 0, sizeof(*b));
    b->text_bytes = 1; // the empty text
}

static inline const ct_flow_node_type *type_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(own_types); ++i) {
        if (strcmp(own_types[i].name, name) == 0)
            return &own_types[i];
    }
    const ct_flow_node_type *const type = ct_flow_find_node_type(name);
    if (!type)
        fail_msg("there is no node type %s", name);
    return type;
}

// Adds a node, whose id is its number.
static inline uint32_t add_node(flow_builder *b, const char *type) {
    assert_true(b->num_nodes < MOST_NODES);
    const uint32_t n = ++b->num_nodes;
    b->nodes[n] = (built_node){.type = type_named(type), .id = n, .key = ""};
    return n;
}

static inline uint32_t slot_number(const built_node *n, bool is_out, const char *name) {
    uint32_t number = 0;
    if (!ct_flow_find_slot(n->type, is_out, name, &number))
        fail_msg("%s has no slot %s", n->type->name, name);
    return number;
}

static inline uint32_t add_entry(flow_builder *b, const char *type, const char *key) {
    const uint32_t n = add_node(b, type);
    b->nodes[n].key = key;
    return n;
}

// Links an event out to an event in. In the order of execution.
static inline void link_event(flow_builder *b, uint32_t from, const char *out, uint32_t to,
                              const char *in) {
    assert_true(b->num_links < MOST_LINKS);
    b->links[b->num_links++] = (built_link){from, slot_number(&b->nodes[from], true, out), to,
                                            slot_number(&b->nodes[to], false, in)};
}

static inline built_source *input_of(flow_builder *b, uint32_t node, const char *slot) {
    return &b->nodes[node].inputs[slot_number(&b->nodes[node], false, slot)];
}

static inline void link_value(flow_builder *b, uint32_t from, const char *out, uint32_t to,
                              const char *in) {
    uint32_t number = 0;
    const ct_flow_slot *const slot = ct_flow_find_slot(b->nodes[from].type, true, out, &number);
    assert_non_null(slot);
    *input_of(b, to, in) = (built_source){SOURCE_NODE, from, number, 0, slot->type};
}

static inline uint32_t constant_number(flow_builder *b, double value) {
    memcpy(&b->numbers[b->num_numbers], &value, sizeof(value));
    return CT_FLOW_PLACE(CT_FLOW_REGION_NUMBERS, 8 * b->num_numbers++);
}

static inline uint32_t add_text(flow_builder *b, const char *text) {
    const uint32_t start = b->text_bytes;
    assert_true(start + strlen(text) < MOST_TEXT);
    strcpy(b->texts + start, text);
    b->text_bytes += (uint32_t)strlen(text) + 1;
    return start;
}

static inline uint32_t constant_words(flow_builder *b, const void *words, uint32_t count) {
    const uint32_t first = b->num_words;
    memcpy(&b->words[first], words, 4 * (size_t)count);
    b->num_words += count;
    return CT_FLOW_PLACE(CT_FLOW_REGION_WORDS, 4 * first);
}

static inline uint32_t constant_text(flow_builder *b, const char *text) {
    const ct_flow_string s = {add_text(b, text), (uint32_t)strlen(text)};
    return constant_words(b, &s, 2);
}

static inline void give(flow_builder *b, uint32_t node, const char *slot, ct_flow_type type,
                        uint32_t place) {
    *input_of(b, node, slot) = (built_source){SOURCE_CONSTANT, 0, 0, place, type};
}
static inline void give_number(flow_builder *b, uint32_t node, const char *slot, double value) {
    give(b, node, slot, CT_FLOW_TYPE_NUMBER, constant_number(b, value));
}
static inline void give_bool(flow_builder *b, uint32_t node, const char *slot, bool value) {
    const uint32_t word = value;
    give(b, node, slot, CT_FLOW_TYPE_BOOL, constant_words(b, &word, 1));
}
static inline void give_text(flow_builder *b, uint32_t node, const char *slot, const char *text) {
    give(b, node, slot, CT_FLOW_TYPE_STRING, constant_text(b, text));
}

// Adds a node `note` after an event out. Returns its number.
static inline uint32_t add_note(flow_builder *b, uint32_t from, const char *out, double value) {
    const uint32_t note = add_node(b, "note");
    give_number(b, note, "value", value);
    link_event(b, from, out, note, "in");
    return note;
}

// Adds a variable that starts as 0 or "". Returns its number.
static inline uint32_t add_variable(flow_builder *b, const char *name, ct_flow_type type) {
    b->variables[b->num_variables].name = name;
    b->variables[b->num_variables].type = type;
    return b->num_variables++;
}

static inline void read_variable(flow_builder *b, uint32_t variable, uint32_t node,
                                 const char *slot) {
    *input_of(b, node, slot) =
        (built_source){SOURCE_VARIABLE, 0, variable, 0, b->variables[variable].type};
}

// Adds an external output of type NUMBER that a pure node gives.
static inline void add_output(flow_builder *b, const char *name, uint32_t from, const char *out) {
    const uint32_t node = add_entry(b, "external_output_numeric", name);
    const uint32_t variable = add_variable(b, name, CT_FLOW_TYPE_NUMBER);
    link_value(b, from, out, node, "numeric");
    b->variables[variable].output_node = from;
    ct_flow_find_slot(b->nodes[from].type, true, out, &b->variables[variable].output);
}

// Gives a variable the value of a constant (constant_number and the like).
static inline void start_variable(flow_builder *b, uint32_t variable, uint32_t place) {
    b->variables[variable].initial = place;
}

// Gives an input a unit of the level.
static inline void give_level_unit(flow_builder *b, uint32_t node, const char *slot, uint32_t id) {
    *input_of(b, node, slot) =
        (built_source){SOURCE_LEVEL_UNIT, 0, b->num_level_units, 0, CT_FLOW_TYPE_UNIT};
    b->level_units[b->num_level_units++] = id;
}

// Adds a node that sets a variable.
static inline uint32_t add_setter(flow_builder *b, const char *type, uint32_t variable) {
    const uint32_t n = add_node(b, type);
    give_text(b, n, "name", b->variables[variable].name);
    give_text(b, n, "scope", "graph");
    b->nodes[n].variable = variable + 1;
    return n;
}

// --- The layout ----------------------------------------------------------------------------------

static inline uint32_t size_of_place(uint32_t type) {
    return CT_FLOW_VALUE_BYTES + (type == CT_FLOW_TYPE_STRING ? CT_FLOW_STRING_BYTES : 0);
}

// Gives variables, states and outputs their offsets. Variables are in the order of their ids.
static inline uint32_t lay_out(flow_builder *b) {
    uint32_t end = CT_FLOW_ZEROS + CT_FLOW_VALUE_BYTES;
    for (uint32_t i = 0; i < b->num_variables; ++i) {
        uint32_t before = 0;
        for (uint32_t k = 0; k < b->num_variables; ++k)
            before += ct_string_id32_of(b->variables[k].name).value <
                      ct_string_id32_of(b->variables[i].name).value;
        b->variables[i].order = before;
    }
    for (uint32_t order = 0; order < b->num_variables; ++order) {
        for (uint32_t i = 0; i < b->num_variables; ++i) {
            if (b->variables[i].order == order && !b->variables[i].output_node) {
                b->variables[i].offset = end;
                end += size_of_place(b->variables[i].type);
            }
        }
    }
    b->first_level_unit = end;
    end += b->num_level_units * CT_FLOW_VALUE_BYTES;
    for (uint32_t n = 1; n <= b->num_nodes; ++n) {
        built_node *const node = &b->nodes[n];
        node->offset = end;
        end += (uint32_t)ct_round_up(node->type->state_bytes, CT_FLOW_VALUE_BYTES);
        for (const ct_flow_slot *s = node->type->slots; s && s->name; ++s)
            end += s->kind == CT_FLOW_SLOT_OUTPUT ? size_of_place(s->type) : 0;
        node->position = b->num_program;
        b->num_program += (uint32_t)(sizeof(ct_flow_node) / 4) +
                          2 * ct_flow_count_slots(node->type, CT_FLOW_SLOT_INPUT) +
                          ct_flow_count_slots(node->type, CT_FLOW_SLOT_OUTPUT) +
                          (node->variable != 0) +
                          ct_flow_count_slots(node->type, CT_FLOW_SLOT_EVENT_OUT);
    }
    return end;
}

static inline uint32_t output_offset(const flow_builder *b, uint32_t node, uint32_t number) {
    const built_node *const n = &b->nodes[node];
    uint32_t end = n->offset + (uint32_t)ct_round_up(n->type->state_bytes, CT_FLOW_VALUE_BYTES);
    uint32_t found = 0;
    for (const ct_flow_slot *s = n->type->slots; s && s->name; ++s) {
        if (s->kind != CT_FLOW_SLOT_OUTPUT)
            continue;
        if (found++ == number)
            return end;
        end += size_of_place(s->type);
    }
    fail_msg("%s has no output %u", n->type->name, number);
    return 0;
}

static inline uint32_t type_number(flow_builder *b, const ct_flow_node_type *type) {
    for (uint32_t i = 0; i < b->num_types; ++i) {
        if (b->types[i] == type)
            return i;
    }
    b->types[b->num_types] = type;
    return b->num_types++;
}

// Adds the pure nodes that a node reads, what they need first.
static inline void add_pures(flow_builder *b, uint32_t node, uint32_t first) {
    for (uint32_t i = 0; i < CT_COUNT_OF(b->nodes[node].inputs); ++i) {
        const built_source *const s = &b->nodes[node].inputs[i];
        if (s->kind != SOURCE_NODE || b->nodes[s->node].type->kind != CT_FLOW_NODE_PURE)
            continue;
        add_pures(b, s->node, first);
        bool is_there = false;
        for (uint32_t k = first; k < b->num_pures; ++k)
            is_there |= b->pures[k] == b->nodes[s->node].position;
        if (!is_there)
            b->pures[b->num_pures++] = b->nodes[s->node].position;
    }
}

static inline uint32_t pures_of(flow_builder *b, uint32_t node) {
    const uint32_t list = b->num_pures++;
    if (b->nodes[node].type->kind != CT_FLOW_NODE_PURE ||
        b->nodes[node].type->role == CT_FLOW_ROLE_GRAPH_OUTPUT)
        add_pures(b, node, list + 1);
    b->pures[list] = b->num_pures - list - 1;
    if (b->pures[list] > 0)
        return list;
    --b->num_pures;
    return CT_FLOW_NONE;
}

static inline uint32_t links_of(flow_builder *b, uint32_t node, uint32_t out) {
    const uint32_t list = b->num_links_out++;
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->num_links; ++i) {
        if (b->links[i].from != node || b->links[i].out != out)
            continue;
        b->links_out[b->num_links_out++] = b->nodes[b->links[i].to].position;
        b->links_out[b->num_links_out++] = b->links[i].in;
        ++count;
    }
    b->links_out[list] = count;
    if (count > 0)
        return list;
    --b->num_links_out;
    return CT_FLOW_NONE;
}

static inline uint32_t place_of(const flow_builder *b, const built_source *s, uint32_t type) {
    switch (s->kind) {
    case SOURCE_NODE:
        return output_offset(b, s->node, s->number);
    case SOURCE_VARIABLE:
        return b->variables[s->number].offset;
    case SOURCE_CONSTANT:
        return s->place;
    case SOURCE_LEVEL_UNIT:
        return b->first_level_unit + s->number * CT_FLOW_VALUE_BYTES;
    default:
        return type == CT_FLOW_TYPE_UNIT || type == CT_FLOW_TYPE_ENTITY ? 0 : CT_FLOW_ZEROS;
    }
}

static inline void write_node(flow_builder *b, uint32_t number) {
    const built_node *const n = &b->nodes[number];
    ct_flow_node *const node = (void *)(b->program + n->position);
    const uint32_t num_inputs = ct_flow_count_slots(n->type, CT_FLOW_SLOT_INPUT);
    const uint32_t num_outputs = ct_flow_count_slots(n->type, CT_FLOW_SLOT_OUTPUT);
    const uint32_t num_events = ct_flow_count_slots(n->type, CT_FLOW_SLOT_EVENT_OUT);
    node->type = type_number(b, n->type);
    node->info = number - 1;
    node->state = n->type->state_bytes ? n->offset : 0;
    node->pures = pures_of(b, number);
    node->first_output = 2 * num_inputs;
    node->first_event = node->first_output + num_outputs + (n->variable != 0);
    node->num_slots = node->first_event + num_events;
    for (uint32_t i = 0; i < num_inputs; ++i) {
        const uint32_t declared = ct_flow_slot_at(n->type, CT_FLOW_SLOT_INPUT, i)->type;
        const uint32_t without = declared == CT_FLOW_TYPE_ANY ? CT_FLOW_TYPE_EVENT : declared;
        node->slots[2 * i] = place_of(b, &n->inputs[i], declared);
        node->slots[2 * i + 1] = n->inputs[i].kind == SOURCE_NONE ? without : n->inputs[i].type;
    }
    for (uint32_t i = 0; i < num_outputs; ++i)
        node->slots[node->first_output + i] = output_offset(b, number, i);
    if (n->variable)
        node->slots[node->first_event - 1] = b->variables[n->variable - 1].offset;
    for (uint32_t i = 0; i < num_events; ++i)
        node->slots[node->first_event + i] = links_of(b, number, i);
}

// --- The blob ------------------------------------------------------------------------------------

typedef struct built_blob {
    uint8_t *bytes;
    uint32_t num_bytes, max_bytes;
} built_blob;

static inline ct_blob_array put(built_blob *blob, const void *items, uint32_t count,
                                uint32_t item_bytes) {
    const uint32_t at = (uint32_t)ct_round_up(blob->num_bytes, CT_BLOB_ALIGN);
    assert_true((uint64_t)at + (uint64_t)count * item_bytes <= blob->max_bytes);
    if (count > 0)
        memcpy(blob->bytes + at, items, (size_t)count * item_bytes);
    blob->num_bytes = at + count * item_bytes;
    return count ? (ct_blob_array){at, count} : (ct_blob_array){0, 0};
}

static inline ct_blob_string put_text(built_blob *blob, const char *text) {
    const uint32_t at = blob->num_bytes;
    assert_true(at + strlen(text) < blob->max_bytes);
    strcpy((char *)blob->bytes + at, text);
    blob->num_bytes += (uint32_t)strlen(text) + 1;
    return (ct_blob_string){at, (uint32_t)strlen(text)};
}

// The slots of a node in Lua.
static inline ct_blob_array put_slots(built_blob *blob, const ct_flow_node_type *type) {
    ct_flow_used_slot slots[4 * CT_FLOW_MAX_SLOTS];
    uint32_t count = 0;
    for (const ct_flow_slot *s = type->slots; s->name; ++s)
        slots[count++] =
            (ct_flow_used_slot){.name = put_text(blob, s->name), .kind = s->kind, .type = s->type};
    return put(blob, slots, count, sizeof(slots[0]));
}

static inline void put_types(const flow_builder *b, built_blob *blob, ct_flow_resource *r) {
    ct_flow_used_type types[MOST_NODES];
    for (uint32_t i = 0; i < b->num_types; ++i)
        types[i] = (ct_flow_used_type){
            .name = put_text(blob, b->types[i]->name),
            .num_inputs = ct_flow_count_slots(b->types[i], CT_FLOW_SLOT_INPUT),
            .num_outputs = ct_flow_count_slots(b->types[i], CT_FLOW_SLOT_OUTPUT),
            .num_events_in = ct_flow_count_slots(b->types[i], CT_FLOW_SLOT_EVENT_IN),
            .num_events_out = ct_flow_count_slots(b->types[i], CT_FLOW_SLOT_EVENT_OUT),
            .state_bytes = b->types[i]->state_bytes};
    for (uint32_t i = 0; i < b->num_types; ++i) {
        if (!b->types[i]->function)
            continue;
        types[i].function = put_text(blob, b->types[i]->function);
        types[i].slots = put_slots(blob, b->types[i]);
    }
    r->types = put(blob, types, b->num_types, sizeof(types[0]));
}

static inline void put_infos(const flow_builder *b, built_blob *blob, ct_flow_resource *r,
                             uint32_t end) {
    ct_flow_node_info infos[MOST_NODES];
    for (uint32_t i = 0; i < b->num_nodes; ++i) {
        const built_node *const n = &b->nodes[i + 1];
        char path[128];
        snprintf(path, sizeof(path), "test: %s %u", n->type->name, (uint32_t)n->id);
        const uint32_t next = i + 1 < b->num_nodes ? b->nodes[i + 2].offset : end;
        infos[i] = (ct_flow_node_info){.id = {n->id, n->id},
                                       .path = put_text(blob, path),
                                       .node = n->position,
                                       .first_byte = n->offset,
                                       .num_bytes = next - n->offset};
    }
    r->infos = put(blob, infos, b->num_nodes, sizeof(infos[0]));
}

static inline void put_entries(const flow_builder *b, built_blob *blob, ct_flow_resource *r) {
    ct_flow_entry entries[MOST_NODES];
    uint32_t count = 0;
    for (uint32_t i = 1; i <= b->num_nodes; ++i) {
        const built_node *const n = &b->nodes[i];
        if (n->type->kind != CT_FLOW_NODE_ENTRY && n->type->role != CT_FLOW_ROLE_GRAPH_OUTPUT)
            continue;
        const ct_flow_entry entry = {.kind = ct_string_id32_of(n->type->name),
                                     .key = ct_string_id32_of(n->key),
                                     .node = n->position,
                                     .event = ct_flow_count_slots(n->type, CT_FLOW_SLOT_EVENT_IN)};
        uint32_t at = count++;
        for (; at > 0 && (entries[at - 1].kind.value > entry.kind.value ||
                          (entries[at - 1].kind.value == entry.kind.value &&
                           entries[at - 1].key.value > entry.key.value));
             --at)
            entries[at] = entries[at - 1];
        entries[at] = entry;
        if (strcmp(n->type->name, "level_update") == 0)
            r->flags = CT_FLOW_UPDATES;
    }
    r->entries = put(blob, entries, count, sizeof(entries[0]));
}

static inline void put_variables(const flow_builder *b, built_blob *blob, ct_flow_resource *r) {
    ct_flow_variable variables[8];
    for (uint32_t i = 0; i < b->num_variables; ++i)
        variables[b->variables[i].order] = (ct_flow_variable){
            .name_text = put_text(blob, b->variables[i].name),
            .name = ct_string_id32_of(b->variables[i].name),
            .type = b->variables[i].type,
            .offset = b->variables[i].output_node
                          ? output_offset(b, b->variables[i].output_node, b->variables[i].output)
                          : b->variables[i].offset,
            .flags = b->variables[i].output_node ? CT_FLOW_VARIABLE_OUTPUT | CT_FLOW_VARIABLE_SHARED
                                                 : 0};
    r->variables = put(blob, variables, b->num_variables, sizeof(variables[0]));
}

static inline void put_initials(const flow_builder *b, built_blob *blob, ct_flow_resource *r) {
    ct_flow_initial initials[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->num_variables; ++i) {
        if (b->variables[i].initial)
            initials[count++] = (ct_flow_initial){.offset = b->variables[i].offset,
                                                  .type = b->variables[i].type,
                                                  .place = b->variables[i].initial};
    }
    for (uint32_t i = 0; i < b->num_level_units; ++i)
        initials[count++] =
            (ct_flow_initial){.offset = b->first_level_unit + i * CT_FLOW_VALUE_BYTES,
                              .type = CT_FLOW_TYPE_UNIT,
                              .level_unit = b->level_units[i]};
    r->initials = put(blob, initials, count, sizeof(initials[0]));
}

// Makes the blob, which is valid, from the test's heap.
static inline ct_flow_resource *build_graph(flow_builder *b) {
    enum { BLOB_BYTES = 64 * 1024 };
    built_blob blob = {ct_alloc_zero(test_heap(), BLOB_BYTES), sizeof(ct_flow_resource),
                       BLOB_BYTES};
    ct_flow_resource *const r = (void *)blob.bytes;
    r->dynamic_bytes = lay_out(b);
    for (uint32_t n = 1; n <= b->num_nodes; ++n)
        write_node(b, n);
    put_types(b, &blob, r);
    put_infos(b, &blob, r, r->dynamic_bytes);
    r->program = put(&blob, b->program, b->num_program, 4);
    r->links = put(&blob, b->links_out, b->num_links_out, 4);
    r->pures = put(&blob, b->pures, b->num_pures, 4);
    r->numbers = put(&blob, b->numbers, b->num_numbers, 8);
    r->words = put(&blob, b->words, b->num_words, 4);
    r->texts = put(&blob, b->texts, b->text_bytes, 1);
    put_entries(b, &blob, r);
    put_variables(b, &blob, r);
    put_initials(b, &blob, r);
    r->header.size_bytes = blob.num_bytes;
    ct_error error = {0};
    if (!ct_flow_validate(r, &error))
        fail_msg("%s", error.message);
    return r;
}

// --- The world -----------------------------------------------------------------------------------

typedef struct flow_fixture {
    world_fixture world;
    ct_flow_system *system;
    ct_flow_world *flow;
    ct_flow_resource *blobs[8];
    uint32_t num_blobs;
} flow_fixture;

static inline flow_fixture start_flow(void) {
    flow_fixture f = {.world = start_world()};
    ct_world_destroy(f.world.world);
    f.system = ct_flow_system_create(&(ct_flow_system_desc){
        .allocator = f.world.allocator, .resources = f.world.resources, .worlds = f.world.system});
    ct_flow_system_add_functions(f.system, own_functions, CT_COUNT_OF(own_functions));
    f.world.world = ct_world_create(f.world.system);
    f.flow = ct_flow_world_of(f.system, f.world.world);
    notes = (struct notes){0};
    note_also = NULL;
    num_ticks = 0;
    return f;
}

static inline void stop_flow(flow_fixture *f) {
    end_world_resources(&f->world);
    ct_flow_system_destroy(f->system);
    end_world_renderer(&f->world);
    for (uint32_t i = 0; i < f->num_blobs; ++i)
        ct_free(test_heap(), f->blobs[i]);
    ct_proxy_allocator_destroy(f->world.allocator);
}

// Loads what was built under a name, or in place of what has the name.
static inline void load_graph(flow_fixture *f, const char *name, flow_builder *b) {
    ct_flow_resource *const r = build_graph(b);
    f->blobs[f->num_blobs++] = r;
    ct_flow_graph_online(f->system, ct_string_id64_of(name), r);
}

static inline ct_flow_instance make_instance(flow_fixture *f, const char *name) {
    ct_flow_instance i = {0};
    ct_error error = {0};
    if (!ct_flow_create(f->flow, ct_string_id64_of(name), NULL, (ct_level){0}, 1, &i, &error))
        fail_msg("%s", error.message);
    return i;
}

// Builds, loads and makes one.
static inline ct_flow_instance make_graph(flow_fixture *f, flow_builder *b) {
    load_graph(f, "test", b);
    return make_instance(f, "test");
}

// Starts the external in event of a name.
static inline uint32_t start_event(flow_fixture *f, ct_flow_instance i, const char *name) {
    return ct_flow_start(f->flow, i, ct_string_id32_of("external_in_event"),
                         ct_string_id32_of(name), NULL, NULL);
}

static inline void advance(flow_fixture *f, double seconds) {
    ct_world_advance(f->world.world, seconds);
}

static inline ct_flow_value *variable_of(flow_fixture *f, ct_flow_instance i, const char *name) {
    ct_flow_type type;
    ct_flow_value *const value = ct_flow_find_variable(f->flow, i, ct_string_id32_of(name), &type);
    assert_non_null(value);
    return value;
}

// How often an error of a node was logged.
static inline uint64_t num_errors(void) {
    return ct_log_error_count_of("flow_node");
}
