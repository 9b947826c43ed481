// Workers that misbehave, and the messages between driver and worker.
#include "project_support.h"

#include <signal.h>
#include <unistd.h>

#include "compiler/compiler_protocol.h"
#include "foundation/temp_allocator.h"

// --- Messages ------------------------------------------------------------------------------------

static ct_message_result read_message(ct_message_reader *r, const ct_byte_array *bytes,
                                      ct_message *message) {
    ct_error error = {0};
    ct_message_reader_init(r, test_heap(), CT_WORKER_MAX_MESSAGE_BYTES);
    ct_message_reader_add(r, bytes->items, bytes->count);
    return ct_message_reader_next(r, message, &error);
}

static void a_request_reads_back(void **state) {
    (void)state;
    const ct_compile_listed listing[] = {{"lua", "a"}, {"unit", "b/c"}};
    const ct_compile_request request = {.type = "package",
                                        .name = "boot",
                                        .path = "boot.package",
                                        .project_folder = "/p \"q\"",
                                        .core_folder = "/core",
                                        .platform = "linux",
                                        .listing = listing,
                                        .num_listed = 2,
                                        .up_axis = "z",
                                        .scale = 0.25};
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    ct_compile_request_write(&request, &bytes);
    ct_message_reader reader;
    ct_message message;
    assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_compile_request again;
    assert_true(ct_compile_request_read(scratch, &message, &again, NULL));
    assert_string_equal(again.type, "package");
    assert_string_equal(again.project_folder, "/p \"q\"");
    assert_string_equal(again.core_folder, "/core");
    assert_int_equal(again.num_listed, 2);
    assert_string_equal(again.listing[1].type, "unit");
    assert_string_equal(again.listing[1].name, "b/c");
    assert_string_equal(again.up_axis, "z");
    assert_true(again.scale == 0.25);
    ct_message_reader_free(&reader);
    ct_array_free(&bytes);
}

static void an_answer_reads_back(void **state) {
    (void)state;
    ct_compile_answer answer, again;
    ct_compile_answer_init(&answer, test_heap());
    ct_compile_answer_include(&answer, "a.lua", 0xfedcba9876543210ull);
    ct_compile_answer_include(&answer, "missing.png", 0);
    ct_compile_answer_reference(
        &answer, &(ct_compile_referred){"mesh", "crate", "a.unit", .line = 3, .column = 9});
    ct_compile_answer_warning(&answer, &(ct_compile_fault){"a.unit", 4, 2, "odd \xff"});
    ct_compile_answer_warning(&answer, &(ct_compile_fault){"b.unit", 0, 0, "odder"});
    ct_array_push_many(&answer.blob, (const uint8_t *)"blob\0x", 6);
    ct_array_push_many(&answer.stream, (const uint8_t *)"s\0tream", 7);
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    ct_compile_answer_write(&answer, &bytes);
    ct_message_reader reader;
    ct_message message;
    assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
    assert_true(ct_compile_answer_read(test_heap(), &message, &again, NULL));
    assert_true(again.includes.items[0].content_hash == 0xfedcba9876543210ull);
    assert_true(again.includes.items[1].content_hash == 0);
    assert_string_equal(again.references.items[0].file, "a.unit");
    assert_int_equal(again.references.items[0].column, 9);
    assert_int_equal(again.errors.count, 0);
    assert_int_equal(again.warnings.count, 2);
    assert_string_equal(again.warnings.items[0].file, "a.unit");
    assert_int_equal(again.warnings.items[0].line, 4);
    assert_int_equal(again.warnings.items[0].column, 2);
    assert_string_equal(again.warnings.items[0].message, "odd ?");
    assert_string_equal(again.warnings.items[1].message, "odder");
    assert_int_equal(again.blob.count, 6);
    assert_memory_equal(again.blob.items, "blob\0x", 6);
    assert_int_equal(again.stream.count, 7);
    assert_memory_equal(again.stream.items, "s\0tream", 7);
    ct_message_reader_free(&reader);
    ct_array_free(&bytes);
    ct_compile_answer_free(&answer);
    ct_compile_answer_free(&again);
}

static void an_answer_that_is_too_large_becomes_an_error(void **state) {
    (void)state;
    ct_compile_answer answer;
    ct_compile_answer_init(&answer, test_heap());
    ct_array_push_many(&answer.blob, (const uint8_t *)"12345678", 8);
    ct_compile_answer_limit(&answer, "a.mesh", 8);
    assert_int_equal(answer.blob.count, 8);
    assert_int_equal(answer.errors.count, 0);
    ct_array_push(&answer.stream, 1);
    ct_compile_answer_limit(&answer, "a.mesh", 8);
    assert_int_equal(answer.stream.count, 0);
    expect_error(&answer, "a.mesh", 0, 0, "makes 9 bytes of data; at most 8 are taken");
}

static void expect_bad_answer(const char *json, const char *text) {
    const ct_message message = {.json = json, .json_bytes = (uint32_t)strlen(json)};
    ct_compile_answer answer;
    ct_error error = {0};
    assert_false(ct_compile_answer_read(test_heap(), &message, &answer, &error));
    assert_non_null(strstr(error.message, text));
}

static void refuses_answers_without_what_is_needed(void **state) {
    (void)state;
    expect_bad_answer("{}", "needs includes, and either errors or a blob");
    expect_bad_answer("{\"includes\": [{\"path\": 1}], \"errors\": [{}]}", "needs includes");
    expect_bad_answer("{", "end of the file");
    // Warnings are no blob, and must be whole.
    expect_bad_answer("{\"includes\": [{\"path\": \"a\", \"hash\": \"0\"}], \"errors\": [], "
                      "\"warnings\": [{\"file\": \"a\", \"line\": 1, \"column\": 1, "
                      "\"message\": \"odd\"}]}",
                      "needs includes, and either errors or a blob");
    expect_bad_answer("{\"includes\": [{\"path\": \"a\", \"hash\": \"0\"}], \"errors\": "
                      "[{\"file\": \"a\", \"line\": 1, \"column\": 1, \"message\": \"\"}], "
                      "\"warnings\": [{\"file\": \"a\", \"line\": -1}]}",
                      "needs includes");
    const char *const sizes[] = {"1", "-1", "\"1\"", "1e300",
                                 "[]"}; // of a stream that is not there
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        char json[160];
        snprintf(json, sizeof(json),
                 "{\"includes\": [{\"path\": \"a\", \"hash\": \"0\"}], "
                 "\"stream_size\": %s, \"errors\": []}",
                 sizes[i]);
        expect_bad_answer(json, "needs includes, and either errors or a blob");
    }
}

static void text_of_errors_becomes_utf8(void **state) {
    (void)state;
    ct_compile_answer answer;
    ct_compile_answer_init(&answer, test_heap());
    ct_compile_answer_error(
        &answer,
        &(ct_compile_fault){.file = "a.lua", .message = "\xc3\xa9 \xff \xed\xa0\x80 \x01 \xc3"});
    assert_string_equal(answer.errors.items[0].message, "\xc3\xa9 ? ??? ? ?");
    ct_compile_answer_free(&answer);
}

// What a worker says of a model `file` can be read as an answer, whatever `file` is.
static void expect_import_error(const char *file, const char *text) {
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const ct_compile_request request = {.type = CT_COMPILE_IMPORT,
                                        .name = "",
                                        .path = file,
                                        .project_folder = test_scratch_folder(),
                                        .platform = ""};
    write_text(request.project_folder, "a.blend", "BLENDER");
    write_text(request.project_folder, "folder.glb/file", "");
    ct_compile_answer answer, again;
    ct_worker_compile(test_heap(), &request, &answer);
    ct_byte_array bytes;
    ct_array_init(&bytes, scratch);
    ct_compile_answer_write(&answer, &bytes);
    ct_compile_answer_free(&answer);
    ct_message_reader reader;
    ct_message message;
    assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
    assert_true(ct_compile_answer_read(test_heap(), &message, &again, NULL));
    assert_int_equal(again.includes.count, 1);
    assert_string_equal(again.includes.items[0].path, file);
    assert_int_equal(again.errors.count, 1);
    assert_string_equal(again.errors.items[0].file, file);
    assert_string_equal(again.errors.items[0].message, text);
    ct_message_reader_free(&reader);
    ct_compile_answer_free(&again);
}

static void every_import_is_answered(void **state) {
    (void)state;
    expect_import_error("a.blend", "cannot import a \".blend\"; expected .gltf, .glb, .fbx or .obj "
                                   "(from Blender: export glTF)");
    expect_import_error("missing.glb", "the file \"missing.glb\" is not there");
    expect_import_error("folder.glb", "the file \"folder.glb\" is not there");
    expect_import_error("", "the file \"\" is not there");
}

// --- Workers that misbehave ----------------------------------------------------------------------

// Writes a shell script to be run as the worker.
static const char *script_worker(const char *script) {
    static char path[CT_PATH_BYTES];
    char text[512];
    const char *folder = test_scratch_folder();
    snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
    write_text(folder, "worker", text);
    ct_path_join(path, folder, "worker");
    const char *const arguments[] = {"/bin/chmod", "755", path, NULL};
    const ct_process process = ct_process_start(&(ct_process_desc){.arguments = arguments}, NULL);
    assert_int_equal(ct_process_wait(process), 0);
    return path;
}

// Compiles one resource with a worker; expects this error of it, and no failure of the run.
static void expect_worker_error(const char *worker, double time_limit_seconds, const char *text) {
    const char *project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    ct_compiler *c =
        ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                               .project_folder = project,
                                               .worker_path = worker,
                                               .num_jobs = 2,
                                               .time_limit_seconds = time_limit_seconds},
                           NULL);
    assert_non_null(c);
    const ct_compile_report *report = run_compiler(c);
    expect_counts(report, 0, 0, 1);
    expect_report_error(report, "a.lua", 0, 0, text);
    ct_compiler_destroy(c);
}

static void a_crash_names_its_signal(void **state) {
    (void)state;
    expect_worker_error(script_worker("kill -SEGV $$"), 0, "crashed with signal 11 (SIGSEGV)");
}

static void an_exit_names_its_code(void **state) {
    (void)state;
    expect_worker_error(script_worker("exit 3"), 0, "ended with exit code 3");
}

static void a_hang_is_stopped_at_the_limit(void **state) {
    (void)state;
    const uint64_t start = ct_os_time_ns();
    expect_worker_error(script_worker("exec sleep 100"), 0.2, "more than the limit of 0.2 s");
    assert_true(ct_os_time_ns() - start < 20000000000ull);
}

static void garbage_is_refused(void **state) {
    (void)state;
    expect_worker_error(script_worker("printf 'this is no message' >&3; exec sleep 100"), 0,
                        "sent what is no answer");
}

static void an_empty_answer_is_refused(void **state) {
    (void)state;
    const uint64_t start = ct_os_time_ns();
    expect_worker_error(script_worker("printf '\\000\\000\\000\\000\\000\\000\\000\\002{}' >&3; "
                                      "exec sleep 100"),
                        0, "needs includes");
    assert_true(ct_os_time_ns() - start < 1900000000ull); // killed, not waited for
}

// --- This program as a worker --------------------------------------------------------------------

enum { TIMEOUT_SECONDS = 2 };

// Compiles as a worker does, but crashes (some only when it has worked before) or hangs at
// resources whose names say so.
static int be_a_worker(void) {
    test_group_setup(NULL);
    ct_message_reader reader;
    ct_message_reader_init(&reader, test_heap(), CT_WORKER_MAX_MESSAGE_BYTES);
    for (uint32_t num_done = 0;;) {
        ct_message message;
        char received[4096];
        if (ct_message_reader_next(&reader, &message, NULL) != CT_MESSAGE_RESULT_MESSAGE) {
            const int64_t count = ct_socket_receive(CT_WORKER_SOCKET, received, sizeof(received));
            if (count < 0)
                _exit(0);
            ct_message_reader_add(&reader, received, (uint64_t)count);
            continue;
        }
        CT_TEMP_ALLOCATOR(scratch, test_heap());
        ct_compile_request request;
        if (!ct_compile_request_read(scratch, &message, &request, NULL))
            _exit(1);
        if (strstr(request.name, "crash") || (strstr(request.name, "tired") && num_done > 0))
            kill(getpid(), SIGKILL);
        while (strstr(request.name, "hang"))
            ct_os_sleep_ns(1000000000);
        ct_compile_answer answer;
        ct_worker_compile(test_heap(), &request, &answer);
        ct_byte_array bytes;
        ct_array_init(&bytes, scratch);
        ct_compile_answer_write(&answer, &bytes);
        ct_compile_answer_free(&answer);
        ct_socket_send(CT_WORKER_SOCKET, bytes.items, bytes.count);
        ++num_done;
    }
}

static ct_compiler *open_with_this_worker(const char *project) {
    char self[CT_PATH_BYTES];
    ct_os_executable_path(self);
    ct_compiler *c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                            .project_folder = project,
                                                            .worker_path = self,
                                                            .num_jobs = 1,
                                                            .time_limit_seconds = TIMEOUT_SECONDS},
                                        NULL);
    assert_non_null(c);
    return c;
}

static void the_resource_after_a_crash_gets_a_new_worker(void **state) {
    (void)state;
    const char *project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    write_text(project, "b_crash.lua", "return 1");
    write_text(project, "c.lua", "return 1");
    write_text(project, "d_hang.lua", "return 1");
    write_text(project, "e.lua", "return 1");
    char self[CT_PATH_BYTES];
    ct_os_executable_path(self);
    ct_compiler *c = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                            .project_folder = project,
                                                            .worker_path = self,
                                                            .num_jobs = 1,
                                                            .time_limit_seconds = TIMEOUT_SECONDS},
                                        NULL);
    const ct_compile_report *report = run_compiler(c);
    expect_counts(report, 3, 0, 2);
    assert_string_equal(report->errors.items[0].file, "b_crash.lua");
    assert_non_null(strstr(report->errors.items[0].message, "signal 9 (SIGKILL)"));
    assert_string_equal(report->errors.items[1].file, "d_hang.lua");
    assert_non_null(strstr(report->errors.items[1].message, "limit of 2 s"));
    assert_true(has_data(c, "lua", "c") && has_data(c, "lua", "e"));
    ct_compiler_destroy(c);
}

static void a_crash_of_a_used_worker_is_tried_again_in_a_new_one(void **state) {
    (void)state;
    const char *project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    write_text(project, "b_tired.lua", "return 1");
    ct_compiler *c = open_with_this_worker(project);
    expect_counts(run_compiler(c), 2, 0, 0);
    ct_compiler_destroy(c);
}

static void cancel_soon(void *data) {
    ct_os_sleep_ns(100000000);
    ct_compiler_cancel(data);
}

static void a_run_can_be_cancelled_while_a_worker_is_slow(void **state) {
    (void)state;
    const char *project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    write_text(project, "b_hang.lua", "return 1");
    ct_compiler *c = open_with_this_worker(project);
    ct_compiler_set_time_limit(c, 600.0);
    const ct_thread thread = ct_thread_start("cancel", cancel_soon, c);
    const ct_compile_report *report;
    ct_error error = {0};
    assert_false(ct_compiler_run(c, &report, &error));
    assert_non_null(strstr(error.message, "cancelled"));
    ct_thread_join(thread);
    assert_false(ct_compiler_run(c, &report, &error)); // for good
    ct_compiler_destroy(c);
}

int main(void) {
    if (getenv("CUTTLE_TEST_IS_WORKER"))
        return be_a_worker();
    setenv("CUTTLE_TEST_IS_WORKER", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_reads_back),
        cmocka_unit_test(an_answer_reads_back),
        cmocka_unit_test(an_answer_that_is_too_large_becomes_an_error),
        cmocka_unit_test(refuses_answers_without_what_is_needed),
        cmocka_unit_test(text_of_errors_becomes_utf8),
        cmocka_unit_test(every_import_is_answered),
        cmocka_unit_test(a_crash_names_its_signal),
        cmocka_unit_test(an_exit_names_its_code),
        cmocka_unit_test(a_hang_is_stopped_at_the_limit),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(an_empty_answer_is_refused),
        cmocka_unit_test(the_resource_after_a_crash_gets_a_new_worker),
        cmocka_unit_test(a_crash_of_a_used_worker_is_tried_again_in_a_new_one),
        cmocka_unit_test(a_run_can_be_cancelled_while_a_worker_is_slow),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
