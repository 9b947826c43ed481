#include <stdio.h>

#include "cli/commands.h"
#include "cli/core_folder.h"
#include "cli/project_compile.h"
#include "foundation/os/os.h"
#include "foundation/string/utf8.h"
#include "project/source_watch.h"

static const ct_command_option options[] = {
    {"data-dir", "D", "folder for the compiled data (PROJECT/.cuttle/data/<platform>)"},
    {"platform", "P", "the platform to compile for: linux (default), windows or be64"},
    {"source-platform", "P", "compile the variants of resources for this platform (as --platform)"},
    {"jobs", "N", "most worker processes (the number of cores)"},
    {"time-limit", "S", "seconds that compiling one resource may take (60)"},
    {"explain", "RES", "explain why a resource (name.type, or its path) was or was not compiled"},
    {"watch", NULL, "compile again after each change, until Ctrl-C"},
    {"warnings-as-errors", NULL, "exit with 1 when there is any warning"},
    {"json", NULL, "print one JSON object to standard output after each run"},
};

static void print_error(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
}

static void print_json(ct_allocator *a, const ct_compile_report *report, const ct_error *failure,
                       const char *project) {
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_project_report_json(&text, report, failure, project);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

static void print_report(ct_allocator *a, const ct_compile_report *report, const char *project,
                         bool json) {
    ct_project_print_report(report, project);
    if (json) {
        print_json(a, report, NULL, project);
    } else {
        for (uint32_t i = 0; i < report->explanation.count; ++i) {
            char line[2 * CT_ERROR_MESSAGE_BYTES];
            ct_utf8_write_printable(line, sizeof(line), report->explanation.items[i]);
            printf("%s%s\n", i ? "    " : "", line);
        }
        printf("compiled %u, up to date %u, failed %u in %.3f s\n", report->num_compiled,
               report->num_up_to_date, report->num_failed, report->seconds);
    }
    fflush(stdout); // a program may read each run as it ends
}

// --- Options -------------------------------------------------------------------------------------

typedef struct compile_settings {
    const char *project;
    const char *data_folder;
    const char *platform, *source_platform;
    const char *explained;
    uint32_t num_jobs;
    double time_limit_seconds;
    bool watch, json, are_warnings_errors;
} compile_settings;

static bool read_settings(const ct_command_arguments *arguments, compile_settings *settings,
                          ct_error *error) {
    const ct_command *const self = &ct_command_compile;
    *settings = (compile_settings){
        .project = arguments->operands[0],
        .data_folder = ct_command_option_of(self, arguments, "data-dir"),
        .platform = ct_command_option_of(self, arguments, "platform"),
        .source_platform = ct_command_option_of(self, arguments, "source-platform"),
        .explained = ct_command_option_of(self, arguments, "explain"),
        .watch = ct_command_option_of(self, arguments, "watch") != NULL,
        .json = ct_command_option_of(self, arguments, "json") != NULL,
        .are_warnings_errors = ct_command_option_of(self, arguments, "warnings-as-errors") != NULL,
    };
    return ct_command_count("jobs", ct_command_option_of(self, arguments, "jobs"), 1, 256,
                            &settings->num_jobs, error) &&
           ct_command_number("time-limit", ct_command_option_of(self, arguments, "time-limit"), 0.1,
                             86400, &settings->time_limit_seconds, error);
}

// --- Runs ----------------------------------------------------------------------------------------

// What --watch waits with. Ctrl-C sets is_interrupted, which stays set.
typedef struct watch_state {
    ct_source_watch *sources;
    bool is_interrupted;
} watch_state;

static watch_state watching;

static bool is_interrupted(void *user) {
    (void)user;
    watching.is_interrupted |= ct_os_take_interrupt();
    return watching.is_interrupted;
}

// Reports an error that ended a run as a whole.
static ct_exit fail(ct_allocator *a, const compile_settings *settings, const ct_error *error) {
    print_error(error);
    if (settings->json)
        print_json(a, &(ct_compile_report){0}, error, settings->project);
    fflush(stdout);
    return CT_EXIT_FAILED;
}

// Compiles once and prints the report.
static ct_exit compile(ct_allocator *a, const compile_settings *settings, ct_compiler *compiler) {
    const ct_compile_report *report = NULL;
    ct_error error = {0};
    if (!ct_compiler_run(compiler, &report, &error))
        return watching.is_interrupted ? CT_EXIT_FAILED : fail(a, settings, &error);
    print_report(a, report, settings->project, settings->json);
    const bool is_unknown =
        report->explanation.count == 1; // an explanation of a resource has more lines
    const bool is_refused = settings->are_warnings_errors && report->warnings.count != 0;
    return report->num_failed != 0 || report->errors.count != 0 || is_unknown || is_refused
               ? CT_EXIT_FAILED
               : CT_EXIT_OK;
}

// Waits until sources have changed and the changes have ended, or for Ctrl-C.
static void wait_for_change(void) {
    static const uint64_t slice_ns = 20000000;
    while (!ct_source_watch_wait(watching.sources, slice_ns) && !is_interrupted(NULL))
        continue;
    ct_source_watch_settle(watching.sources, is_interrupted, NULL);
    ct_source_watch_end_burst(watching.sources);
}

static bool open_watch(ct_allocator *a, const char *project, ct_error *error) {
    char core[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    return ct_core_folder(core, error) && ct_os_absolute_path(project, folder, error) &&
           (watching.sources = ct_source_watch_create(a, folder, core, error));
}

// Opens the watch before the first run, so that no change in between is missed.
static ct_exit watch(ct_allocator *a, const compile_settings *settings, ct_compiler *compiler) {
    ct_error error = {0};
    const bool is_open = open_watch(a, settings->project, &error);
    if (!is_open)
        fail(a, settings, &error);
    while (is_open && !is_interrupted(NULL)) {
        compile(a, settings, compiler);
        wait_for_change();
    }
    ct_source_watch_destroy(watching.sources);
    return is_open ? CT_EXIT_OK : CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    compile_settings settings;
    ct_error error = {0};
    if (!read_settings(arguments, &settings, &error)) {
        fprintf(stderr, "cuttle compile: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    watching = (watch_state){0};
    if (settings.watch)
        ct_os_catch_interrupts(); // before there is anything to wait for
    const ct_project_target target = {
        .project = settings.project,
        .data_folder = settings.data_folder,
        .platform = settings.platform,
        .source_platform = settings.source_platform,
        .num_jobs = settings.num_jobs,
        .is_interrupted = settings.watch ? is_interrupted : NULL,
    };
    ct_compiler *const compiler = ct_project_compiler(a, &target, &error);
    if (!compiler)
        return fail(a, &settings, &error);
    if (settings.time_limit_seconds > 0)
        ct_compiler_set_time_limit(compiler, settings.time_limit_seconds);
    ct_compiler_explain(compiler, settings.explained);
    const ct_exit code =
        settings.watch ? watch(a, &settings, compiler) : compile(a, &settings, compiler);
    ct_compiler_destroy(compiler);
    return code;
}

const ct_command ct_command_compile = {
    .name = "compile",
    .operands = "PROJECT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "bring a project's compiled data up to date",
    .description =
        "Compiles what changed since the last time, in worker processes. Prints errors as\n"
        "`path:line:column: error: message` and warnings as `path:line:column: warning:\n"
        "message`; both repeat until they are fixed. A resource that fails keeps its last good\n"
        "data. Prints `compiled A, up to date B, failed C in S s` at the end. Only one compile\n"
        "of a project runs at a time: the next one waits and says so. See docs/compiling.md.\n"
        "Example: cuttle compile mygame --watch",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
