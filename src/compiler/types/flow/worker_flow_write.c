// Writes the blob: constants, the program, its lists, and what names them.
#include <stdlib.h>
#include <string.h>

#include "compiler/types/flow/worker_flow.h"

typedef struct flow_writer {
    ct_worker_flow *b;
    CT_ARRAY(const ct_flow_node_type *) types;
    ct_hash_map type_numbers; // by the address of the description
    ct_u64_array numbers;
    ct_u32_array words;
    ct_byte_array texts;
    ct_hash_map number_places, word_places, text_places;
    ct_u32_array program, links, pures;
    CT_ARRAY(ct_flow_initial) initials;
    CT_ARRAY(ct_flow_entry) entries;
    ct_u32_array stamps;    // by node: the last kept node whose pures it was put in, plus 1
    ct_u32_array positions; // by node: in `order`
    bool is_too_long;
} flow_writer;

// --- Constants -----------------------------------------------------------------------------------

static uint32_t add_number(flow_writer *w, uint64_t bits) {
    const uint64_t *const found = ct_hash_map_find(&w->number_places, bits);
    if (found)
        return (uint32_t)*found;
    const uint32_t place = CT_FLOW_PLACE(CT_FLOW_REGION_NUMBERS, 8 * w->numbers.count);
    ct_array_push(&w->numbers, bits);
    ct_hash_map_set(&w->number_places, bits, place);
    return place;
}

static uint32_t add_words(flow_writer *w, const void *data, uint32_t count) {
    uint32_t words[4];
    memcpy(words, data, count * sizeof(uint32_t));
    const uint64_t hash = ct_string_id64_of_bytes(words, count * sizeof(uint32_t)).value + count;
    const uint64_t *const found = ct_hash_map_find(&w->word_places, hash);
    if (found && *found + count <= w->words.count &&
        memcmp(w->words.items + *found, words, count * sizeof(uint32_t)) == 0)
        return CT_FLOW_PLACE(CT_FLOW_REGION_WORDS, 4 * (uint32_t)*found);
    const uint32_t first = w->words.count;
    ct_array_push_many(&w->words, words, count);
    ct_hash_map_set(&w->word_places, hash, first);
    return CT_FLOW_PLACE(CT_FLOW_REGION_WORDS, 4 * first);
}

static uint32_t add_text(flow_writer *w, const char *text, uint32_t bytes) {
    if (bytes == 0)
        return 0;
    const uint64_t hash = ct_string_id64_of_bytes(text, bytes).value;
    const uint64_t *const found = ct_hash_map_find(&w->text_places, hash);
    if (found && strcmp((const char *)w->texts.items + *found, text) == 0)
        return (uint32_t)*found;
    const uint32_t first = w->texts.count;
    ct_array_push_many(&w->texts, (const uint8_t *)text, bytes);
    ct_array_push(&w->texts, 0);
    ct_hash_map_set(&w->text_places, hash, first);
    return first;
}

static uint32_t add_constant(flow_writer *w, const ct_worker_flow_constant *c) {
    switch (c->type) {
    case CT_FLOW_TYPE_BOOL:
        return add_words(w, &c->value.is_true, 1);
    case CT_FLOW_TYPE_VECTOR3:
        return add_words(w, c->value.floats, 3);
    case CT_FLOW_TYPE_QUATERNION:
        return add_words(w, c->value.floats, 4);
    case CT_FLOW_TYPE_STRING: {
        const ct_flow_string s = {add_text(w, c->text, c->text_bytes), c->text_bytes};
        return add_words(w, &s, 2);
    }
    default: // numbers and ids
        return add_number(w, c->value.id);
    }
}

// --- Lists ---------------------------------------------------------------------------------------

static void push_word(flow_writer *w, ct_u32_array *words, uint32_t word) {
    if (words->count >= CT_WORKER_FLOW_MAX_WORDS)
        w->is_too_long = true;
    else
        ct_array_push(words, word);
}

// Adds what a passage of events leads to, in the order of the links.
static uint32_t add_links(flow_writer *w, uint32_t node, uint32_t event_out, uint32_t depth) {
    enum { MOST_PASSAGES = 1000 };
    const ct_worker_flow *const b = w->b;
    uint32_t count = 0;
    if (depth > MOST_PASSAGES) {
        if (!w->is_too_long)
            ct_worker_flow_error(w->b, node,
                                 "an event goes through more than %d external events without a "
                                 "node between them",
                                 (int)MOST_PASSAGES);
        w->is_too_long = true;
    }
    for (uint32_t i = b->first_events.items[node];
         i < b->first_events.items[node + 1] && !w->is_too_long; ++i) {
        const ct_worker_flow_event *const e = &b->events.items[i];
        const ct_worker_flow_node *const to = &b->nodes.items[e->to];
        if (e->out != event_out)
            continue;
        if (to->is_passage) {
            count += add_links(w, e->to, 0, depth + 1);
        } else if (to->is_kept) {
            push_word(w, &w->links, to->program);
            push_word(w, &w->links, e->in);
            ++count;
        }
    }
    return count;
}

// Returns the position of the list of an event out; NONE: it leads nowhere.
static uint32_t add_event(flow_writer *w, uint32_t node, uint32_t event_out) {
    const uint32_t first = w->links.count;
    push_word(w, &w->links, 0);
    const uint32_t count = add_links(w, node, event_out, 0);
    if (count == 0) {
        w->links.count = first;
        return CT_FLOW_NONE;
    }
    w->links.items[first] = count;
    return first;
}

static int compare_words(const void *a, const void *b) {
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

// Puts the pure nodes that `node` needs, also through others, into `found` as positions in `order`.
static void find_pures(flow_writer *w, uint32_t node, uint32_t stamp, ct_u32_array *found) {
    const ct_worker_flow *const b = w->b;
    ct_u32_array waiting;
    ct_array_init(&waiting, b->c->allocator);
    ct_array_push(&waiting, node);
    while (waiting.count > 0) {
        const ct_worker_flow_node *const n = &b->nodes.items[waiting.items[--waiting.count]];
        for (uint32_t i = n->first_input; i < n->first_input + n->num_inputs; ++i) {
            const ct_worker_flow_source *const s = &b->inputs.items[i].source;
            if (s->kind != CT_WORKER_FLOW_SOURCE_NODE ||
                !ct_worker_flow_is_evaluated(b, s->index) || w->stamps.items[s->index] == stamp)
                continue;
            w->stamps.items[s->index] = stamp;
            ct_array_push(&waiting, s->index);
            ct_array_push(found, w->positions.items[s->index]);
        }
    }
    ct_array_free(&waiting);
}

static uint32_t add_pures(flow_writer *w, uint32_t node, uint32_t stamp) {
    const ct_worker_flow *const b = w->b;
    ct_u32_array found;
    ct_array_init(&found, b->c->allocator);
    find_pures(w, node, stamp, &found);
    uint32_t first = CT_FLOW_NONE;
    if (found.count > 0) {
        qsort(found.items, found.count, sizeof(uint32_t), compare_words);
        first = w->pures.count;
        push_word(w, &w->pures, found.count);
        for (uint32_t i = 0; i < found.count; ++i)
            push_word(w, &w->pures, b->nodes.items[b->order.items[found.items[i]]].program);
    }
    ct_array_free(&found);
    return first;
}

// --- The program ---------------------------------------------------------------------------------

static uint32_t type_number(flow_writer *w, const ct_flow_node_type *type) {
    const uint64_t key = (uint64_t)(uintptr_t)type;
    const uint64_t *const found = ct_hash_map_find(&w->type_numbers, key);
    if (found)
        return (uint32_t)*found;
    ct_hash_map_set(&w->type_numbers, key, w->types.count);
    ct_array_push(&w->types, type);
    return w->types.count - 1;
}

static uint32_t count_outputs(const ct_worker_flow_node *n) {
    return ct_flow_count_slots(n->type, CT_FLOW_SLOT_OUTPUT) +
           (n->type->role == CT_FLOW_ROLE_SET_VARIABLE);
}

// Inputs of the type: passages that came from outside have one more, but are not in the program.
static uint32_t count_words(const ct_worker_flow_node *n) {
    return (uint32_t)(sizeof(ct_flow_node) / 4) + 2 * n->num_inputs + count_outputs(n) +
           ct_flow_count_slots(n->type, CT_FLOW_SLOT_EVENT_OUT);
}

static void write_input(flow_writer *w, const ct_worker_flow_input *input) {
    const ct_worker_flow_source *const s = &input->source;
    const bool is_none = s->kind == CT_WORKER_FLOW_SOURCE_NONE;
    ct_flow_type type = input->type;
    if (type == CT_FLOW_TYPE_ANY)
        type = is_none ? CT_FLOW_TYPE_EVENT : s->type;
    uint32_t place = CT_FLOW_ZEROS;
    if (s->kind == CT_WORKER_FLOW_SOURCE_CONSTANT)
        place = add_constant(w, &w->b->constants.items[s->index]);
    else if (type != CT_FLOW_TYPE_EVENT)
        place = ct_worker_flow_dynamic_offset(w->b, s);
    push_word(w, &w->program, place);
    push_word(w, &w->program, (uint32_t)type);
}

static void write_node(flow_writer *w, uint32_t info) {
    ct_worker_flow *const b = w->b;
    const uint32_t node = b->kept.items[info];
    ct_worker_flow_node *const n = &b->nodes.items[node];
    const uint32_t first_output = 2 * n->num_inputs;
    const uint32_t first_event = first_output + count_outputs(n);
    const uint32_t num_events = ct_flow_count_slots(n->type, CT_FLOW_SLOT_EVENT_OUT);
    const bool is_pure =
        n->type->kind == CT_FLOW_NODE_PURE && n->type->role != CT_FLOW_ROLE_GRAPH_OUTPUT;
    const ct_flow_node head = {
        .type = type_number(w, n->type),
        .info = info,
        .state = n->state,
        .pures = is_pure ? CT_FLOW_NONE : add_pures(w, node, info + 1),
        .first_output = first_output,
        .first_event = first_event,
        .num_slots = first_event + num_events,
    };
    const uint32_t words[] = {head.type,         head.info,        head.state,    head.pures,
                              head.first_output, head.first_event, head.num_slots};
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i)
        push_word(w, &w->program, words[i]);
    for (uint32_t i = 0; i < n->num_inputs; ++i)
        write_input(w, &b->inputs.items[n->first_input + i]);
    for (uint32_t i = 0; i < count_outputs(n); ++i)
        push_word(w, &w->program, b->places.items[n->first_place + i]);
    for (uint32_t i = 0; i < num_events; ++i)
        push_word(w, &w->program, add_event(w, node, i));
}

static bool write_program(flow_writer *w) {
    ct_worker_flow *const b = w->b;
    uint64_t words = 0;
    for (uint32_t i = 0; i < b->kept.count; ++i) {
        ct_worker_flow_node *const n = &b->nodes.items[b->kept.items[i]];
        n->program = (uint32_t)words;
        words += count_words(n);
    }
    ct_array_resize(&w->stamps, (uint64_t)b->nodes.count);
    ct_array_resize(&w->positions, (uint64_t)b->nodes.count);
    for (uint32_t i = 0; i < b->order.count; ++i)
        w->positions.items[b->order.items[i]] = i;
    for (uint32_t i = 0; i < b->kept.count && !w->is_too_long; ++i)
        write_node(w, i);
    if (w->is_too_long && ct_compile_error_count(b->c) == 0)
        ct_compile_error(b->c, b->c->doc, b->scopes.items[0].source.nodes,
                         "the graph is too large: its lists of links and of nodes to evaluate have "
                         "more than %d words; split the graph",
                         (int)CT_WORKER_FLOW_MAX_WORDS);
    return !w->is_too_long;
}

// --- Entries and initial values ------------------------------------------------------------------

static int compare_entries(const void *a, const void *b) {
    const ct_flow_entry *const left = a;
    const ct_flow_entry *const right = b;
    if (left->kind.value != right->kind.value)
        return left->kind.value < right->kind.value ? -1 : 1;
    if (left->key.value != right->key.value)
        return left->key.value < right->key.value ? -1 : 1;
    return (left->node > right->node) - (left->node < right->node); // the program is by rank
}

static void add_entries(flow_writer *w) {
    const ct_worker_flow *const b = w->b;
    for (uint32_t i = 0; i < b->kept.count; ++i) {
        const ct_worker_flow_node *const n = &b->nodes.items[b->kept.items[i]];
        if (n->type->kind != CT_FLOW_NODE_ENTRY && n->type->role != CT_FLOW_ROLE_GRAPH_OUTPUT)
            continue;
        const ct_flow_entry entry = {.kind = ct_string_id32_of(n->type->name),
                                     .key =
                                         n->name ? ct_string_id32_of(n->name) : (ct_string_id32){0},
                                     .node = n->program,
                                     .event = ct_flow_count_slots(n->type, CT_FLOW_SLOT_EVENT_IN)};
        ct_array_push(&w->entries, entry);
    }
    if (w->entries.count > 0)
        qsort(w->entries.items, w->entries.count, sizeof(ct_flow_entry), compare_entries);
}

static bool is_zero(const ct_worker_flow_constant *c) {
    static const ct_flow_value zero;
    return c->text_bytes == 0 && memcmp(&c->value, &zero, sizeof(zero)) == 0;
}

static void add_initials(flow_writer *w) {
    ct_worker_flow *const b = w->b;
    for (uint32_t i = 0; i < b->variables.count; ++i) {
        const ct_worker_flow_variable *const v = &b->variables.items[i];
        if (v->constant == CT_WORKER_FLOW_NONE || is_zero(&b->constants.items[v->constant]))
            continue;
        const ct_flow_initial initial = {.offset = v->offset,
                                         .type = (uint32_t)v->type,
                                         .place =
                                             add_constant(w, &b->constants.items[v->constant])};
        ct_array_push(&w->initials, initial);
    }
    for (uint32_t i = 0; i < b->units.count; ++i) {
        const ct_flow_initial initial = {.offset = b->units.items[i].offset,
                                         .type = CT_FLOW_TYPE_UNIT,
                                         .level_unit = b->units.items[i].id};
        ct_array_push(&w->initials, initial);
    }
}

// Whether the graph has nodes that run in each step.
static bool has_updates(const flow_writer *w) {
    for (uint32_t i = 0; i < w->types.count; ++i) {
        if (w->types.items[i]->is_polled)
            return true;
    }
    return false;
}

// --- The blob ------------------------------------------------------------------------------------

static ct_blob_string write_text(ct_blob_writer *blob, const char *text) {
    return ct_blob_write_string(blob, text, strlen(text));
}

ct_blob_array ct_worker_flow_write_slots(ct_compile *c, const ct_flow_node_type *node) {
    uint32_t count = 0;
    while (node->slots[count].name)
        ++count;
    const ct_blob_array array = ct_blob_reserve_items(&c->blob, &ct_flow_used_slot_layout, count);
    ct_flow_used_slot *const slots =
        CT_NEW_ARRAY(c->allocator, ct_flow_used_slot, (uint64_t)count + 1);
    for (uint32_t i = 0; i < count; ++i)
        slots[i] = (ct_flow_used_slot){.name = write_text(&c->blob, node->slots[i].name),
                                       .kind = node->slots[i].kind,
                                       .type = node->slots[i].type};
    ct_blob_fill_items(&c->blob, &ct_flow_used_slot_layout, array, slots);
    return array;
}

static ct_blob_array write_types(const flow_writer *w, ct_blob_writer *blob) {
    const ct_blob_array array =
        ct_blob_reserve_items(blob, &ct_flow_used_type_layout, w->types.count);
    ct_flow_used_type *const used =
        CT_NEW_ARRAY(w->b->c->allocator, ct_flow_used_type, (uint64_t)w->types.count + 1);
    for (uint32_t i = 0; i < w->types.count; ++i) {
        const ct_flow_node_type *const t = w->types.items[i];
        used[i] =
            (ct_flow_used_type){.name = write_text(blob, t->name),
                                .num_inputs = ct_flow_count_slots(t, CT_FLOW_SLOT_INPUT),
                                .num_outputs = ct_flow_count_slots(t, CT_FLOW_SLOT_OUTPUT),
                                .num_events_in = ct_flow_count_slots(t, CT_FLOW_SLOT_EVENT_IN),
                                .num_events_out = ct_flow_count_slots(t, CT_FLOW_SLOT_EVENT_OUT),
                                .state_bytes = t->state_bytes};
        if (t->function) {
            used[i].function = write_text(blob, t->function);
            used[i].slots = ct_worker_flow_write_slots(w->b->c, t);
        }
    }
    ct_blob_fill_items(blob, &ct_flow_used_type_layout, array, used);
    return array;
}

static uint64_t read_u64(const uint8_t *bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < 8; ++i)
        value = value << 8 | bytes[i];
    return value;
}

static ct_blob_array write_infos(const ct_worker_flow *b, ct_blob_writer *blob) {
    const ct_blob_array array =
        ct_blob_reserve_items(blob, &ct_flow_node_info_layout, b->kept.count);
    ct_flow_node_info *const infos =
        CT_NEW_ARRAY(b->c->allocator, ct_flow_node_info, (uint64_t)b->kept.count + 1);
    for (uint32_t i = 0; i < b->kept.count; ++i) {
        const ct_worker_flow_node *const n = &b->nodes.items[b->kept.items[i]];
        const char *const path =
            ct_compile_text(b->c, "%s%s %s", b->scopes.items[n->scope].path, n->type->name, n->id);
        infos[i] = (ct_flow_node_info){.id = {read_u64(n->guid.bytes), read_u64(n->guid.bytes + 8)},
                                       .path = write_text(blob, path),
                                       .node = n->program,
                                       .first_byte = n->first_byte,
                                       .num_bytes = n->num_bytes};
    }
    ct_blob_fill_items(blob, &ct_flow_node_info_layout, array, infos);
    return array;
}

static ct_blob_array write_variables(const ct_worker_flow *b, ct_blob_writer *blob) {
    const ct_blob_array array =
        ct_blob_reserve_items(blob, &ct_flow_variable_layout, b->variables.count);
    ct_flow_variable *const out =
        CT_NEW_ARRAY(b->c->allocator, ct_flow_variable, (uint64_t)b->variables.count + 1);
    for (uint32_t i = 0; i < b->variables.count; ++i) {
        const ct_worker_flow_variable *const v = &b->variables.items[i];
        out[i] = (ct_flow_variable){.name_text = write_text(blob, v->full_name),
                                    .name = ct_string_id32_of(v->full_name),
                                    .type = (uint32_t)v->type,
                                    .offset = v->offset,
                                    .flags = v->flags};
    }
    ct_blob_fill_items(blob, &ct_flow_variable_layout, array, out);
    return array;
}

static void write_blob(const flow_writer *w) {
    const ct_worker_flow *const b = w->b;
    ct_blob_writer *const blob = &b->c->blob;
    ct_flow_resource r = {.dynamic_bytes = b->dynamic_bytes,
                          .flags = has_updates(w) ? CT_FLOW_UPDATES : 0};
    ct_blob_begin(blob, &ct_flow_layout);
    r.types = write_types(w, blob);
    r.infos = write_infos(b, blob);
    r.program = ct_blob_write_items(blob, &ct_blob_u32_layout, w->program.items, w->program.count);
    r.links = ct_blob_write_items(blob, &ct_blob_u32_layout, w->links.items, w->links.count);
    r.pures = ct_blob_write_items(blob, &ct_blob_u32_layout, w->pures.items, w->pures.count);
    r.numbers = ct_blob_write_items(blob, &ct_blob_u64_layout, w->numbers.items, w->numbers.count);
    r.words = ct_blob_write_items(blob, &ct_blob_u32_layout, w->words.items, w->words.count);
    r.texts = ct_blob_write_items(blob, &ct_blob_u8_layout, w->texts.items, w->texts.count);
    r.initials =
        ct_blob_write_items(blob, &ct_flow_initial_layout, w->initials.items, w->initials.count);
    r.entries =
        ct_blob_write_items(blob, &ct_flow_entry_layout, w->entries.items, w->entries.count);
    r.variables = write_variables(b, blob);
    ct_blob_end(blob, &ct_flow_layout, &r);
}

bool ct_worker_flow_write(ct_worker_flow *b) {
    ct_allocator *const a = b->c->allocator;
    flow_writer w = {.b = b,
                     .types = {.allocator = a},
                     .type_numbers = {.allocator = a},
                     .numbers = {.allocator = a},
                     .words = {.allocator = a},
                     .texts = {.allocator = a},
                     .number_places = {.allocator = a},
                     .word_places = {.allocator = a},
                     .text_places = {.allocator = a},
                     .program = {.allocator = a},
                     .links = {.allocator = a},
                     .pures = {.allocator = a},
                     .initials = {.allocator = a},
                     .entries = {.allocator = a},
                     .stamps = {.allocator = a},
                     .positions = {.allocator = a}};
    ct_array_push(&w.texts, 0); // the empty text
    if (!write_program(&w))
        return false;
    add_entries(&w);
    add_initials(&w);
    write_blob(&w);
    return true;
}
