// player_main.c: `cuttle-player`: plays compiled data, and holds nothing that only developers need.
#include <stdio.h>

#include "app/app.h"
#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "player/player_arguments.h"
#include "player/player_data.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

// Runs the game; what is wrong is logged.
static int play(ct_allocator *a, const ct_player_arguments *arguments) {
    char executable[CT_PATH_BYTES], data_folder[CT_PATH_BYTES], game_folder[CT_PATH_BYTES];
    ct_error error = {0};
    ct_os_executable_path(executable);
    if ((arguments->log_path &&
         !ct_log_add_file_sink(arguments->log_path, CT_LOG_LEVEL_DEBUG, &error)) ||
        !ct_player_data_folder(data_folder, arguments->data_folder, executable, &error)) {
        ct_log_report("player", &error);
        return EXIT_FAILED;
    }
    ct_player_game_folder(game_folder, data_folder);
    const ct_app_desc app = {
        .allocator = a,
        .data_folder = data_folder,
        .plugin_folder = game_folder,
        .is_headless = arguments->is_headless,
        .num_frames = arguments->num_frames,
        .fixed_step_seconds = arguments->fixed_step_seconds,
        .width = arguments->width,
        .height = arguments->height,
        .screenshot_path = arguments->screenshot_path,
        .arguments = arguments->game,
        .num_arguments = arguments->num_game,
    };
    ct_app_summary summary = {0};
    const int code = ct_app_run(&app, &summary);
    if (code == 0 && arguments->num_frames != 0 && ct_log_error_count() != 0)
        return EXIT_FAILED;
    return code;
}

static int run(ct_allocator *a, int count, const char *const *argv) {
    const uint64_t game_bytes = (uint64_t)(count + 1) * sizeof(char *);
    const char **const game = ct_alloc(a, game_bytes);
    ct_player_arguments arguments;
    ct_error error = {0};
    int code = 0;
    if (!ct_player_arguments_parse(count, argv, game, &arguments, &error)) {
        fprintf(stderr, "cuttle-player: %s; see `cuttle-player --help`\n", error.message);
        code = EXIT_USAGE;
    } else if (arguments.wants_help) {
        fputs(ct_player_help, stdout);
    } else if (arguments.wants_version) {
        puts("cuttle-player " CT_VERSION_STRING);
    } else {
        code = play(a, &arguments);
    }
    ct_free_sized(a, game, game_bytes);
    return code;
}

int main(int argc, char **argv) {
    ct_crash_init();
    ct_memory_init();
    ct_log_init(ct_memory_heap());
    const ct_log_sink terminal = ct_log_terminal_sink(CT_LOG_LEVEL_INFO);
    ct_log_add_sink(&terminal);

    ct_allocator *const allocator = ct_proxy_allocator_create(ct_memory_heap(), "player");
    const int count = argc > 0 ? argc - 1 : 0;
    const int code = run(allocator, count, (const char *const *)argv + (argc > 0 ? 1 : 0));
    ct_proxy_allocator_destroy(allocator);

    ct_log_shutdown();
    ct_memory_shutdown();
    return code;
}
