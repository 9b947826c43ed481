// SaveSystem's requests by number, with files that scripts cannot write.
#include <stdlib.h>

#include "foundation/os/file.h"
#include "save/save_store.h"
#include "save/save_value.h"
#include "script/api_fixture.h"

static char data_folder[2048]; // in place of the player's own

static int set_up_folder(void **state) {
    set_up(state);
    snprintf(data_folder, sizeof(data_folder), "%s/player", f.world.folder);
    setenv("XDG_DATA_HOME", data_folder, 1);
    return 0;
}

#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_folder, tear_down)

// Writes a slot whose info has this number as its version; 0: without one.
static void write_slot(const char *slot, double version) {
    char folder[CT_PATH_BYTES];
    ct_byte_array info, data;
    ct_error error = {0};
    ct_array_init(&info, test_heap());
    ct_array_init(&data, test_heap());
    const uint32_t begin = ct_save_begin_table(&info);
    if (version != 0) {
        ct_save_add_string(&info, "version", 7);
        ct_save_add_number(&info, version);
    }
    ct_save_end_table(&info, begin, version != 0);
    ct_save_add_number(&data, 5);
    const ct_save_section sections[] = {{CT_SAVE_SECTION_INFO, 1, info.items, info.count},
                                        {CT_SAVE_SECTION_DATA, 1, data.items, data.count}};
    ct_path_join(folder, data_folder, "cuttle/project/saves");
    assert_true(ct_save_store_write(test_heap(), folder, slot, sections, 2, &error));
    ct_array_free(&info);
    ct_array_free(&data);
}

static void a_file_without_a_version_of_its_data_says_so(void **state) {
    static const double versions[] = {0, 0.5, -1, 1e9};
    (void)state;
    run_lua(&f, "function load(slot)\n"
                "    local id = SaveSystem.load { slot = slot }\n"
                "    while SaveSystem.status(id) == SaveSystem.WORKING do end\n"
                "    local result, code, text = SaveSystem.load_result(id)[1], "
                "SaveSystem.load_error_result(id)\n"
                "    local has_failed = SaveSystem.status(id) == SaveSystem.FAILED\n"
                "    SaveSystem.free(id)\n"
                "    return has_failed, code, text, result.error == text, result.data\n"
                "end");
    for (uint32_t i = 0; i < CT_COUNT_OF(versions); ++i) {
        write_slot("slot", versions[i]);
        assert_lua(&f, "load('slot')",
                   "true\t1\t\"slot\" does not say of what version its data are\ttrue\tnil");
    }
    write_slot("slot", 1);
    assert_lua(&f, "load('slot')", "false\t0\tnil\ttrue\t5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(a_file_without_a_version_of_its_data_says_so),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
