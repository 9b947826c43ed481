#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/frame_times.h"
#include "app/window.h"
#include "cli/commands.h"
#include "cli/core_folder.h"
#include "cli/project_compile.h"
#include "cli/project_crash.h"
#include "cli/run/run_console.h"
#include "cli/run_served.h"
#include "cli/run_times.h"
#include "dev/dev.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler_file.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/schema/setting_table.h"

static const ct_command_option options[] = {
    {"headless", NULL, "run without a window"},
    {"window-id", "ID", "draw into this X11 window of another program, such as a tool's"},
    {"boot", "SCRIPT", "run this script instead of the project's boot script"},
    {"debug", NULL,
     "wait up to 10 s before the boot script for a debugger (`cuttle debug`) that lets it run"},
    {"frames", "N", "end after N frames; exit with 1 if an error was logged"},
    {"fixed-dt", "S", "advance the game by S seconds each frame"},
    {"size", "WxH", "the picture's size in pixels"},
    {"screenshot", "FILE", "write the last frame as PNG (with --frames)"},
    {"port", "P", "the first port to try for the console (64000); 0: any free one"},
    {"console-address", "ADDRESS",
     "let programs of other machines use the console at this address, with a token"},
    {"console-token", "T", "the token that they must send, of 16 characters or more"},
    {"console-token-file", "FILE", "its first line is the token"},
    {"data-dir", "D", "folder of the compiled data (PROJECT/.cuttle/data/<platform>)"},
    {"source-platform", "P", "run with the variants of resources for this platform (linux)"},
    {"no-compile", NULL, "run the compiled data as it is, without hot reload"},
    {"profile", "FILE", "record a profile of the whole run to FILE, for ui.perfetto.dev"},
    {"times", NULL,
     "print the milliseconds of each system and the allocations of frames at the end"},
    {"warm-up", "N", "with --times: frames to skip at the start (10)"},
    {"workers", "N", "worker threads for tasks, instead of the setting"},
    {"log", "FILE", "also write the log to FILE, with times"},
    {"validation", NULL, "log the messages of Vulkan's validation layer as errors"},
    {"network-log", "FILE", "write what goes over the game's network to FILE"},
    {"network-replay", "FILE",
     "play FILE, which --network-log wrote, instead of using the network"},
    {"network-simulate", "C",
     "simulate a bad network, such as loss=5%,delay=80ms,jitter=20ms,bandwidth=256k"},
    {"network-seed", "N", "the seed of --network-simulate (0)"},
    {"network-port", "P", "the port at which the game receives, instead of the game's choice"},
    {"no-network-timeouts", NULL, "keep connections that are silent, for debugging"},
    {"json", NULL, "print one JSON object to standard output at the end"},
    {"host", "ADDRESS[:PORT]",
     "run the data of a file server (`cuttle serve`), in place of PROJECT"},
    {"project", "NAME", "with --host: which of its projects"},
    {"token", "T", "with --host: its token (or CUTTLE_TOKEN)"},
    {"plugins", "DIR",
     "with --host: the folder with the libraries of plugins, at the paths of the settings"},
    {"engine", NULL, "with --host: fetch the server's cuttle, and run that when it is another"},
    {"require-server", NULL,
     "with --host: do not start with data fetched before when the server is away"},
};

// The options, read.
typedef struct run_settings {
    const char *project;         // the folder
    const char *host;            // of a file server, or NULL
    const char *data_folder;     // as given, or NULL
    const char *source_platform; // or NULL
    const char *profile_path;    // or NULL
    bool is_headless, no_compile, json, times, waits_for_debugger;
    uint32_t port;
    uint32_t num_warm_up;
    ct_run_console console;
    ct_app_desc app;
} run_settings;

static bool parse_size(const char *text, uint32_t *width, uint32_t *height, ct_error *error) {
    if (!text)
        return true;
    int end = 0;
    if (sscanf(text, "%5ux%5u%n", width, height, &end) != 2 || text[end] != '\0' || *width == 0 ||
        *height == 0 || *width > 16384 || *height > 16384)
        return ct_error_set(error, "--size is \"%s\"; expected WxH, such as 1280x720", text);
    return true;
}

static bool parse_network(const ct_command_arguments *arguments, ct_script_network_options *network,
                          ct_error *error) {
    const ct_command *const self = &ct_command_run;
    const char *const conditions = ct_command_option_of(self, arguments, "network-simulate");
    const char *const seed = ct_command_option_of(self, arguments, "network-seed");
    const char *const port = ct_command_option_of(self, arguments, "network-port");
    network->log_path = ct_command_option_of(self, arguments, "network-log");
    network->replay_path = ct_command_option_of(self, arguments, "network-replay");
    network->has_no_timeouts = ct_command_option_of(self, arguments, "no-network-timeouts") != NULL;
    uint32_t seed_number = 0, port_number = 0;
    if (!ct_command_count("network-seed", seed, 0, UINT32_MAX, &seed_number, error) ||
        !ct_command_count("network-port", port, 1, 65535, &port_number, error))
        return false;
    network->seed = seed_number;
    network->address.port = (uint16_t)port_number;
    ct_error why = {0};
    if (conditions && !ct_network_conditions_parse(conditions, &network->conditions, &why))
        return ct_error_set(error, "--network-simulate: %s", why.message);
    if (network->log_path && network->replay_path)
        return ct_error_set(error, "a replay writes no log: give --network-log or "
                                   "--network-replay");
    return true;
}

static bool parse_settings(ct_allocator *a, const ct_command_arguments *arguments,
                           run_settings *settings, ct_error *error) {
    const ct_command *const self = &ct_command_run;
    ct_app_desc *app = &settings->app;
    settings->project = arguments->operands[0];
    settings->host = ct_command_option_of(self, arguments, "host");
    settings->data_folder = ct_command_option_of(self, arguments, "data-dir");
    settings->source_platform = ct_command_option_of(self, arguments, "source-platform");
    settings->profile_path = ct_command_option_of(self, arguments, "profile");
    settings->is_headless = ct_command_option_of(self, arguments, "headless") != NULL;
    settings->no_compile = ct_command_option_of(self, arguments, "no-compile") != NULL;
    settings->json = ct_command_option_of(self, arguments, "json") != NULL;
    settings->times = ct_command_option_of(self, arguments, "times") != NULL;
    settings->waits_for_debugger = ct_command_option_of(self, arguments, "debug") != NULL;
    settings->port = 64000;
    settings->num_warm_up = CT_FRAME_TIMES_SKIPPED;
    app->is_headless = settings->is_headless;
    app->validation = ct_command_option_of(self, arguments, "validation") != NULL;
    app->screenshot_path = ct_command_option_of(self, arguments, "screenshot");
    app->boot_script = ct_command_option_of(self, arguments, "boot");
    app->plugin_folder = ct_command_option_of(self, arguments, "plugins");
    app->arguments = arguments->rest;
    app->num_arguments = arguments->num_rest;
    const char *const window = ct_command_option_of(self, arguments, "window-id");
    const char *const frames = ct_command_option_of(self, arguments, "frames");
    const char *const step = ct_command_option_of(self, arguments, "fixed-dt");
    const char *const port = ct_command_option_of(self, arguments, "port");
    const char *const warm_up = ct_command_option_of(self, arguments, "warm-up");
    const char *const workers = ct_command_option_of(self, arguments, "workers");
    app->has_workers = workers != NULL;
    if (!ct_command_count("frames", frames, 1, 1000000000, &app->num_frames, error) ||
        !ct_command_number("fixed-dt", step, 1e-6, 10.0, &app->fixed_step_seconds, error) ||
        !ct_command_count("port", port, 0, 65535, &settings->port, error) ||
        !ct_command_count("window-id", window, 1, UINT32_MAX, &app->foreign_window, error) ||
        !ct_command_count("warm-up", warm_up, 0, 1000000000, &settings->num_warm_up, error) ||
        !ct_command_count("workers", workers, 0, CT_SETTING_MAX_WORKERS, &app->num_workers,
                          error) ||
        !parse_size(ct_command_option_of(self, arguments, "size"), &app->width, &app->height,
                    error))
        return false;
    if (app->foreign_window != 0 && settings->is_headless)
        return ct_error_set(error, "--window-id draws into a window: leave --headless out");
    if (!parse_network(arguments, &app->network, error) ||
        !ct_run_console_read(a, self, arguments, &settings->console, error))
        return false;
    if (app->screenshot_path && app->num_frames == 0)
        return ct_error_set(error, "--screenshot needs --frames");
    if (warm_up && !settings->times)
        return ct_error_set(error, "--warm-up needs --times");
    return ct_run_served_check(self, arguments, error);
}

// Compiles and logs errors and warnings; the game still runs with the last good data.
static ct_compiler *compile_project(ct_allocator *a, const run_settings *settings,
                                    ct_error *error) {
    const ct_project_target target = {.project = settings->project,
                                      .data_folder = settings->data_folder,
                                      .source_platform = settings->source_platform};
    ct_compiler *const compiler = ct_project_compiler(a, &target, error);
    const ct_compile_report *report = NULL;
    if (!compiler)
        return NULL;
    if (!ct_compiler_run(compiler, &report, error)) {
        ct_compiler_destroy(compiler);
        return NULL;
    }
    for (uint32_t i = 0; i < report->warnings.count; ++i) {
        ct_error found = report->warnings.items[i];
        ct_project_error_path(&found, settings->project);
        ct_log_report_warning("compiler", &found);
    }
    for (uint32_t i = 0; i < report->errors.count; ++i) {
        ct_error found;
        ct_compile_report_error(report, i, &found);
        ct_project_error_path(&found, settings->project);
        ct_log_report("compiler", &found);
    }
    ct_log_info("compiler", "compiled %u, up to date %u, failed %u in %.3f s", report->num_compiled,
                report->num_up_to_date, report->num_failed, report->seconds);
    return compiler;
}

// Where the game's data is, and what keeps it new.
typedef struct game_data {
    char folder[CT_PATH_BYTES];
    ct_compiler *compiler;   // or NULL
    ct_serve_client *served; // or NULL
} game_data;

// `times` is NULL without --times.
static void print_summary(ct_allocator *a, const ct_app_summary *s, const ct_run_times *times,
                          bool json) {
    if (!json) {
        if (times)
            ct_run_times_print(times);
        printf("%llu frames, %.2f ms a frame (median), %.2f ms worst, update %.2f ms, submit "
               "%.2f ms, %u entities, %u draws, %s\n",
               (unsigned long long)s->frames, s->frame_ms_median, s->frame_ms_worst,
               s->update_ms_median, s->submit_ms_median, s->entities, s->draws, s->device);
        return;
    }
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "frames", (double)s->frames);
    ct_sjson_member_number(&w, "frame_ms_median", s->frame_ms_median);
    ct_sjson_member_number(&w, "frame_ms_worst", s->frame_ms_worst);
    ct_sjson_member_number(&w, "update_ms_median", s->update_ms_median);
    ct_sjson_member_number(&w, "submit_ms_median", s->submit_ms_median);
    ct_sjson_member_number(&w, "entities", s->entities);
    ct_sjson_member_number(&w, "draws", s->draws);
    ct_sjson_member_string(&w, "device", s->device);
    if (times)
        ct_run_times_write(times, &w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

// Runs the app, recorded to a file where that is asked for.
static int run_app(ct_allocator *a, const run_settings *settings, ct_app_summary *summary,
                   ct_error *error) {
    if (!settings->profile_path)
        return ct_app_run(&settings->app, summary);
    ct_profiler_file *const file = ct_profiler_file_start(a, settings->profile_path, error);
    if (!file)
        return -1;
    const int code = ct_app_run(&settings->app, summary);
    if (!ct_profiler_file_stop(file, error))
        return -1;
    ct_log_info("profiler", "wrote %s", settings->profile_path);
    return code;
}

// Runs the game with console and, when there is a compiler or a file server, reloads. `times`, which may be NULL,
// is filled.
static int run_game(ct_allocator *a, run_settings *settings, const game_data *data,
                    ct_app_summary *summary, ct_run_times *times, ct_error *error) {
    char core[CT_PATH_BYTES] = "", project[CT_PATH_BYTES];
    if ((!data->served && !ct_core_folder(core, error)) ||
        !ct_os_absolute_path(settings->project, project, error))
        return -1;
    char report[CT_PATH_BYTES];
    ct_project_crash_report(project, report);
    const ct_run_console *const console = &settings->console;
    const ct_dev_desc dev_desc = {
        .allocator = a,
        .project_folder = project,
        .core_folder = core,
        .compiler = data->compiler,
        .served = data->served,
        .port = (uint16_t)settings->port,
        .console = true,
        .console_address = console->address,
        .console_token = console->token.text[0] != '\0' ? console->token.text : NULL,
        .pages_folder = console->pages_folder[0] != '\0' ? console->pages_folder : NULL,
        .waits_for_debugger = settings->waits_for_debugger,
    };
    ct_dev *const dev = ct_dev_create(&dev_desc);
    const ct_app_hooks hooks = ct_dev_hooks(dev);
    ct_app_hooks timed_hooks;
    settings->app.allocator = a;
    settings->app.hooks = &hooks;
    if (times) {
        ct_run_times_start(times, a, settings->num_warm_up, &hooks);
        timed_hooks = ct_run_times_hooks(times);
        settings->app.hooks = &timed_hooks;
    }
    settings->app.project_folder = project;
    settings->app.data_folder = data->folder;
    const int code = run_app(a, settings, summary, error);
    if (times)
        ct_run_times_stop(times);
    ct_dev_destroy(dev);
    ct_profiler_shutdown();
    return code;
}

// Finds data that is there already.
static bool find_data(const run_settings *settings, game_data *data, ct_error *error) {
    if (settings->data_folder)
        ct_path_join(data->folder, "", settings->data_folder);
    else if (!ct_compiler_default_folder(settings->project, NULL, settings->source_platform,
                                         data->folder, error))
        return false;
    return ct_os_file_info(data->folder).kind == CT_FILE_KIND_FOLDER ||
           ct_error_set(error, "the folder of compiled data \"%s\" does not exist", data->folder);
}

// Fetches the data of a file server.
static bool fetch_data(ct_allocator *a, const ct_command_arguments *arguments,
                       run_settings *settings, game_data *data, ct_error *error) {
    data->served = ct_run_served_start(a, &ct_command_run, arguments, error);
    if (!data->served)
        return false;
    settings->project = ct_serve_client_project_folder(data->served);
    ct_path_join(data->folder, "", ct_serve_client_data_folder(data->served));
    return true;
}

// Gets the data, by whichever way the options say. Logs an error and returns false.
static bool get_data(ct_allocator *a, const ct_command_arguments *arguments, run_settings *settings,
                     game_data *data) {
    ct_error error = {0};
    bool result = false;
    if (settings->host) {
        result = fetch_data(a, arguments, settings, data, &error);
    } else if (settings->no_compile) {
        result = find_data(settings, data, &error);
    } else {
        data->compiler = compile_project(a, settings, &error);
        result = data->compiler != NULL;
        if (result)
            ct_path_join(data->folder, "", ct_compiler_data_folder(data->compiler));
    }
    if (!result)
        ct_log_report(settings->host ? "serve" : settings->no_compile ? "app" : "compiler", &error);
    return result;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    run_settings settings = {0};
    ct_error error = {0};
    if (!parse_settings(a, arguments, &settings, &error)) {
        fprintf(stderr, "cuttle run: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    if (settings.app.foreign_window != 0 && !ct_window_is_possible()) {
        fprintf(stderr, "cuttle run: --window-id %u: found no display\n",
                settings.app.foreign_window);
        return CT_EXIT_USAGE;
    }
    if (!settings.is_headless && !ct_window_is_possible()) {
        ct_log_info("app", "found no display: running headless");
        settings.app.is_headless = true;
    }
    const char *const log = ct_command_option_of(&ct_command_run, arguments, "log");
    if (log && !ct_log_add_file_sink(log, CT_LOG_LEVEL_DEBUG, &error)) {
        ct_log_report("app", &error);
        return CT_EXIT_FAILED;
    }
    game_data data = {0};
    if (!get_data(a, arguments, &settings, &data))
        return CT_EXIT_FAILED;
    ct_app_summary summary = {0};
    ct_run_times *const times = settings.times ? CT_NEW(a, ct_run_times) : NULL;
    int code = run_game(a, &settings, &data, &summary, times, &error);
    ct_compiler_destroy(data.compiler);
    ct_serve_client_destroy(data.served);
    if (code >= 0 && summary.device[0] != '\0')
        print_summary(a, &summary, times, settings.json);
    if (times) {
        ct_run_times_free(times);
        ct_free_sized(a, times, sizeof(*times));
    }
    if (code < 0) {
        ct_log_report("app", &error);
        return CT_EXIT_FAILED;
    }
    if (code == 0 && settings.app.num_frames != 0 && ct_log_error_count() != 0)
        code = CT_EXIT_FAILED;
    return (ct_exit)code;
}

const ct_command ct_command_run = {
    .name = "run",
    .operands = "PROJECT",
    .least_operands = 0, // with --host
    .most_operands = 1,
    .summary = "compile a project and run it",
    .description =
        "Compiles what changed, then runs the game: in a window if there is a display, else\n"
        "without. While it runs, saved sources are reloaded at once, and tools connect to the\n"
        "console's port, which is printed. Prints a summary of frames and times at the end.\n"
        "--boot runs a script of the project or of core (core/tools/material_preview_slave)\n"
        "instead of the game's boot script, for tools that drive the engine. The package with\n"
        "the script's name is loaded for it, or all packages when there is no such package.\n"
        "--host runs the data of a file server on another machine, and what is saved there.\n"
        "Examples: cuttle run mygame --headless --frames 60 --screenshot out.png\n"
        "          cuttle run --host 172.16.8.14 --project samples/network --token T",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .takes_rest = true,
    .run = run,
};
