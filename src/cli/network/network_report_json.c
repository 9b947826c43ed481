// network_report_json.c: reports for programs.
#include <stdio.h>

#include "cli/network/network_event_lines.h"
#include "cli/network/network_report.h"
#include "dev/inspect/network_value_json.h"
#include "foundation/sjson/sjson_writer.h"

static void member_hex(ct_sjson_writer *w, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof(text), "%016llx", (unsigned long long)value);
    ct_sjson_member_string(w, key, text);
}

static void write_head(ct_sjson_writer *w, const ct_network_report *r) {
    const ct_network_log_head *const head = &r->timeline->reader.head;
    const ct_network_traffic *const t = r->traffic;
    ct_sjson_member_string(w, "file", r->path);
    member_hex(w, "node", head->self);
    member_hex(w, "config", head->config_hash);
    ct_sjson_member_number(w, "begun", (double)(head->begun_ns / 1000000) / 1000);
    ct_sjson_member_number(w, "seconds", t->seconds);
    ct_sjson_member_number(w, "frames", t->frames);
}

static void write_errors(ct_sjson_writer *w, const ct_network_report *r) {
    ct_sjson_member_bool(w, "whole", !*r->error);
    ct_sjson_write_key(w, "errors");
    ct_sjson_begin_array(w);
    if (*r->error)
        ct_sjson_write_string(w, r->error);
    if (!r->timeline->config)
        ct_sjson_write_string(w, r->timeline->config_error.message);
    ct_sjson_end_array(w);
}

static void write_buckets(ct_sjson_writer *w, const ct_network_bucket_array *buckets) {
    ct_sjson_write_key(w, "by_bucket");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < buckets->count; ++i) {
        ct_sjson_begin_array(w);
        ct_sjson_write_number(w, buckets->items[i].index);
        ct_sjson_write_number(w, (double)buckets->items[i].bits);
        ct_sjson_end_array(w);
    }
    ct_sjson_end_array(w);
}

static void write_way(ct_sjson_writer *w, const ct_network_way *way, double seconds,
                      bool has_buckets) {
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "packets", (double)way->packets);
    ct_sjson_member_number(w, "bytes", (double)way->bytes);
    ct_sjson_member_number(w, "mean_bytes", seconds > 0 ? (double)way->bytes / seconds : 0);
    ct_sjson_member_number(w, "peak_bytes", (double)way->peak_bytes);
    ct_sjson_member_number(w, "not_sent", (double)way->refused);
    ct_sjson_member_number(w, "datagrams", (double)way->datagrams);
    ct_sjson_member_number(w, "datagram_bytes", (double)way->datagram_bytes);
    if (has_buckets)
        write_buckets(w, &way->buckets);
    ct_sjson_end_object(w);
}

static void write_quality(ct_sjson_writer *w, const ct_network_peer_traffic *p) {
    if (p->num_stats) {
        const float count = (float)p->num_stats;
        ct_network_float_json(w, "round_trip", p->sum.round_trip / count);
        ct_network_float_json(w, "last_round_trip", p->last.round_trip);
        ct_network_float_json(w, "loss_in", p->sum.loss_in / count);
        ct_network_float_json(w, "loss_out", p->sum.loss_out / count);
        ct_sjson_member_number(w, "held_back", p->last.held_back);
    }
    if (p->num_round_trips) {
        ct_network_float_json(w, "acknowledged_after",
                              (float)(p->round_trip_sum / (double)p->num_round_trips));
        ct_network_float_json(w, "acknowledged_after_most", (float)p->round_trip_most);
    }
    ct_sjson_member_number(w, "fields_sent", (double)p->fields_sent);
    ct_sjson_member_number(w, "fields_lost", (double)p->fields_lost);
}

static void write_peer(ct_sjson_writer *w, const ct_network_report *r,
                       const ct_network_peer_traffic *p, bool has_buckets) {
    char address[CT_DATAGRAM_ADDRESS_BYTES];
    const double seconds = ct_network_traffic_seconds(r->traffic);
    ct_sjson_begin_object(w);
    if (p->peer)
        member_hex(w, "peer", p->peer);
    if (p->connected_at >= 0) {
        ct_sjson_member_string(w, "address", ct_datagram_address_print(&p->address, address));
        ct_sjson_member_number(w, "connected_at", p->connected_at);
    }
    if (p->ended_at >= 0) {
        ct_sjson_member_number(w, "ended_at", p->ended_at);
        ct_sjson_member_string(w, "reason", ct_network_reason_name(p->reason));
    }
    write_quality(w, p);
    ct_sjson_write_key(w, "in");
    write_way(w, &p->ways[CT_NETWORK_IN], seconds, has_buckets);
    ct_sjson_write_key(w, "out");
    write_way(w, &p->ways[CT_NETWORK_OUT], seconds, has_buckets);
    ct_sjson_end_object(w);
}

static void write_row_names(ct_sjson_writer *w, const ct_network_config_resource *config,
                            const ct_network_row *row) {
    if (row->record != UINT32_MAX) {
        const bool is_message = row->kind == CT_NETWORK_ROW_MESSAGE;
        const ct_network_record_type *const type =
            is_message ? &ct_network_config_messages(config)[row->record]
                       : &ct_network_config_objects(config)[row->record];
        ct_sjson_member_string(w, is_message ? "message" : "type",
                               ct_blob_at(config, type->name.offset));
        if (row->field != UINT32_MAX)
            ct_sjson_member_string(
                w, "field",
                ct_blob_at(config, ct_network_record_fields(config, type)[row->field].name.offset));
    }
    if (*row->name)
        ct_sjson_member_string(w, "control", row->name);
}

static void write_row(ct_sjson_writer *w, const ct_network_config_resource *config,
                      const ct_network_row *row, bool has_buckets) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "kind", ct_network_row_kind_name(row->kind));
    ct_sjson_member_string(w, "direction", ct_network_direction_name(row->direction));
    member_hex(w, "peer", row->peer);
    write_row_names(w, config, row);
    ct_sjson_member_number(w, "count", (double)row->count);
    ct_sjson_member_number(w, "bits", (double)row->bits);
    if (has_buckets)
        write_buckets(w, &row->buckets);
    ct_sjson_end_object(w);
}

static void write_object(ct_sjson_writer *w, const ct_network_config_resource *config,
                         const ct_network_object_traffic *o) {
    const ct_network_record_type *const type = &ct_network_config_objects(config)[o->record];
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "object", o->id);
    ct_sjson_member_string(w, "type", ct_blob_at(config, type->name.offset));
    ct_sjson_member_number(w, "count_in", (double)o->counts[CT_NETWORK_IN]);
    ct_sjson_member_number(w, "bits_in", (double)o->bits[CT_NETWORK_IN]);
    ct_sjson_member_number(w, "count_out", (double)o->counts[CT_NETWORK_OUT]);
    ct_sjson_member_number(w, "bits_out", (double)o->bits[CT_NETWORK_OUT]);
    ct_sjson_end_object(w);
}

void ct_network_report_add_json(ct_string_builder *out, const ct_network_report *r,
                                bool has_buckets) {
    const ct_network_traffic *const t = r->traffic;
    const ct_network_config_resource *const config = r->timeline->config;
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    write_head(&w, r);
    ct_sjson_member_number(&w, "from", t->begin);
    ct_sjson_member_number(&w, "to", t->end);
    if (has_buckets)
        ct_sjson_member_number(&w, "bucket_seconds", t->bucket_seconds);
    ct_sjson_write_key(&w, "peers");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < t->peers.count; ++i)
        write_peer(&w, r, &t->peers.items[i], has_buckets);
    ct_sjson_end_array(&w);
    ct_sjson_write_key(&w, "rows");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < t->rows.count; ++i)
        write_row(&w, config, &t->rows.items[i], has_buckets);
    ct_sjson_end_array(&w);
    ct_sjson_write_key(&w, "objects");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < t->objects.count; ++i)
        write_object(&w, config, &t->objects.items[i]);
    ct_sjson_end_array(&w);
    write_errors(&w, r);
    ct_sjson_end_object(&w);
}

void ct_network_report_add_first_line(ct_string_builder *out, const ct_network_report *r) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "event", "log");
    write_head(&w, r);
    ct_sjson_end_object(&w);
}

void ct_network_report_add_last_line(ct_string_builder *out, const ct_network_report *r) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "event", "end");
    write_errors(&w, r);
    ct_sjson_end_object(&w);
}
