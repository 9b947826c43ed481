#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/git_setup.h"
#include "content/merge/merge.h"
#include "content/references/content_place.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

static const ct_command_option options[] = {
    {"o", "RESULT", "write the result to RESULT, which may be MINE"},
    {"report", "FILE", "write all decisions and their values to FILE as JSON"},
    {"json-files", NULL, "all three files and the result are JSON, even if not named .json"},
    {"path", "NAME", "the file's name in the project, which gives its type"},
    {"install-git", NULL, "make git merge and compare sources with cuttle in this repository"},
    {"global", NULL, "with --install-git: in all repositories of this user"},
};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_merge, arguments, name);
}

// Git gives a side as a temporary file: an error in it gets the name of --path instead.
static void name_side(const ct_command_arguments *arguments, ct_error *error) {
    const ct_error found = *error;
    if (option(arguments, "path") && found.line > 0)
        ct_error_set_at(error, option(arguments, "path"), found.line, found.column, "%s",
                        found.message);
}

static ct_exit fail(const char *side, const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "cuttle merge: %s%s%s\n", side, *side != '\0' ? ": " : "", text);
    return CT_EXIT_FAILED;
}

static ct_exit wrong_usage(const char *message) {
    fprintf(stderr, "cuttle merge: %s; see `cuttle help merge`\n", message);
    return CT_EXIT_USAGE;
}

// --- Merging -------------------------------------------------------------------------------------

// Returns the name that gives the type: that of --path, or the first file with a known type.
static const char *find_path(const ct_command_arguments *arguments) {
    if (option(arguments, "path"))
        return option(arguments, "path");
    const char *const names[] = {arguments->operands[2], arguments->operands[0],
                                 arguments->operands[1], option(arguments, "o")};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        if (ct_content_place_of_file(names[i]).schema)
            return names[i];
    }
    return NULL;
}

static bool is_json_name(const char *path) {
    return strcmp(ct_path_extension(path), "json") == 0;
}

// What is called .json, by --path or else as MINE or RESULT, is JSON.
static bool is_json(const ct_command_arguments *arguments) {
    if (option(arguments, "json-files"))
        return true;
    if (option(arguments, "path"))
        return is_json_name(option(arguments, "path"));
    return is_json_name(arguments->operands[2]) || is_json_name(option(arguments, "o"));
}

// RESULT may be MINE, of which there may be no other copy: it gets its name when it is on the disk,
// so that a machine that stops leaves one of the two, too. The report can be made again.
static bool write_results(const ct_command_arguments *arguments, const ct_string_builder *result,
                          ct_string_builder *report, ct_error *error) {
    const char *const report_path = option(arguments, "report");
    if (report_path) {
        ct_string_builder_add_char(report, '\n');
        if (!ct_file_write_output(report_path, report->text, report->length, false, error))
            return false;
    }
    return ct_file_write_output(option(arguments, "o"), ct_string_builder_text(result),
                                result->length, true, error);
}

// A file is read when it is needed; what can be read only once, a pipe, at once.
static bool find_text(ct_allocator *a, const char *path, ct_merge_text *text, ct_error *error) {
    *text = (ct_merge_text){.file = path, .is_on_disk = true};
    if (ct_os_file_info(path).kind != CT_FILE_KIND_OTHER)
        return true;
    text->is_on_disk = false;
    text->text = ct_file_read_input(a, path, &text->size_bytes, error);
    return text->text;
}

static ct_exit merge(ct_allocator *a, const ct_command_arguments *arguments) {
    ct_merge_desc desc = {.path = find_path(arguments), .is_json = is_json(arguments)};
    ct_merge_text *const texts[] = {&desc.base, &desc.theirs, &desc.mine};
    ct_error error = {0};
    ct_merge_summary summary = {.wrong_side = ""};
    ct_string_builder result, report;
    ct_string_builder_init(&result, a);
    ct_string_builder_init(&report, a);
    bool ok = true;
    for (uint32_t i = 0; i < CT_COUNT_OF(texts) && ok; ++i)
        ok = find_text(a, arguments->operands[i], texts[i], &error);
    const bool has_report = option(arguments, "report") != NULL;
    ok = ok && ct_merge_texts(a, &desc, &result, has_report ? &report : NULL, &summary, &error) &&
         write_results(arguments, &result, &report, &error);
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
        ct_free(a, (void *)(uintptr_t)texts[i]->text);
    ct_string_builder_free(&result);
    ct_string_builder_free(&report);
    if (!ok) {
        name_side(arguments, &error);
        return fail(summary.wrong_side, &error);
    }
    if (summary.num_decisions > 0)
        fprintf(stderr, "cuttle merge: %s: %u decision%s\n",
                desc.path ? desc.path : arguments->operands[2], summary.num_decisions,
                summary.num_decisions == 1 ? "" : "s");
    return CT_EXIT_OK;
}

// --- Installing ----------------------------------------------------------------------------------

static void tell_of_hook(ct_allocator *a, ct_git_hook hook, const char *path) {
    char program[CT_PATH_BYTES];
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_os_executable_path(program);
    ct_git_setup_add_hook(program, &text);
    if (hook == CT_GIT_HOOK_WRITTEN)
        fprintf(stderr, "wrote %s, which lists missing references after a merge\n", path);
    else if (hook == CT_GIT_HOOK_UPDATED)
        fprintf(stderr, "%s ran another program and now runs this one\n", path);
    else if (hook == CT_GIT_HOOK_THERE)
        fprintf(stderr, "%s exists already and stays as it is\n", path);
    else if (hook == CT_GIT_HOOK_FOREIGN)
        fprintf(stderr,
                "%s is another hook and stays as it is; to list missing references after a\n"
                "merge, add this to it:\n\n%s\n",
                path, strchr(text.text, '\n') + 1);
    ct_string_builder_free(&text);
}

static ct_exit install(ct_allocator *a, bool is_global) {
    ct_git_hook hook;
    ct_error error = {0};
    ct_string_builder hook_path, attributes;
    ct_string_builder_init(&hook_path, a);
    ct_string_builder_init(&attributes, a);
    bool is_changed = false;
    const bool ok = ct_git_setup_install(a, ".", is_global, &hook, &hook_path, &is_changed, &error);
    if (ok && !is_changed && hook != CT_GIT_HOOK_FOREIGN)
        fprintf(stderr, "nothing to do: git knows the merge driver and diff command already\n");
    if (ok) {
        tell_of_hook(a, hook, ct_string_builder_text(&hook_path));
        fprintf(stderr,
                "git knows the merge driver and diff command `cuttle`%s; put these lines "
                "into .gitattributes:\n",
                is_global ? " in all repositories" : "");
        fflush(stderr);
        ct_git_setup_add_attributes(&attributes);
        fputs(attributes.text, stdout);
    }
    ct_string_builder_free(&hook_path);
    ct_string_builder_free(&attributes);
    return ok ? CT_EXIT_OK : fail("", &error);
}

// The path of a file without links, also of one that is not there yet.
static bool find_real_path(const char *path, char real[CT_PATH_BYTES]) {
    return ct_os_absolute_path(path, real, NULL) || ct_file_absolute_path(path, real, NULL);
}

static bool is_same_file(const char *a, const char *b) {
    char paths[2][CT_PATH_BYTES];
    return find_real_path(a, paths[0]) && find_real_path(b, paths[1]) &&
           strcmp(paths[0], paths[1]) == 0;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const bool is_global = option(arguments, "global") != NULL;
    if (option(arguments, "install-git")) {
        const bool is_alone = arguments->num_operands == 0 && !option(arguments, "o") &&
                              !option(arguments, "report") && !option(arguments, "json-files") &&
                              !option(arguments, "path");
        return is_alone ? install(a, is_global)
                        : wrong_usage("--install-git can be combined only with --global");
    }
    if (is_global)
        return wrong_usage("--global needs --install-git");
    if (arguments->num_operands != 3)
        return wrong_usage("expected three files: BASE THEIRS MINE");
    if (!option(arguments, "o"))
        return wrong_usage("expected -o RESULT");
    if (option(arguments, "report") &&
        is_same_file(option(arguments, "o"), option(arguments, "report")))
        return wrong_usage("-o and --report name the same file");
    return merge(a, arguments);
}

const ct_command ct_command_merge = {
    .name = "merge",
    .operands = "[BASE THEIRS MINE]",
    .least_operands = 0,
    .most_operands = 3,
    .summary = "merge two versions of a source without conflicts",
    .description =
        "Applies what THEIRS changed since BASE to MINE. Members are matched by key, elements "
        "with\n"
        "an `id` by id, other arrays by best alignment; a vector is one value. What THEIRS did\n"
        "not change stays as in MINE, byte for byte. Where both changed the same value, MINE "
        "wins;\n"
        "a value replaced as a whole wins over changes inside it; what either side removed is\n"
        "gone. The report lists all these decisions, and the exit code is 0. A broken file is an\n"
        "error, and RESULT stays as it was. With --install-git, git merges this way every time.\n"
        "See docs/merging.md.\n"
        "Example: cuttle merge base.level theirs.level mine.level -o mine.level",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
