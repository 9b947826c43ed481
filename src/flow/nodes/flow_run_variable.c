// Variables that are not the graph's own: those of the level's graph, and those of all graphs. The compiler
// gives a node that sets a variable of its own graph the place of that variable as its output.
#include <string.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"

// A variable and, for texts, where its text is relative to.
typedef struct found_variable {
    ct_flow_value *value; // NULL when it does not exist
    const void *data;
    const char *texts;
    bool is_output; // external, which cannot be set
} found_variable;

// Finds the variable of the inputs `name` and after it `scope`. Logs an error when it does not exist.
static found_variable find(ct_flow_call *c, uint32_t name_input, ct_flow_type type) {
    const char *const name = ct_flow_text(c, name_input);
    const char *const scope = ct_flow_text(c, name_input + 1);
    const ct_string_id32 id = ct_string_id32_of(name);
    found_variable found = {.texts = ""};
    if (strcmp(scope, "global") == 0) {
        ct_flow_global *const global = ct_flow_global_of(c->world, id, type);
        if (global)
            found = (found_variable){&global->value, global, "", false};
    } else {
        const ct_flow_instance own = {c->instance};
        const ct_flow_instance i =
            strcmp(scope, "level") == 0 ? ct_flow_of_level(c->world, ct_flow_level_of(c)) : own;
        ct_flow_type of_type = CT_FLOW_TYPE_EVENT;
        ct_flow_value *const value = ct_flow_find_variable(c->world, i, id, &of_type);
        const ct_flow_record *const r = ct_flow_record_of(c->world, i);
        if (value && of_type == type)
            found = (found_variable){value, r->data, ct_flow_graph_of(c->world, r)->texts,
                                     !ct_flow_can_set_variable(c->world, i, id)};
    }
    if (!found.value)
        ct_flow_error(c, "there is no variable \"%s\" of type %s in the scope \"%s\"", name,
                      ct_flow_type_name(type), scope);
    return found;
}

static uint32_t get(ct_flow_call *c, ct_flow_type type) {
    const found_variable found = find(c, 0, type);
    ct_flow_value *const out = ct_flow_output(c, 0);
    if (!found.value) {
        memset(out, 0, CT_FLOW_VALUE_BYTES);
        return CT_FLOW_STOP;
    }
    if (type != CT_FLOW_TYPE_STRING) {
        memcpy(out, found.value, CT_FLOW_VALUE_BYTES);
        return CT_FLOW_STOP;
    }
    const char *const text = ct_flow_text_at(found.data, found.texts, &found.value->string);
    ct_flow_set_text(c, 0, text, found.value->string.length);
    return CT_FLOW_STOP;
}

// Copies an input to a place behind which there is room for a text.
static void write(const ct_flow_call *c, ct_flow_type type, const found_variable *found) {
    ct_flow_value *const value = found->value;
    if (type == CT_FLOW_TYPE_STRING) {
        const uint32_t length = ct_flow_text_length(c, 0);
        const uint32_t start =
            (uint32_t)((const uint8_t *)value - (const uint8_t *)found->data) + CT_FLOW_VALUE_BYTES;
        CT_ASSERT(length < CT_FLOW_STRING_BYTES, "a text of %u bytes", length);
        memmove((char *)value + CT_FLOW_VALUE_BYTES, ct_flow_text(c, 0), (size_t)length + 1);
        value->string = (ct_flow_string){start | CT_FLOW_STRING_IS_DYNAMIC, length};
        return;
    }
    const bool is_number = type == CT_FLOW_TYPE_NUMBER || type == CT_FLOW_TYPE_ID;
    const uint32_t bytes = type == CT_FLOW_TYPE_BOOL      ? 4
                           : is_number                    ? 8
                           : type == CT_FLOW_TYPE_VECTOR3 ? 12
                                                          : 16;
    memcpy(value, ct_flow_input(c, 0), bytes);
}

// Whether a variable has room for the text of the first input. Logs an error when it has not; `what`: what
// becomes of the text.
static bool is_kept(ct_flow_call *c, const char *what) {
    const uint32_t length = ct_flow_text_length(c, 0);
    if (length >= CT_FLOW_STRING_BYTES)
        ct_flow_error(c, "the text is %s: it has %u bytes; expected at most %d", what, length,
                      CT_FLOW_STRING_BYTES - 1);
    return length < CT_FLOW_STRING_BYTES;
}

// Whether the node sets a variable of its own graph, whose place is its output.
static inline bool is_of_graph(const ct_flow_call *c) {
    return c->node->first_event > c->node->first_output;
}

// Inline, as the type is known where it is called.
static inline void write_own(ct_flow_call *c, ct_flow_type type) {
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        ct_flow_set_bool(c, 0, ct_flow_bool(c, 0));
        break;
    case CT_FLOW_TYPE_NUMBER:
        ct_flow_set_number(c, 0, ct_flow_number(c, 0));
        break;
    case CT_FLOW_TYPE_VECTOR3:
        ct_flow_set_vector3(c, 0, ct_flow_vector3(c, 0));
        break;
    case CT_FLOW_TYPE_QUATERNION:
        ct_flow_set_quaternion(c, 0, ct_flow_quaternion(c, 0));
        break;
    case CT_FLOW_TYPE_STRING:
        is_kept(c, "cut");
        ct_flow_set_text(c, 0, ct_flow_text(c, 0), ct_flow_text_length(c, 0));
        break;
    case CT_FLOW_TYPE_ID:
        ct_flow_set_id(c, 0, ct_flow_id(c, 0));
        break;
    default:
        ct_flow_set_object(c, 0, ct_flow_object_at(c, 0));
    }
}

static void set_of_scope(ct_flow_call *c, ct_flow_type type) {
    const found_variable found = find(c, 1, type);
    if (found.value && found.is_output)
        ct_flow_error(c, "the variable \"%.64s\" is an output of its graph, which sets it",
                      ct_flow_text(c, 1));
    else if (found.value && (type != CT_FLOW_TYPE_STRING || is_kept(c, "not kept")))
        write(c, type, &found);
}

// clang-format off
#define VARIABLE(name, type)                                                                       \
    static uint32_t run_get_##name(ct_flow_call *c, uint32_t event) { (void)event; return get(c, type); } \
    static uint32_t run_set_##name(ct_flow_call *c, uint32_t event) {                              \
        (void)event;                                                                               \
        if (is_of_graph(c))                                                                        \
            write_own(c, type);                                                                    \
        else                                                                                       \
            set_of_scope(c, type);                                                                 \
        return 0;                                                                                  \
    }
VARIABLE(bool, CT_FLOW_TYPE_BOOL)
VARIABLE(entity, CT_FLOW_TYPE_ENTITY)
VARIABLE(id, CT_FLOW_TYPE_ID)
VARIABLE(numeric, CT_FLOW_TYPE_NUMBER)
VARIABLE(rotation, CT_FLOW_TYPE_QUATERNION)
VARIABLE(string, CT_FLOW_TYPE_STRING)
VARIABLE(unit, CT_FLOW_TYPE_UNIT)
VARIABLE(vector, CT_FLOW_TYPE_VECTOR3)
// clang-format on

static const ct_flow_function_row rows[] = {
    {"get_bool_variable", run_get_bool},
    {"get_bool_variable_of_scope", run_get_bool},
    {"get_entity_variable", run_get_entity},
    {"get_entity_variable_of_scope", run_get_entity},
    {"get_id_variable", run_get_id},
    {"get_id_variable_of_scope", run_get_id},
    {"get_numeric_variable", run_get_numeric},
    {"get_numeric_variable_of_scope", run_get_numeric},
    {"get_rotation_variable", run_get_rotation},
    {"get_rotation_variable_of_scope", run_get_rotation},
    {"get_string_variable", run_get_string},
    {"get_string_variable_of_scope", run_get_string},
    {"get_unit_variable", run_get_unit},
    {"get_unit_variable_of_scope", run_get_unit},
    {"get_vector_variable", run_get_vector},
    {"get_vector_variable_of_scope", run_get_vector},
    {"set_bool_variable", run_set_bool},
    {"set_bool_variable_of_scope", run_set_bool},
    {"set_entity_variable", run_set_entity},
    {"set_entity_variable_of_scope", run_set_entity},
    {"set_id_variable", run_set_id},
    {"set_id_variable_of_scope", run_set_id},
    {"set_numeric_variable", run_set_numeric},
    {"set_numeric_variable_of_scope", run_set_numeric},
    {"set_rotation_variable", run_set_rotation},
    {"set_rotation_variable_of_scope", run_set_rotation},
    {"set_string_variable", run_set_string},
    {"set_string_variable_of_scope", run_set_string},
    {"set_unit_variable", run_set_unit},
    {"set_unit_variable_of_scope", run_set_unit},
    {"set_vector_variable", run_set_vector},
    {"set_vector_variable_of_scope", run_set_vector},
};

const ct_flow_functions ct_flow_run_variable = {rows, CT_COUNT_OF(rows)};
