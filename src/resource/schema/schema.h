// schema.h: what a resource or component consists of, said once.
//
// A schema is a constant table of fields. The compiler reads sources by it into plain structs,
// checking names, types and ranges; blobs are written by it; tools, Lua and docs read it. Fields
// marked as references or media are where resources name each other, wherever they stand.
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
    CT_FIELD_TYPE_MAP,        // ct_sjson_value, object whose members are such. Not for blobs
    CT_FIELD_TYPE_OBJECT,     // ct_sjson_value, one object of `schema`. Not for blobs
                              // (of the three, what is inside is read by the caller)
    CT_FIELD_TYPE_INDEX,      // uint32_t that the compiler works out; not in the source
    CT_FIELD_TYPE_PADDING,    // not in the source; keeps blobs free of unset bytes
} ct_field_type;

enum {
    CT_FIELD_REQUIRED = 1,   // a source without it is an error
    CT_FIELD_SET = 2,        // the order of an array's elements means nothing
    CT_FIELD_PATTERNS = 4,   // names of resources may be wildcards: `*` stands for any characters
    CT_FIELD_GLSL = 8,       // a STRING that is GLSL: its lines `#include "path"` name media
    CT_FIELD_OVERRIDES = 16, // an array whose elements change, by their ids, what stands elsewhere
};

// Two fields may bear one name: a REFERENCE or STRING and a VALUE that keeps its place in the
// source.
//
// Elements of an ARRAY and members of a MAP are what the first of these says that is there:
// `element_type` REFERENCE, names of resources of `reference_type` (null: none); MEDIA, project
// paths; VALUE, anything, in which references say so themselves (typed_reference.h); `schema`, objects of it; `schemas`, objects of the one of these schemas whose name their
// `type` gives. With `schemas`, an element may be an array too, of such objects. An object that
// gives no `type`, or one that is none of them, overrides one that stands elsewhere: each member
// means what it means in those of the schemas that know it. Hence a name that is a reference in one
// of `schemas` is the same reference in all that have it.
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
    const char *reference_type;      // for REFERENCE, REFERENCES and such elements
    ct_field_type element_type;      // for ARRAY and MAP: NONE, REFERENCE, MEDIA or VALUE
    const ct_schema *schema;         // for ARRAY, MAP and OBJECT; NULL: the compiler checks
    const ct_schema *const *schemas; // for ARRAY and MAP; NULL-terminated; NULL: none
    const char *const *enum_names;   // for ENUM; NULL-terminated
    const char *degrees_name;        // for QUATERNION: under this name a source may give it as [x y
                                     // z], degrees about these axes of the parent in this order;
                                     // not under both. NULL: it cannot
} ct_field;

// True when a source can give the field.
static inline bool ct_field_is_in_source(const ct_field *field) {
    return field->type != CT_FIELD_TYPE_PADDING && field->type != CT_FIELD_TYPE_INDEX;
}

// What an object may have beside its fields, as elements of arrays with identity do: whoever reads
// the array looks at it.
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
    uint32_t identity; // CT_SCHEMA_ID and others that may stand beside the fields
};

// Receives what ct_schema_read finds, in source order. Either may be NULL.
typedef struct ct_schema_listener {
    void *user;
    // A reference to the resource (type, name); `at` is the value in `doc`.
    void (*reference)(void *user, const char *type, const char *name, const ct_sjson *doc,
                      ct_sjson_value at);
    // Something is wrong; reading goes on to find the rest.
    void (*error)(void *user, const ct_error *error);
    const char *project; // as for ct_resource_name_advise; may be NULL
} ct_schema_listener;

// Fills `out` (schema->size_bytes) from `object`, defaults where it says nothing. Unknown members
// (with the nearest known name), wrong types, numbers out of range, names that are not canonical
// and missing required fields are errors. Members of the schema's identity are passed over. Returns
// false when there was any error.
bool ct_schema_read(const ct_schema *schema, const ct_sjson *doc, ct_sjson_value object, void *out,
                    const ct_schema_listener *listener);

// As ct_schema_read, but leaves what `object` does not mention as it is in `out`, and asks for no
// required field: overrides on top of a struct that was read before.
bool ct_schema_apply(const ct_schema *schema, const ct_sjson *doc, ct_sjson_value object, void *out,
                     const ct_schema_listener *listener);

// Checks a struct that came from a blob: finite numbers in range, enums, bools, rotations of length
// 1, terminated text. False with `error` naming the field. Only for schemas that fit in blobs.
bool ct_schema_check(const ct_schema *schema, const void *data, ct_error *error);

// Fills `out` with the defaults.
void ct_schema_defaults(const ct_schema *schema, void *out);

// The field called `name`, or NULL.
const ct_field *ct_schema_find(const ct_schema *schema, const char *name);

// The field that sources give as `key`: its name or its `degrees_name`; or NULL.
const ct_field *ct_schema_find_key(const ct_schema *schema, const char *key);

// The other key of a field that sources give as `key`; NULL when it has only one.
const char *ct_field_other_key(const ct_field *field, const char *key);

// The member of `object` that gives `field`, under either key; {0} when there is no such member.
ct_sjson_value ct_field_member(const ct_field *field, const ct_sjson *doc, ct_sjson_value object);

// What `degrees_name` of a field takes, as a field that tools show beside it. Sources are not read by
// it: it has no place in the struct.
ct_field ct_field_in_degrees(const ct_field *field);

// The one of `count` names nearest to `name` by edit distance, or NULL when none is near: for "did
// you mean".
const char *ct_nearest_name(const char *name, const char *const *names, uint32_t count);

// The same of names of resources, `/` between folders: first one that ends with all of `name`,
// whose folder was left out, then the nearest by edit distance, then one that ends with its last
// part, in another folder.
const char *ct_nearest_resource_name(const char *name, const char *const *names, uint32_t count);

// One sRGB component (0 to 1) to linear (IEC 61966-2-1).
float ct_srgb_to_linear(float value);

// The other way round.
float ct_linear_to_srgb(float value);
