// worker_expression.h: compiles the expressions of state machines to programs for a stack.
//
//     speed > 2 and not crouched        lerp(0.5, 1, clamp(speed / 4, 0, 1))
//
// From the loosest: or; and; not; == != < <= > >=; + -; * / %; unary -; then numbers, variables,
// functions and parentheses. Functions: min max (2 or more), clamp, abs, sin, cos, lerp, select.
// `true` and `false` are 1 and 0.
#pragma once
#include "foundation/container/array.h"
#include "resource/types/state_machine_resource.h"

typedef CT_ARRAY(float) ct_worker_float_array;

// What programs are appended to, and what they may name.
typedef struct ct_worker_expressions {
    const char *const *variables; // names, by number
    uint32_t num_variables;
    ct_u32_array words;
    ct_worker_float_array constants;
} ct_worker_expressions;

// Appends the program of `text` (`bytes` long). Returns false with `error`, whose column is the
// byte of the text, from 1, and appends nothing.
bool ct_worker_expression(ct_worker_expressions *e, const char *text, uint32_t bytes,
                          ct_error *error);

// Returns whether an expression can name a variable `name`: a letter or _, then letters, digits and
// _; no word of the language.
bool ct_worker_expression_is_name(const char *name);
