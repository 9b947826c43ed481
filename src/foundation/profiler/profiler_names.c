// profiler_names.c: dynamic names, kept for the life of the process.
//
// A hash table with open addressing whose slots are filled once and never change, so lookups take
// no lock. Static, so that names outlive every allocator.
#include <string.h>

#include "foundation/profiler/profiler_private.h"
#include "foundation/string/string_id.h"

enum { NUM_PLACES = 16384, MAX_NAMES = 8192, TEXT_BYTES = 512 << 10 };

static const char *_Atomic places[NUM_PLACES];
static char texts[TEXT_BYTES];
static uint32_t num_names, text_bytes; // under the lock
static ct_profiler_lock lock;

static bool is_same(const char *name, const char *text, uint32_t length) {
    return strncmp(name, text, length) == 0 && name[length] == '\0';
}

// Returns the name, or NULL and sets the place for it.
static const char *find(const char *text, uint32_t length, uint32_t hash, uint32_t *place) {
    for (uint32_t p = hash % NUM_PLACES;; p = (p + 1) % NUM_PLACES) {
        const char *const name = atomic_load_explicit(&places[p], memory_order_acquire);
        if (!name) {
            *place = p;
            return NULL;
        }
        if (is_same(name, text, length))
            return name;
    }
}

static const char *add(const char *text, uint32_t length, uint32_t place) {
    if (num_names == MAX_NAMES || text_bytes + CT_PROFILER_NAME_BYTES > TEXT_BYTES)
        return "(more names)";
    char *const name = texts + text_bytes;
    memcpy(name, text, length);
    text_bytes += length + 1;
    ++num_names;
    atomic_store_explicit(&places[place], name, memory_order_release);
    return name;
}

const char *ct_profiler_name(const char *text) {
    const uint32_t length = (uint32_t)strnlen(text, CT_PROFILER_NAME_BYTES - 1);
    const uint32_t hash = ct_string_id32_of_bytes(text, length).value;
    uint32_t place;
    const char *name = find(text, length, hash, &place);
    if (name)
        return name;
    ct_profiler_lock_take(&lock);
    name = find(text, length, hash, &place); // another thread may have been first
    if (!name)
        name = add(text, length, place);
    ct_profiler_lock_release(&lock);
    return name;
}
