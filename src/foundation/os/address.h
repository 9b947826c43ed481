// address.h: IP addresses, and names looked up without waiting for them.
#pragma once
#include "foundation/types.h"

enum {
    CT_ADDRESS_TEXT_BYTES = 46, // of an address as text, with its terminator
    CT_LOOKUP_MAX_ADDRESSES = 8,
    CT_LOOKUP_MAX_RUNNING = 128, // with those that were dropped
};

// An IPv6 address in network byte order; an IPv4 address is ::ffff:a.b.c.d.
typedef struct ct_address {
    uint8_t bytes[16];
} ct_address;

// Reads "10.0.0.2" or "fe80::1", without brackets. Returns false and leaves `address` for other text.
bool ct_address_parse(const char *text, ct_address *address);

// Writes an address as ct_address_parse reads it. Returns `text`.
const char *ct_address_print(const ct_address *address, char text[CT_ADDRESS_TEXT_BYTES]);

// Reads the address in a `struct sockaddr` of `size_bytes`. Returns false for other than IPv4 and IPv6.
bool ct_address_of_system(const void *socket_address, uint64_t size_bytes, ct_address *address);

// Returns true when both are the same.
bool ct_address_equal(const ct_address *a, const ct_address *b);

// Returns whether the address is in 127.0.0.0/8, or ::1.
bool ct_address_is_loopback(const ct_address *address);

// Returns whether the address belongs to a machine of the internet: it is not one of this machine or of a
// private network, not link-local (which has the metadata services of clouds), no broadcast or multicast
// and not reserved. IPv4 addresses that IPv6 ones contain (6to4, NAT64, mapped) are looked at, too.
bool ct_address_is_public(const ct_address *address);

// Opens a socket with the system's numbers, for libraries that let their caller do it. Programs that this
// one starts do not get it. Returns -1 when the system refuses.
int ct_socket_create(int family, int type, int protocol);

// --- Looking up names ----------------------------------------------------------------------------

// A name that a thread of its own looks up, since the system can take minutes.
typedef struct ct_lookup ct_lookup;

// What a lookup has found. `is_done` is false while it goes on. Then `count` is 0 when the name is
// unknown, or cannot be looked up now.
typedef struct ct_lookup_result {
    bool is_done;
    uint32_t count;
    ct_address addresses[CT_LOOKUP_MAX_ADDRESSES]; // in the order in which to try them
} ct_lookup_result;

// Starts to look up `host` (copied), a name or an address. `wake` (NULL is fine) is called with `user`
// once it is done, from another thread and unless it has been dropped; it may not call functions of
// lookups. Returns NULL when no thread can be started, or
// CT_LOOKUP_MAX_RUNNING run: try again later.
ct_lookup *ct_lookup_start(const char *host, void (*wake)(void *user), void *user);

// Returns the result so far.
ct_lookup_result ct_lookup_result_of(ct_lookup *lookup);

// Ends a lookup, done or not; NULL is fine. Does not wait for the system: its thread frees what is left.
// `wake` is not called any more when this returns.
void ct_lookup_drop(ct_lookup *lookup);
