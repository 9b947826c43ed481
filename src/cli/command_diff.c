#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/project_compile.h"
#include "content/diff/diff.h"
#include "content/diff/diff_apply.h"
#include "content/diff/diff_html.h"
#include "content/diff/diff_json.h"
#include "content/diff/diff_text.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

// The exit codes of `diff`, which say whether there are differences.
enum { EXIT_SAME = 0, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2 };

static const ct_command_option options[] = {
    {"json", NULL, "print one JSON object to standard output, as --apply reads it"},
    {"color", NULL, "print colours even when the output is not a terminal"},
    {"html", "FILE", "write both sides beside each other to FILE as HTML"},
    {"path", "NAME", "treat both files as the type that NAME has"},
    {"apply", "DIFF", "apply the output of --json to a file: --apply DIFF FILE"},
    {"o", "OUT", "with --apply: write the result to OUT, not over FILE"},
    {"git", NULL, "run as a diff driver of git: take its arguments, always exit with 0"},
};

// JSON may be an array.
static const ct_sjson_limits root_limits = {.takes_array = true};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_diff, arguments, name);
}

static void print_error(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "cuttle diff: %s\n", error->file[0] != '\0' ? text : error->message);
}

static bool has_color(const ct_command_arguments *arguments) {
    // Git runs a pager that shows colours, and says so.
    const char *const pager = ct_os_environment("GIT_PAGER_IN_USE");
    const bool is_plain = ct_os_environment("NO_COLOR") != NULL;
    return option(arguments, "color") ||
           (!is_plain && (ct_os_is_terminal(1) || (pager && pager[0] != '\0')));
}

// --- Reading both sides --------------------------------------------------------------------------

// One version of a file.
typedef struct side {
    char *text;
    uint64_t size_bytes;
    ct_sjson *doc;
} side;

// `name` names it in errors. /dev/null, which git gives for what is not there, is empty.
static bool read_side(side *s, ct_allocator *a, const char *path, const char *name,
                      ct_error *error) {
    *s = (side){.text = NULL};
    s->text = strcmp(path, "/dev/null") == 0 ? ct_copy_string(a, "")
                                             : ct_file_read_input(a, path, &s->size_bytes, error);
    if (s->text)
        s->doc = ct_sjson_parse(a, s->text, s->size_bytes, name, &root_limits, error);
    return s->doc != NULL;
}

static void free_side(side *s, ct_allocator *a) {
    ct_free(a, s->text);
    ct_sjson_free(s->doc);
}

// --- Printing ------------------------------------------------------------------------------------

static void print_operations(ct_allocator *a, const ct_diff *diff, bool is_colored) {
    ct_string_builder line;
    ct_string_builder_init(&line, a);
    for (uint32_t i = 0; i < diff->operations.count; ++i) {
        ct_string_builder_clear(&line);
        ct_diff_write_operation(diff, &diff->operations.items[i], is_colored, &line);
        ct_string_builder_add_char(&line, '\n');
        fwrite(line.text, 1, line.length, stdout);
    }
    ct_string_builder_free(&line);
}

static void print_json(ct_allocator *a, const ct_diff *diff, const char *from, const char *to) {
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_diff_write_json(diff, from, to, &text);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

static bool write_html(ct_allocator *a, const ct_diff *diff, const char *const names[2],
                       const side sides[2], const char *path, ct_error *error) {
    const ct_diff_html_side from = {names[0], sides[0].text, sides[0].size_bytes, sides[0].doc};
    const ct_diff_html_side to = {names[1], sides[1].text, sides[1].size_bytes, sides[1].doc};
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_diff_write_html(diff, &from, &to, &text);
    const bool is_written = ct_file_write_output(path, text.text, text.length, false, error);
    ct_string_builder_free(&text);
    return is_written;
}

static bool tell(ct_allocator *a, const ct_command_arguments *arguments, const side sides[2],
                 bool *is_different, ct_error *error) {
    const char *const *const names = arguments->operands;
    const char *const html = option(arguments, "html");
    const char *path = option(arguments, "path");
    if (!path)
        path = names[strcmp(names[1], "/dev/null") == 0 ? 0 : 1];
    ct_diff diff;
    ct_diff_make(&diff, a, sides[0].doc, sides[1].doc, path);
    *is_different = diff.operations.count > 0;
    const bool is_written = !html || write_html(a, &diff, names, sides, html, error);
    if (is_written && option(arguments, "json"))
        print_json(a, &diff, names[0], names[1]);
    else if (is_written && !html)
        print_operations(a, &diff, has_color(arguments));
    ct_diff_free(&diff);
    return is_written;
}

static ct_exit run_diff(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const *const names = arguments->operands;
    side sides[2] = {0};
    ct_error error = {0};
    bool is_different = false;
    const bool is_told = read_side(&sides[0], a, names[0], names[0], &error) &&
                         read_side(&sides[1], a, names[1], names[1], &error) &&
                         tell(a, arguments, sides, &is_different, &error);
    free_side(&sides[0], a);
    free_side(&sides[1], a);
    if (is_told)
        return (ct_exit)(is_different ? EXIT_DIFFERENT : EXIT_SAME);
    print_error(&error);
    if (option(arguments, "json"))
        ct_project_print_failure_json(a, &error);
    return (ct_exit)EXIT_TROUBLE;
}

// --- Git -----------------------------------------------------------------------------------------

// What git gives to a diff driver; hashes are not asked for.
enum {
    GIT_PATH,
    GIT_OLD_FILE,
    GIT_OLD_HASH,
    GIT_OLD_MODE,
    GIT_NEW_FILE,
    GIT_NEW_HASH,
    GIT_NEW_MODE,
    GIT_NEW_PATH,
    GIT_COUNT = 7
};

static void print_git_header(const ct_command_arguments *arguments, bool is_colored) {
    const char *const *const o = arguments->operands;
    const char *const bold = is_colored ? "\x1b[1m" : "", *const plain =
                                                              is_colored ? "\x1b[0m" : "";
    const char *const new_path =
        arguments->num_operands > GIT_NEW_PATH ? o[GIT_NEW_PATH] : o[GIT_PATH];
    printf("%sdiff --cuttle a/%s b/%s%s\n", bold, o[GIT_PATH], new_path, plain);
    if (strcmp(o[GIT_OLD_FILE], "/dev/null") == 0)
        printf("%snew file mode %s%s\n", bold, o[GIT_NEW_MODE], plain);
    else if (strcmp(o[GIT_NEW_FILE], "/dev/null") == 0)
        printf("%sdeleted file mode %s%s\n", bold, o[GIT_OLD_MODE], plain);
    else if (strcmp(o[GIT_OLD_MODE], o[GIT_NEW_MODE]) != 0)
        printf("%sold mode %s\nnew mode %s%s\n", bold, o[GIT_OLD_MODE], o[GIT_NEW_MODE], plain);
}

static void print_git_diff(ct_allocator *a, const ct_command_arguments *arguments,
                           const side sides[2], bool is_colored) {
    const char *const path = option(arguments, "path");
    ct_diff diff;
    ct_diff_make(&diff, a, sides[0].doc, sides[1].doc, path ? path : arguments->operands[GIT_PATH]);
    print_operations(a, &diff, is_colored);
    const bool is_same_text = sides[0].size_bytes == sides[1].size_bytes &&
                              memcmp(sides[0].text, sides[1].text, sides[0].size_bytes) == 0;
    if (diff.operations.count == 0 && !is_same_text)
        printf("only comments, the order of members or formatting differ\n");
    ct_diff_free(&diff);
}

static ct_exit run_git(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const *const o = arguments->operands;
    if (arguments->num_operands == 1) {
        printf("* Unmerged path %s\n", o[GIT_PATH]);
        return CT_EXIT_OK;
    }
    if (arguments->num_operands < GIT_COUNT) {
        fprintf(stderr, "cuttle diff: --git needs the arguments of a diff driver: PATH OLD-FILE "
                        "OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE\n");
        return CT_EXIT_USAGE;
    }
    const bool is_colored = has_color(arguments);
    side sides[2] = {0};
    ct_error error = {0};
    print_git_header(arguments, is_colored);
    if (read_side(&sides[0], a, o[GIT_OLD_FILE], o[GIT_PATH], &error) &&
        read_side(&sides[1], a, o[GIT_NEW_FILE], o[GIT_PATH], &error)) {
        print_git_diff(a, arguments, sides, is_colored);
    } else {
        char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
        ct_error_format(&error, text, sizeof(text));
        printf("the files differ, but one cannot be read as SJSON: %s\n", text);
    }
    free_side(&sides[0], a);
    free_side(&sides[1], a);
    return CT_EXIT_OK;
}

// --- Applying ------------------------------------------------------------------------------------

static bool apply(ct_allocator *a, const ct_sjson *operations, const char *file, const char *out,
                  ct_error *error) {
    ct_diff diff;
    ct_string_builder text;
    ct_sjson_document *doc = NULL;
    ct_string_builder_init(&text, a);
    bool is_applied = ct_diff_read_json(&diff, a, operations, error) &&
                      (doc = ct_sjson_document_read(a, file, file, &root_limits, error));
    if (is_applied && strcmp(ct_path_extension(file), "json") == 0)
        ct_sjson_document_prefer_json(doc);
    is_applied = is_applied && ct_diff_apply(&diff, doc, a, error);
    if (is_applied)
        ct_sjson_document_write(doc, &text);
    const bool is_written = is_applied && ct_file_write_output(out, ct_string_builder_text(&text),
                                                               text.length, false, error);
    ct_diff_free(&diff);
    ct_sjson_document_free(doc);
    ct_string_builder_free(&text);
    return is_written;
}

static ct_exit run_apply(ct_allocator *a, const ct_command_arguments *arguments) {
    // Values are some containers deeper here than in the file that they come from.
    const ct_sjson_limits limits = {.max_depth = 520};
    const char *const path = option(arguments, "apply"), *const file = arguments->operands[0];
    const char *const out = option(arguments, "o") ? option(arguments, "o") : file;
    ct_error error = {0};
    uint64_t size_bytes;
    char *const text = ct_file_read_input(a, path, &size_bytes, &error);
    ct_sjson *const operations =
        text ? ct_sjson_parse(a, text, size_bytes, path, &limits, &error) : NULL;
    ct_free(a, text);
    const bool is_applied = operations && apply(a, operations, file, out, &error);
    ct_sjson_free(operations);
    if (!is_applied)
        print_error(&error);
    return is_applied ? CT_EXIT_OK : CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const bool applies = option(arguments, "apply") != NULL, is_git = option(arguments, "git");
    const bool tells = option(arguments, "json") || option(arguments, "html");
    const uint32_t num = arguments->num_operands;
    if (applies + is_git + tells > 1 || (option(arguments, "o") && !applies)) {
        fprintf(stderr,
                "cuttle diff: --apply (with -o) and --git cannot be combined with other options\n");
        return CT_EXIT_USAGE;
    }
    if (!is_git && num != (applies ? 1 : 2)) {
        fprintf(stderr, "cuttle diff: expected %s; see `cuttle help diff`\n",
                applies ? "one file to apply the operations to" : "two files to compare");
        return CT_EXIT_USAGE;
    }
    if (is_git)
        return run_git(a, arguments);
    return applies ? run_apply(a, arguments) : run_diff(a, arguments);
}

const ct_command ct_command_diff = {
    .name = "diff",
    .operands = "A B",
    .least_operands = 1,
    .most_operands = 9,
    .summary = "compare two SJSON files, and apply the differences to a third",
    .description =
        "Reads two SJSON or JSON files and prints a line for each operation that turns the first\n"
        "into the second. Members are matched by key, elements by `id` if they have one, elements\n"
        "of sets by value, all others by best alignment. Comments, the order of members and\n"
        "formatting are ignored. Exits like `diff`: 0 without differences, 1 with differences, 2\n"
        "on errors. With --apply and --git, exit codes are those of all commands.\n"
        "--apply changes only what the operations name; all other bytes stay. An operation that\n"
        "does not fit the file is an error, and nothing is changed. See docs/merging.md.\n"
        "Example: cuttle diff old.level new.level --html out.html",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
