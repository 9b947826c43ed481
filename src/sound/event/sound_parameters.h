// sound_parameters.h: sets of parameters, as linked lists of nodes in one array.
//
// A parameter is a key and 4 bytes, a number or the hash of a string: the code that reads it knows
// which. A set is the place of its first node in linked_nodes.h; sets of any size share the array, and
// none has memory of its own. From "An Example in Data-Oriented Design: Sound Parameters" (Bitsquid
// blog, 2011-11-07). One thread.
#pragma once
#include "foundation/container/linked_nodes.h"
#include "foundation/string/string_id.h"

// A number or a hashed string.
typedef union ct_sound_parameter_value {
    float number;
    ct_string_id32 text;
} ct_sound_parameter_value;

typedef struct ct_sound_parameter {
    uint32_t next; // place of the next in the set; 0: the last
    ct_string_id32 key;
    ct_sound_parameter_value value;
} ct_sound_parameter;

// Sets share its nodes; each remembers where it starts.
typedef struct ct_sound_parameters {
    ct_linked_nodes nodes; // ct_sound_parameter
} ct_sound_parameters;

// A set: the place of its first node, 0 when it is empty.
typedef struct ct_sound_parameter_set {
    uint32_t first;
} ct_sound_parameter_set;

// Makes an array without parameters; it grows.
void ct_sound_parameters_init(ct_sound_parameters *p, ct_allocator *a);

// Frees all sets.
void ct_sound_parameters_free(ct_sound_parameters *p);

// Sets a parameter, in place of its value before.
void ct_sound_parameter_set_value(ct_sound_parameters *p, ct_sound_parameter_set *set,
                                  ct_string_id32 key, ct_sound_parameter_value value);

// Returns the parameter with this key, or NULL. Valid until one is set.
const ct_sound_parameter *ct_sound_parameter_find(const ct_sound_parameters *p,
                                                  ct_sound_parameter_set set, ct_string_id32 key);

// Frees all of a set, which is empty then.
void ct_sound_parameter_clear(ct_sound_parameters *p, ct_sound_parameter_set *set);
