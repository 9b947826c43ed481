#include "app/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/sjson.h"
#include "resource/schema.h"

enum { PATH_BYTES = 256 };

typedef enum setting_kind {
    SETTING_STRING, // const char *
    SETTING_BOOL,
    SETTING_NUMBER, // double, from least to most
    SETTING_COUNT,  // uint32_t, from least to most
    SETTING_BYTES,  // uint64_t, from least to most
    SETTING_POLICY, // ct_time_step_policy by its name
} setting_kind;

typedef struct setting {
    const char *path;
    setting_kind kind;
    uint32_t offset; // in ct_settings
    double least, most;
} setting;

static const setting setting_table[] = {
    {"boot_script", SETTING_STRING, offsetof(ct_settings, boot_script), 0, 0},
    {"boot_package", SETTING_STRING, offsetof(ct_settings, boot_package), 0, 0},
    {"render_config", SETTING_STRING, offsetof(ct_settings, render_config), 0, 0},
    {"language", SETTING_STRING, offsetof(ct_settings, language), 0, 0},
    {"input", SETTING_STRING, offsetof(ct_settings, input), 0, 0},
    {"max_frame_rate", SETTING_NUMBER, offsetof(ct_settings, max_frame_rate), 0, 1000},
    {"window.title", SETTING_STRING, offsetof(ct_settings, title), 0, 0},
    {"window.width", SETTING_COUNT, offsetof(ct_settings, width), 16, 16384},
    {"window.height", SETTING_COUNT, offsetof(ct_settings, height), 16, 16384},
    {"window.resizable", SETTING_BOOL, offsetof(ct_settings, is_resizable), 0, 0},
    {"time_step.policy", SETTING_POLICY, offsetof(ct_settings, time_step.policy), 0, 0},
    {"time_step.seconds", SETTING_NUMBER, offsetof(ct_settings, time_step.seconds), 1e-6, 1},
    {"time_step.longest_seconds", SETTING_NUMBER, offsetof(ct_settings, time_step.longest_seconds),
     1e-3, 10},
    {"time_step.max_steps", SETTING_COUNT, offsetof(ct_settings, time_step.max_steps), 1,
     CT_TIME_STEP_MAX_STEPS},
    {"tasks.workers", SETTING_COUNT, offsetof(ct_settings, num_workers), 0,
     CT_SETTINGS_MAX_WORKERS},
    {"streaming.enabled", SETTING_BOOL, offsetof(ct_settings, is_streaming), 0, 0},
    {"streaming.bytes_per_second", SETTING_BYTES, offsetof(ct_settings, streaming_bytes_per_second),
     0, 1e12},
    {"lua.unsafe", SETTING_BOOL, offsetof(ct_settings, is_lua_unsafe), 0, 0},
    {"lua.time_limit_seconds", SETTING_NUMBER, offsetof(ct_settings, lua_time_limit_seconds), 0,
     3600},
    {"lua.stop_long_calls", SETTING_BOOL, offsetof(ct_settings, stops_long_lua_calls), 0, 0},
    {"lua.memory_limit_mb", SETTING_COUNT, offsetof(ct_settings, lua_memory_limit_mb), 16, 65536},
};

// The members of these have names that others choose.
#define PRIORITIES_PATH "tasks.priorities"
#define RENDER_SETTINGS_PATH "render_settings"

// What others read, and check: the game, the render config, the compiler.
static const char *const foreign_table[] = {"game", RENDER_SETTINGS_PATH, "platforms",
                                            "textures.quality", "textures.max_size"};

// What holds settings.
static const char *const section_table[] = {"window", "time_step", "tasks",    PRIORITIES_PATH,
                                            "lua",    "textures",  "streaming"};

// What is being read.
typedef struct reading {
    const ct_config_resource *config;
    ct_settings *settings;
    ct_error *error;
} reading;

static bool wrong(const reading *r, const char *path, const ct_config_node *node,
                  const char *expected) {
    const ct_sjson_type type = (ct_sjson_type)node->type;
    char found[128];
    if (type == CT_SJSON_TYPE_STRING)
        snprintf(found, sizeof(found), "\"%.100s\"",
                 (const char *)ct_blob_at(r->config, node->text.offset));
    else if (type == CT_SJSON_TYPE_NUMBER)
        snprintf(found, sizeof(found), "%g", node->number);
    else
        snprintf(found, sizeof(found), "%s", ct_sjson_type_name(type));
    return ct_error_set_at(r->error, "settings.config", 0, 0, "%s is %s; expected %s", path, found,
                           expected);
}

// --- Values --------------------------------------------------------------------------------------

static bool read_number(const reading *r, const setting *row, const ct_config_node *node,
                        void *place) {
    const bool is_count = row->kind != SETTING_NUMBER;
    char expected[96];
    snprintf(expected, sizeof(expected), "a %snumber from %g to %g", is_count ? "whole " : "",
             row->least, row->most);
    if (node->type != CT_SJSON_TYPE_NUMBER || node->number < row->least ||
        node->number > row->most || (is_count && node->number != floor(node->number)))
        return wrong(r, row->path, node, expected);
    if (row->kind == SETTING_COUNT)
        *(uint32_t *)place = (uint32_t)node->number;
    else if (row->kind == SETTING_BYTES)
        *(uint64_t *)place = (uint64_t)node->number;
    else
        *(double *)place = node->number;
    return true;
}

static bool read_policy(const reading *r, const setting *row, const ct_config_node *node,
                        ct_time_step_policy *policy) {
    return (node->type == CT_SJSON_TYPE_STRING &&
            ct_time_step_policy_named(ct_blob_at(r->config, node->text.offset), policy)) ||
           wrong(r, row->path, node, "\"variable\", \"smoothed\", \"fixed\" or \"locked\"");
}

static bool read_setting(const reading *r, const setting *row, const ct_config_node *node) {
    void *const place = (char *)r->settings + row->offset;
    switch (row->kind) {
    case SETTING_STRING:
        if (node->type != CT_SJSON_TYPE_STRING)
            return wrong(r, row->path, node, "a string");
        *(const char **)place = ct_blob_at(r->config, node->text.offset);
        return true;
    case SETTING_BOOL:
        if (node->type != CT_SJSON_TYPE_BOOL)
            return wrong(r, row->path, node, "true or false");
        *(bool *)place = node->number != 0;
        return true;
    case SETTING_POLICY:
        return read_policy(r, row, node, place);
    default:
        return read_number(r, row, node, place);
    }
}

static bool read_priority(const reading *r, const char *path, const ct_config_node *node) {
    ct_settings *const s = r->settings;
    if (s->num_priorities == CT_SETTINGS_MAX_PRIORITIES)
        return ct_error_set_at(r->error, "settings.config", 0, 0,
                               PRIORITIES_PATH " has more than %d members",
                               (int)CT_SETTINGS_MAX_PRIORITIES);
    ct_settings_priority *const priority = &s->priorities[s->num_priorities++];
    priority->name = ct_blob_at(r->config, node->key.offset);
    return (node->type == CT_SJSON_TYPE_STRING &&
            ct_task_level_named(ct_blob_at(r->config, node->text.offset), &priority->level)) ||
           wrong(r, path, node, "\"critical\", \"high\", \"normal\" or \"low\"");
}

// --- The tree ------------------------------------------------------------------------------------

static const setting *find_setting(const char *path) {
    for (uint32_t i = 0; i < CT_COUNT_OF(setting_table); ++i) {
        if (strcmp(setting_table[i].path, path) == 0)
            return &setting_table[i];
    }
    return NULL;
}

static bool is_among(const char *const *paths, uint32_t count, const char *path) {
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(paths[i], path) == 0)
            return true;
    }
    return false;
}

static void warn_of_unknown(const char *path) {
    const char *
        names[CT_COUNT_OF(setting_table) + CT_COUNT_OF(section_table) + CT_COUNT_OF(foreign_table)];
    uint32_t count = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(foreign_table); ++i)
        names[count++] = foreign_table[i];
    for (uint32_t i = 0; i < CT_COUNT_OF(setting_table); ++i)
        names[count++] = setting_table[i].path;
    for (uint32_t i = 0; i < CT_COUNT_OF(section_table); ++i)
        names[count++] = section_table[i];
    const char *const nearest = ct_nearest_name(path, names, count);
    if (nearest != NULL)
        ct_log_warning("app", "unknown_setting",
                       "settings.config: there is no setting %s (did you mean %s?)", path, nearest);
    else
        ct_log_warning(
            "app", "unknown_setting",
            "settings.config: there is no setting %s; a project's own belong into `game`", path);
}

// Reads the members of an object whose own path is `prefix` ("" for the root). The recursion is as
// deep as the table's paths have parts.
static bool read_members(const reading *r, const ct_config_node *object, const char *prefix) {
    const ct_config_node *const nodes = ct_blob_at(r->config, r->config->nodes.offset);
    const bool are_priorities = strcmp(prefix, PRIORITIES_PATH) == 0;
    for (uint32_t i = 0; i < object->count; ++i) {
        const ct_config_node *const node = &nodes[object->first + i];
        char path[PATH_BYTES];
        snprintf(path, sizeof(path), "%s%s%s", prefix, prefix[0] != '\0' ? "." : "",
                 (const char *)ct_blob_at(r->config, node->key.offset));
        const setting *const row = find_setting(path);
        bool is_right = true;
        if (are_priorities)
            is_right = read_priority(r, path, node);
        else if (row != NULL)
            is_right = read_setting(r, row, node);
        else if (is_among(section_table, CT_COUNT_OF(section_table), path))
            is_right = node->type == CT_SJSON_TYPE_OBJECT ? read_members(r, node, path)
                                                          : wrong(r, path, node, "an object");
        else if (strcmp(path, RENDER_SETTINGS_PATH) == 0)
            is_right = node->type == CT_SJSON_TYPE_OBJECT || wrong(r, path, node, "an object");
        else if (!is_among(foreign_table, CT_COUNT_OF(foreign_table), path))
            warn_of_unknown(path);
        if (!is_right)
            return false;
    }
    return true;
}

bool ct_settings_read(const ct_config_resource *config, ct_settings *s, ct_error *error) {
    *s = (ct_settings){
        .render_config = "core/rendering/renderer",
        .language = "en",
        .input = "",
        .title = "Cuttle",
        .width = 1280,
        .height = 720,
        .is_resizable = true,
        .time_step = {.policy = CT_TIME_STEP_POLICY_SMOOTHED},
        .lua_time_limit_seconds = 5,
        .is_streaming = true,
        .stops_long_lua_calls = true,
        .lua_memory_limit_mb = 2048,
    };
    const reading r = {.config = config, .settings = s, .error = error};
    if (!read_members(&r, ct_config_find(config, ""), ""))
        return false;
    s->has_workers = ct_config_find(config, "tasks.workers") != NULL;
    if (s->boot_script == NULL || s->boot_package == NULL)
        return ct_error_set_at(error, "settings.config", 0, 0,
                               "%s is missing; expected the name of a %s",
                               s->boot_script == NULL ? "boot_script" : "boot_package",
                               s->boot_script == NULL ? "script" : "package");
    return true;
}
