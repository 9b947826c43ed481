// fake_console.h: what the debugger needs of the console's server and of the app, without either. Include
// once in a program: its functions are linked before those of the libraries.
//
// Clients have numbers from 1, and are connected until they leave.
#pragma once
#include "dev/console_server.h"
#include "dev/debugger/debugger.h"
#include "plugin/plugin_host.h"
#include "script/script.h"
#include "script/script_private.h"

enum { FAKE_CLIENTS = 80, FAKE_WAITING = 8 };

static struct {
    ct_script *script;
    bool is_quitting;
    uint32_t num_pictures; // of a stopped game
    bool has_left[FAKE_CLIENTS + 1];
    void (*serve)(void); // once in each round of the loop of stops; not NULL
    void (*sent)(uint32_t client, const char *json); // or NULL
    struct {
        uint32_t client;
        const char *json;
    } waiting[FAKE_WAITING]; // that ct_console_server_peek shows
    uint32_t num_waiting;
} fake_console;

// --- The server ----------------------------------------------------------------------------------

bool ct_console_server_has_client(ct_console_server *s, ct_console_client_id id) {
    (void)s;
    return id.value > 0 && id.value <= FAKE_CLIENTS && !fake_console.has_left[id.value];
}

bool ct_console_server_send_to(ct_console_server *s, ct_console_client_id id, const char *json,
                               uint32_t bytes) {
    if (!ct_console_server_has_client(s, id))
        return false;
    CT_ASSERT(json[bytes] == '\0', "a message of %u bytes does not end", bytes);
    if (fake_console.sent)
        fake_console.sent(id.value, json);
    return true;
}

bool ct_console_server_send(ct_console_server *s, ct_console_client_id id, const char *json,
                            const void *binary, uint64_t binary_bytes) {
    (void)binary, (void)binary_bytes;
    return ct_console_server_send_to(s, id, json, (uint32_t)strlen(json));
}

void ct_console_server_send_all(ct_console_server *s, const char *json) {
    (void)s, (void)json;
}

void ct_console_server_flush(ct_console_server *s) {
    (void)s;
}

void ct_console_server_serve(ct_console_server *s, ct_app *app, ct_hot_reload *reload) {
    (void)s, (void)app, (void)reload;
    fake_console.serve();
}

void ct_console_server_peek(ct_console_server *s, ct_console_client_id client,
                            void (*visit)(void *user, const char *json, uint32_t bytes),
                            void *user) {
    (void)s;
    for (uint32_t i = 0; i < fake_console.num_waiting; ++i) {
        const char *const json = fake_console.waiting[i].json;
        if (fake_console.waiting[i].client == client.value)
            visit(user, json, (uint32_t)strlen(json));
    }
}

// --- The app -------------------------------------------------------------------------------------

ct_script *ct_app_script(ct_app *app) {
    (void)app;
    return fake_console.script;
}
ct_world_system *ct_app_worlds(ct_app *app) {
    (void)app;
    return fake_console.script->worlds;
}
ct_renderer *ct_app_renderer(ct_app *app) {
    (void)app;
    return NULL;
}
ct_resource_manager *ct_app_resources(ct_app *app) {
    (void)app;
    return NULL;
}
ct_sound_system *ct_app_sound(ct_app *app) {
    (void)app;
    return NULL;
}
ct_plugin_host *ct_app_plugins(ct_app *app) {
    (void)app;
    return NULL;
}
void ct_app_quit(ct_app *app, int exit_code) {
    (void)app, (void)exit_code;
    fake_console.is_quitting = true;
}
bool ct_app_is_quitting(const ct_app *app) {
    (void)app;
    return fake_console.is_quitting;
}
bool ct_app_idle_frame(ct_app *app) {
    (void)app;
    ++fake_console.num_pictures;
    return true;
}
void ct_app_end_idle(ct_app *app) {
    (void)app;
}
void ct_app_pause(ct_app *app) {
    (void)app;
}
void ct_app_resume(ct_app *app) {
    (void)app;
}
void ct_app_step(ct_app *app) {
    (void)app;
}

// --- The debugger --------------------------------------------------------------------------------

// Starts a debugger of a script environment.
static inline ct_debugger *fake_console_start(ct_allocator *a, ct_script *script) {
    static char app, server; // only that they are there counts
    memset(&fake_console, 0, sizeof(fake_console));
    fake_console.script = script;
    ct_debugger *const d =
        ct_debugger_create(&(ct_debugger_desc){.allocator = a,
                                               .console = (ct_console_server *)(void *)&server,
                                               .project_folder = "/game",
                                               .core_folder = "/core"});
    ct_debugger_begin(d, (ct_app *)(void *)&app);
    return d;
}

// Handles a message of a client as the console does. Returns false when it is not JSON.
static inline bool fake_console_handle(ct_debugger *d, ct_allocator *a, uint32_t client,
                                       const char *json, uint32_t bytes,
                                       ct_string_builder *answer) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(a, json, bytes, "message", NULL, &error);
    if (!doc)
        return false;
    const ct_console_target target = {.allocator = a,
                                      .debugger = d,
                                      .client = {client},
                                      .message = doc,
                                      .id = ct_sjson_find(doc, ct_sjson_root(doc), "id")};
    ct_debugger_handle(d, &target, answer);
    ct_sjson_free(doc);
    return true;
}
