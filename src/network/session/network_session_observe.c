// Reports what is sent and received to the session's observer.
#include "network/session/network_session_private.h"
#include "network/session/network_session_watch.h"

static const char *const CONTROLS[CT_NETWORK_SAYS] = {
    [CT_NETWORK_SAY_ASK] = "ask",           [CT_NETWORK_SAY_GOT_ALL] = "got_all",
    [CT_NETWORK_SAY_LEAVE] = "leave",       [CT_NETWORK_SAY_GIVE] = "give",
    [CT_NETWORK_SAY_HELLO] = "hello",       [CT_NETWORK_SAY_KNOWN] = "known",
    [CT_NETWORK_SAY_CLAIMED] = "claimed",   [CT_NETWORK_SAY_OBJECT] = "object",
    [CT_NETWORK_SAY_DESTROY] = "destroy",   [CT_NETWORK_SAY_MESSAGE] = "message",
    [CT_NETWORK_SAY_WELCOME] = "welcome",   [CT_NETWORK_SAY_PEER] = "peer",
    [CT_NETWORK_SAY_PEER_LEFT] = "left",    [CT_NETWORK_SAY_ALL_SENT] = "all_sent",
    [CT_NETWORK_SAY_REFUSED] = "refused",   [CT_NETWORK_SAY_ENDED] = "ended",
    [CT_NETWORK_SAY_MIGRATE] = "migrate",   [CT_NETWORK_SAY_ACCEPT] = "accept",
    [CT_NETWORK_SAY_NOT_HOST] = "not_host",
};

// What a report points to.
typedef struct scratch {
    uint32_t words[CT_NETWORK_MAX_WORDS];
    uint16_t field_bits[CT_NETWORK_MAX_FIELDS];
} scratch;

static void report(const ct_network_session *s, const ct_network_seen *what) {
    s->desc.observer.seen(s->desc.observer.data, what);
}

static void set_words(const ct_network_session *s, const ct_network_record_type *type,
                      const uint32_t *base, const uint32_t *words, scratch *t,
                      ct_network_seen *what) {
    what->fields = ct_network_record_measure(s->desc.config, type, base, words, t->field_bits);
    what->field_bits = t->field_bits;
    what->words = words;
}

// Reads words that are against the defaults. Returns false when they are not of the type.
static bool take_words(const ct_network_session *s, const ct_network_record_type *type,
                       ct_bit_reader *r, scratch *t, ct_network_seen *what) {
    const uint32_t *const defaults = ct_network_record_defaults(s->desc.config, type);
    ct_network_record_read(s->desc.config, type, defaults, t->words, r);
    if (r->is_over || !ct_network_record_check(s->desc.config, type, t->words))
        return false;
    set_words(s, type, defaults, t->words, t, what);
    return true;
}

static bool take_object(const ct_network_session *s, ct_bit_reader *r, scratch *t,
                        ct_network_seen *what) {
    what->kind = CT_NETWORK_SEEN_OBJECT;
    what->object = ct_bits_read(r, 32);
    what->record = ct_bits_read(r, CT_NETWORK_TYPE_BITS);
    what->to = ct_network_peer_id_of_slot(s, ct_bits_read(r, CT_NETWORK_SLOT_BITS));
    ct_bits_read_groups(r, 5);
    return what->record < s->num_types && take_words(s, &s->types[what->record], r, t, what);
}

static bool take_known_object(const ct_network_session *s, ct_network_kind_of_message kind,
                              ct_bit_reader *r, scratch *t, ct_network_seen *what) {
    what->object = ct_bits_read(r, 32);
    ct_bits_read_groups(r, 5);
    const uint32_t place = ct_network_objects_find(s, what->object);
    if (r->is_over || place == UINT32_MAX)
        return false;
    what->record = s->objects.items.items[place].type;
    what->kind = CT_NETWORK_SEEN_DESTROY;
    if (kind == CT_NETWORK_SAY_DESTROY)
        return true;
    what->kind = CT_NETWORK_SEEN_GIVE;
    what->to = ct_network_peer_id_of_slot(s, ct_bits_read(r, CT_NETWORK_SLOT_BITS));
    return take_words(s, &s->types[what->record], r, t, what);
}

static bool take_message(const ct_network_session *s, const ct_network_stream *stream,
                         ct_bit_reader *r, scratch *t, ct_network_seen *what) {
    const uint32_t slot = ct_bits_read(r, CT_NETWORK_SLOT_BITS);
    const ct_peer_id peer = slot ? ct_network_peer_id_of_slot(s, slot) : 0;
    const bool is_to_host = (stream->stage == CT_NETWORK_STAGE_HOST) == what->is_sent;
    what->kind = CT_NETWORK_SEEN_MESSAGE;
    what->record = ct_bits_read(r, CT_NETWORK_TYPE_BITS);
    what->from = !is_to_host ? peer : what->is_sent ? s->desc.link.self : stream->peer;
    what->to = is_to_host ? peer : what->is_sent ? stream->peer : 0;
    return what->record < s->num_messages && take_words(s, &s->messages[what->record], r, t, what);
}

void ct_network_observe_message(const ct_network_session *s, const ct_network_stream *stream,
                                ct_network_observed how, uint32_t kind, const uint8_t *bytes,
                                uint32_t size) {
    if (!s->desc.observer.seen)
        return;
    scratch t;
    ct_bit_reader r = ct_bits_read_from(bytes, size);
    const ct_network_seen start = {
        .peer = stream->peer,
        .is_sent = how & CT_NETWORK_OBSERVED_SENT,
        .is_reliable = how & CT_NETWORK_OBSERVED_RELIABLE,
        .bits = (size + (how & CT_NETWORK_OBSERVED_RELIABLE ? 3 : 2)) * 8,
    };
    ct_network_seen what = start;
    bool is_whole = false;
    if (kind == CT_NETWORK_SAY_OBJECT)
        is_whole = take_object(s, &r, &t, &what);
    else if (kind == CT_NETWORK_SAY_DESTROY || kind == CT_NETWORK_SAY_GIVE)
        is_whole = take_known_object(s, (ct_network_kind_of_message)kind, &r, &t, &what);
    else if (kind == CT_NETWORK_SAY_MESSAGE)
        is_whole = take_message(s, stream, &r, &t, &what);
    if (!is_whole) { // what has no parts that are reported, or is wrong
        what = start;
        what.kind = CT_NETWORK_SEEN_CONTROL;
        what.control = kind < CT_NETWORK_SAYS && CONTROLS[kind] ? CONTROLS[kind] : "unknown";
    }
    report(s, &what);
}

void ct_network_observe_fields(ct_network_session *s, const ct_network_stream *stream,
                               ct_network_observed how, uint32_t place, const uint32_t *base,
                               const uint32_t *words, uint64_t bits) {
    if (!s->desc.observer.seen)
        return;
    scratch t;
    const ct_network_session_object *const o = &s->objects.items.items[place];
    ct_network_seen what = {.kind = CT_NETWORK_SEEN_FIELDS,
                            .peer = stream->peer,
                            .is_sent = how & CT_NETWORK_OBSERVED_SENT,
                            .bits = (uint32_t)bits,
                            .object = o->id,
                            .record = o->type};
    set_words(s, &s->types[o->type], base, words, &t, &what);
    s->observed_bits += bits;
    report(s, &what);
}

// Returns the number whose lowest 16 bits are in a packet, which is near to another.
static uint32_t near(uint32_t other, uint32_t low) {
    return other + (uint32_t)(int32_t)(int16_t)(uint16_t)(low - other);
}

// Returns how long it took until a packet of a stream was acknowledged, 0 when that is unknown.
static float round_trip(const ct_network_session *s, const ct_network_stream *stream,
                        uint32_t number, uint32_t held) {
    const ct_network_sent_packet *const packet = &stream->packets[number % CT_NETWORK_SENT];
    const double seconds = s->now - packet->sent_at - held / 1000.0;
    const bool is_known = stream->next_number - number < CT_NETWORK_SENT && held < 1023;
    return is_known && seconds > 0 ? (float)seconds : 0;
}

void ct_network_observe_packet(ct_network_session *s, const ct_network_stream *stream,
                               ct_network_observed how, const uint8_t *bytes, uint32_t size) {
    const uint64_t entry_bits = s->observed_bits;
    s->observed_bits = 0;
    if (!s->desc.observer.seen || size == 0)
        return;
    ct_bit_reader r = ct_bits_read_from(bytes + 1, size - 1);
    const ct_network_fields_header h = ct_network_fields_read_header(&r);
    const uint32_t count = ct_bits_read_groups(&r, CT_NETWORK_COUNT_GROUP);
    if (r.is_over)
        return;
    const bool is_sent = how & CT_NETWORK_OBSERVED_SENT;
    const uint32_t last_in = stream->received, last_out = stream->next_number - 1;
    const uint32_t own = is_sent ? last_out : last_in, other = is_sent ? last_in : last_out;
    ct_network_seen what = {.kind = CT_NETWORK_SEEN_PACKET,
                            .peer = stream->peer,
                            .is_sent = is_sent,
                            .is_dropped = how & CT_NETWORK_OBSERVED_DROPPED,
                            .bits = size * 8 - (uint32_t)entry_bits,
                            .number = near(own, h.number),
                            .num_entries = count,
                            .time = h.time};
    if (h.has_received)
        what.acknowledged = near(other, h.received);
    if (h.has_received && !is_sent && !what.is_dropped)
        what.round_trip = round_trip(s, stream, what.acknowledged, h.held);
    report(s, &what);
}

void ct_network_observe_loss(const ct_network_session *s, const ct_network_stream *stream,
                             const ct_network_sent_packet *packet) {
    if (s->desc.observer.seen)
        report(s, &(ct_network_seen){.kind = CT_NETWORK_SEEN_LOST,
                                     .peer = stream->peer,
                                     .is_sent = true,
                                     .number = packet->number,
                                     .num_entries = packet->entries.count});
}

void ct_network_session_set_observer(ct_network_session *s, ct_network_observer observer) {
    s->desc.observer = observer;
}
