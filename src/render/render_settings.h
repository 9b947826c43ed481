// render_settings.h: what the settings of the render config say, as the update thread knows it.
//
// Values that were set are remembered by name, and hold for a config that is saved again, or
// another one, as long as it has such a setting and the value fits. The render thread gets all
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
    uint64_t config_checksum; // of the config that `values` are for
    uint32_t count;
    float values[CT_RENDER_MAX_SETTINGS][4];
} ct_render_settings;

void ct_render_settings_init(ct_render_settings *s, ct_allocator *a);
void ct_render_settings_free(ct_render_settings *s);

// Takes the config's defaults, and what was set where it fits.
void ct_render_settings_use(ct_render_settings *s, const ct_render_config_resource *config);

// Sets a value. False with `error`, and nothing changed, when there is no setting of this name
// (with the nearest one), or the value does not fit.
bool ct_render_settings_set(ct_render_settings *s, const ct_render_config_resource *config,
                            const char *name, const ct_render_given *given, ct_error *error);

// Forgets what was set.
void ct_render_settings_reset(ct_render_settings *s, const ct_render_config_resource *config);
