// network_session_fields_private.h: the layout of a packet of fields, for those that write and read.
//
// In bits: 8 kind, 8 epoch, 16 number, 1 whether it acknowledges, 16 the last number received, 10 for
// how many ms that waited for this packet, 32 which of the 32 up to it were taken (the lowest: the
// last), 16 reliable packets received, 32 time of the session in ms and 4 in sixteenths of one, 1
// whether entries have ages; the usual base in groups of 4: how far its number is before the
// packet's, 0: none, and then how far the number of the older one is before that; the count of
// entries in groups of 6.
//
// An entry, in the order of ids:
//  - the id: 1 where it is the next; else 0, and 0 with the difference to the last count less 2 in
//    groups of 5, or 1 with the difference to the last slot less 1 in groups of 4 and the count less
//    1 in groups of 5;
//  - where entries have ages: 0 when it is that of the last entry, else 1 and 13 of ticks (at first
//    0): how long before the packet's time the words were so, at their owner;
//  - what the words are written against: 1 the usual base, moved on from the older one; or 0 and two
//    bits for one of ct_network_source_kind, with 4 bits of the owner's version, or numbers in groups
//    of 4 as above;
//  - the changes of the record.
#pragma once
#include "network/session/network_session_private.h"

typedef enum ct_network_source_kind {
    CT_NETWORK_SOURCE_RELIABLE,  // 4 of the owner's version
    CT_NETWORK_SOURCE_PLAIN,     // the base
    CT_NETWORK_SOURCE_PREDICTED, // base and older
    CT_NETWORK_SOURCE_USUAL,     // the usual base, not moved on
} ct_network_source_kind;

enum {
    CT_NETWORK_SLOT_GROUP = 4,
    CT_NETWORK_ID_GROUP = 5,
    CT_NETWORK_BASE_GROUP = 4,
    CT_NETWORK_OWNER_BITS = 4,
    CT_NETWORK_AGE_BITS = 13,
    CT_NETWORK_MOST_AGE = (1 << CT_NETWORK_AGE_BITS) - 1, // half a second
    CT_NETWORK_MOST_MOVED = 65535, // ticks, 4 seconds: longer times are not moved over
    CT_NETWORK_MOST_BACK = 4096,   // packets, from one number to the next, of what is moved on
    CT_NETWORK_MOST_HELD = 1023,
};
