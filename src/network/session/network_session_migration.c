// Migration: when the host leaves or is lost, another peer becomes the host.
//
// All peers know each other's slots and addresses. The peer with the lowest slot that can be reached
// is the next host; a peer that it does not accept, or that it cannot reach in time, tries the one
// after it, in the end itself, so that each part of a broken network goes on. One that did not have
// all objects yet refuses: what others know of that may be old, so they ask.
// A peer says HELLO to its candidate, which answers ACCEPT when it has lost the host, too. The peer
// then claims what it owns and gets a snapshot, as a peer that joins. For each object the highest
// version of its owner counts. What lost peers owned is decided when all others have come, or time
// is up: until then no peer can know more of it.
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "network/session/network_session_private.h"

// --- Finding a host ------------------------------------------------------------------------------

// Nothing more comes of what was asked of the lost host.
static void drop_requests(ct_network_session *s) {
    for (uint32_t i = 0; i < s->objects.items.count; ++i) {
        ct_network_session_object *const o = &s->objects.items.items[i];
        if (o->id == 0 || !o->is_giving)
            continue;
        o->is_giving = false;
        ct_network_objects_event(s, CT_NETWORK_EVENT_OWNER_REFUSED, i);
    }
}

// Sends what was destroyed and created meanwhile, in the order of ids, as a host expects it.
static void send_held_back(ct_network_session *s) {
    ct_u32_array ids;
    ct_array_init(&ids, s->allocator);
    ct_array_resize(&ids, s->objects.count);
    ct_network_session_objects(s, 0, ids.items, ids.count);
    for (uint32_t i = 0; i < ids.count; ++i) {
        const uint32_t place = ct_network_objects_find(s, ids.items[i]);
        ct_network_session_object *const o = &s->objects.items.items[place];
        if (o->is_doomed && o->owner == s->slot) {
            ct_network_objects_destroy_for_all(s, place, NULL);
        } else if (o->is_unsent) {
            o->is_unsent = false;
            ct_network_objects_announce_to_all(s, NULL, place);
        } else {
            o->is_doomed = false;
        }
    }
    ct_array_free(&ids);
}

// Returns the last count of the ids of this peer that the others may know.
static uint32_t last_sent_count(const ct_network_session *s) {
    uint32_t count = s->last_count;
    for (uint32_t i = 0; i < s->objects.items.count; ++i) {
        const ct_network_session_object *const o = &s->objects.items.items[i];
        if (o->is_unsent && (o->id & CT_NETWORK_MAX_COUNT) <= count)
            count = (o->id & CT_NETWORK_MAX_COUNT) - 1;
    }
    return count;
}

static void answer_hello(ct_network_session *s, ct_network_stream *stream, bool is_host);

static void answer_hellos(ct_network_session *s, bool is_host) {
    for (uint32_t i = s->streams.count; i-- > 0;)
        if (i < s->streams.count && s->streams.items[i]->stage == CT_NETWORK_STAGE_HELLO)
            answer_hello(s, s->streams.items[i], is_host);
}

static void say_new_host(ct_network_session *s) {
    ct_network_session_event(s, CT_NETWORK_EVENT_HOST)->peer = s->host;
    ct_log_info("network", "peer %016llx is the new host of the session", (unsigned long long)s->host);
}

static void become_host(ct_network_session *s) {
    uint32_t num_tried = 0;
    for (uint32_t i = 0; i < s->peers.count; ++i) {
        ct_network_session_peer *const peer = &s->peers.items[i];
        const bool is_self = peer->slot == s->slot;
        num_tried += peer->is_tried && !is_self;
        peer->is_absent = !is_self;
        peer->is_lost = !is_self && peer->is_lost;
    }
    s->state = CT_NETWORK_SESSION_IN;
    s->host_slot = s->slot;
    s->host = s->desc.link.self;
    s->give_up_at = 0;
    // Others may have waited for as many candidates before they come here.
    s->gather_until = s->patience + s->desc.migration_seconds * (2.0 + num_tried);
    ++s->epoch;
    for (uint32_t i = 0; i < s->objects.items.count; ++i)
        s->objects.items.items[i].is_seen = false;
    drop_requests(s);
    send_held_back(s);
    say_new_host(s);
    answer_hellos(s, true);
}

static ct_network_session_peer *next_candidate(ct_network_session *s) {
    ct_network_session_peer *const preferred =
        s->preferred_slot ? ct_network_peer_of_slot(s, s->preferred_slot) : NULL;
    s->preferred_slot = 0;
    if (preferred && !preferred->is_tried)
        return preferred;
    for (uint32_t i = 0; i < s->peers.count; ++i) {
        ct_network_session_peer *const peer = &s->peers.items[i];
        if (peer->slot == s->slot || !peer->is_tried)
            return peer;
    }
    return NULL;
}

static void say_hello(ct_network_session *s, ct_network_stream *stream) {
    stream->stage = CT_NETWORK_STAGE_CANDIDATE;
    ct_bit_writer w = ct_network_say(s);
    ct_network_write_u64(&w, s->session);
    ct_bits_write(&w, s->slot, CT_NETWORK_SLOT_BITS);
    ct_network_said(s, stream, CT_NETWORK_SAY_HELLO, &w);
    ct_network_stream_flush(s, stream);
}

void ct_network_migration_try_next(ct_network_session *s) {
    ct_network_session_peer *const peer = next_candidate(s);
    if (!peer || peer->slot == s->slot) {
        become_host(s);
        return;
    }
    peer->is_tried = true;
    s->host = peer->id;
    s->host_slot = 0;
    s->give_up_at = s->patience + s->desc.migration_seconds;
    if (ct_network_peer_is_connected(s, peer->id)) {
        ct_network_migration_connected(s, peer->id);
    } else if (peer->address[0]) {
        s->desc.link.connect(s->desc.link.data, peer->id, peer->address);
    } else {
        s->give_up_at = s->patience; // the next update tries another
    }
}

void ct_network_migration_connected(ct_network_session *s, ct_peer_id peer) {
    if (peer != s->host)
        return;
    ct_network_stream *stream = ct_network_stream_find(s, peer);
    // A peer that waits for this one to be the host does not take it: both look further.
    if (stream && stream->stage != CT_NETWORK_STAGE_VISITOR)
        return;
    if (stream)
        ct_network_stream_remove(s, stream);
    stream = ct_network_stream_add(s, peer, CT_NETWORK_STAGE_CANDIDATE);
    say_hello(s, stream);
}

static void begin(ct_network_session *s, uint32_t preferred_slot) {
    s->state = CT_NETWORK_SESSION_MIGRATING;
    s->preferred_slot = preferred_slot;
    ct_network_migration_try_next(s);
}

void ct_network_migration_lose_host(ct_network_session *s, ct_network_reason reason) {
    const bool is_lost = reason == CT_NETWORK_REASON_LEFT || reason == CT_NETWORK_REASON_TIMEOUT ||
                         reason == CT_NETWORK_REASON_UNREACHED;
    if (s->state == CT_NETWORK_SESSION_MIGRATING) {
        ct_network_migration_try_next(s);
        return;
    }
    if (s->state != CT_NETWORK_SESSION_IN || !s->has_migration || !is_lost) {
        ct_network_session_end(s, reason);
        return;
    }
    for (uint32_t i = 0; i < s->peers.count; ++i) {
        ct_network_session_peer *const peer = &s->peers.items[i];
        peer->is_lost = peer->is_tried = peer->slot == s->host_slot;
    }
    begin(s, 0);
}

void ct_network_migration_done(ct_network_session *s) {
    drop_requests(s);
    send_held_back(s);
    say_new_host(s);
    answer_hellos(s, false);
}

// --- On purpose ----------------------------------------------------------------------------------

const char *ct_network_read_migrate(ct_network_session *s, ct_network_stream *stream,
                                    ct_bit_reader *r) {
    const uint32_t slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    const bool stays = ct_bits_read(r, 1);
    const ct_network_session_peer *const next = ct_network_peer_of_slot(s, slot);
    if (!ct_bits_is_done(r) || !next || slot == s->host_slot)
        return "the next host is unknown";
    if (s->state != CT_NETWORK_SESSION_IN || !s->has_migration) {
        ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_LEFT);
        if (s->state == CT_NETWORK_SESSION_MIGRATING)
            ct_network_migration_try_next(s);
        else
            ct_network_session_end(s, CT_NETWORK_REASON_LEFT);
        return NULL;
    }
    for (uint32_t i = 0; i < s->peers.count; ++i) {
        ct_network_session_peer *const peer = &s->peers.items[i];
        peer->is_lost = peer->is_tried = peer->slot == s->host_slot && !stays;
    }
    if (slot == s->slot) {
        // The former host comes back over the same connection.
        const ct_peer_id former = stream->peer;
        ct_network_stream_remove(s, stream);
        ct_network_stream_add(s, former, CT_NETWORK_STAGE_VISITOR);
        become_host(s);
        return NULL;
    }
    ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_LEFT);
    begin(s, slot);
    return NULL;
}

static const ct_network_session_peer *pick_next_host(const ct_network_session *s, ct_peer_id to) {
    for (uint32_t i = 0; i < s->peers.count; ++i) {
        const ct_network_session_peer *const peer = &s->peers.items[i];
        if (peer->slot != s->slot && peer->is_synchronized && !peer->is_absent &&
            (!to || peer->id == to))
            return peer;
    }
    return NULL;
}

// Ends this program's part as the host. All streams but that of the next host are disconnected.
static void hand_over(ct_network_session *s, const ct_network_session_peer *next, bool stays) {
    const ct_peer_id next_id = next->id;
    ct_bit_writer w = ct_network_say(s);
    ct_bits_write(&w, next->slot, CT_NETWORK_SLOT_BITS);
    ct_bits_write(&w, stays, 1);
    ct_network_said_to_all(s, NULL, CT_NETWORK_SAY_MIGRATE, &w);
    for (uint32_t i = s->streams.count; i-- > 0;) {
        ct_network_stream *const stream = s->streams.items[i];
        if (stream->peer == next_id && stays) {
            ct_network_stream_flush(s, stream);
            ct_network_stream_remove(s, stream);
            ct_network_stream_add(s, next_id, CT_NETWORK_STAGE_VISITOR);
        } else if (stream->stage != CT_NETWORK_STAGE_VISITOR) {
            ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_LEFT);
        }
    }
    s->gather_until = 0;
}

bool ct_network_session_migrate(ct_network_session *s, ct_peer_id to, double now,
                                ct_error *error) {
    s->now = now;
    if (!ct_network_session_is_host(s))
        return ct_error_set(error, "only the host can give the hosting to another peer");
    if (!s->has_migration)
        return ct_error_set(error, "migration is turned off in this session");
    if (s->gather_until > 0)
        return ct_error_set(error, "peers of the former host are still coming: try again");
    const ct_network_session_peer *const next = pick_next_host(s, to);
    if (!next)
        return ct_error_set(error, "no other peer is synchronized");
    const uint32_t slot = next->slot;
    hand_over(s, next, true);
    for (uint32_t i = 0; i < s->peers.count; ++i) {
        s->peers.items[i].is_tried = s->peers.items[i].is_lost = false;
        s->peers.items[i].is_absent = false;
    }
    begin(s, slot);
    return true;
}

void ct_network_session_leave(ct_network_session *s, double now) {
    s->now = now;
    if (s->state == CT_NETWORK_SESSION_IDLE || s->state == CT_NETWORK_SESSION_ENDED)
        return;
    if (ct_network_session_is_host(s)) {
        const ct_network_session_peer *const next =
            s->has_migration ? pick_next_host(s, 0) : NULL;
        if (!next) {
            ct_network_session_shut_down(s, now);
            return;
        }
        hand_over(s, next, false);
    }
    for (uint32_t i = s->streams.count; i-- > 0;) {
        ct_network_stream *const stream = s->streams.items[i];
        if (stream->stage == CT_NETWORK_STAGE_HOST || stream->stage == CT_NETWORK_STAGE_CANDIDATE) {
            ct_bit_writer w = ct_network_say(s);
            ct_network_said(s, stream, CT_NETWORK_SAY_LEAVE, &w);
            ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_LEFT);
        }
    }
    ct_network_session_end(s, CT_NETWORK_REASON_LEFT);
}

// --- At the new host -----------------------------------------------------------------------------

static void answer_hello(ct_network_session *s, ct_network_stream *stream, bool is_host) {
    const ct_network_session_peer *const peer = ct_network_peer_of_slot(s, stream->slot);
    ct_bit_writer w = ct_network_say(s);
    if (is_host && s->gather_until > 0 && peer && peer->id == stream->peer && peer->is_absent) {
        stream->stage = CT_NETWORK_STAGE_CLAIMING;
        stream->give_up_at = s->patience + s->desc.wait_seconds;
        ct_network_said(s, stream, CT_NETWORK_SAY_ACCEPT, &w);
        ct_network_stream_flush(s, stream);
        return;
    }
    ct_network_said(s, stream, CT_NETWORK_SAY_NOT_HOST, &w);
    ct_network_stream_flush(s, stream);
    stream->stage = CT_NETWORK_STAGE_VISITOR;
    stream->slot = 0;
}

const char *ct_network_read_hello(ct_network_session *s, ct_network_stream *stream,
                                  ct_bit_reader *r) {
    const uint64_t session = ct_network_read_u64(r);
    const uint32_t slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    if (!ct_bits_is_done(r) || slot == 0)
        return "a hello has a wrong size or no slot";
    const bool is_in = s->state == CT_NETWORK_SESSION_IN || s->state == CT_NETWORK_SESSION_MIGRATING;
    stream->slot = slot;
    stream->stage = CT_NETWORK_STAGE_HELLO;
    if (!is_in || session != s->session || slot == s->slot)
        answer_hello(s, stream, false);
    else if (ct_network_session_is_host(s))
        answer_hello(s, stream, true);
    return NULL; // else it waits until this peer has lost the host, too, or has another
}

const char *ct_network_read_known(ct_network_session *s, ct_network_stream *stream,
                                  ct_bit_reader *r) {
    const ct_network_object_id id = ct_bits_read(r, 32);
    const uint32_t owner_version = ct_bits_read_groups(r, 5);
    if (!ct_bits_is_done(r))
        return "knowing an object has a wrong size";
    const uint32_t place = ct_network_objects_find(s, id);
    if (place == UINT32_MAX)
        return NULL;
    // The lost host gave the object to that peer, which does not know yet.
    ct_network_session_object *const o = &s->objects.items.items[place];
    if (o->owner == stream->slot && o->owner_version > owner_version)
        o->is_seen = true;
    return NULL;
}

static void is_gathered(ct_network_session *s) {
    for (uint32_t i = 0; i < s->peers.count; ++i)
        if (s->peers.items[i].is_absent && !s->peers.items[i].is_lost &&
            s->patience < s->gather_until)
            return;
    s->gather_until = 0;
    for (uint32_t i = s->peers.count; i-- > 0;) {
        const ct_network_session_peer *const peer = &s->peers.items[i];
        if (i >= s->peers.count || !peer->is_absent)
            continue;
        ct_network_stream *const stream = ct_network_stream_find(s, peer->id);
        if (stream && stream->stage == CT_NETWORK_STAGE_CLAIMING)
            ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_TIMEOUT);
        ct_network_peer_remove(s, peer->slot,
                               peer->is_lost ? CT_NETWORK_REASON_LEFT : CT_NETWORK_REASON_TIMEOUT);
    }
    for (uint32_t i = 0; i < s->peers.count; ++i)
        s->peers.items[i].is_lost = s->peers.items[i].is_tried = false;
    ct_network_peer_admit_waiting(s);
}

const char *ct_network_read_claimed(ct_network_session *s, ct_network_stream *stream,
                                    ct_bit_reader *r) {
    const uint32_t last_count = ct_bits_read(r, CT_NETWORK_COUNT_BITS);
    const uint32_t next_slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS + 1);
    if (!ct_bits_is_done(r) || next_slot > CT_NETWORK_SESSION_MAX_SLOTS)
        return "the end of claims has a wrong size or slot";
    ct_network_session_peer *const peer = ct_network_peer_of_slot(s, stream->slot);
    for (uint32_t i = 0; i < s->objects.items.count; ++i) {
        ct_network_session_object *const o = &s->objects.items.items[i];
        if (o->id == 0 || o->owner != stream->slot)
            continue;
        if (!o->is_seen)
            ct_network_objects_destroy_for_all(s, i, stream);
        else
            o->is_seen = false;
    }
    peer->last_count = last_count;
    peer->is_absent = peer->is_lost = false;
    if (!s->desc.link.address(s->desc.link.data, peer->id, peer->address))
        peer->address[0] = 0;
    if (next_slot > s->next_slot)
        s->next_slot = next_slot;
    ct_network_peer_announce(s, peer, NULL);
    stream->stage = CT_NETWORK_STAGE_SYNCING;
    ct_network_peer_send_snapshot(s, stream);
    is_gathered(s);
    return NULL;
}

// --- At the others -------------------------------------------------------------------------------

const char *ct_network_read_accept(ct_network_session *s, ct_network_stream *stream,
                                   ct_bit_reader *r) {
    if (!ct_bits_is_done(r))
        return "accepting a peer has a wrong size";
    if (s->state != CT_NETWORK_SESSION_MIGRATING)
        return "it accepts a peer that does not migrate";
    s->give_up_at = s->patience + s->desc.wait_seconds;
    const ct_network_stage stage = stream->stage;
    stream->stage = CT_NETWORK_STAGE_HOST; // it has objects now
    ct_network_stream_grow(s, stream);
    for (uint32_t i = 0; i < s->objects.items.count; ++i) {
        const ct_network_session_object *const o = &s->objects.items.items[i];
        if (o->id == 0 || o->is_doomed || o->is_unsent)
            continue;
        if (o->owner == s->slot) {
            ct_network_objects_announce(s, stream, i);
            continue;
        }
        ct_bit_writer w = ct_network_say(s);
        ct_bits_write(&w, o->id, 32);
        ct_bits_write_groups(&w, o->owner_version, 5);
        ct_network_said(s, stream, CT_NETWORK_SAY_KNOWN, &w);
    }
    stream->stage = stage;
    ct_bit_writer w = ct_network_say(s);
    ct_bits_write(&w, last_sent_count(s), CT_NETWORK_COUNT_BITS);
    ct_bits_write(&w, s->next_slot, CT_NETWORK_SLOT_BITS + 1);
    ct_network_said(s, stream, CT_NETWORK_SAY_CLAIMED, &w);
    ct_network_stream_flush(s, stream);
    return NULL;
}

const char *ct_network_read_not_host(ct_network_session *s, ct_network_stream *stream,
                                     ct_bit_reader *r) {
    if (!ct_bits_is_done(r))
        return "refusing a peer has a wrong size";
    if (s->state != CT_NETWORK_SESSION_MIGRATING)
        return "it refuses a peer that does not migrate";
    ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_LEFT);
    ct_network_migration_try_next(s);
    return NULL;
}

void ct_network_migration_update(ct_network_session *s) {
    if (s->state == CT_NETWORK_SESSION_MIGRATING && s->give_up_at > 0 &&
        s->patience >= s->give_up_at) {
        ct_network_stream *const stream = ct_network_stream_find(s, s->host);
        if (stream && (stream->stage == CT_NETWORK_STAGE_CANDIDATE ||
                       stream->stage == CT_NETWORK_STAGE_HOST))
            ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_TIMEOUT);
        ct_network_migration_try_next(s);
    }
    if (ct_network_session_is_host(s) && s->gather_until > 0)
        is_gathered(s);
}
