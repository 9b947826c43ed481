// actions_private.h: the state of the actions, shared by the files that work on it.
#pragma once
#include "foundation/container/array.h"
#include "input/actions.h"

// The state of a control as of the last update.
typedef struct ct_control_state {
    bool is_down;
    bool is_engaged; // it moves its action
} ct_control_state;

typedef struct ct_action {
    const char *name; // in the copy of the resource
    ct_input_action_kind kind;
    uint32_t set;
    uint32_t num_slots;
    ct_input_binding bindings[CT_INPUT_MAX_SLOTS]; // the project's, or the player's in their place
    ct_control_state states[CT_INPUT_MAX_SLOTS][4];
    bool is_held, was_pressed, was_released;
    ct_vec3 value;
} ct_action;

// A player's binding for one slot of an action.
typedef struct ct_user_binding {
    char action[CT_INPUT_NAME_BYTES];
    uint32_t slot;
    ct_input_binding binding;
} ct_user_binding;

struct ct_actions {
    ct_allocator *allocator;
    ct_input *input;
    ct_string_id64 resource_name;
    char *user_file; // NULL: bindings are not kept
    bool is_user_file_read, is_user_file_odd;

    ct_byte_array blob; // copy of the resource
    CT_ARRAY(ct_action) actions;
    bool active_sets[CT_INPUT_MAX_SETS];
    CT_ARRAY(ct_user_binding) user_bindings;

    uint32_t held_modifiers; // in the current update
    uint32_t seen_modifiers; // those that were held at some time of this frame
    float seconds;           // length of the current update
    bool is_capturing, has_captured;
    ct_input_binding captured;
    uint32_t lone_modifier; // key + 1 of a modifier that went down during the capture
};

// Returns the copied resource; NULL before one came. Borrowed until the resource changes.
static inline const ct_input_resource *ct_actions_resource(const ct_actions *a) {
    return a->blob.count != 0 ? (const ct_input_resource *)(const void *)a->blob.items : NULL;
}

// Sets the bindings and slots of an action from the resource, then from the player's bindings, and
// its controls to rest (actions_bindings.c).
void ct_actions_apply_bindings(ct_actions *a, uint32_t action);

// Looks for a control to capture in this frame's events. The update calls it while a capture is
// running (actions_capture.c).
void ct_actions_capture(ct_actions *a);
