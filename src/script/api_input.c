#include "script/api_input.h"

extern const ct_script_module ct_api_input;

static const ct_script_function functions[] = {
    {"add_remote_events", ct_api_input_add_remote_events, "(events: table[]) -> nil",
     "Feeds events, in the form that event_queue gives, as if a device had sent them now."},
    {"event_queue", ct_api_input_event_queue, "() -> table[]",
     "What happened in this frame, in order: tables with device, kind, time, and by kind name, id, "
     "value, text, cursor and length."},
    {"last_device", ct_api_input_last_device, "() -> string",
     "The device that was used last: keyboard, mouse, pad1 to pad4 or touch."},
};

const ct_script_module ct_api_input = {
    .name = "Input",
    .doc = "All devices together: the events of a frame.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
