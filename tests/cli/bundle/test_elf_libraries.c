#include "cli/bundle/elf_libraries.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

static char *read_self(uint64_t *bytes) {
    char path[CT_PATH_BYTES];
    ct_os_executable_path(path);
    char *const data = ct_file_read(test_heap(), path, bytes, NULL);
    assert_non_null(data);
    return data;
}

static bool has(const ct_library_names *names, const char *name) {
    for (uint32_t i = 0; i < names->count; ++i) {
        if (strcmp(names->items[i], name) == 0)
            return true;
    }
    return false;
}

static void lists_what_a_program_needs(void **state) {
    (void)state;
    uint64_t bytes = 0;
    char *const data = read_self(&bytes);
    ct_library_names names;
    ct_error error = {0};
    ct_array_init(&names, test_heap());
    assert_true(ct_elf_libraries(data, bytes, &names, &error));
    assert_true(has(&names, "libc.so.6"));
    assert_true(has(&names, "libcmocka.so.0"));
    ct_array_free(&names);
    ct_free(test_heap(), data);
}

static void refuses_what_is_no_program(void **state) {
    (void)state;
    ct_library_names names;
    ct_error error = {0};
    ct_array_init(&names, test_heap());
    assert_false(ct_elf_libraries("#!/bin/sh\n", 10, &names, &error));
    assert_non_null(strstr(error.message, "not a 64-bit little-endian ELF"));
    assert_int_equal(names.count, 0);
}

// Cut anywhere or with any word of its headers changed it is refused or gives names inside of it.
static void damaged_programs_do_no_harm(void **state) {
    (void)state;
    uint64_t bytes = 0;
    char *const data = read_self(&bytes);
    ct_library_names names;
    ct_array_init(&names, test_heap());
    for (uint64_t cut = 0; cut < bytes; cut += cut < 2048 ? 1 : 9973) {
        char *const copy = ct_alloc(test_heap(), cut + 1); // so that a sanitizer sees its end
        memcpy(copy, data, cut);
        ct_elf_libraries(copy, cut, &names, NULL);
        names.count = 0;
        ct_free(test_heap(), copy);
    }
    for (uint64_t at = 0; at < 1024; ++at) {
        const char before = data[at];
        for (uint32_t k = 0; k < 3; ++k) {
            data[at] = (char)(k == 0 ? 0xff : k == 1 ? 0 : before ^ 0x40);
            ct_elf_libraries(data, bytes, &names, NULL);
            names.count = 0;
        }
        data[at] = before;
    }
    ct_array_free(&names);
    ct_free(test_heap(), data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_what_a_program_needs),
        cmocka_unit_test(refuses_what_is_no_program),
        cmocka_unit_test(damaged_programs_do_no_harm),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
