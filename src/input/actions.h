// actions.h: what players do, independent of the device they use.
//
// A project names actions in an input resource (resource/types/input_resource.h) with their default
// bindings; players replace these, slot by slot (slots count from 1). The resource is copied when
// it comes or changes. Players' bindings are in a separate list, by name, so that either may change
// without the other. An action with several bindings takes the value of the binding that is moved
// most.
//
// A button counts when it goes down while its action's set is active. A button that is held when a
// set is switched on, or when a capture ends, does nothing until it is pressed again. When several
// bindings use one button, the bindings whose modifiers are held win, and of these those with the
// most modifiers. A binding keeps its button until the button goes up, so letting go of ctrl first
// does not fire `s`. Functions take the index of an action or set, below its count; an index out of
// range is a bug. Update thread.
#pragma once
#include "input/input.h"
#include "resource/load/resource_manager.h"
#include "resource/types/input_resource.h"

typedef struct ct_actions ct_actions;

typedef struct ct_actions_desc {
    ct_allocator *allocator;
    ct_input *input;                // borrowed
    ct_resource_manager *resources; // borrowed; NULL: the caller uses ct_actions_set_resource
    const char *resource;           // name of the input resource; NULL or "": there are no actions
    const char *user_file; // path of the player's bindings, copied; NULL: they are not saved
} ct_actions_desc;

// Makes the actions and registers for the type `input`: call it before such a resource is loaded.
// The player's file is read when the resource first comes.
ct_actions *ct_actions_create(const ct_actions_desc *desc);

// Frees the actions; NULL is fine. The resource manager must load and reload no input resource
// afterwards.
void ct_actions_destroy(ct_actions *a);

// Takes a copy of a resource, as loading and reloading do. Sets that existed before stay on or off
// as they are.
void ct_actions_set_resource(ct_actions *a, const ct_input_resource *resource);

// Reads the input's current frame. Call it once before each update; the update lasts `seconds`.
void ct_actions_update(ct_actions *a, double seconds);

// Returns the text of the project's controller mappings, or "". Borrowed until the resource
// changes.
const char *ct_actions_gamepad_mappings(const ct_actions *a);

// --- Actions -------------------------------------------------------------------------------------

// Returns the number of actions.
uint32_t ct_actions_count(const ct_actions *a);

// Returns the name of action `action`, from 0 to count - 1. Borrowed until the resource changes.
const char *ct_actions_name(const ct_actions *a, uint32_t action);

// Returns whether the action is a button, an axis or a vector.
ct_input_action_kind ct_actions_kind(const ct_actions *a, uint32_t action);

// Returns the index of the action of this name, or -1.
int32_t ct_actions_find(const ct_actions *a, const char *name);

// Returns whether a button is held; false for other kinds.
bool ct_actions_held(const ct_actions *a, uint32_t action);

// Returns whether a button was pressed in this update; false for other kinds. A tap between two
// updates is both pressed and released in one.
bool ct_actions_pressed(const ct_actions *a, uint32_t action);

// Returns whether a button was released in this update; false for other kinds.
bool ct_actions_released(const ct_actions *a, uint32_t action);

// Returns the action's value: in x for buttons and axes, in x and y for vectors.
ct_vec3 ct_actions_value(const ct_actions *a, uint32_t action);

// --- Sets ----------------------------------------------------------------------------------------

// Returns the number of action sets; 0 before the resource comes.
uint32_t ct_actions_num_sets(const ct_actions *a);

// Returns the name of set `set`, from 0 to num_sets - 1. Borrowed until the resource changes.
const char *ct_actions_set_name(const ct_actions *a, uint32_t set);

// Returns the index of the set of this name, or -1.
int32_t ct_actions_find_set(const ct_actions *a, const char *name);

// Returns whether a set is switched on. Actions of inactive sets stay at rest.
bool ct_actions_is_active(const ct_actions *a, uint32_t set);

// Switches a set on or off, from the next update on.
void ct_actions_set_active(ct_actions *a, uint32_t set, bool is_active);

// --- Bindings (actions_bindings.c) ---------------------------------------------------------------

// Returns the number of an action's slots: up to the last one with a binding.
uint32_t ct_actions_num_slots(const ct_actions *a, uint32_t action);

// Returns the binding in slot 1 to CT_INPUT_MAX_SLOTS of an action. Borrowed until bindings or the
// resource change.
const ct_input_binding *ct_actions_binding(const ct_actions *a, uint32_t action, uint32_t slot);

// Puts a binding into a slot, in place of the project's. Returns false with `error` and changes
// nothing when the slot is out of range or the binding does not fit the action's kind. The file is
// written by ct_actions_save_user.
bool ct_actions_bind(ct_actions *a, uint32_t action, uint32_t slot, const ct_input_binding *binding,
                     ct_error *error);

// Removes the player's bindings of an action: the project's bindings apply again.
void ct_actions_reset(ct_actions *a, uint32_t action);

// Removes all of the player's bindings, also those of actions that no longer exist.
void ct_actions_reset_all(ct_actions *a);

// Reads the player's bindings from text. `file` names the text in warnings (`user_bindings`). A
// binding that cannot be understood is skipped with a warning, and the project's binding stays in
// its slot. A binding of an unknown action is kept, with a warning. Returns false when there was a
// warning.
bool ct_actions_read_user(ct_actions *a, const char *text, uint64_t bytes, const char *file);

// Appends the player's bindings to `out`, as ct_actions_read_user reads them.
void ct_actions_write_user(const ct_actions *a, ct_string_builder *out);

// Reads the player's file, if there is one. A file that cannot be read or understood is a warning.
void ct_actions_load_user(ct_actions *a);

// Writes the player's file, whole or not at all, and makes its folder. A file that could not be
// understood when it was read is renamed to `<file>.old` first. Returns false with `error` when
// that fails, or when there is no user_file.
bool ct_actions_save_user(ct_actions *a, ct_error *error);

// --- Capture (actions_capture.c) -----------------------------------------------------------------

// Starts a capture, for a menu in which the player binds a control. Actions stay at rest, and the
// next button, key or half of a stick that is pressed is captured. A modifier alone is captured
// when it goes up.
void ct_actions_start_capture(ct_actions *a);

// Ends a capture without a result. Does nothing when no capture is running.
void ct_actions_stop_capture(ct_actions *a);

// Returns whether a capture is running.
bool ct_actions_is_capturing(const ct_actions *a);

// Returns true and fills `binding` with a binding of one control when a control was captured in
// this update, which ended the capture; else returns false and leaves `binding` as it is. A control
// of a pad is captured as that control of any pad.
bool ct_actions_captured(const ct_actions *a, ct_input_binding *binding);
