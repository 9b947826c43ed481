// api_input_device.h: the functions shared by Keyboard, Mouse and the pads. The called module
// determines the device.
#pragma once
#include "input/input.h"
#include "lua/lua_module.h"

// Name, signature and documentation of each function; functions are ct_api_device_<name>. The list
// is in two halves, by name: Keyboard's own functions come between them.
#define CT_INPUT_DEVICE_FUNCTIONS_TO_I(X)                                                          \
    X(active, "() -> boolean", "Returns whether the device can be used.")                          \
    X(any_pressed, "() -> integer?",                                                               \
      "Returns the lowest button that was pressed in this frame, or nil.")                         \
    X(any_released, "() -> integer?",                                                              \
      "Returns the lowest button that was released in this frame, or nil.")                        \
    X(axis, "(id: integer, dead_zone_mode: integer?, dead_zone_size: number?) -> Vector3",         \
      "Returns the state of an axis, with its own dead zone or the given one. Movement is this "   \
      "frame's.")                                                                                  \
    X(axis_id, "(name: string) -> integer", "Returns the number of the axis with this name.")      \
    X(axis_index, "(name: string) -> integer", "Same as axis_id.")                                 \
    X(axis_name, "(id: integer) -> string", "Returns the name of an axis.")                        \
    X(battery, "() -> string",                                                                     \
      "Returns the battery state of a pad: unknown, empty, low, medium, full or wired.")           \
    X(button, "(id: integer) -> number",                                                           \
      "Returns how far the button is pressed, from 0 to 1. Most buttons have only 0 and 1.")       \
    X(button_id, "(name: string) -> integer",                                                      \
      "Returns the number of the button with this name. Keys have the names of a US keyboard.")    \
    X(button_index, "(name: string) -> integer", "Same as button_id.")                             \
    X(button_locale_name, "(id: integer) -> string",                                               \
      "Returns the label of a button in the player's layout, as far as it is known.")              \
    X(button_name, "(id: integer) -> string", "Returns the name of a button.")                     \
    X(category, "() -> string", "Returns the kind of device: keyboard, mouse or pad.")             \
    X(connected, "() -> boolean", "Returns whether the device was connected in this frame.")       \
    X(dead_zone, "(id: integer) -> integer, number",                                               \
      "Returns the dead zone of an axis: its mode (RAW, INDEPENDENT, CIRCULAR) and its size.")     \
    X(disconnected, "() -> boolean", "Returns whether the device was disconnected in this frame.") \
    X(is_rumble_effect_playing, "(motor_id: integer, id: integer) -> boolean",                     \
      "Returns whether an effect is playing on a motor.")

#define CT_INPUT_DEVICE_FUNCTIONS_FROM_N(X)                                                        \
    X(name, "() -> string", "Returns the product name, as far as it is known.")                    \
    X(num_axes, "() -> integer", "Returns the number of axes. Axes count from 0.")                 \
    X(num_buttons, "() -> integer", "Returns the number of buttons. Buttons count from 0.")        \
    X(num_rumble_motors, "() -> integer", "Returns the number of motors. Motors count from 0.")    \
    X(pressed, "(id: integer) -> boolean",                                                         \
      "Returns whether the button was pressed in this frame.")                                     \
    X(released, "(id: integer) -> boolean",                                                        \
      "Returns whether the button was released in this frame.")                                    \
    X(rumble_effect, "(motor_id: integer, params: input_rumble_params) -> integer",                \
      "Starts an effect on a motor from frequency, offset, attack, attack_level, decay, "          \
      "sustain, sustain_level and release; returns its id.")                                       \
    X(rumble_motor_id, "(motor_name: string) -> integer?",                                         \
      "Returns the number of the motor with this name, or nil.")                                   \
    X(rumble_motor_index, "(motor_name: string) -> integer?", "Same as rumble_motor_id.")          \
    X(rumble_motor_name, "(motor_id: integer) -> string",                                          \
      "Returns the name of a motor: left or right.")                                               \
    X(set_dead_zone, "(id: integer, dead_zone_mode: integer, dead_zone_size: number) -> nil",      \
      "Sets the dead zone of an axis: its mode and its size, from 0 to below 1.")                  \
    X(set_light_bar_color, "(color: color) -> nil",                                                \
      "Sets the color of the device's light, if it has one.")                                      \
    X(set_rumble, "(motor_id: integer, value: number) -> nil",                                     \
      "Sets a motor to a level from 0 to 1, until it is set again.")                               \
    X(set_rumble_enabled, "(do_rumble: boolean) -> nil",                                           \
      "Switches all motors of the device on or off. Levels and effects are kept.")                 \
    X(stop_all_rumble_effects, "(motor_id: integer) -> nil", "Ends all effects on a motor.")       \
    X(stop_rumble_effect, "(motor_id: integer, id: integer) -> nil", "Ends an effect on a motor.") \
    X(type, "() -> string", "Returns the kind of device: keyboard, mouse or pad.")

#define CT_INPUT_DEVICE_DECLARATION(name, signature, doc) int ct_api_device_##name(lua_State *L);
CT_INPUT_DEVICE_FUNCTIONS_TO_I(CT_INPUT_DEVICE_DECLARATION)
CT_INPUT_DEVICE_FUNCTIONS_FROM_N(CT_INPUT_DEVICE_DECLARATION)
#undef CT_INPUT_DEVICE_DECLARATION

// A row of a module's table.
#define CT_INPUT_DEVICE_ROW(name, signature, doc) {#name, ct_api_device_##name, signature, doc},

// The constants that modules have for the modes of dead zones.
enum { CT_NUM_INPUT_DEVICE_CONSTANTS = 3 };
extern const ct_lua_constant ct_input_device_constants[CT_NUM_INPUT_DEVICE_CONSTANTS];

// Returns the device whose module is running. Reads Lua's call frame; used for few calls a frame.
ct_input_device ct_running_input_device(lua_State *L);
