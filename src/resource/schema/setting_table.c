#include "resource/schema/setting_table.h"
#include "foundation/memory/allocator.h"
#include "foundation/string/url.h"
#include "foundation/task/task.h"
#include "foundation/time_step.h"
#include "resource/schema/schema.h"
#include "resource/types/input_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ct_setting_row rows[] = {
    {"boot_script", CT_SETTING_KIND_STRING, 0, 0},
    {"boot_package", CT_SETTING_KIND_STRING, 0, 0},
    {"render_config", CT_SETTING_KIND_STRING, 0, 0},
    {"render_preset", CT_SETTING_KIND_STRING, 0, 0},
    {"render_settings", CT_SETTING_KIND_OBJECT, 0, 0},
    {"language", CT_SETTING_KIND_STRING, 0, 0},
    {"input", CT_SETTING_KIND_STRING, 0, 0},
    {"fallback_font", CT_SETTING_KIND_STRING, 0, 0},
    {"physics", CT_SETTING_KIND_STRING, 0, 0},
    {"max_frame_rate", CT_SETTING_KIND_NUMBER, 0, 1000},
    {"user_folder", CT_SETTING_KIND_STRING, 0, 0},
    {"window", CT_SETTING_KIND_SECTION, 0, 0},
    {"window.title", CT_SETTING_KIND_STRING, 0, 0},
    {"window.width", CT_SETTING_KIND_COUNT, 16, 16384},
    {"window.height", CT_SETTING_KIND_COUNT, 16, 16384},
    {"window.resizable", CT_SETTING_KIND_BOOL, 0, 0},
    {"time_step", CT_SETTING_KIND_SECTION, 0, 0},
    {"time_step.policy", CT_SETTING_KIND_POLICY, 0, 0},
    {"time_step.seconds", CT_SETTING_KIND_NUMBER, 1e-6, 1},
    {"time_step.longest_seconds", CT_SETTING_KIND_NUMBER, 1e-3, 10},
    {"time_step.max_steps", CT_SETTING_KIND_COUNT, 1, CT_TIME_STEP_MAX_STEPS},
    {"tasks", CT_SETTING_KIND_SECTION, 0, 0},
    {"tasks.workers", CT_SETTING_KIND_COUNT, 0, CT_SETTING_MAX_WORKERS},
    {"tasks.priorities", CT_SETTING_KIND_LEVELS, 0, 0},
    {"particles", CT_SETTING_KIND_SECTION, 0, 0},
    {"particles.budget", CT_SETTING_KIND_COUNT, 1, 4e6},
    {"particles.gpu_threshold", CT_SETTING_KIND_COUNT, 0, 1e6},
    {"navigation", CT_SETTING_KIND_SECTION, 0, 0},
    {"navigation.path_polygons", CT_SETTING_KIND_COUNT, 32, 1e8},
    {"navigation.tiles", CT_SETTING_KIND_COUNT, 1, 65535},
    {"network", CT_SETTING_KIND_SECTION, 0, 0},
    {"network.address", CT_SETTING_KIND_STRING, 0, 0},
    {"network.password", CT_SETTING_KIND_STRING, 0, 0},
    {"network.plain", CT_SETTING_KIND_BOOL, 0, 0},
    {"network.bandwidth", CT_SETTING_KIND_COUNT, 0, 4e9},
    {"web", CT_SETTING_KIND_SECTION, 0, 0},
    {"web.hosts", CT_SETTING_KIND_HOSTS, 0, 0},
    {"sound", CT_SETTING_KIND_SECTION, 0, 0},
    {"sound.buses", CT_SETTING_KIND_STRING, 0, 0},
    {"sound.output", CT_SETTING_KIND_OUTPUT, 0, 0},
    {"sound.voices", CT_SETTING_KIND_COUNT, 1, 1024},
    {"streaming", CT_SETTING_KIND_SECTION, 0, 0},
    {"streaming.enabled", CT_SETTING_KIND_BOOL, 0, 0},
    {"streaming.bytes_per_second", CT_SETTING_KIND_COUNT, 0, 1e12},
    {"dev", CT_SETTING_KIND_SECTION, 0, 0},
    {"dev.overlay_key", CT_SETTING_KIND_KEY, 0, 0},
    {"lua", CT_SETTING_KIND_SECTION, 0, 0},
    {"lua.unsafe", CT_SETTING_KIND_BOOL, 0, 0},
    {"lua.time_limit_seconds", CT_SETTING_KIND_NUMBER, 0, 3600},
    {"lua.stop_long_calls", CT_SETTING_KIND_BOOL, 0, 0},
    {"lua.memory_limit_mb", CT_SETTING_KIND_COUNT, 16, 65536},
    {"lua.worker_states", CT_SETTING_KIND_COUNT, 0, 64},
    {"lua.worker_memory_limit_mb", CT_SETTING_KIND_COUNT, 8, 65536},
    {"textures", CT_SETTING_KIND_SECTION, 0, 0},
    {"textures.quality", CT_SETTING_KIND_UNCHECKED, 0, 0},
    {"textures.max_size", CT_SETTING_KIND_UNCHECKED, 0, 0},
    {"plugins", CT_SETTING_KIND_PLUGINS, 0, 0},
    {"platforms", CT_SETTING_KIND_UNCHECKED, 0, 0},
    {"game", CT_SETTING_KIND_UNCHECKED, 0, 0},
};

static const ct_setting_resource resources[] = {
    {.path = "boot_script",
     .type = "lua",
     .missing = "boot_script is missing; expected the name of a script"},
    {.path = "boot_package",
     .type = "package",
     .missing = "boot_package is missing; expected the name of a package"},
    {.path = "render_config", .type = "render_config", .needs_no_package = true},
    {.path = "input", .type = "input", .may_be_empty = true, .needs_no_package = true},
    {.path = "fallback_font", .type = "font", .may_be_empty = true, .needs_no_package = true},
    {.path = "physics", .type = "physics", .needs_no_package = true},
    {.path = "sound.buses", .type = "sound_bus", .needs_no_package = true},
};

const ct_setting_resource *ct_setting_resources(uint32_t *count) {
    *count = CT_COUNT_OF(resources);
    return resources;
}

static const ct_setting_row *row_named(const char *path, size_t length) {
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i)
        if (strlen(rows[i].path) == length && strncmp(rows[i].path, path, length) == 0)
            return &rows[i];
    return NULL;
}

// The rows of `plugins.NAME` and `plugins.NAME.PLATFORM`.
static const ct_setting_row *plugin_row_of(const char *path) {
    static const ct_setting_row plugin = {"", CT_SETTING_KIND_SECTION, 0, 0};
    static const ct_setting_row library = {"", CT_SETTING_KIND_LIBRARY, 0, 0};
    static const char prefix[] = "plugins.";
    if (strncmp(path, prefix, strlen(prefix)) != 0)
        return NULL;
    const char *const dot = strchr(path + strlen(prefix), '.');
    return !dot ? &plugin : strchr(dot + 1, '.') ? NULL : &library;
}

const ct_setting_row *ct_setting_row_of(const char *path) {
    static const ct_setting_row level = {"", CT_SETTING_KIND_LEVEL, 0, 0};
    const ct_setting_row *const row = row_named(path, strlen(path));
    if (row)
        return row;
    const char *const dot = strrchr(path, '.');
    const ct_setting_row *const parent = dot ? row_named(path, (size_t)(dot - path)) : NULL;
    if (parent && parent->kind == CT_SETTING_KIND_LEVELS)
        return &level;
    return plugin_row_of(path);
}

const char *ct_setting_nearest(const char *path) {
    const char *paths[CT_COUNT_OF(rows)];
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i)
        paths[i] = rows[i].path;
    return ct_nearest_name(path, paths, CT_COUNT_OF(rows));
}

bool ct_setting_has_members(const ct_setting_row *row) {
    return row->kind == CT_SETTING_KIND_SECTION || row->kind == CT_SETTING_KIND_LEVELS ||
           row->kind == CT_SETTING_KIND_PLUGINS;
}

bool ct_setting_key_named(const char *name, int32_t *key) {
    static const char device[] = "keyboard.";
    const bool is_none = strcmp(name, "none") == 0;
    const bool has_device = strncmp(name, device, strlen(device)) == 0;
    const int32_t found =
        has_device ? ct_input_button_id(CT_INPUT_DEVICE_KEYBOARD, name + strlen(device)) : -1;
    if (found >= 0 || is_none)
        *key = found;
    return found >= 0 || is_none;
}

static bool is_number(const ct_setting_row *row, const ct_setting_value *value) {
    return value->type == CT_SJSON_TYPE_NUMBER && value->number >= row->least &&
           value->number <= row->most &&
           (row->kind != CT_SETTING_KIND_COUNT || value->number == floor(value->number));
}

// A path in the project, without parts that lead out of it.
static bool is_library(const char *path) {
    return path[0] && path[0] != '/' && !strstr(path, "..") && strlen(path) < 256;
}

static bool fits(const ct_setting_row *row, const ct_setting_value *value) {
    const bool is_string = value->type == CT_SJSON_TYPE_STRING;
    ct_time_step_policy policy;
    ct_task_priority level;
    int32_t key;
    switch (row->kind) {
    case CT_SETTING_KIND_STRING:
        return is_string;
    case CT_SETTING_KIND_BOOL:
        return value->type == CT_SJSON_TYPE_BOOL;
    case CT_SETTING_KIND_NUMBER:
    case CT_SETTING_KIND_COUNT:
        return is_number(row, value);
    case CT_SETTING_KIND_POLICY:
        return is_string && ct_time_step_policy_named(value->text, &policy);
    case CT_SETTING_KIND_OUTPUT:
        return is_string &&
               (strcmp(value->text, "default") == 0 || strcmp(value->text, "none") == 0);
    case CT_SETTING_KIND_KEY:
        return is_string && ct_setting_key_named(value->text, &key);
    case CT_SETTING_KIND_LIBRARY:
        return is_string && is_library(value->text);
    case CT_SETTING_KIND_LEVEL:
        return is_string && ct_task_level_named(value->text, &level);
    case CT_SETTING_KIND_SECTION:
    case CT_SETTING_KIND_LEVELS:
    case CT_SETTING_KIND_PLUGINS:
    case CT_SETTING_KIND_OBJECT:
        return value->type == CT_SJSON_TYPE_OBJECT;
    case CT_SETTING_KIND_HOSTS:
        return value->type == CT_SJSON_TYPE_ARRAY;
    case CT_SETTING_KIND_UNCHECKED:
        break;
    }
    return true;
}

static void describe_expected(const ct_setting_row *row, char *text, size_t bytes) {
    static const char *const texts[] = {
        [CT_SETTING_KIND_STRING] = "a string",
        [CT_SETTING_KIND_BOOL] = "true or false",
        [CT_SETTING_KIND_POLICY] = "\"variable\", \"smoothed\", \"fixed\" or \"locked\"",
        [CT_SETTING_KIND_OUTPUT] = "\"default\" or \"none\"",
        [CT_SETTING_KIND_KEY] = "a key such as \"keyboard.f1\", or \"none\"",
        [CT_SETTING_KIND_LEVEL] = "\"critical\", \"high\", \"normal\" or \"low\"",
        [CT_SETTING_KIND_SECTION] = "an object",
        [CT_SETTING_KIND_LEVELS] = "an object",
        [CT_SETTING_KIND_PLUGINS] = "an object",
        [CT_SETTING_KIND_LIBRARY] = "a path in the project, such as \"plugins/swarm/swarm.so\"",
        [CT_SETTING_KIND_OBJECT] = "an object",
        [CT_SETTING_KIND_HOSTS] =
            "an array of hosts, such as [\"api.example.com\" \"*.example.com:8443\"]",
        [CT_SETTING_KIND_UNCHECKED] = "",
    };
    if (texts[row->kind])
        snprintf(text, bytes, "%s", texts[row->kind]);
    else
        snprintf(text, bytes, "a %snumber from %g to %g",
                 row->kind == CT_SETTING_KIND_COUNT ? "whole " : "", row->least, row->most);
}

static void describe_found(const ct_setting_value *value, char *text, size_t bytes) {
    if (value->type == CT_SJSON_TYPE_STRING)
        snprintf(text, bytes, "\"%.100s\"", value->text);
    else if (value->type == CT_SJSON_TYPE_NUMBER)
        snprintf(text, bytes, "%g", value->number);
    else
        snprintf(text, bytes, "%s", ct_sjson_type_name(value->type));
}

bool ct_setting_check(const ct_setting_row *row, const char *path, const ct_setting_value *value,
                      ct_error *error) {
    if (fits(row, value))
        return true;
    char found[128], expected[96];
    describe_found(value, found, sizeof(found));
    describe_expected(row, expected, sizeof(expected));
    return ct_error_set(error, "%s is %s; expected %s", path, found, expected);
}

bool ct_setting_check_host(const char *path, const ct_setting_value *value, ct_error *error) {
    ct_host_pattern pattern;
    ct_error why = {0};
    char found[128];
    if (value->type == CT_SJSON_TYPE_STRING && ct_host_pattern_parse(value->text, &pattern, &why))
        return true;
    if (value->type == CT_SJSON_TYPE_STRING)
        return ct_error_set(error, "%s: %s", path, why.message);
    describe_found(value, found, sizeof(found));
    return ct_error_set(error, "%s has the element %s; expected a host such as \"api.example.com\"",
                        path, found);
}
