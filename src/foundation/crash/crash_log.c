#include "foundation/crash/crash_log.h"

#include <stdatomic.h>
#include <string.h>

typedef struct slot {
    atomic_bool is_claimed;
    uint64_t ticket; // of the line in this slot, counted from 1; 0: no line
    char line[CT_CRASH_LOG_LINE_BYTES];
} slot;

static slot slots[CT_CRASH_LOG_LINES];
static _Atomic uint64_t last_ticket;

static bool claim(slot *s) {
    return !atomic_exchange_explicit(&s->is_claimed, true, memory_order_acquire);
}

static void give_back(slot *s) {
    atomic_store_explicit(&s->is_claimed, false, memory_order_release);
}

// The line ends with a zero byte, so zero bytes of the message are written as escapes.
static void add_message(ct_crash_text *t, const char *message, uint32_t bytes) {
    const char *const end = message + bytes;
    while (message < end) {
        const uint32_t length = (uint32_t)strnlen(message, (size_t)(end - message));
        ct_crash_text_add_bytes(t, message, length);
        message += length;
        if (message < end)
            ct_crash_text_add(t, "\\x00"), ++message;
    }
}

void ct_crash_log_add(const char *system, const char *level, const char *message, uint32_t bytes) {
    const uint64_t ticket = atomic_fetch_add(&last_ticket, 1) + 1;
    slot *const s = &slots[ticket % CT_CRASH_LOG_LINES];
    if (!claim(s))
        return;
    if (s->ticket < ticket) { // a slow thread does not overwrite a later line
        s->ticket = ticket;
        ct_crash_text t = ct_crash_text_over(s->line, sizeof(s->line));
        ct_crash_text_add(&t, "[");
        ct_crash_text_add(&t, system);
        ct_crash_text_add(&t, "] ");
        ct_crash_text_add(&t, level);
        ct_crash_text_add(&t, *level ? ": " : "");
        add_message(&t, message, bytes);
    }
    give_back(s);
}

uint32_t ct_crash_log_append(ct_crash_text *t, const char *indent) {
    const uint64_t last = atomic_load(&last_ticket);
    uint32_t count = 0;
    for (uint64_t back = CT_CRASH_LOG_LINES; back-- > 0;) {
        if (back >= last)
            continue; // before the first line
        slot *const s = &slots[(last - back) % CT_CRASH_LOG_LINES];
        if (!claim(s))
            continue;
        if (s->ticket == last - back) {
            ct_crash_text_add_indented(t, s->line, indent);
            ++count;
        }
        give_back(s);
    }
    return count;
}
