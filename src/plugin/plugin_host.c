#include "plugin/plugin_host.h"

#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"
#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_private.h"

// --- Interfaces ----------------------------------------------------------------------------------

static ct_plugin_host *hosts[CT_PLUGIN_MAX_HOSTS];

static const void *find_interface(const ct_plugin_interface *interfaces, uint32_t count,
                                  const char *name, uint32_t version) {
    for (uint32_t i = 0; i < count; ++i)
        if (interfaces[i].version == version && strcmp(interfaces[i].name, name) == 0)
            return interfaces[i].functions;
    return NULL;
}

// "plugin" is the one that each plugin has for the engine.
static const void *ask_plugins(const ct_plugin_host *host, const char *name, uint32_t version) {
    if (strcmp(name, CUTTLE_PLUGIN_API) == 0)
        return NULL;
    for (uint32_t i = 0; i < host->plugins.count; ++i) {
        const ct_plugin *const plugin = host->plugins.items[i];
        const ct_plugin_code *const code = plugin->next.get_api ? &plugin->next : &plugin->code;
        const void *const found = code->get_api ? code->get_api(name, version) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static const void *get_api(const ct_plugin_host *host, const char *name, uint32_t version) {
    uint32_t count;
    const ct_plugin_interface *const common = ct_plugin_interfaces(&count);
    if (!host || !name)
        return NULL;
    const void *found = find_interface(common, count, name, version);
    found = found ? found
                  : find_interface(host->desc.interfaces, host->desc.num_interfaces, name, version);
    return found ? found : ask_plugins(host, name, version);
}

// The function that plugins get has no argument for the host: each host has its own.
#define GET_API_OF(index)                                                                          \
    static const void *get_api_##index(const char *name, uint32_t version) {                       \
        return get_api(hosts[index], name, version);                                               \
    }
GET_API_OF(0)
GET_API_OF(1)
GET_API_OF(2)
GET_API_OF(3)

cuttle_get_api ct_plugin_host_get_api(const ct_plugin_host *host) {
    static const cuttle_get_api functions[CT_PLUGIN_MAX_HOSTS] = {get_api_0, get_api_1, get_api_2,
                                                                  get_api_3};
    return functions[host->index];
}

// --- The host ------------------------------------------------------------------------------------

static uint32_t free_index(void) {
    uint32_t index = 0;
    while (index < CT_PLUGIN_MAX_HOSTS && hosts[index])
        ++index;
    CT_REQUIRE(index < CT_PLUGIN_MAX_HOSTS, "more than %d programs with plugins in one process",
               CT_PLUGIN_MAX_HOSTS);
    return index;
}

ct_plugin_host *ct_plugin_host_create(const ct_plugin_host_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "plugins");
    ct_plugin_host *const host = CT_NEW(a, ct_plugin_host);
    *host = (ct_plugin_host){.allocator = a, .desc = *desc, .index = free_index()};
    hosts[host->index] = host;
    ct_array_init(&host->plugins, a);
    ct_array_init(&host->slots, a);
    ct_array_init(&host->systems, a);
    ct_array_init(&host->left, a);
    ct_array_init(&host->listed, a);
    ct_error error = {0};
    snprintf(host->copies_folder, sizeof(host->copies_folder), "%s",
             desc->copies_folder ? desc->copies_folder : "");
    snprintf(host->folder, sizeof(host->folder), "%s", desc->folder ? desc->folder : "");
    if (host->copies_folder[0] && !ct_folder_create(host->copies_folder, &error)) {
        ct_log_report("plugin", &error);
        host->copies_folder[0] = 0;
    }
    if (host->copies_folder[0])
        ct_plugin_library_remove_old_copies(host->copies_folder);
    return host;
}

static void shut_down(ct_plugin *plugin) {
    ct_plugin_wait_for_tasks(plugin);
    const uint32_t entered = ct_plugin_enter(plugin);
    ct_plugin_additions_end(plugin);
    if (plugin->code.api->shutdown)
        plugin->code.api->shutdown(plugin, false);
    ct_plugin_leave(entered);
    ct_plugin_additions_remove(plugin);
}

void ct_plugin_host_destroy(ct_plugin_host *host) {
    if (!host)
        return;
    ct_plugin_host_end(host);
    while (host->plugins.count > 0) {
        ct_plugin *const plugin = host->plugins.items[host->plugins.count - 1];
        shut_down(plugin);
        --host->plugins.count;
        ct_plugin_free(plugin);
    }
    ct_allocator *const a = host->allocator;
    ct_plugin_host_forget_folders(host);
    ct_array_free(&host->plugins);
    ct_array_free(&host->slots);
    ct_array_free(&host->systems);
    ct_array_free(&host->left);
    ct_array_free(&host->listed);
    hosts[host->index] = NULL;
    ct_free_sized(a, host, sizeof(*host));
    ct_proxy_allocator_destroy(a);
}

void *ct_plugin_host_user(const ct_plugin_host *host) {
    return host->desc.user;
}

static ct_plugin_system *find_system(const ct_plugin_host *host, const char *name) {
    for (uint32_t i = 0; i < host->systems.count; ++i)
        if (strcmp(host->systems.items[i].name, name) == 0)
            return &host->systems.items[i];
    return NULL;
}

void ct_plugin_host_offer(ct_plugin_host *host, const char *name, void *system) {
    ct_plugin_system *const found = find_system(host, name);
    if (found)
        found->system = system;
    else
        ct_array_push(&host->systems, (ct_plugin_system){name, system});
}

void *ct_plugin_host_system(const ct_plugin_host *host, const char *name) {
    const ct_plugin_system *const found = find_system(host, name);
    return found ? found->system : NULL;
}

bool ct_plugin_host_unload(ct_plugin_host *host, const char *name, ct_error *error) {
    ct_plugin *const plugin = ct_plugin_host_find(host, name);
    if (!plugin)
        return ct_error_set(error, "there is no plugin \"%.64s\"", name);
    for (uint32_t i = 0; i < host->plugins.count; ++i) {
        const ct_plugin *const other = host->plugins.items[i];
        if (other->code.api && ct_plugin_needs(other->code.api, name))
            return ct_error_set(error, "the plugin \"%s\" needs \"%s\"; unload it first",
                                other->name, name);
    }
    if (!ct_plugin_host_can_change(host, error) || !ct_plugin_is_idle(plugin, error) ||
        !ct_plugin_additions_can_remove(plugin, error))
        return false;
    ++host->num_locks;
    const uint32_t entered = ct_plugin_enter(plugin);
    if (plugin->has_started && plugin->code.api->end)
        plugin->code.api->end(plugin);
    ct_plugin_leave(entered);
    shut_down(plugin);
    uint32_t index = 0;
    while (host->plugins.items[index] != plugin)
        ++index;
    memmove(&host->plugins.items[index], &host->plugins.items[index + 1],
            sizeof(*host->plugins.items) * (host->plugins.count - index - 1));
    --host->plugins.count;
    ++host->num_changes;
    ct_plugin_host_leave_alone(host, plugin->path, ct_plugin_stamp_of(plugin->path), UINT32_MAX);
    ct_plugin_close_library(plugin, &plugin->code.library);
    ct_plugin_free(plugin);
    --host->num_locks;
    return true;
}

// --- The game's events ---------------------------------------------------------------------------

void ct_plugin_host_start(ct_plugin_host *host) {
    host->has_started = true;
    for (uint32_t i = 0; i < host->plugins.count;) {
        ct_plugin *const plugin = host->plugins.items[i++];
        if (plugin->has_started)
            continue;
        plugin->has_started = true;
        const uint32_t entered = ct_plugin_enter(plugin);
        if (plugin->code.api->start)
            plugin->code.api->start(plugin);
        ct_plugin_leave(entered);
        i = 0; // it may have unloaded others
    }
}

void ct_plugin_host_end(ct_plugin_host *host) {
    host->has_started = false;
    ++host->num_locks;
    for (uint32_t i = host->plugins.count; i > 0; --i) {
        ct_plugin *const plugin = host->plugins.items[i - 1];
        const uint32_t entered = ct_plugin_enter(plugin);
        if (plugin->has_started && plugin->code.api->end)
            plugin->code.api->end(plugin);
        plugin->has_started = false;
        ct_plugin_leave(entered);
    }
    --host->num_locks;
}

void ct_plugin_host_update(ct_plugin_host *host, double dt) {
    for (uint32_t i = 0; i < host->plugins.count; ++i) {
        ct_plugin *const plugin = host->plugins.items[i];
        if (!plugin->code.api->update)
            continue;
        CT_PROFILER_SCOPE("plugin update");
        const uint32_t entered = ct_plugin_enter(plugin);
        plugin->code.api->update(plugin, dt);
        ct_plugin_leave(entered);
    }
}

void ct_plugin_host_render(ct_plugin_host *host) {
    for (uint32_t i = 0; i < host->plugins.count; ++i) {
        ct_plugin *const plugin = host->plugins.items[i];
        if (!plugin->code.api->render)
            continue;
        CT_PROFILER_SCOPE("plugin render");
        const uint32_t entered = ct_plugin_enter(plugin);
        plugin->code.api->render(plugin);
        ct_plugin_leave(entered);
    }
}

// --- Plugins -------------------------------------------------------------------------------------

uint32_t ct_plugin_host_changes(const ct_plugin_host *host) {
    return host->num_changes;
}

uint32_t ct_plugin_host_count(const ct_plugin_host *host) {
    return host->plugins.count;
}

const ct_plugin *ct_plugin_host_at(const ct_plugin_host *host, uint32_t index) {
    CT_ASSERT(index < host->plugins.count, "plugin %u of %u", index, host->plugins.count);
    return host->plugins.items[index];
}

ct_plugin *ct_plugin_host_find(const ct_plugin_host *host, const char *name) {
    for (uint32_t i = 0; i < host->plugins.count; ++i)
        if (strcmp(host->plugins.items[i]->name, name) == 0)
            return host->plugins.items[i];
    return NULL;
}

bool ct_plugin_needs(const cuttle_plugin_api_1 *api, const char *name) {
    for (uint32_t i = 0; api->needs && api->needs[i]; ++i)
        if (strcmp(api->needs[i], name) == 0)
            return true;
    return false;
}

ct_plugin_host *ct_plugin_host_of(const ct_plugin *plugin) {
    return plugin->host;
}

const char *ct_plugin_name(const ct_plugin *plugin) {
    return plugin->name;
}

const char *ct_plugin_path(const ct_plugin *plugin) {
    return plugin->path;
}

ct_allocator *ct_plugin_allocator(const ct_plugin *plugin) {
    return plugin->allocator;
}

bool ct_plugin_is_staging(const ct_plugin *plugin) {
    return plugin->is_staging;
}

uint32_t ct_plugin_num_reloads(const ct_plugin *plugin) {
    return plugin->num_reloads;
}

// The context itself says what runs: its name is the plugin's own text.
#define RUNNING "running plugin"

uint32_t ct_plugin_enter(const ct_plugin *plugin) {
    return ct_error_context_push(RUNNING, plugin->name);
}

bool ct_plugin_is_idle(const ct_plugin *plugin, ct_error *error) {
    uint32_t count;
    const ct_error_context *const contexts = ct_error_contexts(&count);
    for (uint32_t i = 0; i < count; ++i)
        if (contexts[i].name == plugin->name)
            return ct_error_set(error, "the plugin \"%s\" runs at this moment", plugin->name);
    return true;
}

const char *ct_plugin_host_folder(const ct_plugin_host *host) {
    return host->folder;
}

void ct_plugin_leave(uint32_t entered) {
    ct_error_context_restore(&entered);
}

bool ct_plugin_error_from(ct_error *error, const cuttle_error *from) {
    if (!error)
        return false;
    snprintf(error->message, sizeof(error->message), "%.*s", (int)sizeof(from->message) - 1,
             from->message);
    snprintf(error->file, sizeof(error->file), "%.*s", (int)sizeof(from->file) - 1, from->file);
    error->line = from->line;
    error->column = from->column;
    return false;
}

bool ct_plugin_give_error(cuttle_error *error, const ct_error *from) {
    if (!error)
        ct_log_report("plugin", from);
    return ct_plugin_error_to(error, from);
}

bool ct_plugin_error_to(cuttle_error *error, const ct_error *from) {
    if (!error)
        return false;
    snprintf(error->message, sizeof(error->message), "%s", from->message);
    snprintf(error->file, sizeof(error->file), "%s", from->file);
    error->line = from->line;
    error->column = from->column;
    return false;
}
