// The expected values were computed by a separate implementation that gives the verification values
// published with SMHasher (MurmurHash2 0x27864c1e, MurmurHash64A 0x1f0d3804).
#include "foundation/string/string_id.h"

#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

typedef struct vector {
    const char *text;
    uint32_t id32;
    uint64_t id64;
} vector;

static void hashes_known_strings(void **state) {
    (void)state;
    const vector vectors[] = {
        {"", 0x00000000, UINT64_C(0x0000000000000000)},
        {"a", 0x92685f5e, UINT64_C(0x071717d2d36b6b11)},
        {"ab", 0x1aa14063, UINT64_C(0x62be85b2fe53d1f8)},
        {"abc", 0x13577c9b, UINT64_C(0x9cc9c33498a95efb)},
        {"abcd", 0x26873021, UINT64_C(0xec1044c45cc5097a)},
        {"root_point", 0x5e43bd96, UINT64_C(0xde542da9cf3a5a5e)},
        {"unit", 0x516224cf, UINT64_C(0xe0a48d0be9a7453f)},
        {"texture", 0x0deed4f7, UINT64_C(0xcd4238c6a0c69e32)},
        {"units/crate", 0x6df920fb, UINT64_C(0x5fc5fb348d6c7327)},
        {"Position", 0xe64c665b, UINT64_C(0x3c52e3a1cb90e8d5)},
        {"The quick brown fox jumps over the lazy dog", 0x212729d0, UINT64_C(0x5589ca33042a861b)},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(vectors); ++i) {
        assert_int_equal(ct_string_id32_of(vectors[i].text).value, vectors[i].id32);
        assert_true(ct_string_id64_of(vectors[i].text).value == vectors[i].id64);
    }
}

// Every tail length, bytes over 127 and zero bytes, at every position of a word in memory.
static void hashes_bytes_of_any_length_at_any_address(void **state) {
    (void)state;
    char buffer[64 + 8];
    for (uint32_t shift = 0; shift < 8; ++shift) {
        for (uint32_t i = 0; i < 64; ++i)
            buffer[shift + i] = (char)(i * 37 + 200);
        uint32_t all32 = 0;
        uint64_t all64 = 0;
        for (uint32_t length = 0; length <= 64; ++length) {
            all32 = all32 * 31 + ct_string_id32_of_bytes(buffer + shift, length).value;
            all64 = all64 * 31 + ct_string_id64_of_bytes(buffer + shift, length).value;
        }
        assert_int_equal(all32, 0x49882ab9);
        assert_true(all64 == UINT64_C(0x6d276428ba378aa2));
    }
}

static void stops_at_the_given_length(void **state) {
    (void)state;
    assert_int_equal(ct_string_id32_of_bytes("root_points", 10).value, 0x5e43bd96);
    assert_true(ct_string_id64_of_bytes("units", 4).value == UINT64_C(0xe0a48d0be9a7453f));
    assert_int_not_equal(ct_string_id32_of_bytes("a\0b", 3).value,
                         ct_string_id32_of_bytes("a\0c", 3).value);
}

// --- Literals ------------------------------------------------------------------------------------

static void literals_are_the_ids_of_their_texts(void **state) {
    (void)state;
    assert_int_equal(CT_ID32("root_point", 0x5e43bd96).value, 0x5e43bd96);
    assert_true(CT_ID64("root_point", 0xde542da9cf3a5a5e).value == 0xde542da9cf3a5a5e);
}

static void wrong_literal_32(void *user) {
    (void)user;
    ct_string_id32_checked("root_point", 0x5e43bd97, "crate.c", 12);
}

static void wrong_literal_64(void *user) {
    (void)user;
    ct_string_id64_checked("root_point", 1, "crate.c", 12);
}

static void wrong_literals_are_a_bug(void **state) {
    (void)state;
    test_expect_death(wrong_literal_32, NULL,
                      "CT_ID32(\"root_point\", 0x5e43bd97): expected 0x5e43bd96");
    test_expect_death(wrong_literal_32, NULL, "crate.c:12");
    test_expect_death(wrong_literal_64, NULL, "expected 0xde542da9cf3a5a5e");
}

// --- Names ---------------------------------------------------------------------------------------

static void registered_ids_have_names(void **state) {
    (void)state;
    assert_int_equal(ct_string_id32_register("left_hand").value,
                     ct_string_id32_of("left_hand").value);
    assert_string_equal(ct_string_id32_name(ct_string_id32_of("left_hand")), "left_hand");
    assert_true(ct_string_id64_register("units/lamp").value ==
                ct_string_id64_of("units/lamp").value);
    assert_string_equal(ct_string_id64_name(ct_string_id64_of("units/lamp")), "units/lamp");
    ct_string_id32_register_bytes("right_hands", 10);
    assert_string_equal(ct_string_id32_name(ct_string_id32_of("right_hand")), "right_hand");
    // Hashing alone keeps nothing, and the two widths know nothing of each other.
    char text[16];
    snprintf(text, sizeof(text), "#%08x", ct_string_id32_of("units/lamp").value);
    assert_string_equal(ct_string_id32_name(ct_string_id32_of("units/lamp")), text);
}

static void unknown_ids_show_their_digits(void **state) {
    (void)state;
    assert_string_equal(ct_string_id32_name((ct_string_id32){0xab}), "#000000ab");
    assert_string_equal(ct_string_id64_name((ct_string_id64){0xab}), "#00000000000000ab");
    const char *names[8];
    for (uint32_t i = 0; i < 8; ++i)
        names[i] = ct_string_id32_name((ct_string_id32){i});
    assert_string_equal(names[0], "#00000000"); // eight of them hold at a time
    assert_string_equal(names[7], "#00000007");
}

static void names_stay_where_they_are(void **state) {
    (void)state;
    ct_string_id32_register("first");
    const char *const first = ct_string_id32_name(ct_string_id32_of("first"));
    char text[32];
    for (uint32_t i = 0; i < 20000; ++i) {
        snprintf(text, sizeof(text), "many_%u", i);
        ct_string_id32_register(text);
    }
    assert_ptr_equal(ct_string_id32_name(ct_string_id32_of("first")), first);
    for (uint32_t i = 0; i < 20000; ++i) {
        snprintf(text, sizeof(text), "many_%u", i);
        assert_string_equal(ct_string_id32_name(ct_string_id32_of(text)), text);
    }
}

static char logged[4096];

static void keep_log(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    const size_t length = strlen(logged);
    snprintf(logged + length, sizeof(logged) - length, "%s\n", message);
}

static void two_texts_with_one_id_are_a_warning(void **state) {
    (void)state;
    const ct_log_sink sink = {.write = keep_log, .least = CT_LOG_LEVEL_WARNING};
    ct_log_add_sink(&sink);
    logged[0] = '\0';
    ct_string_id32_register("node_a1e87612");
    ct_string_id32_register("node_a1e87612");
    assert_string_equal(logged, "");
    const ct_string_id32 id = ct_string_id32_register("node_ab7114c4");
    ct_log_remove_sink(keep_log, NULL);
    assert_int_equal(id.value, 0x1c6d2963);
    assert_non_null(strstr(logged,
                           "\"node_a1e87612\" and \"node_ab7114c4\" have the same 32-bit id "
                           "1c6d2963 [string_id_collision]"));
    assert_string_equal(ct_string_id32_name(id), "node_a1e87612"); // the first stays
}

static void odd_texts_are_hashed_but_not_kept(void **state) {
    (void)state;
    char text[CT_STRING_ID_MAX_NAME_BYTES + 2];
    memset(text, 'x', sizeof(text));
    text[CT_STRING_ID_MAX_NAME_BYTES + 1] = '\0';
    const ct_string_id32 too_long = ct_string_id32_register(text);
    assert_int_equal(too_long.value, ct_string_id32_of(text).value);
    assert_true(ct_string_id32_name(too_long)[0] == '#');
    text[CT_STRING_ID_MAX_NAME_BYTES] = '\0';
    assert_string_equal(ct_string_id32_name(ct_string_id32_register(text)), text);
    assert_true(ct_string_id32_name(ct_string_id32_register("a\nb"))[0] == '#');
    assert_true(ct_string_id32_name(ct_string_id32_register_bytes("a\0b", 3))[0] == '#');
    assert_int_equal(ct_string_id32_register("").value, 0);
}

static void find_string_ids(void *user, const char *name, uint32_t depth,
                            ct_allocator_stats stats) {
    (void)depth;
    if (strcmp(name, "string_ids") == 0)
        *(uint64_t *)user = stats.live_bytes;
}

// Last, for it fills the registry.
static void a_flood_of_names_is_bounded(void **state) {
    (void)state;
    char text[64];
    uint64_t full_bytes = 0, bytes = 0;
    for (uint32_t i = 0; i < 2 * CT_STRING_ID_MAX_NAMES; ++i) {
        snprintf(text, sizeof(text), "flood_of_names_that_are_somewhat_long_%u", i);
        ct_string_id64_register(text);
        if (i == CT_STRING_ID_MAX_NAMES)
            ct_memory_visit(find_string_ids, &full_bytes);
    }
    ct_memory_visit(find_string_ids, &bytes);
    assert_true(bytes > 0 && bytes == full_bytes && bytes < 32u << 20);
    assert_int_equal(ct_log_warning_count("string_ids_full"), 1);
    assert_int_equal(ct_string_id64_register(text).value, ct_string_id64_of(text).value);
    assert_true(ct_string_id64_name(ct_string_id64_of(text))[0] == '#');
}

enum { NUM_THREADS = 4, NUM_SHARED = 4000, NUM_CROWDED = 400, NUM_ROUNDS = 200 };

static void register_many(void *data) {
    uint32_t random = *(uint32_t *)data;
    for (uint32_t i = 0; i < 4 * NUM_SHARED; ++i) {
        char text[32];
        snprintf(text, sizeof(text), "shared_%u", test_random(&random) % NUM_SHARED);
        const ct_string_id32 id = ct_string_id32_register(text);
        if (strcmp(ct_string_id32_name(id), text) != 0)
            return;
    }
    *(uint32_t *)data = 0; // all was right
}

static void run_threads(void (*run)(void *data)) {
    uint32_t seeds[NUM_THREADS];
    ct_thread threads[NUM_THREADS];
    for (uint32_t i = 0; i < NUM_THREADS; ++i) {
        seeds[i] = i + 1;
        threads[i] = ct_thread_start("names", run, &seeds[i]);
    }
    for (uint32_t i = 0; i < NUM_THREADS; ++i) {
        ct_thread_join(threads[i]);
        assert_int_equal(seeds[i], 0);
    }
}

static void threads_register_and_read_at_once(void **state) {
    (void)state;
    run_threads(register_many);
}

// Each thread has texts of its own: one that looks for a slot sees others take it.
static void register_crowded(void *data) {
    const uint32_t thread = *(uint32_t *)data;
    for (uint32_t i = 0; i < NUM_CROWDED; ++i) {
        char text[32];
        snprintf(text, sizeof(text), "crowded_%u_%u", thread, i);
        const ct_string_id32 id = ct_string_id32_of(text);
        const char *const before = ct_string_id32_name(id);
        if (before[0] != '#')
            return;
        ct_string_id32_register(text);
        if (strcmp(ct_string_id32_name(id), text) != 0)
            return;
    }
    *(uint32_t *)data = 0;
}

static void threads_that_crowd_a_table_see_their_own(void **state) {
    (void)state;
    const uint64_t warnings = ct_log_warning_count("string_id_collision");
    for (uint32_t i = 0; i < NUM_ROUNDS; ++i) {
        ct_string_id_registry_shutdown();
        ct_string_id_registry_init(ct_memory_heap());
        run_threads(register_crowded);
    }
    assert_int_equal(ct_log_warning_count("string_id_collision"), warnings);
}

static void without_a_registry_ids_have_digits_only(void **state) {
    (void)state;
    ct_string_id_registry_shutdown();
    const ct_string_id32 id = ct_string_id32_register("left_hand");
    char text[16];
    snprintf(text, sizeof(text), "#%08x", id.value);
    assert_string_equal(ct_string_id32_name(id), text);
    ct_string_id_registry_init(ct_memory_heap());
    assert_string_equal(ct_string_id32_name(id), text);
    ct_string_id32_register("left_hand");
    assert_string_equal(ct_string_id32_name(id), "left_hand");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_known_strings),
        cmocka_unit_test(hashes_bytes_of_any_length_at_any_address),
        cmocka_unit_test(stops_at_the_given_length),
        cmocka_unit_test(literals_are_the_ids_of_their_texts),
        cmocka_unit_test(wrong_literals_are_a_bug),
        cmocka_unit_test(registered_ids_have_names),
        cmocka_unit_test(unknown_ids_show_their_digits),
        cmocka_unit_test(names_stay_where_they_are),
        cmocka_unit_test(two_texts_with_one_id_are_a_warning),
        cmocka_unit_test(odd_texts_are_hashed_but_not_kept),
        cmocka_unit_test(threads_register_and_read_at_once),
        cmocka_unit_test(threads_that_crowd_a_table_see_their_own),
        cmocka_unit_test(without_a_registry_ids_have_digits_only),
        cmocka_unit_test(a_flood_of_names_is_bounded),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
