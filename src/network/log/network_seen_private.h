// network_seen_private.h: the parts of items, for writing and reading; no other file includes it.
#pragma once
#include "network/log/network_seen.h"

// The first byte of an item: the kind, and these.
enum {
    SEEN_KIND = 0x0f,
    SEEN_SENT = 0x80,
    SEEN_RELIABLE = 0x40,
    SEEN_DROPPED = 0x20,
};

// Parts, in the order in which they are written.
enum {
    SEEN_BITS = 1,
    SEEN_OBJECT = 2,
    SEEN_RECORD = 4,  // of an object
    SEEN_MESSAGE = 8, // record of a message
    SEEN_FROM = 16,
    SEEN_TO = 32,
    SEEN_PACKET = 64, // acknowledged, time, round trip
    SEEN_NUMBER = 128,
    SEEN_VALUES = 256,
    SEEN_TEXT = 512,
};

// Returns the parts of a kind, 0 when there is no such kind.
static inline uint32_t ct_network_seen_parts(uint32_t kind) {
    static const uint16_t PARTS[CT_NETWORK_SEEN_KINDS] = {
        [CT_NETWORK_SEEN_FIELDS] = SEEN_BITS | SEEN_OBJECT | SEEN_RECORD | SEEN_VALUES,
        [CT_NETWORK_SEEN_PACKET] = SEEN_BITS | SEEN_PACKET | SEEN_NUMBER,
        [CT_NETWORK_SEEN_LOST] = SEEN_NUMBER,
        [CT_NETWORK_SEEN_OBJECT] = SEEN_BITS | SEEN_OBJECT | SEEN_RECORD | SEEN_TO | SEEN_VALUES,
        [CT_NETWORK_SEEN_GIVE] = SEEN_BITS | SEEN_OBJECT | SEEN_RECORD | SEEN_TO | SEEN_VALUES,
        [CT_NETWORK_SEEN_DESTROY] = SEEN_BITS | SEEN_OBJECT | SEEN_RECORD,
        [CT_NETWORK_SEEN_MESSAGE] = SEEN_BITS | SEEN_MESSAGE | SEEN_FROM | SEEN_TO | SEEN_VALUES,
        [CT_NETWORK_SEEN_CONTROL] = SEEN_BITS | SEEN_TEXT,
    };
    return kind < CT_NETWORK_SEEN_KINDS ? PARTS[kind] : 0;
}

// Returns the record of an item, whose index is in range.
static inline const ct_network_record_type *
ct_network_seen_record(const ct_network_config_resource *config, const ct_network_seen *what) {
    return what->kind == CT_NETWORK_SEEN_MESSAGE ? &ct_network_config_messages(config)[what->record]
                                                 : &ct_network_config_objects(config)[what->record];
}
