#include "foundation/crash/crash_record.h"
#include "foundation/crash/crash_raw_frame.h"

#include <string.h>

bool ct_crash_record_claim(ct_crash_record *r) {
    return !atomic_exchange(&r->is_claimed, true);
}

static void add_frames(const ct_crash_record *r, ct_crash_symbols *symbols, ct_crash_text *t) {
    const uint32_t count = r->frames.count;
    for (uint32_t i = 0; i < count && i < CT_CRASH_MAX_FRAMES; ++i) {
        if (symbols)
            ct_crash_symbols_add_frame(t, symbols, r->pid, r->frames.addresses[i], "    ");
        else
            ct_crash_add_raw_frame(t, r->pid, r->frames.addresses[i], "    ");
    }
    if (r->frames.is_cut)
        ct_crash_text_add(t, "    and more\n");
}

void ct_crash_record_format(const ct_crash_record *r, ct_crash_symbols *symbols, ct_crash_text *t) {
    ct_crash_text_add_bytes(t, r->head, (uint32_t)strnlen(r->head, sizeof(r->head)));
    ct_crash_text_add(t, "Call stack:\n");
    // The tail keeps its space, however long the names are.
    ct_crash_text stack = *t;
    stack.capacity -= CT_CRASH_TAIL_BYTES;
    add_frames(r, symbols, &stack);
    t->length = stack.length;
    ct_crash_text_add_bytes(t, r->tail, (uint32_t)strnlen(r->tail, sizeof(r->tail)));
}
