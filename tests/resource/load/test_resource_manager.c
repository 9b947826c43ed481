#include "resource/load/resource_manager.h"

#include <stdatomic.h>
#include <stdio.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/catalog_fixture.h"

// --- A data folder, and what happens to its resources --------------------------------------------

enum { MAX_EVENTS = 128, EVENT_BYTES = 96 };

static const char *folder;
static ct_resource_manager *manager;
static char events[MAX_EVENTS][EVENT_BYTES]; // on the update thread
static uint32_t num_events;
static _Atomic uint32_t num_loads, num_unloads; // on the service thread, or of who waits
static _Atomic uint64_t load_thread;
static char logged[4096];

static void write_file(const char *type, const char *name, const void *bytes, uint64_t count) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_resource_file_name(ct_resource_id_of(type, name), file_name);
    ct_path_join(path, folder, file_name);
    ct_error error = {0};
    if (!ct_file_write(path, bytes, count, false, &error))
        fail_msg("%s", error.message);
}

static void write_script(const char *name, const char *text) {
    ct_blob_writer w;
    write_lua_text(&w, text);
    write_file("lua", name, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
}

static void write_picture(const char *name) {
    ct_blob_writer w;
    write_texture(&w);
    write_file("texture", name, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
}

// Writes the package `name` of "type name" pairs that end with NULL.
static void write_list(const char *name, const char *const *pairs) {
    ct_resource_id ids[16];
    uint32_t count = 0;
    for (; pairs[2 * count]; ++count)
        ids[count] = ct_resource_id_of(pairs[2 * count], pairs[2 * count + 1]);
    ct_blob_writer w;
    write_package(&w, ids, count);
    write_file("package", name, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
}
#define WRITE_LIST(name, ...) write_list((name), (const char *const[]){__VA_ARGS__, NULL})

// "a" for the name's hash of the few that these tests use.
static const char *short_name(ct_string_id64 name) {
    static const char *const names[] = {"a", "b", "c", "d", "t"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        if (ct_string_id64_of(names[i]).value == name.value)
            return names[i];
    }
    return "?";
}

static const char *script_text(const void *blob) {
    const ct_lua_resource *const lua = blob;
    return ct_blob_at(lua, lua->text.offset);
}

static void add_event(void *user, const char *what, ct_string_id64 name) {
    assert_true(num_events < MAX_EVENTS);
    snprintf(events[num_events++], EVENT_BYTES, "%s %s %s", (const char *)user, what,
             short_name(name));
}

static void on_load(void *user, ct_string_id64 name, const void *blob) {
    (void)user;
    (void)name;
    (void)blob;
    load_thread = ct_thread_current_id();
    ++num_loads;
}

static void on_unload(void *user, ct_string_id64 name, const void *blob) {
    (void)user;
    (void)name;
    // Freed blobs would make a sanitizer cry here.
    if (((const ct_blob_header *)blob)->magic == CT_BLOB_MAGIC)
        ++num_unloads;
}

static void on_online(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    add_event(user, "online", name);
}

static void on_offline(void *user, ct_string_id64 name, const void *blob) {
    assert_int_equal(((const ct_blob_header *)blob)->magic, CT_BLOB_MAGIC);
    add_event(user, "offline", name);
}

static ct_resource_package *unloaded_by_reload; // by the first that is told

static void on_reload(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob) {
    assert_true(num_events < MAX_EVENTS);
    assert_ptr_equal(ct_resource_manager_get(manager, "lua", name), new_blob);
    snprintf(events[num_events++], EVENT_BYTES, "%s reload %s %.16s -> %.16s", (const char *)user,
             short_name(name), script_text(old_blob), script_text(new_blob));
    if (unloaded_by_reload)
        ct_resource_package_unload(manager, unloaded_by_reload);
    unloaded_by_reload = NULL;
}

static void on_log(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user;
    (void)level;
    const size_t used = strlen(logged);
    snprintf(logged + used, sizeof(logged) - used, "%s: %s\n", system, message);
}

static void assert_events(const char *const *expected, uint32_t count) {
    for (uint32_t i = 0; i < count && i < num_events; ++i)
        assert_string_equal(events[i], expected[i]);
    assert_int_equal(num_events, count);
    num_events = 0;
}
#define ASSERT_EVENTS(...)                                                                         \
    assert_events((const char *const[]){__VA_ARGS__},                                              \
                  CT_COUNT_OF(((const char *const[]){__VA_ARGS__})))

static void assert_logged(const char *text) {
    if (!strstr(logged, text))
        fail_msg("logged \"%s\", expected \"%s\"", logged, text);
}

static void wait_for_unloads(uint32_t count) {
    for (uint32_t i = 0; i < 5000 && num_unloads < count; ++i)
        ct_os_sleep_ns(1000000);
    assert_int_equal(num_unloads, count);
}

// A folder of scripts a, b, c, a texture t, and packages: main (t a b), more (b c).
static int start_manager(void **state) {
    (void)state;
    folder = test_scratch_folder();
    write_script("a", "a1");
    write_script("b", "b1");
    write_script("c", "c1");
    write_picture("t");
    static const catalog_item items[] = {{"texture", "t", NULL, 0},
                                         {"lua", "a", NULL, 0},
                                         {"lua", "b", NULL, 0},
                                         {"lua", "c", NULL, 0}};
    write_catalog(folder, items, CT_COUNT_OF(items)); // does not know all
    WRITE_LIST("main", "texture", "t", "lua", "a", "lua", "b");
    WRITE_LIST("more", "lua", "b", "lua", "c");
    logged[0] = 0;
    num_events = 0;
    num_loads = num_unloads = 0;
    ct_log_add_sink(&(ct_log_sink){on_log, NULL, CT_LOG_LEVEL_WARNING});
    manager = ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    static char first[] = "1", second[] = "2";
    ct_resource_callbacks c = {first,      on_load,   on_unload, on_online,
                               on_offline, on_reload, NULL,      NULL};
    ct_resource_manager_register(manager, "lua", &c);
    c.reload = NULL;
    ct_resource_manager_register(manager, "texture", &c);
    c = (ct_resource_callbacks){.user = second, .online = on_online, .offline = on_offline};
    ct_resource_manager_register(manager, "lua", &c);
    return 0;
}

static int end_manager(void **state) {
    (void)state;
    if (manager)
        ct_resource_manager_destroy(manager);
    manager = NULL;
    ct_log_remove_sink(on_log, NULL);
    return 0;
}

static const void *get(const char *name) {
    return ct_resource_manager_get(manager, "lua", ct_string_id64_of(name));
}

static ct_resource_package *create(const char *name) {
    ct_error error = {0};
    ct_resource_package *const p = ct_resource_package_create(manager, name, &error);
    if (!p)
        fail_msg("%s", error.message);
    return p;
}

static ct_resource_package *load(const char *name) {
    ct_resource_package *const p = create(name);
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    assert_true(ct_resource_package_has_loaded(p));
    return p;
}

static uint32_t reload(const char *type, const char *name) {
    const ct_resource_id id = ct_resource_id_of(type, name);
    return ct_resource_manager_reload(manager, &id, 1);
}

// --- Packages ------------------------------------------------------------------------------------

static void packages_come_online_at_a_frame_boundary(void **state) {
    (void)state;
    ct_resource_package *const p = create("main");
    ct_resource_package_load(manager, p);
    assert_false(ct_resource_package_has_loaded(p));
    for (uint32_t i = 0; i < 5000 && num_loads < 3; ++i)
        ct_os_sleep_ns(1000000);
    assert_int_equal(num_events, 0);
    assert_null(get("a"));
    uint64_t frame = 1;
    for (; frame < 5000 && !ct_resource_package_has_loaded(p); ++frame) {
        ct_resource_manager_update(manager, frame);
        ct_os_sleep_ns(1000000);
    }
    assert_true(ct_resource_package_has_loaded(p));
    assert_string_equal(script_text(get("a")), "a1");
}

static void resources_come_online_in_the_packages_order(void **state) {
    (void)state;
    load("main");
    ASSERT_EVENTS("1 online t", "1 online a", "2 online a", "1 online b", "2 online b");
}

static void loads_on_the_service_thread(void **state) {
    (void)state;
    ct_resource_package *const p = create("main");
    ct_resource_package_load(manager, p);
    for (uint32_t i = 0; i < 5000 && !ct_resource_package_has_loaded(p); ++i) {
        ct_os_sleep_ns(1000000);
        ct_resource_manager_update(manager, i);
    }
    assert_int_equal(num_loads, 3);
    assert_int_not_equal(load_thread, ct_thread_current_id());
}

// `slow` holds up the service thread until the other has been loaded: by who waits.
static _Atomic bool has_loaded_more;

static void on_load_slowly(void *user, ct_string_id64 name, const void *blob) {
    (void)user, (void)blob;
    const bool is_slow = name.value == ct_string_id64_of("slow").value;
    for (uint32_t i = 0; is_slow && i < 5000 && !has_loaded_more; ++i)
        ct_os_sleep_ns(1000000);
    if (!is_slow)
        has_loaded_more = true;
}

static void who_waits_loads_meanwhile(void **state) {
    (void)state;
    has_loaded_more = false;
    write_script("slow", "slow");
    WRITE_LIST("both", "lua", "slow", "lua", "c");
    ct_resource_manager_register(manager, "lua", &(ct_resource_callbacks){.load = on_load_slowly});
    load("both");
    assert_true(has_loaded_more);
    assert_non_null(get("slow"));
    assert_non_null(get("c"));
}

static void a_resource_of_two_packages_is_loaded_once(void **state) {
    (void)state;
    ct_resource_package *const first = load("main");
    const void *const blob = get("b");
    ct_resource_package *const second = load("more");
    assert_ptr_equal(get("b"), blob);
    assert_int_equal(num_loads, 4);
    num_events = 0;
    ct_resource_package_unload(manager, first);
    ASSERT_EVENTS("2 offline a", "1 offline a", "1 offline t");
    assert_ptr_equal(get("b"), blob);
    assert_null(get("a"));
    ct_resource_package_unload(manager, second);
    ASSERT_EVENTS("2 offline c", "1 offline c", "2 offline b", "1 offline b");
}

// One of them refused; a small package comes meanwhile.
static void waits_for_all_of_a_large_package(void **state) {
    (void)state;
    enum { COUNT = 600, FEW = 3 };
    ct_resource_id ids[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "many_%u", i);
        ids[i] = ct_resource_id_of("lua", name);
        if (i != COUNT / 2)
            write_script(name, name);
    }
    ct_resource_manager *const m =
        ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    ct_resource_package *packages[2];
    for (uint32_t i = 0; i < 2; ++i) {
        ct_blob_writer w;
        write_package(&w, ids, i == 0 ? COUNT : FEW);
        write_file("package", i == 0 ? "many" : "few", w.bytes.items, w.bytes.count);
        ct_blob_writer_free(&w);
        packages[i] = ct_resource_package_create(m, i == 0 ? "many" : "few", NULL);
        ct_resource_package_load(m, packages[i]);
    }
    ct_resource_package_flush(m, packages[1]);
    for (uint32_t i = 0; i < FEW; ++i)
        assert_non_null(ct_resource_manager_get_id(m, ids[i]));
    ct_resource_package_flush(m, packages[0]);
    for (uint32_t i = 0; i < COUNT; ++i)
        assert_int_equal(ct_resource_manager_get_id(m, ids[i]) != NULL, i != COUNT / 2);
    for (uint32_t i = 0; i < 2; ++i)
        ct_resource_package_destroy(m, packages[i]);
    ct_resource_manager_destroy(m);
}

static void a_package_may_be_loaded_again(void **state) {
    (void)state;
    ct_resource_package *const p = load("main");
    ct_resource_package_unload(manager, p);
    assert_false(ct_resource_package_has_loaded(p));
    ct_resource_package_unload(manager, p); // nothing
    num_events = 0;
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    ASSERT_EVENTS("1 online t", "1 online a", "2 online a", "1 online b", "2 online b");
    ct_resource_package_destroy(manager, p);
    assert_null(get("a"));
}

static void unloading_while_loading_leaves_nothing(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 50; ++i) {
        ct_resource_package *const p = create("main");
        ct_resource_package_load(manager, p);
        ct_resource_package_unload(manager, p);
        if (i % 2)
            ct_resource_package_load(manager, p);
        ct_resource_package_destroy(manager, p);
        ct_resource_manager_update(manager, i);
    }
    assert_int_equal(num_events, 0);
    assert_string_equal(script_text((load("main"), get("a"))), "a1");
}

static void refuses_packages_that_are_not_there(void **state) {
    (void)state;
    ct_error error = {0};
    assert_null(ct_resource_package_create(manager, "mani", &error));
    assert_message(&error, "cannot read package \"mani\": there is no compiled data");
}

static void refuses_damaged_packages(void **state) {
    (void)state;
    write_file("package", "main", "rubbish", 7);
    ct_error error = {0};
    assert_null(ct_resource_package_create(manager, "main", &error));
    assert_message(&error, "cannot read package \"main\": truncated: found 7 bytes");
}

static void unknown_types_are_left_out_with_a_message(void **state) {
    (void)state;
    WRITE_LIST("main", "smell", "s", "lua", "a");
    load("main");
    ASSERT_EVENTS("1 online a", "2 online a");
    assert_logged("resource: refused #");
    assert_logged("unknown resource type");
}

// --- Refused blobs -------------------------------------------------------------------------------

// Loads the package with script a replaced by `bytes`; b must load all the same.
static void assert_a_is_refused(const void *bytes, uint64_t count, const char *message) {
    write_file("lua", "a", bytes, count);
    logged[0] = 0;
    ct_resource_package *const p = load("main");
    assert_null(get("a"));
    assert_string_equal(script_text(get("b")), "b1");
    assert_logged("refused lua \"a\": ");
    assert_logged(message);
    ct_resource_package_destroy(manager, p);
}

static void refuses_truncated_blobs(void **state) {
    (void)state;
    ct_blob_writer w;
    write_lua_text(&w, "some text");
    for (uint32_t size = 0; size < w.bytes.count; size += 16)
        assert_a_is_refused(w.bytes.items, size, "truncated");
    ct_blob_writer_free(&w);
}

static void refuses_other_versions_and_types(void **state) {
    (void)state;
    ct_blob_writer w;
    write_lua_text(&w, "some text");
    ((ct_blob_header *)(void *)w.bytes.items)->version = CT_LUA_VERSION + 1;
    assert_a_is_refused(w.bytes.items, w.bytes.count,
                        "it has another version: found 2, expected 1");
    ct_blob_writer_free(&w);
    write_texture(&w);
    assert_a_is_refused(w.bytes.items, w.bytes.count, "it has another type");
    ct_blob_writer_free(&w);
}

static void refuses_flipped_bits(void **state) {
    (void)state;
    uint32_t random = 5;
    for (uint32_t i = 0; i < 20; ++i) {
        ct_blob_writer w;
        write_lua_text(&w, "some text");
        const uint32_t bit = test_random(&random) % (8 * w.bytes.count);
        w.bytes.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_a_is_refused(w.bytes.items, w.bytes.count, "");
        ct_blob_writer_free(&w);
    }
}

static void refuses_blobs_that_do_not_validate(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "lua", CT_LUA_VERSION);
    const uint32_t fields[4] = {32, 500, 32, 2};
    ct_blob_write_bytes(&w, fields, sizeof(fields));
    ct_blob_writer_finish(&w);
    assert_a_is_refused(w.bytes.items, w.bytes.count, "path: text of 500 bytes at offset 32");
    ct_blob_writer_free(&w);
}

static void a_missing_resource_is_left_out(void **state) {
    (void)state;
    WRITE_LIST("main", "lua", "a", "lua", "d");
    load("main");
    assert_non_null(get("a"));
    assert_logged("there is no compiled data");
}

// --- Single resources ----------------------------------------------------------------------------

static void loads_one_resource_at_once(void **state) {
    (void)state;
    ct_error error = {0};
    assert_true(ct_resource_manager_load_now(manager, "lua", "c", &error));
    assert_string_equal(script_text(get("c")), "c1");
    ASSERT_EVENTS("1 online c", "2 online c");
    ct_resource_package *const p = load("more");
    ct_resource_package_destroy(manager, p);
    assert_non_null(get("c")); // it stays
    assert_null(get("b"));
}

static void takes_everything_offline_before_its_end(void **state) {
    (void)state;
    ct_error error = {0};
    assert_true(ct_resource_manager_load_now(manager, "lua", "c", &error));
    assert_true(ct_resource_manager_load_now(manager, "lua", "a", &error));
    num_events = 0;
    ct_resource_manager_end_all(manager);
    ASSERT_EVENTS("2 offline a", "1 offline a", "2 offline c", "1 offline c");
    assert_null(get("a"));
    ct_resource_manager_destroy(manager);
    manager = NULL;
    assert_int_equal(num_events, 0); // whoever registered may be gone
}

// A call that lasts until it is allowed to end, and a little longer.
typedef struct slow_call {
    _Atomic bool has_begun, may_end, has_ended;
} slow_call;

static void on_load_in_parts(void *user, ct_string_id64 name, const void *blob) {
    (void)name, (void)blob;
    slow_call *const call = user;
    call->has_begun = true;
    while (!call->may_end)
        ct_os_sleep_ns(100000);
    ct_os_sleep_ns(20000000);
    call->has_ended = true;
}

static void a_system_that_ends_is_not_called_any_more(void **state) {
    (void)state;
    static char third[] = "3";
    const ct_resource_callbacks c = {third,      on_load,   on_unload, on_online,
                                     on_offline, on_reload, NULL,      NULL};
    ct_resource_manager_register(manager, "lua", &c);
    ct_error error = {0};
    assert_true(ct_resource_manager_load_now(manager, "lua", "a", &error));
    ASSERT_EVENTS("1 online a", "2 online a", "3 online a");
    assert_int_equal(num_loads, 2);
    ct_resource_manager_unregister(manager, third);
    assert_true(ct_resource_manager_load_now(manager, "lua", "b", &error));
    ct_resource_manager_end_all(manager);
    ASSERT_EVENTS("1 online b", "2 online b", "2 offline b", "1 offline b", "2 offline a",
                  "1 offline a");
    assert_int_equal(num_loads, 3);
    ct_resource_manager_destroy(manager);
    manager = NULL;
    assert_int_equal(num_unloads, 2);
}

static void a_system_ends_after_the_call_that_runs(void **state) {
    (void)state;
    slow_call call = {false};
    ct_resource_manager_register(manager, "texture",
                                 &(ct_resource_callbacks){.user = &call, .load = on_load_in_parts});
    ct_resource_package *const p = ct_resource_package_create(manager, "main", NULL);
    ct_resource_package_load(manager, p);
    while (!call.has_begun)
        ct_os_sleep_ns(100000);
    call.may_end = true;
    ct_resource_manager_unregister(manager, &call);
    assert_true(call.has_ended);
}

static void says_why_one_resource_cannot_be_loaded(void **state) {
    (void)state;
    ct_error error = {0};
    assert_false(ct_resource_manager_load_now(manager, "lua", "d", &error));
    assert_message(&error, "cannot load lua \"d\": there is no compiled data");
    assert_false(ct_resource_manager_load_now(manager, "smell", "d", &error));
    assert_message(&error, "unknown resource type \"smell\"");
    write_file("lua", "d", "x", 1);
    assert_false(ct_resource_manager_load_now(manager, "lua", "d", &error));
    assert_message(&error, "cannot load lua \"d\": truncated");
    assert_string_equal(logged, "");
    write_script("d", "d1");
    assert_true(ct_resource_manager_load_now(manager, "lua", "d", &error));
}

static void says_what_could_be_loaded(void **state) {
    (void)state;
    assert_true(ct_resource_manager_can_get(manager, "lua", "a"));
    assert_false(ct_resource_manager_can_get(manager, "lua", "d"));
    assert_false(ct_resource_manager_can_get(manager, "texture", "a"));
}

static void knows_names_from_the_catalog(void **state) {
    (void)state;
    assert_string_equal(ct_string_id64_name(ct_string_id64_of("a")), "a");
    assert_string_equal(ct_string_id64_name((ct_string_id64){0xab}), "#00000000000000ab");
}

static void guesses_names_from_the_catalog(void **state) {
    (void)state;
    char nearest[CT_RESOURCE_NAME_BYTES] = "";
    write_catalog(folder, &(catalog_item){.type = "lua", .name = "scripts/player"}, 1);
    assert_true(ct_resource_manager_nearest(manager, "lua", "scripts/plyer", nearest));
    assert_string_equal(nearest, "scripts/player");
    assert_false(ct_resource_manager_nearest(manager, "unit", "scripts/plyer", nearest));
    assert_false(ct_resource_manager_nearest(manager, "lua", "levels/yard", nearest));
}

static void a_damaged_catalog_is_a_warning(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_CATALOG_FILE);
    ct_error error = {0};
    assert_true(ct_file_write(path, "rubbish", 7, false, &error));
    load("main");
    assert_logged("the catalog of compiled data is refused: truncated");
    assert_string_equal(ct_string_id64_name(ct_string_id64_of("a")), "a");
}

static void restart_manager(void) {
    ct_resource_manager_destroy(manager);
    manager = ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
}

static void data_without_a_catalog_is_told_and_nothing_is_logged(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    assert_true(ct_resource_manager_check_data(manager, &error));
    ct_path_join(path, folder, CT_CATALOG_FILE);
    assert_true(ct_file_write(path, "rubbish", 7, false, &error));
    restart_manager();
    assert_false(ct_resource_manager_check_data(manager, &error));
    assert_string_equal(error.file, path);
    assert_non_null(strstr(error.message, "the catalog of compiled data is refused: truncated"));
    assert_true(ct_os_file_remove(path, &error));
    restart_manager();
    assert_false(ct_resource_manager_check_data(manager, &error));
    assert_string_equal(error.file, path);
    assert_string_equal(error.message, "the catalog of compiled data is missing");
    assert_string_equal(logged, "");
    write_catalog(folder, &(catalog_item){.type = "lua", .name = "a"}, 1);
    assert_true(ct_resource_manager_check_data(manager, &error));
}

// --- Reloading and retiring ----------------------------------------------------------------------

static void reload_gives_old_and_new_blob(void **state) {
    (void)state;
    load("main");
    num_events = 0;
    write_script("a", "a2");
    assert_int_equal(reload("lua", "a"), 1);
    ASSERT_EVENTS("1 reload a a1 -> a2");
    assert_string_equal(script_text(get("a")), "a2");
}

static void a_reload_may_release_what_is_still_to_be_swapped(void **state) {
    (void)state;
    unloaded_by_reload = load("main");
    num_events = 0;
    write_script("a", "a2");
    write_script("b", "b2");
    const ct_resource_id ids[] = {ct_resource_id_of("lua", "a"), ct_resource_id_of("lua", "b")};
    assert_int_equal(ct_resource_manager_reload(manager, ids, 2), 1);
    ASSERT_EVENTS("1 reload a a1 -> a2", "2 offline b", "1 offline b", "2 offline a", "1 offline a",
                  "1 offline t");
    ct_resource_manager_retire(manager, UINT64_MAX);
    wait_for_unloads(5); // t, and two blobs of a and of b each
    assert_null(get("a"));
}

static void reload_passes_over_what_is_not_loaded(void **state) {
    (void)state;
    load("main");
    num_events = 0;
    assert_int_equal(reload("lua", "c"), 0);
    assert_int_equal(reload("lua", "nowhere"), 0);
    assert_int_equal(num_events, 0);
    assert_string_equal(logged, "");
}

static void a_refused_reload_keeps_the_old(void **state) {
    (void)state;
    load("main");
    const void *const blob = get("a");
    num_events = 0;
    write_file("lua", "a", "rubbish", 7);
    assert_int_equal(reload("lua", "a"), 0);
    assert_ptr_equal(get("a"), blob);
    assert_string_equal(script_text(blob), "a1");
    assert_int_equal(num_events, 0);
    assert_logged("refused lua \"a\": truncated");
}

static void reload_brings_online_what_was_refused_before(void **state) {
    (void)state;
    write_file("lua", "a", "rubbish", 7);
    load("main");
    assert_null(get("a"));
    num_events = 0;
    write_script("a", "a2");
    assert_int_equal(reload("lua", "a"), 1);
    ASSERT_EVENTS("1 online a", "2 online a");
    assert_string_equal(script_text(get("a")), "a2");
}

static void reload_while_loading_takes_the_new(void **state) {
    (void)state;
    ct_resource_package *const p = create("main");
    ct_resource_package_load(manager, p);
    write_script("a", "a2");
    assert_int_equal(reload("lua", "a"), 0);
    ct_resource_package_flush(manager, p);
    assert_string_equal(script_text(get("a")), "a2");
    ASSERT_EVENTS("1 online t", "1 online a", "2 online a", "1 online b", "2 online b");
}

static void reloads_each_once_in_the_order_of_types(void **state) {
    (void)state;
    load("main");
    num_events = 0;
    write_script("a", "a2");
    write_script("b", "b2");
    const ct_resource_id ids[] = {ct_resource_id_of("texture", "t"), ct_resource_id_of("lua", "b"),
                                  ct_resource_id_of("lua", "a"), ct_resource_id_of("lua", "b")};
    assert_int_equal(ct_resource_manager_reload(manager, ids, 4), 3);
    ASSERT_EVENTS("1 reload b b1 -> b2", "1 reload a a1 -> a2");
}

static void a_reloaded_package_loads_what_it_gained_and_releases_what_it_lost(void **state) {
    (void)state;
    ct_resource_package *const p = load("main");
    num_events = 0;
    WRITE_LIST("main", "lua", "a", "lua", "c");
    write_script("a", "a2");
    const ct_resource_id ids[] = {ct_resource_id_of("lua", "a"),
                                  ct_resource_id_of("package", "main")};
    ct_resource_manager_reload(manager, ids, 2);
    assert_true(ct_resource_package_has_loaded(p));
    ASSERT_EVENTS("1 online c", "2 online c", "1 reload a a1 -> a2", "2 offline b", "1 offline b",
                  "1 offline t");
    ct_resource_package_unload(manager, p);
    assert_null(get("a"));
    assert_null(get("c"));
}

static void a_damaged_package_stays_as_it_was(void **state) {
    (void)state;
    load("main");
    num_events = 0;
    write_file("package", "main", "rubbish", 7);
    assert_int_equal(reload("package", "main"), 0);
    assert_int_equal(num_events, 0);
    assert_non_null(get("a"));
    assert_logged("truncated: found 7 bytes");
}

static void replaced_blobs_live_until_the_renderer_has_passed(void **state) {
    (void)state;
    load("main");
    ct_resource_manager_update(manager, 7);
    const void *const old_blob = get("a");
    write_script("a", "a2");
    assert_int_equal(reload("lua", "a"), 1);
    ct_resource_manager_retire(manager, 7); // told between frames 7 and 8: drawn with in 8
    load("more"); // the service thread has passed whatever it was asked to free
    assert_int_equal(num_unloads, 0);
    assert_string_equal(script_text(old_blob), "a1");
    ct_resource_manager_retire(manager, 8);
    wait_for_unloads(1);
}

static void unloaded_blobs_live_until_the_renderer_has_passed(void **state) {
    (void)state;
    ct_resource_package *const p = load("main");
    ct_resource_manager_update(manager, 3);
    const void *const blob = get("a");
    ct_resource_package_unload(manager, p);
    ct_resource_manager_retire(manager, 3);
    assert_string_equal(script_text(blob), "a1");
    assert_int_equal(num_unloads, 0);
    ct_resource_manager_retire(manager, 4);
    wait_for_unloads(3);
}

static void ends_newest_first_and_undoes_every_load(void **state) {
    (void)state;
    load("main");
    load("more");
    num_events = 0;
    ct_resource_manager_destroy(manager);
    manager = NULL;
    ASSERT_EVENTS("2 offline c", "1 offline c", "2 offline b", "1 offline b", "2 offline a",
                  "1 offline a", "1 offline t");
    assert_int_equal(num_unloads, num_loads);
}

static void ends_while_it_loads(void **state) {
    (void)state;
    ct_resource_package_load(manager, create("main"));
    ct_resource_package_load(manager, create("more"));
    ct_resource_manager_destroy(manager);
    manager = NULL;
    assert_int_equal(num_events, 0);
    assert_int_equal(num_unloads, num_loads);
}

static void allocates_nothing_in_quiet_frames(void **state) {
    (void)state;
    load("main");
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint64_t frame = 1; frame < 100; ++frame) {
        ct_resource_manager_update(manager, frame);
        ct_resource_manager_retire(manager, frame);
        assert_non_null(get("a"));
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
}

// --- The example of resource_manager.h -----------------------------------------------------------

static void count_script(void *user, ct_string_id64 name, const void *blob) {
    (void)name, (void)blob;
    ++*(uint32_t *)user;
}

static void example_of_the_header(void **state) {
    (void)state;
    ct_allocator *const a = test_heap();
    const char *const data_folder = folder;
    uint32_t num_scripts = 0;
    ct_resource_manager *const m = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = a, .data_folder = data_folder});
    ct_resource_manager_register(
        m, "lua", &(ct_resource_callbacks){.user = &num_scripts, .online = count_script});

    ct_error error = {0};
    ct_resource_package *const yard = ct_resource_package_create(m, "main", &error);
    CT_ASSERT(yard, "%s", error.message);
    ct_resource_package_load(m, yard); // in the background
    for (uint64_t frame = 1; !ct_resource_package_has_loaded(yard); ++frame) {
        ct_resource_manager_update(m, frame); // brings loaded resources online
        ct_resource_manager_retire(m, frame); // when the renderer has passed this frame
    }
    const void *const blob = ct_resource_manager_get(m, "lua", ct_string_id64_of("a"));
    assert_non_null(blob);
    assert_int_equal(num_scripts, 2);

    ct_resource_package_destroy(m, yard);
    ct_resource_manager_destroy(m);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start_manager, end_manager)
    const struct CMUnitTest tests[] = {
        TEST(example_of_the_header),
        TEST(packages_come_online_at_a_frame_boundary),
        TEST(resources_come_online_in_the_packages_order),
        TEST(loads_on_the_service_thread),
        TEST(who_waits_loads_meanwhile),
        TEST(a_resource_of_two_packages_is_loaded_once),
        TEST(a_package_may_be_loaded_again),
        TEST(waits_for_all_of_a_large_package),
        TEST(unloading_while_loading_leaves_nothing),
        TEST(refuses_packages_that_are_not_there),
        TEST(refuses_damaged_packages),
        TEST(unknown_types_are_left_out_with_a_message),
        TEST(refuses_truncated_blobs),
        TEST(refuses_other_versions_and_types),
        TEST(refuses_flipped_bits),
        TEST(refuses_blobs_that_do_not_validate),
        TEST(a_missing_resource_is_left_out),
        TEST(loads_one_resource_at_once),
        TEST(takes_everything_offline_before_its_end),
        TEST(a_system_that_ends_is_not_called_any_more),
        TEST(a_system_ends_after_the_call_that_runs),
        TEST(says_why_one_resource_cannot_be_loaded),
        TEST(says_what_could_be_loaded),
        TEST(knows_names_from_the_catalog),
        TEST(guesses_names_from_the_catalog),
        TEST(a_damaged_catalog_is_a_warning),
        TEST(data_without_a_catalog_is_told_and_nothing_is_logged),
        TEST(reload_gives_old_and_new_blob),
        TEST(a_reload_may_release_what_is_still_to_be_swapped),
        TEST(reload_passes_over_what_is_not_loaded),
        TEST(a_refused_reload_keeps_the_old),
        TEST(reload_brings_online_what_was_refused_before),
        TEST(reload_while_loading_takes_the_new),
        TEST(reloads_each_once_in_the_order_of_types),
        TEST(a_reloaded_package_loads_what_it_gained_and_releases_what_it_lost),
        TEST(a_damaged_package_stays_as_it_was),
        TEST(replaced_blobs_live_until_the_renderer_has_passed),
        TEST(unloaded_blobs_live_until_the_renderer_has_passed),
        TEST(ends_newest_first_and_undoes_every_load),
        TEST(ends_while_it_loads),
        TEST(allocates_nothing_in_quiet_frames),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
