// schema.h: the description of a struct: what its members are called, hold and may be.
//
// A schema is a constant table. With it the compiler reads sources into the struct and checks names,
// types and ranges; tools, Lua and documentation use it as well; and a plugin's state finds its
// members again after a reload.
//
//     typedef struct wind { float strength; float direction[3]; } wind;
//     static const cuttle_field fields[] = {
//         {.name = "strength", .type = CUTTLE_FIELD_FLOAT, .offset = offsetof(wind, strength),
//          .size_bytes = 4, .doc = "Speed of the air.", .unit = "m/s", .least = 0, .most = 100,
//          .default_value = {3}},
//         {.name = "direction", .type = CUTTLE_FIELD_VECTOR3, .offset = offsetof(wind, direction),
//          .size_bytes = 12, .doc = "Where it blows to.", .default_value = {0, 1, 0}},
//     };
//     static const cuttle_schema schema = {.name = "wind", .doc = "Moving air.", .version = 1,
//         .size_bytes = sizeof(wind), .num_fields = 2, .fields = fields};
#ifndef CUTTLE_SCHEMA_H
#define CUTTLE_SCHEMA_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a field holds, and how it lies in the struct. The numbers do not change.
typedef enum cuttle_field_type {
    CUTTLE_FIELD_BOOL = 1,       // uint32_t, 0 or 1
    CUTTLE_FIELD_INT = 2,        // int32_t
    CUTTLE_FIELD_FLOAT = 3,      // float
    CUTTLE_FIELD_VECTOR2 = 4,    // float[2]
    CUTTLE_FIELD_VECTOR3 = 5,    // float[3]
    CUTTLE_FIELD_VECTOR4 = 6,    // float[4]
    CUTTLE_FIELD_QUATERNION = 7, // float[4], x y z w, of length 1
    CUTTLE_FIELD_COLOR = 8,      // float[4]; in sources sRGB [r g b] or [r g b a], stored linear
    CUTTLE_FIELD_ENUM = 9,       // uint32_t, position in enum_names, whose first is the default
    CUTTLE_FIELD_TEXT = 10,      // char[size_bytes], zero-terminated UTF-8
    CUTTLE_FIELD_NAME = 11,      // cuttle_id32 of a text
    CUTTLE_FIELD_REFERENCE = 12, // cuttle_id64 of the name of a resource of `reference_type`
    CUTTLE_FIELD_BYTES = 13,     // size_bytes of anything: only in states, not in sources
    CUTTLE_FIELD_PADDING = 14,   // unused bytes; blobs have no unnamed gaps
} cuttle_field_type;

enum { CUTTLE_FIELD_REQUIRED = 1 }; // flags: a source without it is an error

typedef struct cuttle_field {
    const char *name;    // a-z, 0-9 and _
    uint32_t type;       // cuttle_field_type
    uint32_t offset;     // in the struct
    uint32_t size_bytes; // in the struct
    uint32_t flags;
    const char *doc;               // one sentence; may be NULL in states
    const char *unit;              // "m", "rad", …; or NULL
    double least, most;            // checked when least < most, for each number of the field
    double default_value[4];       // as a source has it (colours in sRGB)
    const char *default_text;      // of TEXT, NAME and REFERENCE; or NULL
    const char *reference_type;    // of REFERENCE: "texture"
    const char *const *enum_names; // of ENUM, ended by NULL
} cuttle_field;

// All of a schema is borrowed as long as the library is open, unless a function says otherwise.
typedef struct cuttle_schema {
    const char *name; // of the component, resource type or state
    const char *doc;  // one sentence
    uint32_t version; // raised when the meaning of the struct changes
    uint32_t size_bytes;
    uint32_t num_fields;
    const cuttle_field *fields;
} cuttle_schema;

#ifdef __cplusplus
}
#endif
#endif
