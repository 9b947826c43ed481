// project_compile.h: shared by commands on a project: checks the project, makes a compiler from
// options, and prints the compiler's report.
#pragma once
#include "compiler/driver/compiler.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_builder.h"

// Returns false with `error` when `project` is not a folder with a settings.config. Every command
// on a project calls this before it reads or writes anything there. Finishes a pending journal
// (project_journal.h).
bool ct_project_check(const char *project, ct_error *error);

// Prints to standard error that this process waits for another one that has the project's lock;
// fits ct_compiler_desc.waiting.
void ct_project_tell_waiting(void *user, int64_t process);

// The project and platform that a command compiles; zeroes are the defaults of ct_compiler_desc.
typedef struct ct_project_target {
    const char *project;
    const char *data_folder;
    const char *platform, *source_platform;
    uint32_t num_jobs;
    bool (*is_interrupted)(void *user);
} ct_project_target;

// Makes a compiler for a project. Checks the project as above, and a named data folder
// (compiler_data_folder.h). Returns NULL with `error`.
ct_compiler *ct_project_compiler(ct_allocator *a, const ct_project_target *target, ct_error *error);

// Rewrites the file of an error of a report from a project path to a path as the user would write
// it: below `project`, or below the core folder.
void ct_project_error_path(ct_error *error, const char *project);

// Writes the warnings and then the errors of a report to standard error, a line each, with the
// paths of ct_project_error_path: `path:line:column: warning: message`.
void ct_project_print_report(const ct_compile_report *report, const char *project);

// Writes the warnings alone to standard error, in the form of ct_project_print_report.
void ct_project_print_warnings(const ct_compile_report *report, const char *project);

// Writes the members of an error or a warning, `file`, `line`, `column` and `message`, to the open
// object. The file's path is from `project`; with NULL it stays as it is.
void ct_project_write_fault(ct_sjson_writer *w, const ct_error *fault, const char *project);

// Writes the member `errors`: the errors of a report (or NULL), then `failure`, which ended the run
// as a whole (or NULL) and whose path stays as it is. Each has `chain` and `others`.
void ct_project_write_errors(ct_sjson_writer *w, const ct_compile_report *report,
                             const ct_error *failure, const char *project);

// Appends the report as one JSON object, with `failure` as in ct_project_write_errors. Pass a
// zeroed report when there was no run.
void ct_project_report_json(ct_string_builder *out, const ct_compile_report *report,
                            const ct_error *failure, const char *project);

// Prints the JSON object of a command that failed as a whole: only `errors`, with `failure`.
void ct_project_print_failure_json(ct_allocator *a, const ct_error *failure);
