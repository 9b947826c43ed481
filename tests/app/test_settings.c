#include "app/settings.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "resource/blob/blob_writer.h"
#include "support/test_support.h"

// Writes a parsed document as the config compiler does: node by node, children together.
typedef struct config_writer {
    ct_blob_writer *w;
    const ct_sjson *doc;
    uint32_t nodes; // offset of node 0
    uint32_t num_nodes;
} config_writer;

static uint32_t count_values(const ct_sjson *doc, ct_sjson_value v) {
    uint32_t count = 1;
    ct_sjson_value child = ct_sjson_first(doc, v);
    for (; child.entry != 0; child = ct_sjson_next(doc, child))
        count += count_values(doc, child);
    return count;
}

// Fills node `node`, whose children get the next free nodes.
static void fill_node(config_writer *c, ct_sjson_value v, uint32_t node) {
    const uint32_t at = c->nodes + node * (uint32_t)sizeof(ct_config_node);
    const char *const key = ct_sjson_key(c->doc, v), *text = ct_sjson_string(c->doc, v, NULL);
    ct_config_node n = {.type = ct_sjson_type_of(c->doc, v), .count = ct_sjson_count(c->doc, v)};
    n.first = c->num_nodes;
    n.number = n.type == CT_SJSON_TYPE_BOOL ? ct_sjson_bool(c->doc, v, false)
                                            : ct_sjson_number(c->doc, v, 0);
    c->num_nodes += n.count;
    memcpy(c->w->bytes.items + at, &n, sizeof(n));
    if (key)
        ct_blob_patch_string(c->w, at + offsetof(ct_config_node, key), key, (uint32_t)strlen(key));
    if (text)
        ct_blob_patch_string(c->w, at + offsetof(ct_config_node, text), text,
                             (uint32_t)strlen(text));
    ct_sjson_value child = ct_sjson_first(c->doc, v);
    for (uint32_t i = 0; child.entry != 0; child = ct_sjson_next(c->doc, child))
        fill_node(c, child, n.first + i++);
}

static void write_config(ct_blob_writer *w, const char *sjson) {
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse(test_heap(), sjson, strlen(sjson), "settings.config", NULL, &error);
    assert_non_null(doc);
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "config", CT_CONFIG_VERSION);
    const uint32_t field = ct_blob_write_array_field(w);
    ct_blob_writer_align(w, 16);
    config_writer c = {.w = w, .doc = doc, .nodes = ct_blob_writer_offset(w), .num_nodes = 1};
    const uint32_t count = count_values(doc, ct_sjson_root(doc));
    for (uint32_t i = 0; i < count * sizeof(ct_config_node) / 8; ++i)
        ct_blob_write_u64(w, 0);
    fill_node(&c, ct_sjson_root(doc), 0);
    ct_blob_patch_array(w, field, c.nodes, count);
    ct_blob_writer_finish(w);
    ct_sjson_free(doc);
    assert_true(ct_config_validate(w->bytes.items, &error));
}

static ct_blob_writer blob;
static ct_settings settings;

// Reads settings from text below the two that are required.
static bool read_with(const char *sjson, ct_error *error) {
    char text[8192];
    snprintf(text, sizeof(text), "boot_script = \"scripts/main\" boot_package = \"boot\" %s",
             sjson);
    write_config(&blob, text);
    *error = (ct_error){0};
    return ct_settings_read((const ct_config_resource *)blob.bytes.items, &settings, error);
}

static void assert_reads(const char *sjson) {
    ct_error error;
    if (!read_with(sjson, &error))
        fail_msg("%s: %s", sjson, error.message);
}

static void assert_refused(const char *sjson, const char *message) {
    ct_error error;
    assert_false(read_with(sjson, &error));
    assert_string_equal(error.message, message);
    assert_string_equal(error.file, "settings.config");
    ct_blob_writer_free(&blob);
}

static void fills_in_defaults(void **state) {
    (void)state;
    assert_reads("");
    assert_string_equal(settings.boot_script, "scripts/main");
    assert_string_equal(settings.boot_package, "boot");
    assert_string_equal(settings.title, "Cuttle");
    assert_int_equal(settings.width, 1280);
    assert_int_equal(settings.height, 720);
    assert_true(settings.is_resizable);
    assert_string_equal(settings.render_config, "core/rendering/renderer");
    assert_int_equal(settings.time_step.policy, CT_TIME_STEP_POLICY_SMOOTHED);
    assert_false(settings.has_workers);
    assert_int_equal(settings.num_priorities, 0);
    assert_false(settings.is_lua_unsafe);
    assert_string_equal(settings.sound_buses, "core/sounds/default");
    assert_true(settings.has_sound_output);
    assert_int_equal(settings.sound_voices, 64);
    assert_int_equal(settings.navigation_path_polygons, 0);
    assert_string_equal(settings.overlay_key, "keyboard.f1");
    ct_blob_writer_free(&blob);
}

static void reads_every_setting(void **state) {
    (void)state;
    assert_reads("render_config = \"r\" max_frame_rate = 30.5"
                 " window = { title = \"Yard\" width = 640 height = 480 resizable = false }"
                 " time_step = { policy = \"fixed\" seconds = 0.25 longest_seconds = 2"
                 "               max_steps = 5 }"
                 " tasks = { workers = 0 priorities = { render_cull = \"high\" sound = \"low\" } }"
                 " sound = { buses = \"sounds/buses\" output = \"none\" voices = 128 }"
                 " navigation = { path_polygons = 500 tiles = 3 }"
                 " network = { address = \"0.0.0.0\" password = \"secret\" plain = true "
                 "bandwidth = 64000 }"
                 " dev = { overlay_key = \"keyboard.f12\" }"
                 " lua = { unsafe = true } game = { lives = 3 deep = { er = [1 2] } }");
    assert_string_equal(settings.render_config, "r");
    assert_true(settings.max_frame_rate == 30.5);
    assert_string_equal(settings.title, "Yard");
    assert_int_equal(settings.width, 640);
    assert_int_equal(settings.height, 480);
    assert_false(settings.is_resizable);
    assert_int_equal(settings.time_step.policy, CT_TIME_STEP_POLICY_FIXED);
    assert_true(settings.time_step.seconds == 0.25);
    assert_true(settings.time_step.longest_seconds == 2);
    assert_int_equal(settings.time_step.max_steps, 5);
    assert_true(settings.has_workers);
    assert_int_equal(settings.num_workers, 0);
    assert_int_equal(settings.num_priorities, 2);
    assert_string_equal(settings.priorities[0].name, "render_cull");
    assert_int_equal(settings.priorities[0].level, CT_TASK_PRIORITY_HIGH);
    assert_int_equal(settings.priorities[1].level, CT_TASK_PRIORITY_LOW);
    assert_true(settings.is_lua_unsafe);
    assert_string_equal(settings.sound_buses, "sounds/buses");
    assert_string_equal(settings.overlay_key, "keyboard.f12");
    assert_false(settings.has_sound_output);
    assert_int_equal(settings.sound_voices, 128);
    assert_int_equal(settings.navigation_path_polygons, 500);
    assert_int_equal(settings.navigation_tiles, 3);
    assert_string_equal(settings.network_address, "0.0.0.0");
    assert_string_equal(settings.network_password, "secret");
    assert_true(settings.is_network_plain);
    assert_int_equal(settings.network_bandwidth, 64000);
    ct_blob_writer_free(&blob);
}

static void names_what_is_missing(void **state) {
    (void)state;
    ct_error error = {0};
    write_config(&blob, "boot_script = \"scripts/main\"");
    assert_false(ct_settings_read((const ct_config_resource *)blob.bytes.items, &settings, &error));
    assert_string_equal(error.message, "boot_package is missing; expected the name of a package");
    ct_blob_writer_free(&blob);
}

static void refuses_values_out_of_range(void **state) {
    (void)state;
    assert_refused("window = { width = 3 }",
                   "window.width is 3; expected a whole number from 16 to 16384");
    assert_refused("window = { width = 640.5 }",
                   "window.width is 640.5; expected a whole number from 16 to 16384");
    assert_refused("streaming = { bytes_per_second = 0.5 }",
                   "streaming.bytes_per_second is 0.5; expected a whole number from 0 to 1e+12");
    assert_refused("max_frame_rate = -1", "max_frame_rate is -1; expected a number from 0 to 1000");
    assert_refused("time_step = { seconds = 0 }",
                   "time_step.seconds is 0; expected a number from 1e-06 to 1");
    assert_refused("navigation = { tiles = 0 }",
                   "navigation.tiles is 0; expected a whole number from 1 to 65535");
    assert_refused("sound = { voices = 0 }",
                   "sound.voices is 0; expected a whole number from 1 to 1024");
    assert_refused("sound = { output = \"loud\" }",
                   "sound.output is \"loud\"; expected \"default\" or \"none\"");
    assert_refused("time_step = { policy = \"sometimes\" }",
                   "time_step.policy is \"sometimes\"; expected \"variable\", \"smoothed\", "
                   "\"fixed\" or \"locked\"");
    assert_refused("tasks = { workers = 65 }",
                   "tasks.workers is 65; expected a whole number from 0 to 64");
    assert_refused("tasks = { priorities = { sound = \"urgent\" } }",
                   "tasks.priorities.sound is \"urgent\"; expected \"critical\", \"high\", "
                   "\"normal\" or \"low\"");
}

static void refuses_values_of_another_type(void **state) {
    (void)state;
    assert_refused("window = { width = \"640\" }",
                   "window.width is \"640\"; expected a whole number from 16 to 16384");
    assert_refused("window = { title = 7 }", "window.title is 7; expected a string");
    assert_refused("lua = { unsafe = 1 }", "lua.unsafe is 1; expected true or false");
    assert_refused("window = [1 2]", "window is an array; expected an object");
    assert_refused("tasks = { priorities = true }",
                   "tasks.priorities is a boolean; expected an object");
    assert_refused("time_step = \"fixed\"", "time_step is \"fixed\"; expected an object");
    assert_refused("max_frame_rate = null",
                   "max_frame_rate is null; expected a number from 0 to 1000");
}

// The compiler has warned of them.
static void passes_over_names_that_it_does_not_know(void **state) {
    (void)state;
    assert_reads("window = { widht = 640 } lives = 3 time_step = { polycy = { a = 1 } }");
    assert_int_equal(settings.width, 1280);
    ct_blob_writer_free(&blob);
}

static void reads_hosts_of_the_web(void **state) {
    (void)state;
    assert_reads("web = { hosts = [\"api.example.com\" \"*.example.com:8443\"] }");
    assert_int_equal(settings.num_web_hosts, 2);
    assert_string_equal(settings.web_hosts[0], "api.example.com");
    assert_string_equal(settings.web_hosts[1], "*.example.com:8443");
    ct_blob_writer_free(&blob);
    assert_refused("web = { hosts = \"a\" }",
                   "web.hosts is \"a\"; expected an array of hosts, such as "
                   "[\"api.example.com\" \"*.example.com:8443\"]");
    assert_refused(
        "web = { hosts = [\"a\" \"*\"] }",
        "web.hosts: \"*\" is not a host: the host has the character 0x2a; expected letters, "
        "digits, '-' and '.'");
    assert_refused(
        "web = { hosts = [true] }",
        "web.hosts has the element a boolean; expected a host such as \"api.example.com\"");
    char text[1024] = "web = { hosts = [";
    for (uint32_t i = 0; i <= CT_SETTING_MAX_HOSTS; ++i)
        strcat(text, "\"a.b\" ");
    strcat(text, "] }");
    assert_refused(text, "web.hosts has more than 64 hosts");
}

static void refuses_more_priorities_than_have_room(void **state) {
    (void)state;
    char text[4096] = "tasks = { priorities = {";
    for (uint32_t i = 0; i <= CT_SETTING_MAX_PRIORITIES; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), " p%u = \"low\"", i);
    snprintf(text + strlen(text), sizeof(text) - strlen(text), " } }");
    assert_refused(text, "tasks.priorities has more than 64 members");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_in_defaults),
        cmocka_unit_test(reads_every_setting),
        cmocka_unit_test(names_what_is_missing),
        cmocka_unit_test(refuses_values_out_of_range),
        cmocka_unit_test(refuses_values_of_another_type),
        cmocka_unit_test(passes_over_names_that_it_does_not_know),
        cmocka_unit_test(reads_hosts_of_the_web),
        cmocka_unit_test(refuses_more_priorities_than_have_room),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
