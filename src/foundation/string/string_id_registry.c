// The texts of string ids, for messages (string_id.h).
//
// One table for each width: open addressing over pointers to entries, at most half full. Readers
// take no lock: an entry never changes once it is in a table, and an outgrown table stays until the
// end (together they are smaller than the last). Writers take the lock.
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/string/string_id.h"

enum {
    FIRST_CAPACITY = 1024,
    CHUNK_BYTES = 32768, // of entries
    NUM_UNKNOWN = 8,     // texts of unknown ids that a thread keeps at a time
    UNKNOWN_BYTES = 24,
};

typedef struct entry {
    uint64_t id;
    uint32_t length;
    char text[]; // zero-terminated
} entry;

typedef struct table {
    struct table *older;
    uint32_t capacity; // a power of two
    _Atomic(const entry *) slots[];
} table;

typedef struct width {
    const char *name;         // "32-bit"
    _Atomic(table *) current; // NULL: the registry has not started
    uint32_t count;           // under the lock
    atomic_bool is_full;
} width;

typedef struct chunk {
    struct chunk *older;
    uint32_t used_bytes;
    _Alignas(8) char bytes[CHUNK_BYTES];
} chunk;

static struct {
    ct_allocator *allocator;
    ct_mutex lock; // for writers
    chunk *chunks;
    width narrow, wide;
} registry = {.narrow.name = "32-bit", .wide.name = "64-bit"};

// --- Tables --------------------------------------------------------------------------------------

static uint64_t table_bytes(uint32_t capacity) {
    return sizeof(table) + sizeof(_Atomic(const entry *)) * (uint64_t)capacity;
}

// The entry of `id`, or NULL. `slot` (may be NULL) becomes the slot that holds it, or the free one
// where it belongs. Each slot is read once: without the lock, a free slot may be taken for another
// id at any moment.
static const entry *find_in_table(table *t, uint64_t id, _Atomic(const entry *) **slot) {
    uint32_t at = (uint32_t)id & (t->capacity - 1);
    for (;; at = (at + 1) & (t->capacity - 1)) {
        const entry *const e = atomic_load_explicit(&t->slots[at], memory_order_acquire);
        if (e && e->id != id)
            continue;
        if (slot)
            *slot = &t->slots[at];
        return e;
    }
}

static void put_in_table(table *t, const entry *e) {
    _Atomic(const entry *) *slot;
    find_in_table(t, e->id, &slot);
    atomic_store_explicit(slot, e, memory_order_release);
}

static const entry *find_entry(width *w, uint64_t id) {
    table *const t = atomic_load_explicit(&w->current, memory_order_acquire);
    return t ? find_in_table(t, id, NULL) : NULL;
}

static table *make_table(uint32_t capacity, table *older) {
    table *const t = ct_alloc_zero(registry.allocator, table_bytes(capacity));
    t->capacity = capacity;
    t->older = older;
    for (uint32_t i = 0; older && i < older->capacity; ++i) {
        const entry *const e = atomic_load_explicit(&older->slots[i], memory_order_relaxed);
        if (e)
            put_in_table(t, e);
    }
    return t;
}

static const entry *make_entry(uint64_t id, const char *text, uint32_t length) {
    const uint32_t bytes = (uint32_t)(sizeof(entry) + length + 1 + 7) & ~7u;
    if (!registry.chunks || registry.chunks->used_bytes + bytes > CHUNK_BYTES) {
        chunk *const c = ct_alloc(registry.allocator, sizeof(chunk));
        c->older = registry.chunks;
        c->used_bytes = 0;
        registry.chunks = c;
    }
    entry *const e = (entry *)(void *)(registry.chunks->bytes + registry.chunks->used_bytes);
    registry.chunks->used_bytes += bytes;
    e->id = id;
    e->length = length;
    memcpy(e->text, text, length);
    e->text[length] = '\0';
    return e;
}

// Adds an entry unless another thread was faster; NULL when the limit is reached.
static const entry *add_entry(width *w, uint64_t id, const char *text, uint32_t length) {
    ct_mutex_lock(&registry.lock);
    table *t = atomic_load_explicit(&w->current, memory_order_relaxed);
    const entry *e = find_in_table(t, id, NULL);
    if (!e && w->count < CT_STRING_ID_MAX_NAMES) {
        if (w->count == t->capacity / 2) {
            t = make_table(t->capacity * 2, t);
            atomic_store_explicit(&w->current, t, memory_order_release);
        }
        e = make_entry(id, text, length);
        put_in_table(t, e);
        ++w->count;
    }
    ct_mutex_unlock(&registry.lock);
    return e;
}

// --- Life cycle ----------------------------------------------------------------------------------

void ct_string_id_registry_init(ct_allocator *a) {
    registry.allocator = ct_proxy_allocator_create(a, "string_ids");
    ct_mutex_init(&registry.lock);
    width *const widths[] = {&registry.narrow, &registry.wide};
    for (uint32_t i = 0; i < CT_COUNT_OF(widths); ++i) {
        widths[i]->count = 0;
        atomic_store(&widths[i]->is_full, false);
        atomic_store(&widths[i]->current, make_table(FIRST_CAPACITY, NULL));
    }
}

static void free_tables(width *w) {
    for (table *t = atomic_exchange(&w->current, NULL); t;) {
        table *const older = t->older;
        ct_free_sized(registry.allocator, t, table_bytes(t->capacity));
        t = older;
    }
}

void ct_string_id_registry_shutdown(void) {
    free_tables(&registry.narrow);
    free_tables(&registry.wide);
    while (registry.chunks) {
        chunk *const older = registry.chunks->older;
        ct_free_sized(registry.allocator, registry.chunks, sizeof(chunk));
        registry.chunks = older;
    }
    ct_mutex_shutdown(&registry.lock);
    ct_proxy_allocator_destroy(registry.allocator);
    registry.allocator = NULL;
}

// --- Registering ---------------------------------------------------------------------------------

static bool is_worth_keeping(const char *text, uint64_t length) {
    if (length == 0 || length > CT_STRING_ID_MAX_NAME_BYTES)
        return false;
    for (uint64_t i = 0; i < length; ++i) {
        if ((unsigned char)text[i] < ' ')
            return false;
    }
    return true;
}

static void keep(width *w, uint64_t id, const char *text, uint64_t length) {
    const entry *e = find_entry(w, id);
    if (!e) {
        if (atomic_load_explicit(&w->is_full, memory_order_relaxed) ||
            !atomic_load_explicit(&w->current, memory_order_relaxed) ||
            !is_worth_keeping(text, length))
            return;
        e = add_entry(w, id, text, (uint32_t)length);
        if (!e && !atomic_exchange(&w->is_full, true))
            ct_log_warning("string_id", "string_ids_full",
                           "the limit of %d names of %s ids is reached; new ones are not kept",
                           CT_STRING_ID_MAX_NAMES, w->name);
        if (!e)
            return;
    }
    if (e->length != length || memcmp(e->text, text, length) != 0)
        ct_log_warning(
            "string_id", "string_id_collision", "\"%s\" and \"%.*s\" have the same %s id %" PRIx64,
            e->text,
            (int)(length < CT_STRING_ID_MAX_NAME_BYTES ? length : CT_STRING_ID_MAX_NAME_BYTES),
            text, w->name, id);
}

ct_string_id32 ct_string_id32_register_bytes(const char *text, uint64_t length) {
    const ct_string_id32 id = ct_string_id32_of_bytes(text, length);
    keep(&registry.narrow, id.value, text, length);
    return id;
}

ct_string_id64 ct_string_id64_register_bytes(const char *text, uint64_t length) {
    const ct_string_id64 id = ct_string_id64_of_bytes(text, length);
    keep(&registry.wide, id.value, text, length);
    return id;
}

ct_string_id32 ct_string_id32_register(const char *text) {
    return ct_string_id32_register_bytes(text, strlen(text));
}

ct_string_id64 ct_string_id64_register(const char *text) {
    return ct_string_id64_register_bytes(text, strlen(text));
}

// --- Names ---------------------------------------------------------------------------------------

static const char *name_of(width *w, uint64_t id, int num_digits) {
    static _Thread_local char unknown[NUM_UNKNOWN][UNKNOWN_BYTES];
    static _Thread_local uint32_t next;
    const entry *const e = find_entry(w, id);
    if (e)
        return e->text;
    char *const text = unknown[next++ % NUM_UNKNOWN];
    snprintf(text, UNKNOWN_BYTES, "#%0*" PRIx64, num_digits, id);
    return text;
}

const char *ct_string_id32_name(ct_string_id32 id) {
    return name_of(&registry.narrow, id.value, 8);
}

const char *ct_string_id64_name(ct_string_id64 id) {
    return name_of(&registry.wide, id.value, 16);
}
