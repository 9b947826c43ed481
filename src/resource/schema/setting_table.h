// setting_table.h: the settings that the engine and the compiler read from `settings.config`: one
// table of their names, types and ranges, by which the compiler checks the source at its places and
// the engine the data.
//
// A setting's path is its dotted way from the root: "window.width".
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson.h"

enum { CT_SETTING_MAX_WORKERS = 64, CT_SETTING_MAX_PRIORITIES = 64 };

typedef enum ct_setting_kind {
    CT_SETTING_KIND_STRING,
    CT_SETTING_KIND_BOOL,
    CT_SETTING_KIND_NUMBER,    // from least to most
    CT_SETTING_KIND_COUNT,     // a whole number, likewise
    CT_SETTING_KIND_POLICY,    // a ct_time_step_policy by its name
    CT_SETTING_KIND_LEVEL,     // a ct_task_priority by its name
    CT_SETTING_KIND_SECTION,   // an object of settings
    CT_SETTING_KIND_LEVELS,    // an object of levels, by names that others choose
    CT_SETTING_KIND_OBJECT,    // an object that others check
    CT_SETTING_KIND_UNCHECKED, // anything: others check it
} ct_setting_kind;

// What a setting may be.
typedef struct ct_setting_row {
    const char *path; // "window.width"
    ct_setting_kind kind;
    double least, most; // of NUMBER and COUNT
} ct_setting_row;

// A setting that names what the engine loads when a game starts.
typedef struct ct_setting_resource {
    const char *path;
    const char *type;      // of the resource
    const char *missing;   // what is told when the setting is left out; NULL: it may be
    bool may_be_empty;     // for none
    bool needs_no_package; // the engine loads it by itself, with all that it refers to
} ct_setting_resource;

// A value as SJSON or data has it.
typedef struct ct_setting_value {
    ct_sjson_type type;
    double number;
    const char *text; // of a string
} ct_setting_value;

// The row of a path; NULL: there is no such setting.
const ct_setting_row *ct_setting_row_of(const char *path);

// The settings that name resources, `count` of them. Static.
const ct_setting_resource *ct_setting_resources(uint32_t *count);

// The setting that was meant by a path that is none, or NULL. Static text.
const char *ct_setting_nearest(const char *path);

// True for objects whose members are settings, with rows of their own.
bool ct_setting_has_members(const ct_setting_row *row);

// False with a message, "window.width is 3; expected a whole number from 16 to 16384", when the
// value does not fit. Members are not looked at. Sets `error`'s message alone.
bool ct_setting_check(const ct_setting_row *row, const char *path, const ct_setting_value *value,
                      ct_error *error);
