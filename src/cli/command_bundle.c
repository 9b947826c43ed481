#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bundle/bundle_files.h"
#include "cli/bundle/bundle_folder.h"
#include "cli/bundle/bundle_icon.h"
#include "cli/bundle/bundle_plugins.h"
#include "cli/bundle/bundle_print.h"
#include "cli/commands.h"
#include "cli/project_compile.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_lock.h"
#include "resource/blob/platform.h"
#include "resource/load/resource_store.h"
#include "resource/types/config_resource.h"

static const ct_command_option options[] = {
    {"o", "DIR", "the bundle's folder: new, empty, or an older bundle, which is replaced"},
    {"platform", "P", "the platform to bundle for: linux (default) or windows"},
    {"source-platform", "P", "bundle the variants of resources for this platform (as --platform)"},
    {"against", "OLD", "write a patch for the bundle OLD: only what differs from it"},
    {"data-dir", "D", "folder of the compiled data (PROJECT/.cuttle/data/<platform>)"},
    {"json", NULL, "print one JSON object to standard output at the end"},
};

typedef struct bundle_settings {
    ct_project_target target;
    const char *folder, *against;
    const char *platform;
    bool json;
} bundle_settings;

// Set by Ctrl-C; stays set.
static bool has_interrupt;

static bool is_interrupted(void *user) {
    (void)user;
    has_interrupt |= ct_os_take_interrupt();
    return has_interrupt;
}

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_bundle, arguments, name);
}

static bool read_settings(const ct_command_arguments *arguments, bundle_settings *s,
                          ct_error *error) {
    const char *const platform = option(arguments, "platform");
    *s = (bundle_settings){
        .target = {.project = arguments->operands[0],
                   .data_folder = option(arguments, "data-dir"),
                   .platform = platform,
                   .source_platform = option(arguments, "source-platform"),
                   .is_interrupted = is_interrupted},
        .folder = option(arguments, "o"),
        .against = option(arguments, "against"),
        .platform = platform ? platform : CT_PLATFORM_HOST,
        .json = option(arguments, "json") != NULL,
    };
    const ct_platform *const known = ct_platform_named(s->platform);
    if (!s->folder)
        return ct_error_set(error, "-o DIR is missing: name the bundle's folder");
    return (known && known->byte_order == CT_BYTE_ORDER_LITTLE) ||
           ct_error_set(error, "cannot bundle for the platform \"%s\"; expected linux or windows",
                        s->platform);
}

// --- Compiling -----------------------------------------------------------------------------------

// Prints as JSON why nothing was bundled: the errors of a compilation (NULL: there was none), and
// the error that ended the command.
static void print_refusal(ct_allocator *a, const bundle_settings *s,
                          const ct_compile_report *report, const ct_error *error) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "folder", s->folder);
    ct_project_write_errors(&w, report, error, s->target.project);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

static void print_error(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
}

// Prints why no bundle was made: Ctrl-C, even if that led to another error, else `error`.
static bool refuse(ct_allocator *a, const bundle_settings *s, const ct_error *error) {
    ct_error interrupt = {0};
    if (is_interrupted(NULL)) {
        ct_error_set(&interrupt, "interrupted: no bundle was made");
        error = &interrupt;
    }
    print_error(error);
    if (s->json)
        print_refusal(a, s, NULL, error);
    return false;
}

// Prints the report of a compilation. Returns whether it has no errors.
static bool tell_compiled(ct_allocator *a, const bundle_settings *s,
                          const ct_compile_report *report) {
    const uint32_t count = report->errors.count;
    ct_project_print_report(report, s->target.project);
    if (count == 0)
        return true;
    fprintf(stderr, "error: no bundle was made: %u error%s\n", count, count == 1 ? "" : "s");
    if (s->json)
        print_refusal(a, s, report, NULL);
    return false;
}

// Compiles. Returns false, after printing the errors, when anything fails; warnings are no failure.
// Writes the data folder to `data`, and the file that is locked while it changes to `lock`.
static bool compile(ct_allocator *a, const bundle_settings *s, char data[CT_PATH_BYTES],
                    char lock[CT_PATH_BYTES]) {
    ct_error error = {0};
    ct_compiler *const compiler = ct_project_compiler(a, &s->target, &error);
    const ct_compile_report *report = NULL;
    // Ctrl-C ends workers, too: errors that follow from that are not reported.
    const bool has_run =
        compiler && ct_compiler_run(compiler, &report, &error) && !is_interrupted(NULL);
    const bool result = has_run ? tell_compiled(a, s, report) : refuse(a, s, &error);
    if (result) {
        ct_path_join(data, "", ct_compiler_data_folder(compiler));
        ct_path_join(lock, "", ct_compiler_lock_file(compiler));
    }
    ct_compiler_destroy(compiler);
    return result;
}

// --- Writing -------------------------------------------------------------------------------------

// Returns the game's settings, or NULL.
static const ct_config_resource *game_settings(ct_allocator *scratch, const char *data) {
    ct_resource_store *const store = ct_resource_store_open_folder(scratch, data);
    const ct_config_resource *const config =
        ct_resource_store_read(store, scratch, ct_resource_id_of("config", "settings"), NULL);
    ct_resource_store_close(store);
    return config;
}

static bool write_data(ct_allocator *a, ct_allocator *scratch, const bundle_settings *s,
                       const char *data, const ct_bundle_folder *folder, ct_bundle_report *report,
                       ct_error *error) {
    char target[CT_PATH_BYTES], against[CT_PATH_BYTES];
    if (!ct_path_try_join(target, folder->temporary, "data") ||
        (s->against && !ct_path_try_join(against, s->against, "data")))
        return ct_error_set(error, "the path of the bundle is too long");
    const ct_bundle_desc desc = {.allocator = a,
                                 .data_folder = data,
                                 .platform = s->platform,
                                 .source_platform = s->target.source_platform,
                                 .target_folder = target,
                                 .against = s->against ? against : NULL,
                                 .is_interrupted = is_interrupted};
    return ct_folder_create(target, error) && ct_bundle_write(&desc, scratch, report, error);
}

// Only bundles for this platform have files beside the data: a patch goes over a bundle that has a
// player, and there is no player for other platforms here.
static bool has_files(const bundle_settings *s) {
    return !s->against && strcmp(s->platform, CT_PLATFORM_HOST) == 0;
}

static bool write_files(ct_allocator *a, ct_allocator *scratch, const bundle_settings *s,
                        const char *data, const ct_bundle_folder *folder, ct_error *error) {
    char name[64];
    const ct_config_resource *const settings = game_settings(scratch, data);
    ct_string_array plugins;
    ct_array_init(&plugins, scratch);
    ct_bundle_name(s->target.project, name);
    if (settings)
        ct_bundle_plugin_libraries(settings, &plugins);
    const ct_bundle_files_desc desc = {
        .allocator = a,
        .folder = folder->temporary,
        .project = s->target.project,
        .name = name,
        .title = settings ? ct_config_string(settings, "window.title", "Cuttle") : "Cuttle",
        .plugins = (const char *const *)(void *)plugins.items,
        .num_plugins = plugins.count};
    return !has_files(s) || ct_bundle_files_write(&desc, error);
}

// Holds the project's lock, so that no command compiles into the data while it is read.
static bool lock_and_write(ct_allocator *a, ct_allocator *scratch, const bundle_settings *s,
                           const char *data, const char *lock_file, ct_bundle_folder *folder,
                           ct_bundle_report *report, ct_error *error) {
    const ct_project_lock_desc desc = {
        .path = lock_file, .waiting = ct_project_tell_waiting, .is_cancelled = is_interrupted};
    ct_project_lock lock;
    if (!ct_project_lock_take(&desc, &lock, error))
        return false;
    const bool result = write_data(a, scratch, s, data, folder, report, error) &&
                        write_files(a, scratch, s, data, folder, error) &&
                        ct_bundle_folder_finish(folder, error);
    ct_project_lock_release(&lock);
    return result;
}

// A patch must not replace the bundle that it is for.
static bool check_against(const bundle_settings *s, const ct_bundle_folder *folder,
                          ct_error *error) {
    char against[CT_PATH_BYTES];
    if (!s->against)
        return true;
    if (!ct_os_absolute_path(s->against, against, error))
        return false;
    return strcmp(against, folder->target) != 0 ||
           ct_error_set(error,
                        "the patch would replace \"%s\", the bundle that it is for; expected "
                        "another folder for -o",
                        s->against);
}

static bool check_icon(ct_allocator *a, const bundle_settings *s, ct_error *error) {
    uint64_t bytes = 0;
    if (!has_files(s) || !ct_project_check(s->target.project, NULL))
        return true; // compiling reports that it is not a project
    char *const data = ct_bundle_icon_read(a, s->target.project, &bytes, error);
    ct_free(a, data);
    return data != NULL;
}

// Checks folders and the icon before it compiles anything. Prints all errors.
static bool bundle(ct_allocator *a, ct_allocator *scratch, const bundle_settings *s,
                   ct_bundle_report *report) {
    char data[CT_PATH_BYTES], lock[CT_PATH_BYTES];
    ct_bundle_folder folder;
    ct_error error = {0};
    bool result = (ct_bundle_folder_begin(&folder, a, s->folder, &error) &&
                   check_against(s, &folder, &error) && check_icon(a, s, &error)) ||
                  refuse(a, s, &error);
    result = result && compile(a, s, data, lock) &&
             (lock_and_write(a, scratch, s, data, lock, &folder, report, &error) ||
              refuse(a, s, &error));
    if (!result)
        ct_bundle_folder_abandon(&folder);
    return result;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    bundle_settings settings;
    ct_error error = {0};
    if (!read_settings(arguments, &settings, &error)) {
        fprintf(stderr, "cuttle bundle: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_bundle_report report;
    has_interrupt = false;
    ct_os_catch_interrupts(); // before there is anything to be removed
    if (!bundle(a, scratch, &settings, &report))
        return CT_EXIT_FAILED;
    if (settings.json)
        ct_bundle_print_json(a, &report, settings.folder);
    else
        ct_bundle_print(a, &report, settings.folder);
    return CT_EXIT_OK;
}

const ct_command ct_command_bundle = {
    .name = "bundle",
    .operands = "PROJECT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "make the folder that ships: compressed data and a player",
    .description =
        "Compiles the project and packs what its packages reach into archives. Adds the\n"
        "player, a start script, a desktop file, an icon and a list of the libraries that\n"
        "the player needs. Stops when anything fails to compile: DIR is then as it was\n"
        "before. Prints a report of sizes at the end. See docs/bundling.md.\n"
        "Example: cuttle bundle mygame -o out/mygame",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
