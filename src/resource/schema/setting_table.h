// setting_table.h: the settings that the engine and the compiler read from `settings.config`: one
// table of their names, types and ranges. The compiler checks the source with it, with positions,
// and the engine checks the data.
//
// A setting's path is the dotted path from the root: "window.width".
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson.h"

enum {
    CT_SETTING_MAX_WORKERS = 64,
    CT_SETTING_MAX_PRIORITIES = 64,
    CT_SETTING_MAX_PLUGINS = 64,
    CT_SETTING_MAX_HOSTS = 64,
};

typedef enum ct_setting_kind {
    CT_SETTING_KIND_STRING,
    CT_SETTING_KIND_BOOL,
    CT_SETTING_KIND_NUMBER,  // from least to most
    CT_SETTING_KIND_COUNT,   // a whole number from least to most
    CT_SETTING_KIND_POLICY,  // a ct_time_step_policy by its name
    CT_SETTING_KIND_OUTPUT,  // "default" or "none"
    CT_SETTING_KIND_KEY,     // a key of the keyboard such as "keyboard.f1", or "none"
    CT_SETTING_KIND_LEVEL,   // a ct_task_priority by its name
    CT_SETTING_KIND_SECTION, // an object of settings
    CT_SETTING_KIND_LEVELS,  // an object of levels, with names that other code chooses
    CT_SETTING_KIND_OBJECT,  // an object that other code checks
    CT_SETTING_KIND_PLUGINS, // an object of plugins by name, each with a library by platform
    CT_SETTING_KIND_LIBRARY, // a project path of a plugin's library
    CT_SETTING_KIND_HOSTS, // an array of hosts (foundation/string/url.h), as ct_setting_check_host reads
    CT_SETTING_KIND_UNCHECKED, // anything; other code checks it
} ct_setting_kind;

// The name, type and range of a setting.
typedef struct ct_setting_row {
    const char *path; // "window.width"
    ct_setting_kind kind;
    double least, most; // of NUMBER and COUNT
} ct_setting_row;

// A setting that names what the engine loads when a game starts.
typedef struct ct_setting_resource {
    const char *path;
    const char *type;      // of the resource
    const char *missing;   // the message when the setting is missing; NULL: it is optional
    bool may_be_empty;     // "" means no resource
    bool needs_no_package; // the engine loads it by itself, with all that it refers to
} ct_setting_resource;

// A value from SJSON or from data.
typedef struct ct_setting_value {
    ct_sjson_type type;
    double number;
    const char *text; // of a string
} ct_setting_value;

// Reads a key: writes its number as a button of the keyboard (resource/types/input_names.h), or -1
// for "none", to `key`. Returns false and changes nothing for any other text.
bool ct_setting_key_named(const char *name, int32_t *key);

// Returns the row of a path; NULL: unknown setting. The members of some objects have names that other
// code chooses: `plugins.NAME` is a SECTION, `plugins.NAME.PLATFORM` a LIBRARY.
const ct_setting_row *ct_setting_row_of(const char *path);

// Returns the settings that name resources; sets `count`. Static.
const ct_setting_resource *ct_setting_resources(uint32_t *count);

// Returns the setting nearest to an unknown path, or NULL. Static text.
const char *ct_setting_nearest(const char *path);

// Returns whether a row is an object whose members are settings, with rows of their own.
bool ct_setting_has_members(const ct_setting_row *row);

// Checks a value, without its members. Returns false when it does not fit, with a message such as
// "window.width is 3; expected a whole number from 16 to 16384". Sets only `error`'s message.
bool ct_setting_check(const ct_setting_row *row, const char *path, const ct_setting_value *value,
                      ct_error *error);

// Checks an element of a setting of HOSTS. Returns as ct_setting_check does.
bool ct_setting_check_host(const char *path, const ct_setting_value *value, ct_error *error);
