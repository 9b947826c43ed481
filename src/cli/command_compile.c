#include <stdio.h>

#include "cli/commands.h"
#include "cli/project_compile.h"

static const ct_command_option options[] = {
    {"data-dir", "D", "where the data goes (PROJECT/.cuttle/data/<platform>)"},
    {"jobs", "N", "worker processes at most (the number of cores)"},
    {"time-limit", "S", "seconds that compiling one resource may take (60)"},
    {"json", NULL, "end with one JSON object on standard output"},
};

static void print_error(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
}

static void print_report(ct_allocator *a, const ct_compile_report *report, const char *project,
                         bool json) {
    for (uint32_t i = 0; i < report->errors.count; ++i) {
        ct_error error;
        ct_compile_report_error(report, i, &error);
        ct_project_error_path(&error, project);
        print_error(&error);
    }
    if (!json) {
        printf("compiled %u, up to date %u, failed %u in %.3f s\n", report->num_compiled,
               report->num_up_to_date, report->num_failed, report->seconds);
        return;
    }
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_project_report_json(&text, report, project);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const ct_command *const self = &ct_command_compile;
    const char *project = arguments->operands[0];
    ct_error error = {0};
    uint32_t num_jobs = 0;
    const char *jobs = ct_command_option_of(self, arguments, "jobs");
    double time_limit_seconds = 0;
    if (!ct_command_count("jobs", jobs, 1, 256, &num_jobs, &error) ||
        !ct_command_number("time-limit", ct_command_option_of(self, arguments, "time-limit"), 0.1,
                           86400, &time_limit_seconds, &error)) {
        fprintf(stderr, "cuttle compile: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    const char *data_folder = ct_command_option_of(self, arguments, "data-dir");
    ct_compiler *compiler = ct_project_compiler(a, project, data_folder, num_jobs, &error);
    if (compiler != NULL && time_limit_seconds > 0)
        ct_compiler_set_time_limit(compiler, time_limit_seconds);
    const ct_compile_report *report = NULL;
    if (compiler == NULL || !ct_compiler_run(compiler, &report, &error)) {
        print_error(&error);
        ct_compiler_destroy(compiler);
        return CT_EXIT_FAILED;
    }
    print_report(a, report, project, ct_command_option_of(self, arguments, "json") != NULL);
    const ct_exit code =
        report->num_failed != 0 || report->errors.count != 0 ? CT_EXIT_FAILED : CT_EXIT_OK;
    ct_compiler_destroy(compiler);
    return code;
}

const ct_command ct_command_compile = {
    .name = "compile",
    .operands = "PROJECT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "bring a project's compiled data up to date",
    .description = "Compiles what changed since the last time, in worker processes. Errors are\n"
                   "written as path:line:column: error: message; what fails keeps its last good\n"
                   "data, and is told again until it is mended. Ends with a line\n"
                   "`compiled A, up to date B, failed C in S s`.",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
