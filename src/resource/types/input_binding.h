// input_binding.h: bindings of actions to a control, or to several that form an axis.
//
// In sources a binding is a string, the control, or an object of ct_input_binding_schema. The
// compiler, players' own bindings and Lua all read bindings here, so they accept the same. Any
// thread.
#pragma once
#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/blob_layout.h"
#include "resource/schema/schema.h"
#include "resource/types/input_control.h"

// The kind of an action.
typedef enum ct_input_action_kind {
    CT_INPUT_ACTION_KIND_BUTTON, // held or not, from 0 to 1
    CT_INPUT_ACTION_KIND_AXIS,   // one number
    CT_INPUT_ACTION_KIND_VECTOR, // two numbers
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
    CT_INPUT_BINDING_PER_SECOND = 4, // the value is a speed, multiplied by the seconds of the
                                     // update
    CT_INPUT_ALL_BINDING_FLAGS = 7,
};

// A binding in the form of the blob.
typedef struct ct_input_binding {
    uint32_t kind;                // ct_input_binding_kind
    uint32_t modifiers;           // keys that must be held; only for CONTROL
    ct_input_control controls[4]; // those that the kind does not use are {0}
    uint32_t flags;
    float scale;     // factor on the value
    float dead_zone; // 0 to 0.95; -1: the device's
    float response;  // exponent of the value: 1 linear, 2 finer near the middle
} ct_input_binding;

extern const ct_schema ct_input_binding_schema; // of a binding that is an object
extern const ct_blob_layout ct_input_binding_layout;

// Reads the binding at `at`. "none" gives an empty one. Returns false after reporting errors to
// `listener`; `binding` is then unchanged.
bool ct_input_binding_read(const ct_sjson *doc, ct_sjson_value at, ct_input_binding *binding,
                           const ct_schema_listener *listener);

// Writes a binding in its shortest form, which ct_input_binding_read reads.
void ct_input_binding_write(ct_sjson_writer *w, const ct_input_binding *binding);

// Makes a binding of one control from text (ct_input_control_parse), or an empty one from "none".
// Returns false with `error` when the text is invalid.
bool ct_input_binding_parse(const char *text, ct_input_binding *binding, ct_error *error);

// Returns the index in `controls` of a part by name ("negative", "up", …; "control"), or -1 when a
// binding of this kind has no such part.
int32_t ct_input_binding_part(uint32_t kind, const char *name);

// Returns whether the binding suits an action of this kind; otherwise sets `error`, which says what
// the action needs.
bool ct_input_binding_fits(const ct_input_binding *binding, ct_input_action_kind kind,
                           ct_error *error);

// Validates a binding from a blob: kinds, controls, ranges. Returns false with `error`.
bool ct_input_binding_check(const ct_input_binding *binding, ct_error *error);
