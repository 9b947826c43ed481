// Call stacks of live blocks: the switch, the report, and what leak reports make of them.
#include "foundation/memory/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory_settings.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/memory/stack_table.h"
#include "foundation/os/os.h"
#include "support/allocator_model.h"
#include "support/test_support.h"

enum { ROUNDS = 100000 }; // of a slice

// Functions that show in the reports by name.
__attribute__((noinline)) static void *take_a_crate(ct_allocator *a) {
    void *volatile p = ct_alloc(a, 100);
    return p;
}

__attribute__((noinline)) static void *take_a_house(ct_allocator *a) {
    void *volatile p = ct_alloc(a, 5000);
    return p;
}

__attribute__((noinline)) static void take_crates(ct_allocator *a, void **crates, uint32_t count) {
    const volatile uint32_t wanted = count; // one call, not one for each round
    for (uint32_t i = 0; i < wanted; ++i)
        crates[i] = take_a_crate(a);
}

// The report, borrowed until the next.
static const char *report_of(const char *name) {
    static char kept[65536];
    ct_string_builder text;
    ct_string_builder_init(&text, ct_memory_heap());
    ct_error error = {0};
    if (!ct_memory_trace_report(name, &text, &error))
        fail_msg("%s", error.message);
    strncpy(kept, ct_string_builder_text(&text), sizeof(kept) - 1);
    ct_string_builder_free(&text);
    return kept;
}

static void trace(const char *name, bool is_on) {
    ct_error error = {0};
    if (!ct_memory_trace(name, is_on, &error))
        fail_msg("%s", error.message);
}

static void tells_who_holds_what(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    void *const old = take_a_house(world); // before: not in the report
    trace("world", true);
    void *blocks[4] = {take_a_crate(world), take_a_house(world)};
    take_crates(world, &blocks[2], 2);
    const char *const report = report_of("world");
    assert_non_null(strstr(report, "5300 bytes in 4 blocks from "));
    const char *const house = strstr(report, "\n5000 bytes in 1 blocks from\n");
    const char *const crate = strstr(report, "\n200 bytes in 2 blocks from\n");
    assert_non_null(house);
    assert_true(crate > house); // larger ones first
    assert_non_null(strstr(house, "take_a_house"));
    assert_non_null(strstr(crate, "take_a_crate"));
    assert_non_null(strstr(crate, "take_crates"));
    assert_non_null(strstr(crate, "test_memory_trace.c:"));
    ct_free(world, blocks[1]);
    ct_free(world, old);
    assert_null(strstr(report_of("world"), "take_a_house"));
    ct_free(world, blocks[0]);
    ct_free_sized(world, blocks[2], 100);
    ct_free_sized(world, blocks[3], 100);
    assert_non_null(strstr(report_of("world"), "0 bytes in 0 blocks from 0 call stacks\n"));
    ct_proxy_allocator_destroy(world);
}

static void means_what_stands_on_an_allocator_too(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    ct_allocator *const physics = ct_proxy_allocator_create(world, "world/physics");
    trace("test_heap/world", true);
    ct_allocator *const sound = ct_proxy_allocator_create(world, "world/sound"); // made later
    void *const a = take_a_crate(physics);
    void *const b = take_a_house(sound);
    const char *const report = report_of("world");
    assert_non_null(strstr(report, "take_a_crate"));
    assert_non_null(strstr(report, "take_a_house"));
    assert_non_null(strstr(report, "ct_proxy_allocator_create")); // sound's own struct
    assert_non_null(strstr(report_of("world/physics"), "100 bytes in 1 blocks"));
    assert_non_null(strstr(report_of("heap/test_heap/world/physics"), "100 bytes in 1 blocks"));
    assert_non_null(strstr(report_of("sound"), "5000 bytes in 1 blocks"));
    ct_free(physics, a);
    ct_free(sound, b);
    ct_proxy_allocator_destroy(sound);
    ct_proxy_allocator_destroy(physics);
    ct_proxy_allocator_destroy(world);
}

static void can_be_switched_on_and_off(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    ct_error error = {0};
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    for (uint32_t i = 0; i < 3; ++i) {
        trace("world", true);
        void *const a = take_a_crate(world);
        assert_non_null(strstr(report_of("world"), "100 bytes in 1 blocks"));
        trace("world", false);
        void *const b = take_a_crate(world);
        assert_false(ct_memory_trace_report("world", &text, &error));
        assert_string_equal(error.message, "allocator \"world\" is not traced");
        trace("world", true);
        // Blocks that are checked anyway stay known.
        assert_non_null(strstr(report_of("world"), ct_memory_settings_checks_blocks()
                                                       ? "100 bytes in 1 blocks"
                                                       : "0 bytes in 0 blocks"));
        ct_free(world, b);
        trace("world", false);
        ct_free(world, a);
    }
    assert_string_equal(ct_string_builder_text(&text), "");
    ct_proxy_allocator_destroy(world);
}

static void names_the_allocators_there_are(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    ct_error error = {0};
    assert_false(ct_memory_trace("word", true, &error));
    assert_non_null(strstr(error.message, "unknown allocator \"word\"; the allocators are "));
    assert_non_null(strstr(error.message, "; the allocators are pages, heap, "));
    assert_non_null(strstr(error.message, "test_heap, test_heap/world"));
    assert_false(ct_memory_trace("trace", true, &error)); // holds the call stacks itself
    memset(&error, 0, sizeof(error));
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    assert_false(ct_memory_trace_report("orld", &text, &error)); // the end of a word is no name
    assert_non_null(strstr(error.message, "unknown allocator \"orld\""));
    assert_false(ct_memory_trace("", true, &error));
    ct_proxy_allocator_destroy(world);
}

static void agrees_with_a_model_while_traced(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    trace("world", true);
    test_allocator_model(
        &(test_allocator_model_desc){.allocator = world,
                                     .num_operations = test_rounds(ROUNDS, 1000000),
                                     .seed = 1,
                                     .max_live = 100,
                                     .min_bytes = 1,
                                     .max_bytes = 2000,
                                     .max_align = 128});
    assert_non_null(strstr(report_of("world"), "0 bytes in 0 blocks"));
    ct_proxy_allocator_destroy(world);
}

typedef struct switched_model {
    test_allocator_model_desc desc;
    atomic_bool is_done;
} switched_model;

static void run_model(void *user) {
    switched_model *const m = user;
    test_allocator_model(&m->desc);
    atomic_store(&m->is_done, true);
}

static void can_be_switched_while_others_allocate(void **state) {
    (void)state;
    ct_allocator *const world = ct_proxy_allocator_create(test_heap(), "world");
    switched_model models[2];
    ct_thread threads[2];
    for (uint32_t i = 0; i < 2; ++i) {
        models[i].desc = (test_allocator_model_desc){.allocator = world,
                                                     .num_operations = ROUNDS,
                                                     .seed = 1 + i,
                                                     .max_live = 100,
                                                     .min_bytes = 1,
                                                     .max_bytes = 2000,
                                                     .is_shared = true};
        atomic_init(&models[i].is_done, false);
        threads[i] = ct_thread_start("model", run_model, &models[i]);
    }
    uint32_t num_reports = 0;
    while (!atomic_load(&models[0].is_done) || !atomic_load(&models[1].is_done)) {
        trace("world", num_reports++ % 2 == 0);
        ct_os_sleep_ns(2000000);
    }
    for (uint32_t i = 0; i < 2; ++i)
        ct_thread_join(threads[i]);
    trace("world", true);
    assert_non_null(strstr(report_of("world"), "0 bytes in 0 blocks from 0 call stacks"));
    assert_int_equal(ct_allocator_stats_of(world).live_bytes, 0);
    ct_proxy_allocator_destroy(world);
}

static void leak_traced(void *user) {
    ct_allocator *const world = ct_proxy_allocator_create(user, "world");
    ct_allocator *const physics = ct_proxy_allocator_create(world, "world/physics");
    trace("physics", true);
    (void)take_a_house(physics);
    ct_proxy_allocator_destroy(physics);
}

static void a_leak_report_has_the_call_stack(void **state) {
    (void)state;
    test_expect_death(
        leak_traced, test_heap(),
        "allocator \"test_heap/world/physics\" is destroyed but still holds 1 blocks, ");
    test_expect_death(leak_traced, test_heap(), "take_a_house");
}

static void leak_traced_by_environment(void *user) {
    (void)user;
    test_group_teardown(NULL);
    setenv("CUTTLE_MEMORY_TRACE", "sound,world/physics", 1);
    ct_memory_init();
    (void)take_a_house(ct_proxy_allocator_create(ct_memory_heap(), "other"));
    ct_allocator *const world = ct_proxy_allocator_create(ct_memory_heap(), "world");
    (void)take_a_crate(ct_proxy_allocator_create(world, "physics"));
    CT_ASSERT(false, "%s", report_of("world"));
}

static void the_environment_traces_from_the_start(void **state) {
    (void)state;
    test_expect_death(leak_traced_by_environment, NULL, "100 bytes in 1 blocks from 1 call stacks");
}

static void keeps_each_call_stack_once(void **state) {
    (void)state;
    uint64_t frames[CT_STACK_TABLE_FRAMES] = {0};
    uint32_t numbers[3000];
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i) {
        frames[i % 7] = 1000 + i;
        frames[0] = i;
        numbers[i] = ct_stack_table_add(frames, 1 + i % 7);
        assert_int_equal(ct_stack_table_add(frames, 1 + i % 7), numbers[i]);
    }
    for (uint32_t i = 1; i < CT_COUNT_OF(numbers); ++i) {
        uint64_t found[CT_STACK_TABLE_FRAMES];
        assert_int_equal(ct_stack_table_get(numbers[i], found), 1 + i % 7);
        assert_int_equal(found[0], i);
        assert_true(numbers[i] > numbers[i - 1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_who_holds_what),
        cmocka_unit_test(means_what_stands_on_an_allocator_too),
        cmocka_unit_test(can_be_switched_on_and_off),
        cmocka_unit_test(names_the_allocators_there_are),
        cmocka_unit_test(agrees_with_a_model_while_traced),
        cmocka_unit_test(can_be_switched_while_others_allocate),
        cmocka_unit_test(a_leak_report_has_the_call_stack),
        cmocka_unit_test(the_environment_traces_from_the_start),
        cmocka_unit_test(keeps_each_call_stack_once),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
