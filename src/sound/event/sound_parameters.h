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

// Grows with what plays: 12 bytes and a bit for each value that is set.
typedef struct ct_sound_parameters {
    ct_linked_nodes nodes; // each a ct_sound_parameter
} ct_sound_parameters;

// A set: the place of its first node, 0 when it is empty.
typedef struct ct_sound_parameter_set {
    uint32_t first;
} ct_sound_parameter_set;

// Makes an array without parameters; it grows.
void ct_sound_parameters_init(ct_sound_parameters *p, ct_allocator *a);

// Frees all sets.
void ct_sound_parameters_free(ct_sound_parameters *p);

// Adds a parameter whose key is not in the set, behind the node at `last`, its end (0: it is empty).
void ct_sound_parameter_add(ct_sound_parameters *p, ct_sound_parameter_set *set, uint32_t last,
                            ct_string_id32 key, ct_sound_parameter_value value);

// Sets a parameter, in place of its value before.
static inline void ct_sound_parameter_set_value(ct_sound_parameters *p, ct_sound_parameter_set *set,
                                                ct_string_id32 key,
                                                ct_sound_parameter_value value) {
    uint32_t last = 0;
    for (uint32_t place = set->first; place > 0;) {
        ct_sound_parameter *const node = ct_linked_node(&p->nodes, ct_sound_parameter, place);
        if (node->key.value == key.value) {
            node->value = value;
            return;
        }
        last = place;
        place = node->next;
    }
    ct_sound_parameter_add(p, set, last, key, value);
}

// Returns the parameter with this key, or NULL. Valid until one is set.
static inline const ct_sound_parameter *ct_sound_parameter_find(const ct_sound_parameters *p,
                                                                ct_sound_parameter_set set,
                                                                ct_string_id32 key) {
    for (uint32_t place = set.first; place > 0;) {
        const ct_sound_parameter *const node = ct_linked_node(&p->nodes, ct_sound_parameter, place);
        if (node->key.value == key.value)
            return node;
        place = node->next;
    }
    return NULL;
}

// Frees all of a set, which is empty then.
void ct_sound_parameter_clear(ct_sound_parameters *p, ct_sound_parameter_set *set);
