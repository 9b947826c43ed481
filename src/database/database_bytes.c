#include "database/database_bytes.h"

#include <string.h>

enum { FIRST_BYTES = 256, MOST_BYTES = 64 << 10 };

typedef struct chunk {
    struct chunk *next;
    uint64_t size_bytes; // with this header
} chunk;

struct ct_database_bytes {
    ct_allocator *allocator;
    chunk *chunks; // the one that is filled comes first
    uint64_t used_bytes, next_bytes;
};

ct_database_bytes *ct_database_bytes_create(ct_allocator *a) {
    ct_database_bytes *const bytes = CT_NEW(a, ct_database_bytes);
    bytes->allocator = a;
    bytes->next_bytes = FIRST_BYTES;
    return bytes;
}

void ct_database_bytes_destroy(ct_database_bytes *bytes) {
    if (!bytes)
        return;
    for (chunk *c = bytes->chunks, *next; c; c = next) {
        next = c->next;
        ct_free_sized(bytes->allocator, c, c->size_bytes);
    }
    ct_free_sized(bytes->allocator, bytes, sizeof(*bytes));
}

static chunk *add_chunk(ct_database_bytes *bytes, uint64_t size_bytes) {
    chunk *const c = ct_alloc(bytes->allocator, size_bytes);
    c->size_bytes = size_bytes;
    return c;
}

void *ct_database_bytes_take(ct_database_bytes *bytes, uint64_t size_bytes) {
    chunk *const first = bytes->chunks;
    if (first && size_bytes <= first->size_bytes - bytes->used_bytes) {
        bytes->used_bytes += size_bytes;
        return (char *)first + bytes->used_bytes - size_bytes;
    }
    if (first &&
        sizeof(chunk) + size_bytes > bytes->next_bytes) { // the first one goes on being filled
        chunk *const own = add_chunk(bytes, sizeof(chunk) + size_bytes);
        own->next = first->next;
        first->next = own;
        return own + 1;
    }
    const uint64_t wanted = sizeof(chunk) + size_bytes;
    chunk *const c = add_chunk(bytes, wanted > bytes->next_bytes ? wanted : bytes->next_bytes);
    c->next = first;
    bytes->chunks = c;
    bytes->used_bytes = wanted;
    if (bytes->next_bytes < MOST_BYTES)
        bytes->next_bytes *= 2;
    return c + 1;
}

char *ct_database_bytes_text(ct_database_bytes *bytes, const char *text, uint64_t length) {
    char *const copy = ct_database_bytes_take(bytes, length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}
