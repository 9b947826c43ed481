// flow_functions.h: the functions of the engine's nodes that are in src/flow, by module.
#pragma once
#include "flow/flow.h"

typedef struct ct_flow_function_table {
    const ct_flow_function_row *rows;
    uint32_t num_rows;
} ct_flow_function_table;

extern const ct_flow_function_table ct_flow_functions_control;
extern const ct_flow_function_table ct_flow_functions_debug;
extern const ct_flow_function_table ct_flow_functions_event;
extern const ct_flow_function_table ct_flow_functions_external;
extern const ct_flow_function_table ct_flow_functions_time;
extern const ct_flow_function_table ct_flow_functions_variable;
