#include "cli/network/network_timeline.h"

#include <string.h>

#include "foundation/error.h"

// --- Opening -------------------------------------------------------------------------------------

static bool check_config(const ct_network_config_resource *config, uint64_t size, uint64_t hash,
                         ct_error *error) {
    if (!ct_blob_check_header(config, size, ct_string_id64_of("network_config"),
                              CT_NETWORK_CONFIG_VERSION, error) ||
        !ct_network_config_validate(config, error))
        return false;
    return config->hash == hash || ct_error_set(error, "it is not the one that the log names");
}

static void take_config(ct_network_timeline *t, const ct_network_log_entry *entry) {
    const uint32_t size = entry->tap.size;
    ct_error error = {0};
    ct_network_config_resource *const config = ct_alloc(t->allocator, size ? size : 1);
    memcpy(config, entry->tap.bytes, size);
    if (check_config(config, size, t->reader.head.config_hash, &error)) {
        t->config = config;
        t->config_error = (ct_error){0};
        return;
    }
    ct_free(t->allocator, config);
    ct_error_set(&t->config_error, "the network_config in the log cannot be used: %s",
                 error.message);
}

static void begin(ct_network_timeline *t) {
    ct_network_log_entry entry;
    ct_error error;
    ct_error_set(&t->config_error, "the log has no network_config");
    if (ct_network_log_next(&t->reader, &entry, &error) && entry.kind == CT_NETWORK_LOG_CONFIG)
        take_config(t, &entry);
    ct_network_log_rewind(&t->reader);
    while (!t->has_first && ct_network_log_next(&t->reader, &entry, &error)) {
        t->has_first = entry.kind == CT_NETWORK_LOG_FRAME;
        t->first_ns = entry.now_ns;
    }
    ct_network_log_rewind(&t->reader);
}

static void init(ct_network_timeline *t, ct_allocator *a) {
    memset(t, 0, sizeof(*t));
    t->allocator = a;
    ct_array_init(&t->places, a);
    ct_array_init(&t->note, a);
}

bool ct_network_timeline_open(ct_network_timeline *t, ct_allocator *a, const char *path,
                              ct_error *error) {
    init(t, a);
    if (!ct_network_log_open(a, path, &t->reader, error))
        return false;
    begin(t);
    return true;
}

bool ct_network_timeline_open_bytes(ct_network_timeline *t, ct_allocator *a, const void *bytes,
                                    uint64_t size, const char *path, ct_error *error) {
    init(t, a);
    if (!ct_network_log_open_bytes(bytes, size, path, &t->reader, error))
        return false;
    begin(t);
    return true;
}

void ct_network_timeline_close(ct_network_timeline *t) {
    ct_network_log_close(&t->reader);
    ct_array_free(&t->places);
    ct_array_free(&t->note);
    ct_free(t->allocator, t->config);
    t->config = NULL;
}

// --- Places of peers -----------------------------------------------------------------------------

static void note_place(ct_network_timeline *t, ct_peer_id peer, ct_datagram_address address) {
    for (uint32_t i = 0; i < t->places.count; ++i)
        if (ct_datagram_address_equal(t->places.items[i].address, address)) {
            t->places.items[i].peer = peer;
            return;
        }
    ct_array_push(&t->places, (ct_network_place){peer, address});
}

static ct_peer_id peer_at(const ct_network_timeline *t, ct_datagram_address address) {
    for (uint32_t i = 0; i < t->places.count; ++i)
        if (ct_datagram_address_equal(t->places.items[i].address, address))
            return t->places.items[i].peer;
    return 0;
}

// --- Moments -------------------------------------------------------------------------------------

static void take_packet(ct_network_timeline *t, ct_network_direction direction, ct_peer_id peer,
                        ct_network_channel channel, const uint8_t *bytes, uint32_t size,
                        ct_network_moment *m) {
    m->kind = CT_NETWORK_MOMENT_PACKET;
    m->direction = direction;
    m->peer = peer;
    m->channel = channel;
    m->size = size;
    m->text = t->text;
    ct_network_describe(channel, bytes, size, t->text);
}

static void take_event(ct_network_timeline *t, const ct_network_transport_event *event,
                       ct_network_moment *m) {
    switch (event->kind) {
    case CT_NETWORK_TRANSPORT_PACKET:
        take_packet(t, CT_NETWORK_IN, event->peer, event->channel, event->bytes, event->size, m);
        m->is_reliable = event->is_reliable;
        return;
    case CT_NETWORK_TRANSPORT_CONNECTED:
        m->kind = CT_NETWORK_MOMENT_CONNECTED;
        note_place(t, event->peer, event->address);
        break;
    case CT_NETWORK_TRANSPORT_DISCONNECTED:
        m->kind = CT_NETWORK_MOMENT_DISCONNECTED;
        break;
    default:
        return;
    }
    m->peer = event->peer;
    m->address = event->address;
    m->reason = event->reason;
}

static void take_tap(ct_network_timeline *t, const ct_network_tap *tap, ct_network_moment *m) {
    m->peer = tap->peer;
    m->address = tap->address;
    m->reason = tap->reason;
    switch (tap->kind) {
    case CT_NETWORK_TAP_EVENT:
        take_event(t, &tap->event, m);
        break;
    case CT_NETWORK_TAP_SENT:
        take_packet(t, CT_NETWORK_OUT, tap->peer, tap->channel, tap->bytes, tap->size, m);
        m->is_reliable = tap->is_reliable;
        m->is_refused = !tap->is_ok;
        break;
    case CT_NETWORK_TAP_CONNECT:
        m->kind = CT_NETWORK_MOMENT_CONNECT;
        break;
    case CT_NETWORK_TAP_DISCONNECT:
        m->kind = CT_NETWORK_MOMENT_DISCONNECT;
        break;
    case CT_NETWORK_TAP_DATAGRAM_IN:
    case CT_NETWORK_TAP_DATAGRAM_OUT:
        m->kind = CT_NETWORK_MOMENT_DATAGRAM;
        m->direction = tap->kind == CT_NETWORK_TAP_DATAGRAM_IN ? CT_NETWORK_IN : CT_NETWORK_OUT;
        m->peer = peer_at(t, tap->address);
        m->size = tap->size;
        break;
    default: // a question of the session: no moment
        break;
    }
}

// Takes an entry as a moment, of kind none when it is not one, or has several.
static void take_entry(ct_network_timeline *t, ct_network_moment *m) {
    const ct_network_log_entry *const e = &t->entry;
    switch (e->kind) {
    case CT_NETWORK_LOG_FRAME:
        m->kind = CT_NETWORK_MOMENT_FRAME;
        m->step = e->step_seconds;
        m->frame = ++t->frame;
        break;
    case CT_NETWORK_LOG_NOTE:
        m->kind = CT_NETWORK_MOMENT_NOTE;
        t->note.count = 0;
        if (e->tap.size > 0)
            ct_array_push_many(&t->note, e->tap.bytes, e->tap.size);
        ct_array_push(&t->note, 0);
        m->text = (const char *)t->note.items;
        break;
    case CT_NETWORK_LOG_STATS:
        m->kind = CT_NETWORK_MOMENT_STATS;
        m->peer = e->tap.peer;
        m->stats = e->stats;
        break;
    case CT_NETWORK_LOG_SEEN:
        if (t->config)
            ct_network_seen_open(&t->seen, t->config, e->tap.peer, e->tap.bytes, e->tap.size);
        break;
    case CT_NETWORK_LOG_CONFIG:
        break;
    default:
        take_tap(t, &e->tap, m);
    }
}

static void start_moment(const ct_network_timeline *t, ct_network_moment *m) {
    const uint64_t now = t->entry.now_ns, first = t->first_ns;
    *m = (ct_network_moment){.direction = CT_NETWORK_INSIDE,
                             .seconds = now > first ? (double)(now - first) * 1e-9 : 0,
                             .frame = t->frame,
                             .text = ""};
}

bool ct_network_timeline_next(ct_network_timeline *t, ct_network_moment *m, ct_error *error) {
    *error = (ct_error){0};
    for (;;) {
        const char *fault = NULL;
        start_moment(t, m);
        if (t->seen.at != t->seen.end && ct_network_seen_next(&t->seen, &m->seen, &fault)) {
            m->kind = CT_NETWORK_MOMENT_SEEN;
            m->peer = m->seen.peer;
            m->direction = m->seen.is_sent ? CT_NETWORK_OUT : CT_NETWORK_IN;
            return true;
        }
        if (fault)
            return ct_error_set(error, "the entry at byte %llu of the log is wrong: %s",
                                (unsigned long long)t->entry_at, fault);
        t->entry_at = t->reader.at;
        if (!ct_network_log_next(&t->reader, &t->entry, error))
            return false;
        start_moment(t, m);
        take_entry(t, m);
        if (m->kind != CT_NETWORK_MOMENT_NONE)
            return true;
    }
}
