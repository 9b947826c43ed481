// Replaces passages by what goes through them, and pure nodes with constant inputs by their results.
#include <string.h>

#include "compiler/types/flow/worker_flow.h"
#include "resource/types/flow/flow_pure.h"

// --- Passages ------------------------------------------------------------------------------------

// What an input reads, once all that it needs were folded.
static ct_worker_flow_source resolve(const ct_worker_flow *b, ct_worker_flow_source link) {
    if (link.kind != CT_WORKER_FLOW_SOURCE_NODE)
        return link;
    const ct_worker_flow_node *const n = &b->nodes.items[link.index];
    if (n->is_passage)
        return n->passed;
    if (n->first_folded == CT_WORKER_FLOW_NONE)
        return link;
    return (ct_worker_flow_source){.kind = CT_WORKER_FLOW_SOURCE_CONSTANT,
                                   .type = link.type,
                                   .index = n->first_folded + link.output};
}

static ct_worker_flow_source passing_source(const ct_worker_flow *b, const ct_worker_flow_node *n) {
    const uint32_t input = ct_worker_flow_passing_input(n->type);
    return input == CT_WORKER_FLOW_NONE ? (ct_worker_flow_source){.type = CT_FLOW_TYPE_ANY}
                                        : b->inputs.items[n->first_input + input].source;
}

// A unit of the level, by the text of its id.
static ct_worker_flow_source unit_source(const ct_worker_flow *b, const ct_worker_flow_node *n) {
    const ct_worker_flow_source id = passing_source(b, n);
    const char *const text =
        id.kind == CT_WORKER_FLOW_SOURCE_CONSTANT ? b->constants.items[id.index].text : NULL;
    const uint32_t number = text ? ct_string_id32_of(text).value : 0;
    return (ct_worker_flow_source){.kind = number ? CT_WORKER_FLOW_SOURCE_UNIT
                                                  : CT_WORKER_FLOW_SOURCE_NONE,
                                   .type = CT_FLOW_TYPE_UNIT,
                                   .index = number};
}

static ct_worker_flow_source variable_source(const ct_worker_flow *b,
                                             const ct_worker_flow_node *n) {
    return (ct_worker_flow_source){.kind = CT_WORKER_FLOW_SOURCE_VARIABLE,
                                   .type = b->variables.items[n->variable].type,
                                   .index = n->variable};
}

static ct_worker_flow_source passed_by(const ct_worker_flow *b, const ct_worker_flow_node *n) {
    switch ((ct_flow_node_role)n->type->role) {
    case CT_FLOW_ROLE_GET_VARIABLE:
        return variable_source(b, n);
    case CT_FLOW_ROLE_LEVEL_UNIT:
        return unit_source(b, n);
    case CT_FLOW_ROLE_GRAPH_INPUT:
        return n->variable != CT_WORKER_FLOW_NONE
                   ? variable_source(b, n)
                   : b->inputs.items[n->first_input + n->num_inputs - 1].source;
    case CT_FLOW_ROLE_GRAPH_EVENT_IN:
    case CT_FLOW_ROLE_GRAPH_EVENT_OUT:
        return (ct_worker_flow_source){.type = CT_FLOW_TYPE_ANY};
    default:
        return passing_source(b, n);
    }
}

// --- Folding -------------------------------------------------------------------------------------

// A call of a pure node outside of an instance.
typedef struct fold_call {
    uint32_t words[sizeof(ct_flow_node) / 4 + 4 * CT_FLOW_MAX_SLOTS];
    _Alignas(16) uint8_t data[CT_FLOW_VALUE_BYTES * CT_FLOW_MAX_SLOTS +
                              (CT_FLOW_VALUE_BYTES + CT_FLOW_STRING_BYTES) * CT_FLOW_MAX_SLOTS];
    ct_byte_array texts;
} fold_call;

static void add_input(ct_worker_flow *b, fold_call *call, ct_flow_node *node, uint32_t number,
                      const ct_worker_flow_source *source) {
    const ct_worker_flow_constant *const constant = &b->constants.items[source->index];
    ct_flow_value value = constant->value;
    const uint32_t offset = number * CT_FLOW_VALUE_BYTES;
    if (constant->type == CT_FLOW_TYPE_STRING) {
        value.string = (ct_flow_string){call->texts.count, constant->text_bytes};
        ct_array_push_many(&call->texts, (const uint8_t *)constant->text, constant->text_bytes);
        ct_array_push(&call->texts, 0);
    }
    memcpy(call->data + offset, &value, sizeof(value));
    node->slots[2 * number] = CT_FLOW_PLACE(CT_FLOW_REGION_DYNAMIC, offset);
    node->slots[2 * number + 1] = (uint32_t)constant->type;
}

static void add_result(ct_worker_flow *b, const fold_call *call, uint32_t offset,
                       ct_flow_type type) {
    ct_worker_flow_constant constant = {.type = type};
    memcpy(&constant.value, call->data + offset, sizeof(constant.value));
    if (type == CT_FLOW_TYPE_STRING) {
        const ct_flow_string s = constant.value.string;
        const char *const text =
            s.start & CT_FLOW_STRING_IS_DYNAMIC
                ? (const char *)call->data + (s.start & ~CT_FLOW_STRING_IS_DYNAMIC)
                : (const char *)call->texts.items + s.start;
        constant.text = ct_compile_text(b->c, "%.*s", (int)s.length, text);
        constant.text_bytes = (uint32_t)strlen(constant.text);
        constant.value = (ct_flow_value){.number = 0};
    }
    ct_array_push(&b->constants, constant);
}

static bool is_constant(const ct_worker_flow *b, const ct_worker_flow_node *n) {
    bool is_constant = n->num_inputs <= CT_FLOW_MAX_SLOTS;
    for (uint32_t i = 0; i < n->num_inputs; ++i)
        is_constant &=
            b->inputs.items[n->first_input + i].source.kind == CT_WORKER_FLOW_SOURCE_CONSTANT;
    return is_constant;
}

static void run(ct_worker_flow *b, ct_worker_flow_node *n, ct_flow_function function) {
    fold_call *const call = CT_NEW(b->c->allocator, fold_call);
    ct_flow_node *const node = (ct_flow_node *)call->words;
    const uint32_t num_outputs = ct_flow_count_slots(n->type, CT_FLOW_SLOT_OUTPUT);
    ct_array_init(&call->texts, b->c->allocator);
    ct_array_push(&call->texts, 0);
    node->pures = CT_FLOW_NONE;
    node->first_output = 2 * n->num_inputs;
    node->first_event = node->num_slots = node->first_output + num_outputs;
    for (uint32_t i = 0; i < n->num_inputs; ++i)
        add_input(b, call, node, i, &b->inputs.items[n->first_input + i].source);
    const uint32_t first = CT_FLOW_MAX_SLOTS * CT_FLOW_VALUE_BYTES;
    for (uint32_t i = 0; i < num_outputs; ++i)
        node->slots[node->first_output + i] =
            first + i * (CT_FLOW_VALUE_BYTES + CT_FLOW_STRING_BYTES);
    ct_flow_call c = {.texts = (const char *)call->texts.items, .node = node};
    for (uint32_t i = 0; i < CT_FLOW_REGION_COUNT; ++i)
        c.bases[i] = call->data;
    function(&c, 0);
    n->first_folded = b->constants.count;
    for (uint32_t i = 0; i < num_outputs; ++i)
        add_result(b, call, node->slots[node->first_output + i],
                   (ct_flow_type)ct_flow_slot_at(n->type, CT_FLOW_SLOT_OUTPUT, i)->type);
    ct_array_free(&call->texts);
    ct_free(b->c->allocator, call);
}

void ct_worker_flow_fold(ct_worker_flow *b) {
    for (uint32_t i = 0; i < b->order.count; ++i) {
        ct_worker_flow_node *const n = &b->nodes.items[b->order.items[i]];
        for (uint32_t k = 0; k < n->num_inputs; ++k) {
            ct_worker_flow_input *const input = &b->inputs.items[n->first_input + k];
            input->source = resolve(b, input->link);
        }
        if (n->is_passage) {
            n->passed = passed_by(b, n);
        } else if (n->type->is_foldable && is_constant(b, n)) {
            const ct_flow_function function = ct_flow_find_pure(n->type->name);
            if (function)
                run(b, n, function);
        }
    }
}
