#include "app/settings.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "particles/particle_system.h"
#include "resource/blob/platform.h"
#include "resource/schema/setting_table.h"
#include "sound/mixer/sound_mixer.h"

enum { PATH_BYTES = 256 };

// Maps settings of the table (resource/schema/setting_table.h) that the app reads to members of
// ct_settings. The kind gives the member's type: const char *, bool, double, ct_time_step_policy
// or, for a whole number, this many bytes.
typedef struct setting_place {
    const char *path;
    uint32_t offset, size_bytes; // in ct_settings
} setting_place;

#define PLACE(path, member)                                                                        \
    { path, offsetof(ct_settings, member), sizeof(((ct_settings *)0)->member) }

static const setting_place places[] = {
    PLACE("boot_script", boot_script),
    PLACE("boot_package", boot_package),
    PLACE("render_config", render_config),
    PLACE("language", language),
    PLACE("input", input),
    PLACE("fallback_font", fallback_font),
    PLACE("physics", physics),
    PLACE("max_frame_rate", max_frame_rate),
    PLACE("user_folder", user_folder),
    PLACE("window.title", title),
    PLACE("window.width", width),
    PLACE("window.height", height),
    PLACE("window.resizable", is_resizable),
    PLACE("time_step.policy", time_step.policy),
    PLACE("time_step.seconds", time_step.seconds),
    PLACE("time_step.longest_seconds", time_step.longest_seconds),
    PLACE("time_step.max_steps", time_step.max_steps),
    PLACE("tasks.workers", num_workers),
    PLACE("streaming.enabled", is_streaming),
    PLACE("streaming.bytes_per_second", streaming_bytes_per_second),
    PLACE("particles.budget", particle_budget),
    PLACE("particles.gpu_threshold", particle_gpu_threshold),
    PLACE("navigation.path_polygons", navigation_path_polygons),
    PLACE("navigation.tiles", navigation_tiles),
    PLACE("network.address", network_address),
    PLACE("network.password", network_password),
    PLACE("network.plain", is_network_plain),
    PLACE("network.bandwidth", network_bandwidth),
    PLACE("sound.buses", sound_buses),
    PLACE("sound.output", has_sound_output),
    PLACE("sound.voices", sound_voices),
    PLACE("dev.overlay_key", overlay_key),
    PLACE("lua.unsafe", is_lua_unsafe),
    PLACE("lua.time_limit_seconds", lua_time_limit_seconds),
    PLACE("lua.stop_long_calls", stops_long_lua_calls),
    PLACE("lua.memory_limit_mb", lua_memory_limit_mb),
    PLACE("lua.worker_states", lua_worker_states),
    PLACE("lua.worker_memory_limit_mb", lua_worker_memory_limit_mb),
};

// What is being read.
typedef struct reading {
    const ct_config_resource *config;
    ct_settings *settings;
    ct_error *error;
} reading;

// --- Values --------------------------------------------------------------------------------------

static const char *text_of(const reading *r, const ct_config_node *node) {
    return ct_blob_at(r->config, node->text.offset);
}

static bool read_priority(const reading *r, const ct_config_node *node) {
    ct_settings *const s = r->settings;
    if (s->num_priorities == CT_SETTING_MAX_PRIORITIES)
        return ct_error_set_at(r->error, "settings.config", 0, 0,
                               "tasks.priorities has more than %d members",
                               (int)CT_SETTING_MAX_PRIORITIES);
    ct_settings_priority *const priority = &s->priorities[s->num_priorities++];
    priority->name = ct_blob_at(r->config, node->key.offset);
    return ct_task_level_named(text_of(r, node), &priority->level);
}

static bool read_hosts(const reading *r, const char *path, const ct_config_node *list) {
    ct_settings *const s = r->settings;
    const ct_config_node *const nodes = ct_blob_at(r->config, r->config->nodes.offset);
    if (list->count > CT_SETTING_MAX_HOSTS)
        return ct_error_set_at(r->error, "settings.config", 0, 0, "%s has more than %d hosts", path,
                               (int)CT_SETTING_MAX_HOSTS);
    for (uint32_t i = 0; i < list->count; ++i) {
        const ct_config_node *const node = &nodes[list->first + i];
        const bool is_text = node->type == CT_SJSON_TYPE_STRING;
        const ct_setting_value value = {(ct_sjson_type)node->type, node->number,
                                        is_text ? text_of(r, node) : NULL};
        ct_error error = {0};
        if (!ct_setting_check_host(path, &value, &error))
            return ct_error_set_at(r->error, "settings.config", 0, 0, "%s", error.message);
        s->web_hosts[s->num_web_hosts++] = value.text;
    }
    return true;
}

static void *place_of(const reading *r, const char *path, uint32_t *size_bytes) {
    for (uint32_t i = 0; i < CT_COUNT_OF(places); ++i) {
        *size_bytes = places[i].size_bytes;
        if (strcmp(places[i].path, path) == 0)
            return (char *)r->settings + places[i].offset;
    }
    return NULL;
}

static bool store(const reading *r, const ct_setting_row *row, const char *path,
                  const ct_config_node *node) {
    uint32_t size_bytes = 0;
    void *const place = place_of(r, path, &size_bytes);
    if (row->kind == CT_SETTING_KIND_LEVEL)
        return read_priority(r, node);
    if (row->kind == CT_SETTING_KIND_HOSTS)
        return read_hosts(r, path, node);
    if (!place)
        return true; // others'
    if (row->kind == CT_SETTING_KIND_STRING || row->kind == CT_SETTING_KIND_KEY)
        *(const char **)place = text_of(r, node);
    else if (row->kind == CT_SETTING_KIND_BOOL)
        *(bool *)place = node->number != 0;
    else if (row->kind == CT_SETTING_KIND_POLICY)
        return ct_time_step_policy_named(text_of(r, node), place);
    else if (row->kind == CT_SETTING_KIND_OUTPUT)
        *(bool *)place = strcmp(text_of(r, node), "none") != 0;
    else if (row->kind == CT_SETTING_KIND_NUMBER)
        *(double *)place = node->number;
    else if (size_bytes == sizeof(uint64_t))
        *(uint64_t *)place = (uint64_t)node->number;
    else
        *(uint32_t *)place = (uint32_t)node->number;
    return true;
}

static bool store_plugin(const reading *r, const ct_config_node *plugin) {
    ct_settings *const s = r->settings;
    const ct_config_node *const nodes = ct_blob_at(r->config, r->config->nodes.offset);
    for (uint32_t i = 0; i < plugin->count; ++i) {
        const ct_config_node *const node = &nodes[plugin->first + i];
        if (strcmp(ct_blob_at(r->config, node->key.offset), CT_PLATFORM_HOST) != 0)
            continue;
        if (s->num_plugins == CT_SETTING_MAX_PLUGINS)
            return ct_error_set_at(r->error, "settings.config", 0, 0,
                                   "there are more than %d plugins", (int)CT_SETTING_MAX_PLUGINS);
        s->plugins[s->num_plugins++] = (ct_settings_plugin){
            .name = ct_blob_at(r->config, plugin->key.offset), .library = text_of(r, node)};
    }
    return true;
}

// After the values were checked.
static bool read_plugins(const reading *r) {
    const ct_config_node *const nodes = ct_blob_at(r->config, r->config->nodes.offset);
    const ct_config_node *const plugins = ct_config_find(r->config, "plugins");
    for (uint32_t i = 0; plugins && i < plugins->count; ++i)
        if (!store_plugin(r, &nodes[plugins->first + i]))
            return false;
    return true;
}

// --- The tree ------------------------------------------------------------------------------------

static bool check(const reading *r, const ct_setting_row *row, const char *path,
                  const ct_config_node *node) {
    const bool is_text = node->type == CT_SJSON_TYPE_STRING;
    const ct_setting_value value = {(ct_sjson_type)node->type, node->number,
                                    is_text ? text_of(r, node) : NULL};
    ct_error error = {0};
    return ct_setting_check(row, path, &value, &error) ||
           ct_error_set_at(r->error, "settings.config", 0, 0, "%s", error.message);
}

// Reads the members of an object whose own path is `prefix` ("" for the root). The recursion is as
// deep as the table's paths have parts. The compiler has already reported unknown settings.
static bool read_members(const reading *r, const ct_config_node *object, const char *prefix) {
    const ct_config_node *const nodes = ct_blob_at(r->config, r->config->nodes.offset);
    for (uint32_t i = 0; i < object->count; ++i) {
        const ct_config_node *const node = &nodes[object->first + i];
        char path[PATH_BYTES];
        snprintf(path, sizeof(path), "%s%s%s", prefix, prefix[0] != '\0' ? "." : "",
                 (const char *)ct_blob_at(r->config, node->key.offset));
        const ct_setting_row *const row = ct_setting_row_of(path);
        if (!row)
            continue;
        if (!check(r, row, path, node))
            return false;
        if (ct_setting_has_members(row) ? !read_members(r, node, path) : !store(r, row, path, node))
            return false;
    }
    return true;
}

// Checks that the settings name the resources that every game needs.
static bool check_resources(const ct_config_resource *config, ct_error *error) {
    uint32_t count = 0;
    const ct_setting_resource *const resources = ct_setting_resources(&count);
    for (uint32_t i = 0; i < count; ++i)
        if (resources[i].missing && !ct_config_find(config, resources[i].path))
            return ct_error_set_at(error, "settings.config", 0, 0, "%s", resources[i].missing);
    return true;
}

bool ct_settings_read(const ct_config_resource *config, ct_settings *s, ct_error *error) {
    *s = (ct_settings){
        .render_config = "core/rendering/renderer",
        .language = "en",
        .input = "",
        .fallback_font = "",
        .physics = "core/physics/default",
        .sound_buses = "core/sounds/default",
        .has_sound_output = true,
        .overlay_key = "keyboard.f1",
        .sound_voices = CT_MIXER_DEFAULT_REAL,
        .network_address = "127.0.0.1",
        .network_password = "",
        .title = "Cuttle",
        .user_folder = "",
        .width = 1280,
        .height = 720,
        .is_resizable = true,
        .time_step = {.policy = CT_TIME_STEP_POLICY_SMOOTHED},
        .lua_time_limit_seconds = 5,
        .is_streaming = true,
        .particle_budget = CT_PARTICLES_DEFAULT_BUDGET,
        .stops_long_lua_calls = true,
        .lua_memory_limit_mb = 2048,
        .lua_worker_memory_limit_mb = 256,
    };
    const reading r = {.config = config, .settings = s, .error = error};
    if (!read_members(&r, ct_config_find(config, ""), "") || !read_plugins(&r))
        return false;
    s->has_workers = ct_config_find(config, "tasks.workers") != NULL;
    return check_resources(config, error);
}
