// Nodes of Unit > Data. The values are in the unit's first component `data`; one is made when it has none.
#include <string.h>

#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/error.h"
#include "foundation/math/math.h"

enum { UNIT, KEY, VALUE }; // inputs

// Returns the key of the input's text, whose sub-keys are apart by a slash.
static ct_data_key key_of(const ct_flow_call *c) {
    const char *text = ct_flow_text(c, KEY);
    ct_data_key key = {0};
    for (bool is_first = true;; is_first = false) {
        const size_t length = strcspn(text, "/");
        const ct_string_id32 part = ct_string_id32_of_bytes(text, length);
        key = is_first ? ct_data_key_of_id(part) : ct_data_key_join(key, part);
        if (!text[length])
            return key;
        text += length + 1;
    }
}

// Returns the value of the key; of type NONE when it does not exist.
static ct_data_value value_of(ct_flow_call *c) {
    ct_world *w;
    ct_entity unit;
    if (!ct_flow_unit_of(c, UNIT, &w, &unit))
        return (ct_data_value){0};
    const ct_data_manager *const m = ct_world_system_data(ct_world_system_of(w));
    const ct_data_instance i = ct_data_first(m, unit);
    return i.slot ? ct_data_get(m, i, key_of(c)) : (ct_data_value){0};
}

// Returns the value when it is of a type, and, for FLOATS, that many. Logs an error when it is another.
static ct_data_value value_of_type(ct_flow_call *c, ct_data_type type, uint32_t count) {
    static const char *const names[] = {"nothing", "a bool", "a number", "a text", "an array"};
    const ct_data_value v = value_of(c);
    if (v.type == type && (type != CT_DATA_TYPE_FLOATS || v.count == count))
        return v;
    if (v.type != CT_DATA_TYPE_NONE)
        ct_flow_error(c, "the key \"%.64s\" has %s of another type", ct_flow_text(c, KEY),
                      names[v.type]);
    return (ct_data_value){0};
}

static void set_value(ct_flow_call *c, ct_data_value value) {
    ct_world *w;
    ct_entity unit;
    ct_error error = {0};
    if (!ct_flow_unit_of(c, UNIT, &w, &unit))
        return;
    ct_data_manager *const m = ct_world_system_data(ct_world_system_of(w));
    const ct_component_manager manager = ct_data_component_manager(m);
    ct_data_instance i = ct_data_first(m, unit);
    if (!i.slot && ct_component_manager_has_room(&manager, 1, &error))
        i = ct_data_create(m, unit, ct_string_id32_of("flow").value);
    if (!i.slot || !ct_data_set(m, i, key_of(c), value, &error))
        ct_flow_error(c, "%s", error.message);
}

// --- Getting -------------------------------------------------------------------------------------

static uint32_t get_bool(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_data_value v = value_of_type(c, CT_DATA_TYPE_BOOL, 0);
    ct_flow_set_bool(c, 0, v.type != CT_DATA_TYPE_NONE && v.boolean);
    return CT_FLOW_STOP;
}

static uint32_t get_number(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_data_value v = value_of_type(c, CT_DATA_TYPE_FLOAT, 0);
    ct_flow_set_number(c, 0, v.type != CT_DATA_TYPE_NONE ? (double)v.number : 0);
    return CT_FLOW_STOP;
}

static uint32_t get_text(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_data_value v = value_of_type(c, CT_DATA_TYPE_STRING, 0);
    const bool has_value = v.type != CT_DATA_TYPE_NONE;
    if (!ct_flow_set_text(c, 0, has_value ? v.text : "", has_value ? v.count : 0))
        ct_flow_error(c, "the text is cut: it has %u bytes; expected at most %d", v.count,
                      CT_FLOW_STRING_BYTES - 1);
    return CT_FLOW_STOP;
}

// Texts, which scripts and units give, are as good as their ids.
static uint32_t get_id(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_data_value text = value_of(c);
    if (text.type == CT_DATA_TYPE_STRING) {
        ct_flow_set_id(c, 0, ct_string_id64_of_bytes(text.text, text.count).value);
        return CT_FLOW_STOP;
    }
    const ct_data_value v = value_of_type(c, CT_DATA_TYPE_FLOATS, 4);
    uint64_t id = 0;
    for (uint32_t i = 0; i < v.count; ++i) {
        const bool is_part = v.numbers[i] >= 0 && v.numbers[i] <= (float)UINT16_MAX;
        id |= (uint64_t)(is_part ? (uint16_t)v.numbers[i] : 0) << (16 * i);
    }
    ct_flow_set_id(c, 0, id);
    return CT_FLOW_STOP;
}

static uint32_t get_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_data_value v = value_of_type(c, CT_DATA_TYPE_FLOATS, 4);
    ct_quat q = ct_quat_identity();
    if (v.count == 4)
        memcpy(q.raw, v.numbers, sizeof(q.raw));
    ct_flow_set_quaternion(c, 0, q);
    return CT_FLOW_STOP;
}

static uint32_t get_vector(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_data_value v = value_of_type(c, CT_DATA_TYPE_FLOATS, 3);
    ct_vec3 vector = ct_vec3_make(0, 0, 0);
    if (v.count == 3)
        memcpy(vector.raw, v.numbers, sizeof(vector.raw));
    ct_flow_set_vector3(c, 0, vector);
    return CT_FLOW_STOP;
}

// --- Setting -------------------------------------------------------------------------------------

static uint32_t set_bool(ct_flow_call *c, uint32_t event) {
    set_value(c, ct_data_bool(ct_flow_bool(c, VALUE)));
    return event;
}

static uint32_t set_number(ct_flow_call *c, uint32_t event) {
    set_value(c, ct_data_float((float)ct_flow_number(c, VALUE)));
    return event;
}

static uint32_t set_text(ct_flow_call *c, uint32_t event) {
    set_value(c, ct_data_string(ct_flow_text(c, VALUE), ct_flow_text_length(c, VALUE)));
    return event;
}

static uint32_t set_id(ct_flow_call *c, uint32_t event) {
    const uint64_t id = ct_flow_id(c, VALUE);
    float parts[4];
    for (uint32_t i = 0; i < 4; ++i)
        parts[i] = (float)(uint16_t)(id >> (16 * i));
    set_value(c, ct_data_floats(parts, 4));
    return event;
}

static uint32_t set_rotation(ct_flow_call *c, uint32_t event) {
    const ct_quat q = ct_flow_quaternion(c, VALUE);
    set_value(c, ct_data_floats(q.raw, 4));
    return event;
}

static uint32_t set_vector(ct_flow_call *c, uint32_t event) {
    const ct_vec3 v = ct_flow_vector3(c, VALUE);
    set_value(c, ct_data_floats(v.raw, 3));
    return event;
}

static const ct_flow_function_row rows[] = {
    {"get_unit_bool_data", get_bool},      {"get_unit_id_data", get_id},
    {"get_unit_numeric_data", get_number}, {"get_unit_rotation_data", get_rotation},
    {"get_unit_string_data", get_text},    {"get_unit_vector_data", get_vector},
    {"set_unit_bool_data", set_bool},      {"set_unit_id_data", set_id},
    {"set_unit_numeric_data", set_number}, {"set_unit_rotation_data", set_rotation},
    {"set_unit_string_data", set_text},    {"set_unit_vector_data", set_vector},
};

const ct_flow_functions ct_flow_run_unit_data = {rows, CT_COUNT_OF(rows)};
