// The thread that saves and loads: order, writes that are replaced, and the end of the queue.
#include <stdatomic.h>

#include "save/save_fixture.h"
#include "save/save_service.h"

// --- A thread that waits -------------------------------------------------------------------------

// The heap, in which all threads but the first wait while the gate is closed.
static struct {
    ct_allocator base;
    uint64_t own_thread;
    atomic_bool is_closed, is_waited_for;
} gate;

static void *allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    (void)a;
    while (ct_thread_current_id() != gate.own_thread && atomic_load(&gate.is_closed)) {
        atomic_store(&gate.is_waited_for, true);
        ct_os_sleep_ns(100000);
    }
    return test_heap()->allocate(test_heap(), size_bytes, align);
}

static void free_block(ct_allocator *a, void *p, uint64_t size_bytes) {
    (void)a;
    test_heap()->free(test_heap(), p, size_bytes);
}

static uint64_t allocated_size(ct_allocator *a, const void *p) {
    (void)a;
    return test_heap()->allocated_size(test_heap(), p);
}

static void stats(ct_allocator *a, ct_allocator_stats *s) {
    (void)a;
    test_heap()->stats(test_heap(), s);
}

static ct_allocator *open_gate(void) {
    gate.base = (ct_allocator){allocate, free_block, allocated_size, stats, "gate"};
    gate.own_thread = ct_thread_current_id();
    atomic_store(&gate.is_closed, false);
    return &gate.base;
}

// Starts to write a slot whose data is a number.
static ct_save_request *start_write(ct_save_service *s, const char *slot, uint32_t number) {
    ct_save_part parts[2];
    ct_byte_array bytes;
    for (uint32_t k = 0; k < 2; ++k) {
        ct_array_init(&bytes, &gate.base);
        const uint32_t begin = ct_save_begin_table(&bytes);
        ct_save_add_string(&bytes, "number", 6);
        ct_save_add_number(&bytes, number);
        ct_save_end_table(&bytes, begin, 1);
        parts[k] = (ct_save_part){k ? CT_SAVE_SECTION_DATA : CT_SAVE_SECTION_INFO,
                                  ct_save_bytes_create(&bytes)};
    }
    ct_save_request *const r = ct_save_service_write(s, slot, parts, 2);
    ct_save_bytes_release(parts[0].bytes);
    ct_save_bytes_release(parts[1].bytes);
    return r;
}

// Keeps the thread busy with a slot of its own until the gate is opened.
static ct_save_request *close_gate(ct_save_service *s) {
    atomic_store(&gate.is_waited_for, false);
    atomic_store(&gate.is_closed, true);
    ct_save_request *const r = start_write(s, "busy", 0);
    while (!atomic_load(&gate.is_waited_for))
        ct_os_sleep_ns(100000);
    return r;
}

static void open_and_wait(ct_save_service *s) {
    atomic_store(&gate.is_closed, false);
    ct_save_service_wait(s);
}

// Checks what a load gave, and frees it.
static void expect_read(ct_save_service *s, ct_save_request *r, uint32_t number) {
    assert_true(ct_save_request_is_done(r));
    assert_string_equal(ct_save_request_error(r), "");
    assert_int_equal(number_of(ct_save_request_file(r)), number);
    ct_save_request_free(s, r);
}

static void expect_written(ct_save_service *s, ct_save_request *r, bool is_replaced) {
    assert_true(ct_save_request_is_done(r));
    assert_string_equal(ct_save_request_error(r), "");
    assert_int_equal(ct_save_request_is_replaced(r), is_replaced);
    ct_save_request_free(s, r);
}

// --- Tests ---------------------------------------------------------------------------------------

static void the_service_writes_and_reads_in_order(void **state) {
    ct_save_service *const s = ct_save_service_create(open_gate(), folder);
    ct_save_request *last = NULL;
    (void)state;
    for (uint32_t i = 0; i < 20; ++i) {
        ct_save_request_free(s, start_write(s, "slot", i)); // it goes on
        if (last)
            ct_save_request_free(s, last);
        last = ct_save_service_read(s, "slot");
    }
    ct_save_service_wait(s);
    expect_read(s, last, 19);
    ct_save_service_destroy(s);
}

static void a_write_that_waits_is_replaced_by_a_newer_one(void **state) {
    ct_save_service *const s = ct_save_service_create(open_gate(), folder);
    (void)state;
    ct_save_request *const busy = close_gate(s);
    ct_save_request *const first = start_write(s, "slot", 1);
    ct_save_request *const other = start_write(s, "other", 10);
    ct_save_request *const second = start_write(s, "slot", 2);
    assert_true(ct_save_request_is_done(first));
    assert_false(ct_save_request_is_done(second));
    ct_save_request_free(s, start_write(s, "other", 11)); // a request that is not waited for
    assert_true(ct_save_request_is_done(other));
    ct_save_request *const again = start_write(s, "other", 12);
    // What is being written already, is.
    ct_save_request *const more = start_write(s, "busy", 5);
    assert_false(ct_save_request_is_done(busy));
    open_and_wait(s);
    expect_written(s, busy, false);
    expect_written(s, first, true);
    expect_written(s, second, false);
    expect_written(s, other, true);
    expect_written(s, again, false);
    expect_written(s, more, false);
    static const char *const slots[] = {"slot", "other", "busy"};
    static const uint32_t numbers[] = {2, 12, 5};
    for (uint32_t i = 0; i < 3; ++i) {
        ct_save_request *const r = ct_save_service_read(s, slots[i]);
        ct_save_service_wait(s);
        expect_read(s, r, numbers[i]);
    }
    ct_save_service_destroy(s);
}

static void a_read_sees_what_was_saved_before_it(void **state) {
    ct_save_service *const s = ct_save_service_create(open_gate(), folder);
    (void)state;
    ct_save_request *const busy = close_gate(s);
    ct_save_request *const first = start_write(s, "slot", 1);
    ct_save_request *const read = ct_save_service_read(s, "slot");
    ct_save_request *const second = start_write(s, "slot", 2);
    ct_save_request *const third = start_write(s, "slot", 3);
    ct_save_request *const last = ct_save_service_read(s, "slot");
    assert_false(ct_save_request_is_done(first));
    open_and_wait(s);
    expect_written(s, busy, false);
    expect_written(s, first, false);
    expect_read(s, read, 1);
    expect_written(s, second, true);
    expect_written(s, third, false);
    expect_read(s, last, 3);
    ct_save_service_destroy(s);
}

static void the_queue_has_an_end(void **state) {
    ct_save_request *requests[CT_SAVE_MAX_WAITING];
    ct_save_service *const s = ct_save_service_create(open_gate(), folder);
    (void)state;
    ct_save_request *const busy = close_gate(s);
    requests[0] = start_write(s, "slot", 1);
    for (uint32_t i = 1; i < CT_SAVE_MAX_WAITING; ++i)
        requests[i] = ct_save_service_read(s, "slot");
    ct_save_request *const write = start_write(s, "slot", 2);
    ct_save_request *const read = ct_save_service_read(s, "slot");
    ct_save_request_free(s, ct_save_service_read(s, "slot"));
    assert_true(ct_save_request_is_done(write) && ct_save_request_is_done(read));
    assert_non_null(strstr(ct_save_request_error(write), "64 requests wait already"));
    assert_non_null(strstr(ct_save_request_error(read), "64 requests wait already"));
    assert_null(ct_save_request_file(read));
    ct_save_request_free(s, write);
    ct_save_request_free(s, read);
    open_and_wait(s);
    expect_written(s, busy, false);
    expect_written(s, requests[0], false);
    for (uint32_t i = 1; i < CT_SAVE_MAX_WAITING; ++i)
        expect_read(s, requests[i], 1);
    ct_save_request *const after = start_write(s, "slot", 3);
    ct_save_service_wait(s);
    expect_written(s, after, false);
    ct_save_service_destroy(s);
}

// A full queue still takes the newest state of a slot that waits in it.
static void a_full_queue_replaces(void **state) {
    char slot[16];
    ct_save_service *const s = ct_save_service_create(open_gate(), folder);
    (void)state;
    ct_save_request_free(s, close_gate(s));
    for (uint32_t i = 0; i < CT_SAVE_MAX_WAITING; ++i) {
        snprintf(slot, sizeof(slot), "slot %u", i);
        ct_save_request_free(s, start_write(s, slot, 1));
    }
    ct_save_request *const last = start_write(s, slot, 2);
    ct_save_request_free(s, start_write(s, "slot 0", 3));
    assert_false(ct_save_request_is_done(last));
    open_and_wait(s);
    expect_written(s, last, false);
    ct_save_request *const first = ct_save_service_read(s, "slot 0");
    ct_save_service_wait(s);
    expect_read(s, first, 3);
    ct_save_service_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SAVE_TEST(the_service_writes_and_reads_in_order),
        SAVE_TEST(a_write_that_waits_is_replaced_by_a_newer_one),
        SAVE_TEST(a_read_sees_what_was_saved_before_it),
        SAVE_TEST(the_queue_has_an_end),
        SAVE_TEST(a_full_queue_replaces),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
