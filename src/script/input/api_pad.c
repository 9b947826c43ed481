// Pad1 to Pad4: one table of functions; which pad is meant follows from the module.
#include "script/input/api_input_device.h"

extern const ct_lua_module ct_api_pad1, ct_api_pad2, ct_api_pad3, ct_api_pad4;

static const ct_lua_function functions[] = {
    // clang-format off
    CT_INPUT_DEVICE_FUNCTIONS_TO_I(CT_INPUT_DEVICE_ROW)
    CT_INPUT_DEVICE_FUNCTIONS_FROM_N(CT_INPUT_DEVICE_ROW)
    // clang-format on
};

#define PAD(number)                                                                                \
    const ct_lua_module ct_api_pad##number = {                                                     \
        .name = "Pad" #number,                                                                     \
        .doc = "Game controller " #number ": buttons as on an Xbox 360 pad; axes \"left\" and "    \
               "\"right\" (sticks, y up), \"left_trigger\" and \"right_trigger\".",                \
        .functions = functions,                                                                    \
        .num_functions = CT_COUNT_OF(functions),                                                   \
        .constants = ct_input_device_constants,                                                    \
        .num_constants = CT_NUM_INPUT_DEVICE_CONSTANTS,                                            \
    }

PAD(1);
PAD(2);
PAD(3);
PAD(4);
