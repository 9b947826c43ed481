#include "dev/inspect/log_history.h"

#include <string.h>

#include "foundation/memory/allocator.h"

enum { MAX_NAME_BYTES = 1023 };

// The head of a message in a block. Its strings follow: system, script, message, traceback, each with a
// zero byte behind it.
typedef struct record {
    double seconds;
    uint32_t size_bytes; // with the head; a multiple of 8
    uint32_t level, line;
    uint32_t system_bytes, script_bytes, message_bytes, traceback_bytes;
    bool has_script, has_traceback;
} record;

typedef struct block {
    uint8_t *bytes; // NULL: not made yet
    uint64_t first; // number of its first message
    uint32_t used_bytes, count;
} block;

struct ct_log_history {
    ct_allocator *allocator;
    block blocks[CT_LOG_HISTORY_MAX_BLOCKS];
    uint32_t oldest, num_blocks; // in use, in a ring
    uint64_t next;
    // Where the message after the one that was read last is.
    uint64_t cursor_number; // 0: nowhere
    uint32_t cursor_block, cursor_at;
};

ct_log_history *ct_log_history_create(ct_allocator *a) {
    ct_log_history *const h = CT_NEW(a, ct_log_history);
    h->allocator = a;
    h->next = 1;
    return h;
}

void ct_log_history_destroy(ct_log_history *h) {
    if (!h)
        return;
    for (uint32_t i = 0; i < CT_LOG_HISTORY_MAX_BLOCKS; ++i) {
        if (h->blocks[i].bytes)
            ct_free_sized(h->allocator, h->blocks[i].bytes, CT_LOG_HISTORY_BLOCK_BYTES);
    }
    ct_free_sized(h->allocator, h, sizeof(*h));
}

// --- Adding --------------------------------------------------------------------------------------

static block *block_at(ct_log_history *h, uint32_t i) {
    return &h->blocks[(h->oldest + i) % CT_LOG_HISTORY_MAX_BLOCKS];
}

static void drop_oldest(ct_log_history *h) {
    h->oldest = (h->oldest + 1) % CT_LOG_HISTORY_MAX_BLOCKS;
    --h->num_blocks;
}

// Returns a block with room for a message.
static block *block_for(ct_log_history *h, uint32_t size_bytes) {
    block *last = h->num_blocks > 0 ? block_at(h, h->num_blocks - 1) : NULL;
    if (last && last->used_bytes + size_bytes <= CT_LOG_HISTORY_BLOCK_BYTES)
        return last;
    if (h->num_blocks == CT_LOG_HISTORY_MAX_BLOCKS)
        drop_oldest(h);
    last = block_at(h, h->num_blocks++);
    if (!last->bytes)
        last->bytes = ct_alloc(h->allocator, CT_LOG_HISTORY_BLOCK_BYTES);
    last->first = h->next;
    last->used_bytes = last->count = 0;
    return last;
}

static uint32_t bytes_of(const char *text, uint32_t most) {
    return text ? (uint32_t)strnlen(text, most) : 0;
}

static uint8_t *put(uint8_t *to, const char *text, uint32_t bytes) {
    if (bytes > 0)
        memcpy(to, text, bytes);
    to[bytes] = '\0';
    return to + bytes + 1;
}

uint64_t ct_log_history_add(ct_log_history *h, const ct_log_entry *entry) {
    record r = {.seconds = entry->seconds,
                .level = entry->level,
                .line = entry->line,
                .system_bytes = bytes_of(entry->system, MAX_NAME_BYTES),
                .script_bytes = bytes_of(entry->script, MAX_NAME_BYTES),
                .message_bytes = entry->message_bytes < CT_LOG_MAX_BYTES
                                     ? entry->message_bytes
                                     : (uint32_t)CT_LOG_MAX_BYTES,
                .traceback_bytes = bytes_of(entry->traceback, CT_LOG_MAX_BYTES),
                .has_script = entry->script,
                .has_traceback = entry->traceback};
    const uint32_t bytes = (uint32_t)sizeof(r) + r.system_bytes + r.script_bytes + r.message_bytes +
                           r.traceback_bytes + 4;
    r.size_bytes = (uint32_t)ct_round_up(bytes, 8);
    if (h->num_blocks > 1 &&
        h->next - ct_log_history_first(h) >= (uint64_t)CT_LOG_HISTORY_MAX_MESSAGES)
        drop_oldest(h);
    block *const b = block_for(h, r.size_bytes);
    uint8_t *to = b->bytes + b->used_bytes;
    memcpy(to, &r, sizeof(r));
    to = put(to + sizeof(r), entry->system, r.system_bytes);
    to = put(to, entry->script, r.script_bytes);
    to = put(to, entry->message, r.message_bytes);
    put(to, entry->traceback, r.traceback_bytes);
    b->used_bytes += r.size_bytes;
    ++b->count;
    return h->next++;
}

// --- Reading -------------------------------------------------------------------------------------

uint64_t ct_log_history_first(const ct_log_history *h) {
    return h->num_blocks > 0 ? h->blocks[h->oldest].first : h->next;
}

uint64_t ct_log_history_next(const ct_log_history *h) {
    return h->next;
}

static uint32_t size_at(const block *b, uint32_t at) {
    record r;
    memcpy(&r, b->bytes + at, sizeof(r));
    return r.size_bytes;
}

// Finds a message that is kept.
static void seek(ct_log_history *h, uint64_t number) {
    uint32_t i = 0;
    while (number >= block_at(h, i)->first + block_at(h, i)->count)
        ++i;
    const block *const b = block_at(h, i);
    uint32_t at = 0;
    for (uint64_t k = b->first; k < number; ++k)
        at += size_at(b, at);
    h->cursor_block = (uint32_t)(b - h->blocks);
    h->cursor_at = at;
}

// The cursor stays in its block: a block that is used again begins with another number.
static bool is_cursor_at(const ct_log_history *h, uint64_t number) {
    const block *const b = &h->blocks[h->cursor_block];
    return h->cursor_number == number && number >= b->first && number < b->first + b->count;
}

bool ct_log_history_read(ct_log_history *h, uint64_t number, ct_log_entry *entry) {
    if (number < ct_log_history_first(h) || number >= h->next)
        return false;
    if (!is_cursor_at(h, number))
        seek(h, number);
    const uint8_t *const at = h->blocks[h->cursor_block].bytes + h->cursor_at;
    record r;
    memcpy(&r, at, sizeof(r));
    const char *const system = (const char *)at + sizeof(r);
    const char *const script = system + r.system_bytes + 1;
    const char *const message = script + r.script_bytes + 1;
    *entry = (ct_log_entry){.number = number,
                            .seconds = r.seconds,
                            .level = (ct_log_level)r.level,
                            .line = r.line,
                            .system = system,
                            .message = message,
                            .message_bytes = r.message_bytes,
                            .script = r.has_script ? script : NULL,
                            .traceback = r.has_traceback ? message + r.message_bytes + 1 : NULL};
    h->cursor_number = number + 1;
    h->cursor_at += r.size_bytes;
    return true;
}

void ct_log_entry_write(const ct_log_entry *entry, ct_sjson_writer *w) {
    ct_sjson_member_number(w, "number", (double)entry->number);
    ct_sjson_member_number(w, "seconds", entry->seconds);
    ct_sjson_member_string(w, "level", ct_log_level_name(entry->level));
    ct_sjson_member_string(w, "system", entry->system);
    ct_sjson_member_bytes(w, "message", entry->message, entry->message_bytes);
    if (!entry->script)
        return;
    ct_sjson_member_string(w, "script", entry->script);
    ct_sjson_member_number(w, "line", entry->line);
    if (entry->traceback)
        ct_sjson_member_string(w, "traceback", entry->traceback);
}
