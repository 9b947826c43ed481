// inspect_fields.h: the fields of components that are plain numbers and names, as JSON.
//
// The rows of world/save/world_inspect.h say where a field is and how large; the schema of the component
// says what it means (a unit, a range, the names of choices). Where no schema has the field, its kind and
// size decide. Update thread.
#pragma once
#include "dev/protocol/protocol_request.h"
#include "world/save/world_inspect.h"

// What the value of a field is, as `kind` of the protocol names it.
typedef enum ct_inspect_kind {
    CT_INSPECT_KIND_NONE,
    CT_INSPECT_KIND_BOOLEAN,
    CT_INSPECT_KIND_INTEGER,
    CT_INSPECT_KIND_NUMBER,
    CT_INSPECT_KIND_VECTOR2, // arrays of so many numbers
    CT_INSPECT_KIND_VECTOR3,
    CT_INSPECT_KIND_VECTOR4,
    CT_INSPECT_KIND_QUATERNION, // [x y z w]
    CT_INSPECT_KIND_COLOR,      // [red green blue alpha], linear
    CT_INSPECT_KIND_NUMBERS,
    CT_INSPECT_KIND_ENUM, // one of `choices`
    CT_INSPECT_KIND_TEXT,
    CT_INSPECT_KIND_NAME,       // text, or "#" and the number of one that is not known; null: none
    CT_INSPECT_KIND_NAMES,      // an array of them
    CT_INSPECT_KIND_REFERENCE,  // the name of a resource; null: none
    CT_INSPECT_KIND_REFERENCES, // an array of them
    CT_INSPECT_KIND_NODES,      // an array of objects
    CT_INSPECT_KIND_VALUE,      // any value of Lua, as text
    CT_INSPECT_KIND_COUNT,
} ct_inspect_kind;

// A field as tools see it.
typedef struct ct_inspect_field {
    const char *name;
    ct_inspect_kind kind;
    bool can_set;
    const ct_field *schema; // NULL: none has it
} ct_inspect_field;

// Returns the name of a kind: "vector3".
const char *ct_inspect_kind_name(ct_inspect_kind kind);

// Describes a field of a component. The kind NONE: tools do not see it.
ct_inspect_field ct_inspect_describe(const char *component, const ct_save_field *field);

// Begins the object of a field and writes all members but `value`, whose key it writes; the caller writes
// the value and ends the object.
void ct_inspect_begin_field(ct_sjson_writer *w, const ct_inspect_field *field);

// Writes the value of a field of a row.
void ct_inspect_write_value(ct_sjson_writer *w, const ct_inspect_field *field,
                            const ct_save_field *save, const uint8_t *row);

// Changes a field in a row to a value. Returns false with `error`, which says what was found and expected,
// and changes nothing.
bool ct_inspect_read_value(const ct_console_request *r, ct_sjson_value value,
                           const ct_inspect_field *field, const ct_save_field *save, uint8_t *row,
                           ct_error *error);

// Reads an array of `least` to `most` finite numbers that floats can hold, or one number where `least` is 1.
// Returns how many there are; 0 with `error`.
uint32_t ct_inspect_read_floats(const ct_sjson *doc, ct_sjson_value value, uint32_t least,
                                uint32_t most, float *floats, ct_error *error);

// Reads the name of an id, which is registered, or of an online resource of a type; `{0}` for null. Return
// false with `error`.
bool ct_inspect_read_name(const ct_console_request *r, ct_sjson_value value, ct_string_id32 *id,
                          ct_error *error);
bool ct_inspect_read_reference(const ct_console_request *r, ct_sjson_value value, const char *type,
                               ct_string_id64 *id, ct_error *error);
