// input.h: the interface "input": buttons and axes of devices, and the project's actions.
//
// Names are those of bindings (docs/input.md): "keyboard.space", "mouse.left", "pad1.a", and "pad.a" for
// any pad; axes are "mouse.cursor", "mouse.wheel", "pad.left", … Look a name up once, for example in
// `init`, and keep the number; numbers may be others in another version of the engine, so keep none in a
// state. What is pressed and released is of this frame, as in Lua.
//
// Unknown names of actions are logged as the error "plugin_bad_argument", and count as at rest.
#ifndef CUTTLE_INPUT_H
#define CUTTLE_INPUT_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_INPUT_API "input"

// A button of a device, or of any pad; {0} is no button, and never pressed.
typedef struct cuttle_input_button {
    uint32_t id;
} cuttle_input_button;

// An axis of a device, or of any pad; {0} is no axis, and always at rest.
typedef struct cuttle_input_axis {
    uint32_t id;
} cuttle_input_axis;

// Update thread.
typedef struct cuttle_input_api_1 {
    // Return a button or an axis by its name; {0} with `error`, which names the nearest one.
    cuttle_input_button (*button)(cuttle_plugin *self, const char *name, cuttle_error *error);
    cuttle_input_axis (*axis)(cuttle_plugin *self, const char *name, cuttle_error *error);

    // Return whether a button is down; whether it went down, or up, in this frame; how far it is
    // pressed, 0 to 1.
    bool (*is_down)(cuttle_plugin *self, cuttle_input_button button);
    bool (*pressed)(cuttle_plugin *self, cuttle_input_button button);
    bool (*released)(cuttle_plugin *self, cuttle_input_button button);
    float (*value)(cuttle_plugin *self, cuttle_input_button button);
    // Returns where an axis is, after its dead zone: sticks x and y from -1 to 1, triggers x from 0 to 1,
    // the cursor in pixels from the top left, mouse and wheel what they moved in this frame. Of any pad:
    // that which is farthest from rest.
    cuttle_vector3 (*axis_value)(cuttle_plugin *self, cuttle_input_axis axis);

    // Return whether an action is held; whether it was pressed, or released, in this update; its value, in
    // x for buttons and axes, in x and y for vectors.
    bool (*action_held)(cuttle_plugin *self, const char *name);
    bool (*action_pressed)(cuttle_plugin *self, const char *name);
    bool (*action_released)(cuttle_plugin *self, const char *name);
    cuttle_vector3 (*action_value)(cuttle_plugin *self, const char *name);
} cuttle_input_api_1;

#ifdef __cplusplus
}
#endif
#endif
