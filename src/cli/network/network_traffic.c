#include "cli/network/network_traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/blob/content_hash.h"

static const char *const KINDS[CT_NETWORK_ROW_KINDS] = {
    [CT_NETWORK_ROW_FIELD] = "field",     [CT_NETWORK_ROW_OBJECT] = "object",
    [CT_NETWORK_ROW_CREATE] = "create",   [CT_NETWORK_ROW_GIVE] = "give",
    [CT_NETWORK_ROW_DESTROY] = "destroy", [CT_NETWORK_ROW_MESSAGE] = "message",
    [CT_NETWORK_ROW_PACKET] = "packet",   [CT_NETWORK_ROW_CONTROL] = "control",
    [CT_NETWORK_ROW_LOBBY] = "lobby",     [CT_NETWORK_ROW_GREETING] = "greeting",
    [CT_NETWORK_ROW_OTHER] = "other",
};

void ct_network_traffic_init(ct_network_traffic *t, ct_allocator *a,
                             const ct_network_filter *filter, double bucket_seconds) {
    *t = (ct_network_traffic){.allocator = a, .filter = filter, .bucket_seconds = bucket_seconds};
    ct_array_init(&t->rows, a);
    ct_array_init(&t->peers, a);
    ct_array_init(&t->objects, a);
    ct_hash_map_init(&t->rows_by_hash, a);
    ct_hash_map_init(&t->peers_by_id, a);
    ct_hash_map_init(&t->objects_by_id, a);
}

void ct_network_traffic_free(ct_network_traffic *t) {
    for (uint32_t i = 0; i < t->rows.count; ++i)
        ct_array_free(&t->rows.items[i].buckets);
    for (uint32_t i = 0; i < t->peers.count; ++i)
        for (uint32_t k = 0; k < CT_NETWORK_DIRECTIONS; ++k)
            ct_array_free(&t->peers.items[i].ways[k].buckets);
    ct_array_free(&t->rows);
    ct_array_free(&t->peers);
    ct_array_free(&t->objects);
    ct_hash_map_free(&t->rows_by_hash);
    ct_hash_map_free(&t->peers_by_id);
    ct_hash_map_free(&t->objects_by_id);
}

// --- Finding -------------------------------------------------------------------------------------

static ct_network_peer_traffic *peer_of(ct_network_traffic *t, ct_peer_id id) {
    const uint64_t found = ct_hash_map_get(&t->peers_by_id, id, UINT64_MAX);
    if (found != UINT64_MAX)
        return &t->peers.items[found];
    ct_hash_map_set(&t->peers_by_id, id, t->peers.count);
    ct_network_peer_traffic peer = {.peer = id, .connected_at = -1, .ended_at = -1};
    for (uint32_t k = 0; k < CT_NETWORK_DIRECTIONS; ++k)
        ct_array_init(&peer.ways[k].buckets, t->allocator);
    ct_array_push(&t->peers, peer);
    return &t->peers.items[t->peers.count - 1];
}

static ct_network_object_traffic *object_of(ct_network_traffic *t, const ct_network_seen *seen) {
    const uint64_t found = ct_hash_map_get(&t->objects_by_id, seen->object, UINT64_MAX);
    if (found != UINT64_MAX)
        return &t->objects.items[found];
    ct_hash_map_set(&t->objects_by_id, seen->object, t->objects.count);
    ct_array_push(&t->objects,
                  (ct_network_object_traffic){.id = seen->object, .record = seen->record});
    return &t->objects.items[t->objects.count - 1];
}

static bool is_same(const ct_network_row *a, const ct_network_row *b) {
    return a->kind == b->kind && a->direction == b->direction && a->peer == b->peer &&
           a->record == b->record && a->field == b->field && strcmp(a->name, b->name) == 0;
}

// Returns the row that is like another.
static ct_network_row *row_of(ct_network_traffic *t, const ct_network_row *like) {
    const uint64_t numbers[] = {like->kind,  like->direction,
                                like->peer,  like->record,
                                like->field, ct_content_hash(like->name, strlen(like->name))};
    uint64_t hash = ct_content_hash(numbers, sizeof(numbers));
    for (;; ++hash) {
        const uint64_t found = ct_hash_map_get(&t->rows_by_hash, hash, UINT64_MAX);
        if (found == UINT64_MAX)
            break;
        if (is_same(&t->rows.items[found], like))
            return &t->rows.items[found];
    }
    ct_hash_map_set(&t->rows_by_hash, hash, t->rows.count);
    ct_array_push(&t->rows, *like);
    ct_network_row *const row = &t->rows.items[t->rows.count - 1];
    ct_array_init(&row->buckets, t->allocator);
    return row;
}

// --- Counting ------------------------------------------------------------------------------------

static void add_bits(const ct_network_traffic *t, ct_network_bucket_array *buckets, double seconds,
                     uint64_t bits) {
    const double at = seconds / t->bucket_seconds;
    const uint32_t index = at < CT_NETWORK_MAX_BUCKETS ? (uint32_t)at : CT_NETWORK_MAX_BUCKETS - 1;
    if (buckets->count > 0 && buckets->items[buckets->count - 1].index == index)
        buckets->items[buckets->count - 1].bits += bits;
    else
        ct_array_push(buckets, (ct_network_bucket){index, bits});
}

static void add_row(ct_network_traffic *t, const ct_network_moment *m, ct_network_row_kind kind,
                    uint32_t record, uint32_t field, const char *name, uint64_t bits) {
    ct_network_row like = {
        .kind = kind, .direction = m->direction, .peer = m->peer, .record = record, .field = field};
    snprintf(like.name, sizeof(like.name), "%s", name);
    ct_network_row *const row = row_of(t, &like);
    ++row->count;
    row->bits += bits;
    add_bits(t, &row->buckets, m->seconds, bits);
}

static void add_fields(ct_network_traffic *t, const ct_network_moment *m, uint64_t fields) {
    const ct_network_seen *const seen = &m->seen;
    uint32_t rest = seen->bits;
    for (uint64_t left = seen->fields; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left), bits = seen->field_bits[i];
        rest = bits < rest ? rest - bits : 0;
        if (fields >> i & 1)
            add_row(t, m, CT_NETWORK_ROW_FIELD, seen->record, i, "", bits);
    }
    if (!t->filter->field)
        add_row(t, m, CT_NETWORK_ROW_OBJECT, seen->record, UINT32_MAX, "", rest);
}

// The bits of what is about an object: all of them, or those of the fields that are wanted.
static uint64_t object_bits(const ct_network_traffic *t, const ct_network_seen *seen,
                            uint64_t fields) {
    uint64_t bits = t->filter->field ? 0 : seen->bits;
    for (uint64_t left = t->filter->field ? fields : 0; left != 0; left &= left - 1)
        bits += seen->field_bits[__builtin_ctzll(left)];
    return bits;
}

static void add_object(ct_network_traffic *t, const ct_network_moment *m, uint64_t fields) {
    ct_network_object_traffic *const object = object_of(t, &m->seen);
    ++object->counts[m->direction];
    object->bits[m->direction] += object_bits(t, &m->seen, fields);
}

static void add_object_row(ct_network_traffic *t, const ct_network_moment *m,
                           ct_network_row_kind kind, uint64_t fields) {
    add_row(t, m, kind, m->seen.record, UINT32_MAX, "", object_bits(t, &m->seen, fields));
    add_object(t, m, fields);
}

static void add_packet_of_fields(ct_network_traffic *t, const ct_network_moment *m) {
    ct_network_peer_traffic *const peer = peer_of(t, m->peer);
    peer->fields_sent += m->seen.is_sent;
    if (m->seen.round_trip > 0) {
        const double seconds = (double)m->seen.round_trip;
        ++peer->num_round_trips;
        peer->round_trip_sum += seconds;
        if (seconds > peer->round_trip_most)
            peer->round_trip_most = seconds;
    }
    add_row(t, m, CT_NETWORK_ROW_PACKET, UINT32_MAX, UINT32_MAX, "", m->seen.bits);
}

static void add_seen(ct_network_traffic *t, const ct_network_moment *m, uint64_t fields) {
    const ct_network_seen *const seen = &m->seen;
    peer_of(t, m->peer)->ways[m->direction].seen_bits += seen->bits;
    switch (seen->kind) {
    case CT_NETWORK_SEEN_FIELDS:
        add_fields(t, m, fields);
        add_object(t, m, fields);
        break;
    case CT_NETWORK_SEEN_OBJECT:
        add_object_row(t, m, CT_NETWORK_ROW_CREATE, fields);
        break;
    case CT_NETWORK_SEEN_GIVE:
        add_object_row(t, m, CT_NETWORK_ROW_GIVE, fields);
        break;
    case CT_NETWORK_SEEN_DESTROY:
        add_object_row(t, m, CT_NETWORK_ROW_DESTROY, fields);
        break;
    case CT_NETWORK_SEEN_MESSAGE:
        add_row(t, m, CT_NETWORK_ROW_MESSAGE, seen->record, UINT32_MAX, "", seen->bits);
        break;
    case CT_NETWORK_SEEN_PACKET:
        add_packet_of_fields(t, m);
        break;
    case CT_NETWORK_SEEN_LOST:
        ++peer_of(t, m->peer)->fields_lost;
        break;
    default:
        add_row(t, m, CT_NETWORK_ROW_CONTROL, UINT32_MAX, UINT32_MAX,
                seen->control ? seen->control : "", seen->bits);
    }
}

static void add_to_second(ct_network_way *way, double seconds, uint32_t size) {
    const uint32_t second = seconds < 4e9 ? (uint32_t)seconds : UINT32_MAX;
    if (second != way->second)
        way->second_bytes = 0;
    way->second = second;
    way->second_bytes += size;
    if (way->second_bytes > way->peak_bytes)
        way->peak_bytes = way->second_bytes;
}

static void add_packet(ct_network_traffic *t, const ct_network_moment *m) {
    ct_network_way *const way = &peer_of(t, m->peer)->ways[m->direction];
    if (m->is_refused) {
        ++way->refused;
        return;
    }
    const uint64_t bits = (uint64_t)m->size * 8;
    ++way->packets;
    way->bytes += m->size;
    add_to_second(way, m->seconds, m->size);
    add_bits(t, &way->buckets, m->seconds, bits);
    if (ct_network_filter_has_names(t->filter))
        return;
    if (m->channel == CT_NETWORK_LOBBY)
        add_row(t, m, CT_NETWORK_ROW_LOBBY, UINT32_MAX, UINT32_MAX, "", bits);
    else if (m->channel == CT_NETWORK_GREETING || *m->text)
        add_row(t, m, CT_NETWORK_ROW_GREETING, UINT32_MAX, UINT32_MAX, "", bits);
    else
        way->session_bits += bits;
}

static void add_stats(ct_network_traffic *t, const ct_network_moment *m) {
    ct_network_peer_traffic *const peer = peer_of(t, m->peer);
    ++peer->num_stats;
    peer->last = m->stats;
    peer->sum.round_trip += m->stats.round_trip;
    peer->sum.loss_in += m->stats.loss_in;
    peer->sum.loss_out += m->stats.loss_out;
}

static void add_connection(ct_network_traffic *t, const ct_network_moment *m) {
    ct_network_peer_traffic *const peer = peer_of(t, m->peer);
    if (m->kind == CT_NETWORK_MOMENT_CONNECTED) {
        peer->connected_at = m->seconds;
        peer->ended_at = -1;
        peer->address = m->address;
    } else {
        peer->ended_at = m->seconds;
        peer->reason = m->reason;
    }
}

// Connections are of no direction, and are always counted.
static bool takes(const ct_network_traffic *t, const ct_network_moment *m, uint64_t *fields) {
    ct_network_filter wanted = *t->filter;
    if (m->direction == CT_NETWORK_INSIDE)
        wanted.has_direction = false;
    if (m->kind != CT_NETWORK_MOMENT_SEEN)
        wanted.object = wanted.field = wanted.message = NULL;
    if (m->kind == CT_NETWORK_MOMENT_CONNECTED || m->kind == CT_NETWORK_MOMENT_DISCONNECTED)
        return ct_network_filter_takes_peer(t->filter, m->peer) && m->peer;
    return ct_network_filter_takes(&wanted, m, fields);
}

void ct_network_traffic_add(ct_network_traffic *t, const ct_network_moment *m) {
    uint64_t fields = 0;
    ++t->num_moments;
    if (m->seconds > t->seconds)
        t->seconds = m->seconds;
    if (m->kind == CT_NETWORK_MOMENT_FRAME) {
        ++t->frames;
        t->step_sum += m->step;
        return;
    }
    if (!takes(t, m, &fields))
        return;
    switch (m->kind) {
    case CT_NETWORK_MOMENT_PACKET:
        add_packet(t, m);
        break;
    case CT_NETWORK_MOMENT_SEEN:
        add_seen(t, m, fields);
        break;
    case CT_NETWORK_MOMENT_DATAGRAM: {
        ct_network_way *const way = &peer_of(t, m->peer)->ways[m->direction];
        ++way->datagrams;
        way->datagram_bytes += m->size;
        break;
    }
    case CT_NETWORK_MOMENT_CONNECTED:
    case CT_NETWORK_MOMENT_DISCONNECTED:
        add_connection(t, m);
        break;
    case CT_NETWORK_MOMENT_STATS:
        add_stats(t, m);
        break;
    case CT_NETWORK_MOMENT_NOTE:
        ++t->num_notes;
        break;
    default:
        break;
    }
}

// --- The end -------------------------------------------------------------------------------------

static int compare_numbers(uint64_t a, uint64_t b) {
    return a < b ? 1 : a > b ? -1 : 0;
}

static int compare_rows(const void *a, const void *b) {
    const ct_network_row *const x = a, *const y = b;
    const int by_bits = compare_numbers(x->bits, y->bits);
    if (by_bits)
        return by_bits;
    const uint64_t parts[2][5] = {
        {x->kind, x->direction, x->peer, x->record, x->field},
        {y->kind, y->direction, y->peer, y->record, y->field},
    };
    for (uint32_t i = 0; i < 5; ++i)
        if (parts[0][i] != parts[1][i])
            return parts[0][i] < parts[1][i] ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int compare_objects(const void *a, const void *b) {
    const ct_network_object_traffic *const x = a, *const y = b;
    const int by_bits = compare_numbers(x->bits[0] + x->bits[1], y->bits[0] + y->bits[1]);
    return by_bits ? by_bits : -compare_numbers(x->id, y->id);
}

static void add_other(ct_network_traffic *t, const ct_network_peer_traffic *peer,
                      ct_network_direction direction) {
    const ct_network_way *const way = &peer->ways[direction];
    if (way->session_bits <= way->seen_bits)
        return;
    const ct_network_row like = {.kind = CT_NETWORK_ROW_OTHER,
                                 .direction = direction,
                                 .peer = peer->peer,
                                 .record = UINT32_MAX,
                                 .field = UINT32_MAX};
    row_of(t, &like)->bits = way->session_bits - way->seen_bits;
}

void ct_network_traffic_end(ct_network_traffic *t) {
    const ct_network_filter *const f = t->filter;
    if (!ct_network_filter_has_names(f))
        for (uint32_t i = 0; i < t->peers.count; ++i)
            for (uint32_t k = 0; k < CT_NETWORK_DIRECTIONS; ++k)
                add_other(t, &t->peers.items[i], (ct_network_direction)k);
    t->begin = f->from < t->seconds ? f->from : t->seconds;
    t->end = f->to < t->seconds ? f->to : t->seconds;
    if (t->rows.count > 0)
        qsort(t->rows.items, t->rows.count, sizeof(*t->rows.items), compare_rows);
    if (t->objects.count > 0)
        qsort(t->objects.items, t->objects.count, sizeof(*t->objects.items), compare_objects);
}

double ct_network_traffic_seconds(const ct_network_traffic *t) {
    return t->end > t->begin ? t->end - t->begin : 0;
}

const char *ct_network_row_kind_name(ct_network_row_kind kind) {
    return KINDS[kind];
}

void ct_network_row_name(const ct_network_row *row, const ct_network_config_resource *config,
                         char *text, uint32_t bytes) {
    const char *record = "", *field = "";
    if (config && row->record != UINT32_MAX) {
        const ct_network_record_type *const type =
            row->kind == CT_NETWORK_ROW_MESSAGE ? &ct_network_config_messages(config)[row->record]
                                                : &ct_network_config_objects(config)[row->record];
        record = ct_blob_at(config, type->name.offset);
        if (row->field != UINT32_MAX)
            field =
                ct_blob_at(config, ct_network_record_fields(config, type)[row->field].name.offset);
    }
    if (row->kind == CT_NETWORK_ROW_FIELD)
        snprintf(text, bytes, "%s.%s", record, field);
    else if (*record || *row->name)
        snprintf(text, bytes, "%s %s", KINDS[row->kind], *record ? record : row->name);
    else
        snprintf(text, bytes, "%s", KINDS[row->kind]);
}
