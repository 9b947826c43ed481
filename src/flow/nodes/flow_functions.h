// flow_functions.h: the functions of the engine's nodes, by module.
#pragma once
#include "resource/types/flow/flow_call.h"

typedef struct ct_flow_functions {
    const ct_flow_function_row *rows;
    uint32_t count;
} ct_flow_functions;

extern const ct_flow_functions ct_flow_run_camera;
extern const ct_flow_functions ct_flow_run_light;
extern const ct_flow_functions ct_flow_run_random;
extern const ct_flow_functions ct_flow_run_unit;
