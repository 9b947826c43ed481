// app_render_settings.h: passes `render_settings` of settings.config to the renderer.
#pragma once
#include "render/renderer.h"
#include "resource/types/config_resource.h"

// Sets the settings of the render config to the values below `render_settings` in `config`; all
// others get the render config's defaults. Warns about names that the render config does not have
// (`unknown_render_setting`). Returns false with `error` at the first value that does not fit.
bool ct_app_apply_render_settings(ct_renderer *renderer, const ct_config_resource *config,
                                  ct_error *error);
