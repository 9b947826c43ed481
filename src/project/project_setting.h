// project_setting.h: single values of settings.config that compilations depend on.
//
// A compilation that reads a value has it in its includes, as the path
// `settings.config:textures.quality` with a hash of the value alone. So changes of other settings
// do not compile it again. Driver and workers share this.
#pragma once
#include "foundation/sjson/sjson.h"

#define CT_SETTINGS_SOURCE "settings.config"
#define CT_SETTING_PREFIX CT_SETTINGS_SOURCE ":"

// Returns the value at dotted `path`, or {0}. `doc` may be NULL.
ct_sjson_value ct_setting_find(const ct_sjson *doc, const char *path);

// Returns whether `word` is a platform: a destination, or one in `platforms` of the settings.
bool ct_setting_has_platform(const ct_sjson *doc, const char *word);

// Checks that a source platform is one of the `count` known ones. False with `error`, which lists
// them.
bool ct_setting_check_source_platform(const char *word, const char *const *known, uint32_t count,
                                      ct_error *error);

// Returns a hash of a value, which does not depend on its formatting in the file; 0 for {0}.
uint64_t ct_setting_hash(const ct_sjson *doc, ct_sjson_value value);
