// nodes_plan_steps.h: reads the steps of a plan, for nodes_plan.c.
#pragma once
#include "cli/nodes/nodes_plan.h"

// A plan that is being read.
typedef struct ct_nodes_reader {
    ct_allocator *allocator;
    ct_nodes_plan *plan;
    ct_nodes_error_array *errors;
    bool has_bad_nodes; // some are left out of the plan, so an unknown id is no further error
} ct_nodes_reader;

// Appends an error at `at`. Returns false.
bool ct_nodes_reader_error(ct_nodes_reader *r, ct_sjson_value at, const char *format, ...)
    CT_PRINTF(3, 4);

// Appends an error of the schema reader; `user` is the ct_nodes_reader.
void ct_nodes_reader_take_error(void *user, const ct_error *error);

// Reads the elements of `array` and appends their steps to the plan, whose nodes and timeouts must
// be known. `depth` is 0 outside of `repeat`. Appends errors.
void ct_nodes_read_steps(ct_nodes_reader *r, ct_sjson_value array, uint32_t depth);
