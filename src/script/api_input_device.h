// api_input_device.h: the functions that Keyboard and Mouse have in common. Which device is meant
// follows from the module that is called.
#pragma once
#include "script/script_module.h"

enum { CT_NUM_INPUT_DEVICE_FUNCTIONS = 21 };

extern const ct_script_function ct_input_device_functions[CT_NUM_INPUT_DEVICE_FUNCTIONS];
