// Loading, order, additions, states, reloading; and all that can be wrong with a library: the old one
// goes on.
#include "plugin/plugin_host.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/task/task.h"
#include "plugin/libraries/sample.h"
#include "plugin/plugin_addition.h"
#include "plugin/plugin_interfaces.h"
#include "support/test_support.h"

// --- A program with one kind of additions --------------------------------------------------------

static char events[4096];
static uint32_t num_in, num_replaced;
static bool refuses_removal;

static bool check(const ct_plugin_addition *a, ct_error *error) {
    const sample_addition *const s = a->desc;
    return s->kind_fault != FAULT_CHECK || ct_error_set(error, "refused by check");
}

static bool add(ct_plugin_addition *a, ct_error *error) {
    const sample_addition *const s = a->desc;
    if (s->kind_fault == FAULT_ADD && strcmp(a->name, "second") == 0)
        return ct_error_set(error, "refused by add");
    ++num_in;
    return true;
}

static bool can_replace(const ct_plugin_addition *a, const void *desc, ct_error *error) {
    (void)a;
    const sample_addition *const s = desc;
    return s->kind_fault != FAULT_REPLACE || ct_error_set(error, "refused by can_replace");
}

static bool can_remove(const ct_plugin_addition *a, ct_error *error) {
    (void)a;
    return !refuses_removal || ct_error_set(error, "it is in use");
}

static void replaced(ct_plugin_addition *a) {
    (void)a;
    ++num_replaced;
}

static void remove_it(ct_plugin_addition *a) {
    (void)a;
    --num_in;
}

static const ct_plugin_kind kind = {.name = "sample thing",
                                    .desc_bytes = sizeof(sample_addition),
                                    .check = check,
                                    .add = add,
                                    .can_replace = can_replace,
                                    .replaced = replaced,
                                    .can_remove = can_remove,
                                    .remove = remove_it};

static bool api_add(cuttle_plugin *self, const char *name, const sample_addition *addition,
                    cuttle_error *error) {
    ct_error own = {0};
    char full[64];
    snprintf(full, sizeof(full), "%s of %s", name, ct_plugin_name(self));
    if (strcmp(name, "second") == 0)
        snprintf(full, sizeof(full), "second");
    if (ct_plugin_add(self, &kind, full, addition, &own))
        return true;
    if (error)
        snprintf(error->message, sizeof(error->message), "%s", own.message);
    return false;
}

static void (*on_event)(const char *plugin, const char *what); // NULL: nothing happens

static void api_event(const char *plugin, const char *what, int value) {
    const size_t length = strlen(events);
    snprintf(events + length, sizeof(events) - length, "%s %s %d\n", plugin, what, value);
    if (on_event)
        on_event(plugin, what);
}

static const sample_adder_api_1 adder = {api_add, api_event};
static const ct_plugin_interface interfaces[] = {{SAMPLE_ADDER_API, 1, &adder}};

typedef struct fixture {
    ct_allocator *allocator;
    ct_plugin_host *host;
    char folder[CT_PATH_BYTES], library[CT_PATH_BYTES];
} fixture;

static void path_of(const char *library, char path[CT_PATH_BYTES]) {
    snprintf(path, CT_PATH_BYTES, "%s/tests/plugins/%s.so", ct_os_environment("CUTTLE_BUILD_DIR"),
             library);
}

// Puts a compiled library, or the first `part` of it, to another path, as a linker does.
static void build_at(fixture *f, const char *library, double part, const char *to) {
    char path[CT_PATH_BYTES];
    uint64_t bytes;
    ct_error error = {0};
    path_of(library, path);
    char *const data = ct_file_read(f->allocator, path, &bytes, &error);
    assert_non_null(data);
    assert_true(ct_file_write(to, data, (uint64_t)((double)bytes * part), false, &error));
    ct_free(f->allocator, data);
}

// … to where the plugin's file is.
static void build(fixture *f, const char *library) {
    build_at(f, library, 1, f->library);
}

static ct_task_manager *tasks; // of hosts that are made; NULL: none

static ct_plugin_host *make_host(fixture *f, const char *copies_folder) {
    return ct_plugin_host_create(&(ct_plugin_host_desc){.allocator = f->allocator,
                                                        .interfaces = interfaces,
                                                        .num_interfaces = CT_COUNT_OF(interfaces),
                                                        .copies_folder = copies_folder,
                                                        .tasks = tasks});
}

static void begin(fixture *f) {
    *f = (fixture){.allocator = test_heap()};
    snprintf(f->folder, sizeof(f->folder), "%s", test_scratch_folder());
    assert_true(ct_path_try_join(f->library, f->folder, "sample.so"));
    char copies[CT_PATH_BYTES];
    assert_true(ct_path_try_join(copies, f->folder, "copies"));
    f->host = make_host(f, copies);
    events[0] = 0;
    num_in = num_replaced = 0;
    refuses_removal = false;
}

static void finish(fixture *f) {
    ct_plugin_host_destroy(f->host);
    assert_int_equal(num_in, 0);
}

static bool load(fixture *f, const char *library, ct_error *error) {
    build(f, library);
    *error = (ct_error){0};
    return ct_plugin_host_load_one(f->host, &(ct_plugin_entry){"sample", f->library}, error);
}

static int number_of(const fixture *f, const char *name) {
    const ct_plugin_addition *const a = ct_plugin_host_addition(f->host, &kind, name);
    return a ? ((const sample_addition *)a->desc)->number() : 0;
}

// --- Tests ---------------------------------------------------------------------------------------

static void test_loads_and_calls(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f);
    assert_true(load(&f, "first", &error));
    assert_int_equal(number_of(&f, "main of sample"), 1);
    ct_plugin_host_start(f.host);
    ct_plugin_host_update(f.host, 0.25);
    ct_plugin_host_end(f.host);
    assert_string_equal(ct_plugin_name(ct_plugin_host_at(f.host, 0)), "sample");
    assert_true(ct_plugin_host_unload(f.host, "sample", &error));
    assert_int_equal(ct_plugin_host_count(f.host), 0);
    assert_string_equal(events,
                        "sample start 1\nsample update 250\nsample end 1\nsample shutdown 1\n");
    finish(&f);
}

static void test_reload_takes_the_place(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f);
    assert_true(load(&f, "first", &error));
    ct_plugin_host_start(f.host);
    const ct_plugin_addition *const a = ct_plugin_host_addition(f.host, &kind, "main of sample");
    build(&f, "second");
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    assert_ptr_equal(ct_plugin_host_addition(f.host, &kind, "main of sample"), a);
    assert_int_equal(number_of(&f, "main of sample"), 2);
    assert_int_equal(number_of(&f, "second"), 2);
    assert_int_equal(num_in, 2);
    assert_int_equal(num_replaced, 1);
    build(&f, "first");
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    assert_int_equal(number_of(&f, "main of sample"), 1);
    assert_int_equal(number_of(&f, "second"), 0);
    assert_int_equal(num_in, 1);
    assert_int_equal(ct_plugin_num_reloads(ct_plugin_host_find(f.host, "sample")), 2);
    assert_string_equal(events, "sample start 1\nsample shutdown 1\nsample reloaded 2\n"
                                "sample shutdown 2\nsample reloaded 1\n");
    finish(&f);
}

// What is wrong with each library, and a part of the message.
static const struct {
    int fault;
    const char *message;
    bool is_signal; // sanitizers have signals
} faults[] = {
    {FAULT_SEGV, "it crashed: Segmentation fault", true},
    {FAULT_ABORT, "it called abort", true},
    {FAULT_EXIT, "it called exit(3)", true},
    {FAULT_QUICK_EXIT, "it called _exit(4)", true},
    {FAULT_FAIL, "broken 12", false},
    {FAULT_FALSE, "refused for a test", false},
    {FAULT_SILENT, "its init returned false without a reason", false},
    {FAULT_NAME, "the library is of the plugin \"other\"; expected \"sample\"", false},
    {FAULT_NO_INIT, "needs a function `init`", false},
    {FAULT_NO_EXPORT, "does not export cuttle_plugin_get_api", false},
    {FAULT_OTHER_VERSION, "no interface \"plugin\" of version 1", false},
    {FAULT_MISSING_SYMBOL, "undefined symbol: there_is_no_such_function", false},
    {FAULT_TWICE, "was added before", false},
    {FAULT_CHECK, "refused by check", false},
    {FAULT_ADD, "refused by add", false},
};

static bool is_tried(uint32_t i) {
#ifdef CT_SANITIZE
    return !faults[i].is_signal;
#else
    (void)i;
    return true;
#endif
}

static void test_faulty_libraries_are_left_out(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(faults); ++i) {
        fixture f;
        ct_error error;
        char library[32];
        if (!is_tried(i))
            continue;
        begin(&f);
        snprintf(library, sizeof(library), "fault_%d", faults[i].fault);
        assert_false(load(&f, library, &error));
        if (!strstr(error.message, faults[i].message))
            fail_msg("fault %d: %s", faults[i].fault, error.message);
        assert_int_equal(ct_plugin_host_count(f.host), 0);
        assert_int_equal(num_in, 0);
        assert_string_equal(events, "");
        finish(&f);
    }
}

static void test_old_library_goes_on(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(faults); ++i) {
        fixture f;
        ct_error error;
        char library[32];
        if (!is_tried(i))
            continue;
        begin(&f);
        assert_true(load(&f, "first", &error));
        snprintf(library, sizeof(library), "fault_%d", faults[i].fault);
        build(&f, library);
        error = (ct_error){0};
        assert_false(ct_plugin_host_reload(f.host, "sample", &error));
        if (!strstr(error.message, faults[i].message))
            fail_msg("fault %d: %s", faults[i].fault, error.message);
        assert_int_equal(number_of(&f, "main of sample"), 1);
        assert_int_equal(num_in, 1);
        ct_plugin_host_update(f.host, 0.001);
        assert_string_equal(events, "sample update 1\n");
        build(&f, "second");
        assert_true(ct_plugin_host_reload(f.host, "sample", &error));
        assert_int_equal(number_of(&f, "main of sample"), 2);
        finish(&f);
    }
}

// Tries to load what is in the plugin's file; the old library, number `old`, goes on as it was.
static void must_refuse(fixture *f, int old, const char *message) {
    const uint32_t num_before = num_in;
    ct_error error = {0};
    events[0] = 0;
    assert_false(ct_plugin_host_reload(f->host, "sample", &error));
    if (!strstr(error.message, message))
        fail_msg("%s", error.message);
    assert_int_equal(number_of(f, "main of sample"), old);
    assert_int_equal(num_in, num_before);
    assert_int_equal(ct_plugin_num_reloads(ct_plugin_host_find(f->host, "sample")), 0);
    ct_plugin_host_update(f->host, 0.001);
    assert_non_null(strstr(events, "sample update 1"));
    assert_null(strstr(events, "shutdown"));
}

static void test_old_library_goes_on_where_the_program_refuses_the_change(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    char library[32];
    begin(&f);
    assert_true(load(&f, "second", &error)); // adds "second", too
    snprintf(library, sizeof(library), "fault_%d", FAULT_REPLACE);
    build(&f, library);
    must_refuse(&f, 2, "cannot change while the game runs: refused by can_replace");
    build(&f, "first");
    refuses_removal = true;
    must_refuse(&f, 2, "does not add the sample thing \"second\" any more: it is in use");
    refuses_removal = false;
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    assert_int_equal(number_of(&f, "main of sample"), 1);
    finish(&f);
}

static void test_old_library_goes_on_where_no_copy_can_be_made(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    char copies[CT_PATH_BYTES];
    begin(&f);
    assert_true(load(&f, "first", &error));
    assert_true(ct_path_try_join(copies, f.folder, "copies"));
    assert_true(ct_folder_remove(copies, &error));
    assert_true(ct_file_write(copies, "", 0, false, &error));
    build(&f, "second");
    must_refuse(&f, 1, "copies");
    assert_true(ct_os_file_remove(copies, &error));
    assert_true(ct_folder_create(copies, &error));
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    assert_int_equal(number_of(&f, "main of sample"), 2);
    finish(&f);
}

// Those that need a plugin are reloaded with it; where one of them cannot be, nothing has changed.
static void test_old_library_goes_on_where_one_that_needs_it_fails(void **state) {
    (void)state;
    static const struct {
        const char *library, *message;
    } cases[] = {{"needing_fails", "refused for a test"},
                 {"needing_refused", "refused by check"},
                 {"first", "the library is of the plugin \"sample\"; expected \"needing\""}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        fixture f;
        ct_error error;
        begin(&f);
        assert_true(load(&f, "first", &error));
        fixture other = f;
        assert_true(ct_path_try_join(other.library, f.folder, "needing.so"));
        build(&other, "needing");
        assert_true(
            ct_plugin_host_load_one(f.host, &(ct_plugin_entry){"needing", other.library}, &error));
        build(&other, cases[i].library);
        build(&f, "second");
        must_refuse(&f, 1, cases[i].message);
        assert_int_equal(number_of(&f, "main of needing"), 5);
        assert_int_equal(ct_plugin_num_reloads(ct_plugin_host_find(f.host, "needing")), 0);
        build(&other, "needing");
        assert_true(ct_plugin_host_reload(f.host, "sample", &error));
        finish(&f);
    }
}

// The next library finds the state as if the refused one had never been.
static void test_refused_library_leaves_no_state(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f);
    assert_true(load(&f, "without_state", &error));
    build(&f, "fault_6"); // makes its state, and returns false
    assert_false(ct_plugin_host_reload(f.host, "sample", &error));
    build(&f, "other_default");
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    ct_plugin_host_update(f.host, 0.001);
    assert_non_null(strstr(events, "sample speed 8"));
    finish(&f);
}

static sample_state *state_of_plugin(fixture *f, const char *name) {
    static const cuttle_field field = {
        .name = "speed", .type = CUTTLE_FIELD_FLOAT, .offset = 4, .size_bytes = 4};
    const cuttle_schema schema = {.name = "sample",
                                  .version = 1,
                                  .size_bytes = sizeof(sample_state),
                                  .num_fields = 1,
                                  .fields = &field};
    ct_plugin *const plugin = ct_plugin_host_find(f->host, name);
    sample_state *const found = ct_plugin_state_api_1.get(plugin, &schema, NULL, NULL);
    const cuttle_schema later = {.name = "sample",
                                 .version = 2,
                                 .size_bytes = sizeof(sample_state),
                                 .num_fields = 1,
                                 .fields = &field};
    return found ? found : ct_plugin_state_api_1.get(plugin, &later, NULL, NULL);
}

static sample_state *state_of(fixture *f) {
    return state_of_plugin(f, "sample");
}

static void test_state_stays_and_migrates(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f);
    assert_true(load(&f, "first", &error));
    sample_state *const s = state_of(&f);
    assert_true(s->speed == 2.5f);
    ct_plugin_host_update(f.host, 0.001);
    ct_plugin_host_update(f.host, 0.001);
    s->speed = 9.0f;
    build(&f, "second");
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    assert_ptr_equal(state_of(&f), s);
    assert_int_equal(s->num_updates, 2);

    build(&f, "no_way");
    assert_false(ct_plugin_host_reload(f.host, "sample", &error));
    assert_non_null(strstr(error.message, "no way from version 1"));
    assert_ptr_equal(state_of(&f), s);

    build(&f, "later_state");
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    const sample_state *const now = state_of(&f);
    assert_int_equal(now->num_updates, 2);
    assert_true(now->speed == 9.0f);
    assert_int_equal(now->added, 77);
    assert_int_equal(now->migrated, 2);
    finish(&f);
}

static void test_needs_and_order(void **state) {
    (void)state;
    fixture f;
    char needing[CT_PATH_BYTES], a[CT_PATH_BYTES], b[CT_PATH_BYTES];
    ct_error error = {0};
    begin(&f);
    build(&f, "first");
    path_of("needing", needing);
    path_of("circle_a", a);
    path_of("circle_b", b);
    const ct_plugin_entry entries[] = {
        {"needing", needing},    {"circle_a", a},       {"sample", f.library}, {"circle_b", b},
        {"nothing", "/no/file"}, {"sample", f.library}, {"Wrong!", b},
    };
    assert_int_equal(ct_plugin_host_load(f.host, entries, CT_COUNT_OF(entries)), 5);
    assert_int_equal(ct_plugin_host_count(f.host), 2);
    assert_string_equal(ct_plugin_name(ct_plugin_host_at(f.host, 0)), "sample");
    assert_string_equal(ct_plugin_name(ct_plugin_host_at(f.host, 1)), "needing");
    assert_false(ct_plugin_host_unload(f.host, "sample", &error));
    assert_non_null(strstr(error.message, "\"needing\" needs \"sample\""));

    // A reload takes those along that need it.
    build(&f, "second");
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    assert_int_equal(ct_plugin_num_reloads(ct_plugin_host_find(f.host, "needing")), 1);
    assert_string_equal(events, "needing calls 1\nneeding shutdown 5\nsample shutdown 1\n"
                                "sample reloaded 2\nneeding reloaded 5\n");
    // What it needs now must have been loaded before it.
    build(&f, "needs_later");
    assert_false(ct_plugin_host_reload(f.host, "sample", &error));
    assert_non_null(strstr(error.message, "which was loaded after it"));
    build(&f, "needs_itself");
    assert_false(ct_plugin_host_reload(f.host, "sample", &error));
    assert_true(ct_plugin_host_unload(f.host, "needing", &error));
    assert_true(ct_plugin_host_unload(f.host, "sample", &error));
    finish(&f);
}

static void test_names_what_keeps_the_old_library(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f);
    char library[32];
    snprintf(library, sizeof(library), "fault_%d", FAULT_KEEP);
    assert_true(load(&f, library, &error));
    ct_plugin_host_update(f.host, 0.001);
    int (*kept)(void);
    memcpy(&kept, state_of(&f)->address, sizeof(kept));
    build(&f, "second");
    const uint64_t before = ct_log_error_count_of("plugin_keeps_old");
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    assert_int_equal(ct_log_error_count_of("plugin_keeps_old"), before + 1);
    assert_int_equal(kept(), 4); // so its library stayed open
    finish(&f);
}

// Writes the path of a file in the folder of copies.
static void copy_path(const fixture *f, const char *name, char path[CT_PATH_BYTES]) {
    char folder[CT_PATH_BYTES];
    assert_true(ct_path_try_join(folder, f->folder, "copies"));
    assert_true(ct_path_try_join(path, folder, name));
}

static bool has_copies(const fixture *f) {
    char path[CT_PATH_BYTES], name[64];
    snprintf(name, sizeof(name), "%lld-1.so", (long long)ct_os_process_id());
    copy_path(f, name, path);
    return ct_os_file_info(path).kind != CT_FILE_KIND_NONE;
}

static void test_names_what_others_keep_of_an_unloaded_library(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    char keeper[CT_PATH_BYTES];
    begin(&f);
    assert_true(load(&f, "first", &error));
    path_of("keeper", keeper);
    assert_true(ct_plugin_host_load_one(f.host, &(ct_plugin_entry){"keeper", keeper}, &error));
    const ct_plugin_addition *const a = ct_plugin_host_addition(f.host, &kind, "main of sample");
    int (*const number)(void) = ((const sample_addition *)a->desc)->number;
    memcpy(state_of_plugin(&f, "keeper")->address, &number, sizeof(number));
    assert_true(has_copies(&f));
    const uint64_t before = ct_log_error_count_of("plugin_keeps_old");
    assert_true(ct_plugin_host_unload(f.host, "sample", &error));
    assert_int_equal(ct_log_error_count_of("plugin_keeps_old"), before + 1);
    assert_int_equal(number(), 1); // so its library stayed open
    assert_false(has_copies(&f));
    finish(&f);
}

static void test_unloaded_plugins_of_folders_come_back_when_they_change(void **state) {
    (void)state;
    fixture f;
    ct_error error = {0};
    char folder[CT_PATH_BYTES];
    begin(&f);
    assert_true(ct_path_try_join(folder, f.folder, "auto"));
    assert_true(ct_folder_create(folder, &error));
    assert_true(ct_path_try_join(f.library, folder, "libsample.so"));
    build(&f, "first");
    assert_true(ct_plugin_host_add_folder(f.host, folder, &error));
    assert_int_equal(ct_plugin_host_count(f.host), 1);
    assert_true(ct_plugin_host_unload(f.host, "sample", &error));
    for (uint32_t i = 0; i < 13; ++i) { // folders are looked at once a second
        ct_plugin_host_watch(f.host);
        assert_int_equal(ct_plugin_host_count(f.host), 0);
        ct_os_sleep_ns(100000000);
    }
    // A call loads it, whatever was before.
    const ct_plugin_entry entry = {"sample", f.library};
    assert_true(ct_plugin_host_load_one(f.host, &entry, &error));
    assert_true(ct_plugin_host_unload(f.host, "sample", &error));
    build(&f, "second");
    for (uint32_t i = 0; i < 200 && ct_plugin_host_count(f.host) == 0; ++i) {
        ct_os_sleep_ns(50000000);
        ct_plugin_host_watch(f.host);
    }
    assert_int_equal(number_of(&f, "main of sample"), 2);
    finish(&f);
}

static void test_copies_of_processes_that_are_gone_are_removed(void **state) {
    (void)state;
    fixture f;
    ct_error error = {0};
    char path[CT_PATH_BYTES], own[64];
    begin(&f);
    ct_plugin_host_destroy(f.host);
    // Ids of processes are below 2^22.
    snprintf(own, sizeof(own), "%lld-77.so", (long long)ct_os_process_id());
    const char *const names[] = {"99999999-1.so", "99999998-123.so", own,
                                 "1-1.so",        "99999999.so",     "99999999-1.so.txt",
                                 "99999999-x.so", "notes.txt",       "-1.so"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        copy_path(&f, names[i], path);
        assert_true(ct_file_write(path, "x", 1, false, &error));
    }
    assert_true(ct_path_try_join(path, f.folder, "copies"));
    f.host = make_host(&f, path);
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        copy_path(&f, names[i], path);
        assert_int_equal(ct_os_file_info(path).kind == CT_FILE_KIND_FILE, i >= 2);
    }
    finish(&f);
}

static void test_leaks_are_named_and_freed(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f);
    char library[32];
    snprintf(library, sizeof(library), "fault_%d", FAULT_LEAK);
    assert_true(load(&f, library, &error));
    const uint64_t before = ct_log_error_count_of("plugin_leaks");
    finish(&f);
    assert_int_equal(ct_log_error_count_of("plugin_leaks"), before + 1);
}

static void write_part(fixture *f, const char *data, uint64_t bytes) {
    ct_error error = {0};
    assert_true(ct_file_write(f->library, data, bytes, false, &error));
}

static void test_files_that_are_no_libraries(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    char path[CT_PATH_BYTES];
    uint64_t bytes;
    begin(&f);
    assert_true(load(&f, "first", &error));
    path_of("second", path);
    char *const data = ct_file_read(f.allocator, path, &bytes, &error);
    const uint32_t rounds = test_rounds(64, 2000);
    for (uint32_t i = 0; i <= rounds; ++i) { // half a file, while a linker writes it
        write_part(&f, data, bytes * i / (rounds + 1));
        error = (ct_error){0};
        assert_false(ct_plugin_host_reload(f.host, "sample", &error));
        assert_true(error.message[0] != 0);
        assert_int_equal(number_of(&f, "main of sample"), 1);
    }
    char *const zeroes = ct_alloc_zero(f.allocator, bytes); // as linkers begin
    write_part(&f, zeroes, bytes);
    assert_false(ct_plugin_host_reload(f.host, "sample", &error));
    assert_non_null(strstr(error.message, "ends too early"));
    ct_free(f.allocator, zeroes);
    data[18] = 0x28; // the machine
    write_part(&f, data, bytes);
    assert_false(ct_plugin_host_reload(f.host, "sample", &error));
    assert_non_null(strstr(error.message, "for another machine"));
    write_part(&f, "hello, this is a text", 21);
    assert_false(ct_plugin_host_reload(f.host, "sample", &error));
    assert_non_null(strstr(error.message, "not a shared library"));
    ct_os_file_remove(f.library, NULL);
    assert_false(ct_plugin_host_reload(f.host, "sample", &error));
    assert_int_equal(number_of(&f, "main of sample"), 1);
    ct_free(f.allocator, data);
    finish(&f);
}

static void test_watches_files(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f);
    assert_true(load(&f, "first", &error));
    ct_plugin_host_watch(f.host);
    assert_int_equal(number_of(&f, "main of sample"), 1);
    build(&f, "second");
    for (uint32_t i = 0; i < 1000 && number_of(&f, "main of sample") != 2; ++i) {
        ct_os_sleep_ns(10000000);
        ct_plugin_host_watch(f.host);
    }
    assert_int_equal(number_of(&f, "main of sample"), 2);
    finish(&f);
}

static void watch_until(const fixture *f, uint32_t count) {
    for (uint32_t i = 0; i < 1000 && ct_plugin_host_count(f->host) != count; ++i) {
        ct_os_sleep_ns(1000000);
        ct_plugin_host_watch(f->host);
    }
    assert_int_equal(ct_plugin_host_count(f->host), count);
}

static void watch_in_vain(const fixture *f, uint32_t count, uint64_t num_errors) {
    for (uint32_t i = 0; i < 5; ++i)
        ct_plugin_host_watch(f->host);
    assert_int_equal(ct_plugin_host_count(f->host), count);
    assert_int_equal(ct_log_error_count_of("plugin_left_out"), num_errors);
}

static void test_plugins_that_were_left_out_come_when_their_files_change(void **state) {
    (void)state;
    fixture f;
    ct_error error = {0};
    char needing[CT_PATH_BYTES], fault[32];
    begin(&f);
    assert_true(ct_path_try_join(needing, f.folder, "needing.so"));
    const ct_plugin_entry entries[] = {{"needing", needing}, {"sample", f.library}};
    uint64_t num_errors = ct_log_error_count_of("plugin_left_out");
    build_at(&f, "needing", 1, needing);
    assert_int_equal(ct_plugin_host_load(f.host, entries, 2), 2); // sample.so is not built yet
    ct_plugin_host_start(f.host);
    watch_in_vain(&f, 0, num_errors += 2);
    build_at(&f, "first", 0.5, f.library); // its linker has begun
    watch_in_vain(&f, 0, num_errors);
    snprintf(fault, sizeof(fault), "fault_%d", FAULT_FALSE);
    build(&f, fault);
    watch_in_vain(&f, 0, ++num_errors);
    build(&f, "first");
    watch_until(&f, 2); // with the one that needs it, whose file is as it was
    assert_string_equal(ct_plugin_name(ct_plugin_host_at(f.host, 1)), "needing");
    assert_string_equal(events, "sample start 1\nneeding start 5\n");
    // One that was unloaded stays so until its file changes, too.
    assert_true(ct_plugin_host_unload(f.host, "needing", &error));
    build(&f, "second");
    watch_in_vain(&f, 1, num_errors);
    assert_int_equal(number_of(&f, "main of sample"), 2);
    build_at(&f, "needing_fails", 1, needing);
    watch_in_vain(&f, 1, ++num_errors);
    build_at(&f, "needing", 1, needing);
    watch_until(&f, 2);
    assert_true(
        ct_os_file_remove(needing, NULL)); // it goes on without its file, and stays away then
    watch_in_vain(&f, 2, num_errors);
    assert_true(ct_plugin_host_unload(f.host, "needing", &error));
    watch_in_vain(&f, 1, num_errors);
    finish(&f);
}

static ct_plugin_host *starting;

static void unload_sample(const char *plugin, const char *what) {
    ct_error error = {0};
    if (strcmp(plugin, "keeper") == 0 && strcmp(what, "start") == 0)
        assert_true(ct_plugin_host_unload(starting, "sample", &error));
}

static void test_all_start_though_one_unloads_another(void **state) {
    (void)state;
    fixture f;
    char keeper[CT_PATH_BYTES], another[CT_PATH_BYTES];
    begin(&f);
    build(&f, "first");
    path_of("keeper", keeper);
    path_of("another", another);
    const ct_plugin_entry entries[] = {
        {"sample", f.library}, {"keeper", keeper}, {"another", another}};
    assert_int_equal(ct_plugin_host_load(f.host, entries, 3), 0);
    starting = f.host;
    on_event = unload_sample;
    ct_plugin_host_start(f.host);
    on_event = NULL;
    assert_string_equal(events, "sample start 1\nkeeper start 8\nsample end 1\n"
                                "sample shutdown 1\nanother start 9\n");
    finish(&f);
}

// --- Tasks ---------------------------------------------------------------------------------------

typedef struct work {
    ct_plugin *plugin;
    _Atomic int num_left, num_done, num_named;
} work;

// A task that adds the next one, while a reload waits for it.
static void work_on(void *data) {
    work *const w = data;
    uint32_t count;
    const ct_error_context *const contexts = ct_error_contexts(&count);
    w->num_named += count > 0 && strcmp(contexts[count - 1].name, "sample") == 0;
    ct_os_sleep_ns(5000000);
    if (--w->num_left > 0)
        ct_plugin_tasks_api_1.add(w->plugin, "work", work_on, w, (cuttle_task){0});
    ++w->num_done;
}

static void work_on_part(void *data, uint32_t begin, uint32_t end) {
    work *const w = data;
    uint32_t count;
    const ct_error_context *const contexts = ct_error_contexts(&count);
    w->num_done += (int)(end - begin);
    w->num_named +=
        count > 0 && strcmp(contexts[count - 1].name, "sample") == 0 ? (int)(end - begin) : 0;
}

static void test_reload_waits_for_tasks_which_name_their_plugin(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    tasks =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = test_heap(), .num_workers = 2});
    begin(&f);
    assert_true(load(&f, "first", &error));
    ct_plugin *const plugin = ct_plugin_host_find(f.host, "sample");
    for (uint32_t i = 0; i < 2; ++i) {
        work w = {.plugin = plugin, .num_left = 8};
        ct_plugin_tasks_api_1.add(plugin, "work", work_on, &w, (cuttle_task){0});
        build(&f, i == 0 ? "second" : "first");
        if (i == 0)
            assert_true(ct_plugin_host_reload(f.host, "sample", &error));
        else
            assert_true(ct_plugin_host_unload(f.host, "sample", &error));
        assert_int_equal(w.num_done, 8);
        assert_int_equal(w.num_named, 8);
    }
    assert_true(load(&f, "first", &error));
    work parts = {.plugin = NULL};
    ct_plugin_tasks_api_1.parallel_for(ct_plugin_host_find(f.host, "sample"), "parts", 1000, 7,
                                       work_on_part, &parts);
    assert_int_equal(parts.num_done, 1000);
    assert_int_equal(parts.num_named, 1000);
    uint32_t count;
    ct_error_contexts(&count);
    assert_int_equal(count, 0);
    finish(&f);
    ct_task_manager_destroy(tasks);
    tasks = NULL;
}

static void test_thousand_reloads_do_not_grow(void **state) {
    (void)state;
    fixture f;
    ct_error error;
    begin(&f);
    assert_true(load(&f, "first", &error));
    ct_allocator_stats before = {0}, after;
    const uint32_t rounds = test_rounds(50, 1000);
    for (uint32_t i = 0; i < rounds; ++i) {
        if (i == 4)
            f.allocator->stats(f.allocator, &before);
        build(&f, i % 2 ? "first" : "second");
        assert_true(ct_plugin_host_reload(f.host, "sample", &error));
        assert_int_equal(number_of(&f, "main of sample"), i % 2 ? 1 : 2);
    }
    build(&f, "first");
    assert_true(ct_plugin_host_reload(f.host, "sample", &error));
    f.allocator->stats(f.allocator, &after);
    assert_int_equal(after.live_blocks, before.live_blocks);
    assert_true(after.live_bytes < before.live_bytes + 1024); // malloc's blocks differ a little
    assert_int_equal(ct_plugin_num_reloads(ct_plugin_host_find(f.host, "sample")), rounds + 1);
    finish(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads_and_calls),
        cmocka_unit_test(test_reload_takes_the_place),
        cmocka_unit_test(test_faulty_libraries_are_left_out),
        cmocka_unit_test(test_old_library_goes_on),
        cmocka_unit_test(test_old_library_goes_on_where_the_program_refuses_the_change),
        cmocka_unit_test(test_old_library_goes_on_where_no_copy_can_be_made),
        cmocka_unit_test(test_old_library_goes_on_where_one_that_needs_it_fails),
        cmocka_unit_test(test_refused_library_leaves_no_state),
        cmocka_unit_test(test_state_stays_and_migrates),
        cmocka_unit_test(test_needs_and_order),
        cmocka_unit_test(test_names_what_keeps_the_old_library),
        cmocka_unit_test(test_names_what_others_keep_of_an_unloaded_library),
        cmocka_unit_test(test_unloaded_plugins_of_folders_come_back_when_they_change),
        cmocka_unit_test(test_copies_of_processes_that_are_gone_are_removed),
        cmocka_unit_test(test_leaks_are_named_and_freed),
        cmocka_unit_test(test_files_that_are_no_libraries),
        cmocka_unit_test(test_watches_files),
        cmocka_unit_test(test_plugins_that_were_left_out_come_when_their_files_change),
        cmocka_unit_test(test_all_start_though_one_unloads_another),
        cmocka_unit_test(test_reload_waits_for_tasks_which_name_their_plugin),
        cmocka_unit_test(test_thousand_reloads_do_not_grow),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
