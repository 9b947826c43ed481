#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

static const ct_command_option options[] = {
    {"cflags", NULL, "print what a compiler needs to find the headers"},
    {"prefix", NULL, "print the folder in which CMake finds the package cuttle-plugin"},
};

// The folder whose `include` has the headers: that of the executable, or the one above.
static bool find_prefix(char prefix[CT_PATH_BYTES], ct_error *error) {
    char executable[CT_PATH_BYTES], folder[CT_PATH_BYTES], header[CT_PATH_BYTES];
    ct_os_executable_path(executable);
    ct_path_folder(folder, executable);
    for (uint32_t i = 0; i < 2; ++i) {
        if (ct_path_try_join(header, folder, "include/cuttle/plugin.h") &&
            ct_os_file_info(header).kind == CT_FILE_KIND_FILE) {
            snprintf(prefix, CT_PATH_BYTES, "%s", folder);
            return true;
        }
        char above[CT_PATH_BYTES];
        ct_path_folder(above, folder);
        memcpy(folder, above, sizeof(folder));
    }
    return ct_error_set(error,
                        "the headers of plugins are not beside \"%s\"; expected "
                        "include/cuttle/plugin.h in its folder or the one above",
                        executable);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    (void)a;
    const bool wants_flags = ct_command_option_of(&ct_command_plugin, arguments, "cflags") != NULL;
    const bool wants_prefix = ct_command_option_of(&ct_command_plugin, arguments, "prefix") != NULL;
    char prefix[CT_PATH_BYTES];
    ct_error error = {0};
    if (wants_flags == wants_prefix) {
        fprintf(stderr, "cuttle plugin: expected --cflags or --prefix\n");
        return CT_EXIT_USAGE;
    }
    if (!find_prefix(prefix, &error)) {
        fprintf(stderr, "cuttle plugin: %s\n", error.message);
        return CT_EXIT_FAILED;
    }
    printf(wants_flags ? "-I%s/include\n" : "%s\n", prefix);
    return CT_EXIT_OK;
}

const ct_command ct_command_plugin = {
    .name = "plugin",
    .operands = "",
    .least_operands = 0,
    .most_operands = 0,
    .summary = "print how to compile a plugin",
    .description =
        "A plugin is a shared library that adds to the engine. `cuttle new --plugin NAME PROJECT`\n"
        "writes one. One line compiles it, and again after each change, also while the game runs:\n"
        "  cc -shared -fPIC -g $(cuttle plugin --cflags) plugins/wind/wind.c -o "
        "plugins/wind/wind.so\n"
        "Example: cmake -S plugins/wind -B build -DCMAKE_PREFIX_PATH=$(cuttle plugin --prefix)",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
