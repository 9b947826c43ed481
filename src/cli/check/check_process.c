#include "cli/check/check_process.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"

enum { MAX_MESSAGE_BYTES = 1 << 20, MAX_ARGUMENTS = 16 };
static const uint64_t end_limit_ns = 10000000000ull; // for a process that was told to end

// What one message of the engine means to whoever waits.
typedef enum heard {
    HEARD_NOTHING, // it is alive
    HEARD_READY,
    HEARD_DONE,
} heard;

// A job in hand.
typedef struct job_run {
    const ct_check_job *job;
    ct_finding_array *findings;
    uint32_t frame; // the last that the engine began
} job_run;

// What stands for a job while the engine starts and ends.
static const ct_check_job engine_job = {.what = "engine"};

void ct_check_process_init(ct_check_process *p, const ct_check_process_desc *desc) {
    *p = (ct_check_process){.desc = *desc, .socket = -1};
}

void ct_check_process_shutdown(ct_check_process *p) {
    if (!p->is_running)
        return;
    ct_process_kill(p->process);
    ct_process_wait(p->process);
    ct_socket_close(p->socket);
    ct_message_reader_free(&p->reader);
    p->is_running = false;
}

static bool start(ct_check_process *p, bool is_game, ct_error *error) {
    char executable[CT_PATH_BYTES], frames[16];
    ct_os_executable_path(executable);
    snprintf(frames, sizeof(frames), "%u", p->desc.frames);
    const char *arguments[MAX_ARGUMENTS] = {
        executable,
        "check",
        p->desc.project,
        "--engine",
        is_game ? "game" : "jobs",
        "--data-dir",
        p->desc.data_folder,
        "--frames",
        frames,
    };
    uint32_t count = 0;
    while (arguments[count])
        ++count;
    if (p->desc.validation)
        arguments[count++] = "--validation";
    const ct_process_desc desc = {
        .arguments = arguments, .socket = &p->socket, .silent = !p->desc.verbose};
    p->process = ct_process_start(&desc, error);
    if (p->process.pid == 0)
        return false;
    ct_message_reader_init(&p->reader, p->desc.allocator, MAX_MESSAGE_BYTES);
    p->report[0] = '\0';
    p->is_running = true;
    return true;
}

// --- Findings ------------------------------------------------------------------------------------

static void add_finding(const job_run *run, ct_finding_kind kind, const char *system,
                        const char *message, const char *report) {
    const bool is_setup = strcmp(run->job->what, "packages") == 0;
    const ct_finding finding = {
        .kind = kind,
        .what = (is_setup ? "engine" : run->job->what),
        .name = (run->job->num_names == 0 || is_setup ? "" : run->job->names[0]),
        .frame = run->frame,
        .system = system,
        .message = message,
        .report = report,
    };
    ct_findings_add(run->findings, &finding);
}

// The first lines of a crash report, which say what happened, as one line.
static void read_report(ct_check_process *p, ct_string_builder *out) {
    enum { MAX_LINES = 8 };
    ct_error ignored = {0};
    uint64_t bytes = 0;
    char *const text =
        p->report[0] != '\0' ? ct_file_read(p->desc.allocator, p->report, &bytes, &ignored) : NULL;
    if (!text) {
        p->report[0] = '\0';
        return;
    }
    const char *line = text;
    for (uint32_t i = 0; i < MAX_LINES && *line != '\0'; ++i) {
        line += strspn(line, " ");
        const uint32_t length = (uint32_t)strcspn(line, "\n");
        if (strncmp(line, "Call stack:", strlen("Call stack:")) == 0)
            break;
        ct_string_builder_add(out, i == 0 ? ": " : "; ");
        ct_string_builder_add_bytes(out, line, length);
        line += length + (line[length] == '\n');
    }
    ct_free(p->desc.allocator, text);
}

// The process has ended by itself, in the middle of something.
static void report_end(ct_check_process *p, const job_run *run, int code) {
    ct_string_builder message;
    ct_string_builder_init(&message, p->desc.allocator);
    if (code < 0)
        ct_string_builder_addf(&message, "the engine crashed with signal %d", -code);
    else
        ct_string_builder_addf(&message, "the engine ended with exit code %d", code);
    read_report(p, &message);
    add_finding(run, CT_FINDING_KIND_CRASH, NULL, ct_string_builder_text(&message), p->report);
    ct_string_builder_free(&message);
}

// --- Messages ------------------------------------------------------------------------------------

static heard take_message(ct_check_process *p, job_run *run, const ct_message *message) {
    ct_sjson *const doc = ct_sjson_parse(p->desc.allocator, message->json, message->json_bytes,
                                         "message", NULL, NULL);
    if (!doc)
        return HEARD_NOTHING;
    const ct_sjson_value root = ct_sjson_root(doc);
    const char *const type = ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), "");
    heard result = HEARD_NOTHING;
    if (strcmp(type, "start") == 0) {
        snprintf(p->report, sizeof(p->report), "%s",
                 ct_sjson_string(doc, ct_sjson_find(doc, root, "report"), ""));
    } else if (strcmp(type, "ready") == 0) {
        result = HEARD_READY;
    } else if (strcmp(type, "done") == 0) {
        result = HEARD_DONE;
    } else {
        run->frame = (uint32_t)ct_sjson_number(doc, ct_sjson_find(doc, root, "frame"), 0);
    }
    if (strcmp(type, "error") == 0 || strcmp(type, "warning") == 0)
        add_finding(run,
                    strcmp(type, "error") == 0 ? CT_FINDING_KIND_LOGGED : CT_FINDING_KIND_WARNING,
                    ct_sjson_string(doc, ct_sjson_find(doc, root, "system"), ""),
                    ct_sjson_string(doc, ct_sjson_find(doc, root, "message"), ""), NULL);
    ct_sjson_free(doc);
    return result;
}

// Takes what has come. False when the connection has ended.
static bool receive(ct_check_process *p) {
    char bytes[16384];
    const int64_t count = ct_socket_receive(p->socket, bytes, sizeof(bytes));
    if (count > 0)
        ct_message_reader_add(&p->reader, bytes, (uint64_t)count);
    return count >= 0;
}

// Lets the process go after its connection ended; `code` is its exit code.
static void let_go(ct_check_process *p, int *code) {
    if (!ct_process_wait_for(p->process, end_limit_ns, code)) {
        ct_process_kill(p->process);
        *code = ct_process_wait(p->process);
    }
    ct_socket_close(p->socket);
    ct_message_reader_free(&p->reader);
    p->is_running = false;
}

static void report_hang(ct_check_process *p, const job_run *run) {
    char message[128];
    snprintf(message, sizeof(message), "no frame ended for %g seconds: the engine was stopped",
             p->desc.timeout_seconds);
    add_finding(run, CT_FINDING_KIND_HANG, NULL, message, NULL);
    ct_check_process_shutdown(p);
}

// Waits until the engine says `wanted`. False when it is lost; that is a finding.
static bool wait_for(ct_check_process *p, job_run *run, heard wanted) {
    for (;;) {
        ct_message message;
        ct_error error = {0};
        const ct_message_result result = ct_message_reader_next(&p->reader, &message, &error);
        if (result == CT_MESSAGE_RESULT_MESSAGE) {
            if (take_message(p, run, &message) == wanted)
                return true;
            continue;
        }
        bool readable = false;
        if (ct_socket_wait(&p->socket, 1, &readable, (uint64_t)(p->desc.timeout_seconds * 1e9)) ==
            0) {
            report_hang(p, run);
            return false;
        }
        if (!receive(p)) {
            int code = 0;
            let_go(p, &code);
            report_end(p, run, code);
            return false;
        }
    }
}

// --- Jobs ----------------------------------------------------------------------------------------

static void send_job(ct_check_process *p, const ct_check_job *job) {
    ct_string_builder json;
    ct_sjson_writer w;
    ct_byte_array bytes;
    ct_array_init(&bytes, p->desc.allocator);
    ct_string_builder_init(&json, p->desc.allocator);
    ct_sjson_writer_init(&w, &json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", "job");
    ct_sjson_member_string(&w, "what", job->what);
    ct_sjson_member_number(&w, "frames", job->frames);
    ct_sjson_write_key(&w, "names");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < job->num_names; ++i)
        ct_sjson_write_string(&w, job->names[i]);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    ct_message_write(&bytes, ct_string_builder_text(&json), json.length, NULL, 0);
    ct_socket_set_blocking(p->socket, true);
    uint64_t sent = 0;
    int64_t went = 0;
    while (went >= 0 && sent < bytes.count) {
        went = ct_socket_send(p->socket, bytes.items + sent, bytes.count - sent);
        sent += went > 0 ? (uint64_t)went : 0;
    }
    ct_array_free(&bytes);
    ct_string_builder_free(&json);
}

static bool is_game(const ct_check_job *job) {
    return strcmp(job->what, "game") == 0;
}

bool ct_check_process_run(ct_check_process *p, const ct_check_job *job, ct_finding_array *findings,
                          ct_check_outcome *outcome, ct_error *error) {
    job_run run = {.job = job, .findings = findings};
    *outcome = CT_CHECK_OUTCOME_LOST;
    if (is_game(job))
        ct_check_process_stop(p, findings);
    if (!p->is_running) {
        if (!start(p, is_game(job), error))
            return false;
        job_run starting = {.job = &engine_job, .findings = findings};
        if (!is_game(job) && !wait_for(p, &starting, HEARD_READY))
            return ct_error_set(error, "the engine does not start");
    }
    if (!is_game(job))
        send_job(p, job);
    if (!wait_for(p, &run, HEARD_DONE))
        return true;
    *outcome = CT_CHECK_OUTCOME_DONE;
    if (is_game(job))
        ct_check_process_stop(p, findings);
    return true;
}

void ct_check_process_stop(ct_check_process *p, ct_finding_array *findings) {
    if (!p->is_running)
        return;
    job_run run = {.job = &engine_job, .findings = findings};
    send_job(p, &(ct_check_job){.what = "end"});
    bool is_open = true, readable = true;
    while (is_open && ct_socket_wait(&p->socket, 1, &readable, end_limit_ns) != 0) {
        is_open = receive(p);
        ct_message message;
        ct_error error = {0};
        while (ct_message_reader_next(&p->reader, &message, &error) == CT_MESSAGE_RESULT_MESSAGE)
            take_message(p, &run, &message);
    }
    int code = 0;
    let_go(p, &code);
    if (code != 0)
        report_end(p, &run, code);
}
