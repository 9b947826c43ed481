#include "script/input/api_input_device.h"
#include "script/script_private.h"

extern const ct_lua_module ct_api_keyboard;

// What was typed, in order: texts as strings, keys that are no text as numbers.
static int keystrokes(lua_State *L) {
    const ct_input_events *const events = ct_input_event_list(ct_script_of(L)->input);
    int count = 0;
    lua_createtable(L, 0, 0);
    for (uint32_t i = 0; i < events->count; ++i) {
        const ct_input_event *const event = &events->items[i];
        if (event->kind == CT_INPUT_EVENT_KIND_TEXT)
            lua_pushstring(L, event->text);
        else if (event->kind == CT_INPUT_EVENT_KIND_KEYSTROKE)
            lua_pushnumber(L, event->number);
        else
            continue;
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

static const ct_lua_function functions[] = {
    // clang-format off
    CT_INPUT_DEVICE_FUNCTIONS_TO_I(CT_INPUT_DEVICE_ROW)
    // clang-format on
    {"keystrokes", keystrokes, "() -> any(string[],integer[])",
     "Returns what was typed in this frame, in order: text as UTF-8 strings, and the numbers of "
     "keys that are not text (enter, backspace, arrows, ctrl+c, …), repeated while they are held."},
    // clang-format off
    CT_INPUT_DEVICE_FUNCTIONS_FROM_N(CT_INPUT_DEVICE_ROW)
    // clang-format on
};

const ct_lua_module ct_api_keyboard = {
    .name = "Keyboard",
    .doc = "The keyboard. Buttons are keys, named as on a US layout.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .constants = ct_input_device_constants,
    .num_constants = CT_NUM_INPUT_DEVICE_CONSTANTS,
};
