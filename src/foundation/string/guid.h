// guid.h: 128-bit ids that can be made anywhere without colliding: GUIDs (UUIDs, RFC 4122) version
// 4.
//
// As text: 8-4-4-4-12 hexadecimal digits, 5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee. The bytes are in
// the order of the text. {0} means no id; its text is all zeros.
#pragma once
#include "foundation/math/random.h"

enum { CT_GUID_TEXT_BYTES = 37 }; // 36 characters and a zero byte

// An id. Pass it by value.
typedef struct ct_guid {
    uint8_t bytes[16];
} ct_guid;

// Returns a new id from the system's randomness. Any thread; costs a system call.
ct_guid ct_guid_make(void);

// Returns an id from a generator, for tools and tests whose output must be the same every time.
ct_guid ct_guid_make_from(ct_random *r);

// Returns the id of a name in the space of another id: the same for the same two, different for
// others (version 8 of RFC 9562: two 64-bit MurmurHash64A, so not for names chosen by an attacker).
ct_guid ct_guid_make_named(ct_guid space, const char *name);

// Parses a GUID of any version from `length` bytes of text, with digits of either case and nothing
// before or after it. Returns false with `error` (its column is that of the first byte that does
// not fit) and leaves `*guid` unchanged.
bool ct_guid_parse(const char *text, uint64_t length, ct_guid *guid, ct_error *error);

// Writes the text, in lower case, and a zero to `text` of CT_GUID_TEXT_BYTES.
void ct_guid_format(ct_guid guid, char *text);

// Compares two ids in the order of their text: returns a number less than, equal to or greater than
// 0.
int ct_guid_compare(ct_guid a, ct_guid b);

// Returns whether all bytes are 0.
bool ct_guid_is_none(ct_guid guid);

// Returns whether two ids are the same.
static inline bool ct_guid_is_equal(ct_guid a, ct_guid b) {
    return ct_guid_compare(a, b) == 0;
}

// Returns a number for hash maps. It mixes the two halves, as GUIDs of other versions are not fully
// random.
uint64_t ct_guid_hash(ct_guid guid);
