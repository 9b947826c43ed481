// The life of a session: making it, connections, packets, what is done each frame.
#include "network/session/network_session.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "network/session/network_session_private.h"
#include "resource/blob/content_hash.h"

static float or_default(float value, float otherwise) {
    return value > 0 ? value : otherwise;
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_network_session *ct_network_session_create(const ct_network_session_desc *desc) {
    CT_ASSERT(desc->max_peers <= CT_NETWORK_SESSION_MAX_PEERS, "max_peers is %u, at most %d",
              desc->max_peers, CT_NETWORK_SESSION_MAX_PEERS);
    CT_ASSERT(desc->max_objects_of_peer <= CT_NETWORK_MAX_COUNT, "max_objects_of_peer is %u",
              desc->max_objects_of_peer);
    CT_ASSERT(desc->link.self != 0, "the link has no peer of its own");
    ct_network_session *const s = CT_NEW(desc->allocator, ct_network_session);
    s->allocator = desc->allocator;
    s->desc = *desc;
    if (s->desc.max_peers == 0)
        s->desc.max_peers = 16;
    if (s->desc.max_objects_of_peer == 0)
        s->desc.max_objects_of_peer = 4096;
    if (s->desc.rate == 0)
        s->desc.rate = 30;
    s->desc.wait_seconds = or_default(desc->wait_seconds, 10);
    s->desc.migration_seconds = or_default(desc->migration_seconds, 5);
    s->types = ct_network_config_objects(desc->config);
    s->num_types = desc->config->objects.count;
    s->messages = ct_network_config_messages(desc->config);
    s->num_messages = desc->config->messages.count;
    s->has_timeouts = true;
    ct_array_init(&s->peers, s->allocator);
    ct_array_init(&s->streams, s->allocator);
    ct_array_init(&s->connected, s->allocator);
    ct_array_init(&s->allowed, s->allocator);
    ct_array_init(&s->events, s->allocator);
    ct_array_init(&s->read_events, s->allocator);
    ct_array_init(&s->event_words, s->allocator);
    ct_array_init(&s->read_event_words, s->allocator);
    ct_array_init(&s->bodies, s->allocator);
    ct_array_init(&s->urgent, s->allocator);
    ct_array_init(&s->urgent_scratch, s->allocator);
    ct_array_init(&s->chosen, s->allocator);
    ct_array_init(&s->chosen_words, s->allocator);
    ct_network_objects_init(s);
    return s;
}

static void drop_streams(ct_network_session *s) {
    while (s->streams.count > 0)
        ct_network_stream_remove(s, s->streams.items[s->streams.count - 1]);
}

void ct_network_session_destroy(ct_network_session *s) {
    if (!s)
        return;
    drop_streams(s);
    ct_network_objects_free(s);
    ct_array_free(&s->peers);
    ct_array_free(&s->streams);
    ct_array_free(&s->connected);
    ct_array_free(&s->allowed);
    ct_array_free(&s->events);
    ct_array_free(&s->read_events);
    ct_array_free(&s->event_words);
    ct_array_free(&s->read_event_words);
    ct_array_free(&s->bodies);
    ct_array_free(&s->urgent);
    ct_array_free(&s->urgent_scratch);
    ct_array_free(&s->chosen);
    ct_array_free(&s->chosen_words);
    ct_free_sized(s->allocator, s, sizeof(*s));
}

static bool is_free(const ct_network_session *s, ct_error *error) {
    return s->state == CT_NETWORK_SESSION_IDLE || s->state == CT_NETWORK_SESSION_ENDED ||
           ct_error_set(error, "this peer is in a session already: leave it first");
}

// Forgets the last session; peers that are connected are visitors again.
static void start(ct_network_session *s, double now) {
    s->now = now;
    drop_streams(s);
    ct_network_objects_clear(s);
    s->peers.count = 0;
    s->allowed.count = 0;
    s->end_reason = CT_NETWORK_REASON_NONE;
    s->slot = s->host_slot = s->last_count = 0;
    s->give_up_at = s->gather_until = 0;
    ct_network_clock_init(&s->clock);
    for (uint32_t i = 0; i < s->connected.count && i < CT_NETWORK_MAX_VISITORS; ++i)
        ct_network_stream_add(s, s->connected.items[i], CT_NETWORK_STAGE_VISITOR);
}

bool ct_network_session_host(ct_network_session *s, double now, ct_error *error) {
    if (!is_free(s, error))
        return false;
    start(s, now);
    const uint64_t parts[3] = {s->desc.link.self, s->num_hosted++, (uint64_t)(now * 1e6)};
    s->session = ct_content_hash(parts, sizeof(parts));
    s->epoch = 1;
    s->slot = s->host_slot = 1;
    s->next_slot = 2;
    s->host = s->desc.link.self;
    s->host_clock = -now;
    s->has_migration = !s->desc.has_no_migration;
    s->state = CT_NETWORK_SESSION_IN;
    ct_network_peer_add(s, s->desc.link.self, s->slot)->is_synchronized = true;
    return true;
}

static void ask(ct_network_session *s, ct_network_stream *stream) {
    stream->stage = CT_NETWORK_STAGE_CANDIDATE;
    ct_bit_writer w = ct_network_say(s);
    ct_bits_write(&w, CT_NETWORK_PROTOCOL, 16);
    ct_network_said(s, stream, CT_NETWORK_SAY_ASK, &w);
    ct_network_stream_flush(s, stream);
}

bool ct_network_session_join(ct_network_session *s, ct_peer_id host, const char *address,
                             double now, ct_error *error) {
    if (!is_free(s, error))
        return false;
    if (host == 0 || host == s->desc.link.self)
        return ct_error_set(error, "peer %016llx cannot be the host to join",
                            (unsigned long long)host);
    const bool is_connected = ct_network_peer_is_connected(s, host);
    if (!is_connected && (!address || !address[0]))
        return ct_error_set(error, "the host %016llx is not connected: give its address",
                            (unsigned long long)host);
    start(s, now);
    s->state = CT_NETWORK_SESSION_JOINING;
    s->host = host;
    s->give_up_at = s->patience + s->desc.wait_seconds;
    if (!is_connected) {
        s->desc.link.connect(s->desc.link.data, host, address);
        return true;
    }
    ct_network_stream *const stream = ct_network_stream_find(s, host);
    ask(s, stream ? stream : ct_network_stream_add(s, host, CT_NETWORK_STAGE_CANDIDATE));
    return true;
}

void ct_network_session_end(ct_network_session *s, ct_network_reason reason) {
    drop_streams(s);
    s->state = CT_NETWORK_SESSION_ENDED;
    s->end_reason = reason;
    s->gather_until = s->give_up_at = 0;
    ct_network_session_event(s, CT_NETWORK_EVENT_ENDED)->reason = reason;
}

void ct_network_session_set_timeouts(ct_network_session *s, bool are_on) {
    s->has_timeouts = are_on;
}

// --- Connections ---------------------------------------------------------------------------------

// A peer that asks for something: makes a stream for it, unless there are too many such.
static void add_visitor(ct_network_session *s, ct_peer_id peer) {
    uint32_t num_visitors = 0;
    for (uint32_t i = 0; i < s->streams.count; ++i)
        num_visitors += s->streams.items[i]->stage <= CT_NETWORK_STAGE_HELLO;
    if (num_visitors < CT_NETWORK_MAX_VISITORS)
        ct_network_stream_add(s, peer, CT_NETWORK_STAGE_VISITOR);
}

void ct_network_session_connected(ct_network_session *s, ct_peer_id peer, double now) {
    s->now = now;
    if (ct_network_peer_is_connected(s, peer))
        ct_network_session_disconnected(s, peer, CT_NETWORK_REASON_TIMEOUT, now);
    ct_array_push(&s->connected, peer);
    if (s->state == CT_NETWORK_SESSION_JOINING && peer == s->host) {
        ask(s, ct_network_stream_add(s, peer, CT_NETWORK_STAGE_CANDIDATE));
    } else if (s->state == CT_NETWORK_SESSION_MIGRATING && peer == s->host) {
        ct_network_migration_connected(s, peer);
    } else {
        add_visitor(s, peer);
    }
}

static void say_broken(ct_network_session *s, ct_peer_id peer, ct_network_reason reason,
                       const char *why) {
    ct_network_event *const e = ct_network_session_event(s, CT_NETWORK_EVENT_BROKEN);
    e->peer = peer;
    e->reason = reason;
    e->why = why;
}

// The connection with a peer is gone; `is_said`: there is an event for that already.
static void lose(ct_network_session *s, ct_peer_id peer, ct_network_reason reason, bool is_said) {
    ct_network_stream *const stream = ct_network_stream_find(s, peer);
    const bool is_joining = s->state == CT_NETWORK_SESSION_JOINING && peer == s->host;
    const ct_network_stage stage = stream ? stream->stage : CT_NETWORK_STAGE_VISITOR;
    const uint32_t slot = stream ? stream->slot : 0;
    if (stream)
        ct_network_stream_remove(s, stream);
    if (is_joining) {
        ct_network_session_end(s, reason);
    } else if (s->state == CT_NETWORK_SESSION_MIGRATING && peer == s->host &&
               (!stream || stage >= CT_NETWORK_STAGE_HOST)) {
        ct_network_migration_try_next(s);
    } else if (stage >= CT_NETWORK_STAGE_SYNCING) {
        if (reason != CT_NETWORK_REASON_LEFT && !is_said)
            say_broken(s, peer, reason, NULL);
        if (stage == CT_NETWORK_STAGE_HOST)
            ct_network_migration_lose_host(s, reason);
        else if (stage != CT_NETWORK_STAGE_CANDIDATE)
            ct_network_peer_remove(s, slot, reason);
    }
}

static void forget_connection(ct_network_session *s, ct_peer_id peer) {
    for (uint32_t i = 0; i < s->connected.count; ++i)
        if (s->connected.items[i] == peer) {
            ct_array_swap_erase(&s->connected, i);
            break;
        }
}

void ct_network_session_disconnected(ct_network_session *s, ct_peer_id peer,
                                     ct_network_reason reason, double now) {
    s->now = now;
    forget_connection(s, peer);
    lose(s, peer, reason, false);
}

void ct_network_session_break(ct_network_session *s, ct_peer_id peer, const char *why) {
    ct_log_warning("network", "network_broken_peer", "disconnects peer %016llx: %s",
                   (unsigned long long)peer, why);
    say_broken(s, peer, CT_NETWORK_REASON_BROKEN, why);
    s->desc.link.disconnect(s->desc.link.data, peer, CT_NETWORK_REASON_BROKEN);
    forget_connection(s, peer);
    lose(s, peer, CT_NETWORK_REASON_BROKEN, true);
}

static const char *read_fields(ct_network_session *s, ct_network_stream *stream,
                               const uint8_t *packet, uint32_t size) {
    const uint64_t num_dropped = s->counts.dropped_packets;
    ct_bit_reader r = ct_bits_read_from(packet + 1, size - 1);
    const char *const wrong = ct_network_fields_read(s, stream, &r);
    const bool is_dropped = wrong || s->counts.dropped_packets != num_dropped;
    ct_network_observe_packet(
        s, stream, is_dropped ? CT_NETWORK_OBSERVED_DROPPED : CT_NETWORK_OBSERVED_RECEIVED, packet,
        size);
    return wrong;
}

void ct_network_session_receive(ct_network_session *s, ct_peer_id peer, ct_network_channel channel,
                                const void *bytes, uint32_t size, double now) {
    s->now = now;
    if (channel == CT_NETWORK_SESSION) {
        // Many that connected at a time have asked meanwhile, and there is room again.
        if (s->state == CT_NETWORK_SESSION_IN && !ct_network_stream_find(s, peer) &&
            ct_network_peer_is_connected(s, peer))
            add_visitor(s, peer);
        ct_network_stream_receive(s, peer, bytes, size);
        return;
    }
    ct_network_stream *const stream = ct_network_stream_find(s, peer);
    if (channel != CT_NETWORK_STATE || !stream || !ct_network_stream_has_objects(stream)) {
        ++s->counts.dropped_packets;
        return;
    }
    const uint8_t *const packet = bytes;
    const char *wrong = NULL;
    if (size == 0 || packet[0] == 0 || packet[0] > CT_NETWORK_PACKET_MESSAGES)
        wrong = "a packet of fields or messages has an unknown kind";
    else if (size > CT_NETWORK_MAX_UNRELIABLE)
        wrong = "an unreliable packet is too large";
    else if (packet[0] == CT_NETWORK_PACKET_FIELDS)
        wrong = read_fields(s, stream, packet, size);
    else
        wrong = ct_network_messages_read(s, stream, packet + 1, size - 1);
    if (wrong)
        ct_network_session_break(s, peer, wrong);
}

// --- Each frame ----------------------------------------------------------------------------------

ct_network_event *ct_network_session_event(ct_network_session *s, ct_network_event_type type) {
    ct_array_push(&s->events, (ct_network_event){.type = type});
    return &s->events.items[s->events.count - 1];
}

static void end_waits(ct_network_session *s) {
    if (s->state == CT_NETWORK_SESSION_JOINING && s->patience >= s->give_up_at) {
        ct_network_stream *const stream = ct_network_stream_find(s, s->host);
        if (stream)
            ct_network_stream_disconnect(s, stream, CT_NETWORK_REASON_TIMEOUT);
        ct_network_session_end(s, CT_NETWORK_REASON_UNREACHED);
    }
    for (uint32_t i = s->streams.count; i-- > 0;) {
        if (i >= s->streams.count)
            continue;
        ct_network_stream *const stream = s->streams.items[i];
        if (stream->give_up_at == 0 || s->patience < stream->give_up_at)
            continue;
        const ct_peer_id peer = stream->peer;
        ct_network_stream_flush(s, stream);
        s->desc.link.disconnect(s->desc.link.data, peer, CT_NETWORK_REASON_TIMEOUT);
        ct_network_session_disconnected(s, peer, CT_NETWORK_REASON_TIMEOUT, s->now);
    }
}

// What happened becomes readable, and what was read is forgotten.
static void swap_events(ct_network_session *s) {
    const ct_network_session_events_array events = s->events;
    s->events = s->read_events;
    s->read_events = events;
    const ct_u32_array words = s->event_words;
    s->event_words = s->read_event_words;
    s->read_event_words = words;
    s->events.count = s->event_words.count = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->read_events.count; ++i) {
        ct_network_event *const e = &s->read_events.items[i];
        if (e->num_words > 0)
            e->words = s->read_event_words.items + at;
        at += e->num_words;
    }
}

void ct_network_session_update(ct_network_session *s, double now) {
    const double passed = now - s->updated_at;
    s->now = s->updated_at = now;
    // A program that was stopped for long has not waited all that time.
    if (s->has_timeouts)
        s->patience += passed < 1 ? passed : 1;
    end_waits(s);
    ct_network_migration_update(s);
    swap_events(s);
}

const ct_network_event *ct_network_session_events(const ct_network_session *s, uint32_t *count) {
    *count = s->read_events.count;
    return s->read_events.items;
}

void ct_network_session_transmit(ct_network_session *s, double now) {
    s->now = now;
    for (uint32_t i = 0; i < s->streams.count; ++i) {
        ct_network_stream *const stream = s->streams.items[i];
        ct_network_stream_flush(s, stream);
        if (!ct_network_stream_has_objects(stream))
            continue;
        ct_network_messages_flush(s, stream, 1);
        if (s->state == CT_NETWORK_SESSION_IN && ct_network_fields_send(s, stream))
            ct_network_messages_flush(s, stream, 0);
    }
}

// --- What it is ----------------------------------------------------------------------------------

ct_network_session_state ct_network_session_state_of(const ct_network_session *s) {
    return s->state;
}

ct_network_reason ct_network_session_end_reason(const ct_network_session *s) {
    return s->end_reason;
}

ct_peer_id ct_network_session_host_peer(const ct_network_session *s) {
    return s->host;
}

ct_peer_id ct_network_session_self(const ct_network_session *s) {
    return s->desc.link.self;
}

uint32_t ct_network_session_slot(const ct_network_session *s) {
    return s->slot;
}

bool ct_network_session_is_host(const ct_network_session *s) {
    return s->state == CT_NETWORK_SESSION_IN && s->host_slot == s->slot;
}

uint64_t ct_network_session_ticks(ct_network_session *s, double now) {
    const double seconds =
        ct_network_session_is_host(s) ? now + s->host_clock : ct_network_clock_time(&s->clock, now);
    return seconds > 0 ? (uint64_t)(seconds * (1000 * CT_NETWORK_TICKS)) : 0;
}

uint32_t ct_network_session_time(ct_network_session *s, double now) {
    return (uint32_t)(ct_network_session_ticks(s, now) / CT_NETWORK_TICKS);
}

const ct_network_config_resource *ct_network_session_config(const ct_network_session *s) {
    return s->desc.config;
}

ct_network_session_counts ct_network_session_counts_of(const ct_network_session *s) {
    return s->counts;
}
