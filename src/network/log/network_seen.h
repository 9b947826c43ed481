// network_seen.h: what a session's observer sees, as bytes of a log.
//
// An item: a byte with the kind and FLAG bits, then its parts, as PARTS of network_seen.c say for each
// kind: numbers in groups of 7 bits, the lowest first, with the highest bit of a byte set when
// another follows; peers as 8 bytes, seconds as 4 bytes of a float, both little-endian; texts as a
// number and bytes. Values of fields: a number with a bit for each field that is there, then for each
// of these how many bits it took, and as numbers the words of its value that are used.
#pragma once
#include "foundation/container/array.h"
#include "network/session/network_observer.h"

enum {
    CT_NETWORK_SEEN_BYTES = 4096, // the most bytes of an item
    CT_NETWORK_SEEN_TEXT_BYTES = 32,
};

// Appends an item: all but the peer.
void ct_network_seen_write(const ct_network_config_resource *config, const ct_network_seen *what,
                           ct_byte_array *out);

// Reads items, one behind the other.
typedef struct ct_network_seen_reader {
    const ct_network_config_resource *config;
    ct_peer_id peer;
    const uint8_t *at, *end;
    // What the last item points to.
    uint32_t words[CT_NETWORK_MAX_WORDS]; // of fields that are not there: the defaults
    uint16_t field_bits[CT_NETWORK_MAX_FIELDS];
    char text[CT_NETWORK_SEEN_TEXT_BYTES];
} ct_network_seen_reader;

// Begins with bytes of a log, which are borrowed, as is the config.
void ct_network_seen_open(ct_network_seen_reader *r, const ct_network_config_resource *config,
                          ct_peer_id peer, const uint8_t *bytes, uint32_t size);
// Reads the next item, whose pointers are valid until the next call. Returns false at the end:
// `*fault` is NULL, or says what is wrong with the item.
bool ct_network_seen_next(ct_network_seen_reader *r, ct_network_seen *what, const char **fault);
