// app_render_settings.h: what `render_settings` of settings.config says goes to the renderer.
#pragma once
#include "render/renderer.h"
#include "resource/types/config_resource.h"

// Gives the settings of the render config the values that `config` has below `render_settings`; all
// others get what the render config says. Warns of names that it does not have
// (`unknown_render_setting`). False with `error` at the first value that does not fit.
bool ct_app_apply_render_settings(ct_renderer *renderer, const ct_config_resource *config,
                                  ct_error *error);
