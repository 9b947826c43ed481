// actions.h: what players do, whatever they do it with.
//
// A project names actions in an input resource (resource/types/input_resource.h) with the bindings that
// move them at first; players put others in their places, slot by slot (slots count from 1). The
// resource is copied when it comes or changes; players' bindings are a list beside it, by names, so
// that both may change without the other. An action with several bindings takes the one that is
// moved most.
//
// A button counts from when it goes down while its action's set is active: what is held when a set
// is switched on, or when a capture ends, does nothing until it is pressed again. Of bindings to
// one button those win whose modifiers are held, and of these those with the most; a binding keeps
// its button until that goes up, so letting go of ctrl first does not fire `s`. Update thread.
#pragma once
#include "input/input.h"
#include "resource/load/resource_manager.h"
#include "resource/types/input_resource.h"

typedef struct ct_actions ct_actions;

typedef struct ct_actions_desc {
    ct_allocator *allocator;
    ct_input *input;                // borrowed
    ct_resource_manager *resources; // borrowed; NULL: ct_actions_set_resource says what there is
    const char *resource;           // name of the input resource; NULL or "": there are no actions
    const char *user_file; // path of the player's bindings, copied; NULL: they are not kept
} ct_actions_desc;

// Makes the actions, and registers for the type `input`: before anything of it is loaded. The
// player's file is read when the resource comes.
ct_actions *ct_actions_create(const ct_actions_desc *desc);

// Frees them; NULL is fine. The resource manager must not reload afterwards.
void ct_actions_destroy(ct_actions *a);

// Takes a copy of a resource, as reloading does: sets that were there stay as they are.
void ct_actions_set_resource(ct_actions *a, const ct_input_resource *resource);

// Looks at the input: once before each update, which lasts `seconds`.
void ct_actions_update(ct_actions *a, double seconds);

// The text of the project's controller mappings; "" when there are none. Borrowed until the
// resource changes.
const char *ct_actions_gamepad_mappings(const ct_actions *a);

// --- Actions -------------------------------------------------------------------------------------

// How many there are; their names (borrowed) and kinds by place, 0 to count - 1; the place of a
// name, or -1.
uint32_t ct_actions_count(const ct_actions *a);
const char *ct_actions_name(const ct_actions *a, uint32_t action);
ct_input_action_kind ct_actions_kind(const ct_actions *a, uint32_t action);
int32_t ct_actions_find(const ct_actions *a, const char *name);

// Whether a button is held, was pressed in this update, was released in it. A tap between two
// updates is pressed and released in one. False for other kinds.
bool ct_actions_held(const ct_actions *a, uint32_t action);
bool ct_actions_pressed(const ct_actions *a, uint32_t action);
bool ct_actions_released(const ct_actions *a, uint32_t action);

// Its value: of buttons and axes in x, of vectors in x and y.
ct_vec3 ct_actions_value(const ct_actions *a, uint32_t action);

// --- Sets ----------------------------------------------------------------------------------------

uint32_t ct_actions_num_sets(const ct_actions *a);
const char *ct_actions_set_name(const ct_actions *a, uint32_t set);
int32_t ct_actions_find_set(const ct_actions *a, const char *name);
bool ct_actions_is_active(const ct_actions *a, uint32_t set);

// Switches a set on or off, from the next update on.
void ct_actions_set_active(ct_actions *a, uint32_t set, bool is_active);

// --- Bindings (actions_bindings.c) ---------------------------------------------------------------

// The number of slots, the last of which may be empty; and what is in slot 1 to MAX_SLOTS.
uint32_t ct_actions_num_slots(const ct_actions *a, uint32_t action);
const ct_input_binding *ct_actions_binding(const ct_actions *a, uint32_t action, uint32_t slot);

// Puts a binding into a slot, as the player wants it. False with `error` when it does not fit.
bool ct_actions_bind(ct_actions *a, uint32_t action, uint32_t slot, const ct_input_binding *binding,
                     ct_error *error);

// Puts back what the project says, for one action, or for all with everything the player's file
// said of actions that are no more.
void ct_actions_reset(ct_actions *a, uint32_t action);
void ct_actions_reset_all(ct_actions *a);

// Reads the player's bindings from text; `file` names it in warnings (`user_bindings`) about what
// is not understood, which is passed over: the project's own binding stays there. Returns false
// when there was a warning; unknown actions are kept and are one too.
bool ct_actions_read_user(ct_actions *a, const char *text, uint64_t bytes, const char *file);

// Appends the player's bindings as ct_actions_read_user reads them.
void ct_actions_write_user(const ct_actions *a, ct_string_builder *out);

// Reads and writes the player's file. One that was not understood is kept beside the new one as
// `<file>.old`. Saving is whole or not at all; false with `error`.
void ct_actions_load_user(ct_actions *a);
bool ct_actions_save_user(ct_actions *a, ct_error *error);

// --- Capture (actions_capture.c) -----------------------------------------------------------------

// From now on actions rest, and the next button, key or half of a stick that is pressed is
// captured: to bind it. A modifier alone is captured when it goes up.
void ct_actions_start_capture(ct_actions *a);
void ct_actions_stop_capture(ct_actions *a);
bool ct_actions_is_capturing(const ct_actions *a);

// What was captured in this update, which ended the capture: a binding of one control; false
// otherwise. Any pad stands for the pad that was used.
bool ct_actions_captured(const ct_actions *a, ct_input_binding *binding);
