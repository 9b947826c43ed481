// schema.h: the description of a resource or component, in one place.
//
// A schema is a constant table of fields. The compiler uses it to read sources into plain structs,
// checking names, types and ranges, and to write blobs; tools, Lua and docs use it too. Fields
// marked as references or media are the places where resources name each other, at any depth.
#pragma once
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_id.h"

typedef struct ct_schema ct_schema;

// What a field holds, and what ct_schema_read stores at its offset.
typedef enum ct_field_type {
    CT_FIELD_TYPE_NONE,
    CT_FIELD_TYPE_BOOL,       // uint32_t, 0 or 1
    CT_FIELD_TYPE_INT,        // int32_t
    CT_FIELD_TYPE_FLOAT,      // float
    CT_FIELD_TYPE_VECTOR2,    // float[2]
    CT_FIELD_TYPE_VECTOR3,    // float[3]
    CT_FIELD_TYPE_VECTOR4,    // float[4]
    CT_FIELD_TYPE_QUATERNION, // float[4] x y z w; normalised; zero length is an error. Sources may
                              // give it in degrees instead: `degrees_name`
    CT_FIELD_TYPE_COLOR,      // float[4]; source: sRGB [r g b] or [r g b a]; stored linear
    CT_FIELD_TYPE_ENUM,       // uint32_t, position in `enum_names`, whose first is the default
    CT_FIELD_TYPE_TEXT,       // char[size_bytes], zero-terminated
    CT_FIELD_TYPE_NAME,       // ct_string_id32 of a string
    CT_FIELD_TYPE_REFERENCE,  // ct_string_id64 of a resource's name; type `reference_type`
    CT_FIELD_TYPE_REFERENCES, // ct_string_id64[size_bytes / 8]; array of up to that many names
    CT_FIELD_TYPE_STRING,     // const char *, borrowed from the document. Not for blobs
    CT_FIELD_TYPE_MEDIA,      // const char *, a project path with extension. Not for blobs
    CT_FIELD_TYPE_VALUE,      // ct_sjson_value, anything. Not for blobs
    CT_FIELD_TYPE_ARRAY,      // ct_sjson_value, array of elements as below. Not for blobs
    CT_FIELD_TYPE_MAP,        // ct_sjson_value, object whose members are like these. Not for blobs
    CT_FIELD_TYPE_OBJECT,     // ct_sjson_value, one object of `schema`. Not for blobs (the caller
                              // reads what is inside ARRAY, MAP and OBJECT)
    CT_FIELD_TYPE_INDEX,      // uint32_t that the compiler computes; not in the source
    CT_FIELD_TYPE_PADDING,    // not in the source; keeps blobs free of unset bytes
} ct_field_type;

enum {
    CT_FIELD_REQUIRED = 1,   // a source without it is an error
    CT_FIELD_SET = 2,        // the order of an array's elements has no meaning
    CT_FIELD_PATTERNS = 4,   // names of resources may be wildcards: `*` matches any characters
    CT_FIELD_GLSL = 8,       // a STRING that is GLSL: its lines `#include "path"` name media
    CT_FIELD_OVERRIDES = 16, // an array whose elements change elements elsewhere, by their ids
};

// Two fields may have the same name: a REFERENCE or STRING, and a VALUE that keeps its position in
// the source.
//
// The first of these that is set defines the elements of an ARRAY and the members of a MAP:
// `element_type` REFERENCE, names of resources of `reference_type` (null: no resource); MEDIA,
// project paths; VALUE, anything, with self-describing references (typed_reference.h); `schema`,
// objects of it; `schemas`, objects of the schema among these that their `type` names. With
// `schemas`, an element may also be an array of such objects. An object without `type`, or with an
// unknown one, overrides an object elsewhere: each member has its meaning in those of the schemas
// that have it. So a name that is a reference in one of `schemas` must be the same reference in all
// that have it.
typedef struct ct_field {
    const char *name;
    ct_field_type type;
    uint32_t offset;     // in the struct
    uint32_t size_bytes; // in the struct
    uint32_t flags;
    const char *doc;                 // one line
    const char *unit;                // "m", "rad", "cd", … or NULL
    double least, most;              // checked when least < most, for each number of the field
    double default_value[4];         // as a source has it (colours in sRGB)
    const char *default_text;        // for text, names, references, media; may be NULL
    const char *reference_type;      // for REFERENCE, REFERENCES and elements of REFERENCE
    ct_field_type element_type;      // for ARRAY and MAP: NONE, REFERENCE, MEDIA or VALUE
    const ct_schema *schema;         // for ARRAY, MAP and OBJECT; NULL: the compiler checks
    const ct_schema *const *schemas; // for ARRAY and MAP; NULL-terminated; NULL: none
    const char *const *enum_names;   // for ENUM; NULL-terminated
    const char *degrees_name;        // for QUATERNION: another name, under which a source may give
                                     // the rotation as [x y z], degrees about these axes of the
                                     // parent in this order; not both names at once. NULL: none
    // For VALUE that is an object: returns the type of the resource that its member `key` names, or
    // NULL. `type` is that of the object that has the field, "" without one. NULL: no member names
    // a resource.
    const char *(*member_reference)(const char *type, const char *key);
} ct_field;

// Returns whether a source can give the field.
static inline bool ct_field_is_in_source(const ct_field *field) {
    return field->type != CT_FIELD_TYPE_PADDING && field->type != CT_FIELD_TYPE_INDEX;
}

// Members that an object may have beside its fields, as elements of arrays with identity do. The
// code that reads the array handles them.
enum {
    CT_SCHEMA_ID = 1,      // `id`
    CT_SCHEMA_TYPE = 2,    // `type`
    CT_SCHEMA_REMOVED = 4, // `removed`
};

struct ct_schema {
    const char *name;    // "texture", "transform"
    const char *doc;     // one line
    uint32_t size_bytes; // of the struct
    uint32_t num_fields;
    const ct_field *fields;
    uint32_t identity; // CT_SCHEMA_ID and others that are allowed beside the fields
};

// Receives references and errors from ct_schema_read, in source order. Either function may be NULL.
typedef struct ct_schema_listener {
    void *user;
    // A reference to the resource (type, name); `at` is the value in `doc`.
    void (*reference)(void *user, const char *type, const char *name, const ct_sjson *doc,
                      ct_sjson_value at);
    // An error; reading continues to find others.
    void (*error)(void *user, const ct_error *error);
    const char *project; // as for ct_resource_name_advise; may be NULL
} ct_schema_listener;

// Fills `out` (schema->size_bytes) from `object`, with defaults for missing members. Unknown
// members (reported with the nearest known name), wrong types, numbers out of range, names that are
// not canonical and missing required fields are errors. Members of the schema's identity are
// skipped. Returns false after any error.
bool ct_schema_read(const ct_schema *schema, const ct_sjson *doc, ct_sjson_value object, void *out,
                    const ct_schema_listener *listener);

// Like ct_schema_read, but leaves fields in `out` unchanged that `object` does not have, and does
// not require any: for overrides on top of a struct that was read before.
bool ct_schema_apply(const ct_schema *schema, const ct_sjson *doc, ct_sjson_value object, void *out,
                     const ct_schema_listener *listener);

// Checks a struct from a blob: finite numbers in range, enums, bools, rotations of length 1,
// terminated text. Returns false with `error` naming the field. Only for schemas that fit in blobs.
bool ct_schema_check(const ct_schema *schema, const void *data, ct_error *error);

// Fills `out` with the defaults.
void ct_schema_defaults(const ct_schema *schema, void *out);

// Returns the field called `name`, or NULL.
const ct_field *ct_schema_find(const ct_schema *schema, const char *name);

// Returns the field with the source key `key`, its name or its `degrees_name`, or NULL.
const ct_field *ct_schema_find_key(const ct_schema *schema, const char *key);

// Returns the other source key of a field with the key `key`; NULL when it has only one.
const char *ct_field_other_key(const ct_field *field, const char *key);

// Returns the member of `object` that gives `field`, under either key; {0} when there is none.
ct_sjson_value ct_field_member(const ct_field *field, const ct_sjson *doc, ct_sjson_value object);

// Returns the `degrees_name` of a field as a field of its own, for tools to show. It is not used to
// read sources, and has no place in the struct.
ct_field ct_field_in_degrees(const ct_field *field);

// Returns the one of `count` names nearest to `name` by edit distance, or NULL when none is near:
// for "did you mean".
const char *ct_nearest_name(const char *name, const char *const *names, uint32_t count);

// The same for names of resources, with `/` between folders. First tries a name that ends with all
// of `name`, whose folder was left out, then the nearest by edit distance, then a name in another
// folder that ends with its last part.
const char *ct_nearest_resource_name(const char *name, const char *const *names, uint32_t count);

// Converts one sRGB component (0 to 1) to linear (IEC 61966-2-1).
float ct_srgb_to_linear(float value);

// Converts back from linear to sRGB.
float ct_linear_to_srgb(float value);
