// render_settings.h: the update thread's values of the render config's settings.
//
// Values that were set are kept by name. They also apply to a config that is saved again, and to
// another config, as long as it has such a setting and the value fits. The render thread gets all
// values whenever one changes. Update thread.
#pragma once
#include "foundation/container/array.h"
#include "resource/types/render_config_resource.h"

// A value that was set.
typedef struct ct_render_set_value {
    ct_string_id32 name;
    uint32_t type;         // ct_render_setting_type
    ct_string_id32 choice; // CHOICE: what was chosen
    float value[4];
} ct_render_set_value;

typedef struct ct_render_settings {
    CT_ARRAY(ct_render_set_value) set;
    bool is_cpu_device;       // decides which preset is used when none is chosen
    ct_string_id32 chosen;    // preset; {0}: none
    uint32_t preset;          // of the config, position + 1; 0: none
    uint64_t config_checksum; // of the config that `values` are for
    uint32_t count;
    float values[CT_RENDER_MAX_SETTINGS][4];
} ct_render_settings;

// Starts without a config and without values that were set. `a` holds the values that are set
// later.
void ct_render_settings_init(ct_render_settings *s, ct_allocator *a, bool is_cpu_device);

// Frees the values that were set.
void ct_render_settings_free(ct_render_settings *s);

// Takes the defaults of this config, the values of its preset, then the values that were set, where
// they fit.
void ct_render_settings_use(ct_render_settings *s, const ct_render_config_resource *config);

// Sets a value. Returns false with `error` and changes nothing when the setting does not exist (the
// error names the nearest one), or the value does not fit.
bool ct_render_settings_set(ct_render_settings *s, const ct_render_config_resource *config,
                            const char *name, const ct_render_given *given, ct_error *error);

// Returns true when environments may set the setting of this name; otherwise `error` names the
// nearest one, or says what to write.
bool ct_render_settings_check_environment(const ct_render_config_resource *config, const char *name,
                                          ct_error *error);

// Chooses a preset by its name, or what the config says for the device (NULL). Returns false with
// `error` and changes nothing when there is none of this name.
bool ct_render_settings_set_preset(ct_render_settings *s, const ct_render_config_resource *config,
                                   const char *name, ct_error *error);

// Drops the values that were set and takes the defaults and the preset of this config.
void ct_render_settings_reset(ct_render_settings *s, const ct_render_config_resource *config);
