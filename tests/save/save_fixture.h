// save_fixture.h: a folder of saved games, and slots whose data is a number with bytes that follow from
// it. Include once in a program.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "save/save_store.h"
#include "save/save_value.h"
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

#define SAVE_TEST(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

// Bytes that cannot be packed, other ones for each number.
static inline void fill(char *text, uint32_t number, uint32_t size) {
    uint32_t random = number;
    for (uint32_t i = 0; i < size; ++i) {
        random = random * 1664525 + 1013904223;
        text[i] = (char)(random >> 24);
    }
}

// The sections of a slot whose data is `number` and `size` bytes of it.
typedef struct number_sections {
    ct_byte_array info, data;
    ct_save_section sections[2];
} number_sections;

static inline void make_sections(ct_allocator *a, number_sections *s, uint32_t number,
                                 uint32_t size) {
    char *const text = malloc(size);
    fill(text, number, size);
    ct_array_init(&s->info, a);
    ct_array_init(&s->data, a);
    ct_save_end_table(&s->info, ct_save_begin_table(&s->info), 0);
    const uint32_t begin = ct_save_begin_table(&s->data);
    ct_save_add_string(&s->data, "number", 6);
    ct_save_add_number(&s->data, number);
    ct_save_add_string(&s->data, "text", 4);
    ct_save_add_string(&s->data, text, size);
    ct_save_end_table(&s->data, begin, 2);
    s->sections[0] = (ct_save_section){CT_SAVE_SECTION_INFO, 1, s->info.items, s->info.count};
    s->sections[1] = (ct_save_section){CT_SAVE_SECTION_DATA, 1, s->data.items, s->data.count};
    free(text);
}

static inline void free_sections(number_sections *s) {
    ct_array_free(&s->info);
    ct_array_free(&s->data);
}

// Writes the slot. Returns whether that went well.
static inline bool write_number(ct_allocator *a, uint32_t number, uint32_t size, ct_error *error) {
    number_sections s;
    make_sections(a, &s, number, size);
    const bool is_written = ct_save_store_write(a, folder, "slot", s.sections, 2, error);
    free_sections(&s);
    return is_written;
}

// Returns the number in a file, whose other bytes must be those of it.
static inline uint32_t number_of(const ct_save_file *file) {
    const void *const data = ct_save_file_find(file, CT_SAVE_SECTION_DATA, 0)->data;
    ct_save_value v = {0}, text = {0};
    assert_true(ct_save_find(data, "number", &v));
    if (ct_save_find(data, "text", &text)) {
        char *const expected = malloc(text.count);
        fill(expected, (uint32_t)v.number, text.count);
        assert_memory_equal(text.text, expected, text.count);
        free(expected);
    }
    return (uint32_t)v.number;
}

// Returns the number in the slot; UINT32_MAX with `error` when it cannot be read.
static inline uint32_t read_number(ct_allocator *a, char warning[512], ct_error *error) {
    ct_save_file *const file = ct_save_store_read(a, folder, "slot", false, warning, 512, error);
    const uint32_t number = file ? number_of(file) : UINT32_MAX;
    ct_save_file_free(file);
    return number;
}

// Returns the number in one file of the slot; UINT32_MAX when it cannot be read.
static inline uint32_t read_file_number(ct_allocator *a, bool is_kept) {
    char path[CT_PATH_BYTES];
    uint64_t bytes;
    assert_true(ct_save_path(folder, "slot", is_kept, path, NULL));
    char *const data = ct_file_read(a, path, &bytes, NULL);
    ct_save_file *const file = data ? ct_save_file_read(a, data, bytes, false, NULL) : NULL;
    const uint32_t number = file ? number_of(file) : UINT32_MAX;
    ct_save_file_free(file);
    ct_free(a, data);
    return number;
}

static inline void count_file(void *user, const char *name) {
    (void)name;
    ++*(uint32_t *)user;
}

// Returns the number of files in the folder, temporary ones included.
static inline uint32_t count_files(void) {
    uint32_t count = 0;
    assert_true(ct_os_folder_list(folder, count_file, &count, NULL));
    return count;
}
