// project_setting.h: single values of settings.config that compilations depend on.
//
// A compilation that reads a value has it among its includes, as the path
// `settings.config:textures.quality` with a hash of the value alone: other settings may change
// without compiling it again. Driver and workers share this.
#pragma once
#include "foundation/sjson/sjson.h"

#define CT_SETTINGS_SOURCE "settings.config"
#define CT_SETTING_PREFIX CT_SETTINGS_SOURCE ":"

// The value at dotted `path`, or {0}. `doc` may be NULL.
ct_sjson_value ct_setting_find(const ct_sjson *doc, const char *path);

// True for the word of a platform: a destination's, or one that `platforms` of the settings has.
bool ct_setting_has_platform(const ct_sjson *doc, const char *word);

// False with `error` when a source platform is none of the `count` that are known, which it names.
bool ct_setting_check_source_platform(const char *word, const char *const *known, uint32_t count,
                                      ct_error *error);

// A hash of what a value says, whatever its layout; 0 for {0}.
uint64_t ct_setting_hash(const ct_sjson *doc, ct_sjson_value value);
