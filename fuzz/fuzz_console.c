// Console messages: whatever a tool sends, the answer is JSON, or the connection ends with a
// reason; and scripts that never end, or want all memory, hurt nobody.
//
// The first byte of the input picks how the rest is read: as the text of one message, or as what
// messages of all types are put together from.
#include <math.h>
#include <string.h>

#include "dev/console_messages.h"
#include "dev/console_screenshot.h"
#include "dev/console_server.h"
#include "dev/frames/frames.h"
#include "dev/inspect/inspect_find.h"
#include "dev/inspect/inspect_select.h"
#include "dev/inspect/memory_traces.h"
#include "dev/inspect/network_history.h"
#include "dev/profiler_console.h"
#include "dev/protocol/protocol_areas.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/utf8.h"
#include "lua/lua_module.h"
#include "plugin/plugin_host.h"
#include "script/script_modules.h"
#include "support/fake_engine.h"
#include "support/input_bytes.h"
#include "support/json_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUM_MESSAGES = 32, MAX_TOKENS = 24, MAX_DEPTH = 4 };

static const fake_engine *engine;

// --- An app without a window ---------------------------------------------------------------------

static bool is_paused;
static ct_console_screenshots *screenshots;
static ct_plugin_host *plugins; // without plugins
static ct_task_manager *tasks;
static ct_console_server *server;
static ct_frames *frames;
static ct_inspect_selections *selections;
static ct_input *devices;
static ct_frame_times times;

ct_script *ct_app_script(ct_app *app) {
    (void)app;
    return engine->script;
}
ct_world_system *ct_app_worlds(ct_app *app) {
    (void)app;
    return engine->worlds;
}
ct_renderer *ct_app_renderer(ct_app *app) {
    (void)app;
    return engine->renderer;
}
ct_resource_manager *ct_app_resources(ct_app *app) {
    (void)app;
    return engine->resources;
}
ct_sound_system *ct_app_sound(ct_app *app) {
    (void)app;
    return ct_world_system_sound(engine->worlds);
}
ct_plugin_host *ct_app_plugins(ct_app *app) {
    (void)app;
    return plugins;
}
void ct_app_quit(ct_app *app, int exit_code) {
    (void)app;
    CT_ASSERT(exit_code >= 0 && exit_code <= 255, "exit code %d", exit_code);
}
bool ct_app_is_quitting(const ct_app *app) {
    (void)app;
    return false;
}

bool ct_app_idle_frame(ct_app *app) {
    (void)app;
    return true;
}

void ct_app_end_idle(ct_app *app) {
    (void)app;
}

ct_input *ct_app_input(ct_app *app) {
    (void)app;
    return devices;
}
const ct_frame_times *ct_app_frame_times(const ct_app *app) {
    (void)app;
    return &times;
}
double ct_app_frame_budget(const ct_app *app) {
    (void)app;
    return 1.0 / 60;
}
const char *ct_app_project_folder(const ct_app *app) {
    (void)app;
    return engine->folder;
}
bool ct_app_is_headless(const ct_app *app) {
    (void)app;
    return true;
}
ct_task_manager *ct_app_tasks(ct_app *app) {
    (void)app;
    return tasks;
}
bool ct_app_is_paused(const ct_app *app) {
    (void)app;
    return is_paused;
}

void ct_app_pause(ct_app *app) {
    (void)app;
    is_paused = true;
}
void ct_app_resume(ct_app *app) {
    (void)app;
    is_paused = false;
}
void ct_app_step(ct_app *app) {
    (void)app;
    CT_ASSERT(is_paused, "a step of a game that is not paused%s", "");
}

// --- Reading the input ---------------------------------------------------------------------------

static double next_number(void) {
    static const double numbers[] = {0,   1,  2,   -1,  0.5,      1e300,     1e-300, 1000,
                                     255, 16, 256, 1e6, INFINITY, -INFINITY, NAN,    0x1p53};
    return numbers[next_byte() % CT_COUNT_OF(numbers)];
}

// Appends up to 31 bytes of the input as they are.
static void add_raw(ct_string_builder *out) {
    for (uint32_t count = next_byte() % 32; count > 0; --count) {
        const char byte = (char)next_byte();
        ct_string_builder_add_bytes(out, &byte, 1);
    }
}

// --- Scripts -------------------------------------------------------------------------------------

static const char *const tokens[] = {
    "return ",
    "local a = ",
    "a",
    " = ",
    "(",
    ")",
    ", ",
    " .. ",
    "#",
    "-",
    ".",
    ":",
    "[",
    "]",
    "{",
    "}",
    " and ",
    " or ",
    " not ",
    " == ",
    "if a then ",
    " else ",
    " end ",
    "while true do ",
    "for i = 1, 1e9 do ",
    "repeat ",
    " until false ",
    "function(...) ",
    "...",
    "nil",
    "true",
    "1",
    "1e300",
    "0/0",
    "'x'",
    "'\\255'",
    "\"",
    "[[",
    "]]",
    "--",
    "\n",
    "\\",
    "print",
    "tostring",
    "pcall(",
    "xpcall(",
    "error(",
    "setmetatable({}, ",
    "{__index = a, __tostring = a}",
    "coroutine.wrap(",
    "('x'):rep(1e6)",
    "('x' .. ('\xc3\xa4'):rep(6e5))",
    "string.format('%q', ",
    "loadstring(",
    "require 'scripts/a'",
    "_G",
    "W",
    "C",
    "L",
    "R",
    "Kept[3]",
    "Application.console_send{type = 'x', a = ",
    "table.concat(",
    "select('#', ",
    "goto a ::a:: ",
    "function console_receive(m) return m end ",
    "console_receive = nil ",
    "collectgarbage() ",
    "for k, v in pairs(_G) do print(k, v) end ",
    "local t = {} t[1] = t return t",
    "load(",
    "function update(dt) ",
    "function render() ",
    "a.b = a ",
    "return setmetatable(",
    "local function f() return f() end f() ",
    "local function f() f() end f() ",
    "\xe2\x82\xac",
};

static void add_function(ct_string_builder *out) {
    uint32_t num_modules;
    const ct_lua_module *const *const modules = ct_script_modules(&num_modules);
    const ct_lua_module *const module = modules[next_byte() % num_modules];
    if (module->num_functions == 0)
        return;
    const uint32_t place = next_byte() % module->num_functions;
    ct_string_builder_addf(out, "%s.%s(", module->name, module->functions[place].name);
}

static void add_script(ct_string_builder *out) {
    uint32_t count = next_byte() % MAX_TOKENS;
    for (; count > 0; --count) {
        const uint32_t choice = next_byte();
        if (choice < 160)
            ct_string_builder_add(out, tokens[choice % CT_COUNT_OF(tokens)]);
        else if (choice < 220)
            add_function(out);
        else
            add_raw(out);
    }
}

// --- Messages ------------------------------------------------------------------------------------

static void add_text(ct_string_builder *out) {
    static const char *const words[] = {
        "",        "memory",  "trace",     "heap",
        "lua",     "on",      "off",       "start",
        "stop",    "device",  "surface",   "subscribe",
        "help",    "quit",    "pause",     "unsubscribe",
        "1000000", "1000001", "a.png",     "255",
        "256",     "-1",      "nobody",    "Kept[",
        "W.",      "Unit.",   "require '", "string.for:",
        "_G._G",   "\xff",    "\xc3",      "\xf0\x9f\xa6\x91",
    };
    const uint32_t choice = next_byte();
    if (choice < 192)
        ct_string_builder_add(out, words[choice % CT_COUNT_OF(words)]);
    else
        add_raw(out);
}

// Writes what `add` makes as a string.
static void write_text(ct_sjson_writer *w, void (*add)(ct_string_builder *out)) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, engine->allocator);
    add(&text);
    ct_sjson_write_string_bytes(w, ct_string_builder_text(&text), text.length);
}

static void write_value(ct_sjson_writer *w, uint32_t depth) {
    uint32_t count = next_byte() % 4;
    switch (next_byte() % (depth < MAX_DEPTH ? 6 : 4)) {
    case 0:
        ct_sjson_write_null(w);
        break;
    case 1:
        ct_sjson_write_bool(w, count & 1);
        break;
    case 2:
        ct_sjson_write_number(w, next_number());
        break;
    case 3:
        write_text(w, add_text);
        break;
    case 4:
        ct_sjson_begin_array(w);
        for (; count > 0; --count)
            write_value(w, depth + 1);
        ct_sjson_end_array(w);
        break;
    default:
        ct_sjson_begin_object(w);
        for (; count > 0; --count) {
            ct_sjson_write_key(w, (const char *const[]){"a", "1", "type", ""}[count]);
            write_value(w, depth + 1);
        }
        ct_sjson_end_object(w);
    }
}

// Appends one of the words that stand in what a command's usage says.
static void add_usage_word(ct_string_builder *out, const char *usage) {
    static const char between[] = "[]| ";
    for (uint32_t skipped = next_byte() % 6;; --skipped) {
        usage += strspn(usage, between);
        const uint32_t bytes = (uint32_t)strcspn(usage, between);
        if (skipped == 0)
            ct_string_builder_add_bytes(out, usage, bytes);
        if (skipped == 0 || bytes == 0)
            return;
        usage += bytes;
    }
}

static void write_argument(ct_sjson_writer *w, const char *usage) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, engine->allocator);
    if (next_byte() % 8 == 0) {
        write_value(w, 0);
        return;
    }
    if (next_byte() % 2 == 0)
        add_usage_word(&text, usage);
    else
        add_text(&text);
    ct_sjson_write_string_bytes(w, ct_string_builder_text(&text), text.length);
}

static void write_arguments(ct_sjson_writer *w, const char *usage) {
    uint32_t count = next_byte();
    count = count < 240 ? count % 4 : count - 235; // too many, now and then
    ct_sjson_write_key(w, "arguments");
    ct_sjson_begin_array(w);
    for (; count > 0; --count)
        write_argument(w, usage);
    ct_sjson_end_array(w);
}

static void write_command(ct_sjson_writer *w) {
    uint32_t count;
    const ct_console_command *const commands = ct_console_commands(&count);
    const uint32_t choice = next_byte();
    ct_sjson_write_key(w, "command");
    if (choice == 255)
        write_value(w, 0);
    else if (choice > 240)
        write_text(w, add_text);
    else
        ct_sjson_write_string(w, commands[choice % count].name);
    if (next_byte() % 8 == 0) {
        ct_sjson_write_key(w, commands[choice % count].member ? commands[choice % count].member
                                                              : "file");
        write_value(w, 0);
    } else if (next_byte() % 4 != 0) {
        write_arguments(w, commands[choice % count].usage);
    }
}

// A word that some member of some message may have.
static void add_word(ct_string_builder *out) {
    static const char *const words[] = {
        "transform", "position", "rotation", "scale", "data",       "tag",   "tags",    "script",
        "enabled",   "light",    "camera",   "mesh",  "materials",  "actor", "unit",    "worlds",
        "frame",     "render",   "physics",  "lua",   "debug_name", "name",  "visible", "units/a",
        "intensity", "type",     "node",     "heap",  "texture",    "body",  "point",   "keyboard",
    };
    const uint32_t choice = next_byte();
    if (choice < 224)
        ct_string_builder_add(out, words[choice % CT_COUNT_OF(words)]);
    else
        add_text(out);
}

static void write_floats(ct_sjson_writer *w, uint32_t count) {
    ct_sjson_begin_array(w);
    for (; count > 0; --count)
        ct_sjson_write_number(w, next_number());
    ct_sjson_end_array(w);
}

// The number of a living entity, or any other.
static double next_entity(void) {
    const ct_world_system *const worlds = engine->worlds;
    const uint32_t choice = next_byte();
    uint32_t count = 0;
    if (choice < 64 || ct_world_system_num_worlds(worlds) == 0)
        return next_number();
    const ct_entity *const units = ct_world_units(ct_world_system_world(worlds, 0), &count);
    return count > 0 ? units[choice % count].id : choice;
}

// A value of a type of the protocol, or now and then another one.
static void write_typed(ct_sjson_writer *w, const char *type) {
    const uint32_t choice = next_byte();
    const char *const array = strstr(type, "[]");
    if (choice < 16) {
        write_value(w, 0);
    } else if (array) {
        ct_sjson_begin_array(w);
        for (uint32_t count = choice % 5; count > 0; --count) {
            if (type[0] == 's')
                write_text(w, add_word);
            else
                ct_sjson_write_number(w, next_entity());
        }
        ct_sjson_end_array(w);
    } else if (strncmp(type, "integer", 7) == 0 || strncmp(type, "number", 6) == 0) {
        ct_sjson_write_number(w, next_entity());
    } else if (strncmp(type, "boolean", 7) == 0) {
        ct_sjson_write_bool(w, choice & 1);
    } else if (strncmp(type, "string", 6) == 0) {
        write_text(w, add_word);
    } else if (type[0] == '"') {
        ct_sjson_write_string_bytes(w, type + 1, (uint32_t)strcspn(type + 1, "\""));
    } else if (choice < 96) {
        write_floats(w, choice % 5);
    } else {
        write_value(w, 0);
    }
}

// A message of a row, most of whose members are of their types.
static void write_row(ct_sjson_writer *w) {
    uint32_t num_areas;
    const ct_protocol_area *const *const areas = ct_protocol_areas(&num_areas);
    const ct_protocol_area *const area = areas[next_byte() % num_areas];
    const ct_protocol_message *const row = &area->messages[next_byte() % area->num_messages];
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "type", row->type);
    if (next_byte() % 4 != 0) {
        ct_sjson_write_key(w, "id");
        write_value(w, 0);
    }
    for (const ct_protocol_member *m = row->members; m && m->name; ++m) {
        const bool is_optional = m->type[strlen(m->type) - 1] == '?';
        if (next_byte() % (is_optional ? 2 : 16) == 0)
            continue;
        ct_sjson_write_key(w, m->name);
        write_typed(w, m->type);
    }
    ct_sjson_end_object(w);
}

// One message; some of its values are not what is expected of them.
static void write_message(ct_sjson_writer *w) {
    static const char *const types[] = {"script", "command", "complete", "reload", "ping",
                                        "echo",   "fail",    "odd",      ""};
    const char *const type = types[next_byte() % CT_COUNT_OF(types)];
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "type", type);
    if (next_byte() % 4 != 0) {
        ct_sjson_write_key(w, "id");
        write_value(w, 0);
    }
    const bool is_script = strcmp(type, "script") == 0, is_complete = strcmp(type, "complete") == 0;
    if (strcmp(type, "command") == 0) {
        write_command(w);
    } else if (is_script || is_complete) {
        ct_sjson_write_key(w, is_script ? "script" : "text");
        if (next_byte() == 255)
            write_value(w, 0);
        else
            write_text(w, add_script);
    }
    if (next_byte() % 4 == 0) {
        ct_sjson_write_key(w, "value");
        write_value(w, 0);
    }
    ct_sjson_end_object(w);
}

// --- Handling ------------------------------------------------------------------------------------

// Files of recordings would be written wherever the input says, and a search for games asks other programs.
static bool is_left_out(const ct_string_builder *message) {
    return strstr(ct_string_builder_text(message), "dump") ||
           strstr(ct_string_builder_text(message), "engine_list");
}

static void handle(const ct_string_builder *message) {
    ct_console_target target = {.allocator = engine->allocator,
                                .server = server,
                                .screenshots = screenshots,
                                .frames = frames,
                                .selections = selections,
                                .client = {1}};
    ct_error reason = {0};
    ct_string_builder answer CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&answer, engine->allocator);
    if (is_left_out(message))
        return;
    if (!ct_console_handle(&target, ct_string_builder_text(message), message->length, &answer,
                           &reason))
        CT_ASSERT(reason.message[0] != '\0', "refused without a reason%s", "");
    else if (answer.length > 0)
        check_answer(&answer);
}

// Ends the frame, which has no picture, and takes the answers that waited for it.
static void end_frame(void) {
    fake_engine_end_frame();
    ct_console_screenshot shot;
    while (ct_console_screenshots_take(screenshots, &shot)) {
        check_answer(&shot.json);
        CT_ASSERT(shot.client.value == 1 && shot.png.count == 0, "a picture of nothing%s", "");
        ct_console_screenshot_free(&shot);
    }
}

static void handle_one_text(void) {
    ct_string_builder message CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&message, engine->allocator);
    ct_string_builder_add_bytes(&message, (const char *)input.at, (uint32_t)(input.end - input.at));
    handle(&message);
}

static void handle_messages(void) {
    ct_string_builder message CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&message, engine->allocator);
    for (uint32_t i = 0; i < NUM_MESSAGES; ++i) {
        ct_string_builder_clear(&message);
        ct_sjson_writer w;
        ct_sjson_writer_init(&w, &message, CT_SJSON_STYLE_JSON);
        if (next_byte() % 2 == 0)
            write_message(&w);
        else
            write_row(&w);
        handle(&message);
        if (!is_paused)
            ct_script_update(engine->script, 1.0 / 60);
        else
            ct_script_begin_frame(engine->script);
        ct_script_render(engine->script);
        end_frame();
        ct_profiler_end_frame(i);
    }
}

// What a game may do with messages; and without what waits.
static const char game[] = "Application.sleep = nil "
                           "function console_receive(m) "
                           "  if m.type == 'fail' then error(m.value) end "
                           "  if m.type == 'odd' then return {[1] = m, x = W, type = m.value} end "
                           "  return m "
                           "end";

// Opens the streams 1, of the game's picture, and 2, of a world: messages can open none of a world, since the
// renderer that only records has no viewports. It draws nothing either, so ct_frames_update is not called.
static void open_streams(void) {
    ct_error error = {0};
    ct_frame_stream_desc desc = {.client = {1},
                                 .width = 64,
                                 .height = 32,
                                 .rate = 30,
                                 .is_png = true,
                                 .rectangle = {0.25f, 0, 0.5f, 1}};
    ct_frames_open(frames, &desc, &error);
    desc.has_camera = true;
    desc.world = ct_inspect_world_number(ct_world_system_world(engine->worlds, 0));
    desc.pose = ct_mat4_identity();
    desc.field_of_view = 1;
    desc.near_range = 0.1f;
    desc.far_range = 1000;
    CT_ASSERT(ct_frames_open(frames, &desc, &error) == 2, "%s", error.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    start_input(data, size);
    is_paused = false;
    engine = fake_engine_start(&(ct_script_desc){.time_limit_seconds = 0.05,
                                                 .stops_long_calls = true,
                                                 .memory_limit_bytes = 32 << 20},
                               game);
    ct_profiler_console_init(engine->allocator);
    screenshots = ct_console_screenshots_create(engine->allocator);
    server =
        ct_console_server_create(&(ct_console_entrance_desc){.allocator = engine->allocator}, NULL);
    CT_ASSERT(server, "no port is free%s", "");
    frames = ct_frames_create(engine->allocator, server);
    selections = ct_inspect_selections_create(engine->allocator);
    devices = ct_input_create(engine->allocator);
    ct_frame_times_init(&times, engine->allocator);
    tasks = ct_task_manager_create(&(ct_task_manager_desc){.allocator = engine->allocator});
    plugins = ct_plugin_host_create(&(ct_plugin_host_desc){.allocator = engine->allocator});
    const uint32_t choice = next_byte();
    if (choice & 4)
        open_streams();
    if (choice % 4 == 0)
        handle_one_text();
    else
        handle_messages();
    end_frame();
    ct_inspect_selections_forget(selections);
    ct_inspect_selections_destroy(selections);
    ct_memory_traces_end();
    ct_frames_end(frames);
    ct_frames_destroy(frames);
    ct_network_history_update(ct_console_server_network_history(server), engine->script,
                              UINT64_MAX); // ends its recording
    ct_frame_times_shutdown(&times);
    ct_input_destroy(devices);
    ct_console_server_destroy(server);
    ct_plugin_host_destroy(plugins);
    ct_task_manager_destroy(tasks);
    ct_console_screenshots_destroy(screenshots);
    ct_profiler_console_shutdown();
    ct_profiler_shutdown();
    fake_engine_stop(); // asserts that nothing is left
    return 0;
}
