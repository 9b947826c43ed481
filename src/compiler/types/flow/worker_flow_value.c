// Values of inputs and variables: what the source gives, and defaults.
#include <math.h>
#include <string.h>

#include "compiler/types/flow/worker_flow.h"

// --- Values of a source --------------------------------------------------------------------------

// What to write, for messages.
static const char *wanted(ct_flow_type type) {
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        return "true or false";
    case CT_FLOW_TYPE_NUMBER:
        return "a number";
    case CT_FLOW_TYPE_VECTOR3:
        return "a vector [x y z]";
    case CT_FLOW_TYPE_QUATERNION:
        return "a rotation [x y z w]";
    case CT_FLOW_TYPE_STRING:
        return "a string";
    case CT_FLOW_TYPE_ID:
        return "a string, whose id it is";
    case CT_FLOW_TYPE_ANY:
        return "true, false, a number, a string, [x y z] or [x y z w]";
    default:
        return "no value";
    }
}

// Reads `count` numbers of an array that has that many.
static bool read_floats(const ct_sjson *doc, ct_sjson_value v, uint32_t count, float *floats) {
    if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_ARRAY || ct_sjson_count(doc, v) != count)
        return false;
    for (ct_sjson_value e = ct_sjson_first(doc, v); e.entry; e = ct_sjson_next(doc, e)) {
        const double number = ct_sjson_number(doc, e, (double)NAN);
        if (!(fabs(number) <= 3.4e38)) // NaN too
            return false;
        *floats++ = (float)number;
    }
    return true;
}

static bool read_rotation(const ct_sjson *doc, ct_sjson_value v, float *q) {
    if (!read_floats(doc, v, 4, q))
        return false;
    double length = 0;
    for (uint32_t i = 0; i < 4; ++i)
        length += (double)q[i] * (double)q[i];
    length = sqrt(length);
    if (!(length > 1e-12))
        return false;
    for (uint32_t i = 0; i < 4; ++i)
        q[i] = (float)((double)q[i] / length);
    return true;
}

static ct_flow_type type_of_value(const ct_sjson *doc, ct_sjson_value v) {
    switch (ct_sjson_type_of(doc, v)) {
    case CT_SJSON_TYPE_BOOL:
        return CT_FLOW_TYPE_BOOL;
    case CT_SJSON_TYPE_NUMBER:
        return CT_FLOW_TYPE_NUMBER;
    case CT_SJSON_TYPE_STRING:
        return CT_FLOW_TYPE_STRING;
    case CT_SJSON_TYPE_ARRAY:
        return ct_sjson_count(doc, v) == 4 ? CT_FLOW_TYPE_QUATERNION : CT_FLOW_TYPE_VECTOR3;
    default:
        return CT_FLOW_TYPE_ANY;
    }
}

static bool read_text(const ct_sjson *doc, ct_sjson_value v, ct_worker_flow_constant *out) {
    out->text = ct_sjson_string(doc, v, NULL);
    out->text_bytes = ct_sjson_string_bytes(doc, v);
    return out->text && strlen(out->text) == out->text_bytes;
}

static bool read_as(const ct_sjson *doc, ct_sjson_value v, ct_worker_flow_constant *out) {
    const ct_sjson_type found = ct_sjson_type_of(doc, v);
    switch (out->type) {
    case CT_FLOW_TYPE_BOOL:
        out->value.is_true = ct_sjson_bool(doc, v, false);
        return found == CT_SJSON_TYPE_BOOL;
    case CT_FLOW_TYPE_NUMBER:
        out->value.number = ct_sjson_number(doc, v, 0);
        return found == CT_SJSON_TYPE_NUMBER;
    case CT_FLOW_TYPE_VECTOR3:
        return read_floats(doc, v, 3, out->value.floats);
    case CT_FLOW_TYPE_QUATERNION:
        return read_rotation(doc, v, out->value.floats);
    case CT_FLOW_TYPE_STRING:
        return read_text(doc, v, out);
    case CT_FLOW_TYPE_ID:
        if (!read_text(doc, v, out))
            return false;
        out->value.id = ct_string_id64_of(out->text).value;
        return true;
    default:
        return false;
    }
}

bool ct_worker_flow_read_value(ct_worker_flow *b, const ct_sjson *doc, ct_sjson_value v,
                               ct_flow_type type, const char *what, ct_worker_flow_constant *out) {
    memset(out, 0, sizeof(*out));
    out->type = type == CT_FLOW_TYPE_ANY ? type_of_value(doc, v) : type;
    if (read_as(doc, v, out))
        return true;
    if (ct_worker_flow_is_object(type))
        return ct_compile_error(b->c, doc, v, "%s is a %s, which a source cannot give: link it",
                                what, ct_flow_type_name(type));
    const char *const text = ct_sjson_string(doc, v, NULL);
    const char *const found = text ? ct_compile_text(b->c, "\"%.64s\"", text)
                                   : ct_sjson_type_name(ct_sjson_type_of(doc, v));
    return ct_compile_error(b->c, doc, v, "%s: found %s, expected %s", what, found, wanted(type));
}

// --- Constants -----------------------------------------------------------------------------------

ct_worker_flow_source ct_worker_flow_add_constant(ct_worker_flow *b,
                                                  const ct_worker_flow_constant *constant) {
    ct_array_push(&b->constants, *constant);
    return (ct_worker_flow_source){.kind = CT_WORKER_FLOW_SOURCE_CONSTANT,
                                   .type = constant->type,
                                   .index = b->constants.count - 1};
}

// Checks a text that the table of the node restricts. False after reporting.
static bool check_text(ct_worker_flow *b, const ct_sjson *doc, ct_sjson_value v, const char *what,
                       const ct_flow_slot *slot, const char *text) {
    uint32_t count = 0;
    while (slot->names && slot->names[count])
        ++count;
    bool is_known = !slot->names;
    for (uint32_t i = 0; i < count; ++i)
        is_known |= strcmp(slot->names[i], text) == 0;
    if (!is_known)
        return ct_compile_error(b->c, doc, v, "%s: found \"%.64s\"%s", what, text,
                                ct_worker_flow_advice(b, text, slot->names, count));
    if (!slot->reference || !*text)
        return true;
    if (!ct_resource_name_is_canonical(text)) {
        char advice[CT_RESOURCE_ADVICE_BYTES];
        ct_resource_name_advise(text, b->c->project_folder, advice);
        return ct_compile_error(b->c, doc, v,
                                "%s: \"%.256s\" is not the name of a %s ([a-z0-9_/-], from the "
                                "project's root, no extension): %s",
                                what, text, slot->reference, advice);
    }
    ct_compile_reference(b->c, slot->reference, text, doc, v);
    return true;
}

// --- Inputs --------------------------------------------------------------------------------------

static void give(ct_worker_flow *b, const ct_sjson *doc, ct_sjson_value v, const char *what,
                 const ct_worker_flow_end *end) {
    ct_worker_flow_constant constant;
    if (!ct_worker_flow_read_value(b, doc, v, end->type, what, &constant) ||
        (end->slot && constant.text && !check_text(b, doc, v, what, end->slot, constant.text)))
        return;
    const uint32_t input = b->nodes.items[end->node].first_input + end->number;
    b->inputs.items[input].is_given = true;
    b->inputs.items[input].link = ct_worker_flow_add_constant(b, &constant);
}

static void read_inputs(ct_worker_flow *b, uint32_t node) {
    const ct_worker_flow_node *const n = &b->nodes.items[node];
    const ct_sjson *const doc = b->scopes.items[n->scope].doc;
    const ct_sjson_value inputs = ct_sjson_find(doc, n->value, "inputs");
    if (inputs.entry && ct_sjson_type_of(doc, inputs) != CT_SJSON_TYPE_OBJECT) {
        ct_compile_error(b->c, doc, inputs, "%s: inputs: found %s, expected an object { slot = … }",
                         ct_worker_flow_title(b, node),
                         ct_sjson_type_name(ct_sjson_type_of(doc, inputs)));
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(doc, inputs); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const key = ct_sjson_key(doc, v);
        const char *const what =
            ct_compile_text(b->c, "%s: inputs.%.64s", ct_worker_flow_title(b, node), key);
        ct_worker_flow_end end;
        uint32_t next = 0, count = 0;
        for (; ct_worker_flow_find_end(b, node, false, key, &next, &end); ++count) {
            if (end.kind == CT_FLOW_SLOT_INPUT)
                give(b, doc, v, what, &end);
            else
                ct_compile_error(b->c, doc, v, "%s is an event, which has no value: link it", what);
        }
        if (count == 0)
            ct_compile_error(b->c, doc, v, "%s: the node has no such input%s", what,
                             ct_worker_flow_slot_advice(b, node, false, key));
    }
}

void ct_worker_flow_inputs(ct_worker_flow *b) {
    for (uint32_t i = 0; i < b->nodes.count; ++i)
        read_inputs(b, i);
}

// --- Defaults ------------------------------------------------------------------------------------

static ct_worker_flow_source default_of(ct_worker_flow *b, ct_flow_type type,
                                        const ct_flow_slot *slot) {
    ct_worker_flow_constant c = {.type = type};
    static const double zeros[4], identity[4] = {0, 0, 0, 1};
    const double *const numbers = slot ? slot->default_value : zeros;
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        c.value.is_true = numbers[0] != 0;
        break;
    case CT_FLOW_TYPE_NUMBER:
        c.value.number = numbers[0];
        break;
    case CT_FLOW_TYPE_VECTOR3:
        for (uint32_t i = 0; i < 3; ++i)
            c.value.floats[i] = (float)numbers[i];
        break;
    case CT_FLOW_TYPE_QUATERNION: {
        bool is_given = false;
        for (uint32_t i = 0; i < 4; ++i)
            is_given |= numbers[i] != 0;
        for (uint32_t i = 0; i < 4; ++i)
            c.value.floats[i] = (float)(is_given ? numbers[i] : identity[i]);
        break;
    }
    case CT_FLOW_TYPE_STRING:
    case CT_FLOW_TYPE_ID:
        c.text = slot && slot->default_text ? slot->default_text : "";
        c.text_bytes = (uint32_t)strlen(c.text);
        if (type == CT_FLOW_TYPE_ID)
            c.value.id = ct_string_id64_of(c.text).value;
        break;
    default:
        return (ct_worker_flow_source){.type = type};
    }
    return ct_worker_flow_add_constant(b, &c);
}

void ct_worker_flow_defaults(ct_worker_flow *b) {
    for (uint32_t i = 0; i < b->nodes.count; ++i) {
        const ct_worker_flow_node *const n = &b->nodes.items[i];
        const uint32_t num_slots = ct_flow_count_slots(n->type, CT_FLOW_SLOT_INPUT);
        for (uint32_t k = 0; k < n->num_inputs; ++k) {
            ct_worker_flow_input *const input = &b->inputs.items[n->first_input + k];
            if (input->is_given || input->is_linked)
                continue;
            const ct_flow_slot *const slot =
                k < num_slots ? ct_flow_slot_at(n->type, CT_FLOW_SLOT_INPUT, k) : NULL;
            if (slot && slot->is_required)
                ct_worker_flow_error(b, i, "the input %s is missing; %s", slot->name,
                                     slot->is_constant ? "give it in `inputs`"
                                                       : "link it or give it in `inputs`");
            input->link = default_of(b, input->type, slot);
        }
    }
}
