#include <stdio.h>
#include <string.h>

#include "foundation/crash/crash_guard.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "plugin/plugin_private.h"

// --- A plugin ------------------------------------------------------------------------------------

ct_plugin *ct_plugin_make(ct_plugin_host *host, const ct_plugin_entry *entry) {
    ct_plugin *const plugin = CT_NEW(host->allocator, ct_plugin);
    char name[CT_PLUGIN_NAME_BYTES + 8];
    *plugin = (ct_plugin){.host = host};
    snprintf(plugin->name, sizeof(plugin->name), "%s", entry->name);
    snprintf(plugin->path, sizeof(plugin->path), "%s", entry->path);
    snprintf(name, sizeof(name), "plugin %s", plugin->name);
    plugin->allocator = ct_proxy_allocator_create(host->allocator, name);
    ct_mutex_init(&plugin->blocks_lock);
    ct_array_init(&plugin->states, host->allocator);
    ct_array_push(&host->plugins, plugin);
    return plugin;
}

void ct_plugin_wait_for_tasks(ct_plugin *plugin) {
    if (plugin->tasks.value == 0)
        return;
    ct_task_complete(plugin->host->desc.tasks, plugin->tasks);
    ct_task_wait(plugin->host->desc.tasks, plugin->tasks);
    plugin->tasks = (ct_task_id){0};
}

void ct_plugin_free(ct_plugin *plugin) {
    ct_plugin_host *const host = plugin->host;
    ct_plugin_wait_for_tasks(plugin);
    ct_plugin_states_free(plugin);
    ct_allocator_stats stats;
    plugin->allocator->stats(plugin->allocator, &stats);
    if (stats.live_blocks > 0 && plugin->code.api)
        ct_log_error("plugin", "plugin_leaks", "%s has not freed %llu bytes in %llu blocks",
                     plugin->name, (unsigned long long)stats.live_bytes,
                     (unsigned long long)stats.live_blocks);
    ct_plugin_free_blocks(plugin);
    ct_plugin_library_close(&plugin->code.library);
    ct_mutex_shutdown(&plugin->blocks_lock);
    ct_proxy_allocator_destroy(plugin->allocator);
    ct_free_sized(host->allocator, plugin, sizeof(*plugin));
}

// --- Opening -------------------------------------------------------------------------------------

static bool is_name(const char *name) {
    const size_t bytes = name ? strlen(name) : 0;
    if (bytes == 0 || bytes >= CT_PLUGIN_NAME_BYTES || name[0] < 'a' || name[0] > 'z')
        return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == bytes;
}

static bool read_code(ct_plugin *plugin, ct_error *error) {
    ct_plugin_code *const code = &plugin->next;
    *(void **)&code->get_api = ct_plugin_library_symbol(&code->library, "cuttle_plugin_get_api");
    if (!code->get_api)
        return ct_error_set(error, "the library does not export cuttle_plugin_get_api "
                                   "(include/cuttle/plugin.h)");
    code->api = code->get_api(CUTTLE_PLUGIN_API, 1);
    if (!code->api)
        return ct_error_set(error,
                            "the library has no interface \"plugin\" of version 1, which this "
                            "engine needs; use a later engine or compile the plugin for it");
    if (!code->api->init || !is_name(code->api->name))
        return ct_error_set(error,
                            "the plugin's interface needs a function `init` and a name of a-z, "
                            "0-9 and _; found the name \"%.64s\"",
                            code->api->name ? code->api->name : "");
    return strcmp(code->api->name, plugin->name) == 0 ||
           ct_error_set(error, "the library is of the plugin \"%s\"; expected \"%s\"",
                        code->api->name, plugin->name);
}

typedef struct read_call {
    ct_plugin *plugin;
    ct_error error;
    bool is_read;
} read_call;

static void call_read(void *user) {
    read_call *const call = user;
    call->is_read = read_code(call->plugin, &call->error);
}

bool ct_plugin_open_next(ct_plugin *plugin, bool *is_unfinished, ct_error *error) {
    ct_plugin_host *const host = plugin->host;
    const char *const folder = host->copies_folder[0] ? host->copies_folder : NULL;
    if (!ct_plugin_library_open(host->allocator, &plugin->next.library, plugin->path, folder,
                                ++host->num_copies, is_unfinished, error))
        return false;
    read_call call = {.plugin = plugin};
    ct_error crash = {0};
    if (ct_crash_guard(call_read, &call, &crash) && call.is_read)
        return true;
    if (error)
        *error = crash.message[0] ? crash : call.error;
    ct_plugin_drop_next(plugin);
    return false;
}

void ct_plugin_drop_next(ct_plugin *plugin) {
    ct_plugin_wait_for_tasks(plugin);
    ct_plugin_additions_drop(plugin);
    ct_plugin_states_drop(plugin);
    plugin->is_staging = plugin->is_adding = false;
    plugin->crash = (ct_error){0};
    ct_plugin_library_close(&plugin->next.library);
    plugin->next = (ct_plugin_code){0};
}

// --- Init ----------------------------------------------------------------------------------------

typedef struct init_call {
    ct_plugin *plugin;
    cuttle_error error;
    bool is_done;
} init_call;

static void call_init(void *user) {
    init_call *const call = user;
    ct_plugin *const plugin = call->plugin;
    call->is_done =
        plugin->next.api->init(plugin, ct_plugin_host_get_api(plugin->host), &call->error);
}

static bool init(ct_plugin *plugin, ct_error *error) {
    init_call call = {.plugin = plugin};
    const uint32_t entered = ct_plugin_enter(plugin);
    plugin->is_staging = true;
    ct_error crash = {0};
    const bool has_returned = ct_crash_guard(call_init, &call, &crash);
    ct_plugin_leave(entered);
    if (!has_returned)
        return ct_error_set(error, "its init failed: %s", crash.message);
    if (call.is_done)
        return true;
    ct_plugin_error_from(error, &call.error);
    return error && error->message[0]
               ? false
               : ct_error_set(error, "its init returned false without a reason");
}

bool ct_plugin_try(ct_plugin *plugin, void (*call)(void *user), void *user) {
    ct_error crash = {0};
    if (plugin->crash.message[0])
        return false;
    if (!plugin->is_adding) {
        call(user);
        return true;
    }
    if (ct_crash_guard(call, user, &crash))
        return true;
    plugin->crash = crash;
    return false;
}

// --- Transactions --------------------------------------------------------------------------------

static bool prepare(ct_plugin *const *plugins, uint32_t count, ct_error *error) {
    for (uint32_t i = 0; i < count; ++i)
        if (!init(plugins[i], error))
            return false;
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_plugin_additions_check(plugins[i], error))
            return false;
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_plugin_additions_add(plugins[i], error))
            return false;
    return true;
}

// The last call of the old library.
static void end_old(ct_plugin *plugin) {
    const uint32_t entered = ct_plugin_enter(plugin);
    ct_plugin_additions_end(plugin);
    if (plugin->code.api && plugin->code.api->shutdown)
        plugin->code.api->shutdown(plugin, true);
    ct_plugin_leave(entered);
    ct_plugin_wait_for_tasks(plugin);
}

// Returns what was in its place.
static ct_plugin_code take_place(ct_plugin *plugin) {
    const uint32_t entered = ct_plugin_enter(plugin);
    ct_plugin_additions_commit(plugin);
    ct_plugin_states_commit(plugin);
    const ct_plugin_code old = plugin->code;
    plugin->code = plugin->next;
    plugin->next = (ct_plugin_code){0};
    plugin->is_staging = plugin->is_adding = false;
    plugin->num_reloads += old.api != NULL;
    plugin->host->num_loads += !old.api;
    ++plugin->host->num_changes;
    ct_plugin_leave(entered);
    return old;
}

void ct_plugin_close_library(const ct_plugin *owner, ct_plugin_library *library) {
    const ct_plugin_host *const host = owner->host;
    uint32_t num_kept = 0;
    for (uint32_t i = 0; i < host->plugins.count; ++i)
        num_kept += ct_plugin_additions_in_library(host->plugins.items[i], owner, library) +
                    ct_plugin_states_in_library(host->plugins.items[i], owner, library);
    if (num_kept > 0)
        ct_plugin_library_leave_open(library);
    else
        ct_plugin_library_close(library);
}

static void tell(ct_plugin *plugin, bool is_reload) {
    const uint32_t entered = ct_plugin_enter(plugin);
    if (is_reload && plugin->code.api->reloaded)
        plugin->code.api->reloaded(plugin);
    if (!is_reload && plugin->host->has_started) {
        plugin->has_started = true;
        if (plugin->code.api->start)
            plugin->code.api->start(plugin);
    }
    ct_plugin_leave(entered);
}

bool ct_plugin_commit(ct_plugin *const *plugins, uint32_t count, ct_error *error) {
    ct_plugin_host *const host = plugins[0]->host;
    ct_plugin_code olds[CT_PLUGIN_MAX];
    ++host->num_locks;
    for (uint32_t i = 0; i < count; ++i)
        ct_plugin_wait_for_tasks(plugins[i]);
    if (!prepare(plugins, count, error)) {
        for (uint32_t i = count; i > 0; --i)
            ct_plugin_drop_next(plugins[i - 1]);
        --host->num_locks;
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
        plugins[i]->is_adding = false;
    // Those that need others end first, and all old code is there until all new code is.
    for (uint32_t i = count; i > 0; --i)
        end_old(plugins[i - 1]);
    for (uint32_t i = 0; i < count; ++i)
        olds[i] = take_place(plugins[i]);
    // One that has started may load others.
    host->num_locks -= count == 1;
    for (uint32_t i = 0; i < count; ++i)
        tell(plugins[i], olds[i].api != NULL);
    for (uint32_t i = count; i > 0; --i)
        if (olds[i - 1].api)
            ct_plugin_close_library(plugins[i - 1], &olds[i - 1].library);
    host->num_locks -= count > 1;
    return true;
}

// --- Loading -------------------------------------------------------------------------------------

static void forget(ct_plugin *plugin) {
    ct_plugin_host *const host = plugin->host;
    for (uint32_t i = 0; i < host->plugins.count; ++i) {
        if (host->plugins.items[i] != plugin)
            continue;
        memmove(&host->plugins.items[i], &host->plugins.items[i + 1],
                sizeof(*host->plugins.items) * (host->plugins.count - i - 1));
        --host->plugins.count;
        break;
    }
    ct_plugin_free(plugin);
}

bool ct_plugin_host_can_change(const ct_plugin_host *host, ct_error *error) {
    return host->num_locks == 0 ||
           ct_error_set(error, "not while plugins are being loaded, reloaded or unloaded");
}

static bool check_entry(const ct_plugin_host *host, const ct_plugin_entry *entry, ct_error *error) {
    if (!is_name(entry->name))
        return ct_error_set(error,
                            "\"%.64s\" is not the name of a plugin; expected a-z, 0-9 and _, at "
                            "most %d of them, a letter first",
                            entry->name, CT_PLUGIN_NAME_BYTES - 1);
    if (ct_plugin_host_find(host, entry->name))
        return ct_error_set(error, "a plugin \"%s\" is there already", entry->name);
    if (strlen(entry->path) >= CT_PATH_BYTES)
        return ct_error_set(error, "the path of its library is too long");
    return host->plugins.count < CT_PLUGIN_MAX ||
           ct_error_set(error, "there are already %d plugins", CT_PLUGIN_MAX);
}

// Returns the first plugin that is needed and not there, or NULL.
static const char *missing_need(const ct_plugin *plugin) {
    const cuttle_plugin_api_1 *const api = plugin->next.api;
    for (uint32_t i = 0; api->needs && api->needs[i]; ++i) {
        const ct_plugin *const needed = ct_plugin_host_find(plugin->host, api->needs[i]);
        if (!needed || !(needed->code.api || needed->next.api) || needed == plugin)
            return api->needs[i];
    }
    return NULL;
}

bool ct_plugin_host_load_one(ct_plugin_host *host, const ct_plugin_entry *entry, ct_error *error) {
    bool is_unfinished;
    if (!ct_plugin_host_can_change(host, error) || !check_entry(host, entry, error))
        return false;
    ct_plugin *const plugin = ct_plugin_make(host, entry);
    plugin->stamp = ct_plugin_stamp_of(plugin->path);
    bool is_loaded = ct_plugin_open_next(plugin, &is_unfinished, error);
    const char *const missing = is_loaded ? missing_need(plugin) : NULL;
    if (missing) {
        ct_error_set(error, "it needs the plugin \"%.64s\", which is not loaded", missing);
        ct_plugin_drop_next(plugin);
        is_loaded = false;
    }
    is_loaded = is_loaded && ct_plugin_commit(&plugin, 1, error);
    if (!is_loaded)
        forget(plugin);
    return is_loaded;
}

// --- Loading many --------------------------------------------------------------------------------

typedef struct loading {
    ct_plugin_host *host;
    const ct_plugin_entry *entries;
    ct_plugin **opened; // that are neither in nor left out; NULL: others
    uint32_t count, num_failed;
    bool is_again; // ct_plugin_load_all
} loading;

static void leave_out(loading *l, uint32_t i, ct_plugin_stamp stamp, uint32_t num_loads,
                      const ct_error *error) {
    const ct_plugin_entry *const entry = &l->entries[i];
    ++l->num_failed;
    ct_plugin_host_leave_alone(l->host, entry->path, stamp, num_loads);
    if (l->host->desc.left_out)
        l->host->desc.left_out(l->host->desc.user, entry, error);
    else if (error->message[0])
        ct_log_error("plugin", "plugin_left_out", "%.64s is left out: %s", entry->name,
                     error->message);
}

// Opens all that can be opened: what they need is only known then.
static void open_all(loading *l) {
    for (uint32_t i = 0; i < l->count; ++i) {
        ct_error error = {0};
        bool is_unfinished = false;
        const ct_plugin_stamp stamp = ct_plugin_stamp_of(l->entries[i].path);
        if (check_entry(l->host, &l->entries[i], &error)) {
            ct_plugin *const plugin = ct_plugin_make(l->host, &l->entries[i]);
            plugin->stamp = stamp;
            if (ct_plugin_open_next(plugin, &is_unfinished, &error)) {
                l->opened[i] = plugin;
                continue;
            }
            forget(plugin);
        }
        if (l->is_again && is_unfinished)
            error.message[0] = 0;
        leave_out(l, i, stamp, UINT32_MAX, &error);
    }
}

static bool is_ready(const ct_plugin *plugin) {
    const cuttle_plugin_api_1 *const api = plugin->next.api;
    for (uint32_t i = 0; api->needs && api->needs[i]; ++i) {
        const ct_plugin *const needed = ct_plugin_host_find(plugin->host, api->needs[i]);
        if (!needed || !needed->code.api)
            return false;
    }
    return true;
}

// Moves a plugin behind those that were loaded before it.
static void move_to_end(ct_plugin *plugin) {
    ct_plugin_host *const host = plugin->host;
    uint32_t at = 0;
    for (uint32_t i = 0; i < host->plugins.count; ++i)
        if (host->plugins.items[i] != plugin)
            host->plugins.items[at++] = host->plugins.items[i];
    host->plugins.items[at] = plugin;
}

// Brings in those whose needs are there. Returns whether there were any.
static bool bring_in(loading *l) {
    bool has_tried = false;
    for (uint32_t i = 0; i < l->count; ++i) {
        ct_plugin *const plugin = l->opened[i];
        if (!plugin || !is_ready(plugin))
            continue;
        ct_error error = {0};
        const ct_plugin_stamp stamp = plugin->stamp;
        move_to_end(plugin);
        l->opened[i] = NULL;
        has_tried = true;
        if (ct_plugin_commit(&plugin, 1, &error))
            continue;
        forget(plugin);
        leave_out(l, i, stamp, UINT32_MAX, &error);
    }
    return has_tried;
}

// Those that wait for others.
static void leave_out_waiting(loading *l) {
    for (uint32_t i = 0; i < l->count; ++i) {
        const char *const missing = l->opened[i] ? missing_need(l->opened[i]) : NULL;
        ct_error error = {0};
        if (!l->opened[i])
            continue;
        if (missing)
            ct_error_set(&error, "it needs the plugin \"%.64s\", which is not loaded", missing);
        else
            ct_error_set(&error, "it and the plugins that it needs need each other");
        leave_out(l, i, l->opened[i]->stamp, l->host->num_loads, &error);
    }
    for (uint32_t i = 0; i < l->count; ++i) {
        if (!l->opened[i])
            continue;
        ct_plugin_drop_next(l->opened[i]);
        forget(l->opened[i]);
    }
}

uint32_t ct_plugin_load_all(ct_plugin_host *host, const ct_plugin_entry *entries, uint32_t count,
                            bool is_again) {
    ct_error locked = {0};
    loading l = {.host = host, .entries = entries, .count = count, .is_again = is_again};
    if (!ct_plugin_host_can_change(host, &locked)) {
        for (uint32_t i = 0; i < count; ++i)
            leave_out(&l, i, (ct_plugin_stamp){0}, UINT32_MAX, &locked);
        return count;
    }
    ++host->num_locks;
    l.opened = ct_alloc_zero(host->allocator, sizeof(*l.opened) * count);
    open_all(&l);
    while (bring_in(&l)) {
    }
    leave_out_waiting(&l);
    ct_free(host->allocator, l.opened);
    --host->num_locks;
    return l.num_failed;
}

uint32_t ct_plugin_host_load(ct_plugin_host *host, const ct_plugin_entry *entries, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_plugin_listed listed = {0};
        snprintf(listed.name, sizeof(listed.name), "%s", entries[i].name);
        snprintf(listed.path, sizeof(listed.path), "%s", entries[i].path);
        if (host->copies_folder[0] && strcmp(listed.name, entries[i].name) == 0 &&
            strcmp(listed.path, entries[i].path) == 0)
            ct_array_push(&host->listed, listed);
    }
    return ct_plugin_load_all(host, entries, count, false);
}

// --- Reloading -----------------------------------------------------------------------------------

// The plugin and all that need it, also through others, in the order of loading.
static uint32_t find_dependents(ct_plugin *plugin, ct_plugin *set[CT_PLUGIN_MAX]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < plugin->host->plugins.count; ++i) {
        ct_plugin *const other = plugin->host->plugins.items[i];
        bool is_in = other == plugin;
        for (uint32_t k = 0; k < count && !is_in; ++k)
            is_in = other->code.api && ct_plugin_needs(other->code.api, set[k]->name);
        if (is_in && other->code.api)
            set[count++] = other;
    }
    return count;
}

// What a new library needs must have been loaded before: the order of plugins stays.
static bool check_needs(const ct_plugin *plugin, ct_error *error) {
    const ct_plugin_host *const host = plugin->host;
    const char *const missing = missing_need(plugin);
    bool is_before = true;
    for (uint32_t i = 0; i < host->plugins.count && !missing; ++i) {
        const ct_plugin *const other = host->plugins.items[i];
        is_before = is_before && other != plugin;
        if (!is_before && ct_plugin_needs(plugin->next.api, other->name))
            return ct_error_set(error,
                                "it now needs the plugin \"%s\", which was loaded after it; "
                                "start the game again",
                                other->name);
    }
    return !missing ||
           ct_error_set(error, "it needs the plugin \"%.64s\", which is not loaded", missing);
}

bool ct_plugin_host_reload(ct_plugin_host *host, const char *name, ct_error *error) {
    ct_plugin *const plugin = ct_plugin_host_find(host, name), *set[CT_PLUGIN_MAX];
    if (!plugin)
        return ct_error_set(error, "there is no plugin \"%.64s\"", name);
    if (!host->copies_folder[0])
        return ct_error_set(error, "plugins of this program cannot be reloaded");
    if (!ct_plugin_host_can_change(host, error))
        return false;
    const uint32_t count = find_dependents(plugin, set);
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_plugin_is_idle(set[i], error))
            return false;
    ct_plugin_stamp stamps[CT_PLUGIN_MAX] = {0};
    uint32_t num_opened = 0;
    bool is_unfinished = false;
    for (; num_opened < count; ++num_opened) {
        ct_plugin *const p = set[num_opened];
        stamps[num_opened] = ct_plugin_stamp_of(p->path);
        if (!ct_plugin_open_next(p, &is_unfinished, error))
            break;
        if (!check_needs(p, error)) {
            ct_plugin_drop_next(p);
            break;
        }
    }
    const bool is_opened = num_opened == count;
    if (!is_opened)
        while (num_opened > 0)
            ct_plugin_drop_next(set[--num_opened]);
    const bool is_done = is_opened && ct_plugin_commit(set, count, error);
    for (uint32_t i = 0; i < count && is_done; ++i)
        set[i]->stamp = stamps[i];
    if (!is_done && !is_unfinished)
        plugin->failed_stamp = stamps[0]; // the plugin is the first of the set
    return is_done;
}
