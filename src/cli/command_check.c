#include <stdio.h>
#include <string.h>

#include "cli/check/check_run.h"
#include "cli/commands.h"
#include "cli/project_compile.h"
#include "cli/project_crash.h"
#include "dev/check_engine.h"
#include "foundation/os/os.h"

enum { CHILD_SOCKET = 3 }; // as ct_process_start gives it

static const ct_command_option options[] = {
    {"frames", "N", "frames to run each level, each unit and the game (60)"},
    {"only", "WHAT", "check only package, level, unit or game, or one resource: level:levels/yard"},
    {"timeout", "S", "seconds after which a frame counts as a hang (30)"},
    {"data-dir", "D", "folder of the compiled data (PROJECT/.cuttle/data/<platform>)"},
    {"source-platform", "P", "check the variants of resources for this platform (linux)"},
    {"validation", NULL, "report messages of Vulkan's validation layer as errors, too"},
    {"verbose", NULL, "show everything that the engine logs"},
    {"json", NULL, "print one JSON object to standard output at the end"},
    {"engine", "PART", "internal: check starts its own engine processes with this (jobs or game)"},
};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_check, arguments, name);
}

static bool parse(const ct_command_arguments *arguments, ct_check_desc *desc, ct_error *error) {
    ct_check_process_desc *const process = &desc->process;
    process->project = arguments->operands[0];
    process->frames = 60;
    process->timeout_seconds = 30;
    process->validation = option(arguments, "validation") != NULL;
    process->verbose = option(arguments, "verbose") != NULL;
    desc->only = option(arguments, "only");
    if (desc->only && !ct_check_is_kind(desc->only))
        return ct_error_set(error,
                            "--only is \"%s\"; expected package, level, unit or game, or one of "
                            "them with a name, such as level:levels/yard",
                            desc->only);
    return ct_command_count("frames", option(arguments, "frames"), 1, 1000000, &process->frames,
                            error) &&
           ct_command_number("timeout", option(arguments, "timeout"), 0.1, 86400,
                             &process->timeout_seconds, error);
}

// --- The engine's process ------------------------------------------------------------------------

static ct_exit run_engine(ct_allocator *a, const ct_command_arguments *arguments,
                          const ct_check_desc *desc, const char *part) {
    char project[CT_PATH_BYTES], report[CT_PATH_BYTES];
    ct_error error = {0};
    const bool is_game = strcmp(part, "game") == 0;
    const char *const data_folder = option(arguments, "data-dir");
    if ((!is_game && strcmp(part, "jobs") != 0) || !data_folder) {
        fprintf(stderr, "cuttle check: --engine is \"%s\"; expected jobs or game, and --data-dir\n",
                part);
        return CT_EXIT_USAGE;
    }
    if (!ct_os_absolute_path(desc->process.project, project, &error)) {
        fprintf(stderr, "cuttle check: %s\n", error.message);
        return CT_EXIT_FAILED;
    }
    ct_project_crash_report(project, report);
    const ct_check_engine_desc engine = {
        .allocator = a,
        .project_folder = project,
        .data_folder = data_folder,
        .report_path = report,
        .socket = CHILD_SOCKET,
        .num_game_frames = is_game ? desc->process.frames : 0,
        .validation = desc->process.validation,
    };
    return ct_check_engine_run(&engine) == 0 ? CT_EXIT_OK : CT_EXIT_FAILED;
}

// --- The check -----------------------------------------------------------------------------------

// Compiles and adds a finding for each error. Writes the data folder to `folder`.
static bool compile(const ct_project_target *target, const ct_check_desc *desc,
                    char folder[CT_PATH_BYTES], ct_finding_array *findings, ct_error *error) {
    ct_compiler *const compiler = ct_project_compiler(desc->process.allocator, target, error);
    const ct_compile_report *report = NULL;
    if (!compiler || !ct_compiler_run(compiler, &report, error)) {
        ct_compiler_destroy(compiler);
        return false;
    }
    ct_project_print_warnings(report, desc->process.project);
    for (uint32_t i = 0; i < report->errors.count; ++i) {
        ct_error found;
        ct_compile_report_error(report, i, &found);
        ct_project_error_path(&found, desc->process.project);
        const ct_finding finding = {.kind = CT_FINDING_KIND_COMPILE,
                                    .what = "compile",
                                    .message = found.message,
                                    .file = found.file,
                                    .line = found.line,
                                    .column = found.column};
        ct_findings_add(findings, &finding);
    }
    ct_findings_print(findings, 0);
    ct_path_join(folder, "", ct_compiler_data_folder(compiler));
    ct_compiler_destroy(compiler);
    return true;
}

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

static void print_summary(ct_allocator *a, const ct_finding_array *findings,
                          const ct_check_counts *counts, bool json) {
    const uint32_t num_errors = ct_findings_num_errors(findings);
    const uint32_t num_warnings = findings->count - num_errors;
    if (!json) {
        printf("checked %u package%s, %u level%s, %u unit%s and %u game%s, %u frame%s each, "
               "in %.1f s: %u error%s",
               counts->packages, plural(counts->packages), counts->levels, plural(counts->levels),
               counts->units, plural(counts->units), counts->games, plural(counts->games),
               counts->frames, plural(counts->frames), counts->seconds, num_errors,
               plural(num_errors));
        if (num_warnings != 0)
            printf(", %u warning%s", num_warnings, plural(num_warnings));
        puts("");
        return;
    }
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_findings_write_json(findings, counts, &text);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

static ct_exit run_check(ct_check_desc *desc, const ct_project_target *target, bool json) {
    ct_allocator *const a = desc->process.allocator;
    const uint64_t start_ns = ct_os_time_ns();
    char folder[CT_PATH_BYTES];
    ct_error error = {0};
    ct_finding_array findings;
    ct_check_counts counts = {.frames = desc->process.frames};
    ct_array_init(&findings, a);
    desc->process.data_folder = folder;
    const bool is_compiled = compile(target, desc, folder, &findings, &error);
    bool is_done = is_compiled && ct_check_run(desc, &findings, &counts, &error);
    const bool is_nothing = !counts.packages && !counts.levels && !counts.units && !counts.games;
    if (is_done && is_nothing && !findings.count && desc->only && strchr(desc->only, ':'))
        is_done = ct_error_set(&error, "found no %s to check", desc->only);
    counts.seconds = (double)(ct_os_time_ns() - start_ns) * 1e-9;
    if (!is_done) {
        const ct_finding finding = {.kind = is_compiled ? CT_FINDING_KIND_LOGGED
                                                        : CT_FINDING_KIND_COMPILE,
                                    .what = is_compiled ? "engine" : "compile",
                                    .message = error.message};
        ct_findings_add(&findings, &finding);
        ct_findings_print(&findings, findings.count - 1);
    }
    if (is_compiled || json)
        print_summary(a, &findings, &counts, json);
    const ct_exit code = ct_findings_num_errors(&findings) == 0 ? CT_EXIT_OK : CT_EXIT_FAILED;
    ct_findings_free(&findings);
    return code;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    ct_check_desc desc = {.process = {.allocator = a}};
    ct_error error = {0};
    if (!parse(arguments, &desc, &error)) {
        fprintf(stderr, "cuttle check: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    const char *const part = option(arguments, "engine");
    if (part)
        return run_engine(a, arguments, &desc, part);
    const ct_project_target target = {.project = desc.process.project,
                                      .data_folder = option(arguments, "data-dir"),
                                      .source_platform = option(arguments, "source-platform")};
    return run_check(&desc, &target, option(arguments, "json") != NULL);
}

const ct_command ct_command_check = {
    .name = "check",
    .operands = "PROJECT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "compile a project, load and run all of it, and report every error",
    .description =
        "Compiles everything. Then an engine without a window loads and unloads every package,\n"
        "opens every level, spawns every unit and runs the game, 60 frames each. Prints each\n"
        "logged error with what the engine was doing: `level levels/yard: frame 12: [lua] …`.\n"
        "A crash or a hang is an error, too, and the rest is still checked. Exits with 1 when\n"
        "there was an error. Warns of actors that start inside each other in a level.\n"
        "See docs/check.md.\n"
        "Example: cuttle check mygame --only level:levels/yard",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
