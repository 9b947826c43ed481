#include "cli/nodes/nodes_session.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/nodes/nodes_report.h"
#include "cli/project_compile.h"
#include "foundation/os/file.h"

enum { TAIL_LINES = 20 };
static const uint64_t server_end_limit_ns = 10000000000;

typedef struct session {
    ct_nodes_session_desc desc;
    ct_allocator *allocator;
    const ct_nodes_plan *plan;
    char project[CT_PATH_BYTES], cuttle[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    char server[300]; // HOST:PORT, or ""
    ct_nodes_process server_process;
    ct_nodes_record_array records;
} session;

static void print_error(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
}

static bool is_interrupted(void *user) {
    (void)user;
    return ct_os_take_interrupt();
}

// --- Before the first run ------------------------------------------------------------------------

// Makes the folder of all runs: the one that was named, or PROJECT/.cuttle/nodes/<time>_<process>.
static bool make_folder(session *s, ct_error *error) {
    char folder[CT_PATH_BYTES], name[96];
    if (s->desc.folder)
        return ct_folder_create(s->desc.folder, error) &&
               ct_os_absolute_path(s->desc.folder, s->folder, error);
    const time_t now = time(NULL);
    const size_t length =
        strftime(name, sizeof(name), ".cuttle/nodes/%Y-%m-%d_%H-%M-%S", localtime(&now));
    snprintf(name + length, sizeof(name) - length, "_%lld", (long long)ct_os_process_id());
    if (!ct_path_try_join(folder, s->project, name))
        return ct_error_set(error, "the project's path is too long");
    ct_path_join(s->folder, "", folder);
    return ct_folder_create(folder, error);
}

// Compiles the project once, for all nodes.
static bool compile(session *s, ct_error *error) {
    const ct_project_target target = {.project = s->plan->project,
                                      .is_interrupted = is_interrupted};
    ct_compiler *const compiler = ct_project_compiler(s->allocator, &target, error);
    const ct_compile_report *report = NULL;
    if (!compiler)
        return false;
    bool is_done = ct_compiler_run(compiler, &report, error);
    if (is_done) {
        ct_project_print_report(report, s->plan->project);
        if (report->num_failed != 0 || report->errors.count != 0)
            is_done = ct_error_set(error, "the project does not compile: no node was started");
    }
    ct_compiler_destroy(compiler);
    return is_done;
}

static ct_nodes_values values_of(const session *s) {
    return (ct_nodes_values){.plan = s->plan,
                             .folder = s->folder,
                             .project = s->project,
                             .cuttle = s->cuttle,
                             .server = s->server};
}

static bool say_server_ended(const session *s, ct_error *error) {
    char how[64];
    ct_nodes_process_describe_end(&s->server_process, how, sizeof(how));
    return ct_error_set(error, "the file server %s", how);
}

// Waits until the log of the file server names its port.
static bool wait_for_server(session *s, ct_error *error) {
    static const uint64_t every_ns = 10000000;
    const uint64_t end_ns = ct_os_time_ns() + (uint64_t)(s->plan->start_timeout * 1e9);
    while (!ct_nodes_process_find_port(&s->server_process)) {
        if (ct_nodes_process_has_ended(&s->server_process, every_ns))
            return say_server_ended(s, error);
        if (ct_os_time_ns() >= end_ns)
            return ct_error_set(error,
                                "the file server's log has no `serving at HOST:PORT` after %g s",
                                s->plan->start_timeout);
        if (ct_os_take_interrupt())
            return ct_error_set(error, "interrupted");
    }
    snprintf(s->server, sizeof(s->server), "127.0.0.1:%u", s->server_process.port);
    return true;
}

static bool start_server(session *s, ct_error *error) {
    const ct_nodes_values values = values_of(s);
    char log[CT_PATH_BYTES];
    ct_string_array words;
    if (s->plan->server[0] != '\0') {
        snprintf(s->server, sizeof(s->server), "%s", s->plan->server);
        return true;
    }
    if (!ct_path_try_join(log, s->folder, "serve.log"))
        return ct_error_set(error, "the path of the log serve.log is too long");
    ct_array_init(&words, s->allocator);
    ct_nodes_add_server_command(&words, &values);
    ct_array_push(&words, NULL);
    const bool is_started =
        ct_nodes_process_start(&s->server_process, (const char *const *)words.items, log, error);
    ct_nodes_free_words(&words);
    if (!is_started)
        return false;
    if (wait_for_server(s, error))
        return true;
    ct_string_builder tail CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&tail, s->allocator);
    ct_nodes_add_log_tail(&tail, log, TAIL_LINES);
    fprintf(stderr, "The last lines of %s:\n%s", log, ct_string_builder_text(&tail));
    return false;
}

static bool prepare(session *s, ct_error *error) {
    ct_os_executable_path(s->cuttle);
    return ct_project_check(s->plan->project, error) &&
           ct_os_absolute_path(s->plan->project, s->project, error) && make_folder(s, error) &&
           (s->plan->data == CT_NODES_DATA_SERVER ? start_server(s, error) : compile(s, error));
}

// --- Runs ----------------------------------------------------------------------------------------

static bool make_run_folder(const session *s, uint32_t run, char folder[CT_PATH_BYTES],
                            ct_error *error) {
    char name[32];
    snprintf(name, sizeof(name), "run_%u", run);
    if (!ct_path_try_join(folder, s->folder, name))
        return ct_error_set(error, "the path of the folder %s is too long", name);
    if (ct_os_file_info(folder).kind != CT_FILE_KIND_NONE)
        return ct_error_set(error,
                            "%s exists already, from runs before; remove it or give another "
                            "--folder",
                            folder);
    return ct_folder_create(folder, error);
}

static void print_record(const session *s, const ct_nodes_record *record) {
    if (!s->desc.json)
        printf("run %u of %u, seed %u: %s, %.2f s\n", record->run, s->plan->num_runs, record->seed,
               record->result == CT_NODES_RESULT_PASSED   ? "passed"
               : record->result == CT_NODES_RESULT_FAILED ? "failed"
                                                          : "interrupted",
               record->seconds);
    fflush(stdout); // people watch it through pipes, too
}

// Prints a failure, and writes it to the folder of the run with a copy of the plan.
static void tell_failure(const session *s, const ct_nodes_record *record) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    char path[CT_PATH_BYTES];
    ct_string_builder_init(&text, s->allocator);
    ct_nodes_add_failure(&text, s->plan, record);
    fputs(ct_string_builder_text(&text), stderr);
    if (ct_path_try_join(path, record->folder, "failure.txt"))
        ct_file_write(path, ct_string_builder_text(&text), text.length, false, NULL);
    uint64_t bytes = 0;
    char *const plan = ct_file_read(s->allocator, s->plan->path, &bytes, NULL);
    if (plan && ct_path_try_join(path, record->folder, "plan.sjson"))
        ct_file_write(path, plan, bytes, false, NULL);
    ct_free(s->allocator, plan);
}

// Returns false with `error` when the run could not begin or its folder not be removed.
static bool run_once(session *s, uint32_t run, ct_nodes_result *result, ct_error *error) {
    char folder[CT_PATH_BYTES];
    if (!make_run_folder(s, run, folder, error))
        return false;
    ct_nodes_run_desc desc = {
        .allocator = s->allocator, .values = values_of(s), .is_interrupted = ct_os_take_interrupt};
    if (s->server_process.log[0] != '\0')
        desc.server = &s->server_process;
    ct_nodes_outcome outcome;
    ct_string_builder replay CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&replay, s->allocator);
    ct_nodes_add_replay(&replay, s->plan, run);
    desc.values.run = run;
    desc.values.seed = s->plan->seed + run - 1;
    desc.values.folder = folder;
    ct_nodes_run(&desc, &outcome);
    *result = outcome.result;
    const bool is_kept = s->desc.keep || outcome.result != CT_NODES_RESULT_PASSED;
    ct_nodes_records_add(&s->records, run, desc.values.seed, &outcome, is_kept ? folder : "",
                         ct_string_builder_text(&replay));
    ct_nodes_outcome_free(&outcome);
    const ct_nodes_record *const record = &s->records.items[s->records.count - 1];
    print_record(s, record);
    if (record->result != CT_NODES_RESULT_PASSED)
        tell_failure(s, record);
    return is_kept || ct_folder_remove(folder, error);
}

// Returns whether all passed.
static bool run_all(session *s, ct_error *error) {
    const uint32_t only = s->desc.only_run;
    const uint32_t last = only != 0 ? only : s->plan->num_runs;
    bool has_passed = true;
    for (uint32_t run = only != 0 ? only : 1; run <= last; ++run) {
        ct_nodes_result result = CT_NODES_RESULT_PASSED;
        if (!run_once(s, run, &result, error))
            return false;
        has_passed &= result == CT_NODES_RESULT_PASSED;
        if (result == CT_NODES_RESULT_INTERRUPTED || (!has_passed && !s->desc.keep_going))
            return false;
    }
    return has_passed;
}

// Ends the file server. Returns false with `error` when `cuttle serve` does not end well; a plan's
// own command may end with any exit code.
static bool end_server(session *s, ct_error *error) {
    char how[64];
    const bool runs = s->server_process.process.pid != 0;
    ct_nodes_process_end(&s->server_process, server_end_limit_ns);
    if (!runs || s->server_process.exit_code == 0 || s->plan->server_launch.count != 0)
        return true;
    ct_nodes_process_describe_end(&s->server_process, how, sizeof(how));
    return ct_error_set(error, "the file server was asked to end and %s; its log is %s", how,
                        s->server_process.log);
}

static void print_summary(const session *s, double seconds) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, s->allocator);
    if (s->desc.json) {
        ct_nodes_add_json(&text, s->plan, &s->records, seconds);
        puts(ct_string_builder_text(&text));
        return;
    }
    uint32_t num_passed = 0;
    for (uint32_t i = 0; i < s->records.count; ++i)
        num_passed += s->records.items[i].result == CT_NODES_RESULT_PASSED;
    printf("%u of %u run%s passed in %.2f s\n", num_passed, s->records.count,
           s->records.count == 1 ? "" : "s", seconds);
    if (s->desc.keep)
        printf("The folders of the runs are in %s\n", s->folder);
}

bool ct_nodes_session_run(const ct_nodes_session_desc *desc) {
    const uint64_t start_ns = ct_os_time_ns();
    session *const s = CT_NEW(desc->allocator, session);
    ct_error error = {0};
    s->desc = *desc;
    s->allocator = desc->allocator;
    s->plan = desc->plan;
    ct_array_init(&s->records, s->allocator);
    ct_os_catch_interrupts();
    const bool is_ready = prepare(s, &error);
    bool has_passed = is_ready && run_all(s, &error);
    has_passed &= end_server(s, error.message[0] == '\0' ? &error : NULL);
    if (error.message[0] != '\0')
        print_error(&error);
    print_summary(s, (double)(ct_os_time_ns() - start_ns) * 1e-9);
    if (has_passed && !desc->keep) { // only what this session has made
        char log[CT_PATH_BYTES];
        if (ct_path_try_join(log, s->folder, "serve.log"))
            ct_os_file_remove(log, NULL);
    }
    if (!desc->folder && s->folder[0] != '\0')
        ct_os_folder_remove(s->folder, NULL); // when it is empty
    ct_nodes_records_free(&s->records);
    ct_free_sized(s->allocator, s, sizeof(*s));
    return has_passed;
}
