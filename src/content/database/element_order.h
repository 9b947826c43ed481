// element_order.h: texts that sort, between any two of which there is another.
//
// Elements of an array are a set in the database; each has such a text, and two people may insert at once. Digits are
// 0-9, A-Z, a-z, compared as bytes, read as the fraction behind "0.", so the last one is not 0.
#pragma once
#include "foundation/string/guid.h"

enum { CT_ELEMENT_ORDER_BYTES = 256 }; // with the zero at the end

// Returns whether a text is one of these.
bool ct_element_order_is(const char *text, uint64_t length);

// Writes a text between `low` and `high` (low < high; "" is the start or the end). `salt`, the element's GUID, makes
// two that are inserted at the same place by different people different; NULL: the shortest. Returns false when it
// does not fit: then all elements need new ones.
bool ct_element_order_between(const char *low, const char *high, const ct_guid *salt,
                              char order[CT_ELEMENT_ORDER_BYTES]);

// The texts of the elements of an array.
typedef struct ct_element_order {
    char text[CT_ELEMENT_ORDER_BYTES]; // "": none yet
    ct_guid element;
    bool is_new;
} ct_element_order;

// Gives texts, in the order of the items, to those that have none or whose text is out of order, as few as can be, and
// sets `is_new` of these. With `is_salted` texts depend on the element. Temporary memory is from `scratch`.
void ct_element_order_assign(ct_element_order *items, uint32_t count, bool is_salted,
                             ct_allocator *scratch);
