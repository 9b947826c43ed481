// fake_host.h: a script environment on an empty world system, with a host that remembers what it
// was asked for, and what was logged. Include once in a program.
#pragma once
#include "world/world_fixture.h"

#include "foundation/os/os.h"
#include "resource/types/lua_resource.h"
#include "script/script.h"
#include "script/script_private.h"

enum { FAKE_TEXT_BYTES = 65536 };

static struct {
    bool has_quit, has_window;
    bool flags[CT_SCRIPT_WINDOW_CLOSING + 1]; // of the window
    int exit_code;
    char title[128], sent[4096];
    ct_time_step time_step;
    uint32_t width, height;
    int32_t rect[4];
    ct_script_cursor cursor;
    uint32_t icon_width, icon_height;
    char clipboard[128];
    int32_t text_area[4];
} fake_host;

static char logged[FAKE_TEXT_BYTES];      // "level system: message\n" each
static char logged_from[FAKE_TEXT_BYTES]; // "script:line\ntraceback" of the last of a script
static ct_mutex logged_mutex;             // of both, for tests in which other threads log

// --- The host ------------------------------------------------------------------------------------

static inline void fake_quit(void *user, int exit_code) {
    (void)user;
    fake_host.has_quit = true;
    fake_host.exit_code = exit_code;
}
static inline double fake_time_since_launch(void *user) {
    (void)user;
    return 12.5;
}
static inline uint16_t fake_console_port(void *user) {
    (void)user;
    return 64000;
}
static inline void fake_console_send(void *user, const char *json) {
    (void)user;
    snprintf(fake_host.sent, sizeof(fake_host.sent), "%s", json);
}
static inline void fake_print_to_screen(void *user, ct_vec3 color, const char *text) {
    (void)user;
    snprintf(fake_host.sent, sizeof(fake_host.sent), "%g %g %g %s", (double)color.x,
             (double)color.y, (double)color.z, text);
}
static inline void fake_set_time_step(void *user, const ct_time_step *time_step) {
    (void)user;
    fake_host.time_step = *time_step;
}
static inline double fake_time_step_interpolation(void *user) {
    (void)user;
    return 0.75;
}
static inline bool fake_has_window(void *user) {
    (void)user;
    return fake_host.has_window;
}
static inline bool fake_window_flag(void *user, ct_script_window_flag flag) {
    (void)user;
    return fake_host.flags[flag];
}
static inline void fake_set_window_flag(void *user, ct_script_window_flag flag, bool is_on) {
    (void)user;
    fake_host.flags[flag] = is_on;
}
static inline void fake_set_title(void *user, const char *title) {
    (void)user;
    snprintf(fake_host.title, sizeof(fake_host.title), "%s", title);
}
static inline const char *fake_title(void *user) {
    (void)user;
    return fake_host.title;
}
static inline bool fake_set_resolution(void *user, uint32_t width, uint32_t height) {
    (void)user;
    fake_host.width = width;
    fake_host.height = height;
    return true;
}
static inline void fake_window_rect(void *user, int32_t rect[4]) {
    (void)user;
    memcpy(rect, fake_host.rect, sizeof(fake_host.rect));
}
static inline void fake_set_window_rect(void *user, const int32_t rect[4]) {
    (void)user;
    memcpy(fake_host.rect, rect, sizeof(fake_host.rect));
}
static inline uint32_t fake_num_displays(void *user) {
    (void)user;
    return fake_host.has_window ? 2 : 0;
}
static inline uint32_t fake_num_display_modes(void *user, uint32_t display) {
    (void)user;
    return display + 3;
}
static inline void fake_display_mode(void *user, uint32_t display, uint32_t mode,
                                     uint32_t size[2]) {
    (void)user;
    size[0] = 1000 * (display + 1) + mode;
    size[1] = 500;
}
static inline double fake_dpi_scale(void *user) {
    (void)user;
    return 1.5;
}
static inline void fake_set_cursor(void *user, ct_script_cursor cursor) {
    (void)user;
    fake_host.cursor = cursor;
}
static inline void fake_set_icon(void *user, const uint8_t *pixels, uint32_t width,
                                 uint32_t height) {
    (void)user;
    assert_non_null(pixels);
    fake_host.icon_width = width;
    fake_host.icon_height = height;
}

static inline const char *fake_clipboard(void *user) {
    (void)user;
    return fake_host.clipboard;
}
static inline void fake_set_clipboard(void *user, const char *text) {
    (void)user;
    snprintf(fake_host.clipboard, sizeof(fake_host.clipboard), "%s", text);
}
static inline void fake_set_text_area(void *user, const int32_t rect[4]) {
    (void)user;
    memcpy(fake_host.text_area, rect, sizeof(fake_host.text_area));
}

static const char *const fake_arguments[] = {"--level", "yard"};

static inline ct_script_host make_fake_host(void) {
    return (ct_script_host){
        .quit = fake_quit,
        .time_since_launch = fake_time_since_launch,
        .arguments = fake_arguments,
        .num_arguments = CT_COUNT_OF(fake_arguments),
        .project_folder = "/project",
        .console_port = fake_console_port,
        .console_send = fake_console_send,
        .print_to_screen = fake_print_to_screen,
        .set_time_step = fake_set_time_step,
        .time_step_interpolation = fake_time_step_interpolation,
        .has_window = fake_has_window,
        .window_flag = fake_window_flag,
        .set_window_flag = fake_set_window_flag,
        .set_title = fake_set_title,
        .title = fake_title,
        .window_rect = fake_window_rect,
        .set_window_rect = fake_set_window_rect,
        .set_resolution = fake_set_resolution,
        .num_displays = fake_num_displays,
        .num_display_modes = fake_num_display_modes,
        .display_mode = fake_display_mode,
        .dpi_scale = fake_dpi_scale,
        .set_cursor = fake_set_cursor,
        .set_icon = fake_set_icon,
        .clipboard = fake_clipboard,
        .set_clipboard = fake_set_clipboard,
        .set_text_area = fake_set_text_area,
    };
}

// --- The fixture ---------------------------------------------------------------------------------

typedef struct script_fixture {
    world_fixture world;
    ct_input *input;
    ct_actions *actions; // without a resource
    ct_gui_system *gui;
    ct_script *script;
    ct_string_builder result, traceback; // of the last run
} script_fixture;

static inline void keep_logged(void *user, ct_log_level level, const char *system,
                               const char *message) {
    (void)user;
    const ct_log_place *const place = ct_log_place_of_message();
    ct_mutex_lock(&logged_mutex);
    if (place)
        snprintf(logged_from, sizeof(logged_from), "%s:%u\n%s", place->script, place->line,
                 place->traceback ? place->traceback : "");
    const size_t length = strlen(logged);
    snprintf(logged + length, sizeof(logged) - length, "%s %s: %s\n", ct_log_level_name(level),
             system, message);
    ct_mutex_unlock(&logged_mutex);
}

static inline bool is_logged(const char *text) {
    ct_mutex_lock(&logged_mutex);
    const bool result = strstr(logged, text);
    ct_mutex_unlock(&logged_mutex);
    return result;
}

// `wanted` says what is not as in other tests; what scripts need of the world is filled in.
static inline script_fixture start_script_with(ct_script_desc wanted) {
    memset(&fake_host, 0, sizeof(fake_host));
    logged[0] = logged_from[0] = 0;
    ct_mutex_init(&logged_mutex);
    ct_log_add_sink(&(ct_log_sink){.write = keep_logged});
    script_fixture f = {.world = start_world()};
    const ct_script_host host = make_fake_host();
    f.input = ct_input_create(f.world.allocator);
    f.actions =
        ct_actions_create(&(ct_actions_desc){.allocator = f.world.allocator, .input = f.input});
    f.gui = ct_gui_system_create(&(ct_gui_system_desc){
        .allocator = f.world.allocator, .renderer = recorder, .resources = f.world.resources});
    wanted.allocator = f.world.allocator;
    wanted.worlds = f.world.system;
    wanted.input = f.input;
    wanted.actions = f.actions;
    wanted.gui = f.gui;
    wanted.host = &host;
    f.script = ct_script_create(&wanted);
    ct_string_builder_init(&f.result, f.world.allocator);
    ct_string_builder_init(&f.traceback, f.world.allocator);
    return f;
}

static inline script_fixture start_script(void) {
    return start_script_with((ct_script_desc){0});
}

static inline void stop_script(script_fixture *f) {
    ct_string_builder_free(&f->result);
    ct_string_builder_free(&f->traceback);
    ct_script_destroy(f->script);
    ct_actions_destroy(f->actions);
    ct_input_destroy(f->input);
    end_world_resources(&f->world);
    ct_gui_system_destroy(f->gui);
    end_world_renderer(&f->world);
    ct_proxy_allocator_destroy(f->world.allocator); // asserts that it is empty
    ct_log_remove_sink(keep_logged, NULL);
    ct_mutex_shutdown(&logged_mutex);
}

// --- Running Lua ---------------------------------------------------------------------------------

static inline bool execute_lua(script_fixture *f, const char *lua) {
    ct_string_builder_clear(&f->result);
    ct_string_builder_clear(&f->traceback);
    return ct_lua_execute(&f->script->lua, lua, &f->result, &f->traceback);
}

// Runs Lua that must not fail, and returns what it gave, separated by tabs.
static inline const char *run_lua(script_fixture *f, const char *lua) {
    if (!execute_lua(f, lua))
        fail_msg("%s\nfailed: %s\n%s", lua, ct_string_builder_text(&f->result),
                 ct_string_builder_text(&f->traceback));
    return ct_string_builder_text(&f->result);
}

// Fails unless Lua gives just this text.
static inline void assert_lua(script_fixture *f, const char *lua, const char *expected) {
    const char *got = run_lua(f, lua);
    if (strcmp(got, expected) != 0)
        fail_msg("%s\ngave: %s\ninstead of: %s", lua, got, expected);
}

// Fails unless Lua raises an error that has `message` in it.
static inline void assert_lua_error(script_fixture *f, const char *lua, const char *message) {
    if (execute_lua(f, lua))
        fail_msg("%s\ngave: %s\ninstead of the error: %s", lua, ct_string_builder_text(&f->result),
                 message);
    if (!strstr(ct_string_builder_text(&f->result), message))
        fail_msg("%s\nfailed: %s\ninstead of: %s", lua, ct_string_builder_text(&f->result),
                 message);
}

// --- Scripts as resources ------------------------------------------------------------------------

// Writes the script `name`, whose source is `name`.lua, to the data folder.
static inline void write_script(script_fixture *f, const char *name, const char *lua) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], file[2048], source[256];
    ct_blob_writer w;
    ct_error error = {0};
    snprintf(source, sizeof(source), "%s.lua", name);
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "lua", CT_LUA_VERSION);
    const uint32_t path = ct_blob_write_array_field(&w), text = ct_blob_write_array_field(&w);
    ct_blob_patch_string(&w, path, source, (uint32_t)strlen(source));
    ct_blob_patch_string(&w, text, lua, (uint32_t)strlen(lua));
    ct_blob_writer_finish(&w);
    ct_resource_file_name(ct_resource_id_of("lua", name), file_name);
    snprintf(file, sizeof(file), "%s/%s", f->world.folder, file_name);
    if (!ct_file_write(file, w.bytes.items, w.bytes.count, false, &error))
        fail_msg("%s", error.message);
    ct_blob_writer_free(&w);
}

static inline void load_script(script_fixture *f, const char *name, const char *lua) {
    ct_error error = {0};
    write_script(f, name, lua);
    if (!ct_resource_manager_load_now(f->world.resources, "lua", name, &error))
        fail_msg("%s", error.message);
}

// Saves another text of a loaded script, as the game runs.
static inline void reload_script(script_fixture *f, const char *name, const char *lua) {
    write_script(f, name, lua);
    const ct_resource_id id = ct_resource_id_of("lua", name);
    assert_int_equal(ct_resource_manager_reload(f->world.resources, &id, 1), 1);
}

// Writes, loads and boots the script "main".
static inline bool boot_script(script_fixture *f, const char *lua) {
    load_script(f, "main", lua);
    return ct_script_boot(f->script, "main");
}
