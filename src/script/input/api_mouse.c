#include "script/input/api_input_device.h"

extern const ct_lua_module ct_api_mouse;

static const ct_lua_function functions[] = {
    // clang-format off
    CT_INPUT_DEVICE_FUNCTIONS_TO_I(CT_INPUT_DEVICE_ROW)
    CT_INPUT_DEVICE_FUNCTIONS_FROM_N(CT_INPUT_DEVICE_ROW)
    // clang-format on
};

const ct_lua_module ct_api_mouse = {
    .name = "Mouse",
    .doc = "The mouse: axes \"cursor\" (pixels from the top left), \"mouse\" (movement) and "
           "\"wheel\".",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .constants = ct_input_device_constants,
    .num_constants = CT_NUM_INPUT_DEVICE_CONSTANTS,
};
