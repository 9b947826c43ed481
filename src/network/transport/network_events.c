// network_events.c: the queue of what happened, the tap, and replays.
#include "network/transport/network_transport_private.h"

#include "foundation/error.h"

void ct_network_events_tap(const ct_network_transport *t, ct_network_tap *what) {
    if (!t->desc.tap)
        return;
    what->now_ns = t->now_ns;
    t->desc.tap(t->desc.tap_data, what);
}

static void push(ct_network_transport *t, const ct_network_transport_event *event,
                 uint64_t serial) {
    queued_event queued = {.event = *event, .serial = serial, .offset = t->event_bytes.count};
    queued.event.bytes = NULL;
    if (event->size > 0)
        ct_array_push_many(&t->event_bytes, event->bytes, event->size);
    ct_ring_push(&t->events, &queued);
}

void ct_network_events_push(ct_network_transport *t, const connection *c,
                            const ct_network_transport_event *event) {
    ct_network_transport_event complete = *event;
    complete.peer = c->peer;
    complete.address = c->address;
    push(t, &complete, c->serial);
}

void ct_network_events_drop_packets(ct_network_transport *t, const connection *c) {
    for (uint32_t i = 0; i < t->events.count; ++i) {
        queued_event *const queued = ct_ring_at(&t->events, i);
        if (queued->serial == c->serial && queued->event.kind == CT_NETWORK_TRANSPORT_PACKET)
            queued->is_void = true;
    }
}

bool ct_network_transport_next(ct_network_transport *t, ct_network_transport_event *event) {
    queued_event queued = {.is_void = true};
    while (queued.is_void) {
        if (!ct_ring_pop(&t->events, &queued)) {
            t->event_bytes.count = 0;
            return false;
        }
    }
    // The link may be called before the next event is taken, and what comes of it may be queued.
    t->given.count = 0;
    if (queued.event.size > 0)
        ct_array_push_many(&t->given, t->event_bytes.items + queued.offset, queued.event.size);
    if (t->events.count == 0)
        t->event_bytes.count = 0;
    *event = queued.event;
    event->bytes = event->kind == CT_NETWORK_TRANSPORT_PACKET ? t->given.items : NULL;
    ct_network_events_tap(
        t, &(ct_network_tap){.kind = CT_NETWORK_TAP_EVENT, .peer = event->peer, .event = *event});
    return true;
}

// --- Replays -------------------------------------------------------------------------------------

void ct_network_transport_play(ct_network_transport *t, const ct_network_tap *what) {
    CT_ASSERT(!t->desc.wire, "a transport with a wire plays nothing%s", "");
    if (what->kind == CT_NETWORK_TAP_EVENT) {
        push(t, &what->event, 0);
    } else if (what->kind >= CT_NETWORK_TAP_SENT && what->kind <= CT_NETWORK_TAP_ADDRESS) {
        const answer a = {.peer = what->peer,
                          .address = what->address,
                          .seconds = what->seconds,
                          .size = what->size,
                          .is_ok = what->is_ok};
        ct_ring_push(&t->answers[what->kind], &a);
    }
}

answer ct_network_events_answer(ct_network_transport *t, ct_network_tap_kind kind,
                                ct_peer_id peer) {
    answer a = {0};
    if (!ct_ring_pop(&t->answers[kind], &a) || a.peer != peer)
        ++t->stats.divergences;
    return a.peer == peer ? a : (answer){0};
}
