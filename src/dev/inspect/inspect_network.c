// The messages of the area `network`: peers, objects and what goes over the network.
#include <inttypes.h>
#include <stdio.h>

#include "dev/console_server.h"
#include "dev/inspect/inspect_find.h"
#include "dev/inspect/network_history.h"
#include "dev/inspect/network_value_json.h"
#include "dev/protocol/protocol_areas.h"
#include "foundation/os/os.h"

enum {
    MAX_PEERS = 256,
    DEFAULT_OBJECTS = 200,
    MAX_OBJECTS = 2000,
    MAX_FOUND_OBJECTS = 1 << 20,
    DEFAULT_EVENTS = 1000,
    MAX_EVENTS = CT_NETWORK_HISTORY_ENTRIES,
    PEER_TEXT = 17,
};

static void write_peer_id(ct_sjson_writer *w, const char *key, ct_peer_id peer) {
    char text[PEER_TEXT];
    snprintf(text, sizeof(text), "%016" PRIx64, peer);
    ct_sjson_member_string(w, key, text);
}

// Returns the network, or NULL with r->error.
static ct_network *network_of(ct_console_request *r) {
    ct_network *const n = ct_script_network(ct_app_script(r->target->app));
    if (!n)
        ct_error_set(&r->error, "the game has no network; Network.init_lan_client makes it");
    return n;
}

// --- network_state: peers ------------------------------------------------------------------------

static void write_peer(ct_sjson_writer *w, ct_network *n, ct_peer_id peer) {
    ct_network_peer_stats s;
    char address[CT_DATAGRAM_ADDRESS_BYTES];
    if (!ct_network_transport_peer_stats(ct_network_transport_of(n), peer, &s))
        return;
    ct_sjson_begin_object(w);
    write_peer_id(w, "peer", peer);
    ct_sjson_member_string(w, "address", ct_datagram_address_print(&s.address, address));
    ct_sjson_member_number(w, "round_trip", (double)s.round_trip);
    ct_sjson_member_number(w, "loss_in", (double)s.loss_in);
    ct_sjson_member_number(w, "loss_out", (double)s.loss_out);
    ct_sjson_member_number(w, "silence", (double)s.silence);
    ct_sjson_member_number(w, "bytes_in", (double)s.datagram_bytes_in);
    ct_sjson_member_number(w, "bytes_out", (double)s.datagram_bytes_out);
    ct_sjson_member_number(w, "datagrams_in", (double)s.datagrams_in);
    ct_sjson_member_number(w, "datagrams_out", (double)s.datagrams_out);
    ct_sjson_member_number(w, "waiting_bytes", s.waiting_bytes);
    ct_sjson_member_number(w, "held_back", (double)s.held_back);
    ct_sjson_member_bool(w, "plain", s.is_plain);
    ct_sjson_end_object(w);
}

static void write_peers(ct_sjson_writer *w, ct_network *n) {
    ct_peer_id peers[MAX_PEERS];
    const uint32_t count = ct_network_connections(n, peers, MAX_PEERS);
    ct_sjson_write_key(w, "peers");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count && i < MAX_PEERS; ++i)
        write_peer(w, n, peers[i]);
    ct_sjson_end_array(w);
}

// --- network_state: the session ------------------------------------------------------------------

static void write_session(ct_sjson_writer *w, const ct_network_session *s) {
    static const char *const states[] = {[CT_NETWORK_SESSION_IDLE] = "idle",
                                         [CT_NETWORK_SESSION_JOINING] = "joining",
                                         [CT_NETWORK_SESSION_IN] = "in",
                                         [CT_NETWORK_SESSION_MIGRATING] = "migrating",
                                         [CT_NETWORK_SESSION_ENDED] = "ended"};
    const ct_network_session_counts c = ct_network_session_counts_of(s);
    ct_peer_id peers[MAX_PEERS];
    const uint32_t count = ct_network_session_peers(s, CT_NETWORK_PEERS_ALL, peers, MAX_PEERS);
    ct_sjson_write_key(w, "session");
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "state", states[ct_network_session_state_of(s)]);
    ct_sjson_member_bool(w, "is_host", ct_network_session_is_host(s));
    write_peer_id(w, "host", ct_network_session_host_peer(s));
    ct_sjson_write_key(w, "peers");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count && i < MAX_PEERS; ++i) {
        char text[PEER_TEXT];
        snprintf(text, sizeof(text), "%016" PRIx64, peers[i]);
        ct_sjson_write_string(w, text);
    }
    ct_sjson_end_array(w);
    ct_sjson_member_number(w, "objects", ct_network_session_objects(s, 0, NULL, 0));
    ct_sjson_member_number(w, "reliable_bytes", (double)c.reliable_bytes);
    ct_sjson_member_number(w, "state_bytes", (double)c.state_bytes);
    ct_sjson_member_number(w, "state_packets", (double)c.state_packets);
    ct_sjson_member_number(w, "entries", (double)c.entries);
    ct_sjson_member_number(w, "lost_entries", (double)c.lost_entries);
    ct_sjson_member_number(w, "dropped_packets", (double)c.dropped_packets);
    ct_sjson_end_object(w);
}

static void write_object(ct_sjson_writer *w, const ct_network_session *s, uint32_t id) {
    const ct_network_config_resource *const config = ct_network_session_config(s);
    const uint32_t type = ct_network_session_object_type(s, id);
    const uint32_t *const words = ct_network_session_words(s, id);
    if (type >= config->objects.count || !words)
        return;
    const ct_network_record_type *const record = &ct_network_config_objects(config)[type];
    const ct_network_field *const fields = ct_network_record_fields(config, record);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "object", id);
    ct_sjson_member_string(w, "name", ct_blob_at(config, record->name.offset));
    write_peer_id(w, "owner", ct_network_session_object_owner(s, id));
    ct_sjson_write_key(w, "fields");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "name", ct_blob_at(config, fields[i].name.offset));
        ct_sjson_write_key(w, "value");
        ct_network_value_json(w, config, record, i, words);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

// Objects by their numbers, ascending, after one: those that live all the while are in exactly one page.
static void write_objects(ct_console_request *r, const ct_network_session *s, uint32_t after,
                          uint32_t count) {
    ct_allocator *const a = r->target->allocator;
    const uint32_t total = s ? ct_network_session_objects(s, 0, NULL, 0) : 0;
    const uint32_t most = total < MAX_FOUND_OBJECTS ? total : MAX_FOUND_OBJECTS;
    ct_network_object_id *const ids = CT_NEW_ARRAY(a, ct_network_object_id, most + 1ull);
    uint32_t first = 0;
    if (most > 0)
        ct_network_session_objects(s, 0, ids, most);
    while (first < most && ids[first] <= after)
        ++first;
    const uint32_t left = most - first, num_written = left < count ? left : count;
    ct_sjson_member_number(&r->w, "total", total);
    if (num_written < left && num_written > 0)
        ct_sjson_member_number(&r->w, "next", ids[first + num_written - 1]);
    ct_sjson_write_key(&r->w, "objects");
    ct_sjson_begin_array(&r->w);
    for (uint32_t i = first; i < first + num_written; ++i)
        write_object(&r->w, s, ids[i]);
    ct_sjson_end_array(&r->w);
    ct_free_sized(a, ids, sizeof(*ids) * (most + 1ull));
}

static bool run_network_state(ct_console_request *r) {
    ct_network *const n = network_of(r);
    const uint32_t after = ct_console_whole(r, "after", UINT32_MAX, 0);
    const uint32_t count = ct_console_whole(r, "count", MAX_OBJECTS, DEFAULT_OBJECTS);
    char address[CT_DATAGRAM_ADDRESS_BYTES];
    if (r->error.message[0])
        return false;
    const ct_network_session *const s = ct_network_session_of(n);
    const ct_network_transport_stats t = ct_network_transport_stats_of(ct_network_transport_of(n));
    const ct_datagram_address own = ct_network_address(n);
    write_peer_id(&r->w, "self", ct_network_self(n));
    ct_sjson_member_string(&r->w, "address", ct_datagram_address_print(&own, address));
    ct_sjson_member_bool(&r->w, "timeouts", ct_network_has_timeouts(n));
    ct_sjson_member_number(
        &r->w, "dropped",
        (double)(t.malformed + t.unknown + t.replayed + t.not_opened + t.guarded));
    write_peers(&r->w, n);
    if (s)
        write_session(&r->w, s);
    write_objects(r, s, after, count);
    return true;
}

// --- network_events ------------------------------------------------------------------------------

static const char *kind_name(uint8_t kind) {
    static const char *const names[CT_NETWORK_SEEN_KINDS] = {
        [CT_NETWORK_SEEN_NONE] = "none",       [CT_NETWORK_SEEN_FIELDS] = "fields",
        [CT_NETWORK_SEEN_PACKET] = "packet",   [CT_NETWORK_SEEN_LOST] = "lost",
        [CT_NETWORK_SEEN_OBJECT] = "object",   [CT_NETWORK_SEEN_GIVE] = "give",
        [CT_NETWORK_SEEN_DESTROY] = "destroy", [CT_NETWORK_SEEN_MESSAGE] = "message",
        [CT_NETWORK_SEEN_CONTROL] = "control"};
    return kind < CT_NETWORK_SEEN_KINDS ? names[kind] : "none";
}

// Returns the record of an entry that has one, or NULL.
static const ct_network_record_type *record_of(const ct_network_config_resource *config,
                                               const ct_network_history_entry *e) {
    if (e->kind == CT_NETWORK_SEEN_MESSAGE)
        return e->record < config->messages.count ? &ct_network_config_messages(config)[e->record]
                                                  : NULL;
    return e->object && e->record < config->objects.count
               ? &ct_network_config_objects(config)[e->record]
               : NULL;
}

static void write_event(ct_sjson_writer *w, const ct_network_config_resource *config,
                        uint64_t number, const ct_network_history_entry *e) {
    const ct_network_record_type *const record = record_of(config, e);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "number", (double)number);
    ct_sjson_member_number(w, "seconds", e->seconds);
    ct_sjson_member_string(w, "kind", kind_name(e->kind));
    write_peer_id(w, "peer", e->peer);
    ct_sjson_member_bool(w, "sent", e->is_sent);
    ct_sjson_member_number(w, "bits", e->bits);
    if (e->is_dropped)
        ct_sjson_member_bool(w, "dropped", true);
    if (e->object)
        ct_sjson_member_number(w, "object", e->object);
    if (e->control)
        ct_sjson_member_string(w, "name", e->control);
    if (record) {
        const ct_network_field *const fields = ct_network_record_fields(config, record);
        ct_sjson_member_string(w, "name", ct_blob_at(config, record->name.offset));
        ct_sjson_write_key(w, "fields");
        ct_sjson_begin_array(w);
        for (uint32_t i = 0; i < record->num_fields && i < CT_NETWORK_MAX_FIELDS; ++i) {
            if (!(e->fields >> i & 1))
                continue;
            ct_sjson_begin_object(w);
            ct_sjson_member_string(w, "name", ct_blob_at(config, fields[i].name.offset));
            ct_sjson_member_number(w, "bits", e->field_bits[i]);
            ct_sjson_end_object(w);
        }
        ct_sjson_end_array(w);
    }
    ct_sjson_end_object(w);
}

static bool run_network_events(ct_console_request *r) {
    ct_network *const n = network_of(r);
    const uint32_t count = ct_console_whole(r, "count", MAX_EVENTS, DEFAULT_EVENTS);
    const double wanted = ct_console_number(r, "first", -1);
    if (r->error.message[0])
        return false;
    ct_network_history *const h =
        r->target->server ? ct_console_server_network_history(r->target->server) : NULL;
    if (!h)
        return ct_error_set(&r->error, "this game has no console server, so it keeps no events");
    ct_network_history_ask(h, ct_app_script(r->target->app), ct_os_time_ns());
    const uint64_t oldest = ct_network_history_first(h), next = ct_network_history_next(h);
    uint64_t first = wanted < 0 ? (next - oldest > count ? next - count : oldest)
                                : (uint64_t)(wanted < 9e15 ? wanted : 9e15);
    first = first < oldest ? oldest : first;
    ct_sjson_member_number(&r->w, "first", (double)oldest);
    ct_sjson_member_number(&r->w, "next", (double)next);
    ct_sjson_write_key(&r->w, "events");
    ct_sjson_begin_array(&r->w);
    for (uint64_t i = first; i < next && i - first < count; ++i)
        write_event(&r->w, ct_network_config(n), i, ct_network_history_entry_at(h, i));
    ct_sjson_end_array(&r->w);
    return true;
}

// --- The area ------------------------------------------------------------------------------------

static const ct_protocol_message messages[] = {
    {.type = "network_state",
     .summary =
         "lists the connections of the game's network with their figures, its session, and objects "
         "with their fields. For the next page of objects, give `next` as `after`",
     .members =
         CT_PROTOCOL_MEMBERS({"after", "integer?", "the number of an object after which to begin"},
                             {"count", "integer?", "of objects: at most 2,000; 200 without it"}),
     .answer = CT_PROTOCOL_MEMBERS(
         {"self", "string", "this program's peer: 16 hexadecimal digits, as all peers"},
         {"address", "string", "at which it receives"},
         {"timeouts", "boolean", "whether silent peers are dropped"},
         {"dropped", "integer", "datagrams that were of no use"},
         {"peers", "NetworkPeer[]", "that are connected, at most 256"},
         {"session", "NetworkSession?", "while there is one"},
         {"total", "integer", "of objects of all pages"},
         {"next", "integer?", "for `after` of the next page; left out in the last one"},
         {"objects", "NetworkObject[]", "of the session, by number"}),
     .run = run_network_state},
    {.type = "network_events",
     .summary = "lists what the session sent and received, the oldest first. It is recorded from "
                "the first "
                "such message on, and until 10 seconds after the last; the newest 8,192 are kept",
     .members = CT_PROTOCOL_MEMBERS(
         {"first", "integer?", "the number to begin with; without it, the last ones"},
         {"count", "integer?", "at most 8,192; 1,000 without it"}),
     .answer = CT_PROTOCOL_MEMBERS({"first", "integer", "the oldest number that is kept"},
                                   {"next", "integer", "the number that the next one gets"},
                                   {"events", "NetworkEvent[]", "in order, without gaps"}),
     .run = run_network_events},
};

static const ct_protocol_shape shapes[] = {
    {"NetworkPeer", "a connection",
     CT_PROTOCOL_MEMBERS(
         {"peer", "string", "the other end"}, {"address", "string", "of it"},
         {"round_trip", "number", "in seconds; 0: unknown"},
         {"loss_in", "number", "of its datagrams, 0 to 1"},
         {"loss_out", "number", "of ours, 0 to 1"},
         {"silence", "number", "seconds since it was heard"},
         {"bytes_in", "integer", "of datagrams"}, {"bytes_out", "integer", "of datagrams"},
         {"datagrams_in", "integer", "so far"}, {"datagrams_out", "integer", "so far"},
         {"waiting_bytes", "integer", "reliable, sent and not acknowledged"},
         {"held_back", "integer", "packets for which the bandwidth had no room"},
         {"plain", "boolean", "whether it is not sealed"})},
    {"NetworkSession", "the game session",
     CT_PROTOCOL_MEMBERS(
         {"state", "\"idle\"|\"joining\"|\"in\"|\"migrating\"|\"ended\"", "what it does"},
         {"is_host", "boolean", "whether this program hosts it"},
         {"host", "string", "its host's peer"},
         {"peers", "string[]", "in the order of their slots"},
         {"objects", "integer", "how many there are"}, {"reliable_bytes", "integer", "sent"},
         {"state_bytes", "integer", "of fields, sent"},
         {"state_packets", "integer", "of fields, sent"},
         {"entries", "integer", "objects in packets, sent"},
         {"lost_entries", "integer", "sent again, as their packet did not arrive"},
         {"dropped_packets", "integer", "received, and of no use"})},
    {"NetworkObject", "an object of the session",
     CT_PROTOCOL_MEMBERS({"object", "integer", "its number"}, {"name", "string", "of its type"},
                         {"owner", "string", "its owner's peer"},
                         {"fields", "NetworkField[]", "in the order of its type"})},
    {"NetworkField", "a field of an object",
     CT_PROTOCOL_MEMBERS({"name", "string", "of the field"},
                         {"value", "any", "a number, a boolean, a text, or an array"})},
    {"NetworkEvent", "one thing that was sent or received",
     CT_PROTOCOL_MEMBERS(
         {"number", "integer", "counts from 1"}, {"seconds", "number", "by the network's clock"},
         {"kind",
          "\"none\"|\"fields\"|\"packet\"|\"lost\"|\"object\"|\"give\"|\"destroy\"|\"message\"|"
          "\"control\"",
          "fields: of an object, in a packet; packet: without its objects; lost: it did not "
          "arrive; "
          "object: created, or another owner; control: of the session itself"},
         {"peer", "string", "the other end"}, {"sent", "boolean", "false: received"},
         {"bits", "integer", "that it takes in its packet"},
         {"dropped", "boolean?", "true: received, and of no use"},
         {"object", "integer?", "its number"},
         {"name", "string?", "of the object's type, the message, or the control message"},
         {"fields", "NetworkFieldBits[]?", "that were sent"})},
    {"NetworkFieldBits", "a field that was sent",
     CT_PROTOCOL_MEMBERS({"name", "string", "of the field"}, {"bits", "integer", "that it took"})},
};

const ct_protocol_area ct_network_area = {
    .name = "network",
    .summary = "Peers, objects, and what goes over the network.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .shapes = shapes,
    .num_shapes = CT_COUNT_OF(shapes),
};
