// Peers: joining, leaving, and what the host says of them.
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "network/session/network_session_private.h"

enum { REASON_BITS = 4, MAX_ALLOWED = 256 };

// --- The list ------------------------------------------------------------------------------------

ct_network_session_peer *ct_network_peer_of_slot(const ct_network_session *s, uint32_t slot) {
    for (uint32_t i = 0; i < s->peers.count; ++i)
        if (s->peers.items[i].slot == slot)
            return &s->peers.items[i];
    return NULL;
}

ct_network_session_peer *ct_network_peer_find(const ct_network_session *s, ct_peer_id id) {
    for (uint32_t i = 0; i < s->peers.count; ++i)
        if (s->peers.items[i].id == id)
            return &s->peers.items[i];
    return NULL;
}

ct_peer_id ct_network_peer_id_of_slot(const ct_network_session *s, uint32_t slot) {
    const ct_network_session_peer *const peer = ct_network_peer_of_slot(s, slot);
    return peer ? peer->id : 0;
}

ct_network_session_peer *ct_network_peer_add(ct_network_session *s, ct_peer_id id, uint32_t slot) {
    uint32_t at = 0;
    while (at < s->peers.count && s->peers.items[at].slot < slot)
        ++at;
    ct_array_insert(&s->peers, at, (ct_network_session_peer){.id = id, .slot = slot});
    return &s->peers.items[at];
}

void ct_network_peer_erase(ct_network_session *s, ct_network_session_peer *peer) {
    ct_array_erase(&s->peers, (uint32_t)(peer - s->peers.items), 1);
}

bool ct_network_peer_is_connected(const ct_network_session *s, ct_peer_id peer) {
    for (uint32_t i = 0; i < s->connected.count; ++i)
        if (s->connected.items[i] == peer)
            return true;
    return false;
}

uint32_t ct_network_session_peers(const ct_network_session *s, ct_network_peer_filter filter,
                                  ct_peer_id *peers, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->peers.count; ++i) {
        const ct_network_session_peer *const p = &s->peers.items[i];
        if (filter != CT_NETWORK_PEERS_ALL &&
            p->is_synchronized != (filter == CT_NETWORK_PEERS_SYNCHRONIZED))
            continue;
        if (count < most)
            peers[count] = p->id;
        ++count;
    }
    return count;
}

// --- What the host says --------------------------------------------------------------------------

static void write_peer(const ct_network_session_peer *peer, ct_bit_writer *w) {
    const uint32_t length = (uint32_t)strlen(peer->address);
    ct_bits_write(w, peer->slot, CT_NETWORK_SLOT_BITS);
    ct_network_write_u64(w, peer->id);
    ct_bits_write(w, peer->is_synchronized, 1);
    ct_bits_write(w, peer->is_absent, 1);
    ct_bits_write(w, length, 6);
    for (uint32_t i = 0; i < length; ++i)
        ct_bits_write(w, (uint8_t)peer->address[i], 8);
}

void ct_network_peer_announce(ct_network_session *s, const ct_network_session_peer *peer,
                              ct_network_stream *to) {
    ct_bit_writer w = ct_network_say(s);
    write_peer(peer, &w);
    if (to)
        ct_network_said(s, to, CT_NETWORK_SAY_PEER, &w);
    else
        ct_network_said_to_all(s, NULL, CT_NETWORK_SAY_PEER, &w);
}

void ct_network_peer_send_snapshot(ct_network_session *s, ct_network_stream *stream) {
    ct_bit_writer w = ct_network_say(s);
    ct_network_write_u64(&w, s->session);
    ct_bits_write(&w, s->epoch, 32);
    ct_bits_write(&w, stream->slot, CT_NETWORK_SLOT_BITS);
    ct_bits_write(&w, s->slot, CT_NETWORK_SLOT_BITS);
    ct_bits_write(&w, s->next_slot, CT_NETWORK_SLOT_BITS + 1);
    ct_bits_write(&w, s->has_migration, 1);
    ct_bits_write(&w, ct_network_session_time(s, s->now), 32);
    ct_network_said(s, stream, CT_NETWORK_SAY_WELCOME, &w);
    for (uint32_t i = 0; i < s->peers.count; ++i)
        ct_network_peer_announce(s, &s->peers.items[i], stream);
    ct_network_stream_grow(s, stream);
    for (uint32_t i = 0; i < s->objects.items.count; ++i)
        if (s->objects.items.items[i].id)
            ct_network_objects_announce(s, stream, i);
    w = ct_network_say(s);
    ct_network_said(s, stream, CT_NETWORK_SAY_ALL_SENT, &w);
    stream->give_up_at = s->patience + s->desc.wait_seconds;
}

static void send_ended(ct_network_session *s, ct_network_stream *stream, ct_network_reason reason) {
    ct_bit_writer w = ct_network_say(s);
    ct_bits_write(&w, reason, REASON_BITS);
    ct_network_said(s, stream, CT_NETWORK_SAY_ENDED, &w);
}

static bool forget_allowed(ct_network_session *s, ct_peer_id peer) {
    for (uint32_t i = 0; i < s->allowed.count; ++i)
        if (s->allowed.items[i] == peer) {
            ct_array_swap_erase(&s->allowed, i);
            return true;
        }
    return false;
}

void ct_network_peer_admit(ct_network_session *s, ct_network_stream *stream) {
    forget_allowed(s, stream->peer);
    if (s->peers.count >= s->desc.max_peers || s->next_slot >= CT_NETWORK_SESSION_MAX_SLOTS) {
        send_ended(s, stream, CT_NETWORK_REASON_FULL);
        ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_FULL);
        return;
    }
    ct_network_session_peer *const peer = ct_network_peer_add(s, stream->peer, s->next_slot++);
    if (!s->desc.link.address(s->desc.link.data, peer->id, peer->address))
        peer->address[0] = 0;
    ct_network_session_event(s, CT_NETWORK_EVENT_PEER_JOINED)->peer = peer->id;
    ct_network_peer_announce(s, peer, NULL);
    stream->slot = peer->slot;
    stream->stage = CT_NETWORK_STAGE_SYNCING;
    ct_network_peer_send_snapshot(s, stream);
}

void ct_network_peer_admit_waiting(ct_network_session *s) {
    for (uint32_t i = 0; i < s->streams.count;) {
        ct_network_stream *const stream = s->streams.items[i];
        if (stream->stage == CT_NETWORK_STAGE_ASKED &&
            (!s->desc.is_closed || forget_allowed(s, stream->peer)))
            ct_network_peer_admit(s, stream);
        i += i < s->streams.count && s->streams.items[i] == stream;
    }
}

void ct_network_peer_remove(ct_network_session *s, uint32_t slot, ct_network_reason reason) {
    for (uint32_t i = 0; i < s->objects.items.count; ++i) {
        const ct_network_session_object *const o = &s->objects.items.items[i];
        if (o->id == 0 || o->owner != slot)
            continue;
        if (s->types[o->type].is_shared)
            ct_network_objects_change_owner(s, i, s->slot);
        else
            ct_network_objects_destroy_for_all(s, i, NULL);
    }
    ct_network_session_peer *const peer = ct_network_peer_of_slot(s, slot);
    ct_network_event *const e = ct_network_session_event(s, CT_NETWORK_EVENT_PEER_LEFT);
    e->peer = peer->id;
    e->reason = reason;
    ct_network_peer_erase(s, peer);
    ct_bit_writer w = ct_network_say(s);
    ct_bits_write(&w, slot, CT_NETWORK_SLOT_BITS);
    ct_bits_write(&w, reason, REASON_BITS);
    ct_network_said_to_all(s, NULL, CT_NETWORK_SAY_PEER_LEFT, &w);
}

// --- What the host is asked ----------------------------------------------------------------------

const char *ct_network_read_ask(ct_network_session *s, ct_network_stream *stream,
                                ct_bit_reader *r) {
    const uint32_t version = ct_bits_read(r, 16);
    if (!ct_bits_is_done(r))
        return "asking to join has a wrong size";
    const bool is_host = s->state == CT_NETWORK_SESSION_IN && s->host_slot == s->slot;
    if (!is_host || version != CT_NETWORK_PROTOCOL) {
        const ct_network_reason reason =
            is_host ? CT_NETWORK_REASON_VERSION : CT_NETWORK_REASON_UNREACHED;
        if (is_host)
            ct_log_warning("network", "network_version",
                           "peer %016llx cannot join: its build has version %u of sessions, this "
                           "one %u; run the same build",
                           (unsigned long long)stream->peer, version, CT_NETWORK_PROTOCOL);
        send_ended(s, stream, reason);
        ct_network_stream_disconnect(s, stream, reason);
        return NULL;
    }
    ct_network_session_peer *const former = ct_network_peer_find(s, stream->peer);
    if (former && !former->is_absent)
        return "it asks to join a session that it is in";
    if (former)
        former->is_lost = true; // it gave up its part with the former host
    stream->stage = CT_NETWORK_STAGE_ASKED;
    if (s->desc.is_closed)
        ct_network_session_event(s, CT_NETWORK_EVENT_PEER_ASKS)->peer = stream->peer;
    if (s->gather_until == 0)
        ct_network_peer_admit_waiting(s);
    return NULL;
}

const char *ct_network_read_got_all(ct_network_session *s, ct_network_stream *stream,
                                    ct_bit_reader *r) {
    if (!ct_bits_is_done(r))
        return "the answer to a snapshot has a wrong size";
    ct_network_session_peer *const peer = ct_network_peer_of_slot(s, stream->slot);
    stream->stage = CT_NETWORK_STAGE_IN;
    stream->give_up_at = 0;
    if (!peer->is_synchronized)
        ct_network_session_event(s, CT_NETWORK_EVENT_PEER_SYNCHRONIZED)->peer = peer->id;
    peer->is_synchronized = true;
    ct_network_peer_announce(s, peer, NULL);
    return NULL;
}

const char *ct_network_read_leave(ct_network_session *s, ct_network_stream *stream,
                                  ct_bit_reader *r) {
    if (!ct_bits_is_done(r))
        return "leaving has a wrong size";
    const ct_peer_id id = stream->peer;
    const uint32_t slot = stream->slot;
    ct_network_stream_remove(s, stream);
    ct_network_stream_add(s, id, CT_NETWORK_STAGE_VISITOR);
    if (slot && ct_network_session_is_host(s)) // else it waited that this peer becomes the host
        ct_network_peer_remove(s, slot, CT_NETWORK_REASON_LEFT);
    return NULL;
}

bool ct_network_session_add_peer(ct_network_session *s, ct_peer_id peer, double now,
                                 ct_error *error) {
    s->now = now;
    if (!ct_network_session_is_host(s))
        return ct_error_set(error, "only the host can add peers");
    if (ct_network_peer_find(s, peer))
        return ct_error_set(error, "peer %016llx is in the session already",
                            (unsigned long long)peer);
    if (s->allowed.count >= MAX_ALLOWED)
        return ct_error_set(error, "%d peers that were added have not come yet", MAX_ALLOWED);
    forget_allowed(s, peer);
    ct_array_push(&s->allowed, peer);
    if (s->gather_until == 0)
        ct_network_peer_admit_waiting(s);
    return true;
}

bool ct_network_session_kick(ct_network_session *s, ct_peer_id peer, ct_network_reason reason,
                             double now) {
    s->now = now;
    if (!ct_network_session_is_host(s) || peer == ct_network_session_self(s))
        return false;
    ct_network_stream *const stream = ct_network_stream_find(s, peer);
    const ct_network_session_peer *const found = ct_network_peer_find(s, peer);
    const uint32_t slot = found ? found->slot : 0;
    const bool has_asked = stream && stream->stage != CT_NETWORK_STAGE_VISITOR;
    const bool was_allowed = forget_allowed(s, peer);
    if (has_asked) {
        send_ended(s, stream, reason);
        ct_network_stream_disconnect(s, stream, reason);
    }
    if (slot)
        ct_network_peer_remove(s, slot, reason);
    return slot || has_asked || was_allowed;
}

bool ct_network_session_set_interest(ct_network_session *s, ct_peer_id peer,
                                     const ct_vec3 *position) {
    ct_network_stream *const stream = ct_network_stream_find(s, peer);
    if (!stream || !stream->slot)
        return false;
    stream->has_interest = position != NULL;
    if (position)
        stream->interest = *position;
    return true;
}

void ct_network_session_shut_down(ct_network_session *s, double now) {
    if (!ct_network_session_is_host(s)) {
        ct_network_session_leave(s, now);
        return;
    }
    s->now = now;
    while (s->streams.count > 0) {
        ct_network_stream *const stream = s->streams.items[s->streams.count - 1];
        if (stream->stage == CT_NETWORK_STAGE_VISITOR) {
            ct_network_stream_remove(s, stream);
        } else {
            send_ended(s, stream, CT_NETWORK_REASON_LEFT);
            ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_LEFT);
        }
    }
    ct_network_session_end(s, CT_NETWORK_REASON_LEFT);
}

// --- What a client reads -------------------------------------------------------------------------

const char *ct_network_read_welcome(ct_network_session *s, ct_network_stream *stream,
                                    ct_bit_reader *r) {
    const uint64_t session = ct_network_read_u64(r);
    const uint32_t epoch = ct_bits_read(r, 32);
    const uint32_t slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    const uint32_t host_slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    const uint32_t next_slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS + 1);
    const bool has_migration = ct_bits_read(r, 1);
    const uint32_t time = ct_bits_read(r, 32);
    if (!ct_bits_is_done(r))
        return "a welcome has a wrong size";
    if (slot == 0 || host_slot == 0 || slot == host_slot || slot >= next_slot ||
        host_slot >= next_slot || next_slot > CT_NETWORK_SESSION_MAX_SLOTS)
        return "a welcome has slots out of range";
    if (s->state == CT_NETWORK_SESSION_MIGRATING && (session != s->session || slot != s->slot))
        return "a welcome is of another session";
    s->session = session;
    s->epoch = epoch;
    s->slot = slot;
    s->host_slot = host_slot;
    s->next_slot = next_slot;
    s->has_migration = has_migration;
    s->host = stream->peer;
    if (s->state == CT_NETWORK_SESSION_JOINING)
        ct_network_clock_add(&s->clock,
                             s->now - s->desc.link.round_trip(s->desc.link.data, stream->peer),
                             time / 1000.0, s->now);
    s->give_up_at = s->patience + s->desc.wait_seconds;
    stream->slot = host_slot;
    stream->stage = CT_NETWORK_STAGE_HOST;
    ct_network_stream_grow(s, stream);
    for (uint32_t i = 0; i < s->peers.count; ++i)
        s->peers.items[i].is_seen = false;
    for (uint32_t i = 0; i < s->objects.items.count; ++i)
        s->objects.items.items[i].is_seen = false;
    return NULL;
}

static bool read_peer(ct_network_session_peer *peer, ct_bit_reader *r) {
    peer->slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    peer->id = ct_network_read_u64(r);
    peer->is_synchronized = ct_bits_read(r, 1);
    peer->is_absent = ct_bits_read(r, 1);
    const uint32_t length = ct_bits_read(r, 6);
    bool is_text = true;
    for (uint32_t i = 0; i < length; ++i) {
        const uint32_t byte = ct_bits_read(r, 8);
        is_text &= byte > ' ' && byte < 127;
        peer->address[i] = (char)byte;
    }
    return ct_bits_is_done(r) && is_text && peer->slot != 0 && peer->id != 0;
}

const char *ct_network_read_peer(ct_network_session *s, ct_network_stream *stream,
                                 ct_bit_reader *r) {
    ct_network_session_peer read = {0};
    if (!read_peer(&read, r))
        return "a peer has no slot or id, or no valid address";
    ct_network_session_peer *peer = ct_network_peer_of_slot(s, read.slot);
    if (ct_network_peer_find(s, read.id) != peer || (peer && peer->id != read.id))
        return "two peers have the same slot or id";
    if ((read.slot == s->slot) != (read.id == s->desc.link.self) ||
        (read.slot == s->host_slot) != (read.id == s->host))
        return "a peer has the slot or id of another";
    if (!peer && s->peers.count >= CT_NETWORK_SESSION_MAX_PEERS)
        return "there are more peers than a session may have";
    const bool is_self = read.slot == s->slot;
    if (!peer) {
        peer = ct_network_peer_add(s, read.id, read.slot);
        if (!is_self)
            ct_network_session_event(s, CT_NETWORK_EVENT_PEER_JOINED)->peer = peer->id;
    }
    if (read.is_synchronized && !peer->is_synchronized && !is_self)
        ct_network_session_event(s, CT_NETWORK_EVENT_PEER_SYNCHRONIZED)->peer = peer->id;
    const bool was_synchronized = peer->is_synchronized;
    read.is_seen = true;
    *peer = read;
    if (is_self)
        peer->is_synchronized = was_synchronized || read.is_synchronized;
    if (read.slot == s->host_slot &&
        !s->desc.link.address(s->desc.link.data, stream->peer, peer->address))
        peer->address[0] = 0;
    if (read.slot >= s->next_slot)
        s->next_slot = read.slot + 1;
    return NULL;
}

static void lose_peer(ct_network_session *s, ct_network_session_peer *peer,
                      ct_network_reason reason) {
    ct_network_event *const e = ct_network_session_event(s, CT_NETWORK_EVENT_PEER_LEFT);
    e->peer = peer->id;
    e->reason = reason;
    ct_network_peer_erase(s, peer);
}

const char *ct_network_read_peer_left(ct_network_session *s, ct_network_stream *stream,
                                      ct_bit_reader *r) {
    (void)stream;
    const uint32_t slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    const uint32_t reason = ct_bits_read(r, REASON_BITS);
    ct_network_session_peer *const peer = ct_network_peer_of_slot(s, slot);
    if (!ct_bits_is_done(r) || !peer || slot == s->slot || slot == s->host_slot ||
        reason >= CT_NETWORK_REASONS)
        return "a peer that left is unknown";
    if (s->objects.num_owned[slot] > 0)
        return "a peer left before its objects";
    lose_peer(s, peer, (ct_network_reason)reason);
    return NULL;
}

// Removes what a new host does not have.
static void remove_unseen(ct_network_session *s) {
    for (uint32_t i = 0; i < s->objects.items.count; ++i) {
        const ct_network_session_object *const o = &s->objects.items.items[i];
        if (o->id == 0 || o->is_seen || o->is_unsent)
            continue;
        if (!o->is_doomed)
            ct_network_objects_event(s, CT_NETWORK_EVENT_DESTROYED, i);
        ct_network_objects_remove(s, i);
    }
    for (uint32_t i = s->peers.count; i-- > 0;)
        if (!s->peers.items[i].is_seen)
            lose_peer(s, &s->peers.items[i], CT_NETWORK_REASON_TIMEOUT);
}

const char *ct_network_read_all_sent(ct_network_session *s, ct_network_stream *stream,
                                     ct_bit_reader *r) {
    if (!ct_bits_is_done(r))
        return "the end of a snapshot has a wrong size";
    if (s->state == CT_NETWORK_SESSION_IN)
        return "a snapshot ends twice";
    ct_network_session_peer *const self = ct_network_peer_of_slot(s, s->slot);
    const ct_network_session_peer *const host = ct_network_peer_of_slot(s, s->host_slot);
    if (!self || !self->is_seen || !host || !host->is_seen)
        return "a snapshot is without this peer or its host";
    remove_unseen(s);
    ct_bit_writer w = ct_network_say(s);
    ct_network_said(s, stream, CT_NETWORK_SAY_GOT_ALL, &w);
    const bool is_joining = s->state == CT_NETWORK_SESSION_JOINING;
    s->state = CT_NETWORK_SESSION_IN;
    s->give_up_at = 0;
    ct_network_peer_of_slot(s, s->slot)->is_synchronized = true;
    if (is_joining)
        ct_network_session_event(s, CT_NETWORK_EVENT_PEER_SYNCHRONIZED)->peer = s->desc.link.self;
    else
        ct_network_migration_done(s);
    return NULL;
}

const char *ct_network_read_ended(ct_network_session *s, ct_network_stream *stream,
                                  ct_bit_reader *r) {
    const uint32_t reason = ct_bits_read(r, REASON_BITS);
    if (!ct_bits_is_done(r) || reason >= CT_NETWORK_REASONS)
        return "the end of a session has an unknown reason";
    if (s->state == CT_NETWORK_SESSION_MIGRATING && stream->stage == CT_NETWORK_STAGE_CANDIDATE) {
        ct_network_stream_remove(s, stream); // it does not take this peer: another may
        ct_network_migration_try_next(s);
        return NULL;
    }
    if (reason == CT_NETWORK_REASON_VERSION)
        ct_log_warning("network", "network_version",
                       "cannot join the session of peer %016llx: its build has another version of "
                       "sessions than %u; run the same build",
                       (unsigned long long)stream->peer, CT_NETWORK_PROTOCOL);
    ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_LEFT);
    ct_network_session_end(s, (ct_network_reason)reason);
    return NULL;
}
