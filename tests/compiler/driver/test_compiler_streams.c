// The driver and the stream files beside data: this program is the worker, and gives scripts a
// stream that holds what stands behind "stream " in them.
#include "compiler/project_support.h"

#include <unistd.h>

#include "compiler/worker/worker_output.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/blob/content_hash.h"
#include "resource/data_index.h"
#include "resource/load/resource_store.h"

// --- The worker ----------------------------------------------------------------------------------

static void add_stream(ct_compile_answer *answer) {
    static const char mark[] = "stream ";
    const ct_byte_array *const blob = &answer->blob;
    const char *const text =
        blob->count ? memmem(blob->items, blob->count, mark, strlen(mark)) : NULL;
    for (const char *c = text ? text + strlen(mark) : ""; *c >= 'a' && *c <= 'z'; ++c)
        ct_array_push(&answer->stream, (uint8_t)*c);
}

static void answer_message(const ct_message *message) {
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_byte_array bytes;
    uint32_t count = 0;
    const ct_compile_request *requests = ct_compile_request_read(scratch, message, &count, NULL);
    if (!requests)
        _exit(1);
    ct_array_init(&bytes, scratch);
    for (uint32_t i = 0; i < count; ++i) {
        ct_compile_answer answer;
        ct_worker_compile(test_heap(), &requests[i], &answer);
        add_stream(&answer);
        ct_worker_write_output(&requests[i].output, &answer);
        ct_compile_answer_write(&answer, &bytes);
        ct_compile_answer_free(&answer);
    }
    ct_socket_send(CT_WORKER_SOCKET, bytes.items, bytes.count);
}

static int be_a_worker(void) {
    test_group_setup(NULL);
    ct_message_reader reader;
    ct_message_reader_init(&reader, test_heap(), CT_WORKER_MAX_MESSAGE_BYTES);
    for (;;) {
        ct_message message;
        char received[4096];
        if (ct_message_reader_next(&reader, &message, NULL) == CT_MESSAGE_RESULT_MESSAGE) {
            answer_message(&message);
            continue;
        }
        const int64_t count = ct_socket_receive(CT_WORKER_SOCKET, received, sizeof(received));
        if (count < 0)
            _exit(0);
        ct_message_reader_add(&reader, received, (uint64_t)count);
    }
}

// --- Support -------------------------------------------------------------------------------------

static const char *project;
static ct_resource_id a_id;

static ct_compiler *open_here(const char *data) {
    char self[CT_PATH_BYTES];
    ct_os_executable_path(self);
    ct_compiler *const c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                                  .project_folder = project,
                                                                  .data_folder = data,
                                                                  .worker_path = self,
                                                                  .num_jobs = 1},
                                              NULL);
    assert_non_null(c);
    return c;
}

// One run of a new compiler object.
static void run(uint32_t compiled, uint32_t up_to_date, uint32_t failed) {
    ct_compiler *const c = open_here(NULL);
    expect_counts(run_compiler(c), compiled, up_to_date, failed);
    ct_compiler_destroy(c);
}

static int make_project(void **state) {
    (void)state;
    project = test_scratch_folder();
    a_id = ct_resource_id_of("lua", "a");
    write_text(project, "a.lua", "return 1 -- stream abcdef.");
    write_text(project, "b.lua", "return 2");
    run(2, 0, 0);
    return 0;
}

static const char *data_folder(void) {
    static char folder[CT_PATH_BYTES];
    ct_path_join(folder, project, ".cuttle/data/linux");
    return folder;
}

static void stream_path(char path[CT_PATH_BYTES]) {
    char name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_stream_name(a_id, name);
    ct_path_join(path, data_folder(), name);
}

static bool has_stream(void) {
    char path[CT_PATH_BYTES];
    stream_path(path);
    return ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
}

static void write_stream(const char *text) {
    char path[CT_PATH_BYTES];
    stream_path(path);
    assert_true(ct_file_write(path, text, strlen(text), false, NULL));
}

static void expect_stream(const char *text) {
    char path[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    stream_path(path);
    char *const data = ct_file_read(test_heap(), path, &size_bytes, NULL);
    assert_non_null(data);
    assert_string_equal(data, text);
    ct_free(test_heap(), data);
}

static ct_data_index_entry index_entry(void) {
    const ct_data_index *const index = ct_data_index_read(test_heap(), data_folder(), NULL);
    assert_non_null(index);
    const ct_data_index_entry *const found = ct_data_index_find(index, a_id);
    const ct_data_index_entry entry = found ? *found : (ct_data_index_entry){0};
    ct_free(test_heap(), (void *)(uintptr_t)index);
    return entry;
}

// The catalog's word of the stream's size.
static uint32_t catalog_stream_bytes(uint32_t *data_bytes) {
    const ct_preference_order order = {0};
    ct_catalog *const catalog = ct_catalog_read(test_heap(), data_folder(), NULL);
    assert_non_null(catalog);
    const ct_catalog_variant v =
        *ct_catalog_choose(catalog, ct_catalog_find(catalog, a_id), &order);
    ct_free(test_heap(), catalog);
    *data_bytes = v.data_bytes;
    return v.stream_bytes;
}

// --- Tests ---------------------------------------------------------------------------------------

static void a_stream_lies_beside_its_data(void **state) {
    (void)state;
    expect_stream("abcdef");
    const ct_data_index_entry e = index_entry();
    assert_int_equal(e.stream_bytes, 6);
    assert_true(e.stream_hash == ct_content_hash("abcdef", 6));
    char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_resource_file_name(a_id, name);
    ct_path_join(path, data_folder(), name);
    uint32_t data_bytes = 0;
    assert_int_equal(catalog_stream_bytes(&data_bytes), 6);
    assert_int_equal(data_bytes, ct_os_file_info(path).size_bytes);
    assert_int_equal(e.data_bytes, data_bytes);
    run(0, 2, 0);
    assert_int_equal(catalog_stream_bytes(&data_bytes), 6);
}

static void a_stream_that_is_missing_or_another_is_compiled_again(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    stream_path(path);
    assert_true(ct_os_file_remove(path, NULL));
    run(1, 1, 0);
    expect_stream("abcdef");
    write_stream("abcdeg");
    run(1, 1, 0);
    expect_stream("abcdef");
    write_stream("");
    run(1, 1, 0);
    expect_stream("abcdef");
    run(0, 2, 0);
}

static void a_stream_goes_with_its_data(void **state) {
    (void)state;
    write_text(project, "a.lua", "return 1");
    run(1, 1, 0);
    assert_false(has_stream());
    assert_int_equal(index_entry().stream_hash, 0);
    write_text(project, "a.lua", "return 1 -- stream abc.");
    run(1, 1, 0);
    expect_stream("abc");
    remove_file(project, "a.lua");
    run(0, 1, 0);
    assert_false(has_stream());
}

static void a_stream_that_nobody_speaks_of_is_removed(void **state) {
    (void)state;
    char name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_stream_name(ct_resource_id_of("lua", "b"), name);
    write_text(data_folder(), name, "left over");
    run(0, 2, 0);
    char path[CT_PATH_BYTES];
    ct_path_join(path, data_folder(), name);
    assert_int_equal(ct_os_file_info(path).kind, CT_FILE_KIND_NONE);
}

static void a_failed_resource_keeps_the_stream_that_belongs_to_its_data(void **state) {
    (void)state;
    write_text(project, "a.lua", "return =");
    run(0, 1, 1);
    expect_stream("abcdef");
    assert_int_equal(index_entry().stream_bytes, 6);
    run(0, 1, 1);
    expect_stream("abcdef");
    // A run that was killed between the two may have left another one's.
    write_stream("xyz");
    run(0, 1, 1);
    assert_false(has_stream());
    assert_int_equal(index_entry().data_hash, 0);
}

static void a_new_stream_alone_is_a_change(void **state) {
    (void)state;
    ct_compiler *const c = open_here(NULL);
    expect_counts(run_compiler(c), 0, 2, 0);
    write_stream("other");
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 1, 1, 0);
    assert_int_equal(report->changed.count, 1);
    assert_true(ct_resource_id_equal(report->changed.items[0], a_id));
    ct_compiler_destroy(c);
}

static void the_folder_is_the_same_as_a_fresh_one(void **state) {
    (void)state;
    write_text(project, "a.lua", "return 1 -- stream other.");
    run(1, 1, 0);
    char fresh[CT_PATH_BYTES];
    ct_path_join(fresh, test_scratch_folder(), "data");
    ct_compiler *const c = open_here(fresh);
    expect_counts(run_compiler(c), 2, 0, 0);
    expect_same_folder(data_folder(), fresh);
    ct_compiler_destroy(c);
}

static void the_store_reads_parts_of_a_stream(void **state) {
    (void)state;
    ct_resource_store *const store = ct_resource_store_open_folder(test_heap(), data_folder());
    char buffer[8] = "";
    ct_error error = {0};
    assert_true(ct_resource_store_read_stream(store, a_id, 0, 6, buffer, &error));
    assert_string_equal(buffer, "abcdef");
    assert_true(ct_resource_store_read_stream(store, a_id, 4, 2, buffer, &error));
    assert_memory_equal(buffer, "efcdef", 6);
    assert_false(ct_resource_store_read_stream(store, a_id, 4, 3, buffer, &error));
    assert_non_null(strstr(error.message, "the stream has 6 bytes, expected 3 from 4 on"));
    assert_false(ct_resource_store_read_stream(store, a_id, UINT64_MAX, 2, buffer, &error));
    assert_false(
        ct_resource_store_read_stream(store, ct_resource_id_of("lua", "b"), 0, 1, buffer, &error));
    assert_non_null(strstr(error.message, "there is no stream"));
    assert_non_null(strstr(error.file, ".stream"));
    ct_resource_store_close(store);
}

int main(void) {
    if (getenv("CUTTLE_TEST_IS_WORKER"))
        return be_a_worker();
    setenv("CUTTLE_TEST_IS_WORKER", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_stream_lies_beside_its_data, make_project),
        cmocka_unit_test_setup(a_stream_that_is_missing_or_another_is_compiled_again, make_project),
        cmocka_unit_test_setup(a_stream_goes_with_its_data, make_project),
        cmocka_unit_test_setup(a_stream_that_nobody_speaks_of_is_removed, make_project),
        cmocka_unit_test_setup(a_failed_resource_keeps_the_stream_that_belongs_to_its_data,
                               make_project),
        cmocka_unit_test_setup(a_new_stream_alone_is_a_change, make_project),
        cmocka_unit_test_setup(the_folder_is_the_same_as_a_fresh_one, make_project),
        cmocka_unit_test_setup(the_store_reads_parts_of_a_stream, make_project),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
