#include "script/input/api_input.h"

extern const ct_lua_module ct_api_input;

static const ct_lua_function functions[] = {
    {"actions", ct_api_input_actions, "() -> string[]",
     "Returns the names of the project's actions."},
    {"add_remote_events", ct_api_input_add_remote_events, "(events: table[]) -> nil",
     "Adds events, in the form that event_queue returns, as if a device had just sent them. Those "
     "that are added in an update count in the next one."},
    {"bind", ct_api_input_bind,
     "(action: string, slot: integer, binding: any(string,table), part: string?) -> nil",
     "Puts a binding into a slot of an action for this player, or a control into one part of the "
     "binding in the slot (left, positive, …)."},
    {"bindings", ct_api_input_bindings, "(action: string) -> any(string[],table[])",
     "Returns the bindings in an action's slots, each in the form that bind takes. An empty slot "
     "is \"none\"."},
    {"captured", ct_api_input_captured, "() -> string?",
     "Returns the control that was pressed since start_capture, once, in the update that saw it; "
     "else nil."},
    {"control_name", ct_api_input_control_name, "(control: string) -> string",
     "Returns the name of a control for the player: for a key, its label in the player's layout."},
    {"event_queue", ct_api_input_event_queue, "() -> table[]",
     "Returns the events of this frame, in order: tables with device, kind and time, and, "
     "depending on the kind, name, id, value, text, cursor and length."},
    {"held", ct_api_input_held, "(action: string) -> boolean", "Returns whether a button is held."},
    {"is_active", ct_api_input_is_active, "(set: string) -> boolean",
     "Returns whether the actions of a set are active."},
    {"last_device", ct_api_input_last_device, "() -> string",
     "Returns the device that was used last: keyboard, mouse, pad1 to pad4 or touch."},
    {"pressed", ct_api_input_pressed, "(action: string) -> boolean",
     "Returns true in the update in which a button was pressed."},
    {"released", ct_api_input_released, "(action: string) -> boolean",
     "Returns true in the update in which a button was released."},
    {"reset", ct_api_input_reset, "(action: string?) -> nil",
     "Restores the project's own bindings, of one action or of all."},
    {"save", ct_api_input_save, "() -> boolean",
     "Writes this player's bindings to the player's file. When that fails, logs a warning and "
     "returns false."},
    {"set_active", ct_api_input_set_active, "(set: string, is_active: boolean) -> nil",
     "Switches the actions of a set on or off. Controls held at that time have no effect until "
     "they are pressed again."},
    {"sets", ct_api_input_sets, "() -> string[]",
     "Returns the names of the project's sets of actions."},
    {"start_capture", ct_api_input_start_capture, "() -> nil",
     "Pauses actions until a control is pressed, which captured then returns, for binding."},
    {"stop_capture", ct_api_input_stop_capture, "() -> nil", "Ends a capture. Actions work again."},
    {"unbind", ct_api_input_unbind, "(action: string, slot: integer) -> nil",
     "Empties a slot of an action for this player."},
    {"value", ct_api_input_value, "(action: string) -> any(number,Vector3)",
     "Returns the value of an action: a number from 0 to 1 for a button, a number for an axis, x "
     "and y in a Vector3 for a vector."},
};

const ct_lua_module ct_api_input = {
    .name = "Input",
    .doc =
        "The player's actions by name, whatever controls trigger them, and the events of a frame.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
