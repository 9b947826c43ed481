// protocol_type.h: reads the text of a type (protocol.h) part by part.
//
// A type is a list of alternatives. What a generator writes for a type, and what a check accepts, follow
// from its alternatives and their arrays.
#pragma once
#include "foundation/types.h"

typedef enum ct_protocol_kind {
    CT_PROTOCOL_KIND_ANY,
    CT_PROTOCOL_KIND_STRING,
    CT_PROTOCOL_KIND_NUMBER,
    CT_PROTOCOL_KIND_INTEGER,
    CT_PROTOCOL_KIND_BOOLEAN,
    CT_PROTOCOL_KIND_LITERAL, // `text` without its quotes
    CT_PROTOCOL_KIND_SHAPE,   // `text` is its name
    CT_PROTOCOL_KIND_GROUP,   // `text` is a type, without its parentheses
} ct_protocol_kind;

// One alternative of a type. `text` is a part of the type's text.
typedef struct ct_protocol_part {
    ct_protocol_kind kind;
    const char *text;
    uint32_t bytes;
    uint32_t num_arrays; // how many `[]` are behind it
} ct_protocol_part;

// Reads the next alternative of a type of `*bytes` bytes, and moves both behind it and its `|`. Returns false
// at the end, and at `?`. Tables are trusted: a text that is no type ends the program.
bool ct_protocol_next_part(const char **type, uint32_t *bytes, ct_protocol_part *part);

// Returns whether a member of this type may be left out.
bool ct_protocol_is_optional(const char *type);
