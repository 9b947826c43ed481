// Files of saved games: damage at any byte, the kept file, a full disk, kills at any moment.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson_writer.h"
#include "save/save_service.h"
#include "save/save_store.h"
#include "save/save_value.h"
#include "save/save_world.h"
#include "support/test_support.h"

static char folder[CT_PATH_BYTES];

static int make_folder(void **state) {
    (void)state;
    ct_path_join(folder, test_scratch_folder(), "saves");
    ct_folder_remove(folder, NULL);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    ct_folder_remove(folder, NULL);
    return 0;
}

// Writes a slot whose data is `number` and `size` bytes of it. Returns whether that went well.
static bool write_number(ct_allocator *a, uint32_t number, uint32_t size, ct_error *error) {
    ct_byte_array info, data;
    ct_array_init(&info, a);
    ct_array_init(&data, a);
    ct_save_end_table(&info, ct_save_begin_table(&info), 0);
    const uint32_t begin = ct_save_begin_table(&data);
    char *const text = malloc(size);
    uint32_t random = number;
    for (uint32_t i = 0; i < size; ++i) {
        random = random * 1664525 + 1013904223;
        text[i] = (char)(random >> 24); // nothing that could be packed
    }
    ct_save_add_string(&data, "number", 6);
    ct_save_add_number(&data, number);
    ct_save_add_string(&data, "text", 4);
    ct_save_add_string(&data, text, size);
    ct_save_end_table(&data, begin, 2);
    const ct_save_section sections[] = {
        {CT_SAVE_SECTION_INFO, 1, info.items, info.count},
        {CT_SAVE_SECTION_DATA, 1, data.items, data.count},
    };
    const bool is_written = ct_save_store_write(a, folder, "slot", sections, 2, error);
    free(text);
    ct_array_free(&info);
    ct_array_free(&data);
    return is_written;
}

// Returns the number in a slot; UINT32_MAX with `error` when it cannot be read.
static uint32_t read_number(ct_allocator *a, char warning[512], ct_error *error) {
    ct_save_file *const file = ct_save_store_read(a, folder, "slot", false, warning, 512, error);
    ct_save_value v = {0};
    if (!file)
        return UINT32_MAX;
    assert_true(ct_save_find(ct_save_file_find(file, CT_SAVE_SECTION_DATA, 0)->data, "number", &v));
    ct_save_file_free(file);
    return (uint32_t)v.number;
}

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
            bytes[i] ^= (char)(1 << bit);
        }
        assert_null(ct_save_file_read(a, bytes, i, false, &error)); // and cut off there
    }
    ct_save_file *const file = ct_save_file_read(a, bytes, size, false, &error);
    assert_non_null(file);
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

// In a child: files may not be larger than some bytes, as on a full disk.
static void a_full_disk_leaves_the_old_one(void **state) {
    ct_allocator *const a = test_heap();
    (void)state;
    char warning[512];
    ct_error error = {0};
    assert_true(write_number(a, 1, 100, &error));
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {4096, 4096};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        ct_error failed = {0};
        const bool is_written = write_number(a, 2, 100000, &failed);
        _exit(!is_written && failed.message[0] ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read_number(a, warning, &error), 1);
    assert_string_equal(warning, "");
}

// 200 with CUTTLE_TEST_LONG, else some.
static void a_kill_leaves_the_old_or_the_new_one(void **state) {
    ct_allocator *const a = test_heap();
    (void)state;
    const uint32_t num_kills = getenv("CUTTLE_TEST_LONG") ? 200 : 30;
    char warning[512];
    ct_error error = {0};
    uint32_t last = 0;
    int progress[2];
    assert_true(write_number(a, 0, 20000, &error));
    srand(17);
    for (uint32_t kill_number = 0; kill_number < num_kills; ++kill_number) {
        assert_int_equal(pipe(progress), 0);
        const pid_t child = fork();
        if (child == 0) {
            for (uint32_t number = last + 1;; ++number) {
                if (!write_number(a, number, 20000 + number % 7 * 1000, NULL) ||
                    write(progress[1], &number, sizeof(number)) != sizeof(number))
                    _exit(1);
            }
        }
        close(progress[1]);
        uint32_t written = last, next;
        ct_os_sleep_ns((uint64_t)(rand() % 20000) * 1000);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        while (read(progress[0], &next, sizeof(next)) == sizeof(next))
            written = next;
        close(progress[0]);
        last = read_number(a, warning, &error);
        assert_string_equal(warning, "");
        assert_true(last == written || last == written + 1);
    }
}

static void the_service_writes_and_reads_in_order(void **state) {
    ct_allocator *const a = test_heap();
    ct_byte_array bytes;
    (void)state;
    ct_save_service *const s = ct_save_service_create(a, folder);
    ct_save_request *last = NULL;
    for (uint32_t i = 0; i < 20; ++i) {
        ct_save_part parts[2];
        for (uint32_t k = 0; k < 2; ++k) {
            ct_array_init(&bytes, a);
            const uint32_t begin = ct_save_begin_table(&bytes);
            ct_save_add_string(&bytes, "number", 6);
            ct_save_add_number(&bytes, i);
            ct_save_end_table(&bytes, begin, 1);
            parts[k] = (ct_save_part){k ? CT_SAVE_SECTION_DATA : CT_SAVE_SECTION_INFO,
                                      ct_save_bytes_create(&bytes)};
        }
        ct_save_request *const w = ct_save_service_write(s, "slot", parts, 2);
        ct_save_bytes_release(parts[0].bytes);
        ct_save_bytes_release(parts[1].bytes);
        ct_save_request_free(s, w); // it goes on
        if (last)
            ct_save_request_free(s, last);
        last = ct_save_service_read(s, "slot");
    }
    ct_save_service_wait(s);
    ct_save_value v;
    assert_true(ct_save_request_is_done(last));
    assert_string_equal(ct_save_request_error(last), "");
    assert_true(
        ct_save_find(ct_save_file_find(ct_save_request_file(last), CT_SAVE_SECTION_DATA, 0)->data,
                     "number", &v));
    assert_int_equal((int)v.number, 19);
    ct_save_request_free(s, last);
    ct_save_service_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_newest_is_read_and_the_one_before_it_kept, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_again_is_not_written, make_folder,
                                        remove_folder),
        cmocka_unit_test(worlds_hold_any_numbers_and_full_texts),
        cmocka_unit_test_setup_teardown(damage_of_any_byte_is_found, make_folder, remove_folder),
        cmocka_unit_test(names_that_lead_elsewhere_are_refused),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_the_old_one, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_kill_leaves_the_old_or_the_new_one, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_service_writes_and_reads_in_order, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
