#include "animation/machine/machine_expression.h"

#include <math.h>

static float or_zero(float x) {
    return isfinite(x) ? x : 0;
}

static float within(float x, float least, float most) {
    return x < least ? least : x > most ? most : x;
}

static float unary(uint32_t op, float x) {
    switch (op) {
    case CT_STATE_MACHINE_OP_NEGATE:
        return -x;
    case CT_STATE_MACHINE_OP_NOT:
        return x == 0;
    case CT_STATE_MACHINE_OP_ABS:
        return fabsf(x);
    case CT_STATE_MACHINE_OP_SIN:
        return sinf(x);
    default:
        return cosf(x);
    }
}

static float remainder_of(float a, float b) {
    const float r = b == 0 ? 0 : fmodf(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static float arithmetic(uint32_t op, float a, float b) {
    switch (op) {
    case CT_STATE_MACHINE_OP_ADD:
        return a + b;
    case CT_STATE_MACHINE_OP_SUBTRACT:
        return a - b;
    case CT_STATE_MACHINE_OP_MULTIPLY:
        return a * b;
    case CT_STATE_MACHINE_OP_DIVIDE:
        return b == 0 ? 0 : a / b;
    case CT_STATE_MACHINE_OP_REMAINDER:
        return remainder_of(a, b);
    case CT_STATE_MACHINE_OP_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static bool logic(uint32_t op, float a, float b) {
    switch (op) {
    case CT_STATE_MACHINE_OP_EQUAL:
        return a == b;
    case CT_STATE_MACHINE_OP_UNEQUAL:
        return a != b;
    case CT_STATE_MACHINE_OP_LESS:
        return a < b;
    case CT_STATE_MACHINE_OP_LESS_EQUAL:
        return a <= b;
    case CT_STATE_MACHINE_OP_GREATER:
        return a > b;
    case CT_STATE_MACHINE_OP_GREATER_EQUAL:
        return a >= b;
    case CT_STATE_MACHINE_OP_AND:
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

static float binary(uint32_t op, float a, float b) {
    return op >= CT_STATE_MACHINE_OP_EQUAL && op <= CT_STATE_MACHINE_OP_OR ? logic(op, a, b)
                                                                           : arithmetic(op, a, b);
}

static float ternary(uint32_t op, float a, float b, float c) {
    switch (op) {
    case CT_STATE_MACHINE_OP_CLAMP:
        return within(a, b, c);
    case CT_STATE_MACHINE_OP_LERP:
        return a + (b - a) * c;
    default:
        return a != 0 ? b : c;
    }
}

float ct_machine_expression(const ct_state_machine_resource *r, uint32_t expression,
                            const float *variables, float otherwise) {
    if (expression == CT_STATE_MACHINE_NONE)
        return otherwise;
    const ct_state_machine_expression *const e =
        (const ct_state_machine_expression *)ct_blob_at(r, r->expressions.offset) + expression;
    const uint32_t *const words = (const uint32_t *)ct_blob_at(r, r->words.offset) + e->first_word;
    const float *const constants = ct_blob_at(r, r->constants.offset);
    float stack[CT_STATE_MACHINE_MAX_STACK] = {0};
    uint32_t depth = 0;
    for (uint32_t i = 0; i < e->num_words; ++i) {
        const uint32_t op = words[i] & 255, number = words[i] >> 8;
        const uint32_t takes = ct_state_machine_op_takes(op);
        float *const top = stack + depth - takes;
        if (takes == 0)
            *top = op == CT_STATE_MACHINE_OP_CONSTANT ? constants[number] : variables[number];
        else
            *top = or_zero(takes == 1   ? unary(op, top[0])
                           : takes == 2 ? binary(op, top[0], top[1])
                                        : ternary(op, top[0], top[1], top[2]));
        depth += 1 - takes;
    }
    return stack[0];
}
