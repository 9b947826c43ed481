#include "script/api_input_device.h"

extern const ct_script_module ct_api_keyboard;

const ct_script_module ct_api_keyboard = {
    .name = "Keyboard",
    .doc = "The keyboard; buttons are keys, named as on a US layout.",
    .functions = ct_input_device_functions,
    .num_functions = CT_NUM_INPUT_DEVICE_FUNCTIONS,
};
