#include "app/settings.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson.h"
#include "resource/blob_writer.h"
#include "support/test_support.h"

// A setting below the root, or below `window` when `in_window`.
typedef struct setting {
    const char *key;
    const char *text; // NULL: a number
    double number;
    bool in_window;
} setting;

static void write_node(ct_blob_writer *w, ct_sjson_type type, uint32_t first, uint32_t count,
                       double number) {
    ct_blob_write_u32(w, type);
    ct_blob_write_u64(w, 0); // key, patched
    ct_blob_write_u32(w, first);
    ct_blob_write_u32(w, count);
    ct_blob_write_u64(w, 0); // text, patched
    ct_blob_write_u32(w, 0);
    ct_blob_write_double(w, number);
}

static void patch_node(ct_blob_writer *w, uint32_t nodes, uint32_t node, const char *key,
                       const char *text) {
    const uint32_t at = nodes + node * (uint32_t)sizeof(ct_config_node);
    ct_blob_patch_string(w, at + offsetof(ct_config_node, key), key, (uint32_t)strlen(key));
    if (text != NULL)
        ct_blob_patch_string(w, at + offsetof(ct_config_node, text), text, (uint32_t)strlen(text));
}

// Writes a config: node 0 the root, node 1 `window`, then the root's settings, then the window's.
static void write_config(ct_blob_writer *w, const setting *settings, uint32_t count) {
    uint32_t num_in_window = 0;
    for (uint32_t i = 0; i < count; ++i)
        num_in_window += settings[i].in_window;
    const uint32_t num_in_root = count - num_in_window;
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "config", CT_CONFIG_VERSION);
    const uint32_t field = ct_blob_write_array_field(w);
    ct_blob_writer_align(w, 16);
    const uint32_t nodes = ct_blob_writer_offset(w);
    write_node(w, CT_SJSON_TYPE_OBJECT, 1, num_in_root + 1, 0.0);
    write_node(w, CT_SJSON_TYPE_OBJECT, 2 + num_in_root, num_in_window, 0.0);
    for (uint32_t pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < count; ++i) {
            if (settings[i].in_window == (pass == 1))
                write_node(w, settings[i].text ? CT_SJSON_TYPE_STRING : CT_SJSON_TYPE_NUMBER, 0, 0,
                           settings[i].number);
        }
    }
    patch_node(w, nodes, 1, "window", NULL);
    uint32_t node = 2;
    for (uint32_t pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < count; ++i) {
            if (settings[i].in_window == (pass == 1))
                patch_node(w, nodes, node++, settings[i].key, settings[i].text);
        }
    }
    ct_blob_patch_array(w, field, nodes, count + 2);
    ct_blob_writer_finish(w);
    ct_error error = {0};
    assert_true(ct_config_validate(w->bytes.items, &error));
}

// Reads settings from a config of `count` settings.
static bool read_settings(const setting *settings, uint32_t count, ct_settings *result,
                          ct_blob_writer *w, ct_error *error) {
    write_config(w, settings, count);
    *error = (ct_error){0};
    return ct_settings_read((const ct_config_resource *)w->bytes.items, result, error);
}

static const setting script = {.key = "boot_script", .text = "scripts/main"};
static const setting package = {.key = "boot_package", .text = "boot"};

static void reads_settings_and_fills_in_defaults(void **state) {
    (void)state;
    const setting settings[] = {script,
                                package,
                                {.key = "width", .number = 640, .in_window = true},
                                {.key = "title", .text = "Yard", .in_window = true}};
    ct_settings s;
    ct_blob_writer w;
    ct_error error;
    assert_true(read_settings(settings, CT_COUNT_OF(settings), &s, &w, &error));
    assert_string_equal(s.boot_script, "scripts/main");
    assert_string_equal(s.boot_package, "boot");
    assert_string_equal(s.title, "Yard");
    assert_int_equal(s.width, 640);
    assert_int_equal(s.height, 720);
    assert_string_equal(s.render_config, "core/rendering/renderer");
    assert_int_equal(s.time_step_policy, CT_TIME_STEP_POLICY_SMOOTHED);
    assert_false(s.is_lua_unsafe);
    ct_blob_writer_free(&w);
}

static void names_what_is_missing_or_wrong(void **state) {
    (void)state;
    ct_settings s;
    ct_blob_writer w;
    ct_error error;
    assert_false(read_settings(&script, 1, &s, &w, &error));
    assert_non_null(strstr(error.message, "boot_package is missing"));
    assert_string_equal(error.file, "settings.config");
    ct_blob_writer_free(&w);

    const setting narrow[] = {script, package, {.key = "width", .number = 3, .in_window = true}};
    assert_false(read_settings(narrow, CT_COUNT_OF(narrow), &s, &w, &error));
    assert_non_null(strstr(error.message, "window.width is 3; expected 16 to 16384"));
    ct_blob_writer_free(&w);

    const setting fast[] = {script, package, {.key = "max_frame_rate", .number = -1}};
    assert_false(read_settings(fast, CT_COUNT_OF(fast), &s, &w, &error));
    assert_non_null(strstr(error.message, "max_frame_rate is -1"));
    ct_blob_writer_free(&w);
}

static void knows_the_time_step_policies(void **state) {
    (void)state;
    ct_time_step_policy policy;
    assert_true(ct_time_step_policy_named("fixed", &policy));
    assert_int_equal(policy, CT_TIME_STEP_POLICY_FIXED);
    assert_true(ct_time_step_policy_named("variable", &policy));
    assert_int_equal(policy, CT_TIME_STEP_POLICY_VARIABLE);
    assert_false(ct_time_step_policy_named("sometimes", &policy));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_settings_and_fills_in_defaults),
        cmocka_unit_test(names_what_is_missing_or_wrong),
        cmocka_unit_test(knows_the_time_step_policies),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
