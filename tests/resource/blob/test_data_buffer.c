#include "resource/blob/data_buffer.h"

#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

static uint32_t memory[CT_DATA_MAX_BYTES / 4], other[CT_DATA_MAX_BYTES / 4];

static ct_data_key key(const char *name) {
    return ct_data_key_of_id(ct_string_id32_of(name));
}

static ct_data_value text(const char *s) {
    return ct_data_string(s, (uint32_t)strlen(s));
}

// An empty buffer of so many bytes.
static ct_data_buffer *start(uint32_t bytes) {
    memset(memory, 0xee, sizeof(memory));
    ct_data_buffer *const b = (ct_data_buffer *)memory;
    ct_data_buffer_rebuild(&ct_data_buffer_empty, (ct_data_key){0}, (ct_data_value){0}, b, bytes);
    assert_int_equal(ct_data_buffer_bytes(b), bytes);
    return b;
}

static void assert_sound(const ct_data_buffer *b) {
    ct_error error = {0};
    if (!ct_data_buffer_check(b, ct_data_buffer_bytes(b), &error))
        fail_msg("%s", error.message);
}

static void assert_text(const ct_data_buffer *b, ct_data_key k, const char *expected) {
    const ct_data_value v = ct_data_buffer_get(b, k);
    assert_int_equal(v.type, CT_DATA_TYPE_STRING);
    assert_int_equal(v.count, strlen(expected));
    assert_string_equal(v.text, expected);
}

static void hashes_sub_keys_apart_and_then_together(void **state) {
    (void)state;
    const char *const stats_health[] = {"stats", "health"}, *const health_stats[] = {"health",
                                                                                     "stats"};
    const char *const abc[] = {"a", "b", "c"};
    assert_int_equal(ct_data_key_of(stats_health + 1, 1).hash, 0x314ed53b);
    assert_int_equal(ct_data_key_of(stats_health + 1, 1).hash, ct_string_id32_of("health").value);
    assert_int_equal(ct_data_key_of(stats_health, 2).hash, 0x0c3029aa);
    assert_int_equal(ct_data_key_of(abc, 3).hash, 0x966d9c49);
    assert_int_not_equal(ct_data_key_of(stats_health, 2).hash,
                         ct_data_key_of(health_stats, 2).hash);
    assert_int_not_equal(ct_data_key_of(stats_health, 2).hash,
                         ct_string_id32_of("stats.health").value);
}

static void gives_back_what_was_set(void **state) {
    (void)state;
    ct_data_buffer *const b = start(256);
    const float path[3] = {1, 2.5f, -3};
    assert_true(ct_data_buffer_set(b, key("health"), ct_data_float(100)));
    assert_true(ct_data_buffer_set(b, key("drunk"), ct_data_bool(true)));
    assert_true(ct_data_buffer_set(b, key("name"), text("The One")));
    assert_true(ct_data_buffer_set(b, key("path"), ct_data_floats(path, 3)));
    assert_true(ct_data_buffer_set(b, key("nothing"), text("")));
    assert_true(ct_data_buffer_set(b, key("nowhere"), ct_data_floats(NULL, 0)));
    assert_int_equal(b->num_keys, 6);
    assert_true(ct_data_buffer_get(b, key("health")).number == 100);
    assert_true(ct_data_buffer_get(b, key("drunk")).boolean);
    assert_text(b, key("name"), "The One");
    assert_text(b, key("nothing"), "");
    const ct_data_value v = ct_data_buffer_get(b, key("path"));
    assert_int_equal(v.type, CT_DATA_TYPE_FLOATS);
    assert_int_equal(v.count, 3);
    assert_memory_equal(v.numbers, path, sizeof(path));
    assert_int_equal(ct_data_buffer_get(b, key("nowhere")).type, CT_DATA_TYPE_FLOATS);
    assert_int_equal(ct_data_buffer_get(b, key("nowhere")).count, 0);
    assert_int_equal(ct_data_buffer_get(b, key("mana")).type, CT_DATA_TYPE_NONE);
    assert_sound(b);
}

static void changes_types(void **state) {
    (void)state;
    ct_data_buffer *const b = start(128);
    const float numbers[2] = {1, 2};
    const ct_data_value values[] = {ct_data_bool(false), text("abc"), ct_data_float(1),
                                    ct_data_floats(numbers, 2), ct_data_bool(true)};
    for (uint32_t i = 0; i < CT_COUNT_OF(values); ++i) {
        assert_true(ct_data_buffer_set(b, key("a"), values[i]));
        assert_int_equal(ct_data_buffer_get(b, key("a")).type, values[i].type);
        assert_sound(b);
    }
    assert_int_equal(b->num_keys, 1);
    assert_int_equal(b->hole_words, 3); // of "abc" and the two numbers
}

static void has_the_same_places_whatever_the_order(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    uint32_t first[CT_COUNT_OF(names)];
    ct_data_buffer *b = start(512);
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        assert_true(ct_data_buffer_set(b, key(names[i]), ct_data_float((float)i)));
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        first[i] = ct_data_buffer_place(b, key(names[i]));
    b = start(512);
    for (uint32_t i = CT_COUNT_OF(names); i-- > 0;)
        assert_true(ct_data_buffer_set(b, key(names[i]), ct_data_float((float)i)));
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        assert_int_equal(ct_data_buffer_place(b, key(names[i])), first[i]);
        assert_true(ct_data_buffer_value(b, first[i]).number == (float)i);
    }
}

static void keeps_a_string_in_its_place_while_it_fits(void **state) {
    (void)state;
    ct_data_buffer *const b = start(128);
    assert_true(ct_data_buffer_set(b, key("a"), text("a longer text")));
    const char *const at = ct_data_buffer_get(b, key("a")).text;
    assert_true(ct_data_buffer_set(b, key("a"), text("short")));
    assert_ptr_equal(ct_data_buffer_get(b, key("a")).text, at);
    assert_int_equal(b->hole_words, 2);
    assert_true(ct_data_buffer_set(b, key("a"), text("much longer than it was")));
    assert_true(ct_data_buffer_get(b, key("a")).text < at);
    assert_int_equal(b->hole_words, 4);
    assert_sound(b);
}

static void refuses_what_has_no_room(void **state) {
    (void)state;
    ct_data_buffer *const b = start(40);
    assert_true(ct_data_buffer_set(b, key("a"), text("1234567")));
    memcpy(other, memory, 40);
    assert_false(ct_data_buffer_set(b, key("a"), text("123456789012")));
    assert_false(ct_data_buffer_set(b, key("b"), text("1234")));
    assert_memory_equal(other, memory, 40);
    assert_int_equal(memory[10], 0xeeeeeeee);
    assert_true(ct_data_buffer_set(b, key("b"), ct_data_float(1))); // 8 + 2 * 4 + 4 + 2 * 4 + 8
    assert_false(ct_data_buffer_set(b, key("c"), ct_data_float(1)));
    assert_false(ct_data_buffer_set(b, key("a"), ct_data_string("", 1 << 16)));
    assert_int_equal(memory[10], 0xeeeeeeee);
    assert_sound(b);
}

static void removes_keys(void **state) {
    (void)state;
    ct_data_buffer *const b = start(256);
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        assert_true(ct_data_buffer_set(b, key(names[i]), text(names[i])));
    assert_false(ct_data_buffer_remove(b, key("g")));
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        assert_true(ct_data_buffer_remove(b, key(names[i])));
        assert_false(ct_data_buffer_remove(b, key(names[i])));
        for (uint32_t k = i + 1; k < CT_COUNT_OF(names); ++k)
            assert_text(b, key(names[k]), names[k]);
        assert_sound(b);
    }
    assert_int_equal(b->num_keys, 0);
    assert_int_equal(b->hole_words, 0); // nothing is left, so all is free
}

static void is_copied_without_some_places(void **state) {
    (void)state;
    for (uint32_t removed = 0; removed < 1 << 6; ++removed) { // each set of six keys
        ct_data_buffer *b = start(256);
        for (uint32_t k = 0; k < 6; ++k)
            ct_data_buffer_set(b, (ct_data_key){k * 10},
                               k == 3 ? text("three") : ct_data_float((float)k));
        uint32_t places[6], n = 0;
        for (uint32_t k = 0; k < 6; ++k) {
            if (removed >> k & 1)
                places[n++] = k;
        }
        const uint32_t bytes = (uint32_t)ct_data_buffer_needed_bytes(
            b, (ct_data_key){0}, (ct_data_value){0}, -(int32_t)(n - (removed >> 3 & 1)));
        memset(other, 0xee, sizeof(other));
        ct_data_buffer_copy_without(b, places, n, (ct_data_buffer *)other, bytes);
        b = (ct_data_buffer *)other;
        assert_sound(b);
        assert_int_equal(b->num_keys, 6 - n);
        for (uint32_t i = b->num_keys; i % 4 != 0; ++i)
            assert_int_equal(ct_data_buffer_types(b)[i], 0); // up to a whole word
        for (uint32_t k = 0; k < 6; ++k) {
            const ct_data_value v = ct_data_buffer_get(b, (ct_data_key){k * 10});
            if (removed >> k & 1)
                assert_int_equal(v.type, CT_DATA_TYPE_NONE);
            else if (k == 3)
                assert_text(b, (ct_data_key){30}, "three");
            else
                assert_true(v.type == CT_DATA_TYPE_FLOAT && v.number == (float)k);
        }
    }
}

static void is_rebuilt_without_holes(void **state) {
    (void)state;
    ct_data_buffer *const b = start(256), *const to = (ct_data_buffer *)other;
    assert_true(ct_data_buffer_set(b, key("a"), text("to be replaced by another")));
    assert_true(ct_data_buffer_set(b, key("b"), text("stays")));
    assert_true(ct_data_buffer_set(b, key("c"), text("goes")));
    assert_true(ct_data_buffer_remove(b, key("c")));
    const ct_data_value value = text("more");
    const uint64_t needed = ct_data_buffer_needed_bytes(b, key("a"), value, 0);
    assert_int_equal(needed, 8 + 8 + 4 + 8 + 8 + 8 + 4); // "more" and "stays" take 2 words; up to 8
    ct_data_buffer_rebuild(b, key("a"), value, to, (uint32_t)needed);
    assert_text(to, key("a"), "more");
    assert_text(to, key("b"), "stays");
    assert_int_equal(to->num_keys, 2);
    assert_int_equal(to->hole_words, 0);
    assert_int_equal(ct_data_buffer_bytes(to), needed);
    assert_sound(to);
}

static void takes_values_of_its_own(void **state) {
    (void)state;
    ct_data_buffer *const b = start(256), *const to = (ct_data_buffer *)other;
    assert_true(ct_data_buffer_set(b, key("a"), text("a text")));
    assert_true(ct_data_buffer_set(b, key("b"), ct_data_buffer_get(b, key("a"))));
    assert_text(b, key("b"), "a text");
    ct_data_value tail = ct_data_buffer_get(b, key("a"));
    tail.text += 2;
    tail.count -= 2;
    assert_true(ct_data_buffer_set(b, key("a"), tail));
    assert_text(b, key("a"), "text");
    ct_data_buffer_rebuild(b, key("c"), ct_data_buffer_get(b, key("b")), to, 128);
    assert_text(to, key("c"), "a text");
}

static void says_what_is_too_large(void **state) {
    (void)state;
    ct_data_buffer *const b = start(CT_DATA_MAX_BYTES);
    assert_true(ct_data_buffer_set(b, key("a"), ct_data_string((const char *)other, 65500)));
    assert_sound(b);
    assert_true(ct_data_buffer_needed_bytes(b, key("b"), ct_data_float(0), 0) <= CT_DATA_MAX_BYTES);
    assert_true(ct_data_buffer_needed_bytes(b, key("b"), text("abcdefghijklmnopqr"), 0) >
                CT_DATA_MAX_BYTES);
    assert_true(ct_data_buffer_needed_bytes(b, key("a"), ct_data_string("", UINT32_MAX), 0) >
                CT_DATA_MAX_BYTES);
    assert_true(ct_data_buffer_needed_bytes(b, key("a"), ct_data_floats(NULL, UINT32_MAX), 0) >
                CT_DATA_MAX_BYTES);
}

static void holds_as_many_keys_as_fit(void **state) {
    (void)state;
    ct_data_buffer *const b = start(CT_DATA_MAX_BYTES);
    uint32_t count = 0;
    while (ct_data_buffer_set(b, (ct_data_key){count * 2654435761u}, ct_data_float((float)count)))
        ++count;
    assert_int_equal(count, 7280); // 9 bytes each beside the 8 of the head
    for (uint32_t i = 0; i < count; ++i)
        assert_true(ct_data_buffer_get(b, (ct_data_key){i * 2654435761u}).number == (float)i);
    assert_sound(b);
}

// --- Data from outside ---------------------------------------------------------------------------

static ct_data_buffer *start_example(void) {
    ct_data_buffer *const b = start(128);
    const float path[3] = {1, 2, 3};
    assert_true(ct_data_buffer_set(b, (ct_data_key){1}, ct_data_bool(true)));
    assert_true(ct_data_buffer_set(b, (ct_data_key){2}, text("text")));
    assert_true(ct_data_buffer_set(b, (ct_data_key){3}, ct_data_floats(path, 3)));
    return b;
}

static void assert_refused(uint32_t bytes, const char *expected) {
    ct_error error = {0};
    assert_false(ct_data_buffer_check(memory, bytes, &error));
    if (!strstr(error.message, expected))
        fail_msg("expected \"%s\", got \"%s\"", expected, error.message);
    assert_false(ct_data_buffer_check(memory, bytes, NULL));
}

static void refuses_what_is_no_buffer(void **state) {
    (void)state;
    ct_data_buffer *b = start_example();
    assert_sound(b);
    assert_refused(124, "found 124 bytes of data; expected the size that the data state");
    assert_refused(4, "4 bytes of data");
    b->num_keys = 20;
    assert_refused(128, "20 keys and values from word");
    b = start_example();
    b->values_word = 33;
    assert_refused(128, "from word 33 on do not fit in 32 words");
    b = start_example();
    b->hole_words = 1;
    assert_refused(128, "values and holes take 6 words, expected 5");
    b = start_example();
    b->words[1] = 1;
    assert_refused(128, "key 1: expected more than 0x00000001, got 0x00000001");
    b = start_example();
    b->words[3] = 0x00000301; // types: the bytes 1, 3, 4
    assert_refused(128, "value 2: unknown type 0");
    b = start_example();
    b->words[3] = 0x00040305;
    assert_refused(128, "value 0: unknown type 5");
    b = start_example();
    b->words[4] = 2; // the bool
    assert_refused(128, "value 0: expected 0 or 1, got 2");
}

static void refuses_values_outside(void **state) {
    (void)state;
    ct_data_buffer *b = start_example();
    b->words[5] = 124 | 4u << 16; // the text ends behind the end
    assert_refused(128, "value 1: 4 bytes at 124; expected whole values within 108 to 128");
    b = start_example();
    b->words[5] = 104 | 4u << 16; // it begins in the free room
    assert_refused(128, "value 1: 4 bytes at 104");
    b = start_example();
    b->words[5] = 121 | 4u << 16;
    assert_refused(128, "value 1: 4 bytes at 121");
    b = start_example();
    b->words[6] = 108 | 11u << 16; // not whole numbers
    assert_refused(128, "value 2: 11 bytes at 108");
    b = start_example();
    ((char *)b)[124] = 'x';
    assert_refused(128, "value 1: the text is not terminated");
}

static void is_turned_to_the_other_byte_order(void **state) {
    (void)state;
    ct_data_buffer *const b = start_example();
    ct_data_buffer_swap_bytes(b);
    assert_int_equal(memory[2], 0x01000000);
    assert_int_equal(b->num_words, 0x2000);
    assert_memory_equal((const char *)b + 120, "text", 5);
    float number;
    const uint32_t two = __builtin_bswap32(memory[28]);
    memcpy(&number, &two, sizeof(number));
    assert_true(number == 2);
    assert_int_equal(((const uint8_t *)b)[8 + 12], CT_DATA_TYPE_BOOL);
    assert_int_equal(__builtin_bswap32(memory[2 + 3 + 1 + 1]), 120 | 4u << 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_sub_keys_apart_and_then_together),
        cmocka_unit_test(gives_back_what_was_set),
        cmocka_unit_test(changes_types),
        cmocka_unit_test(has_the_same_places_whatever_the_order),
        cmocka_unit_test(keeps_a_string_in_its_place_while_it_fits),
        cmocka_unit_test(refuses_what_has_no_room),
        cmocka_unit_test(removes_keys),
        cmocka_unit_test(is_copied_without_some_places),
        cmocka_unit_test(is_rebuilt_without_holes),
        cmocka_unit_test(takes_values_of_its_own),
        cmocka_unit_test(says_what_is_too_large),
        cmocka_unit_test(holds_as_many_keys_as_fit),
        cmocka_unit_test(refuses_what_is_no_buffer),
        cmocka_unit_test(refuses_values_outside),
        cmocka_unit_test(is_turned_to_the_other_byte_order),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
