// network_filter.h: which moments of a log are wanted.
#pragma once
#include "cli/network/network_timeline.h"

// All of it when zeroed, but for `to`. Texts are borrowed.
typedef struct ct_network_filter {
    double from, to; // seconds
    bool has_peer, has_direction;
    uint64_t peer;       // the first digits of one
    uint32_t num_digits; // of `peer`
    ct_network_direction direction;
    const char *object, *field, *message; // as on the command line; NULL: any
    ct_network_object_id object_id;       // 0: `object` is a type
    uint32_t object_type;                 // index in the config; UINT32_MAX: any
    uint64_t *fields;                     // of each object type: the fields with that name
    uint32_t message_type;                // UINT32_MAX: none
} ct_network_filter;

// What the command line has; NULL: not given.
typedef struct ct_network_filter_words {
    const char *object, *field, *message, *peer, *from, *to;
    bool is_in, is_out;
} ct_network_filter_words;

// Reads the words, whose names are of the config (NULL: names are refused). Memory is from `a`. Returns
// false with `error`, which names what is unknown and the nearest name.
bool ct_network_filter_read(ct_network_filter *f, ct_allocator *a,
                            const ct_network_filter_words *words,
                            const ct_network_config_resource *config, ct_error *error);
// Frees the memory.
void ct_network_filter_free(ct_network_filter *f, ct_allocator *a);

// Returns whether a moment is wanted by time, peer and direction.
bool ct_network_filter_takes_time(const ct_network_filter *f, const ct_network_moment *m);
// Returns whether a peer is wanted.
bool ct_network_filter_takes_peer(const ct_network_filter *f, ct_peer_id peer);
// Returns whether a moment is wanted. Sets `fields` to those of its fields that are, when it is of an
// object or a message.
bool ct_network_filter_takes(const ct_network_filter *f, const ct_network_moment *m,
                             uint64_t *fields);
// Returns whether only some objects, fields or messages are wanted.
bool ct_network_filter_has_names(const ct_network_filter *f);
