#include "script/input/api_input.h"

extern const ct_lua_module ct_api_input;

static const ct_lua_function functions[] = {
    {"actions", ct_api_input_actions, "() -> string[]", "The names of the project's actions."},
    {"add_remote_events", ct_api_input_add_remote_events, "(events: table[]) -> nil",
     "Feeds events, in the form that event_queue gives, as if a device had sent them now."},
    {"bind", ct_api_input_bind,
     "(action: string, slot: integer, binding: any(string,table), part: string?) -> nil",
     "Puts a binding into a slot of an action for this player, or a control into one part of the "
     "binding that is there (left, positive, …)."},
    {"bindings", ct_api_input_bindings, "(action: string) -> any(string[],table[])",
     "What is in the slots of an action, each as bind takes it; an empty slot is none."},
    {"captured", ct_api_input_captured, "() -> string?",
     "The control that was pressed since start_capture, once, in the update in which that was "
     "seen; else nil."},
    {"control_name", ct_api_input_control_name, "(control: string) -> string",
     "A control as the player knows it: a key by what is written on it in the player's layout."},
    {"event_queue", ct_api_input_event_queue, "() -> table[]",
     "What happened in this frame, in order: tables with device, kind, time, and by kind name, id, "
     "value, text, cursor and length."},
    {"held", ct_api_input_held, "(action: string) -> boolean", "True while a button is held."},
    {"is_active", ct_api_input_is_active, "(set: string) -> boolean",
     "True while the actions of a set work."},
    {"last_device", ct_api_input_last_device, "() -> string",
     "The device that was used last: keyboard, mouse, pad1 to pad4 or touch."},
    {"pressed", ct_api_input_pressed, "(action: string) -> boolean",
     "True in the update in which a button was pressed."},
    {"released", ct_api_input_released, "(action: string) -> boolean",
     "True in the update in which a button was released."},
    {"reset", ct_api_input_reset, "(action: string?) -> nil",
     "Puts the project's own bindings back, of one action or of all."},
    {"save", ct_api_input_save, "() -> boolean",
     "Writes this player's bindings to the player's file; false, with a warning in the log, when "
     "that cannot be."},
    {"set_active", ct_api_input_set_active, "(set: string, is_active: boolean) -> nil",
     "Switches the actions of a set on or off; what is held then does nothing until it is pressed "
     "again."},
    {"sets", ct_api_input_sets, "() -> string[]", "The names of the project's sets of actions."},
    {"start_capture", ct_api_input_start_capture, "() -> nil",
     "Lets actions rest until something is pressed, which captured tells: to bind it."},
    {"stop_capture", ct_api_input_stop_capture, "() -> nil", "Ends a capture; actions work again."},
    {"unbind", ct_api_input_unbind, "(action: string, slot: integer) -> nil",
     "Empties a slot of an action for this player."},
    {"value", ct_api_input_value, "(action: string) -> any(number,Vector3)",
     "The value of an action: of a button from 0 to 1, of an axis a number, of a vector x and y in "
     "a Vector3."},
};

const ct_lua_module ct_api_input = {
    .name = "Input",
    .doc =
        "What players do: actions by their names, whatever moves them, and the events of a frame.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
