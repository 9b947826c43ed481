#include "cli/network/network_event_lines.h"

#include <stdio.h>
#include <string.h>

#include "dev/inspect/network_value_json.h"

enum { COUNT_BITS = 20, ID_BYTES = 24 };

// By kind of what the session saw: names in JSON, and words of the text.
static const char *const SEEN[CT_NETWORK_SEEN_KINDS] = {
    [CT_NETWORK_SEEN_NONE] = "",           [CT_NETWORK_SEEN_FIELDS] = "fields",
    [CT_NETWORK_SEEN_PACKET] = "packet",   [CT_NETWORK_SEEN_LOST] = "lost",
    [CT_NETWORK_SEEN_OBJECT] = "create",   [CT_NETWORK_SEEN_GIVE] = "give",
    [CT_NETWORK_SEEN_DESTROY] = "destroy", [CT_NETWORK_SEEN_MESSAGE] = "message",
    [CT_NETWORK_SEEN_CONTROL] = "control",
};
static const char *const MOMENTS[CT_NETWORK_MOMENT_KINDS] = {
    [CT_NETWORK_MOMENT_CONNECT] = "connect",
    [CT_NETWORK_MOMENT_CONNECTED] = "connected",
    [CT_NETWORK_MOMENT_DISCONNECT] = "disconnect",
    [CT_NETWORK_MOMENT_DISCONNECTED] = "disconnected",
    [CT_NETWORK_MOMENT_STATS] = "stats",
};
// Notes begin with a word that says what they are: a tag of the game, or what its browser of lobbies
// has found.
static const struct {
    const char *start, *name;
} NOTES[] = {{"tag ", "tag"}, {"refreshing ", "browser"}, {"", "note"}};

static const char *const CHANNELS[CT_NETWORK_CHANNELS] = {"greeting", "lobby", "session", "state"};

const char *ct_network_direction_name(ct_network_direction direction) {
    return direction == CT_NETWORK_IN ? "in" : direction == CT_NETWORK_OUT ? "out" : "";
}

bool ct_network_event_lines_has(const ct_network_moment *m) {
    return m->kind != CT_NETWORK_MOMENT_FRAME && m->kind != CT_NETWORK_MOMENT_DATAGRAM &&
           (m->kind != CT_NETWORK_MOMENT_PACKET || *m->text || m->is_refused);
}

static const ct_network_record_type *record_of(const ct_network_timeline *t,
                                               const ct_network_seen *seen) {
    const bool is_message = seen->kind == CT_NETWORK_SEEN_MESSAGE;
    return is_message ? &ct_network_config_messages(t->config)[seen->record]
                      : &ct_network_config_objects(t->config)[seen->record];
}

static const char *name_of(const ct_network_timeline *t, ct_blob_string name) {
    return ct_blob_at(t->config, name.offset);
}

static const char *field_name(const ct_network_timeline *t, const ct_network_record_type *record,
                              uint32_t field) {
    return name_of(t, ct_network_record_fields(t->config, record)[field].name);
}

// Returns the name of a note as an event, and its text behind the word.
static const char *note_of(const ct_network_moment *m, const char **text) {
    uint32_t i = 0;
    while (strncmp(m->text, NOTES[i].start, strlen(NOTES[i].start)) != 0)
        ++i;
    *text = m->text + strlen(NOTES[i].start);
    return NOTES[i].name;
}

// --- Text ----------------------------------------------------------------------------------------

void ct_network_event_lines_add_heading(ct_string_builder *out) {
    ct_string_builder_addf(out, "%10s %7s %-3s %-16s  %s", "seconds", "frame", "", "peer", "event");
}

// Appends a text of the game without characters that a terminal takes for orders.
static void add_plain(ct_string_builder *out, const char *text) {
    for (; *text; ++text)
        ct_string_builder_add_char(out, (uint8_t)*text < 32 || *text == 127 ? ' ' : *text);
}

static void add_values(ct_string_builder *out, const ct_network_timeline *t,
                       const ct_network_seen *seen, uint64_t fields, const char *between) {
    const ct_network_record_type *const record = record_of(t, seen);
    for (uint64_t left = fields; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        ct_sjson_writer w;
        ct_string_builder_addf(out, "%s%s = ", left == fields ? "" : between,
                               field_name(t, record, i));
        ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
        ct_network_value_json(&w, t->config, record, i, seen->words);
    }
}

static void add_object(ct_string_builder *out, const ct_network_timeline *t,
                       const ct_network_seen *seen) {
    ct_string_builder_addf(out, "%s %s %u.%u", SEEN[seen->kind],
                           name_of(t, record_of(t, seen)->name), seen->object >> COUNT_BITS,
                           seen->object & ((1 << COUNT_BITS) - 1));
}

static void add_message(ct_string_builder *out, const ct_network_timeline *t,
                        const ct_network_seen *seen, uint64_t fields) {
    ct_string_builder_addf(out, "message %s(", name_of(t, record_of(t, seen)->name));
    add_values(out, t, seen, fields, ", ");
    ct_string_builder_add(out, ")");
    if (seen->from && seen->from != seen->peer && !seen->is_sent)
        ct_string_builder_addf(out, " from %016llx", (unsigned long long)seen->from);
    if (seen->to && seen->to != seen->peer)
        ct_string_builder_addf(out, " to %016llx", (unsigned long long)seen->to);
    ct_string_builder_addf(out, ", %s", seen->is_reliable ? "reliable" : "unreliable");
}

static void add_packet(ct_string_builder *out, const ct_network_seen *seen) {
    ct_string_builder_addf(out, "packet %u of fields, %u object%s, time %u ms", seen->number,
                           seen->num_entries, seen->num_entries == 1 ? "" : "s", seen->time);
    if (seen->acknowledged)
        ct_string_builder_addf(out, ", acknowledges %u", seen->acknowledged);
    if (seen->round_trip > 0)
        ct_string_builder_addf(out, ", round trip %.1f ms", (double)seen->round_trip * 1000);
    if (seen->is_dropped)
        ct_string_builder_add(out, ", dropped");
}

static void add_seen(ct_string_builder *out, const ct_network_timeline *t,
                     const ct_network_seen *seen, uint64_t fields) {
    switch (seen->kind) {
    case CT_NETWORK_SEEN_PACKET:
        add_packet(out, seen);
        break;
    case CT_NETWORK_SEEN_LOST:
        ct_string_builder_addf(out, "lost packet %u of fields, %u object%s", seen->number,
                               seen->num_entries, seen->num_entries == 1 ? "" : "s");
        return;
    case CT_NETWORK_SEEN_CONTROL:
        ct_string_builder_addf(out, "session %s", seen->control);
        break;
    case CT_NETWORK_SEEN_MESSAGE:
        add_message(out, t, seen, fields);
        break;
    default:
        add_object(out, t, seen);
        if (seen->to)
            ct_string_builder_addf(out, " of %016llx", (unsigned long long)seen->to);
        ct_string_builder_add(out, fields ? ": " : "");
        add_values(out, t, seen, fields, ", ");
    }
    ct_string_builder_addf(out, ", %u bits", seen->bits);
}

void ct_network_event_lines_add_text(ct_string_builder *out, const ct_network_timeline *t,
                                     const ct_network_moment *m, uint64_t fields) {
    char peer[ID_BYTES] = "", address[CT_DATAGRAM_ADDRESS_BYTES];
    const char *text;
    if (m->peer)
        snprintf(peer, sizeof(peer), "%016llx", (unsigned long long)m->peer);
    ct_string_builder_addf(out, "%10.3f %7u %-3s %-16s  ", m->seconds, m->frame,
                           ct_network_direction_name(m->direction), peer);
    switch (m->kind) {
    case CT_NETWORK_MOMENT_SEEN:
        add_seen(out, t, &m->seen, fields);
        break;
    case CT_NETWORK_MOMENT_PACKET:
        ct_string_builder_addf(out, "%s ",
                               *m->text && m->channel == CT_NETWORK_SESSION ? "session"
                                                                            : CHANNELS[m->channel]);
        add_plain(out, m->text);
        ct_string_builder_addf(out, "%s%s%u byte%s", *m->text ? ", " : "",
                               m->is_refused ? "not sent, " : "", m->size, m->size == 1 ? "" : "s");
        break;
    case CT_NETWORK_MOMENT_STATS:
        ct_string_builder_addf(out,
                               "round trip %.1f ms, loss in %.1f %%, out %.1f %%, %u bytes wait",
                               (double)m->stats.round_trip * 1000, (double)m->stats.loss_in * 100,
                               (double)m->stats.loss_out * 100, m->stats.waiting_bytes);
        break;
    case CT_NETWORK_MOMENT_NOTE:
        ct_string_builder_addf(out, "%s ", note_of(m, &text));
        add_plain(out, text);
        break;
    default:
        ct_string_builder_add(out, MOMENTS[m->kind]);
        if (m->address.port || m->address.ip)
            ct_string_builder_addf(out, " at %s", ct_datagram_address_print(&m->address, address));
        if (m->reason)
            ct_string_builder_addf(out, ": %s", ct_network_reason_name(m->reason));
    }
}

// --- JSON ----------------------------------------------------------------------------------------

static void member_peer(ct_sjson_writer *w, const char *key, ct_peer_id peer) {
    char text[ID_BYTES];
    if (!peer)
        return;
    snprintf(text, sizeof(text), "%016llx", (unsigned long long)peer);
    ct_sjson_member_string(w, key, text);
}

static void write_values(ct_sjson_writer *w, const ct_network_timeline *t,
                         const ct_network_seen *seen, uint64_t fields) {
    const ct_network_record_type *const record = record_of(t, seen);
    ct_sjson_write_key(w, "values");
    ct_sjson_begin_object(w);
    for (uint64_t left = fields; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        ct_sjson_write_key(w, field_name(t, record, i));
        ct_network_value_json(w, t->config, record, i, seen->words);
    }
    ct_sjson_end_object(w);
    ct_sjson_write_key(w, "field_bits");
    ct_sjson_begin_object(w);
    for (uint64_t left = fields; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        ct_sjson_member_number(w, field_name(t, record, i), seen->field_bits[i]);
    }
    ct_sjson_end_object(w);
}

static void write_packet(ct_sjson_writer *w, const ct_network_seen *seen) {
    ct_sjson_member_number(w, "number", seen->number);
    ct_sjson_member_number(w, "objects", seen->num_entries);
    if (seen->kind == CT_NETWORK_SEEN_LOST)
        return;
    ct_sjson_member_number(w, "acknowledged", seen->acknowledged);
    ct_sjson_member_number(w, "session_ms", seen->time);
    if (seen->round_trip > 0)
        ct_network_float_json(w, "round_trip", seen->round_trip);
    if (!seen->is_sent)
        ct_sjson_member_bool(w, "dropped", seen->is_dropped);
}

static void write_seen(ct_sjson_writer *w, const ct_network_timeline *t,
                       const ct_network_seen *seen, uint64_t fields) {
    ct_sjson_member_string(w, "event", SEEN[seen->kind]);
    if (seen->kind != CT_NETWORK_SEEN_LOST)
        ct_sjson_member_number(w, "bits", seen->bits);
    switch (seen->kind) {
    case CT_NETWORK_SEEN_PACKET:
    case CT_NETWORK_SEEN_LOST:
        write_packet(w, seen);
        return;
    case CT_NETWORK_SEEN_CONTROL:
        ct_sjson_member_string(w, "control", seen->control);
        return;
    case CT_NETWORK_SEEN_MESSAGE:
        ct_sjson_member_string(w, "message", name_of(t, record_of(t, seen)->name));
        ct_sjson_member_bool(w, "reliable", seen->is_reliable);
        member_peer(w, "from", seen->from);
        member_peer(w, "to", seen->to);
        break;
    default:
        ct_sjson_member_number(w, "object", seen->object);
        ct_sjson_member_string(w, "type", name_of(t, record_of(t, seen)->name));
        member_peer(w, "owner", seen->to);
    }
    if (seen->kind != CT_NETWORK_SEEN_DESTROY)
        write_values(w, t, seen, fields);
}

static void write_stats(ct_sjson_writer *w, const ct_network_log_stats *stats) {
    ct_network_float_json(w, "round_trip", stats->round_trip);
    ct_network_float_json(w, "loss_in", stats->loss_in);
    ct_network_float_json(w, "loss_out", stats->loss_out);
    ct_sjson_member_number(w, "waiting_bytes", stats->waiting_bytes);
    ct_sjson_member_number(w, "held_back", stats->held_back);
}

void ct_network_event_lines_add_json(ct_string_builder *out, const ct_network_timeline *t,
                                     const ct_network_moment *m, uint64_t fields) {
    ct_sjson_writer w;
    char address[CT_DATAGRAM_ADDRESS_BYTES];
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "seconds", m->seconds);
    ct_sjson_member_number(&w, "frame", m->frame);
    if (m->direction != CT_NETWORK_INSIDE)
        ct_sjson_member_string(&w, "direction", ct_network_direction_name(m->direction));
    member_peer(&w, "peer", m->peer);
    if (m->kind == CT_NETWORK_MOMENT_SEEN) {
        write_seen(&w, t, &m->seen, fields);
    } else if (m->kind == CT_NETWORK_MOMENT_PACKET) {
        ct_sjson_member_string(&w, "event", m->is_refused ? "not_sent" : CHANNELS[m->channel]);
        ct_sjson_member_string(&w, "channel", CHANNELS[m->channel]);
        ct_sjson_member_number(&w, "bits", (double)m->size * 8);
        ct_sjson_member_string(&w, "text", m->text);
    } else {
        const char *text = NULL;
        const bool is_note = m->kind == CT_NETWORK_MOMENT_NOTE;
        ct_sjson_member_string(&w, "event", is_note ? note_of(m, &text) : MOMENTS[m->kind]);
        if (m->kind == CT_NETWORK_MOMENT_STATS)
            write_stats(&w, &m->stats);
        if (is_note)
            ct_sjson_member_string(&w, "text", text);
        if (m->address.port || m->address.ip)
            ct_sjson_member_string(&w, "address", ct_datagram_address_print(&m->address, address));
        if (m->reason)
            ct_sjson_member_string(&w, "reason", ct_network_reason_name(m->reason));
    }
    ct_sjson_end_object(&w);
}
