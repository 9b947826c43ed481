// The resource manager and streams: asked for, cancelled, damaged, with a budget; how far packages
// are.
#include "resource/load/resource_manager.h"

#include "foundation/log.h"
#include "foundation/os/os.h"
#include "resource/catalog_fixture.h"

static const char *folder;
static ct_resource_manager *manager;
static uint64_t frame;

// What the systems of textures heard last.
static struct {
    uint32_t num_streamed;
    uint8_t first_byte;
    const void *blob;
} heard;

static void write_file(const char *file_name, const void *bytes, uint64_t count) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, file_name);
    assert_true(ct_file_write(path, bytes, count, false, NULL));
}

static void write_blob(const char *type, const char *name, ct_blob_writer *w) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_file_name(ct_resource_id_of(type, name), file_name);
    write_file(file_name, w->bytes.items, w->bytes.count);
    ct_blob_writer_free(w);
}

static void write_stream(const char *name, const void *bytes, uint64_t count) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_stream_name(ct_resource_id_of("texture", name), file_name);
    write_file(file_name, bytes, count);
}

static void write_streamed(const char *name, uint8_t value) {
    ct_blob_writer w;
    uint8_t stream[STREAM_FIXTURE_BYTES];
    write_streamed_texture(&w, value, stream);
    write_blob("texture", name, &w);
    write_stream(name, stream, sizeof(stream));
}

static void on_streamed(void *user, ct_string_id64 name, const void *blob, const void *stream) {
    assert_ptr_equal(user, &heard);
    assert_int_equal(name.value, ct_string_id64_of("a").value);
    ++heard.num_streamed;
    heard.first_byte = *(const uint8_t *)stream;
    heard.blob = blob;
}

static const catalog_item items[] = {
    {"texture", "a", NULL, 0},    {"texture", "b", NULL, 0},    {"texture", "plain", NULL, 0},
    {"texture", "late", NULL, 0}, {"package", "main", NULL, 0}, {"package", "later", NULL, 0},
};

static int start_manager(void **state) {
    (void)state;
    folder = test_scratch_folder();
    heard.num_streamed = 0;
    frame = 0;
    write_streamed("a", 7);
    write_streamed("b", 8);
    ct_blob_writer w;
    write_texture(&w);
    write_blob("texture", "plain", &w);
    const ct_resource_id ids[] = {ct_resource_id_of("texture", "a"),
                                  ct_resource_id_of("texture", "b"),
                                  ct_resource_id_of("texture", "plain")};
    write_package(&w, ids, 3);
    write_blob("package", "main", &w);
    write_texture(&w);
    write_blob("texture", "late", &w);
    const ct_resource_id late = ct_resource_id_of("texture", "late");
    write_package(&w, &late, 1);
    write_blob("package", "later", &w);
    write_catalog(folder, items, CT_COUNT_OF(items));
    manager = ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    const ct_resource_callbacks c = {.user = &heard, .streamed = on_streamed};
    ct_resource_manager_register(manager, "texture", &c);
    return 0;
}

static int end_manager(void **state) {
    (void)state;
    ct_resource_manager_destroy(manager);
    return 0;
}

static ct_resource_package *create(const char *name) {
    ct_resource_package *const p = ct_resource_package_create(manager, name, NULL);
    assert_non_null(p);
    return p;
}

static ct_resource_package *load(void) {
    ct_resource_package *const p = create("main");
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    return p;
}

static const ct_texture_resource *texture(const char *name) {
    return ct_resource_manager_get(manager, "texture", ct_string_id64_of(name));
}

static void ask(const char *name) {
    ct_resource_manager_request_stream(manager, "texture", ct_string_id64_of(name));
}

static void streams_lie_behind_their_data_unless_told_otherwise(void **state) {
    (void)state;
    load();
    const ct_texture_resource *const t = texture("a");
    const ct_texture_mip *const mips = ct_blob_at(t, t->mips.offset);
    const uint8_t *const pixels = ct_blob_at(t, mips[0].pixels.offset);
    for (uint32_t i = 0; i < STREAM_FIXTURE_BYTES; ++i)
        assert_int_equal(pixels[i], 7);
    ask("a");
    assert_int_equal(ct_resource_manager_num_streams(manager), 0);
}

static void a_damaged_stream_refuses_its_data_when_they_are_loaded_together(void **state) {
    (void)state;
    const uint8_t damaged[STREAM_FIXTURE_BYTES] = {1};
    write_stream("a", damaged, sizeof(damaged));
    write_stream("b", damaged, 1);
    ct_error error = {0};
    assert_false(ct_resource_manager_load_now(manager, "texture", "a", &error));
    assert_message(&error, "the stream does not match its data");
    assert_false(ct_resource_manager_load_now(manager, "texture", "b", &error));
    assert_message(&error, "the stream has 1 bytes, expected 32");
}

static void a_stream_comes_once_when_it_is_asked_for(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 0);
    load();
    ask("plain"); // has none
    ask("nothing");
    assert_int_equal(ct_resource_manager_num_streams(manager), 0);
    ask("a");
    ask("a");
    assert_int_equal(ct_resource_manager_num_streams(manager), 1);
    ct_resource_manager_wait_for_streams(manager);
    assert_int_equal(heard.num_streamed, 1);
    assert_int_equal(heard.first_byte, 7);
    assert_ptr_equal(heard.blob, texture("a"));
    ct_resource_manager_retire(manager, frame);
    ask("a"); // a lost device
    ct_resource_manager_wait_for_streams(manager);
    assert_int_equal(heard.num_streamed, 2);
}

// The renderer is told between two frames, and reads with the second.
static void a_stream_stays_until_the_frame_it_was_told_in_is_drawn(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 0);
    load();
    ct_resource_manager_update(manager, ++frame);
    ask("a");
    ct_resource_manager_wait_for_streams(manager);
    const uint64_t blocks = ct_allocator_stats_of(test_heap()).live_blocks;
    ct_resource_manager_retire(manager, frame);
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, blocks);
    ct_resource_manager_retire(manager, frame + 1);
    assert_int_equal(ct_allocator_stats_of(test_heap()).live_blocks, blocks - 1);
}

static void a_stream_of_what_went_does_not_come(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 0);
    ct_resource_package *const p = load();
    ask("a");
    ct_resource_package_unload(manager, p);
    assert_int_equal(ct_resource_manager_num_streams(manager), 0);
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    ct_resource_manager_update(manager, ++frame);
    ct_resource_manager_wait_for_streams(manager);
    assert_int_equal(heard.num_streamed, 0);
    ask("a"); // again, of the same slot or another's
    ct_resource_manager_wait_for_streams(manager);
    assert_int_equal(heard.num_streamed, 1);
}

static void a_reload_forgets_the_stream_of_the_old_data(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 0);
    load();
    ask("a");
    write_streamed("a", 9);
    const ct_resource_id id = ct_resource_id_of("texture", "a");
    assert_int_equal(ct_resource_manager_reload(manager, &id, 1), 1);
    assert_int_equal(ct_resource_manager_num_streams(manager), 0);
    ct_resource_manager_update(manager, ++frame);
    assert_int_equal(heard.num_streamed, 0);
    ask("a");
    ct_resource_manager_wait_for_streams(manager);
    assert_int_equal(heard.first_byte, 9);
    assert_ptr_equal(heard.blob, texture("a"));
}

static void a_stream_that_is_missing_or_anothers_does_not_come(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 0);
    load();
    const uint8_t other[STREAM_FIXTURE_BYTES] = {1};
    write_stream("a", other, sizeof(other));
    ask("a");
    ct_resource_manager_wait_for_streams(manager);
    write_stream("a", other, 3);
    ask("a");
    ct_resource_manager_wait_for_streams(manager);
    assert_int_equal(heard.num_streamed, 0);
}

// At a byte a second nothing but the first read would come within the test's time limit.
static void waiting_for_a_package_takes_no_notice_of_the_budget(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 1);
    ct_resource_package *const p = load();
    assert_true(ct_resource_package_has_loaded(p));
    ask("a");
    ct_resource_manager_wait_for_streams(manager);
    assert_int_equal(heard.num_streamed, 1);
    assert_true(ct_resource_manager_load_now(manager, "texture", "plain", NULL));
}

// What was charged a single byte at a byte a second would take longer than any test may.
static void what_is_waited_for_is_not_charged_to_the_budget(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 1);
    ct_resource_package_load_now(manager, create("main"));
    assert_non_null(texture("b"));
    ct_resource_package *const later = create("later");
    ct_resource_package_load(manager, later); // in the background
    for (uint32_t i = 0; i < 5000 && !ct_resource_package_has_loaded(later); ++i) {
        ct_os_sleep_ns(1000000);
        ct_resource_manager_update(manager, ++frame);
    }
    assert_true(ct_resource_package_has_loaded(later));
}

static void what_is_waited_for_comes_before_what_is_not(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 1);
    ct_resource_package *const background = create("main"), *const p = create("later");
    ct_resource_package_load(manager, background);
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    assert_non_null(texture("late"));
    assert_true(ct_resource_package_progress(manager, background).num_loaded <= 1);
    ct_resource_package_flush(manager, background);
    assert_non_null(texture("b"));
}

static void a_budget_holds_back_what_nobody_waits_for(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 1);
    ct_resource_package *const p = ct_resource_package_create(manager, "main", NULL);
    ct_resource_package_load(manager, p);
    ct_os_sleep_ns(20000000);
    ct_resource_manager_update(manager, ++frame);
    assert_false(ct_resource_package_has_loaded(p));
    assert_true(ct_resource_package_progress(manager, p).num_loaded <= 1);
    ct_resource_manager_set_streaming(manager, true, 0);
    ct_resource_package_flush(manager, p);
    assert_non_null(texture("b"));
}

static void what_is_unloaded_before_it_was_read_is_not_read(void **state) {
    (void)state;
    ct_resource_manager_set_streaming(manager, true, 1);
    ct_resource_package *const p = ct_resource_package_create(manager, "main", NULL);
    for (uint32_t i = 0; i < 3; ++i) { // held again while it is being cancelled
        ct_resource_package_load(manager, p);
        ct_resource_package_unload(manager, p);
    }
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    assert_non_null(texture("a"));
    assert_non_null(texture("b"));
    assert_non_null(texture("plain"));
    ct_resource_package_unload(manager, p);
    ct_resource_package_load(manager, p);
    ct_resource_package_unload(manager, p); // the manager ends with requests under way
}

static void a_package_that_is_not_asked_for_tells_what_it_would_load(void **state) {
    (void)state;
    ct_resource_progress expected;
    ct_error error = {0};
    assert_true(ct_resource_package_expect(manager, "main", &expected, &error));
    assert_int_equal(expected.num_resources, 3);
    assert_int_equal(expected.bytes, 3 * CATALOG_FIXTURE_DATA_BYTES);
    assert_int_equal(expected.num_loaded, 0);
    assert_false(ct_resource_package_expect(manager, "mani", &expected, &error));
    assert_message(&error, "cannot read package \"mani\": there is no compiled data");
}

static void a_package_tells_how_far_it_is(void **state) {
    (void)state;
    ct_resource_package *const p = ct_resource_package_create(manager, "main", NULL);
    assert_int_equal(ct_resource_package_progress(manager, p).num_resources, 0);
    ct_resource_package_load(manager, p);
    ct_resource_progress progress = ct_resource_package_progress(manager, p);
    assert_int_equal(progress.num_resources, 3);
    assert_int_equal(progress.bytes, 3 * CATALOG_FIXTURE_DATA_BYTES);
    ct_resource_package_flush(manager, p);
    progress = ct_resource_package_progress(manager, p);
    assert_int_equal(progress.num_loaded, 3);
    assert_int_equal(progress.loaded_bytes, progress.bytes);
    ct_resource_package_unload(manager, p);
    assert_int_equal(ct_resource_package_progress(manager, p).num_resources, 0);
}

#define MANAGER_TEST(f) cmocka_unit_test_setup_teardown(f, start_manager, end_manager)

int main(void) {
    const struct CMUnitTest tests[] = {
        MANAGER_TEST(streams_lie_behind_their_data_unless_told_otherwise),
        MANAGER_TEST(a_damaged_stream_refuses_its_data_when_they_are_loaded_together),
        MANAGER_TEST(a_stream_comes_once_when_it_is_asked_for),
        MANAGER_TEST(a_stream_stays_until_the_frame_it_was_told_in_is_drawn),
        MANAGER_TEST(a_stream_of_what_went_does_not_come),
        MANAGER_TEST(a_reload_forgets_the_stream_of_the_old_data),
        MANAGER_TEST(a_stream_that_is_missing_or_anothers_does_not_come),
        MANAGER_TEST(waiting_for_a_package_takes_no_notice_of_the_budget),
        MANAGER_TEST(what_is_waited_for_is_not_charged_to_the_budget),
        MANAGER_TEST(what_is_waited_for_comes_before_what_is_not),
        MANAGER_TEST(a_budget_holds_back_what_nobody_waits_for),
        MANAGER_TEST(what_is_unloaded_before_it_was_read_is_not_read),
        MANAGER_TEST(a_package_tells_how_far_it_is),
        MANAGER_TEST(a_package_that_is_not_asked_for_tells_what_it_would_load),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
