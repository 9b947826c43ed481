#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/new/new_plugin.h"
#include "cli/new/new_project.h"
#include "cli/reference/lua_reference.h"
#include "cli/shell_word.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

static const ct_command_option options[] = {
    {"menu", NULL, "with a title, a pause menu and settings of sound, window and keys"},
    {"plugin", "NAME", "write the sources of a plugin to the project in DIR instead"},
};

static void count_entry(void *user, const char *name) {
    (void)name;
    ++*(uint32_t *)user;
}

// A folder to make the project in: not there yet, or there and empty.
static bool is_free(const char *folder, ct_error *error) {
    const ct_file_info info = ct_os_file_info(folder);
    uint32_t num_entries = 0;
    if (info.kind == CT_FILE_KIND_NONE)
        return true;
    if (info.kind != CT_FILE_KIND_FOLDER)
        return ct_error_set(error, "\"%s\" exists and is not a folder", folder);
    if (!ct_os_folder_list(folder, count_entry, &num_entries, error))
        return false;
    return num_entries == 0 ||
           ct_error_set(error, "\"%s\" is not empty; nothing was written", folder);
}

static bool write_files(const char *folder, const ct_new_project_file *files, uint32_t num_files,
                        ct_error *error) {
    for (uint32_t i = 0; i < num_files; ++i) {
        const ct_new_project_file *const file = &files[i];
        char path[CT_PATH_BYTES], parent[CT_PATH_BYTES];
        ct_path_join(path, folder, file->path);
        ct_path_folder(parent, path);
        if (!ct_folder_create(parent, error) ||
            !ct_file_write(path, file->bytes, file->size_bytes, false, error))
            return false;
    }
    return true;
}

// What the Lua language server reads; .luarc.json of the template points to it.
static bool write_annotations(ct_allocator *a, const char *folder, ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, ".luals");
    return ct_lua_reference_write_luals(a, path, error);
}

static ct_exit make_plugin(ct_allocator *a, const char *folder, const char *name) {
    ct_error error = {0};
    if (!ct_new_plugin(a, folder, name, &error)) {
        char text[2048];
        ct_error_format(&error, text, sizeof(text));
        fprintf(stderr, "cuttle new: %s\n", error.file[0] ? text : error.message);
        return CT_EXIT_FAILED;
    }
    ct_string_builder path;
    ct_string_builder_init(&path, a);
    ct_shell_word_add(&path, folder);
    printf("made %s/plugins/%s and listed it in settings.config; this compiles it:\n"
           "  cc -std=c11 -Wall -shared -fPIC -g $(cuttle plugin --cflags) %s/plugins/%s/%s.c "
           "-o %s/plugins/%s/%s.so\n",
           path.text, name, path.text, name, name, path.text, name, name);
    ct_string_builder_free(&path);
    return CT_EXIT_OK;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const folder = arguments->operands[0];
    const char *const plugin = ct_command_option_of(&ct_command_new, arguments, "plugin");
    ct_error error = {0};
    if (strlen(folder) > CT_PATH_BYTES / 2) {
        fprintf(stderr, "cuttle new: the path is too long\n");
        return CT_EXIT_USAGE;
    }
    const bool has_menu = ct_command_option_of(&ct_command_new, arguments, "menu");
    if (plugin && has_menu) {
        fprintf(stderr,
                "cuttle new: --menu is for a new project, --plugin for one that is there\n");
        return CT_EXIT_USAGE;
    }
    if (plugin)
        return make_plugin(a, folder, plugin);
    if (!is_free(folder, &error) ||
        !write_files(folder, ct_new_project_files, ct_new_project_num_files, &error) ||
        (has_menu &&
         !write_files(folder, ct_menu_project_files, ct_menu_project_num_files, &error)) ||
        !write_annotations(a, folder, &error)) {
        fprintf(stderr, "cuttle new: %s\n", error.message);
        return CT_EXIT_FAILED;
    }
    ct_string_builder quoted;
    ct_string_builder_init(&quoted, a);
    ct_shell_word_add(&quoted, folder);
    printf("made %s; `cuttle run %s` runs it\n", folder, quoted.text);
    ct_string_builder_free(&quoted);
    return CT_EXIT_OK;
}

const ct_command ct_command_new = {
    .name = "new",
    .operands = "DIR",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "make a project, ready to run",
    .description =
        "Writes a small project of text files to the new or empty folder DIR: settings, a\n"
        "level, a unit, a material, a texture and a script to start from.\n"
        "--plugin adds the sources of a plugin to a project: C code that adds to the engine.\n"
        "Example: cuttle new mygame --menu",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
