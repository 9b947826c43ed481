// input_binding.h: what moves an action: a control, or several that make an axis.
//
// In sources a binding is a string, the control, or an object of ct_input_binding_schema. The
// compiler, players' own bindings and Lua read it here, so that all take the same. Any thread.
#pragma once
#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/blob_layout.h"
#include "resource/schema/schema.h"
#include "resource/types/input_control.h"

// What an action is.
typedef enum ct_input_action_kind {
    CT_INPUT_ACTION_KIND_BUTTON, // held or not, from 0 to 1
    CT_INPUT_ACTION_KIND_AXIS,   // one number
    CT_INPUT_ACTION_KIND_VECTOR, // two
    CT_NUM_INPUT_ACTION_KINDS,
} ct_input_action_kind;

typedef enum ct_input_binding_kind {
    CT_INPUT_BINDING_KIND_NONE,    // an empty slot
    CT_INPUT_BINDING_KIND_CONTROL, // controls[0]
    CT_INPUT_BINDING_KIND_PAIR,    // negative, positive
    CT_INPUT_BINDING_KIND_FOUR,    // left, right, down, up
    CT_NUM_INPUT_BINDING_KINDS,
} ct_input_binding_kind;

enum {
    CT_INPUT_BINDING_INVERT_X = 1,
    CT_INPUT_BINDING_INVERT_Y = 2,
    CT_INPUT_BINDING_PER_SECOND = 4, // the value is a speed: times the seconds of the update
    CT_INPUT_ALL_BINDING_FLAGS = 7,
};

// As it lies in the blob.
typedef struct ct_input_binding {
    uint32_t kind;                // ct_input_binding_kind
    uint32_t modifiers;           // that must be held; of CONTROL only
    ct_input_control controls[4]; // those that the kind does not have are none
    uint32_t flags;
    float scale;     // the value is multiplied by it
    float dead_zone; // 0 to 0.95; -1: as the device has it
    float response;  // the exponent of the value: 1 straight, 2 finer near the middle
} ct_input_binding;

extern const ct_schema ct_input_binding_schema; // of the object's form
extern const ct_blob_layout ct_input_binding_layout;

// Reads the binding at `at`. "none" gives an empty one. False when something is wrong, after having
// told `listener`; `binding` is unchanged then.
bool ct_input_binding_read(const ct_sjson *doc, ct_sjson_value at, ct_input_binding *binding,
                           const ct_schema_listener *listener);

// Writes it in its shortest form, as ct_input_binding_read reads it.
void ct_input_binding_write(ct_sjson_writer *w, const ct_input_binding *binding);

// Makes a binding of one control from text (ct_input_control_parse), or an empty one of "none".
// False with `error`.
bool ct_input_binding_parse(const char *text, ct_input_binding *binding, ct_error *error);

// The place in `controls` of a part by name ("negative", "up", …; "control"), or -1 when a binding
// of this kind has none.
int32_t ct_input_binding_part(uint32_t kind, const char *name);

// True when the binding gives what an action of this kind takes; else an error that says what it
// would take.
bool ct_input_binding_fits(const ct_input_binding *binding, ct_input_action_kind kind,
                           ct_error *error);

// Checks a binding of a blob: kinds, controls, ranges. False with `error`.
bool ct_input_binding_check(const ct_input_binding *binding, ct_error *error);
