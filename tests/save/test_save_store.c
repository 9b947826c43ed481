// Files of saved games: damage at any byte, the kept file, files that must stay, a full disk.
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foundation/sjson/sjson_writer.h"
#include "resource/blob/content_hash.h"
#include "save/save_fixture.h"
#include "save/save_world.h"

// Where the header and the table of a file have what the tests change (save_file.c).
enum {
    AT_MAGIC = 0,
    AT_VERSION = 4,
    AT_NUM_SECTIONS = 8,
    AT_HASH = 24,
    HEADER_BYTES = 32,
    SECTION_BYTES = 48,
    AT_IS_PACKED = 8,   // in a section
    AT_SIZE_BYTES = 32, // in a section
};

static void the_newest_is_read_and_the_one_before_it_kept(void **state) {
    ct_allocator *const a = test_heap();
    (void)state;
    char warning[512], path[CT_PATH_BYTES];
    ct_error error = {0};
    assert_true(write_number(a, 1, 100, &error));
    assert_true(write_number(a, 2, 5000, &error));
    assert_int_equal(read_number(a, warning, &error), 2);
    assert_string_equal(warning, "");
    assert_true(ct_save_path(folder, "slot", false, path, &error));
    assert_true(ct_file_write(path, "rubbish", 7, false, &error));
    assert_int_equal(read_number(a, warning, &error), 1);
    assert_non_null(strstr(warning, "slot.save: found 7 bytes"));
    // The damaged one does not take the place of the good one.
    assert_true(write_number(a, 3, 10, &error));
    assert_true(ct_file_write(path, "rubbish", 7, false, &error));
    assert_int_equal(read_number(a, warning, &error), 1);
    assert_true(ct_save_store_delete(folder, "slot", &error));
    assert_int_equal(read_number(a, warning, &error), UINT32_MAX);
    assert_string_equal(error.message, "there is no saved game \"slot\"");
}

static void what_cannot_be_read_again_is_not_written(void **state) {
    ct_allocator *const a = test_heap();
    static const uint8_t info[] = {CT_SAVE_TABLE, 0, 0, 0, 0}, data[] = {CT_SAVE_NUM_TYPES};
    const ct_save_section sections[] = {{CT_SAVE_SECTION_INFO, 1, info, sizeof(info)},
                                        {CT_SAVE_SECTION_DATA, 1, data, sizeof(data)}};
    char warning[512];
    ct_error error = {0};
    (void)state;
    assert_true(write_number(a, 1, 100, &error));
    assert_false(ct_save_store_write(a, folder, "slot", sections, 2, &error));
    assert_non_null(strstr(error.message, "could not be read again"));
    assert_int_equal(read_number(a, warning, &error), 1);
    assert_string_equal(warning, "");
}

// A component has the numbers and texts that the game gave it.
static void worlds_hold_any_numbers_and_full_texts(void **state) {
    typedef struct row {
        float numbers[3];
        char text[4];
    } row;
    static const ct_save_field fields[] = {
        {"numbers", CT_SAVE_KIND_F32, offsetof(row, numbers), sizeof(float) * 3},
        {"text", CT_SAVE_KIND_TEXT, offsetof(row, text), 4}};
    static const row full = {{NAN, INFINITY, 1}, {'f', 'u', 'l', 'l'}};
    ct_saved_world_writer w;
    ct_byte_array bytes;
    ct_error error = {0};
    (void)state;
    ct_saved_world_writer_init(&w, test_heap());
    ct_array_init(&bytes, test_heap());
    w.num_entities = 1;
    ct_array_push(&w.units, (ct_saved_unit){.name = ct_saved_world_add_text(&w, "units/a"),
                                            .num_entities = 1});
    ct_saved_world_begin_type(&w, "own", fields, 2, sizeof(row));
    memcpy(ct_saved_world_add_row(&w, 0, 0), &full, sizeof(full));
    ct_saved_world_finish(&w, &bytes);
    assert_true(ct_saved_world_check(bytes.items, bytes.count, &error));
    const ct_saved_world *const world = (const ct_saved_world *)(const void *)bytes.items;
    const ct_saved_type *const type = ct_saved_at(world, &world->types);
    const row *const saved =
        (const row *)(const void *)((const char *)ct_saved_at(world, &type->rows) +
                                    sizeof(ct_saved_row));
    assert_string_equal(saved->text, "ful");
    assert_true(isnan(saved->numbers[0]));
    ct_string_builder text;
    ct_sjson_writer out;
    ct_string_builder_init(&text, test_heap());
    ct_sjson_writer_init(&out, &text, CT_SJSON_STYLE_JSON);
    ct_saved_world_print(bytes.items, &out);
    assert_non_null(strstr(ct_string_builder_text(&text), "\"inf\""));
    ct_string_builder_free(&text);
    ct_array_free(&bytes);
    ct_saved_world_writer_free(&w);
}

static void damage_of_any_byte_is_found(void **state) {
    ct_allocator *const a = test_heap();
    (void)state;
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    uint64_t size;
    assert_true(write_number(a, 7, 600, &error));
    assert_true(ct_save_path(folder, "slot", false, path, &error));
    char *const bytes = ct_file_read(a, path, &size, &error);
    assert_non_null(bytes);
    for (uint64_t i = 0; i < size; ++i) {
        for (uint32_t bit = 0; bit < 8; ++bit) {
            bytes[i] ^= (char)(1 << bit);
            assert_null(ct_save_file_read(a, bytes, size, false, &error));
            assert_true(error.message[0] != '\0');
            assert_true(ct_save_file_is_damaged(a, bytes, size));
            bytes[i] ^= (char)(1 << bit);
        }
        assert_null(ct_save_file_read(a, bytes, i, false, &error)); // and cut off there
        assert_true(ct_save_file_is_damaged(a, bytes, i));
    }
    ct_save_file *const file = ct_save_file_read(a, bytes, size, false, &error);
    assert_non_null(file);
    assert_false(ct_save_file_is_damaged(a, bytes, size));
    ct_save_file_free(file);
    ct_free(a, bytes);
}

static void names_that_lead_elsewhere_are_refused(void **state) {
    static const char *const bad[] = {"", "..", "../a", "a/b", ".a", "a.b", " a", "a ", "\xc3\xa4"};
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i)
        assert_false(ct_save_name_check(bad[i], NULL));
    assert_true(ct_save_name_check("Slot 1-a_b", NULL));
}

// Reads the newest file; free it with ct_free.
static uint8_t *read_newest(ct_allocator *a, char path[CT_PATH_BYTES], uint64_t *size) {
    assert_true(ct_save_path(folder, "slot", false, path, NULL));
    uint8_t *const bytes = (uint8_t *)ct_file_read(a, path, size, NULL);
    assert_non_null(bytes);
    return bytes;
}

// Sets 4 bytes of a file, and the hash of its header and table to what they are then.
static void patch(ct_allocator *a, uint8_t *bytes, uint32_t at, uint32_t value) {
    uint32_t num_sections;
    uint64_t hash = 0;
    memcpy(bytes + at, &value, sizeof(value));
    memcpy(&num_sections, bytes + AT_NUM_SECTIONS, sizeof(num_sections));
    memcpy(bytes + AT_HASH, &hash, sizeof(hash));
    const uint32_t head_bytes = HEADER_BYTES + num_sections * SECTION_BYTES;
    uint8_t *const head = ct_alloc(a, head_bytes);
    memcpy(head, bytes, head_bytes);
    hash = ct_content_hash(head, head_bytes);
    ct_free(a, head);
    memcpy(bytes + AT_HASH, &hash, sizeof(hash));
}

// The newest file is not damaged, but cannot be read for a reason that `message` names: it stays.
static void expect_stays(ct_allocator *a, const char *message) {
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    uint64_t before, after;
    uint8_t *const bytes = read_newest(a, path, &before);
    assert_false(write_number(a, 9, 100, &error));
    assert_non_null(strstr(error.message, "is not overwritten"));
    assert_non_null(strstr(error.message, message));
    uint8_t *const now = read_newest(a, path, &after);
    assert_int_equal(before, after);
    assert_memory_equal(bytes, now, before);
    ct_free(a, bytes);
    ct_free(a, now);
    assert_int_equal(read_file_number(a, true), 1);
    assert_int_equal(count_files(), 2);
}

static void a_file_that_is_whole_but_not_understood_stays(void **state) {
    ct_allocator *const a = test_heap();
    char path[CT_PATH_BYTES], warning[512];
    ct_error error = {0};
    uint64_t size;
    (void)state;
    assert_true(write_number(a, 1, 100, &error));
    assert_true(write_number(a, 2, 100, &error));
    uint8_t *const bytes = read_newest(a, path, &size);
    patch(a, bytes, AT_VERSION, CT_SAVE_FILE_VERSION + 1);
    assert_true(ct_file_write(path, bytes, size, false, &error));
    expect_stays(a, "found version 2 of the format of saved games");
    assert_int_equal(read_number(a, warning, &error), 1);
    assert_non_null(strstr(warning, "found version 2"));
    patch(a, bytes, AT_VERSION, CT_SAVE_FILE_VERSION);
    patch(a, bytes, AT_MAGIC, 0x43545356);
    assert_true(ct_file_write(path, bytes, size, false, &error));
    expect_stays(a, "the other byte order");
    // With a wrong checksum it is a damaged file, whatever version it says.
    patch(a, bytes, AT_MAGIC, 0x56535443);
    bytes[AT_VERSION] = CT_SAVE_FILE_VERSION + 1;
    assert_true(ct_file_write(path, bytes, size, false, &error));
    assert_true(write_number(a, 3, 100, &error));
    assert_int_equal(read_file_number(a, false), 3);
    assert_int_equal(read_file_number(a, true), 1);
    ct_free(a, bytes);
}

static void a_file_that_the_system_cannot_read_stays(void **state) {
    ct_allocator *const a = test_heap();
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    (void)state;
    assert_true(write_number(a, 1, 100, &error));
    assert_true(write_number(a, 2, 100, &error));
    assert_true(ct_save_path(folder, "slot", false, path, NULL));
    assert_true(ct_os_file_remove(path, NULL));
    assert_int_equal(symlink("/proc/self/mem", path), 0); // a file whose first byte cannot be read
    assert_false(write_number(a, 3, 100, &error));
    assert_non_null(strstr(error.message, "is not overwritten: cannot read"));
    assert_true(ct_os_file_info(path).is_link);
    assert_int_equal(read_file_number(a, true), 1);
    assert_int_equal(count_files(), 2);
    assert_true(ct_save_store_delete(folder, "slot", &error));
    assert_true(write_number(a, 4, 100, &error));
    assert_int_equal(read_file_number(a, false), 4);
}

// Two sections that each are within the limit, and together are not.
static void the_unpacked_limit_is_that_of_files(void **state) {
    ct_allocator *const a = test_heap();
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    uint64_t size;
    (void)state;
    assert_true(write_number(a, 1, 100, &error));
    uint8_t *const bytes = read_newest(a, path, &size);
    for (uint32_t i = 0; i < 2; ++i) {
        patch(a, bytes, HEADER_BYTES + i * SECTION_BYTES + AT_IS_PACKED, 1);
        patch(a, bytes, HEADER_BYTES + i * SECTION_BYTES + AT_SIZE_BYTES,
              (uint32_t)(CT_SAVE_MAX_BYTES / 2 + 8));
    }
    assert_null(ct_save_file_read(a, bytes, size, false, &error));
    assert_string_equal(error.message, "the sections take more than 1073741824 bytes unpacked");
    ct_free(a, bytes);
}

// As after a kill between keeping the old file and renaming the new one: both names are one file, and
// renaming one to the other does nothing.
static void no_link_is_left_when_the_newest_is_kept_already(void **state) {
    ct_allocator *const a = test_heap();
    char newest[CT_PATH_BYTES], kept[CT_PATH_BYTES];
    ct_error error = {0};
    (void)state;
    assert_true(write_number(a, 1, 100, &error));
    assert_true(ct_save_path(folder, "slot", false, newest, NULL));
    assert_true(ct_save_path(folder, "slot", true, kept, NULL));
    assert_true(ct_os_file_link(newest, kept, &error));
    assert_true(write_number(a, 2, 100, &error));
    assert_int_equal(count_files(), 2);
    assert_int_equal(read_file_number(a, false), 2);
    assert_int_equal(read_file_number(a, true), 1);
}

// In a child: files may not be larger than some bytes, as on a full disk.
static void a_full_disk_leaves_the_old_one(void **state) {
    ct_allocator *const a = test_heap();
    (void)state;
    char warning[512];
    ct_error error = {0};
    assert_true(write_number(a, 0, 100, &error));
    assert_true(write_number(a, 1, 100, &error));
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {4096, 4096};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        ct_error failed = {0};
        const bool is_written = write_number(a, 2, 100000, &failed);
        _exit(is_written ? 1 : !strstr(failed.message, "cannot write") ? 2 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read_number(a, warning, &error), 1);
    assert_string_equal(warning, "");
    assert_int_equal(read_file_number(a, true), 0);
    assert_int_equal(count_files(), 2); // and nothing beside them
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SAVE_TEST(the_newest_is_read_and_the_one_before_it_kept),
        SAVE_TEST(what_cannot_be_read_again_is_not_written),
        cmocka_unit_test(worlds_hold_any_numbers_and_full_texts),
        SAVE_TEST(damage_of_any_byte_is_found),
        cmocka_unit_test(names_that_lead_elsewhere_are_refused),
        SAVE_TEST(a_file_that_is_whole_but_not_understood_stays),
        SAVE_TEST(a_file_that_the_system_cannot_read_stays),
        SAVE_TEST(the_unpacked_limit_is_that_of_files),
        SAVE_TEST(no_link_is_left_when_the_newest_is_kept_already),
        SAVE_TEST(a_full_disk_leaves_the_old_one),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
