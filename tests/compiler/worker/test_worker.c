// Workers that misbehave, and the messages between driver and worker.
#include "compiler/project_support.h"

#include <signal.h>
#include <unistd.h>

#include "compiler/protocol/compiler_protocol.h"
#include "compiler/worker/worker_output.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/blob/content_hash.h"

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
    const ct_compile_image images[] = {{"*0", "m/a.png"}, {"C:\\b.png", "m/b.png"}};
    const ct_compile_request request = {.type = "package",
                                        .name = "boot",
                                        .path = "boot.package",
                                        .project_folder = "/p \"q\"",
                                        .core_folder = "/core",
                                        .platform = "linux",
                                        .listing = listing,
                                        .num_listed = 2,
                                        .up_axis = "z",
                                        .scale = 0.25,
                                        .images = images,
                                        .num_images = 2};
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    const ct_compile_request requests[] = {request, {.type = "lua", .name = "c", .path = "c.lua"}};
    ct_compile_request_write(requests, 2, &bytes);
    ct_message_reader reader;
    ct_message message;
    assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    uint32_t count = 0;
    const ct_compile_request *const all = ct_compile_request_read(scratch, &message, &count, NULL);
    assert_int_equal(count, 2);
    assert_string_equal(all[1].path, "c.lua");
    assert_string_equal(all[1].project_folder, "/p \"q\"");
    assert_null(all[1].output.folder);
    const ct_compile_request again = all[0];
    assert_string_equal(again.type, "package");
    assert_string_equal(again.project_folder, "/p \"q\"");
    assert_string_equal(again.core_folder, "/core");
    assert_int_equal(again.num_listed, 2);
    assert_string_equal(again.listing[1].type, "unit");
    assert_string_equal(again.listing[1].name, "b/c");
    assert_string_equal(again.up_axis, "z");
    assert_true(again.scale == 0.25);
    assert_int_equal(again.num_images, 2);
    assert_string_equal(again.images[1].key, "C:\\b.png");
    assert_string_equal(again.images[1].path, "m/b.png");
    assert_int_equal(all[1].num_images, 0);
    ct_message_reader_free(&reader);
    ct_array_free(&bytes);
}

// Texts that somebody put in the place of the answer's own are not copied.
static void a_detached_answer_keeps_its_texts(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_compile_answer answer, again;
    ct_compile_answer_init(&answer, scratch);
    ct_compile_answer_include(&answer, "a.unit", 7);
    ct_compile_answer_include(&answer, "b.unit", 0);
    ct_compile_answer_reference(
        &answer, &(ct_compile_referred){"mesh", "crate", "a.unit", .line = 3, .column = 9});
    ct_compile_answer_error(&answer, &(ct_compile_fault){"a.unit", 4, 2, "odd"});
    ct_compile_answer_warning(&answer, &(ct_compile_fault){"b.unit", 4, 2, "odder"});
    answer.write_problem = ct_copy_string(scratch, "full");
    ct_byte_array bytes;
    ct_array_init(&bytes, scratch);
    ct_compile_answer_write(&answer, &bytes);
    ct_message_reader reader;
    ct_message message;
    assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
    assert_true(ct_compile_answer_read(scratch, test_heap(), &message, &again, NULL));
    ct_message_reader_free(&reader);
    const char *const own = "b.unit";
    again.includes.items[1].path = own;
    ct_compile_answer_detach(&again); // the heap's check for leaks sees whether the copy is freed
    assert_null(again.record);
    assert_string_equal(again.includes.items[0].path, "a.unit");
    assert_ptr_equal(again.includes.items[1].path, own);
    assert_string_equal(again.references.items[0].name, "crate");
    assert_string_equal(again.references.items[0].file, "a.unit");
    assert_string_equal(again.errors.items[0].file, "a.unit");
    assert_string_equal(again.errors.items[0].message, "odd");
    assert_string_equal(again.warnings.items[0].message, "odder");
    assert_string_equal(again.write_problem, "full");
}

// Type, name and names of files follow from path and properties, and are not sent.
static void a_request_says_what_its_path_does_not(void **state) {
    (void)state;
    const char *const properties[] = {"fr", "noblood"};
    const ct_compile_request request = {.type = "unit",
                                        .name = "units/ball",
                                        .path = "units/ball.fr.linux.noblood.unit",
                                        .project_folder = "/p",
                                        .platform = "linux",
                                        .properties = properties,
                                        .num_properties = 2,
                                        .output.folder = "/d"};
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    ct_compile_request_write(&request, 1, &bytes);
    ct_message_reader reader;
    ct_message message;
    assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
    assert_null(memmem(message.json, message.json_bytes, "\"type\"", 6));
    assert_null(memmem(message.json, message.json_bytes, "\"name\"", 6));
    assert_null(memmem(message.json, message.json_bytes, "\"data\"", 6));
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    uint32_t count = 0;
    const ct_compile_request *const again =
        ct_compile_request_read(scratch, &message, &count, NULL);
    assert_int_equal(count, 1);
    assert_string_equal(again->type, "unit");
    assert_string_equal(again->name, "units/ball");
    char expected[CT_RESOURCE_FILE_NAME_BYTES];
    const ct_resource_id id = ct_resource_id_of("unit", "units/ball.fr.noblood");
    ct_resource_file_name(id, expected);
    assert_string_equal(again->output.data, expected);
    ct_resource_stream_name(id, expected);
    assert_string_equal(again->output.stream, expected);
    ct_message_reader_free(&reader);
    ct_array_free(&bytes);
}

static void an_answer_reads_back(void **state) {
    (void)state;
    ct_compile_answer answer, again;
    ct_compile_answer_init(&answer, test_heap());
    ct_compile_answer_include(&answer, "a.lua", 0xfedcba9876543210ull);
    ct_compile_answer_include(&answer, "missing.png", 0);
    ct_compile_answer_include(&answer, "a.unit", 7);
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
    assert_true(ct_compile_answer_read(test_heap(), test_heap(), &message, &again, NULL));
    assert_true(again.includes.items[0].content_hash == 0xfedcba9876543210ull);
    assert_true(again.includes.items[1].content_hash == 0);
    assert_string_equal(again.references.items[0].file, "a.unit");
    assert_int_equal(again.references.items[0].include, 2);
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
    expect_error(&answer, "a.mesh", 0, 0, "makes 9 bytes of data; the limit is 8");
}

// Fails unless what `answer` is written as cannot be read, for a reason that contains `text`.
static void expect_bad_answer(ct_compile_answer *answer, const char *text) {
    ct_byte_array bytes;
    ct_message_reader reader;
    ct_message message;
    ct_compile_answer again;
    ct_error error = {0};
    ct_array_init(&bytes, test_heap());
    ct_compile_answer_write(answer, &bytes);
    assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
    assert_false(ct_compile_answer_read(test_heap(), test_heap(), &message, &again, &error));
    assert_non_null(strstr(error.message, text));
    ct_message_reader_free(&reader);
    ct_array_free(&bytes);
}

static void refuses_answers_without_what_is_needed(void **state) {
    (void)state;
    const char *const needs = "needs includes, and either errors or data";
    ct_compile_answer answer;
    ct_compile_answer_init(&answer, test_heap());
    expect_bad_answer(&answer, needs);
    answer.written_data.hash = 1;
    expect_bad_answer(&answer, needs);
    ct_compile_answer_include(&answer, "a.lua", 1);
    answer.written_data.stamp.size_bytes = UINT64_MAX;
    expect_bad_answer(&answer, needs);
    answer.written_data.stamp.size_bytes = 5;
    ct_compile_answer_error(&answer, &(ct_compile_fault){.file = "a.lua", .message = "no"});
    expect_bad_answer(&answer, needs);
    answer.written_data.hash = 0;
    answer.written_stream.hash = 1;
    expect_bad_answer(&answer, needs);
    ct_compile_answer_free(&answer);
}

static void refuses_damaged_answers(void **state) {
    (void)state;
    ct_compile_answer answer, again;
    ct_byte_array bytes;
    ct_error error = {0};
    ct_array_init(&bytes, test_heap());
    ct_compile_answer_init(&answer, test_heap());
    ct_compile_answer_include(&answer, "a.lua", 1);
    answer.written_data.hash = 1;
    ct_compile_answer_write(&answer, &bytes);
    ct_message_reader reader;
    ct_message message;
    bytes.items[bytes.count - 20] ^= 1;
    assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
    assert_false(ct_compile_answer_read(test_heap(), test_heap(), &message, &again, &error));
    assert_non_null(strstr(error.message, "damaged"));
    message.binary_bytes -= 8;
    assert_false(ct_compile_answer_read(test_heap(), test_heap(), &message, &again, &error));
    assert_non_null(strstr(error.message, "truncated"));
    message.binary_bytes = 20;
    assert_false(ct_compile_answer_read(test_heap(), test_heap(), &message, &again, &error));
    assert_non_null(strstr(error.message, "needs a record"));
    ct_message_reader_free(&reader);
    ct_array_free(&bytes);
    ct_compile_answer_free(&answer);
}

static void refuses_requests_to_write_elsewhere(void **state) {
    (void)state;
    const char *const names[] = {"../a", "a/b", "..", ".", "", "/a"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        CT_TEMP_ALLOCATOR(scratch, test_heap());
        const ct_compile_request request = {
            .type = "lua",
            .name = "a",
            .path = "a.lua",
            .project_folder = "/p",
            .platform = "linux",
            .output = {.folder = "/d", .data = "data", .stream = names[i]}};
        ct_byte_array bytes;
        ct_message_reader reader;
        ct_message message;
        ct_error error = {0};
        uint32_t count = 0;
        ct_array_init(&bytes, scratch);
        ct_compile_request_write(&request, 1, &bytes);
        assert_int_equal(read_message(&reader, &bytes, &message), CT_MESSAGE_RESULT_MESSAGE);
        assert_null(ct_compile_request_read(scratch, &message, &count, &error));
        assert_non_null(strstr(error.message, "are file names in it"));
        ct_message_reader_free(&reader);
    }
}

// --- Files that workers write --------------------------------------------------------------------

static ct_compile_answer answer_with_data(const char *data, const char *stream) {
    ct_compile_answer answer;
    ct_compile_answer_init(&answer, test_heap());
    ct_array_push_many(&answer.blob, (const uint8_t *)data, (uint32_t)strlen(data));
    ct_array_push_many(&answer.stream, (const uint8_t *)stream, (uint32_t)strlen(stream));
    return answer;
}

static void writes_what_is_not_there_yet(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    ct_compile_answer answer = answer_with_data("data", "bulk");
    ct_compile_output output = {.folder = folder, .data = "d", .stream = "s"};
    ct_worker_write_output(&output, &answer);
    assert_null(answer.write_problem);
    assert_int_equal(answer.blob.count + answer.stream.count, 0);
    assert_true(answer.written_data.hash == ct_content_hash("data", 4));
    assert_true(answer.written_stream.hash == ct_content_hash("bulk", 4));
    assert_int_equal(digest_folder(folder).num_files, 2);
    output.data_hash = answer.written_data.hash;
    output.data = "again";
    ct_compile_answer_free(&answer);
    answer = answer_with_data("data", "");
    ct_worker_write_output(&output, &answer);
    assert_true(answer.written_data.hash == output.data_hash);
    assert_true(answer.written_data.stamp.size_bytes == 4);
    assert_true(answer.written_stream.hash == 0);
    assert_int_equal(digest_folder(folder).num_files, 2);
    ct_compile_answer_free(&answer);
}

static void says_why_a_file_cannot_be_written(void **state) {
    (void)state;
    ct_compile_answer answer = answer_with_data("data", "");
    const ct_compile_output output = {.folder = "/nowhere", .data = "d", .stream = "s"};
    ct_worker_write_output(&output, &answer);
    assert_non_null(strstr(answer.write_problem, "/nowhere/d"));
    assert_true(answer.written_data.hash == 0);
    ct_compile_answer_free(&answer);
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
    assert_true(ct_compile_answer_read(test_heap(), test_heap(), &message, &again, NULL));
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
    expect_import_error("a.blend",
                        "cannot import a \".blend\"; expected .gltf, .glb, .fbx, .obj or .bvh "
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
    const char *const folder = test_scratch_folder();
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
    const char *const project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    ct_compiler *const c =
        ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                               .project_folder = project,
                                               .worker_path = worker,
                                               .num_jobs = 2,
                                               .time_limit_seconds = time_limit_seconds},
                           NULL);
    assert_non_null(c);
    const ct_compile_report *const report = run_compiler(c);
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
    // Without the limit the worker would outlive the test.
    expect_worker_error(script_worker("exec sleep 1000"), 0.2, "more than the limit of 0.2 s");
}

static void garbage_is_refused(void **state) {
    (void)state;
    expect_worker_error(script_worker("printf 'this is no message' >&3; exec sleep 100"), 0,
                        "sent an invalid answer");
}

static void an_empty_answer_is_refused(void **state) {
    (void)state;
    const uint64_t start = ct_os_time_ns();
    expect_worker_error(script_worker("printf '\\000\\000\\000\\000\\000\\000\\000\\002{}' >&3; "
                                      "exec sleep 100"),
                        0, "needs a record");
    assert_true(ct_os_time_ns() - start < 1900000000ull); // killed, not waited for
}

// --- This program as a worker --------------------------------------------------------------------

enum { TIMEOUT_SECONDS = 2 };

static void misbehave_or_compile(const ct_compile_request *request, uint32_t num_done,
                                 ct_byte_array *out) {
    if (strstr(request->name, "crash") || (strstr(request->name, "tired") && num_done > 0))
        kill(getpid(), SIGKILL);
    while (strstr(request->name, "hang"))
        ct_os_sleep_ns(1000000000);
    ct_compile_answer answer;
    ct_compile_request asked = *request;
    if (strstr(request->name, "other"))
        asked.path = "a.lua";
    ct_worker_compile(test_heap(), &asked, &answer);
    ct_worker_write_output(&request->output, &answer);
    ct_compile_answer_write(&answer, out);
    ct_compile_answer_free(&answer);
}

// Compiles as a worker does, but crashes (some only when it has worked before) or hangs at
// resources whose names say so. All of a message is answered at once.
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
        uint32_t count = 0;
        const ct_compile_request *requests =
            ct_compile_request_read(scratch, &message, &count, NULL);
        if (!requests)
            _exit(1);
        ct_byte_array bytes;
        ct_array_init(&bytes, scratch);
        for (uint32_t i = 0; i < count; ++i, ++num_done)
            misbehave_or_compile(&requests[i], num_done, &bytes);
        ct_socket_send(CT_WORKER_SOCKET, bytes.items, bytes.count);
    }
}

static ct_compiler *open_with_this_worker(const char *project) {
    char self[CT_PATH_BYTES];
    ct_os_executable_path(self);
    ct_compiler *const c =
        ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
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
    const char *const project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    write_text(project, "b_crash.lua", "return 1");
    write_text(project, "c.lua", "return 1");
    write_text(project, "d_hang.lua", "return 1");
    write_text(project, "e.lua", "return 1");
    char self[CT_PATH_BYTES];
    ct_os_executable_path(self);
    ct_compiler *const c =
        ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                               .project_folder = project,
                                               .worker_path = self,
                                               .num_jobs = 1,
                                               .time_limit_seconds = TIMEOUT_SECONDS},
                           NULL);
    const ct_compile_report *const report = run_compiler(c);
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
    const char *const project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    write_text(project, "b_tired.lua", "return 1");
    ct_compiler *const c = open_with_this_worker(project);
    expect_counts(run_compiler(c), 2, 0, 0);
    ct_compiler_destroy(c);
}

// Many are asked for in one message; a worker that dies leaves open at which it was.
static void of_many_only_those_fail_that_crash_or_hang(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    char path[64];
    for (uint32_t i = 0; i < 50; ++i) {
        const char *const what = i == 20 ? "_crash" : i == 31 ? "_hang" : i == 32 ? "_tired" : "";
        snprintf(path, sizeof(path), "a%02u%s.lua", i, what);
        write_text(project, path, "return 1");
    }
    ct_compiler *const c = open_with_this_worker(project);
    ct_compiler_set_time_limit(c, 8.0); // which none of the others reaches on a busy machine
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 48, 0, 2);
    assert_string_equal(report->errors.items[0].file, "a20_crash.lua");
    assert_string_equal(report->errors.items[1].file, "a31_hang.lua");
    for (uint32_t i = 0; i < 50; ++i) {
        snprintf(path, sizeof(path), "a%02u%s", i, i == 32 ? "_tired" : "");
        assert_int_equal(has_data(c, "lua", path), i != 20 && i != 31);
    }
    ct_compiler_destroy(c);
}

static void an_answer_about_something_else_is_refused(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    write_text(project, "b_other.lua", "return 2");
    ct_compiler *const c = open_with_this_worker(project);
    const ct_compile_report *const report = run_compiler(c);
    expect_counts(report, 1, 0, 1);
    expect_report_error(report, "b_other.lua", 0, 0, "answered for another resource");
    assert_false(has_data(c, "lua", "b_other"));
    ct_compiler_destroy(c);
}

static void cancel_soon(void *data) {
    ct_os_sleep_ns(100000000);
    ct_compiler_cancel(data);
}

static void a_run_can_be_cancelled_while_a_worker_is_slow(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.lua", "return 1");
    write_text(project, "b_hang.lua", "return 1");
    ct_compiler *const c = open_with_this_worker(project);
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
        cmocka_unit_test(a_request_says_what_its_path_does_not),
        cmocka_unit_test(an_answer_reads_back),
        cmocka_unit_test(a_detached_answer_keeps_its_texts),
        cmocka_unit_test(an_answer_that_is_too_large_becomes_an_error),
        cmocka_unit_test(refuses_answers_without_what_is_needed),
        cmocka_unit_test(refuses_damaged_answers),
        cmocka_unit_test(refuses_requests_to_write_elsewhere),
        cmocka_unit_test(writes_what_is_not_there_yet),
        cmocka_unit_test(says_why_a_file_cannot_be_written),
        cmocka_unit_test(text_of_errors_becomes_utf8),
        cmocka_unit_test(every_import_is_answered),
        cmocka_unit_test(a_crash_names_its_signal),
        cmocka_unit_test(an_exit_names_its_code),
        cmocka_unit_test(a_hang_is_stopped_at_the_limit),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(an_empty_answer_is_refused),
        cmocka_unit_test(the_resource_after_a_crash_gets_a_new_worker),
        cmocka_unit_test(a_crash_of_a_used_worker_is_tried_again_in_a_new_one),
        cmocka_unit_test(of_many_only_those_fail_that_crash_or_hang),
        cmocka_unit_test(an_answer_about_something_else_is_refused),
        cmocka_unit_test(a_run_can_be_cancelled_while_a_worker_is_slow),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
