// dap_values.h: a value of the game as members of a response.
#pragma once
#include "cli/debug/dap_session.h"

// Writes type, reference and counts of the value in `object`, an answer of the game, and notes it. `name` is
// an expression that gives it in `frame`, or NULL.
void ct_dap_write_value(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value object,
                        uint32_t frame, const char *name);
