// Which worker gets a job.
#include "compiler/project_support.h"

#include "compiler/driver/compiler_workers.h"
#include "compiler/protocol/compiler_protocol.h"

static ct_worker_pool *start_pool(uint32_t num_workers) {
    write_text(test_scratch_folder(), "a.lua", "return 1");
    return ct_worker_pool_create(test_heap(), worker_path(), num_workers, 60);
}

static void submit(ct_worker_pool *pool, ct_worker_need need, uint32_t job) {
    const ct_compile_request request = {.type = "lua",
                                        .name = "a",
                                        .path = "a.lua",
                                        .project_folder = test_scratch_folder(),
                                        .platform = "linux"};
    ct_byte_array message;
    ct_error error = {0};
    ct_array_init(&message, test_heap());
    ct_compile_request_write(&request, 1, &message);
    assert_true(ct_worker_pool_has_room(pool, need));
    if (!ct_worker_pool_submit(pool, need, &job, 1, &message, &error))
        fail_msg("%s", error.message);
    ct_array_free(&message);
}

// Takes `count` answers; returns the sum of their jobs.
static uint32_t take(ct_worker_pool *pool, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        ct_worker_outcome outcome;
        assert_true(ct_worker_pool_next(pool, &outcome, NULL));
        assert_true(outcome.has_answer);
        sum += outcome.job;
    }
    return sum;
}

static void jobs_with_tables_go_to_the_worker_that_has_them(void **state) {
    (void)state;
    ct_worker_pool *const pool = start_pool(2);
    assert_false(ct_worker_pool_are_tables_taken(pool));
    submit(pool, CT_WORKER_NEED_IDLE, 1);
    submit(pool, CT_WORKER_NEED_TABLES, 2);
    assert_true(ct_worker_pool_are_tables_taken(pool));
    assert_int_equal(take(pool, 2), 3);
    for (uint32_t i = 0; i < 8; ++i) { // both are idle: in the other one they would not be taken
        assert_false(ct_worker_pool_are_tables_taken(pool));
        submit(pool, CT_WORKER_NEED_TABLES, i);
        assert_true(ct_worker_pool_are_tables_taken(pool));
        assert_int_equal(take(pool, 1), i);
    }
    ct_worker_pool_destroy(pool);
}

static void jobs_with_tables_do_not_wait_for_that_worker(void **state) {
    (void)state;
    ct_worker_pool *const pool = start_pool(2);
    submit(pool, CT_WORKER_NEED_TABLES, 1);
    submit(pool, CT_WORKER_NEED_TABLES, 2);
    assert_false(ct_worker_pool_has_room(pool, CT_WORKER_NEED_TABLES));
    assert_true(ct_worker_pool_are_tables_taken(pool));
    assert_int_equal(take(pool, 1) + take(pool, 1), 3);
    assert_false(ct_worker_pool_are_tables_taken(pool));
    ct_worker_pool_destroy(pool);
}

static void tables_end_with_their_worker(void **state) {
    (void)state;
    ct_worker_pool *const pool = start_pool(1);
    submit(pool, CT_WORKER_NEED_TABLES, 1);
    assert_true(ct_worker_pool_are_tables_taken(pool));
    ct_worker_pool_abort(pool);
    assert_false(ct_worker_pool_are_tables_taken(pool));
    submit(pool, CT_WORKER_NEED_ANY, 2);
    assert_false(ct_worker_pool_are_tables_taken(pool));
    assert_int_equal(take(pool, 1), 2);
    ct_worker_pool_destroy(pool);
}

static void nobody_waits_behind_what_may_take_long(void **state) {
    (void)state;
    ct_worker_pool *const pool = start_pool(1);
    submit(pool, CT_WORKER_NEED_ANY, 1);
    assert_true(ct_worker_pool_has_room(pool, CT_WORKER_NEED_ANY));
    assert_false(ct_worker_pool_has_room(pool, CT_WORKER_NEED_IDLE));
    assert_int_equal(take(pool, 1), 1);
    submit(pool, CT_WORKER_NEED_TABLES, 2);
    assert_false(ct_worker_pool_has_room(pool, CT_WORKER_NEED_ANY));
    assert_int_equal(take(pool, 1), 2);
    ct_worker_pool_destroy(pool);
}

// The processes that this one has started and that still run.
static uint32_t num_children(void) {
    char command[96];
    const char *const arguments[] = {"/bin/sh", "-c", command, NULL};
    snprintf(command, sizeof(command), "exit $(cat /proc/%llu/task/*/children | wc -w)",
             (unsigned long long)ct_os_process_id());
    const ct_process process = ct_process_start(&(ct_process_desc){.arguments = arguments}, NULL);
    const int count = ct_process_wait(process);
    assert_true(count >= 1); // the shell
    return (uint32_t)count - 1;
}

static void as_many_are_prepared_as_will_have_work(void **state) {
    (void)state;
    ct_worker_pool *const pool = start_pool(3);
    ct_worker_pool_prepare(pool, 0);
    assert_int_equal(num_children(), 0);
    ct_worker_pool_prepare(pool, 1);
    assert_int_equal(num_children(), 1);
    ct_worker_pool_prepare(pool, 1);
    assert_int_equal(num_children(), 1);
    ct_worker_pool_prepare(pool, 10000);
    assert_int_equal(num_children(), 3);
    submit(pool, CT_WORKER_NEED_ANY, 5);
    assert_int_equal(take(pool, 1), 5);
    ct_worker_pool_destroy(pool);
    assert_int_equal(num_children(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_with_tables_go_to_the_worker_that_has_them),
        cmocka_unit_test(jobs_with_tables_do_not_wait_for_that_worker),
        cmocka_unit_test(tables_end_with_their_worker),
        cmocka_unit_test(nobody_waits_behind_what_may_take_long),
        cmocka_unit_test(as_many_are_prepared_as_will_have_work),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
