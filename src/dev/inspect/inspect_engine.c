// The messages of the area `engine`: what runs, its log, its commands.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dev/console_server.h"
#include "dev/debugger/debugger.h"
#include "dev/inspect/engine_search.h"
#include "dev/inspect/log_history.h"
#include "dev/protocol/protocol_areas.h"
#include "dev/protocol/protocol_text.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "plugin/plugin_host.h"

enum { DEFAULT_MESSAGES = 1000, MAX_MESSAGES = 10000, MAX_ANSWER_BYTES = 4 << 20 };

// --- engine_info ---------------------------------------------------------------------------------

static void write_times(ct_sjson_writer *w, const ct_frame_times *times) {
    float frame_ms = 0, update_ms = 0, submit_ms = 0;
    ct_frame_times_last(times, 1, &frame_ms, &update_ms, &submit_ms);
    ct_sjson_member_number(w, "frame_ms", (double)frame_ms);
    ct_sjson_member_number(w, "update_ms", (double)update_ms);
    ct_sjson_member_number(w, "submit_ms", (double)submit_ms);
}

static void write_plugins(ct_sjson_writer *w, const ct_plugin_host *host) {
    ct_sjson_write_key(w, "plugins");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; host && i < ct_plugin_host_count(host); ++i)
        ct_sjson_write_string(w, ct_plugin_name(ct_plugin_host_at(host, i)));
    ct_sjson_end_array(w);
}

static void write_project(ct_sjson_writer *w, const ct_app *app) {
    const char *const folder = ct_app_project_folder(app);
    char absolute[CT_PATH_BYTES];
    if (!folder || !ct_os_absolute_path(folder, absolute, NULL))
        return;
    const char *const slash = strrchr(absolute, '/');
    ct_sjson_member_string(w, "project", slash && slash[1] != '\0' ? slash + 1 : absolute);
    ct_sjson_member_string(w, "folder", absolute);
}

// What `core/` means in the names of files.
static void write_core(ct_sjson_writer *w, const ct_debugger *debugger) {
    const char *const folder = ct_debugger_core_folder(debugger);
    if (folder[0] != '\0')
        ct_sjson_member_string(w, "core_folder", folder);
}

static bool run_engine_info(ct_console_request *r) {
    ct_sjson_writer *const w = &r->w;
    ct_app *const app = r->target->app;
    ct_renderer *const renderer = ct_app_renderer(app);
    uint32_t width = 0, height = 0;
    write_project(w, app);
    write_core(w, r->target->debugger);
    char protocol[20];
    snprintf(protocol, sizeof(protocol), "%016" PRIx64, ct_protocol_hash(r->target->allocator));
    ct_sjson_member_string(w, "version", CT_VERSION_STRING);
    ct_sjson_member_string(w, "protocol", protocol);
    ct_sjson_member_string(w, "build", CT_BUILD_NAME);
    ct_sjson_member_number(w, "process", (double)ct_os_process_id());
    if (r->target->server) {
        ct_sjson_member_number(w, "port", ct_console_server_port(r->target->server));
        ct_sjson_member_number(w, "seconds", ct_console_server_seconds(r->target->server));
    }
    ct_sjson_member_number(w, "frame", (double)ct_renderer_frame(renderer));
    write_times(w, ct_app_frame_times(app));
    ct_sjson_member_number(w, "budget_ms", ct_app_frame_budget(app) * 1000);
    ct_renderer_size(renderer, &width, &height);
    ct_sjson_member_number(w, "width", width);
    ct_sjson_member_number(w, "height", height);
    ct_sjson_member_string(w, "device", ct_renderer_device_name(renderer));
    ct_sjson_member_bool(w, "headless", ct_app_is_headless(app));
    ct_sjson_member_bool(w, "paused", ct_app_is_paused(app));
    ct_sjson_member_number(w, "worlds", ct_world_system_num_worlds(ct_app_worlds(app)));
    write_plugins(w, ct_app_plugins(app));
    return true;
}

// --- engine_list ---------------------------------------------------------------------------------

static bool run_engine_list(ct_console_request *r) {
    ct_console_server *const server = r->target->server;
    if (!server)
        return ct_error_set(&r->error,
                            "this game has no console server, so it cannot answer later");
    if (r->id.entry == 0) // nothing waits for the answer
        return true;
    if (!ct_engine_search_ask(ct_console_server_engine_search(server), r,
                              ct_console_server_port(server)))
        return false;
    r->target->answers_later = true;
    return true;
}

// --- log_history ---------------------------------------------------------------------------------

static void write_messages(ct_console_request *r, ct_log_history *history, uint64_t first,
                           uint32_t count) {
    const uint32_t start = r->w.out->length;
    ct_log_entry entry;
    ct_sjson_write_key(&r->w, "messages");
    ct_sjson_begin_array(&r->w);
    for (uint32_t i = 0; i < count && r->w.out->length - start < MAX_ANSWER_BYTES; ++i) {
        if (!ct_log_history_read(history, first + i, &entry))
            break;
        ct_sjson_begin_object(&r->w);
        ct_log_entry_write(&entry, &r->w);
        ct_sjson_end_object(&r->w);
    }
    ct_sjson_end_array(&r->w);
}

static bool run_log_history(ct_console_request *r) {
    const uint32_t count = ct_console_whole(r, "count", MAX_MESSAGES, DEFAULT_MESSAGES);
    double first = ct_console_number(r, "first", -1);
    if (r->error.message[0])
        return false;
    if (!r->target->server)
        return ct_error_set(&r->error, "this game has no console server, so it keeps no messages");
    ct_log_history *const history = ct_console_server_lock_history(r->target->server);
    const uint64_t oldest = ct_log_history_first(history), next = ct_log_history_next(history);
    if (first < 0)
        first = next - oldest > count ? (double)(next - count) : (double)oldest;
    ct_sjson_member_number(&r->w, "first", (double)oldest);
    ct_sjson_member_number(&r->w, "next", (double)next);
    write_messages(r, history, first < (double)oldest ? oldest : (uint64_t)first, count);
    ct_console_server_unlock_history(r->target->server);
    return true;
}

// --- commands ------------------------------------------------------------------------------------

static bool run_commands(ct_console_request *r) {
    uint32_t count;
    const ct_console_command *const commands = ct_console_commands(&count);
    ct_sjson_write_key(&r->w, "commands");
    ct_sjson_begin_array(&r->w);
    for (uint32_t i = 0; i < count; ++i) {
        ct_sjson_begin_object(&r->w);
        ct_sjson_member_string(&r->w, "name", commands[i].name);
        ct_sjson_member_string(&r->w, "usage", commands[i].usage);
        ct_sjson_member_string(&r->w, "summary", commands[i].summary);
        ct_sjson_end_object(&r->w);
    }
    ct_sjson_end_array(&r->w);
    return true;
}

// --- The area ------------------------------------------------------------------------------------

static const ct_protocol_message messages[] = {
    {.type = "engine_info",
     .summary = "describes the game that runs",
     .answer = CT_PROTOCOL_MEMBERS(
         {"project", "string?", "the name of the project's folder"},
         {"folder", "string?", "the project's folder, absolute"},
         {"core_folder", "string?", "the engine's own data, absolute: its files are `core/…`"},
         {"version", "string", "of the engine"},
         {"protocol", "string", "changes with the messages: the hash of their schema"},
         {"build", "string", "how it was built"},
         {"process", "integer", "its number in the system"}, {"port", "integer?", "of the console"},
         {"seconds", "number?",
          "since the console began to listen, as messages of the log have it"},
         {"frame", "integer", "the number of the frame"},
         {"frame_ms", "number", "milliseconds of the last frame"},
         {"update_ms", "number", "of it, the work of the update thread"},
         {"submit_ms", "number", "of it, recording and submitting to the device"},
         {"budget_ms", "number", "that a frame may take at its frame rate"},
         {"width", "integer", "of the picture in pixels"},
         {"height", "integer", "of the picture in pixels"}, {"device", "string", "that draws it"},
         {"headless", "boolean", "whether there is no window"},
         {"paused", "boolean", "whether the game's update rests"},
         {"worlds", "integer", "how many there are"}, {"plugins", "string[]", "their names"}),
     .works_stopped = true,
     .run = run_engine_info},
    {.type = "engine_list",
     .summary =
         "lists the other games of this user on this machine whose consoles listen at the ports "
         "64000 to 64063. The answer comes after up to some seconds",
     .answer = CT_PROTOCOL_MEMBERS({"engines", "EngineRow[]", "by port, without this one"}),
     .run = run_engine_list},
    {.type = "log_history",
     .summary =
         "lists messages of the log since the console began to listen, the oldest first. The last "
         "100,000 are kept, in at most 16 MiB; an answer ends early after 4 MiB of JSON. Events of "
         "the type `message` with numbers from `next` on follow",
     .members = CT_PROTOCOL_MEMBERS(
         {"first", "integer?", "the number to begin with; without it, the last ones"},
         {"count", "integer?", "at most 10,000; 1,000 without it"}),
     .answer = CT_PROTOCOL_MEMBERS({"first", "integer", "the oldest number that is kept"},
                                   {"next", "integer", "the number that the next message gets"},
                                   {"messages", "LogMessage[]", "in order, without gaps"}),
     .works_stopped = true,
     .run = run_log_history},
    {.type = "commands",
     .summary = "lists the commands of the console",
     .answer = CT_PROTOCOL_MEMBERS({"commands", "ConsoleCommand[]", "sorted by name"}),
     .works_stopped = true,
     .run = run_commands},
};

static const ct_protocol_shape shapes[] = {
    {"LogMessage", "a message of the log", CT_PROTOCOL_MEMBERS(CT_PROTOCOL_LOG_MEMBERS)},
    {"EngineRow", "a game that runs",
     CT_PROTOCOL_MEMBERS({"port", "integer", "of its console"},
                         {"project", "string?", "the name of its project's folder"},
                         {"folder", "string?", "its project's folder, absolute"},
                         {"process", "integer?", "its number in the system"})},
    {"ConsoleCommand", "a command of the console",
     CT_PROTOCOL_MEMBERS({"name", "string", "of the command"},
                         {"usage", "string", "its arguments, as help shows them"},
                         {"summary", "string", "one line"})},
};

const ct_protocol_area ct_engine_area = {
    .name = "engine",
    .summary = "What runs, its log and its commands.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .shapes = shapes,
    .num_shapes = CT_COUNT_OF(shapes),
};
