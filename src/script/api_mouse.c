#include "script/api_input_device.h"

extern const ct_script_module ct_api_mouse;

const ct_script_module ct_api_mouse = {
    .name = "Mouse",
    .doc = "The mouse: axes \"cursor\" (pixels from the top left), \"mouse\" (movement) and "
           "\"wheel\".",
    .functions = ct_input_device_functions,
    .num_functions = CT_NUM_INPUT_DEVICE_FUNCTIONS,
};
