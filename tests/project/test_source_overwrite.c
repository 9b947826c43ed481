#include "project/source_overwrite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

static char folder[CT_PATH_BYTES];

static int new_folder(void **state) {
    (void)state;
    ct_path_join(folder, "", test_scratch_folder());
    return 0;
}

static const char *below(const char *name) {
    static char places[2][CT_PATH_BYTES];
    static uint32_t next;
    char *const place = places[next++ % 2];
    ct_path_join(place, folder, name);
    return place;
}

static void put(const char *name, const void *bytes, uint64_t size_bytes) {
    assert_true(ct_file_write(below(name), bytes, size_bytes, false, NULL));
}

static void expect(const char *name, const char *text) {
    uint64_t size_bytes = 0;
    char *const found = ct_file_read(test_heap(), below(name), &size_bytes, NULL);
    assert_non_null(found);
    assert_string_equal(found, text);
    assert_int_equal(size_bytes, strlen(text));
    ct_free(test_heap(), found);
}

static bool fits(const char *name, uint64_t new_bytes) {
    const ct_file_info info = ct_os_file_info(below(name));
    return ct_source_overwrite_fits(&info, new_bytes);
}

// --- Writing -------------------------------------------------------------------------------------

static void writes_longer_and_shorter_contents(void **state) {
    (void)state;
    static const char *const contents[] = {"short", "much longer", "tiny", "", "again"};
    put("a", "first", 5);
    assert_int_equal(chmod(below("a"), 0640), 0);
    const uint64_t inode = ct_os_file_info(below("a")).inode;
    for (uint32_t i = 0; i < CT_COUNT_OF(contents); ++i) {
        ct_error error = {0};
        if (!ct_source_overwrite(below("a"), contents[i], strlen(contents[i]), &error))
            fail_msg("%s", error.message);
        expect("a", contents[i]);
    }
    struct stat info;
    assert_int_equal(stat(below("a"), &info), 0);
    assert_int_equal(info.st_ino, inode);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void makes_nothing_and_follows_no_link(void **state) {
    (void)state;
    ct_error error = {0};
    assert_false(ct_source_overwrite(below("nowhere"), "x", 1, &error));
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(ct_os_file_info(below("nowhere")).kind, CT_FILE_KIND_NONE);
    put("target", "target", 6);
    assert_int_equal(symlink("target", below("link")), 0);
    assert_false(ct_source_overwrite(below("link"), "x", 1, &error));
    assert_non_null(strstr(error.message, "symbolic link"));
    expect("target", "target");
}

// --- What fits -----------------------------------------------------------------------------------

static void fits_what_needs_no_more_of_the_disk(void **state) {
    (void)state;
    char large[CT_SOURCE_OVERWRITE_MOST_BYTES + 1];
    memset(large, 'x', sizeof(large));
    put("small", "x", 1);
    const uint64_t room_bytes = ct_os_file_info(below("small")).allocated_bytes;
    assert_true(room_bytes < CT_SOURCE_OVERWRITE_MOST_BYTES);
    assert_true(fits("small", room_bytes)); // 0 where what is small lies in the inode
    assert_false(fits("small", room_bytes + 1));
    put("large", large, sizeof(large) - 1);
    assert_true(fits("large", 1));
    assert_false(fits("large", sizeof(large)));
    put("large", large, sizeof(large));
    assert_false(fits("large", 1));
}

static void fits_plain_files_of_one_name(void **state) {
    (void)state;
    put("one", "x", 1);
    assert_true(fits("one", 0));
    assert_int_equal(link(below("one"), below("two")), 0);
    assert_false(fits("one", 0));
    assert_false(fits("two", 0));
    assert_true(ct_os_file_remove(below("two"), NULL));
    assert_true(fits("one", 0));
    assert_int_equal(symlink("one", below("a_link")), 0);
    assert_false(fits("a_link", 0));
    assert_false(fits("none", 0));
    assert_false(fits(".", 0));
}

// --- What is mixed -------------------------------------------------------------------------------

static bool is_mixed(const char *old, const char *new, const char *found, uint64_t found_bytes) {
    return ct_source_is_mixed(old, strlen(old), new, strlen(new), found, found_bytes);
}

static void knows_every_mix(void **state) {
    (void)state;
    static const char *const texts[] = {"", "a", "abc", "xyz", "abcdef", "uvwxyz"};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
        for (uint32_t k = 0; k < CT_COUNT_OF(texts); ++k) {
            const char *const old = texts[i], *const new = texts[k];
            const uint32_t most = (uint32_t)(strlen(old) > strlen(new) ? strlen(old) : strlen(new));
            const uint32_t least = (uint32_t)(strlen(old) + strlen(new)) - most;
            for (uint32_t mix = 0; mix < 1u << most; ++mix)
                for (uint32_t size_bytes = least; size_bytes <= most; ++size_bytes) {
                    char found[8] = "";
                    for (uint32_t at = 0; at < size_bytes; ++at)
                        found[at] = (mix >> at & 1 && at < strlen(new)) || at >= strlen(old)
                                        ? (mix >> at & 1 ? new[at] : 0)
                                        : old[at];
                    assert_true(is_mixed(old, new, found, size_bytes));
                }
        }
}

static void tells_edits_from_mixes(void **state) {
    (void)state;
    assert_false(is_mixed("old", "new one", "ne", 2));         // shorter than both
    assert_false(is_mixed("old", "new one", "new ones", 8));   // longer
    assert_false(is_mixed("old", "new one", "new two", 7));    // another byte
    assert_false(is_mixed("old", "new one", "\0ew one", 7));   // a zero where there was a byte
    assert_false(is_mixed("new one", "old", "old\0one", 7));   // likewise
    assert_true(is_mixed("old", "new one", "old\0\0\0\0", 7)); // grown, and nothing written
    assert_true(is_mixed("new one", "old", "oew one", 7));
}

#define TEST(name) cmocka_unit_test_setup(name, new_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(writes_longer_and_shorter_contents),
        TEST(makes_nothing_and_follows_no_link),
        TEST(fits_what_needs_no_more_of_the_disk),
        TEST(fits_plain_files_of_one_name),
        TEST(knows_every_mix),
        TEST(tells_edits_from_mixes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
