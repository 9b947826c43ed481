// Network logs with a config and entries from bytes, their sums right, through all that cuttle network
// log prints. Nothing may crash or leak.
#include "cli/network/network_event_lines.h"
#include "cli/network/network_report.h"
#include "foundation/error.h"
#include "network/session/session_fixture.h"
#include "resource/blob/content_hash.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 32, ENTRY_BYTES = 44 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const int result = test_group_setup(NULL);
    session_make_config(NULL);
    return result;
}

static void put(ct_byte_array *out, uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i)
        ct_array_push(out, (uint8_t)(value >> (8 * i)));
}

static void put_entry(ct_byte_array *out, uint32_t kind, uint32_t how, uint64_t now_ns,
                      const uint8_t *bytes, uint32_t size) {
    const uint32_t start = out->count;
    const bool is_packet = kind == CT_NETWORK_TAP_EVENT || kind == CT_NETWORK_TAP_SENT;
    const bool has_bytes = is_packet || kind >= CT_NETWORK_LOG_FRAME;
    put(out, 0, 4);
    put(out, has_bytes ? size : 0, 4);
    put(out, now_ns, 8);
    put(out, how & 3, 8); // peer
    put(out, how & 3, 4); // ip
    put(out, size, 4);
    put(out, 0, 4);       // seconds
    put(out, how & 3, 2); // port
    put(out, kind, 1);
    put(out, kind == CT_NETWORK_TAP_EVENT ? 1 + (how >> 2) % 3 : 0, 1);
    put(out, (how >> 4) % CT_NETWORK_CHANNELS, 1);
    put(out, (how >> 4) % CT_NETWORK_REASONS, 1);
    put(out, how >> 5, 1); // flags
    put(out, 0, 1);
    if (has_bytes && size > 0)
        ct_array_push_many(out, bytes, size);
    const uint32_t sum = (uint32_t)ct_content_hash(out->items + start + 4, out->count - start - 4);
    memcpy(out->items + start, &sum, 4);
}

// An entry of the input: its kind, what is true of it, its size, its bytes.
static void make_log(ct_byte_array *out, const uint8_t *data, size_t size) {
    static const uint8_t kinds[] = {
        CT_NETWORK_LOG_SEEN,        CT_NETWORK_LOG_SEEN,       CT_NETWORK_LOG_FRAME,
        CT_NETWORK_LOG_NOTE,        CT_NETWORK_LOG_STATS,      CT_NETWORK_TAP_EVENT,
        CT_NETWORK_TAP_SENT,        CT_NETWORK_TAP_CONNECT,    CT_NETWORK_TAP_DISCONNECT,
        CT_NETWORK_TAP_DATAGRAM_IN, CT_NETWORK_TAP_ROUND_TRIP, CT_NETWORK_LOG_CONFIG,
    };
    put(out, 0x4c4e5443, 4);
    put(out, CT_NETWORK_LOG_VERSION, 4);
    put(out, 1, 8);
    put(out, session_config->hash, 8);
    put(out, 5, 8);
    put_entry(out, CT_NETWORK_LOG_CONFIG, 0, 0, (const uint8_t *)session_config,
              (uint32_t)session_config->header.size_bytes);
    uint64_t now_ns = 0;
    for (size_t at = 0; size - at >= 3;) {
        const uint32_t kind = kinds[data[at] % CT_COUNT_OF(kinds)], how = data[at + 1];
        uint32_t bytes = data[at + 2];
        at += 3;
        bytes = bytes < size - at ? bytes : (uint32_t)(size - at);
        bytes = kind == CT_NETWORK_LOG_FRAME && bytes >= 8 ? 8 : bytes;
        bytes = kind == CT_NETWORK_LOG_STATS && bytes >= 20 ? 20 : bytes;
        now_ns += (uint64_t)how << (how & 31);
        put_entry(out, kind, how, now_ns, data + at, bytes);
        at += bytes;
    }
}

static void list(const ct_byte_array *log, const ct_network_filter *filter) {
    ct_network_timeline t;
    ct_network_moment m;
    ct_string_builder out;
    ct_error error = {0};
    ct_string_builder_init(&out, test_heap());
    if (!ct_network_timeline_open_bytes(&t, test_heap(), log->items, log->count, "a.log", &error))
        abort();
    while (ct_network_timeline_next(&t, &m, &error)) {
        uint64_t fields;
        ct_string_builder_clear(&out);
        if (!ct_network_event_lines_has(&m) || !ct_network_filter_takes(filter, &m, &fields))
            continue;
        ct_network_event_lines_add_text(&out, &t, &m, fields);
        ct_network_event_lines_add_json(&out, &t, &m, fields);
    }
    ct_string_builder_free(&out);
    ct_network_timeline_close(&t);
}

static void sum(const ct_byte_array *log, const ct_network_filter *filter) {
    ct_network_timeline t;
    ct_network_traffic traffic;
    ct_network_moment m;
    ct_string_builder out;
    ct_error error = {0};
    ct_string_builder_init(&out, test_heap());
    ct_network_traffic_init(&traffic, test_heap(), filter, 1);
    if (!ct_network_timeline_open_bytes(&t, test_heap(), log->items, log->count, "a.log", &error))
        abort();
    while (ct_network_timeline_next(&t, &m, &error))
        ct_network_traffic_add(&traffic, &m);
    ct_network_traffic_end(&traffic);
    const ct_network_report r = {
        .path = "a.log", .timeline = &t, .traffic = &traffic, .top = 3, .error = error.message};
    ct_network_report_add_summary(&out, &r);
    ct_network_report_add_bandwidth(&out, &r);
    ct_network_report_add_json(&out, &r, true);
    ct_string_builder_free(&out);
    ct_network_traffic_free(&traffic);
    ct_network_timeline_close(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_byte_array log;
    ct_network_filter all, some;
    ct_error error = {0};
    ct_array_init(&log, test_heap());
    make_log(&log, data, size);
    const ct_network_filter_words words = {.object = "body", .field = "health", .message = "say"};
    if (!ct_network_filter_read(&all, test_heap(), &(ct_network_filter_words){0}, session_config,
                                &error) ||
        !ct_network_filter_read(&some, test_heap(), &words, session_config, &error))
        abort();
    list(&log, &all);
    list(&log, &some);
    sum(&log, &all);
    sum(&log, &some);
    ct_network_filter_free(&some, test_heap());
    ct_array_free(&log);
    return 0;
}
