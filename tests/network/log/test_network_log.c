// test_network_log.c: entries are read as they were written; damaged and cut logs are told.
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "network/log/network_log.h"
#include "support/test_support.h"
#include <stdio.h>
#include <string.h>

static char path[512];
static ct_network_config_resource *config; // or NULL: none in the log

static ct_network_log *begin(void) {
    ct_error error;
    snprintf(path, sizeof(path), "%s/a.log", test_scratch_folder());
    ct_network_log *const log = ct_network_log_create(
        test_heap(), path, &(ct_network_log_head){.self = 7, .config_hash = 9, .begun_ns = -5},
        config, &error);
    assert_non_null(log);
    return log;
}

static const ct_network_tap packet = {
    .kind = CT_NETWORK_TAP_EVENT,
    .now_ns = UINT64_C(0x123456789a),
    .event = {.kind = CT_NETWORK_TRANSPORT_PACKET,
              .peer = UINT64_C(0xfedcba9876543210),
              .address = {.ip = 0x0a000002, .port = 4000},
              .channel = CT_NETWORK_SESSION,
              .is_reliable = true,
              .bytes = (const uint8_t *)"a packet",
              .size = 8},
};
static const ct_network_tap answers[] = {
    {.kind = CT_NETWORK_TAP_SENT,
     .now_ns = 1,
     .peer = 5,
     .channel = CT_NETWORK_STATE,
     .is_ok = true,
     .bytes = (const uint8_t *)"xyz",
     .size = 3},
    {.kind = CT_NETWORK_TAP_ROOM, .now_ns = 2, .peer = 5, .size = 123456},
    {.kind = CT_NETWORK_TAP_ROUND_TRIP, .now_ns = 3, .peer = 5, .seconds = 0.25f},
    {.kind = CT_NETWORK_TAP_ADDRESS, .now_ns = 4, .peer = 5, .is_ok = true, .address = {9, 8}},
    {.kind = CT_NETWORK_TAP_CONNECT, .now_ns = 5, .peer = 5, .address = {9, 8}},
    {.kind = CT_NETWORK_TAP_DISCONNECT, .now_ns = 6, .peer = 5, .reason = CT_NETWORK_REASON_KICKED},
    {.kind = CT_NETWORK_TAP_DATAGRAM_IN,
     .now_ns = 7,
     .address = {9, 8},
     .bytes = (const uint8_t *)"sealed",
     .size = 6},
};

static void write_all(void) {
    ct_error error;
    ct_network_log *const log = begin();
    ct_network_log_frame(log, 42, 1.0 / 60);
    ct_network_log_tap(log, &packet);
    for (uint32_t i = 0; i < CT_COUNT_OF(answers); ++i)
        ct_network_log_tap(log, &answers[i]);
    ct_network_log_note(log, 8, "a note");
    assert_true(ct_network_log_end(log, &error));
}

static void reads_what_was_written(void **state) {
    (void)state;
    ct_error error;
    ct_network_log_reader reader;
    ct_network_log_entry e;
    write_all();
    assert_true(ct_network_log_open(test_heap(), path, &reader, &error));
    assert_true(reader.head.self == 7 && reader.head.config_hash == 9);
    for (uint32_t round = 0; round < 2; ++round) {
        assert_true(ct_network_log_next(&reader, &e, &error));
        assert_int_equal(e.kind, CT_NETWORK_LOG_FRAME);
        assert_true(e.now_ns == 42 && e.step_seconds == 1.0 / 60);
        assert_true(ct_network_log_next(&reader, &e, &error));
        const ct_network_transport_event *const event = &e.tap.event;
        assert_int_equal(e.kind, CT_NETWORK_TAP_EVENT);
        assert_true(e.now_ns == packet.now_ns && e.tap.now_ns == packet.now_ns);
        assert_int_equal(event->kind, CT_NETWORK_TRANSPORT_PACKET);
        assert_true(event->peer == packet.event.peer && event->is_reliable);
        assert_true(ct_datagram_address_equal(event->address, packet.event.address));
        assert_int_equal(event->channel, CT_NETWORK_SESSION);
        assert_int_equal(event->size, 8);
        assert_memory_equal(event->bytes, "a packet", 8);
        for (uint32_t i = 0; i < CT_COUNT_OF(answers); ++i) {
            const ct_network_tap *const want = &answers[i];
            assert_true(ct_network_log_next(&reader, &e, &error));
            assert_int_equal(e.kind, want->kind);
            assert_true(e.tap.now_ns == want->now_ns && e.tap.peer == want->peer);
            assert_true(e.tap.channel == want->channel && e.tap.reason == want->reason);
            assert_true(e.tap.is_reliable == want->is_reliable && e.tap.is_ok == want->is_ok);
            assert_true(e.tap.seconds == want->seconds && e.tap.size == want->size);
            assert_true(ct_datagram_address_equal(e.tap.address, want->address));
            if (want->kind == CT_NETWORK_TAP_SENT)
                assert_memory_equal(e.tap.bytes, want->bytes, want->size);
            else
                assert_null(e.tap.bytes);
        }
        assert_true(ct_network_log_next(&reader, &e, &error));
        assert_true(e.kind == CT_NETWORK_LOG_NOTE && e.now_ns == 8 && e.tap.size == 6);
        assert_memory_equal(e.tap.bytes, "a note", 6);
        assert_false(ct_network_log_next(&reader, &e, &error));
        assert_string_equal(error.message, "");
        ct_network_log_rewind(&reader);
    }
    ct_network_log_close(&reader);
}

// Reads all entries of bytes. Returns how many are whole, and sets whether the rest is told.
static uint32_t count_entries(const void *bytes, uint64_t size, bool *is_told) {
    ct_error error;
    ct_network_log_reader reader;
    ct_network_log_entry e;
    assert_true(ct_file_write(path, bytes, size, false, &error));
    *is_told = true;
    if (!ct_network_log_open(test_heap(), path, &reader, &error)) {
        assert_non_null(strstr(error.message, "network log"));
        return 0;
    }
    uint32_t count = 0;
    while (ct_network_log_next(&reader, &e, &error))
        ++count;
    *is_told = *error.message != 0;
    ct_network_log_close(&reader);
    return count;
}

static void tells_where_a_log_is_cut_or_damaged(void **state) {
    (void)state;
    enum { ENTRIES = 3 + CT_COUNT_OF(answers) };
    ct_error error;
    uint64_t size;
    bool is_told;
    write_all();
    char *const bytes = ct_file_read(test_heap(), path, &size, &error);
    assert_int_equal(count_entries(bytes, size, &is_told), ENTRIES);
    assert_false(is_told);
    uint32_t num_whole = 0, last = 0;
    for (uint64_t cut = 0; cut < size; ++cut) {
        const uint32_t count = count_entries(bytes, cut, &is_told);
        assert_true(count >= last && count < ENTRIES);
        num_whole += !is_told; // ends behind an entry, or behind the head
        last = count;
    }
    assert_int_equal(num_whole, ENTRIES);
    for (uint64_t i = 0; i < size; ++i) {
        if (i >= 8 && i < 32)
            continue; // the peer, the hash and the time may be any
        bytes[i] ^= 0x10;
        const uint32_t count = count_entries(bytes, size, &is_told);
        assert_true(count < ENTRIES && is_told);
        bytes[i] ^= 0x10;
    }
    ct_free(test_heap(), bytes);
}

static void refuses_a_path_that_cannot_be_written(void **state) {
    (void)state;
    ct_error error = {0};
    ct_network_log_reader reader;
    assert_null(ct_network_log_create(test_heap(), "nowhere/a.log", &(ct_network_log_head){0}, NULL,
                                      &error));
    assert_non_null(strstr(error.message, "nowhere/a.log"));
    assert_false(ct_network_log_open(test_heap(), "nowhere/a.log", &reader, &error));
    assert_true(ct_network_log_end(NULL, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(tells_where_a_log_is_cut_or_damaged),
        cmocka_unit_test(refuses_a_path_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
