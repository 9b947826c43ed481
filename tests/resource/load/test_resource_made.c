#include "resource/load/resource_made.h"

#include <stdio.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "resource/catalog_fixture.h"

enum { EVENTS_BYTES = 512 };

static const char *folder;
static ct_resource_manager *manager;
static char events[EVENTS_BYTES];
static uint32_t num_loads;

static const char *text_of(const void *blob) {
    const ct_lua_resource *const lua = blob;
    return ct_blob_at(lua, lua->text.offset);
}

static void add_event(const char *what, const char *text) {
    const size_t used = strlen(events);
    snprintf(events + used, sizeof(events) - used, "%s%s %.16s", used ? ", " : "", what, text);
}

static void on_load(void *user, ct_string_id64 name, const void *blob) {
    (void)user, (void)name, (void)blob;
    ++num_loads;
}

static void on_online(void *user, ct_string_id64 name, const void *blob) {
    (void)user, (void)name;
    add_event("online", text_of(blob));
}

static void on_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)user, (void)name;
    add_event("offline", text_of(blob));
}

static void on_reload(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob) {
    (void)user;
    assert_ptr_equal(ct_resource_manager_get(manager, "lua", name), new_blob);
    add_event("reload", text_of(old_blob));
    add_event("to", text_of(new_blob));
}

static void write_file(const char *type, const char *name, const ct_blob_writer *w) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_resource_file_name(ct_resource_id_of(type, name), file_name);
    ct_path_join(path, folder, file_name);
    assert_true(ct_file_write(path, w->bytes.items, w->bytes.count, false, NULL));
}

static void write_script(const char *name, const char *text) {
    ct_blob_writer w;
    write_lua_text(&w, text);
    write_file("lua", name, &w);
    ct_blob_writer_free(&w);
}

// The scripts a and b are data, of which the catalog knows only a; the package lists b and "made".
static int start_manager(void **state) {
    (void)state;
    folder = test_scratch_folder();
    write_script("a", "a");
    write_script("b", "b");
    static const catalog_item items[] = {{"lua", "a", NULL, 0}};
    write_catalog(folder, items, CT_COUNT_OF(items));
    const ct_resource_id ids[] = {ct_resource_id_of("lua", "b"), ct_resource_id_of("lua", "made")};
    ct_blob_writer w;
    write_package(&w, ids, CT_COUNT_OF(ids));
    write_file("package", "all", &w);
    ct_blob_writer_free(&w);
    events[0] = 0;
    num_loads = 0;
    manager = ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    const ct_resource_callbacks c = {
        .load = on_load, .online = on_online, .offline = on_offline, .reload = on_reload};
    ct_resource_manager_register(manager, "lua", &c);
    return 0;
}

static int end_manager(void **state) {
    (void)state;
    ct_resource_manager_destroy(manager);
    return 0;
}

static bool set_made(const char *name, const char *text, ct_error *error) {
    ct_blob_writer w;
    write_lua_text(&w, text);
    const bool is_set =
        ct_resource_manager_set_made(manager, "lua", name, w.bytes.items, w.bytes.count, error);
    ct_blob_writer_free(&w);
    return is_set;
}

static void assert_events(const char *expected) {
    assert_string_equal(events, expected);
    events[0] = 0;
}

static void assert_not_made(const char *name, const char *message) {
    ct_error error = {0};
    assert_false(set_made(name, "new", &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\", expected \"%s\"", error.message, message);
    assert_events("");
}

static const void *get(const char *name) {
    return ct_resource_manager_get(manager, "lua", ct_string_id64_of(name));
}

static void is_online_until_removed(void **state) {
    (void)state;
    assert_false(ct_resource_manager_can_get(manager, "lua", "made"));
    assert_true(set_made("made", "1", NULL));
    assert_events("online 1");
    assert_int_equal(num_loads, 1);
    assert_string_equal(text_of(get("made")), "1");
    assert_true(ct_resource_manager_can_get(manager, "lua", "made"));
    ct_resource_manager_remove_made(manager, "lua", "made");
    assert_events("offline 1");
    assert_null(get("made"));
    ct_resource_manager_remove_made(manager, "lua", "made"); // nothing
    assert_events("");
    assert_true(set_made("made", "2", NULL));
    assert_events("online 2");
}

static void is_replaced_at_once(void **state) {
    (void)state;
    ct_resource_manager_update(manager, 1);
    assert_true(set_made("made", "1", NULL));
    const void *const old = get("made");
    assert_true(set_made("made", "2", NULL));
    assert_events("online 1, reload 1, to 2");
    assert_string_equal(text_of(old), "1"); // until the renderer has passed the frame
    assert_string_equal(text_of(get("made")), "2");
    ct_resource_manager_retire(manager, 5);
    ct_resource_manager_remove_made(manager, "lua", "made");
    assert_events("offline 2");
}

static void refuses_what_cannot_be(void **state) {
    (void)state;
    ct_error error = {0};
    assert_not_made("a", "the project has a lua \"a\"");
    assert_not_made("Made", "no name of a resource");
    assert_true(ct_resource_manager_load_now(manager, "lua", "b", NULL));
    assert_events("online b");
    assert_not_made("b", "is loaded from data");
    _Alignas(16) const uint8_t zeroes[64] = {0};
    assert_false(
        ct_resource_manager_set_made(manager, "lua", "made", zeroes, sizeof(zeroes), &error));
    assert_null(get("made"));
    assert_false(ct_resource_manager_set_made(manager, "luna", "x", zeroes, 64, &error));
    assert_string_equal(error.message, "unknown resource type \"luna\"");
    ct_resource_manager_remove_made(manager, "lua", "b"); // it is data
    assert_non_null(get("b"));
}

static ct_resource_package *load_all(void) {
    ct_resource_package *const p = ct_resource_package_create(manager, "all", NULL);
    ct_resource_package_load_now(manager, p);
    return p;
}

static void packages_hold_it(void **state) {
    (void)state;
    assert_true(set_made("made", "1", NULL));
    ct_resource_package *const p = load_all();
    assert_events("online 1, online b");
    ct_resource_manager_remove_made(manager, "lua", "made");
    assert_events("");
    assert_true(set_made("made", "2", NULL)); // it may be made again meanwhile
    assert_events("reload 1, to 2");
    ct_resource_manager_remove_made(manager, "lua", "made");
    ct_resource_package_destroy(manager, p);
    assert_events("offline 2, offline b");
}

static void takes_the_place_of_what_was_refused(void **state) {
    (void)state;
    ct_resource_package *const p = load_all();
    assert_null(get("made"));
    assert_events("online b");
    assert_true(set_made("made", "1", NULL));
    assert_events("online 1");
    ct_resource_package_destroy(manager, p);
    assert_string_equal(text_of(get("made")), "1");
    ct_resource_manager_remove_made(manager, "lua", "made");
    assert_null(get("made"));
}

static void a_reload_passes_it_over(void **state) {
    (void)state;
    assert_true(set_made("made", "1", NULL));
    write_script("made", "file");
    const ct_resource_id id = ct_resource_id_of("lua", "made");
    assert_int_equal(ct_resource_manager_reload(manager, &id, 1), 0);
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 2);
    assert_events("online 1");
}

int main(void) {
#define TEST(test) cmocka_unit_test_setup_teardown(test, start_manager, end_manager)
    const struct CMUnitTest tests[] = {
        TEST(is_online_until_removed), TEST(is_replaced_at_once),
        TEST(refuses_what_cannot_be),  TEST(packages_hold_it),
        TEST(a_reload_passes_it_over), TEST(takes_the_place_of_what_was_refused),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
