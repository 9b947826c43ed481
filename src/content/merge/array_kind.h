// array_kind.h: how versions of one array are compared: by ids, by values, by order, or as a whole.
//
// A vector, quaternion or colour is one value: the schema says so, and where no schema speaks, two
// to four numbers, as many in all versions, are one. An array of objects that all have an `id` (or
// all an `Id`, or `ID`) goes by it; the ids are strings or numbers, and no id occurs twice in one
// version. An array that the schema calls a set, of nothing but scalars, goes by its values. All
// others go by best alignment (sequence_alignment.h).
//
// For arrays by id or value, a row says which elements of the versions are the same one.
#pragma once
#include "content/references/content_place.h"

enum { CT_ARRAY_MAX_VERSIONS = 3 };

// How the elements of versions are matched.
typedef enum ct_array_kind {
    CT_ARRAY_KIND_SEQUENCE, // by best alignment
    CT_ARRAY_KIND_IDENTITY, // by ids
    CT_ARRAY_KIND_SET,      // by values
    CT_ARRAY_KIND_VALUE,    // not at all: the array is one value
} ct_array_kind;

// Why an array with ids is not matched by them.
typedef enum ct_array_fault {
    CT_ARRAY_FAULT_NONE,
    CT_ARRAY_FAULT_DOUBLED_ID,
    CT_ARRAY_FAULT_NO_ID, // an element does not have the key, or is not an object
    CT_ARRAY_FAULT_ID_TYPE,
} ct_array_fault;

// One element in all versions; {0} where a version does not have it.
typedef struct ct_array_row {
    ct_sjson_value elements[CT_ARRAY_MAX_VERSIONS];
} ct_array_row;

typedef struct ct_array_match {
    ct_array_kind kind;
    const char *id_key; // "id", "Id" or "ID" where ids were found, else NULL; constant
    ct_array_fault fault;
    uint32_t fault_version;      // the first one in which it is
    ct_sjson_value fault_at;     // the element
    CT_ARRAY(ct_array_row) rows; // IDENTITY and SET: those of version 0 in their order, then others
    ct_u32_array orders[CT_ARRAY_MAX_VERSIONS]; // the row of each element of a version
} ct_array_match;

// Compares up to CT_ARRAY_MAX_VERSIONS versions of the array at `place`. Each is an array, or {0},
// which counts as an empty one. In a set, the second of two equal elements matches the second of
// another version. All of it is allocated from `a`. Linear.
void ct_array_match_make(ct_array_match *match, ct_allocator *a, ct_content_place place,
                         const ct_content_value *versions, uint32_t num_versions);
void ct_array_match_free(ct_array_match *match);

// Returns the words for a fault that follow the path of its element: "has the id of another
// element".
const char *ct_array_fault_text(ct_array_fault fault);

// Returns the id of an element by the match's key, or {0} without one.
ct_content_value ct_array_element_id(ct_content_value element, const char *id_key);
