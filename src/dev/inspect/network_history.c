#include "dev/inspect/network_history.h"

#include <string.h>

#include "network/network_watch.h"

struct ct_network_history {
    ct_allocator *allocator;
    ct_network_history_entry *entries; // NULL: none yet
    uint64_t next;                     // number
    ct_script *script;                 // whose network is watched; NULL: none
    uint64_t network_count;            // when it was
    uint64_t asked_ns;
};

ct_network_history *ct_network_history_create(ct_allocator *a) {
    ct_network_history *const h = CT_NEW(a, ct_network_history);
    h->allocator = a;
    h->next = 1;
    return h;
}

void ct_network_history_destroy(ct_network_history *h) {
    if (!h)
        return;
    if (h->entries)
        ct_free_sized(h->allocator, h->entries,
                      sizeof(*h->entries) * (uint64_t)CT_NETWORK_HISTORY_ENTRIES);
    ct_free_sized(h->allocator, h, sizeof(*h));
}

static bool has_fields(ct_network_seen_kind kind) {
    return kind == CT_NETWORK_SEEN_FIELDS || kind == CT_NETWORK_SEEN_OBJECT ||
           kind == CT_NETWORK_SEEN_GIVE || kind == CT_NETWORK_SEEN_MESSAGE;
}

static void see(void *data, const ct_network_seen *what) {
    ct_network_history *const h = data;
    if (!h->script) // the game is ending
        return;
    ct_network_history_entry *const e = &h->entries[h->next++ % CT_NETWORK_HISTORY_ENTRIES];
    *e = (ct_network_history_entry){.seconds = (double)ct_script_network_time(h->script) * 1e-9,
                                    .peer = what->peer,
                                    .kind = (uint8_t)what->kind,
                                    .is_sent = what->is_sent,
                                    .is_reliable = what->is_reliable,
                                    .is_dropped = what->is_dropped,
                                    .bits = what->bits};
    if (what->kind == CT_NETWORK_SEEN_CONTROL)
        e->control = what->control;
    if (has_fields(what->kind) || what->kind == CT_NETWORK_SEEN_DESTROY) {
        e->object = what->kind == CT_NETWORK_SEEN_MESSAGE ? 0 : what->object;
        e->record = what->record;
    }
    if (!has_fields(what->kind) || !what->field_bits)
        return;
    e->fields = what->fields;
    for (uint32_t i = 0; i < CT_NETWORK_MAX_FIELDS; ++i) {
        if (what->fields >> i & 1)
            e->field_bits[i] = what->field_bits[i];
    }
}

static bool is_watched(const ct_network_history *h, ct_script *s) {
    return h->script == s && h->network_count == ct_script_network_count(s) && ct_script_network(s);
}

void ct_network_history_ask(ct_network_history *h, ct_script *s, uint64_t now_ns) {
    ct_network *const n = ct_script_network(s);
    h->asked_ns = now_ns;
    if (!n || is_watched(h, s))
        return;
    if (!h->entries)
        h->entries =
            CT_NEW_ARRAY(h->allocator, ct_network_history_entry, CT_NETWORK_HISTORY_ENTRIES);
    h->script = s;
    h->network_count = ct_script_network_count(s);
    ct_network_watch(n, (ct_network_observer){see, h});
}

void ct_network_history_update(ct_network_history *h, ct_script *s, uint64_t now_ns) {
    const uint64_t limit_ns = CT_NETWORK_HISTORY_SECONDS * UINT64_C(1000000000);
    if (!h->script || now_ns - h->asked_ns < limit_ns)
        return;
    if (is_watched(h, s))
        ct_network_watch(ct_script_network(s), (ct_network_observer){0});
    h->script = NULL;
}

void ct_network_history_end(ct_network_history *h) {
    h->script = NULL;
}

uint64_t ct_network_history_first(const ct_network_history *h) {
    return h->next > CT_NETWORK_HISTORY_ENTRIES ? h->next - CT_NETWORK_HISTORY_ENTRIES : 1;
}

uint64_t ct_network_history_next(const ct_network_history *h) {
    return h->next;
}

const ct_network_history_entry *ct_network_history_entry_at(const ct_network_history *h,
                                                            uint64_t number) {
    return &h->entries[number % CT_NETWORK_HISTORY_ENTRIES];
}
