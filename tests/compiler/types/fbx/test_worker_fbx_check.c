// The connections of FBX files that Assimp would follow for ever are found in whatever form they
// stand; those that it takes stay allowed.
#include "compiler/types/fbx/worker_fbx_check.h"

#include <stdio.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "support/test_support.h"

static bool check(const char *bytes, uint64_t size, ct_error *error) {
    CT_TEMP_ALLOCATOR(temp, test_heap());
    ct_worker_fbx_records records;
    return ct_worker_fbx_records_read(temp, bytes, size, &records, error) &&
           ct_worker_fbx_check(temp, &records, error);
}

static void expect_text(const char *connections, const char *message) {
    char text[1024];
    ct_error error = {0};
    snprintf(text, sizeof(text), "; FBX 7.3.0 project file\nConnections:  {\n%s\n}\n", connections);
    const bool is_fine = check(text, strlen(text), &error);
    if (is_fine != !message)
        fail_msg("%s: %s", connections, is_fine ? "expected an error" : error.message);
    if (message)
        assert_string_equal(error.message, message);
}

static const char in_a_circle[] = "its objects are connected in a circle";

static void takes_scenes(void **state) {
    (void)state;
    expect_text("C: \"OO\",1,0\nC: \"OO\",10,1\nC: \"OO\",20,1", NULL);
    expect_text("C: \"OO\",1,0\nC: \"OP\",1,1,\"Lcl Translation\"", NULL); // not followed
    expect_text(";C: \"OO\",1,1", NULL);
    expect_text("", NULL);
}

static void finds_circles_in_text(void **state) {
    (void)state;
    expect_text("C: \"OO\",1,1", in_a_circle);
    expect_text("C: \"OO\",1,2\nC: \"OO\",2,3\nC: \"OO\",3,1", in_a_circle);
    expect_text("C: \"OO\",1x,1", in_a_circle); // Assimp takes what number there is
    expect_text("C: \"OO\",1 ; one\n ,\n 1", in_a_circle);
    expect_text("C:\n\"OO\",1\n1", in_a_circle); // a missing comma at a line's end
    expect_text("A: 1 C: \"OO\",1,1", in_a_circle);
    expect_text("C: \"OO\",1,0 C: \"OO\",1,1", in_a_circle);
    expect_text("} Connections: { C: \"OO\",1,1", in_a_circle);
    expect_text("C: \"OP\",1,1,\"\"", in_a_circle);
    expect_text("C: \"XX\",1,1", in_a_circle); // Assimp takes all but PP and OP for OO
    // Too large: 0, the scene.
    expect_text("C: \"OO\",1,0\nC: \"OO\",99999999999999999999,1", in_a_circle);
}

static void takes_broken_text(void **state) {
    (void)state;
    static const char *const broken[] = {"C",         "C:",     "C: \"OO",
                                         "C: \"OO\"", "C: ,,,", "C: \"OO\",,",
                                         "C: {",      "C: :",   "C: \"OO\",1,2,3,4,5,6",
                                         ":,{}\"",    "\""};
    for (size_t i = 0; i < CT_COUNT_OF(broken); ++i)
        expect_text(broken[i], NULL);
}

static void limits_nesting(void **state) {
    (void)state;
    char text[512] = "";
    for (int i = 0; i < 64; ++i)
        strcat(text, i == 10 ? "\na:{" : "a:{");
    ct_error error = {0};
    assert_true(check(text, strlen(text), &error));
    strcat(text, "a:{");
    assert_false(check(text, strlen(text), &error));
    assert_string_equal(error.message, "its records are nested more than 64 deep");
    assert_int_equal(error.line, 2);
}

static void limits_depth(void **state) {
    (void)state;
    ct_byte_array text;
    ct_error error = {0};
    ct_array_init(&text, test_heap());
    for (int i = 0; i < 20000; ++i) {
        char line[64];
        const int length = snprintf(line, sizeof(line), "C: \"OO\",%d,%d\n", i + 1, i);
        ct_array_push_many(&text, (const uint8_t *)line, (uint32_t)length);
    }
    ct_array_push(&text, 0);
    assert_false(check((const char *)text.items, text.count - 1, &error));
    assert_non_null(
        strstr(error.message, "its objects are connected 20000 deep, expected at most"));
    ct_array_free(&text);
}

// --- Binary files --------------------------------------------------------------------------------

static void add_number(ct_byte_array *b, uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i)
        ct_array_push(b, (uint8_t)(value >> (8 * i)));
}

static void add_bytes(ct_byte_array *b, const char *bytes, uint32_t count) {
    ct_array_push_many(b, (const uint8_t *)bytes, count);
}

static void add_string(ct_byte_array *b, const char *text) {
    add_bytes(b, "S", 1);
    add_number(b, strlen(text), 4);
    add_bytes(b, text, (uint32_t)strlen(text));
}

// A file whose Connections hold this one; `word` bytes an offset.
static ct_byte_array binary_file(uint32_t word, const char *kind, uint64_t child, uint64_t parent) {
    ct_byte_array b, c;
    ct_array_init(&b, test_heap());
    ct_array_init(&c, test_heap());
    add_string(&c, kind);
    add_bytes(&c, "L", 1);
    add_number(&c, child, 8);
    add_bytes(&c, "L", 1);
    add_number(&c, parent, 8);
    add_string(&c, "");
    add_bytes(&b, "Kaydara FBX Binary  \0\x1a\0", 23);
    add_number(&b, word == 8 ? 7500 : 7400, 4);
    const uint64_t children = b.count + 3 * word + 1 + 11;
    add_number(&b, children + 3 * word + 2 + c.count, word);
    add_number(&b, 0, word);
    add_number(&b, 0, word);
    add_number(&b, 11, 1);
    add_bytes(&b, "Connections", 11);
    add_number(&b, children + 3 * word + 2 + c.count, word);
    add_number(&b, 4, word);
    add_number(&b, c.count, word);
    add_number(&b, 1, 1);
    add_bytes(&b, "C", 1);
    add_bytes(&b, (const char *)c.items, c.count);
    ct_array_free(&c);
    return b;
}

static void expect_binary(const char *kind, uint64_t child, uint64_t parent, bool is_fine) {
    for (uint32_t word = 4; word <= 8; word += 4) {
        ct_byte_array b = binary_file(word, kind, child, parent);
        ct_error error = {0};
        assert_int_equal(check((const char *)b.items, b.count, &error), is_fine);
        if (!is_fine)
            assert_string_equal(error.message, in_a_circle);
        // Damage behind the magic does not make it a text file.
        b.items[20] = 'x';
        assert_int_equal(check((const char *)b.items, b.count, &error), is_fine);
        for (uint32_t size = 0; size < b.count; ++size) {
            ct_byte_array cut;
            ct_array_init(&cut, test_heap());
            ct_array_push_many(&cut, b.items, size);
            ct_array_push(&cut, 0);
            assert_true(check((const char *)cut.items, size, &error));
            ct_array_free(&cut);
        }
        ct_array_free(&b);
    }
}

static void finds_circles_in_binary_files(void **state) {
    (void)state;
    expect_binary("OO", 1, 0, true);
    expect_binary("OO", 7, 7, false);
    expect_binary("OP", 7, 7, false);
    expect_binary("PP", 7, 7, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_scenes),      cmocka_unit_test(finds_circles_in_text),
        cmocka_unit_test(takes_broken_text), cmocka_unit_test(limits_nesting),
        cmocka_unit_test(limits_depth),      cmocka_unit_test(finds_circles_in_binary_files),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
