#include "flow/nodes/flow_values.h"

#include <stdio.h>
#include <string.h>

// A unit is an entity.
static ct_flow_type kind_of(ct_flow_type type) {
    return type == CT_FLOW_TYPE_UNIT ? CT_FLOW_TYPE_ENTITY : type;
}

static bool floats_equal(const float *a, const float *b, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (a[i] != b[i])
            return false;
    }
    return true;
}

bool ct_flow_inputs_equal(const ct_flow_call *c, uint32_t a, uint32_t b) {
    const ct_flow_type type = kind_of(ct_flow_input_type(c, a));
    if (type != kind_of(ct_flow_input_type(c, b)))
        return false;
    switch (type) {
    case CT_FLOW_TYPE_EVENT: // neither has a value
        return true;
    case CT_FLOW_TYPE_BOOL:
        return ct_flow_bool(c, a) == ct_flow_bool(c, b);
    case CT_FLOW_TYPE_NUMBER:
        return ct_flow_number(c, a) == ct_flow_number(c, b);
    case CT_FLOW_TYPE_VECTOR3:
        return floats_equal(ct_flow_input(c, a), ct_flow_input(c, b), 3);
    case CT_FLOW_TYPE_QUATERNION:
        return floats_equal(ct_flow_input(c, a), ct_flow_input(c, b), 4);
    case CT_FLOW_TYPE_STRING:
        return strcmp(ct_flow_text(c, a), ct_flow_text(c, b)) == 0;
    case CT_FLOW_TYPE_ID:
        return ct_flow_id(c, a) == ct_flow_id(c, b);
    default:
        return memcmp(ct_flow_input(c, a), ct_flow_input(c, b), sizeof(ct_flow_object)) == 0;
    }
}

void ct_flow_write_input(const ct_flow_call *c, uint32_t number, char *text, uint32_t bytes) {
    const ct_flow_type type = ct_flow_input_type(c, number);
    const float *f;
    switch (type) {
    case CT_FLOW_TYPE_EVENT:
        snprintf(text, bytes, "nothing");
        break;
    case CT_FLOW_TYPE_BOOL:
        snprintf(text, bytes, "%s", ct_flow_bool(c, number) ? "true" : "false");
        break;
    case CT_FLOW_TYPE_NUMBER:
        snprintf(text, bytes, "%.17g", ct_flow_number(c, number));
        break;
    case CT_FLOW_TYPE_VECTOR3:
        f = ct_flow_input(c, number);
        snprintf(text, bytes, "(%g %g %g)", (double)f[0], (double)f[1], (double)f[2]);
        break;
    case CT_FLOW_TYPE_QUATERNION:
        f = ct_flow_input(c, number);
        snprintf(text, bytes, "(%g %g %g %g)", (double)f[0], (double)f[1], (double)f[2],
                 (double)f[3]);
        break;
    case CT_FLOW_TYPE_STRING:
        snprintf(text, bytes, "\"%s\"", ct_flow_text(c, number));
        break;
    case CT_FLOW_TYPE_ID:
        snprintf(text, bytes, "\"%s\"",
                 ct_string_id64_name((ct_string_id64){ct_flow_id(c, number)}));
        break;
    default:
        snprintf(text, bytes, "the %s 0x%x", ct_flow_type_name(type),
                 (uint32_t)ct_flow_object_at(c, number).entity);
    }
}
