// settings.h: what the project's `settings.config` says, with defaults.
#pragma once
#include "foundation/time_step.h"
#include "resource/config_resource.h"

// Strings are borrowed from the config.
typedef struct ct_settings {
    const char *boot_script;   // resource of type lua; required
    const char *boot_package;  // resource of type package; required
    const char *render_config; // resource of type render_config
    const char *title;
    uint32_t width, height; // pixels
    bool is_resizable;
    double max_frame_rate; // Hz; 0: the display's in a window; headless 60, or
                           // none for a given number of frames
    ct_time_step_policy time_step_policy;
    double time_step_seconds; // of policy fixed
    bool is_lua_unsafe;
} ct_settings;

// Reads the settings; false with `error` that names what is missing or wrong.
bool ct_settings_read(const ct_config_resource *config, ct_settings *settings, ct_error *error);

// "variable", "fixed" or "smoothed"; false for any other text.
bool ct_time_step_policy_named(const char *name, ct_time_step_policy *policy);
