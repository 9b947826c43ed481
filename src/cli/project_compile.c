#include "cli/project_compile.h"

#include <stdio.h>
#include <string.h>

#include "cli/core_folder.h"
#include "compiler/driver/compiler_data_folder.h"
#include "foundation/os/os.h"
#include "foundation/string/utf8.h"
#include "project/project_lock.h"

static void show_progress(void *user, const ct_compile_progress *p) {
    (void)user;
    char text[512];
    if (p->slow)
        snprintf(text, sizeof(text), "[%u/%u] %.1f s, %.0f s of it for %s", p->done, p->total,
                 p->seconds, p->slow_seconds, p->slow);
    else
        snprintf(text, sizeof(text), "[%u/%u] %.1f s %s", p->done, p->total, p->seconds,
                 p->resource ? p->resource : "");
    if (p->done == p->total)
        text[0] = 0;
    char shown[512];
    ct_utf8_write_printable(shown, sizeof(shown), text);
    fprintf(stderr, "\r\033[K%.*s", (int)ct_os_terminal_columns(2) - 1, shown);
    fflush(stderr);
}

void ct_project_tell_waiting(void *user, int64_t process) {
    (void)user;
    char who[48] = "";
    if (process != 0)
        snprintf(who, sizeof(who), ", process %lld", (long long)process);
    fprintf(stderr,
            "[project] waiting for another command on this project%s: only one at a time compiles "
            "it or changes its sources\n",
            who);
}

bool ct_project_check(const char *project, ct_error *error) {
    char settings[CT_PATH_BYTES];
    if (ct_os_file_info(project).kind != CT_FILE_KIND_FOLDER)
        return ct_error_set(error, "the project folder \"%.400s\" is not there", project);
    if (!ct_path_try_join(settings, project, "settings.config"))
        return ct_error_set(error, "the path of the project is too long");
    const ct_project_lock_desc desc = {.waiting = ct_project_tell_waiting};
    if (!ct_project_finish_journal(project, &desc, error))
        return false;
    return ct_os_file_info(settings).kind == CT_FILE_KIND_FILE ||
           ct_error_set(error, "\"%.400s\" is not a project: it has no settings.config", project);
}

ct_compiler *ct_project_compiler(ct_allocator *a, const ct_project_target *target,
                                 ct_error *error) {
    char core[CT_PATH_BYTES];
    if (!ct_project_check(target->project, error) || !ct_core_folder(core, error) ||
        (target->data_folder &&
         !ct_compiler_data_folder_check(target->data_folder, target->project, error)))
        return NULL;
    const ct_compiler_desc desc = {
        .allocator = a,
        .project_folder = target->project,
        .core_folder = core,
        .data_folder = target->data_folder,
        .platform = target->platform,
        .source_platform = target->source_platform,
        .num_jobs = target->num_jobs,
        .progress = ct_os_is_terminal(2) ? show_progress : NULL,
        .waiting = ct_project_tell_waiting,
        .is_interrupted = target->is_interrupted,
    };
    return ct_compiler_create(&desc, error);
}

void ct_project_error_path(ct_error *error, const char *project) {
    if (error->file[0] == '\0')
        return;
    char path[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_error ignored;
    const bool is_core = strncmp(error->file, "core/", 5) == 0 && ct_core_folder(folder, &ignored);
    if (!ct_path_try_join(path, is_core ? folder : project, error->file + (is_core ? 5 : 0)))
        return; // it stays as it is
    ct_error_set_at(error, path, error->line, error->column, "%s", error->message);
}

enum { LINE_BYTES = CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64 };

void ct_project_print_warnings(const ct_compile_report *report, const char *project) {
    for (uint32_t i = 0; i < report->warnings.count; ++i) {
        ct_error warning = report->warnings.items[i];
        char text[LINE_BYTES];
        ct_project_error_path(&warning, project);
        ct_error_format_warning(&warning, text, sizeof(text));
        fprintf(stderr, "%s\n", text);
    }
}

void ct_project_print_report(const ct_compile_report *report, const char *project) {
    ct_project_print_warnings(report, project);
    for (uint32_t i = 0; i < report->errors.count; ++i) {
        ct_error error;
        char text[LINE_BYTES];
        ct_compile_report_error(report, i, &error);
        ct_project_error_path(&error, project);
        ct_error_format(&error, text, sizeof(text));
        fprintf(stderr, "%s\n", text);
    }
}

// --- JSON ----------------------------------------------------------------------------------------

// Writes the chain of resources that leads to the resource of an error; empty without one.
static void write_chain(ct_sjson_writer *w, const ct_compile_report *report,
                        const ct_compile_chain *chain) {
    ct_sjson_write_key(w, "chain");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < chain->count; ++i)
        ct_sjson_write_string(w, report->chain_names.items[chain->first + i]);
    ct_sjson_end_array(w);
    ct_sjson_member_number(w, "others", chain->num_others);
}

void ct_project_write_fault(ct_sjson_writer *w, const ct_error *fault, const char *project) {
    ct_error error = *fault;
    if (project)
        ct_project_error_path(&error, project);
    ct_sjson_member_string(w, "file", error.file);
    ct_sjson_member_number(w, "line", error.line);
    ct_sjson_member_number(w, "column", error.column);
    ct_sjson_member_string(w, "message", error.message);
}

static void write_error(ct_sjson_writer *w, const ct_compile_report *report, const ct_error *error,
                        const ct_compile_chain *chain, const char *project) {
    ct_sjson_begin_object(w);
    ct_project_write_fault(w, error, project);
    write_chain(w, report, chain);
    ct_sjson_end_object(w);
}

void ct_project_write_errors(ct_sjson_writer *w, const ct_compile_report *report,
                             const ct_error *failure, const char *project) {
    ct_sjson_write_key(w, "errors");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; report && i < report->errors.count; ++i)
        write_error(w, report, &report->errors.items[i], &report->chains.items[i], project);
    if (failure)
        write_error(w, report, failure, &(ct_compile_chain){0}, NULL);
    ct_sjson_end_array(w);
}

void ct_project_report_json(ct_string_builder *out, const ct_compile_report *report,
                            const ct_error *failure, const char *project) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "compiled", report->num_compiled);
    ct_sjson_member_number(&w, "up_to_date", report->num_up_to_date);
    ct_sjson_member_number(&w, "failed", report->num_failed);
    ct_sjson_member_number(&w, "seconds", report->seconds);
    ct_project_write_errors(&w, report, failure, project);
    ct_sjson_write_key(&w, "warnings");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < report->warnings.count; ++i) {
        ct_sjson_begin_object(&w);
        ct_project_write_fault(&w, &report->warnings.items[i], project);
        ct_sjson_end_object(&w);
    }
    ct_sjson_end_array(&w);
    if (report->explanation.count > 0) {
        ct_sjson_write_key(&w, "explanation");
        ct_sjson_begin_array(&w);
        for (uint32_t i = 0; i < report->explanation.count; ++i)
            ct_sjson_write_string(&w, report->explanation.items[i]);
        ct_sjson_end_array(&w);
    }
    ct_sjson_end_object(&w);
}

void ct_project_print_failure_json(ct_allocator *a, const ct_error *failure) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_project_write_errors(&w, NULL, failure, NULL);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}
