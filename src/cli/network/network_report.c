#include "cli/network/network_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/size_text.h"

enum { COUNT_BITS = 20, NAME_BYTES = 96, MOST_TIMES = 1000 };

// --- The head ------------------------------------------------------------------------------------

static void add_date(ct_string_builder *out, int64_t ns) {
    const time_t seconds = (time_t)(ns / 1000000000);
    struct tm parts;
    char text[40];
    if (ns > 0 && gmtime_r(&seconds, &parts) &&
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts) > 0)
        ct_string_builder_addf(out, ", begun %s", text);
}

// The sums of all peers in one way.
static ct_network_way all_peers(const ct_network_traffic *t, uint32_t direction) {
    ct_network_way sum = {0};
    for (uint32_t i = 0; i < t->peers.count; ++i) {
        const ct_network_way *const way = &t->peers.items[i].ways[direction];
        sum.packets += way->packets;
        sum.bytes += way->bytes;
        sum.refused += way->refused;
        sum.datagrams += way->datagrams;
        sum.datagram_bytes += way->datagram_bytes;
    }
    return sum;
}

static void add_head(ct_string_builder *out, const ct_network_report *r) {
    const ct_network_traffic *const t = r->traffic;
    const ct_network_log_head *const head = &r->timeline->reader.head;
    const ct_network_way in = all_peers(t, CT_NETWORK_IN), sent = all_peers(t, CT_NETWORK_OUT);
    ct_string_builder_addf(out, "node       %016llx, config %016llx",
                           (unsigned long long)head->self, (unsigned long long)head->config_hash);
    add_date(out, head->begun_ns);
    ct_string_builder_addf(out, "\ntime       %.3f s, %u frames of %.1f ms", t->seconds, t->frames,
                           t->frames ? t->step_sum * 1000 / t->frames : 0);
    if (t->begin > 0 || t->end < t->seconds)
        ct_string_builder_addf(out, "; counted from %.3f s to %.3f s", t->begin, t->end);
    ct_string_builder_addf(out, "\npackets    in %llu, %s; out %llu, %s\n",
                           (unsigned long long)in.packets, ct_size_text_of(in.bytes).text,
                           (unsigned long long)sent.packets, ct_size_text_of(sent.bytes).text);
    ct_string_builder_addf(
        out, "datagrams  in %llu, %s; out %llu, %s\n", (unsigned long long)in.datagrams,
        ct_size_text_of(in.datagram_bytes).text, (unsigned long long)sent.datagrams,
        ct_size_text_of(sent.datagram_bytes).text);
}

// --- Peers ---------------------------------------------------------------------------------------

static double per_second(const ct_network_traffic *t, double bytes) {
    const double seconds = ct_network_traffic_seconds(t);
    return seconds > 0 ? bytes / seconds : 0;
}

static void add_way(ct_string_builder *out, const ct_network_traffic *t, const char *name,
                    const ct_network_way *way) {
    ct_string_builder_addf(out, "  %-3s %8llu %10s %10s %10s", name,
                           (unsigned long long)way->packets, ct_size_text_of(way->bytes).text,
                           ct_size_text_of((uint64_t)per_second(t, (double)way->bytes)).text,
                           ct_size_text_of(way->peak_bytes).text);
    if (way->refused)
        ct_string_builder_addf(out, "  %llu not sent", (unsigned long long)way->refused);
    ct_string_builder_add(out, "\n");
}

static void add_connection(ct_string_builder *out, const ct_network_peer_traffic *p) {
    char address[CT_DATAGRAM_ADDRESS_BYTES];
    ct_string_builder_addf(out, "%016llx", (unsigned long long)p->peer);
    if (p->connected_at >= 0)
        ct_string_builder_addf(out, " at %s, connected at %.3f s",
                               ct_datagram_address_print(&p->address, address), p->connected_at);
    if (p->ended_at >= 0)
        ct_string_builder_addf(out, ", ended at %.3f s: %s", p->ended_at,
                               ct_network_reason_name(p->reason));
    ct_string_builder_add(out, "\n");
}

static void add_quality(ct_string_builder *out, const ct_network_peer_traffic *p) {
    if (p->num_stats)
        ct_string_builder_addf(
            out, "  round trip %.1f ms at the end, %.1f ms mean; loss in %.1f %%, out %.1f %%\n",
            (double)p->last.round_trip * 1000, (double)p->sum.round_trip * 1000 / p->num_stats,
            (double)p->sum.loss_in * 100 / p->num_stats,
            (double)p->sum.loss_out * 100 / p->num_stats);
    if (p->num_round_trips)
        ct_string_builder_addf(out,
                               "  fields acknowledged after %.1f ms mean, %.1f ms at most; %llu of "
                               "%llu packets lost\n",
                               p->round_trip_sum * 1000 / (double)p->num_round_trips,
                               p->round_trip_most * 1000, (unsigned long long)p->fields_lost,
                               (unsigned long long)p->fields_sent);
}

static void add_peers(ct_string_builder *out, const ct_network_report *r) {
    const ct_network_traffic *const t = r->traffic;
    bool has_heading = false;
    for (uint32_t i = 0; i < t->peers.count; ++i) {
        const ct_network_peer_traffic *const p = &t->peers.items[i];
        if (!p->peer)
            continue;
        if (!has_heading)
            ct_string_builder_addf(out, "\npeers      %4s %8s %10s %10s %10s\n", "", "packets",
                                   "bytes", "a second", "at most");
        has_heading = true;
        add_connection(out, p);
        add_way(out, t, "in", &p->ways[CT_NETWORK_IN]);
        add_way(out, t, "out", &p->ways[CT_NETWORK_OUT]);
        add_quality(out, p);
    }
}

// --- Rows ----------------------------------------------------------------------------------------

// A row of all peers.
typedef struct merged_row {
    const ct_network_row *like;
    uint64_t counts[CT_NETWORK_DIRECTIONS], bits[CT_NETWORK_DIRECTIONS];
} merged_row;
typedef CT_ARRAY(merged_row) merged_rows;

enum {
    OBJECT_KINDS = 1 << CT_NETWORK_ROW_FIELD | 1 << CT_NETWORK_ROW_OBJECT |
                   1 << CT_NETWORK_ROW_CREATE | 1 << CT_NETWORK_ROW_GIVE |
                   1 << CT_NETWORK_ROW_DESTROY,
    MESSAGE_KINDS = 1 << CT_NETWORK_ROW_MESSAGE,
    ALL_KINDS = (1 << CT_NETWORK_ROW_KINDS) - 1,
};

static int compare_merged(const void *a, const void *b) {
    const merged_row *const x = a, *const y = b;
    const uint64_t first = x->bits[0] + x->bits[1], second = y->bits[0] + y->bits[1];
    if (first != second)
        return first < second ? 1 : -1;
    return x->like < y->like ? -1 : x->like > y->like;
}

static merged_row *merged_of(merged_rows *rows, const ct_network_row *row) {
    for (uint32_t i = 0; i < rows->count; ++i) {
        const ct_network_row *const like = rows->items[i].like;
        if (like->kind == row->kind && like->record == row->record && like->field == row->field &&
            strcmp(like->name, row->name) == 0)
            return &rows->items[i];
    }
    ct_array_push(rows, (merged_row){.like = row});
    return &rows->items[rows->count - 1];
}

static void merge(const ct_network_traffic *t, uint32_t kinds, merged_rows *rows) {
    ct_array_init(rows, t->allocator);
    for (uint32_t i = 0; i < t->rows.count; ++i) {
        const ct_network_row *const row = &t->rows.items[i];
        if (!(kinds >> row->kind & 1))
            continue;
        merged_row *const merged = merged_of(rows, row);
        merged->counts[row->direction] += row->count;
        merged->bits[row->direction] += row->bits;
    }
    if (rows->count > 0)
        qsort(rows->items, rows->count, sizeof(*rows->items), compare_merged);
}

static uint64_t sum_of_rows(const ct_network_traffic *t) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->rows.count; ++i)
        sum += t->rows.items[i].bits;
    return sum;
}

// The first `top` rows of some kinds; their share is of all rows.
static void add_rows(ct_string_builder *out, const ct_network_report *r, const char *title,
                     uint32_t kinds, uint32_t top) {
    const ct_network_traffic *const t = r->traffic;
    const uint64_t sum = sum_of_rows(t);
    merged_rows rows;
    merge(t, kinds, &rows);
    if (rows.count > 0)
        ct_string_builder_addf(out, "\n%-34s %8s %10s %8s %10s %9s %6s\n", title, "in", "bytes",
                               "out", "bytes", "a second", "share");
    for (uint32_t i = 0; i < rows.count && i < top; ++i) {
        const merged_row *const row = &rows.items[i];
        const uint64_t bits = row->bits[0] + row->bits[1];
        char name[NAME_BYTES];
        ct_network_row_name(row->like, r->timeline->config, name, sizeof(name));
        ct_string_builder_addf(
            out, "%-34s %8llu %10s %8llu %10s %9s %5.1f%%\n", name,
            (unsigned long long)row->counts[0], ct_size_text_of(row->bits[0] / 8).text,
            (unsigned long long)row->counts[1], ct_size_text_of(row->bits[1] / 8).text,
            ct_size_text_of((uint64_t)per_second(t, (double)bits / 8)).text,
            sum ? (double)bits * 100 / (double)sum : 0);
    }
    if (rows.count > top)
        ct_string_builder_addf(out, "  and %u more\n", rows.count - top);
    ct_array_free(&rows);
}

static void add_objects(ct_string_builder *out, const ct_network_report *r) {
    const ct_network_traffic *const t = r->traffic;
    if (t->objects.count > 0)
        ct_string_builder_addf(out, "\n%-34s %8s %10s %8s %10s\n", "objects", "in", "bytes", "out",
                               "bytes");
    for (uint32_t i = 0; i < t->objects.count && i < r->top; ++i) {
        const ct_network_object_traffic *const o = &t->objects.items[i];
        char name[NAME_BYTES];
        const ct_network_record_type *const type =
            &ct_network_config_objects(r->timeline->config)[o->record];
        snprintf(name, sizeof(name), "%s %u.%u",
                 (const char *)ct_blob_at(r->timeline->config, type->name.offset),
                 o->id >> COUNT_BITS, o->id & ((1 << COUNT_BITS) - 1));
        ct_string_builder_addf(
            out, "%-34s %8llu %10s %8llu %10s\n", name, (unsigned long long)o->counts[0],
            ct_size_text_of(o->bits[0] / 8).text, (unsigned long long)o->counts[1],
            ct_size_text_of(o->bits[1] / 8).text);
    }
    if (t->objects.count > r->top)
        ct_string_builder_addf(out, "  and %u more\n", t->objects.count - r->top);
}

void ct_network_report_add_summary(ct_string_builder *out, const ct_network_report *r) {
    add_head(out, r);
    add_peers(out, r);
    add_rows(out, r, "messages", MESSAGE_KINDS, r->top);
    add_rows(out, r, "fields and types of objects", OBJECT_KINDS, r->top);
    add_rows(out, r, "the rest", ALL_KINDS & ~OBJECT_KINDS & ~MESSAGE_KINDS, r->top);
    add_objects(out, r);
}

// --- Over time -----------------------------------------------------------------------------------

enum { OF_OBJECTS, OF_MESSAGES, OF_REST, PARTS };

typedef struct stretch {
    uint64_t bits[CT_NETWORK_DIRECTIONS][PARTS];
} stretch;
typedef CT_ARRAY(stretch) stretches;

static void collect(const ct_network_traffic *t, stretches *s) {
    ct_array_init(s, t->allocator);
    for (uint32_t i = 0; i < t->rows.count; ++i) {
        const ct_network_row *const row = &t->rows.items[i];
        const uint32_t part = OBJECT_KINDS >> row->kind & 1    ? OF_OBJECTS
                              : MESSAGE_KINDS >> row->kind & 1 ? OF_MESSAGES
                                                               : OF_REST;
        for (uint32_t k = 0; k < row->buckets.count; ++k) {
            const ct_network_bucket *const b = &row->buckets.items[k];
            if (b->index >= s->count) {
                const uint32_t count = s->count;
                ct_array_resize(s, b->index + 1);
                memset(s->items + count, 0, sizeof(*s->items) * (s->count - count));
            }
            s->items[b->index].bits[row->direction][part] += b->bits;
        }
    }
}

static void add_times(ct_string_builder *out, const ct_network_traffic *t) {
    static const stretch nothing;
    stretches s;
    collect(t, &s);
    ct_string_builder_addf(out, "bytes a second, in stretches of %g s\n", t->bucket_seconds);
    ct_string_builder_addf(out, "%10s %11s %11s %11s %11s %11s %11s\n", "seconds", "in: objects",
                           "messages", "rest", "out:objects", "messages", "rest");
    const uint32_t first = (uint32_t)(t->begin / t->bucket_seconds);
    for (uint32_t i = first; i < s.count; ++i) {
        if (s.count > MOST_TIMES && memcmp(&s.items[i], &nothing, sizeof(nothing)) == 0)
            continue;
        ct_string_builder_addf(out, "%10.3f", i * t->bucket_seconds);
        for (uint32_t d = 0; d < CT_NETWORK_DIRECTIONS; ++d)
            for (uint32_t k = 0; k < PARTS; ++k)
                ct_string_builder_addf(out, " %11.0f",
                                       (double)s.items[i].bits[d][k] / 8 / t->bucket_seconds);
        ct_string_builder_add(out, "\n");
    }
    ct_array_free(&s);
}

void ct_network_report_add_bandwidth(ct_string_builder *out, const ct_network_report *r) {
    add_times(out, r->traffic);
    add_rows(out, r, "messages", MESSAGE_KINDS, UINT32_MAX);
    add_rows(out, r, "fields and types of objects", OBJECT_KINDS, UINT32_MAX);
    add_rows(out, r, "the rest", ALL_KINDS & ~OBJECT_KINDS & ~MESSAGE_KINDS, UINT32_MAX);
    if (!ct_network_filter_has_names(r->traffic->filter))
        add_peers(out, r);
}
